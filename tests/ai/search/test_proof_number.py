"""Proof-number search against minimax, and against its definition written once more, recursively."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import inf

import pytest

from ai.search.number_tree import Branches, NumberTree, parse
from ai.search.proof_number import INFINITE, ProofNode, ProofNumberSearch, ProofTree, numbers_above
from ai.search.trace import UNKNOWN, End
from games.formats.text import parse as parse_game
from games.position import Position
from games.registry import setup


def searched(position: Position, rounds: int = 100_000) -> ProofNumberSearch:
    search = ProofNumberSearch(position)
    while search.rounds < rounds and not search.root.decided:
        search.make_round()
    return search


def wins(position: Position, side: int) -> bool:
    """Plainly, by trying everything."""
    if position.outcome is not None:
        return position.outcome.winner == side
    found = (wins(position.play(move), side) for move in position.legal_moves())
    return any(found) if position.turn == side else all(found)


def played_at_random(game: str, size: int | None, plies: int, seed: int) -> Position:
    position, dice = parse_game("", setup(game, size)).position, random.Random(seed)
    while position.ply < plies and position.outcome is None:
        position = position.play(dice.choice(list(position.legal_moves())))
    return position


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("game", "size", "plies"), [("tictactoe", None, 3), ("tictactoe", None, 4), ("bones", 9, 0)])
def test_it_says_who_wins_as_minimax_does(game: str, size: int | None, plies: int, seed: int) -> None:
    position = played_at_random(game, size, plies, seed)
    root = searched(position).root
    assert ((root.proof, root.disproof) == (0, INFINITE)) == wins(position, position.turn)
    assert root.decided


def nodes_below(node: ProofNode) -> Iterator[ProofNode]:
    yield node
    for child in node.children:
        yield from nodes_below(child)


def least_leaves(node: ProofNode, proven: bool) -> float:
    """The definition: how many open leaves at least must turn out won, or not won, until the node is decided so."""
    if not node.children:
        done, never = (node.proof == 0, node.disproof == 0) if proven else (node.disproof == 0, node.proof == 0)
        return 0 if done else inf if never else 1
    found = [least_leaves(child, proven) for child in node.children]
    return min(found) if node.attacking == proven else sum(found)


@pytest.mark.parametrize("rounds", [0, 1, 5, 20, 60])
def test_the_numbers_are_the_least_of_leaves_that_must_turn_out_so(rounds: int) -> None:
    search = searched(played_at_random("tictactoe", None, 2, 3), rounds)
    assert search.nodes == len(list(nodes_below(search.root)))
    for node in nodes_below(search.root):
        assert [inf if number == INFINITE else number for number in (node.proof, node.disproof)] == [
            least_leaves(node, proven) for proven in (True, False)
        ]


def test_a_round_expands_a_leaf_that_both_numbers_of_the_root_count() -> None:
    """If it turns out won, the root needs one leaf less to be proven; if not, one less to be disproven."""
    search = searched(played_at_random("tictactoe", None, 2, 5), 25)
    for _ in range(10):
        before = search.root.proof, search.root.disproof
        search.make_round()
        last = search.path[-1]
        kept = last.children
        changed = []
        for numbers in ((0, INFINITE), (INFINITE, 0), (1, 1)):
            last.children, last.proof, last.disproof = [], *numbers
            for node in reversed(search.path[:-1]):
                node.update()
            changed.append((search.root.proof, search.root.disproof))
        assert changed[2] == before
        assert (changed[0][0], changed[1][1]) == (before[0] - 1, before[1] - 1)
        last.children = kept
        for node in reversed(search.path):
            node.update()


def test_one_child_is_enough_for_the_side_to_move_and_the_other_side_needs_all() -> None:
    below = [(2, 1), (5, 4), (3, INFINITE)]
    assert numbers_above(True, below) == (2, INFINITE)
    assert numbers_above(False, below) == (10, 1)
    assert numbers_above(False, [(INFINITE, 0), (1, 1)]) == (INFINITE, 0)


@pytest.mark.parametrize("seed", range(8))
def test_a_leaf_of_a_tree_of_numbers_is_won_if_it_is_positive(seed: int) -> None:
    dice = random.Random(seed)

    def grown(plies: int) -> Branches:
        return tuple(grown(plies - 1) for _ in range(dice.randint(1, 3))) if plies else dice.randint(-1, 1)

    def best(tree: Branches, ply: int) -> int:
        if isinstance(tree, int):
            return tree
        return (min if ply % 2 else max)(best(branch, ply + 1) for branch in tree)

    tree = grown(4)
    for ply in (0, 1):  # with the second side at the root, it is the attacker
        root = searched(NumberTree(tree, ply)).root
        assert (root.proof == 0) == ((best(tree, ply) > 0) if ply == 0 else best(tree, ply) < 0)


def test_the_tree_has_all_nodes_with_their_numbers_and_the_way_of_the_last_round() -> None:
    search = searched(parse("((1 0) (0 1)) ((0 0) (1 1) (0 1))"), 3)
    tree = search.tree()
    assert isinstance(tree, ProofTree)
    found = list(nodes_below(search.root))
    assert [(tree.proof[node], tree.disproof[node]) for node in range(len(tree))] == [
        (node.proof, node.disproof) for node in found
    ]
    assert [found[node] for node in tree.trail] == list(search.path)
    moves = [(), (0,), (0, 0), (0, 1), (1,), (1, 0), (1, 1), (1, 2)]
    assert [tree.moves_to(node) for node in range(len(tree))] == moves
    assert (tree.best[0], tree.best[2], End(tree.end[2]), End(tree.end[0])) == (0, UNKNOWN, End.HORIZON, End.ALL)
    assert len(tree.path(len(tree) - 1)) == 3
