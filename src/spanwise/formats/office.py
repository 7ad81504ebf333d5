"""What Word, PowerPoint and Excel files have in common: parts, and relationships between them."""

import posixpath
from collections.abc import Sequence
from typing import Final, NamedTuple

from spanwise.document import Region
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.archive import Package
from spanwise.formats.xml import Element, Limits, tree

_OLD: Final = "http://schemas.openxmlformats.org/"
_STRICT: Final = "http://purl.oclc.org/ooxml/"

SPACES: Final = {
    f"{_OLD}wordprocessingml/2006/main": "w",
    f"{_STRICT}wordprocessingml/main": "w",
    "http://schemas.microsoft.com/office/word/2010/wordml": "w14",
    f"{_OLD}markup-compatibility/2006": "mc",
    f"{_OLD}officeDocument/2006/relationships": "r",
    f"{_STRICT}officeDocument/relationships": "r",
    f"{_OLD}officeDocument/2006/math": "m",
    f"{_STRICT}officeDocument/math": "m",
    f"{_OLD}drawingml/2006/main": "a",
    f"{_STRICT}drawingml/main": "a",
    f"{_OLD}presentationml/2006/main": "p",
    f"{_STRICT}presentationml/main": "p",
    f"{_OLD}spreadsheetml/2006/main": "x",
    f"{_STRICT}spreadsheetml/main": "x",
    f"{_OLD}drawingml/2006/diagram": "dgm",
    f"{_STRICT}drawingml/diagram": "dgm",
    f"{_OLD}drawingml/2006/chart": "c",
    f"{_STRICT}drawingml/chart": "c",
    f"{_OLD}package/2006/relationships": "rel",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/XML/1998/namespace": "xml",
}
"""The namespaces, old and strict, and the prefixes they have here."""


class Target(NamedTuple):
    """Where a relationship leads: the name of a part, or an address outside."""

    kind: str
    """The last word of its type, as in `footnotes`."""
    name: str
    external: bool


class Office:
    """One file and its parts."""

    def __init__(
        self, data: bytes, settings: Settings, kind: str, outer: "Office | None" = None
    ) -> None:
        """`kind` is what to call it in errors; a file within `outer` counts to its limits."""
        self.package: Package = Package(data, settings, kind, outer.package if outer else None)
        self.limits: Limits = outer.limits if outer else Limits(settings)
        self._kind = kind

    def main(self) -> str:
        """The name of the part that all starts from."""
        for target in self.targets("").values():
            if target.kind == "officeDocument" and not target.external:
                return target.name
        raise UnreadableSource(f"not a {self._kind}: no part of it says that it is the document")

    def targets(self, part: str) -> dict[str, Target]:
        """The relationships of a part by their ids; none where it has none."""
        folder, name = posixpath.split(part)
        relationships = posixpath.join(folder, "_rels", f"{name}.rels")
        found: dict[str, Target] = {}
        if relationships not in self.package:
            return found
        for one in self.tree(relationships).children:
            external = one.get("TargetMode") == "External"
            target = one.get("Target")
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            kind = one.get("Type").rpartition("/")[2]
            found[one.get("Id")] = Target(kind, target, external)
        return found

    def tree(self, part: str) -> Element:
        """The root element of a part."""
        return tree(self.package.read(part), SPACES, self.limits, part)

    def tree_of(self, targets: dict[str, Target], kind: str) -> Element | None:
        """The root of the part that a relationship of this kind leads to."""
        for target in targets.values():
            if target.kind == kind and not target.external and target.name in self.package:
                return self.tree(target.name)
        return None

    def title(self) -> str:
        """The title among the properties of the file."""
        core = self.tree_of(self.targets(""), "core-properties")
        said = core.first("dc:title") if core is not None else None
        return " ".join(said.all_text().split()) if said is not None else ""


def paragraph_text(region: Region, paragraphs: Sequence[str]) -> str:
    """What stands at a region that is a span of one of the paragraphs of a part.

    Raises UnreadableSource where there is no such paragraph.
    """
    if not 0 < region["paragraph"] <= len(paragraphs):
        raise UnreadableSource(f"{region['part']}: there is no paragraph {region['paragraph']}")
    text: str = paragraphs[region["paragraph"] - 1]
    return text[region["start"] : region["end"]]


def is_on(element: Element | None) -> bool:
    """Whether a property that is there, or is not, is set."""
    return element is not None and element.get("w:val", "1").lower() not in ("0", "false", "off")


def choice(alternatives: Element) -> Element | None:
    """The one of several ways to show something that is taken: the first there is."""
    found = alternatives.first("mc:Choice")
    return found if found is not None else alternatives.first("mc:Fallback")
