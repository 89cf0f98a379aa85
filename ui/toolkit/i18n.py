"""The texts of the program in the chosen language.

Texts are in assets/locales/<code>.json, flat: key -> text with `{name}` placeholders. A key that depends on a number
has the forms of its language, such as `key.one` and `key.other`, chosen by the value `count`; `key.1` is for just one
where the form for 1 is also that for 21. What a language lacks is in English.

In a language that inflects, a text says in which case it needs a value: `{side:gen}`. The forms of a word are in
`key.cases` beside its text, in the order of the language's `cases`, between bars; the last part is 1 or 2, and chooses
of two words that agree with it: `{side} {side:plays|play}`. A word without forms stays as it is, and takes the first.

Join sentences with `joined`, never with a space: Chinese and Japanese have none. `t` puts the space between Chinese
characters and a Latin value.

A language is an entry of `LANGUAGES` and a file in `assets/locales`; lessons that have no file in its folder of
`assets/lessons` are in English, as are missing texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import cache, reduce
from numbers import Integral

import pygame

from games.fields import one_line
from ui.toolkit.resources import resource


def _english_plural(count: int) -> str:
    """The plural form in English: ``one`` for 1, ``other`` for the rest."""
    return "one" if count == 1 else "other"


def _russian_plural(count: int) -> str:
    """The plural form in Russian, with the names of CLDR: ``one`` for 1, 21 …, ``few`` for 2 to 4, 22 to 24 …, and
    ``other`` for the rest, which CLDR calls ``many``."""
    if count % 10 == 1 and count % 100 != 11:
        return "one"
    return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "other"


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the program; `name` is what it calls itself. `script` (ISO 15924) chooses the forms of characters
    in the fonts; if empty, the text itself does. `plural` returns the form for a number, one of `forms`. With `spaced`,
    a space is put between Chinese characters and a Latin value. `cases` are the grammatical cases that its texts ask
    for. `thousands` is the separator in large numbers, `quotes` are the two quotation marks."""

    name: str
    script: str
    plural: Callable[[int], str] = _english_plural
    forms: tuple[str, ...] = ("one", "other")
    spaced: bool = False
    cases: tuple[str, ...] = ()
    thousands: str = ","
    quotes: str = "“”"


LANGUAGES = {
    "en": Language("English", "Latn"),  # otherwise punctuation is Chinese, with full stops above the line
    "zh": Language("简体中文", "", spaced=True),
    "ja": Language("日本語", "Kana", quotes="「」"),
    "ru": Language(
        "Русский", "Cyrl", _russian_plural, ("one", "few", "other"), cases=("nom", "gen", "dat", "acc"),
        thousands="\u00a0", quotes="«»",
    ),
}
DEFAULT = "en"


_BORDER = "\x1f"
_HAN = "[\u4e00-\u9fff]"
_BESIDE = re.compile(f"(?<={_HAN})(?={{)|(?<=}})(?={_HAN})")
_SPACED = re.compile(f"(?<=[A-Za-z0-9]){_BORDER}(?={_HAN})|(?<={_HAN}){_BORDER}(?=[A-Za-z0-9])")
"""Where a value in Latin letters stands beside Chinese ones, there is a space: ``MAX 选``, but ``叉方选``."""

_state = {"language": DEFAULT}
_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)


@cache
def texts(code: str) -> dict[str, str]:
    """Return the texts of a language by key; the file is read once."""
    loaded: dict[str, str] = json.loads(resource("locales", f"{code}.json").read_text(encoding="utf-8"))
    return loaded


def language() -> str:
    """Return the code of the current language: that of the `speaking` block, else that of the window."""
    return _spoken.get() or _state["language"]


