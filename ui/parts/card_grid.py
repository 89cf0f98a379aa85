"""The games of the library as a grid of cards: what mouse and keys do to them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import pygame

from ui.game.library_state import CURSOR, TOP, LibraryState
from ui.host import Host
from ui.part import Entry, Part
from ui.parts.cards import Cards
from ui.parts.menu import open_menu
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.widgets import Widgets

_WHEEL = 96  # design pixels a notch of the wheel scrolls
_TWICE = 0.4  # seconds between the clicks of a double click


class CardGrid(Part):
    """A double click on a card calls `opened`; a right click opens a menu of `entries`."""

    def __init__(
        self, host: Host, widgets: Widgets, state: LibraryState, cards: Cards, opened: Callable[[], object],
        entries: Callable[[], Sequence[Entry]],
    ) -> None:  # fmt: skip
        self._host, self._widgets, self._state, self._cards = host, widgets, state, cards
        self._opened, self._entries = opened, entries
        self._hover: tuple[int, int] | None = None
        self._clicked_at = (0.0, -1)

    def build(self, space: Space) -> None:
        self._cards.place(space.rest)
        self._follow()

    def _follow(self) -> None:
        """Bring into sight what is wanted there, and load what is in sight."""
        state, cards = self._state, self._cards
        if state.wanted == TOP:
            cards.reveal(0, motion=False)
        elif state.wanted == CURSOR:
            cards.reveal(state.games.selection.at, self._host.settings.motion)
        state.wanted = ""
        state.games.load(cards.visible())

    # Time and picture.

    def update(self, now: float) -> None:
        self._cards.progress = self._state.review.progress
        self._cards.update(now)
        self._follow()
        self._cards.thumbnails.work()

    def wake(self, now: float) -> float | None:
        cards = self._cards
        return 0.0 if cards.moving or cards.waiting or cards.thumbnails.busy else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        self._cards.draw(surface, self._hover)

    def places(self) -> dict[str, tuple[int, int]]:
        ids, entries = self._state.games.selection.ids, self._state.games.entries
        shown = (index for index in self._cards.visible() if ids[index] in entries)
        return {f"game.{entries[ids[index]].name}": self._cards.card(index).center for index in shown}

    # The mouse.

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            self._hover = event.pos
            return self._cards.drag(event.pos)
        if event.type == pygame.MOUSEWHEEL:
            self._cards.scroll(-event.y * self._host.theme.px(_WHEEL), self._host.settings.motion)
            return True
        if event.type == pygame.MOUSEBUTTONUP:
            self._cards.release()
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._widgets.leave_focus()
            return self._press(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_RIGHT:
            return self._ask(event.pos)
        return False

    def _press(self, pixel: tuple[int, int]) -> bool:
        if self._cards.press(pixel):
            return True
        index = self._cards.index_at(pixel)
        if index is not None:
            self._choose(index)
        return index is not None

    def _choose(self, index: int) -> None:
        """Select a card that was clicked: alone, with Ctrl in addition, with Shift all between; twice, it opens."""
        held, selection = self._host.modifiers, self._state.games.selection
        self._state.end_rename()
        if held & (pygame.KMOD_CTRL | pygame.KMOD_META):
            selection.toggle(index)
            return
        now, (before, same) = time.monotonic(), self._clicked_at
        self._clicked_at = now, index
        selection.move(index, extend=bool(held & pygame.KMOD_SHIFT))
        if same == index and now - before < _TWICE:
            self._clicked_at = 0.0, -1
            self._state.games.load(self._cards.visible())
            self._opened()

    def _ask(self, pixel: tuple[int, int]) -> bool:
        """Open a menu for the card at `pixel`, or for all selected ones if it is among them."""
        index, selection = self._cards.index_at(pixel), self._state.games.selection
        if index is None:
            return False
        self._state.end_rename()
        if selection.ids[index] not in selection.chosen:
            selection.move(index)
        self._state.games.load(self._cards.visible())
        open_menu(self._host, pygame.Rect(pixel, (1, 1)), self._entries())
        return True


_MOVES = ("left", "right", "up", "down", "pageup", "pagedown", "home", "end")


class CardCursor(Part):
    """The keys that move the cursor through the cards, and select."""

    def __init__(self, host: Host, state: LibraryState, cards: Cards) -> None:
        self._host, self._state, self._cards = host, state, cards
        self._selection = state.games.selection
        self._extend = False  # whether the cursor selects what it passes
        self.bindings = (
            *(Binding((key,), partial(self._move, key), f"library.key.{key}") for key in _MOVES),
            Binding(("space",), self._selection.toggle, "library.key.toggle"),
            Binding(("ctrl+a",), self._selection.all, "library.key.all"),
        )

    def key(self, event: pygame.event.Event) -> bool:
        """Shift with a key that moves the cursor selects what lies between."""
        self._extend = bool(event.mod & pygame.KMOD_SHIFT) and event.key in map(pygame.key.key_code, _MOVES)
        if self._extend:
            mod = event.mod & ~pygame.KMOD_SHIFT
            event = pygame.event.Event(event.type, key=event.key, mod=mod, unicode=event.unicode)
        return super().key(event)

    def _move(self, key: str) -> None:
        """Move the cursor, as far as there are cards."""
        at, columns, page, whole = self._selection.at, self._cards.columns, self._cards.page, len(self._selection.ids)
        if key == "up" and at < columns:
            return
        steps = {"left": -1, "right": 1, "up": -columns, "down": columns, "pageup": -page, "pagedown": page,
                 "home": -whole, "end": whole}  # fmt: skip
        self._state.end_rename()
        self._selection.move(at + steps[key], self._extend)
        self._cards.reveal(self._selection.at, self._host.settings.motion)
