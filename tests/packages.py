"""Office files made for tests, part by part."""

import io
import zipfile
from collections.abc import Mapping

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SPACES = (
    f"{W} "
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP package of these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return out.getvalue()


def relationships(*targets: tuple[str, str, str]) -> str:
    """A part of relationships: ids, kinds, targets; an address is one outside."""
    lines = "".join(
        f'<Relationship Id="{key}" Type="{TYPES}{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if ':' in target else ''}/>"
        for key, kind, target in targets
    )
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{space}">{lines}</Relationships>'


def word(body: str, **parts: str) -> bytes:
    """A Word file; `styles`, `numbering`, `footnotes`, `endnotes` are what is in those parts."""
    roots = {"styles": "styles", "numbering": "numbering", "footnotes": "footnotes"}
    roots["endnotes"] = "endnotes"
    targets = [(f"r{kind}", kind, f"{kind}.xml") for kind in parts]
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relationships(("r1", "officeDocument", "word/document.xml")),
            "word/document.xml": f"<w:document {SPACES}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": relationships(
                ("link", "hyperlink", "https://a.b/c"), *targets
            ),
        }
        | {
            f"word/{kind}.xml": f"<w:{roots[kind]} {SPACES}>{content}</w:{roots[kind]}>"
            for kind, content in parts.items()
        }
    )


def p(text: str, style: str = "", more: str = "") -> str:
    """A paragraph of one run; `more` is put into its properties."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{more}</w:pPr>{r(text)}</w:p>"


def r(text: str, properties: str = "") -> str:
    """A run."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def style(key: str, name: str, properties: str = "", based_on: str = "") -> str:
    """A style of paragraphs."""
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{base}'
        f"<w:pPr>{properties}</w:pPr></w:style>"
    )


def num(num_id: int, level: int = 0) -> str:
    """The properties of a numbered paragraph."""
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num_id}"/></w:numPr>'


def level(number: int, fmt: str, text: str, more: str = "") -> str:
    """One level of a definition of numbering."""
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{fmt}"/>'
        f'<w:lvlText w:val="{text}"/>{more}</w:lvl>'
    )


def diagram(names: str, joins: str) -> str:
    """The model of a diagram (SmartArt): points of these names, and `parent-child` pairs of them.

    What is nobody's child is that of the diagram.
    """
    main = "http://schemas.openxmlformats.org/drawingml/2006"
    pairs = [join.partition("-")[::2] for join in joins.split()]
    children = {child for _, child in pairs}
    pairs += [("all", name) for name in names.split() if name not in children]
    points = "".join(
        f'<dgm:pt modelId="{name}"><dgm:t><a:p><a:r><a:t>{name}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for name in names.split()
    )
    connections = "".join(
        f'<dgm:cxn srcId="{parent}" destId="{child}" srcOrd="{at}"/>'
        f'<dgm:cxn type="presOf" srcId="{child}" destId="{parent}"/>'
        for at, (parent, child) in enumerate(pairs)
    )
    return (
        f'<dgm:dataModel xmlns:dgm="{main}/diagram" xmlns:a="{main}/main"><dgm:ptLst>'
        f'<dgm:pt modelId="all" type="doc"/>{points}</dgm:ptLst>'
        f"<dgm:cxnLst>{connections}</dgm:cxnLst></dgm:dataModel>"
    )
