"""`Screen`: a state and a list of parts, laid out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame

from games.position import Position
from games.record import GameRecord
from games.registry import Setup
from ui import screens
from ui.board.view import BoardView, Marks
from ui.system import event_log
from ui.toolkit.accessible import Texts
from ui.toolkit.keys import ENTER, repeats
from ui.toolkit.space import Space
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Group, ScreenFrame


class Screen(Group):
    """What fills the window. A screen lists its `parts`, the lowest first, and lays them out in `build`: in the space
    that it is given, and in the side panel, `frame.side`.

    No screen inherits from another one. `back` is the screen that Escape leads to; None for the one named `above`.
    """

    name = "screen"
    guide = "play"
    """The page of the guide that says most of it."""
    above = "home"
    """The name in `ui.screens` of the screen that Escape leads to if no other one has opened this one."""
    panel = True
    """Whether there is a side panel."""
    setup: Setup | None = None
    """That of the game it shows."""
    board: BoardView | None = None
    first_position: Position | None = None
    """The position whose moves a test may click on `board`."""

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__()
        self.host, self.back = host, back
        self.widgets = Widgets(host)
        self.frame = ScreenFrame(host, self.status_line, self.panel)
        self._shape: object = None  # when the parts were laid out

    def lay_out(self) -> None:
        """Build all parts. Called again when size, theme or the shape of a part change."""
        self.frame.build(Space(pygame.Rect((0, 0), self.host.size)))
        self.build(self.frame.main)
        self._shape = self.shape()

    @property
    def laid_out(self) -> bool:
        """Whether the shapes of all parts are still those of the last `lay_out`."""
        return self._shape == self.shape()

    def all_marks(self) -> Marks:
        """Return the marks of all parts for the board."""
        return self.marks(Marks())

    def status_line(self) -> tuple[str, bool]:
        """Return the text for the status line, and True if a person has asked for it, as for a hint."""
        hint = self.hint()
        return (hint, True) if hint else (self.status(), False)

    def go_back(self) -> None:
        """Show the screen `back`, or that named `above`."""
        if self.back is None:
            self.host.open(screens.SCREENS[self.above])
        else:
            self.host.show(self.back)

    def take_file(self, path: Path) -> bool:
        """Use a file that was dropped on the window. Return False if the window is to open it as a game."""
        return False

    def paste(self, record: GameRecord) -> bool:
        """Use a game that was pasted. Return False if the window is to show it in a replay."""
        return False


# Draw the screen and its overlay in layers, and pass events to the topmost.


class ScreenView:
    """Draws `screen` and the overlay of the `host`, and passes events to the one on top. `key` is called with keys that
    neither has used, and returns whether it has used them."""

    def __init__(self, host: Host, screen: Screen, key: Callable[[pygame.event.Event], bool]) -> None:
        self._host, self._key = host, key
        self.screen = screen
        self._down: int | None = None  # the key pressed last, while it is held

    def replace(self, screen: Screen) -> None:
        """Show another screen, and close the overlay. The screen before is not closed."""
        self.screen.widgets.clear()
        self.screen, self._host.overlay = screen, None
        self.build()
        screen.open()

    def build(self) -> None:
        """Lay the screen out again, with new widgets; keep the overlay."""
        self.screen.widgets.clear()
        self.screen.lay_out()
        event_log.scene(self.screen, built=True)

    # Drawing.

    def draw(self, surface: pygame.Surface, now: float, texts: Texts | None = None) -> None:
        """Draw the screen, its widgets, and the overlay above. `texts` collects those of the layer on top, for a screen
        reader; None if there is none."""
        if texts is not None:
            texts.begin(surface)
        surface.fill(self._host.theme.palette.background)
        self.screen.frame.draw(surface)
        self.screen.draw(surface, now)
        self.screen.widgets.update(now, None if self._host.overlay else pygame.mouse.get_pos())
        self.screen.widgets.draw(surface)
        self.screen.widgets.draw_over(surface)
        if self._host.overlay:
            if texts is not None:
                texts.begin(surface)
            self._host.overlay.draw(surface)
        event_log.scene(self.screen, built=False)

    @property
    def expectant(self) -> bool:
        """Whether widgets may change without an event: those of an overlay, one under the pointer, one whose tooltip is
        due, or a text field in use."""
        widgets = self.screen.widgets
        return self._host.overlay is not None or self._typing() or widgets.hovered or widgets.expects_tip

    # Events.

    def handle(self, event: pygame.event.Event) -> None:
        """Pass `event` to the overlay, or else to the widgets, the keys and the parts of the screen, in this order."""
        if event.type == pygame.KEYUP and event.key == self._down:
            self._down = None
        if event.type == pygame.KEYDOWN and self._is_unwanted_repeat(event):
            return
        if overlay := self._host.overlay:
            if not overlay.handle(event) and self._host.overlay is overlay:
                self._host.overlay = None
            return
        screen = self.screen
        if screen.widgets.handle(event):
            return
        if not (event.type == pygame.KEYDOWN and (screen.key(event) or self._key(event))):
            screen.handle(event)

    def _is_unwanted_repeat(self, event: pygame.event.Event) -> bool:
        """Return whether a key press is to be ignored as the repetition of a held key. Only some keys repeat; in text
        fields all but Enter.

        pygame repeats a key by time: after a slow frame also one that is up again, of which the event still waits.
        """
        again, self._down = event.key == self._down, event.key
        if not again:
            return False
        if not pygame.key.get_pressed()[event.key]:
            return True
        return not repeats(event) and (event.key in ENTER or not self._typing())

    def _typing(self) -> bool:
        """Return whether a text field has the keyboard focus."""
        return self._host.overlay.typing if self._host.overlay else self.screen.widgets.typing
