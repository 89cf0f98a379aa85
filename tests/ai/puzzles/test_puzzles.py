"""Puzzles: what is mined is proven, files of them are read line by line, answers are judged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ai.puzzles.puzzle import (
    Puzzle,
    PuzzleAnswer,
    image,
    judge_move,
    line,
    mine,
    missed,
    only_defence,
    only_win,
    parse_line,
    prover,
    read,
    right_move,
    why_wrong,
    write,
)
from games.formats.common import FormatError
from games.formats.text import parse
from games.position import Outcome, Position
from games.record import GameRecord
from games.registry import setup

FORK = Puzzle(game="tictactoe", size=3, rule="standard", moves="c2a3c1", theme="win", plies=5, best="c3")
CORNER = Puzzle(game="tictactoe", size=3, rule="standard", moves="a1", theme="defence", plies=5, best="b2")


def test_a_game_yields_the_only_defence() -> None:
    """After a1 only b2 holds; o played a3."""
    record, by = parse("a1a3c1b1c3c2b2", setup("tictactoe")), prover("tictactoe")
    (puzzle,) = mine(record, by)
    assert (puzzle, why_wrong(puzzle, by)) == (CORNER, "")


def test_a_game_yields_the_longest_win_of_each_theme() -> None:
    before = "e5f5e4f4e6e3e7e8f6h6"
    record, by = parse(f"{before}d2g7c6i7g5i1d8c9h4", setup("gomoku", 9, "freestyle")), prover("gomoku")
    assert record.outcome is not None
    (puzzle,) = [puzzle for puzzle in mine(record, by) if puzzle.wins]
    assert (puzzle.moves, puzzle.theme, puzzle.plies, puzzle.best) == (before, "threats", 13, "g5")
    assert why_wrong(puzzle, by) == ""


def test_a_win_that_was_missed_is_a_puzzle_and_one_that_was_played_is_not() -> None:
    by = prover("tictactoe")
    assert FORK in missed(parse("c2a3c1b1", setup("tictactoe")), by)
    assert FORK not in missed(parse("c2a3c1c3", setup("tictactoe")), by)


@dataclass
class Said:
    """A prover of what is said: who takes the last of `size` bones one by one wins by taking two; `held` are the plies
    of the other side's win after each move."""

    size: int
    earliest: int = 0
    held: tuple[int, ...] = (0, 3, 5)

    def plies(self, position: Position, first: int | None = None) -> int:
        left = self.size - position.ply
        return left if left % 2 and first in (None, position.parse_move("2")) else 0

    def wins(self, position: Position) -> Iterator[int]:
        yield position.parse_move("2")

    def replies(self, position: Position) -> Iterator[tuple[int, int]]:
        return zip(position.legal_moves(), self.held, strict=True)

    def theme(self, position: Position) -> str:
        return "fours" if self.size - position.ply < 9 else "threats"

    def line(self, _position: Position, _first: int | None = None) -> tuple[int, ...]:
        return ()

    def is_lost(self, _position: Position) -> bool:
        return False


def one_by_one(size: int, left: int = 0) -> GameRecord:
    record = GameRecord(setup("bones", size))
    while record.position.ply < size - left:
        record.play(record.position.parse_move("1"))
    return record


@pytest.mark.parametrize(
    ("size", "plies"),
    [
        (20, [15, 7]), (21, [17, 7]), (22, [19, 7]), (23, [5, 9]), (24, [7, 9]), (25, [9, 7]), (26, [11, 7]),
        (27, [13, 7]),
    ],
)  # fmt: skip
def test_the_lengths_of_wins_vary_from_game_to_game(size: int, plies: list[int]) -> None:
    """One of each theme, of 5 to 19 plies."""
    found = [puzzle for puzzle in mine(one_by_one(size), Said(size)) if puzzle.wins]
    assert [puzzle.plies for puzzle in found] == plies
    assert all((puzzle.best, puzzle.plies + puzzle.position.ply) == ("2", size) for puzzle in found)


@pytest.mark.parametrize(("left", "plies"), [(5, [5, 9]), (6, [7, 9])])
def test_a_game_that_was_broken_off_has_wins_of_either_side(left: int, plies: list[int]) -> None:
    size = 23 + left
    assert [puzzle.plies for puzzle in mine(one_by_one(size, left), Said(size)) if puzzle.wins] == plies


@pytest.mark.parametrize(("earliest", "plies"), [(0, [19, 17, 15, 13, 11, 9, 7, 5]), (10, [17, 15, 13, 11, 9, 7, 5])])
def test_wins_of_five_to_nineteen_plies_are_missed(earliest: int, plies: list[int]) -> None:
    assert [puzzle.plies for puzzle in missed(one_by_one(27), Said(27, earliest))] == plies


@pytest.mark.parametrize(
    ("held", "defence"),
    [((0, 3, 5), ("1", 3)), ((7, 0, 5), ("2", 5)), ((0, 2, 5), None), ((0, 0, 5), None), ((1, 3, 5), None)],
)
def test_a_defence_prevents_a_win_of_three_plies(held: tuple[int, ...], defence: tuple[str, int] | None) -> None:
    """It is the move before the first position that is won."""
    found = [each for each in mine(one_by_one(24), Said(24, 6, held)) if not each.wins]
    assert [(each.best, each.plies, each.position.ply) for each in found] == ([(*defence, 6)] if defence else [])
    assert [each.wins for each in mine(one_by_one(24), Said(24, 7, held))] == [True, True], "too early to look"


