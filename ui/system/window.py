"""The window itself: where it opens, how large it is, and what is remembered of both."""

from __future__ import annotations

import contextlib

import pygame

from ui.system.settings import Settings

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
