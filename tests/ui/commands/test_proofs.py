"""The commands `prove` and `puzzles`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import main
from ai.core.player import Stop
from ai.gomoku.threat_solver import MainLine, ThreatSolver
from games.formats.text import parse
from games.position import Position
from games.registry import setup
from ui.commands.proofs import prove


def run(*arguments: str) -> int:
    return main.main(arguments)


def test_prove_says_whether_threats_win(capsys: pytest.CaptureFixture[str]) -> None:
    moves = ("prove", "e5e6f5a3g4a5g3a9", "--size", "9", "--json")
    assert run(*moves) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["proven"], found["mate"], found["pv"][0]) == (True, 5, "g5")
    assert set(found) == {"proven", "mate", "nodes", "seconds", "pv"}
    assert run(*moves, "--fours") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["proven"], found["mate"], found["pv"]) == (False, None, [])
    assert run(*moves, "--moves", "a1,g5") == 0
    assert json.loads(capsys.readouterr().out)["mate"] == 5
    assert run(*moves, "--moves", "e5") == 1
    assert capsys.readouterr().err == "The move e5 is not legal.\n"


def test_puzzles_are_mined_and_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source, out = tmp_path / "game.tengen.json", tmp_path / "puzzles.jsonl"
    assert run("convert", "a1a3c1b1c3c2b2", str(source), "--game", "tictactoe") == 0
    assert run("puzzles", "mine", str(source), str(out)) == 0
    capsys.readouterr()
    assert run("puzzles", "check", str(out), "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"puzzles": 1, "proven": 1, "failed": []}
    out.write_text(out.read_text(encoding="utf-8").replace('"b2"', '"c3"'), encoding="utf-8")
    assert run("puzzles", "check", str(out)) == 1
    assert capsys.readouterr().out == "Line 2: The move is not proven.\n0 of 1 puzzles are proven.\n"
    assert run("puzzles", "check", str(source)) == 1
    assert capsys.readouterr().err == "This is not a file of puzzles.\n"


def test_a_first_move_that_takes_for_ever_hid_another(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[tuple[int | None, int | None]] = []

    class Slow(ThreatSolver):
        def line(
            self, position: Position, threats: int = 8, nodes: int | None = 1, first: int | None = None,
            stop: Stop | None = None,
        ) -> MainLine | None:  # fmt: skip
            tried.append((nodes, first))
            if first == position.parse_move("a1"):
                assert nodes is not None, "it would never end"
                self.complete = False
                return None
            return super().line(position, threats, nodes, first, stop)

    monkeypatch.setattr("ui.commands.proofs.ThreatSolver", Slow)
    record = parse("e5e6f5a3g4b5g3a9", setup("gomoku", 9, "freestyle"))
    prove(record, True, ["a1", "g5"])
    assert "It wins in at most" in capsys.readouterr().out
    assert [move for _, move in tried] == [record.position.parse_move(text) for text in ("a1", "g5")]
