"""The commands `prove` and `puzzles`."""

from __future__ import annotations

import json
from pathlib import Path
from unittest import mock

import pytest

import main
from ai.core.player import Stop
from ai.gomoku.threat_solver import MainLine, ThreatSolver
from ai.puzzles.puzzle import dumps
from games.formats.text import parse
from games.position import Position
from games.registry import setup
from tests.games.strategies import Ticking
from tests.waiting import wait
from ui.commands import proofs
from ui.commands.console import Failure
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
    assert capsys.readouterr().err.splitlines()[-1] == "1 of 1 files, 1 puzzles"
    assert run("puzzles", "check", str(out), "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"puzzles": 1, "proven": 1, "failed": []}
    head, good, _ = out.read_text(encoding="utf-8").split("\n")
    out.write_text("\n".join((head, "{}", good.replace('"b2"', '"c3"'), good)), encoding="utf-8")
    assert run("puzzles", "check", str(out), "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["puzzles"], found["proven"], [each["number"] for each in found["failed"]]) == (3, 1, [2, 3])
    out.write_text(f"{head}\n{good}\n", encoding="utf-8")
    out.write_text(out.read_text(encoding="utf-8").replace('"b2"', '"c3"'), encoding="utf-8")
    assert run("puzzles", "check", str(out)) == 1
    assert capsys.readouterr().out == "Line 2: The move is not proven.\n0 of 1 puzzles are proven.\n"
    assert run("puzzles", "check", str(source)) == 1
    assert capsys.readouterr().err == "This is not a file of puzzles.\n"


def test_mining_what_cannot_be_read_emptied_a_file_of_puzzles(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It ended with 0, too."""
    out, folder, damaged = tmp_path / "puzzles.jsonl", tmp_path / "games", tmp_path / "damaged.sgf"
    folder.mkdir()
    out.write_text("precious")
    for file in (damaged, folder / "a.sgf", folder / "b.sgf"):
        file.write_text("damaged")
    assert run("puzzles", "mine", str(tmp_path / "none"), str(out)) == 1
    assert capsys.readouterr().err == f"There is no file or folder “{tmp_path / 'none'}”.\n"
    assert run("puzzles", "mine", str(damaged), str(out)) == 1
    assert capsys.readouterr().err == "The file is not SGF, or it is damaged.\n"
    assert run("puzzles", "mine", str(folder), str(out)) == 1
    assert capsys.readouterr().err.splitlines()[-1] == f"None of the files in “{folder}” can be read."
    assert out.read_text() == "precious"


def test_a_file_of_puzzles_that_cannot_be_read_is_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It was “[Errno 2] No such file or directory: 'none.jsonl'”."""
    none = tmp_path / "none.jsonl"
    assert run("puzzles", "check", str(none)) == 1
    assert capsys.readouterr().err == f"There is no file “{none}”.\n"
    assert run("puzzles", "check", str(tmp_path)) == 1
    assert capsys.readouterr().err == f"“{tmp_path}” cannot be read: Is a directory.\n"


def test_a_damaged_line_of_puzzles_was_called_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_bytes(dumps(()) + b"{\n")
    assert run("puzzles", "check", str(file)) == 1
    assert capsys.readouterr().out == "Line 2: it is not JSON.\n0 of 1 puzzles are proven.\n"


@pytest.mark.parametrize("threats", [True, False])
@pytest.mark.parametrize("complete", [True, False])
def test_no_win_and_none_that_was_found_are_told_apart(
    complete: bool, threats: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Vain(ThreatSolver):
        """Finds nothing, and is stopped unless it has seen all."""

        nodes = 7

        def line(
            self, position: Position, by_threats: bool = True, nodes: int | None = 1, first: int | None = None,
            stop: Stop | None = None,
        ) -> MainLine | None:  # fmt: skip
            assert stop is not None
            self.complete = complete
            if not complete:
                wait(stop.is_set)
            return None

    monkeypatch.setattr(proofs, "ThreatSolver", Vain)
    monkeypatch.setattr(proofs, "time", Ticking(2.50049))
    record = parse("h8")
    prove(record, threats, seconds=0.01, as_json=True)
    known = {"proven": False if complete else None, "mate": None, "nodes": 7, "seconds": 2.5, "pv": []}
    assert json.loads(capsys.readouterr().out) == known
    prove(record, threats, seconds=0.01)
    means = "threats" if threats else "fours"
    said = f"There is no win by {means}." if complete else f"No win by {means} was found in 2.5 s."
    assert capsys.readouterr().out == f"{said}\n"


def test_a_proof_that_is_found_in_time_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    record = parse("e5e6f5a3g4a5g3a9", setup("gomoku", 9))
    prove(record, True, seconds=600.0)
    assert capsys.readouterr().out.startswith("It wins in at most 5 plies: g5 ")
    with pytest.raises(Failure, match="over"):
        prove(parse("a1a2b1b2c1", setup("tictactoe")), True)


def test_a_first_move_that_takes_for_ever_hid_another(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[tuple[int | None, int | None]] = []

    class Slow(ThreatSolver):
        def line(
            self, position: Position, by_threats: bool = True, nodes: int | None = 1, first: int | None = None,
            stop: Stop | None = None,
        ) -> MainLine | None:  # fmt: skip
            tried.append((nodes, first))
            if first == position.parse_move("a1"):
                assert nodes is not None, "it would never end"
                self.complete = False
                return None
            return super().line(position, by_threats, nodes, first, stop)

    monkeypatch.setattr("ui.commands.proofs.ThreatSolver", Slow)
    record = parse("e5e6f5a3g4b5g3a9", setup("gomoku", 9, "freestyle"))
    prove(record, True, ["a1", "g5"])
    assert "It wins in at most" in capsys.readouterr().out
    assert [move for _, move in tried] == [record.position.parse_move(text) for text in ("a1", "g5")]


def test_ctrl_c_waited_for_a_kernel_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search was on the main thread, which handles signals only after the kernel."""
    stopped = list[Stop]()

    def line(
        _self: ThreatSolver, _position: Position, _by_threats: bool, _nodes: int | None, _first: int | None, stop: Stop
    ) -> None:
        wait(stop.is_set)
        stopped.append(stop)

    monkeypatch.setattr(ThreatSolver, "line", line)
    monkeypatch.setattr(proofs, "wait", mock.Mock(side_effect=KeyboardInterrupt))
    assert run("prove", "h8i9") == 130
    assert len(stopped) == 1


def test_a_command_replaced_the_game_that_it_had_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game = tmp_path / "game.sgf"
    for command in (
        ("puzzles", "mine", str(game), str(game)),
        ("puzzles", "mine", str(tmp_path), str(game)),
        ("review", str(game), "--html", str(game)),
        ("convert", str(game), str(game)),
        ("convert", "--all", str(game), str(game)),
        ("analyse", str(game), "--player", "alphabeta", "--depth", "1", "--last", "--trace", str(game)),
        ("screenshot", "replay", str(game), "--file", str(game)),
    ):
        assert run("convert", "a1b2", str(game), "--game", "gomoku") == 0
        before = game.read_bytes()
        assert run(*command) == 2
        assert "is the file that is read" in capsys.readouterr().err
        assert game.read_bytes() == before
