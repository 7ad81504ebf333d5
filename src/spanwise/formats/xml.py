"""XML within limits: no document type, so no entity that grows and none from elsewhere."""

from collections.abc import Iterator, Mapping
from typing import Final
from xml.parsers import expat

from spanwise.errors import LimitExceeded, UnreadableSource
from spanwise.formats import Settings

_STEP: Final = 1 << 16


class Element:
    """An element: its name with a prefix that we chose, attributes, children and text."""

    __slots__ = ("attrs", "children", "name", "tail", "text")

    def __init__(self, name: str, attrs: dict[str, str]) -> None:
        """Without content."""
        self.name = name
        self.attrs = attrs
        self.children: list[Element] = []
        self.text = ""
        """The text before the first child."""
        self.tail = ""
        """The text after this element."""

    def get(self, name: str, default: str = "") -> str:
        """An attribute."""
        return self.attrs.get(name, default)

    def first(self, name: str) -> "Element | None":
        """The first child of that name."""
        for child in self.children:
            if child.name == name:
                return child
        return None

    def find(self, *names: str) -> "Element | None":
        """The first child of the first name, in it that of the second, and so on."""
        found: Element | None = self
        for name in names:
            if found is None:
                return None
            found = found.first(name)
        return found

    def walk(self) -> Iterator["Element"]:
        """This element and all in it, in order."""
        rest = [self]
        while rest:
            element = rest.pop()
            yield element
            rest.extend(reversed(element.children))

    def all_text(self) -> str:
        """The text in it, markup left out."""
        parts = [self.text]
        for child in self.children:
            parts.append(child.all_text())
            parts.append(child.tail)
        return "".join(parts)


class Limits:
    """Counts what is in the parts of one file."""

    def __init__(self, settings: Settings) -> None:
        """Nothing is counted yet."""
        self.max_depth = settings.max_depth
        self.max_objects = settings.max_objects
        self.objects = 0


def tree(
    data: bytes, spaces: Mapping[str, str], limits: Limits, what: str, *, doctype: bool = False
) -> Element:
    """The root element of a part; see `elements`."""
    root = next(elements(data, spaces, limits, what, None, doctype=doctype), None)
    if root is None:
        raise UnreadableSource(f"{what}: there is nothing in it")
    return root


def elements(
    data: bytes,
    spaces: Mapping[str, str],
    limits: Limits,
    what: str,
    wanted: frozenset[str] | None,
    root: str = "",
    *,
    doctype: bool = False,
) -> Iterator[Element]:
    """The outermost elements that have one of the names `wanted`, one after the other.

    The rest of the part is looked through and not kept; None for `wanted` gives the root. Names
    are those of `spaces`, which maps namespaces to prefixes (as in `w:p`); other namespaces stay as
    they are, with a blank after. Raises UnreadableSource for what is not well-formed, has a
    document type or another root than `root`, LimitExceeded for `max_depth` and `max_objects`.
    With `doctype` a document type may be named, but not declare anything.
    """
    reader = _Reader(spaces, limits, what, wanted, root, doctype)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    parser.StartDoctypeDeclHandler = reader.doctype
    try:
        for at in range(0, len(data), _STEP):
            parser.Parse(data[at : at + _STEP], False)
            yield from reader.taken()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise UnreadableSource(f"{what}: not well-formed XML: {error}") from None
    except (LookupError, ValueError) as error:  # an encoding there is not
        raise UnreadableSource(f"{what}: cannot be read as XML: {error}") from None
    yield from reader.taken()


class _Reader:
    def __init__(
        self,
        spaces: Mapping[str, str],
        limits: Limits,
        what: str,
        wanted: frozenset[str] | None,
        root: str,
        doctype: bool,
    ) -> None:
        self._spaces = spaces
        self._limits = limits
        self._what = what
        self._wanted = wanted
        self._root = root
        self._doctype = doctype
        self._names: dict[str, str] = {}
        self._depth = 0
        self._open: list[Element] = []
        self._done: list[Element] = []

    def taken(self) -> list[Element]:
        done = self._done
        self._done = []
        return done

    def start(self, name: str, attrs: dict[str, str]) -> None:
        limits = self._limits
        self._depth += 1
        if self._depth > limits.max_depth:
            raise LimitExceeded(
                "max_depth", limits.max_depth, self._depth, f"{self._what}: elements in elements"
            )
        limits.objects += 1
        if limits.objects > limits.max_objects:
            raise LimitExceeded(
                "max_objects", limits.max_objects, limits.objects, f"{self._what}: elements"
            )
        short = self._names.get(name) or self._short(name)
        if self._depth == 1 and self._root and short != self._root:
            raise UnreadableSource(f"{self._what}: begins with {short} and not with {self._root}")
        if not self._open and self._wanted is not None and short not in self._wanted:
            return
        names = self._names
        element = Element(
            short, {names.get(key) or self._short(key): value for key, value in attrs.items()}
        )
        if self._open:
            self._open[-1].children.append(element)
        self._open.append(element)

    def end(self, name: str) -> None:
        self._depth -= 1
        if self._open:
            element = self._open.pop()
            if not self._open:
                self._done.append(element)

    def characters(self, text: str) -> None:
        if not self._open:
            return
        element = self._open[-1]
        if element.children:
            element.children[-1].tail += text
        else:
            element.text += text

    def doctype(self, name: str, system: str | None, public: str | None, declares: bool) -> None:
        if self._doctype and not declares:
            return
        raise UnreadableSource(f"{self._what}: has a document type ({name}), which is not read")

    def _short(self, name: str) -> str:
        space, blank, local = name.rpartition(" ")
        prefix = self._spaces.get(space)
        short = local if not blank else f"{prefix}:{local}" if prefix else name
        self._names[name] = short
        return short
