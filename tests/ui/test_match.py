"""A game under way, without a window: seats, undo, and the race between an undo and an engine's answer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import pytest

from ai.alphabeta import AlphaBeta
from ai.player import Info, Limit, Player, Stop
from ai.random_player import RandomPlayer
from ai.worker import Worker
from games.position import IllegalMove, Position
from games.record import PERSON, GameRecord, Seat, path
from games.registry import GAMES, setup
from ui.match import Match

ENGINE = Seat("alphabeta", seconds=0.05)
HUMAN = Seat(PERSON)


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


def match_of(
    worker: Worker, game: str, *seats: Seat, make: Callable[[str], Player] | None = None, size: int | None = None
) -> Match:
    record = GameRecord(setup(game, size), (seats[0], seats[1]))
    made = Match(record, worker, pace=0.0, make=make or (lambda _name: AlphaBeta()))
    made.open()
    return made


def run(match: Match, until: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "waited in vain"
        match.update()
        time.sleep(0.0005)


def moves(match: Match) -> list[int]:
    return [node.move for node in path(match.record.cursor) if node.move is not None]


class Slow:
    """Answers only when stopped."""

    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield Info(position.legal_moves()[0])
        while not stop.is_set():
            time.sleep(0.0005)


@pytest.mark.parametrize("game", GAMES)
def test_two_engines_play_to_the_end(worker: Worker, game: str) -> None:
    match = match_of(worker, game, ENGINE, ENGINE, size=6 if game == "gomoku" else None)
    run(match, lambda: match.record.outcome is not None, 60)
    assert not match.thinking
    assert all(node.evaluation is not None for node in path(match.record.cursor)[:-1])


def test_a_person_moves_and_the_engine_replies(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", HUMAN, ENGINE)
    match.play(4)
    run(match, lambda: len(moves(match)) == 2)
    assert match.person_to_move
    assert match.record.cursor.seconds is not None


def test_engine_begins_when_it_has_the_first_seat(worker: Worker) -> None:
    match = match_of(worker, "bones", ENGINE, HUMAN)
    run(match, lambda: len(moves(match)) == 1)


def test_a_click_while_the_engine_is_to_move_does_nothing(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", HUMAN, ENGINE, make=lambda _: Slow())
    match.play(4)
    match.play(0)
    assert moves(match) == [4]


def test_an_illegal_click_raises_and_changes_nothing(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", HUMAN, HUMAN)
    match.play(4)
    with pytest.raises(IllegalMove):
        match.play(4)
    assert moves(match) == [4]


def test_undo_takes_back_the_reply_and_the_own_move_and_redo_brings_both(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", HUMAN, ENGINE)
    match.play(4)
    run(match, lambda: len(moves(match)) == 2)
    played = moves(match)
    assert match.undo()
    assert moves(match) == []
    assert match.person_to_move
    assert not match.undo()
    assert match.redo()
    assert moves(match) == played
    assert not match.redo()


def test_undo_while_the_engine_thinks_takes_back_only_the_own_move(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", HUMAN, ENGINE, make=lambda _: Slow())
    match.play(4)
    assert match.thinking
    match.undo()
    assert moves(match) == []
    assert not match.thinking


def test_undo_does_not_take_back_the_engines_first_move(worker: Worker) -> None:
    match = match_of(worker, "bones", ENGINE, HUMAN)
    run(match, lambda: len(moves(match)) == 1)
    assert not match.undo()
    assert len(moves(match)) == 1


def test_undo_of_a_resignation_goes_on_with_the_game(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", HUMAN, HUMAN)
    match.play(4)
    match.resign()
    assert match.record.outcome is not None
    assert match.record.outcome.winner == 0
    match.undo()
    assert match.record.outcome is None
    assert moves(match) == [4]


def test_resigning_while_the_engine_thinks_loses_for_the_person(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", HUMAN, ENGINE, make=lambda _: Slow())
    match.play(4)
    match.resign()
    assert match.record.outcome is not None
    assert match.record.outcome.winner == 1
    assert not match.thinking


def test_looking_back_does_not_make_the_engine_play_another_game(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", HUMAN, ENGINE)
    match.play(4)
    run(match, lambda: len(moves(match)) == 2)
    end = match.record.cursor
    match.go_to(path(end)[1])
    assert match.waiting
    assert not match.thinking
    match.resume()
    assert match.thinking
    match.go_to(end)
    assert not match.waiting
    assert match.person_to_move


def test_move_now_makes_a_slow_engine_answer(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", HUMAN, ENGINE, make=lambda _: Slow())
    match.play(4)
    match.move_now()
    run(match, lambda: len(moves(match)) == 2, 5)


def test_pause_and_resume_of_two_engines(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", ENGINE, ENGINE, make=lambda _: Slow())
    match.pause()
    assert match.waiting
    assert not match.thinking
    match.resume()
    assert match.thinking


class Faulty:
    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        raise RuntimeError("a fault")
        yield


def test_a_failing_engine_waits_and_loses_nothing(worker: Worker) -> None:
    match = match_of(worker, "tictactoe", HUMAN, ENGINE, make=lambda _: Faulty())
    match.play(4)
    run(match, lambda: match.error is not None)
    assert match.waiting
    assert moves(match) == [4]


def test_an_engine_with_an_illegal_answer_loses_nothing(worker: Worker) -> None:
    class Cheat:
        nodes = 0

        def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
            yield Info(4)

    match = match_of(worker, "tictactoe", HUMAN, ENGINE, make=lambda _: Cheat())
    match.play(4)
    run(match, lambda: match.error is not None)
    assert match.waiting
    assert moves(match) == [4]


def test_a_thousand_undos_against_answers_on_their_way_land_nothing(worker: Worker) -> None:
    """Provokes the race: the undo comes before, while, and after the answer is put into the queue."""
    dice = random.Random(7)
    fast = RandomPlayer(1)
    match = match_of(worker, "gomoku", HUMAN, ENGINE, make=lambda _: fast)
    for turn in range(1000):
        own = turn % 225
        match.play(own)
        time.sleep(dice.choice((0.0, 0.0, 0.0001, 0.0003, 0.001)))
        if dice.random() < 0.3:
            match.update()
        match.undo()
        assert moves(match) == []
        for _ in range(3):
            match.update()
        assert moves(match) == [], turn
        assert match.person_to_move
    time.sleep(0.05)
    match.update()
    assert moves(match) == []


def test_every_change_is_announced(worker: Worker) -> None:
    seen: list[int] = []
    record = GameRecord(setup("tictactoe"), (HUMAN, HUMAN))
    match = Match(record, worker, changed=lambda: seen.append(len(path(record.cursor))))
    match.play(0)
    match.play(1)
    match.undo()
    match.redo()
    match.resign()
    assert seen == [2, 3, 2, 3, 3]
