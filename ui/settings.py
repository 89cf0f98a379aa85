"""What the program remembers between two starts. Saved as it changes; damaged settings never stop a start."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from ai.levels import FRIENDLY
from games.clock import TimeControl
from games.record import PERSON
from games.registry import GAMES
from games.storage import config_home, read_regular, set_aside

_log = logging.getLogger(__name__)
_RECENT = 12

MOST_BYTES = 1 << 20
"""Larger settings are damaged."""

MEMORY_MB = (16, 32, 64, 128, 256, 512, 1024)
"""Megabytes that an engine may be given."""

LONGEST_NAME = 24
"""Characters of a player's name."""


def clean_name(text: str) -> str:
    """`text` as a player's name: short, and without what cannot be drawn, such as half a pair of surrogates."""
    return "".join(letter for letter in text if letter.isprintable()).strip()[:LONGEST_NAME]


def processors() -> int:
    """How many threads run at once on this machine."""
    return os.cpu_count() or 1


@dataclass(frozen=True)
class NewGame:
    """A set-up of the new-game screen: `players` and `seconds` per side, first side first.

    `clock` is the time control as text, empty for none.
    """

    size: int
    rule: str
    players: tuple[str, str]
    seconds: tuple[float, float] = (2.0, 2.0)
    clock: str = ""

    @property
    def control(self) -> TimeControl | None:
        return TimeControl.parse(self.clock) if self.clock else None


def default_new_game(game: str) -> NewGame:
    """What a newcomer is offered: to begin, against a friendly level."""
    return NewGame(GAMES[game].size, GAMES[game].rules[0], (PERSON, f"level:{FRIENDLY[game]}"))


@dataclass
class Settings:
    """All settings, with their defaults. `scale` 0 follows the display; `language` "" the system.

    `left` and `top`, which may be negative, hold while the displays are `displays`; with "" the system places the
    window. `volume` is per cent; `threads` and `memory_mb` are for each gomoku engine.
    """

    theme: str = "ink"
    language: str = ""
    scale: int = 0
    motion: bool = True
    coordinates: bool = True
    numbers: bool = False
    thinking: bool = True
    sound: bool = True
    volume: int = 70
    book: bool = True
    threads: int = 1
    memory_mb: int = 64
    player_name: str = ""
    width: int = 1280
    height: int = 800
    left: int = 0
    top: int = 0
    displays: str = ""
    full_screen: bool = False
    unfinished: str = ""
    recent: list[str] = field(default_factory=list)
    new_game: dict[str, NewGame] = field(default_factory=dict)

    def remember_file(self, path: Path) -> None:
        """Puts `path` at the head of the recent files."""
        text = str(path)
        self.recent = [text, *(other for other in self.recent if other != text)][:_RECENT]


def settings_path() -> Path:
    return config_home() / "settings.json"


def load_settings() -> tuple[Settings, bool]:
    """The settings, and whether damaged ones had to be set aside (kept as ``settings.damaged.json``)."""
    path = settings_path()
    try:
        return _decoded(json.loads(read_regular(path, MOST_BYTES))), False
    except FileNotFoundError:
        return Settings(), False
    except (OSError, ValueError, TypeError, LookupError, RecursionError) as error:
        _log.warning("settings set aside: %s", error)
        set_aside(path)
        return Settings(), True


def encoded(settings: Settings) -> bytes:
    """What `load_settings` reads."""
    text = json.dumps(asdict(settings), indent=1, ensure_ascii=False)
    return text.encode(errors="surrogatepass")  # a recent file's name may be no text


def _decoded(data: Any) -> Settings:
    """Raises `ValueError` or `TypeError` when a value is not what it should be; unknown keys are ignored."""
    if not isinstance(data, dict):
        raise TypeError("the settings are not an object")
    settings = Settings()
    for known in fields(Settings):
        if known.name in data and known.name not in ("recent", "new_game"):
            value, default = data[known.name], getattr(settings, known.name)
            if type(value) is not type(default):
                raise TypeError(f"{known.name} is {value!r}")
            setattr(settings, known.name, value)
    settings.recent = [str(path) for path in data.get("recent", [])][:_RECENT]
    settings.new_game = {
        game: _new_game(game, value) for game, value in dict(data.get("new_game", {})).items() if game in GAMES
    }
    return _checked(settings)


def _checked(settings: Settings) -> Settings:
    """Brings what is out of range back to the default."""
    plain = Settings()
    if settings.theme not in ("ink", "paper"):
        settings.theme = plain.theme
    if settings.language not in ("", "en", "zh"):
        settings.language = plain.language
    if settings.scale != 0 and not 80 <= settings.scale <= 200:
        settings.scale = plain.scale
    settings.volume = max(0, min(100, settings.volume))
    settings.threads = max(1, min(processors(), settings.threads))
    if settings.memory_mb not in MEMORY_MB:
        settings.memory_mb = plain.memory_mb
    settings.player_name = clean_name(settings.player_name)
    settings.width, settings.height = max(960, settings.width), max(640, settings.height)
    return settings


def _new_game(game: str, value: Any) -> NewGame:
    default = default_new_game(game)
    return replace(
        default,
        size=value["size"] if value["size"] in GAMES[game].sizes else default.size,
        rule=value["rule"] if value["rule"] in GAMES[game].rules else default.rule,
        players=(str(value["players"][0]), str(value["players"][1])),
        seconds=(float(value["seconds"][0]), float(value["seconds"][1])),
        clock=_clock(value.get("clock", "")),
    )


def _clock(text: Any) -> str:
    """`text` if it is that of a time control, or else that of none."""
    try:
        return str(TimeControl.parse(text))
    except (ValueError, AttributeError):
        return ""
