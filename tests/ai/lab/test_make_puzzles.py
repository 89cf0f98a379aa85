"""Puzzles of the program: what is mined is kept and not mined again, and grades are added to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ai.lab.make_puzzles import main, mined, packed, rating
from ai.puzzles.puzzle import Puzzle, read, write


def test_mining_goes_on_where_it_was_stopped_and_leaves_out_images(tmp_path: Path) -> None:
    command = ["mine", str(tmp_path), "--game", "tictactoe", "--games", "8"]
    main(command)
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["tictactoe-00000.jsonl", "tictactoe-00001.jsonl"]
    found = [puzzle for file in files for puzzle in read(file)[0].values()]
    assert 0 < len(mined(tmp_path)) <= len(found)
    write(files[0], [])
    main(command)
    assert read(files[0]) == ({}, {})


def test_grades_are_added_to_what_was_mined(tmp_path: Path) -> None:
    first = Puzzle(game="tictactoe", size=3, rule="standard", moves="a1", theme="defence", plies=5, best="b2")
    turned, other = replace(first, moves="c3"), replace(first, moves="b1")
    write(tmp_path / "tictactoe-00000.jsonl", [first, turned, other])
    graded = replace(first, rating=1450, solved=[0.0, 0.5, 1.0])
    write(tmp_path / "graded.jsonl", [graded])
    assert packed(tmp_path) == [graded], "a defence is packed only if the strongest level finds it"
    won = replace(other, theme="win")
    write(tmp_path / "tictactoe-00000.jsonl", [first, turned, won])
    assert packed(tmp_path) == [graded, won]


def test_a_grade_was_appended_to_a_line_that_was_cut_off(tmp_path: Path) -> None:
    puzzle = Puzzle(game="tictactoe", size=3, rule="standard", moves="a1", theme="defence", plies=5, best="b2")
    write(tmp_path / "tictactoe-00000.jsonl", [puzzle])
    write(tmp_path / "graded.jsonl", [puzzle])
    with (tmp_path / "graded.jsonl").open("a") as out:
        out.write('{"game": "tic')
    main(["grade", str(tmp_path)])
    assert (tmp_path / "graded.jsonl").read_text().endswith("}\n")


def test_who_solves_a_puzzle_rates_it() -> None:
    elos = [1000.0, 1500.0, 2000.0]
    ratings = [rating(solved, elos) for solved in ([1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0])]
    assert ratings == sorted(ratings)
    assert rating([0, 0.5, 1], elos) == pytest.approx(1500)
