"""Nothing is left of the games that were played: neither scenes nor records nor threads nor pictures. Random keys and
buttons raise nothing and damage no file."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from games import renju
from games.line import LineEvaluation, line_rules
from tests.soak import Census, soak

ROOT = Path(__file__).parents[2]

IN_PYTHON = (
    ("gomoku", "freestyle", "level:1", "level:2"),
    ("tictactoe", "standard", "level:3", "alphabeta"),
    ("bones", "standard", "level:2", "minimax"),
)


@pytest.mark.slow
def test_games_leave_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    first, *_, last = soak(9, every=3, pairings=IN_PYTHON, begin=False)
    ours = ("ui.play.", "ui.replay.", "games.record.GameRecord", "games.record.Node", "ai.service.searches.")
    # Other tests in this process may have left objects of their own: count only what the games added.
    grown = last.kinds - first.kinds
    assert {kind: count for kind, count in grown.items() if kind.startswith(ours)} == {}
    assert last.threads <= first.threads
    assert last.pictures <= first.pictures


def study_lines(dice: random.Random) -> None:
    study = line_rules(15, 15, 5, "freestyle").study
    for _ in range(10_000):
        study(bytes(dice.choices((0, 1, 2), k=11)))


def find_forbidden_points(dice: random.Random) -> None:
    for _ in range(100):
        renju.forbidden_points(bytes(dice.choices((0, 1, 2), k=225)), 15, 15)


@pytest.mark.parametrize(
    ("play", "kind"), [(study_lines, LineEvaluation), (find_forbidden_points, renju.StonePatterns)]
)
def test_what_is_known_of_lines_grew_while_games_were_played(play: Callable[[random.Random], None], kind: type) -> None:
    """To 131,072 lines, which took more than 100 MB."""
    before = _count(kind)
    play(random.Random(1))
    assert _count(kind) - before <= 5_000


def _count(kind: type) -> int:
    return sum(issubclass(type(each), kind) for each in gc.get_objects())


def test_a_census_that_has_grown_is_seen() -> None:
    first = Census(50, 100.0, 1000, 2, 9, Counter())
    assert not Census(500, 104.0, 1049, 2, 9, Counter()).grown_since(first)
    assert Census(500, 106.0, 1000, 2, 9, Counter()).grown_since(first)
    assert Census(500, 100.0, 1051, 2, 9, Counter()).grown_since(first)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "tests.soak --games 80",  # memory after these is that after 50; of itself it plays 500
        "tests.monkey --steps 1200 --seed 1",
        "tests.monkey --steps 1200 --seed 2",
    ],
)
def test_long_use_finds_no_fault(command: str) -> None:
    """With the engine, in a process of its own."""
    run = [sys.executable, "-m", *command.split()]
    found = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
