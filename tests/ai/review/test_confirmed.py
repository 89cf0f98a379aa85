"""Verdicts of 28 moves whose judgement did not hold, by nodes: what is said now rests on proofs, or is an opinion.

`tests/data/reasons.jsonl` has the sentences of version 0.8 and what a strong engine found after either move.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ai.review.insights import why_mistake
from ai.review.judgement import MISTAKES, Judged
from ai.review.why import Why
from games.formats.text import parse
from games.record import GameRecord, Node
from tests.by_nodes import reviewed_by_nodes

ROWS = [json.loads(row) for row in (Path(__file__).parents[2] / "data" / "reasons.jsonl").read_text().splitlines()]
QUICK = {11, 12, 13, 14, 15, 16, 18, 19, 22, 23, 24, 25, 26, 27}
"""Rows that are proven within a second; for the others the engine has all the nodes of a review."""

PROVEN = {0, 2, 21, *QUICK}
"""Rows of which the engine itself proves that the move is not to blame; it may prove more."""


class LastMove(GameRecord):
    """Only its last move is reviewed."""

    def line(self) -> list[Node]:
        return super().line()[-2:]


def judged(row: dict[str, Any], seconds: float) -> tuple[Judged, Why | None]:
    record = parse(row["moves"] + row["played"])
    record.__class__ = LastMove
    [found] = reviewed_by_nodes(record, seconds).moves
    return found, why_mistake(found)


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in range(len(ROWS))]
)
def test_what_was_said_of_a_move_that_is_not_to_blame(number: int) -> None:
    """It missed a win that it still had, or let the other side win that won anyway."""
    row = ROWS[number]
    found, why = judged(row, 0.1 if number in QUICK else 0.5)
    mates = [node.evaluation.mate for node in (found.before, found.node) if node.evaluation and node.evaluation.mate]
    if number in PROVEN or (len(mates) == 2 and (mates[0] > 0) == (mates[1] > 0)):
        assert found.kind not in MISTAKES
        assert why is None or why.kind in ("lost", "hastens")
    elif why is not None:
        opinion = why.seems or why.holds is not None or (why.kind, why.shape) == ("ignores", "open_three")
        assert opinion or found.kind == "inaccuracy"
        assert opinion or why.kind not in ("misses", "may_miss", "loses", "allows", "hastens", "only_move")
    before, after = found.before.evaluation, found.node.evaluation
    assert before is not None
    assert after is not None
    for known, value in ((after, row["value_after_played"]), (before, row["value_after_better"])):
        if known.mate is not None and abs(value) > 29_000:
            assert (known.mate > 0) == ((value > 0) == (found.side == 0)), "what is proven is right"
