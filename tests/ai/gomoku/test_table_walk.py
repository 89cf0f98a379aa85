"""The tree of the engine's table against the table itself, probed position by position."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import main
from ai.core.player import DepthStats, Info, Limit, Line, Stop, answer
from ai.core.score import Score
from ai.gomoku import engine as engine_module
from ai.gomoku.engine import RULES, GomokuEngine
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels import tt
from ai.gomoku.kernels.layout import BUSY_SLOTS, PROVEN, WIN
from ai.gomoku.table_walk import Counts, Deepening, DepthRows, Iteration, Searched, table_tree
from ai.gomoku.tables import build, move_of
from ai.search.trace import ROOT, UNKNOWN, End, TableTree
from ai.system.compiler.jit import new_table
from games.formats.text import parse
from games.line import LinePosition
from games.position import IllegalMove
from games.registry import setup
from tests.waiting import wait

OPENING = "h8i9g7i7"
RENJU = "h8i9j7i7h7h9"


def on(moves: str, rule: str = "freestyle") -> LinePosition:
    position = parse(moves, setup("gomoku", 15, rule)).position
    assert isinstance(position, LinePosition)
    return position


class Probe:
    """An engine, and its table as a kernel on a board of its own sees it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, threads: int = 1) -> None:
        tables: list[Any] = []

        def keep(length: int) -> Any:
            tables.append(new_table(length))
            return tables[-1]

        monkeypatch.setattr(engine_module, "new_table", keep)
        self.engine = GomokuEngine(threads=threads, memory_mb=4, root_vcf=False)
        (self.table,) = tables
        self._boards: dict[str, Board] = {}

    def board(self, position: LinePosition) -> Board:
        rule = position.rules.rule
        if rule not in self._boards:
            self._boards[rule] = Board(build(RULES[rule], 15), (len(self.table) - BUSY_SLOTS) // 2 - 1)
        self._boards[rule].set(position)
        return self._boards[rule]

    def entry(self, position: LinePosition, ply: int) -> tuple[int, int, str, int]:
        """Depth, value counted from the root, bound and best move."""
        board = self.board(position)
        entry = int(tt.probe(board.state, self.table))
        assert entry != tt.NO_ENTRY
        score = int(tt.score_from_tt((entry & tt.SCORE_MASK) - tt.SCORE_BIAS, ply))
        value: int = score
        if abs(score) > PROVEN:
            value = Score.win_in(WIN - score) if score > 0 else Score.loss_in(WIN + score)
        bound = {tt.EXACT: "exact", tt.LOWER: "lower", tt.UPPER: "upper"}[(entry >> tt.BOUND_SHIFT) & tt.BOUND_MASK]
        cell = int(tt.entry_move(entry))
        best = move_of(cell, 15) if cell else UNKNOWN
        return (entry >> tt.DEPTH_SHIFT) & tt.DEPTH_MASK, value, bound, best


@pytest.fixture(params=[1, 2])
def probe(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Probe]:
    made = Probe(monkeypatch, request.param)
    yield made
    made.engine.close()


def positions(tree: TableTree, root: LinePosition) -> Iterator[tuple[int, LinePosition]]:
    """The nodes with their positions; every line must be legal."""
    for node in range(len(tree)):
        position = root
        for move in tree.moves_to(node):
            assert position.outcome is None
            assert move in position.legal_moves()
            position = position.play(move)
        assert tree.turn[node] == position.turn
        yield node, position


@pytest.mark.slow
@pytest.mark.parametrize(("moves", "rule"), [(OPENING, "freestyle"), (RENJU, "renju")])
def test_the_tree_replays(probe: Probe, moves: str, rule: str) -> None:
    """Every shown value is what the table holds, and every line is legal."""
    root, threads = on(moves, rule), threading.active_count()
    info = answer(probe.engine, root, Limit(depth=9))
    wait(lambda: threading.active_count() <= threads)  # the last of two may still write into the table
    tree = probe.engine.table_tree(root, 300)
    assert tree is not None
    assert len(tree) == 300
    assert max(tree.ply) >= 4
    for node, position in positions(tree, root):
        shown = tree.depth[node], tree.value[node], tree.bound(node), tree.best[node]
        if node:
            assert shown == probe.entry(position, tree.ply[node])
            assert tree.end[node] == End.TABLE
        else:
            assert shown == (info.depth, info.score, "exact", info.move)


def test_what_matters_most_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small tree has the line of the best moves, and no entry beside it that is shallower than one left out."""
    probe, root = Probe(monkeypatch), on(OPENING)
    answer(probe.engine, root, Limit(depth=9))
    small, large = probe.engine.table_tree(root, 60), probe.engine.table_tree(root, 600)
    assert small is not None
    assert large is not None
    node: int | None = 0
    line = []
    while node is not None:
        line.append(node)
        node = large.child(node, large.best[node])
    assert len(line) > 3
    assert all(small.node_after(large.moves_to(each)) is not None for each in line)
    kept = {small.moves_to(each) for each in range(len(small))}
    least = min(small.depth[each] for each in range(len(small)) if small.node_after(large.moves_to(each)) not in line)
    others = [each for each in large.children(0) if large.moves_to(each) not in kept]
    assert all(large.depth[each] <= least for each in others)


def test_a_tree_of_another_position_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    probe = Probe(monkeypatch)
    assert probe.engine.table_tree(on(OPENING), 10) is None
    answer(probe.engine, on(OPENING), Limit(depth=2))
    assert probe.engine.table_tree(on("h8"), 10) is None


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_the_table_is_walked_while_the_engine_searches(threads: int) -> None:
    """The trees grow, and each line is legal."""
    engine, root, stop = GomokuEngine(threads, memory_mb=1, root_vcf=False), on(RENJU, "renju"), Stop()
    infos: list[Info] = []
    thread = threading.Thread(target=lambda: infos.extend(engine.think(root, Limit(), stop)))
    thread.start()
    trees: list[TableTree] = []

    def grown() -> bool:
        tree = engine.table_tree(root, 400)
        trees.extend([] if tree is None else [tree])
        return len(infos) > 9 and len(trees[-1]) == 400

    wait(grown)
    assert thread.is_alive()
    stop.set()
    thread.join()
    assert len(trees[0]) < 400 or len(trees) == 1
    for tree in trees[-3:]:
        assert all(tree.size[node] for node in range(1, len(tree)))
        for _ in positions(tree, root):
            pass


def test_before_anything_is_found_the_root_has_no_value() -> None:
    engine, root = GomokuEngine(memory_mb=1, root_vcf=False), on(OPENING)
    search = engine.think(root, Limit(depth=1), Stop())
    next(search)
    tree = engine.table_tree(root, 10)
    assert tree is not None
    columns = (tree.move, tree.best, tree.depth, tree.ply, tree.size, tree.kind, tree.turn)
    assert [list(column) for column in columns] == [[ROOT], [UNKNOWN], [0], [0], [0], [0], [0]]
    *_, last = search
    tree = engine.table_tree(root, 10)
    assert tree is not None
    assert (tree.size[0], tree.depth[0], tree.value[0], tree.best[0]) == (len(tree), 1, last.score, last.move)
    engine.close()


def test_a_forbidden_move_is_no_line() -> None:
    """Though the table may hold the position after it, which other moves reach in another order."""
    before = "f8a1g8a15h10o1h9o15"
    root = on(before, "renju")
    move = root.parse_move("h8")
    with pytest.raises(IllegalMove):
        root.play(move)
    free = on(f"{before}h8")
    table, mask = new_table(1 << 12), (1 << 10) - 1
    boards = {rule: Board(build(RULES[rule], 15), mask) for rule in ("renju", "freestyle")}
    found = {}
    for rule, board in boards.items():
        board.set(root)
        key = int(board.state.key)
        board.set(free)
        tt.store(board.state, table, tt.pack_entry(7, 0, 3, tt.EXACT, 0, 1))
        start = on(before, rule)
        found[rule] = table_tree(Searched(start, key), table, board.tables, mask, 50, lambda: None)
    assert len(found["renju"]) == 1
    assert [found["freestyle"].move[each] for each in found["freestyle"].children(0)] == [move]


# Statistics of the root.


def test_a_row_has_what_was_counted_since_the_row_before() -> None:
    rows, line = DepthRows(), Line(5, (3,))
    told = [(1, 0.5, Counts(9, 4, 3, 2)), (1, 0.75, Counts(10, 5, 4, 3)), (3, 2.0, Counts(19, 7, 5, 4))]
    for depth, seconds, counts in told:
        info = rows.with_rows(Info(3, 5, depth, 0, seconds, (line,)), counts)
    assert info.depths == (DepthStats(1, line, 0.5, 9, 4, 3, 2), DepthStats(3, line, 1.5, 10, 3, 2, 2))


@pytest.mark.parametrize("together", [True, False])
def test_who_finishes_a_depth_first_reports_it_and_halts_the_others(together: bool) -> None:
    """With several lines only the first thread reports, and each goes on by itself."""
    boards = [Board(build(RULES["freestyle"], 15), 1023, True) for _ in range(2)]
    deepening = Deepening(boards, together)

    def stops() -> list[int]:
        return [int(board.state.stop) for board in boards]

    assert [deepening.next_depth(number, 0) for number in (0, 1)] == [1, 1]
    deepening.finish(1, Iteration(1, Counts(), []))
    assert (stops(), deepening.results.qsize()) == ([together] * 2, together)
    assert [(deepening.is_outdated(depth), deepening.is_finished(depth)) for depth in (1, 2)] == [
        (together, together), (False, False),
    ]  # fmt: skip
    assert (deepening.next_depth(1, 1), stops()) == (2, [together, 0])
    for _ in range(2):
        deepening.finish(0, Iteration(1, Counts(), []))
    assert (deepening.results.qsize(), stops()) == (1, [together, 0]), "a depth is told once"
    deepening.end()
    assert (stops(), deepening.is_outdated(1), deepening.results.qsize()) == ([1, 1], False, 2)
    deepening.next_depth(0, 1)
    assert stops() == [1, 1]


@pytest.mark.parametrize("threads", [1, 2])
def test_the_engine_keeps_what_it_did_at_each_depth(threads: int) -> None:
    engine, root = GomokuEngine(threads, memory_mb=1, root_vcf=False), on(OPENING)
    infos = list(engine.think(root, Limit(depth=8), Stop()))
    rows = infos[-1].depths
    assert [row.depth for row in rows] == list(range(1, 9))
    found = {info.depth: info for info in infos if info.depth}
    assert [row.line for row in rows] == [found[row.depth].lines[0] for row in rows]
    assert sum(row.nodes for row in rows) == infos[-1].nodes
    assert sum(row.seconds for row in rows) == pytest.approx(infos[-1].seconds)
    assert all(0 <= row.first_cuts <= row.cuts and 0 <= row.hits <= row.nodes for row in rows)
    assert 0.5 < (rows[-1].first_cut_rate or 0) < 1
    engine.close()


def test_a_table_that_is_full_is_hit_more_often() -> None:
    engine, root = GomokuEngine(memory_mb=16, root_vcf=False), on(OPENING)
    first, second = (answer(engine, root, Limit(depth=7)).depths for _ in range(2))
    assert second[-1].hit_rate is not None
    assert first[-1].hit_rate is not None
    assert second[-1].hit_rate > first[-1].hit_rate
    engine.forget()
    assert answer(engine, root, Limit(depth=7)).depths[-1].hits == first[-1].hits
    engine.close()


def test_a_search_that_is_stopped_within_a_depth_adds_no_row() -> None:
    engine = GomokuEngine(memory_mb=1, root_vcf=False)
    info = answer(engine, on(OPENING), Limit(nodes=25_000))
    assert [row.depth for row in info.depths] == list(range(1, info.depth + 1))
    assert sum(row.nodes for row in info.depths) < info.nodes


def test_the_command_line_writes_the_tree_of_the_table(tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    options = ["--player", "engine:root_vcf=0", "--depth", "6", "--last", "--trace", str(file), "--json"]
    assert main.main(["analyse", OPENING, *options]) == 0
    data = json.loads(file.read_bytes())
    assert data["nodes"] == len(data["value"]) > 100
    assert set(data["end"][1:]) == {"table"}
    assert data["end"][0] == "all"
    assert set(data["alpha"]) == set(data["beta"]) == {None}
    assert data["bound"][0] == "exact"
    assert {"lower", "upper"} <= set(data["bound"])
