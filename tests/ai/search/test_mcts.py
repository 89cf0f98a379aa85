"""Monte Carlo tree search: sums, proofs, limits, and solved positions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.core import player as player_module
from ai.core.player import Info, Limit, Stop, answer
from ai.core.score import PROVEN, Score
from ai.search.alphabeta import AlphaBeta
from ai.search.mcts import Mcts, Table
from ai.search.mcts_tree import SAMPLE_NODES, MctsNode, SampleTree, puct, ranked, uct
from ai.search.minimax import minimax
from ai.search.oracles import Guidance, PlayoutOracle, StaticOracle
from ai.search.trace import Trace, document
from games.bones import LARGEST_HEAP, BonesPosition
from games.connect4 import Connect4Position
from games.formats.text import parse
from games.line import LinePosition
from games.position import FIRST, Position
from games.registry import GAMES, setup
from tests.ai.search.plain_visits import Visits
from tests.games.sowing import SowingPosition
from tests.games.strategies import Ticking

QUICK = settings(deadline=None, max_examples=60)
FEW = settings(QUICK, max_examples=12)
STARTS: tuple[Position, ...] = (LinePosition.empty(3, 3, 3), BonesPosition(20), Connect4Position(), SowingPosition())


def players(seed: int = 1) -> tuple[Mcts, ...]:
    """One guided by the evaluation and one by playouts."""
    return Mcts(StaticOracle()), Mcts(PlayoutOracle(1, seed), uct, 1.2)


def nodes_of(player: Mcts) -> Iterator[MctsNode]:
    assert player.root is not None
    seen, waiting = {id(player.root)}, [player.root]
    while waiting:
        node = waiting.pop()
        yield node
        new = [child for child in node.children if id(child) not in seen]
        seen.update(map(id, new))
        waiting += new


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position of a game after random moves, in which the game goes on; those of Connect Four are late."""
    position = draw(st.sampled_from(STARTS))
    least = 26 if isinstance(position, Connect4Position) else 0
    for choice in draw(st.lists(st.integers(0, 6), min_size=least, max_size=least + 8)):
        moves = position.legal_moves()
        after = position.play(moves[choice % len(moves)])
        if after.outcome is not None:
            break
        position = after
    return position


@pytest.mark.parametrize("moves", ["", "a1 b2", "a1 b2 c3 a3", "b2 b1 c2"])
@pytest.mark.parametrize("by_prior", [True, False])
def test_visits_and_means_are_those_of_a_plain_search(by_prior: bool, moves: str) -> None:
    start: Position = LinePosition.empty(3, 3, 3)
    for move in moves.split():
        start = start.play(start.parse_move(move))
    check_plainly(start, by_prior, 120)  # later, rounding decides between equal moves


@pytest.mark.parametrize("moves", ["", "d d d e", "c e c b e c c e c e b e e b c a"])
def test_visits_and_means_of_connect_four_are_those_of_a_plain_search(moves: str) -> None:
    start: Position = Connect4Position()
    for move in moves.split():
        start = start.play(start.parse_move(move))
    check_plainly(start, True, 200)


def check_plainly(start: Position, by_prior: bool, visits: int) -> None:
    """Plain means run from 0 to 1, and c with them."""
    oracle, again = (StaticOracle(), StaticOracle()) if by_prior else (PlayoutOracle(1, 5), PlayoutOracle(1, 5))
    player, plain = Mcts(oracle, puct if by_prior else uct, 0.8), Visits(start, again, 0.4, by_prior)
    answer(player, start, Limit(nodes=visits))
    for _ in range(player.nodes):
        plain.visit()
    root = player.root
    assert root is not None
    assert root.visits == plain.root.visits
    assert (root.proof is None) == (plain.root.proven is None)
    if root.proof is not None:
        assert root.sign * ((root.proof > 0) - (root.proof < 0)) == 2 * (plain.root.proven or 0) - 1
    assert list(root.moves) == [move for move, _ in plain.root.moves]
    assert list(root.tried) == plain.root.times
    found = [(1 + root.sign * child.value) / 2 for child in root.children]
    assert found == pytest.approx([plain.root.mean(place) for place in range(len(found))])


