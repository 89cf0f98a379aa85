"""PV splitting: what is worth splitting, how much one task takes, and in which order moves are searched."""

from __future__ import annotations

from collections import deque

import pytest

from ai.core.player import Info, Limit, Line
from ai.search import splitting
from ai.search.splitting import PrincipalVariation, Split, Task, usual_workers
from ai.search.trace import ROOT
from ai.search.workers import FULL, Found, MoveScore, Opening, Window
from games.connect4 import Connect4Position

MOVES = (3, 4, 2, 1)


def split(depth: int = 8, lines: int = 1, parent: Split | None = None, window: Window = FULL) -> Split:
    """The root, or the position after its first move."""
    move, ply = (ROOT, 0) if parent is None else (3, 1)
    queue = deque(enumerate(MOVES))
    return Split(parent, 0, move, Connect4Position(), depth, ply, window, lines, queue)


def measured(seconds: float = 8.0) -> PrincipalVariation:
    """A policy after an opening that took so long and found the line d c e."""
    policy = PrincipalVariation(seconds=0.5)
    info = Info(3, 10, 3, lines=(Line(10, (3, 2, 4)),))
    policy.measure(Task(split(), 3, limit=Limit()), Found(seconds=seconds, opening=Opening(info, MOVES, False)))
    return policy


def scores(*moves: int) -> tuple[MoveScore, ...]:
    return tuple(MoveScore(move, 0, (move,), 1) for move in moves)


@pytest.mark.parametrize(("processors", "workers"), [(1, 1), (3, 3), (4, 4), (5, 4), (64, 4)])
def test_four_workers_by_default_at_most(processors: int, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "processors", lambda: processors)
    assert usual_workers() == workers


def test_what_is_deep_and_takes_long_is_split_if_others_wait_for_it() -> None:
    policy, root = measured(), split()
    assert policy.splits(root, 3, True)
    assert not policy.splits(root, 3, False)
    assert not policy.splits(split(lines=2), 3, True)
    assert [policy.splits(split(depth), 3, True) for depth in (6, 7)] == [False, True], "six plies below the move"
    assert [measured(seconds).splits(root, 3, True) for seconds in (1.9, 2.0)] == [False, True], "half of it"
    below = split(parent=root)
    assert policy.splits(below, 2, True)
    assert not measured(3.9).splits(below, 2, True), "half of that again"
    policy.receive_moves(below, ())
    assert not policy.splits(root, 3, True), "a worker has said that it is not worth it"
    assert policy.splits(root, 4, True)
    assert not PrincipalVariation().splits(root, 3, True), "nothing is measured"


@pytest.mark.parametrize(("lines", "depth", "seconds", "verifies"), [
    (1, 8, 8.0, False), (2, 8, 8.0, True), (1, 7, 8.0, False), (1, 6, 8.0, True), (1, 8, 1.0, False), (1, 8, 0.9, True),
])  # fmt: skip
def test_a_worker_itself_verifies_what_is_little_work(lines: int, depth: int, seconds: float, verifies: bool) -> None:
    assert measured(seconds).verifies(split(depth, lines)) is verifies


def test_a_task_takes_as_many_moves_as_fill_its_time() -> None:
    policy, root = measured(), split()
    policy.measure(Task(root, 8), Found(scores(3, 4, 2, 1), costs=(0.3, 0.2, 0.25, 0.25)))
    assert policy.batch(root) == 2, "half a second, and not more"
    assert root.queue is not None
    root.queue.popleft()
    assert policy.batch(root) == 2
    root.queue.popleft()
    assert policy.batch(root) == 2, "all that are left"
    policy.measure(Task(root, 8), Found(scores(2), costs=(9.0,)))
    assert policy.batch(root) == 1, "at least one"


def test_moves_that_were_not_measured_take_their_share_of_the_whole() -> None:
    below = split(parent=split())
    policy = measured(1.2)  # half of it below the first move, and a quarter of that for each
    assert policy.batch(below) == 3
    policy.receive_moves(below, (3, 4, 2))
    assert policy.batch(below) == 2, "a third of it for each"


def test_the_principal_variation_comes_first() -> None:
    policy, root = measured(), split()
    below = split(parent=root)
    assert policy.moves(below) is None
    policy.receive_moves(below, (1, 2, 4))
    policy.receive_moves(root, (4, 3))
    assert (policy.moves(below), policy.moves(root)) == ([2, 1, 4], [3, 4])
    other = Split(root, 1, 4, Connect4Position(), 7, 1)
    policy.receive_moves(other, (1, 2))
    assert policy.moves(other) == (1, 2), "it is not on that line"
    policy.receive_moves(below, (1, 4))
    assert policy.moves(below) == (1, 4), "it is not among them"


def test_what_a_finished_split_took_is_what_its_tasks_took() -> None:
    policy, root = measured(), split()
    below = split(parent=root)
    root.children += [below, Task(root, 8, ((1, 4),), found=Found(seconds=0.4)), Task(root, 8, ((2, 2),))]
    below.children += [Task(below, 7, ((0, 1),), found=Found(seconds=1.5))]
    below.add(5, (1, 1))
    policy.learn(below)
    assert [policy.splits(root, move, True) for move in (3, 4)] == [True, True]
    policy.receive_moves(root, MOVES)
    assert policy.moves(root) == [3, 4, 2, 1], "only the root tells the line"
    root.add(9, (2, 6))
    policy.learn(root)
    assert policy.moves(root) == [2, 3, 4, 1]
    assert [policy.splits(root, move, True) for move in (3, 4)] == [True, False], "1.5 s, and half of 1.9 s"
    failed = split(window=Window(9, 50))
    failed.add(9, (1,))
    policy.learn(failed)
    assert policy.moves(root) == [2, 3, 4, 1], "a score that is not above alpha tells no line"
