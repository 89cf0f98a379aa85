"""The proof-number search at the root: its wins are played by the rules against every reply; it keeps its limits."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from ai.core.player import Limit, Stop, answer
from ai.gomoku import engine as engine_module
from ai.gomoku.engine import RULES, GomokuEngine
from ai.gomoku.engine_board import Board
from ai.gomoku.root_proof import win_by_threats
from ai.gomoku.tables import build, cell_of, move_of
from ai.system.compiler.jit import new_table
from games.formats.text import parse
from games.line import LinePosition
from games.position import Position
from games.registry import setup
from tests.ai.gomoku.test_threat_solver import COUNTER_FOURS, CROSSED_TWOS, QUIET

OPENING = "h8i9g7"
_PAIRS = 1 << 14


@cache
def board(rule: str, size: int) -> Board:
    return Board(build(RULES[rule], size), _PAIRS - 1)


def at(moves: str, rule: str = "freestyle", size: int = 15) -> LinePosition:
    position = parse(moves, setup("gomoku", size, rule)).position
    assert isinstance(position, LinePosition)
    return position


def win(position: LinePosition, table: Any = None) -> tuple[int, int] | None:
    """The plies and the first move of a win; None if none is found. Without a table there is a new one."""
    here = board(position.rules.rule, position.rules.width)
    here.set(position)
    found = win_by_threats(here, new_table(2 * _PAIRS) if table is None else table, 100_000, 60.0, Stop())
    return None if found is None else (found[0], move_of(found[1][0], position.rules.width))


def five(position: LinePosition) -> int | None:
    """A move with which the side to move has won."""
    after = ((move, position.play(move).outcome) for move in position.legal_moves())
    return next((move for move, outcome in after if outcome is not None and outcome.winner == position.turn), None)


def gap(position: LinePosition) -> list[str] | None:
    """Moves after which no win is found, or None if the win is played to its end. Every reply is tried; the one that
    holds out longest is played."""
    line, table = list[str](), new_table(2 * _PAIRS)
    while five(position) is None:
        found = win(position, table)
        if found is None:
            return line
        line.append(position.move_text(found[1]))
        position = position.play(found[1])
        longest, chosen = -1, position
        for reply in position.legal_moves():
            after = position.play(reply)
            if after.outcome is not None:
                return [*line, position.move_text(reply)]
            further = (1, 0) if five(after) is not None else win(after, table)
            if further is None:
                return [*line, position.move_text(reply)]
            if further[0] > longest:
                longest, chosen = further[0], after
        line.append(position.move_text(chosen.last or 0))
        position = chosen
    return None


@pytest.mark.parametrize(
    ("moves", "rule", "size"),
    [
        pytest.param("e5a1f5a3g5a5", "freestyle", 9, id="an open four"),
        pytest.param(CROSSED_TWOS, "standard", 9, id="two open threes at once"),
        pytest.param(CROSSED_TWOS, "renju", 9, id="where a double three is forbidden"),
        pytest.param(COUNTER_FOURS, "standard", 9, id="the defender makes fours"),
        pytest.param(QUIET, "freestyle", 15, id="a quiet move"),
    ],
)
def test_a_win_stands_against_every_reply(moves: str, rule: str, size: int) -> None:
    position = at(moves, rule, size)
    assert win(position) is not None
    assert gap(position) is None


def test_a_quiet_move_wins_where_fours_and_open_threes_do_not() -> None:
    assert win(at(QUIET)) == (11, at(QUIET).parse_move("j5"))


def test_without_threats_there_is_no_search() -> None:
    assert win(at("e5a1i9a9", size=9)) is None
    assert board("freestyle", 9).state.nodes < 100


def test_where_the_rule_forbids_the_only_block_there_is_no_win() -> None:
    """The block was made all the same."""
    position = at("e5a8e6b8e7c8e9d8e10o1e11o15", "renju")  # e8 would be an overline
    assert position.parse_move("e8") not in position.legal_moves()
    assert win(position) is None
    assert board("renju", 15).state.nodes == 0


def test_the_board_is_left_as_it_was_and_the_limits_are_kept() -> None:
    position, here = at(COUNTER_FOURS, "standard", 9), board("standard", 9)
    here.set(position)
    key = int(here.state.key)
    assert win_by_threats(here, new_table(2 * _PAIRS), 20, 60.0, Stop()) is None
    assert (int(here.state.key), here.state.nodes <= 20) == (key, True)
    stop = Stop()
    stop.set()
    here.set(position)
    assert win_by_threats(here, new_table(2 * _PAIRS), 100_000, 60.0, stop) is None
    assert here.state.nodes <= 1


def player(share: int = 10, **arguments: Any) -> GomokuEngine:
    return GomokuEngine(memory_mb=1, parameters={"PROOF": share}, **arguments)


@pytest.mark.parametrize(
    ("share", "limit", "given"),
    [
        (10, Limit(nodes=5_000), [(500, 0.1)]),
        (10, Limit(nodes=5_000, seconds=0.5), [(500, 0.05)]),
        (200, Limit(nodes=5_000), [(5_000, 0.1)]),
        (10, Limit(seconds=0.2), [(200_000, 0.02)]),
        (0, Limit(nodes=5_000), []),
        (-5, Limit(nodes=5_000), []),
        (10, Limit(nodes=5_000, depth=3), []),
        (10, Limit(nodes=5_000, lines=2), []),
        (10, Limit(nodes=5_000, without=frozenset({0})), []),
    ],
)
def test_it_takes_its_share_of_the_limit(
    share: int, limit: Limit, given: list[tuple[int, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, float]] = []

    def none(here: Board, _table: Any, nodes: int, seconds: float, _stop: Stop) -> None:
        asked.append((nodes, round(seconds, 6)))
        here.state.node_limit = 1

    monkeypatch.setattr(engine_module, "win_by_threats", none)
    info = answer(player(share), at(OPENING), limit)
    assert asked == given
    assert info.nodes > 100  # the limit of the search is the whole one


def test_it_belongs_to_the_wins_at_the_root_which_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "win_by_threats", lambda *_: pytest.fail("searched"))
    answer(player(root_vcf=False), at(OPENING), Limit(nodes=500))


def test_a_win_that_it_finds_stands_until_the_search_finds_one_as_short(monkeypatch: pytest.MonkeyPatch) -> None:
    def far(moves: str) -> Position:
        position = at(moves)
        monkeypatch.setattr(engine_module, "win_by_threats", lambda *_: (21, [cell_of(position.parse_move("a1"), 15)]))
        return position

    opening = far(OPENING)
    info = answer(player(), opening, Limit(nodes=2_000))
    assert (info.mate, opening.move_text(info.move)) == (21, "a1")
    near = far("h8a15i8c15h9e15")  # two lines of two that cross
    info = answer(player(), near, Limit(nodes=100_000))
    assert info.mate is not None
    assert 0 < info.mate < 21


def test_the_engine_names_the_win_by_a_quiet_move() -> None:
    first = next(info for info in player(100).think(at(QUIET), Limit(nodes=100_000), Stop()) if info.mate)
    assert (first.mate, at(QUIET).move_text(first.move)) == (11, "j5")
