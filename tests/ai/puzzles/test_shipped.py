"""The puzzles that come with the program: proven, of every theme, each position once, rated by who solves them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import mean

import pytest

from ai.players.levels import level_elos
from ai.puzzles.collection import Collection, Wish
from ai.puzzles.puzzle import THEMES, Puzzle, image, prover, read, why_wrong
from ai.search.proving import Prover

_ENOUGH = 30
FILE = Path(__file__).parents[3] / "assets" / "puzzles" / "puzzles.jsonl"


@cache
def shipped() -> tuple[Puzzle, ...]:
    puzzles, failed = read(FILE, played=False)
    assert not failed
    return tuple(puzzles.values())


@cache
def by(game: str) -> Prover:
    return prover(game)


def sample() -> list[Puzzle]:
    """One of each game, rule and theme, with a short win."""
    found: dict[tuple[str, str, str], Puzzle] = {}
    for puzzle in sorted(shipped(), key=lambda each: each.plies):
        found.setdefault((puzzle.game, puzzle.rule, puzzle.theme), puzzle)
    return list(found.values())


@pytest.mark.parametrize("puzzle", sample(), ids=lambda each: f"{each.game}-{each.rule}-{each.theme}")
def test_one_puzzle_of_each_kind_is_proven(puzzle: Puzzle) -> None:
    assert why_wrong(puzzle, by(puzzle.game)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("kind", sample(), ids=lambda each: f"{each.game}-{each.rule}-{each.theme}")
def test_all_puzzles_are_proven(kind: Puzzle) -> None:
    wish = Wish(kind.game, kind.rule, kind.theme)
    wrong = {puzzle.moves: why_wrong(puzzle, by(kind.game)) for puzzle in shipped() if puzzle in wish}
    assert {moves: why for moves, why in wrong.items() if why} == {}


@pytest.mark.slow
def test_each_position_comes_once() -> None:
    images = [image(puzzle) for puzzle in shipped()]
    assert len(set(images)) == len(images)


def test_there_are_a_thousand_puzzles_of_all_themes() -> None:
    assert len(shipped()) >= 1_000
    assert {puzzle.theme for puzzle in shipped()} == set(THEMES)


def test_a_puzzle_is_rated_higher_if_fewer_levels_solve_it() -> None:
    for game in {puzzle.game for puzzle in shipped()}:
        graded = [puzzle for puzzle in shipped() if puzzle.game == game and puzzle.rating is not None]
        assert all(len(puzzle.solved) == len(level_elos(game)) for puzzle in graded)
        order = sorted(graded, key=lambda puzzle: sum(puzzle.solved))
        ratings = [puzzle.rating or 0 for puzzle in order]
        assert ratings == sorted(ratings, reverse=True)


def test_stronger_levels_solve_more() -> None:
    wins = [puzzle for puzzle in shipped() if puzzle.game == "gomoku" and puzzle.wins]
    graded = [puzzle.solved for puzzle in wins if puzzle.rating is not None]
    if len(graded) < _ENOUGH:
        pytest.skip("too few wins of gomoku are graded yet")
    shares = [mean(level) for level in zip(*graded, strict=True)]
    thirds = [mean(shares[start : start + 3]) for start in (0, 3, 6)]
    assert thirds == sorted(thirds)


def test_what_is_not_graded_starts_at_the_mean_of_its_kind() -> None:
    new = Puzzle(game="tictactoe", size=3, rule="standard", moves="b1", theme="win", plies=5, best="c3")
    other = replace(new, moves="b2", theme="defence")
    rated = (("a1", 5, 1000.0), ("a2", 5, 1200.0), ("a3", 7, 1600.0))
    graded = [replace(new, moves=moves, plies=plies, rating=rating) for moves, plies, rating in rated]
    collection = Collection([*graded, new, other])
    assert [collection.rating(each).rating for each in (graded[0], new)] == [1000, 1100]
    assert collection.rating(other).rating == pytest.approx(3800 / 3)
    assert collection.rating(new).deviation > collection.rating(graded[0]).deviation
