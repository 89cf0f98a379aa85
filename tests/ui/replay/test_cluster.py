"""A cluster in the window: it is named and tested in the settings, and an analysis runs there."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest

import ui.parts.analyst
import ui.settings.screen
from ai.arena.executors import NoExecutor
from ai.distributed.cluster_player import Distributed
from ai.players.table import Context, make
from ai.search.crews import Crew, CrewLost
from ai.service.searches import Searches
from games.formats.text import parse
from games.registry import setup
from tests.ai.distributed.played import Played
from tests.ui.stage import Stage
from ui.replay.screen import Replay
from ui.settings.screen import SettingsScreen
from ui.system.settings import load_settings
from ui.toolkit.i18n import t


class Silent(Played):
    """Workers that never answer, until they are lost."""

    lost = False

    def members(self) -> Mapping[str, int]:
        if self.lost:
            raise CrewLost("They are lost.")
        return self.names

    def answers(self, worker: str) -> bool:
        return False

    def next(self, timeout: float) -> None:
        time.sleep(0.001)  # the clock stands still


def analysed(made: Stage, crew: Crew, cluster: str = "tcp://there:1") -> Any:
    """An analysis under way, with `crew` as the cluster."""
    app = made.app
    app.settings.cluster = cluster

    def share(name: str, game: str, _address: str) -> Distributed:
        return Distributed(name, Context(game), lambda: nullcontext(crew), lambda _reason: None)

    app.searches = Searches(
        lambda name, game, _book: make(name, Context(game)), app.wake, lambda: True, share=share
    )
    scene: Any = made.show(Replay(app, parse("a1b1", setup("tictactoe")), at_cursor=True, tab="analysis"))
    scene.state.analyst.on = True
    made.frame()
    app.rebuild()
    made.frame()
    return scene


def test_an_analysis_runs_on_the_cluster_and_here_when_it_is_lost(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.parts.analyst, "installed", lambda: True)
    crew = Silent("one", "two")
    scene = analysed(made, crew)
    analyst = scene.state.analyst
    made.until(lambda: analyst.complete)
    analyst.deepen()  # else the cluster would not be asked
    made.choose("player", "cluster:alphabeta")
    made.until(lambda: analyst.workers)
    assert [worker.name for worker in analyst.workers] == ["one"]
    made.frame()
    crew.lost = True
    made.until(lambda: not analyst.shared)
    made.until(lambda: analyst.complete)
    assert made.app.message[0] == t("analysis.cluster.lost")


def test_processes_of_this_computer_have_the_same_table(made: Stage) -> None:
    app, crew = made.app, Silent("1", "2")

    def player(name: str, game: str, _book: bool) -> Any:
        own = Distributed("alphabeta", Context(game), lambda: nullcontext(crew), lambda _reason: None)
        return own if name == "parallel" else make(name, Context(game))

    app.searches = Searches(player, app.wake, lambda: True)
    scene: Any = made.show(Replay(app, parse("a1b1", setup("tictactoe")), at_cursor=True, tab="analysis"))
    scene.state.analyst.on = True
    scene.state.analyst.choose("parallel")
    made.until(lambda: scene.state.analyst.workers)
    app.rebuild()
    made.frame()
    made.hover(scene.widgets.elements["player"].rect.center)
    assert t("worker.name", number=1) in scene.hint()


@pytest.mark.parametrize(("cluster", "installed"), [("", True), ("tcp://there:1", False)])
def test_no_cluster_is_no_choice(made: Stage, monkeypatch: pytest.MonkeyPatch, cluster: str, installed: bool) -> None:
    monkeypatch.setattr(ui.parts.analyst, "installed", lambda: installed)
    scene = analysed(made, Silent("one"), cluster)
    made.push("player")
    assert not any(name.startswith("cluster:") for name in made.app.overlay.places())
    assert made.app.overlay.places(), "there are other players to choose from"
    assert scene.state.analyst.on


def test_a_cluster_is_named_and_tested(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    @contextmanager
    def open_crew(address: str) -> Iterator[Crew]:
        asked.append(address)
        if len(asked) > 1:
            raise NoExecutor("It is not there.")
        yield Played("one", "two")

    monkeypatch.setattr(ui.settings.screen, "open_crew", open_crew)
    monkeypatch.setattr(ui.settings.screen, "installed", lambda: True)
    app, scene = made.app, made.show(SettingsScreen(made.app))
    scene.widgets.elements["cluster"].changed(" tcp://there:1 ")
    for text in (t("cluster.workers", count=2), t("cluster.failed", address="tcp://there:1")):
        scene.widgets.press("cluster.test")
        made.until(lambda: not app.jobs.busy)
        assert text in app.message[0]
    assert asked == 2 * ["tcp://there:1"]
    scene.close()
    app.files.settle()
    assert load_settings().cluster == "tcp://there:1"
