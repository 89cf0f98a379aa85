"""The commands `import` and `find`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import main
from games.database.importer import Progress
from games.evaluation import Evaluation
from games.formats import encoded, save
from games.formats.text import parse
from games.position import Outcome
from games.storage import saves_home
from tests.games.strategies import Ticking
from ui.commands import database_commands
from ui.commands.database_commands import import_into


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path / "home"))


def games(folder: Path) -> None:
    folder.mkdir()
    texts = ("h8i9g7", "h8g7i9", "a1b2c3")
    sgf = b"".join(encoded(parse(text), Path("a.sgf")) for text in texts)
    (folder / "many.sgf").write_bytes(sgf + b"(;GM[4]SZ[99];B[aa])")
    record = parse("h8g9")
    record.play(record.position.parse_move("j10"))
    record.cursor.evaluation = Evaluation(250, None, 9)
    save(record, folder / "one.tengen.json")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main.main(arguments)
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_folder_is_imported_and_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games(tmp_path / "games")
    status, out, _ = run(capsys, "import", "games", "--into", "a.tengendb", "--json")
    done = json.loads(out)
    assert status == 0
    assert (done["games"], done["duplicates"], done.keys()) == (4, 0, {"games", "duplicates", "failed", "seconds"})
    assert [(Path(each["file"]).name, each["why"][:7]) for each in done["failed"]] == [("many.sgf", "Game 4:")]
    assert json.loads(run(capsys, "import", "games", "--into", "a.tengendb", "--json")[1])["games"] == 0
    for place in ("a.tengendb", "games"):
        _, out, _ = run(capsys, "find", "h8g9", "--in", place, "--json")
        found = json.loads(out)
        assert {(Path(each["file"]).name, each["number"], each["ply"]) for each in found["games"]} == {
            ("many.sgf", 1, 2), ("many.sgf", 2, 2), ("one.tengen.json", 1, 2),
        }  # fmt: skip
        assert sum(each["games"] for each in found["next"]) == 3
        assert [each["score"] for each in found["next"] if each["games"] == 1] == [250]


def test_a_file_that_was_refused_was_hidden_from_the_second_import_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor did a later version try to read it again."""
    (tmp_path / "bad.sgf").write_text("nothing")
    for _ in range(2):
        _, out, _ = run(capsys, "import", str(tmp_path / "bad.sgf"), "--into", str(tmp_path / "a.tengendb"), "--json")
        assert [Path(each["file"]).name for each in json.loads(out)["failed"]] == ["bad.sgf"]


def test_an_import_of_nothing_succeeded_and_left_an_empty_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.sgf").write_text("nothing")
    (tmp_path / "empty").mkdir()
    database = tmp_path / "a.tengendb"
    for source in ("bad.sgf", "empty"):
        status, _, err = run(capsys, "import", str(tmp_path / source), "--into", str(database))
        assert (status, err.splitlines()[-1]) == (1, "No game was found, so there is no new database.")
        assert not list(tmp_path.glob("a.tengendb*"))
    save(parse("h8i9"), tmp_path / "one.tengen.json")
    for name in ("one.tengen.json", "bad.sgf"):
        assert run(capsys, "import", str(tmp_path / name), "--into", str(database))[0] == 0
    assert len(json.loads(run(capsys, "find", "h8", "--in", str(database), "--json")[1])["games"]) == 1


def test_the_library_is_searched_as_its_files_are_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(parse("h8i9"), saves_home() / "one.tengen.json")
    assert len(json.loads(run(capsys, "find", "h8g9", "--json")[1])["games"]) == 1
    (saves_home() / "one.tengen.json").unlink()
    assert json.loads(run(capsys, "find", "h8g9", "--json")[1]) == {"games": [], "next": []}


def test_what_is_found_is_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games(tmp_path / "games")
    _, out, err = run(capsys, "find", "h8g9", "--in", "games")
    assert out.startswith("Games: 3\n")
    assert "many.sgf #2, move 2" in out
    assert "Game 4: The size" in err


