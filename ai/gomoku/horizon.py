"""The horizon effect, for a lesson: a position in which a shallow search does not see the refutation of its move, and a
deeper search does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ai.core.player import Limit, answer
from ai.gomoku.kernels.parameters import PLAIN, PLAIN_WEIGHTS
from games.formats.text import parse
from games.line import LinePosition
from games.record import GameRecord
from games.registry import setup

GAME, SIZE, RULE = "gomoku", 15, "freestyle"

MOVES = "h8g7g11k10i5i8h7h9g9f10g12g10f11h11e10h13i12i10h10k8"
"""A position from a game of the engine against itself, found by comparing its answers at both depths. Black is to move;
its move at depth 4 lets White win by continuous fours, which takes nine plies."""

SHALLOW, DEEP = 4, 8


@dataclass(frozen=True, slots=True)
class HorizonResult:
    """What the engine found by a search to `depth`: its `score` from the side to move, and its `line`, which begins
    with its move. `refutation` is a win of the other side by continuous fours after that move, empty if there is
    none."""

    depth: int
    score: int
    line: tuple[int, ...]
    nodes: int
    refutation: tuple[int, ...]


def record() -> GameRecord:
    """Return a game record with the position of the lesson at its cursor."""
    return parse(MOVES, setup(GAME, SIZE, RULE))


def search_both_depths() -> Iterator[HorizonResult]:
    """Let the engine search to `SHALLOW` and to `DEEP`, each with an empty table and without quiescence search, and
    look for a refutation of its move. Yield a result for each. The first import may wait for the compilation of the
    engine."""
    from ai.gomoku.engine import GomokuEngine  # late: waits for the compilation

    position = record().position
    assert isinstance(position, LinePosition)
    engine = GomokuEngine(memory_mb=16, root_vcf=False, weights=PLAIN_WEIGHTS, parameters=PLAIN)
    for depth in (SHALLOW, DEEP):
        engine.forget()
        info = answer(engine, position, Limit(depth=depth))
        refuted = engine.vcf(position.play(info.move))
        yield HorizonResult(depth, info.score, info.pv, info.nodes, () if refuted is None else refuted.pv)
    engine.close()
