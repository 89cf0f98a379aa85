"""A hint or an analysis that is asked for while the engine is compiled: who answers is said, and the engine is asked
as soon as it is ready. A hint came from the stand-in at depth 2, unlabelled, and missed an open four."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.core.player import Info, Limit, Player, Stop
from ai.gomoku.handle import EngineHandle, Make
from ai.system.compiler.compilation import Report
from games.formats import read_target
from games.position import Position
from games.record import PERSON, Seat
from tests.ui.stage import act, frame, show, until
from ui.app import App
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.toolkit.i18n import t

DEPTH = 77


class Deep(Player):
    """The engine."""

    nodes = 1

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield Info(position.candidates()[-1], depth=DEPTH)


@pytest.fixture
def compiled() -> threading.Event:
    """Set when the compilation is to end."""
    return threading.Event()


@pytest.fixture
def reports() -> list[Report]:
    """What a compilation tells its progress to."""
    return []


@pytest.fixture
def app(app: App, compiled: threading.Event, reports: list[Report]) -> Iterator[App]:
    def load(report: Report) -> Make:
        reports.append(report)
        report(0.42, False)
        assert compiled.wait(60)
        return lambda _kind: Deep()

    app.engine = EngineHandle(load)
    app.engine.start()
    yield app
    compiled.set()
    app.engine.wait(60)


def texts(app: App, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the next frame writes in the panel and the status line."""
    written: list[str] = []
    with monkeypatch.context() as patched:
        patched.setattr(App, "message", ("", (0, 0, 0)))
        for module in ("ui.play.side_views", "ui.window.part", "ui.toolkit.typesetting"):
            patched.setattr(f"{module}.write", lambda _surface, _theme, text, *_, **__: written.append(text))
        frame(app)
    return written


def opened(app: App, kind: type[Play] | type[Replay]) -> Play | Replay:
    record = read_target("h8i9")
    record.seats = (Seat(PERSON), Seat("engine"))
    if kind is Play:
        scene = show(app, Play(app, record, autosave=False))
        act(scene, "h")
    else:
        scene = show(app, Replay(app, record, Path("game.txt"), at_cursor=True))
        act(scene, "a")
    return scene


@pytest.mark.parametrize("kind", [Play, Replay])
def test_the_engine_answers_what_the_stand_in_was_asked(
    kind: type[Play] | type[Replay], app: App, compiled: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    until(app, lambda: app.engine.state.compiled is not None)
    scene = opened(app, kind)
    position = scene.state.record.position
    asker = scene.state.hints if isinstance(scene, Play) else scene.state.analyst
    until(app, lambda: app.searches.advised_by_stand_in)
    assert t("status.advice", percent=42) in texts(app, monkeypatch)
    assert scene.state.record.cursor.evaluation is None, "that of the engine is kept, and no other"
    compiled.set()
    until(app, lambda: asker.info is not None and asker.info.depth == DEPTH)
    assert scene.state.record.position is position
    assert not app.searches.advised_by_stand_in
    assert not any("prepared" in text for text in texts(app, monkeypatch))


def test_the_panel_says_who_answers(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    until(app, lambda: app.engine.state.compiled is not None)
    assert app.settings.thinking
    show(app, scene := Play(app, read_target("h8i9"), autosave=False))
    act(scene, "a")
    until(app, lambda: app.searches.advised_by_stand_in)
    assert t("thinking.stand_in") in " ".join(texts(app, monkeypatch))


def test_a_position_that_was_left_is_not_asked_about_again(app: App, compiled: threading.Event) -> None:
    until(app, lambda: app.engine.state.compiled is not None)
    scene = opened(app, Play)
    until(app, lambda: app.searches.advised_by_stand_in)
    scene.state.choose(0)
    compiled.set()
    until(app, lambda: app.engine.ready)
    assert scene.state.hints.search is None


def test_the_status_line_tells_of_the_compilation(
    app: App, reports: list[Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    until(app, lambda: app.engine.state.compiled is not None)
    app.show(Play(app, read_target("h8i9"), autosave=False))
    assert t("status.compiling", percent=42) in texts(app, monkeypatch)
    reports[-1](0.5, True)
    assert t("status.again", percent=50) in texts(app, monkeypatch)
