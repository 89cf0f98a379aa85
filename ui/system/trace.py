"""Tells another program what is on the screen: for tests with a real mouse, and for measurements.

With TENGEN_TRACE in the environment, each scene, message and first frame appends one line of JSON to the
file of that name. Without it nothing happens here.
"""

from __future__ import annotations

import json
import os
import time
from functools import cache
from pathlib import Path
from typing import Any, Protocol

_path = os.environ.get("TENGEN_TRACE", "")



class Shown(Protocol):
    """The parts of a scene that are told."""

    @property
    def name(self) -> str: ...

    @property
    def widgets(self) -> Any: ...

    def places(self) -> dict[str, tuple[int, int]]: ...


def _tell(**facts: Any) -> None:
    with Path(_path).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"time": time.time(), **facts}) + "\n")


def frame() -> None:
    """A frame is on the screen."""
    if _path:
        _tell_first_frame()


@cache
def _tell_first_frame() -> None:
    _tell(event="frame")


def message(text: str) -> None:
    if _path:
        _tell(event="message", text=text)


def dialog(widgets: Any) -> None:
    """A file dialog was opened: where its widgets are."""
    if _path:
        _tell(event="dialog", widgets={name: part.rect.center for name, part in widgets.elements.items()})


def scene(shown: Shown) -> None:
    """A scene was built: where the middle of each of its widgets and of each move on its board is."""
    if not _path:
        return
    places = {name: element.rect.center for name, element in shown.widgets.elements.items()}
    places |= shown.places()
    board = getattr(shown, "board", None)
    position = getattr(shown, "first_position", None)
    moves = {position.move_text(m): board.pixel_of(m) for m in position.legal_moves()} if board and position else {}
    _tell(event="scene", scene=shown.name, widgets=places, moves=moves)


def saved(file: Path, moves: int) -> None:
    """A game is on the disk with all its `moves`, including those that were taken back."""
    if _path:
        _tell(event="saved", file=str(file), moves=moves)


def menu(places: dict[str, tuple[int, int]]) -> None:
    """A menu was opened: where each of its values is."""
    if _path:
        _tell(event="menu", widgets=places)
