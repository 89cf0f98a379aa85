"""The record of one game: the tree of positions played, with a cursor.

Every move, from a click, an engine, a file or a command line, enters through `GameRecord.play`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from itertools import pairwise

from games.clock import ClockFace, Controls, TimeControl, readings
from games.evaluation import Evaluation
from games.fields import name_of, one_line
from games.opening_rules import CHOOSE, PLACE, SWAP, Demand, OpeningPhase, OpeningStep
from games.position import IllegalMove, Outcome, Position, Stones
from games.registry import Setup

LONGEST_LINE, LONGEST_NOTE = 1_000, 100_000
"""Maximum number of characters of a field that is one line, and of the note."""


@dataclass(frozen=True, slots=True)
class About:
    """What a file says of a game besides the players' names and the date.

    All fields are text, as people wrote it; empty where nothing is known. `ranks` and `teams` are those of the first
    and of the second side. `note` may have several lines, all others have one.
    """

    title: str = ""
    event: str = ""
    place: str = ""
    round: str = ""
    ranks: tuple[str, str] = ("", "")
    teams: tuple[str, str] = ("", "")
    annotator: str = ""
    source: str = ""
    author: str = ""
    """Who entered the game."""
    copyright: str = ""
    note: str = ""

    @property
    def occasion(self) -> str:
        """The event, the place and the round in one line, as far as they are known."""
        return " · ".join(one_line(text) for text in (self.event, self.place, self.round) if text)

    def texts(self) -> list[str]:
        """Return all fields that are not empty; `ranks` and `teams` are two each."""
        values: list[str] = []
        for each in fields(self):
            value = getattr(self, each.name)
            values.extend(value if isinstance(value, tuple) else (value,))
        return [value for value in values if value]


PERSON = "person"


@dataclass(frozen=True, slots=True)
class Seat:
    """A side's player: `player` is `PERSON` or the name of an AI. `seconds` is its time for each move, None if that is
    not fixed. As a handicap, the time of its clock is divided by `divisor`.

    An empty `name` lets the reader choose what to call the player. Line ends and characters that cannot be seen are
    removed from a name.
    """

    player: str = PERSON
    name: str = ""
    seconds: float | None = None
    divisor: int = 1

    def __post_init__(self) -> None:
        """Make the name fit to be shown: see `name_of`."""
        object.__setattr__(self, "name", name_of(self.name))

    @property
    def known_as(self) -> str:
        """The name, or else the AI; empty for a person without a name."""
        return self.name or ("" if self.player == PERSON else self.player)


def only_person(seats: tuple[Seat, Seat]) -> int | None:
    """Return the side of the person in a game against the computer; None if both sides or neither are people."""
    people = [side for side, seat in enumerate(seats) if seat.player == PERSON]
    return people[0] if len(people) == 1 else None


MARKS = ("circle", "square", "triangle", "cross", "selected", "label")
"""The kinds of marks on a point, as SGF has them."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark that a person put on the point of `move`: a shape of `MARKS`, or a ``label`` with its `text`."""

    kind: str
    move: int
    text: str = ""

    def __post_init__(self) -> None:
        """Make the text fit to be shown: see `name_of`."""
        object.__setattr__(self, "text", name_of(self.text))


