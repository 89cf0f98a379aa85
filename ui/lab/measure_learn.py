"""Measures the screen that shows a search: `python -m ui.lab.measure_learn [--search KEY] [--position P] [--beside]`.

The search is that of tic-tac-toe from the empty board unless told otherwise. Prints the seconds until the first picture
and until all of the tree, how late frames began meanwhile and how long after they were due they were done, the same
while the tree is panned, zoomed and gone through, and the memory that the tree has taken. With `--beside`, the same of
the whole trees of minimax and of alpha-beta, one beside the other, while the pointer goes over them.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui import screens
from ui.lab.punctuality import Frames, frames, point, prepare_hidden

if TYPE_CHECKING:
    from ui.app import App
    from ui.window.screen import Screen

_SECONDS = 6.0  # of panning and zooming


def main() -> None:
    """Measure the search that the command line names, or two trees beside each other, and print the figures as JSON."""
    parser = argparse.ArgumentParser(description="Measures the screen that shows a search.")
    parser.add_argument("--search", default="minimax", help="a key of ai.search.comparison")
    parser.add_argument("--position", default="tictactoe", help="a position as lessons write them")
    parser.add_argument("--beside", action="store_true", help="minimax and alpha-beta beside each other")
    options = parser.parse_args()
    prepare_hidden()
    figures = measure_beside(options.position) if options.beside else measure_learn(options.search, options.position)
    print(json.dumps(figures, indent=1))


def measure_learn(key: str, position: str) -> dict[str, Any]:
    """Figures by name."""
    import pygame

    from ai.explain.subject import Choice
    from ui.learn.learn import Learn
    from ui.learn.lesson_state import subject

    app, before = _app(), _memory_mb()
    began = time.monotonic()
    scene = Learn(app, subject=subject(position), choice=Choice(key))
    first = _shown(app, scene, began)
    explorer = scene.explorer
    building = frames(app, lambda: explorer.info is None, lambda number: point(app, 200 + number % 400, 300))
    whole = time.monotonic() - began
    middle = scene.tree.rect.center
    app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=middle, button=1))

    def move(number: int) -> None:
        """Pan, zoom in and out, and step."""
        point(app, middle[0] + number % 50, middle[1], held=True)
        if number % 4 == 0:
            scene.tree.camera.zoom_by(1.1 if number // 60 % 2 else 1 / 1.1, middle)
        if number % 30 == 0:
            explorer.step(997)

    until = time.monotonic() + _SECONDS
    moving = frames(app, lambda: time.monotonic() < until, move)
    app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=middle, button=1))
    figures = {"nodes": len(explorer.trace), **_figures(first, whole, before, building, moving)}
    scene.close()
    app.close()
    return figures


def measure_beside(position: str) -> dict[str, Any]:
    """Figures by name."""
    from ui.learn.compare import Compare
    from ui.learn.compare_state import TREES
    from ui.learn.lesson_state import record_of

    app, before, record = _app(), _memory_mb(), record_of(position)
    began = time.monotonic()
    scene = Compare(app, record, TREES)
    first = _shown(app, scene, began)
    trees = scene.state.trees

    def unfinished() -> bool:
        """Return whether the searches run, or nodes of the first tree are not laid out yet."""
        plans = scene.state.current_plans
        return not trees.finished or plans is None or plans.whole.count < len(trees.traces[0])

    building = frames(app, unfinished, lambda number: point(app, 100 + number % 600, 200))
    whole = time.monotonic() - began
    until = time.monotonic() + _SECONDS
    moving = frames(app, lambda: time.monotonic() < until,
                    lambda number: point(app, 100 + number % 600, 60 + number % 500))  # fmt: skip
    nodes = dict(zip(("nodes", "nodes_beside"), map(len, trees.traces), strict=True))
    figures = {**nodes, **_figures(first, whole, before, building, moving)}
    scene.close()
    app.close()
    return figures


def _app() -> App:
    """A window that has drawn its first pictures."""
    from ui.app import App
    from ui.system.settings import Settings

    app = App(Settings(), (1280, 800))
    app.open(screens.home)
    for _ in range(10):
        app.frame(time.monotonic())
    return app


def _shown(app: App, scene: Screen, began: float) -> float:
    """Show `scene`. Return the seconds until its first picture."""
    app.show(scene)
    app.frame(time.monotonic())
    return time.monotonic() - began


def _figures(first: float, whole: float, before: float, building: Frames, moving: Frames) -> dict[str, float]:
    """Return the figures by name: seconds until the first picture and the whole tree, MiB used since `before`, and the
    punctuality of the frames while the tree was built and while the pointer moved."""
    figures = {
        "first_picture_s": round(first, 3), "whole_tree_s": round(whole, 2),
        "memory_mb": round(_memory_mb() - before, 1),
    }  # fmt: skip
    named = {f"building_{name}": value for name, value in building.figures.items()}
    return figures | named | {f"moving_{name}": value for name, value in moving.figures.items()}


def _memory_mb() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
