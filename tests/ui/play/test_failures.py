"""A computer that fails in a game: a sentence, and it is started again, replaced, or a person takes its seat."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ai.core.player import Info, Limit, Player, PlayerFailure, Stop
from ai.pbrain.engines import ExternalEngine, dumps, engines_path
from ai.players.table import offered_players
from ai.search.minimax import RandomPlayer
from ai.service.profile import load_profile
from games.formats import load
from games.position import Position
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import write_atomic
from tests.ui.stage import frame, part, push, show, thinks, until
from ui.app import App
from ui.play.autosave import Unsaved
from ui.play.screen import Play
from ui.play.side_cards import FailureCard
from ui.play.side_views import SideViews
from ui.setup.screen import SetupScreen
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.words.games import seat_label


class Crashing(Player):
    """Fails while it is told to, else plays at random."""

    nodes = 0

    def __init__(self) -> None:
        self.fails = True

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        if self.fails:
            raise PlayerFailure("“Odd” does not answer in time.", "slow")
        yield from RandomPlayer(1).think(position, limit, stop)


def failed(app: App, player: Player, other: str = "external:Odd", **options: bool) -> Play:
    """A game in which the opponent has failed after the first move."""
    thinks(app, lambda _: player)
    screen = Play(app, GameRecord(setup("gomoku"), (Seat(PERSON), Seat(other, seconds=2.0))), **options)
    screen.state.live.pace = 0.0
    show(app, screen)
    screen.state.choose(112)
    until(app, lambda: screen.state.failure)
    return screen


def test_a_computer_that_has_failed_is_started_again(app: App) -> None:
    """It was said for a moment, and hidden that Space tries again."""
    player = Crashing()
    screen = failed(app, player)
    assert screen.state.failure == "“Odd” does not answer in time."
    assert part(screen, FailureCard) in screen.parts
    assert not screen.state.live.running, "its clock stands still"
    push(app, "restart")
    until(app, lambda: screen.state.failure)
    player.fails = False
    push(app, "restart")
    until(app, lambda: screen.state.live.person_to_move)
    assert screen.state.record.position.ply == 2
    assert "restart" not in screen.widgets.buttons


def test_a_person_takes_the_seat_and_the_game_goes_on_in_the_same_file(app: App) -> None:
    screen = failed(app, Crashing())
    file = screen.state.saver.file
    push(app, "take_seat")
    frame(app)
    assert isinstance(app.scene, Play)
    assert app.scene is not screen
    state = app.scene.state
    assert state.saver.file == file
    assert state.live.people == (0, 1)
    state.choose(113)
    frame(app)
    app.files.settle()
    kept = load(file)
    assert kept.position.ply == 2
    assert kept.seats == (Seat(PERSON), Seat(PERSON))


@pytest.mark.parametrize(("other", "seconds"), [("level:2", None), ("alphabeta", 2.0)])
def test_another_player_takes_the_seat_and_the_game_does_not_count(
    app: App, monkeypatch: pytest.MonkeyPatch, other: str, seconds: float | None
) -> None:
    """Half of it was played against somebody else."""
    player = Crashing()
    monkeypatch.setattr("ui.play.side_cards.unable", lambda name, _rule: "By no rule." * (name == "trickster"))
    screen = failed(app, player)
    file = screen.state.saver.file
    push(app, "replace")
    menu = app.overlay
    assert isinstance(menu, Menu)
    assert dict(menu.options) == {
        name: seat_label("gomoku", name) for name in offered_players("gomoku") if name != "trickster"
    }
    player.fails = False
    menu.then(other)
    frame(app, 2)
    assert isinstance(app.scene, Play)
    until(app, lambda: app.scene.state.live.person_to_move)
    app.files.settle()
    assert load(file).seats[1] == Seat(other, seconds=seconds)
    assert load_profile()[0].helped == ({file.name: "opponent"} if other == "level:2" else {})
    assert not app.scene.state.saver.counts


@pytest.mark.parametrize("other", ["external:Odd", "external:touch /tmp/x"])
def test_a_file_with_an_engine_to_move_runs_nothing_when_it_is_opened(app: App, other: str) -> None:
    """The game waits until the person goes on."""
    made: list[str] = []

    def make(name: str) -> Player:
        made.append(name)
        return Crashing()

    thinks(app, make)
    file = app.settings and engines_path().with_name("game.tengen.json")
    screen = show(app, Play(app, GameRecord(setup("gomoku"), (Seat(other), Seat(PERSON))), file))
    frame(app, 3)
    assert made == []
    assert screen.state.next_step == "resume"
    push(app, "primary")
    until(app, lambda: screen.state.failure)
    assert made == [other]


@pytest.mark.parametrize("kept", [True, False])
def test_an_engine_that_is_not_here_is_missed_and_not_replaced_in_silence(app: App, kept: bool) -> None:
    record = GameRecord(setup("gomoku"), (Seat("external:Rapfi"), Seat(PERSON)))
    screen = Play(app, record, autosave=kept, teaching=kept)
    show(app, screen)
    until(app, lambda: screen.state.failure)
    assert screen.state.failure == "There is no engine “Rapfi” in the settings."
    push(app, "take_seat")
    frame(app)
    assert isinstance(app.scene, Play)
    state = app.scene.state
    assert (state.live.people, state.teacher is not None) == ((0, 1), kept)
    assert (state.saver.existing_file, state.saver.enabled) == (None, kept), "nothing was played"


def test_an_advice_that_an_engine_cannot_give_is_told_with_its_reason(app: App) -> None:
    from ai.service.searches import Purpose

    show(app, Play(app, GameRecord(setup("gomoku")), autosave=False))
    thinks(app, lambda _: Crashing())
    search = app.searches.ask(GameRecord(setup("gomoku")).root, Purpose.ANALYSIS, Limit(seconds=1.0), "external:Odd")
    until(app, lambda: search.over)
    assert app.message[0] == "“Odd” does not answer in time."


def test_set_up_offers_an_engine_by_its_rules_only(app: App) -> None:
    write_atomic(engines_path(), dumps((ExternalEngine("Rapfi", "brain", rules=("freestyle",)),)))
    screen = show(app, SetupScreen(app, "gomoku"))
    screen.state.set_player(1, "external:Rapfi")
    push(app, "level1", "level1.external:Rapfi")
    assert screen.state.chosen.players[1] == "external:Rapfi"
    push(app, "rule.renju", "start")
    frame(app, 2)
    assert app.scene is screen
    assert app.message[0] == t("setup.unable", player="Rapfi", rule="Renju")
    push(app, "level1")
    screen.state.step_time(0, 1)
    frame(app, 2)
    assert app.message[0] == "", "another game was chosen"
    assert "level1.external:Rapfi" not in screen.widgets.buttons
    write_atomic(engines_path(), dumps(()))
    again = show(app, SetupScreen(app, "gomoku"))
    assert again.state.chosen.players[1] != "external:Rapfi", "it has been removed"


class Telling(Player):
    nodes = 7

    def __init__(self, score: int) -> None:
        self._score = score

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield Info(position.candidates()[0], self._score, 9, 1200, 0.1)


def test_two_engines_play_and_both_views_are_seen(app: App) -> None:
    """Only that of the side to move was."""
    thinks(app, lambda name: Telling(31 if name.endswith("A") else -1200))
    seats = Seat("external:A", seconds=1.0), Seat("external:B", seconds=1.0)
    screen = Play(app, GameRecord(setup("gomoku"), seats), autosave=False)
    screen.state.live.pace = 0.0
    show(app, screen)
    until(app, lambda: screen.state.record.position.ply >= 3)
    views = part(screen, SideViews)
    (first, line), (second, _) = views.texts(0), views.texts(1)
    assert first == "Depth 9 · +0.3 · Nodes 1.2k"
    assert second == "Depth 9 · −12.0 · Nodes 1.2k"
    assert line


def test_that_a_file_is_not_saved_is_said_whenever_there_is_room_for_it() -> None:
    said: list[tuple[Any, ...]] = []
    files, full = SimpleNamespace(unsaved={}), OSError(28, "No space left on device")
    host: Any = SimpleNamespace(files=files, message=("", (1, 2, 3)))
    host.say = lambda text, kind, holds=bool, lasting=False: said.append((text, kind, holds, lasting))
    unsaved = Unsaved(host)
    for name, shown, count in (("", "", 0), ("a", "", 1), ("a", "Another.", 1), ("a", "", 2), ("b", "Another.", 3)):
        files.unsaved = {Path(name): full} if name else {}
        host.message = shown, (1, 2, 3)
        unsaved.announce()
        assert len(said) == count
    holds = said[2][2]
    assert holds()
    files.unsaved = {}
    assert not holds()
    for _ in range(2):
        unsaved.announce()
    assert [(kind, lasting) for _, kind, _, lasting in said] == [*[("bad", True)] * 3, ("good", True)]
    assert said[3][0] == t("error.saved", name="b")
