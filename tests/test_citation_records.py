"""Citation records of the same work: derived duplicates are found, and nothing else is."""

import copy
import html
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.catalogue import execute
from spanwise.citations import dedupe_records, folded_words, record_key
from spanwise.errors import LimitExceeded
from tests.shared_data import DATA, needs_data, read_lines
from tests.test_growth import check_growth

Record = dict[str, Any]
TRANSLITERATED = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "é": "e", "ß": "ss"}


def records() -> list[Record]:
    return [one["record"] for one in read_lines(DATA / "csl" / "records.jsonl")]


def doi_as_link(record: Record) -> None:
    if "DOI" in record:
        record["DOI"] = "https://doi.org/" + record["DOI"].upper()


def doi_labelled(record: Record) -> None:
    if "DOI" in record:
        record["DOI"] = f" doi:{html.escape(record['DOI'])}. "


def doi_as_url(record: Record) -> None:
    if "DOI" in record:
        record["URL"] = "http://dx.doi.org/" + record.pop("DOI").replace("<", "%3C")


def upper_case(record: Record) -> None:
    if "<" not in record.get("title", "") and "&" not in record.get("title", ""):
        record["title"] = record.get("title", "").upper()


def html_in_title(record: Record) -> None:
    record["title"] = "<i>" + record.get("title", "").replace(" ", "</i> <b>", 1) + "</b>."


def initials(record: Record) -> None:
    for author in record.get("author", []):
        if "given" in author:
            author["given"] = author["given"][:1] + "."


def transliterated(record: Record) -> None:
    for author in record.get("author", []):
        for name in author:
            for letter, other in TRANSLITERATED.items():
                if isinstance(author[name], str):
                    author[name] = author[name].replace(letter, other)


def other_fields(record: Record) -> None:
    record["id"] = "other"
    record.pop("page", None)
    record["issued"] = {"raw": "".join(map(str, record_year(record)))}


def record_year(record: Record) -> list[Any]:
    parts = record.get("issued", {}).get("date-parts", [[]])
    return list(parts[0][:1])


CHANGES: list[Callable[[Record], None]] = [
    doi_as_link,
    doi_labelled,
    doi_as_url,
    upper_case,
    html_in_title,
    initials,
    transliterated,
    other_fields,
]


@needs_data
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_derived_duplicates_join_their_originals(change: Callable[[Record], None]) -> None:
    plain = records()
    changed = copy.deepcopy(plain)
    for record in changed:
        change(record)
    before = dedupe_records(plain)
    after = dedupe_records(plain + changed)
    count = len(plain)
    joined = [
        {"members": group["members"] + [at + count for at in group["members"]]}
        for group in before
        if group["key_kind"] != "none"
    ]
    found = [{"members": group["members"]} for group in after if group["key_kind"] != "none"]
    assert found == joined


@needs_data
def test_real_records() -> None:
    """664 records; 7 DOIs are used more than once, as the data says."""
    result = execute("citation-record-dedupe", "1.0.0", {"records": records()})
    assert result["record_count"] == 664
    repeated = [group for group in result["groups"] if len(group["members"]) > 1]
    assert sum(group["key_kind"] == "doi" for group in repeated) == 7
    kinds = [group["key_kind"] for group in result["groups"] for _ in group["members"]]
    assert kinds.count("doi") >= 440


fields = st.dictionaries(
    st.sampled_from(["id", "DOI", "URL", "title", "issued", "author"]),
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5) | st.just("10.1000/1"),
        lambda inner: (
            st.lists(inner, max_size=2)
            | st.dictionaries(
                st.sampled_from(["family", "literal", "given", "raw", "date-parts"]),
                inner,
                max_size=2,
            )
        ),
        max_leaves=4,
    ),
)


@given(st.lists(fields, max_size=6))
def test_groups_partition_whatever_the_records_hold(given_records: list[Record]) -> None:
    groups = dedupe_records(given_records)
    members = [index for group in groups for index in group["members"]]
    assert sorted(members) == list(range(len(given_records)))
    firsts = [group["members"][0] for group in groups]
    assert firsts == sorted(firsts)
    for group in groups:
        assert group["members"] == sorted(group["members"])
        keys = {record_key(given_records[index]) for index in group["members"]}
        assert keys == {(group["key_kind"], group["key"] or "")}
        assert len(group["members"]) == 1 or group["key_kind"] != "none"
    json.dumps(groups)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ('L\\"{u}beck', "lubeck"),
        ('L{\\"u}beck', "lubeck"),
        ("Fran\\c{c}ois", "francois"),
        ("Stra{\\ss}e", "strasse"),
        ("\\O{}rsted", "orsted"),
        ("$\\alpha$-helix", "helix"),
        ("a < b", "ab"),
        ("H<sub>2</sub>O", "h2o"),
        ("&lt;i&gt;x&lt;/i&gt;", "x"),
        ("ﬁnd ４", "find4"),
        ("Łódź", "lodz"),
        ("北京大学", "北京大学"),
        ("O’Neil O'Neil", "oneiloneil"),
        ("", ""),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert folded_words(text) == folded


def test_articles_go_at_the_start_only() -> None:
    assert folded_words("The the end of a", articles=True) == "theendofa"
    assert folded_words("L'amour", articles=True) == "amour"
    assert folded_words("The", articles=True) == "the"


@pytest.mark.parametrize(
    ("limit", "given_records"),
    [
        ("max_records", [{}] * 8193),
        ("max_input_bytes", [{"title": "a" * 4_194_300}]),
    ],
)
def test_limits_are_named(limit: str, given_records: list[Record]) -> None:
    with pytest.raises(LimitExceeded) as caught:
        execute("citation-record-dedupe", "1.0.0", {"records": given_records})
    assert caught.value.details["limit"] == limit


@pytest.mark.parametrize("unit", ["<a ", "<a>", "&", "&amp;", "\\'", "\\c ", "{", "ae", "e\u0301"])
def test_folding_takes_linear_time(unit: str) -> None:
    check_growth(folded_words, lambda size: unit * int(size * 1000 / len(unit)))
