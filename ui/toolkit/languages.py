"""The languages of the program.

A language is an entry here and a file in `assets/locales`; lessons that have no file in its folder of `assets/lessons`
are in English, as are missing texts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def _one_or_other(count: int) -> str:
    return "one" if count == 1 else "other"


def _slavic(count: int) -> str:
    """As in CLDR, whose ``many`` is our ``other``: 1 and 21, 2 to 4 and 22, 5 to 20."""
    if count % 10 == 1 and count % 100 != 11:
        return "one"
    return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "other"


@dataclass(frozen=True, slots=True)
class Language:
    """`name` is its own. `script` (ISO 15924) chooses the forms of characters in the fonts, empty for those of the
    text. `plural` returns the form that a number takes, one of `forms`. With `spaced`, a space stands between wide
    characters and a Latin value. `cases` are those in which its texts need words. `thousands` stands between the digits
    of large numbers."""

    name: str
    script: str
    plural: Callable[[int], str] = _one_or_other
    forms: tuple[str, ...] = ("one", "other")
    spaced: bool = False
    cases: tuple[str, ...] = ()
    thousands: str = ","


LANGUAGES = {
    "en": Language("English", "Latn"),  # otherwise punctuation is Chinese, with full stops above the line
    "zh": Language("简体中文", "", spaced=True),
    "ja": Language("日本語", "Kana"),
    "ru": Language(
        "Русский", "Cyrl", _slavic, ("one", "few", "other"), cases=("nom", "gen", "dat", "acc"), thousands="\u00a0"
    ),
}
DEFAULT = "en"
