"""What a mistake overlooked is true: small games are played out, and forced wins at gomoku are proven by the engine."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from ai.review.insights import insight
from ai.review.why import Mistake, Why
from games.evaluation import Evaluation
from games.position import FIRST, SECOND, Position
from games.registry import setup
from tests.ai.review.test_gomoku import board


@cache
def value(position: Position) -> int:
    """1, 0 or −1 for the side to move, by plain minimax."""
    if position.outcome is not None:
        return 0 if position.outcome.winner is None else 1 if position.outcome.winner == position.turn else -1
    return max(-value(position.play(move)) for move in position.legal_moves())


def can_win(position: Position) -> set[int]:
    plays = ((move, position.play(move).outcome) for move in position.legal_moves())
    return {move for move, outcome in plays if outcome is not None and outcome.winner == position.turn}


def holds(found: Why, mistake: Mistake) -> bool:
    """Whether what is said of a small game is true."""
    position, reached = mistake.position, mistake.reached
    match found.kind:
        case "win_at_once":
            return found.move in can_win(position) and reached.outcome is None
        case "ignores":
            return found.move in can_win(reached) and not can_win(position.play(found.move))
        case "opens":
            return found.move in can_win(reached) and any(not can_win(position.play(m)) for m in position.legal_moves())
        case "forks":
            forked = reached.play(found.move)
            return not can_win(forked) and all(can_win(forked.play(reply)) for reply in forked.legal_moves())
        case "leaves":
            return value(reached) == 1 and value(position) == 1
    return False


def positions(start: Position) -> set[Position]:
    found, new = set[Position](), {start}
    while new:
        found |= new
        new = {each.play(move) for each in new if each.outcome is None for move in each.legal_moves()} - found
    return {each for each in found if each.outcome is None}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "size", "share", "step"),
    [("tictactoe", None, 0.9, 5), pytest.param("tictactoe", None, 0.9, 1, marks=pytest.mark.slow), ("bones", 21, 1, 1)],
)
def test_all_that_is_said_of_a_solved_game_is_true(game: str, size: int | None, share: float, step: int) -> None:
    """Of each position, or of some of all kinds."""
    explained = mistakes = 0
    for position in sorted(positions(setup(game, size).start()), key=lambda each: str(each.key))[::step]:
        best = max(position.legal_moves(), key=lambda move: -value(position.play(move)))
        for move in position.legal_moves():
            if -value(position.play(move)) < value(position):
                mistake = Mistake(position, move, best)
                found = insight(game).why(mistake)
                mistakes += 1
                explained += found is not None
                assert found is None or holds(found, mistake), (position, move, found)
    assert explained >= share * mistakes, (explained, mistakes)


@pytest.mark.parametrize(
    ("moves", "played", "expected"),
    [
        ("dcdcd", "a", Why("ignores", 3)),
        ("dcdcdb", "c", Why("win_at_once", 3)),
        ("dcggagaggaaaaebgbffedcdddeefdeebccbbfb", "f", Why("ignores", 2)),  # two columns: it is old
    ],
)
def test_four_discs_in_a_column(moves: str, played: str, expected: Why) -> None:
    position = setup("connect4").start()
    for move in moves:
        position = position.play(position.parse_move(move))
    move = position.parse_move(played)
    assert insight("connect4").why(Mistake(position, move, expected.move)) == expected


def cell(text: str) -> int:
    return board("", "").parse_move(text)


def known(mate: int | None, *line: str) -> Evaluation:
    return Evaluation(0, mate, 20, tuple(cell(text) for text in line))


MET = Why("allows", cell("h8"), "four_three", (cell("h8"),), stopped=cell("h8"), holds=cell("h8"))
EVEN = known(None)
THREE = Why("ignores", cell("g7"), "open_three", where=cell("g7"))
FOURS = known(5, "h8", "i8", "h9", "h10", "h5")
MISSED = Why("misses", cell("h8"), "", FOURS.line, True, 3, seems=True)


def explained(
    stones: tuple[str, str, str], best: str, before: Evaluation | None, after: Evaluation | None, side: int, **more: Any
) -> Why | None:
    """What is said of the move of the side with the first stones, which is `side`; a mate is positive if it wins."""
    own, others, played = stones
    position = board(own, others) if side == FIRST else board(others, own, turn=SECOND)
    views = (each and replace(each, mate=each.mate and each.mate * (1 - 2 * side)) for each in (before, after))
    return insight("gomoku").why(Mistake(position, cell(played), cell(best), *views, **more))


OPEN = Why("threatens", cell("j7"), "open_four", (cell("j7"),), where=cell("g7"), stopped=cell("j7"))


@pytest.mark.parametrize(
    ("black", "white", "played", "best", "before", "after", "expected"),
    [
        ("h8 i8 j8 k8", "h7 i7 j7 b2", "a1", "g8", None, None, Why("win_at_once", cell("g8"))),
        ("h8 i8 c3 d6", "h7 i7 j7 k7 l8", "a1", "g7", None, None, None),  # two fives: nothing was needed
        ("h8 i8 g7 d6", "h7 i7 j7 k7 l8", "a1", "l7", None, None, Why("ignores", cell("l7"), "four")),
        ("h8 i8 c3", "h7 i7 j7", "a1", "g7", None, None, THREE),
        ("h8 i8 j8", "h7 i7 j7", "k8", "g7", None, None, None),  # a four first: it ignores nothing
        ("h8 i8 j8", "h7 i7 j7", "a1", "k8", None, None, None),  # so does the better move
        ("h8 i8 c3", "h7 i7 j7", "a1", "o15", None, None, None),  # the better move does not answer it
        ("d8 a1 c3", "e8 f8 g8 h6 h7", "o15", "h8", None, known(-5, "h8"), MET),
        ("e8 f8 g8 h6 h7", "d8 a1 c3 n2", "o15", "h8", FOURS, None, MISSED),
        ("e8 f8 g8 h6 h7", "d8 a1 c3 n2", "o15", "h8", FOURS, known(-7, "d7"), replace(MISSED, seems=False)),
        ("e8 f8 g8 h6 h7", "d8 a1 c3 n2", "o15", "h8", FOURS, known(7, "h8"), None),  # still won
        ("d8 a1 c3", "e8 f9 n8 h6", "o15", "h8", replace(EVEN, only=True), None, Why("only_move", cell("h8"))),
        ("h8 i8 j8", "h7 i7 c3", "k8", "g7", EVEN, known(None, "l8"), None),  # l8 blocks an open four only halfway
        ("h8 i8 j8", "g8 h7 i7", "k8", "g7", EVEN, known(None, "l8"), Why("wastes", cell("l8"), "four")),
        ("h8 i8 j8", "g8 h7 i7", "k8", "l8", EVEN, known(None, "l8"), None),  # the better move makes one as well
        ("h8 i8", "h7 c3", "j8", "g7", EVEN, known(None, "g8"), Why("wastes", cell("g8"), "open_three")),
        ("h8 d4", "h7 i7", "c3", "j7", EVEN, known(None, "j7"), OPEN),
        ("h8 d4 o1 l1", "h7 i7 a1 c1", "a15", "j7", EVEN, known(None, "c2"), Why("overlooks", cell("j7"))),
        ("h8 d4 o1 l1", "h7 i8 a1 c1", "a15", "i7", EVEN, known(None, "c2"), Why("overlooks", cell("i7"))),
        ("h8 d4", "h7 i8", "i7", "c3", EVEN, known(None, "c2"), None),
        ("h8 h3 b8", "g7 c3 m13 n9", "m3", "i10", EVEN, known(None, "a6"), Why("strays", cell("i10"), count=5)),
        ("h8", "g7", "m3", "i10", EVEN, known(None, "f10"), Why("far", cell("f10"), count=5)),
        ("h8", "g7", "i10", "g9", EVEN, known(None, "g9"), Why("centre", cell("g9"))),
        ("h8", "g7", "m3", "i10", None, None, None),  # nothing was searched
    ],
)
def test_five_in_a_row(
    black: str,
    white: str,
    played: str,
    best: str,
    before: Evaluation | None,
    after: Evaluation | None,
    expected: Why | None,
) -> None:
    for side in (FIRST, SECOND):
        assert explained((black, white, played), best, before, after, side) == expected


def said(kind: str, move: str, shape: str = "", line: str = "", **more: Any) -> Why:
    cells = {name: cell(value) if isinstance(value, str) else value for name, value in more.items()}
    return Why(kind, cell(move), shape, tuple(map(cell, line.split())), **cells)


QUIET = ("h8 d4 o1 l1", "h7 i7 a1 c1", "a15")
LONE = ("h8 d4 o1 l1", "h7 a1 c1 e1", "a15")
FORKS = ("d8 a1 c3", "e8 f8 h6 h7", "o15")
WAY = "i7 i8 a14 a13 b15 b14 o15 o14 n15 n14"
THIRTEEN, FIFTEEN = f"{WAY} m15 m14 j7", f"{WAY} m15 m14 d15 d14 j7"
NINE, ELEVEN = "c13 c12 d13 e11 g14 f12 g7 g8 j7", "c13 c12 d13 e11 g14 f12 n13 n10 g7 g8 j7"


@pytest.mark.parametrize(
    ("stones", "best", "reply", "expected"),
    [
        (LONE, "h6", "i7 i8 j7", said("attacks", "i7", "open_three", "i7 i8 j7", where="j7")),
        (LONE, "j7", THIRTEEN, said("attacks", "i7", "open_three", THIRTEEN, where="j7", stopped="j7")),
        (LONE, "j7", FIFTEEN, said("answered", "i7", line=FIFTEEN)),
        (LONE, "h6", "i7", said("answered", "i7", line="i7")),
        (LONE, "h6", "o8", None),
        (QUIET, "c3", "c13 c12 g7 g8 j7", said("leads", "c13", "open_four", "c13 c12 g7 g8 j7", where="j7")),
        (QUIET, "c3", f"{NINE} b2", said("leads", "c13", "open_four", NINE, where="j7")),
        (QUIET, "j7", "g7 o10", said("threatens", "g7", "open_four", "g7 o10", where="f7", stopped="j7")),
        (QUIET, "k7", "j7", said("threatens", "j7", "open_four", "j7", where="g7", stopped="k7")),
        (QUIET, "b2", "j7", said("threatens", "j7", "open_four", "j7", where="g7")),
        (QUIET, "j7", "j7", OPEN),
        (QUIET, "j7", "c2", None),  # “makes an open two” was a third of the reasons of blunders
        (("h8", "g7", "k8"), "i10", "f10", said("far", "f10", count=3)),
        (("h8 i8 h10", "g7 g9 j6", "m3"), "i10", "f10", said("far", "f10", count=3)),
        (("h8 i8 h10", "g7 g9 j6 c3", "m3"), "i10", "f10", None),
        (("h8", "g7", "j8"), "i10", "f10", None),
        (("h8", "g7", "k8"), "h11", "f10", None),  # the better move is as far
        (("h8 i9", "g7 k9", "k12"), "h9", "h9", said("far", "h9", count=3)),
        (("h8", "g7", "i10"), "g9", "g9", said("centre", "g9")),
        (("h8", "g7", "i10"), "g9", "f9", None),
        (("h8", "g7", "i10"), "f9", "g9", said("answered", "g9", line="g9")),
        (("c7", "c6", "b6"), "d5", "d5", said("centre", "d5")),
        (("b12", "c12", "b13"), "d10", "d10", said("centre", "d10")),
    ],
)
def test_what_is_said_of_a_mistake_of_which_nothing_is_proven(
    stones: tuple[str, str, str], best: str, reply: str, expected: Why | None
) -> None:
    for side in (FIRST, SECOND):
        assert explained(stones, best, EVEN, known(None, *reply.split()), side, grave=True) == expected


def test_an_attack_that_comes_too_late_is_none() -> None:
    found = explained(QUIET, "c3", EVEN, known(None, *ELEVEN.split()), FIRST)
    assert found is None or found.kind != "leads"


WON_BY_FOURS = ("e8 f8 g8 h6 h7", "d8 a1 c3 n2", "o15")
LINE = ("h8", "i8", "h9", "h10", "h5")
BEATEN = said("loses", "g8", "four_three", "g8 c8 h8", count=5, where="h8")


@pytest.mark.parametrize(
    ("stones", "best", "before", "after", "won", "win", "expected"),
    [
        (("h8 i8 c3", "h7 i7 j7", "a1"), "g7", None, None, 0.3, 0.5, replace(THREE, seems=True)),
        (("h8 i8 c3", "h7 i7 j7", "a1"), "g7", None, known(None, "k7"), 0.5, 0.5, replace(THREE, where=cell("k7"))),
        (("d8 a1 c3", "e8 f8 g8 h6 h7", "o15"), "h8", None, known(-5, "h8"), 0.3, 0.5,
         said("loses", "h8", line="h8", count=3, stopped="h8", seems=True)),
        (("d8 a1 c3", "e8 f8 g8 h6 h7", "o15"), "n1", None, known(-5, "h8"), 0.5, 0.5,
         said("allows", "h8", "four_three", "h8", holds="n1")),
        (FORKS, "c8", EVEN, known(-9, "g8", "c8", "h8"), 0.5, 0.5, replace(BEATEN, holds=cell("c8"))),
        (FORKS, "c8", None, known(-9, "g8", "c8", "h8"), 0.5, 0.5, replace(BEATEN, holds=cell("c8"))),
        (FORKS, "c8", replace(EVEN, exact=True), known(-9, "g8", "c8", "h8"), 0.5, 0.5, BEATEN),
        (("d8 a1 c3", "e8 f8 g8 h6 h7", "o15"), "h8", None, known(-5, *LINE), 0.3, 0.5,
         said("loses", "h8", line="h8 i8 h9 h10 h5", fours=True, count=3, stopped="h8", seems=True)),
        (FORKS, "g8", EVEN, known(-9, "g8", "c8", "h8"), 0.5, 0.5,
         replace(BEATEN, stopped=cell("g8"), holds=cell("g8"))),
        (FORKS, "h8", EVEN, known(-9, "g8", "c8", "h8"), 0.5, 0.5,
         replace(BEATEN, stopped=cell("h8"), holds=cell("h8"))),
        (FORKS, "n1", EVEN, known(-9, "g8", "c8", "h8", "a14", "n1"), 0.5, 0.5,
         said("loses", "g8", "four_three", "g8 c8 h8 a14 n1", count=5, where="h8", holds="n1")),
        (FORKS, "o15", EVEN, known(-9, "g8", "c8", "h8"), 0.5, 0.5, BEATEN),
        (FORKS, "b2", EVEN, known(-9, "g8", "c8", "h8"), 0.3, 0.5, replace(BEATEN, seems=True)),
        (WON_BY_FOURS, "h8", known(5, *LINE), None, 0.5, 0.7, replace(MISSED, kind="may_miss")),
        (WON_BY_FOURS, "h8", known(5, *LINE), known(-8, "d7"), 0.5, 0.7, replace(MISSED, seems=False)),
        (WON_BY_FOURS, "h8", known(5, *LINE[:4]), None, 0.5, 0.5, replace(MISSED, line=FOURS.line[:4], fours=False)),
        (WON_BY_FOURS, "h8", known(-5, *LINE), None, 0.5, 0.5, None),
        (("d8 a1 c3", "e8 f9 n8 h6", "o15"), "o15", replace(EVEN, only=True), None, 0.5, 0.5, None),
        (("d8 a1 c3", "e8 f9 n8 h6", "o15"), "h8", replace(EVEN, only=True), known(None, "a6"), 0.5, 0.5,
         said("only_move", "h8")),
    ],
)  # fmt: skip
def test_what_is_said_of_a_mistake_that_is_proven(
    stones: tuple[str, str, str], best: str, before: Evaluation | None, after: Evaluation | None, won: float,
    win: float, expected: Why | None,
) -> None:  # fmt: skip
    for side in (FIRST, SECOND):
        assert explained(stones, best, before, after, side, won=won, win=win) == expected


@pytest.mark.parametrize(
    ("played", "best", "count"), [("k10", "i10", 3), ("j10", "i9", None), ("k10", "k11", None), ("m3", "l4", 5)]
)
def test_a_stone_strays_three_lines_from_all_others(played: str, best: str, count: int | None) -> None:
    position = board("h8 h3 b8", "g7 c3 c13 n9")
    found = insight("gomoku").why(Mistake(position, cell(played), cell(best), EVEN, known(None, "a6")))
    assert (None if found is None or found.kind != "strays" else found.count) == count


@pytest.mark.parametrize(
    ("best", "before", "after", "hastens"),
    [
        ("h8", known(-9, "h8"), known(-7, "h8"), False), ("h8", known(-9, "h8"), known(-4, "h8"), False),
        ("h8", known(-9, "h8"), known(-3, "h8"), True), ("o15", known(-9, "h8"), known(-3, "h8"), False),
        ("h8", known(-5, "h8"), known(-3, "h8"), True), ("h8", known(-4, "h8"), known(-3, "h8"), False),
        ("h8", None, known(-3, "h8"), False), ("h8", known(-9, "h8"), None, False),
        ("h8", known(-9, "h8"), known(-3), False),
    ],
)  # fmt: skip
def test_a_position_that_is_lost_anyway_points_to_the_move_that_lost_it(
    best: str, before: Evaluation | None, after: Evaluation | None, hastens: bool
) -> None:
    """“Gives in: wins in N moves” compared two lengths that were not the shortest."""
    quick = Why("hastens", cell("h8"), line=(cell("h8"),), count=2, since=4)
    for side in (FIRST, SECOND):
        found = explained(("d8 a1 c3", "e8 f8 g8 h6 h7", "o15"), best, before, after, side, since=4)
        assert found == (quick if hastens else Why("lost", cell("o15"), count=4, since=4))
