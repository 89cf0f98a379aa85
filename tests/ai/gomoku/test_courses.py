"""The engine and what is built on it take the course that is written down (`tests/ai/search/test_courses.py`).

`python -m tests.ai.gomoku.test_courses` records it anew after a change of kernels, weights or searches that is meant.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from ai.core.player import Budget, Info, Limit, Stop
from ai.core.score import Score
from ai.gomoku import horizon
from ai.gomoku.engine import RULES, GomokuEngine
from ai.gomoku.gomoku_oracles import PatternsOracle
from ai.gomoku.kernels.layout import TABLES
from ai.gomoku.moves import FULL_WIDTH, GomokuMoves
from ai.gomoku.shape_board import ShapeBoard
from ai.gomoku.tables import build
from ai.gomoku.threat_solver import Proof, ThreatProver, ThreatSolver
from ai.search.workers import MoveScore, Where, Window
from games.formats.text import parse
from games.line import LinePosition
from games.registry import setup

FILE = Path(__file__).parents[2] / "data" / "courses" / "gomoku.json"


def on(moves: str, rule: str = "freestyle", size: int = 15) -> LinePosition:
    position = parse(moves, setup("gomoku", size, rule)).position
    assert isinstance(position, LinePosition)
    return position


QUIET, THREE = on("h8i9g7i7"), on("h8a1i8a15j8o1")
FOUR = on("h8a1i8a15j8o1k8o15")
CROSSED = on("e5e6f5a3g4a5g3a9", size=9)
LOST = on("h8a1h9a3h10a5h11")
FORBIDDEN = on("e8d4f8e5g8f6h9a15h10d13h11o1c3", "renju")


def lines(info: Info) -> list[Any]:
    assert 0 <= info.seconds < 600
    return [info.move, info.score, info.depth, info.nodes, *([line.score, *line.moves] for line in info.lines)]


def engine(position: LinePosition, limit: Limit, **arguments: Any) -> dict[str, Any]:
    """What it tells, with its statistics, and a small tree of its table."""
    player = GomokuEngine(memory_mb=1, **arguments)
    assert player.nodes == 0
    infos = list(player.think(position, limit, Stop()))
    depths = infos[-1].depths
    rows = [[row.depth, 0 <= row.seconds < 600, row.nodes, row.hits, row.cuts, row.first_cuts] for row in depths]
    tree = player.table_tree(position, 100)
    assert tree is not None
    names = ("move", "turn", "value", "end", "size", "ply", "best", "depth", "kind")
    columns = [list(getattr(tree, name)) for name in names]
    again = lines(list(player.think(position, limit, Stop()))[-1])
    sums = [crc32(json.dumps(column).encode()) for column in columns]
    return {"told": [lines(info) for info in infos], "depths": rows, "tree": sums, "again": again}


def written(proof: Proof | None) -> Any:
    """A proof as lists."""
    if proof is None:
        return None
    rest = [[move, written(each)] for move, each in proof.defences]
    return [proof.move, proof.plies, proof.size, proof.forbidden, proof.whole, rest]


def threats(position: LinePosition, **arguments: Any) -> list[Any]:
    """What the solver proves, and what it costs."""
    solver = ThreatSolver()
    assert solver.nodes == 0
    proof = json.dumps(written(solver.prove(position, **arguments))).encode()
    outline = json.dumps(written(solver.prove(position, most=1, **arguments))).encode()
    line, nodes = solver.line(position, **arguments), solver.nodes
    found = [crc32(proof), len(proof), crc32(outline), len(outline), solver.complete, nodes]
    return [*found, None if line is None else [line.moves, line.plies, line.forbidden]]


def prover(position: LinePosition) -> list[Any]:
    found = ThreatProver()
    plies = found.plies(position)
    answers = [found.theme(position), found.line(position), list(found.wins(position))] if plies else []
    return [plies, *answers, list(found.replies(position)) if position is LOST else None]


def _scored(course: Generator[None, None, MoveScore]) -> MoveScore:
    with pytest.raises(StopIteration) as end:
        next(course)
    score: MoveScore = end.value.value
    return score


def moves(position: LinePosition, line: tuple[int, ...], depth: int, late: int = 0, **arguments: Any) -> list[Any]:
    """The scores of single moves, first with the full window, then with a narrow one, verified or not. With
    `late` they are reduced as if they came so many places later, and the table forgets each."""
    player, found = GomokuMoves(memory_mb=1, **arguments), []
    opening = player.open(position, Limit(depth=2), Stop())
    node = Where(position, line)
    named = player.moves(node)
    for index, move in enumerate(list(named)[:6]):
        for window, verify in ((Window(), True), (Window(-300, 300), False), (Window(-300, 300), True)):
            budget = Budget(Limit(), Stop())
            if late:
                player.forget()
            score = _scored(player.score(node, move, index + late, depth, partial(Window, *window), budget, verify))
            found.append([score.score, score.nodes, score.unverified, *score.line])
    return [opening.moves, opening.over, *lines(opening.info), list(named), found]


def guided(*positions: LinePosition) -> list[Any]:
    """What the patterns say: probabilities in thousandths."""
    oracle, found = PatternsOracle(), []
    for position in positions:
        known = oracle.evaluate(position)
        priors = [[move, round(1000 * prior)] for move, prior in known.priors.items()]
        found.append([priors, round(1000 * known.value), known.win, known.plies, known.complete])
    return found


def tables(rule: str, size: int) -> list[int]:
    """A checksum of each field."""
    made = build(RULES[rule], size)
    return [crc32(np.asarray(getattr(made, name), np.int64).tobytes()) for name in TABLES.names or ()]


def shapes(position: LinePosition) -> list[Any]:
    """The patterns of each empty cell, for both sides, and the cells around some."""
    board = ShapeBoard.of(position).with_stone(position.legal_moves()[7], position.turn)
    cells = [cell for cell, stone in enumerate(board.cells) if not stone]
    every = [[*board.patterns(cell, side), board.pattern(cell, 2, side)] for cell in cells for side in (0, 1)]
    around = [list(board.around(cell, way, 2)) for cell in (0, 12, len(board.cells) - 1) for way in range(4)]
    return [board.cells.hex(), crc32(json.dumps(every).encode()), around]


COURSES: dict[str, Callable[[], Any]] = {
    "quiet": lambda: engine(QUIET, Limit(depth=7)),
    "three lines": lambda: engine(QUIET, Limit(depth=5, lines=3)),
    "interrupted": lambda: engine(QUIET, Limit(nodes=3000), root_vcf=False),
    "an open three": lambda: engine(THREE, Limit(depth=6), root_vcf=False),
    "lost": lambda: engine(LOST, Limit(depth=6)),
    "empty": lambda: engine(on("", size=8), Limit(depth=3)),
    "one move": lambda: engine(on("h8a1h9a3h10a5g8o1h11"), Limit(depth=3, without=frozenset({3}))),
    "fours": lambda: [lines(info) for info in GomokuEngine(memory_mb=1).think(THREE, Limit(), Stop())],
    "a forbidden block": lambda: lines(GomokuEngine(memory_mb=1).vcf(FORBIDDEN) or Info(0)),
    "horizon": lambda: [[each.depth, each.score, each.line, each.nodes, each.refutation]
                        for each in horizon.search_both_depths()],
    "threats": lambda: [threats(CROSSED), threats(CROSSED, first=CROSSED.parse_move("g5")),
                        threats(THREE), threats(FORBIDDEN),
                        threats(QUIET, nodes=3000), threats(CROSSED, nodes=None),
                        *(threats(FOUR, by_threats=False, first=FOUR.parse_move(text)) for text in ("l8", "i9")),
                        threats(CROSSED, by_threats=False, first=CROSSED.parse_move("g5"))],
    "prover": lambda: [prover(each) for each in (CROSSED, THREE, FORBIDDEN, QUIET, LOST)],
    "moves": lambda: moves(QUIET, (), 4) + moves(QUIET, (110, 111), 3, parameters={"REPLY": 1}),
    "late moves": lambda: moves(QUIET, (), 6, late=9) + moves(QUIET, (110,), 5, late=12),
    "moves at full width": lambda: moves(QUIET, (110,), 3, root_vcf=False, parameters={
        key: value for key, value in FULL_WIDTH.items() if key != "root_vcf"}),
    "patterns": lambda: guided(on(""), QUIET, QUIET.play(110), QUIET.play(142), LOST, THREE, CROSSED, FORBIDDEN),
    "shapes": lambda: [shapes(LOST), shapes(on("e5e6f5a3g4a5g3a9", "renju", 9)), shapes(on("c3b2c4", "standard", 5))],
    **{f"tables {rule} {size}": lambda rule=rule, size=size: tables(rule, size)
       for rule, size in (("freestyle", 15), ("renju", 9), ("standard", 20))},
}  # fmt: skip


@pytest.mark.parametrize(("plies", "length"), [(9, 2), (5, 1)])
def test_a_window_of_proven_results_is_that_of_the_kernels(plies: int, length: int) -> None:
    window = partial(Window, Score.win_in(plies), Score.win_in(1))
    player, move = GomokuMoves(memory_mb=1, root_vcf=False), CROSSED.parse_move("g5")
    score = _scored(player.score(Where(CROSSED, ()), move, 0, 8, window, Budget(Limit(), Stop()), True))
    assert (score.score, len(score.line)) == (Score.win_in(5), length)


@pytest.mark.parametrize("name", COURSES)
def test_the_engine_takes_its_course(name: str) -> None:
    assert json.loads(json.dumps(COURSES[name]())) == json.loads(FILE.read_text(encoding="utf-8"))[name]


if __name__ == "__main__":
    rows = [f"{json.dumps(key)}: {json.dumps(each())}" for key, each in COURSES.items()]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
