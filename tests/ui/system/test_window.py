"""Where a window stands, and whether there is one at all."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from ui.app import App
from ui.system.preferences import Preferences, SystemPreferences
from ui.system.settings import Settings
from ui.system.window import AppWindow, Size, come_to_front, open_display, reachable, remembered_size, scale_of
from ui.toolkit.theme import PALETTES, STRONG, Palette

ROOT = Path(__file__).parents[3]
ONE = [(1920, 1080)]
TWO = [(1920, 1080), (1280, 1024)]


@pytest.mark.parametrize(
    ("left", "top", "sizes", "expected"),
    [
        (100, 100, ONE, True),
        (0, 27, ONE, True),
        (-900, 100, ONE, True),  # the right part of the bar can be taken
        (1700, 100, ONE, True),
        (-1500, -900, ONE, False),
        (-1200, 100, ONE, False),
        (1850, 100, ONE, False),
        (100, -40, ONE, False),
        (100, 1100, ONE, False),
        (-1200, 100, TWO, True),  # the second may stand at the left of the first
        (100, -800, TWO, True),
        (2500, 100, TWO, True),
        (-2700, 100, TWO, False),
        (100, 2200, TWO, False),
        *((left, 100, ONE, left in (-1120, 1760)) for left in (-1121, -1120, 1760, 1761)),
        *((100, top, ONE, top in (12, 1092)) for top in (11, 12, 1092, 1093)),
        *((left, 100, TWO, left in (-2400, 3040)) for left in (-2401, -2400, 3040, 3041)),
        *((100, top, TWO, top in (-1012, 2116)) for top in (-1013, -1012, 2116, 2117)),
    ],
)
def test_a_title_bar_off_all_displays_was_restored(
    left: int, top: int, sizes: list[tuple[int, int]], expected: bool
) -> None:
    assert reachable(Settings(left=left, top=top), sizes) is expected


def test_a_window_larger_than_the_display_was_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: ONE)
    known = Settings(displays="1920x1080", width=9000, height=7000)
    assert remembered_size(known) == (1920, 972)
    assert remembered_size(Settings(displays="1920x1080", width=1900, height=1040)) == (1900, 1040)
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: TWO)
    wide = Settings(displays="1920x1080 1280x1024", width=3000, height=1000)
    assert remembered_size(wide) == (3000, 1000)
    whole = Settings(displays="1920x1080 1280x1024", width=3200, height=2104)
    assert remembered_size(whole) == (3200, 2104)
    assert remembered_size(Settings(displays=whole.displays, width=3200, height=2105)) == (1920, 972)
    assert remembered_size(Settings(displays=whole.displays, width=3201, height=900)) == (1920, 900)
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(800, 600)])
    assert remembered_size(Settings()) == (960, 640)


@pytest.mark.parametrize(("heights", "scale", "size", "expected"), [
    ((1080,), 0, (9600, 6400), 1.0), ((1440,), 0, (9600, 6400), 1.25), ((900, 1620), 0, (9600, 6400), 1.5),
    ((2160, 900), 0, (9600, 6400), 2.0), ((4320,), 0, (9600, 6400), 2.0), ((600,), 0, (9600, 6400), 1.0),
    ((), 0, (9600, 6400), 1.0), ((1080,), 150, (1440, 960), 1.5), ((1080,), 150, (1200, 960), 1.25),
    ((1080,), 150, (1440, 800), 1.25), ((2160,), 80, (960, 640), 0.8),
])  # fmt: skip
def test_the_scale_follows_the_highest_display_and_the_window(
    monkeypatch: pytest.MonkeyPatch, heights: tuple[int, ...], scale: int, size: tuple[int, int], expected: float
) -> None:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(1920, height) for height in heights])
    assert scale_of(Settings(scale=scale), size) == expected


@pytest.mark.parametrize(("theme", "contrast", "known", "palette"), [
    ("", "", Preferences(), PALETTES["ink"]), ("", "", Preferences(dark=True), PALETTES["ink"]),
    ("", "", Preferences(dark=False), PALETTES["paper"]), ("ink", "", Preferences(dark=False), PALETTES["ink"]),
    ("paper", "", Preferences(high_contrast=True), STRONG["paper"]), ("", "on", Preferences(), STRONG["ink"]),
    ("", "off", Preferences(high_contrast=True), PALETTES["ink"]),
    ("", "", Preferences(high_contrast=False), PALETTES["ink"]),
])  # fmt: skip
def test_colours_follow_the_settings_then_the_system(
    app: App, theme: str, contrast: str, known: Preferences, palette: Palette
) -> None:
    app.settings.theme, app.settings.contrast = theme, contrast
    app.system.known = known
    app.window.fit()
    assert app.theme.palette == palette
    before = app.theme
    app.window.fit()
    assert app.theme is before, "nothing has changed"


def test_a_resized_window_has_a_theme_of_its_size(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    app.settings.scale = 200
    window = app.window
    window.fit()
    assert not window.resized(), "the same size"
    monkeypatch.setattr(pygame.display, "get_surface", lambda: pygame.Surface((1440, 960)))
    built: list[bool] = []
    monkeypatch.setattr(app.view, "build", lambda: built.append(True))
    for kind in (pygame.WINDOWSIZECHANGED, pygame.WINDOWRESIZED):
        app.dispatch(pygame.event.Event(kind, x=1440, y=960))
    assert (built, window.resized()) == ([True], False)
    assert (window.size, window.theme.scale) == ((1440, 960), 1.5)
    monkeypatch.delattr(pygame, "Window")
    assert window.corner == (0, 0), "where its place is not known"


def test_a_full_screen_is_not_remembered_as_the_size(app: App) -> None:
    window, settings = app.window, app.settings
    window.remember()
    before = settings.width, settings.height, settings.displays
    assert before[:2] == window.size
    assert before[2]
    settings.width = 1111
    settings.full_screen = True
    window.remember()
    assert settings.width == 1111
    settings.full_screen = False
    window.toggle_full_screen()
    assert settings.full_screen
    window.toggle_full_screen()
    assert not settings.full_screen


@pytest.mark.parametrize(("driver", "seen", "place", "said"), [
    ("", False, "", "there is no display"), ("", False, ":9", r"cannot be reached \(DISPLAY=:9\)"),
    ("dummy", False, "", ""), ("", True, ":9", ""),
])  # fmt: skip
def test_a_display_that_nobody_sees_is_none_unless_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, driver: str, seen: bool, place: str, said: str
) -> None:
    for name, value in (("SDL_VIDEODRIVER", driver), ("DISPLAY", place), ("WAYLAND_DISPLAY", "")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("ui.system.window.is_seen", lambda: seen)
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    with pytest.raises(pygame.error, match=said) if said else nullcontext():
        open_display()


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Windows and macOS have a display")
@pytest.mark.parametrize("display", [{}, {"DISPLAY": ":4711"}, {"WAYLAND_DISPLAY": "wayland-4711"}])
def test_without_a_display_the_window_ran_for_ever_and_nobody_saw_it(tmp_path: Path, display: dict[str, str]) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SDL_", "DISPLAY", "WAYLAND"))}
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py")], env=clean | display | {"TENGEN_HOME": str(tmp_path)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    sentences = [line for line in done.stderr.splitlines() if "XDG_RUNTIME_DIR" not in line]  # SDL's own word
    assert done.returncode == 1
    assert len(sentences) == 1
    assert sentences[0].startswith("No window can be opened: ")
    assert all(name in sentences[0] for name in display)


class Placed:
    """Stands in for the window of pygame: what was set, and what was called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, shown: bool = True) -> None:
        self.__dict__["done"], self.position = [], (7, 9)
        self.done.clear()
        monkeypatch.setattr(pygame, "Window", SimpleNamespace(from_display_module=lambda: self))
        monkeypatch.setattr(pygame.display, "get_active", lambda: shown)

    def __setattr__(self, name: str, value: object) -> None:
        self.done.append((name, value))
        self.__dict__[name] = value

    def __getattr__(self, name: str) -> Any:
        return lambda **how: self.done.append((name, *how.items()))


