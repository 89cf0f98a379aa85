"""The button that writes what was compared to a file: the chart or the trees as PNG or SVG, the rows as CSV."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pygame

from games.storage import saves_home, unused
from ui.board.pictures import png
from ui.game.chart_files import csv, svg
from ui.game.comparison import SEARCHES, TREES, Comparison
from ui.game.exports import ExportJob, write_file
from ui.game.icicle_drawing import WIDTH, icicles_svg
from ui.host import Host
from ui.part import Part
from ui.parts.chart_painter import ChartPainter, colours
from ui.parts.two_trees_painter import TwoTreesPainter, tree_pictures
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space
from ui.toolkit.text import write
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import Widgets
from ui.words.games import game_name

_KINDS = {SEARCHES: (".png", ".svg", ".csv"), TREES: (".png", ".svg")}
_SIZE, _SCALE, _MARGIN, _TITLE = (1200, 800), 1.5, 24, 32  # pixels of a picture; design pixels


class CompareExport(Part):
    """Takes its room from the bottom of the space, where there is something to write."""

    def __init__(self, host: Host, widgets: Widgets, state: Comparison) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.bindings = (Binding(("ctrl+e",), self._export, "compare.export"),)

    def shape(self) -> object:
        return self._state.view

    def build(self, space: Space) -> None:
        if self._state.view in _KINDS:
            rect, text = space.bottom(self._host.theme.px(BUTTON)), t("compare.export")
            tip = t("compare.export.tip" if self._state.view == SEARCHES else "compare.trees.export")
            self._widgets.button("export", rect, text, self._export, icon="save", tip=tip, key="ctrl+e")

    def update(self, now: float) -> None:
        if "export" in self._widgets.elements:
            self._widgets.enable("export", self._ready)

    @property
    def _ready(self) -> bool:
        state = self._state
        return state.laid_out is not None if state.view == TREES else state.view == SEARCHES and bool(state.rows)

    def _export(self) -> None:
        """Ask for a file; its ending says what is written."""
        if self._ready:
            proposal, kinds = unused(saves_home(), self._title, ".png"), _KINDS[self._state.view]
            self._host.choose_file(proposal, self._write, saving=True, kinds=kinds, title=t("compare.export.title"))

    @property
    def _title(self) -> str:
        return f"{t('compare.title')} - {game_name(self._state.setup.game)}"

    def _write(self, file: Path) -> None:
        host, state, kind = self._host, self._state, file.suffix.lower()
        if kind == ".csv":
            write_file(host, file, csv(state.position, state.rows))
        elif kind == ".svg":
            write_file(host, file, self._svg())
        else:
            pixels, then = self._painted(), partial(write_file, host, file)
            host.start_job(ExportJob(host, file.name, lambda _tell: png(_SIZE, pixels), then))

    def _svg(self) -> bytes:
        palette, plans, state = self._host.theme.palette, self._state.laid_out, self._state
        if state.view == TREES and plans is not None:
            return icicles_svg(self._title, tree_pictures(state.trees, plans, WIDTH), palette)
        return svg(state.plot, self._title, colours(palette), palette)

    def _painted(self) -> bytes:
        """The pixels of the chart, or of the trees, under the title."""
        theme = Theme(self._host.theme.palette, _SCALE, self._host.theme.language)
        picture = pygame.Surface(_SIZE)
        picture.fill(theme.palette.panel)
        around = 2 * theme.px(_MARGIN)
        space = Space(picture.get_rect().inflate(-around, -around), theme.px(8))
        write(picture, theme, self._title.replace(" - ", " · "), space.top(theme.px(_TITLE)), 20, bold=True)
        plans = self._state.laid_out
        if self._state.view == TREES and plans is not None:
            TwoTreesPainter(theme, space.rest, plans, self._state.trees).draw(picture)
        else:
            ChartPainter(theme, space.rest, self._state.plot).draw(picture)
        return pygame.image.tobytes(picture, "RGB")
