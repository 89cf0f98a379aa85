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
    """Return several lines of text. `program` is our version."""
    return _table([*_program(program), ("engine", _engine()), *_places(), *_screen(), ("sound", _sound())])


def quick_diagnosis(program: str) -> str:
    """Return those lines of `diagnose` that take no time, on any thread of a program with a window: without engine,
    fonts, displays and sound."""
    return _table([*_program(program), *_places()])


def _table(facts: list[tuple[str, str]]) -> str:
    return "\n".join(f"{name:<14}{value}" for name, value in facts)


def _program(program: str) -> list[tuple[str, str]]:
    return [
        ("tengen", program),
        ("python", f"{platform.python_version()} ({'packaged' if getattr(sys, 'frozen', False) else sys.executable})"),
        ("system", f"{platform.platform()}, {os.cpu_count()} processors"),
        *((name, _version(name)) for name in _PACKAGES),
    ]


def _places() -> list[tuple[str, str]]:
    return [
        ("data", str(data_home())),
        ("settings", str(config_home() / "settings.json")),
        ("cache", str(cache_home())),
        ("log", str(log_home() / "tengen.log")),
    ]


def _engine() -> str:
    """How the kernels run, and where from."""
    from ai.system.compiler.backend import describe

    return describe()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _screen() -> list[tuple[str, str]]:
    """The versions and sizes of what shows the window: SDL, fonts, displays."""
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
    return file.name if file.parent == resource("fonts") else f"{file} (ours is missing or damaged)"


def _sound() -> str:
    from ui.system.sound import condition

    return condition()
