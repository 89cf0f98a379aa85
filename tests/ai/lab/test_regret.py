"""Two settings of the engine at labelled positions, and at known wins and errors."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

from ai.lab import proofs
from ai.lab.regret import Judge, gains, labelled
from games.formats.text import parse
from games.line import LinePosition
from games.registry import setup

WON = "h8a1i8a2j8a3k8a4"  # black makes a five, or else white does


def test_labelled_positions_are_those_of_the_labels_each_with_a_legal_move() -> None:
    for position, move in islice(labelled("renju", 1), 20):
        assert 3 <= position.ply <= 18
        assert move in position.legal_moves()


def test_a_player_gains_nothing_on_its_like() -> None:
    same = ["engine:memory_mb=1"] * 2
    for agreed, gain in islice(gains(same, (200, 200), "freestyle", 200, 1), 5):
        assert agreed[0] == agreed[1]
        assert gain == 0


def test_a_winning_move_gains_all_on_one_that_loses() -> None:
    position = parse(WON, setup("gomoku")).position
    assert isinstance(position, LinePosition)
    moves = {position.move_text(move): move for move in position.legal_moves()}
    assert Judge("freestyle", 500).gain(position, moves["l8"], moves["o15"]) == 1


def test_wins_and_errors_are_counted(tmp_path: Path) -> None:
    wins, errors = tmp_path / "wins.jsonl", tmp_path / "errors.jsonl"
    wins.write_text(json.dumps({"moves": WON}) + "\n" + json.dumps({"moves": "h8"}) + "\n")
    errors.write_text(json.dumps({"moves": WON, "bad": "l8"}) + "\n" + json.dumps({"moves": WON, "bad": "a15"}) + "\n")
    assert proofs.proven("engine:memory_mb=1", wins, 1000) == [True, False]
    assert not proofs.repeated("engine:memory_mb=1", errors, 1000)[1]
