"""Two whole searches to one scale: where the nodes of the smaller one are, and what is drawn as cut away."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ai.core.player import Limit, answer
from ai.explain.subject import PRUNING, SideBySide, Subject, usual_depth
from ai.players.table import Context, make
from ai.search.comparison import variant
from ai.search.number_tree import random_tree
from ai.search.trace import Trace, Traceable
from games.formats.text import parse
from games.registry import setup
from tests.waiting import wait
from ui.learn.icicle_plan import NOTHING, SAVED, Facts, IciclePlan, Plans, PrunedPlan

WIDE = 700


def subject(moves: str, game: str) -> Subject:
    record = parse(moves, setup(game))
    return Subject.of(record, record.cursor)


NUMBERS = [Subject(random_tree(3, 4, 7)), Subject(random_tree(4, 3, 1))]
SUBJECTS = [subject("a3b3c3a2", "tictactoe"), subject("", "bones"), *NUMBERS]


def traced(name: str, of: Subject) -> Trace:
    player = make(name, Context(of.position.game))
    assert isinstance(player, Traceable)
    player.trace = Trace()
    answer(player, of.position, Limit(depth=8 if of.setup else usual_depth(of)))
    return player.trace


def both(of: Subject, key: str) -> Plans:
    traces = traced("minimax", of), traced(variant(key), of)
    return Plans(traces, [Facts.of(trace) for trace in traces])


@pytest.mark.parametrize("key", PRUNING)
@pytest.mark.parametrize("of", SUBJECTS)
def test_each_node_is_where_minimax_has_it_and_the_rest_is_cut_away(of: Subject, key: str) -> None:
    plans = both(of, key)
    whole, pruned = plans.traces
    gone = 0
    for level in range(plans.whole.rows):
        theirs, ours = plans.whole.row(level, WIDE), plans.pruned.row(level, WIDE)
        for there, here in zip(theirs, ours, strict=True):
            assert (there == NOTHING) == (here == NOTHING)
            if here >= 0:
                assert pruned.moves_to(here) == whole.moves_to(there)
            elif here <= SAVED:
                assert pruned.node_after(whole.moves_to(there)) is None
                gone += 1
    assert bool(gone) == (len(pruned) < len(whole))


@pytest.mark.parametrize("of", SUBJECTS)
def test_the_scale_is_the_same_number_of_leaves_a_pixel(of: Subject) -> None:
    plans = both(of, "alphabeta")
    leaves = [sum(trace.size[node] == 1 for node in range(len(trace))) for trace in plans.traces]
    assert plans.share == leaves[1] / leaves[0]
    wide = WIDE * plans.share
    for node in range(plans.alone.count):
        assert plans.alone.place(node, 1)[1] * wide == pytest.approx(
            sum(plans.traces[1].size[each] == 1 for each in range(node, plans.traces[1].after(node)))
            * WIDE / plans.whole.whole
        )  # fmt: skip


def test_what_minimax_has_not_reached_yet_is_left_out() -> None:
    """Both searches are shown while they go on."""
    of = SUBJECTS[0]
    whole, pruned = traced("minimax", of), traced(variant("alphabeta"), of)
    early = Trace()
    for name, _ in Trace.ARRAYS:
        getattr(early, name).extend(getattr(whole, name)[:40])
    plan = PrunedPlan(Facts.of(pruned), IciclePlan(Facts.of(early)))
    shown = {int(node) for level in range(plan.rows) for node in plan.row(level, 2000) if node >= 0}
    assert shown
    known = {early.moves_to(node) for node in range(len(early))}
    assert {pruned.moves_to(node) for node in shown} <= known
    assert np.all(plan.row(0, 100) == 0)


def test_both_searches_run_and_one_is_exchanged() -> None:
    trees = SideBySide(SUBJECTS[0], lambda: None)
    trees.pointed = ()
    assert (trees.begun, trees.nodes_below()) == (False, None)
    trees.start()
    wait(lambda: trees.finished, trees.update)
    assert (trees.begun, trees.nodes_below()) == (True, None)
    whole, pruned = trees.traces
    assert len(pruned) < len(whole)
    trees.choose("table")
    wait(lambda: trees.finished, trees.update)
    assert trees.traces[0] is whole
    assert len(trees.traces[1]) < len(pruned)
    trees.pointed = whole.moves_to(len(whole) - 1)
    assert trees.nodes_below() is not None
    assert trees.position().outcome is not None
    trees.deepen(-1)
    assert trees.depth == 5, "the game can last no longer"
    wait(lambda: trees.finished, trees.update)
    trees.close()


@pytest.mark.parametrize("of", [subject("a3b3c3a2b2", "tictactoe"), NUMBERS[0]])
def test_searches_that_have_just_begun_ended_the_program(of: Subject) -> None:
    """One of them may have nodes on a level where the other has none."""
    traces = traced("minimax", of), traced("alphabeta", of)
    begun = [1, 2, 3, 5, 9, 30]
    for whole, pruned in itertools.product(begun, begun):
        shown = zip(traces, (whole, pruned), strict=True)
        facts = [Facts(*(each[:count] for each in Facts.of(trace))) for trace, count in shown]
        plans = Plans(traces, facts)
        assert 0 <= plans.share <= 1
        for plan in (plans.whole, plans.pruned, plans.alone):
            assert all(len(plan.row(level, 40)) == 40 for level in range(plan.rows))
