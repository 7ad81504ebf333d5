"""Globs: lists of patterns as people write them in workflows, and the files that they mean.

    docs/**/*.md            `**` is any number of folders
    *.{md,mdx}, notes       several on a line; a folder is the documents below it
    docs/a\\,b.md            after a backslash a character means itself

A pattern is matched part by part, so that the time for a name is at most the number of its parts
times those of the pattern.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import translate
from typing import Final

from spanwise.errors import InvalidInput, SpanwiseError
from spanwise.files import SourceFile, has_suffix, source_file, source_name, unreadable, walk

MAX_ALTERNATIVES: Final = 1000
"""Patterns that one item may stand for, by its braces."""
MAX_BRACES: Final = 16
"""How deep braces may stand in braces."""

MAX_COMMAS: Final = 8
"""Commas that a file's name may have among others on a line, where they are not marked."""

Token = tuple[str, str]
"""What it is and how it is written: `text` a character that means itself, `wild` a wildcard, `mark`
one of `/`, `,`, `{` and `}`."""


@dataclass(frozen=True, slots=True)
class Part:
    """A pattern for one part of a name; `regex` is None for `**`, any number of parts."""

    regex: re.Pattern[str] | None
    hidden: bool = False

    def matches(self, name: str) -> bool:
        """Whether it is a pattern for `name`; names that start with a dot need one that does."""
        if name.startswith(".") and not self.hidden:
            return False
        return self.regex is None or self.regex.match(name) is not None


@dataclass(frozen=True, slots=True)
class Glob:
    """One pattern: what was written, the folder it starts at, and patterns for the parts below.

    base: the parts before the first wildcard, as one path.
    parts: none where the pattern is a plain path.
    folders: whether a folder that matches stands for what is below it.
    no_file: whether it ends in a slash, so that only folders match.
    open_end: whether the last part ends in a wildcard, so that the kind of file is not said.
    """

    written: str
    base: str
    parts: tuple[Part, ...]
    folders: bool
    no_file: bool
    open_end: bool

    @property
    def hidden(self) -> bool:
        """Whether it speaks of names that start with a dot."""
        return any(part.hidden for part in self.parts)

    def reach(self, names: list[str]) -> int:
        """How much of a path below `base` is matched: 2 all of it, 1 a folder above, 0 nothing."""
        end = len(self.parts)
        states = self._past_stars({0})
        above = False
        for name in names:
            above = above or (self.folders and end in states)
            following = set()
            for at in states - {end}:
                part = self.parts[at]
                if not part.matches(name):
                    continue
                if part.regex is None:
                    following.add(at)
                if part.regex is not None or at + 1 == end:
                    following.add(at + 1)
            states = self._past_stars(following)
        return 2 if end in states and not self.no_file else int(above)

    def _past_stars(self, states: set[int]) -> set[int]:
        """The states, and those that follow when `**` stands for no part; the last is for some."""
        for at in sorted(states):
            while at + 1 < len(self.parts) and self.parts[at].regex is None:
                at += 1
                states.add(at)
        return states


def read_globs(text: str) -> list[Glob]:
    """The patterns in a list: one a line, or several on a line with commas between them.

    A line that is the name of a file is that file, and so is a pattern, whatever characters are in
    it. A comma in braces, in brackets or after a backslash separates nothing, nor do commas of a
    file's name where what is before them is none. InvalidInput where braces stand for too many
    patterns.
    """
    found = []
    for line in text.replace("\r\n", "\n").split("\n"):
        name = next((name for name in (line, line.strip()) if _is_file(name)), None)
        if name is not None:
            found.append(_plain(name))
            continue
        items = ["".join(shown for _, shown in tokens) for tokens in _separated(_tokens(line))]
        at = 0
        while at < len(items):
            written, taken = _name_at(items, at)
            at += taken
            if _is_file(written):
                found.append(_plain(written))
            elif written:
                found += [_glob(each, written) for each in _alternatives(_tokens(written), written)]
    return found


