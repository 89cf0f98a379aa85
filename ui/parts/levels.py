"""A menu of levels with name, description and Elo, and of the engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from ai.levels.levels import EVEN, is_level, level_elos, number_of
from ai.players import elo, strongest
from ai.profile import load_profile
from ai.registry import ANCHOR_ELO, opponents
from ui.host import Host
from ui.toolkit.i18n import first_text, t
from ui.toolkit.icons import icon
from ui.toolkit.layout import Space
from ui.toolkit.text import width_of, write
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import Widgets
from ui.words.games import level_name, seat_label

ROW, GAP, HEAD, PADDING = 42, 4, 56, 20
"""Design pixels: a level in the menu, the room between two, the heading, and the room around all."""


class LevelMenu:
    """The levels of `game`, and the engine, for `side`; `choose` is called with the name of the chosen one."""

    def __init__(
        self, host: Host, widgets: Widgets, game: str, side: int, chosen: str, choose: Callable[[str], object]
    ) -> None:
        self.host, self.widgets, self.game, self.side = host, widgets, game, side
        levels = (f"level:{number}" for number in range(1, len(level_elos(game)) + 1))
        self.names = [EVEN, *levels, strongest(game)]
        self._chosen, self._choose = chosen, choose
        self._rating = load_profile()[0].rating(game).rating

    def build(self, space: Space) -> None:
        """Make the rows on a card in the middle of `space`."""
        px, palette, room = self.host.theme.px, self.host.theme.palette, space.rest
        height = px(HEAD + PADDING) + len(self.names) * px(ROW + GAP)
        self.card = pygame.Rect(0, 0, min(room.width, px(620)), min(room.height, height))
        self.card.center = room.center
        space = Space(self.card.inflate(-2 * px(PADDING), 0), px(GAP))
        self.widgets.box(self.card, palette.panel, 12, palette.line)
        head = Space(space.top(px(HEAD)).inflate(-2 * px(12), 0), px(8))
        self.widgets.label(head.right(px(64)), "Elo", 14, palette.quiet, align="right")
        self.widgets.label(head.rest, t("level.choose"), 20, bold=True)
        high = min(px(ROW), (space.rest.height - px(PADDING)) // len(self.names) - px(GAP))
        for name in self.names:
            rect = space.top(high)
            key = f"level{self.side}.{name.removeprefix('level:')}"
            tip, press = elo_basis(self.game), partial(self._choose, name)
            self.widgets.button(key, rect, "", press, style="@row", tip=tip, chosen=name == self._chosen)
            self._build_row(Space(rect.inflate(-2 * px(12), 0), px(8)), name)

    def _build_row(self, space: Space, name: str) -> None:
        theme, palette, px = self.host.theme, self.host.theme.palette, self.host.theme.px
        label = partial(self.widgets.label, over=True)
        even, chosen = name == EVEN, name == self._chosen
        quiet = palette.text if chosen else palette.quiet  # for contrast
        points = self._elo(name)
        label(space.right(px(64)), f"{points:.0f}" if points else "", align="right")
        number, numbered = space.left(px(24)), is_level(name) and not even
        if numbered:
            label(number, name.removeprefix("level:"), 16, quiet)
        else:
            image = icon("person" if even else "computer", px(18), palette.accent)
            self.widgets.paint(lambda surface: surface.blit(image, image.get_rect(midleft=number.midleft)), over=True)
        title = level_name(self.game, int(number_of(name))) if numbered else seat_label(self.game, name)
        colour = palette.accent if even and not chosen else palette.text
        label(space.left(px(124)), title, 16, colour, bold=True)
        about = about_level(self.game, name)
        if width_of(theme, about, 14) <= space.rest.width:  # not in a small window
            label(space.rest, about, 14, quiet)

    def _elo(self, name: str) -> float | None:
        """Return the Elo of a level; None for the engine, whose strength depends on its time."""
        known = elo(name, self.game)
        return self._rating if name == EVEN else None if known is None else known.elo

    def about(self) -> str:
        """The basis of the Elo figures."""
        return elo_basis(self.game)


def about_level(game: str, name: str) -> str:
    """Return a short description of a level, or of the engine."""
    if not is_level(name):
        return t("level.full.about")
    if name == EVEN:
        return t("level.even.about")
    number = f"{number_of(name):.0f}"
    return first_text(f"level.{game}.{number}.about", f"level.{number}.about")


def elo_basis(game: str) -> str:
    """Return the basis of the Elo figures of `game`, in a sentence."""
    return t("level.elo_basis", level=opponents(game).anchor, elo=f"{ANCHOR_ELO:.0f}")


def draw_level(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, game: str, player: str) -> None:
    """Draw the chosen player on the button that opens the menu."""
    palette = theme.palette
    space = Space(rect.inflate(-2 * theme.px(14), 0), theme.px(8))
    arrow = icon("down", theme.px(16), palette.quiet)
    surface.blit(arrow, arrow.get_rect(center=space.right(theme.px(16)).center))
    if (known := elo(player, game)) is not None:
        points = f"Elo {known.elo:.0f}"
        write(surface, theme, points, space.right(width_of(theme, points, 14) + 1), 14, palette.quiet, align="right")
    label = seat_label(game, player)
    label = label if width_of(theme, label, 16) <= space.rest.width else t("seat.engine.short")
    write(surface, theme, label, space.rest, 16)
