"""The languages of blocks of code, as the classes that tools give them say."""

import re
from typing import Final

from spanwise.formats.html.nodes import Element
from spanwise.formats.html.visible import elements

_LANGUAGE: Final = re.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight)-|(?:brush|lang):\s*|sourceCode\s+)"
    r"([\w+#.-]+)"
)
_LANGUAGES: Final = frozenset(
    "bash c c++ c# clojure cpp csharp css dart diff dockerfile elixir erlang fortran go graphql "
    "haskell html http ini java javascript js json jsx julia kotlin lisp lua makefile matlab "
    "objectivec ocaml perl php powershell protobuf py python r rb ruby rust sass scala scheme sh "
    "shell sql swift toml ts tsx typescript vb xml yaml yml".split()
)
"""Classes that are the name of a language and nothing else."""


def language_of(element: Element) -> str:
    """The language of a block of code, as its class or that of an element close by says."""
    inner = next((one for one in elements(element) if one.name == "code"), None)
    for node in (inner, element, element.parent, element.parent and element.parent.parent):
        if not isinstance(node, Element):
            continue
        said = node.attrs.get("data-lang") or node.attrs.get("data-language") or ""
        found = _LANGUAGE.search(node.attrs.get("class", ""))
        language = said or (found[1] if found else "") or _named_language(node)
        if language and re.fullmatch(r"[\w+#.-]+", language):
            return "" if language in ("none", "default", "plaintext", "text") else language
    return ""


def _named_language(element: Element) -> str:
    if element.name not in ("pre", "code"):
        return ""
    classes = element.attrs.get("class", "").lower().split()
    return next((name for name in classes if name in _LANGUAGES), "")