@dataclass(eq=False, slots=True)
class Node:
    """A position in the tree, and the move that led to it.

    `children[0]` is the main line; `preferred` is the child that `redo` goes to. `ending` is an end of the game outside
    the rules (``resigned``, ``time``). `seconds` is the time of the move; `spent` is what the side to move has thought
    here without moving. `extra` holds SGF properties as they were written, with their escapes, to be
    written again; `games.formats.terms` reads some of them.
    """

    position: Position
    move: int | None = None
    parent: Node | None = field(default=None, repr=False)  # a repr of the whole tree would recurse too deeply
    children: list[Node] = field(default_factory=list, repr=False)
    preferred: int = 0
    seconds: float | None = None
    spent: float = 0.0
    comment: str = ""
    evaluation: Evaluation | None = None
    ending: Outcome | None = None
    marks: tuple[Mark, ...] = ()
    extra: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended here: by the rules, or as `ending` says (resignation, time); None while it goes on."""
        return self.position.outcome or self.ending

    @property
    def is_bare(self) -> bool:
        """Whether nothing is known of the node but its move and its place in the tree."""
        return not (
            self.comment or self.marks or self.extra or self.preferred or self.spent or self.seconds is not None
            or self.evaluation is not None or self.ending is not None
        )  # fmt: skip

    @property
    def next(self) -> Node | None:
        """The child that `redo` goes to; None without children."""
        return self.children[self.preferred] if self.children else None

    def learn(self, evaluation: Evaluation) -> bool:
        """Merge `evaluation` into the present one. Return whether that changed it. A forced win spreads: to the
        position before, if the winner moved here, and to the child that the winning line goes through."""
        merged = evaluation.merged(self.evaluation)
        if merged == self.evaluation:
            return False
        self.evaluation = merged
        if merged.winner is not None:
            self._spread(merged)
        return True

    def _spread(self, proof: Evaluation) -> None:
        """Give a forced win that is proven here to the parent and to the children for which it follows."""
        before = self.parent
        if before is not None and self.move is not None and before.position.turn == proof.winner:
            before.learn(proof.backed_up(self.move))
        for child in self.children:
            after = None if child.move is None or child.outcome is not None else proof.carried_over(child.move)
            if after is not None:
                child.learn(after)

    def facts(self) -> tuple[object, ...]:
        """Return what makes two nodes equal, apart from their parents and children, of which only the number counts."""
        rest = (self.spent, self.comment, self.evaluation, self.ending, self.marks, self.extra)
        return self.move, self.preferred, self.seconds, len(self.children), *rest


@dataclass(frozen=True, slots=True)
class RemovedSubtree:
    """A removed subtree: `node`, which was child `index` of `parent`."""

    parent: Node
    index: int
    node: Node


@dataclass(frozen=True, slots=True)
class Notice:
    """Something in a file that the reader of the file left out. `kind` is a key that a user interface can translate,
    with `facts` as its parameters; `sentence` says it in English."""

    kind: str
    sentence: str
    facts: tuple[tuple[str, object], ...] = ()


class GameRecord:
    """A game of `setup` between two `seats`, begun at the local time `date`; untimed without a `control`.

    It begins with the `stones` that were set up, if any, and with the `opening` by whose rule the players agree on
    colours and first moves; a player who swaps changes seats at once. `notices` tell what the reader of its file left
    out. `origin` is the digest of the file in another format that the game was first read from, and is kept in copies;
    empty if there was none. Raise `ValueError` with a sentence for invalid stones.
    """

    def __init__(
        self,
        setup: Setup,
        seats: tuple[Seat, Seat] = (Seat(), Seat()),
        date: str = "",
        control: TimeControl | None = None,
        stones: Stones | None = None,
    ) -> None:
        self.setup = setup
        self.stones = stones
        self.opening: OpeningPhase | None = None
        self.notices: list[Notice] = []
        self.seats = seats
        self.about = About()
        self.origin = ""
        self.date = date or datetime.now().isoformat(timespec="seconds")
        self.control = control
        self.root = Node(setup.start(stones))
        self.cursor = self.root

    @property
    def names(self) -> tuple[str, str]:
        """The names of the players, empty where a seat has none."""
        return self.seats[0].name, self.seats[1].name

    @names.setter
    def names(self, names: tuple[str, str]) -> None:
        """Replace the names and keep the rest of the seats."""
        first, second = (replace(seat, name=name) for seat, name in zip(self.seats, names, strict=True))
        self.seats = first, second

    @property
    def position(self) -> Position:
        """The position at the cursor."""
        return self.cursor.position

    @property
    def outcome(self) -> Outcome | None:
        """The outcome at the cursor, or None while the game goes on."""
        return self.cursor.outcome

    def play(self, move: int, seconds: float | None = None) -> Node:
        """Play `move` at the cursor: go there if it was played before, else add a variation.

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

    @property
    def demand(self) -> Demand | None:
        """What the opening rule demands at the cursor. None without an opening under way, and where the cursor is at
        another position than after the last step of the opening."""
        opening = self.opening
        if opening is None or opening.demand is None or self.outcome is not None:
            return None
        return opening.demand if moves_to(self.cursor) == opening.stones else None

    @property
    def turn(self) -> int:
        """The side whose player is to act at the cursor; in an opening that may be another one than `position.turn`."""
        demand = self.demand
        return self.position.turn if demand is None or self.opening is None else self.opening.side_of(demand.player)

    def take(self, step: OpeningStep) -> Node:
        """Take a step of the opening that is under way at the cursor: play its stone, if any; exchange the seats if it
        is a swap. Return the node at the cursor. Raise `IllegalMove`."""
        if self.opening is None or self.demand is None:
            raise IllegalMove("opening", "There is no opening under way.")
        after = self.opening.after(step, self.position)
        if step.kind in (PLACE, CHOOSE):
            self.play(step.value, step.seconds)
        elif step.kind == SWAP:
            self._exchange_seats()
        self.opening = after
        return self.cursor

    @property
    def opening_here(self) -> OpeningPhase | None:
        """The opening, if its stones are the first moves on the path to the cursor; None in a variation that leaves it,
        and without an opening."""
        opening = self.opening
        if opening is None or moves_to(self.cursor)[: len(opening.stones)] != opening.stones:
            return None
        return opening

    @property
    def may_untake(self) -> bool:
        """Whether the cursor is where the last step of the opening led, so that `untake` can revert that step."""
        opening = self.opening
        return opening is not None and bool(opening.steps) and moves_to(self.cursor) == opening.stones

    def untake(self) -> OpeningStep:
        """Take back the last step of the opening and return it. Only if `may_untake`."""
        assert self.opening is not None
        step = self.opening.steps[-1]
        self.opening = self.opening.without_last_step()
        if step.kind in (PLACE, CHOOSE):
            self.undo()
        elif step.kind == SWAP:
            self._exchange_seats()
        return step

    def _exchange_seats(self) -> None:
        """Let the players change sides, with their ranks and teams."""
        self.seats = self.seats[::-1]
        self.about = replace(self.about, ranks=self.about.ranks[::-1], teams=self.about.teams[::-1])

    def turn_times(self) -> list[tuple[int, float]]:
        """Return the turns on the path to the cursor, each as (side of the player, seconds); 0 seconds if unknown.
        Steps of the opening that a player takes in a row are one turn."""
        taken, opening = list(steps(self.cursor)), self.opening_here
        turns: list[tuple[int, float]] = []
        if opening is not None:
            taken = taken[len(opening.stones) :]
            for player, step in zip(opening.players, opening.steps, strict=True):
                side = opening.side_of(player)
                before = turns.pop()[1] if turns and turns[-1][0] == side else 0.0
                turns.append((side, before + step.seconds))
        return turns + [(parent.position.turn, node.seconds or 0.0) for parent, node in taken]

    @property
    def controls(self) -> Controls | None:
        """The time control of each side, reduced by the `divisor` of its seat; None in an untimed game."""
        if self.control is None:
            return None
        first, second = self.seats
        return self.control.divided(first.divisor), self.control.divided(second.divisor)

    def clocks(self, spent: float | None = None) -> tuple[ClockFace, ClockFace] | None:
        """Return the clock displays of both sides at the cursor; None in an untimed game.

        `spent` is how long the side to move has thought so far; by default the `spent` of the node.
        """
        if (controls := self.controls) is None:
            return None
        thought, turn, now = self.turn_times(), self.turn, [0.0, 0.0]
        now[turn] = self.cursor.spent if spent is None else spent
        if self.demand is not None and thought and thought[-1][0] == turn:  # the turn goes on
            now[turn] += thought.pop()[1]
        left = readings(controls, thought)
        return controls[0].face(left[0], now[0]), controls[1].face(left[1], now[1])

    def end(self, outcome: Outcome) -> None:
        """End the game at the cursor for a reason outside the rules. Do nothing if it is over there."""
        if self.outcome is None:
            self.cursor.ending = outcome

    def resign(self, side: int) -> None:
        """End the game at the cursor: `side` loses by resignation."""
        self.end(Outcome(1 - side, "resigned"))

    def undo(self) -> bool:
        """Remove an `end` at the cursor, or else move the cursor to the parent. Return False at the root."""
        if self.cursor.ending is not None:
            self.cursor.ending = None
        elif self.cursor.parent is not None:
            self.cursor = self.cursor.parent
        else:
            return False
        return True

    def redo(self) -> bool:
        """Move the cursor to the child visited last. Return False if there is none."""
        following = self.cursor.next
        if following is None:
            return False
        self.cursor = following
        return True

    def go_to(self, node: Node) -> None:
        """Move the cursor to `node` of this record, and let `redo` lead along the path to it.

        Raise `ValueError` for a node of another record.
        """
        way = path(node)
        if way[0] is not self.root:
            raise ValueError("That node belongs to another record.")
        for parent, child in pairwise(way):
            parent.preferred = parent.children.index(child)
        self.cursor = node

    def line(self) -> list[Node]:
        """Return the line of play: the path from the root to the cursor, continued as by `redo` until the game ends.
        Moves that were taken back before a resignation are below the node where it ended, and not part of it."""
        nodes = path(self.cursor)
        while nodes[-1].ending is None and (following := nodes[-1].next) is not None:
            nodes.append(following)
        return nodes

    def main_end(self) -> Node:
        """Return the last node of the main line: the one where the game ended, or else one without children."""
        node = self.root
        while node.ending is None and node.children:
            node = node.children[0]
        return node

    def promote(self, node: Node, index: int = 0) -> None:
        """Move `node` to place `index` among its siblings; 0 makes it the main line. Do nothing for the root."""
        parent = node.parent
        if parent is not None:
            chosen = parent.children[parent.preferred]
            parent.children.remove(node)
            parent.children.insert(index, node)
            parent.preferred = parent.children.index(chosen)

    def remove(self, node: Node) -> RemovedSubtree:
        """Remove `node` with its subtree; a cursor inside moves to its parent. Return what `restore` needs to revert
        this.

        Raise `ValueError` for the root.
        """
        parent = node.parent
        if parent is None:
            raise ValueError("The beginning of a game cannot be removed.")
        if node in path(self.cursor):
            self.cursor = parent
        removed = RemovedSubtree(parent, parent.children.index(node), node)
        chosen = parent.children[parent.preferred]
        parent.children.remove(node)
        node.parent = None
        parent.preferred = parent.children.index(chosen) if chosen is not node else 0
        return removed

    def restore(self, removed: RemovedSubtree) -> None:
        """Revert `remove`, after all later changes have been reverted. The cursor goes to the parent, and `redo` leads
        to `node`."""
        parent, node = removed.parent, removed.node
        parent.children.insert(removed.index, node)
        node.parent = parent
        self.go_to(node)
        self.cursor = parent

    def nodes(self) -> Iterator[Node]:
        """Yield every node, parents before children, main line first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def __eq__(self, other: object) -> bool:
        """Return whether setup, players, description, tree and cursor of both games are the same."""
        if not isinstance(other, GameRecord):
            return NotImplemented
        return self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]  # mutable

    def _facts(self) -> tuple[object, ...]:
        """Return what makes two records equal."""
        nodes = list(self.nodes())
        about = self.setup, self.seats, self.date, self.control, self.stones, self.opening, self.about
        return *about, nodes.index(self.cursor), [node.facts() for node in nodes]


def steps(node: Node) -> Iterator[tuple[Node, Node]]:
    """Yield every move on the path to `node`, as (node before it, node after it)."""
    return pairwise(path(node))


def moves_to(node: Node) -> tuple[int, ...]:
    """Return the moves on the path to `node`."""
    return tuple(each.move for each in path(node) if each.move is not None)


def path(node: Node) -> list[Node]:
    """Return the path from the root to `node`."""
    way = [node]
    while (parent := way[-1].parent) is not None:
        way.append(parent)
    return way[::-1]
