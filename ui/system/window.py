"""The window itself: where it opens, how large it is, and what is remembered of both."""

from __future__ import annotations

import contextlib

import pygame

from ui.system.settings import Settings
from ui.toolkit.i18n import set_language, system_language
from ui.toolkit.icons import app_icon
from ui.toolkit.palette import PALETTES
from ui.toolkit.theme import Theme

SMALLEST = (960, 640)

_SHARE = 0.9  # of a display's height, for a window with its frame beside a bar of tasks

Size = tuple[int, int]


def open_window(settings: Settings, size: Size | None = None) -> pygame.Surface:
    """A window first, even for the full screen: that is what it comes back to. Without `size` it is as remembered."""
    surface = pygame.display.set_mode(size or remembered_size(settings), pygame.RESIZABLE)
    with contextlib.suppress(pygame.error, AttributeError):
        window = pygame.Window.from_display_module()
        window.minimum_size = SMALLEST
        if settings.displays == _displays():
            window.position = (settings.left, settings.top)
        if settings.full_screen:
            window.set_fullscreen(desktop=True)
    return pygame.display.get_surface() or surface


def fit_full_screen(settings: Settings) -> None:
    """Makes the window fill the screen or not, as the settings say: a new one would come back beside its old place."""
    with contextlib.suppress(pygame.error, AttributeError):
        window = pygame.Window.from_display_module()
        if settings.full_screen:
            window.set_fullscreen(desktop=True)
        else:
            window.set_windowed()
            window.size = remembered_size(settings)


def come_to_front() -> None:
    """Puts the window in front of all others, also one that is minimised."""
    with contextlib.suppress(pygame.error, AttributeError):
        window = pygame.Window.from_display_module()
        if not pygame.display.get_active():
            window.restore()
        window.focus()


def remembered_size(settings: Settings) -> Size:
    """The size in the settings; where the displays are others than it was chosen on, no larger than the first one."""
    size = settings.width, settings.height
    if settings.displays == _displays():
        return size
    width, height = pygame.display.get_desktop_sizes()[0]
    return _fitting(size, (width, round(height * _SHARE)))


def _fitting(size: Size, room: Size) -> Size:
    """`size` within `room`, but never less than `SMALLEST`."""
    return max(SMALLEST[0], min(size[0], room[0])), max(SMALLEST[1], min(size[1], room[1]))


def remember(settings: Settings, size: Size) -> None:
    """Notes where the window is and its `size`, but for the full screen."""
    if settings.full_screen:
        return
    settings.width, settings.height = size
    with contextlib.suppress(pygame.error, AttributeError):
        settings.left, settings.top = pygame.Window.from_display_module().position
        settings.displays = _displays()


def scale_of(settings: Settings, size: Size) -> float:
    """Real pixels per design pixel: as set, or by the display; never so large that a scene has no room."""
    wanted = settings.scale / 100
    if wanted == 0:
        heights = [height for _, height in pygame.display.get_desktop_sizes()]
        wanted = max(1.0, min(2.0, round(max(heights, default=0) / 1080 * 4) / 4))
    return min(wanted, size[0] / SMALLEST[0], size[1] / SMALLEST[1])


def _displays() -> str:
    """The displays there are: where others are, a remembered place may be on none of them."""
    return " ".join(f"{width}x{height}" for width, height in pygame.display.get_desktop_sizes())


class Window:
    """The open window with the theme that fits its size and the settings: a `Display`."""

    def __init__(self, settings: Settings, size: Size | None = None) -> None:
        self._settings = settings
        self._themes: dict[tuple[str, float, str], Theme] = {}
        pygame.display.set_icon(app_icon(64))
        pygame.display.set_caption("Tengen")
        self.surface = open_window(settings, size)
        self.fit()

    @property
    def size(self) -> Size:
        return self.surface.get_size()

    def fit(self) -> None:
        """Make the theme for the settings and the size of the window."""
        language = self._settings.language or system_language()
        set_language(language)
        wanted = self._settings.theme, scale_of(self._settings, self.size), language
        if wanted not in self._themes:  # keep only one: it has fonts and rendered texts of its own
            self._themes = {wanted: Theme(PALETTES[wanted[0]], *wanted[1:])}
        self.theme = self._themes[wanted]
        self._fitted = self.size

    def resized(self) -> bool:
        """Take the new surface after an event that says so. True if its size differs, and so may the theme."""
        self.surface = pygame.display.get_surface() or self.surface
        if self.size == self._fitted:
            return False
        self.fit()
        return True

    def toggle_full_screen(self) -> None:
        self.remember()
        self._settings.full_screen = not self._settings.full_screen
        fit_full_screen(self._settings)

    def remember(self) -> None:
        """Note in the settings where the window is."""
        remember(self._settings, self.size)
