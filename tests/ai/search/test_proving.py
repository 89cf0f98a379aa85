"""Wins at once, forks, what a move does, and the prover of games that can be searched to the end."""

from __future__ import annotations

import pytest

from ai.search.alphabeta import AlphaBeta
from ai.search.proving import SearchProver, forks_of, purpose_of, widening, wins_of
from games.formats.text import parse
from games.position import Position
from games.registry import setup
from tests.games.sowing import SowingPosition


def at(moves: str, game: str = "tictactoe") -> Position:
    return parse(moves, setup(game)).position


def texts(position: Position, moves: object) -> list[str]:
    assert isinstance(moves, dict | list)
    return [position.move_text(move) for move in moves]


@pytest.mark.parametrize(
    ("moves", "wins", "forks"),
    [
        ("a3 a1 b3 c1", ["c3"], ["b1"]),  # a block that threatens twice
        ("a1 b1 c3", [], []),  # it has to block
        ("c2 a3 c1", [], []),
        ("a1 c3 a3 a2", [], ["c1"]),
        ("a3 b2 c1 a1", [], ["c3"]),
        ("a3 a1 b3 c1 c3", [], []),  # over
    ],
)
def test_wins_and_forks(moves: str, wins: list[str], forks: list[str]) -> None:
    position = at(moves)
    assert (texts(position, wins_of(position)), sorted(texts(position, forks_of(position)))) == (wins, sorted(forks))


@pytest.mark.parametrize(
    ("moves", "move", "kind"),
    [
        ("ccdd", "e", "forks"),  # b and f
        ("ddabagfefdffeddbbaefdeaafbeeabg", "b", ""),  # no threat: each of the two columns left is better left alone
        ("fcdcdccfdd", "g", ""),  # one threat, and another in the cell above
    ],
)
def test_whoever_wins_at_once_after_any_reply_seemed_to_threaten_two_wins(moves: str, move: str, kind: str) -> None:
    """“Threatens to win in two ways” was said at Connect Four where the other side had only bad columns left."""
    position = at(moves, "connect4")
    played = position.parse_move(move)
    after = position.play(played)
    assert all(wins_of(after.play(reply)) for reply in after.legal_moves())
    assert (purpose_of(position, played), played in forks_of(position)) == (kind, bool(kind))


def test_a_side_that_moves_again_has_not_forked() -> None:
    position = SowingPosition()
    assert position.play(2).turn == position.turn
    assert (wins_of(position), forks_of(position), purpose_of(position, 2)) == ({}, [], "")


@pytest.mark.parametrize(
    ("moves", "purposes"),
    [
        ("a3 a1 b3 c1", {"c3": "wins", "b1": "forks", "a2": "", "b2": "", "c2": ""}),
        ("a1 c3 a3 a2", {"c1": "forks", "b1": "prevents", "b2": "prevents", "c2": "prevents", "b3": ""}),
        ("c2 a3 c1 c3", {"b3": "blocks", "a2": "", "b2": "", "a1": "", "b1": ""}),
        ("a3 b2 c1", {"a1": "", "c3": "", "a2": "prevents", "b1": "prevents", "b3": "prevents", "c2": "prevents"}),
        ("a1 a2 b1 c1 c2 b2 a3 b3", {"c3": ""}),  # the last cell
    ],
)
def test_what_a_move_does(moves: str, purposes: dict[str, str]) -> None:
    position = at(moves)
    assert {position.move_text(move): purpose_of(position, move) for move in position.legal_moves()} == purposes


def test_a_game_that_can_be_searched_to_the_end_is_proven() -> None:
    prover = SearchProver(AlphaBeta())
    assert prover.earliest == 0
    fork = at("a1 c3 a3 a2")
    name = fork.parse_move
    assert (prover.plies(fork), prover.is_lost(fork)) == (3, False)
    assert [prover.plies(fork, name(text)) for text in ("c1", "b1", "b2")] == [3, 0, 0]
    assert texts(fork, list(prover.wins(fork))) == ["c1"]
    assert prover.line(fork) == prover.line(fork, name("c1")) == tuple(map(name, ("c1", "b2", "b1")))
    after = fork.play(name("c1"))
    assert (prover.plies(after), prover.is_lost(after)) == (0, True)
    assert list(prover.replies(after)) == [(move, 1) for move in after.legal_moves()]
    end = at("a3 a1 b3 c1")
    assert (prover.plies(end), prover.plies(end, name("c3")), prover.plies(end, name("a2"))) == (1, 1, 0)
    assert (prover.line(end), prover.line(end, name("c3"))) == ((name("c3"),), (name("c3"),))
    lost = end.play(name("c3"))
    assert (prover.plies(lost), prover.is_lost(lost)) == (0, False), "it is over"


def test_limits_widen_until_all_moves_are_decided() -> None:
    assert list(widening([])) == [(None, [None])]
    assert list(widening([5])) == [(None, [5])]
    limits = []
    for nodes, left in widening([5, 6]):
        limits.append((nodes, list(left)))
        if nodes == 1_000_000:
            left.remove(5)
        if nodes == 10_000_000:
            left.remove(6)
    assert limits == [(100_000, [5, 6]), (1_000_000, [5, 6]), (10_000_000, [6])]
    assert [nodes for nodes, _ in widening([5, 6])] == [100_000, 1_000_000, 10_000_000, 100_000_000, None]
