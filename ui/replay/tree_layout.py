"""Where the moves of a game tree stand: the main line in two columns, each variation as indented, wrapped text below
the move that it is an alternative to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pygame

from games.formats.terms import move_sign, position_sign
from games.position import FIRST
from games.record import GameRecord, Node
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import width_of
from ui.words.move_words import move_name, written
from ui.words.verdicts import SIGNS
from ui.words.views import node_outlook

ROW, FLOW = 28, 24
"""Heights of a row of the main line and of a line of a variation, in design pixels."""
NUMBER = 34
"""Width of the column of numbers."""
SIGN = 14
"""Room for the sign of a comment or of marks, beside a move."""
INDENT = 12

_MARGIN, _PADDING, _GAP = 12, 5, 2  # design pixels
_DEEPEST = 7  # variations inside of others are no longer indented
_SHORT, _LONG = 3, 12  # moves of a variation that can be folded, and of one that is folded unless a person unfolds it


class Cell(NamedTuple):
    """A move in the content's pixels; `number` stands left of the move's own text, at `text_left`."""

    node: Node
    rect: pygame.Rect
    number: str
    text_left: int
    score: str


class Fold(NamedTuple):
    """The sign at the beginning of the variation `node`; `hidden` moves are not shown."""

    node: Node
    rect: pygame.Rect
    hidden: int
    badge: pygame.Rect | None = None


@dataclass(slots=True)
class TreeLine:
    """One line of the content: `depth` 0 is the main line."""

    rect: pygame.Rect
    depth: int
    cells: list[Cell] = field(default_factory=list)
    fold: Fold | None = None


class _Run(NamedTuple):
    """Moves to place: `node` and its main line."""

    node: Node
    depth: int


class TreeLayout:
    """The lines of `record` in `width` pixels. `folds` tells which variations a person has folded or unfolded, `kinds`
    what a review calls the moves."""

    def __init__(
        self, record: GameRecord, theme: Theme, width: int, folds: Mapping[Node, bool], kinds: Mapping[Node, str]
    ) -> None:
        self.theme, self.width, self.folds, self._kinds = theme, width, folds, kinds
        self.lines: list[TreeLine] = []
        self.cells: dict[Node, tuple[TreeLine, Cell]] = {}
        """Every move that is shown."""
        self._setup, self._sizes = record.setup, _sizes(record)
        runs = [_Run(child, 0) for child in record.root.children[:1]]
        while runs:  # not recursive, since files may nest variations thousands deep
            runs.extend(self._place(runs.pop()))

    @property
    def height(self) -> int:
        """The height of all lines, in pixels."""
        return self.lines[-1].rect.bottom if self.lines else 0

    def folded(self, node: Node) -> bool:
        """Whether the variation that begins with `node` is folded."""
        return self._sizes[node] > _SHORT and self.folds.get(node, self._sizes[node] > _LONG)

    def _place(self, run: _Run) -> list[_Run]:
        """Place the moves of `run` up to a fork. Return what comes next, the last first."""
        begins, shown = begins_variation(run.node), 0
        folded = begins and self.folded(run.node)
        self._begin(run.depth)
        if begins and self._sizes[run.node] > _SHORT:
            self._add_fold(run.node, 0)
        for node in _main_line(run.node):
            if not run.depth:
                self._place_main(node)
            elif not self._place_flow(node, not shown or _side(node) == FIRST, folded):
                break
            shown += 1
            others = [] if begins_variation(node) or node.parent is None else node.parent.children[1:]
            if others and not folded:
                following = [_Run(child, run.depth) for child in node.children[:1]]
                return following + [_Run(other, run.depth + 1) for other in reversed(others)]
        if folded:
            self._add_fold(run.node, self._sizes[run.node] - shown)
        return []

    def _begin(self, depth: int) -> None:
        """Begin a line of text at this depth."""
        height = self.theme.px(FLOW if depth else ROW)
        self.lines.append(TreeLine(pygame.Rect(0, self.height, self.width, height), depth))

    def _place_main(self, node: Node) -> None:
        """A column for each side, and a new row for each move of the first."""
        px = self.theme.px
        wide = (self.width - px(NUMBER)) // 2
        left = px(NUMBER) + _side(node) * wide
        line = self.lines[-1]
        if line.cells and left <= line.cells[-1].rect.left:
            self._begin(0)
            line = self.lines[-1]
        rect = pygame.Rect(left, line.rect.top, wide, line.rect.height)
        self._add(Cell(node, rect, "" if line.cells else str(node.position.ply), left + px(7), ""))

    def _place_flow(self, node: Node, numbered: bool, folded: bool) -> bool:
        """After the move before, on another line where there is no room. False if a folded variation ends here."""
        px, line = self.theme.px, self.lines[-1]
        number = f"{node.position.ply}." if numbered else ""
        score = node_outlook(self._setup, node)
        before = width_of(self.theme, number, 14) + px(3) if number else 0
        wide = 2 * px(_PADDING) + before + self._move_width(node)
        wide += width_of(self.theme, score, 14) + px(6) if score else 0
        left = line.cells[-1].rect.right + px(_GAP) if line.cells else self.indent(line.depth)
        room = self.width - (px(44) if folded else 0)
        if line.cells and left + wide > room:
            if folded:
                return False
            self._begin(line.depth)
            return self._place_flow(node, numbered, folded)
        rect = pygame.Rect(left, line.rect.top, min(wide, self.width - left), line.rect.height)
        self._add(Cell(node, rect, number, left + px(_PADDING) + before, score))
        return True

    def _move_width(self, node: Node) -> int:
        """The width of a move in a variation, with its signs."""
        assert node.parent is not None
        assert node.move is not None
        name = move_name(node.parent.position, node.move) + SIGNS.get(self._kinds.get(node, ""), "")
        wide = width_of(self.theme, name, 14) + annotated_width(self.theme, node, 14)
        return wide + len(signs(node)) * self.theme.px(SIGN)

    def indent(self, depth: int) -> int:
        """Where the lines of a variation begin."""
        return self.theme.px(_MARGIN + INDENT * min(depth, _DEEPEST))

    def _add(self, cell: Cell) -> None:
        line = self.lines[-1]
        line.cells.append(cell)
        self.cells[cell.node] = line, cell

    def _add_fold(self, node: Node, hidden: int) -> None:
        """Add the triangle before the current line that folds its variation, and a badge with the number of `hidden`
        moves."""
        px, line = self.theme.px, self.lines[-1]
        rect = pygame.Rect(0, line.rect.top, px(20), line.rect.height)
        rect.centerx = self.indent(line.depth) - px(INDENT // 2)
        badge = None
        if hidden:
            wide = width_of(self.theme, f"+{hidden}", 14) + px(12)
            badge = pygame.Rect(line.cells[-1].rect.right + px(4), line.rect.top, wide, line.rect.height)
        line.fold = Fold(node, rect, hidden, badge)


def _sizes(record: GameRecord) -> dict[Node, int]:
    """The number of moves of the subtree of each node, itself included."""
    sizes: dict[Node, int] = {}
    for node in reversed(list(record.nodes())):
        sizes[node] = 1 + sum(sizes[child] for child in node.children)
    return sizes


def begins_variation(node: Node) -> bool:
    """Whether `node` is an alternative to the main line of its parent."""
    return node.parent is not None and node.parent.children[0] is not node


def variations_of(node: Node) -> Iterator[Node]:
    """The variations that `node` is in: the node that each begins with, the innermost first."""
    here: Node | None = node
    while here is not None:
        if begins_variation(here):
            yield here
        here = here.parent


def _main_line(node: Node) -> Iterator[Node]:
    """`node` and the first of what follows, again and again."""
    yield node
    while node.children:
        node = node.children[0]
        yield node


def _side(node: Node) -> int:
    """The side that made the move of a node."""
    return 0 if node.parent is None else node.parent.position.turn


def annotated_width(theme: Theme, node: Node, size: int, bold: bool = False) -> int:
    """The width of the signs that the file's annotator has given to a move and the position after it."""
    move, position = move_sign(node), position_sign(node)
    wide = width_of(theme, written(move), size, bold) if move else 0
    if position is not None:
        wide += theme.px(4) + (theme.px(SIGN) if position.side is not None else 0)
        wide += width_of(theme, written(position), size, bold)
    return wide


def signs(node: Node) -> list[str]:
    """The icons beside a move: whether it has a comment, and marks on the board."""
    return ["comment"] * bool(node.comment) + ["marks"] * bool(node.marks)
