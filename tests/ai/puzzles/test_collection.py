"""Puzzles to choose from, by rating and by day, and what a person has done in them."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ai.core.elo import Rating, updated_rating
from ai.players.levels import level_elo
from ai.players.opponents import opponents
from ai.puzzles.collection import (
    Collection,
    PuzzleProgress,
    Wish,
    encoded_progress,
    key,
    load_progress,
    newcomer,
    progress_path,
)
from ai.puzzles.puzzle import Puzzle

PUZZLE = Puzzle(game="tictactoe", size=3, rule="standard", moves="a1", theme="win", plies=5, best="c3", rating=1000)
MANY = [replace(PUZZLE, moves=f"{number}", rating=1000.0 + 10 * number) for number in range(40)]
OTHER = replace(PUZZLE, game="connect4", rating=1800)


@pytest.mark.parametrize(
    ("wish", "wanted"),
    [
        (Wish(), True), (Wish("tictactoe", "standard", "win"), True), (Wish("bones"), False),
        (Wish(rule="renju"), False), (Wish(theme="defence"), False), (Wish("tictactoe", theme="defence"), False),
    ],
)  # fmt: skip
def test_a_wish_is_for_all_that_it_does_not_name(wish: Wish, wanted: bool) -> None:
    assert (PUZZLE in wish) is wanted
    assert Collection([PUZZLE]).among(wish) == ([PUZZLE] if wanted else [])


def test_a_puzzle_without_a_rating_has_that_of_the_most_similar_ones() -> None:
    graded = [PUZZLE, replace(PUZZLE, rating=1200), replace(PUZZLE, plies=7, rating=1700),
              replace(PUZZLE, theme="defence", rating=2100)]  # fmt: skip
    collection = Collection(graded)
    assert collection.rating(graded[1]) == Rating(1200, 80)
    unrated = replace(PUZZLE, rating=None)
    assert collection.rating(unrated) == Rating(1100, 250)
    assert collection.rating(replace(unrated, plies=9)) == Rating(1300, 250)
    assert collection.rating(replace(unrated, theme="fours")) == Rating(1500, 250)
    assert collection.rating(replace(unrated, game="gomoku")) == Rating(newcomer("gomoku").rating, 250)


def test_a_puzzle_is_one_of_the_twelve_nearest_that_are_not_recent() -> None:
    collection, progress = Collection(MANY), PuzzleProgress({"tictactoe": Rating(1100)})

    def drawn(harder: float = 0.0) -> set[float]:
        found = (collection.near(Wish(), progress, Random(seed), harder) for seed in range(120))
        return {each.rating for each in found if each is not None and each.rating is not None}

    assert drawn() == {1100.0 + 10 * step for step in range(-6, 7)}, "the twelfth is one of two"
    assert drawn(100) == {1200.0 + 10 * step for step in range(-6, 7)}
    progress.recent = [key(each) for each in MANY[:30]]
    assert drawn() == {each.rating for each in MANY[30:]}
    progress.recent = [key(each) for each in MANY]
    assert drawn() >= {1100.0 + 10 * step for step in range(-5, 6)}
    assert collection.near(Wish("bones"), progress, Random(1), 0.0) is None


def test_each_game_is_equally_likely() -> None:
    collection = Collection([*MANY, OTHER])
    games = [collection.near(Wish(), PuzzleProgress(), Random(seed), 0.0) for seed in range(100)]
    assert 30 < games.count(OTHER) < 70


def test_a_newcomer_is_as_strong_as_the_friendly_level_if_there_are_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    assert newcomer("gomoku") == Rating(level_elo("gomoku", opponents("gomoku").friendly).elo)
    monkeypatch.setattr("ai.puzzles.collection.level_elos", lambda _game: ())
    assert newcomer("gomoku") == Rating()


def test_all_puzzles_have_their_day_before_one_comes_again() -> None:
    collection = Collection(MANY[:7])
    days = [collection.daily(date.fromordinal(date(2026, 11, 27).toordinal() + more)) for more in range(8)]
    assert {each.moves for each in days[:7] if each is not None} == {each.moves for each in MANY[:7]}
    assert days[0] == days[7] == MANY[3], "the same for everybody"
    assert Collection([]).daily(date(2026, 11, 27)) is None


def test_the_first_answer_is_counted_and_changes_the_rating_of_its_game() -> None:
    progress, rating = PuzzleProgress(), Rating(1300, 80)
    progress.note(PUZZLE, rating, solved=True, rated=True)
    progress.note(OTHER, rating, solved=False, rated=False)
    progress.note(PUZZLE, rating, solved=False, rated=False)
    assert (progress.tried, progress.solved) == (3, 1)
    assert progress.recent == [key(OTHER), key(PUZZLE)], "the last one last, and once"
    assert progress.ratings == {"tictactoe": updated_rating(newcomer("tictactoe"), [(rating, 1.0)])}
    progress.recent = [str(number) for number in range(500)]
    progress.note(OTHER, rating, solved=False, rated=True)
    assert progress.recent == [*(str(number) for number in range(1, 500)), key(OTHER)]
    assert progress.rating("connect4").rating < newcomer("connect4").rating


def test_days_in_a_row_are_counted_once_each() -> None:
    progress, rows = PuzzleProgress(), []
    for day in (date(2026, 11, 30), date(2026, 11, 30), date(2026, 12, 1), date(2026, 12, 2), date(2026, 12, 4)):
        progress.note_daily(day)
        rows.append((progress.daily, progress.days))
    assert rows == [
        ("2026-11-30", 1), ("2026-11-30", 1), ("2026-12-01", 2), ("2026-12-02", 3), ("2026-12-04", 1),
    ]  # fmt: skip


LEAST: dict[str, Any] = {"tried": 0, "solved": 0, "streak": 0, "storm": 0, "daily": "", "days": 0, "recent": []}
MOST = dict.fromkeys(("tried", "solved", "streak", "storm", "days"), 10**6) | {
    "daily": "2026-11-27", "recent": ["x" * 3_000] * 500,
}  # fmt: skip
WRONG = [
    *({name: value} for name in ("tried", "solved", "streak", "storm", "days") for value in (10**6 + 1, -1)),
    {"daily": "2026-11-27x"}, {"recent": ["x"] * 501}, {"recent": ["x" * 3_001]},
]  # fmt: skip


def test_progress_has_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    for values in (LEAST, MOST):
        progress = PuzzleProgress({"bones": Rating()}, **values)
        assert load_progress(encoded_progress(progress)) == progress
    short = replace(progress, recent=[])
    for size, known in ((1 << 20, short), ((1 << 20) + 1, PuzzleProgress())):
        progress_path().write_bytes(encoded_progress(short).ljust(size))
        assert load_progress() == known, size
    assert encoded_progress(PuzzleProgress()).startswith(b'{\n "version": 1,\n "ratings": {},\n'), "for persons"
    entry = {"version": 1, **asdict(PuzzleProgress())}
    for change in (*WRONG, {"version": 2}, {"ratings": {"bones": {}}}):
        assert load_progress(json.dumps(entry | {"tried": 3} | change).encode()) == PuzzleProgress()
