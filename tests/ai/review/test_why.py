"""What a mistake overlooked is true: small games are played out, and forced wins at gomoku are proven by the engine."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from ai.review.insights import insight
from ai.review.why import Mistake, Why
from games.evaluation import Evaluation
from games.position import Position
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


OPEN = Why("threatens", cell("j7"), "open_four", (cell("j7"),), where=cell("g7"), stopped=cell("j7"))


@pytest.mark.parametrize(
    ("black", "white", "played", "best", "before", "after", "expected"),
    [
        ("h8 i8 j8 k8", "h7 i7 j7 b2", "a1", "g8", None, None, Why("win_at_once", cell("g8"))),
        ("h8 i8 c3 d6", "h7 i7 j7 k7 l8", "a1", "g7", None, None, None),  # two fives: nothing was needed
        ("h8 i8 g7 d6", "h7 i7 j7 k7 l8", "a1", "l7", None, None, Why("ignores", cell("l7"), "four")),
        ("h8 i8 c3", "h7 i7 j7", "a1", "g7", None, None, THREE),
        ("h8 i8 j8", "h7 i7 j7", "k8", "g7", None, None, None),  # a four first: it ignores nothing
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
    position = board(black, white)
    assert insight("gomoku").why(Mistake(position, cell(played), cell(best), before, after)) == expected


@pytest.mark.parametrize(("mate", "expected"), [(-7, Why("lost", cell("o15"), count=4, since=4)), (-3, None)])
def test_a_position_that_is_lost_anyway_points_to_the_move_that_lost_it(mate: int, expected: Why | None) -> None:
    """“Gives in: wins in N moves” compared two lengths that were not the shortest."""
    position = board("d8 a1 c3", "e8 f8 g8 h6 h7")
    mistake = Mistake(position, cell("o15"), cell("h8"), known(-9, "h8"), known(mate, "h8"), since=4)
    found = insight("gomoku").why(mistake)
    assert found == (expected or Why("hastens", cell("h8"), line=(cell("h8"),), count=2, since=4))


def test_what_explains_no_loss_is_not_said_of_a_mistake() -> None:
    """A third of the reasons of blunders were “makes an open two”."""
    position = board("h8 d4 o1 l1", "h7 i7 a1 c1")
    mistake = Mistake(position, cell("a15"), cell("j7"), EVEN, known(None, "c2"), grave=True)
    assert insight("gomoku").why(mistake) is None
    refuted = replace(mistake, after=known(None, "j7"))
    assert insight("gomoku").why(refuted) == OPEN


def test_a_forced_win_tells_where_two_threats_meet() -> None:
    position = board("d8 a1 c3", "e8 f8 h6 h7")
    line = known(-9, "g8", "c8", "h8")
    found = insight("gomoku").why(Mistake(position, cell("o15"), cell("h8"), EVEN, line, grave=True, won=0.5))
    assert found is not None
    assert (found.kind, found.where, found.shape, found.stopped) == ("loses", cell("h8"), "four_three", cell("h8"))
