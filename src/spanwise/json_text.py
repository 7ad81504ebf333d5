"""JSON in text: code fences, candidates outside them, RFC 8259 checks and repairs.

Offsets count code points unless a unit is asked for. Rows are plain dictionaries.
"""

from typing import Final, Literal, TypedDict

from mypy_extensions import i64

from spanwise.errors import InvalidInput
from spanwise.kernel.blocks import scan
from spanwise.kernel.chars import BACKTICK
from spanwise.kernel.content import block_content
from spanwise.kernel.info_strings import decoded_info, info_language
from spanwise.kernel.json_candidates import FIELDS
from spanwise.kernel.json_candidates import json_candidates as find_candidates
from spanwise.kernel.json_repair import Repair, looks_like_json
from spanwise.kernel.json_syntax import VALID, fault_code, fault_offset, json_fault
from spanwise.kernel.lines import line_numbers
from spanwise.kernel.records import FENCED_CODE, NESTED, Blocks
from spanwise.spans import Unit, check_unit, size, to_unit

Select = Literal["json", "json_or_untagged", "all"]
"""Which fences are listed: by language json, jsonc or json5; also without one; every one."""

SELECTS: Final[tuple[Select, ...]] = ("json", "json_or_untagged", "all")

Kind = Literal["any", "object", "array"]
"""Which candidates are listed."""

KINDS: Final[tuple[Kind, ...]] = ("any", "object", "array")

_KIND_OF: Final[dict[str, Literal["object", "array"]]] = {"{": "object", "[": "array"}

FENCES: Final = NESTED | (1 << FENCED_CODE)
"""What `scan` is asked for."""

JSON_LANGUAGES: Final = frozenset(("json", "jsonc", "json5"))

JsonCode = Literal[
    "unexpected_end",
    "unexpected_character",
    "trailing_content",
    "invalid_escape",
    "control_character_in_string",
    "invalid_number",
    "invalid_literal",
]

CODES: Final[tuple[JsonCode, ...]] = (
    "unexpected_end",
    "unexpected_character",
    "trailing_content",
    "invalid_escape",
    "control_character_in_string",
    "invalid_number",
    "invalid_literal",
)
"""The names of the codes of `kernel.json_syntax`, in their order."""


class JsonError(TypedDict):
    """Why a text is not JSON, and the offset where the grammar cannot go on."""

    code: JsonCode
    offset: int


class JsonEdit(TypedDict):
    """One change: `[start, end)` of the input becomes `replacement`, by the rule of that name."""

    start: int
    end: int
    replacement: str
    rule: str


class RepairReason(TypedDict):
    """Why nothing was repaired, and the offset in the input where the reading was not certain."""

    code: str
    offset: int


class JsonRepair(TypedDict):
    """What became of a text: valid as it was, repaired by edits, or declined for a reason."""

    status: Literal["valid", "repaired", "declined"]
    output: str | None
    edits: list[JsonEdit]
    reason: RepairReason | None


class JsonCandidate(TypedDict):
    """An object or array that stands in a text, valid or nearly so."""

    index: int
    kind: Literal["object", "array"]
    start: int
    end: int
    start_line: int
    end_line: int
    fence: int | None
    text: str
    json_valid: bool
    json_error: JsonError | None


class JsonFence(TypedDict):
    """One fenced code block and whether its content is JSON."""

    index: int
    language: str | None
    info: str
    json_tagged: bool
    fence_char: Literal["`", "~"]
    fence_length: int
    closed: bool
    start: int
    end: int
    start_line: int
    end_line: int
    container_depth: int
    content: str
    json_valid: bool
    json_error: JsonError | None


_FENCE: Final[JsonFence] = {
    "index": 0,
    "language": None,
    "info": "",
    "json_tagged": False,
    "fence_char": "`",
    "fence_length": 3,
    "closed": True,
    "start": 0,
    "end": 0,
    "start_line": 1,
    "end_line": 1,
    "container_depth": 0,
    "content": "",
    "json_valid": True,
    "json_error": None,
}
"""A row to copy: filling the copy of a dict of full size is faster than growing a new one."""


def check_json(text: str, unit: Unit = "code_point") -> JsonError | None:
    """None when `text` is one JSON value (RFC 8259), white space around it allowed; else the error.

    Numbers and strings are checked and not converted: any size and any escape that the grammar
    allows is valid, and so is any nesting. Raises InvalidInput for an unknown unit.
    """
    check_unit(unit)
    return _json_error(text, unit)


