"""Games as pictures: all games, finished or set up; times, sizes, and what is refused."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageSequence

from games.formats import load, svg, tengen
from games.formats.text import parse
from games.position import Stones
from games.record import PERSON, GameRecord, Mark, Seat
from games.registry import GAMES, setup
from tests.sampling import sampled
from tests.test_cli import run, sentence
from ui.board.pictures import KINDS, Picture, animation, kinds, still_picture
from ui.words.games import level_name


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)


def finished(game: str, most: int = 1000, seed: int = 1) -> GameRecord:
    """A game of moves chosen at random, to its end or of `most` moves."""
    record, chance = GameRecord(setup(game)), random.Random(seed)
    while record.outcome is None and record.position.ply < most:
        record.play(chance.choice(list(record.position.legal_moves())))
    return record


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def frames(picture: Image.Image) -> list[tuple[int, Image.Image]]:
    """The time of each frame in milliseconds, and what is seen then."""
    seen = ((frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(picture))
    return [(int(duration), frame) for frame, duration in seen]


def difference(one: Image.Image, other: Image.Image) -> float:
    """Mean difference of a channel, of 255."""
    histogram = ImageChops.difference(one, other).histogram()
    return sum((index % 256) * count for index, count in enumerate(histogram)) / (one.width * one.height * 3)


@pytest.mark.parametrize("game", sampled(list(GAMES), 1))
def test_an_animation_shows_every_position_and_holds_the_last(game: str) -> None:
    record, (delay, held) = finished(game, 12), (1000, 4000) if game == "bones" else (100, 2500)
    for kind in (".gif", ".webp"):
        made = opened(animation(record, record.line(), Picture(kind, width=200, delay=delay)))
        shown = frames(made)
        assert made.size == (200, 200)
        assert [time for time, _ in shown] == [delay] * (len(record.line()) - 1) + [held]
        assert made.info["loop"] == 0
        pictures = [still_picture(record, node, Picture(".png", width=200)) for node in record.line()]
        stills = [opened(each).convert("RGB") for each in pictures]
        for ply, (_, seen) in enumerate(shown):
            nearest = min(range(len(stills)), key=lambda other: difference(seen, stills[other]))
            assert nearest == ply
            assert difference(seen, stills[ply]) < 6


def test_numbers_change_a_picture_and_the_cursor_decides_what_is_shown() -> None:
    record = finished("gomoku", 10)
    looks = (Picture(".png", numbers=numbers) for numbers in (False, True))
    plain, numbered = (still_picture(record, record.cursor, each) for each in looks)
    record.undo()
    assert len({plain, numbered, still_picture(record, record.cursor, Picture(".png"))}) == 3


@pytest.mark.slow
def test_an_animated_game_of_60_moves_is_small() -> None:
    record = finished("gomoku", 60)
    assert record.position.ply == 60
    for kind in (".gif", ".webp"):
        assert len(animation(record, record.line(), Picture(kind, numbers=True))) < 400_000


def test_connect_four_numbers_discs_where_they_lie() -> None:
    record = GameRecord(setup("connect4"))
    for move in (0, 0, 1):
        record.play(move)
    drawn = ElementTree.fromstring(still_picture(record, record.cursor, Picture(".svg", numbers=True)))
    numbers = [one for one in drawn.iter("{http://www.w3.org/2000/svg}text") if (one.text or "").isdigit()]
    assert {(one.text, one.get("x"), float(one.get("y", 0)) // 32) for one in numbers} == {
        ("1", "40", 6.0), ("2", "40", 5.0), ("3", "72", 6.0),
    }  # fmt: skip


def test_a_mark_of_connect_four_is_drawn_where_a_disc_would_come_to_lie() -> None:
    """It was drawn in the top row."""
    record = GameRecord(setup("connect4"), stones=Stones(((35,), ()), turn=1))
    record.cursor.marks = (Mark("circle", 0),)
    drawn = ElementTree.fromstring(still_picture(record, record.cursor, Picture(".svg")))
    (mark,) = (one for one in drawn.iter("{http://www.w3.org/2000/svg}circle") if one.get("r") == "8")
    assert (mark.get("cx"), mark.get("cy")) == ("40", str(40 + 4 * 32))


def test_a_game_without_drawings_has_the_other_kinds_of_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kinds(finished("bones")) == (".png", ".gif", ".webp", ".svg")
    monkeypatch.setattr(svg, "has_pictures", lambda _position: False)
    assert kinds(finished("bones")) == (".png", ".gif", ".webp")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_convert_draws_every_game(game: str, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    record = finished(game, 6)
    if kind not in kinds(record):
        pytest.skip("there are none")
    Path("game.tengen.json").write_bytes(tengen.dumps(record))
    assert run("convert", "game.tengen.json", f"out{kind}", "--numbers", "--width", "150", "--at", "3") == 0
    assert capsys.readouterr() == ("", "")
    if kind == ".svg":
        assert Path("out.svg").read_text().startswith("<svg ")
        return
    with Image.open(f"out{kind}") as made:
        assert made.size == (150, 150)
        assert getattr(made, "n_frames", 1) == (1 if kind == ".png" else 4), "the start and three moves"


def test_convert_holds_each_move_for_the_delay() -> None:
    assert run("convert", "h8i9", "out.gif", "--delay", "300") == 0
    with Image.open("out.gif") as made:
        assert made.size == (480, 480)
        assert [time for time, _ in frames(made)] == [300, 300, 2500]


def test_an_animation_of_the_whole_game_showed_the_variation_at_the_cursor() -> None:
    record = parse("b2a1c3", setup("tictactoe"))
    start, first, *_ = record.line()
    record.go_to(first)
    record.play(1)  # a variation of the second move, which was looked at last
    for cursor in (start, first, record.cursor):
        record.cursor = cursor
        Path("game.tengen.json").write_bytes(tengen.dumps(record))
        assert run("convert", "game.tengen.json", "out.gif") == 0
        with Image.open("out.gif") as made:
            assert getattr(made, "n_frames", 1) == 4


@pytest.mark.parametrize("ending", [".sgf", ".psq"])
def test_a_file_of_another_kind_has_names_that_a_person_reads(ending: str) -> None:
    record = parse("h8i9", setup("gomoku"))
    record.seats = Seat(PERSON), Seat("level:2")
    Path("game.tengen.json").write_bytes(tengen.dumps(record))
    assert run("convert", "game.tengen.json", f"out{ending}") == 0
    data = Path(f"out{ending}").read_text()
    assert "level:2" not in data
    assert level_name("gomoku", 2) in data
    assert load(Path("game.tengen.json")).seats[1] == Seat("level:2"), "ours keeps the player"


@pytest.mark.parametrize(
    "arguments",
    ["out.png --width 100", "out.png --width 4001", "out.gif --width 1201", "out.png --delay 100",
     "out.svg --delay 100", "out.gif --delay 10", "out.webp --delay 60001", "out.gif --delay 0", "out.sgf --width 200",
     "out.txt --delay 50"],
)  # fmt: skip
def test_what_no_picture_can_be_is_refused(arguments: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run("convert", "h8", *arguments.split()) == 2
    assert capsys.readouterr().out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "name", "most", "least"),
    [(".png", "width", 4000, 120), (".svg", "width", 4000, 120), (".gif", "width", 1200, 120),
     (".webp", "delay", 60_000, 20)],
)  # fmt: skip
def test_a_picture_has_any_size_and_time_within_the_limits(kind: str, name: str, most: int, least: int) -> None:
    for value, right in ((least, True), (most, True), (least - 1, False), (most + 1, False)):
        with nullcontext() if right else pytest.raises(ValueError, match=str(value)):
            Picture(kind, **{name: value})  # type: ignore[arg-type]
    plain, moving = Picture(".png"), Picture(".gif")
    assert (plain.animated, moving.animated, moving.milliseconds) == (False, True, 800)
    assert [each.painter(GameRecord(setup("tictactoe"))).size for each in (plain, moving)] == [(720,) * 2, (480,) * 2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_that_cannot_be_written_is_a_sentence(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").write_text("")
    assert run("convert", "h8", f"file/out{kind}") == 1
    assert "cannot be written" in sentence(capsys)


@pytest.mark.slow
def test_pillow_is_imported_for_pictures_only() -> None:
    root = Path(__file__).parents[3]
    code = "import sys, ui.app, ui.board.pictures, main; print([m for m in sys.modules if m.startswith('PIL')])"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")
