"""The screen on which searches of one position are compared: how many nodes they need, what is cut away, what a shallow
search misses, and how two threads divide the work."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import pygame

from ai.explain.subject import PRUNING, Choice
from ai.gomoku.horizon import HorizonResult
from games.record import GameRecord, Node, moves_to
from games.storage import saves_home, unused_path
from ui.board.looks import board_view
from ui.board.pictures import png
from ui.board.view import Marks
from ui.learn.compare_charts import ChartPainter, NodeChart, SearchTable, ThreadBars
from ui.learn.compare_state import (
    HORIZON,
    SEARCHES,
    THREADS,
    TREES,
    VIEWS,
    Comparison,
    bounds_sentence,
    csv,
    findings,
    horizon_sentences,
    search_name,
    thread_sentences,
    trees_sentences,
)  # fmt: skip
from ui.learn.search_words import depth_text
from ui.learn.two_trees import TwoTrees, TwoTreesPainter
from ui.parts.board_part import board_frame
from ui.parts.exports import ExportJob, write_file
from ui.parts.header import Header
from ui.toolkit.canvas import Canvas, SurfaceCanvas, SvgCanvas
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import LINE, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Group, Part, lay
from ui.window.screen import Screen
from ui.words.games import game_name

_CHOICE, _APART = 32, 8  # design pixels


class CompareViews(Part):
    """The choice of the comparison that is shown."""

    def __init__(self, host: Host, widgets: Widgets, state: Comparison) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.bindings = (Binding(("ctrl+tab",), self._show_next, "compare.next_view"),)

    def shape(self) -> object:
        """What the layout depends on: the view that is chosen."""
        return self._state.view

    def build(self, space: Space) -> None:
        """Take a row from the top: a choice with one button for each view, each with a tooltip of its own."""
        row, options = space.top(self._host.theme.px(_CHOICE)), [(view, t(f"compare.view.{view}")) for view in VIEWS]
        self._widgets.choice("view", row, options, self._state.view, self._state.choose, gap=4)
        for view in VIEWS:
            self._widgets.elements[f"view.{view}"].tip = t(f"compare.view.{view}.tip")

    def _show_next(self) -> None:
        """Show the view after the chosen one, from the last on the first."""
        self._state.choose(VIEWS[(VIEWS.index(self._state.view) + 1) % len(VIEWS)])


class CompareControls(Part):
    """The button that starts and stops the searches, and their depth; in the view of the horizon effect, the choice of
    the line on the board."""

    def __init__(self, host: Host, widgets: Widgets, state: Comparison) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.bindings = (
            Binding(("space",), self._toggle, "compare.toggle"),
            Binding(("[",), partial(state.deepen, -1), "search.shallower"),
            Binding(("]",), partial(state.deepen, 1), "search.deeper"),
        )

    def shape(self) -> object:
        """What the layout depends on: the view, whether searches run, their depth, the pruning search that is compared
        with minimax, and the line on the board."""
        return self._state.view, self._state.busy, self._depth, self._state.trees.pruning, self._state.on_board

    @property
    def _depth(self) -> str:
        """The depth of the searches as text."""
        if self._state.view == TREES:
            return depth_text(Choice(depth=self._state.trees.depth))
        return t("compare.depth", depth=self._state.depth)

    def build(self, space: Space) -> None:
        """Take rows from the top: the choice of a line in the horizon view; else start or stop, and the depth, and in
        the view of trees the choice of the search that is compared with minimax."""
        px, state, button = self._host.theme.px, self._state, self._widgets.button
        text, icon = t("compare.stop" if state.busy else "compare.start"), "pause" if state.busy else "play"
        if state.view == HORIZON:
            self._build_lines(space.top(px(_CHOICE)))
            return
        row = Space(space.top(px(BUTTON)), px(6))
        tip = text if state.busy else t("compare.start.tip", bounds=bounds_sentence())
        more = row.right(px(BUTTON))
        self._widgets.label(row.right(px(92)), self._depth, align="centre")
        less = row.right(px(BUTTON))
        toggle, shallower, deeper = self.bindings
        button("start", row.rest, text, toggle, style="" if state.busy else "@primary", icon=icon, tip=tip,
               enabled=not state.over)  # fmt: skip
        button("shallower", less, "", shallower, icon="minus", tip=t("search.shallower"))
        button("deeper", more, "", deeper, icon="plus", tip=t("search.deeper"))
        if state.view == TREES:
            self._build_searches(space.top(px(_CHOICE)))

    def _build_searches(self, rect: pygame.Rect) -> None:
        """Build the choice of the search that is compared with minimax."""
        options = [(key, search_name(key)) for key in PRUNING]
        trees, tip = self._state.trees, t("compare.trees.choose")
        self._widgets.choice("pruning", rect, options, trees.pruning, trees.choose, tip, gap=4)

    def _build_lines(self, rect: pygame.Rect) -> None:
        """Build the choice of the line of the horizon effect that is on the board."""
        options = [(line, t(f"compare.horizon.show.{line}")) for line in (SHALLOW, REFUTATION, DEEP)]
        shown, tip = self._state.on_board or REFUTATION, t("compare.horizon.show.tip")
        self._widgets.choice("line", rect, options, shown, partial(setattr, self._state, "on_board"), tip, gap=4)

    def _toggle(self) -> None:
        """Start the searches, or stop them."""
        if self._state.busy:
            self._state.stop()
        else:
            self._state.start()


class CompareWords(Part):
    """Sentences on what was found, in as many lines as there is room for."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state
        self.complete: bool
        """Whether all lines were written."""

    @property
    def sentences(self) -> list[str]:
        """What the searches of the chosen view have found, in words, or why there is nothing."""
        state = self._state
        if state.failed or (state.view == TREES and state.trees.failed):
            return [t("compare.failed")]
        if state.view == HORIZON:
            busy = [t("compare.horizon.busy")] if state.busy else []
            return [*horizon_sentences(state.preset.position, state.horizon_results), *busy]
        if state.over:
            return [t("compare.over")]
        if state.view == THREADS:
            return thread_sentences(state.shared)
        if state.view == TREES:
            return trees_sentences(state.trees)
        return findings(state.position, state.search_rows)

    def update(self, now: float) -> None:
        """Take in what the searches have found, for all parts of the screen."""
        self._state.update()

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Write the sentences from the top until the room is used up. Set `complete` to whether all lines fitted."""
        theme = self._host.theme
        space, self.complete = Space(self._rect), True
        for sentence in self.sentences:
            for line in wrapped(theme, sentence, self._rect.width, 14):
                self.complete &= space.rest.height >= theme.px(LINE)
                if self.complete:
                    write(surface, theme, line, space.top(theme.px(LINE)), 14)
            space.top(theme.px(_APART))

    def close(self) -> None:
        """Stop the searches that run; what they have found stays."""
        self._state.close()


# The boards of searches that are compared: that of their position, small, and that of the horizon effect.


_LEAST = 96  # design pixels
_LINES = {SEARCHES: 9, TREES: 9, THREADS: 13}
"""Lines that the words below need."""


class CompareBoard(Part):
    """The position whose searches are compared, or that of the node pointed at in their trees. Takes its room from the
    top of the space, if there is enough."""

    def __init__(self, host: Host, state: Comparison, node: Node) -> None:
        self._host, self._state, self._node = host, state, node
        self._view = board_view(state.setup.game)
        self._shown: bool

    def build(self, space: Space) -> None:
        """Take a square from the top that leaves room for the sentences of the view. Show no board where that square
        would be too small, or in a view without one."""
        theme = self._host.theme
        lines = _LINES.get(self._state.view)
        side = 0 if lines is None else min(space.rest.width, space.rest.height - theme.px(lines * LINE))
        self._shown = side >= theme.px(_LEAST)
        if self._shown:
            self._view.place(board_frame(self._host, space.top(side)))
            self._show(time.monotonic())

    def _show(self, now: float) -> None:
        """Put on the board the position of the node that is pointed at in the trees, or else the one whose searches are
        compared."""
        trees = self._state.trees
        moves = (trees.pointed or ()) if self._state.view == TREES else ()
        position = trees.position() if moves else self._node.position
        self._view.show(position, moves_to(self._node) + moves, now)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the board, if it has room, with the position of the node that is pointed at in the trees, else the one
        that is searched."""
        if self._shown:
            self._show(now)
            self._view.draw(surface, Marks(veil=False, coordinates=self._host.settings.coordinates), now)


