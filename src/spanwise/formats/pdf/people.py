"""Names of people that are no headings, however they are set: who wrote a text, who signs it."""

import re
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.paragraphs import Paragraph

NEAR: Final = 4
"""Paragraphs after the words of a close that may be of who signs."""
LONGEST: Final = 80
"""Characters of the longest of them, and of the longest close."""
_CLOSE: Final = re.compile(
    r"(?:yours (?:sincerely|faithfully|truly)|sincerely(?: yours)?|regards|"
    r"(?:best|kind|warm)(?:est)? regards|respectfully(?: (?:submitted|yours))?|"
    r"very truly yours|best wishes|(?:with )?(?:gratitude|many thanks|appreciation)|thank you|"
    r"mit (?:freundlichen|besten) grüßen|hochachtungsvoll|cordialement|"
    r"veuillez agréer\b.*|(?:muy )?atentamente|saludos(?: cordiales)?|cordiali saluti|"
    r"distinti saluti|met vriendelijke groet(?:en)?|med vänlig(?:a)? hälsning(?:ar)?)[,.]?$",
    re.IGNORECASE,
)

BYLINE: Final = re.compile(
    r"(?:by|von|par|por|di|door|av|text by|photos? by) "
    r"(?-i:(?:[^\W\d_a-z][\w.'’-]*,? ?(?:(?:and|und|et|y|e|en|och|&) )?){1,8})$",
    re.IGNORECASE,
)
"""Who wrote what is below."""


def signatures(paragraphs: Sequence[Paragraph]) -> set[int]:
    """The `id` of the short paragraphs after the close of a letter."""
    found: set[int] = set()
    for at, one in enumerate(paragraphs):
        if len(one.text) > LONGEST or _CLOSE.match(one.text) is None:
            continue
        for after in paragraphs[at + 1 : at + 1 + NEAR]:
            if after.kind != "paragraph" or len(after.text) > LONGEST or after.page != one.page:
                break
            found.add(id(after))
    return found