@cache
def solved(position: Position) -> int:
    """The exact score for the side to move: 1 a win, 0 a draw, -1 a loss."""
    score = answer(AlphaBeta(), position, Limit()).score
    return (score > 0) - (score < 0)


def exact(position: Position, side: int) -> int:
    """The exact result for `side`."""
    if position.outcome is not None:
        score: int = Score.of_outcome(position.outcome, side)
        return (score > 0) - (score < 0)
    return solved(position) if position.turn == side else -solved(position)


@QUICK
@given(positions(), st.integers(0, 300))
def test_visits_add_up(position: Position, visits: int) -> None:
    for player in players():
        answer(player, position, Limit(nodes=visits))
        assert player.root is not None
        assert player.root.visits == player.nodes + 1
        for node in nodes_of(player):
            assert node.visits == 1 + sum(node.tried)
            assert len(node.children) == len(node.tried)
            assert -1.0 <= node.value <= 1.0


@QUICK
@given(positions(), st.integers(0, 300))
def test_every_proof_is_right(position: Position, visits: int) -> None:
    for player in players():
        answer(player, position, Limit(nodes=visits))
        proven = [node for node in nodes_of(player) if node.proof is not None]
        for node in proven[:20]:
            assert node.proof is not None
            assert (node.proof > 0) - (node.proof < 0) == exact(node.position, FIRST)


@QUICK
@given(positions(), st.integers(0, 300))
def test_a_proof_follows_from_the_moves(position: Position, visits: int) -> None:
    """A win from one move, all else only from all moves."""
    for player in players():
        answer(player, position, Limit(nodes=visits))
        for node in nodes_of(player):
            if node.proof is None or not node.children:
                continue
            scores = [node.score(child) for child in node.children]
            best = max(score for score in scores if score is not None)
            proof = node.sign * node.proof
            assert proof in scores, "of a move; a better one may have been proven since, on another way to it"
            if best <= 0 or proof <= 0:
                assert proof == best
                assert None not in scores
                assert len(scores) == len(node.position.legal_moves())


@FEW
@given(positions(), st.integers(1, 25))
def test_a_proven_move_is_never_left_for_an_unproven_one(position: Position, visits: int) -> None:
    """At no time of a search."""
    for player in players():
        for _ in range(12):
            info = answer(player, position, Limit(nodes=visits))
            check_choice(player, position, info)


def test_a_proven_loss_was_played_while_other_moves_were_not_tried() -> None:
    """X threatens twice; that neither block helps is known before the other moves are tried."""
    position = parse("a3 b3 c3 a2 b2", setup("tictactoe")).position
    player = Mcts(PlayoutOracle(4, 1), uct, 1.2)
    info = answer(player, position, Limit(nodes=4, lines=3))
    assert player.root is not None
    assert [line.exact for line in info.lines] == [False, True, True]
    assert (info.score, info.pv) == (-526, (5,)), "as much as the position promises"
    assert info.move == player.root.moves[2]


def check_choice(player: Mcts, position: Position, info: Info) -> None:
    """A proven win is played, a proven loss only where all moves lose, and a draw is not left for what looks worse."""
    root = player.root
    assert root is not None
    assert info.move in position.legal_moves()
    known = {move: root.score(child) for move, child in zip(root.moves, root.children, strict=False)}
    scores = [score for score in known.values() if score is not None]
    chosen = known.get(info.move)
    if max(scores, default=0) > 0:
        assert chosen == max(scores)
    elif chosen is not None and chosen < 0:
        assert len(scores) == len(position.legal_moves())
        assert chosen == max(scores)
    elif 0 in scores and chosen is None:
        assert info.score >= 0, "which a value just above a draw is rounded to"


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.game)
def test_never_an_illegal_move(start: Position) -> None:
    for player in players():
        position = start
        while position.outcome is None:
            info = answer(player, position, Limit(nodes=20, lines=3))
            for line in info.lines:
                at = position
                for move in line.moves:
                    assert move in at.legal_moves()
                    at = at.play(move)
            position = position.play(info.move)


