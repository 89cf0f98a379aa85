"""`Form`, a part with labels and value steppers, and the choice of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.typesetting import text_rows
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part
from ui.words.games import short_name

ROW, GAP, LABEL = 34, 6, 20
"""Design pixels: height of a row, room between two, height of a label."""


def game_choice(
    host: Host, widgets: Widgets, space: Space, games: Sequence[str], chosen: str, choose: Callable[[str], object],
    high: int = ROW, most: int = 2,
) -> None:  # fmt: skip
    """Add a choice between `games`, `high` design pixels high: buttons in at most `most` rows or, where they do not
    fit, one button that opens a menu."""
    px, options = host.theme.px, [(game, short_name(game)) for game in games]
    places = text_rows(host.theme, space, [text for _, text in options], px(high), px(GAP), most)
    if places:
        widgets.choice("game", places, options, chosen, choose)
        return
    place = space.top(px(high))

    def ask() -> None:
        """Open the menu of the games below the button."""
        host.overlay = Menu(host, place, options, chosen, choose)

    widgets.button("game", place, short_name(chosen), ask, style="@menu")


class Form(Part):
    """A part with labels, headings and steppers."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self.host, self.widgets = host, widgets

    def label(self, rect: pygame.Rect, text: str) -> None:
        """Add a label in the quiet colour, of size 14."""
        self.widgets.label(rect, text, 14, self.host.theme.palette.quiet)

    def heading(self, space: Space, text: str) -> None:
        """Take room from the top of `space` for a label above what follows."""
        space.top(self.host.theme.px(2))  # and a gap more
        self.label(space.top(self.host.theme.px(LABEL)), text)

    def beside(self, row: pygame.Rect, text: str) -> pygame.Rect:
        """Add a label at the left of `row`. Return the room at its right."""
        space = Space(row, self.host.theme.px(8))
        self.label(space.left(self.host.theme.px(124)), text)
        return space.rest

    def stepper(
        self, name: str, place: pygame.Rect, text: str, action: Callable[[int], object], side: int = ROW
    ) -> None:
        """Add the value `text` between a minus and a plus button, each `side` design pixels wide, that call `action`
        with -1 and +1."""
        px = self.host.theme.px
        row = Space(place, px(GAP))
        less, more = row.left(px(side)), row.right(px(side))
        self.widgets.button(f"{name}.less", less, "", lambda: action(-1), icon="minus", tip=t("tip.less"))
        self.widgets.button(f"{name}.more", more, "", lambda: action(1), icon="plus", tip=t("tip.more"))
        self.widgets.box(row.rest, self.host.theme.palette.raised)
        self.widgets.label(row.rest, text, align="centre")
