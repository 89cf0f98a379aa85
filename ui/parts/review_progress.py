"""The offer to review a game, and how far a review is."""

from __future__ import annotations

import pygame

from ui.game.study import Study
from ui.host import Host
from ui.part import Part
from ui.toolkit.box_art import draw_progress
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import LINE, width_of, wrapped, write, write_paragraph
from ui.toolkit.widgets import Widgets

_BUTTON, _GAP = 36, 8  # design pixels


class ReviewProgress(Part):
    """Takes its room from the top of the space; nothing where the review is over."""

    def __init__(self, host: Host, widgets: Widgets, state: Study) -> None:
        self._host, self._widgets, self._reviewer = host, widgets, state.reviewer
        self._about: pygame.Rect | None = None
        self._progress: pygame.Rect | None = None

    def build(self, space: Space) -> None:
        self._about = self._progress = None
        if self._reviewer.found is None and not self._reviewer.busy:
            self._build_offer(space)
        elif self._reviewer.state != "over":
            self._build_progress(space)

    def _build_offer(self, space: Space) -> None:
        px = self._host.theme.px
        self._about = space.top(len(wrapped(self._host.theme, t("review.about"), space.rest.width, 14)) * px(LINE))
        place, start = space.top(px(_BUTTON)), self._reviewer.start
        self._widgets.button("review", place, t("review.start"), start, style="@primary")

    def _build_progress(self, space: Space) -> None:
        px, reviewer = self._host.theme.px, self._reviewer
        row = Space(space.top(px(_BUTTON)), px(_GAP))
        name, action = ("cancel", reviewer.cancel) if reviewer.busy else ("continue", reviewer.start)
        text = t(f"review.{name}")
        wide = width_of(self._host.theme, text, 16) + px(28)
        self._widgets.button(f"review.{name}", row.right(wide), text, action)
        self._progress = row.rest

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, reviewer = self._host.theme, self._reviewer
        palette, px = theme.palette, theme.px
        if self._about is not None:
            write_paragraph(surface, theme, t("review.about"), self._about)
        if self._progress is not None:
            text = t(f"review.state.{reviewer.state}", percent=round(100 * reviewer.share))
            upper = pygame.Rect(self._progress.left, self._progress.top, self._progress.width, px(LINE))
            write(surface, theme, text, upper, 14, palette.bad if reviewer.state == "failed" else palette.quiet)
            bar = pygame.Rect(self._progress.left, upper.bottom + px(4), self._progress.width, px(6))
            draw_progress(surface, palette, bar, reviewer.share)
