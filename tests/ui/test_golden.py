"""Boards look as they did: each is drawn and compared with a picture that a person has looked at.

Pictures are compared block by block, so that another version of SDL or of a font makes no difference, but a mark that
is missing, a stone of another colour or wood of another shade does. Where the version of SDL is the one that made them
(`MADE_BY`) they are compared pixel by pixel, so that a line that moved by a pixel is seen. `python -m
tests.ui.test_golden` makes the pictures anew: look at them before you commit them.
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pygame
import pytest

from games.formats.text import parse
from games.position import Position
from games.record import MARKS, Mark, moves_to
from games.registry import GAMES, setup
from ui.board.looks import board_view
from ui.board.plain import PlainView
from ui.board.tiles import TilesView
from ui.board.view import BoardView, Candidate, Frame, Marks, Threat
from ui.toolkit.resources import resource
from ui.toolkit.theme import PALETTES

FOLDER = Path(__file__).parent.parent / "data" / "golden"
SIDE = 320
_BLOCK = 8  # pixels
_MEAN, _WORST = 1.5, 26.0  # of 255: what may differ on average, and in one block
_ROUNDING = 3  # of 255: what other instructions of a processor may change in one pixel
MADE_BY = ("linux", "2.5.8", (2, 32, 10))
"""Platform, and versions of pygame-ce and of SDL, with which the pictures were made."""

Blocks = npt.NDArray[np.float64]

@dataclass(frozen=True)
class Case:
    """A game after `moves`, with marks whose moves are written as people write them. The picture is a square of `side`
    pixels, with the board inside of `rect`, by default all of it; with `age`, as many seconds after the last move."""

    game: str
    size: int | None = None
    moves: str = ""
    rule: str | None = None
    hover: str = ""
    cursor: str = ""
    hint: str = ""
    forbidden: str = ""
    candidates: tuple[tuple[str, str, float], ...] = ()
    line: tuple[str, ...] = ()
    threats: tuple[tuple[str, int, str], ...] = ()
    drawn: tuple[str, ...] = ()
    label: str = "A"
    wrong: str = ""
    sign: str = "?"
    more: tuple[str, ...] = ("coordinates",)
    view: Callable[[], BoardView] | None = None  # instead of the game's own
    row: tuple[str, ...] = ()
    decided: str = ""
    allowed: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    age: float | None = None
    side: int = SIDE
    rect: tuple[int, int, int, int] | None = None
    material: tuple[str, str] = ("kaya", "shell")

    def marks(self, position: Position) -> Marks:
        def move(text: str) -> int | None:
            return position.parse_move(text) if text else None

        def moves(*texts: str) -> tuple[int, ...]:
            return tuple(position.parse_move(text) for text in texts if text)

        return Marks(
            move(self.hover),
            move(self.cursor),
            moves(self.hint),
            forbidden=moves(self.forbidden),
            candidates=tuple(Candidate(position.parse_move(text), *rest) for text, *rest in self.candidates),
            line=moves(*self.line),
            row=moves(*self.row),
            decided=move(self.decided),
            allowed=frozenset(moves(*self.allowed)) if self.allowed else None,
            offers=moves(*self.offers),
            threats=tuple(Threat(position.parse_move(text), *rest) for text, *rest in self.threats),
            drawn=tuple(Mark(MARKS[n % 6], position.parse_move(text), self.label) for n, text in enumerate(self.drawn)),
            wrong=move(self.wrong),
            sign=self.sign,
            **{name: name in self.more for name in ("numbers", "coordinates")},
        )


BOARDS = {
    "gomoku": Case("gomoku", 15, "h8i9g7i7i8g8j8h6k8l8", hover="j9", hint="f6"),
    "gomoku_numbers": Case("gomoku", 9, "e5d4f5d6d5c5", cursor="f6", more=("numbers",)),
    "gomoku_won": Case("gomoku", 15, "h8h9i8i9j8j9k8k9l8"),
    "gomoku_advice": Case(
        "gomoku", 9, "e5f6d4", candidates=(("c3", "+1.2", 1.0), ("f5", "0.0", 0.5), ("h8", "−9.5", 0.0))
    ),
    "gomoku_threats": Case(
        "gomoku", 9, "e5f6d4",
        threats=(("c3", 0, "open_four"), ("f5", 1, "open_three"), ("h8", 0, "four"), ("h8", 1, "five"),
                 ("e5", 1, "five")),
    ),
    "gomoku_drawn": Case(
        "gomoku", 9, "e5f6d4f5g7", wrong="g7", sign="??", label="Note",
        drawn=("b2", "c2", "d2", "e2", "f2", "g2", "e5", "f6", "d4", "f5", "g7"),
    ),
    "gomoku_line": Case("gomoku", 9, "e5f6d4", line=("c3", "f3", "d5", "e4", "d3")),
    "renju_forbidden": Case("gomoku", 9, "e5a1e4a3f6a5g6", "renju", forbidden="e6"),
    "tictactoe": Case("tictactoe", None, "b2a1c1", hint="a3", hover="c3"),
    "tictactoe_won": Case("tictactoe", None, "b2a1c1c2a3"),
    "tictactoe_drawn": Case("tictactoe", None, "b2a1c1", drawn=("a1", "b1", "c1", "a2", "b2", "c2"), wrong="c1"),
    "tictactoe_numbers": Case("tictactoe", None, "b2a1c1", cursor="a3", more=("numbers",)),
    "tictactoe_advice": Case(
        "tictactoe", None, "b2a1", candidates=(("c1", "+1", 1.0), ("a3", "0", 0.5), ("c3", "−1", 0.0)),
        threats=(("c3", 0, "five"), ("b1", 1, "five")), line=("c1", "a3", "c3"),
    ),
    "connect4_drawn": Case("connect4", None, "ddcebdgggggg", drawn=("a", "b", "c", "g", "e", "f"), wrong="d"),
    "connect4_numbers": Case("connect4", None, "ddcebd", cursor="a", more=("numbers",)),
    "connect4": Case(
        "connect4", None, "ddcebd", hover="e", hint="c", candidates=(("a", "−1.2", 0.1), ("d", "+0.4", 1.0)),
    ),
    "connect4_line": Case("connect4", None, "ddcebd", line=("d", "c", "c", "e"), cursor="c", more=("numbers",)),
    "connect4_won": Case("connect4", None, "dededcd"),
    "plain": Case(
        "gomoku", 9, "e5d4f5d6d5c5", view=partial(PlainView, GAMES["gomoku"]), hover="g7", hint="a9",
        candidates=(("h8", "+1.2", 1.0),), drawn=("b2", "c2", "d2", "e2", "f2", "g2"), wrong="c5",
    ),
    "tiles": Case(
        "gomoku", 5, "c3b2", view=TilesView, hover="d4", candidates=(("a3", "+1.2", 1.0), ("e5", "−1", 0.0)),
    ),
    "bones": Case("bones", 21, "3 2", hover="2", candidates=(("1", "+123.5", 1.0), ("3", "−9", 0.1))),
    "bones_full": Case("bones", 60, hint="1"),
}
AT = (23, 11, 200, 181)
"""Where the boards below are: not in the corner, not square, and with lines and letters of other widths."""
WIDE = (3, 9, 235, 230)
BOARDS |= {
    "gomoku_opening": Case(
        "gomoku", 9, "e5d4f5", allowed=("d6", "e6", "f6", "g6"), offers=("d6", "f6"), hover="e6", cursor="a1", rect=AT,
        side=240, material=("maple", "yunzi"),
    ),
    "gomoku_refuted": Case(
        "gomoku", 9, "e5d4f5d6d5c5", line=("g5", "h5"), decided="f3", wrong="b8", drawn=("a9", "e5", "g5", "c5"),
        side=240, rect=AT, material=("cherry", "plain"),
    ),
    "gomoku_row": Case(
        "gomoku", 9, "e5d4f5d6g5c5", line=("h5", "a1", "d5"), row=("d5", "e5", "f5", "g5", "h5"), side=240, rect=AT,
        more=("numbers",),
    ),
    "gomoku_dense": Case(
        "gomoku", 20, "k10l11m10l9", hint="k13", cursor="n10", candidates=(("m13", "+1", 0.7),), side=144,
        threats=(("h8", 0, "four_three"), ("h12", 1, "double_three")), rect=(8, 3, 124, 130),
    ),
    "gomoku_large": Case("gomoku", 20, "k10l11m10l9", wrong="m10", hover="n13", more=("numbers", "coordinates")),
    "gomoku_landing_won": Case("gomoku", 5, "c3b2", age=0.11, side=240, rect=AT),
    "gomoku_falling_won": Case("gomoku", 9, "e5d4f5d6d5c5", age=0.04, side=240, rect=AT),
    "gomoku_glowing_won": Case("gomoku", 9, "e5d4f5d6g5c5h5d5i5", age=0.3, side=240, rect=AT),
    "gomoku_numbers_won": Case("gomoku", 9, "e5d4f5d6g5c5h5d5d9e1i5", more=("numbers",), side=240, rect=AT, age=0.7),
    "tictactoe_x_won": Case("tictactoe", None, "b2a1c1", age=0.06, side=240, rect=AT),
    "tictactoe_begun_won": Case("tictactoe", None, "b2", age=0.02, side=240, rect=AT),
    "tictactoe_back_won": Case("tictactoe", None, "a1a2b2b1c3", age=0.28, side=240, rect=AT),
    "tictactoe_o_won": Case("tictactoe", None, "b2a1c1c2", age=0.05, side=240, rect=AT),
    "tictactoe_struck_won": Case("tictactoe", None, "b2a1c1c2a3", age=0.3, side=240, rect=AT),
    "tictactoe_column_won": Case("tictactoe", None, "b2a1b1c2b3", age=0.25, side=240, rect=AT),
    "tictactoe_across_won": Case("tictactoe", None, "c1a2b1b2b3c2", age=1.2, side=240, rect=AT),
    "tictactoe_two_rows": Case(
        "tictactoe", None, "a1b1c1a2a3c2c3b3", line=("b2",), row=("a1", "b2", "c3"), wrong="b3", side=240, rect=AT,
    ),
    "tictactoe_marked": Case(
        "tictactoe", None, "b2a1", forbidden="a2", hover="c1", cursor="c3", side=112, rect=(2, 5, 108, 101)
    ),
    "tictactoe_candidates": Case(
        "tictactoe", None, "b2a1", candidates=(("c3", "+99.5", 1.0), ("a3", "0", 0.5), ("c1", "−9", 0.0)),
        side=240, rect=AT,
    ),
    "connect4_falling_won": Case("connect4", None, "ddcebd", age=0.12, side=240, rect=AT),
    "connect4_bouncing_won": Case("connect4", None, "ddcebe", age=0.28, side=240, rect=AT),
    "connect4_glowing_won": Case("connect4", None, "dededcd", age=0.6, side=240, rect=AT),
    "connect4_row": Case(
        "connect4", None, "dceddbd", line=("a",), row=("d", "e"), forbidden="g", hint="f", cursor="b", wrong="c",
        side=120, rect=(4, 9, 112, 100),
    ),
    "bones_sliding_won": Case("bones", 21, "3 2 1 3", age=0.16, side=240, rect=AT),
    "bones_marked": Case(
        "bones", 15, "2 1 1 1 1 1 1 1 1 1", hint="3", cursor="2", wrong="1", drawn=("1",), forbidden="3", side=240,
        candidates=(("2", "+12", 0.6), ("3", "−9", 0.1)), more=("numbers",), rect=AT,
    ),
    "bones_line": Case(
        "bones", 15, "2", line=("3", "1", "2", *"1111111"), cursor="1", hint="2", side=240, rect=(23, 11, 200, 173)
    ),
    "bones_few": Case("bones", 3, "1", side=240, rect=AT, candidates=(("1", "+9", 0.5),), wrong="2"),
    "bones_small": Case("bones", 33, "3", hover="3", side=112, rect=(3, 7, 104, 99), cursor="1"),
    "plain_won": Case(
        "gomoku", 9, "e5d4f5d6g5c5h5d5d9e1i5", view=partial(PlainView, GAMES["gomoku"]), side=240,
        rect=(11, 23, 181, 200), cursor="i9",
    ),
    "plain_arriving_won": Case(
        "gomoku", 9, "e5d4f5", view=partial(PlainView, GAMES["gomoku"]), side=240, rect=AT, age=0.03
    ),
    "plain_first_cell": Case(
        "gomoku", 9, "e5d4a9", cursor="i9", wrong="a9", view=partial(PlainView, GAMES["gomoku"]), side=112,
        rect=(2, 5, 108, 101),
    ),
    "plain_three": Case("tictactoe", None, "b2a1", hover="c3", view=partial(PlainView, GAMES["tictactoe"])),
    "plain_line": Case(
        "gomoku", 9, "e5d4f5", line=("c3", "c4", "c7"), forbidden="g7", drawn=("e5", "d4", "a1"), hover="c3",
        candidates=(("c4", "0", 0.2), ("h2", "−1", 0.2)), view=partial(PlainView, GAMES["gomoku"]), side=240, rect=WIDE,
        more=("numbers", "coordinates"),
    ),
    "tiles_marked": Case(
        "tictactoe", None, "b2a1c1", view=TilesView, hint="a3", wrong="c3", cursor="b3", line=("a2", "c2"),
        candidates=(("c2", "+1", 0.5),), drawn=("a2", "b1"), hover="c2", age=0.05,
    ),
}  # fmt: skip
CASES = [(name, "ink") for name in BOARDS]
# The wood is the same in either theme.
CASES += [(name, "paper") for name in ("gomoku", "tictactoe", "tictactoe_won", "connect4", "bones", "bones_full")]


@pytest.fixture(autouse=True, scope="module")
def _fonts() -> Iterator[None]:
    pygame.font.init()
    yield
    _font.cache_clear()  # they die with the font module, which other tests end


@cache
def _font(height: int, bold: bool) -> pygame.font.Font:
    return pygame.font.Font(resource("fonts", f"Tengen-{'Bold' if bold else 'Regular'}.otf"), height)


def drawn(name: str, palette: str, marked: bool = True) -> pygame.Surface:
    case, colours = BOARDS[name], PALETTES[palette]
    record = parse(case.moves, setup(case.game, case.size, case.rule))
    view, surface = (case.view or partial(board_view, case.game))(), pygame.Surface((case.side, case.side), 0, 32)
    surface.fill(colours.background)
    rect, moving = pygame.Rect(case.rect or surface.get_rect()), case.age is not None
    view.place(Frame(rect, case.side / 400, colours, _font, moving, *case.material))
    for node in record.line()[-2:]:
        view.show(node.position, moves_to(node), 10.0)
    coordinates = Marks(coordinates="coordinates" in case.more)
    view.draw(surface, case.marks(record.position) if marked else coordinates, 10.0 + (case.age or 90.0))
    return surface


def blocks(surface: pygame.Surface, side: int) -> Blocks:
    """The mean colour of each block of pixels."""
    pixels = pygame.surfarray.array3d(surface).astype(np.float64)
    columns, rows = surface.get_width() // side, surface.get_height() // side
    means: Blocks = pixels.reshape(columns, side, rows, side, 3).mean(axis=(1, 3))
    return means


def alike(one: pygame.Surface, other: pygame.Surface, block: int = _BLOCK) -> bool:
    if one.get_size() != other.get_size():
        return False
    if (sys.platform, pygame.version.ver, pygame.version.SDL) == MADE_BY:
        return bool(np.abs(blocks(one, 1) - blocks(other, 1)).max() <= _ROUNDING)
    difference = np.abs(blocks(one, block) - blocks(other, block))
    return bool(difference.mean() <= _MEAN and difference.max() <= _WORST)


def expect_alike(surface: pygame.Surface, kept: Path, folder: Path, module: str, block: int = _BLOCK) -> None:
    """Fail unless `surface` looks as the picture `kept`, which `module` records; then save it in `folder`."""
    known = kept.is_file()
    if known and alike(surface, pygame.image.load(kept), block):
        return
    found = folder / f"{kept.stem}.png"
    pygame.image.save(surface, found)
    said = f"It looks different: compare {kept} with {found}" if known else f"There is no {kept} yet: look at {found}"
    pytest.fail(f"{said}. If it is meant to look so, run python -m {module}")


def golden(name: str, palette: str) -> Path:
    return FOLDER / f"{name}_{palette}.png"


@pytest.mark.parametrize(("name", "palette"), CASES)
def test_a_board_looks_as_it_did(name: str, palette: str, tmp_path: Path) -> None:
    expect_alike(drawn(name, palette), golden(name, palette), tmp_path, "tests.ui.test_golden")


def test_a_picture_that_was_not_recorded_was_no_more_than_a_missing_file(tmp_path: Path) -> None:
    missing = tmp_path / "new.webp"
    with pytest.raises(pytest.fail.Exception, match=r"no .*new\.webp yet.* run python -m tests\.ui\.test_golden$"):
        expect_alike(drawn("bones", "ink"), missing, tmp_path, "tests.ui.test_golden")
    assert (tmp_path / "new.png").is_file()


@pytest.mark.slow
def test_pictures_that_differ_are_told_apart() -> None:
    pictures = [pygame.image.load(golden(*case)) for case in CASES if case != ("gomoku", "paper")]
    for one, other in combinations(pictures, 2):
        assert not alike(one, other)


@pytest.mark.parametrize("name", [name for name in BOARDS if not name.endswith("_won")])
def test_a_mark_that_is_missing_is_seen(name: str) -> None:
    assert not alike(drawn(name, "ink", marked=False), pygame.image.load(golden(name, "ink")))


def main() -> None:
    pygame.font.init()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, palette in CASES:
        pygame.image.save(drawn(name, palette), golden(name, palette))


if __name__ == "__main__":
    main()