def test_solves_tic_tac_toe() -> None:
    for player in players():
        info = answer(player, LinePosition.empty(3, 3, 3), Limit())
        assert (info.score, info.lines[0].exact) == (0, True)
        assert player.size <= 5478, "more nodes than there are positions"


@pytest.mark.slow
@FEW
@given(st.lists(st.integers(0, 8), max_size=7))
def test_tic_tac_toe_has_the_values_of_minimax(choices: list[int]) -> None:
    position = LinePosition.empty(3, 3, 3)
    for choice in choices:
        moves = position.legal_moves()
        if position.play(moves[choice % len(moves)]).outcome is None:
            position = position.play(moves[choice % len(moves)])
    value = minimax(position).score if position.ply > 1 else 0
    for player in players():
        info = answer(player, position, Limit())
        assert (info.score > 0) - (info.score < 0) == (value > 0) - (value < 0)
        assert info.lines[0].exact


@pytest.mark.parametrize("heap", range(1, LARGEST_HEAP + 1))
def test_plays_every_heap_right(heap: int) -> None:
    """Whoever leaves a multiple of four wins. Equal heaps share a node, so that there are two for each number."""
    for player in players():
        info = answer(player, BonesPosition(heap), Limit())
        assert (info.score >= PROVEN) == (heap % 4 != 0)
        assert heap % 4 in (0, info.move)
        assert player.size <= 2 * LARGEST_HEAP + 1
        assert player.nodes <= 1000


def test_solves_a_game_with_extra_turns() -> None:
    position = SowingPosition()
    while position.outcome is None:
        for player in players():
            info = answer(player, position, Limit())
            assert (info.score > 0) - (info.score < 0) == solved(position)
        position = position.play(info.move)


def test_looks_at_moves_that_an_oracle_leaves_out_before_all_is_lost() -> None:
    class Narrow:
        def evaluate(self, position: Position) -> Guidance:
            return Guidance({position.legal_moves()[0]: 1.0}, 0.0)

    info = answer(Mcts(Narrow()), BonesPosition(7), Limit())
    assert (info.move, info.mate) == (3, 3)


def test_a_win_that_the_oracle_has_proven_is_played() -> None:
    class Knowing:
        def evaluate(self, position: Position) -> Guidance:
            assert isinstance(position, BonesPosition)
            if position.left % 4:
                return Guidance({1: 1.0}, 1.0, (position.left % 4,), position.left)
            return Guidance(dict.fromkeys(position.legal_moves(), 1 / 3), 0.0)

    info = answer(Mcts(Knowing()), BonesPosition(10), Limit())
    assert (info.move, info.mate, info.nodes) == (2, 10, 0)
    info = answer(Mcts(Knowing()), BonesPosition(12), Limit())
    assert (info.mate, info.nodes) == (-12, 3)


def test_selection_prefers_what_is_promising_and_what_was_tried_little() -> None:
    node = MctsNode(BonesPosition(3), 1, moves=(1, 2, 3), priors=(0.5, 0.3, 0.2), visits=21)
    node.children = [MctsNode(BonesPosition(2), -1, value=0.0), MctsNode(BonesPosition(1), -1, value=0.1)]
    node.tried = [10, 10]
    assert puct(node, 0.0) == 1
    assert puct(node, 5.0) == 2
    assert uct(node, 1.0) == 2, "not tried yet"
    node.moves, node.priors = (1, 2), (0.6, 0.4)
    assert uct(node, 1.0) == 1
    node.tried = [1, 19]
    assert puct(node, 1.0) == uct(node, 1.0) == 0
    for child in node.children:
        child.prove(Score.loss_in(1))
    assert puct(node, 1.0) == uct(node, 1.0) == -1


