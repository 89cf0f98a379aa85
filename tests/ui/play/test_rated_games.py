"""What a game that ends does to the profile, and what makes it unrated."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

import ai.service.profile
from ai.gomoku.handle import EngineState
from ai.players.levels import EVEN, level_elo, level_for
from ai.service.profile import Profile, Result, encoded, load_profile, profile_path
from games.clock import TimeControl
from games.formats import load
from games.position import Outcome
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home, write_atomic
from tests.ui.profiles import kept_game, results
from tests.ui.stage import Disk, act, click, frame, full, part, press, push, show, until
from ui.app import App
from ui.home.screen import Home
from ui.parts.ratings import count_after_crash, follow_rename, mark_unrated
from ui.play.screen import Play
from ui.play.side_cards import EndingCard
from ui.profile.screen import ProfileScreen
from ui.replay.screen import Replay
from ui.setup.state import continued_game
from ui.system.settings import load_settings, settings_path
from ui.toolkit.i18n import t
from ui.words.numbers import signed_text

SEATS = (Seat(PERSON), Seat("level:2"))


def begin(app: App, game: str = "bones", seats: tuple[Seat, Seat] = SEATS, moves: int = 0) -> Play:
    """A game after so many moves of the person."""
    scene = show(app, Play(app, GameRecord(setup(game), seats)))
    play_on(app, scene, moves)
    return scene


def play_on(app: App, scene: Play, moves: int = 1) -> None:
    """Moves of the person, each with the answer to it."""
    for _ in range(moves):
        if scene.state.record.outcome is None:
            scene.state.choose(1)
            until(app, lambda: scene.state.live.person_to_move or scene.state.record.outcome is not None)


def left(app: App, scene: Play) -> list[Result]:
    """The results when `scene` has been left for home."""
    act(scene, "escape")
    assert isinstance(app.scene, Home)
    return results(app)


@pytest.mark.slow
def test_a_game_to_its_end_changes_the_rating_and_says_so(app: App) -> None:
    scene = begin(app, moves=30)
    assert scene.state.record.outcome is not None
    (result,) = results(app)
    assert result.unrated == ""
    before = level_elo("bones", 1).elo
    figures = {"before": f"{before:.0f}", "after": f"{result.rating:.0f}", "change": change_of(result.rating)}
    assert scene.state.saver.note == t("profile.forecast", **figures)
    assert part(scene, EndingCard).ending.rating == scene.state.saver.note
    assert left(app, scene) == [result], "once"


def change_of(rating: float) -> str:
    return signed_text(round(rating) - round(level_elo("bones", 1).elo))


def by_resigning(app: App, scene: Play) -> None:
    scene.state.live.resign()


def on_time(app: App, scene: Play) -> None:
    scene.state.live.pause()
    scene.state.record.cursor.spent = 3600.0
    frame(app)


def by_playing(app: App, scene: Play) -> None:
    play_on(app, scene, 30)


ENDS = {"resigned": by_resigning, "time": on_time, "heap": by_playing}


@pytest.mark.slow
@pytest.mark.parametrize("reason", ENDS)
@pytest.mark.parametrize("do", ["ctrl+z", *(pytest.param(each, marks=pytest.mark.slow) for each in ("ctrl+y", "undo"))])
def test_a_loss_on_time_was_undone_and_the_rated_game_went_on(app: App, reason: str, do: str) -> None:
    """Undo took back the end of a game, whatever it was, and a lost game could be won."""
    control = TimeControl(60) if reason == "time" else None
    scene = show(app, Play(app, GameRecord(setup("bones"), SEATS, control=control)))
    play_on(app, scene, 2)
    if reason != "heap":
        scene.state.live.undo()  # there is something to redo
    ENDS[reason](app, scene)
    frame(app)
    record, file = scene.state.record, scene.state.saver.file
    outcome, end, nodes = record.outcome, record.cursor, len(list(record.nodes()))
    assert outcome is not None
    assert outcome.reason == reason
    counted = results(app)
    assert [result.score for result in counted] == [float(outcome.winner == 0)]
    assert app.settings.unfinished == "", "home offers nothing to continue"
    if do == "undo":
        push(app, "undo")
    else:
        press(app, pygame.key.key_code(do[-1]), mod=pygame.KMOD_LCTRL)
    if do == "ctrl+y":
        assert (app.scene, record.outcome, record.cursor) == (scene, outcome, end)
    else:
        assert isinstance(app.scene, Replay)
        assert record.cursor.position.turn == 0, "where the person can try another move"
        assert record.cursor.position.ply < end.position.ply
        app.scene.state.choose(3)  # another try is a variation
        act(app.scene, "escape")
    app.files.settle()
    kept = load(file)
    assert (kept.outcome, kept.cursor.position) == (outcome, end.position), "the game stays as it ended"
    assert len(list(kept.nodes())) <= nodes + 1
    assert results(app) == counted


def test_the_time_that_has_run_out_is_not_given_back_by_undo(app: App) -> None:
    """Between two looks at the clock, an undo took back a move in a game that was lost."""
    scene = show(app, Play(app, GameRecord(setup("bones"), SEATS, control=TimeControl(60))))
    play_on(app, scene)
    scene.state.live.close()
    scene.state.record.cursor.spent = 61.0
    assert not scene.state.live.undo()
    assert scene.state.record.outcome == Outcome(1, "time")


def test_a_look_at_the_settings_after_a_game_changes_nothing(app: App) -> None:
    scene = begin(app, moves=1)
    act(scene, "h")
    scene.state.live.resign()
    note = scene.state.saver.note
    assert "hint" in note
    counted = results(app)
    assert [result.unrated for result in counted] == ["hint"]
    push(app, "settings")
    act(app.scene, "escape")
    assert app.scene is scene
    assert scene.state.saver.note == note
    assert left(app, scene) == counted


@pytest.mark.parametrize("answer", ["return", "resign", "escape", "over"])
def test_resigning_asks_since_nothing_takes_it_back(app: App, answer: str) -> None:
    scene = begin(app, moves=1)
    if answer == "return":
        act(scene, "h")
    push(app, "resign")
    assert scene.state.record.outcome is None
    assert app.message[0] == t("play.resign_about" if answer == "return" else "play.resign_rated")
    assert app.overlay.options[app.overlay.at][0] == "return", "Enter alone gives no game away"
    if answer == "over":
        scene.state.live.resign()
        frame(app)
    elif answer == "escape":
        press(app, pygame.K_ESCAPE)
    else:
        click(app, app.overlay.places()[answer])
    assert app.overlay is None, "a question that is out of date is withdrawn"
    assert (scene.state.record.outcome is None) == (answer in ("return", "escape"))
    assert app.scene is scene


def test_a_game_whose_program_was_killed_before_it_was_left_counts_once_at_the_next_start(app: App) -> None:
    scene = begin(app, moves=1)
    scene.state.live.resign()
    app.files.settle()
    file = str(scene.state.saver.file)
    app.settings.unfinished = file  # killed before the profile was written
    app.save_settings()
    profile_path().unlink()
    app.files.settle()
    for first in (True, False):
        settings = load_settings()  # as the killed program left them
        again = App(settings)
        count_after_crash(again)
        show(again, Home(again))
        (result,) = results(again)
        show(again, ProfileScreen(again))
        assert result.file == scene.state.saver.file.name
        said = t("profile.now", rating=f"{result.rating:.0f}", change=change_of(result.rating))
        assert again.message[0] == (said if first else ""), "also on the next screen"
        again.files.settle()
        assert again.settings.unfinished == "", "home offers nothing to continue"
    assert load_settings().unfinished == ""
    app.settings.unfinished = str(scene.state.saver.file)  # killed between the two files
    count_after_crash(app)
    assert len(results(app)) == 1


def test_a_game_that_goes_on_is_not_counted_at_the_next_start(app: App) -> None:
    scene = begin(app, moves=1)
    app.files.settle()
    count_after_crash(app)
    assert results(app) == []
    assert app.settings.unfinished == str(scene.state.saver.file)


def test_a_game_that_is_opened_from_its_file_is_the_one_to_go_on_with_and_that_is_noted_once(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = begin(app, moves=1)
    file = str(scene.state.saver.file)
    scene.close()
    for unfinished, recent in (("", [file]), (file, ["another"]), (file, ["another", file])):
        app.settings.unfinished, app.settings.recent, written = unfinished, recent, list[int]()
        again = show(app, Play(app, load(file), scene.state.saver.file))
        monkeypatch.setattr(app, "save_settings", lambda into=written: into.append(1))
        for _ in range(2):
            again.state.changed()
        assert (app.settings.unfinished, app.settings.recent[0], len(written)) == (file, file, 1)
        again.close()


def test_a_rating_that_fails_loses_and_delays_no_move(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("math domain error")

    scene = begin(app, moves=1)
    monkeypatch.setattr("ai.service.profile.updated_rating", fail)
    with pytest.raises(ValueError, match="math domain"):
        scene.state.live.resign()
    app.files.settle()
    assert load(scene.state.saver.file).outcome == scene.state.record.outcome
    monkeypatch.undo()


def test_a_game_that_is_over_shows_no_hint(app: App) -> None:
    scene = begin(app)
    act(scene, "h")
    until(app, lambda: bool(scene.all_marks().hints))
    scene.state.live.resign()
    assert not scene.all_marks().hints


def test_a_hint_makes_a_game_unrated_and_says_so_at_once(app: App) -> None:
    scene = begin(app, moves=1)
    act(scene, "h")
    assert app.message[0] == t("profile.not_counted.hint")
    scene.close()
    again = show(app, Play(app, scene.state.record, scene.state.saver.file))
    again.state.live.resign()
    assert "hint" in again.state.saver.note
    assert left(app, again)[0].unrated == "hint", "also after the program was closed in between"


def test_a_game_against_what_stands_in_for_the_engine_is_unrated(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = begin(app, "gomoku", (Seat("level:9"), Seat(PERSON)))
    until(app, lambda: scene.state.record.position.ply == 1)
    assert not load_profile()[0].helped, "it is being compiled, and will be there soon"
    app.engine.state = EngineState("failed", reason="no compiler")
    frame(app)
    assert app.message[0] == t("error.engine")
    scene.state.live.play(0)
    until(app, lambda: scene.state.record.position.ply == 3)
    scene.state.live.resign()
    assert left(app, scene)[0].unrated == "engine"


def take_back(app: App, scene: Play) -> None:
    act(scene, "ctrl+z")
    scene.state.choose(2)
    until(app, lambda: scene.state.live.person_to_move)


def hint_first(app: App, scene: Play) -> None:
    """Before the first move of another game."""
    act(scene, "h")
    push(app, "settings")
    show(app, scene)
    assert not scene.state.saver.counts
    play_on(app, scene)


@pytest.mark.parametrize(
    ("moves", "do", "why"),
    [(1, lambda *_: None, ""), (1, take_back, "undo"), (0, hint_first, "hint")],
)
def test_giving_up_counts_as_a_loss(app: App, moves: int, do: Callable[[App, Play], None], why: str) -> None:
    scene = begin(app, moves=moves)
    do(app, scene)
    scene.state.live.resign()
    (result,) = left(app, scene)
    assert (result.score, result.unrated) == (0.0, why)


def test_a_game_from_a_given_position_is_unrated(app: App) -> None:
    scene = show(app, Play(app, from_position()))
    scene.state.live.resign()
    assert left(app, scene)[0].unrated == "position"


def from_position() -> GameRecord:
    record = GameRecord(setup("bones"), SEATS)
    record.play(1)
    record.play(1)
    return continued_game(record, record.seats)


@pytest.mark.parametrize("make", [lambda: GameRecord(setup("bones"), SEATS), from_position])
def test_a_game_that_is_left_before_its_first_move_leaves_no_trace(app: App, make: Callable[[], GameRecord]) -> None:
    """An empty file stayed among the games, and a line in the profile."""
    scene = show(app, Play(app, make()))
    act(scene, "h")
    act(scene, "escape")
    assert not saves_home().exists()
    assert not profile_path().exists()


def test_two_persons_leave_no_trace(app: App) -> None:
    scene = begin(app, seats=(Seat(PERSON), Seat(PERSON)))
    for _ in range(4):
        scene.state.choose(1)
    act(scene, "h")
    scene.state.live.resign()
    assert left(app, scene) == []
    assert not profile_path().exists()
    assert app.settings.unfinished == ""


def test_a_profile_that_cannot_be_written_is_a_sentence(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, data: bytes) -> None:
        if path == profile_path():
            full()
        write_atomic(path, data)

    scene = begin(app, moves=1)
    with monkeypatch.context() as context:
        context.setattr("ui.system.files.write_atomic", fail)
        scene.state.live.resign()
        assert left(app, scene) == []
        assert "the disk is full" in app.message[0]
    count_after_crash(app)
    assert [result.score for result in results(app)] == [0.0], "it counts when it can be written"


def test_a_profile_that_cannot_be_read_is_not_replaced_by_a_new_one(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    profile_path().write_bytes(encoded(Profile(helped={"another game": "hint"})))
    kept = profile_path().read_bytes()

    def fail(_path: Path, _most: int = 0) -> bytes:
        raise OSError(24, "Too many open files")

    scene = begin(app, moves=1)
    with monkeypatch.context() as context:
        context.setattr(ai.service.profile, "read_regular", fail)
        scene.state.live.resign()
        act(scene, "escape")
        ProfileScreen(app)
    assert "Too many open files" in app.message[0]
    assert profile_path().read_bytes() == kept


@pytest.mark.parametrize("damaged", [False, True])
def test_a_change_of_the_profile_says_no_more_than_it_has_to(app: App, damaged: bool) -> None:
    profile = Profile()
    profile.add(*kept_game(1, "level:3", "bones"))
    profile_path().write_bytes(b"nothing" if damaged else encoded(profile))
    old = Path(profile.results[0].file)
    app.say("Said before.")
    follow_rename(app, old, Path("new.json"))
    assert app.message[0] == "Said before."
    app.files.settle()
    if damaged:
        profile_path().write_bytes(b"nothing")
    mark_unrated(app, GameRecord(setup("bones"), (Seat(PERSON), Seat("level:3"))), Path("other.json"), "hint")
    assert (app.message[0] == "Said before.") == damaged, "that it is damaged is said elsewhere"
    app.files.settle()
    assert load_profile()[0].helped == {"other.json": "hint"}
    assert [result.file for result in results(app)] == ([] if damaged else ["new.json"])


def test_the_profile_waits_for_no_disk_and_the_next_game_knows_of_it(app: App, disk: Disk) -> None:
    disk.goes.set()
    profile = Profile()
    profile.add(*kept_game(1, "level:3", "bones"))
    profile.add(*kept_game(2, "level:3", "bones"))
    profile_path().write_bytes(encoded(profile))
    scene = begin(app, seats=(Seat(PERSON), Seat("level:even=2")), moves=1)
    app.files.settle()
    disk.goes.clear()
    scene.state.live.resign()
    assert load_profile()[0] == profile, "it is not on the disk yet"
    frame(app)
    threading.Timer(0.1, disk.goes.set).start()
    push(app, "rematch")
    assert isinstance(app.scene, Play)
    *before, result = results(app)
    assert before == profile.results
    assert (result.file, result.score) == (scene.state.saver.file.name, 0.0)
    before_and_now = [level_for("bones", each.rating) for each in (before[-1], result)]
    assert before_and_now[0] > before_and_now[1]
    assert app.scene.state.record.seats[0].player == f"{EVEN}={before_and_now[1]:g}"


def test_a_game_is_on_the_disk_before_it_is_counted(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    written, told = list[Path](), list[int]()
    monkeypatch.setattr("ui.play.autosave.event_log.saved", lambda _file, moves: told.append(moves))
    scene = begin(app, moves=1)
    app.files.settle()
    assert told[-1] == scene.state.record.position.ply
    monkeypatch.setattr("ui.system.files.write_atomic", lambda path, _data: written.append(path))
    scene.state.live.resign()
    scene.close()
    assert written.index(scene.state.saver.file) < written.index(profile_path())
    rest = written[written.index(profile_path()) + 1 :]
    assert rest == [settings_path()], "which name the game until then"
    assert scene.state.saver.note


def test_a_damaged_profile_is_told_and_kept(app: App) -> None:
    profile_path().write_text("{", encoding="utf-8")
    show(app, ProfileScreen(app))
    assert "profile.damaged.json" in app.message[0]
    assert profile_path().with_suffix(".damaged.json").read_text(encoding="utf-8") == "{"
