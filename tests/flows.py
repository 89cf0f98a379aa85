"""Count the functions on the way of a click, of an engine's answer and of a file: from the event to its effect.

    python -m tests.flows

Each flow is driven through `App.run`, without a display. Its way are the functions of the project that stand on the
stack of whatever thread is at one of its stations, such as `GameRecord.play`, counted once, in their order.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.players.table import strongest
from ai.review import insights
from ai.service.searches import Worker
from games import formats
from games.formats import save
from games.position import Position
from games.record import PERSON, GameRecord, Node, Seat
from games.registry import setup
from tests.ui.stage import thinks
from tests.waiting import PATIENCE
from ui import start
from ui.app import App
from ui.play.screen import Play
from ui.replay.screen import PositionLine, Replay
from ui.system.settings import Settings
from ui.words import views

_ROOT = Path(__file__).parents[1]
_ROOMS = tuple(str(_ROOT / room) + os.sep for room in ("games", "ai", "ui"))

When = Callable[[dict[str, Any]], object]
"""Whether a call with these arguments is at the station."""


def always(_arguments: dict[str, Any]) -> bool:
    return True


@dataclass
class Way:
    """The way to `stations`: functions, each with a condition. Without a `last` station the way does not end."""

    stations: dict[CodeType, When]
    functions: dict[str, str] = field(default_factory=dict)
    """The functions on the way, each with its module, in their order."""

    def profile(self, frame: FrameType, event: str, _argument: object) -> None:
        """Called by Python at each call of a function; see `sys.setprofile`."""
        when = self.stations.get(frame.f_code) if event == "call" else None
        if when is not None and when(frame.f_locals):
            for name, module in reversed(list(_stack(frame))):
                self.functions.setdefault(name, module)

    @property
    def modules(self) -> set[str]:
        return set(self.functions.values())


def _stack(frame: FrameType | None) -> Iterator[tuple[str, str]]:
    """The functions of the project that wait for `frame`, and its own."""
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(_ROOMS):
            module = str(Path(code.co_filename).relative_to(_ROOT))
            yield f"{module}:{code.co_qualname}", module
        frame = frame.f_back


class Sure(Player):
    """Finds its move at once."""

    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        first = position.candidates()[0]
        line = Line(35, (first, position.play(first).candidates()[0]))
        yield Info(first, 35, 4, 10, 0.1, (line,))


Script = Iterator[object]
"""Acts in a window; a frame is made at each yield. It ends with the flow."""


def _run(app: App, script: Script, way: Way) -> Way:
    """Run the window while `script` acts in it."""
    frame, end = app.frame, time.monotonic() + PATIENCE
    ended: list[bool] = []

    def step(now: float) -> None:
        app.running = False  # should anything be raised
        frame(now)
        ended[:] = [next(script, way) is way]
        app.wake()
        app.running = not ended[0] and time.monotonic() < end

    vars(app).update(frame=step, begin=lambda: None)
    before = sys.getprofile(), threading.getprofile()
    threading.setprofile(way.profile)
    sys.setprofile(way.profile)
    try:
        app.run()
    finally:
        sys.setprofile(before[0])
        threading.setprofile(before[1])
    assert ended == [True], "timed out"
    return way


def _app() -> App:
    return App(Settings(motion="off", sound=False, language="en", threads=1, analysis_lines=1), (960, 640))


def click() -> Way:
    """From a click on the board until the move is in the record."""
    app, way = _app(), Way({GameRecord.play.__code__: always})
    scene = Play(app, GameRecord(setup("tictactoe")), autosave=False)
    app.show(scene)

    def script() -> Script:
        yield
        place = scene.board.pixel_of(4)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=place, button=pygame.BUTTON_LEFT))
        while scene.state.record.position.ply == 0:
            yield

    return _run(app, script(), way)


def answer() -> Way:
    """From the report of a search until the node and the view of the position have it, and it is drawn."""
    app, record = _app(), GameRecord(setup("gomoku"))
    record.play(112)
    scene = Replay(app, record, autosave=False, tab="analysis", at_cursor=True)

    def known(_arguments: object = None) -> bool:
        return record.cursor.evaluation is not None

    way = Way({
        Worker.poll.__code__: lambda _: scene.state.analyst.busy and not known(),
        Node.learn.__code__: always,
        ThreadPoolExecutor.submit.__code__: lambda given: known() and given["fn"] is insights.view,
        insights.view.__code__: lambda given: given["evaluation"] is not None,
        views.view_sentence.__code__: lambda given: given["evaluation"] is not None,
        PositionLine.draw.__code__: known,
    })  # fmt: skip
    thinks(app, lambda _: Sure())
    app.show(scene)

    def script() -> Script:
        while not known() or not scene.state.knowledge.sentence:
            yield
        for _ in range(3):
            yield

    return _run(app, script(), way)


def reply() -> Way:
    """From the report of a search until the move that the computer has found is in the record."""
    app = _app()
    thinks(app, lambda _: Sure())
    record = GameRecord(setup("gomoku"), (Seat(strongest("gomoku")), Seat(PERSON)))
    scene = Play(app, record, autosave=False)
    scene.state.live.pace = 0.0

    def thinking(_arguments: object = None) -> bool:
        return record.position.ply == 0

    way = Way({Worker.poll.__code__: thinking, GameRecord.play.__code__: always})
    app.show(scene)

    def script() -> Script:
        while thinking():
            yield

    return _run(app, script(), way)


def _opening(app: App, script: Script) -> Way:
    return _run(app, script, Way({
        threading.Thread.start.__code__: lambda given: given["self"].name.startswith("job"),
        formats.load.__code__: always, Replay.__init__.__code__: always,
    }))  # fmt: skip


def _file() -> Path:
    record, file = GameRecord(setup("gomoku")), Path(os.environ["TENGEN_HOME"]) / "game.sgf"
    record.play(112)
    save(record, file)
    return file


def dropped() -> Way:
    """From an SGF that is dropped on the window until a replay has its record."""
    app, file = _app(), _file()

    def script() -> Script:
        yield
        pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(file)))
        while not isinstance(app.scene, Replay):
            yield

    return _opening(app, script())


FLOWS: dict[str, tuple[Callable[[], Way], int]] = {
    "a click": (click, 8), "an answer": (answer, 12), "a reply": (reply, 9), "a dropped SGF": (dropped, 12),
}  # fmt: skip
"""The flows, each with the most functions that its way may have."""


def main() -> None:
    start.prepare()
    with tempfile.TemporaryDirectory() as home:
        os.environ["TENGEN_HOME"] = home
        for name, (flow, most) in FLOWS.items():
            way = flow()
            print(f"{name}: {len(way.functions)} functions in {len(way.modules)} modules, at most {most}")
            print(*(f"    {function}" for function in way.functions), sep="\n")


if __name__ == "__main__":
    main()