SHALLOW, DEEP, REFUTATION = "shallow", "deep", "refutation"


class HorizonBoard(Part):
    """The position of the horizon effect, with the chosen line marked on it. Takes all the space."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state
        self._view = board_view(state.preset.setup.game)

    def build(self, space: Space) -> None:
        """Lay the board out in all the space, with the preset position of the horizon effect."""
        self._view.place(board_frame(self._host, space.rest))
        node = self._state.preset.cursor
        self._view.show(node.position, moves_to(node), time.monotonic())

    @property
    def line(self) -> tuple[int, ...]:
        """The moves of the chosen line; by default the move of the shallow search and its refutation. Empty until it is
        found."""
        shown, seen = self._state.on_board or REFUTATION, self._state.horizon_results
        shallow = next((each for each in seen if each.refutation), None)
        deep = next((each for each in seen if not each.refutation), None)
        if shown == DEEP:
            return _line_of(deep)
        if shallow is not None and shown == REFUTATION:
            return shallow.line[0], *shallow.refutation
        return _line_of(shallow)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the board with the moves of the chosen line marked."""
        marks = Marks(coordinates=self._host.settings.coordinates, line=self.line)
        self._view.draw(surface, marks, now)


def _line_of(seen: HorizonResult | None) -> tuple[int, ...]:
    """Return the principal variation of a result; empty for None."""
    return () if seen is None else seen.line


