"""Games in a real window: by mouse and by keyboard, in windows of other sizes, and saved through the dialog."""

from __future__ import annotations

import json
import time
from pathlib import Path

from conftest import Start
from driver import Driver
from habits import begin, begin_level, begin_persons, play_persons, played, record_of

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


def test_a_game_against_a_level_is_in_the_profile(start: Start) -> None:
    driver = start()
    begin_level(driver, "tictactoe", 2)
    record = finish(driver)
    assert record.outcome is not None
    assert record.seats[1].player == "level:2"
    driver.click("home", builds="home")  # the result counts when the game is left
    profile = driver.home / "profile.json"
    driver.wait(profile.exists, "the profile")
    (result,) = json.loads(profile.read_text(encoding="utf-8"))["results"]
    won = {None: 0.5, FIRST: 1.0}.get(record.outcome.winner, 0.0)
    assert (result["opponent"], result["score"], result["unrated"]) == ("level:2", won, "")
    driver.message(f"{result['rating']:.0f}")
    driver.click("profile", builds="profile")
    driver.click("recent.0", builds="replay")


def test_a_game_of_gomoku(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku")
    record = finish(driver, choose=-1)
    assert record.outcome is not None
    assert record.outcome.winner == SECOND, "the computer beats a player without a plan"
    assert record.outcome.reason == "line"


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
    driver.wait(lambda: "rematch" in driver.shown["widgets"], "the card of the end")
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


def test_a_game_is_saved_by_the_menu_and_as_through_the_dialog(start: Start, tmp_path: Path) -> None:
    driver = start()
    begin_persons(driver, "tictactoe")
    play_persons(driver, "b2", "a1")
    (kept,) = driver.saved_files()
    kept.unlink()
    driver.choose("menu", "save")
    driver.wait(kept.exists, "the file, written anew")
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
