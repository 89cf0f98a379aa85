"""The settings. They are saved whenever they change; damaged ones never prevent a start."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ai.players.table import offered_players
from ai.system.threads import processors
from games.clock import DIVISORS, TimeControl
from games.fields import (
    DecodeError,
    checked,
    clamped,
    dropped,
    entries,
    every_good,
    file_name,
    flag,
    name_of,
    number,
    one_of,
    pair,
    parsed,
    text,
    whole,
    with_valid,
)
from games.record import PERSON
from games.registry import GAMES
from games.storage import config_home, read_regular, replace_damaged, set_aside
from ui.toolkit.i18n import LANGUAGES

_RECENT = 12
_WIDEST = 16_384  # pixels of a window: the limit of SDL
_FARTHEST = 100_000  # pixels from a display's corner

DEFAULT_SECONDS = 2.0
"""Thinking time of a computer whose seat does not say."""

MOST_BYTES = 1 << 20
"""Larger settings are damaged."""

MEMORY_MB = (16, 32, 64, 128, 256, 512, 1024)
"""Megabytes that an engine may be given."""

LONGEST_ADDRESS = 200
"""Characters of the address of a cluster."""

LONGEST_NAME = 24
"""Characters of a player's name."""

LONGEST_NAMES = 400
"""Characters of all names that a person claims."""


def clean_name(text: str) -> str:
    """Return `text` without characters that cannot be drawn, and no longer than a player's name may be."""
    return name_of(text)[:LONGEST_NAME].strip()


def split_names(text: str) -> list[str]:
    """Return the names in a list with commas or semicolons, Chinese ones too, each once. Ignore what exceeds
    `LONGEST_NAMES`."""
    letters = "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST_NAMES])
    return list(dict.fromkeys(name for each in _BETWEEN.split(letters) if (name := each.strip())))


_BETWEEN = re.compile("[,;\uff0c\uff1b\u3001]")


def _valid_clock(value: object) -> str:
    """Return the valid text of a time control; empty stays empty. Raise `DecodeError` for anything else."""
    known = text(200)(value)
    try:
        return str(TimeControl.parse(known)) if known else ""
    except ValueError as error:
        raise DecodeError("must be a time control") from error


@dataclass(frozen=True)
class NewGame:
    """A set-up of the new-game screen: `players` and `seconds` per side, first side first.

    `clock` is the time control as text, empty for none, and `divisors` divide its times for each side, first side
    first. A `teaching` game warns of bad moves. `opening` is how the game begins, see `ui.setup.state.starts`; empty
    for an empty board.
    """

    size: int = checked(whole(1, 1000))
    rule: str = checked(text(200))
    players: tuple[str, str] = checked(pair(text(200)))
    seconds: tuple[float, float] = checked(pair(number(0.01, 3600)), (2.0, 2.0))
    clock: str = checked(_valid_clock, "")
    teaching: bool = checked(flag, False)
    opening: str = checked(text(20), "")
    divisors: tuple[int, int] = checked(pair(one_of(1, *DIVISORS)), (1, 1))

    @property
    def control(self) -> TimeControl | None:
        """The time control, or None for an untimed game."""
        return TimeControl.parse(self.clock) if self.clock else None


def default_new_game(game: str) -> NewGame:
    """Return the set-up for a newcomer: default size, first rule; the person moves first, against the first player that
    is offered."""
    return NewGame(GAMES[game].size, GAMES[game].rules[0], (PERSON, offered_players(game)[0]))


def _valid_new_games(value: object) -> dict[str, NewGame]:
    """Return the valid set-ups by game. Drop unknown games; replace unknown sizes and rules by the defaults."""
    games = {}
    for game, entry in entries(value).items():
        if game in GAMES and isinstance(entry, dict):
            known, default = GAMES[game], default_new_game(game)
            new = with_valid(default, entry)
            size = new.size if new.size in known.sizes else default.size
            games[game] = replace(new, size=size, rule=new.rule if new.rule in known.rules else default.rule)
    return games


def _valid_player_name(value: object) -> str:
    """Return a player's name as `clean_name` shortens it. Raise `DecodeError` if `value` is not text."""
    if not isinstance(value, str):
        raise DecodeError("must be text")
    return clean_name(value)


def _valid_motion(value: object) -> str:
    """Return ``on``, ``off``, or empty to follow the system. A flag of version 0.12 or before becomes empty if it is
    true, which was the default, and ``off`` if false. Raise `DecodeError` for anything else."""
    return one_of("", "on", "off")({True: "", False: "off"}[value] if isinstance(value, bool) else value)


def _valid_names(value: object) -> list[str]:
    """Return the person's names, as `split_names` does, from a list of texts; drop what is not text."""
    return split_names(",".join(every_good(text(LONGEST_NAMES))(value)))


def _valid_recent(value: object) -> list[str]:
    """Return the valid file names of a list, at most `_RECENT`."""
    return every_good(file_name)(value)[:_RECENT]


