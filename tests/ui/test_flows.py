"""The ways of a click, of an engine's answer and of a file stay short, and drawing begins nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ai.review import insights
from ai.service.searches import Searches
from games.record import Node
from tests.flows import FLOWS
from tests.sampling import sampled
from tests.ui.scenes import SCENES
from tests.ui.stage import Make, Stage
from ui.parts import knowledge
from ui.window.screen import ScreenView


@pytest.mark.parametrize("name", FLOWS)
def test_the_way_is_short(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A click passed 12 functions, an answer 21, and a file 20."""
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    flow, most = FLOWS[name]
    way = flow()
    functions = list(way.functions)
    assert functions[0] == "ui/app.py:App.run"
    assert any(each in functions for each in ("games/record.py:GameRecord.play", "games/record.py:Node.learn",
                                              "ui/replay/screen.py:Replay.__init__"))  # fmt: skip
    assert len(functions) <= most, functions


def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of what is begun, found or learned while a screen is drawn, which grows."""
    drawing, begun = threading.local(), list[str]()
    draw = ScreenView.draw

    def watch(*arguments: Any) -> None:
        drawing.now = True
        try:
            draw(*arguments)
        finally:
            drawing.now = False

    def noted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            if getattr(drawing, "now", False):
                begun.append(name)
            return real(*arguments, **options)

        return call

    monkeypatch.setattr(ScreenView, "draw", watch)
    for place, name in (
        (ThreadPoolExecutor, "submit"), (threading.Thread, "start"), (Searches, "ask"), (Searches, "review"),
        (Node, "learn"), (insights, "view"), (knowledge, "view"),
    ):  # fmt: skip
        monkeypatch.setattr(place, name, noted(name, getattr(place, name)))
    return begun


def begun_by(made: Stage, name: str, begun: list[str]) -> list[str]:
    """What drawing a scene begins, also after a move of the pointer, and while it is another node."""
    screen = made.show(SCENES[name](made))
    made.frame(2)
    record = getattr(getattr(screen, "state", None), "record", None)
    if record is not None and record.cursor.parent is not None:
        made.hover(made.app.window.surface.get_rect().center)
        record.undo()
        made.frame(2)
    return begun


@pytest.mark.parametrize("name", sampled([name for name in SCENES if name.startswith(("play", "re"))], 10))
def test_drawing_a_game_begins_nothing(stage: Make, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views of positions were asked for, and a thread was started, while a frame was drawn."""
    assert begun_by(stage(), name, watched(monkeypatch)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_drawing_begins_nothing(stage: Make, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert begun_by(stage(), name, watched(monkeypatch)) == []
