"""The whole searches of minimax and alpha-beta, one below the other, to one scale."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

import pygame

from ai.threads import result_of
from ui.game.comparison import Comparison
from ui.game.icicle_plan import Facts, Plans
from ui.host import Host
from ui.part import Part
from ui.parts.two_trees_painter import TwoTreesPainter
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.words.comparison import below_sentence

_PADDING = 12  # design pixels
_PAUSE = 0.5  # seconds between two pictures of a search that goes on
_LOOK = 0.03  # seconds


class TwoTrees(Part):
    """Takes all the space. What is pointed at in one picture is framed in all."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state, self._trees = host, state, state.trees
        self._painter: TwoTreesPainter | None = None
        self._next: TwoTreesPainter | None = None  # the one whose pictures are being painted
        self._stand: object = None  # what the plans show
        self._thread = ThreadPoolExecutor(1, "tengen-trees")
        self._future: Future[Plans] | None = None
        self._due = 0.0

    @property
    def area(self) -> pygame.Rect:
        """Where the pictures are."""
        around = 2 * self._host.theme.px(_PADDING)
        return self._rect.inflate(-around, -around)

    def build(self, space: Space) -> None:
        self._rect = space.rest
        self._painter, self._next = self._made(), None

    def update(self, now: float) -> None:
        """Lay out the trees on a thread, again when they have grown, but not all the time."""
        trees = self._trees
        if self._next is not None and self._next.paint():
            self._painter, self._next = self._next, None
        if self._future is not None:
            if not self._future.done():
                return
            plans, self._future = result_of(self._future), None
            if plans is None:
                self._host.say(t("error.drawing"), "bad")
            elif plans.traces == trees.traces:  # else those of another search
                self._state.plans = plans
                self._next = self._made()
                return
        stand = [(id(trace), len(trace), trees.busy) for trace in trees.traces]
        if len(stand) < 2 or stand == self._stand or (trees.busy and now < self._due):
            return
        self._stand, self._due = stand, now + _PAUSE
        self._future = self._thread.submit(Plans, trees.traces, [Facts.of(trace) for trace in trees.traces])

    def _made(self) -> TwoTreesPainter | None:
        plans = self._state.laid_out
        return None if plans is None else TwoTreesPainter(self._host.theme, self.area, plans, self._trees)

    def wake(self, now: float) -> float | None:
        return 0.0 if self._next is not None else _LOOK if self._future is not None else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme = self._host.theme
        rounded(surface, self._rect, theme.palette.panel, theme.px(10), theme.palette.line)
        if self._painter is not None and self._painter.plans.traces == self._trees.traces:
            self._painter.draw(surface)
            if self._trees.pointed is not None:
                self._painter.draw_pointed(surface, self._trees.pointed)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION and self._painter is not None:
            self._trees.pointed = self._painter.moves_at(event.pos)
        return False

    def hint(self) -> str:
        return below_sentence(self._trees) if self._trees.pointed is not None else ""

    def status(self) -> str:
        return t("compare.busy") if self._state.busy else t("compare.trees.help")
