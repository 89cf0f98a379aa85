"""Connect Four against plain rules that examine every window of four cells."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from games.connect4 import CONNECT4, HEIGHT, WIDTH, Connect4Position
from games.coords import parse_cell
from games.position import IllegalMove, Stones

WORTH = {0: 0, 1: 3, 2: 14, 3: 45, 4: 0}


def windows() -> Iterator[tuple[int, ...]]:
    for row in range(HEIGHT):
        for column in range(WIDTH):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                places = [(row + step * down, column + step * right) for step in range(4)]
                if all(0 <= r < HEIGHT and 0 <= c < WIDTH for r, c in places):
                    yield tuple(r * WIDTH + c for r, c in places)


WINDOWS = list(windows())


def rows(cells: bytes) -> tuple[int, ...]:
    won = [window for window in WINDOWS if cells[window[0]] and len({cells[cell] for cell in window}) == 1]
    return tuple(sorted(set().union(*won)))


def worth(cells: bytes, side: int) -> int:
    contents = [[cells[cell] for cell in window] for window in WINDOWS]
    return sum(WORTH[four.count(side + 1)] for four in contents if not four.count(2 - side))


@pytest.mark.parametrize("games", [8, pytest.param(60, marks=pytest.mark.slow)])
def test_rows_and_evaluation_agree_with_the_plain_rules(games: int) -> None:
    dice, lengths = random.Random(4), set()
    for _ in range(games):
        position = Connect4Position()
        while position.outcome is None:
            assert rows(position.cells) == ()
            first = worth(position.cells, 0) - worth(position.cells, 1)
            assert position.evaluate() == (first if position.turn == 0 else -first)
            move = dice.choice(position.legal_moves())
            landing = position.landing(move)
            before, position = position, position.play(move)
            assert landing is not None
            assert [cell for cell, content in enumerate(position.cells) if content != before.cells[cell]] == [landing]
        assert position.outcome.cells == rows(position.cells)
        lengths.add(len(position.outcome.cells))
    assert games < 60 or {4, 5} <= lengths, "longer rows too"


def cells(names: str) -> tuple[int, ...]:
    return tuple(parse_cell(name, WIDTH, HEIGHT) for name in names.split())


def arranged(first: str, second: str, turn: int = 0) -> Connect4Position:
    return Connect4Position().arranged(Stones((cells(first), cells(second)), turn))


def test_what_is_played_can_be_set_up() -> None:
    dice = random.Random(5)
    for _ in range(100):
        position = Connect4Position()
        for _ in range(dice.randrange(30)):
            before, position = position, position.play(dice.choice(position.legal_moves()))
            if position.outcome is not None:
                position = before
                break
        first, second = (tuple(at for at, content in enumerate(position.cells) if content == side) for side in (1, 2))
        again = Connect4Position().arranged(Stones((first, second), position.turn))
        assert again.ply == 0
        assert (again.cells, again.key, again.legal_moves()) == (position.cells, position.key, position.legal_moves())


@pytest.mark.parametrize("turn", [0, 1])
def test_either_side_may_be_to_move(turn: int) -> None:
    """Also where the numbers of discs do not fit."""
    position = arranged("d1 d2 d3", "a1", turn)
    assert position.turn == turn
    assert position.key != arranged("d1 d2 d3", "a1", 1 - turn).key
    after = position.play(3)
    assert (after.turn, after.cells[cells("d4")[0]]) == (1 - turn, turn + 1)
    assert (after.outcome is not None) == (turn == 0)
    assert position.evaluate() == -arranged("d1 d2 d3", "a1", 1 - turn).evaluate()


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ("d1 d1", "", "Two stones of the starting position are on d1."),
        ("d1", "d1", "Two stones of the starting position are on d1."),
        ("d1 d3", "", "A disc of the starting position has nothing below it."),
        ("a1 b1 c1 d1", "", "One side has already won in the starting position."),
        ("b1 c1 d1 c2 d2 d3", "a1 b2 c3 d4", "One side has already won in the starting position."),
    ],
)
def test_what_cannot_stand_is_refused(first: str, second: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        arranged(first, second)
    for outside in (-1, WIDTH * HEIGHT):
        with pytest.raises(ValueError, match="not on the board"):
            Connect4Position().arranged(Stones(((outside,), ())))


def test_a_board_that_was_set_up_full_is_a_draw() -> None:
    """And one with a gap when that is filled, though few moves were played."""
    sides: tuple[list[int], list[int]] = ([], [])
    for cell in range(WIDTH * HEIGHT):
        sides[(cell % WIDTH + cell // WIDTH // 2) % 2].append(cell)
    full = Stones((tuple(sides[0]), tuple(sides[1])))
    outcome = Connect4Position().arranged(full).outcome
    assert outcome.reason == "full"
    gap = Connect4Position().arranged(Stones((full.of[0][1:], full.of[1])))
    assert gap.outcome is None
    assert gap.play(0).outcome == outcome


def test_the_cells_of_a_column_fill_from_the_bottom() -> None:
    for column in range(WIDTH):
        position, landings = Connect4Position(), list[int | None]()
        for _ in range(HEIGHT):
            landings.append(position.landing(column))
            position = position.play(column)
        assert list(CONNECT4.fills(column)) == landings
        assert position.landing(column) is None
        assert column not in position.legal_moves()


@pytest.mark.parametrize(
    ("moves", "urgent", "candidates"),
    [
        ("", "", "dcebfag"),
        ("dddddd", "", "cebfag"),
        ("dada", "", "dcebfag"),
        ("dadad", "d", "d"),
        ("dadada", "d", "d"),  # to win is more than to stop the other side
        ("cadae", "bf", "bf"),
        ("dadadad", "", ""),
    ],
)
def test_the_moves_that_are_looked_at_first(moves: str, urgent: str, candidates: str) -> None:
    position = Connect4Position()
    for move in moves:
        position = position.play(position.parse_move(move))
    for found, expected in ((position.urgent_moves(), urgent), (position.candidates(), candidates)):
        assert "".join(map(position.move_text, found)) == expected


def test_moves_are_written_as_letters_of_columns() -> None:
    position = Connect4Position()
    assert [position.parse_move(text) for text in ("a", " D ", "g")] == [0, 3, 6]
    for text in ("h", "`", "ab", "", "4"):
        with pytest.raises(IllegalMove, match="not a column from a to g") as caught:
            position.parse_move(text)
        assert caught.value.reason == "unreadable"
    for _ in range(HEIGHT):
        position = position.play(3)
    for move, reason in ((-1, "outside"), (7, "outside"), (3, "occupied")):
        with pytest.raises(IllegalMove, match=r"\.$") as caught:
            position.play(move)
        assert caught.value.reason == reason
