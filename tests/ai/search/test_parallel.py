"""Workers that share out one tree: the value of alpha-beta, by root splitting and with young brothers wait; what they
do when, what they do in vain; and the processes."""

from __future__ import annotations

import multiprocessing
import os
import random
import subprocess
import sys
import threading
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from ai.core.player import Limit, Stop, answer
from ai.players.table import Context, check, make, threads
from ai.search import number_tree, parallel
from ai.search.alphabeta import AlphaBeta, Parts
from ai.search.coordinator import Coordinator
from ai.search.crews import SimulatedCrew
from ai.search.parallel import Parallel, Way
from ai.search.shared_tree import EXTRA, TWICE, SharedSteps, SharedTree
from ai.search.splitting import BROTHERS, ROOT_SPLIT, Brothers
from ai.search.trace import End, Trace, Traceable
from ai.search.workers import TreeMoves, Work
from games.position import Position
from games.registry import setup
from tests.games.sowing import SowingPosition
from tests.waiting import wait

SPLITS = (ROOT_SPLIT, BROTHERS)
"""The ways that have a tree in common; lazy SMP (`test_lazy_smp.py`) has one for each worker."""
PARTS = Parts(extension=False)
PLAIN = Parts(ordering=False, table=False, deepening=False, extension=False)
ORDERED = replace(PLAIN, ordering=True)
STARTS: dict[str, tuple[Position, int]] = {
    "tictactoe": (setup("tictactoe").start(), 9),
    "connect4": (setup("connect4").start(), 4),
    "bones": (setup("bones", 14).start(), 20),
    "gomoku": (setup("gomoku", 6).start(), 2),
    "sowing": (SowingPosition(), 4),
}
"""With a depth that is quick. The last one is a toy in which a side may be to move again."""


def by_chance(game: str, number: int) -> tuple[Position, int]:
    dice, (start, depth) = random.Random(f"{game} {number}"), STARTS[game]
    while True:
        position = start
        for _ in range(dice.randrange(3 if game == "tictactoe" else 0, 7)):
            if position.outcome is None:
                position = position.play(dice.choice(list(position.legal_moves())))
        if position.outcome is None:
            return position, depth


def value(position: Position, depth: int) -> int:
    """What alpha-beta finds without a table."""
    return answer(AlphaBeta(Parts(table=False, extension=False)), position, Limit(depth=depth)).score


def traced(player: Traceable, position: Position, depth: int | None) -> Trace:
    player.trace = Trace()
    answer(player, position, Limit(depth=depth))
    return player.trace


@cache
def shared(position: Position, depth: int | None, workers: int, split: str, parts: Parts = ORDERED) -> SharedTree:
    """The tree of simulated workers, which are compared with one alone."""
    ways = (Way(count, split, simulated=True) for count in (workers, 1))
    tree, alone = (traced(Parallel(way, parts), position, depth) for way in ways)
    assert isinstance(tree, SharedTree)
    tree.mark_extra(alone)
    return tree


# The searches.


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("game", STARTS)
def test_one_worker_visits_what_alpha_beta_visits(game: str, split: str) -> None:
    position, depth = by_chance(game, 1)
    alone, tree = traced(AlphaBeta(PLAIN), position, depth), shared(position, depth, 1, split, PLAIN)
    for name, _ in Trace.ARRAYS:
        assert getattr(tree, name) == getattr(alone, name), name
    assert list(tree.time) == list(range(len(tree)))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("game", STARTS)
def test_workers_find_the_value_of_alpha_beta(game: str, split: str) -> None:
    for number in range(2):
        position, depth = by_chance(game, number)
        for workers, table in ((2, True), (4, False)):
            player = Parallel(Way(workers, split, 1 + number, simulated=True), Parts(table=table))
            found = answer(player, position, Limit(depth=depth))
            assert found.score == value(position, depth), (number, workers)
            assert found.move in position.legal_moves()


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("game", STARTS)
def test_fifty_positions_of_each_game(game: str, split: str) -> None:
    """By processes from the first iteration on, and simulated."""
    parts = Parts(deepening=False)
    players = [Parallel(Way(3, split, 1), parts), Parallel(Way(4, split, 1, simulated=True), parts)]
    for number in range(50):
        position, depth = by_chance(game, number)
        for player in players:
            assert answer(player, position, Limit(depth=depth)).score == value(position, depth), number
    for player in players:
        player.close()


def test_a_bound_that_another_worker_finds_cuts_what_is_under_way() -> None:
    """Worker 2 begins b without alpha; a is known to be 3 before b has come to its 2."""
    tree = shared(number_tree.parse("(3) (5 4 2 1 6 7)"), 2, 2, "root", PLAIN)
    second = tree.children(0)[1]
    assert tree.alpha[second] < -1000
    assert (End(tree.end[second]), tree.untried[second]) == (End.CUT, 3)


