"""Wins that patterns alone claim, against every defence, by the rules in games/."""

from __future__ import annotations

import random

import pytest

from ai.gomoku.engine import RULES
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.board import count, kind_of, make, undo
from ai.gomoku.kernels.layout import NO_MOVE, NO_SCORE, WIN
from ai.gomoku.kernels.movegen import answers, four_three_threat
from ai.gomoku.kernels.quiescence import danger, exact_score, wins_in_five
from ai.gomoku.tables import build
from games.formats.text import parse
from games.line import EMPTY, LinePosition
from games.position import IllegalMove
from games.registry import setup
from tests.ai.gomoku.plain_vcf import fives, fours

SIZE = 11


def claims(position: LinePosition) -> list[int]:
    """The moves with which the kernel may have claimed a win in five plies; empty if it claims none."""
    board = Board(build(RULES[position.rules.rule], position.rules.width), 1023)
    board.set(position)
    st, side = board.state, position.turn
    faster = count(st, side, p.FIVE) + count(st, 1 - side, p.FIVE) + count(st, side, p.OPEN_FOUR)
    if faster or not wins_in_five(st, board.tables):
        return []
    kinds, size = board.kinds(side), position.rules.width
    return [
        move
        for move in position.legal_moves()
        if kinds[(move // size + 5) * 32 + move % size + 5] in (p.FOUR_THREE, p.THREE_THREE)
    ]


def wins_in_three(position: LinePosition) -> bool:
    """Whether the side to move wins in three plies at most, whatever the reply."""
    if fives(position, position.turn):
        return True
    danger = fives(position, 1 - position.turn)
    return any(
        after.outcome is None and len(fives(after, position.turn)) > 1 and not fives(after, after.turn)
        for move, after in fours(position).items()
        if danger <= {move}
    )


def refutation(position: LinePosition, move: int) -> int | None:
    """The first reply to `move` after which the mover does not win in three plies, or None."""
    after = position.play(move)
    assert after.outcome is None
    for reply in (cell for cell, stone in enumerate(after.cells) if stone == EMPTY):
        try:
            answered = after.play(reply)
        except IllegalMove:
            continue
        if answered.outcome is not None or not wins_in_three(answered):
            return reply
    return None


def dense(dice: random.Random, rule: str) -> LinePosition | None:
    """Stones near the centre, of both sides by turns; None if that ends the game."""
    position = parse("", setup("gomoku", SIZE, rule)).position
    assert isinstance(position, LinePosition)
    for _ in range(dice.randint(9, 22)):
        move = dice.choice(position.candidates()) if dice.random() < 0.7 else dice.choice(position.legal_moves())
        position = position.play(move)
        if position.outcome is not None:
            return None
    return position


def check(rule: str, wanted: int) -> None:
    """Check the first `wanted` claims in random positions by a search that knows the rules alone."""
    dice = random.Random(f"five {rule}")
    while wanted > 0:
        position = dense(dice, rule)
        moves = [] if position is None else claims(position)
        if position is not None and moves:
            assert any(refutation(position, move) is None for move in moves), position.cells
            wanted -= 1


@pytest.mark.parametrize("rule", RULES)
def test_a_claimed_win_in_five_plies_stands_against_every_reply(rule: str) -> None:
    check(rule, 4)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_every_claimed_win_in_five_plies_stands_against_every_reply(rule: str) -> None:
    check(rule, 60)


@pytest.mark.parametrize(
    ("rule", "moves", "claimed"),
    [
        pytest.param("freestyle", "f6a1g6a3e7b9e8k2", True, id="two threes, and no four to answer with"),
        pytest.param("freestyle", "f6a1g6a2e7a3e8k2", False, id="two threes, and a four to answer with"),
        pytest.param("renju", "f6a1g6a3e7b9e8k2", False, id="black may not make two threes"),
        pytest.param("renju", "a1f6a3g6b9e7k2e8k9", True, id="white may"),
        pytest.param("standard", "c6b6d6a1e6k1f7k11f8a11", True, id="a four with a three"),
        pytest.param("standard", "c6b6d6g7e6g8f7g9f8a1g10k1", False, id="the reply makes a four"),
        pytest.param("renju", "c6b6d6a1e6k1f7k11f8a11", True, id="a four with a real three"),
        pytest.param("renju", "c6b6d6a1e6k1f7f4f8b9c9k11d9a11e9k9g9c1h9i1", False, id="the straight four is forbidden"),
        pytest.param("standard", "c6b6d6a1e6k1f7f4f8b9", True, id="the straight four is not"),
    ],
)
def test_four_threes_and_double_threes_claim_a_win_where_nothing_answers(rule: str, moves: str, claimed: bool) -> None:
    position = parse(moves, setup("gomoku", SIZE, rule)).position
    assert isinstance(position, LinePosition)
    found = claims(position)
    assert bool(found) == claimed
    assert not found or any(refutation(position, move) is None for move in found)


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_a_move_that_does_not_answer_a_four_three_loses(rule: str) -> None:
    """It is no four, and after it the patterns prove the win at once; most moves are of this kind."""
    dice = random.Random(f"four-three {rule}")
    board = Board(build(RULES[rule], SIZE), 1023)
    st, tables, losing, tried, seen = board.state, board.tables, 0, 0, 0
    while seen < 12:
        position = dense(dice, rule)
        if position is None or fives(position, 1 - position.turn):
            continue
        board.set(position)
        threat = 0 if danger(st) or exact_score(st, tables, 0) != NO_SCORE else four_three_threat(st, tables)
        seen += threat != 0
        for move in position.legal_moves() if threat else ():
            cell = (move // SIZE + 5) * 32 + move % SIZE + 5
            if p.FOUR <= kind_of(st, cell, position.turn) <= p.OPEN_FOUR:
                continue
            tried += 1
            if not answers(st, tables, cell, NO_MOVE, threat):
                make(st, tables, cell)
                losing += 1
                assert exact_score(st, tables, 1) == WIN - 6, (position.cells, move)
                undo(st, tables)
    assert losing > tried // 2
