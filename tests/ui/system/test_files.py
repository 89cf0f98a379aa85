"""Files written in the background: completely, the newest last, and with error messages."""

from __future__ import annotations

import errno
import math
import subprocess
import sys
import threading
import time
from datetime import datetime, tzinfo
from pathlib import Path

import pygame
import pytest

import ui.system.files
from ai.service.profile import load_profile
from games import storage
from games.formats import load, save
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home, write_atomic
from tests.ui.stage import Disk, act, frame, full, press, push, show, until
from ui import screens
from ui.app import App
from ui.home.screen import Home
from ui.play import autosave
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.system.files import Files
from ui.system.settings import load_settings
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t


def test_who_writes_does_not_wait_and_the_newest_wins(disk: Disk, tmp_path: Path) -> None:
    files, told = Files(lambda: None), []
    for number in range(50):
        files.write(tmp_path / "game", b"%d" % number, told.append)
    files.update()
    assert not told
    disk.goes.set()
    files.settle()
    assert (tmp_path / "game").read_bytes() == b"49"
    assert disk.written in ([b"49"], [b"0", b"49"]), "what was out of date when its turn came is not written"
    assert told == [None], "one who is told of several writings of a file is told once"


def test_files_are_written_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, goes, threads = Files(lambda: None), threading.Event(), list[str]()
    monkeypatch.setattr(
        ui.system.files, "write_atomic", lambda *_: goes.wait(60) and threads.append(threading.current_thread().name)
    )
    for name in "abc":
        files.write(tmp_path / name, b"", lambda _error: None)
    goes.set()
    files.settle()
    assert (len(threads), len(set(threads))) == (3, 1)


def test_a_write_that_failed_is_tried_again_every_five_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, tried, told, due = [100.0], list[str](), list[OSError | None](), list[float | None]()
    monkeypatch.setattr(ui.system.files, "write_atomic", lambda path, _: (tried.append(path.name), full()))
    files = Files(lambda: None, lambda: now[0])
    files.write(tmp_path / "game", b"1", told.append, keep=True)
    assert files.due() is None
    for now[0] in (100.0, 104.0, 105.0, 109.0, 112.0):
        files.write(tmp_path / "other", b"", lambda _error: None)
        files.settle()  # after whatever was written before
        due.append(files.due())
    files.settle()
    assert due == [5.0, 1.0, 5.0, 1.0, 5.0]
    assert (tried.count("other"), len(told)) == (5, 1)


def test_all_who_wrote_a_file_are_told(disk: Disk, tmp_path: Path) -> None:
    files, one, other = Files(lambda: None), [], []
    files.write(tmp_path / "a", b"1", one.append)
    files.write(tmp_path / "a", b"2", other.append)
    disk.goes.set()
    files.settle()
    assert (one, other) == ([None], [None])


def test_a_file_that_cannot_be_written_is_told_and_the_next_one_is(tmp_path: Path) -> None:
    woken: list[bool] = []
    files, told = Files(lambda: woken.append(True)), []
    (tmp_path / "no folder").write_bytes(b"")
    files.write(tmp_path / "no folder" / "game", b"1", told.append)
    files.write(tmp_path / "game", b"2", told.append)
    files.settle()
    assert [type(error) for error in told] == [NotADirectoryError, type(None)] or told[0].errno == errno.EEXIST
    assert len(woken) == 2


def test_what_is_under_way_is_written_when_the_program_ends(tmp_path: Path) -> None:
    code = """if True:
        import sys, time, ui.system.files
        from pathlib import Path
        write = ui.system.files.write_atomic
        ui.system.files.write_atomic = lambda *arguments: (time.sleep(0.3), write(*arguments))
        files = ui.system.files.Files(lambda: None)
        for name in "ab":
            files.write(Path(sys.argv[1], name), name.encode(), lambda _error: None)
        raise SystemExit("a fault")
    """
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "a fault" in done.stderr
    assert [(tmp_path / name).read_text() for name in "ab"] == ["a", "b"]


def begin(app: App, game: str = "tictactoe", *seats: Seat) -> Play:
    return show(app, Play(app, GameRecord(setup(game), seats or (Seat(PERSON), Seat(PERSON)))))


