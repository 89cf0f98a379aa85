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
from ui.toolkit.box_art import rounded
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
        self._rows: list[tuple[pygame.Rect, str]] = []

    def build(self, room: pygame.Rect) -> None:
        """Make the rows on a card in the middle of `room`."""
        px = self.host.theme.px
        height = px(HEAD + PADDING) + len(self.names) * px(ROW + GAP)
        self.card = pygame.Rect(0, 0, min(room.width, px(620)), min(room.height, height))
        self.card.center = room.center
        space = Space(self.card.inflate(-2 * px(PADDING), 0), px(GAP))
        self.head = space.top(px(HEAD))
        high = min(px(ROW), (space.rest.height - px(PADDING)) // len(self.names) - px(GAP))
        self._rows = [(space.top(high), name) for name in self.names]
        for rect, name in self._rows:
            key = f"level{self.side}.{name.removeprefix('level:')}"
            tip, press = elo_basis(self.game), partial(self._choose, name)
            self.widgets.button(key, rect, "", press, style="@row", tip=tip, chosen=name == self._chosen)

    def draw_under(self, surface: pygame.Surface) -> None:
        """Draw the card; the rows on it are widgets."""
        theme = self.host.theme
        rounded(surface, self.card, theme.palette.panel, theme.px(12), theme.palette.line)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw what stands on the rows."""
        theme, px = self.host.theme, self.host.theme.px
        head = Space(self.head.inflate(-2 * px(12), 0), px(8))
        write(surface, theme, "Elo", head.right(px(64)), 14, theme.palette.quiet, align="right")
        write(surface, theme, t("level.choose"), head.rest, 20, bold=True)
        for rect, name in self._rows:
            self._draw_row(surface, Space(rect.inflate(-2 * px(12), 0), px(8)), name)

    def _draw_row(self, surface: pygame.Surface, space: Space, name: str) -> None:
        theme, palette = self.host.theme, self.host.theme.palette
        px = theme.px
        even, chosen = name == EVEN, name == self._chosen
        quiet = palette.text if chosen else palette.quiet  # for contrast
        points = self._elo(name)
        write(surface, theme, f"{points:.0f}" if points else "", space.right(px(64)), 16, palette.text, align="right")
        number, numbered = space.left(px(24)), is_level(name) and not even
        if numbered:
            write(surface, theme, name.removeprefix("level:"), number, 16, quiet)
        else:
            image = icon("person" if even else "computer", px(18), palette.accent)
            surface.blit(image, image.get_rect(midleft=number.midleft))
        label = level_name(self.game, int(number_of(name))) if numbered else seat_label(self.game, name)
        colour = palette.accent if even and not chosen else palette.text
        write(surface, theme, label, space.left(px(124)), 16, colour, bold=True)
        about = about_level(self.game, name)
        if width_of(theme, about, 14) <= space.rest.width:  # not in a small window
            write(surface, theme, about, space.rest, 14, quiet)


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
