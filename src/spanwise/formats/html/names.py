"""Which elements the tree construction treats how (HTML standard, 13.2.4 and 13.2.6)."""

from typing import Final

SPECIAL: Final = frozenset(
    "address applet area article aside base basefont bgsound blockquote body br button caption "
    "center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form "
    "frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link "
    "listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre "
    "script search section select source style summary table tbody td template textarea tfoot th "
    "thead title tr track ul wbr xmp".split()
)
MATHML_TEXT: Final = frozenset("mi mo mn ms mtext".split())
MATHML_SPECIAL: Final = MATHML_TEXT | {"annotation-xml"}
SVG_SPECIAL: Final = frozenset(("foreignObject", "desc", "title"))

SCOPE: Final = frozenset("applet caption html table td th marquee object select template".split())
LIST_SCOPE: Final = SCOPE | {"ol", "ul"}
BUTTON_SCOPE: Final = SCOPE | {"button"}
TABLE_SCOPE: Final = frozenset(("html", "table", "template"))

HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6".split())
FORMATTING: Final = frozenset("a b big code em font i nobr s small strike strong tt u".split())
IMPLIED_END: Final = frozenset("dd dt li optgroup option p rb rp rt rtc".split())
THOROUGHLY_IMPLIED_END: Final = IMPLIED_END | frozenset(
    "caption colgroup tbody td tfoot th thead tr".split()
)
IN_HEAD: Final = frozenset(
    "base basefont bgsound link meta noframes script style template title".split()
)
CLOSES_P: Final = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure "
    "footer header hgroup main menu nav ol p search section summary ul".split()
)
"""Start tags that close a paragraph and need nothing else."""
ENDS_BLOCK: Final = (CLOSES_P - {"p"}) | {"button", "listing", "pre", "select"}
"""End tags of plain blocks."""
ROWS: Final = frozenset(("tbody", "tfoot", "thead"))
TABLE_PARTS: Final = frozenset("caption col colgroup tbody td tfoot th thead tr".split())
BREAKS_OUT: Final = frozenset(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li "
    "listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul "
    "var".split()
)
"""HTML start tags that end SVG or MathML."""

SVG_NAMES: Final = {
    name.lower(): name
    for name in (
        "altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath "
        "feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting "
        "feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR "
        "feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight "
        "feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient "
        "radialGradient textPath"
    ).split()
}
SVG_ATTRIBUTES: Final = {
    name.lower(): name
    for name in (
        "attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits "
        "diffuseConstant edgeMode filterUnits glyphRef gradientTransform gradientUnits "
        "kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust "
        "limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits "
        "numOctaves pathLength patternContentUnits patternTransform patternUnits pointsAtX "
        "pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY "
        "repeatCount repeatDur requiredExtensions requiredFeatures specularConstant "
        "specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale "
        "systemLanguage tableValues targetX targetY textLength viewBox viewTarget "
        "xChannelSelector yChannelSelector zoomAndPan"
    ).split()
}
FOREIGN_ATTRIBUTES: Final = {
    name: name.replace(":", " ")
    for name in (
        "xlink:actuate xlink:arcrole xlink:href xlink:role xlink:show xlink:title xlink:type "
        "xml:lang xml:space xmlns:xlink"
    ).split()
}
"""Attributes with a namespace, written with a blank after its prefix."""

_QUIRKY: Final = (
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
)
_QUIRKY_WHOLE: Final = (
    "-//w3o//dtd w3 html strict 3.0//en//",
    "-/w3c/dtd html 4.0 transitional/en",
    "html",
)
_HTML_401: Final = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")


def is_quirky(name: str, public: str | None, system: str | None) -> bool:
    """Whether a document type makes a document one in quirks mode: a table may be in a `p`."""
    said = (public or "").lower()
    return (
        name != "html"
        or said in _QUIRKY_WHOLE
        or said.startswith(_QUIRKY)
        or (system or "").lower() == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
        or (system is None and said.startswith(_HTML_401))
    )
