"""Formulas of Office files (OMML) in one line: `a/b`, `x^2`, `√(x)`."""

from spanwise.formats.xml import Element


def formula(element: Element) -> str:
    """A formula in one line."""
    name = element.name
    if name == "m:t":
        return element.text
    if name == "w:t":
        return element.text
    if name.endswith("Pr"):
        return ""
    texts = [(child.name, formula(child)) for child in element.children]
    parts = dict(texts)
    if name == "m:f":
        kind = element.find("m:fPr", "m:type")
        bar = "¦" if kind is not None and kind.get("m:val") == "noBar" else "/"
        return f"{_grouped(parts.get('m:num', ''))}{bar}{_grouped(parts.get('m:den', ''))}"
    if name in ("m:sSup", "m:sSub", "m:sSubSup", "m:nary"):
        base = parts.get("m:e", "")
        if name != "m:nary" and element.find("m:e", "m:f") is not None:
            base = f"({base})"
        low = parts.get("m:sub", "")
        high = parts.get("m:sup", "")
        marks = (f"_{_grouped(low)}" if low else "") + (f"^{_grouped(high)}" if high else "")
        if name == "m:nary":
            sign = element.find("m:naryPr", "m:chr")
            return (sign.get("m:val") if sign is not None else "∫") + marks + " " + base
        return base + marks
    if name == "m:rad":
        return f"{parts.get('m:deg', '')}√{_grouped(parts.get('m:e', ''))}"
    if name == "m:d":
        opening = element.find("m:dPr", "m:begChr")
        closing = element.find("m:dPr", "m:endChr")
        inside = ", ".join(text for child, text in texts if child == "m:e")
        left = opening.get("m:val") if opening is not None else "("
        right = closing.get("m:val") if closing is not None else ")"
        return left + inside + right
    if name == "m:func":
        said, of = parts.get("m:fName", ""), parts.get("m:e", "")
        return f"{said} {of}" if said[-1:].isalpha() and of[:1].isalnum() else said + of
    if name in ("m:limLow", "m:limUpp"):
        mark = "_" if name == "m:limLow" else "^"
        return f"{parts.get('m:e', '')}{mark}{_grouped(parts.get('m:lim', ''))}"
    between = " " if name in ("m:mr", "m:m", "m:eqArr", "m:oMathPara") else ""
    return between.join(text for _, text in texts if text)


def _grouped(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() else f"({text})"
