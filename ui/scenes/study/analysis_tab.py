"""The tab of the analysis: a switch, and what the engine finds at the cursor."""

from __future__ import annotations

from dataclasses import replace

import pygame

from ui.board.view import Marks
from ui.game.analyst import Analyst
from ui.panels.thinking import FIGURES_HEIGHT, draw_thinking
from ui.panels.thinking import HEIGHT as THINKING_HEIGHT
from ui.scenes.study.tab import Study, Tab
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space


class AnalysisTab(Tab):
    """The analysis runs on, and marks the board, while another tab is chosen."""

    name = "analysis"

    def __init__(self, study: Study) -> None:
        self.study = study
        self.analyst = Analyst(study.host, study.record)
        self.thinking_rect: pygame.Rect | None = None

    def build(self, space: Space) -> None:
        px = self.study.host.theme.px
        tip = t("replay.analysis")
        self.study.widgets.button(
            "analysis", space.top(px(36)), tip, self.toggle, icon="hint", tip=tip, key="a", chosen=self.analyst.on
        )
        room = THINKING_HEIGHT if space.rest.height >= px(THINKING_HEIGHT) else FIGURES_HEIGHT
        self.thinking_rect = space.top(px(room)) if self.analyst.on else None

    def toggle(self) -> None:
        self.analyst.toggle()
        self.study.host.rebuild()

    def update(self, now: float) -> None:
        self.analyst.update()
        if not self.analyst.busy:
            self._save()

    def _save(self) -> None:
        if self.analyst.learned:
            self.analyst.learned = False
            self.study.learned()

    def wake(self, now: float) -> float | None:
        return 0.1 if self.analyst.busy else None

    def marks(self, marks: Marks) -> Marks:
        """Candidate moves, or the line that begins with the candidate under the pointer."""
        info = self.analyst.info
        lines = info.lines if info is not None else ()
        followed = next((line.moves for line in lines if line.moves[0] == self.study.hover), ())
        if followed:
            return replace(marks, hover=None, line=followed)
        return replace(marks, candidates=self.analyst.candidates())

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self.thinking_rect is not None:
            theme, record = self.study.host.theme, self.study.record
            info, nodes, known = self.analyst.info, self.analyst.nodes, record.cursor.evaluation
            draw_thinking(surface, theme, self.thinking_rect, record.position, info, nodes, known)

    def close(self) -> None:
        self._save()
        self.analyst.close()