def home(app: App) -> Home:
    """As Escape does; the disk keeps writing meanwhile. The library has read its games."""
    app.open(screens.home)
    frame(app)
    assert isinstance(app.scene, Home)
    until(app, lambda: app.scene.wake(time.monotonic()) is None)
    return app.scene


def test_a_move_waits_for_no_disk_and_home_finds_it_all_the_same(disk: Disk, app: App) -> None:
    scene = begin(app)
    for move in (4, 0, 8):
        scene.state.choose(move)
        frame(app)
    assert scene.status() == "", "it is not kept yet, and is not said to be"
    threading.Timer(0.2, disk.goes.set).start()
    unfinished = home(app).games.unfinished
    assert load(scene.state.saver.file).position == scene.state.record.position
    assert (unfinished.path, unfinished.plies) == (scene.state.saver.file, 3)
    app.close()
    assert load_settings().unfinished == str(scene.state.saver.file)


def test_home_goes_on_with_the_game_that_was_left_and_not_with_the_one_before(disk: Disk, app: App) -> None:
    disk.goes.set()
    begin(app, "gomoku").state.choose(112)
    home(app)
    scene = begin(app)
    disk.goes.clear()
    scene.state.choose(4)
    threading.Timer(0.2, disk.goes.set).start()
    home(app).widgets.press("continue")
    frame(app)
    assert isinstance(app.scene, Play)
    assert (app.scene.state.saver.file, app.scene.state.record.setup.game) == (scene.state.saver.file, "tictactoe")


def test_a_game_that_was_ended_by_its_last_move_is_not_gone_on_with(disk: Disk, app: App) -> None:
    scene = begin(app)
    disk.goes.set()
    for move in (0, 3, 1, 4):
        scene.state.choose(move)
        frame(app)
    disk.goes.clear()
    scene.state.choose(2)
    threading.Timer(0.2, disk.goes.set).start()
    assert home(app).games.unfinished is None


def test_what_is_taken_back_before_it_is_written_is_written_as_it_is_then(disk: Disk, app: App) -> None:
    scene = begin(app, "bones", Seat(PERSON), Seat("level:1"))
    scene.state.choose(1)
    act(scene, "ctrl+z")
    disk.goes.set()
    app.files.settle()
    assert load(scene.state.saver.file).position.ply == 0


def test_a_game_that_is_lost_counts_however_long_the_disk_takes(disk: Disk, app: App) -> None:
    scene = begin(app, "bones", Seat(PERSON), Seat("level:1"))
    scene.state.choose(1)
    until(app, lambda: scene.state.record.position.ply == 2)
    scene.state.live.resign()
    threading.Timer(0.2, disk.goes.set).start()
    scene.close()
    assert [result.score for result in load_profile()[0].results] == [0.0]


def test_a_new_game_takes_no_name_that_is_about_to_be_written(disk: Disk, app: App) -> None:
    first = begin(app)
    first.state.choose(4)
    threading.Timer(0.1, disk.goes.set).start()
    assert begin(app).state.saver.file != first.state.saver.file


