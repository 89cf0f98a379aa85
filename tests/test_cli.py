"""The command line, on which scripts depend: exit statuses, streams, and JSON keys."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import IO, Any

import pytest

import main
from ai.core.player import Player, PlayerFailure
from ai.lab import engine_speed as speed
from ai.players import table as players
from ai.players.table import Context
from ai.review.report import run_review
from ai.search.alphabeta import AlphaBeta
from ai.system.threads import processors
from games.evaluation import Evaluation
from games.formats import load, load_all, save, tengen
from games.formats.text import moves_text, parse
from games.registry import setup
from tests.by_nodes import judge_by_nodes
from tests.games.formats_samples import LIB_EXAMPLE, RIF_EXAMPLE
from ui.commands.screenshot import PICTURES
from ui.learn.compare import Compare
from ui.learn.compare_state import TREES
from ui.replay.screen import Replay
from ui.window.screen import Screen

ROOT = Path(__file__).parents[1]
COMMANDS = (
    "analyse", "review", "convert", "find", "import", "arena", "prove", "puzzles", "bench", "engine", "screenshot",
)  # fmt: skip

DOCUMENT = {"game", "rule", "size", "positions"}
POSITION = {"ply", "move", "to_move", "best", "score", "mate", "depth", "nodes", "seconds", "complete", "pv", "lines"}
LINE = {"move", "score", "mate", "pv"}
REVIEWED = {"why", "ply", "move", "kind", "loss", "best", "line", "win"}
BENCH = {
    "machine", "versions", "compiled", "nodes_per_second", "nodes_per_second_2", "time_to_depth_ratio_2",
    "make_undo_per_second", "signature", "compile_cold_s", "compile_warm_s", "vcf_median_ms", "frame_ms",
    "window_s", "idle_cpu", "memory_mb",
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test runs in an empty folder, with its settings and saves there, and without a display."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def run(*arguments: str) -> int:
    """The exit status, however the program ends."""
    try:
        return main.main(arguments)
    except SystemExit as leaving:
        return int(leaving.code or 0)


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed on stderr: one line; and nothing on stdout."""
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.endswith(".\n")
    return err


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The one JSON document on stdout."""
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    return found


def analysed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run("analyse", *arguments, "--json") == 0
    found = document(capsys)
    assert set(found) == DOCUMENT
    for position in found["positions"]:
        assert set(position) == POSITION
        assert all(set(line) == LINE for line in position["lines"])
    return found


# A search with an end.


def test_minimax_goes_to_its_end_and_says_when_it_was_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    """It printed “score 0 depth 0 nodes 0” when its time was over."""
    (whole,) = analysed(capsys, "a3b3c3", "--game", "tictactoe", "--player", "minimax", "--last")["positions"]
    assert whole["complete"]
    assert whole["nodes"] > 1_000
    stopped = ("a3", "--game", "tictactoe", "--player", "minimax", "--last", "--seconds", "0.0001")
    (cut,) = analysed(capsys, *stopped)["positions"]
    assert not cut["complete"]
    assert run("analyse", *stopped) == 0
    assert "unfinished" in capsys.readouterr().out
    assert run("analyse", "a3b3c3", "--game", "tictactoe", "--player", "minimax", "--last", "--multipv", "3") == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert "unfinished" not in first
    assert len(lines) == 3


@pytest.mark.parametrize("player", ["alphabeta", "alphabeta:deepening=0", "minimax", "parallel:workers=2"])
def test_a_search_to_a_depth_that_time_stops_is_unfinished(player: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("d", "--game", "connect4", "--player", player, "--last", "--depth", "40", "--seconds", "0.05")
    (cut,) = analysed(capsys, *arguments)["positions"]
    assert not cut["complete"]
    (whole,) = analysed(capsys, *arguments[:-4], "--depth", "2")["positions"]
    assert whole["complete"]


@pytest.mark.parametrize("player", ["minimax:distance=0", "alphabeta:distance=0"])
def test_no_mate_is_told_where_all_wins_are_worth_the_same(player: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It said “has won” and “mate 0” before the game was over."""
    arguments = ("a3b3c3a2b2c1", "--game", "tictactoe", "--player", player, "--last")
    (facts,) = analysed(capsys, *arguments)["positions"]
    assert facts["mate"] is None
    assert all(line["mate"] is None for line in facts["lines"])
    assert run("analyse", *arguments) == 0
    assert " x wins  " in capsys.readouterr().out