@dataclass
class Settings:
    """All settings, with their defaults. `scale` 0 follows the display; empty `language`, `theme`, `contrast` and
    `motion` follow the system.

    `left` and `top` are the place of the window, and may be negative. They hold while the displays are as `displays`
    describes them; if that is empty, the system places the window. `study_tab` is the tab of a replay, `next_moves`
    whether it marks the next moves with letters, and `analysis_lines` how many moves its analysis shows. With `expert`,
    the figures of searches are shown. `volume` is per cent; `threads` and `memory_mb` are for each gomoku engine.

    `names` are those of the person in games from elsewhere, besides `player_name`; `board_names` are those of the two
    people who shared the board last, first side first.

    `databases` are the recent ones, `database` the one in use; empty is that of the saved games.

    `cluster` is the address of a Dask scheduler, or ``local``, where a long analysis may run; empty for none.
    """

    theme: str = checked(one_of("", "ink", "paper"), "")
    contrast: str = checked(one_of("", "on", "off"), "")
    language: str = checked(one_of("", *LANGUAGES), "")
    scale: int = checked(one_of(0, *range(80, 201)), 0)
    motion: str = checked(_valid_motion, "")
    wood: str = checked(one_of("kaya", "maple", "cherry"), "kaya")
    stones: str = checked(one_of("shell", "yunzi", "plain"), "shell")
    coordinates: bool = checked(flag, True)
    next_moves: bool = checked(flag, False)
    numbers: bool = checked(flag, False)
    threats: bool = checked(flag, False)
    thinking: bool = checked(flag, True)
    expert: bool = checked(flag, False)
    sound: bool = checked(flag, True)
    volume: int = checked(clamped(0, 100), 70)
    book: bool = checked(flag, True)
    threads: int = checked(clamped(1, processors()), 1)
    memory_mb: int = checked(one_of(*MEMORY_MB), 64)
    cluster: str = checked(text(LONGEST_ADDRESS), "")
    player_name: str = checked(_valid_player_name, "")
    names: list[str] = checked(_valid_names, make=list)
    board_names: tuple[str, str] = checked(pair(_valid_player_name), ("", ""))
    width: int = checked(clamped(960, _WIDEST), 1280)
    height: int = checked(clamped(640, _WIDEST), 800)
    left: int = checked(whole(-_FARTHEST, _FARTHEST), 0)
    top: int = checked(whole(-_FARTHEST, _FARTHEST), 0)
    displays: str = checked(text(1000), "")
    full_screen: bool = checked(flag, False)
    study_tab: str = checked(text(20), "moves")
    analysis_lines: int = checked(whole(1, 10), 3)
    unfinished: str = checked(file_name, "")
    recent: list[str] = checked(_valid_recent, make=list)
    folders: list[str] = checked(_valid_recent, make=list)
    databases: list[str] = checked(_valid_recent, make=list)
    database: str = checked(file_name, "")
    new_game: dict[str, NewGame] = checked(_valid_new_games, make=dict)

    @property
    def own_names(self) -> list[str]:
        """All names of the person: `player_name`, which may be empty, and `names`."""
        return [self.player_name, *self.names]

    def remember_file(self, path: Path) -> None:
        """Put `path` first in the recent files, of which at most `_RECENT` are kept."""
        self.recent = _with_first(self.recent, path)

    def forget_file(self, path: Path) -> None:
        """Remove `path` from the recent files."""
        self.recent = [other for other in self.recent if other != str(path)]

    def remember_database(self, path: Path) -> None:
        """Put `path` first in the recent databases, and use that database."""
        self.databases, self.database = _with_first(self.databases, path), str(path)

    def remember_folder(self, path: Path) -> None:
        """Put `path` first in the recent folders."""
        self.folders = _with_first(self.folders, path)


def _with_first(recent: list[str], path: Path) -> list[str]:
    """Return `recent` with `path` first and at most `_RECENT` entries."""
    text = str(path)
    return [text, *(other for other in recent if other != text)][:_RECENT]


def settings_path() -> Path:
    """The path of the settings file."""
    return config_home() / "settings.json"


def load_settings() -> Settings:
    """Read the settings; return the defaults if there is no file, or it is no settings file at all. Replace single
    invalid values by their defaults, in the file, too.

    A file with anything invalid is kept as ``settings.damaged.json``, and reported.
    """
    path = settings_path()
    try:
        data = read_regular(path, MOST_BYTES)
        with dropped() as problems:
            settings = loads(data)
    except FileNotFoundError:
        return Settings()
    except (OSError, DecodeError):
        set_aside(path)
        return Settings()
    if problems:
        replace_damaged(path, data, dumps(settings))
    return settings


def loads(data: bytes) -> Settings:
    """Decode settings, with defaults for invalid or missing values. Raise `DecodeError` if `data` is not a JSON
    object."""
    return with_valid(Settings(), parsed(data))


def dumps(settings: Settings) -> bytes:
    """Encode the settings as JSON, for `loads`."""
    text = json.dumps(asdict(settings), indent=1, ensure_ascii=False)
    return text.encode(errors="surrogatepass")  # a file name need not be valid text
