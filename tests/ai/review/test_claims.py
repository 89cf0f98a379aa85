"""What reasons say is true by the rules: of reviewed games of every game and rule, and of shapes on random boards."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from ai.review.gomoku import reason
from ai.review.insights import as_mistake, why_mistake
from ai.review.judgement import MISTAKES
from ai.review.report import stored_review
from ai.review.why import Mistake, Why
from games.formats import load
from games.position import IllegalMove
from games.registry import GAMES, Setup, setup
from tests.ai.review.claims import holds
from tests.ai.review.plain_board import PlainBoard
from tests.ai.review.test_gomoku import RULES, board
from tests.sampling import sampled

REVIEWED = sorted((Path(__file__).parents[2] / "data" / "reviewed").glob("*.tengen.json"))


@pytest.mark.slow
def test_most_mistakes_have_a_reason_and_none_is_false() -> None:
    counts, seen = Counter[object](), set[Setup]()
    for file in REVIEWED:
        review = stored_review(load(file), 0.1)
        seen.add(review.record.setup)
        for move in review.moves:
            if move.kind in MISTAKES:
                why = why_mistake(move)
                verdict = "none" if why is None else holds(as_mistake(move), why)
                assert verdict is not False, (file.name, move.node.position.ply, why)
                counts[verdict] += 1
    assert seen == {setup(key, rule=rule) for key, game in GAMES.items() for rule in game.rules}
    assert counts.total() >= 50
    assert counts["none"] <= 0.2 * counts.total(), counts
    assert counts[True] >= 0.4 * counts.total(), counts


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", sampled(list(range(4)), 1))
def test_shapes_are_those_of_rows_counted_on_the_board(rule: str, seed: int) -> None:
    dice, position = random.Random(seed), setup("gomoku", rule=rule).start()
    middle = [15 * row + column for row in range(4, 11) for column in range(4, 11)]
    for cell in dice.sample(middle, dice.randint(6, 36)):
        try:
            following = position.play(cell)
        except IllegalMove:
            continue
        if following.outcome is None:
            position = following
    plain = PlainBoard.of(position)
    for cell in plain.near():
        assert plain.reason(cell, position.turn) == reason(position, cell), position.move_text(cell)


@pytest.mark.parametrize(
    ("black", "white", "played", "best", "why"),
    [
        ("h8 i8 j8", "h7 i7 j7", "a1", "k8", Why("win_at_once", 0)),
        ("h8 i8 c3", "h7 i7", "a1", "g7", Why("ignores", 0, "open_three")),
        ("h8 i8 g7", "h7 i7 j7", "a1", "k7", Why("ignores", 0, "open_three")),  # a three that is blocked
        ("d8 a1 c3", "e8 f8 h6 h7", "o15", "h8", Why("allows", 0, "four_three")),
        ("e8 f8 g8 h6 h7", "d8 a1 c3 n2", "o15", "h8", Why("misses", 0, line=(0,), fours=True, count=1)),
        ("h8 i8 j8", "f8 h7 i7", "k8", "g7", Why("wastes", 0, "four")),
        ("h8 d4", "h7 i7", "a15", "l2", Why("overlooks", 0)),
        ("h8", "g7", "m3", "o1", Why("strays", 0, count=5)),
    ],
)
def test_a_false_claim_is_found_out(black: str, white: str, played: str, best: str, why: Why) -> None:
    position = board(black, white)
    cells = [position.parse_move(text) for text in (played, best)]
    mistake = Mistake(position, *cells)
    assert holds(mistake, replace(why, move=cells[1])) is False
