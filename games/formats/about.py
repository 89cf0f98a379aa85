"""`About` in files: as the game-info properties of SGF, and as an object of JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sgfmill import sgf_grammar

from games.about import LONGEST_LINE, LONGEST_NOTE, About
from games.fields import checked, pair, text
from games.record import GameRecord

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


_line = text(LONGEST_LINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutEntry:
    """`About` in a native file."""

    title: str = checked(_line, "")
    event: str = checked(_line, "")
    place: str = checked(_line, "")
    round: str = checked(_line, "")
    ranks: tuple[str, str] = checked(pair(_line), ("", ""))
    teams: tuple[str, str] = checked(pair(_line), ("", ""))
    annotator: str = checked(_line, "")
    source: str = checked(_line, "")
    author: str = checked(_line, "")
    copyright: str = checked(_line, "")
    note: str = checked(text(LONGEST_NOTE), "")


def said_in(entry: AboutEntry | None) -> About:
    return About() if entry is None else About(**asdict(entry))


def about_entry(about: About) -> dict[str, Any]:
    """Return what `AboutEntry` decodes, without what is empty."""
    pairs = {"ranks": list(about.ranks) * any(about.ranks), "teams": list(about.teams) * any(about.teams)}
    return {name: value for name, value in (asdict(about) | pairs).items() if value}


def take_about(record: GameRecord) -> None:
    """Move what files from before 0.9.0 have among the SGF properties of the first node to `GameRecord.about`."""
    extra = record.root.extra
    if old := {name: extra[name] for name in PROPERTIES & extra.keys()}:
        record.about = about_of(old)[0] if record.about == About() else record.about
        record.root.extra = {name: values for name, values in extra.items() if name not in old}