def test_all_moves_that_go_on_to_win_are_right() -> None:
    by, position = prover("tictactoe"), FORK.position
    assert only_win(position, by) == FORK.move
    right = {move for move in position.legal_moves() if right_move(FORK, by, position, move)}
    assert right == {FORK.move}
    assert only_defence(CORNER.position, by) == (CORNER.move, CORNER.plies)
    assert only_win(parse("a1b1b2c1", setup("tictactoe")).position, by) is None, "two moves win at once"
    assert [
        position.move_text(move)
        for position in [CORNER.position]
        for move in position.legal_moves()
        if right_move(CORNER, by, position, move)
    ] == ["b2"]


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("winner", [0, 1, None])
def test_a_move_that_ends_the_game_defends_unless_it_loses(turn: int, winner: int | None) -> None:
    after = SimpleNamespace(outcome=Outcome(winner, "score"))
    position: Any = SimpleNamespace(turn=turn, play=lambda _move: after)
    assert right_move(CORNER, Said(9), position, 0) is (winner in (turn, None))


@pytest.mark.parametrize(
    ("puzzle", "why"),
    [
        (Puzzle(game="tictactoe", size=3, rule="standard", moves="a1", theme="win", plies=5, best="b2"), "not proven"),
        (Puzzle(game="tictactoe", size=3, rule="standard", moves="a1", theme="defence", plies=5, best="a1"), "legal"),
        (
            Puzzle(game="tictactoe", size=3, rule="standard", moves="a1a2b1b2c1", theme="win", plies=1, best="c2"),
            "over",
        ),
        (
            Puzzle(game="tictactoe", size=3, rule="standard", moves="b2", theme="defence", plies=5, best="a1"),
            "another",
        ),
    ],
)
def test_a_puzzle_that_is_wrong_is_found(puzzle: Puzzle, why: str) -> None:
    assert why in why_wrong(puzzle, prover("tictactoe"))


def test_images_of_a_position_are_one_puzzle() -> None:
    turned = Puzzle(game="tictactoe", size=3, rule="standard", moves="c3", theme="defence", plies=5, best="b2")
    other = Puzzle(game="tictactoe", size=3, rule="standard", moves="b1", theme="defence", plies=5, best="b2")
    assert image(CORNER) == image(turned) != image(other)
    left, right, same = (
        Puzzle(game="connect4", size=7, rule="standard", moves=moves, theme="win", plies=5, best="d")
        for moves in ("aab", "ggf", "bba")
    )
    assert image(left) == image(right) != image(same)


@pytest.mark.parametrize(
    ("puzzle", "move", "answer"),
    [
        (FORK, "c3", PuzzleAnswer("right", (1, 6, 4, 3))),
        (FORK, "b3", PuzzleAnswer("wrong", (2,), 1)),
        (CORNER, "b2", PuzzleAnswer("solved")),
        (CORNER, "a3", PuzzleAnswer("wrong", (2, 4, 8, 5, 7), 5)),
        (replace(FORK, moves="c2a3c1b1"), "c3", PuzzleAnswer("solved")),
        (replace(CORNER, theme="win"), "b2", PuzzleAnswer("wrong")),  # it only holds
        (replace(FORK, moves="c2a3c1a1b1"), "a2", PuzzleAnswer("solved")),
        (replace(FORK, moves="b2a1c1a3a2c2b3b1"), "c3", PuzzleAnswer("wrong")),  # a draw
    ],
)
def test_answers_are_judged(puzzle: Puzzle, move: str, answer: PuzzleAnswer) -> None:
    position = puzzle.position
    assert judge_move(puzzle, prover("tictactoe"), position, position.parse_move(move)) == answer


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("plies", (1, 225), (0, 226)), ("size", (1, 100), (0, 101)), ("rating", (None, -10_000, 10_000), (10_001, "x")),
        ("solved", ([], [0, 1.0] * 10), ([0] * 21, [1.1])), ("theme", ("win",), ("mate",)), ("game", (), ("chess",)),
        ("best", ("a" * 10,), ("a" * 11,)), ("rule", ("x" * 20,), ("x" * 21,)), ("moves", ("a" * 2000,), ("a" * 2001,)),
    ],
)  # fmt: skip
def test_values_of_puzzles_have_bounds(name: str, good: tuple[Any, ...], bad: tuple[Any, ...]) -> None:
    entry = json.loads(line(FORK))
    for value in good:
        assert getattr(parse_line(json.dumps(entry | {name: value}), played=False), name) == value
    for value in bad:
        with pytest.raises(ValueError, match=name):
            parse_line(json.dumps(entry | {name: value}), played=False)


def test_a_file_is_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    write(file, [FORK, CORNER])
    assert read(file) == ({2: FORK, 3: CORNER}, {})
    lines = file.read_text(encoding="utf-8").splitlines()
    damaged = [lines[0], "{", lines[1].replace("c3", "z9"), lines[1].replace("c2a3c1", "c2c2"), "[1]", lines[2]]
    file.write_text("\n".join(damaged), encoding="utf-8")
    found, failed = read(file)
    assert (found, sorted(failed)) == ({6: CORNER}, [2, 3, 4, 5])
    assert all(why.endswith(".") for why in failed.values())


@pytest.mark.parametrize("data", ["", "h8i9", "[]", '{"format": "tengen-puzzles", "version": 2}'])
def test_another_file_is_refused_with_a_sentence(data: str, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_text(data, encoding="utf-8")
    with pytest.raises(FormatError, match=r"\.$"):
        read(file)


def test_what_is_unknown_is_not_written() -> None:
    assert "rating" not in line(FORK)
