"""Where a text may be cut between grapheme clusters (UAX #29, revision 47, rules GB3 to GB13).

The answer errs on the side of not cutting: a few places that the rules would allow are refused.
"""

from typing import Final

from mypy_extensions import i64

from spanwise.kernel.chars import CR, LF
from spanwise.kernel.sentence_tables import EXTEND
from spanwise.kernel.sentences import sentence_class

_JOINER: Final = 0x200D
_FIRST_MODIFIER: Final = 0x1F3FB
_LAST_MODIFIER: Final = 0x1F3FF
_FIRST_INDICATOR: Final = 0x1F1E6
_LAST_INDICATOR: Final = 0x1F1FF

# Indic_Conjunct_Break=Linker, after which a consonant belongs to the same cluster (GB9c).
_LINKERS: Final = frozenset(
    [0x94D, 0x9CD, 0xACD, 0xB4D, 0xC4D, 0xD4D, 0x1039, 0x17D2, 0x1A60, 0x1B44, 0x1BAB, 0xA9C0]
    + [0xAAF6, 0x10A3F, 0x11133, 0x113D0, 0x1193E, 0x11A47, 0x11A99, 0x11F42]
)
# Grapheme_Cluster_Break=Prepend (GB9b), as first and last of each range.
_PREPENDS: Final = (
    (0x600, 0x605), (0x6DD, 0x6DD), (0x70F, 0x70F), (0x890, 0x891), (0x8E2, 0x8E2),
    (0xD4E, 0xD4E), (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x111C2, 0x111C3),
    (0x113D1, 0x113D1), (0x1193F, 0x1193F), (0x11941, 0x11941), (0x11A3A, 0x11A3A),
    (0x11A84, 0x11A89), (0x11D46, 0x11D46), (0x11F02, 0x11F02),
)  # fmt: skip


def last_cut(text: str, lowest: i64, highest: i64) -> i64:
    """The last position of `[lowest, highest]` at which no grapheme cluster is cut.

    `highest` when every position cuts one: the cluster is longer than there is room for.
    """
    i = highest
    while i >= lowest:
        if not inside_cluster(text, i):
            return i
        i -= 1
    return highest


def inside_cluster(text: str, i: i64) -> bool:
    """Whether the characters before and after `i` may belong to one cluster."""
    if i <= 0 or i >= len(text):
        return False
    before: i64 = ord(text[i - 1])
    after: i64 = ord(text[i])
    if before < 0x300 and after < 0x300:
        return before == CR and after == LF
    if sentence_class(after) == EXTEND or after == _JOINER or before == _JOINER:
        return True
    if before in _LINKERS or _FIRST_MODIFIER <= after <= _LAST_MODIFIER:
        return True
    if _is_indicator(before) and _is_indicator(after):
        return _odd_indicators(text, i)
    return _joins_hangul(before, after) or _is_prepend(before)


def _is_indicator(code: i64) -> bool:
    return _FIRST_INDICATOR <= code <= _LAST_INDICATOR


def _odd_indicators(text: str, i: i64) -> bool:
    """Whether an odd number of regional indicators ends at `i`: then a flag would be cut (GB12)."""
    first = i
    while first > 0 and _is_indicator(ord(text[first - 1])):
        first -= 1
    return (i - first) % 2 == 1


def _joins_hangul(before: i64, after: i64) -> bool:
    """Hangul syllables from their parts (GB6 to GB8)."""
    leading = 0x1100 <= before <= 0x115F or 0xA960 <= before <= 0xA97C
    vowel = 0x1160 <= after <= 0x11A7 or 0xD7B0 <= after <= 0xD7C6
    trailing = 0x11A8 <= after <= 0x11FF or 0xD7CB <= after <= 0xD7FB
    syllable = 0xAC00 <= before <= 0xD7A3
    if leading:
        more = 0x1100 <= after <= 0x115F or 0xA960 <= after <= 0xA97C
        return vowel or more or 0xAC00 <= after <= 0xD7A3
    part = 0x1160 <= before <= 0x11FF or 0xD7B0 <= before <= 0xD7FB
    return (syllable or part) and (vowel or trailing)


def _is_prepend(code: i64) -> bool:
    if code < 0x600:
        return False
    return any(first <= code <= last for first, last in _PREPENDS)
