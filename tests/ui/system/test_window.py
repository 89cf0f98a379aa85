"""Where a window stands, and whether there is one at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from ui.system.settings import Settings
from ui.system.window import reachable, remembered_size

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
