"""Describe the system and the places of our files, for problem reports."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from games.storage import cache_home, config_home, data_home, log_home
from ui.toolkit.resources import resource

_PACKAGES = ("pygame-ce", "numpy", "platformdirs", "numba", "filelock", "accesskit")


def diagnose(program: str) -> str:
    """Return lines of a name and a value: versions, engine, files, displays and sound. `program` is our version."""
    return _table([*_versions(program), ("engine", _engine()), *_paths(), *_display_facts(), ("sound", _sound())])


def quick_diagnosis(program: str) -> str:
    """Return the lines of `diagnose` but those of engine, fonts, displays and sound. Takes no time; any thread may call
    it while the window is open."""
    return _table([*_versions(program), *_paths()])


def _table(facts: list[tuple[str, str]]) -> str:
    """Format each (name, value) as a line."""
    return "\n".join(f"{name:<14}{value}" for name, value in facts)


def _versions(program: str) -> list[tuple[str, str]]:
    """Our version `program`, and those of Python, the system and the packages we use."""
    return [
        ("tengen", program),
        ("python", f"{platform.python_version()} ({'packaged' if getattr(sys, 'frozen', False) else sys.executable})"),
        ("system", f"{platform.platform()}, {os.cpu_count()} processors"),
        *((name, _version(name)) for name in _PACKAGES),
    ]


def _paths() -> list[tuple[str, str]]:
    """The paths of our folders, the settings and the log."""
    return [
        ("data", str(data_home())),
        ("settings", str(config_home() / "settings.json")),
        ("cache", str(cache_home())),
        ("log", str(log_home() / "tengen.log")),
    ]


def _engine() -> str:
    """Describe how the engine's kernels run, such as compiled or as Python, and where they are loaded from."""
    from ai.system.compiler.backend import describe

    return describe()


def _version(package: str) -> str:
    """The installed version of a package, or a note that it is missing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _display_facts() -> list[tuple[str, str]]:
    """The version of SDL, the font files, and the sizes of the displays, or why there are none."""
    import pygame

    from ui.toolkit.theme import font_file

    fonts = ", ".join(_font(font_file(bold)) for bold in (False, True))
    facts = [("sdl", ".".join(map(str, pygame.get_sdl_version()))), ("fonts", fonts)]
    try:
        pygame.display.init()
        sizes = ", ".join(f"{width}×{height}" for width, height in pygame.display.get_desktop_sizes())
        facts.append(("displays", f"{sizes} ({pygame.display.get_driver()})"))
    except pygame.error as error:
        facts.append(("displays", f"none: {error}"))
    return facts


def _font(file: Path) -> str:
    """The name of our font file, or the path of the file that replaces it."""
    return file.name if file.parent == resource("fonts") else f"{file} (ours is missing or damaged)"


def _sound() -> str:
    """Describe the sound device and our sound files."""
    from ui.system.sound import describe_sound

    return describe_sound()
