"""A Monte Carlo tree search in a process of its own, as an explorer shows it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace

import pytest

from ai.core import player as player_module
from ai.core.score import PROVEN
from ai.explain import kinds
from ai.explain.explorer import Explorer
from ai.explain.kinds import Engines, SampleTracing
from ai.explain.subject import Choice, Subject, usual_depth
from ai.players.table import Context, make
from ai.search.comparison import ENGINE, MCTS
from ai.search.mcts_tree import SampleTree
from ai.search.number_tree import parse as parse_numbers
from ai.service.searches import Searches
from games.formats.text import parse
from games.registry import GAMES, setup
from tests.ai.explain.at_once import AtOnce, Dead
from tests.games.strategies import Ticking
from tests.waiting import wait


@pytest.fixture
def searches() -> Iterator[Searches]:
    made = Searches(lambda name, game, _book: make(name, Context(game)), lambda: None, lambda: True)
    yield made
    made.release()


def explored(engines: Engines, game: str, moves: str = "", key: str = MCTS) -> Explorer:
    record = parse(moves, setup(game))
    return Explorer(Subject.of(record, record.cursor), Choice(key), lambda: None, engines)


def test_a_solved_position_is_shown_with_its_proof(searches: Searches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "Stream", AtOnce)
    explorer = explored(Engines(searches), "tictactoe", "a3b3")
    assert (explorer.value(0), explorer.deepest) == (None, 0), "before the search"
    assert explorer.trace.extra_columns() == {"visits": [0], "prior": [1.0], "mean": [0.0], "bonus": [0.0]}
    assert not explorer.trace.proven[0]
    wait(lambda: not explorer.busy, lambda: explorer.update(0.0))
    info, tree = explorer.info, explorer.trace
    assert isinstance(tree, SampleTree)
    assert info is not None
    assert explorer.value(0) == info.score > PROVEN
    assert tree.proven[0]
    assert tree.move[explorer.line()[1]] == info.move
    assert not explorer.by_steps
    for node in range(len(tree)):
        assert all(tree.visits[one] >= tree.visits[next_] for one, next_ in pairwise(tree.children(node)))


def test_small_trees_come_from_time_to_time_and_a_large_one_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look at the clock takes 4 milliseconds here."""
    monkeypatch.setattr(kinds, "Stream", AtOnce)
    monkeypatch.setattr(kinds, "time", Ticking(0.06))
    monkeypatch.setattr(player_module, "time", Ticking(0.004))
    tracing = SampleTracing(Engines(SimpleNamespace()), setup("connect4").start(), lambda: None)
    assert (tracing.busy, tracing.waiting, tracing.progress, len(tracing.trace)) == (True, False, None, 1)
    sizes = []
    while tracing.busy:
        assert (tracing.info, tracing.update(), tracing.failed) == (None, True, False)
        sizes.append((len(tracing.trace), tracing.progress.nodes))
    assert sizes[:4] == [(2, 0), (94, 84), (213, 168), (240, 252)]
    assert sizes[4:] == [*((240, 84 * number) for number in range(4, 14)), (1500, 1153)]
    assert (tracing.info, tracing.update(), tracing.waiting) == (tracing.progress, False, False)


def test_what_is_looked_at_stays_when_the_tree_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "Stream", AtOnce)
    monkeypatch.setattr(kinds, "time", Ticking(0.2))
    monkeypatch.setattr(player_module, "time", Ticking(0.03))
    explorer, seen = explored(Engines(SimpleNamespace()), "connect4"), []
    for count in range(5):
        explorer.update(0.0)
        if count == 2:
            explorer.look_at(len(explorer.trace) - 1)
        seen.append((explorer.node, explorer.trace.moves_to(explorer.node), len(explorer.trace)))
    assert seen == [(0, (), 2), (0, (), 6), (9, (5,), 10), (11, (5,), 14), (14, (5,), 18)]


def test_a_process_that_dies_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "Stream", Dead)
    tracing = SampleTracing(Engines(SimpleNamespace()), setup("connect4").start(), lambda: None)
    assert (tracing.update(), tracing.failed, tracing.busy, tracing.update()) == (True, True, False, False)


def test_it_waits_for_the_engine_where_it_needs_it(searches: Searches, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[bool] = []
    ready: list[bool] = []
    monkeypatch.setattr(kinds, "Stream", Dead)
    engines = Engines(searches, failed=lambda: bool(failed), ready=lambda: bool(ready))
    explorer, other = (explored(engines, "gomoku", "h8") for _ in "12")
    explorer.update(0.0)
    assert explorer.busy
    assert explorer.tracing.waiting
    assert not explorer.tracing.failed
    failed.append(True)
    explorer.update(0.0)
    assert explorer.tracing.failed
    assert not explorer.busy
    ready.append(True)
    assert (other.tracing.update(), other.tracing.waiting, other.tracing.failed) == (False, False, False)
    assert other.tracing.busy
    for each in (other, explored(Engines(searches, ready=lambda: False), "gomoku", "h8")):
        each.close()
        assert (each.tracing.busy, each.tracing.update()) == (False, False)


@pytest.mark.parametrize("game", GAMES)
def test_it_is_offered_in_every_game(searches: Searches, game: str) -> None:
    explorer = explored(Engines(searches), game, key="minimax" if game == "tictactoe" else "deepening")
    explorer.close()
    offered = {choice.key: choice for choice in explorer.choices}
    assert offered[MCTS].depth is None
    assert (ENGINE in offered) == (game == "gomoku")


def test_it_is_not_offered_for_a_tree_of_numbers(searches: Searches) -> None:
    numbers = Explorer(Subject(parse_numbers("3 12 | 2 4")), Choice("minimax", 2), lambda: None, Engines(searches))
    assert MCTS not in {choice.key for choice in numbers.choices}


def test_other_searches_have_their_usual_depth_again(searches: Searches) -> None:
    explorer = explored(Engines(searches), "connect4")
    explorer.deepen(-1)
    assert explorer.choice == Choice(MCTS), "it has no depth"
    assert isinstance(explorer.tracing, SampleTracing)
    explorer.close()
    depths = {choice.depth for choice in explorer.choices if not choice.grows}
    assert depths == {usual_depth(explorer.subject)}