def _name_at(items: list[str], at: int) -> tuple[str, int]:
    """The item at `at`, with those after it where they are a file's name only together."""
    alone = items[at].strip()
    if alone and not os.path.lexists(alone):
        for count in range(min(MAX_COMMAS + 1, len(items) - at), 1, -1):
            name = ",".join(items[at : at + count]).strip()
            if _is_file(name):
                return name, count
    return alone, 1


def _is_file(name: str) -> bool:
    try:
        return bool(name) and stat.S_ISREG(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False


def _plain(name: str) -> Glob:
    return Glob(name, name, (), folders=True, no_file=False, open_end=False)


# Reading a pattern


def _tokens(text: str) -> list[Token]:
    """The text as tokens; a bracket that is never closed means itself, and so does such a brace."""
    tokens: list[Token] = []
    opened: list[int] = []
    last_bracket = text.rfind("]")
    at = 0
    while at < len(text):
        char = text[at]
        size = 1
        if char == "\\" and at + 1 < len(text):
            size = 2
            tokens.append(("text", text[at : at + 2]))
        elif char in "*?":
            tokens.append(("wild", char))
        elif char == "[" and at < last_bracket and (size := _class_size(text, at)):
            tokens.append(("wild", text[at : at + size]))
        elif char in "/,":
            tokens.append(("mark", char))
        elif char == "{":
            opened.append(len(tokens))
            tokens.append(("text", char))
        elif char == "}" and opened:
            tokens[opened.pop()] = ("mark", "{")
            tokens.append(("mark", char))
        else:
            tokens.append(("text", char))
        at += max(size, 1)
    return tokens


def _class_size(text: str, start: int) -> int:
    """The length of the character class that opens at `start`; 0 where none does."""
    first = start + 1
    if text.startswith("!", first):
        first += 1
    # A bracket right at the start is one of the characters.
    end = text.find("]", first + 1)
    if end < 0 or "/" in text[start:end]:
        return 0
    return end + 1 - start


def _separated(tokens: list[Token]) -> Iterator[list[Token]]:
    """The tokens between commas that are in no braces."""
    depth = 0
    item: list[Token] = []
    for token in tokens:
        if token == ("mark", ",") and depth == 0:
            yield item
            item = []
            continue
        depth += (token == ("mark", "{")) - (token == ("mark", "}"))
        item.append(token)
    yield item


def _alternatives(tokens: list[Token], written: str, depth: int = 0) -> list[list[Token]]:
    """The token lists that braces stand for, without the braces."""
    if depth > MAX_BRACES:
        raise InvalidInput(f"{written}: braces are more than {MAX_BRACES} deep", found=depth)
    found: list[list[Token]] = [[]]
    at = 0
    while at < len(tokens):
        if tokens[at] != ("mark", "{"):
            for before in found:
                before.append(tokens[at])
            at += 1
            continue
        end = _closing(tokens, at)
        options = list(_separated(tokens[at + 1 : end]))
        inside = [each for one in options for each in _alternatives(one, written, depth + 1)]
        if len(options) == 1:  # as in a shell, braces around one thing mean themselves
            inside = [[("text", "{"), *each, ("text", "}")] for each in inside]
        if len(found) * len(inside) > MAX_ALTERNATIVES:
            raise InvalidInput(
                f"{written}: braces stand for more than {MAX_ALTERNATIVES} patterns",
                maximum=MAX_ALTERNATIVES,
                found=len(found) * len(inside),
            )
        found = [before + each for before in found for each in inside]
        at = end + 1
    return found


def _closing(tokens: list[Token], start: int) -> int:
    """Where the brace that opens at `start` is closed; tokens have no mark for one that is not."""
    depth = 0
    for at in range(start, len(tokens)):
        depth += (tokens[at] == ("mark", "{")) - (tokens[at] == ("mark", "}"))
        if depth == 0:
            return at
    raise AssertionError("a brace is marked that is never closed")


def _glob(tokens: list[Token], written: str) -> Glob:
    """The pattern that tokens without braces are."""
    split: list[list[Token]] = [[]]
    for token in tokens:
        if token == ("mark", "/"):
            split.append([])
        else:
            split[-1].append(token)
    ends_in_slash = len(split) > 1 and not split[-1]
    if ends_in_slash:
        split.pop()
    wild = [any(kind == "wild" for kind, _ in part) for part in split]
    first = wild.index(True) if True in wild else len(split)
    base = "/".join(_text_of(part) for part in split[:first])
    if first and not base:
        base = "/"
    last = split[-1]
    return Glob(
        written,
        base,
        tuple(_part(part) for part in split[first:] if _text_of(part) not in ("", ".")),
        folders=ends_in_slash or not wild[-1],
        no_file=ends_in_slash,
        open_end=bool(last) and last[-1] in (("wild", "*"), ("wild", "?")),
    )


def _text_of(part: list[Token]) -> str:
    """The characters of a part, without the backslashes before those that mean themselves."""
    return "".join(
        shown[1] if kind == "text" and len(shown) == 2 else shown for kind, shown in part
    )


def _part(tokens: list[Token]) -> Part:
    if tokens == [("wild", "*"), ("wild", "*")]:
        return Part(None)
    pattern = ""
    for kind, shown in tokens:
        char = shown[-1]
        pattern += (
            f"[{char}]" if kind == "text" and char in "*?[" else shown if kind == "wild" else char
        )
    return Part(re.compile(translate(pattern)), hidden=_text_of(tokens[:1]) == ".")


# Finding files


@dataclass(frozen=True, slots=True)
class Matches:
    """The files that patterns mean, sorted by name, each once; what went wrong; idle patterns."""

    files: list[SourceFile]
    faults: list[SpanwiseError]
    unmatched: list[str]


def matching_files(wanted: Iterable[Glob], excluded: Iterable[Glob] = ()) -> Matches:
    """The files that `wanted` means and `excluded` does not, below the folder at hand.

    What .gitignore excludes is left out unless it is named without a wildcard, and so is what
    starts with a dot unless the pattern says the dot. A folder, and a pattern that ends in a
    wildcard, stand for documents only; other files are taken where their ending is said.
    """
    out = [(_absolute(glob.base), glob) for glob in excluded]
    found: dict[str, SourceFile] = {}
    faults: list[SpanwiseError] = []
    unmatched: dict[str, bool] = {}
    for glob in wanted:
        idle = True
        for path, real_path, status in _candidates(glob, faults):
            idle = False
            if not any(_excludes(base, other, path) for base, other in out):
                found.setdefault(real_path, source_file(source_name(path), path, status))
        unmatched[glob.written] = unmatched.get(glob.written, True) and idle
    idle_ones = [written for written, idle in unmatched.items() if idle]
    return Matches(sorted(found.values()), faults, idle_ones)


def _candidates(
    glob: Glob, faults: list[SpanwiseError]
) -> Iterator[tuple[str, str, os.stat_result]]:
    """Path, real path and status of each file that a pattern means."""
    base = glob.base or "."
    try:
        status = os.stat(base)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        faults.append(unreadable(base, error))
        return
    if not stat.S_ISDIR(status.st_mode):
        if not glob.parts:
            yield base, os.path.realpath(base), status
        return

    def taken(below: str) -> bool:
        reach = glob.reach(below.split(os.sep))
        if reach == 0:
            return False
        return (reach == 2 and not glob.open_end) or has_suffix(below)

    for below, real_path, found in walk(base, faults, taken, glob.hidden):
        yield os.path.join(glob.base, below), real_path, found


def _absolute(path: str) -> str:
    return os.path.abspath(path).replace(os.sep, "/")


def _excludes(base: str, glob: Glob, path: str) -> bool:
    """Whether a pattern that starts at the absolute path `base` means the file or one above it."""
    name = _absolute(path)
    if name == base:
        return not glob.parts
    if not name.startswith(base.rstrip("/") + "/"):
        return False
    return glob.reach(name[len(base.rstrip("/")) + 1 :].split("/")) > 0
