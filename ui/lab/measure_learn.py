"""Measures the screen that shows a search: `python -m ui.lab.measure_learn [--search KEY] [--position P]`.

The search is that of tic-tac-toe from the empty board unless told otherwise. Prints the seconds until the first picture
and until all of the tree, how late frames began meanwhile and how long after they were due they were done, the same
while the tree is panned, zoomed and gone through, and the memory that the tree has taken.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

from ui.lab.punctuality import FRAME, frames
from ui.start import prepare

_SECONDS = 6.0  # of panning and zooming


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the screen that shows a search.")
    parser.add_argument("--search", default="minimax", help="a key of ai.search.variants")
    parser.add_argument("--position", default="tictactoe", help="a position as lessons write them")
    options = parser.parse_args()
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    prepare()
    print(json.dumps(measure_learn(options.search, options.position), indent=1))


def measure_learn(key: str, position: str) -> dict[str, Any]:
    """Figures by name."""
    import pygame

    from ai.explorer import Choice
    from ui.app import App
    from ui.game.lesson import subject
    from ui.screens.learn import Learn
    from ui.system.settings import Settings

    app = App(Settings(), (1280, 800))
    app.open("home")
    for _ in range(10):
        app.frame(time.monotonic(), FRAME)
    before = _memory_mb()
    began = time.monotonic()
    scene = Learn(app, subject=subject(position), choice=Choice(key))
    app.show(scene)
    app.frame(time.monotonic(), FRAME)
    first = time.monotonic() - began
    explorer = scene.explorer

    def motion(pixel: tuple[int, int], buttons: tuple[int, int, int] = (0, 0, 0)) -> None:
        app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=pixel, rel=(3, 1), buttons=buttons))

    building = frames(app, lambda: explorer.info is None, lambda number: motion((200 + number % 400, 300)))
    whole = time.monotonic() - began
    middle = scene.tree.rect.center
    app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=middle, button=1))

    def move(number: int) -> None:
        """Pan, zoom in and out, and step."""
        motion((middle[0] + number % 50, middle[1]), (1, 0, 0))
        if number % 4 == 0:
            scene.tree.camera.zoom_by(1.1 if number // 60 % 2 else 1 / 1.1, middle)
        if number % 30 == 0:
            explorer.step(997)

    until = time.monotonic() + _SECONDS
    moving = frames(app, lambda: time.monotonic() < until, move)
    app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=middle, button=1))
    figures = {
        "nodes": len(explorer.trace), "first_picture_s": round(first, 3), "whole_tree_s": round(whole, 2),
        "memory_mb": round(_memory_mb() - before, 1),
    }  # fmt: skip
    named = {f"building_{name}": value for name, value in building.figures.items()}
    named |= {f"moving_{name}": value for name, value in moving.figures.items()}
    scene.close()
    app.close()
    return figures | named


def _memory_mb() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