@pytest.mark.parametrize(
    ("value", "order"), [(0.5, [2, 1, 0, 6, 3, 5, 4]), *((value, [2, 1, 3, 0, 6, 5, 4]) for value in (0.0, -0.5))]
)
def test_moves_are_ranked_by_proofs_then_by_visits(value: float, order: list[int]) -> None:
    """A quick win, a slow one; what was visited, and the draw before it unless that promises more; the slowest loss."""
    for sign in (1, -1):
        node = MctsNode(BonesPosition(3), sign, moves=tuple(range(7)), tried=[9, 1, 1, 2, 1, 1, 4])
        proofs = [None, Score.win_in(4), Score.win_in(2), Score(0), Score.loss_in(1), Score.loss_in(5), None]
        node.children = [MctsNode(BonesPosition(2), -sign, value=sign * value) for _ in proofs]
        for child, proof in zip(node.children, proofs, strict=True):
            if proof is not None:
                child.prove(sign * proof)
        assert ranked(node) == order


@pytest.mark.parametrize(("moves", "told"), [("", 11), ("d a d b d", 3)])
def test_answers_are_told_ten_times_a_second_and_a_forced_one_soon(
    moves: str, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_module, "time", Ticking(0.001))
    infos = list(Mcts(StaticOracle()).think(parse(moves, setup("connect4")).position, Limit(seconds=1.0), Stop()))
    assert len(infos) == told


@pytest.mark.parametrize("game", GAMES)
def test_an_early_stop_has_an_answer(game: str) -> None:
    position, stop = setup(game).start(), Stop()
    stop.set()
    for player in players():
        info = answer(player, position, Limit(), stop)
        assert info.move in position.legal_moves()
        assert player.nodes == 0


def test_a_stop_ends_the_search() -> None:
    stop, player = Stop(), Mcts(StaticOracle())
    search = player.think(Connect4Position(), Limit(), stop)
    next(search)
    next(search)
    seen = player.nodes
    assert seen > 0
    stop.set()
    assert len(list(search)) == 1
    assert player.nodes == seen


def test_limits() -> None:
    player, start = Mcts(StaticOracle(), nodes=1000), Connect4Position()
    assert answer(player, start, Limit(nodes=77)).nodes == 77
    assert answer(player, start, Limit(seconds=0.0)).nodes == 0
    player.close()
    assert answer(player, start, Limit(depth=3)).depth >= 3
    answer(player, start, Limit())
    assert player.size == 1000, "the tree is full"


@pytest.mark.parametrize(("moves", "nodes", "size", "visits"), [
    ("", 49, 50, 17), ("", 50, 17, 17), ("dadbd", 75, 75, 75), ("dadbd", 76, 1, 1),
])  # fmt: skip
def test_a_tree_is_kept_if_half_of_it_is_free_or_a_quarter_without_what_is_left_behind(
    moves: str, nodes: int, size: int, visits: int
) -> None:
    """After a forced move nothing is left behind but the root."""
    player, position = Mcts(StaticOracle(), nodes=100), parse(moves, setup("connect4")).position
    info = answer(player, position, Limit(nodes=nodes))
    assert player.size == nodes + 1
    answer(player, position.play(info.move), Limit(nodes=0))
    assert player.root is not None
    assert (player.size, player.root.visits) == (size, visits)


def test_a_full_tree_is_kept_for_the_same_position_and_where_it_has_a_proof() -> None:
    player = Mcts(StaticOracle(), nodes=100)
    answer(player, Connect4Position(), Limit())
    assert answer(player, Connect4Position(), Limit()).nodes == 0
    forced = parse("b3c1a3", setup("tictactoe")).position
    assert len(forced.candidates()) == 1
    whole = Mcts(StaticOracle())
    answer(whole, forced, Limit())
    small = Mcts(StaticOracle(), nodes=whole.size)
    info = answer(small, forced, Limit())
    assert info.lines[0].exact
    found = answer(small, forced.play(info.move), Limit())
    assert (found.lines[0].exact, found.nodes, small.size) == (True, 0, whole.size - 1)


