"""Boards as SVG: well-formed, with every stone, and with texts escaped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from games.drawing import RED
from games.formats import FormatError, svg
from games.formats.svg import Shown, diagram, has_pictures
from games.formats.text import parse
from games.record import MARKS, GameRecord, Mark
from games.registry import GAMES, setup
from tests.games.sowing import SOWING, SowingPosition
from tests.ui.newcomer.othello import OTHELLO

SVG = "{http://www.w3.org/2000/svg}"


def drawn(record: GameRecord, numbers: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(svg.dumps(record, numbers=numbers))


def texts(picture: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in picture.iter(f"{SVG}text")]


def test_the_last_move_is_marked_or_all_are_numbered() -> None:
    record = parse("h8i9a1")
    assert texts(drawn(record, numbers=True))[30:] == ["2", "1", "3"]
    assert svg.dumps(record) == svg.dumps(record, numbers=False)
    assert [RED in svg.dumps(record, numbers=numbers).decode() for numbers in (False, True)] == [True, False]


def test_a_control_character_in_a_label_made_a_file_that_nothing_could_open() -> None:
    record = parse("h8")
    labels = ("\0\x01a\x1b\ufffe\ud800", "\x01", "<script>&")
    record.cursor.marks = tuple(Mark("label", point, label) for point, label in enumerate(labels))
    assert texts(drawn(record))[-3:] == ["a", "", "<script>&"]


def test_discs_that_a_line_turns_over_have_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "othello", OTHELLO)
    of = setup("othello")
    start = of.start()
    picture = ElementTree.fromstring(diagram(of, start, Shown(line=(start.legal_moves()[0],))))
    assert len(list(picture.iter(f"{SVG}g"))) == 2
    assert [text for text in texts(picture) if text.isdecimal()][8:] == ["1"]


@pytest.mark.parametrize(("moves", "game"), [("h8", "gomoku"), ("b2", "tictactoe"), ("d", "connect4")])
def test_the_cross_through_a_mistake_covered_the_number_of_the_line_that_comes_to_it(moves: str, game: str) -> None:
    record = parse(moves, setup(game))
    shown = Shown(wrong=0, line=(1, 2, 0))
    words = list(ElementTree.fromstring(diagram(record.setup, record.position, shown)).iter(f"{SVG}text"))[-4:]
    assert [word.text for word in words] == ["1", "2", "3", "?"]
    (x, y), (right, down) = ([float(word.get(axis, 0)) for axis in "xy"] for word in words[-2:])
    assert abs(x - right) > 10 or abs(y - down) > 10


def test_a_heap_shows_what_is_left_and_what_was_taken() -> None:
    picture = drawn(parse("3 2", setup("bones", 21)))
    bones = [one.get("fill") for one in picture.iter(f"{SVG}rect")][1:]
    assert (len(bones), bones.count("none")) == (21, 5)
    assert texts(picture) == texts(drawn(parse("3 2", setup("bones", 21)), numbers=True)) == ["16"]
    one, more = (diagram(setup("bones"), setup("bones").start(), Shown(line=line)) for line in ((2,), (2, 3)))
    assert one == more
    advised = ElementTree.fromstring(diagram(setup("bones", 9), setup("bones", 9).start().play(1), Shown(line=(2, 3))))
    reds = [number for number, bone in enumerate(list(advised.iter(f"{SVG}rect"))[1:]) if bone.get("fill") == RED]
    assert reds == [6, 7]


def test_a_game_without_pictures_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "sowing", SOWING)
    assert not has_pictures(SowingPosition())
    with pytest.raises(FormatError, match="no SVG pictures"):
        diagram(setup("sowing"), SowingPosition())
    with pytest.raises(FormatError, match="no SVG pictures"):
        svg.dumps(GameRecord(setup("sowing")), numbers=True)


def test_a_line_in_which_columns_fill_up_is_drawn_as_it_would_fall() -> None:
    record = parse("dd", setup("connect4"))
    picture = ElementTree.fromstring(diagram(record.setup, record.position, Shown(line=(3, 3, 0))))
    assert texts(picture)[-3:] == ["1", "2", "3"]
    assert [one.get("cy") for one in picture.iter(f"{SVG}circle")][-3:] == ["136", "104", "200"]


RECORDED = Path(__file__).parents[1] / "data" / "svg"


def marked() -> str:
    record = parse("e5d6f4", setup("gomoku", 9))
    marks = tuple(Mark(kind, cell, "A") for cell, kind in enumerate(MARKS))
    return diagram(record.setup, record.position, Shown(last=record.cursor.move, wrong=60, line=(50, 51), marks=marks))


PICTURES: dict[str, Callable[[], str]] = {
    "gomoku": marked,
    "tictactoe": lambda: svg.dumps(parse("b2a1", setup("tictactoe")), numbers=True).decode(),
    "connect4": lambda: svg.dumps(parse("dde", setup("connect4")), numbers=True, wide=200).decode(),
    "bones": lambda: diagram(setup("bones", 9), parse("2", setup("bones", 9)).position, Shown(line=(3,))),
    "othello": lambda: diagram(setup("othello"), setup("othello").start()),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_drawn_as_they_were_recorded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m tests.games.test_svg` records them anew."""
    monkeypatch.setitem(GAMES, "othello", OTHELLO)
    assert PICTURES[name]() == (RECORDED / f"{name}.svg").read_text()


if __name__ == "__main__":
    GAMES["othello"] = OTHELLO
    for name, drawn_again in PICTURES.items():
        (RECORDED / f"{name}.svg").write_text(drawn_again())
