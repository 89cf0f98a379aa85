"""A scene with a grid of cards: a cursor, a selection and scrolling, by mouse and keyboard."""

from __future__ import annotations

import time

import pygame

from ui.host import Host
from ui.parts.cards import Cards
from ui.scene import Scene
from ui.toolkit.keys import Binding

CARD_KEYS = (
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

_MOVES = (
    pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN, pygame.K_HOME, pygame.K_END, pygame.K_PAGEUP,
    pygame.K_PAGEDOWN,
)  # fmt: skip

_WHEEL = 96  # design pixels a notch of the wheel scrolls
_TWICE = 0.4  # seconds between the clicks of a double click


class CardScene(Scene):
    """`build` makes `cards`. The bindings of a subclass begin with `CARD_KEYS`."""

    cards: Cards

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.hover: tuple[int, int] | None = None
        self.extend = False  # whether the cursor selects what it passes
        self._clicked_at = (0.0, -1)

    def moved(self) -> None:
        """The cursor is about to move."""

    def opened(self) -> None:
        """The card at the cursor was double-clicked."""

    def asked(self, pixel: tuple[int, int]) -> None:
        """The card at the cursor was clicked with the right button: it wants a menu there."""

    # Input.

    def key(self, event: pygame.event.Event) -> bool:
        """Shift with a key that moves the cursor selects what lies between."""
        self.extend = bool(event.mod & pygame.KMOD_SHIFT) and event.key in _MOVES
        if self.extend:
            mod = event.mod & ~pygame.KMOD_SHIFT
            event = pygame.event.Event(event.type, key=event.key, mod=mod, unicode=event.unicode)
        return super().key(event)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            self.hover = event.pos
            return self.cards.drag(event.pos)
        if event.type == pygame.MOUSEWHEEL:
            self.cards.scroll(-event.y * self.host.theme.px(_WHEEL), self.host.settings.motion)
            return True
        if event.type == pygame.MOUSEBUTTONUP:
            self.cards.release()
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.widgets.focus = None
            return self.pressed(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_RIGHT:
            return self._ask(event.pos)
        return False

    def pressed(self, pixel: tuple[int, int]) -> bool:
        """Act on a click beside the widgets. Return whether it meant something."""
        if self.cards.press(pixel):
            return True
        index = self.cards.index_at(pixel)
        if index is not None:
            self._choose(index)
        return index is not None

    def _ask(self, pixel: tuple[int, int]) -> bool:
        """Ask for a menu of the card at `pixel`, or of all selected ones if it is among them."""
        index, selection = self.cards.index_at(pixel), self.cards.selection
        if index is None:
            return False
        self.moved()
        if selection.ids[index] not in selection.chosen:
            selection.move(index)
        self.asked(pixel)
        return True

    def _choose(self, index: int) -> None:
        """Select a card that was clicked: alone, with Ctrl in addition, with Shift all between; twice, it opens."""
        held, selection = self.host.modifiers, self.cards.selection
        now, (before, same) = time.monotonic(), self._clicked_at
        self._clicked_at = now, index
        self.moved()
        if held & (pygame.KMOD_CTRL | pygame.KMOD_META):
            selection.toggle(index)
            return
        selection.move(index, extend=bool(held & pygame.KMOD_SHIFT))
        if same == index and now - before < _TWICE:
            self._clicked_at = 0.0, -1
            self.opened()

    # The cursor.

    def _move(self, by: int) -> None:
        self._move_to(self.cards.selection.at + by)

    def _move_to(self, row: int) -> None:
        self.moved()
        self.cards.selection.move(row, self.extend)
        self.cards.reveal(self.cards.selection.at, self.host.settings.motion)

    def do_left(self) -> None:
        self._move(-1)

    def do_right(self) -> None:
        self._move(1)

    def do_up(self) -> None:
        if self.cards.selection.at >= self.cards.columns:
            self._move(-self.cards.columns)

    def do_down(self) -> None:
        self._move(self.cards.columns)

    def do_page_up(self) -> None:
        self._move(-self.cards.page)

    def do_page_down(self) -> None:
        self._move(self.cards.page)

    def do_first(self) -> None:
        self._move_to(0)

    def do_last(self) -> None:
        self._move_to(len(self.cards.selection.ids) - 1)

    def do_toggle(self) -> None:
        self.cards.selection.toggle()

    def do_all(self) -> None:
        self.cards.selection.all()
