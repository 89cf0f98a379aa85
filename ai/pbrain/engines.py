"""The engines that a person has added in the settings. Games and commands refer to them by name only.

They are kept in ``engines.json`` beside the settings. If an entry is damaged, it is removed and reported, and a copy of
the file is kept; the other entries stay.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from ai.core.player import Limit, Stop, answer
from ai.pbrain.external import GRACE, PATIENCE, RULE_MASKS, EngineError, PbrainPlayer
from games.fields import DecodeError, checked, dropped, every_good, items, name_of, nested, one_of, parsed, text, whole
from games.formats.text import parse
from games.registry import setup
from games.storage import config_home, read_regular, replace_damaged, set_aside

RULES = tuple(RULE_MASKS)
"""The keys of the rules that programs can be told."""

ICONS = ("computer", "star", "sun", "moon", "globe", "flag", "square", "triangle")
"""The names of the icons to choose from."""

THREADS = range(1, 129)
MEMORY_MB = (0, 64, 128, 256, 350, 512, 1024, 2048, 4096, 8192)
"""Megabytes that a program may be told; 0 for no limit, which is not told."""

START_SECONDS = (5, 10, int(PATIENCE), 30, 60, 120)
GRACE_SECONDS = (int(GRACE), 2, 3, 5, 10)

LONGEST_NAME, LONGEST_COMMAND = 40, 1000
"""Characters."""

_POSITION = "h8i9g7"  # of the test
_MOST_BYTES = 1 << 20
_VERSION = 1


def clean_name(name: str) -> str:
    """Return `name` without characters that cannot be drawn, cut to `LONGEST_NAME`; it may be empty."""
    return name_of(name)[:LONGEST_NAME].strip()


def _checked_name(value: object) -> str:
    """Check the name of an engine, and clean it. Raise `DecodeError` if it is no text or empty."""
    name = clean_name(text(LONGEST_NAME)(value))
    if not name:
        raise DecodeError("must not be empty")
    return name


def _checked_rules(value: object) -> tuple[str, ...]:
    """Check a list of keys of rules; return them in the order of `RULES`. Raise `DecodeError`."""
    known = [one_of(*RULES)(each) for each in items(1, len(RULES))(value)]
    return tuple(rule for rule in RULES if rule in known)


@dataclass(frozen=True, slots=True)
class ExternalEngine:
    """A program that plays gomoku by the Gomocup protocol, as configured in the settings.

    `command` is its command line: a path with spaces is in quotes. `rules` are those that it plays; `threads` and
    `memory_mb` (0 for no limit) are what it is told to use. It is given `start_seconds` to start, and `grace_seconds`
    beyond the time of a move.
    """

    name: str = checked(_checked_name)
    command: str = checked(text(LONGEST_COMMAND))
    icon: str = checked(one_of(*ICONS), ICONS[0])
    rules: tuple[str, ...] = checked(_checked_rules, RULES)
    threads: int = checked(whole(THREADS[0], THREADS[-1]), 1)
    memory_mb: int = checked(one_of(*MEMORY_MB), 0)
    start_seconds: int = checked(one_of(*START_SECONDS), int(PATIENCE))
    grace_seconds: int = checked(one_of(*GRACE_SECONDS), int(GRACE))

    def player(self) -> PbrainPlayer:
        """Return a new player; its program is started when it is needed first."""
        facts = [f"thread_num {self.threads}"] if self.threads > 1 else []
        if self.memory_mb:
            facts.append(f"max_memory {self.memory_mb << 20}")
        patience, grace, folder = float(self.start_seconds), float(self.grace_seconds), folder_of(self.command)
        return PbrainPlayer(self.command, grace, patience, self.name, folder, facts, self.rules)


def folder_of(command: str) -> str | None:
    """Return the working directory for `command`: that of its program, if given by an absolute path; otherwise None."""
    try:
        program = shlex.split(command, posix=os.name != "nt")[0].strip('"')
    except (ValueError, IndexError):
        return None
    folder = os.path.dirname(program) if os.path.isabs(program) else ""  # noqa: PTH117, PTH120  (`Path` may raise)
    return folder if os.path.isdir(folder) else None  # noqa: PTH112


def command_of(program: Path) -> str:
    """Return the command line that starts `program`, quoted for the system."""
    path = str(program.absolute())
    return f'"{path}"' if os.name == "nt" else shlex.quote(path)


def engines_path() -> Path:
    """Return the path of the file with the engines."""
    return config_home() / "engines.json"


def configured() -> tuple[ExternalEngine, ...]:
    """Return the engines in the order of the file; none if it cannot be read.

    Any thread may call this, even every frame: the file is read only when it has changed.
    """
    path = engines_path()
    try:
        facts = path.stat()
    except OSError:
        return ()
    return _read(path, (facts.st_mtime_ns, facts.st_size, facts.st_ino))


@lru_cache(maxsize=4)
def _read(path: Path, _version: tuple[int, int, int]) -> tuple[ExternalEngine, ...]:
    """Return the good engines of the file; none if it cannot be read. `_version` changes when the file does."""
    try:
        return loads(read_regular(path, _MOST_BYTES))
    except (OSError, DecodeError):
        return ()


def load() -> tuple[ExternalEngine, ...]:
    """Return the engines, and repair the file: damaged entries are removed from it and reported.

    A copy of a damaged file is kept as ``engines.damaged.json``. A file that is damaged as a whole is moved there.
    """
    path = engines_path()
    try:
        data = read_regular(path, _MOST_BYTES)
        with dropped() as problems:
            engines = loads(data)
    except FileNotFoundError:
        return ()
    except (OSError, DecodeError):
        set_aside(path)
        return ()
    if problems:
        replace_damaged(path, data, dumps(engines))
    return engines


def loads(data: bytes) -> tuple[ExternalEngine, ...]:
    """Decode the engines in `data`; damaged entries are left out, and equal names made different.

    Raise `DecodeError` if `data` is not a JSON object with a list of engines.
    """
    given = parsed(data)
    found = every_good(nested(ExternalEngine))(given.get("engines") if isinstance(given, dict) else None)
    engines: list[ExternalEngine] = []
    for engine in found:
        engines.append(replace(engine, name=unused_name(engine.name, engines)))
    return tuple(engines)


def unused_name(name: str, engines: Sequence[ExternalEngine]) -> str:
    """Return `name`, or, if one of the `engines` has it, the first free one of ``name 2`` and so on.

    It has at most `LONGEST_NAME` characters.
    """
    taken, number, free = {engine.name for engine in engines}, 1, name
    while free in taken:
        number += 1
        ending = f" {number}"
        free = name[: LONGEST_NAME - len(ending)] + ending
    return free


def dumps(engines: tuple[ExternalEngine, ...]) -> bytes:
    """Encode engines for `loads`."""
    document = {"version": _VERSION, "engines": [asdict(engine) for engine in engines]}
    return json.dumps(document, indent=1, ensure_ascii=False).encode()


def is_program(file: Path) -> bool:
    """Return whether the system can run `file`: it is executable, or, on Windows, has such an extension."""
    try:
        runs = file.suffix.lower() in (".exe", ".bat", ".cmd") if os.name == "nt" else os.access(file, os.X_OK)
        return runs and file.is_file()
    except (OSError, ValueError):
        return False


def find(name: str) -> ExternalEngine | None:
    """Return the engine called `name`; None if there is none."""
    return next((engine for engine in configured() if engine.name == name), None)


def player(name: str) -> PbrainPlayer:
    """Return a new player of the engine called `name`. Raise `EngineError` if there is none."""
    engine = find(name)
    if engine is None:
        raise EngineError(f"There is no engine “{name}” in the settings.", "missing")
    return engine.player()


# A test of an engine.


_MOVE_SECONDS = 0.5
_LONG_SECONDS = 60.0
_STOP_AFTER = 0.5
_FATAL = ("absent", "start", "ended", "closed", "deaf")
_ABOUT_NAME = re.compile(r'\bname\s*=\s*"([^"]{1,100})"', re.IGNORECASE)
_ABOUT_VERSION = re.compile(r'\bversion\s*=\s*"([^"]{1,100})"', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EngineCheck:
    """The result of one step of testing an engine: ``about``, ``move`` by a `rule`, or ``stop`` of a long search.

    `text` is what it answers to ABOUT, or its move; `seconds` is how long that took. `error` is None if it has passed.
    """

    step: str
    rule: str = ""
    text: str = ""
    seconds: float = 0.0
    error: EngineError | None = None


def examine(player: PbrainPlayer, rules: Sequence[str], stop: Stop) -> Iterator[EngineCheck]:
    """Test an engine: ask what it is, for a move by each of the `rules`, and to stop a long search. Yield each result.

    The test ends early after an error with which the rest makes no sense, or when `stop` is set. The player is closed
    at the end.
    """
    steps: list[tuple[str, str]] = [("about", ""), *(("move", rule) for rule in rules), ("stop", rules[0])]
    try:
        for step, rule in steps:
            if stop.is_set():
                return
            began = time.monotonic()
            try:
                text = player.about(stop) if step == "about" else _ask_move(player, rule, step == "stop", stop)
            except EngineError as error:
                yield EngineCheck(step, rule, error=error)
                if error.problem in _FATAL:
                    return
            else:
                late = _STOP_AFTER if step == "stop" else 0.0
                yield EngineCheck(step, rule, text, max(0.0, time.monotonic() - began - late))
    finally:
        player.close()


def _ask_move(player: PbrainPlayer, rule: str, long: bool, stop: Stop) -> str:
    """Return the text of the player's move: in a short search, or with `long` in one that is stopped after a moment."""
    position = parse(_POSITION, setup("gomoku", 15, rule)).position
    own = Stop()
    timer = threading.Timer(_STOP_AFTER, own.set)
    with stop.calling(own.set):
        if long:
            timer.start()
        try:
            info = answer(player, position, Limit(_LONG_SECONDS if long else _MOVE_SECONDS), own)
        finally:
            timer.cancel()
    return position.move_text(info.move)


def about_names(about: str) -> tuple[str, str]:
    """Return the name and the version in an answer to ABOUT; each is empty if it has none."""
    found = (pattern.search(about) for pattern in (_ABOUT_NAME, _ABOUT_VERSION))
    name, version = ("" if match is None else name_of(match[1]) for match in found)
    return name, version
