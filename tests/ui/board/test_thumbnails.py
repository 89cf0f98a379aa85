"""Small pictures of games: what was set up is on them too. `python -m tests.ui.board.test_thumbnails` records the
picture of them all: look at it before you commit it."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pygame
import pytest

from games.formats import save
from games.formats.text import parse
from games.library.index import Entry, Index
from games.library.library import read_entry
from games.position import Stones
from games.record import GameRecord, Mark
from games.registry import setup
from tests.ui.test_golden import FOLDER, expect_alike
from ui.board.looks import LOOKS
from ui.board.pictures import Painter, Thumbnails, caption_picture
from ui.toolkit.theme import PALETTES, Theme

SIDE = 300  # pixels


def indexed(record: GameRecord, folder: Path) -> Entry:
    """What the library knows of `record`, after it was saved."""
    file = folder / "game.tengen.json"
    save(record, file)
    entry, _ = read_entry(file, (0, file.stat().st_size))
    index = Index()
    index.put([(entry, (), "")])
    number = index.find(str(file))
    assert number is not None
    (found,) = index.entries([number]).values()
    index.close()
    return found


def thumbnail(entry: Entry, side: int) -> pygame.Surface:
    thumbnails = Thumbnails(SimpleNamespace(theme=Theme(PALETTES["paper"], 1.0, "en"), size=(0, 0)))
    assert thumbnails.picture(entry, side) is None
    thumbnails.work()
    made = thumbnails.picture(entry, side)
    assert made is not None
    return made


@pytest.mark.parametrize("moves", ["h8h9g8", "a1b1a2", "o15o14n15", "h8a1a8"])
def test_the_stones_of_a_small_picture_could_not_be_made_out(tmp_path: Path, moves: str) -> None:
    """It showed the whole board; a small one shows where the stones are, and every one of them."""
    pygame.font.init()
    record = parse(moves)
    whole, small = (thumbnail(indexed(record, tmp_path), side) for side in (92, 44))
    shares = [(_flat(picture).max(axis=2) < 90).mean() for picture in (whole, small)]
    assert shares[1] > 2.5 * shares[0]


def test_a_small_picture_of_a_heap_says_how_many_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bones and its number were specks."""
    pygame.font.init()
    written: list[str] = []
    monkeypatch.setattr("ui.board.pictures.write", lambda _surface, _theme, text, *_, **__: written.append(text))
    record = GameRecord(setup("bones", 21))
    record.play(3)
    for side in (64, 63):
        thumbnail(indexed(record, tmp_path), side)
    assert written == ["18"]


def _flat(picture: pygame.Surface) -> npt.NDArray[np.uint8]:
    """Its pixels, on white."""
    ground = pygame.Surface(picture.get_size())
    ground.fill("white")
    ground.blit(picture, (0, 0))
    return pygame.surfarray.array3d(ground)