def json_fences(
    text: str, select: Select = "json_or_untagged", unit: Unit = "code_point"
) -> list[JsonFence]:
    """The fenced code blocks of a Markdown text that `select` asks for, each checked for JSON.

    Rows are those of the tool json-fence-extract 1.0.0, without its limits; `index` counts all
    fences. Raises InvalidInput for an unknown selection or unit.
    """
    check_unit(unit)
    if select not in SELECTS:
        raise InvalidInput(f"select: {select!r} is none of {', '.join(SELECTS)}", field="select")
    return fence_rows(text, scan(text, FENCES, definitions=False), select, unit)


def fence_rows(text: str, blocks: Blocks, select: Select, unit: Unit) -> list[JsonFence]:
    """The rows of `json_fences` from the fences of `text`."""
    rows: list[JsonFence] = []
    offsets: list[int] = []
    count: i64 = len(blocks)
    block: i64 = 0
    while block < count:
        info = decoded_info(text[blocks.text_start(block) : blocks.text_end(block)])
        language = info_language(info)
        tagged = is_json_language(language)
        if tagged or select == "all" or (select == "json_or_untagged" and language is None):
            content = block_content(text, blocks, block)
            row = _FENCE.copy()
            row["index"] = block
            row["language"] = language
            row["info"] = info
            row["json_tagged"] = tagged
            if blocks.mark(block) != BACKTICK:
                row["fence_char"] = "~"
            row["fence_length"] = blocks.level(block)
            row["closed"] = blocks.closed(block)
            row["start_line"] = blocks.first_line(block)
            row["end_line"] = blocks.last_line(block)
            row["container_depth"] = blocks.depth(block)
            row["content"] = content
            error = _json_error(content, unit)
            if error is not None:
                row["json_valid"] = False
                row["json_error"] = error
            offsets.append(blocks.start(block))
            offsets.append(blocks.end(block))
            rows.append(row)
        block += 1
    offsets = to_unit(text, offsets, unit)
    at = 0
    for row in rows:
        row["start"] = offsets[at]
        row["end"] = offsets[at + 1]
        at += 2
    return rows


def is_json_language(language: str | None) -> bool:
    """Whether a fence of that language holds JSON: json, jsonc or json5 in any ASCII case."""
    if language is None or len(language) < 4 or language[0] not in "jJ":
        return False
    return language.isascii() and language.lower() in JSON_LANGUAGES


def _json_error(text: str, unit: Unit) -> JsonError | None:
    return _error_row(text, json_fault(text), unit)


def _error_row(text: str, fault: int, unit: Unit) -> JsonError | None:
    if fault == VALID:
        return None
    offset = fault_offset(fault)
    if unit != "code_point":
        offset = size(text[:offset], unit)
    return {"code": CODES[fault_code(fault)], "offset": offset}


def json_candidates(
    text: str, include_fences: bool = False, kind: Kind = "any", unit: Unit = "code_point"
) -> list[JsonCandidate]:
    """The JSON objects and arrays that stand in a Markdown text outside fenced code, in order.

    A row is an outermost value: what is inside one is not listed again. Values that do not parse
    are listed where they have a closing bracket and begin like JSON, or are cut off at the end.
    `include_fences` adds what stands inside fences; `fence` is the number of that fence, or None.
    Raises InvalidInput for an unknown kind or unit.
    """
    check_unit(unit)
    if kind not in KINDS:
        raise InvalidInput(f"kind: {kind!r} is none of {', '.join(KINDS)}", field="kind")
    return candidate_rows(text, include_fences, kind, unit)


def candidate_rows(text: str, include_fences: bool, kind: Kind, unit: Unit) -> list[JsonCandidate]:
    """The rows of `json_candidates`."""
    rows: list[JsonCandidate] = []
    offsets: list[int] = []
    for start, end, fence in _stretches(text):
        if fence is not None and not include_fences:
            continue
        found = find_candidates(text, start, end)
        for at in range(0, len(found), FIELDS):
            first = found[at]
            opening = text[first]
            if kind != "any" and kind != _KIND_OF[opening]:
                continue
            last = found[at + 1]
            value = text[first:last]
            fault = found[at + 2]
            rows.append(
                {
                    "index": len(rows),
                    "kind": _KIND_OF[opening],
                    "start": 0,
                    "end": 0,
                    "start_line": 1,
                    "end_line": 1,
                    "fence": fence,
                    "text": value,
                    "json_valid": fault == VALID,
                    "json_error": _error_row(value, fault, unit),
                }
            )
            offsets.append(first)
            offsets.append(last)
    lines = line_numbers(text, offsets)
    offsets = to_unit(text, offsets, unit)
    at = 0
    for row in rows:
        row["start"] = offsets[at]
        row["end"] = offsets[at + 1]
        row["start_line"] = lines[at]
        row["end_line"] = lines[at + 1]
        at += 2
    return rows


