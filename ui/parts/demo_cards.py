"""A card for each game, on which attacks are replayed: a click begins a game."""

from __future__ import annotations

import math
import time
from functools import partial

import pygame

from games.registry import GAMES
from ui.board.demos import Demo
from ui.board.view import Frame
from ui.host import Host
from ui.part import Part
from ui.screens import registry as screens
from ui.system.frame_clock import soonest
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import LINE, width_of
from ui.toolkit.widgets import Widgets
from ui.words.games import game_about, game_name, short_name

_FIRST = 0.6  # seconds until the first demo begins, and from each to the next: not all in the frame that opens

HEAD, GAP, PADDING, TEXT = 80, 16, 16, (108, 146)
"""Design pixels: the title and the line under it, between cards, inside a card, and the least size of its text."""


class DemoCards(Part):
    """Below the title of the program. `demos` are the boards."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets
        self.demos = [Demo(game) for game in GAMES]

    def open(self) -> None:
        if self._host.settings.motion:
            now = time.monotonic()
            for number, demo in enumerate(self.demos, 1):
                demo.begin(now + number * _FIRST)

    def build(self, space: Space) -> None:
        px, page = self._host.theme.px, Space(space.rest.inflate(-self._host.theme.px(GAP), 0), 0)
        count, side = self._arrangement(page.rest.width, page.rest.height - px(HEAD))
        rows = math.ceil(len(self.demos) / count)
        most = (page.rest.height - px(HEAD) + px(GAP)) // rows - px(GAP)  # many games leave less
        high = min(max(side, px(TEXT[1])) + 2 * px(PADDING), most)
        grid = rows * (high + px(GAP)) - px(GAP)
        page.top((page.rest.height - px(HEAD) - grid) // 3)  # a little above the middle
        self._widgets.label(page.top(px(44)), t("app.title"), 28, bold=True)
        self._widgets.label(page.top(px(24)), t("app.subtitle"), 16, self._host.theme.palette.quiet)
        page.top(px(HEAD - 44 - 24))
        page.gap = px(GAP)
        places = [card for _ in range(rows) for card in columns(page.top(high), count, px(GAP))]
        for card, demo in zip(places, self.demos, strict=False):
            self._build_card(card, side, demo)

    def _arrangement(self, width: int, height: int) -> tuple[int, int]:
        """Return how many cards stand side by side, and the side of their boards, so that these are largest."""
        px, best = self._host.theme.px, (1, 0)
        for count in range(1, len(self.demos) + 1):
            wide = (width + px(GAP)) // count - px(GAP)
            high = (height + px(GAP)) // math.ceil(len(self.demos) / count) - px(GAP)
            side = min(wide - px(3 * PADDING + TEXT[0]), high - px(2 * PADDING))
            best = max(best, (count, side), key=lambda each: each[1])
        return best

    def _build_card(self, card: pygame.Rect, side: int, demo: Demo) -> None:
        theme = self._host.theme
        begin = partial(self._host.open, screens.setup, demo.game)
        self._widgets.button(f"card.{demo.game}", card, "", begin, style="@tile")
        place = pygame.Rect(card.left + theme.px(PADDING), card.centery - side // 2, side, side)
        motion = self._host.settings.motion
        demo.place(Frame(place, theme.scale, theme.palette, theme.font, motion), time.monotonic())
        self._widgets.paint(lambda surface: demo.draw(surface, time.monotonic()), over=True)
        self._build_texts(card, side, demo.game)

    def update(self, now: float) -> None:
        for demo in self.demos:
            demo.update(now)

    def wake(self, now: float) -> float | None:
        return soonest(*(demo.wake(now) for demo in self.demos))

    def _build_texts(self, card: pygame.Rect, side: int, game: str) -> None:
        """The name and the description of the game, right of its board."""
        theme, px = self._host.theme, self._host.theme.px
        left = card.left + side + px(2 * PADDING)
        box = card.inflate(0, -2 * px(PADDING))
        text = Space(pygame.Rect(left, box.top, card.right - px(PADDING) - left, box.height), px(4))
        name = game_name(game)
        name = name if width_of(theme, name, 20, bold=True) <= text.rest.width else short_name(game)
        self._widgets.label(text.top(px(30)), name, 20, bold=True, over=True)
        self._widgets.paragraph(text.rest, game_about(game), most=text.rest.height // px(LINE), over=True)
