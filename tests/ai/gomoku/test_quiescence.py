"""Wins that patterns alone claim, against every defence, by the rules in games/."""

from __future__ import annotations

import random

import pytest

from ai.gomoku.engine import RULES
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.board import count
from ai.gomoku.kernels.quiescence import wins_in_five
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