def _stretches(text: str) -> list[tuple[int, int, int | None]]:
    """Start, end and fence number (None: outside) of the stretches that fences cut a text into.

    A fence's stretch is what stands between its opening and closing line.
    """
    blocks = scan(text, FENCES, definitions=False)
    found: list[tuple[int, int, int | None]] = []
    position = 0
    for block in range(len(blocks)):
        start = blocks.start(block)
        end = blocks.end(block)
        found.append((position, start, None))
        first, last = _fence_content(text, blocks, block)
        found.append((first, last, block))
        position = end
    found.append((position, len(text), None))
    return found


def _fence_content(text: str, blocks: Blocks, block: int) -> tuple[int, int]:
    """Start and end of what stands between a fence's opening and closing line."""
    first = blocks.text_end(block)
    last = blocks.end(block)
    while first < last and text[first] not in "\r\n":
        first += 1
    if blocks.closed(block):
        while last > first and text[last - 1] not in "\r\n":
            last -= 1
    return first, last


def repair_json(text: str, unit: Unit = "code_point") -> JsonRepair:
    """Almost-JSON made JSON by the rules of the tool json-candidate-repair 1.0.0.

    Valid input comes back as it is. Otherwise `apply_edits(text, edits)` is `output`, which is
    valid; or nothing is changed and `reason` says what was not certain. Raises InvalidInput for an
    unknown unit.
    """
    check_unit(unit)
    if json_fault(text) == VALID:
        return {"status": "valid", "output": text, "edits": [], "reason": None}
    edits, start, end, several = _fence_edits(text)
    if several >= 0:
        return _declined(text, "several_values", several, unit)
    repair = Repair(text, start, end)
    if repair.declined():
        return _declined(text, repair.reason, repair.place, unit)
    for index, rule in enumerate(repair.rules):
        edits.append(
            {
                "start": repair.starts[index],
                "end": repair.ends[index],
                "replacement": repair.replacements[index],
                "rule": rule,
            }
        )
    edits.sort(key=_place)
    output = apply_edits(text, edits)
    fault = json_fault(output)
    if fault != VALID:
        return _declined(text, "unexpected_character", start, unit)
    offsets: list[int] = []
    for edit in edits:
        offsets.append(edit["start"])
        offsets.append(edit["end"])
    offsets = to_unit(text, offsets, unit)
    for index, edit in enumerate(edits):
        edit["start"] = offsets[2 * index]
        edit["end"] = offsets[2 * index + 1]
    return {"status": "repaired", "output": output, "edits": edits, "reason": None}


def apply_edits(text: str, edits: list[JsonEdit]) -> str:
    """`text` with each edit's span, in code points, replaced; edits ascend and do not overlap."""
    parts: list[str] = []
    position = 0
    for edit in edits:
        parts.append(text[position : edit["start"]])
        parts.append(edit["replacement"])
        position = edit["end"]
    parts.append(text[position:])
    return "".join(parts)


def _place(edit: JsonEdit) -> tuple[int, int]:
    return edit["start"], edit["end"]


def _declined(text: str, code: str, place: int, unit: Unit) -> JsonRepair:
    offset = size(text[:place], unit)
    return {
        "status": "declined",
        "output": None,
        "edits": [],
        "reason": {"code": code, "offset": offset},
    }


def _fence_edits(text: str) -> tuple[list[JsonEdit], int, int, int]:
    """The edits that leave out a fence around the value, where it stands, and a second value or -1.

    The fence is the only one that is tagged JSON or has no language; a text that begins with a
    bracket or a quotation mark has none.
    """
    whole = 0, len(text), -1
    if text.lstrip(" \t\r\n")[:1] in ("{", "[", '"', ""):
        return [], *whole
    blocks = scan(text, FENCES, definitions=False)
    tagged: list[int] = []
    untagged: list[int] = []
    for block in range(len(blocks)):
        info = decoded_info(text[blocks.text_start(block) : blocks.text_end(block)])
        language = info_language(info)
        if is_json_language(language):
            tagged.append(block)
        elif language is None:
            untagged.append(block)
    meant = tagged or untagged
    if not meant:
        return [], *whole
    if len(meant) > 1:
        return [], 0, 0, blocks.start(meant[1])
    opening = blocks.start(meant[0])
    closing = blocks.end(meant[0])
    for start, end in ((0, opening), (closing, len(text))):
        other = looks_like_json(text, start, end)
        if other >= 0:
            return [], 0, 0, other
    first, last = _fence_content(text, blocks, meant[0])
    edits: list[JsonEdit] = []
    for start, end, rule in (
        (0, opening, "text_before"),
        (opening, first, "fence"),
        (last, closing, "fence"),
        (closing, len(text), "text_after"),
    ):
        if (rule == "fence" and end > start) or text[start:end].strip(" \t\r\n"):
            edits.append({"start": start, "end": end, "replacement": "", "rule": rule})
    return edits, first, last, -1
