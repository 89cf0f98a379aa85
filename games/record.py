"""The record of one game: the tree of the positions that were played, with a cursor in it.

Every move, from a click, an engine, a file or a command line, enters through `GameRecord.play`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from games.clock import Face, TimeControl
from games.position import IllegalMove, Outcome, Position
from games.registry import Setup

PERSON = "person"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a side: `player` is `PERSON` or the name of an AI; `seconds` is its time per move.

    An empty `name` means that the reader chooses how to call that player.
    """

    player: str = PERSON
    name: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What an engine thought of a position: `score` from the first side, `mate` in plies or None
    (positive when the first side wins), and the `depth` in plies of the search."""

    score: int
    mate: int | None
    depth: int

    def improves(self, known: Evaluation | None) -> bool:
        """Whether this says more of a position than what is `known`: a proof beats a score and a shorter mate a longer
        one, else the search that went at least as deep counts."""
        if known is None or (known.mate is None) != (self.mate is None):
            return known is None or known.mate is None
        if known.mate is not None and self.mate is not None:
            return abs(self.mate) <= abs(known.mate)
        return self.depth >= known.depth


@dataclass(eq=False, slots=True)
class Node:
    """A position in the tree, and what is known of the move that led to it.

    `children[0]` is the main line. `preferred` is the child that `redo` goes to. `ending` is how
    the game ended here other than by the rules (``resigned``, ``time``). `seconds` is how long the move
    took; `spent` is how long the side to move has thought here without having moved.
    """

    position: Position
    move: int | None = None
    parent: Node | None = field(default=None, repr=False)  # a repr of the whole tree would be too deep
    children: list[Node] = field(default_factory=list, repr=False)
    preferred: int = 0
    seconds: float | None = None
    spent: float = 0.0
    comment: str = ""
    evaluation: Evaluation | None = None
    ending: Outcome | None = None

    @property
    def outcome(self) -> Outcome | None:
        return self.position.outcome or self.ending

    @property
    def next(self) -> Node | None:
        """Where `redo` leads."""
        return self.children[self.preferred] if self.children else None

    def learn(self, evaluation: Evaluation) -> bool:
        """Keep the better of `evaluation` and what is known already. True if the node knows something new."""
        if evaluation == self.evaluation or not evaluation.improves(self.evaluation):
            return False
        self.evaluation = evaluation
        return True

    def facts(self) -> tuple[object, ...]:
        """All that two equal nodes share, without their relatives."""
        marks = (self.spent, self.comment, self.evaluation, self.ending)
        return self.move, self.preferred, self.seconds, len(self.children), *marks


@dataclass(frozen=True, slots=True)
class Removed:
    """What was cut off from a record: `node`, which was child `index` of `parent`."""

    parent: Node
    index: int
    node: Node


class GameRecord:
    """A game of `setup` between two `seats`, begun at the local time `date`; without a `control` time is free."""

    def __init__(
        self,
        setup: Setup,
        seats: tuple[Seat, Seat] = (Seat(), Seat()),
        date: str = "",
        control: TimeControl | None = None,
    ) -> None:
        self.setup = setup
        self.seats = seats
        self.date = date or datetime.now().isoformat(timespec="seconds")
        self.control = control
        self.root = Node(setup.start())
        self.cursor = self.root

    @property
    def position(self) -> Position:
        return self.cursor.position

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended at the cursor, or None while it goes on."""
        return self.cursor.outcome

    def play(self, move: int, seconds: float | None = None) -> Node:
        """Play `move` at the cursor: goes there if it was played before, else adds a variation.

        `seconds` is how long the player took. Raise `IllegalMove`.
        """
        here = self.cursor
        if here.ending is not None:
            raise IllegalMove("over", "The game is over.")
        for index, child in enumerate(here.children):
            if child.move == move:
                here.preferred = index
                break
        else:
            child = Node(here.position.play(move), move, here, seconds=seconds)
            here.children.append(child)
            here.preferred = len(here.children) - 1
        self.cursor = child
        return child

    def clocks(self, spent: float | None = None) -> tuple[Face, Face] | None:
        """What the clocks of both sides show at the cursor; None in a game without.

        `spent` is how long the side to move has thought there; left out, what its node knows of it.
        """
        if self.control is None:
            return None
        thought = ((parent.position.turn, node.seconds or 0.0) for parent, node in steps(self.cursor))
        readings = self.control.readings(thought)
        now = [0.0, 0.0]
        now[self.position.turn] = self.cursor.spent if spent is None else spent
        return self.control.face(readings[0], now[0]), self.control.face(readings[1], now[1])

    def end(self, outcome: Outcome) -> None:
        """End the game at the cursor for a reason outside the rules. Do nothing if it is over."""
        if self.outcome is None:
            self.cursor.ending = outcome

    def resign(self, side: int) -> None:
        self.end(Outcome(1 - side, "resigned"))

    def undo(self) -> bool:
        """Take back the last act: an `end` at the cursor, or else a move. False if there is none."""
        if self.cursor.ending is not None:
            self.cursor.ending = None
        elif self.cursor.parent is not None:
            self.cursor = self.cursor.parent
        else:
            return False
        return True

    def redo(self) -> bool:
        """Go to the move last played from here. False if there is none."""
        following = self.cursor.next
        if following is None:
            return False
        self.cursor = following
        return True

    def go_to(self, node: Node) -> None:
        """Moves the cursor to `node` of this record, and makes `redo` lead along the way to it.

        Raise `ValueError` for a node of another record.
        """
        way = path(node)
        if way[0] is not self.root:
            raise ValueError("That node belongs to another record.")
        for parent, child in pairwise(way):
            parent.preferred = parent.children.index(child)
        self.cursor = node

    def line(self) -> list[Node]:
        """The nodes from the root through the cursor and on, as `redo` goes, to the end."""
        nodes = path(self.cursor)
        while (following := nodes[-1].next) is not None:
            nodes.append(following)
        return nodes

    def promote(self, node: Node, index: int = 0) -> None:
        """Make `node` the main line among its siblings, or their number `index`."""
        parent = node.parent
        if parent is not None:
            chosen = parent.children[parent.preferred]
            parent.children.remove(node)
            parent.children.insert(index, node)
            parent.preferred = parent.children.index(chosen)

    def remove(self, node: Node) -> Removed:
        """Cut off `node` with all that follows; a cursor in there moves to its parent. `restore` takes the answer.

        Raise `ValueError` for the root.
        """
        parent = node.parent
        if parent is None:
            raise ValueError("The beginning of a game cannot be removed.")
        if node in path(self.cursor):
            self.cursor = parent
        removed = Removed(parent, parent.children.index(node), node)
        chosen = parent.children[parent.preferred]
        parent.children.remove(node)
        node.parent = None
        parent.preferred = parent.children.index(chosen) if chosen is not node else 0
        return removed

    def restore(self, removed: Removed) -> None:
        """Undo `remove`, where all that was changed since has been undone before. The cursor goes to the parent, and
        `redo` leads to what is back."""
        parent, node = removed.parent, removed.node
        parent.children.insert(removed.index, node)
        node.parent = parent
        self.go_to(node)
        self.cursor = parent

    def nodes(self) -> Iterator[Node]:
        """Every node, parents before children, main line first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameRecord):
            return NotImplemented
        return self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def _facts(self) -> tuple[object, ...]:
        nodes = list(self.nodes())
        about = self.setup, self.seats, self.date, self.control
        return *about, nodes.index(self.cursor), [node.facts() for node in nodes]


def steps(node: Node) -> Iterator[tuple[Node, Node]]:
    """Every move on the way to `node`: the position it was made in, whose turn tells the mover, and that it led to."""
    return pairwise(path(node))


def path(node: Node) -> list[Node]:
    """The nodes from the root of the tree to `node`."""
    way = [node]
    while (parent := way[-1].parent) is not None:
        way.append(parent)
    return way[::-1]
