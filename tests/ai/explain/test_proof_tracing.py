"""A proof-number search that is gone through round by round."""

from __future__ import annotations

import pytest

from ai.explain.explorer import Explorer
from ai.explain.kinds import ROUNDS, Engines
from ai.explain.subject import Choice, Subject
from ai.players.table import Context, make
from ai.search.comparison import PROOF
from ai.search.number_tree import parse as parse_numbers
from ai.search.proof_number import INFINITE, ProofTree
from ai.service.searches import Searches
from games.formats.text import parse
from games.registry import GAMES, setup


def explored(moves: str = "b2 b1", game: str = "tictactoe") -> Explorer:
    record = parse(moves, setup(game))
    return Explorer(Subject.of(record, record.cursor), Choice(PROOF), lambda: None)


def tree_of(explorer: Explorer) -> ProofTree:
    assert isinstance(explorer.trace, ProofTree)
    return explorer.trace


def test_a_step_is_one_round_that_adds_the_children_of_one_node() -> None:
    explorer = explored()
    before: ProofTree | None = None
    for step in range(explorer.steps.last + 1):
        explorer.go(step)
        tree = tree_of(explorer)
        path = sorted(explorer.trail, key=tree.ply.__getitem__)
        assert tree.path(path[-1]) == path if path else step == 0
        if before is not None:
            added = tree.children(path[-1])
            assert len(tree) == len(before) + len(added)
            old = before.node_after(tree.moves_to(path[-1]))
            assert old is not None
            assert not before.children(old)
            way = 0
            while before.children(way):
                way = before.child(way, before.best[way])  # type: ignore[assignment]  # it has the best move
            assert way == old, "the round went where the tree before it said"
        before = tree
    assert explorer.info is not None
    assert (explorer.info.move, explorer.info.complete) == (tree_of(explorer).best[0], True)
    assert (tree_of(explorer).proof[0], tree_of(explorer).disproof[0]) == (0, INFINITE)


def test_going_back_shows_the_same_trees_again_and_keeps_the_node() -> None:
    explorer = explored()
    trees: dict[int, list[int]] = {}
    for step in (20, 9, 22, 3, 9, 20):
        explorer.go(step)
        found = list(tree_of(explorer).proof)
        assert trees.setdefault(step, found) == found
    node = explorer.find("a3 c1")
    assert node is not None
    explorer.look_at(node)
    for step in (10, 19):
        explorer.go(step)
        assert explorer.node == explorer.find("a3 c1")
    explorer.go(1)
    assert explorer.node == explorer.root, "a3 c1 was not in the tree yet"


def test_a_search_that_decides_nothing_ends_after_its_rounds() -> None:
    explorer = explored("")
    assert explorer.steps.last == ROUNDS
    assert explorer.info is not None
    assert explorer.info.complete is False
    assert 0 not in (tree_of(explorer).proof[0], tree_of(explorer).disproof[0])


def test_a_root_that_is_over_has_no_rounds() -> None:
    explorer = explored("a1 b1 a2 b2 a3")
    assert (explorer.steps.last, len(explorer.trace), explorer.find("")) == (0, 1, 0)
    assert (tree_of(explorer).proof[0], tree_of(explorer).disproof[0]) == (INFINITE, 0), "the side to move has lost"


def test_it_has_no_depth() -> None:
    explorer = explored()
    explorer.deepen(1)
    assert explorer.choice == Choice(PROOF)


@pytest.mark.parametrize("game", [*GAMES, None])
def test_it_is_offered_in_trees_of_numbers_and_in_small_games(game: str | None) -> None:
    searches = Searches(lambda name, game, _book: make(name, Context(game)), lambda: None, lambda: True)
    if game is None:
        subject = Subject(parse_numbers("3 1 | 0 2"))
    else:
        record = parse("", setup(game))
        subject = Subject.of(record, record.cursor)
    explorer = Explorer(subject, Choice("minimax", 1), lambda: None, Engines(searches))
    assert (PROOF in {choice.key for choice in explorer.choices}) == (game != "gomoku")
    searches.release()