@pytest.mark.parametrize("depth", [(), ("--depth", "40")])
@pytest.mark.parametrize("player", ["alphabeta:deepening=0", "parallel:workers=2,deepening=0"])
def test_a_search_to_the_end_was_400_plies_deep(
    player: str, depth: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("a3b3c3a2b2", "--game", "tictactoe", "--player", player, "--last", *depth)
    (facts,) = analysed(capsys, *arguments)["positions"]
    assert 1 < facts["depth"] == len(facts["pv"]) <= 4


# The program as a whole.


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == main.VERSION
    assert run("--version") == 0
    assert capsys.readouterr().out == f"tengen {main.VERSION}\n"


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_every_command_explains_itself(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*command, "--help") == 0
    told = capsys.readouterr().out
    assert told.startswith(" ".join(("usage: tengen", *command)))
    named = {"": COMMANDS, "screenshot": PICTURES, "convert": (".tengen.json", ".sgf", ".png", ".gif")}
    assert all(name in told for name in named.get("".join(command), ()))


@pytest.mark.parametrize(
    "arguments",
    [
        "--nope",
        "keep x",
        "keep 3",
        "analyse",
        "analyse h8 --depth 0",
        "analyse h8 --depth x",
        "analyse h8 --seconds nan",
        "analyse h8 --seconds -1",
        "analyse h8 --multipv 0",
        "analyse h8 --game chess",
        "analyse h8 --player mcts --cluster local",
        "analyse d --game connect4 --cluster local",
        "analyse h8 --size 99",
        "analyse h8 --game tictactoe --rule renju",
        "convert h8",
        "convert h8 a.txt --numbers",
        "convert h8 a.sgf --at 1",
        "convert h8 a.svg --at 0",
        "convert h8 a.svg --at 2",
        "convert h8 a.gif --at 2",
        "convert h8 a.txt --encoding utf-99",
        "arena random random random --game tictactoe --games 2",
        "arena random random --game tictactoe --rounds 2 --sprt",
        "arena random random --game tictactoe --gauntlet --elo1 10",
        "arena nobody random",
        "arena random level:9 --game tictactoe",
        "arena solver random --cluster local",
        "arena random random nobody",
        "arena random external:Nobody --gauntlet",
        "convert . a.txt --all",
        "convert . a.sgf --all --rule renju",
        "review",
        "review h8 --seconds 0",
        "review h8 --html a.html --cluster tcp://127.0.0.1:1",
        "review h8 --resume a.jsonl",
        "review . --html a.html",
        "review . --player engine",
        "review h8 --player engine --cluster local",
        "review h8 --player external:Nobody",
        "review h8 --player nobody",
        "convert h8 a.txt --size 0",
        "prove",
        "prove h8 --fours --threats",
        "prove h8 --seconds 0",
        "puzzles",
        "puzzles mine .",
        "bench --seconds 0",
        "screenshot home",
        "screenshot nowhere a.png",
        "screenshot home a.jpg",
        "screenshot home a.png --size 12",
        "screenshot home a.png --size 10x10",
        "screenshot home a.png --scale 300",
        "screenshot home a.png --lang fr",
        "screenshot play a.png --at 99",
        "screenshot home a.png --at 3",
        "screenshot home a.png --file no-such-game.txt",
        "screenshot lesson a.png --file no-such-game.txt",
    ],
)
def test_bad_usage_ends_with_2(arguments: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(*arguments.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err
    assert list(tmp_path.iterdir()) == []


def test_a_third_player_was_said_to_be_required(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("arena") == 2
    assert capsys.readouterr().err.endswith("the following arguments are required: A, B\n")


@pytest.mark.parametrize(
    "arguments",
    [
        "no-such-command",
        "keep",
        "no-such-game.tengen.json",
        "analyse no-such-game.txt",
        "analyse h8h8 --json",
        "analyse hello",
        "convert no-such-game.txt out.txt",
        "convert h8i8h8 out.webp",
        "review no-such-game.txt",
        "convert h8 out.xyz",
        "convert 12 out.txt",
        "screenshot replay out.png --file no-such-game.txt",
        "screenshot home home/out.png",
        "convert h8 home/out.txt",
    ],
)
def test_failure_ends_with_1_and_a_sentence(
    arguments: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "home").write_text("a file where a folder should be")
    assert run(*arguments.split()) == 1
    sentence(capsys)
    assert [file.name for file in tmp_path.iterdir()] == ["home"]


def test_diagnose_names_our_places(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run("--diagnose") == 0
    facts = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    home = tmp_path / "home"
    assert facts["tengen"] == main.VERSION
    assert Path(facts["data"]) == home
    assert Path(facts["settings"]) == home / "settings.json"
    assert Path(facts["cache"]) == home / "cache"
    assert Path(facts["log"]) == home / "logs" / "tengen.log"
    assert facts["fonts"] == "Tengen-Regular.otf, Tengen-Bold.otf"
    assert "×" in facts["displays"]


# analyse


def test_analyse_searches_after_each_move(capsys: pytest.CaptureFixture[str]) -> None:
    found = analysed(capsys, "h8i9g7", "--depth", "2")
    assert (found["game"], found["rule"], found["size"]) == ("gomoku", "freestyle", 15)
    assert run("analyse", "h8i9g7", "--depth", "2") == 0
    out, err = capsys.readouterr()
    assert ([line.split()[1] for line in out.splitlines()], err) == (["h8", "i9", "g7"], "")
    positions = found["positions"]
    assert [position["ply"] for position in positions] == [1, 2, 3]
    assert [position["move"] for position in positions] == ["h8", "i9", "g7"]
    assert [position["to_move"] for position in positions] == ["white", "black", "white"]
    for position in positions:
        assert position["depth"] == 2
        assert position["nodes"] > 0
        assert position["best"] == position["pv"][0] == position["lines"][0]["move"]
        assert position["score"] == position["lines"][0]["score"]


def test_analyse_multipv_gives_that_many_lines(capsys: pytest.CaptureFixture[str]) -> None:
    (position,) = analysed(capsys, "h8i9g7", "--depth", "2", "--last", "--multipv", "3")["positions"]
    moves = [line["move"] for line in position["lines"]]
    assert len(set(moves)) == 3
    scores = [line["score"] for line in position["lines"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("moves", "game", "to_move", "best", "mate", "sign"),
    [
        ("", "gomoku", "black", "h8", None, ...),
        ("h8a1", "gomoku", "black", ..., None, 1),
        ("a1a2b1b2", "tictactoe", "x", "c1", 1, 1),  # two in a row
        ("a1b1a3a2c3", "tictactoe", "o", ..., -2, -1),  # a fork
        ("a1a2b1b2c1", "tictactoe", "o", None, 0, -1),
        ("a1b2a2a3c1b1b3c2c3", "tictactoe", "o", None, None, 0),
        ("2 3 3 3", "bones", "first", "2", 5, 1),  # ten are left; multiples of four lose
    ],
)
def test_analyse_counts_the_plies_to_the_end(
    capsys: pytest.CaptureFixture[str],
    moves: str,
    game: str,
    to_move: str,
    best: object,
    mate: int | None,
    sign: object,
) -> None:
    depth = "1" if game == "gomoku" else "20"
    (position,) = analysed(capsys, moves, "--game", game, "--last", "--depth", depth)["positions"]
    assert (position["to_move"], position["mate"]) == (to_move, mate)
    assert best in (..., position["best"])
    assert sign in (..., (position["score"] > 0) - (position["score"] < 0))
    assert position["best"] or (position["pv"], position["lines"], position["nodes"]) == ([], [], 0)


# review and pictures


@pytest.mark.slow
def test_review_calls_an_ignored_three_a_blunder(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ai.review.review.make_judge", lambda _game: judge_by_nodes())
    assert run("review", "h8h9i8g9j8a1", "--seconds", "0.05", "--json") == 0
    found = document(capsys)
    assert set(found) == {"accuracy", "moves"}
    assert all(set(move) == REVIEWED for move in found["moves"])
    assert [move["ply"] for move in found["moves"]] == [1, 2, 3, 4, 5, 6]
    last = found["moves"][-1]
    assert last["kind"] == "blunder"
    assert last["best"] in {"g8", "k8", "f8", "l8"}
    assert last["why"].startswith("Ignores Black's open three, which can become an open four at ")
    assert f": {last['best']} stops it." in last["why"]
    assert found["moves"][0]["why"] == ""
    assert last["win"] == 0


def test_another_player_judges_a_game_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not what the file knows of the strongest one; and a failure is a sentence."""
    record = parse("a1b1b2", setup("tictactoe"))
    record.cursor.evaluation = Evaluation(9_000, None, 12, (8,), 60.0)
    file = tmp_path / "game.tengen.json"
    file.write_bytes(tengen.dumps(record))
    assert run("review", str(file), "--player", "alphabeta", "--json") == 0
    assert [move["move"] for move in json.loads(capsys.readouterr().out)["moves"]] == ["a1", "b1", "b2"]

    def fails(*_: object) -> None:
        raise PlayerFailure("It has failed.", "slow")

    monkeypatch.setattr("ai.search.alphabeta.AlphaBeta.think", fails)
    assert run("review", str(file), "--player", "alphabeta") == 1
    assert sentence(capsys) == "It has failed.\n"


def test_review_for_people_is_a_line_a_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("review", "a1b1b2a2c3", "--game", "tictactoe") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8
    assert "blunder" in lines[1]
    assert "better b2" in lines[1]
    assert lines[2].strip() == "Lets X win in 3 moves, beginning with a3."
    assert lines[5].strip() == "Lost since move 2."
    assert lines[-1].startswith("accuracy: first 100.0 %")


def test_review_of_a_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("b", "a"):
        run("convert", "1 2 3", str(folder / f"{name}.tengen.json"), "--game", "bones")
    (folder / "note.md").write_text("no game")
    keep = ("--resume", str(tmp_path / "kept.jsonl"))
    assert run("review", str(folder), "--json", *keep) == 0
    games = document(capsys)["games"]
    assert [game["file"] for game in games] == ["a.tengen.json", "b.tengen.json"]
    assert all(set(game) == {"file", "accuracy", "moves"} for game in games)
    monkeypatch.setattr("ai.review.report.run_review", None)
    (folder / "bad.tengen.json").write_text("{")
    assert run("review", str(folder), "--json", *keep) == 1, "without reviewing the others again"
    out, err = capsys.readouterr()
    assert len(json.loads(out)["games"]) == 2
    said, failed = err.splitlines()
    assert said.startswith("bad.tengen.json: ")
    assert failed == "1 of the files could not be read."


@pytest.mark.parametrize("kept", ["games/a.tengen.json/m.jsonl", "m.jsonl"])
def test_a_review_that_could_not_be_kept_was_told_of_as_one_that_cannot_be_read(
    kept: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "m.jsonl").mkdir()
    run("convert", "1 2 3", "games/a.tengen.json", "--game", "bones")
    assert run("review", "games", "--resume", kept) == 1
    assert sentence(capsys).startswith("“m.jsonl” cannot be written: ")


def test_damaged_rows_of_a_kept_review_are_made_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """There was a traceback."""
    folder, kept = tmp_path / "games", tmp_path / "kept.jsonl"
    folder.mkdir()
    run("convert", "1 2 3", str(folder / "a.tengen.json"), "--game", "bones")
    assert run("review", str(folder), "--json", "--resume", str(kept)) == 0
    games = document(capsys)["games"]
    head, row, _ = kept.read_text(encoding="utf-8").split("\n")
    rows = ["{}", "5", "[]", row.replace('"win": ', '"win": "x'), row.replace('"moves": [', '"moves": [7, ')]
    kept.write_text("\n".join((head, *rows, row[:50])), encoding="utf-8")
    assert run("review", str(folder), "--json", "--resume", str(kept)) == 0
    assert document(capsys)["games"] == games
    assert (tmp_path / "kept.damaged.jsonl").exists()
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_file_cannot_steer_the_terminal(tmp_path: Path) -> None:
    """An escape sequence in a file's name or text was printed as it was."""
    import pty

    (tmp_path / "a\x1b[31m.tengen.json").write_text("no game")
    ours, theirs = pty.openpty()
    command = [sys.executable, str(ROOT / "main.py"), "review", str(tmp_path)]
    subprocess.run(command, stdout=theirs, stderr=theirs, check=False)
    os.close(theirs)
    said = os.read(ours, 10_000)
    assert b"a\\x1b[31m.tengen.json: " in said
    assert b"\x1b" not in said


def test_review_writes_a_page_and_nothing_else_to_stdout(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("review", "a1b1b2", "--game", "tictactoe", "--json", "--html", str(page), "--lang", "zh") == 0
    document(capsys)
    assert '<html lang="zh">' in page.read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written_lost_the_review(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run("review", "a1b1b2", "--game", "tictactoe", "--json", "--html", str(tmp_path)) == 1
    out, err = capsys.readouterr()
    assert [move["move"] for move in json.loads(out)["moves"]] == ["a1", "b1", "b2"]
    assert err.count("\n") == 1
    assert "cannot be written: Is a directory." in err


def test_analyse_with_200_threads_took_100_times_as_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []

    def player(name: str, context: Context) -> Player:
        asked.append((name, context.threads))
        return AlphaBeta()

    monkeypatch.setattr(players, "make", player)
    analysed(capsys, "h8", "--depth", "1", "--threads", "200")
    assert asked == [("engine", min(200, processors()))]


def test_analyse_by_another_player(capsys: pytest.CaptureFixture[str]) -> None:
    found = analysed(capsys, "a1b1", "--game", "tictactoe", "--player", "minimax", "--last")
    assert found["positions"][0]["nodes"] > 5000
    assert run("analyse", "h8", "--player", "deep thought") == 2
    assert "There is no player “deep thought”" in capsys.readouterr().err


# convert


def test_convert_there_and_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run("convert", "h8i9g7", "game.tengen.json") == 0
    assert run("convert", "game.tengen.json", "game.txt") == 0
    assert (tmp_path / "game.txt").read_text() == "h8i9g7\n"
    assert load(tmp_path / "game.tengen.json").position == load(tmp_path / "game.txt").position
    assert capsys.readouterr() == ("", "")


def test_what_is_skipped_of_a_file_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A collection lost all games but one, and a game its end, without a word."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "two.sgf").write_text("(;GM[4]SZ[15];B[hh];W[hh])(;GM[4]SZ[15];B[aa])(;GM[999]SZ[8])")
    assert run("convert", "games/two.sgf", "out.txt") == 0
    out, err = capsys.readouterr()
    assert (out, sorted(line.split()[0] for line in err.splitlines())) == ("", ["Move", "The"])
    assert run("analyse", "games/two.sgf", "--depth", "1", "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["positions"][0]["move"] == "h8"
    assert err.count("\n") == 2
    assert run("review", "games", "--seconds", "0.01", "--json") == 0
    out, err = capsys.readouterr()
    assert [len(game["moves"]) for game in json.loads(out)["games"]] == [1, 1]
    assert [line.split(": ")[0] for line in err.splitlines()] == ["two.sgf", "two.sgf"]
    (tmp_path / "many.sgf").write_text("(;GM[4]SZ[15];B[hh]" + "(;W[hh])" * 1000 + ")")
    assert run("convert", "many.sgf", "out.txt") == 0
    assert capsys.readouterr().err.splitlines()[5:] == ["Left out as well: 995 more."]


def test_all_games_of_a_file_a_folder_or_a_database_are_written_as_one_collection(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.rif").write_text(RIF_EXAMPLE, encoding="utf-8")
    (tmp_path / "games" / "b.lib").write_bytes(LIB_EXAMPLE)
    (tmp_path / "games" / "c.psq").write_text("damaged")
    assert run("convert", "games", "all.sgf", "--all") == 0
    out, err = capsys.readouterr()
    assert (out, [line.split(":")[0] for line in err.splitlines()]) == ("", ["a.rif", "c.psq"])
    games = load_all(tmp_path / "all.sgf")
    assert [moves_text(game.line()) for game in games] == ["h8h9h7", "h8i9", "h8", "h8h9i9"]
    assert (games[0].about.event, len(list(games[3].nodes()))) == ("Cup & more", 6)
    assert run("import", "games/a.rif", "--into", "a.tengendb") == 0
    assert run("convert", "a.tengendb", "again.sgf", "--all") == 0
    assert load_all(tmp_path / "again.sgf")[-1].names == ("黒", "Ada L")
    assert run("convert", "games/c.psq", "none.sgf", "--all") == 1
    assert run("convert", "nothing", "none.sgf", "--all") == 1
    assert not (tmp_path / "none.sgf").exists()


def test_the_options_of_a_game_were_ignored_in_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "four.txt").write_text("ababab")
    (tmp_path / "five.sgf").write_text("(;GM[4]SZ[15];B[hh])")
    assert run("review", ".", "--seconds", "0.01", "--game", "connect4", "--json") == 0
    moves = {game["file"]: [move["move"] for move in game["moves"]] for game in document(capsys)["games"]}
    assert moves == {"five.sgf": ["h8"], "four.txt": ["a", "b", "a", "b", "a", "b"]}
    assert run("review", ".", "--game", "connect4", "--size", "99") == 2


def test_a_rule_that_nobody_named_cut_a_game_short(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "six.psq").write_text("Piskvorky 15x15\n" + "".join(f"{x},1\n{x},9\n" for x in (1, 2, 3, 5, 6, 4)))
    assert run("convert", "six.psq", "six.txt") == 0
    assert (tmp_path / "six.txt").read_text() == "a15a7b15b7c15c7e15e7f15f7d15d7\n"
    assert run("convert", "six.psq", "six.txt", "--rule", "freestyle") == 0
    assert (tmp_path / "six.txt").read_text() == "a15a7b15b7c15c7e15e7f15f7d15\n"
    assert capsys.readouterr().err == "Move 12 and all that follows it were left out: The game is over.\n"


# screenshot

STUDIES, COMPARED = ("analysis", "review"), ("compare", "trees", "horizon", "threads")


@pytest.mark.slow
@pytest.mark.parametrize("scene", [each for each in PICTURES if each not in STUDIES + COMPARED])
def test_screenshot_has_the_size_asked_for(
    scene: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run("screenshot", scene, "picture.png", "--size", "960x640", "--theme", "paper", "--lang", "zh") == 0
    assert capsys.readouterr() == ("", "")
    assert png_size(tmp_path / "picture.png") == (960, 640)
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert {file for file in made if not file.startswith("home/cache/library")} == {"picture.png"}


@pytest.mark.slow
@pytest.mark.parametrize("scene", COMPARED)
def test_screenshot_waits_for_the_searches_that_are_compared(
    scene: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[bool] = []

    def close(screen: Compare) -> None:
        state = screen.state
        done.append(state.trees.finished if state.view == TREES else not state.busy)

    monkeypatch.setattr(Compare, "close", close)
    save(parse("a1b1", setup("tictactoe")), tmp_path / "game.tengen.json")
    assert run("screenshot", scene, "out.png", "--file", "game.tengen.json", "--size", "960x640") == 0
    assert png_size(tmp_path / "out.png") == (960, 640)
    assert done == [True]


@pytest.mark.parametrize("scene", STUDIES)
def test_screenshot_of_a_study_shows_what_the_engine_finds(scene: str, tmp_path: Path) -> None:
    assert run("convert", "a1b1c1", "game.tengen.json", "--game", "tictactoe") == 0
    before = (tmp_path / "game.tengen.json").read_bytes()
    for name, ply in (("replay", "3"), ("replay", "2"), (scene, "3")):
        assert run("screenshot", name, f"{name}{ply}.png", "--file", "game.tengen.json", "--at", ply) == 0
    assert len({file.read_bytes() for file in tmp_path.glob("*.png")}) == 3
    assert (tmp_path / "game.tengen.json").read_bytes() == before


def test_screenshot_of_a_lesson_shows_the_page_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for page in ("7", "8"):
        assert run("screenshot", "lesson", f"{page}.png", "--size", "960x640", "--at", "1", "--page", page) == 0
    assert len({file.read_bytes() for file in tmp_path.glob("*.png")}) == 2
    for arguments in (("lesson", "--page", "10"), ("exercises", "--page", "4"), ("play", "--page", "1")):
        assert run("screenshot", arguments[0], "no.png", *arguments[1:]) == 2
    said = capsys.readouterr().err
    assert "There are 9 pages; there is no page 10." in said
    assert "There are 3 exercises; there is no exercise 4." in said
    assert "“play” has no pages." in said


@pytest.mark.parametrize("scene", ["learn", "compare", "trees", "threads"])
def test_screenshot_of_a_search_after_the_end_of_a_game_ended_with_a_trace(
    scene: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save(parse("a1b1a2b2a3", setup("tictactoe")), tmp_path / "game.tengen.json")
    assert run("screenshot", scene, "out.png", "--file", "game.tengen.json") == 2
    sentence(capsys)
    assert not (tmp_path / "out.png").exists()


@pytest.mark.slow
def test_screenshot_of_an_analysis_showed_that_it_had_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[bool] = []

    def close(screen: Replay) -> None:
        found.append(screen.state.analyst.complete)
        Screen.close(screen)

    monkeypatch.setattr(Replay, "close", close)
    game = ROOT / "assets" / "pictures" / "play.tengen.json"
    assert run("screenshot", "analysis", "picture.png", "--file", str(game), "--at", "18") == 0
    assert found == [True]


def test_screenshot_of_a_review_did_not_wait_for_it(tmp_path: Path) -> None:
    record = parse("a1b1b2a2c3", setup("tictactoe"))
    save(record, tmp_path / "game.tengen.json")
    assert run("screenshot", "review", "begun.png", "--file", "game.tengen.json", "--at", "2") == 0
    run_review(record)
    save(record, tmp_path / "game.tengen.json")
    assert run("screenshot", "review", "done.png", "--file", "game.tengen.json", "--at", "2") == 0
    assert (tmp_path / "begun.png").read_bytes() == (tmp_path / "done.png").read_bytes()


def test_a_database_that_cannot_be_written_was_a_traceback_beside_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "cache").write_text("a file where a folder should be")
    assert run("screenshot", "databases", "out.png", "--size", "960x640") == 0
    assert capsys.readouterr().out == ""
    (said,) = {record.getMessage() for record in caplog.records}
    assert said.startswith("The database “library.tengendb” cannot be written: ")
    assert "\n" not in said


def png_size(file: Path) -> tuple[int, int]:
    head = file.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])


# bench


@pytest.mark.slow
def test_bench_prints_its_document_and_nothing_else(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the banner of pygame nor the window that is measured may print in between."""
    monkeypatch.setattr(speed, "compile_seconds", lambda: (None, None))  # takes as long as it says
    assert run("bench", "--seconds", "0.05", "--json") == 0
    out, _ = capfd.readouterr()
    assert out.count("\n") == 1
    figures = json.loads(out)
    assert set(figures) >= BENCH
    assert figures["window_s"] > 0


# Sentences where there were tracebacks.


def started(*arguments: str, stdout: int | IO[bytes] = subprocess.PIPE) -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own, to the end of its interpreter."""
    command = [sys.executable, str(ROOT / "main.py"), *arguments]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, timeout=120, check=False)


@pytest.mark.slow
def test_nothing_but_the_picture_comes_from_a_command_that_draws(tmp_path: Path) -> None:
    """pygame told its version on stdout."""
    done = started("convert", "h8i9", str(tmp_path / "game.png"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that Linux has")
@pytest.mark.parametrize(
    "arguments",
    [("--version",), ("--diagnose",), ("analyse", "b2", "--game", "tictactoe", "--depth", "1", "--json")],
)
def test_a_stdout_that_is_full_is_one_sentence(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = started(*arguments, stdout=full)
    ours = [line for line in ended.stderr.splitlines() if not line.startswith((b"ALSA", b"error: XDG"))]
    assert ours == [b"The output cannot be written: No space left on device."]
    assert ended.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed by a shell of Unix")
@pytest.mark.parametrize(
    ("arguments", "status"),
    [("--version", 1), ("analyse b2 --game tictactoe --depth 1 --json", 1), ("convert h8 game.txt", 0)],
)
def test_what_was_printed_on_a_closed_stdout_was_lost_without_a_word(arguments: str, status: int) -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, str(ROOT / "main.py"), *arguments.split()]
    ended = subprocess.run(command, stderr=subprocess.PIPE, timeout=120, check=False)
    assert ended.stderr == (b"The output cannot be written: stdout is closed.\n" if status else b"")
    assert ended.returncode == status


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed by a shell of Unix")
def test_a_review_without_stderr_failed_and_errors_were_printed_on_stdout() -> None:
    def without_stderr(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, str(ROOT / "main.py"), *arguments]
        return subprocess.run(command, stdout=subprocess.PIPE, timeout=120, check=False)

    ended = without_stderr("review", "b2", "--game", "tictactoe", "--json")
    assert (ended.returncode, set(json.loads(ended.stdout or b"{}"))) == (0, {"accuracy", "moves"})
    ended = without_stderr("analyse", "no-such-game.txt", "--json")
    assert (ended.returncode, ended.stdout) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that Linux has")
def test_a_device_is_not_replaced_by_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.txt").symlink_to("/dev/full")
    assert run("convert", "h8", str(tmp_path / "game.txt")) == 1
    assert "It is not a regular file." in sentence(capsys)
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize("name", ["x" * 5000, "x" * 5000 + ".txt", "x/" * 2500, "漢" * 120])
@pytest.mark.parametrize(
    "command",
    [
        "{}",
        "analyse {}",
        "convert h8 {}",
        "convert {} out.txt",
        "convert {} out.sgf --all",
        "find h8 --in {}",
        "import {} --into a.tengendb",
        "puzzles mine {} out.jsonl",
        "puzzles check {}",
    ],
)
def test_an_argument_of_5000_characters_is_a_short_sentence(
    capsys: pytest.CaptureFixture[str], command: str, name: str
) -> None:
    assert run(*command.format(name).split()) == 1
    assert len(sentence(capsys)) < 300


@pytest.mark.slow
def test_missing_fonts_are_replaced_and_diagnosed(tmp_path: Path) -> None:
    """The window did not open without them."""
    place = tmp_path / "program"
    for part in ("main.py", "games", "ai", "ui", "assets"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        place.mkdir(exist_ok=True)
        copy(ROOT / part, place / part)
    (place / "assets" / "fonts" / "Tengen-Regular.otf").unlink()
    (place / "assets" / "fonts" / "Tengen-Bold.otf").write_bytes(b"not a font")
    command = [sys.executable, str(place / "main.py")]
    made = [*command, "screenshot", "home", "out.png", "--size", "960x640", "--lang", "zh"]
    ended = subprocess.run(made, capture_output=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    assert Path("out.png").stat().st_size > 10_000
    told = subprocess.run([*command, "--diagnose"], capture_output=True, timeout=120, check=True, text=True).stdout
    fonts = next(line for line in told.splitlines() if line.startswith("fonts"))
    assert fonts.count("ours is missing or damaged") == 2
    assert "freesansbold" in fonts