@pytest.mark.parametrize("game", ["connect4", "sowing"])
def test_young_brothers_wait(game: str) -> None:
    position, depth = by_chance(game, 2)
    tree = shared(position, depth, 4, "ybw")
    split = {0, *(tree.parent[each.node] for each in tree.stretches)}
    assert len(split) > 3
    for node in split:
        eldest, *brothers = tree.children(node)
        assert all(tree.time[brother] > tree.left[eldest] for brother in brothers)


def test_root_splitting_begins_with_all_workers_at_once() -> None:
    tree = shared(STARTS["connect4"][0], 4, 4, "root")
    assert [each.began for each in tree.stretches[:4]] == [0, 0, 0, 0]
    assert {tree.parent[each.node] for each in tree.stretches} == {0}


def test_what_is_not_needed_any_more_is_stopped() -> None:
    tree = shared(STARTS["connect4"][0], 4, 4, "ybw")
    dropped = [each for each in tree.stretches if each.dropped]
    assert dropped
    for each in dropped:
        assert tree.end[each.node] == End.STOPPED
        above = next(node for node in reversed(tree.path(each.node)[:-1]) if tree.end[node] != End.STOPPED)
        assert (End(tree.end[above]), tree.left[above]) == (End.CUT, each.ended - 1), "by another move, at this moment"


# Who has searched what.


@pytest.mark.parametrize("split", SPLITS)
def test_a_worker_does_one_thing_at_a_time(split: str) -> None:
    tree = shared(STARTS["connect4"][0], 4, 4, split)
    assert tree.workers == 4
    assert sum(tree.worker.count(worker) for worker in range(1, 5)) == len(tree)
    visits = set(zip(tree.worker, tree.time, strict=True))
    assert len(visits) == len(tree), "no two nodes at a time"
    for worker in range(1, 5):
        own = [each for each in tree.stretches if each.worker == worker]
        assert all(before.ended <= after.began for before, after in pairwise(own))
        assert tree.busy(worker) == tree.worker.count(worker) <= tree.span


def test_what_is_in_vain_is_what_one_worker_does_not_visit() -> None:
    position = STARTS["connect4"][0]
    tree = shared(position, 3, 4, "root", PLAIN)
    alone = traced(AlphaBeta(PLAIN), position, 3)
    visited = {alone.moves_to(node) for node in range(len(alone))}
    for node in range(len(tree)):
        assert bool(tree.marks[node] & EXTRA) == (tree.moves_to(node) not in visited)
    assert tree.alone == len(alone)


def test_what_two_workers_have_searched_is_marked() -> None:
    position, by = STARTS["connect4"][0], dict[tuple[object, int], set[int]]()
    tree, keys = shared(position, 4, 4, "ybw"), list[tuple[object, int]]()
    for node in range(len(tree)):
        reached = position
        for move in tree.moves_to(node):
            reached = reached.play(move)
        keys.append((reached.key, tree.ply[node]))
        if tree.children(node) or tree.end[node] == End.STOPPED:
            by.setdefault(keys[node], set()).add(tree.worker[node])
    marked = {keys[node] for node in range(len(tree)) if tree.marks[node] & TWICE}
    assert marked == {key for key, workers in by.items() if len(workers) > 1}
    assert marked


def test_a_tree_without_nodes_has_no_steps() -> None:
    empty = SharedTree()
    assert (empty.workers, empty.span, SharedSteps(empty).last, len(empty), empty.alone) == (0, 0, -1, 0, None)


def test_each_step_enters_a_node_of_each_worker_that_is_busy() -> None:
    tree = shared(STARTS["connect4"][0], 4, 4, "ybw")
    steps = SharedSteps(tree)
    assert steps.last == tree.span - 1
    for step in range(0, tree.span, 7):
        node, enters = steps.node(step)
        assert enters
        assert steps.entered(node) == step
        assert sum(time == step for time in tree.time) <= 4
    for node in range(len(tree)):
        left = steps.left(node)
        assert left == max(tree.time[node : tree.after(node)])
        if tree.end[node] != End.STOPPED:
            assert steps.value(node, steps.last) == tree.value[node]
            assert tree.ply[node] or steps.best(node, steps.last) is not None


# The player.


def test_its_options() -> None:
    assert threads("parallel:workers=4", "bones") == threads("parallel:workers=4,split=ybw", "bones") == 4
    assert 1 <= threads("parallel", "bones") <= 4
    player = make("parallel:workers=3,split=root,grain=2,simulated=1,table=0", Context("connect4"))
    assert isinstance(player, Parallel)
    assert player.way == Way(3, "root", 2, True)
    assert player.span == 0
    alone = traced(Parallel(Way(1)), STARTS["connect4"][0], 3)
    assert isinstance(alone, SharedTree)
    assert alone.workers == 1
    assert [way.least for way in (Way(), Way(grain=2), Way(simulated=True), Way(2, "lazy"))] == [4, 2, 1, 1]
    for name in ("parallel:workers=9", "parallel:workers=0", "parallel:threads=2", "parallel:split=no"):
        with pytest.raises(ValueError, match=r"1 to 8|has no option|root, ybw"):
            check(name, "gomoku")


