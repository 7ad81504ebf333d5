"""Markdown for Hypothesis: texts that are dense in what block structure turns on."""

from hypothesis import strategies as st

CONTAINERS = ["> ", ">", "- ", "* ", "+ ", "-   ", "1. ", "2) ", "10. ", "-\t", ">\t", "1.\t"]
INDENTS = ["", "", "", " ", "  ", "   ", "    ", "     ", "\t", " \t", "  \t", "\t\t"]
LEAVES = [
    *["a", "b c", "", "", "", "\\", "a\\", "&amp;", "`a`", "| a | b |", "a: b"],
    *["# a", "## a ##", "###", "#a", "# a #b", "####### a", "#\ta\t#\t", "# #"],
    *["===", "=", "---", "--", "-", "- - -", "***", "* * *", "___", "--- a", "=== a", "== ="],
    *["```", "````", "~~~", "~~~~", "``` a", "~~~ a b", "``` `", "~~~ `", "```a```", "``", "~~"],
    *["<div>", "</div>", "<div", "<!-- a", "-->", "<!-->", "<!--->", "<script>", "</script>"],
    *["<pre a", "</pre>", "<textarea>", "</textarea>", "<?a", "?>", "<!a", "<!", "a>", "<![CDATA["],
    *["]]>", "<a>", "</a>", "<a b=c d='e' f=\"g\">", "<a b='c", "<a/>", "<a>b", "<a b=>", "<i >"],
    *[
        "[a]: b",
        "[a]:",
        "[a]: b 'c'",
        "[a]: b 'c",
        "c'",
        "'c'",
        '"c"',
        "(c)",
        "b",
        "<b>",
        "[a]: <b",
    ],
    *[
        "[a",
        "a]: b",
        "[a]: b c",
        "[]: b",
        "[ ]: b",
        "[\\]]: b",
        "[a]: <b> 'c' d",
        "[a]: <>",
        "[[a]: b",
    ],
    *["[a]: b\t'c'", "[a]:\tb", "[a] : b", "[a]b", "[a]: b'c'", "[a]:b"],
    *["1.", "2.", "-", "+", "*", "1)", "123456789. a", "1234567890. a", "1.a", "-a", "2. a"],
]
ODD_LEAVES = [
    "\x0b",
    "\x0c",
    "\u00a0",
    "\u2028",
    "\x0c# a",
    "# \u00a0a\u00a0",
    "a\u0085b",
    "\ufeff",
    "\0",
]
ENDINGS = ["\n"] * 12 + ["\r\n", "\r"]


def documents(
    leaves: list[str] = LEAVES, endings: list[str] = ENDINGS, max_lines: int = 12
) -> st.SearchStrategy[str]:
    """Texts of a few lines: indentation, containers, indentation again, and a leaf."""
    indent = st.sampled_from(INDENTS)
    containers = st.lists(st.sampled_from(CONTAINERS), max_size=3).map("".join)
    line = st.builds(
        lambda *parts: "".join(parts),
        indent,
        containers,
        indent,
        st.sampled_from(leaves),
        st.sampled_from(["", "", "", " ", "  ", "\t"]),
        st.sampled_from(endings),
    )
    return st.lists(line, max_size=max_lines).map("".join)


ALPHABET = "#>-*+`~=_<!/[]:()\"'\\ \t\n\r|a1.)?x\u00e9\u0000\u2028\U0001f600"


def soup(alphabet: str = ALPHABET) -> st.SearchStrategy[str]:
    """Texts of any characters from an alphabet of markers, blanks and a few letters."""
    return st.text(alphabet, max_size=80)


texts = st.one_of(documents(LEAVES + ODD_LEAVES), soup(), st.text(max_size=40))
"""Any text at all, for laws that hold of every text."""