def test_results_and_scores_did_not_say_whose_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line was “j10 1 +0 =1 -0 score +2.50”, a proven win a score of hundreds, in another unit than `analyse`."""
    lost = Evaluation(-99_996, -4, 9)
    for text, found in (("h8g9j10", Evaluation(250, None, 9)), ("h8g9i10", lost), ("h8a1", lost)):
        record = parse(text)
        record.date, record.cursor.evaluation = "", found
        record.end(Outcome(1, "resigned"))
        save(record, tmp_path / "games" / f"{text}.tengen.json")
    _, out, _ = run(capsys, "find", "h8g9", "--in", "games")
    lines = out.splitlines()[1:3]
    assert [" ".join(line.split()) for line in sorted(lines)] == [
        "i10 1 black won 0 drawn 0 white won 1 black loses in 5 plies",
        "j10 1 black won 0 drawn 0 white won 1 black score +250",
    ]
    _, out, _ = run(capsys, "find", "h8", "--in", "games")
    assert " ".join(out.splitlines()[2].split()) == "a15 1 black won 0 drawn 0 white won 1 white wins in 5 plies"


def test_only_the_first_games_are_listed_the_others_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for count in (20, 21):
        folder = tmp_path / str(count)
        folder.mkdir()
        one = b"(;GM[4]SZ[15]RU[renju]PB[Ada]DT[2026-01-02];B[hh];W[%c%c])"
        (folder / "a.sgf").write_bytes(b"".join(one % (97 + at % 7, 97 + at // 7) for at in range(count)))
    _, out, _ = run(capsys, "find", "h8", "--in", "20")
    assert [line.rpartition("a.sgf")[2] for line in out.splitlines()[-20:]] == [
        f"{f' #{number}' * (number > 1)}, move 1: Ada – ? 2026-01-02" for number in range(20, 0, -1)
    ]
    _, out, _ = run(capsys, "find", "h8", "--in", "21")
    assert out.splitlines()[-1] == "… and 1 more."
    for rule, days in (("renju", {"2026-01-02"}), ("standard", set())):
        found = json.loads(run(capsys, "find", "h8", "--in", "20", "--rule", rule, "--json")[1])
        assert (len(found["games"]), {each["last"] for each in found["next"]}) == (20 * len(days), days)


def test_on_a_terminal_an_import_tells_how_far_it_is_from_time_to_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [Progress(done, 8, games=1000 * done) for done in range(1, 9)]
    monkeypatch.setattr(database_commands, "import_games", lambda *_: iter(steps))
    monkeypatch.setattr(database_commands, "time", Ticking(0.75))
    import_into([tmp_path], tmp_path / "a.tengendb", as_json=False)
    said = capsys.readouterr()
    assert (said.out, said.err) == ("Games imported: 8,000; duplicates: 0; not read: 0; 1.5 s.\n", "")
    monkeypatch.setattr(database_commands, "time", Ticking(0.76))
    import_into([tmp_path], tmp_path / "a.tengendb", as_json=True)
    done = {"games": 8000, "duplicates": 0, "failed": [], "seconds": 1.5}
    assert json.loads(capsys.readouterr().out) == done
    monkeypatch.setattr(database_commands, "time", Ticking(0.75))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    import_into([tmp_path], tmp_path / "a.tengendb", as_json=False)
    said = capsys.readouterr()
    assert said.err == " 38%  3,000 games\n 75%  6,000 games\n100%  8,000 games\n"


@pytest.mark.parametrize("arguments", [
    ("find", "h8", "--in", "nothing.tengendb"), ("find", "h8", "--in", "text.tengendb"),
    ("import", "nothing", "--into", "a.tengendb"), ("import", "text.tengendb", "--into", "text.tengendb"),
])  # fmt: skip
def test_what_cannot_be_used_is_one_sentence(
    arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.tengendb").write_text("no database")
    status, out, err = run(capsys, *arguments)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert err.endswith(".\n")
    assert (tmp_path / "text.tengendb").read_text() == "no database"