def test_nodes_that_are_left_behind_are_freed_a_few_at_a_time_the_newest_first() -> None:
    table, nodes, freed = Table(), [MctsNode(BonesPosition(left), 1) for left in range(1, 6)], []
    for left in (nodes[:3], nodes[3:]):
        for node in left:
            node.add_child(node)
            table.add(node)
        table.clear()
    assert len(table) == 0
    for count in (0, 1, 3, 9):
        table.free(count)
        freed.append([node for node in range(5) if not nodes[node].children])
    assert freed == [[], [4], [1, 2, 3, 4], [0, 1, 2, 3, 4]]
    node.add_child(node)
    table.add(node)
    table.close()
    assert (len(table), node.children) == (0, [])


def test_what_cannot_be_reached_is_left_behind_unless_a_stop_is_set() -> None:
    table, stop = Table(), Stop()
    nodes = [MctsNode(BonesPosition(left), 1) for left in range(1, 31)]
    for node, child in pairwise(nodes):
        table.add(child)
        child.add_child(node)
    table.add(nodes[0])
    stop.set()
    table.keep_reachable(nodes[4], stop)
    assert len(table) == 30
    table.keep_reachable(nodes[4], Stop())
    assert [table.get(node.position.key) is node for node in nodes] == [*5 * [True], *25 * [False]]


def test_a_stop_leaves_a_large_tree_as_it_is() -> None:
    player, position, stop = Mcts(StaticOracle(), nodes=1000), Connect4Position(), Stop()
    position = position.play(answer(player, position, Limit(nodes=900)).move)
    before = player.size
    stop.set()
    assert answer(player, position, Limit(), stop).move in position.legal_moves()
    assert player.size == before, "to look for what can go takes long"
    assert answer(player, position, Limit(nodes=0)).move in position.legal_moves()
    assert player.size < before


@pytest.mark.parametrize(("plies", "visits"), [(0, 1001), (1, 412), (4, 16), (5, 1)])
def test_the_tree_is_kept_for_the_next_four_moves(plies: int, visits: int) -> None:
    player, position = Mcts(StaticOracle()), Connect4Position()
    for move in answer(player, position, Limit(nodes=1000)).pv[:plies]:
        position = position.play(move)
    kept = next(iter(player.think(position, Limit(nodes=0), Stop())))
    assert player.root is not None
    assert (kept.nodes, player.root.visits, player.root.position) == (0, visits, position)
    assert kept.move in position.legal_moves()


def test_a_tree_of_another_game_is_not_used() -> None:
    """The positions have equal keys, but other rules."""
    player = Mcts(StaticOracle())
    for rule in GAMES["gomoku"].rules:
        answer(player, setup("gomoku", 9, rule).start(), Limit(nodes=20))
        assert player.root is not None
        assert player.root.visits == 21


def test_equal_seeds_give_equal_searches() -> None:
    def lines(seed: int) -> list[tuple[int, tuple[int, ...]]]:
        info = answer(Mcts(PlayoutOracle(1, seed), uct, 1.2), Connect4Position(), Limit(nodes=400, lines=7))
        return [(line.score, line.moves) for line in info.lines]

    assert lines(1) == lines(1)
    assert lines(1) != lines(2)


@QUICK
@given(positions(), st.integers(0, 200))
def test_the_trace_has_the_nodes_that_were_visited_most(position: Position, visits: int) -> None:
    player = Mcts(StaticOracle())
    player.trace = Trace()
    answer(player, position, Limit(nodes=visits))
    tree, root = player.trace, player.root
    assert isinstance(tree, SampleTree)
    assert root is not None
    assert tree.roots() == [0]
    assert tree.visits[0] == root.visits
    if root.proof is not None:
        assert tree.value[0] == root.sign * root.proof
    if len(tree) < SAMPLE_NODES:
        assert sum(tree.visits[child] for child in tree.children(0)) == root.visits - 1
    for node in range(len(tree)):
        at = position
        for move in tree.moves_to(node):
            at = at.play(move)
        assert tree.turn[node] == at.turn
        row = [tree.visits[child] for child in tree.children(node)]
        assert row == sorted(row, reverse=True)
    facts = document(tree, "mcts", position, [])
    assert {len(facts[key]) for key in ("parent", "value", "visits", "prior")} == {len(tree)}
