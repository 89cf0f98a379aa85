"""Looking back at earlier moves of a game in a real window, while it goes on."""

from __future__ import annotations

from collections.abc import Callable

from games.formats import load
from games.record import GameRecord
from tests.gui.driver import Driver

Start = Callable[..., Driver]


def record_of(driver: Driver) -> GameRecord:
    (file,) = driver.saved_files()
    return load(file)


def begun(start: Start) -> Driver:
    """A game of tic-tac-toe against a level, after a move of each side."""
    driver = start()
    driver.click("card.tictactoe", "setup")
    driver.click("start", "play")
    driver.play("b2")
    driver.wait_moves(2)
    return driver


def test_a_click_on_an_earlier_move_looks_back_and_the_game_goes_on(start: Start) -> None:
    driver = begun(start)
    driver.resize(1200, 760)  # the places of the moves are told when a scene is built
    driver.click("move.1")
    driver.play("a1" if "a1" not in driver.moves() else "c3")
    driver.message("computer's turn")
    assert record_of(driver).position.ply == 2
    driver.key("End")
    free = next(move for move in ("a1", "c3", "a3") if move not in driver.moves())
    driver.play(free)
    driver.wait_moves(4)
    assert record_of(driver).position.ply == 4


def test_a_move_elsewhere_is_asked_for_and_keeps_what_was_played(start: Start) -> None:
    driver = begun(start)
    reply = driver.moves()[1]
    driver.key("Page_Up", "Page_Up")
    other = "a1" if reply != "a1" else "c3"
    driver.play(other)
    driver.message("Play on from here?")
    assert len(driver.moves()) == 2
    driver.click_at(*driver.events("menu")[-1]["widgets"]["branch"])
    driver.wait(lambda: len(driver.moves()) >= 4, "the variation and its answer")
    assert [child.position.move_text(child.move or 0) for child in record_of(driver).root.children] == ["b2", other]


def test_a_finished_game_is_not_un_ended_by_a_click(start: Start) -> None:
    driver = begun(start)
    with driver.building():
        driver.click("resign")
    driver.wait(lambda: record_of(driver).outcome is not None, "the end in the file")
    before = driver.saved()
    driver.click("move.1")
    driver.play("a1")
    driver.message("The game is over")
    assert driver.saved() == before
