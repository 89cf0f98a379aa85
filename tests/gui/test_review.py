"""The way of a new player in a real window: lose, have the game reviewed, see the mistake, find the right move."""

from __future__ import annotations

from pathlib import Path

from conftest import Start
from driver import Driver
from habits import answered, begin_level, record_of

from ai.review.exercises import Deck
from ai.review.judgement import MISTAKES, Judged
from ai.review.report import run_review
from games.formats import load
from games.position import FIRST
from games.record import GameRecord

SCATTERED = "a1 c1 e1 g1 i1 k1 m1 o1 a3 c3 e3 g3 i3 k3 m3 o3 a5 c5 e5 g5"


def lose(driver: Driver) -> GameRecord:
    """Plays without a plan, where there is room, until the level has won."""
    for move in SCATTERED.split():
        record = record_of(driver) if driver.saved_files() else None
        if record is not None and record.outcome is not None:
            return record
        if record is None or record.position.parse_move(move) in record.position.legal_moves():
            count = len(driver.moves())
            driver.play(move)
            answered(driver, count + 2)
    raise AssertionError("the level does not win")


def review_over(driver: Driver) -> bool:
    widgets = driver.shown["widgets"]
    return "next_mistake" in widgets and "review.cancel" not in widgets


def exercise_at(driver: Driver, file: Path) -> Judged:
    """The mistake that cost most, with which trying again begins."""
    found = run_review(load(file)).moves  # from the file, in no time
    return max((move for move in found if move.kind in MISTAKES and move.side == FIRST), key=lambda move: move.loss)


def steer(driver: Driver, move: int) -> None:
    """Play `move` of gomoku with the keyboard: the first arrow shows the cursor in the middle of the board."""
    right, down = move % 15 - 7, 7 - move // 15
    keys = ["Right"] * right + ["Left"] * -right + ["Down"] * down + ["Up"] * -down
    driver.key("Right", *keys, "Return")


def test_a_lost_game_is_reviewed_and_its_mistake_solved_in_six_clicks_and_again_by_keyboard(start: Start) -> None:
    driver = start()
    begin_level(driver, "gomoku", 5)
    lost = lose(driver)
    assert lost.seats[1].player == "level:5"
    assert lost.outcome.winner != FIRST
    (file,) = driver.saved_files()
    driver.click("review", builds="replay")
    driver.wait(lambda: review_over(driver), "the review", 300)
    driver.click("try_again", builds="mistakes")
    assert len(driver.pressed) <= 6, "besides the moves"
    mistake, deck = exercise_at(driver, file), Deck(driver.home / "exercises.sqlite")
    assert mistake.move != mistake.best
    count = deck.counts()
    assert count.due == count.total > 0
    position = mistake.before.position
    driver.play(position.move_text(mistake.move))
    driver.wait(lambda: deck.counts().due == count.due - 1, "the verdict: wrong")
    assert deck.counts().solved == 0
    driver.click("retry", builds="mistakes")
    assert "line" not in driver.shown["widgets"]
    driver.play(position.move_text(mistake.best))
    driver.wait(lambda: "line" in driver.shown["widgets"], "the verdict: right")
    assert driver.saved_files() == [file], "an exercise is no game"
    driver.key("r")
    driver.wait(lambda: "line" not in driver.shown["widgets"], "another try")
    steer(driver, mistake.best)
    driver.wait(lambda: "line" in driver.shown["widgets"], "the verdict: right")
    driver.key("Escape")
    driver.scene("replay")
    assert review_over(driver), "what was found is still there"
