"""The namespaces of OpenDocument, and the prefixes they have here."""

from typing import Final

_OASIS: Final = "urn:oasis:names:tc:opendocument:xmlns:"
SPACES: Final = {
    f"{_OASIS}office:1.0": "office",
    f"{_OASIS}text:1.0": "text",
    f"{_OASIS}table:1.0": "table",
    f"{_OASIS}style:1.0": "style",
    f"{_OASIS}drawing:1.0": "draw",
    f"{_OASIS}manifest:1.0": "manifest",
    "http://www.w3.org/1998/Math/MathML": "math",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "http://purl.org/dc/elements/1.1/": "dc",
}