class Starting(SimulatedCrew):
    """It is ready when `here` has visited some nodes."""

    def __init__(self, here: TreeMoves) -> None:
        super().__init__([TreeMoves(PARTS)], Limit(), Stop())
        self._here = here

    @property
    def ready(self) -> bool:
        return self._here.nodes > 3_000


def test_a_search_goes_on_alone_while_workers_are_started() -> None:
    position, here, alone = STARTS["connect4"][0], TreeMoves(PARTS), 500
    policy = Brothers(here, PARTS, 2)
    policy.first, policy.alone = policy.deepest, alone
    work = Work("search", lambda _threads: TreeMoves(PARTS))
    search = Coordinator(lambda: Starting(here), work, position, Limit(depth=7), Stop(), policy, here)
    first, *_, last = search.deepen()
    assert first.nodes > 3_000
    assert first.depth > answer(AlphaBeta(PARTS), position, Limit(nodes=alone)).depth
    assert (last.depth, last.score) == (7, answer(AlphaBeta(PARTS), position, Limit(depth=7)).score)


# The processes.


class Opened(SimulatedCrew):
    """In the place of processes."""

    def __init__(self, count: int) -> None:
        super().__init__([TreeMoves(PARTS, True) for _ in range(count)], Limit(), Stop())
        crews.append((count, self))
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


crews: list[tuple[int, Opened]] = []


@pytest.mark.parametrize(
    ("way", "parts", "traced", "depth", "warm", "opened"),
    [
        (Way(1), PARTS, False, 4, True, []), (Way(2, simulated=True), PARTS, False, 4, True, []),
        (Way(2), PARTS, False, 3, False, []), (Way(2), PARTS, False, 6, False, [2]),
        (Way(3), PARTS, True, 3, False, [3]), (Way(2), ORDERED, False, 3, False, [2]),
        (Way(2), PARTS, False, 1, True, [2]),
    ],
)  # fmt: skip
def test_processes_are_started_once_and_only_for_what_takes_long(
    way: Way, parts: Parts, traced: bool, depth: int, warm: bool, opened: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "ProcessCrew", Opened)
    crews.clear()
    position, player = STARTS["connect4"][0], Parallel(way, parts)
    if warm:
        player.warm_up(position)
        assert [count for count, _ in crews] == opened
    for _ in range(2):
        player.trace = Trace() if traced else None
        assert answer(player, position, Limit(depth=depth)).depth == depth
    assert [(count, crew.closed) for count, crew in crews] == [(count, 0) for count in opened]
    player.close()
    player.close()
    assert [crew.closed for _, crew in crews] == [1 for _ in opened]
    if opened:
        player.warm_up(position)
        assert len(crews) == 2, "a later search starts new ones"


def children() -> set[int]:
    return {process.pid for process in multiprocessing.active_children() if process.pid is not None}


@pytest.mark.slow
def test_processes_are_kept_for_the_next_search_and_end_with_the_player() -> None:
    position, before = STARTS["connect4"][0], children()
    player, stop = Parallel(Way(2, grain=2), Parts(deepening=False)), Stop()
    killer = threading.Thread(target=lambda: (wait(lambda: player.nodes > 500), stop.set()))
    killer.start()
    info = answer(player, position, Limit(), stop)
    killer.join()
    assert info.move in position.legal_moves()
    first = children() - before
    assert len(first) == 2

    def both_worked() -> bool:
        player.trace = Trace()
        found = answer(player, position.play(3), Limit(depth=7))
        assert found.score == value(position.play(3), 7)
        assert isinstance(player.trace, SharedTree)
        return player.trace.workers == 2

    wait(both_worked)  # one may do all the work while the other is still being started
    assert children() - before == first
    player.close()
    wait(lambda: children() <= before)


_SEARCH = """
import multiprocessing, sys
from ai.core.player import Limit, Stop
from ai.search.parallel import Parallel, Way
from games.registry import setup
if __name__ == "__main__":
    for info in Parallel(Way(2)).think(setup("connect4").start(), Limit(), Stop()):
        if len(multiprocessing.active_children()) == 2:
            print(*(process.pid for process in multiprocessing.active_children()), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="asks with a signal whether a process lives")
def test_processes_end_when_the_one_that_asked_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "search.py"
    program.write_text(_SEARCH, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        numbers_of = [int(word) for word in parent.stdout.readline().split()]
        assert len(numbers_of) == 2
        parent.kill()
    wait(lambda: not any(_lives(number) for number in numbers_of))


def _lives(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{number}/stat")
    return not stat.exists() or ") Z " not in stat.read_text(encoding="utf-8")
