"""Quiescence: what is loud, and values as of a plain search with the same rules."""

import pytest

from ai.core.player import Limit, answer
from ai.core.score import WIN
from ai.players.table import Context, make
from ai.search.alphabeta import THREATS, loud_moves
from ai.search.comparison import variant
from ai.search.proving import wins_of
from ai.search.trace import NO_STAND, End, Steps, Trace, Traceable
from games.formats.text import parse
from games.position import Position, cells_of, urgent_moves
from games.registry import setup
from tests.sampling import sampled

POSITIONS = [
    ("tictactoe", "b2 a1", 3), ("tictactoe", "a3 b2", 2), ("connect4", "d d c", 2), ("connect4", "d c d c e", 2),
    ("connect4", "d c d c d", 1), ("bones", "", 3),
]  # fmt: skip


ROWS = [(0, 1), (3, 1), (6, 1), (0, 3), (1, 3), (2, 3), (0, 4), (2, 2)]
"""The first cell of each row of three, and the step."""


def replies(position: Position) -> list[int]:
    """The moves that win at once, or those after which the other side does not, if it threatens to win at once."""
    wins = wins_of(position)
    if wins:
        return list(wins)
    lost = {move for move in position.legal_moves() if wins_of(position.play(move))}
    safe = [move for move in position.legal_moves() if move not in lost]
    if position.game == "bones":
        return safe or list(lost) if len(safe) <= 1 else []
    return threatened(position)


def threatened(position: Position) -> list[int]:
    """The moves with which the other side wins if it may move: tried after two moves of this side, since each takes a
    place."""
    legal = position.legal_moves()
    if len(legal) == 1 and position.game == "tictactoe":  # nothing else can be played first
        other = bytes([2 - position.turn])
        filled = cells_of(position).replace(bytes(1), other)
        rows = (filled[first : first + 2 * step + 1 : step] for first, step in ROWS)
        return list(legal) if any(row == 3 * other for row in rows) else []
    found = {move for first in legal[:2] for move in _others_wins(position, first)}
    return [move for move in legal if move in found]


def _others_wins(position: Position, first: int) -> list[int]:
    after = position.play(first)
    return [move for move in wins_of(after) if move != first]


def loud(position: Position, beyond: int) -> tuple[list[int], bool]:
    forced = replies(position)
    if forced:
        return forced, True
    found = []
    for move in position.candidates() if beyond < THREATS else ():
        after = position.play(move)
        if after.outcome is None and not wins_of(after) and replies(after):
            found.append(move)
    return found, False


def plain(position: Position, depth: int, ply: int = 0) -> int:
    """Minimax to `depth`, and beyond it the loud moves: without alpha and beta."""
    outcome = position.outcome
    if outcome is not None:
        won = WIN - ply
        return 0 if outcome.winner is None else won if outcome.winner == position.turn else -won
    if depth > 0:
        return max(-plain(position.play(move), depth - 1, ply + 1) for move in position.legal_moves())
    moves, forced = loud(position, -depth)
    values = [-plain(position.play(move), depth - 1, ply + 1) for move in moves]
    return max(values) if forced else max([position.evaluate(), *values])


@pytest.mark.parametrize(("game", "moves", "depth"), POSITIONS)
@pytest.mark.parametrize("parts", sampled(["", "pvs=1,", "ordering=0,table=0,deepening=0,"], 1))
def test_values_are_those_of_a_plain_search(game: str, moves: str, depth: int, parts: str) -> None:
    position = parse(moves, setup(game)).position
    name = f"alphabeta:quiescence=1,{parts}extension=0,selection=0"
    assert answer(make(name, Context(game)), position, Limit(depth=depth)).score == plain(position, depth)


@pytest.mark.parametrize(
    ("game", "moves", "urgent"),
    [
        ("tictactoe", "a3 b2 b3", "c3"),  # the other side threatens
        ("tictactoe", "a3 b2 b3 a1", "c3"),  # it wins, and does not block
        ("tictactoe", "a3 b2", ""),
        ("connect4", "d c d c d", "d"), ("connect4", "d c d c d c", "d"), ("connect4", "d d", ""),
        ("gomoku", "h8 a1 i8 a2 j8 a3 k8", "g8 l8"), ("gomoku", "h8 i9", ""),
        ("bones:5", "", "1"), ("bones:4", "", "1 2 3"), ("bones:3", "", "3"), ("bones:8", "", ""),
    ],
)  # fmt: skip
def test_urgent_moves(game: str, moves: str, urgent: str) -> None:
    name, _, size = game.partition(":")
    position = parse(moves, setup(name, int(size) if size else None)).position
    assert sorted(map(position.move_text, urgent_moves(position))) == sorted(urgent.split())


def test_threats_are_loud_only_near_the_horizon() -> None:
    position = parse("d a d a", setup("connect4")).position
    near, forced = loud_moves(position, 0)
    assert [position.move_text(move) for move in near] == ["d"]
    assert not forced
    assert [bool(loud_moves(position, beyond)[0]) for beyond in (3, 4, 5)] == [True, False, False]


def test_the_trace_tells_who_stands_pat() -> None:
    position = parse("d a d a", setup("connect4")).position
    player = make(variant("quiescence"), Context("connect4"))
    assert isinstance(player, Traceable)
    player.trace = trace = Trace()
    info = answer(player, position, Limit(depth=1))
    steps = Steps(trace)
    assert (len(trace), trace.value[0]) == (player.nodes, info.score)
    assert {End(end) for end in trace.end} >= {End.HORIZON, End.QUIET, End.ALL}
    for node in range(len(trace)):
        if trace.end[node] == End.QUIET:
            assert trace.stands[node] == trace.value[node] != NO_STAND
            assert trace.rest[node] == 0
            entered = steps.entered(node)
            assert [steps.value(node, at) for at in (entered - 1, entered)] == [None, trace.stands[node]]
    assert trace.extra_columns()["stands"].count(None) < len(trace)
