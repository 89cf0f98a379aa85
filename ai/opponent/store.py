"""The models that are there: those of levels, of which `ai.lab.fit_levels` makes some, and that of the person."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path

from ai.opponent.fitting import Tally, fit
from ai.opponent.level_model import LevelModel
from ai.opponent.model import Opponent, OpponentModel
from ai.registry import opponents
from games.fields import DecodeError, checked, decode, list_of, mapping_of, nested, one_of, parsed, whole
from games.registry import GAMES
from games.shipped import shipped
from games.storage import cache_home, read_regular

LEVELS = Path(__file__).with_name("levels.json")

_log = logging.getLogger(__name__)

_VERSION = 1
_MOST_BYTES = 64 << 20
_MOST = 10**5


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game of the person that was looked at: the `stamp` of its file then, and what it told."""

    game: str = checked(one_of(*GAMES))
    stamp: list[int] = checked(list_of(whole(-(2**63), 2**63 - 1), 2))
    tally: Tally = checked(nested(Tally))


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    format: str = checked(one_of("tengen-habits"))
    version: int = checked(whole(_VERSION, _VERSION))
    games: dict[str, Game] = checked(mapping_of(nested(Game), _MOST))


def path() -> Path:
    """Return the file of what games of the person told; it can be made again."""
    return cache_home() / "habits.json"


def read() -> dict[str, Game]:
    """Return what is known of the person's games, by file; nothing if their file is missing, damaged or of another
    version."""
    try:
        facts = path().stat()
    except OSError:
        return {}
    return dict(_contents(path(), facts.st_mtime_ns, facts.st_size))


@lru_cache(maxsize=1)
def _contents(file: Path, _changed: int, _bytes: int) -> dict[str, Game]:
    try:
        return decode(_File, parsed(read_regular(file, _MOST_BYTES)), "the file of habits").games
    except (OSError, DecodeError) as error:
        _log.warning("What was learned of the person is learned again: %s", error)
        return {}


def encoded(games: dict[str, Game]) -> bytes:
    """Encode `games` for `read`."""
    entries = {name: asdict(each) for name, each in games.items()}
    return json.dumps({"format": "tengen-habits", "version": _VERSION, "games": entries}).encode()


def of_person(game: str) -> OpponentModel:
    """Return the model of the person: the prior until games were learned from."""
    return fit(game, sum((each.tally for each in read().values() if each.game == game), Tally())).model


@cache
def fitted_levels() -> dict[str, dict[int, OpponentModel]]:
    """Return the models that were fitted to levels, by game and number."""
    models = shipped(LEVELS, nested(_Levels), _Levels({})).games
    return {
        game: {int(number): each for number, each in known.items() if number.isdecimal()}
        for game, known in models.items()
    }


@dataclass(frozen=True, slots=True)
class _Levels:
    """The models by game, and by the number of the level as text."""

    games: dict[str, dict[str, OpponentModel]] = checked(mapping_of(mapping_of(nested(OpponentModel), 100), 1000))


@cache
def of_level(game: str, number: int) -> Opponent:
    """Return what is known of a level: itself, or the model fitted to it if the gomoku engine plays it; the prior where
    there is neither."""
    known = opponents(game).levels[number - 1 : number]
    if known and not known[0].engine:
        return LevelModel(known[0])
    return fitted_levels().get(game, {}).get(number) or fit(game, Tally()).model
