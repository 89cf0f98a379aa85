"""The check of Trickster: games that go on after a stop, tests of two arms, and models of levels."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ai.arena import executors
from ai.lab.fit_levels import moves_of
from ai.lab.trickster_check import ARMS, Played, Terms, calibrate, foresee, play_all, read, report, two_proportions
from ai.search.alphabeta import AlphaBeta
from games.bones import MOST_TAKEN, BonesPosition
from games.registry import setup


def test_games_go_on_where_they_were_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "open_executor", lambda *_where: ThreadPoolExecutor(1))
    file, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    terms = Terms("tictactoe", "alphabeta", 2)
    play_all(whole, terms, [1, 2], 2)
    lines = whole.read_text().splitlines()
    assert len(lines) == 2 * 2 * len(ARMS)
    file.write_text("\n".join(lines[:3]) + "\n" + lines[3][:20] + "\n")
    play_all(file, terms, [1, 2], 2)
    assert sorted(map(repr, read(file))) == sorted(map(repr, read(whole)))


@pytest.mark.parametrize("cut", [20, -1, None])
def test_a_line_that_was_cut_off_made_a_file_unreadable(
    cut: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next game was appended to it. The other cuts end after the terms and after the whole game."""
    monkeypatch.setattr(executors, "open_executor", lambda *_where: ThreadPoolExecutor(1))
    file, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    terms = Terms("tictactoe", "alphabeta", 2)
    play_all(whole, terms, [1], 2)
    first, *_, last = whole.read_text().splitlines()
    begun = last[: last.index("}") + 1] if cut == -1 else last[:cut]
    file.write_text(f"{first}\n{begun}")
    assert len(read(file)) == (2 if cut is None else 1)
    for _ in range(2):
        play_all(file, terms, [1], 2)
        assert sorted(map(repr, read(file))) == sorted(map(repr, read(whole)))
    with file.open("a") as out:
        print(last[:20] + last, file=out)
    assert len(read(file)) == len(read(whole)), "of a file in which this had happened"


def test_arms_are_compared_over_the_same_games() -> None:
    terms = Terms("tictactoe", "alphabeta", 2)
    games = [Played(terms, 1, number, "model", 1.0, 5) for number in range(40)]
    games += [Played(terms, 1, number, "best", float(number % 4 > 0), 5) for number in range(30)]
    row = list(report(games))[2]
    assert row.startswith("| 1 | 30 | 30-0-0 | 22-0-8 |")


def test_the_test_of_two_proportions_is_that_of_the_textbooks() -> None:
    # 60 and 40 of 100: z = 0.2 / sqrt(0.5 * 0.5 * 2 / 100) = 2.83, one-sided.
    assert two_proportions(60, 40, 100) == pytest.approx(0.00234, abs=1e-5)
    assert two_proportions(50, 50, 100) == pytest.approx(0.5)


def test_the_calibration_counts_intervals() -> None:
    rates, temperature = calibrate(setup("bones"), 4, 100)
    assert rates.startswith("bones rates: ")
    assert " of 4 within" in temperature


def test_only_the_moves_of_the_level_are_fitted() -> None:
    moves = list(moves_of(setup("tictactoe"), 1, 4, 1))
    assert 8 < len(moves) < 20
    assert all(move in position.legal_moves() for position, move in moves)


def test_games_begin_in_positions_that_are_lost() -> None:
    position, side = Terms("bones", "alphabeta", lost=1).opening(0, AlphaBeta())
    assert isinstance(position, BonesPosition)
    assert position.left % (MOST_TAKEN + 1) == 0
    assert (position.ply, position.turn) == (1, side)


def test_a_level_is_foreseen_better_by_itself_than_by_chance() -> None:
    *_, row = foresee(setup("tictactoe"), [1], 2)
    _, moves, alike, _, itself, *_ = (float(each) for each in row.strip("| ").split(" | "))
    assert moves >= 4
    assert alike < itself - 0.5