@pytest.mark.parametrize(("step", "frames"), [(1.0, 4), (0.001, 2), (0.0001, 1)])
def test_pictures_are_made_for_a_moment_a_frame(step: float, frames: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a millisecond and a half."""
    pygame.font.init()
    thumbnails, ticks = Thumbnails(SimpleNamespace(theme=Theme(PALETTES["paper"], 1.0, "en"), size=(0, 0))), count()
    monkeypatch.setattr("time.perf_counter", lambda: step * next(ticks))
    for moves in ("", "a1", "a2", "a3"):
        thumbnails.picture(SimpleNamespace(setup=setup("tictactoe"), stones=None, moves=moves), 40)
    assert [thumbnails.work() for _ in range(frames + 1)] == [True] * frames + [False]


def test_pictures_are_made_a_few_in_a_frame_and_those_out_of_sight_never(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.font.init()
    thumbnails = Thumbnails(SimpleNamespace(theme=Theme(PALETTES["paper"], 1.0, "en"), size=(0, 0)))
    entries = [SimpleNamespace(setup=setup("tictactoe"), stones=None, moves=moves) for moves in ("", "a1", "a2", "no")]
    ticks = iter(range(99))
    monkeypatch.setattr("time.perf_counter", lambda: float(next(ticks)))
    assert thumbnails.picture(SimpleNamespace(setup=None, stones=None, moves=""), 40) is None
    assert not thumbnails.busy
    seen = []
    for wanted in (entries, entries[:2], [], []):
        for entry in wanted:
            thumbnails.picture(entry, 40)
        seen.append((thumbnails.busy, thumbnails.work(), thumbnails.busy))
    assert seen == [(True, True, True), (True, True, True), (True, True, True), (True, True, False)]
    made = [thumbnails.picture(entry, 40) for entry in entries]
    assert [picture and picture.get_size() for picture in made] == [(40, 40)] * 4
    assert made[0] is thumbnails.picture(entries[0], 40)
    empty = [SimpleNamespace(setup=setup("tictactoe"), stones=None, moves=f"no {number}") for number in range(6)]
    for entry in (*empty[:3], empty[1], *empty[3:]):  # of 16 megabytes; there is room for two
        thumbnails.picture(entry, 2048)
        thumbnails.work()
    assert [thumbnails.picture(each, 2048) is not None for each in empty] == [False] * 4 + [True] * 2
    assert thumbnails.picture(entries[0], 40) is None


SHEET = FOLDER / "small_pictures.png"


def sheet() -> pygame.Surface:
    """The badges of all sides, captions, and thumbnails of all games, in several sizes; and a picture for a file."""
    pygame.font.init()
    surface, theme = pygame.Surface((750, 208), 0, 32), Theme(PALETTES["ink"], 1.25, "en")
    surface.fill(theme.palette.panel)
    for column, look in enumerate(LOOKS.values()):
        for row, (wide, high) in enumerate(((13, 15), (26, 20), (40, 44))):
            for side in (0, 1):
                rect = pygame.Rect(8 + 96 * column + 46 * side, (4, 22, 44)[row], wide, high)
                look.badge(surface, theme, rect, side)
    for number, (text, side) in enumerate((("7", 20), ("18", 50), ("123", 50), ("A longer text", 60))):
        surface.blit(caption_picture(theme, text, side), (8 + 66 * number, 94))
    thumbnails = Thumbnails(SimpleNamespace(theme=theme, size=(0, 0)))
    few, rack, heap = Stones(((112, 113), (97,)), 1), Stones(((38, 31), (36,)), 1), Stones(((), ()), 1)
    games = [("gomoku", "h8h9g8", 15, None), ("gomoku", "a1b1h9", 9, None), ("gomoku", "", 15, None),
             ("connect4", "dde", None, None), ("bones", "3 1", 21, None), ("gomoku", "b3", 15, None),
             ("gomoku", "d4e5", 7, None), ("gomoku", "a1", 15, few), ("connect4", "d", None, rack),
             ("bones", "3", 9, heap)]  # fmt: skip
    left = 4
    for game, moves, size, stones in games:
        for side in (26, 40):
            entry = SimpleNamespace(setup=setup(game, size), stones=stones, moves=moves)
            thumbnails.picture(entry, side)
            thumbnails.work()
            picture = thumbnails.picture(entry, side)
            assert picture is not None
            surface.blit(picture, (left, 162))
            left += side + 4
    painter = Painter("gomoku", 160, PALETTES["paper"], numbers=True, coordinates=True)
    record = parse("e5d4", setup("gomoku", 9))
    record.cursor.marks = (Mark("square", 0),)
    surface.blit(pygame.image.frombytes(painter.paint(record.cursor), painter.size, "RGB"), (380, 0))
    return surface


def test_small_pictures_and_badges_look_as_they_did(tmp_path: Path) -> None:
    expect_alike(sheet(), SHEET, tmp_path, "tests.ui.board.test_thumbnails")


if __name__ == "__main__":
    pygame.image.save(sheet(), SHEET)