# The screen.


class Compare(Screen):
    """Searches of the position at the cursor of `record`. Those of `view` begin when it is opened."""

    name = "compare"
    guide = "lessons"

    def __init__(
        self, host: Host, record: GameRecord, view: str = SEARCHES, back: Content | None = None
    ) -> None:
        super().__init__(host, back)
        self.setup = record.setup
        self.state = state = Comparison(host, record)
        state.view = view
        self._header = Header(host, self.widgets, self._title, self.go_back, back, owner=self)
        self._side: tuple[Part, ...] = (
            CompareViews(host, self.widgets, state), CompareControls(host, self.widgets, state),
            CompareExport(host, self.widgets, state), CompareBoard(host, state, record.cursor),
            CompareWords(host, state),
        )  # fmt: skip
        self._main = _Main(host, state)
        self.parts = [self._header, self._main, *self._side]

    def _title(self) -> str:
        """The title of the screen, with the name of the game: that of the preset position in the horizon view."""
        setup = self.state.preset.setup if self.state.view == HORIZON else self.state.setup
        return f"{t('compare.title')} · {game_name(setup.game)}"

    def open(self) -> None:
        """Begin the search of the view that is shown, if it has found nothing yet."""
        super().open()
        self.state.choose(self.state.view)

    def build(self, space: Space) -> None:
        """Lay the header and the controls, words and small board out in the side panel, the parts of the view in
        `space`."""
        self.frame.side.gap, space.gap = self.host.theme.px(10), self.host.theme.px(12)
        lay(self.frame.side, self._header, *self._side)
        self._main.build(space)


