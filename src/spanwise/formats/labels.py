"""Words before the number of a heading, as in `Chapter 3`, in the languages that are known here."""

from typing import Final

WORDS: Final = {
    "chapter": (
        "chapter|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|rozdział|kapitola|luku|глава|"
        "розділ|fejezet|bölüm"
    ),
    "part": "part|teil|partie|parte|deel|część|část|часть|частина",
    "appendix": (
        "appendix|anhang|annexe?|ap[êé]ndice|appendice|anexo|allegato|bijlage|bilaga|dodatek|"
        "приложение|додаток"
    ),
    "section": "section|abschnitt|sección|sezione|раздел",
    "article": "article|artikel|artículo|articolo|статья",
}
"""Words before a number, by the kind of heading they are of."""
LABEL_WORDS: Final = "|".join(WORDS.values())
"""All of them, for a regular expression."""
