"""The keys that move the cursor through a grid of cards, and select."""

from __future__ import annotations

import pygame

from ui.game.library_state import LibraryState
from ui.host import Host
from ui.part import Part
from ui.parts.cards import Cards
from ui.toolkit.keys import Binding

_MOVES = (
    pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN, pygame.K_HOME, pygame.K_END, pygame.K_PAGEUP,
    pygame.K_PAGEDOWN,
)  # fmt: skip


class CardCursor(Part):
    bindings = (
        Binding(("left",), "do_left", "library.key.left"),
        Binding(("right",), "do_right", "library.key.right"),
        Binding(("up",), "do_up", "library.key.up"),
        Binding(("down",), "do_down", "library.key.down"),
        Binding(("pageup",), "do_page_up", "library.key.page_up"),
        Binding(("pagedown",), "do_page_down", "library.key.page_down"),
        Binding(("home",), "do_first", "library.key.first"),
        Binding(("end",), "do_last", "library.key.last"),
        Binding(("space",), "do_toggle", "library.key.toggle"),
        Binding(("ctrl+a",), "do_all", "library.key.all"),
    )

    def __init__(self, host: Host, state: LibraryState, cards: Cards) -> None:
        self._host, self._state, self._cards = host, state, cards
        self._selection = state.games.selection
        self._extend = False  # whether the cursor selects what it passes

    def key(self, event: pygame.event.Event) -> bool:
        """Shift with a key that moves the cursor selects what lies between."""
        self._extend = bool(event.mod & pygame.KMOD_SHIFT) and event.key in _MOVES
        if self._extend:
            mod = event.mod & ~pygame.KMOD_SHIFT
            event = pygame.event.Event(event.type, key=event.key, mod=mod, unicode=event.unicode)
        return super().key(event)

    def _move(self, by: int) -> None:
        self._move_to(self._selection.at + by)

    def _move_to(self, row: int) -> None:
        self._state.end_rename()
        self._selection.move(row, self._extend)
        self._cards.reveal(self._selection.at, self._host.settings.motion)

    def do_left(self) -> None:
        self._move(-1)

    def do_right(self) -> None:
        self._move(1)

    def do_up(self) -> None:
        if self._selection.at >= self._cards.columns:
            self._move(-self._cards.columns)

    def do_down(self) -> None:
        self._move(self._cards.columns)

    def do_page_up(self) -> None:
        self._move(-self._cards.page)

    def do_page_down(self) -> None:
        self._move(self._cards.page)

    def do_first(self) -> None:
        self._move_to(0)

    def do_last(self) -> None:
        self._move_to(len(self._selection.ids) - 1)

    def do_toggle(self) -> None:
        self._selection.toggle()

    def do_all(self) -> None:
        self._selection.all()
