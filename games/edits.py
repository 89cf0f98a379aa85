"""Edits of a game by a reader, with undo: variations, comments, marks, and what is said of the game. And the set-up of
a starting position (`Arrangement`).

Each change is stored with its inverse; `GameRecord` itself has no undo history.

All changes of the tree of a game that is studied go through here; `ui.parts.study.EditedFile` writes them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, TypeVar

from games.position import FIRST, SECOND, IllegalMove, Position, Stones, cells_of
from games.record import About, GameRecord, Mark, Node, path
from games.registry import GAMES, Setup


@dataclass(frozen=True)
class Branch:
    """A tree of moves: a `move` and possible `replies` to it, of which the first is the main line."""

    move: int
    replies: tuple[Branch, ...] = ()


class Edits:
    """The edits of `record`, all made through here. `undo` reverts the last one."""

    def __init__(self, record: GameRecord) -> None:
        self.record = record
        self._inverses: list[Callable[[], None]] = []

    def __len__(self) -> int:
        """The number of changes that can be undone."""
        return len(self._inverses)

    def play(self, move: int) -> bool:
        """Play `move` at the cursor. Return whether this added a variation: False if the move was in the tree already.
        Raise `IllegalMove`."""
        here = self.record.cursor
        children, preferred = len(here.children), here.preferred
        node = self.record.play(move)
        if len(here.children) == children:
            return False
        self._inverses.append(partial(self._unplay, here, node, preferred))
        return True

    def _unplay(self, parent: Node, node: Node, preferred: int) -> None:
        """Inverse of playing `node`: remove it and restore the preferred child."""
        self.record.remove(node)
        parent.preferred = preferred
        self.record.go_to(parent)

    def graft(self, branch: Branch, comment: str) -> int:
        """Add a tree of moves at the cursor as one change, and append `comment` to the comment of its first move.
        Return how many moves are new. The cursor stays, and `redo` leads along the main line of `branch`. Raise
        `IllegalMove`; then nothing is changed."""
        here, changed = self.record.cursor, list[tuple[Node, int]]()
        added: list[Node] = []

        def play(each: Branch) -> Node:
            """Play a tree of moves at the cursor; return the node of its first move."""
            before = self.record.cursor
            count, preferred = len(before.children), before.preferred
            node = self.record.play(each.move)
            changed.append((before, preferred))
            if len(before.children) > count:
                added.append(node)
            replies = []
            for reply in each.replies:
                self.record.go_to(node)
                replies.append(play(reply))
            if replies:
                node.preferred = node.children.index(replies[0])
            return node

        def take_back() -> None:
            """Remove the nodes that were added, and restore the preferred children and the cursor."""
            for node in reversed(added):
                self.record.remove(node)
            for node, preferred in reversed(changed):
                node.preferred = preferred
            self.record.go_to(here)

        try:
            node = play(branch)
        except IllegalMove:
            take_back()
            raise
        self.record.go_to(here)
        before = node.comment
        node.comment = "\n".join(filter(None, (before, comment)))

        def revert() -> None:
            """Inverse of the whole change."""
            node.comment = before
            take_back()

        self._inverses.append(revert)
        return len(added)

    def remove(self, node: Node) -> None:
        """Remove `node`, which is not the root, with its subtree."""
        self._inverses.append(partial(self.record.restore, self.record.remove(node)))

    def promote(self, node: Node) -> bool:
        """Make the path to `node` the main line. Return False if it was already."""
        moved = [(each, each.parent.children.index(each)) for each in path(node) if each.parent is not None]
        moved = [(each, index) for each, index in moved if index]
        for each, _ in moved:
            self.record.promote(each)
        if moved:
            self._inverses.append(partial(self._demote, moved))
        return bool(moved)

    def _demote(self, moved: list[tuple[Node, int]]) -> None:
        """Inverse of a promotion: move each node back to its index, and put the cursor at the parent of the last."""
        for node, index in moved:
            self.record.promote(node, index)
        last = moved[-1][0].parent
        assert last is not None
        self.record.go_to(last)

    def comment(self, node: Node, text: str) -> bool:
        """Set the comment of `node`. Return False if it was that already."""
        return self._store(node, text, node.marks)

    def mark(self, node: Node, marks: tuple[Mark, ...]) -> bool:
        """Replace the marks on the board of `node` by `marks`. Return False if they were these already."""
        return self._store(node, node.comment, marks)

    def _store(self, node: Node, comment: str, marks: tuple[Mark, ...]) -> bool:
        """Set comment and marks of `node` as a change that can be undone. Return whether anything changed."""
        before = node.comment, node.marks
        if before == (comment, marks):
            return False
        self._inverses.append(partial(self._annotate, node, *before))
        node.comment, node.marks = comment, marks
        return True

    def _annotate(self, node: Node, comment: str, marks: tuple[Mark, ...]) -> None:
        """Inverse of `_store`: set comment and marks and move the cursor to `node`."""
        node.comment, node.marks = comment, marks
        self.record.go_to(node)

    def describe(self, about: About, names: tuple[str, str], date: str) -> bool:
        """Set what is said of the whole game, the names of the players and its date. Return False if they were these
        already."""
        record = self.record
        before = record.about, record.names, record.date
        if before == (about, names, date):
            return False
        self._inverses.append(partial(self._describe, *before))
        self._describe(about, names, date)
        return True

    def _describe(self, about: About, names: tuple[str, str], date: str) -> None:
        """Set what is said of the game."""
        self.record.about, self.record.names, self.record.date = about, names, date

    def reread(self, rereading: Rereading) -> bool:
        """Replace the texts by those of another reading of the file, as `Rereading.apply` does. Return False if nothing
        changed."""
        revert = rereading.apply(self.record)
        if revert is not None:
            self._inverses.append(revert)
        return revert is not None

    def undo(self) -> bool:
        """Revert the last change and move the cursor to where it was made. Return False if there is none."""
        if not self._inverses:
            return False
        self._inverses.pop()()
        return True


# Take over the texts of a file that was read again in another encoding, into a record that was edited meanwhile.


T = TypeVar("T")


class Rereading:
    """One file, read in two encodings, as `before` and `after`. `fits` tells whether moves and starting positions are
    equal, so that only texts differ."""

    def __init__(self, before: GameRecord, after: GameRecord) -> None:
        self.before, self.after = before, after
        old, new = list(before.nodes()), list(after.nodes())
        self.fits = before.setup == after.setup and before.stones == after.stones and _shape(old) == _shape(new)

    def apply(self, record: GameRecord) -> Callable[[], None] | None:
        """Replace each text of `record` that is still as in `before` by that of `after`; keep what a person has changed
        since. Return a function that reverts this, or None if nothing differed. Call it only if `fits`."""
        here, before, after = record, self.before, self.after
        changed: list[Callable[[], None]] = []
        for node, old, new in self._nodes(record):
            texts = node.comment, node.marks, node.extra
            others = (
                _merge(node.comment, old.comment, new.comment), _merge(node.marks, old.marks, new.marks),
                _merge(node.extra, old.extra, new.extra),
            )  # fmt: skip
            if texts != others:
                changed.append(partial(_set_texts, node, *texts))
                _set_texts(node, *others)
        said = record.about, record.names, record.date
        record.about = _merge_about(here.about, before.about, after.about)
        first, second = map(_merge, here.names, before.names, after.names)
        record.names, record.date = (first, second), _merge(here.date, before.date, after.date)
        if said != (record.about, record.names, record.date):
            changed.append(partial(_set_about, record, *said))
        return partial(_run, changed) if changed else None

    def _nodes(self, record: GameRecord) -> Iterator[tuple[Node, Node, Node]]:
        """Yield each node of the file that `record` still has, with its nodes in `before` and in `after`."""
        waiting = [(record.root, self.before.root, self.after.root)]
        while waiting:
            node, old, new = waiting.pop()
            yield node, old, new
            present = {child.move: child for child in node.children}
            for before, after in zip(old.children, new.children, strict=True):
                if (child := present.get(before.move)) is not None:
                    waiting.append((child, before, after))


def _shape(nodes: list[Node]) -> list[tuple[int | None, int]]:
    """Return the move and the number of children of each node: what two trees with the same moves share."""
    return [(node.move, len(node.children)) for node in nodes]


def _merge(present: T, before: T, after: T) -> T:
    """Return the three-way merge of a value: `after`, unless `present` has been changed since `before`."""
    return after if present == before else present


def _merge_about(present: About, before: About, after: About) -> About:
    """Return the three-way merge of each field, as by `_merge`."""
    merged: dict[str, Any] = {}
    for each in fields(About):
        values = [getattr(about, each.name) for about in (present, before, after)]
        merged[each.name] = tuple(map(_merge, *values)) if isinstance(values[0], tuple) else _merge(*values)
    return replace(present, **merged)


def _set_texts(node: Node, comment: str, marks: Any, extra: Any) -> None:
    """Set comment, marks and SGF properties of a node."""
    node.comment, node.marks, node.extra = comment, marks, extra


def _set_about(record: GameRecord, about: About, names: tuple[str, str], date: str) -> None:
    """Set what is said about the whole game."""
    record.about, record.names, record.date = about, names, date


def _run(actions: list[Callable[[], None]]) -> None:
    """Call each of `actions`."""
    for action in actions:
        action()


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A starting position while it is being set up.

    `cells` has the contents of the board, as `games.position.cells_of` has them. It is empty in a game without cells,
    where size and turn are all that can be set.
    """

    setup: Setup
    cells: bytes
    turn: int = FIRST

    @classmethod
    def empty(cls, setup: Setup) -> Arrangement:
        """The starting position of `setup` as an arrangement."""
        return cls(setup, _cells(setup, setup.start()))

    @classmethod
    def of(cls, record: GameRecord) -> Arrangement:
        """Return the position at the cursor of `record` as an arrangement; where the game is over, the last position
        before its end."""
        node = record.cursor
        while node.position.outcome is not None and node.parent is not None:
            node = node.parent
        size_at = GAMES[record.setup.game].size_at
        setup = record.setup if size_at is None else replace(record.setup, size=size_at(node.position))
        return cls(setup, _cells(setup, node.position), node.position.turn)

    def stones(self, turn: int) -> Stones:
        """The arranged stones as a starting position with `turn` to move."""
        first, second = (
            tuple(cell for cell, content in enumerate(self.cells) if content == side + 1) for side in (FIRST, SECOND)
        )
        return Stones((first, second), turn)

    def position(self, turn: int) -> Position:
        """Return the position with `turn` to move. Raise `ValueError` with a sentence if the rules do not allow these
        stones."""
        return self.setup.start(self.stones(turn))

    def record(self) -> GameRecord:
        """Return a new game that begins with this position."""
        empty = self == Arrangement.empty(self.setup)
        return GameRecord(self.setup, stones=None if empty else self.stones(self.turn))

    def clicked(self, move: int, wanted: int) -> int:
        """Return the content that a click on `move` with the tool `wanted` gives to its cell: `wanted`, or 0 if the
        cell has that already. Contents are those of `with_content`."""
        return 0 if self.cells[self._cell(move, wanted)] == wanted else wanted

    def with_content(self, move: int, content: int) -> Arrangement:
        """Return this with `content` in the cell of `move`: 0, or 1 and 2 for a stone of the first and the second side.
        In a game whose stones pile up, `move` is a pile: a stone is added on top, and 0 removes the topmost one."""
        cell = self._cell(move, content)
        return replace(self, cells=self.cells[:cell] + bytes((content,)) + self.cells[cell + 1 :])

    def played(self, move: int) -> Arrangement:
        """Return this with a stone of the side to move on `move`, and the other side to move. If a stone is there, it
        is removed instead, and its side is to move."""
        there = self.cells[self._cell(move, self.turn + 1)]
        return replace(self.with_content(move, 0 if there else self.turn + 1), turn=(there or 2 - self.turn) - 1)

    def _cell(self, move: int, content: int) -> int:
        """Return the cell that `move` changes: the lowest free one of its pile, or with `content` 0 the topmost filled
        one. A move that fills one cell only has a pile of one."""
        cells = GAMES[self.setup.game].fills(move)
        if content:
            return next((cell for cell in cells if not self.cells[cell]), cells[-1])
        return next((cell for cell in reversed(cells) if self.cells[cell]), cells[0])

    def on(self, other: Setup) -> Arrangement:
        """Return an arrangement on the board of `other` with the same stones, centred; those that fall outside are left
        out."""
        (width, height), (wide, high) = self.setup.board, other.board
        cells = bytearray(wide * high)
        for cell, content in enumerate(self.cells):
            row, column = divmod(cell, width)
            row, column = row + high // 2 - height // 2, column + wide // 2 - width // 2
            if 0 <= row < high and 0 <= column < wide:
                cells[row * wide + column] = content
        return replace(self, setup=other, cells=bytes(cells))


def _cells(setup: Setup, position: Position) -> bytes:
    """Return the contents of the board; empty for a game without cells."""
    return cells_of(position) if any(setup.board) else b""
