"""Searches take the course that is written down: which answers, and which nodes in which order, with which values.

Other tests prove that values are right. This one notices when a search goes another way to them, such as when its moves
are ordered otherwise, or tasks go to other workers. `python -m tests.ai.search.test_courses` records them anew after a
change that is meant to do so.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from ai.core.player import Limit, Player, Stop
from ai.distributed.cluster_player import Sharer
from ai.players.table import Context, make
from ai.search.alphabeta import AlphaBeta, Parts
from ai.search.coordinator import Coordinator
from ai.search.mcts import Mcts
from ai.search.mcts_tree import uct
from ai.search.oracles import PlayoutOracle
from ai.search.parallel import Parallel, Way, division
from ai.search.shared_tree import EXTRA, SharedSteps, SharedTree
from ai.search.splitting import PrincipalVariation
from ai.search.trace import End, Trace, Traceable, document
from ai.search.workers import Work
from games.formats.text import parse
from games.position import Position
from games.registry import setup
from tests.ai.distributed.played import Shuffled
from tests.games.sowing import SowingPosition

FILE = Path(__file__).parents[2] / "data" / "courses" / "search.json"

SOWING = SowingPosition()
"""In which a side may be to move again."""


def at(moves: str, game: str, size: int | None = None) -> Position:
    return parse(moves, setup(game, size)).position


FOUR = at("d d c e", "connect4")
FIVE = at("d4 a1 e4 g1 f4", "gomoku", 7)
THREE = at("b2 a1", "tictactoe")


def course(player: Any, position: Position, limit: Limit) -> dict[str, Any]:
    """What the player says and, if it can write it down, what it does: a checksum for each column of its tree."""
    if isinstance(player, Traceable):
        player.trace = Trace()
    assert player.nodes == 0
    told = [
        [info.move, info.score, info.depth, info.nodes, info.complete, 0 <= info.seconds < 600,
         *([line.score, line.exact, list(line.moves)] for line in info.lines)]
        for info in player.think(position, limit, Stop())
    ]  # fmt: skip
    if isinstance(player, Mcts):
        told = [told[0], told[-1]]  # the others are told as time passes
    found: dict[str, Any] = {"last": told[-1], "nodes": player.nodes, "told": crc32(json.dumps(told).encode())}
    trace = player.trace if isinstance(player, Traceable) else None
    if trace is not None:
        columns = {name: list(getattr(trace, name)) for name, _ in trace.ARRAYS} | document(trace, "", position, [])
        found |= {name: crc32(json.dumps(column).encode()) for name, column in columns.items()}
    return found


def crew(way: Way, parts: Parts, position: Position, limit: Limit) -> dict[str, Any]:
    """The course of a search by several workers, with what each of them does, and what is searched in vain."""
    player, alone = Parallel(way, parts), Parallel(Way(1, way.split, simulated=True), parts)
    found, tree = course(player, position, limit), player.trace
    assert isinstance(tree, SharedTree)
    alone.trace = Trace()
    list(alone.think(position, limit, Stop()))
    tree.mark_extra(alone.trace)
    steps = SharedSteps(tree)
    rows = [[each.worker, each.began, each.ended, each.node, each.dropped] for each in tree.stretches]
    stopped = [node for node in range(len(tree)) if tree.end[node] == End.STOPPED][:9]
    nodes = [[*steps.node(step), steps.visited(step), *(steps.value(node, step) for node in (0, *stopped))]
             for step in range(-1, tree.span + 2, 11)]  # fmt: skip
    parts = division(tree, position, way.workers)
    return found | {
        "stretches": crc32(json.dumps(rows).encode()), "steps": crc32(json.dumps(nodes).encode()),
        "span": [player.span, tree.span, tree.workers, tree.count_marked(EXTRA), tree.alone],
        "division": [parts.alone, parts.shared, parts.nodes, parts.answered],
    }  # fmt: skip


def interrupted(player: Player, position: Position, depth: int | None) -> list[Any]:
    """What a search says that ends after some nodes."""
    found = []
    for nodes in range(10, 600, 80):
        *_, info = player.think(position, Limit(depth=depth, nodes=nodes), Stop())
        lines = [[line.score, line.exact, list(line.moves)] for line in info.lines]
        found.append([info.move, info.score, info.depth, info.nodes, info.complete, lines])
    return [found[-1], crc32(json.dumps(found).encode())]


def cluster(position: Position, limit: Limit, **grain: Any) -> list[Any]:
    """What the workers of a cluster are asked, one after the other, what each is doing, and what follows from it."""
    rows = []

    class Watched(Shuffled):
        def send(self, *request: Any) -> None:
            rows.append([[row.name, row.line, row.depth] for row in search.rows])
            super().send(*request)

    workers = Watched(3)
    policy = PrincipalVariation(**{"first": 1, "least": 2, "work": 0.0, "seconds": 0.0, **grain})
    work = Work("course", Sharer("alphabeta", Context(position.game)))
    search = Coordinator(lambda: workers, work, position, limit, Stop(), policy)
    told = [
        [info.move, info.score, info.depth, info.nodes, info.complete, 0 <= info.seconds < 600,
         [[line.score, line.moves] for line in info.lines],
         [[row.depth, row.nodes, row.line.score] for row in info.depths]]
        for info in search.deepen()
    ]  # fmt: skip
    asked = [
        [worker, each.node.line, each.depth, each.moves, each.window, each.rises, each.verify, each.entered,
         None if each.limit is None else [each.limit.depth, each.limit.nodes, each.limit.lines]]
        for worker, each in workers.sent
    ]  # fmt: skip
    sums = [crc32(json.dumps(each).encode()) for each in (told, asked, rows)]
    return [told[-1], search.nodes, search.again, len(asked), *sums]


ALONE: dict[str, tuple[str, Position, Limit]] = {
    f"{name} {number}": (name, position, limit)
    for name, *searches in (
        ("minimax", (THREE, Limit(depth=4, lines=2)), (FOUR, Limit(nodes=200)), (SOWING, Limit(depth=4)),
         (FOUR, Limit(depth=1))),
        ("minimax:distance=0", (at("b2 a1 a3", "tictactoe"), Limit(lines=9)),),
        ("minimax:expect=0.3", (at("b2 a1 a3", "tictactoe"), Limit(lines=2)), (FOUR, Limit(depth=3)),
         (SOWING, Limit(depth=4)), (FOUR, Limit(nodes=200))),
        ("minimax:expect=0.3,distance=0", (at("b2 a1 a3", "tictactoe"), Limit()),),
        ("alphabeta", (THREE, Limit()), (FOUR, Limit(depth=4, lines=2)), (FIVE, Limit(depth=2)),
         (FIVE, Limit(nodes=300)), (FOUR, Limit(nodes=900, lines=2)), (SOWING, Limit(depth=5)),
         (at("", "bones", 12), Limit())),
        ("alphabeta:distance=0", (at("b2 a1", "tictactoe"), Limit()),),
        ("alphabeta:pvs=1", (FOUR, Limit(depth=5)), (SOWING, Limit(depth=6)), (THREE, Limit())),
        ("alphabeta:quiescence=1", (at("d a d a", "connect4"), Limit(depth=3)), (FIVE, Limit(depth=1))),
        ("alphabeta:quiescence=1,pvs=1,ordering=0,deepening=0", (at("d a d", "connect4"), Limit(depth=2)),),
        ("alphabeta:deepening=0,selection=0", (FOUR, Limit(depth=4)), (FOUR, Limit(depth=8, nodes=500))),
        ("random", (at("", "bones", 1), Limit()),),
        ("mcts:c=0.6", (THREE, Limit(nodes=60, lines=3)), (FOUR, Limit(depth=4, lines=2)), (SOWING, Limit(nodes=40))),
    )
    for number, (position, limit) in enumerate(searches, 1)
}  # fmt: skip

TOGETHER: dict[str, tuple[Way, Parts, Position, Limit]] = {
    "brothers": (Way(3, simulated=True), Parts(), FOUR, Limit(depth=4)),
    "brothers, plainly": (Way(2, simulated=True), Parts(table=False, deepening=False), SOWING, Limit(depth=6)),
    "brothers, several lines": (Way(3, simulated=True), Parts(), FOUR, Limit(depth=3, lines=3)),
    "brothers, interrupted": (Way(3, simulated=True), Parts(), FOUR, Limit(depth=9, nodes=700)),
    "brothers, large tasks": (Way(4, grain=3, simulated=True), Parts(ordering=False), SOWING, Limit(depth=7)),
    "the root": (Way(4, "root", simulated=True), Parts(), FOUR, Limit(depth=4)),
    "the root, without distance": (Way(2, "root", simulated=True), Parts(distance=False), THREE, Limit()),
    "lazy": (Way(3, "lazy"), Parts(), FOUR, Limit(depth=4)),
    "lazy, interrupted": (Way(4, "lazy"), Parts(), SOWING, Limit(nodes=400)),
}

COURSES: dict[str, Callable[[], Any]] = {
    **{key: lambda name=name, rest=rest: course(make(name, Context(rest[0].game)), *rest)
       for key, (name, *rest) in ALONE.items()},
    **{key: lambda given=given: crew(*given) for key, given in TOGETHER.items()},
    "a cluster": lambda: cluster(FOUR, Limit(depth=5)),
    "a cluster, several lines": lambda: cluster(FOUR, Limit(depth=4, lines=2)),
    "a cluster, to the end": lambda: cluster(THREE, Limit()),
    "a cluster, whole moves": lambda: cluster(FOUR, Limit(nodes=900), least=4, seconds=1e9),
    "brothers, interrupted anywhere": lambda: interrupted(Parallel(Way(3, simulated=True)), FOUR, None),
    "brothers, interrupted at one depth": lambda: interrupted(
        Parallel(Way(3, simulated=True), Parts(deepening=False)), FOUR, 4
    ),
    "alphabeta, interrupted anywhere": lambda: interrupted(AlphaBeta(), FOUR, None),
    "alphabeta, interrupted at one depth": lambda: interrupted(AlphaBeta(Parts(deepening=False)), FOUR, 4),
    "mcts by playouts": lambda: course(Mcts(PlayoutOracle(2, 1), uct, 1.2), FOUR, Limit(nodes=80)),
}  # fmt: skip


@pytest.mark.parametrize("name", COURSES)
def test_a_search_takes_its_course(name: str) -> None:
    assert json.loads(json.dumps(COURSES[name]())) == json.loads(FILE.read_text(encoding="utf-8"))[name]


if __name__ == "__main__":
    lines = [f"{json.dumps(key)}: {json.dumps(each())}" for key, each in COURSES.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
