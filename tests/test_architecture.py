"""The direction of the imports, games ← ai ← ui ← main, and what each layer must do without."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"games", "ai", "ui", "main", "assets", "tests"}
MAY_IMPORT = {
    "games": {"games"},
    "ai": {"ai", "games"},
    "ui": {"ui", "ai", "games", "assets"},
}
WINDOWS = {"pygame", "pygame_gui"}
MUST_DO_WITHOUT = {"games": WINDOWS | {"numpy", "numba"}, "ai": WINDOWS, "ui": set[str]()}


def imported(source: str, package: str) -> Iterator[str]:
    """The top-level package of every import in `source`, a module of `package`, wherever it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0] if node.level == 0 else package


def violations(layer: str, source: str) -> set[str]:
    names = set(imported(source, layer))
    return (names & OURS) - MAY_IMPORT[layer] | names & MUST_DO_WITHOUT[layer]


MODULES = sorted(path for layer in MAY_IMPORT for path in (ROOT / layer).rglob("*.py"))


def test_there_are_modules_to_look_at() -> None:
    assert ROOT / "games" / "record.py" in MODULES
    assert ROOT / "ai" / "player.py" in MODULES
    assert ROOT / "ui" / "__init__.py" in MODULES


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    assert violations(layer, path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize(
    ("layer", "source"),
    [
        ("games", "import ai.player"),
        ("games", "from ui import app"),
        ("games", "import numpy as np"),
        ("games", "def f():\n    import pygame.draw"),
        ("ai", "from ui.app import App"),
        ("ai", "import os, pygame"),
        ("ui", "import main"),
        ("ui", "from tests.games import strategies"),
    ],
)
def test_the_wrong_direction_is_noticed(layer: str, source: str) -> None:
    assert violations(layer, source)


@pytest.mark.parametrize(
    ("layer", "source"),
    [
        ("games", "from games.record import path\nimport platformdirs\nfrom . import line"),
        ("ai", "import numpy\nfrom games import position"),
        ("ui", "import pygame\nfrom ai.player import Limit"),
    ],
)
def test_the_right_direction_is_allowed(layer: str, source: str) -> None:
    assert violations(layer, source) == set()


def test_the_rules_load_without_numpy_or_pygame() -> None:
    """Nothing that games/ imports brings them in by another way."""
    modules = [path for path in MODULES if path.is_relative_to(ROOT / "games") and path.stem != "__init__"]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in modules]
    code = f"import sys, {', '.join(names)}; print({{'numpy', 'pygame', 'ai', 'ui'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
