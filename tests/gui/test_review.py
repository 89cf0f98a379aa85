"""The way of a new player in a real window: lose, have the game reviewed, find the mistake, try again."""

from __future__ import annotations

from conftest import Start
from driver import Driver
from habits import open_setup, record_of
from test_games import answered

from ai.review.kinds import MISTAKES
from ai.review.report import reviewed
from games.formats import load
from games.position import FIRST
from games.record import GameRecord

SCATTERED = "a1 c1 e1 g1 i1 k1 m1 o1 a3 c3 e3 g3 i3 k3 m3 o3 a5 c5 e5 g5"


def lose(driver: Driver) -> GameRecord:
    for move in SCATTERED.split():
        count = len(driver.moves())
        driver.play(move)
        answered(driver, count + 2)
        record = record_of(driver)
        if record.outcome is not None:
            return record
    raise AssertionError("the level does not win")


def review_over(driver: Driver) -> bool:
    widgets = driver.shown["widgets"]
    return "next_mistake" in widgets and "review.cancel" not in widgets


def test_a_lost_game_is_reviewed_and_tried_again(start: Start) -> None:
    driver = start()
    open_setup(driver, "gomoku")
    driver.click("against.level", builds="setup")
    driver.click("start", builds="play")
    lost = lose(driver)
    assert lost.outcome is not None
    assert lost.outcome.winner != FIRST
    (file,) = driver.saved_files()
    driver.click("review", builds="replay")
    driver.wait(lambda: review_over(driver), "the review", 300)
    driver.click("next_mistake")
    driver.click("try_again", builds="play")
    found = reviewed(load(file)).moves  # from the file, in no time
    mistake = next(move for move in found if move.kind in MISTAKES)
    assert mistake.side == FIRST
    position = mistake.node.parent.position if mistake.node.parent else None
    assert position is not None
    driver.play(position.move_text(mistake.best))
    again = driver.wait(lambda: [each for each in driver.saved_files() if each != file], "the new game")
    driver.wait_moves(position.ply + 2, again[0])
    played = load(again[0])
    assert played.line()[position.ply].position == position
    assert played.line()[position.ply + 1].move == mistake.best
    driver.key("Escape")
    driver.scene("replay")
    assert review_over(driver), "what was found is still there"