def test_two_games_begun_in_the_same_second_get_two_files(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second game overwrote the first."""
    monkeypatch.setattr(autosave, "datetime", Noon)
    for move in (0, 4):
        begin(app).state.choose(move)
        app.files.settle()
    found = sorted(saves_home().iterdir())
    assert [file.name for file in found] == ["2026-05-01 12.00.00 tictactoe 2.tengen.json",
                                             "2026-05-01 12.00.00 tictactoe.tengen.json"]  # fmt: skip
    assert [load(file).line()[-1].move for file in found] == [4, 0]


class Noon(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Noon:
        return cls(2026, 5, 1, 12)


@pytest.mark.parametrize("kind", [Play, Replay])
def test_what_is_saved_as_is_there_when_the_scene_is_left(
    disk: Disk, app: App, tmp_path: Path, kind: type[Play] | type[Replay]
) -> None:
    scene = show(app, kind(app, GameRecord(setup("tictactoe"), (Seat(PERSON), Seat(PERSON)))))
    scene.state.file.save_to(tmp_path / "mine.tengen.json")
    threading.Timer(0.1, disk.goes.set).start()
    scene.close()
    assert load(tmp_path / "mine.tengen.json").position == scene.state.record.position


def test_saving_again_goes_to_the_file_that_is_being_written_though_an_earlier_one_fails_late(
    disk: Disk, app: App, tmp_path: Path
) -> None:
    scene = begin(app)
    (tmp_path / "no folder").write_bytes(b"")
    scene.state.file.save_to(tmp_path / "no folder" / "a.tengen.json")
    scene.state.choose(4)
    scene.state.file.save_to(tmp_path / "mine.tengen.json")
    scene.state.choose(0)
    act(scene, "ctrl+s")
    disk.goes.set()
    app.files.settle()
    assert scene.state.file.path == tmp_path / "mine.tengen.json"
    assert load(tmp_path / "mine.tengen.json").position == scene.state.record.position


def test_a_full_disk_is_a_sentence_and_the_next_move_is_kept(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = begin(app)
    with monkeypatch.context() as context:
        context.setattr(ui.system.files, "write_atomic", full)
        context.setattr(storage, "write_new", full)
        scene.state.choose(4)
        app.files.settle()
        frame(app)
    assert "the disk is full" in app.message[0]
    assert scene.status() == ""
    assert not scene.state.saver.file.exists(), "no empty file is left"
    scene.state.choose(0)
    app.files.settle()
    assert load(scene.state.saver.file).position == scene.state.record.position


def test_what_a_full_disk_has_kept_from_being_saved_is_saved_when_the_game_is_left(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = begin(app)
    scene.state.choose(4)
    app.files.settle()
    with monkeypatch.context() as context:
        context.setattr(ui.system.files, "write_atomic", full)
        scene.state.choose(0)
        app.files.settle()
    assert scene.status() == "", "it is not said to be saved after every move"
    home(app)
    assert load(scene.state.saver.file).position == scene.state.record.position


def test_what_cannot_be_saved_is_told_until_it_is_saved_by_itself(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    app.files = Files(app.wake, lambda: now[0])
    scene = begin(app)
    with monkeypatch.context() as context:
        context.setattr(ui.system.files, "write_atomic", full)
        scene.state.choose(4)
        app.files.settle()
        frame(app)
        told = app.message[0]
        assert scene.state.saver.file.name in told
        app.say("another message")
        app.notices.update(math.inf, None)
        home(app)
        frame(app)
        assert app.message[0] == told, "also when other messages are over, and on other screens"
        now[0] += 60
        frame(app)
        app.files.settle()
        assert app.files.unsaved
    due = app.files.due()
    assert due is not None
    now[0] += due
    until(app, lambda: not app.files.unsaved)
    assert app.message[0] == t("error.saved", name=scene.state.saver.file.name)
    assert load(scene.state.saver.file).position == scene.state.record.position


def test_an_unsaved_game_was_said_to_be_saved_while_its_next_move_was_written(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files, told = Files(lambda: None), []
    game = tmp_path / "game"
    with monkeypatch.context() as context:
        context.setattr(ui.system.files, "write_atomic", full)
        files.write(game, b"1", told.append, keep=True)
        files.settle()
    files.write(game, b"2", told.append, keep=True)
    files.update()
    assert game in files.unsaved, "until the disk has it"
    disk.goes.set()
    files.settle()
    assert not files.unsaved
    assert (game.read_bytes(), told[1:]) == (b"2", [None])


def test_an_unsaved_game_was_lost_when_it_was_saved_elsewhere_under_its_own_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files, told = Files(lambda: None), []
    game = tmp_path / "game"
    monkeypatch.setattr(ui.system.files, "write_atomic", full)
    files.write(game, b"1", told.append, keep=True)
    files.settle()
    files.write(game, b"1", told.append)
    files.settle()
    assert (game in files.unsaved, files.waiting(game), len(told)) == (True, b"1", 2)


def unsaved_game(app: App, monkeypatch: pytest.MonkeyPatch, game: str = "tictactoe") -> Play:
    """A game on a disk that is full until the test ends."""
    scene = begin(app, game)
    monkeypatch.setattr(ui.system.files, "write_atomic", full)
    scene.state.choose(4)
    app.files.settle()
    frame(app)
    return scene


def ask_to_close(app: App) -> Question:
    app.dispatch(pygame.event.Event(pygame.QUIT))
    frame(app)
    assert app.running, "not silently"
    assert isinstance(app.overlay, Question)
    return app.overlay


def test_closing_over_an_unsaved_game_keeps_the_window(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = unsaved_game(app, monkeypatch)
    ask_to_close(app)
    press(app, pygame.K_ESCAPE)
    assert (app.running, app.overlay, app.scene) == (True, None, scene)
    scene.state.choose(0)
    assert scene.state.record.position.ply >= 2, "and the game goes on"


def test_closing_over_two_unsaved_games_asks_about_both(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    games = {unsaved_game(app, monkeypatch, game).state.saver.file for game in ("tictactoe", "connect4")}
    assert app.files.unsaved.keys() == games
    ask_to_close(app)
    for file in list(app.files.unsaved):
        assert app.running, "not silently"
        assert isinstance(app.overlay, Question)
        assert file.name in app.overlay.message
        app.overlay.widgets.focus = "discard"
        press(app, pygame.K_RETURN)
    assert not app.running


def test_closing_over_an_unsaved_game_saves_it_elsewhere(
    app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    target = tmp_path / "elsewhere.tengen.json"

    def full_but_there(path: Path, data: bytes) -> None:
        if path != target:
            full()
        write_atomic(path, data)

    scene = unsaved_game(app, monkeypatch)
    monkeypatch.setattr(ui.system.files, "write_atomic", full_but_there)
    position = scene.state.record.position
    monkeypatch.setattr(app, "choose_file", lambda _start, then, **_: then(target))
    ask_to_close(app)
    press(app, pygame.K_RETURN)
    until(app, lambda: not app.running)
    assert load(target).position == position


def test_an_unsaved_game_that_cannot_be_saved_elsewhere_either_keeps_the_window(
    app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    unsaved_game(app, monkeypatch)
    monkeypatch.setattr(app, "choose_file", lambda _start, then, **_: then(tmp_path / "elsewhere.tengen.json"))
    ask_to_close(app)
    press(app, pygame.K_RETURN)
    until(app, lambda: "elsewhere.tengen.json" in app.message[0])
    assert app.running


def test_a_question_about_a_game_that_is_saved_by_now_stayed(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """And an answer to it was about nothing."""
    now = [0.0]
    app.files = Files(app.wake, lambda: now[0])
    scene = unsaved_game(app, monkeypatch)
    ask_to_close(app)
    monkeypatch.setattr(ui.system.files, "write_atomic", write_atomic)
    now[0] += 60
    until(app, lambda: app.overlay is None)
    assert app.running
    assert app.message[0] == t("error.saved", name=scene.state.saver.file.name)
    app.dispatch(pygame.event.Event(pygame.QUIT))
    assert not app.running


def test_a_game_saved_while_another_place_for_it_was_chosen_was_written_there_without_a_move(
    app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The file was empty."""
    now = [0.0]
    app.files = Files(app.wake, lambda: now[0])
    scene, target, answers = unsaved_game(app, monkeypatch), tmp_path / "elsewhere.tengen.json", []
    monkeypatch.setattr(app, "choose_file", lambda _start, then, **_: answers.append(then))
    ask_to_close(app)
    press(app, pygame.K_RETURN)
    monkeypatch.setattr(ui.system.files, "write_atomic", write_atomic)
    now[0] += 60
    until(app, lambda: not app.files.unsaved)
    answers[0](target)
    until(app, target.exists)
    assert load(target).position == scene.state.record.position


def test_what_is_not_an_error_of_the_system_ended_the_program(
    app: App, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = [0.0]
    app.files = Files(app.wake, lambda: now[0])
    scene = begin(app, "tictactoe")
    monkeypatch.setattr(ui.system.files, "write_atomic", lambda *_: 1 / 0)
    scene.state.choose(4)
    until(app, lambda: app.files.unsaved)
    assert "division by zero" in app.message[0]
    assert "ZeroDivisionError" in caplog.text
    monkeypatch.setattr(ui.system.files, "write_atomic", write_atomic)
    now[0] += 60
    until(app, lambda: not app.files.unsaved)
    assert load(scene.state.saver.file).position.ply == 1


def test_home_goes_on_with_a_game_as_it_is_now(app: App) -> None:
    """Another window had gone on with it, and this one overwrote that."""
    scene = begin(app, "gomoku")
    scene.state.choose(112)
    home(app)
    elsewhere = load(scene.state.saver.file)
    elsewhere.play(113)
    save(elsewhere, scene.state.saver.file)
    push(app, "continue")
    assert isinstance(app.scene, Play)
    assert app.scene.state.record == elsewhere
