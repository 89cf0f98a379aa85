"""The way of a new player in a real window: lose, have the game reviewed, see the mistake, try again, win."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from conftest import Start
from driver import Driver
from habits import begin_level, record_of
from test_games import answered

from ai.player import Limit, answer
from ai.players import Context, make
from ai.review.kinds import MISTAKES
from ai.review.report import reviewed
from games.formats import load
from games.position import FIRST, Position
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


def win(driver: Driver, start: Position, old: Path) -> GameRecord:
    """Plays on from `start`, in another file than `old`, as well as the engine can, until the game is over."""
    engine, position = make("engine", Context("gomoku", memory_mb=32)), start
    while True:
        driver.play(position.move_text(answer(engine, position, Limit(seconds=1.0)).move))
        (file,) = driver.wait(lambda: [each for each in driver.saved_files() if each != old], "the new game")
        record: GameRecord = driver.wait(partial(beyond, file, position.ply + 2), "the answer")
        if record.outcome is not None:
            return record
        position = record.position


def beyond(file: Path, ply: int) -> GameRecord | None:
    """The game in `file` once it has `ply` moves or is over."""
    record = load(file)
    return record if record.outcome is not None or record.position.ply >= ply else None


def review_over(driver: Driver) -> bool:
    widgets = driver.shown["widgets"]
    return "next_mistake" in widgets and "review.cancel" not in widgets


def test_a_lost_game_is_reviewed_tried_again_and_won_in_six_clicks(start: Start) -> None:
    driver = start()
    begin_level(driver, "gomoku", 5)
    lost = lose(driver)
    assert lost.seats[1].player == "level:5"
    assert lost.outcome is not None
    assert lost.outcome.winner != FIRST
    (file,) = driver.saved_files()
    driver.click("review", builds="replay")
    driver.wait(lambda: review_over(driver), "the review", 300)
    driver.click("try_again", builds="play")
    assert len(driver.pressed) <= 6, "besides the moves"
    found = reviewed(load(file)).moves  # from the file, in no time
    mistake = max((move for move in found if move.kind in MISTAKES and move.side == FIRST), key=lambda move: move.loss)
    assert mistake.node.parent is not None
    won = win(driver, mistake.node.parent.position, file)
    assert won.line()[mistake.number].position == mistake.node.parent.position
    assert won.outcome is not None
    assert won.outcome.winner == FIRST
    driver.key("Escape")
    driver.scene("replay")
    assert review_over(driver), "what was found is still there"