class _Main(Group):
    """The main area: the parts of the view that is shown."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._state = state
        self._views: dict[str, tuple[Part, ...]] = {
            SEARCHES: (SearchTable(host, state), NodeChart(host, state)), TREES: (TwoTrees(host, state),),
            HORIZON: (HorizonBoard(host, state),), THREADS: (ThreadBars(host, state),),
        }  # fmt: skip
        super().__init__(self._views[state.view])

    def build(self, space: Space) -> None:
        """Choose the parts of the view that is shown, and lay them out in `space`. Only these are drawn and get
        events."""
        self.parts = self._views[self._state.view]
        lay(space, *self.parts)


# The button that writes what was compared to a file: the chart or the trees as PNG or SVG, the rows as CSV.


_KINDS = {SEARCHES: (".png", ".svg", ".csv"), TREES: (".png", ".svg")}
_SIZE, _SCALE, _MARGIN, _TITLE = (1200, 800), 1.5, 24, 32  # pixels of a picture; design pixels


class CompareExport(Part):
    """The button that exports the comparison, at the bottom of the space; none in views that cannot be exported."""

    def __init__(self, host: Host, widgets: Widgets, state: Comparison) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.bindings = (Binding(("ctrl+e",), self._export, "compare.export"),)

    def shape(self) -> object:
        """What the layout depends on: the view, since not every one can be exported."""
        return self._state.view

    def build(self, space: Space) -> None:
        """Add the export button at the bottom, with Ctrl+E; nothing in the views of the horizon and of threads."""
        if self._state.view in _KINDS:
            rect, text = space.bottom(self._host.theme.px(BUTTON)), t("compare.export")
            tip = t("compare.export.tip" if self._state.view == SEARCHES else "compare.trees.export")
            self._widgets.button("export", rect, text, self._export, icon="save", tip=tip, key="ctrl+e")

    def update(self, now: float) -> None:
        """Enable the button once there is something to export."""
        if "export" in self._widgets.elements:
            self._widgets.enable("export", self._ready)

    @property
    def _ready(self) -> bool:
        """Whether there is something to export."""
        state = self._state
        if state.view == TREES:
            return state.current_plans is not None
        return state.view == SEARCHES and bool(state.search_rows)

    def _export(self) -> None:
        """Ask for a file and write the comparison to it; nothing if there is nothing to export."""
        if self._ready:
            proposal, kinds = unused_path(saves_home(), self._title, ".png"), _KINDS[self._state.view]
            self._host.choose_file(proposal, self._write, saving=True, kinds=kinds, title=t("compare.export.title"))

    @property
    def _title(self) -> str:
        """The title of an exported drawing, and the proposed name of its file."""
        return f"{t('compare.title')} - {game_name(self._state.setup.game)}"

    def _write(self, file: Path) -> None:
        """Write the comparison in the format that the ending of `file` names: CSV, SVG or PNG."""
        host, state, kind = self._host, self._state, file.suffix.lower()
        if kind == ".csv":
            write_file(host, file, csv(state.position, state.search_rows))
        elif kind == ".svg":
            write_file(host, file, self._svg())
        else:
            pixels, then = self._pixels(), partial(write_file, host, file)
            host.start_job(ExportJob(host, file.name, lambda _on_progress: png(_SIZE, pixels), then))

    def _svg(self) -> bytes:
        """Return the drawing as an SVG file."""
        canvas = SvgCanvas(_SIZE, self._theme)
        self._draw(canvas)
        return canvas.svg().encode()

    def _pixels(self) -> bytes:
        """Return the drawing as RGB pixels, of the size `_SIZE`."""
        picture = pygame.Surface(_SIZE)
        self._draw(SurfaceCanvas(picture, self._theme))
        return pygame.image.tobytes(picture, "RGB")

    @property
    def _theme(self) -> Theme:
        """The theme of exported drawings, whose scale does not depend on the window's."""
        return Theme(self._host.theme.palette, _SCALE, self._host.theme.language)

    def _draw(self, canvas: Canvas) -> None:
        """Draw the chart, or the trees, under the title."""
        theme, whole, state = canvas.theme, pygame.Rect((0, 0), _SIZE), self._state
        canvas.box(whole, theme.palette.panel)
        space = Space(whole.inflate(-2 * theme.px(_MARGIN), -2 * theme.px(_MARGIN)), theme.px(8))
        canvas.text(self._title.replace(" - ", " · "), space.top(theme.px(_TITLE)), 20, bold=True)
        if state.view == TREES and state.current_plans is not None:
            TwoTreesPainter(theme, space.rest, state.current_plans, state.trees).draw(canvas)
        else:
            ChartPainter(theme, space.rest, state.plot).draw(canvas)
