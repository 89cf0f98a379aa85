"""The games of the library as a scrolling grid of cards, each with picture, name, players and result; only visible
cards are drawn. Besides, the two buttons for a new game and for opening a file."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pygame

from games.library.index import Entry
from games.storage import saves_home
from ui import screens
from ui.board.pictures import PICTURE, Thumbnails
from ui.toolkit.art import clipped, draw_progress, icon, rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns, knob
from ui.toolkit.text_line import Selection
from ui.toolkit.theme import Colour, Display, Theme, mix
from ui.toolkit.typesetting import width_of, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part
from ui.words.file_words import day_text, entry_players, entry_result, entry_review, entry_title, file_sentence

CARD, GAP, BAR, PADDING, NARROWEST = 116, 12, 14, 12, 280
"""Design pixels: height of a card, room between cards, width of the scroll bar, room inside a card, and the least width
of two cards side by side where there is no room for more."""

_MOST_LINES = 5
_GLIDE = 0.055  # seconds for two thirds of a scroll
_CACHED = 72  # cached cards
BUDGET = 0.004  # seconds of a frame for new cards; at least one is drawn
_LONGEST_STEP = 0.05  # seconds, so that a late frame does not make the list jump


class _CardState(NamedTuple):
    """The cache key of a card: everything that its picture depends on."""

    entry: Entry
    chosen: bool
    at_cursor: bool
    pointed: bool


class Cards:
    """A grid of a card for each game in `selection.ids`. `entries` has, by id, the entries of visible cards; a game
    without an entry is not drawn."""

    def __init__(
        self, display: Display, selection: Selection, entries: Mapping[int, Entry], thumbnails: Thumbnails
    ) -> None:
        self._display, self.theme = display, display.theme
        self.selection, self.entries, self.thumbnails = selection, entries, thumbnails
        self.rect = pygame.Rect()
        self.columns = 1
        self.progress: Mapping[Path, float] = {}
        """The progress of the games under review, from 0 to 1, by file."""
        self._wide, self._step = 0, 1
        self.top = 0.0
        """Pixels scrolled down."""
        self._goal = 0.0
        self._held: float | None = None  # grip on the handle while it is dragged
        self._then = 0.0
        self._cache: dict[_CardState, pygame.Surface] = {}
        self.waiting = False
        """Whether the last frame had no time for some of the cards."""

    def place(self, rect: pygame.Rect) -> None:
        """Lay the cards out in `rect`, keep the scroll position, and end a drag of the scroll bar."""
        before, self.theme, self.rect = self.theme, self._display.theme, rect.copy()
        px = self.theme.px
        room = rect.width - px(BAR)
        fitting = (room + px(GAP)) // (self._needed_width() + px(GAP))
        self.columns = max(1, fitting, min(2, (room + px(GAP)) // px(NARROWEST + GAP)))
        self._wide = (room - (self.columns - 1) * px(GAP)) // self.columns
        self._step = px(CARD + GAP)
        self._held = None
        self._cache.clear()
        self._scroll_to(self.top * self.theme.scale / before.scale, motion=False)

    # Where things are.

    def _needed_width(self) -> int:
        """The width of a card that has room for the result of a reviewed game."""
        widest = f"{t('library.result.lost')} · 100 % · {t('library.mistakes', count=10)}"
        return self.theme.px(PICTURE + 3 * PADDING) + width_of(self.theme, widest, 14)

    @property
    def _scroll_range(self) -> int:
        """How many pixels the grid can be scrolled down; 0 if all cards are in view."""
        rows = math.ceil(len(self.selection.ids) / self.columns)
        return max(0, rows * self._step - self.theme.px(GAP) - self.rect.height)

    @property
    def page(self) -> int:
        """The number of cards in as many whole rows as are in view, at least one row."""
        return max(1, self.rect.height // self._step) * self.columns

    def visible(self) -> range:
        """The indices of the cards in view, whole or in part."""
        first = int(self.top) // self._step
        last = math.ceil((self.top + self.rect.height) / self._step)
        return range(first * self.columns, min(last * self.columns, len(self.selection.ids)))

    def card(self, index: int) -> pygame.Rect:
        """The rectangle of a card, in pixels of the window, even if it is out of view."""
        row, column = divmod(index, self.columns)
        left = self.rect.left + column * (self._wide + self.theme.px(GAP))
        return pygame.Rect(left, self.rect.top + row * self._step - round(self.top), self._wide, self.theme.px(CARD))

    def index_at(self, pixel: tuple[int, int]) -> int | None:
        """The index of the card under `pixel`; None if there is none."""
        if not self.rect.collidepoint(pixel):
            return None
        return next((index for index in self.visible() if self.card(index).collidepoint(pixel)), None)

    # Scrolling.

    def scroll(self, pixels: float, motion: bool) -> None:
        """Scroll down by so many pixels, up if negative; as an animation if `motion`."""
        self._scroll_to(self._goal + pixels, motion)

    def reveal(self, index: int, motion: bool) -> None:
        """Scroll just as far as needed to bring the card into view; as an animation if `motion`."""
        top = index // self.columns * self._step
        bottom = top + self.theme.px(CARD) - self.rect.height
        self._scroll_to(min(max(self._goal, bottom), top), motion)

    def _scroll_to(self, goal: float, motion: bool) -> None:
        """Scroll to `goal` pixels from the top, within the range; as an animation if `motion`."""
        self._goal = max(0.0, min(goal, float(self._scroll_range)))
        if not motion:
            self.top = self._goal

    @property
    def moving(self) -> bool:
        """Whether a scroll animation is running."""
        return self.top != self._goal

    def update(self, now: float) -> None:
        """Advance the scroll animation."""
        step, self._then = min(now - self._then, _LONGEST_STEP), now
        self._goal = min(self._goal, float(self._scroll_range))
        self.top += (self._goal - self.top) * (1 - math.exp(-step / _GLIDE))
        if abs(self._goal - self.top) < 0.5:
            self.top = self._goal

    def scroll_handle(self) -> pygame.Rect | None:
        """The handle of the scroll bar; None if everything is in view."""
        px, track = self.theme.px, self.rect
        whole = self._scroll_range + track.height
        return knob(track, px(BAR - 4), self.top, track.height, whole, px(36)) if self._scroll_range else None

    def press(self, pixel: tuple[int, int]) -> bool:
        """Start dragging the scroll bar if `pixel` is on it. Return whether it is."""
        handle = self.scroll_handle()
        if handle is None or not self.rect.collidepoint(pixel) or pixel[0] < handle.left:
            return False
        self._held = pixel[1] - handle.top if handle.collidepoint(pixel) else handle.height / 2
        self.drag(pixel)
        return True

    def drag(self, pixel: tuple[int, int]) -> bool:
        """Scroll as the dragged scroll bar is moved to `pixel`. Return False if it is not being dragged."""
        handle = self.scroll_handle()
        if self._held is None or handle is None:
            return False
        share = (pixel[1] - self._held - self.rect.top) / max(1, self.rect.height - handle.height)
        self._scroll_to(share * self._scroll_range, motion=False)
        return True

    def release(self) -> None:
        """End the drag of the scroll bar."""
        self._held = None

    # Picture.

    def draw(self, surface: pygame.Surface, hover: tuple[int, int] | None) -> None:
        """Draw the visible cards and the scroll bar. The card at the pixel `hover` is highlighted; None for none."""
        with clipped(surface, self.rect):
            self._draw_visible(surface, hover)
            handle = self.scroll_handle()
            if handle is not None:
                palette = self.theme.palette
                colour = mix(palette.line, palette.quiet, 0.8 if self._held is not None else 0.4)
                rounded(surface, handle.inflate(-self.theme.px(3), 0), colour, self.theme.px(3))

    def _draw_visible(self, surface: pygame.Surface, hover: tuple[int, int] | None) -> None:
        """Draw the cards in view. Render new ones until `BUDGET` is spent; `waiting` is whether some are left for later
        frames."""
        pointed = self.index_at(hover) if hover is not None and self._held is None else None
        self.waiting, until = False, math.inf
        for index in self.visible():
            entry = self.entries.get(self.selection.ids[index])
            if entry is None:
                continue
            state = _CardState(entry, entry.id in self.selection.chosen, index == self.selection.at, index == pointed)
            card = self._cache.pop(state, None)
            if card is None and time.perf_counter() < until:
                until = min(until, time.perf_counter() + BUDGET)
                card = self._render_card(state)
            self._draw_card(surface, self.card(index), state, card)

    def _draw_card(
        self, surface: pygame.Surface, box: pygame.Rect, state: _CardState, card: pygame.Surface | None
    ) -> None:
        """Draw the rendered `card` at `box`, and over it its thumbnail, progress and tick. Without one, draw an empty
        card."""
        theme, entry = self.theme, state.entry
        if card is None:
            self.waiting = True
            rounded(surface, box, theme.palette.panel, theme.px(8), theme.palette.line)
            return
        self._cache[state] = card  # last, since the first is the least recently used
        if len(self._cache) > _CACHED:
            del self._cache[next(iter(self._cache))]
        surface.blit(card, box)
        place, ground = self._thumbnail_rect(box), self._background(state)
        picture = self.thumbnails.picture(entry, place.width)
        if entry.problem is not None:
            draw_damaged(surface, theme, place, ground)
        elif picture is None:
            rounded(surface, place, mix(ground, theme.palette.line, 0.4), theme.px(4))
        else:
            surface.blit(picture, place)
        if entry.path in self.progress:
            px = theme.px
            bar = pygame.Rect(box.left + px(PADDING), box.bottom - px(8), box.width - 2 * px(PADDING), px(4))
            draw_progress(surface, theme.palette, bar, self.progress[entry.path])
        if state.chosen and len(self.selection.chosen) > 1:
            self._draw_tick(surface, (place.right - theme.px(4), place.bottom - theme.px(4)), ground)

    def _draw_tick(self, surface: pygame.Surface, middle: tuple[int, int], ground: Colour) -> None:
        """Draw the tick of a selected card."""
        palette, px = self.theme.palette, self.theme.px
        pygame.draw.aacircle(surface, ground, middle, px(13))
        pygame.draw.aacircle(surface, palette.accent, middle, px(11))
        tick = icon("check", px(16), palette.on_accent)
        surface.blit(tick, tick.get_rect(center=middle))

    def _render_card(self, state: _CardState) -> pygame.Surface:
        """Render the card without what `_draw_card` adds to it."""
        palette, px = self.theme.palette, self.theme.px
        surface = pygame.Surface((self._wide, px(CARD)))
        surface.fill(palette.background)
        box, ground = surface.get_rect(), self._background(state)
        edge = palette.accent if state.at_cursor else mix(palette.line, palette.accent, 0.5 * state.chosen)
        rounded(surface, box, ground, px(8), edge)
        text = box.inflate(-2 * px(PADDING), -2 * px(PADDING))
        left = self._thumbnail_rect(box).right + px(PADDING)
        self._write_lines(surface, pygame.Rect(left, text.top, text.right - left, text.height), state.entry)
        return surface

    def _background(self, state: _CardState) -> Colour:
        """The background colour of a card."""
        palette = self.theme.palette
        if state.chosen:
            return mix(palette.panel, palette.accent, 0.1)
        return palette.raised if state.pointed else palette.panel

    def _thumbnail_rect(self, box: pygame.Rect) -> pygame.Rect:
        """The place of the thumbnail in the box of a card."""
        px = self.theme.px
        return pygame.Rect(box.left + px(PADDING), box.top + px(PADDING), px(PICTURE), px(PICTURE))

    def _write_lines(self, surface: pygame.Surface, rect: pygame.Rect, entry: Entry) -> None:
        """Write the lines of a card; a long title takes two. A damaged file has the error in place of the others."""
        theme, palette = self.theme, self.theme.palette
        titles = wrapped(theme, entry_title(entry), rect.width, 16, bold=True)
        if len(titles) > 2:
            titles = titles[0], " ".join(titles[1:])
        lines = [(title, 16, palette.text) for title in titles]
        if entry.problem is not None:
            sentence = wrapped(theme, file_sentence(entry.problem, entry.path.name), rect.width, 14)
            lines += [(line, 14, palette.bad) for line in sentence[: _MOST_LINES - len(lines)]]
        else:
            below = " · ".join(filter(None, (day_text(entry.at), t("library.moves", count=entry.plies))))
            lines.append((entry_players(entry), 14, palette.text))
            lines.append((self._result_text(entry, rect.width), 14, result_colour(theme, entry)))
            lines.append((below, 14, palette.quiet))
        high = min(theme.px(23), rect.height // len(lines))
        space = Space(rect)
        for text, size, colour in lines:
            write(surface, theme, text, space.top(high), size, colour, bold=size == 16)

    def _result_text(self, entry: Entry, width: int) -> str:
        """The result of a game, followed by as much of its review as `width` pixels have room for."""
        ended, reviewed = entry_result(entry), entry_review(entry)
        whole = (f"{ended} · {reviewed}", f"{ended} · {reviewed.partition(' · ')[0]}")
        return next((text for text in whole if reviewed and width_of(self.theme, text, 14) <= width), ended)


def result_colour(theme: Theme, entry: Entry) -> Colour:
    """The colour of a result, as good or bad for the only person in the game; neutral where there is none."""
    palette = theme.palette
    colours = {"won": palette.good, "lost": palette.bad, "unfinished": palette.info, "damaged": palette.bad}
    return colours.get(entry.result, palette.text)


def draw_damaged(surface: pygame.Surface, theme: Theme, place: pygame.Rect, ground: Colour) -> None:
    """Draw a cross in the place of the picture of a game that cannot be read."""
    rounded(surface, place, mix(ground, theme.palette.line, 0.4), theme.px(4))
    cross = icon("close", theme.px(32), theme.palette.bad)
    surface.blit(cross, cross.get_rect(center=place.center))


_HEIGHT = 40  # design pixels


class NewOrOpen(Part):
    """A row of two buttons: a new game, and opening a file. While `first` returns True, the new game is the primary
    button."""

    def __init__(self, host: Host, widgets: Widgets, first: Callable[[], bool] = lambda: True) -> None:
        self._host, self._widgets, self._first = host, widgets, first
        self.bindings = (
            Binding(("ctrl+n",), partial(host.open, screens.setup), "keys.new"),
            Binding(("ctrl+o",), partial(host.choose_file, saves_home(), host.open_file), "keys.open"),
        )

    def build(self, space: Space) -> None:
        """Take the row of the two buttons from the top of the space."""
        left, right = columns(space.top(self._host.theme.px(_HEIGHT)), 2, self._host.theme.px(8))
        button, (new, choose) = self._widgets.button, self.bindings
        button("new", left, t("home.new_game"), new, style="@primary" if self._first() else "")
        button("open", right, t("home.open"), choose)
