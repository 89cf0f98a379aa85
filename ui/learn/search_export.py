"""Writes a search tree to a file, as a picture of what is unfolded or as a film of the steps; and a lesson as an HTML
page."""

from __future__ import annotations

import copy
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pygame
from markupsafe import Markup

from ai.explain.explorer import Explorer
from games.formats.common import OnProgress
from games.formats.svg import Shown, has_pictures, sheet_of
from games.storage import saves_home, unused_path
from ui.board.pictures import Film, Thumbnails, film_bytes, png
from ui.learn.icicle_plan import Facts, IciclePlan, IcicleRows
from ui.learn.lesson_state import Course, Lesson, Step, arrange
from ui.learn.overview import icicle_svg
from ui.learn.search_words import choice_name, result_text, subject_name
from ui.learn.training_chart import training_svg
from ui.learn.tree_painter import COLUMN, LEVEL, ROW, DrawBoard, NodeBoards, TreePainter
from ui.learn.tree_plan import plan
from ui.parts.exports import ExportJob, write_file
from ui.toolkit.camera import Camera
from ui.toolkit.canvas import Canvas, SurfaceCanvas, SvgCanvas, page_theme
from ui.toolkit.i18n import language, t
from ui.toolkit.keys import Binding
from ui.toolkit.resources import render_template
from ui.toolkit.theme import Theme
from ui.window.host import Host
from ui.window.part import Part

# A lesson as one HTML page that needs nothing else: each step with its tree and the whole search at a glance, and the
# questions with their answers.


TEMPLATE = "lesson.html"

_LOOK = 0.02  # seconds
_WIDE = 1000  # pixels of a whole search


Draw = Callable[[Callable[[], str]], str]
"""Calls a function that needs fonts."""


def page(
    lesson: Lesson, on_progress: OnProgress = lambda _share: None, draw: Draw = lambda drawing: drawing()
) -> str:
    """Return a lesson as an HTML page. `on_progress` is called with the share that is done, and may raise to stop.
    `draw` calls a function that needs fonts."""
    steps = []
    for number, step in enumerate(lesson.steps):
        on_progress(number / len(lesson.steps))
        steps.append(_step_variables(step, on_progress, number / len(lesson.steps), draw))
    words = {"questions": t("lesson.questions"), "answer": t("lesson.show_answer")}
    words |= {"terms": t("reading.terms"), "references": t("reading.references")}
    context = {
        "lang": language(), "lesson": lesson, "steps": steps, "words": words,
    }  # fmt: skip
    return render_template(TEMPLATE, context)


def _step_variables(step: Step, on_progress: OnProgress, share: float, draw: Draw) -> dict[str, Any]:
    """Return the variables of one step for the template of the page. Wait for its search, reporting `share` meanwhile.
    """
    if step.chart:
        chart = draw(partial(training_svg, step.chart))
        return {"text": step.text, "tree": Markup(chart), "whole": "", "caption": ""}
    explorer = Explorer(step.subject, step.choice, lambda: None)
    try:
        while explorer.info is None:
            on_progress(share)
            explorer.update(0.0)
            time.sleep(_LOOK)
        arrange(explorer, step)
        caption = f"{choice_name(explorer.choice)}: {result_text(explorer)}"
        tree = Markup(draw(partial(tree_svg, explorer)))
        return {"text": step.text, "tree": tree, "whole": _icicle(explorer), "caption": caption}
    finally:
        explorer.close()


def _icicle(explorer: Explorer) -> Markup:
    """Return the whole search at a glance, as far as the step shows it."""
    trace = explorer.trace
    return Markup(icicle_svg(IcicleRows(IciclePlan(Facts.of(trace)), trace, explorer.node_step, _WIDE)))


PICTURES = (".svg", ".png")
KINDS = (*PICTURES, ".webp", ".gif")

_MARGIN = 16  # pixels
_WIDEST, _WIDEST_FILM = 3000, 1200
_MOST_FRAMES = 160
_DELAY = 350  # milliseconds


class SearchExport(Part):
    """The action that exports the tree of `explorer` to a file. The file's ending decides the format."""

    def __init__(self, host: Host, explorer: Explorer) -> None:
        self._host, self._explorer = host, explorer
        self.bindings = (Binding(("ctrl+e",), self._export, "search.export", menu="search.export"),)

    def _export(self) -> None:
        """Ask for a file, and write the tree to it."""
        name = f"{subject_name(self._explorer)} {choice_name(self._explorer.choice)}"
        proposal = unused_path(saves_home(), name, ".svg")
        kinds = KINDS if self._explorer.by_nodes else PICTURES
        title = t("search.export_choose" if self._explorer.by_nodes else "search.export_picture")
        self._host.choose_file(proposal, self._write, saving=True, kinds=kinds, title=title)

    def _write(self, file: Path) -> None:
        """Write the tree as SVG, or start the job that writes a picture or a film."""
        kind = file.suffix.lower()
        if kind == ".svg":
            write_file(self._host, file, tree_svg(self._explorer).encode())
        else:
            self._host.start_job(TreeExport(self._host, self._explorer, file))


class LessonExport(Part):
    """The action that writes the lesson of a course as an HTML page."""

    def __init__(self, host: Host, course: Course) -> None:
        self._host, self._course = host, course
        self.bindings = (Binding(("ctrl+p",), self._export, "lesson.export_page", menu="lesson.export_page"),)

    def _export(self) -> None:
        """Ask for a file, and write the lesson to it."""
        proposal = unused_path(saves_home(), self._course.lesson.title, ".html")
        title = t("lesson.export_choose")
        self._host.choose_file(proposal, self._write, saving=True, kinds=(".html",), title=title)

    def _write(self, file: Path) -> None:
        """Start the job that writes the page."""
        self._host.start_job(PageExport(self._host, self._course.lesson, file))


