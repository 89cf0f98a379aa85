"""Drawings for pages and print are as they were, to the letter.

`python -m tests.ui.learn.test_golden_drawings` makes the files anew: look at them in a browser before you commit them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pygame
import pytest

from ai.explain.explorer import Explorer
from ai.explain.subject import Choice
from ai.search.comparison import SearchRow
from games.formats import svg
from games.formats.text import parse
from games.record import MARKS, Mark
from games.registry import setup
from tests.ui.learn.test_compare import ROWS
from tests.ui.learn.test_icicle import SUBJECTS, WIDE, both
from tests.ui.learn.test_lesson_facts import finished
from tests.ui.test_golden import FOLDER
from tests.waiting import wait
from ui.learn.compare_charts import ChartPainter
from ui.learn.compare_state import plot
from ui.learn.icicle_plan import IcicleRows
from ui.learn.lesson_state import Step, arrange, subject
from ui.learn.overview import draw_icicle
from ui.learn.search_export import tree_svg
from ui.learn.training_chart import training_svg
from ui.learn.tree_painter import COLUMN, TreePainter
from ui.learn.tree_plan import plan
from ui.replay.review_course import draw_course
from ui.toolkit.camera import Camera
from ui.toolkit.canvas import SvgCanvas, page_theme

NUMBERS = "numbers 3 12 8 | 2 4 6 | 14 5 2"
DEEP = "numbers ((5 3) (8 6)) ((4 2) (13 15))"
SEARCHED_AGAIN = "numbers ((5 3) (8 6)) ((4 2) (13 15)) ((9 11) (12 8))"
ROW_OF_13 = "numbers (9 8 7 6 5 4 3 2 10 11 12 13 14) (1 8 3 4 5) (12 13 15)"


def board(game: str, moves: str, numbers: bool = False) -> str:
    """A board with a mark of each kind."""
    record = parse(moves, setup(game))
    record.cursor.marks = tuple(Mark(kind, cell, "A") for cell, kind in enumerate(MARKS))
    return svg.dumps(record, numbers=numbers).decode()


def tree(position: str, choice: Choice) -> str:
    return tree_svg(finished(subject(position), choice))


def seen(
    position: str, choice: Choice, at: int | None = None, look: str = "", pointed: str = "",
    unfold: tuple[str, ...] = (), marks: tuple[str, ...] = (),
) -> Explorer:  # fmt: skip
    explorer = Explorer(subject(position), choice, lambda: None)
    wait(lambda: explorer.info, lambda: explorer.update(0.0))
    arrange(explorer, Step("", position, unfold=unfold, marks=marks))
    explorer.go(at)
    if look:
        explorer.look_at(explorer.find(look) or 0)
    explorer.pointed = explorer.find(pointed) if pointed else None
    return explorer


def sight(
    position: str, choice: Choice, zoom: float, stretch: float = 1.0, corner: tuple[int, int] = (0, 0), **what: Any
) -> str:
    return picture(seen(position, choice, **what), zoom, stretch, corner)


def picture(explorer: Explorer, zoom: float, stretch: float = 1.0, corner: tuple[int, int] = (0, 0)) -> str:
    """What the window shows of a tree from `corner` on; a board is the number of its node."""
    canvas, camera = SvgCanvas((640, 480), page_theme()), Camera(0.01, 3.0)
    camera.view, camera.zoom, camera.stretch = pygame.Rect(0, 0, 640, 480), zoom, stretch
    camera.x, camera.y = 60 - corner[0], 8 - corner[1]
    painter = TreePainter(explorer, camera)
    painter.set_plan(canvas.theme, plan(explorer))
    painter.draw(canvas, lambda node, rect: canvas.text(str(node), rect, 12, align="centre"))
    painter.draw_levels(canvas, 6)
    return canvas.svg()


TEXTS = [
    (NUMBERS, Choice("alphabeta", 2), None, "c b", 1.0, range(28, 91)),
    ("bones:4", Choice("expect"), None, "", 1.2, range(28, 46)),
    ("connect4 d c d", Choice("quiescence", 1), None, "", 1.2, range(28, 60)),
    ("tictactoe a3 b3 c3", Choice("playouts"), 60, "", 1.2, [*range(28, 37), *range(76, 92)]),
]


def texts() -> Iterator[str]:
    """The texts of trees with their sizes, and where windows are, whenever they change as the columns get wider."""
    for position, choice, at, look, stretch, widths in TEXTS:
        explorer, before = seen(position, choice, at, look), list[str]()
        yield f"{choice.key} {position}"
        for width in widths:
            drawn = picture(explorer, width / COLUMN, stretch)
            found = re.findall(r'<text x="(.+?)" y="(.+?)"(?: font-size="(.+?)")?.*?>(.*?)</text>', drawn)
            shown = [f"{text} {size}" for _, _, size, text in found]
            if shown != before:
                places = [f"({x}, {y})" for x, y, _, text in found if "α" in text]
                yield f"    {width}: {', '.join(shown)} {' '.join(places)}".rstrip()
                before = shown


def icicles() -> str:
    """Minimax above alpha-beta, which is not shown to its end."""
    plans, canvas = both(SUBJECTS[0], "alphabeta"), SvgCanvas((WIDE, 300), page_theme())
    for place, (laid, trace) in enumerate(zip((plans.whole, plans.pruned), plans.traces, strict=True)):
        draw_icicle(canvas, 0, 150 * place, IcicleRows(laid, trace, 2 * len(trace) - 40 * place, WIDE), 14)
    return canvas.svg()


def chart() -> str:
    canvas = SvgCanvas((800, 540), page_theme())
    rows = [*ROWS, SearchRow("deepening", 2, 34, 0.5, -30, 4, before=8)]  # the only depth of this search
    ChartPainter(canvas.theme, pygame.Rect(0, 0, 800, 540), plot(rows, 9)).draw(canvas)
    return canvas.svg()


def course() -> str:
    """The win probabilities of a game, of which some are not known, with two mistakes."""
    canvas, plot = SvgCanvas((400, 120), page_theme()), pygame.Rect(0, 0, 400, 120)
    draw_course(canvas, plot, plot, (0.5, 0.6, 0.4, None, 0.7, 1.0), [(2, 0.4, "mistake"), (4, 0.7, "blunder")])
    return canvas.svg()


DRAWINGS: dict[str, Callable[[], str]] = {
    "gomoku": partial(board, "gomoku", "h8i9g7i7"),
    "gomoku_numbers": partial(board, "gomoku", "h8i9g7i7", numbers=True),
    "tictactoe": partial(board, "tictactoe", "b2a1c1", numbers=True),
    "connect4": partial(board, "connect4", "ddce"),
    "bones": partial(board, "bones", "3 2"),
    "tree": partial(tree, "tictactoe a3 b3 c3 a2 b2 c1", Choice("minimax")),
    "tree_of_numbers": partial(tree, NUMBERS, Choice("alphabeta", 2)),
    "tree_of_workers": partial(tree, NUMBERS, Choice("brothers", 2)),
    "sight_of_step": partial(
        sight, DEEP, Choice("alphabeta", 3), 0.9, at=9, pointed="a", marks=("a a", "a b")
    ),
    "sight_of_cuts": partial(sight, DEEP, Choice("alphabeta", 3), 0.75, 1.1, look="b a", pointed="b a", marks=("b",)),
    "sight_of_research": partial(sight, SEARCHED_AGAIN, Choice("pvs", 3), 0.58, 1.2, unfold=("b", "b*", "c*")),
    "sight_of_row": partial(sight, ROW_OF_13, Choice("alphabeta", 2), 0.5, at=8, marks=("a",)),
    "sight_of_large": partial(sight, NUMBERS, Choice("alphabeta", 2), 1.5, pointed="b", marks=("a",)),
    "sight_of_part": partial(sight, ROW_OF_13, Choice("alphabeta", 2), 1.0, corner=(620, 60), look="b"),
    "sight_of_sums": partial(sight, "tictactoe a3 b3", Choice("playouts"), 1.2, at=40),
    "sight_of_narrow_sums": partial(sight, "tictactoe a3 b3", Choice("playouts"), 0.65, 1.4, at=12),
    "sight_of_chances": partial(sight, "bones:4", Choice("expect"), 0.45, 1.5),
    "sight_of_means": partial(sight, NUMBERS, Choice("expect_random", 2), 0.6, 1.2),
    "sight_of_estimates": partial(sight, "connect4 d c d", Choice("quiescence", 2), 0.4, 1.2, look="d"),
    "sight_of_small_boards": partial(sight, "bones:5", Choice("ordering"), 0.23, 1.0, at=30),
    "sight_of_dots": partial(sight, "bones:5", Choice("ordering"), 0.05, pointed="1"),
    "sight_of_workers": partial(
        sight, "bones:6", Choice("brothers", None, False, 4), 26 / 60, unfold=("1 3", "2 2", "3")
    ),
    "sight_of_small_workers": partial(sight, NUMBERS, Choice("root_splitting", 2, False, 4), 0.4),
    "icicles": icicles,
    "chart": chart,
    "course": course,
    "training": partial(training_svg, "connect4"),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_as_it_was(name: str) -> None:
    assert DRAWINGS[name]() == (FOLDER / "drawings" / f"{name}.svg").read_text(encoding="utf-8")


def test_texts_of_a_tree_appear_and_shrink_as_they_did() -> None:
    assert list(texts()) == (FOLDER / "drawings" / "texts.txt").read_text(encoding="utf-8").splitlines()


def main() -> None:
    (FOLDER / "drawings" / "texts.txt").write_text("\n".join([*texts(), ""]), encoding="utf-8")
    for name, draw in DRAWINGS.items():
        (FOLDER / "drawings" / f"{name}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
