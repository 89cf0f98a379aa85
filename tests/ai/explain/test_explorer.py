"""What is shown of a search follows from its trace; a reader is asked what the next step shows."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice, pairwise, permutations

import numpy as np
import pytest

from ai.core.score import WIN
from ai.explain.explorer import Explorer
from ai.explain.prediction import Quiz, prediction
from ai.explain.subject import Choice, SideBySide, Subject, deeper, usual_depth
from ai.explain.tracing import Tracing
from ai.search.number_tree import parse, random_tree
from ai.search.trace import INFINITY, ROOT, End, Trace
from games.formats.text import parse as moves
from games.registry import setup
from ui.learn.icicle_plan import NOTHING, SAVED, Facts, IciclePlan, IcicleRows
from ui.learn.tree_plan import plan

TREE = Subject(parse("3 12 8 | 2 4 6 | 14 5 2"))
PLAIN = Choice("alphabeta", 2)
NOWHERE = 5
"""What `IcicleRows.kinds` says where there is nothing."""


def ending() -> Subject:
    record = moves("a3b3c3a2b2c1", setup("tictactoe"))
    return Subject.of(record, record.cursor)


def explored(subject: Subject = TREE, choice: Choice = PLAIN) -> Explorer:
    explorer = Explorer(subject, choice, lambda: None)
    assert not explorer.busy
    return explorer


def test_the_preset_has_the_values_of_the_textbook() -> None:
    explorer = explored(ending(), Choice("minimax", None, distance=False))
    found = {explorer.move_texts(node).split()[-1]: explorer.value(node) for node in explorer.trace.children(0)}
    assert found == {"c2": 0, "a1": WIN, "b1": 0}
    assert explorer.value(0) == WIN
    assert explored(ending(), Choice("alphabeta", None, distance=False)).value(0) == WIN


def test_steps_forward_and_back() -> None:
    """The first one is that of the root; from the whole search the way back begins at its end."""
    explorer, seen = explored(), []
    for count in (1, 3, -1, 10_000):
        explorer.step(count)
        seen.append(explorer.at)
    explorer.go(None)
    explorer.step(-1)
    assert [*seen, explorer.at, explorer.steps.last] == [0, 3, 2, 21, 20, 21]


def test_finding_a_node_by_its_moves_or_by_its_position() -> None:
    explorer = explored(ending(), Choice("minimax"))
    node = explorer.find("c2 a1")
    assert node is not None
    assert explorer.move_texts(node).split()[-2:] == ["c2", "a1"]
    assert explorer.find("") == 0
    record = moves("", setup("tictactoe"))
    whole = Explorer(Subject.of(record, record.cursor), Choice("alphabeta", 2), lambda: None)
    transposed = whole.find("b3 a3")
    assert transposed is None or whole.position(transposed).key == whole.subject.position.play(1).play(0).key


@pytest.mark.parametrize("seed", range(8))
def test_the_plan_shows_each_unfolded_node_once_and_nothing_overlaps(seed: int) -> None:
    explorer = explored(Subject(random_tree(2 + seed % 3, 3, seed)), Choice("alphabeta", 3))
    dice = random.Random(seed)
    for _ in range(6):
        explorer.fold(dice.randrange(len(explorer.trace)))
        found = plan(explorer)
        rows: dict[int, list[float]] = {}
        for column, row in (*found.places.values(), *((stub.column, stub.row) for stub in found.stubs)):
            rows.setdefault(row, []).append(column)
            assert 0 <= column <= found.width
            assert row < found.height
        for columns in rows.values():
            assert all(other - one > 0.7 for one, other in pairwise(sorted(columns)))
        for node in found.places:
            parent = explorer.trace.parent[node]
            assert parent < 0 or parent in found.places
        cut = {node for node in found.places if explorer.end(node) is End.CUT and explorer.trace.untried[node]}
        unfolded = {node for node in cut if explorer.unfolded(node) or node in explorer.trace.path(explorer.node)[:-1]}
        assert {stub.node for stub in found.stubs} == unfolded


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_frames_told_which_moves_a_cut_would_save(seed: int) -> None:
    """Only nodes that the search would come to had a frame, and those below them, too."""
    explorer = explored(Subject(random_tree(3, 3, seed)), Choice("alphabeta", 3))
    trace = explorer.trace
    assert any(trace.untried)
    for node in range(len(trace)):
        explorer.unfold(node)
    for step in range(explorer.steps.last):
        explorer.go(step)
        found = plan(explorer)
        frames = Counter(trace.parent[node] for node in found.places) + Counter(each.node for each in found.empty)
        entered = [node for node in range(len(trace)) if explorer.entered(node)]
        assert set(frames) <= {-1, *entered}, "nothing is told of what the search has not come to"
        for node in entered:
            if not explorer.left(node) and trace.end[node] != End.HORIZON:
                assert frames[node] == len(explorer.position(node).legal_moves())
        boxes = IcicleRows(IciclePlan(Facts.of(trace)), trace, step, 200)
        for above, row in pairwise(boxes.rows):
            for node, kind in zip(above, boxes.kinds(row), strict=True):
                if node < 0 or not explorer.entered(int(node)):
                    assert kind == NOWHERE
                elif not explorer.left(int(node)):
                    assert kind != NOWHERE, "each move has a box"
    explorer.go(None)
    assert not plan(explorer).empty


def test_a_node_with_many_children_shows_some_until_all_are_wanted() -> None:
    record = moves("h8", setup("gomoku"))
    explorer = Explorer(Subject.of(record, record.cursor), Choice("alphabeta", 1), lambda: None)
    explorer.close()
    found = plan(explorer)
    assert len(found.places) < 20
    assert sum(stub.count for stub in found.stubs if stub.hidden) + len(found.places) == 225
    explorer.widen(0)
    assert len(plan(explorer).places) == 225


@pytest.mark.parametrize("seed", range(6))
def test_each_pixel_of_the_icicle_is_a_node_below_the_pixel_above(seed: int) -> None:
    explorer = explored(Subject(random_tree(3, 3, seed)), Choice("alphabeta", 3))
    found, wide = IciclePlan(Facts.of(explorer.trace)), 500
    above = found.row(0, wide)
    assert set(above) == {0}
    saved = 0
    for level in range(1, found.rows):
        row = found.row(level, wide)
        for node, parent in zip(row, above, strict=True):
            if node >= 0:
                assert explorer.trace.parent[node] == parent
            elif node <= SAVED:
                assert explorer.trace.untried[SAVED - node]
                assert SAVED - node == parent
                saved += 1
        assert set(np.flatnonzero(np.array(explorer.trace.ply) == level)) == {node for node in row if node >= 0}
        above = np.where(row >= 0, row, NOTHING)
    assert bool(saved) == any(explorer.trace.untried)


def test_without_cuts_the_width_counts_the_leaves() -> None:
    explorer = explored(ending(), Choice("minimax"))
    leaves = sum(not explorer.has_children(node) for node in range(len(explorer.trace)))
    assert IciclePlan(Facts.of(explorer.trace)).whole == leaves


def test_depths() -> None:
    assert usual_depth(TREE) == 2
    assert usual_depth(ending()) is None
    assert [usual_depth(Subject(setup(game).start(), setup(game))) for game in ("gomoku", "connect4")] == [2, 5]
    few = [Subject(parse(" ".join(moves * "1")), setup("connect4")) for moves in (1, 2, 3, 4)]
    assert list(map(usual_depth, few)) == [12, 12, 10, 7]
    assert deeper(TREE, Choice("alphabeta", 2), 1).depth == 2
    assert deeper(ending(), Choice("alphabeta", None), 1).depth is None
    assert deeper(ending(), Choice("alphabeta", None), -1).depth == 12
    assert deeper(ending(), Choice("alphabeta", 1), -1).depth == 1


def test_one_ply_less_than_to_the_end_was_more_than_the_game_can_last() -> None:
    """It said 12 plies with three cells left."""
    explorer = explored(ending(), Choice("minimax"))
    depths = []
    for by in (-1, -1, 1, 1, 1):
        explorer.deepen(by)
        depths.append(explorer.choice.depth)
    assert depths == [3, 2, 3, None, None]
    explorer.choose(Choice("minimax", 9))
    explorer.deepen(-1)
    assert explorer.choice.depth == 3


def test_both_searches_of_a_comparison_go_deeper_together() -> None:
    trees = SideBySide(ending(), lambda: None)
    trees.choose("ordering")
    states = (trees.begun, trees.busy, trees.failed, trees.finished)
    assert (states, trees.traces, trees.depth, trees.pruned) == (4 * (False,), [], None, None)
    trees.start()
    assert (trees.begun, trees.busy, trees.failed, trees.finished) == (True, False, False, True)
    trees.pointed, depths = (), []
    for by in (-1, -1, 1, 1, 1):
        before = trees.whole, trees.pruned
        trees.deepen(by)
        depths.append(trees.depth)
    assert depths == [3, 2, 3, None, None]
    assert (trees.whole, trees.pruned) == before, "they go on as they are"
    trees.choose("ordering")
    assert trees.pruned is before[1]
    trees.choose("alphabeta")
    assert (trees.whole is before[0], trees.pruned is before[1]) == (True, False)
    below = []
    for trees.pointed in ((), (7,), (7, 6), (7, 6, 5), (7, 5, 6)):
        below.append(trees.nodes_below())
    assert below == [(12, 10), (5, 3), (2, 0), (1, 0), (1, 1)]
    assert trees.position() == ending().position.play(7).play(5).play(6)
    trees.start()
    assert (trees.pointed, trees.nodes_below()) == (None, None)


def test_how_deep_a_search_can_get_is_unknown_where_its_depth_ends_it() -> None:
    assert explored(ending(), Choice("minimax", 2)).trace.stable_depth(to_the_end=False) is None
    assert explored(ending(), Choice("minimax", 3)).trace.stable_depth(to_the_end=False) == 3
    assert explored(ending(), Choice("deepening")).trace.stable_depth(to_the_end=True) == 1, "it has found the win"


class Deepening(Tracing):
    """A search in another process: each update brings an iteration, with a root and a node below it."""

    def __init__(self) -> None:
        self.trace, self.info = Trace(), None
        self.update()

    busy = True

    def update(self) -> bool:
        for move in (ROOT, 0):
            self.trace.enter(move, 0, -9, 9)
        for _ in range(2):
            self.trace.leave(3, End.ALL)
        return True


@pytest.mark.parametrize(("at", "node", "shown"), [(None, 2, 4), (None, 3, 3), (3, 2, 2)])
def test_a_search_that_grows_is_followed_from_its_last_root(at: int | None, node: int, shown: int) -> None:
    explorer = explored()
    explorer.tracing = Deepening()
    explorer.update(0.0)
    explorer.at, explorer.node = at, node
    explorer.update(0.0)
    assert (explorer.at, explorer.node, explorer.root, len(explorer.trace)) == (at, shown, shown - shown % 2, 6)
    explorer.node = 6
    assert explorer.root == 0, "the first piece of a search may be smaller than what was there at once"


def test_minimax_shows_no_window() -> None:
    explorer = explored(ending(), Choice("minimax"))
    assert {explorer.window(node) for node in range(len(explorer.trace))} == {(-INFINITY, INFINITY)}


def test_of_a_search_by_deepening_the_last_iteration_is_shown_first() -> None:
    record = moves("", setup("bones", 8))
    explorer = explored(Subject.of(record, record.cursor), Choice("deepening"))
    first, *_, last = explorer.trace.roots()
    assert explorer.root == last != first


QUESTIONS: list[tuple[Subject, Choice, list[tuple[int, str, int, tuple[int, ...], int]]]] = [
    (TREE, PLAIN, [
        (7, "best", 1, (2, 3, 4), 2), (11, "cut", 5, (1, 0), 1), (15, "cut", 7, (1, 0), 0), (17, "cut", 7, (1, 0), 0),
        (19, "best", 7, (8, 9, 10), 10), (20, "value", 0, (0, 2, 3, 6), 3),
    ]),
    (TREE, Choice("minimax", 2), [
        (7, "best", 1, (2, 3, 4), 2), (15, "best", 5, (6, 7, 8), 6), (23, "best", 9, (10, 11, 12), 12),
        (24, "value", 0, (0, 2, 3, 6), 3),
    ]),
    (Subject(parse("5 5 | 1 9")), Choice("minimax", 2), [
        (5, "value", 1, (2, 5, 8), 5), (11, "value", 4, (-2, 1, 4, 9), 1), (12, "value", 0, (1, 2, 5, 8), 5),
    ]),
    (Subject(parse("1 2 3 4 5 6 | 1 2 3 4 5 6")), Choice("minimax", 2), [
        (13, "best", 1, (2, 3, 4, 5), 2), (27, "value", 8, (-2, 1, 2, 4), 1), (28, "value", 0, (-2, 1, 4), 1),
    ]),
    (Subject(parse("2 9 | 5 6")), Choice("expect", 2), [
        (5, "value", 1, (-3000, 20000, 27000, 57000), 27000), (11, "value", 4, (21000, 50000, 51000, 81000), 51000),
        (12, "value", 0, (21000, 27000, 51000, 81000), 51000),
    ]),
    (ending(), Choice("expect"), [
        (9, "value", 1, (-20000, 0, 10000, 40000), 10000), (21, "value", 7, (-20000, 10000, 40000, 100000), 10000),
        (22, "value", 0, (10000, 70000, 100000, 130000), 100000),
    ]),
    (ending(), Choice("minimax"), [
        (9, "best", 1, (2, 4), 2), (21, "best", 7, (8, 10), 10), (22, "value", 0, (-WIN, 0, WIN), WIN),
    ]),
    (ending(), Choice("alphabeta", None, distance=True), [
        (9, "best", 1, (2, 4), 2), (17, "cut", 7, (1, 0), 1), (18, "value", 0, (-WIN, 0, WIN - 1, WIN), WIN - 1),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("subject", "choice", "asked"), QUESTIONS)
def test_what_is_asked_before_each_step(
    subject: Subject, choice: Choice, asked: list[tuple[int, str, int, tuple[int, ...], int]]
) -> None:
    explorer, found = explored(subject, choice), []
    for step in (None, *range(explorer.steps.last + 1)):
        explorer.at = step
        if (question := prediction(explorer)) is not None:
            found.append((step, question.kind, question.node, question.options, question.answer))
    assert found == asked


def test_a_quiz_counts_answers_and_hides_how_many_steps_are_left() -> None:
    quiz = Quiz(explored())
    explorer = quiz.explorer
    assert (quiz.last, quiz.on) == (explorer.steps.last, False)
    quiz.switch()
    assert (quiz.on, explorer.at, quiz.last) == (True, 0, 0)
    explorer.go(5)
    assert quiz.last == 5
    explorer.go(2)
    assert quiz.last == 5, "the furthest one"
    explorer.go(7)
    explorer.playing = True
    quiz.update()
    assert (explorer.playing, quiz.asked.kind) == (False, "best")
    quiz.forward()
    assert explorer.at == 7, "the question is open"
    quiz.answer(2)
    assert (quiz.verdict, quiz.right, quiz.count, explorer.at, quiz.asked) == (True, 1, 1, 8, None)
    quiz.answer(2)
    assert quiz.count == 1
    explorer.go(11)
    quiz.forward()
    quiz.answer(0)
    assert (quiz.verdict, quiz.right, quiz.count, explorer.at) == (False, 1, 2, 12)
    explorer.go(15)
    quiz.forward()
    explorer.go(3)
    quiz.update()
    assert quiz.asked is None
    quiz.switch()
    assert (quiz.on, quiz.count, quiz.verdict, quiz.last) == (False, 0, None, explorer.steps.last)
    explorer.go(7)
    explorer.playing = True
    quiz.forward()
    assert (explorer.at, quiz.asked, explorer.playing) == (8, None, False)


def test_the_selected_node_goes_to_its_neighbours() -> None:
    """Down is the best child, sideways the siblings in a ring."""
    explorer, seen = explored(TREE, Choice("minimax", 2)), []
    explorer.go(None)
    for right, down in ((0, -1), (1, 0), (0, 1), (1, 0), (-1, 0), (-1, 0), (0, 1), (1, 0), (1, 0), (0, -1), (0, -1)):
        explorer.go_near(right, down)
        seen.append(explorer.node)
    assert seen == [0, 0, 1, 5, 1, 9, 12, 10, 11, 9, 0]
    explorer.go(2)
    explorer.look_at(5)
    explorer.go_near(0, 1)
    assert explorer.node == 6, "the first, as its best child is not known yet"
    assert (explored().line(), explored().line(5)) == ([0, 1, 2], [5, 6])
    explorer.go(None)
    explorer.follow_line()
    assert explorer.node == 2


def test_looking_at_a_node_unfolds_what_is_above_it_and_pauses() -> None:
    explorer = explored(ending(), Choice("minimax"))
    assert [node for node in range(12) if explorer.unfolded(node)] == [0, 1, 2, 4, 7, 8, 10]
    for node in (0, 1, 3):
        explorer.fold(node)
    assert [explorer.unfolded(node) for node in (0, 1, 3)] == [False, False, False]
    explorer.play(0.0)
    revision = explorer.revision
    explorer.look_at(2)
    assert (explorer.node, explorer.playing, explorer.revision) == (2, False, revision + 1)
    assert [explorer.unfolded(node) for node in (0, 1, 2)] == [True, True, True]
    explorer.fold(2)
    explorer.unfold(2)
    assert explorer.unfolded(2)
    explorer.fold(1)
    explorer.widen(1)
    explorer.reset_folds()
    assert (explorer.unfolded(1), explorer.widened) == (True, set())
    assert [explorer.has_children(node) for node in (0, 2, 3, 11)] == [True, True, False, False]


def test_only_the_root_is_unfolded_of_a_tree_with_many_nodes() -> None:
    record = moves("", setup("tictactoe"))
    explorer = explored(Subject.of(record, record.cursor), Choice("alphabeta", 2))
    assert [node for node in range(len(explorer.trace)) if explorer.unfolded(node)] == [0]
    wide = explored(Subject(parse("1 2 3 4 5 6 7 | 1 2 3 4 5 6 7 | 1 2 3 4 5 6")), Choice("minimax", 2))
    assert [node for node in range(len(wide.trace)) if wide.unfolded(node)] == [0, 1, 9, 17], "24 nodes"
    few = explored(Subject(parse(" | ".join(2 * [" ".join(12 * "1")]))), Choice("minimax", 2))
    assert [node for node in range(len(few.trace)) if few.unfolded(node)] == [0, 1, 14], "19 nodes are shown of them"
    wider = explored(Subject(parse(" | ".join(["1 2 3 4 5 6 7"] * 3))), Choice("minimax", 2))
    assert [node for node in range(len(wider.trace)) if wider.unfolded(node)] == [0], "25 nodes"


def test_a_replay_makes_the_steps_that_are_due_by_its_speed() -> None:
    explorer = explored()
    assert (explorer.wake(0.0), explorer.speed, explorer.shown) == (None, 3, explorer.steps.last)
    explorer.speed = 10
    explorer.play(100.0)
    assert (explorer.at, explorer.playing, explorer.wake(100.0)) == (0, True, pytest.approx(0.1))
    steps = []
    for now in (100.05, 100.11, 100.19, 100.21, 100.55, 100.56):
        explorer.update(now)
        steps.append(explorer.at)
    assert steps == [0, 1, 1, 2, 5, 5]
    assert explorer.wake(200.0) == 0.0
    explorer.play(101.0)
    assert (explorer.at, explorer.playing) == (5, False)
    explorer.play(101.5)
    assert (explorer.at, explorer.playing) == (5, True), "it goes on from there"
    explorer.update(101.0)
    explorer.update(101.5 + 1 / 10)
    assert explorer.at == 6
    explorer.play(101.7)
    explorer.go(explorer.steps.last)
    explorer.play(102.0)
    assert explorer.at == 0, "from the end on to the beginning"
    explorer.speed = 200
    explorer.update(103.0)
    assert (explorer.at, explorer.playing) == (explorer.steps.last, False)


def test_a_moment_of_a_search_is_shown_as_it_was() -> None:
    explorer = explored()
    explorer.go(0)
    assert (explorer.entered(0), explorer.left(0), explorer.entered(1), explorer.node) == (True, False, False, 0)
    explorer.go(9)
    assert [explorer.entered(node) for node in (0, 1, 5, 6, 7)] == [True, True, True, False, False]
    assert [explorer.left(node) for node in (0, 1, 2, 5)] == [False, True, True, False]
    assert [explorer.value(node) for node in (0, 1, 2, 5)] == [3, 3, 3, None]
    assert explorer.window(5) == (3, INFINITY)
    assert [explorer.is_max(node) for node in (0, 1, 2)] == [True, False, True]
    assert (explorer.end(1), explorer.end(5), explorer.node_step) == (End.ALL, None, 9)
    explorer.go(-5)
    assert explorer.at == 0


def test_the_searches_of_a_tree_of_numbers_are_those_without_an_engine() -> None:
    explorer = explored()
    keys = ["minimax", "alphabeta", "ordering", "table", "deepening", "pvs", "quiescence", "expect", "expect_random",
            "root_splitting", "brothers"]  # fmt: skip
    assert [(choice.key, choice.depth) for choice in explorer.choices] == [*((key, 2) for key in keys), ("proof", None)]
    assert (explorer.by_steps, explorer.by_nodes, explorer.asks, explorer.deepest) == (True, True, True, 2)
    tracing = explorer.tracing
    explorer.take(TREE, PLAIN)
    assert explorer.tracing is tracing, "it is that search"
    explorer.choose(Choice("minimax", 2))
    assert explorer.tracing is not tracing
    assert len(explorer.trace) == 13


def test_a_node_is_found_by_its_position_where_its_moves_were_not_searched() -> None:
    record = moves("", setup("tictactoe"))
    explorer = explored(Subject.of(record, record.cursor), Choice("alphabeta", 3))
    texts = {explorer.move_texts(node) for node in range(len(explorer.trace))}
    moved = 0
    for line in islice(permutations(("c3", "b3", "a3", "b2", "c1"), 3), 30):
        found, wanted = explorer.find(" ".join(line)), record.position
        for text in line:
            wanted = wanted.play(wanted.parse_move(text))
        if found is not None:
            assert explorer.position(found).key == wanted.key
            moved += " ".join(line) not in texts
    assert moved
    assert explorer.find("a3 b3 c3 a2") is None, "deeper than it was searched"