class PageExport(ExportJob[bytes]):
    """A job that writes the page of `lesson` to `file`."""

    def __init__(self, host: Host, lesson: Lesson, file: Path) -> None:
        super().__init__(host, file.name, partial(self._page, lesson), partial(write_file, host, file))

    def _page(self, lesson: Lesson, on_progress: OnProgress) -> bytes:
        """Return the contents of the file, on the thread of the job."""
        return page(lesson, on_progress, self.paint_and_wait).encode()


@dataclass
class _Display:
    """What `Thumbnails` need to know of a window."""

    theme: Theme
    size: tuple[int, int]


class TreePictures:
    """Draws the tree of `explorer`, as the window shows it or after some of its steps, no wider than `widest` pixels.
    """

    def __init__(self, explorer: Explorer, theme: Theme, widest: int) -> None:
        self._explorer = copy.copy(explorer)  # the window goes on
        self._explorer.pointed = None
        found = plan(explorer)
        around = LEVEL + 2 * _MARGIN
        zoom = min(1.0, (widest - around) / (found.width * COLUMN))
        wide, high = round(found.width * COLUMN * zoom) + around, round(found.height * ROW * zoom) + 2 * _MARGIN
        self.size = wide + wide % 2, high + high % 2
        self._theme = theme
        self._camera = Camera(0.05, 2.0)
        self._camera.view = pygame.Rect(LEVEL + _MARGIN, _MARGIN, wide - around, high - 2 * _MARGIN)
        self._camera.fit(found.width * COLUMN, found.height * ROW, zoom, 1.0)
        self._camera.view = pygame.Rect((0, 0), self.size)
        self._camera.x, self._camera.y = self._camera.x + LEVEL + _MARGIN, self._camera.y + _MARGIN
        self._thumbnails = Thumbnails(_Display(theme, self.size))
        self._boards = NodeBoards(self._explorer, self._thumbnails)
        self._painter = TreePainter(self._explorer, self._camera)
        self._painter.set_plan(theme, found)

    def paint(self, step: int | None) -> bytes:
        """Return the RGB pixels of the tree after `step`; with None, as the window shows it."""
        if step is not None:
            self._explorer.at, self._explorer.node = step, self._explorer.steps.node(step)[0]
        picture = pygame.Surface(self.size)
        while True:
            self._draw(SurfaceCanvas(picture, self._theme), partial(self._boards.draw, picture, self._theme))
            if not self._thumbnails.busy:
                return pygame.image.tobytes(picture, "RGB")
            while self._thumbnails.busy:
                self._thumbnails.work()

    def svg(self) -> str:
        """Return the tree as an ``<svg>`` element."""
        canvas = SvgCanvas(self.size, self._theme)
        self._draw(canvas, partial(self._draw_sheet, canvas))
        return canvas.svg()

    def _draw(self, canvas: Canvas, board: DrawBoard) -> None:
        """Draw background, tree and names of levels; `board` draws the position of a node."""
        canvas.box(pygame.Rect((0, 0), self.size), self._theme.palette.background)
        self._painter.draw(canvas, board)
        self._painter.draw_levels(canvas, _MARGIN)

    def _draw_sheet(self, canvas: SvgCanvas, node: int, rect: pygame.Rect) -> None:
        """Draw the board of a node as vectors; an empty box where there are no such drawings."""
        explorer = self._explorer
        setup, position = explorer.subject.setup, explorer.position(node)
        if setup is None or not has_pictures(position):
            canvas.box(rect, self._theme.palette.raised, self._theme.px(3))
        else:
            moves = explorer.trace.moves_to(node)
            canvas.sheet(sheet_of(setup, position, Shown(last=moves[-1] if moves else None)), rect)


def tree_svg(explorer: Explorer) -> str:
    """Return the tree that `explorer` shows as an ``<svg>`` element, for pages and print."""
    return TreePictures(explorer, page_theme(), sys.maxsize).svg()


def film_steps(explorer: Explorer) -> Sequence[int]:
    """Return the steps that a film shows: all of them, or evenly spaced ones if there are too many, and always the
    last."""
    count = explorer.steps.last + 1
    stride = -(-count // _MOST_FRAMES)
    return [*range(0, count - 1, stride), count - 1]


class TreeExport(ExportJob[bytes]):
    """A job that writes the tree to `file`, as a picture or a film by its ending."""

    def __init__(self, host: Host, explorer: Explorer, file: Path) -> None:
        self._kind = file.suffix.lower()[1:]
        film = self._kind != "png"
        theme = Theme(host.theme.palette, 1.0, host.theme.language)
        self._pictures = TreePictures(explorer, theme, _WIDEST_FILM if film else _WIDEST)
        self._steps: Sequence[int | None] = film_steps(explorer) if film else [None]
        self._samples = [self._pictures.paint(self._steps[number]) for number in (0, len(self._steps) // 2, -1)]
        super().__init__(host, file.name, self._encode, partial(write_file, host, file))

    def _encode(self, on_progress: object) -> bytes:
        """Return the contents of the file, on the thread of the job; the window's thread paints the pictures."""
        for step in self._steps:
            self.ask_to_paint(partial(self._pictures.paint, step))
        frames = (self.take_painted() for _ in self._steps)
        if self._kind == "png":
            return png(self._pictures.size, next(frames))
        return film_bytes(self._kind, Film(self._pictures.size, len(self._steps), self._samples, frames), _DELAY)