@pytest.mark.parametrize(("shown", "done"), [(True, [("focus",)]), (False, [("restore",), ("focus",)])])
def test_a_window_comes_to_the_front(monkeypatch: pytest.MonkeyPatch, shown: bool, done: list[object]) -> None:
    window = Placed(monkeypatch, shown)
    come_to_front()
    assert window.done == done


@pytest.mark.parametrize(("hidden", "seen", "order"), [
    (True, True, ["hidden", "reader", "shown"]), (False, True, ["shown", "reader"]), (False, False, ["shown"]),
])  # fmt: skip
@pytest.mark.parametrize(("displays", "full"), [("1920x1080", False), ("1920x1080", True), ("800x600", False)])
def test_a_window_is_opened_where_it_was_and_with_the_reader_in_time(
    monkeypatch: pytest.MonkeyPatch, hidden: bool, seen: bool, order: list[str], displays: str, full: bool
) -> None:
    pygame.display.init()
    pygame.font.init()
    window, found, open_mode, icons = Placed(monkeypatch), list[str](), pygame.display.set_mode, list[Size]()
    monkeypatch.setattr("ui.system.window.HIDDEN_FIRST", hidden)
    monkeypatch.setattr("ui.system.window.is_seen", lambda: seen)
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: ONE)
    monkeypatch.setattr(pygame.display, "set_icon", lambda icon: icons.append(icon.get_size()))

    def opened(size: Size, flags: int) -> pygame.Surface:
        found.append("hidden" if flags & pygame.HIDDEN else "shown")
        assert flags & pygame.RESIZABLE
        return open_mode(size, flags)

    monkeypatch.setattr(pygame.display, "set_mode", opened)
    reader: Any = SimpleNamespace(attach=lambda: found.append("reader"))
    settings = Settings(displays=displays, left=50, top=60, full_screen=full, width=960, height=640)
    made = AppWindow(settings, SystemPreferences(), (960, 640), reader)
    assert (found, icons, made.size) == (order, [(64, 64)], (960, 640))
    placed = [("position", (50, 60))] if displays == "1920x1080" else []
    assert window.done == [("minimum_size", (960, 640)), *placed, *[("set_fullscreen", ("desktop", True))] * full]
    assert made.corner == ((50, 60) if placed else (7, 9))
    window.done.clear()
    for _ in range(2):
        made.toggle_full_screen()
    steps = [("set_fullscreen", ("desktop", True))], [("set_windowed",), ("size", (960, 640))]
    assert window.done == [*steps[full], *steps[not full]]
    made.remember()
    assert full or (settings.left, settings.top, settings.displays) == (*made.corner, "1920x1080")
