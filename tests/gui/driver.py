"""Drives a real window with a real mouse and keyboard (xdotool), as a person would.

The program tells through TENGEN_TRACE where things are on the screen; what came of a click is read from the
files that it saves, not from its own word. Nothing here sleeps until "surely" something has happened: it
waits until it has.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

from ai.system.compiler.cache import kernels_home

MAIN = Path(__file__).resolve().parents[2] / "main.py"
PATIENCE = 30.0
"""Seconds until a wait is given up; a busy machine is slow, not broken."""

_CHANGED = """
from ui.start import prepare
prepare()  # before pygame is imported
{before}
import main
raise SystemExit(main.main())
"""


def command() -> list[str]:
    """The program under test: the packaged one that TENGEN_EXECUTABLE names, or the checkout."""
    executable = os.environ.get("TENGEN_EXECUTABLE")
    return [executable] if executable else [sys.executable, str(MAIN)]


def trace_of(home: Path) -> Path:
    return home / "trace.jsonl"


def run(home: Path, before: str, stderr: IO[str] | None, *arguments: str) -> subprocess.Popen[bytes]:
    """Starts the program with its home in `home`, as `Driver` does."""
    # Other tests of the same run have set SDL up for no display, and pygame has named our windows after them.
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SDL_", "PYGAME_"))}
    told = {"TENGEN_HOME": str(home), "TENGEN_TRACE": str(trace_of(home)), "LC_ALL": "C.UTF-8"}
    # Each home would have the engine compiled anew, at the cost of everything that is timed.
    shared = {"NUMBA_CACHE_DIR": str(kernels_home())}
    environment = shared | clean | told | {"SDL_AUDIODRIVER": "dummy"}
    program = [sys.executable, "-c", _CHANGED.format(before=before)] if before else command()
    place = MAIN.parent if before else None
    return subprocess.Popen([*program, *arguments], env=environment, cwd=place, stderr=stderr)


class Driver:
    """A running program with its home in `home`; `arguments` go on its command line. With `before`, Python code that is
    run first, it is never the packaged one."""

    def __init__(self, home: Path, *arguments: str, before: str = "") -> None:
        self.home = home
        self.trace = trace_of(home)
        self.trace.unlink(missing_ok=True)
        self.pressed: list[str] = []
        """The buttons that were clicked."""
        self.process = run(home, before, None, *arguments)
        try:
            self._find_window()
        except BaseException:
            self.kill()
            raise

    def _find_window(self) -> None:
        self.wait(lambda: self.events("frame"), "the first frame")
        # By process, since a window of an earlier program may not have gone yet.
        found = self.wait(self.windows, "the window")
        self.window = found[-1]
        self.xdotool("windowactivate", "--sync", self.window)
        self.wait(lambda: self.xdotool("getwindowfocus").strip() == self.window, "the keyboard")

    def windows(self) -> list[str]:
        found = self.xdotool("search", "--onlyvisible", "--class", "tengen").split()
        return [window for window in found if self.xdotool("getwindowpid", window).strip() in self._processes()]

    def _processes(self) -> set[str]:
        """A program packed into one file runs as a child of the process that was started."""
        own = str(self.process.pid)
        try:
            children = Path(f"/proc/{own}/task/{own}/children").read_text(encoding="utf-8").split()
        except OSError:
            children = []
        return {own, *children}

    # What is on the screen.

    def events(self, kind: str) -> list[dict[str, Any]]:
        if not self.trace.exists():
            return []
        text = self.trace.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]  # the last line may still be on its way
        return [event for event in map(json.loads, whole.splitlines()) if event["event"] == kind]

    @property
    def shown(self) -> dict[str, Any]:
        """The scene as it was built last."""
        found: dict[str, Any] = self.events("scene")[-1]
        return found

    def scene(self, name: str) -> dict[str, Any]:
        """Waits until the scene `name` is the one shown."""

        def shown() -> dict[str, Any] | None:
            scenes = self.events("scene")
            return scenes[-1] if scenes and scenes[-1]["scene"] == name else None

        found: dict[str, Any] = self.wait(shown, f"the scene {name}")
        return found

    @contextmanager
    def building(self, times: int = 1) -> Iterator[None]:
        """Does what is in the block, and waits until a scene has been built anew since it began."""
        before = len(self.events("scene"))
        yield
        self.wait(lambda: len(self.events("scene")) >= before + times, "a scene built anew")

    def message(self, part: str) -> str:
        """Waits for a sentence in the status line that contains `part`."""

        def said() -> str | None:
            return next((event["text"] for event in self.events("message") if part in event["text"]), None)

        return str(self.wait(said, f"a message with {part!r}"))

    def wait(self, what: Callable[[], Any], why: str, seconds: float = PATIENCE) -> Any:
        """Waits until `what` gives something that is true, and returns it."""
        end = time.monotonic() + seconds
        while True:
            found = what()
            if found:
                return found
            assert self.process.poll() is None, f"the program ended while waiting for {why}"
            assert time.monotonic() < end, f"timed out for {why}"
            time.sleep(0.02)

    # Hands.

    def click(self, name: str, builds: str = "") -> None:
        """Clicks the middle of the button `name` of the scene that is shown.

        With `builds`, the name of a scene, waits until that one has been built since.
        """
        self.wait(lambda: name in self.shown["widgets"], f"the button {name}")
        self.pressed.append(name)
        with self.building() if builds else nullcontext():
            self.click_at(*self.shown["widgets"][name])
        if builds:
            self.scene(builds)

    def play(self, move: str) -> None:
        """Clicks where the move `move` is on the board."""
        self.click_at(*self.shown["moves"][move])

    def point(self, x: int, y: int) -> None:
        self.xdotool("mousemove", "--window", self.window, str(x), str(y))

    def click_at(self, x: int, y: int, button: int = 1) -> None:
        """`x` and `y` are pixels of the window without its frame."""
        self.point(x, y)
        time.sleep(0.05)  # a button takes a click only after a frame with the pointer over it
        self.xdotool("click", str(button))
        time.sleep(0.05)

    def key(self, *names: str) -> None:
        for name in names:
            self.xdotool("key", name)
            time.sleep(0.03)

    def type(self, text: str, delay: int = 8) -> None:
        """Types `text`, a letter every `delay` milliseconds."""
        self.xdotool("type", "--delay", str(delay), "--", text)  # text may begin with a dash

    def name_file(self, path: Path, button: str, *keys: str) -> None:
        """Presses what opens a file dialog (`button`, or `keys`), and answers it with `path`."""
        before = len(self.events("dialog"))
        if button:
            self.click(button)
        self.key(*keys)
        self.wait(lambda: len(self.events("dialog")) > before, "a file dialog")
        self.click_at(*self.events("dialog")[-1]["widgets"]["path"])
        self.key("ctrl+a")
        self.type(str(path))
        self.key("Return")

    def resize(self, width: int, height: int) -> None:
        """Resizes the window and waits until the scene has been built for its new size, be it in several steps."""
        with self.building():
            self.xdotool("windowsize", "--sync", self.window, str(width), str(height))
        before = 0
        while (now := len(self.events("scene"))) != before:
            before = now
            time.sleep(0.3)

    def place(self) -> dict[str, int]:
        """X, Y, WIDTH and HEIGHT of the window without its frame, in pixels of the screen.

        The system may make a new window for the full screen; empty while there is none.
        """
        self.window = (self.windows() or [self.window])[-1]
        lines = self.xdotool("getwindowgeometry", "--shell", self.window).split()
        pairs = (line.split("=") for line in lines)
        return {name: int(value) for name, value in pairs if name in ("X", "Y", "WIDTH", "HEIGHT")}

    def picture(self, file: Path) -> None:
        """A screenshot, for people to look at."""
        subprocess.run(["import", "-window", "root", str(file)], check=False, capture_output=True)

    def xdotool(self, *arguments: str) -> str:
        done = subprocess.run(["xdotool", *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE)
        return done.stdout

    # What was saved.

    @property
    def saves(self) -> Path:
        return self.home / "saves"

    def saved_files(self) -> list[Path]:
        """Without those that are empty: names that were reserved."""
        return sorted(file for file in self.saves.glob("*.tengen.json") if file.stat().st_size)

    def saved(self, file: Path | None = None) -> dict[str, Any]:
        """The contents of `file`, or of the only saved game."""
        if file is None:
            (file,) = self.saved_files()
        contents: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return contents

    def settings(self) -> dict[str, Any]:
        contents: dict[str, Any] = json.loads((self.home / "settings.json").read_text(encoding="utf-8"))
        return contents

    def moves(self, file: Path | None = None) -> list[str]:
        """Every move in the saved game, those that were taken back too; none where nothing is saved."""
        if file is None and not self.saved_files():
            return []
        return [node["move"] for node in self.saved(file)["nodes"][1:]]

    def wait_moves(self, count: int, file: Path | None = None) -> list[str]:
        """Waits until the saved game has at least `count` moves, and returns them."""
        found: list[str] = self.wait(
            lambda: moves if len(moves := self.moves(file)) >= count else None, f"{count} moves in the file"
        )
        return found

    # The end.

    def ask_to_close(self) -> None:
        """Asks the window to close, as its button does."""
        subprocess.run(["wmctrl", "-i", "-c", hex(int(self.window))], check=True, timeout=PATIENCE)

    def close(self) -> None:
        """Asks the window to close, and waits until the process has ended."""
        self.ask_to_close()
        self.process.wait(PATIENCE)

    def kill(self) -> None:
        """Ends the program at once, as a crash would."""
        if self.process.poll() is None:
            for process in self._processes():
                subprocess.run(["kill", "-9", process], check=False, capture_output=True)
        self.process.wait()
