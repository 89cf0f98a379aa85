"""The window: its place, size and theme, and what the settings remember of them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence

import pygame

from ui.system.preferences import SystemPreferences, is_on
from ui.system.screen_reader import HIDDEN_FIRST, ScreenReader
from ui.system.settings import Settings
from ui.toolkit.art import app_icon
from ui.toolkit.i18n import set_language, system_language
from ui.toolkit.theme import PALETTES, STRONG, Palette, Theme

SMALLEST = (960, 640)

_SHARE = 0.9  # of a display's height, for a window with its frame beside a task bar
_BAR, _GRASP = 24, 160  # pixels: height of a title bar, and how much of its width must be seen
_UNSEEN = ("dummy", "offscreen")
"""Video drivers that show nothing: SDL takes one of them where it reaches no display."""

_UNSUPPORTED = (pygame.error, AttributeError)
"""What `pygame.Window` raises with a video driver that lacks a function."""

Size = tuple[int, int]


def open_display() -> None:
    """Initialize pygame's display. Raise `pygame.error` if there is none. A video driver that shows nothing counts as
    none, unless SDL_VIDEODRIVER asks for it."""
    pygame.display.init()
    if not os.environ.get("SDL_VIDEODRIVER") and not is_seen():
        pygame.display.quit()
        places = [f"{name}={place}" for name in ("DISPLAY", "WAYLAND_DISPLAY") if (place := os.environ.get(name))]
        raise pygame.error(
            f"the display cannot be reached ({', '.join(places)}), or a library for it is missing" if places
            else "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set"
        )  # fmt: skip


def is_seen() -> bool:
    """Return whether the video driver shows a window to a person."""
    driver = pygame.display.get_driver() if pygame.display.get_init() else os.environ.get("SDL_VIDEODRIVER")
    return driver not in _UNSEEN


def come_to_front() -> None:
    """Raise the window above all others, and restore it if it is minimised; do nothing where that is impossible."""
    with contextlib.suppress(*_UNSUPPORTED):
        window = pygame.Window.from_display_module()
        if not pygame.display.get_active():
            window.restore()
        window.focus()


def remembered_size(settings: Settings) -> Size:
    """Return the window size of the settings. If the displays have changed since, or all of them together are smaller,
    reduce it to fit the first display, but not below `SMALLEST`."""
    width, height = settings.width, settings.height
    sizes = pygame.display.get_desktop_sizes()
    fits = width <= sum(w for w, _ in sizes) and height <= sum(h for _, h in sizes)
    if settings.displays == _display_sizes() and fits:
        return width, height
    widest, highest = sizes[0]
    return max(SMALLEST[0], min(width, widest)), max(SMALLEST[1], min(height, round(highest * _SHARE)))


def reachable(settings: Settings, sizes: Sequence[Size]) -> bool:
    """Return whether enough of a window's title bar could be seen for a person to drag it, if the window is where the
    settings remember it, and the displays have these `sizes`.

    The arrangement of the displays is not known: the second and later ones may be at any side of the first. Return True
    if any arrangement suffices.
    """
    (width, height), *others = sizes
    right, below = sum(w for w, _ in others), sum(h for _, h in others)
    area = pygame.Rect(-right, -below, right + width + right, below + height + below)
    bar = pygame.Rect(settings.left, settings.top - _BAR, settings.width, _BAR).clip(area)
    return bar.height >= _BAR // 2 and bar.width >= _GRASP


def scale_of(settings: Settings, size: Size) -> float:
    """Return real pixels per design pixel in a window of `size`: as set, or by the highest display if the setting is 0;
    at most so many that a screen has room."""
    wanted = settings.scale / 100
    if wanted == 0:
        heights = [height for _, height in pygame.display.get_desktop_sizes()]
        wanted = max(1.0, min(2.0, round(max(heights, default=0) / 1080 * 4) / 4))
    return min(wanted, size[0] / SMALLEST[0], size[1] / SMALLEST[1])


def _display_sizes() -> str:
    """Return the sizes of all displays as text, by which the settings recognise them."""
    return " ".join(f"{width}x{height}" for width, height in pygame.display.get_desktop_sizes())


class AppWindow:
    """The open window with the theme that fits its size and the settings: a `Display`."""

    theme: Theme

    def __init__(self, settings: Settings, system: SystemPreferences, size: Size | None, reader: ScreenReader) -> None:
        self._settings = settings
        self._system, self._reader = system, reader
        self._style: tuple[Palette, float, str] | None = None
        pygame.display.set_icon(app_icon(64))
        pygame.display.set_caption("Tengen")
        self.surface = self._open_window(size or remembered_size(settings))
        self.fit()

    def _open_window(self, size: Size) -> pygame.Surface:
        """Open a window in its remembered place, and attach the screen reader. Switch to the full screen only
        afterwards, so that it can be left for that window. Return the window's surface."""
        settings = self._settings
        if HIDDEN_FIRST:
            pygame.display.set_mode(size, pygame.RESIZABLE | pygame.HIDDEN)
            self._reader.attach()
        surface = pygame.display.set_mode(size, pygame.RESIZABLE)
        if not HIDDEN_FIRST and is_seen():
            self._reader.attach()
        with contextlib.suppress(*_UNSUPPORTED):
            window = pygame.Window.from_display_module()
            window.minimum_size = SMALLEST
            if settings.displays == _display_sizes() and reachable(settings, pygame.display.get_desktop_sizes()):
                window.position = (settings.left, settings.top)
            if settings.full_screen:
                window.set_fullscreen(desktop=True)
        return pygame.display.get_surface() or surface

    @property
    def corner(self) -> tuple[int, int]:
        """The top left corner of the window on the desktop; (0, 0) where it is not known."""
        with contextlib.suppress(*_UNSUPPORTED):
            left, top = pygame.Window.from_display_module().position
            return left, top
        return 0, 0

    @property
    def size(self) -> Size:
        """Size of the window in pixels."""
        return self.surface.get_size()

    def fit(self) -> None:
        """Set the language, and replace the theme if the settings, the system's preferences or the window's size ask
        for another one."""
        language = self._settings.language or system_language()
        set_language(language)
        style = self._palette(), scale_of(self._settings, self.size), language
        if style != self._style:
            self._style, self.theme = style, Theme(*style)
        self._fitted = self.size

    def _palette(self) -> Palette:
        """The colours that the settings ask for, or the system's preferences where a setting is empty."""
        settings, known = self._settings, self._system.known
        theme = settings.theme or ("paper" if known.dark is False else "ink")
        return (STRONG if is_on(settings.contrast, known.high_contrast, default=False) else PALETTES)[theme]

    def resized(self) -> bool:
        """Handle a resize event: take the new surface, and update the theme. Return False if the size has not
        changed."""
        self.surface = pygame.display.get_surface() or self.surface
        if self.size == self._fitted:
            return False
        self.fit()
        return True

    def toggle_full_screen(self) -> None:
        """Switch between full screen and window, and set the setting. The window stays the same one, so that it returns
        to its place."""
        self.remember()
        self._settings.full_screen = not self._settings.full_screen
        with contextlib.suppress(*_UNSUPPORTED):
            window = pygame.Window.from_display_module()
            if self._settings.full_screen:
                window.set_fullscreen(desktop=True)
            else:
                window.set_windowed()
                window.size = remembered_size(self._settings)

    def remember(self) -> None:
        """Set size and place in the settings; do nothing in full screen."""
        settings = self._settings
        if settings.full_screen:
            return
        settings.width, settings.height = self.size
        with contextlib.suppress(*_UNSUPPORTED):
            settings.left, settings.top = pygame.Window.from_display_module().position
            settings.displays = _display_sizes()
