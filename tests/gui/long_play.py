"""Let computers play in the window of the packaged program for hours, and log what grows.

``TENGEN_EXECUTABLE=… python -m tests.gui.long_play FOLDER --hours 8`` starts the program with its home in FOLDER/home
on the display, begins game after game with the mouse, and appends a line of JSON to FOLDER/log.jsonl each minute.
Called again, it goes on until the minutes of all calls make up the hours. The status is 1 if the program failed, ended,
or logged an error; that the window stood still, as it may while the machine is busy, is counted apart.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

import psutil

from tests.gui import driver
from ui.system.settings import NewGame, Settings

EVERY = 60.0
LOST = 60.0
"""Seconds after which a click that did nothing is repeated: a busy program does not see a short one."""

driver.PATIENCE = 1800.0

GAMES = {
    "gomoku": NewGame(15, "freestyle", ("engine", "level:6"), (0.1, 0.1)),
    "connect4": NewGame(7, "standard", ("level:3", "mcts"), (0.1, 0.1)),
    "tictactoe": NewGame(3, "standard", ("level:1", "alphabeta"), (0.1, 0.1)),
    "bones": NewGame(21, "standard", ("level:1", "parallel"), (0.1, 0.1)),
}
"""What is played, in turn."""


_LOGGED = r"\d{4}-\d\d-\d\d [\d:,]{12} (?:WARNING|ERROR|CRITICAL) "
_STALL = re.compile(_LOGGED + "ui.system.faults: The window stood still")
_ERROR = re.compile(_LOGGED + "(?!ui.system.faults: (The window stood|An earlier run was ended|An error in this))")


class Window(driver.Driver):
    """Reads of the trace only what is new, and is patient: it may run beside other work, at the lowest priority."""

    def wait(self, what: Callable[[], Any], why: str, seconds: float = driver.PATIENCE) -> Any:
        return super().wait(what, why, seconds)

    def until(self, done: Callable[[], bool], why: str, act: Callable[[], None]) -> None:
        """Act until it is `done`."""

        def again() -> bool:
            nonlocal due
            if time.monotonic() > due:
                act()
                due = time.monotonic() + LOST
            return done()

        due = 0.0
        self.wait(again, why)

    def press(self, button: str, scene: str) -> None:
        """Click `button`, which opens `scene` in its place."""
        self.wait(lambda: button in self.shown["widgets"], f"the button {button}")
        self.until(
            lambda: self.shown["scene"] == scene and button not in self.shown["widgets"],
            f"{scene} after {button}",
            lambda: self.click_at(*self.shown["widgets"].get(button, (0, 0))),
        )

    def __init__(self, home: Path) -> None:
        self._read = 0
        self._newest: dict[str, dict[str, Any]] = {}
        super().__init__(home)

    def events(self, kind: str) -> list[dict[str, Any]]:
        """The last event of a kind, if there is one."""
        if self.trace.exists():
            with self.trace.open("rb") as file:
                file.seek(self._read)
                text = file.read()
            whole = text[: text.rfind(b"\n") + 1]
            self._read += len(whole)
            self._newest |= {event["event"]: event for event in map(json.loads, whole.splitlines())}
        return [self._newest[kind]] if kind in self._newest else []

    def shorten_trace(self) -> None:
        """Empty it; the program appends to it."""
        self.events("scene")
        self.trace.write_bytes(b"")
        self._read = 0


class Session:
    """A program that plays, and the log of it; `before` is what the log had of earlier ones."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log.jsonl"
        self.home = folder / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        self.minutes = sum("rss_mb" in line for line in lines)
        if not (self.home / "settings.json").exists():
            settings = asdict(Settings(language="en", new_game=GAMES))
            (self.home / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        self.window = Window(self.home)
        self.due = time.monotonic() + EVERY
        self.games = 0
        self.write(event="start", pid=self.window.process.pid, minutes=self.minutes)

    def write(self, **facts: Any) -> None:
        with self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"at": time.strftime("%Y-%m-%dT%H:%M:%S"), **facts}) + "\n")

    def watch(self) -> None:
        """Log a line if it is time."""
        if time.monotonic() < self.due:
            return
        self.due += EVERY
        self.minutes += 1
        process = psutil.Process(self.window.process.pid)
        everything = [process, *process.children(recursive=True)]
        self.write(
            minutes=self.minutes,
            rss_mb=round(process.memory_info().rss / 2**20, 1),
            processes=len(everything),
            all_rss_mb=round(sum(each.memory_info().rss for each in everything) / 2**20, 1),
            threads=process.num_threads(),
            files=process.num_fds(),
            cpu_s=round(sum(process.cpu_times()[:2]), 1),
            games=self.games,
            saved=sum(1 for _ in (self.home / "saves").glob("*.tengen.json")),
            stalls=len(self.logged(_STALL)),
            errors=len(self.logged(_ERROR)),
        )

    def logged(self, what: re.Pattern[str]) -> list[str]:
        """The lines in the program's log that begin as `what` says, of all sessions in this folder."""
        files = (self.home / "logs").glob("tengen.log*")
        return [line for file in files for line in file.read_text("utf-8").splitlines() if what.match(line)]

    def until_over(self) -> None:
        """Wait for the end of the game that is played, with a line of the log each minute."""

        def over() -> bool:
            self.watch()
            return "rematch" in self.window.shown["widgets"]

        self.window.wait(over, "the end of a game")
        self.games += 1
        self.window.shorten_trace()

    def play(self, game: str) -> None:
        """Two games of `game`, the second with the sides swapped; then the home screen."""
        window = self.window
        window.scene("home")
        window.press(f"card.{game}", "setup")
        window.press("start", "play")
        self.until_over()
        window.press("rematch", "play")
        self.until_over()
        window.until(lambda: window.shown["scene"] == "home", "the home screen", lambda: window.key("Escape"))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hours", type=float, default=8.0)
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended from outside."))
    session = Session(options.folder.resolve())
    try:
        for number in count():
            if session.minutes >= 60 * options.hours:
                break
            session.play(list(GAMES)[number % len(GAMES)])
        session.window.close()
    except BaseException as error:
        session.write(event="failed", why=f"{type(error).__name__}: {error}")
        session.window.picture(options.folder / "failed.png")
        raise
    finally:
        session.window.kill()
    status = session.window.process.returncode or int(bool(session.logged(_ERROR)))
    session.write(event="end", status=status)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
