"""Take over the texts of a file that was read again in another encoding, into a record that was edited meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any, TypeVar

from games.about import About
from games.record import GameRecord, Node

T = TypeVar("T")


class Rereading:
    """`before` and `after` are the same file, read in two encodings. `fits` tells whether their moves are the same, so
    that nothing but texts differs."""

    def __init__(self, before: GameRecord, after: GameRecord) -> None:
        self.before, self.after = before, after
        old, new = list(before.nodes()), list(after.nodes())
        self.fits = before.setup == after.setup and before.stones == after.stones and _shape(old) == _shape(new)

    def apply(self, record: GameRecord) -> Callable[[], None] | None:
        """Replace each text of `record` that is as it was `before` by the one `after`; what a person has changed stays.
        Return what reverts that; None if nothing differs. The readings must fit."""
        here, before, after = record, self.before, self.after
        changed: list[Callable[[], None]] = []
        for node, old, new in self._nodes(record):
            texts = node.comment, node.marks, node.extra
            others = (
                _merged(node.comment, old.comment, new.comment), _merged(node.marks, old.marks, new.marks),
                _merged(node.extra, old.extra, new.extra),
            )  # fmt: skip
            if texts != others:
                changed.append(partial(_write, node, *texts))
                _write(node, *others)
        said = record.about, record.names, record.date
        record.about = _merged_about(here.about, before.about, after.about)
        first, second = map(_merged, here.names, before.names, after.names)
        record.names, record.date = (first, second), _merged(here.date, before.date, after.date)
        if said != (record.about, record.names, record.date):
            changed.append(partial(_say, record, *said))
        return partial(_run, changed) if changed else None

    def _nodes(self, record: GameRecord) -> Iterator[tuple[Node, Node, Node]]:
        """Yield each node of the file that `record` still has, with those of both readings."""
        waiting = [(record.root, self.before.root, self.after.root)]
        while waiting:
            node, old, new = waiting.pop()
            yield node, old, new
            present = {child.move: child for child in node.children}
            for before, after in zip(old.children, new.children, strict=True):
                if (child := present.get(before.move)) is not None:
                    waiting.append((child, before, after))


def _shape(nodes: list[Node]) -> list[tuple[int | None, int]]:
    return [(node.move, len(node.children)) for node in nodes]


def _merged(present: T, before: T, after: T) -> T:
    return after if present == before else present


def _merged_about(present: About, before: About, after: About) -> About:
    merged: dict[str, Any] = {}
    for each in fields(About):
        values = [getattr(about, each.name) for about in (present, before, after)]
        merged[each.name] = tuple(map(_merged, *values)) if isinstance(values[0], tuple) else _merged(*values)
    return replace(present, **merged)


def _write(node: Node, comment: str, marks: Any, extra: Any) -> None:
    node.comment, node.marks, node.extra = comment, marks, extra


def _say(record: GameRecord, about: About, names: tuple[str, str], date: str) -> None:
    record.about, record.names, record.date = about, names, date


def _run(actions: list[Callable[[], None]]) -> None:
    for action in actions:
        action()
