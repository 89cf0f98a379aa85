"""What a trace says is what the search did: nodes, order, windows, values and cuts, against a recursion of its own."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ai.core.player import Limit, Stop, answer
from ai.players.table import Context, make
from ai.search.alphabeta import AlphaBeta, Parts
from ai.search.comparison import variant
from ai.search.minimax import Minimax
from ai.search.trace import End, Trace, Traceable, document
from games.position import Position
from games.registry import setup
from tests.ai.search.recursion import Recursion
from tests.sampling import sampled
from tests.test_cli import run

PLAIN = Parts(ordering=False, table=False, deepening=False, extension=False)
ALL_MOVES = {"extension": False, "selection": False}
PARTS = {
    "alphabeta": Parts(ordering=False, table=False, deepening=False, **ALL_MOVES),
    "ordering": Parts(table=False, deepening=False, **ALL_MOVES),
    "table": Parts(deepening=False, **ALL_MOVES),
    "deepening": Parts(**ALL_MOVES),
}
"""What the searches that are compared are made of."""
SETUPS = [setup("tictactoe"), setup("gomoku", 6), setup("bones", 15), setup("connect4")]
DEPTH = {"tictactoe": 9, "gomoku": 2, "bones": 20, "connect4": 3}


def by_chance(number: int) -> Position:
    """The position of that number, of one of the games."""
    dice, chosen = random.Random(number), SETUPS[number % len(SETUPS)]
    while True:
        position = chosen.start()
        for _ in range(dice.randrange(3 if chosen.game == "tictactoe" else 0, 8)):
            if position.outcome is None:
                position = position.play(dice.choice(list(position.legal_moves())))
        if position.outcome is None:
            return position


def traced(player: Traceable, position: Position, limit: Limit) -> tuple[Trace, Any]:
    player.trace = Trace()
    info = answer(player, position, limit)
    return player.trace, info


def rows(trace: Trace) -> list[list[Any]]:
    return [
        [trace.parent[n], trace.move[n], trace.turn[n], trace.alpha[n], trace.beta[n], trace.value[n],
         End(trace.end[n]).name.lower(), trace.untried[n], len(trace.moves_to(n))]
        for n in range(len(trace))
    ]  # fmt: skip


PLAYERS: dict[str, Parts | None] = {
    "minimax": None,
    "alphabeta:ordering=0,table=0,deepening=0,extension=0": PLAIN,
    **{variant(key): PARTS[key] for key in ("ordering", "table", "deepening")},
    "alphabeta": Parts(),
}
"""Players by their names, and what they are made of."""


@pytest.mark.parametrize("name", sampled(list(PLAYERS), 3))
@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in range(20, 200, 20))])
def test_nodes_order_values_and_cuts_are_those_of_the_players(name: str, first: int) -> None:
    parts = PLAYERS[name]
    for number in range(first, first + 20):
        position = by_chance(number)
        depth = 1 if parts is None and position.game == "gomoku" else DEPTH[position.game]
        player = make(name, Context(position.game))
        assert isinstance(player, Traceable)
        trace, info = traced(player, position, Limit(depth=depth))
        independent = Recursion(parts)
        independent.search(position, depth)
        assert rows(trace) == independent.rows, number
        assert (info.score, info.nodes) == (independent.score, len(independent.rows))


@pytest.mark.parametrize("number", sampled(range(24), 8))
def test_the_trace_of_the_whole_search_holds_together(number: int) -> None:
    """With ordering, table, deepening and extension: each value follows from those below it."""
    position = by_chance(number)
    trace, info = traced(AlphaBeta(), position, Limit(depth=4, lines=1 + number % 2))
    assert len(trace) == info.nodes
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(trace.parent):
        assert parent < node
        children.setdefault(parent, []).append(node)
    assert children[-1] == trace.roots()
    for node in range(len(trace)):
        turn = trace.turn[node]
        below = children.get(node, ())
        backed = [trace.value[each] if trace.turn[each] == turn else -trace.value[each] for each in below]
        end = End(trace.end[node])
        assert (end in (End.ALL, End.CUT)) == bool(backed)
        if backed:
            assert trace.value[node] == max(backed)
        assert (end is End.CUT) == bool(backed and trace.value[node] >= trace.beta[node])
        assert end is End.CUT or not trace.untried[node]
        reached = position
        for move in trace.moves_to(node):
            reached = reached.play(move)
        assert reached.turn == trace.turn[node]
    assert info.score in {trace.value[root] for root in trace.roots()}


@pytest.mark.slow
def test_tic_tac_toe_from_the_empty_board() -> None:
    """18,297 is the number that is published for alpha-beta with moves by number, and wins worth the same."""
    position = setup("tictactoe").start()
    for distance, published in ((True, None), (False, 18_297)):
        player = make(variant("alphabeta", distance), Context("tictactoe"))
        assert isinstance(player, Traceable)
        trace, info = traced(player, position, Limit())
        independent = Recursion(replace(PARTS["alphabeta"], distance=distance))
        independent.search(position, 9)
        assert rows(trace) == independent.rows
        assert info.nodes == (published or len(independent.rows))
        assert info.score == 0


@pytest.mark.slow
def test_minimax_visits_549_946_positions_of_tic_tac_toe() -> None:
    trace, info = traced(Minimax(), setup("tictactoe").start(), Limit())
    independent = Recursion(None)
    independent.search(setup("tictactoe").start(), 9)
    assert len(trace) == info.nodes == len(independent.rows) == 549_946
    assert rows(trace) == independent.rows


def test_what_is_stopped_is_marked() -> None:
    player, stop = AlphaBeta(), Stop()
    player.trace = Trace()
    for info in player.think(setup("gomoku").start().play(112), Limit(nodes=500), stop):
        last = info
    ends = [End(end) for end in player.trace.end]
    assert len(ends) == 500 >= last.nodes
    assert End.STOPPED in ends
    facts = document(player.trace, "alphabeta", setup("gomoku").start(), [])
    assert {facts["value"][node] is None for node, end in enumerate(ends) if end is End.STOPPED} == {True}


def test_parts_can_be_left_out_by_name() -> None:
    position = setup("connect4").start()
    plain = "alphabeta:ordering=0,table=0,deepening=0,extension=0"
    players = {name: make(name, Context("connect4")) for name in ("alphabeta", "alphabeta:table=0", plain, "minimax")}
    nodes = {name: answer(player, position, Limit(depth=4)).nodes for name, player in players.items()}
    assert sorted(nodes.values()) == list(nodes.values()), nodes
    with pytest.raises(ValueError, match="has no option speed; it has ordering, table, deepening, extension"):
        make("alphabeta:speed=1", Context("connect4"))
    with pytest.raises(ValueError, match="a whole number from 0 to 1"):
        make("alphabeta:table=2", Context("connect4"))


def test_the_command_line_writes_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    analyse = ("analyse", "a3b3c3b2a2", "--game", "tictactoe", "--player", "minimax", "--last")
    assert run(*analyse, "--trace", "tree.json") == 0
    facts = json.loads(Path("tree.json").read_text())
    arrays = ("parent", "move", "side", "alpha", "beta", "value", "bound", "end")
    assert list(facts) == ["game", "player", "root", "nodes", *arrays]
    assert (facts["game"], facts["player"], facts["root"]) == ("tictactoe", "minimax", "a3 b3 c3 b2 a2")
    assert {len(facts[name]) for name in arrays} == {facts["nodes"]}
    assert (facts["parent"][0], facts["move"][0], facts["side"][0]) == (-1, "", 1)
    assert set(facts["alpha"]) == set(facts["beta"]) == {None}
    assert set(facts["bound"]) == {"exact"}
    assert set(facts["end"]) == {"all", "outcome"}
    won = [value for value in facts["value"] if value > 0]
    assert won, "from the first side"


def test_a_player_without_a_tree_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("analyse", "a1", "--game", "tictactoe", "--player", "random", "--trace", "tree.json") == 2
    assert "“random” does not write the tree of its search" in capsys.readouterr().err
    assert not Path("tree.json").exists()


def by_hand(*ends: End) -> Trace:
    """A root with the moves 4 and 6, and after 4 the moves 1 and 2, which ended so."""
    trace = Trace()
    trace.enter(-2, 0, -9, 9, 2)
    trace.enter(4, 1, -9, 9, 1)
    for move, value, end in ((1, 5, ends[0]), (2, 7, ends[1])):
        trace.enter(move, 0, -9, 9)
        trace.leave(value, end)
    trace.leave(-5, End.CUT, 3)
    trace.enter(6, 1, -9, 9, 1)
    trace.leave(3, End.OUTCOME)
    trace.leave(5, End.ALL)
    return trace


def test_nodes_are_found_by_their_moves() -> None:
    trace = by_hand(End.HORIZON, End.OUTCOME)
    assert [trace.child(0, move) for move in (4, 6, 1)] == [1, 4, None]
    assert [trace.node_after(moves) for moves in ((), (4,), (4, 2), (6, 1), (1, 2))] == [0, 1, 3, None, None]


def test_a_search_that_saw_all_is_the_same_at_any_greater_depth() -> None:
    trace = by_hand(End.OUTCOME, End.OUTCOME)
    assert (trace.stable_depth(False), trace.stable_depth(True)) == (2, 2)
    assert [by_hand(End.HORIZON, End.OUTCOME).stable_depth(each) for each in (False, True)] == [None, 2]
    trace.enter(-2, 0, -9, 9, 1)
    assert trace.stable_depth(True) is None, "its last iteration was stopped"
    trace.leave(0, End.ALL)
    assert trace.stable_depth(False) == 0


@pytest.mark.parametrize(
    ("nodes", "sizes", "ends"),
    [
        (4, [4, 3, 1, 1], [End.STOPPED, End.CUT, End.HORIZON, End.OUTCOME]),
        (3, [3, 2, 1], [End.STOPPED, End.STOPPED, End.HORIZON]),
        (2, [2, 1], [End.STOPPED, End.STOPPED]),
        (0, [], []),
    ],
)
def test_the_first_nodes_of_a_search_are_kept(nodes: int, sizes: list[int], ends: list[End]) -> None:
    trace = by_hand(End.HORIZON, End.OUTCOME)
    trace.cut_off(nodes)
    assert (len(trace), list(trace.size), list(trace.end)) == (nodes, sizes, ends)
    assert list(trace.untried) == [3 if end is End.CUT else 0 for end in ends]
    trace.enter(-2, 0, -9, 9)
    assert trace.parent[-1] == -1, "nothing is open any more"
