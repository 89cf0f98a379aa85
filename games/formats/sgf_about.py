"""`About` as the game-info properties of SGF, which also native files from before 0.9.0 have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sgfmill import sgf_grammar

from games.about import LONGEST_LINE, LONGEST_NOTE, About

_LINES = {
    "GN": "title", "EV": "event", "PC": "place", "RO": "round", "AN": "annotator", "SO": "source", "US": "author",
    "CP": "copyright",
}  # fmt: skip
_SIDES = {"BR": ("ranks", 0), "WR": ("ranks", 1), "BT": ("teams", 0), "WT": ("teams", 1)}
_NOTE = "GC"

PROPERTIES = frozenset((*_LINES, *_SIDES, _NOTE))
"""The names of the properties."""


def about_of(properties: Mapping[str, Iterable[str]]) -> tuple[About, bool]:
    """Decode the values of `properties`, which have their escapes; others than `PROPERTIES` are ignored. Return whether
    some were too long and were shortened, too."""
    given = {name: list(properties[name]) for name in PROPERTIES & properties.keys()}
    texts = {name: _text(name, values) for name, values in given.items()}
    kept = {name: text[: _longest(name)] for name, text in texts.items()}
    lines = {field: kept.get(name, "") for name, field in _LINES.items()}
    about = About(
        ranks=(kept.get("BR", ""), kept.get("WR", "")), teams=(kept.get("BT", ""), kept.get("WT", "")),
        note=kept.get(_NOTE, ""), **lines,
    )  # fmt: skip
    return about, kept != texts


def properties_of(about: About) -> dict[str, str]:
    """Return the properties of `about` that are not empty, without escapes."""
    found = {name: getattr(about, field) for name, field in _LINES.items()}
    found |= {name: getattr(about, kind)[side] for name, (kind, side) in _SIDES.items()}
    return {name: text for name, text in {**found, _NOTE: about.note}.items() if text}


def _longest(name: str) -> int:
    return LONGEST_NOTE if name == _NOTE else LONGEST_LINE


def _text(name: str, values: list[str]) -> str:
    decode = sgf_grammar.text_value if name == _NOTE else sgf_grammar.simpletext_value
    return ("\n" if name == _NOTE else " ").join(decode(value.encode()).decode() for value in values).strip()
