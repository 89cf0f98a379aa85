"""What is shown of a search follows from its trace; a reader is asked what the next step shows."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from ai.core.score import WIN
from ai.explain.explorer import Explorer
from ai.explain.prediction import Quiz, prediction
from ai.explain.subject import Choice, Subject, deeper, usual_depth
from ai.search.number_tree import parse, random_tree
from ai.search.trace import INFINITY, End
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
    explorer = explored()
    explorer.step()
    assert (explorer.at, explorer.node) == (0, 0)
    explorer.step(3)
    assert explorer.at == 3
    explorer.step(-1)
    assert explorer.at == 2
    explorer.go(None)
    explorer.step(-1)
    assert explorer.at == explorer.steps.last - 1
    explorer.go(10_000)
    assert explorer.at == explorer.steps.last


def test_before_it_is_entered_a_node_has_no_value_and_the_parent_none_but_its_best() -> None:
    explorer = explored()
    for step in range(explorer.steps.last + 1):
        explorer.go(step)
        for node in range(len(explorer.trace)):
            if not explorer.entered(node):
                assert explorer.value(node) is None
                assert explorer.end(node) is None
            elif explorer.left(node):
                assert explorer.value(node) is not None


def test_playing_makes_the_steps_that_are_due() -> None:
    explorer = explored()
    explorer.play(100.0)
    assert explorer.at == 0
    assert explorer.wake(100.0) == pytest.approx(1 / explorer.speed)
    for moment in np.arange(100.0, 120.0, 0.1):
        explorer.update(float(moment))
    assert explorer.at == explorer.steps.last
    assert not explorer.playing


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


def test_the_right_answers_are_what_the_search_shows() -> None:
    for subject, choice in ((TREE, Choice("alphabeta", 2)), (ending(), Choice("minimax"))):
        quiz = Quiz(explored(subject, choice))
        quiz.switch()
        explorer, kinds = quiz.explorer, set()
        while explorer.at is not None and explorer.at < explorer.steps.last:
            if quiz.asked is None:
                quiz.forward()
                continue
            asked = quiz.asked
            kinds.add(asked.kind)
            assert len(asked.options) == len(set(asked.options)) >= 2
            assert asked.answer in asked.options
            quiz.answer(asked.answer)
            if asked.kind == "value":
                assert explorer.value(asked.node) == asked.answer
            elif asked.kind == "best":
                assert explorer.steps.best(asked.node, explorer.shown) == asked.answer
            else:
                assert (explorer.end(asked.node) is End.CUT) == bool(asked.answer)
        assert quiz.right == quiz.count > 0
        assert kinds >= {"value"} or kinds >= {"best"}


def test_a_wrong_answer_is_told_and_a_question_is_forgotten_elsewhere() -> None:
    quiz = Quiz(explored())
    quiz.switch()
    while quiz.asked is None:
        quiz.forward()
    wrong = next(option for option in quiz.asked.options if option != quiz.asked.answer)
    quiz.answer(wrong)
    assert (quiz.verdict, quiz.right, quiz.count) == (False, 0, 1)
    while quiz.asked is None:
        quiz.forward()
    quiz.explorer.go(1)
    quiz.update()
    assert quiz.asked is None or quiz.asked == prediction(quiz.explorer)


def test_depths() -> None:
    assert usual_depth(TREE) == 2
    assert usual_depth(ending()) is None
    assert [usual_depth(Subject(setup(game).start(), setup(game))) for game in ("gomoku", "connect4")] == [2, 5]
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


def test_how_deep_a_search_can_get_is_unknown_where_its_depth_ends_it() -> None:
    assert explored(ending(), Choice("minimax", 2)).trace.stable_depth(to_the_end=False) is None
    assert explored(ending(), Choice("minimax", 3)).trace.stable_depth(to_the_end=False) == 3
    assert explored(ending(), Choice("deepening")).trace.stable_depth(to_the_end=True) == 1, "it has found the win"


def test_minimax_shows_no_window() -> None:
    explorer = explored(ending(), Choice("minimax"))
    assert {explorer.window(node) for node in range(len(explorer.trace))} == {(-INFINITY, INFINITY)}


def test_of_a_search_by_deepening_the_last_iteration_is_shown_first() -> None:
    record = moves("", setup("bones", 8))
    explorer = explored(Subject.of(record, record.cursor), Choice("deepening"))
    first, *_, last = explorer.trace.roots()
    assert explorer.root == last != first
