"""The horizon effect: the move of the shallow search loses by force, and that of the deep one does not at once."""

from __future__ import annotations

import pytest

from ai.core.player import Limit, answer
from ai.gomoku import horizon
from ai.gomoku.engine import GomokuEngine
from games.line import LinePosition
from tests.ai.gomoku.vcf_checker import refutation


@pytest.fixture(scope="module")
def engine() -> GomokuEngine:
    return GomokuEngine(memory_mb=16)


def position() -> LinePosition:
    found = horizon.record().position
    assert isinstance(found, LinePosition)
    return found


def test_the_shallow_search_errs_where_the_deep_one_sees(engine: GomokuEngine) -> None:
    shallow, deep = horizon.search_both_depths()
    assert (shallow.depth, deep.depth) == (4, 8)
    assert shallow.line[0] != deep.line[0]
    assert shallow.score > -1000, "nothing bad in sight"
    assert not deep.refutation
    after = position().play(shallow.line[0])
    for move in shallow.refutation:
        after = after.play(move)
    assert after.outcome.winner == 1 - position().turn


def test_the_move_of_the_shallow_search_loses_whatever_is_replied(engine: GomokuEngine) -> None:
    """Proven by the rules alone: the other side wins by fours against every reply."""

    def attack(at: LinePosition) -> int | None:
        found = engine.vcf(at)
        return None if found is None else found.move

    shallow, _ = horizon.search_both_depths()
    assert refutation(position().play(shallow.line[0]), attack) is None


@pytest.mark.slow
def test_the_move_of_the_deep_search_still_holds_at_depth_14(engine: GomokuEngine) -> None:
    _, deep = horizon.search_both_depths()
    info = answer(engine, position().play(deep.line[0]), Limit(depth=14))
    assert info.mate is None or info.mate < 0
