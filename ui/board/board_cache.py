"""The pictures of boards, kept from screen to screen: a large board takes up to a quarter of a second to make.

`kept` gives those that there are, or makes them, and drops the oldest for which there is no room.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar

from ui.board.view import Frame

_ROOM = 9_000_000
"""Pixels of the boards that are kept, each of which has about three pictures: all that there is in a window of
2560×1440."""


class Art(Protocol):
    """The pictures of one board; most are made when they are drawn first."""

    def prepare(self) -> None:
        """See `BoardView.prepare`."""


A = TypeVar("A", bound=Art)

_made: OrderedDict[Hashable, tuple[int, Art]] = OrderedDict()
_lock = threading.Lock()


def kept(make: Callable[[], A], kind: type[A], count: int, frame: Frame) -> A:
    """The art of that `kind` for a board of `count` cells or bones in `frame`; `make` makes it if there is none."""
    key = (kind, count, tuple(frame.rect), frame.scale, frame.palette, frame.font)
    with _lock:
        if key in _made and isinstance(found := _made[key][1], kind):
            _made.move_to_end(key)
            return found
        made = make()
        _made[key] = min(frame.rect.size) ** 2, made
        while len(_made) > 1 and sum(pixels for pixels, _ in _made.values()) > _ROOM:
            _made.popitem(last=False)
        return made