def set_language(code: str) -> None:
    """Set the language of the window, which `t` uses. Raise `ValueError` for an unknown one."""
    if code not in LANGUAGES:
        raise ValueError(f"There is no language “{code}”; there are {', '.join(LANGUAGES)}.")
    _state["language"] = code


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Within the block, and on this thread only, let `t` use the language `code`."""
    token = _spoken.set(code)
    try:
        yield
    finally:
        _spoken.reset(token)


def t(key: str, **values: object) -> str:
    """Return the text of `key` in the current language. `values` fill its placeholders, with line breaks removed;
    `count` chooses the plural form. Raise `KeyError` for an unknown key or a missing value."""
    text = _find_text((key,), values.get("count"))
    if text is None:
        raise KeyError(key)
    return _fill(text, values)


def _find_text(keys: Iterable[str], count: object) -> str | None:
    """Return the text of the first of `keys` that the language has, in the plural form for `count`, None for no form.
    Else look in English; return None if English has none, either."""
    for code in dict.fromkeys((language(), DEFAULT)):
        table = texts(code)
        for key in keys:
            if key in table:
                return table[key]
            if count is not None:
                form = LANGUAGES[code].plural(int(count)) if isinstance(count, Integral) else "other"
                for name in (f"{key}.{count}", f"{key}.{form}"):
                    if name in table:
                        return table[name]
    return None


def _fill(text: str, values: Mapping[str, object]) -> str:
    """Fill the placeholders of a text with values, in the current language."""
    if not values:
        return text.format()
    lines = {name: _for_format(value) for name, value in values.items()}
    if not LANGUAGES[language()].spaced:
        return text.format(**lines)
    return _SPACED.sub(" ", _mark_borders(text).format(**lines)).replace(_BORDER, "")


def _for_format(value: object) -> object:
    """Convert a value for formatting in the current language: text on one line, numbers with its separators."""
    if isinstance(value, str):
        return _Word(one_line(value)) if LANGUAGES[language()].cases else one_line(value)
    return _Number(value) if isinstance(value, Integral) else value


def grouped(number: str) -> str:
    """Return a number whose digits are grouped by commas with the separator of the language in their place."""
    return number.replace(",", LANGUAGES[language()].thousands)


def time_text(seconds: float, form: str) -> str:
    """Return the local time of `seconds` since 1970 in a form of `strftime`; empty if that is in no year of the
    calendar, since the time of a file may be any number."""
    try:
        return datetime.fromtimestamp(seconds).strftime(form)
    except (ValueError, OverflowError, OSError):
        return ""


class _Number(int):
    """An integer for formatting: `{count:,}` groups its digits as the current language does."""

    def __format__(self, spec: str) -> str:
        """Format as an integer does, with the separator of the current language between groups of digits."""
        return grouped(super().__format__(spec))


class _Word(str):
    """A text for formatting: `{side:gen}` is its form in a case, `{side:plays|play}` the word that agrees with it."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        """Return the text itself, its form in the case that `spec` names, or the one of several words in `spec` that
        agrees with it. A word without forms is returned as it is."""
        if not spec:
            return str(self)
        *forms, number = _word_forms(language()).get(self, "1").split("|")
        if "|" in spec:
            return spec.split("|")[int(number) - 1]
        return forms[LANGUAGES[language()].cases.index(spec)] if forms else str(self)


@cache
def _word_forms(code: str) -> dict[str, str]:
    """Return the forms of words in a language, by the word."""
    table = texts(code)
    return {table[key.removesuffix(".cases")]: forms for key, forms in table.items() if key.endswith(".cases")}


@cache
def _mark_borders(text: str) -> str:
    """Return a text with a mark between each Chinese character and a placeholder beside it."""
    return _BESIDE.sub(_BORDER, text)


def joined(sentences: Iterable[str]) -> str:
    """Return sentences as one text, separated as the language separates sentences; leave out empty ones."""
    known = [each for each in sentences if each]
    return reduce(lambda first, second: t("sentence.after", first=first, second=second), known) if known else ""


def first_text(*keys: str, default: str = "", **values: object) -> str:
    """Return the text of the first of `keys` that exists, as `t` does, else `default`: not every game has all texts."""
    found = _find_text(keys, values.get("count"))
    return default if found is None else _fill(found, values)


def system_language() -> str:
    """Return the first of the user's preferred languages in the system that we have, else English."""
    for preferred in pygame.system.get_pref_locales():
        if preferred["language"] in LANGUAGES:
            return preferred["language"]
    return DEFAULT
