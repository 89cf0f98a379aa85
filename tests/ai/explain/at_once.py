"""A stream without a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


class AtOnce:
    """Its task has run at once; each look takes one item."""

    failed = False

    def __init__(self, _wake: object, task: Callable[..., Iterator[Any]], *arguments: Any) -> None:
        self.items = list(task(*arguments))

    @property
    def busy(self) -> bool:
        return bool(self.items)

    def take(self) -> list[Any]:
        found, self.items = self.items[:1], self.items[1:]
        return found

    def close(self) -> None:
        self.items = []


class Dead(AtOnce):
    """Its process has died before it sent anything, which the first look tells."""

    failed, busy = True, True

    def __init__(self, *_given: Any) -> None:
        self.items = []

    def take(self) -> list[Any]:
        self.busy = False
        return []
