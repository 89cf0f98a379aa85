"""Drawings for pages and print are as they were, to the letter.

`python -m tests.ui.learn.test_golden_drawings` makes the files anew: look at them in a browser before you commit them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame
import pytest

from ai.explain.subject import Choice
from games.formats import svg
from games.formats.text import parse
from games.record import MARKS, Mark
from games.registry import setup
from tests.ui.learn.test_compare import ROWS
from tests.ui.learn.test_icicle import SUBJECTS, WIDE, both
from tests.ui.learn.test_lesson_facts import finished
from tests.ui.test_golden import FOLDER
from ui.learn.compare_charts import ChartPainter
from ui.learn.compare_state import plot
from ui.learn.icicle_plan import IcicleRows
from ui.learn.lesson_state import subject
from ui.learn.overview import draw_icicle
from ui.learn.search_export import tree_svg
from ui.learn.training_chart import training_svg
from ui.replay.review_course import draw_course
from ui.toolkit.canvas import SvgCanvas, page_theme


def board(game: str, moves: str, numbers: bool = False) -> str:
    """A board with a mark of each kind."""
    record = parse(moves, setup(game))
    record.cursor.marks = tuple(Mark(kind, cell, "A") for cell, kind in enumerate(MARKS))
    return svg.dumps(record, numbers=numbers).decode()


def tree(position: str, choice: Choice) -> str:
    return tree_svg(finished(subject(position), choice))


def icicles() -> str:
    """Minimax above alpha-beta, which is not shown to its end."""
    plans, canvas = both(SUBJECTS[0], "alphabeta"), SvgCanvas((WIDE, 300), page_theme())
    for place, (plan, trace) in enumerate(zip((plans.whole, plans.pruned), plans.traces, strict=True)):
        draw_icicle(canvas, 0, 150 * place, IcicleRows(plan, trace, 2 * len(trace) - 40 * place, WIDE), 14)
    return canvas.svg()


def chart() -> str:
    canvas = SvgCanvas((800, 540), page_theme())
    ChartPainter(canvas.theme, pygame.Rect(0, 0, 800, 540), plot(ROWS, 9)).draw(canvas)
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
    "tree_of_numbers": partial(tree, "numbers 3 12 8 | 2 4 6 | 14 5 2", Choice("alphabeta", 2)),
    "tree_of_workers": partial(tree, "numbers 3 12 8 | 2 4 6 | 14 5 2", Choice("brothers", 2)),
    "icicles": icicles,
    "chart": chart,
    "course": course,
    "training": partial(training_svg, "connect4"),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_as_it_was(name: str) -> None:
    assert DRAWINGS[name]() == (FOLDER / "drawings" / f"{name}.svg").read_text(encoding="utf-8")


def main() -> None:
    for name, draw in DRAWINGS.items():
        (FOLDER / "drawings" / f"{name}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
