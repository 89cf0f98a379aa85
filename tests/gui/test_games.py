"""Whole games in a real window: every kind, by mouse and by keyboard, and all that can be done during one."""

from __future__ import annotations

import time
from pathlib import Path

from conftest import Start
from driver import PATIENCE, Driver
from habits import begin, begin_persons, open_setup, play_persons, played, record_of, seats, think

from ai.player import Limit, Stop
from ai.search.alphabeta import AlphaBeta
from games.position import FIRST, SECOND
from games.record import GameRecord


def finish(driver: Driver, choose: int = 0) -> GameRecord:
    """Plays against the computer, `choose` from the end of the good moves, until the game is over."""
    for _ in range(60):
        record = record_of(driver) if driver.saved_files() else None
        if record is not None and record.outcome is not None:
            return record
        count = len(driver.moves())
        good = list(driver.shown["moves"]) if record is None else texts(record)
        driver.play(good[-1 if choose else 0])
        answered(driver, count + 2)
    raise AssertionError("the game does not end")


def answered(driver: Driver, count: int) -> None:
    """Waits until there are `count` moves, or the game is over."""

    def there() -> bool:
        found = len(driver.moves())
        return found >= count or (found > 0 and record_of(driver).outcome is not None)

    driver.wait(there, f"the move {count}")


def texts(record: GameRecord) -> list[str]:
    return [record.position.move_text(move) for move in record.position.candidates()]


def test_a_game_of_tictactoe(start: Start) -> None:
    driver = start()
    begin(driver, "tictactoe")
    record = finish(driver)
    assert record.outcome is not None
    assert record.outcome.winner != FIRST, "the computer does not lose at tic-tac-toe"
    assert [seat.player for seat in record.seats] == ["person", "alphabeta"]
    assert record.seats[SECOND].seconds == 0.2, "the stepper was clicked to the least"


def test_a_game_of_gomoku(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku")
    record = finish(driver, choose=-1)
    assert record.outcome is not None
    assert record.outcome.winner == SECOND, "the computer beats a player without a plan"
    assert record.outcome.reason == "line"


def test_a_game_of_bones(start: Start) -> None:
    driver = start()
    begin(driver, "bones")
    record = finish(driver)
    assert record.outcome is not None
    assert record.outcome.reason == "heap"
    assert sum(map(int, played(record))) == 21


def test_two_persons(start: Start) -> None:
    driver = start()
    begin_persons(driver, "tictactoe")
    play_persons(driver, "b2", "a3", "a1", "b3", "c3")
    record = record_of(driver)
    assert played(record) == ["b2", "a3", "a1", "b3", "c3"]
    assert record.outcome is not None
    assert record.outcome.winner == FIRST
    driver.key("Escape")
    assert "continue" not in driver.scene("home")["widgets"], "a game that is over is not offered again"
    driver.wait(lambda: driver.settings()["unfinished"] == "", "a game that is over is not offered again")


def test_two_computers_play_by_themselves(start: Start) -> None:
    driver = start()
    open_setup(driver, "tictactoe")
    seats(driver, "alphabeta", "alphabeta")
    driver.click("start", builds="play")
    driver.wait_moves(9)
    record = record_of(driver)
    assert record.outcome is not None
    assert record.outcome.winner is None, "perfect play is a draw"


def test_the_computer_begins_after_swapping_sides(start: Start) -> None:
    driver = start()
    open_setup(driver, "bones")
    seats(driver, "person", "alphabeta")
    think(driver, 1, -3)
    driver.click("side.1", builds="setup")
    driver.click("start", builds="play")
    driver.wait_moves(1)
    driver.play("1")
    driver.wait_moves(3)
    assert [seat.player for seat in record_of(driver).seats] == ["alphabeta", "person"]


def test_the_keyboard_alone_plays_a_game(start: Start) -> None:
    driver = start()
    driver.scene("home")
    with driver.building():
        driver.key("ctrl+n")
    driver.scene("setup")
    names = list(driver.shown["widgets"])
    with driver.building():
        driver.key(*["Tab"] * (names.index("game.tictactoe") + 1), "Return")
    names = list(driver.shown["widgets"])
    with driver.building():  # the focus stays where it was through the change
        steps = names.index("start") - names.index("game.tictactoe")
        driver.key(*["Tab" if steps > 0 else "shift+Tab"] * abs(steps), "space")
    driver.scene("play")
    cursor: tuple[int, int] | None = None
    while True:
        record = record_of(driver) if driver.saved_files() else None
        if record is not None and record.outcome is not None:
            break
        move = best(record) if record is not None else 4
        cursor = walk(driver, cursor, move)
        count = len(driver.moves())
        driver.key("Return")
        answered(driver, count + 2)
    assert record.outcome is not None
    assert record.outcome.winner != SECOND, "a perfect player against a friendly level"
    names = list(driver.shown["widgets"])
    driver.key(*["Tab"] * (names.index("undo") + 1), "space")
    driver.wait(lambda: record_of(driver).outcome is None, "undo")


def walk(driver: Driver, cursor: tuple[int, int] | None, move: int) -> tuple[int, int]:
    """Leads the cursor on the board of three by three to `move` with the arrow keys."""
    if cursor is None:
        driver.key("Right")  # it appears in the middle
        cursor = (1, 1)
    row, column = divmod(move, 3)
    driver.key(*["Down" if row > cursor[0] else "Up"] * abs(row - cursor[0]))
    driver.key(*["Right" if column > cursor[1] else "Left"] * abs(column - cursor[1]))
    return row, column


def best(record: GameRecord) -> int:
    *_, info = AlphaBeta().think(record.position, Limit(depth=9), Stop())
    return info.move


def test_undo_takes_back_both_moves_and_redo_plays_them(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku")
    driver.play("h8")
    driver.wait_moves(2)
    driver.play("a1")
    moves = driver.wait_moves(4)
    driver.click("undo")
    driver.wait_cursor(2)
    driver.key("ctrl+z")
    driver.wait_cursor(0)
    driver.key("ctrl+y")
    driver.wait_cursor(2)
    driver.click("redo")
    driver.wait_cursor(4)
    assert driver.moves() == moves, "nothing that was taken back is lost"
    driver.click("undo")
    driver.wait_cursor(2)
    driver.play("b1")
    driver.wait_moves(6)
    assert played(record_of(driver))[:3] == [*moves[:2], "b1"]


def test_no_late_answer_lands_after_an_undo(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku", thinking=1)  # 3 seconds
    driver.play("h8")
    driver.wait_moves(1)
    time.sleep(0.3)  # it thinks
    driver.click("undo")
    driver.wait_cursor(0)
    time.sleep(3.5)  # the waiting itself is what is tested
    assert driver.moves() == ["h8"]
    driver.play("g7")
    driver.key("m")
    driver.wait(lambda: len(played(record_of(driver))) >= 2, "the answer to the new move")
    assert played(record_of(driver))[0] == "g7"


def test_move_now_cuts_the_thinking_short(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku", thinking=6)  # 30 seconds
    driver.play("h8")
    driver.wait_moves(1)
    time.sleep(0.3)
    driver.click("primary")
    driver.wait(lambda: len(driver.moves()) >= 2, "the answer, long before its time", PATIENCE / 2)


def test_a_click_out_of_turn_or_on_a_stone_changes_nothing(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku", thinking=6)
    driver.play("h8")
    driver.wait_moves(1)
    driver.play("g7")
    driver.message("computer's turn")
    driver.key("m")
    driver.wait_moves(2)
    driver.play("h8")
    driver.message("That place is taken")
    assert len(driver.moves()) == 2


def test_resign(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku")
    driver.play("h8")
    driver.wait_moves(2)
    driver.click("resign")
    driver.wait(lambda: record_of(driver).outcome is not None, "the end")
    outcome = record_of(driver).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (SECOND, "resigned")
    driver.click("undo")
    driver.wait(lambda: record_of(driver).outcome is None, "resigning taken back")
    assert len(played(record_of(driver))) == 2


def test_resign_while_the_computer_thinks(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku", thinking=6)
    driver.play("h8")
    driver.wait_moves(1)
    driver.click("resign")
    driver.wait(lambda: record_of(driver).outcome is not None, "the end")
    outcome = record_of(driver).outcome
    assert outcome is not None
    assert outcome.winner == SECOND


def test_a_new_game_leaves_the_old_one_in_its_file(start: Start) -> None:
    driver = start()
    begin_persons(driver, "tictactoe")
    play_persons(driver, "a1", "b2")
    (old,) = driver.saved_files()
    before = old.read_bytes()
    driver.choose("new", builds="setup")
    driver.click("start", builds="play")
    driver.play("c3")
    driver.wait(lambda: len(driver.saved_files()) == 2, "a second file")
    assert old.read_bytes() == before
    (new,) = set(driver.saved_files()) - {old}
    assert driver.wait_moves(1, new) == ["c3"]


def test_play_again(start: Start) -> None:
    driver = start()
    begin_persons(driver, "tictactoe")
    play_persons(driver, "b2", "a3", "a1", "b3", "c3")
    driver.click("rematch", builds="play")
    driver.play("a1")
    driver.wait(lambda: len(driver.saved_files()) == 2, "a second file")


def test_clicks_hit_their_cells_after_the_window_was_resized(start: Start) -> None:
    driver = start()
    begin_persons(driver, "gomoku")
    play_persons(driver, "h8", "a1")
    driver.resize(1100, 680)
    play_persons(driver, "o15", "c9")
    driver.resize(1700, 1000)
    play_persons(driver, "a15", "o1")
    assert played(record_of(driver)) == ["h8", "a1", "o15", "c9", "a15", "o1"]


def test_clicks_hit_their_cells_in_full_screen(start: Start) -> None:
    driver = start()
    begin_persons(driver, "gomoku")
    before = driver.place()
    corner = driver.shown["moves"]["o1"]
    driver.key("F11")
    driver.wait(lambda: driver.place().get("WIDTH", 0) > before["WIDTH"], "the full screen")
    driver.wait(lambda: driver.shown["moves"]["o1"][0] > corner[0], "the board in full screen")
    play_persons(driver, "o15", "a1")
    driver.key("F11")
    driver.wait(lambda: driver.place() == before, "the window in its old place")
    driver.wait(lambda: driver.shown["moves"]["o1"] == corner, "the board in the window")
    play_persons(driver, "h8", "o1")
    assert played(record_of(driver)) == ["o15", "a1", "h8", "o1"]


def test_the_hint_is_not_played(start: Start) -> None:
    driver = start()
    begin_persons(driver, "gomoku")
    play_persons(driver, "h8")
    driver.key("h")
    driver.click("primary")
    time.sleep(0.3)
    assert driver.moves() == ["h8"]
    play_persons(driver, "i9")
    assert played(record_of(driver)) == ["h8", "i9"]


def test_a_game_is_saved_as_through_the_dialog(start: Start, tmp_path: Path) -> None:
    driver = start()
    begin_persons(driver, "tictactoe")
    play_persons(driver, "b2", "a1")
    (kept,) = driver.saved_files()
    copy = tmp_path / "copy.tengen.json"
    driver.name_file(copy, "", "ctrl+shift+s")
    driver.wait(copy.exists, "the copy")
    assert copy.read_bytes() == kept.read_bytes()
    play_persons(driver, "c3", file=kept)
    assert driver.moves(copy) == ["b2", "a1"], "a copy stays as it was saved"
    driver.name_file(tmp_path / "bare", "", "ctrl+shift+s")
    driver.wait((tmp_path / "bare.tengen.json").exists, "the copy whose name had no ending")
    assert driver.moves(tmp_path / "bare.tengen.json") == ["b2", "a1", "c3"]
    driver.name_file(copy, "", "ctrl+shift+s")  # exists: it asks
    time.sleep(0.3)
    assert driver.moves(copy) == ["b2", "a1"]
    driver.key("Return")
    driver.wait(lambda: driver.moves(copy) == ["b2", "a1", "c3"], "the replaced copy")


def test_a_name_typed_into_the_dialog_keeps_the_ending(start: Start) -> None:
    driver = start()
    begin_persons(driver, "tictactoe")
    play_persons(driver, "b2")
    driver.key("ctrl+shift+s")
    driver.wait(lambda: driver.events("dialog"), "the dialog")
    driver.key("f", "i", "n", "e", "Return")
    driver.wait(lambda: len(driver.saved_files()) == 2, "a second file")
    assert driver.saves / "fine.tengen.json" in driver.saved_files()


def test_save_writes_the_file_anew(start: Start) -> None:
    driver = start()
    begin_persons(driver, "tictactoe")
    play_persons(driver, "b2", "a1")
    (kept,) = driver.saved_files()
    before = kept.read_bytes()
    kept.unlink()
    driver.key("ctrl+s")
    driver.wait(kept.exists, "the file")
    assert kept.read_bytes() == before
    kept.unlink()
    driver.choose("save")
    driver.wait(kept.exists, "the file")
