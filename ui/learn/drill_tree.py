"""The tree of an exercise with what a student fills in, marks or moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import pygame

from ai.drills.drill import Field, decimal_text, number_text
from ai.drills.tree import Tree
from games.position import Stones
from games.registry import Setup
from ui.board.pictures import Thumbnails
from ui.learn.workbook import NUMBERS, StudentWork, Workbook, field_name
from ui.toolkit.accessible import Accessible
from ui.toolkit.art import clipped, hatch, rounded
from ui.toolkit.controls import Point, Widget
from ui.toolkit.i18n import t
from ui.toolkit.space import Space, centred
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import Colour, Theme, mix
from ui.toolkit.typesetting import write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part

# The picture of an exercise: where the nodes stand, and all that is drawn of them besides the fields.


LINE, FIELD = 20, 26
"""Design pixels: a line of text, and a field with the room below it."""

_LEVEL = 52  # design pixels: the column of MAX and MIN at the left
_LARGEST, _BOARD, _APART = 44, 92, 6  # design pixels: a node, a board, and the room between two
_TINY = 13  # the size of texts in narrow columns
_NARROW = 46  # design pixels of a column from which on texts are larger

STACKED = {
    "windows": ("alpha", "beta"), "backup": ("visits", "points"), "visit": ("visits", "points"),
    "proof": ("proof", "disproof"),
}  # fmt: skip
"""The fields under a node, by kind of exercise."""


@dataclass(frozen=True, slots=True)
class TreeThumbnail:
    """The position of a node of the tree, as `Thumbnails` draw it."""

    setup: Setup | None
    stones: Stones | None
    moves: str


class TreePicture:
    """Lays out and draws the tree of `work` in `rect`, with the moves in the student's order."""

    def __init__(self, theme: Theme, rect: pygame.Rect, work: StudentWork, thumbnails: Thumbnails) -> None:
        self.theme, self.rect, self.work, self._thumbnails = theme, rect, work, thumbnails
        self.tree: Tree = work.drill.arranged_tree(work.answers)
        self.shown = list(self.tree.preorder())
        self.rows = self._rows()
        px = theme.px
        self.column = (rect.width - px(_LEVEL) - px(8)) / self.tree.count
        self._high = rect.height / (max(self.rows.values()) + 1)
        self._columns = self._middles()
        slots = self._line_count()
        room = self._high - px(2 * LINE + 8) - px(FIELD) * slots
        most = _BOARD if work.subject is not None else _LARGEST
        self.side = round(max(px(22), min(px(most), self.column - px(_APART), room)))
        self.size = 14 if self.column >= px(_NARROW) else _TINY
        self._below = px(FIELD) * slots

    def _line_count(self) -> int:
        """Return the number of lines that are kept free under each node, for given numbers and fields."""
        if self.work.drill.visits is not None:
            return 2 if self.work.drill.kind == "ucb" else 3
        return len(STACKED.get(self.work.drill.kind, ("value",)))

    def _rows(self) -> dict[int, int]:
        """Return the row of each node, 0 for the root."""
        rows = {0: 0}
        for node in self.shown:
            rows.update(dict.fromkeys(self.tree.children[node], rows[node] + 1))
        return rows

    def _middles(self) -> dict[int, float]:
        """Return the horizontal middle of each node, in columns: 0.5 for the first leaf."""
        leaves = [node for node in self.shown if not self.tree.children[node]]
        found = {leaf: number + 0.5 for number, leaf in enumerate(leaves)}
        for node in reversed(self.shown):
            below = self.tree.children[node]
            if below:
                found[node] = (found[below[0]] + found[below[-1]]) / 2
        return found

    def span(self, node: int) -> int:
        """Return the width in pixels that a node and its fields may take."""
        leaves = sum(not self.tree.children[each] for each in self.tree.preorder(node))
        return round(leaves * self.column) - self.theme.px(2)

    def node_rect(self, node: int) -> pygame.Rect:
        """Return the square of a node, in pixels of the window."""
        px = self.theme.px
        x = self.rect.left + px(_LEVEL) + self._columns[node] * self.column
        whole = px(LINE) + self.side + px(4) + self._below
        top = self.rect.top + self.rows[node] * self._high + (self._high - whole) / 2 + px(LINE)
        return pygame.Rect(round(x - self.side / 2), round(top), self.side, self.side)

    def under(self, node: int, line: int) -> pygame.Rect:
        """Return the place of a number, or of its input field, in line number `line` under a node, from 0."""
        shape, px = self.node_rect(node), self.theme.px
        wide = min(self.span(node), px(96))
        return pygame.Rect(shape.centerx - wide // 2, shape.bottom + px(4) + line * px(FIELD), wide, px(FIELD - 2))

    # Drawing.

    def draw(self, surface: pygame.Surface) -> None:
        """Draw edges, nodes and the names of the levels."""
        gone = self._cut_nodes()
        for node in self.shown:
            for child in self.tree.children[node]:
                self._draw_edge(surface, node, child, child in gone)
        for node in self.shown:
            self._draw_node(surface, node, node in gone)
        self._draw_levels(surface)

    def _cut_nodes(self) -> set[int]:
        """Return the nodes in branches that the student has marked as cut; none in exercises that do not ask for cuts.
        """
        if self.work.drill.kind != "cuts":
            return set()
        marked = [field.node for field, text in self.work.answers.items() if text and field.slot == "mark"]
        return {below for node in marked for below in self.tree.preorder(node)}

    def _draw_edge(self, surface: pygame.Surface, above: int, below: int, gone: bool) -> None:
        """Draw the edge between two nodes: highlighted on the chosen path, faint if it has been cut away (`gone`)."""
        palette, px = self.theme.palette, self.theme.px
        over, under = self.node_rect(above), self.node_rect(below)
        start = over.centerx, over.bottom + px(3) + self._height_below(above)
        end = under.centerx, under.top - px(LINE)
        way = {*self.work.drill.path, *self._chosen_nodes()}
        lit = below in way
        faint, usual = mix(palette.background, palette.line, 0.7), mix(palette.line, palette.quiet, 0.35)
        colour = palette.info if lit else faint if gone else usual
        if lit:
            pygame.draw.line(surface, colour, start, end, px(3))
        pygame.draw.aaline(surface, colour, start, end)

    def _height_below(self, node: int) -> int:
        """Return the height in pixels of the fields and given numbers under a node."""
        fields = {field.slot for field in self.work.drill.solution() if field.node == node} - {"mark", "order"}
        lines = len(fields) + (self._texts(node) != [])
        return lines * self.theme.px(FIELD)

    def _chosen_nodes(self) -> set[int]:
        """Return the nodes that the student has marked as the choice of UCB; none in other exercises."""
        if self.work.drill.kind != "ucb":
            return set()
        return {field.node for field, text in self.work.answers.items() if text}

    def _texts(self, node: int) -> list[str]:
        """Return the given texts under a node, a line each: points, visits and mean in Monte Carlo trees, else the
        value of a leaf."""
        drill = self.work.drill
        if drill.visits is not None:
            points, visits = number_text(drill.visits.points[node]), drill.visits.visits[node]
            texts = [f"{points}/{visits}"]
            if drill.kind == "ucb" and node:
                mean, bound = decimal_text(drill.visits.mean(node)), decimal_text(drill.visits.bound(node))
                texts.append(f"x {mean}" if self.work.state == "open" else bound)
            return texts
        return list(filter(None, [drill.given(node)]))

    def _draw_node(self, surface: pygame.Surface, node: int, gone: bool) -> None:
        """Draw a node with its name above and its values below; hatched if it has been cut away (`gone`)."""
        theme, palette, px = self.theme, self.theme.palette, self.theme.px
        shape = self.node_rect(node)
        if node:
            name = centred(self.span(node), px(LINE), shape.center)
            name.bottom = shape.top - px(2)
            write(surface, theme, self.tree.names[node], name, self.size, palette.quiet, align="centre")
        if not self._draw_board(surface, node, shape):
            self._draw_shape(surface, node, shape)
        if node in self.work.drill.path or node in self._chosen_nodes():
            pygame.draw.rect(surface, palette.info, shape.inflate(px(6), px(6)), px(2), px(6))
        for line, text in enumerate(self._texts(node)):
            place = self.under(node, line)
            ink = palette.info if line and self.work.state != "open" else palette.text
            write(surface, theme, text, place, self.size, ink, bold=not line, align="centre")
        if gone:
            hatch(surface, shape, palette.bad, px(6))
            pygame.draw.rect(surface, palette.bad, shape, px(1), px(4))

    def _draw_board(self, surface: pygame.Surface, node: int, shape: pygame.Rect) -> bool:
        """Draw the position of a node. Return False if it has none, or the picture is not made yet."""
        subject = self.work.subject
        if subject is None or subject.setup is None:
            return False
        moves = [*subject.moves, *(self.tree.moves[each] for each in self.tree.path(node)[1:])]
        texts = " ".join(map(subject.position.move_text, moves))
        picture = self._thumbnails.picture(TreeThumbnail(subject.setup, subject.stones, texts), shape.width)
        if picture is not None:
            surface.blit(picture, shape)
        return picture is not None

    def _draw_shape(self, surface: pygame.Surface, node: int, shape: pygame.Rect) -> None:
        """Draw a node without a board: MAX points up, MIN down, chance is round; a leaf is a square."""
        palette, inner = self.theme.palette, shape.inflate(-shape.width // 5, -shape.height // 5)
        if not self.tree.children[node] and self.work.drill.visits is None:
            rounded(surface, inner, palette.raised, self.theme.px(4), mix(palette.line, palette.quiet, 0.5))
            return
        role = self.tree.roles[node]
        colour = self._colour(role)
        fill = mix(palette.background, colour, 0.35)
        if role == "chance":
            rounded(surface, inner, fill, inner.width // 2, colour)
            return
        points = [inner.midtop, inner.bottomright, inner.bottomleft]
        if role == "min":
            points = [inner.midbottom, inner.topright, inner.topleft]
        pygame.draw.polygon(surface, fill, points)
        pygame.draw.aalines(surface, colour, True, points)

    def _colour(self, role: str) -> Colour:
        """Return the colour of a role, ``max``, ``min`` or ``chance``."""
        return self.theme.palette.info if role == "max" else self.theme.palette.accent

    def _draw_levels(self, surface: pygame.Surface) -> None:
        """Write the role, MAX, MIN or chance, at the left of each row in which all inner nodes have the same."""
        theme, px = self.theme, self.theme.px
        rows: dict[int, set[str]] = {}
        for node in self.shown:
            if self.tree.children[node]:
                rows.setdefault(self.rows[node], set()).add(self.tree.roles[node])
        for row, roles in rows.items():
            if len(roles) == 1:
                (role,) = roles
                node = next(each for each in self.shown if self.rows[each] == row)
                box = pygame.Rect(self.rect.left + px(6), self.node_rect(node).centery - px(11), px(_LEVEL - 8), px(22))
                colour = self._colour(role)
                rounded(surface, box, theme.palette.panel, px(6), colour)
                text = t("search.chance_level") if role == "chance" else role.upper()
                write(surface, theme, text, box, 14, colour, bold=True, align="centre")


# What a student works with: a number to fill in under a node, and a node to mark or to move.


_LONGEST = 7  # characters
_SIGN = 14  # design pixels
_LETTERS = str.maketrans({"-": "−", "i": "∞", "I": "∞"})


class NumberField(TextLine):
    """A text field for a number. Up and Down call `go` with -1 and 1; `entered` is called when it gets the focus.
    `tone` and `sign` show the result of the last check; None and empty without one."""

    _size = 14

    def __init__(
        self, theme: Theme, rect: pygame.Rect, text: str, changed: Callable[[str], object],
        done: Callable[[str], object], entered: Callable[[], object], go: Callable[[int], object],
    ) -> None:  # fmt: skip
        super().__init__(theme, rect, text, _LONGEST, changed, done)
        self._entered, self._go = entered, go
        self.tone: Colour | None = None
        self.sign = ""

    def clean(self, text: str) -> str:
        """Return `text` without characters that no number has; ``i`` becomes ``∞``, and ``-`` a minus sign."""
        return "".join(letter for letter in super().clean(text).translate(_LETTERS) if letter in "0123456789.,−+∞½")

    def focus(self) -> None:
        """Take the keyboard, and tell that the student is at this field."""
        super().focus()
        self._entered()

    def key(self, event: pygame.event.Event) -> bool:
        """Call `go` with Up and Down, except while an input method composes; edit the text with the other keys."""
        by = {pygame.K_UP: -1, pygame.K_DOWN: 1}.get(event.key)
        if by is not None and not self.composing:
            self._go(by)
            return True
        return super().key(event)

    def _text_rect(self) -> pygame.Rect:
        """The rectangle of the text, with narrower margins than in other fields, as the field is small."""
        return self.rect.inflate(-2 * self.theme.px(5), -2 * self.theme.px(2))

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the field and, after a check, a frame in the colour of the result with a tick or cross."""
        super().draw(surface)
        if self.tone is not None:
            px = self.theme.px
            pygame.draw.rect(surface, self.tone, self.rect, px(2), px(7))
            _draw_sign(surface, self.theme, self.rect, self.sign, self.tone)


def _draw_sign(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, sign: str, tone: Colour) -> None:
    """Draw a sign, such as a tick, over the upper right corner of `rect`; nothing if it is empty."""
    if sign:
        px = theme.px
        place = centred(px(_SIGN), px(_SIGN), (rect.right - px(3), rect.top + px(2)))
        rounded(surface, place, theme.palette.background, px(_SIGN // 2))
        write(surface, theme, sign, place, 14, tone, bold=True, align="centre")


class NodeMark(Widget):
    """A button over a node: a click or Space calls `pressed`; with `move`, Left and Right call it with -1 and 1. `tone`
    and `sign` show the result of the last check, `chosen` that Left and Right move this node."""

    def __init__(
        self, theme: Theme, rect: pygame.Rect, pressed: Callable[[], object], entered: Callable[[], object],
        move: Callable[[int], object] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, rect)
        self._pressed, self._entered, self._move = pressed, entered, move
        self.tone: Colour | None = None
        self.sign = ""
        self.chosen = False

    def focus(self) -> None:
        """Tell that the student is at this node."""
        self._entered()

    def accessible(self, key: str) -> Accessible:
        """Describe it as a button with the result of the last check; with `move`, also whether it is chosen."""
        chosen = self.chosen if self._move is not None else None
        return replace(super().accessible(key), role="button", about=self.sign, chosen=chosen)

    def release(self, point: Point) -> None:
        """Press it if the mouse is still over the node; anywhere else, do nothing."""
        if self.enabled and self.rect.collidepoint(point):
            self._entered()
            self._pressed()

    def key(self, event: pygame.event.Event) -> bool:
        """Move the node with Left and Right, if it can be moved, or press it with Space."""
        by = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}.get(event.key)
        if by is not None and self._move is not None:
            self._move(by)
            return True
        if event.key == pygame.K_SPACE:
            self._pressed()
            return True
        return False

    def draw(self, surface: pygame.Surface) -> None:
        """Draw a frame around the node if it is chosen, hovered or checked, and its tick or cross. The node itself is
        drawn with the tree."""
        px, palette = self.theme.px, self.theme.palette
        around = self.rect.inflate(px(6), px(6))
        ring = palette.text if self.chosen else palette.quiet if self.hovered else self.tone
        if ring is not None:
            pygame.draw.rect(surface, ring, around, px(2), px(7))
        if self.tone is not None:
            _draw_sign(surface, self.theme, around, self.sign, self.tone)


_LABEL = 16  # design pixels of the name of a field
_LEAST = 30  # design pixels of a node that can be hit
_NAMES = {"alpha": "α", "beta": "β", "visits": "n", "points": "w", "proof": "p", "disproof": "d"}


def widget_name(field: Field) -> str:
    """Return the name of the widget of a field."""
    return f"{field.slot}.{field.node}"


class DrillTree(Part):
    """Shows the current exercise of `book`."""

    def __init__(self, host: Host, widgets: Widgets, book: Workbook) -> None:
        self._host, self._widgets, self._book = host, widgets, book
        self._thumbnails = Thumbnails(host)
        self._picture: TreePicture
        self._built = ""  # which exercise it was built for
        self._labels: list[tuple[str, pygame.Rect]] = []
        self._begun: tuple[StudentWork, int] | None = None  # exercise and tries for which a field was focused

    def shape(self) -> object:
        """What the layout depends on: the exercise, and the order in which the student has put the moves."""
        return self._book.revision, self._book.work.arrangement

    def build(self, space: Space) -> None:
        """Take all the space, lay out the tree, and add a text field for each number that is asked, or a button over
        each node to be marked, chosen or moved."""
        px, work = self._host.theme.px, self._book.work
        self._rect = space.rest.copy()
        inside = self._rect.inflate(-2 * px(4), -2 * px(4))
        self._picture = TreePicture(self._host.theme, inside, work, self._thumbnails)
        self._labels.clear()
        fields = list(work.drill.solution())
        for node in work.drill.tree.preorder():
            for field in (field for field in fields if field.node == node and field.slot in NUMBERS):
                self._add_number(work, field)
            if node and work.drill.kind in ("cuts", "ucb", "order"):
                self._add_mark(work, node)
        self._place_focus(work)
        self._built = f"exercise.{self._book.number}.{work.state}"

    def _place_focus(self, work: StudentWork) -> None:
        """Focus the first number field, or after a check the first wrong one. Drop the focus when the work is done."""
        wrong = next((field for field, reason in work.checked.items() if reason is not None), None)
        first = next((field for field in work.drill.solution() if field.slot in NUMBERS), None)
        if work.state != "open":
            self._widgets.leave_focus()
        elif self._begun != (work, work.tries):
            first = wrong if wrong is not None and wrong.slot in NUMBERS else first
            self._widgets.focus = None if first is None else widget_name(first)
        self._begun = work, work.tries

    def _add_number(self, work: StudentWork, field: Field) -> None:
        """Add the text field of a number below its node, with its tick or cross after a check."""
        px, palette = self._host.theme.px, self._host.theme.palette
        slots = STACKED.get(work.drill.kind, ("value",))
        given = 1 if work.drill.visits is not None else 0
        place = Space(self._picture.under(field.node, given + slots.index(field.slot)))
        if field.slot in _NAMES:
            self._labels.append((_NAMES[field.slot], place.left(px(_LABEL))))
        widget = NumberField(
            self._host.theme, place.rest, work.answers.get(field, ""), partial(self._write, field),
            lambda _: self._book.check(), partial(setattr, work, "at", field), self._widgets.move_focus,
        )  # fmt: skip
        widget.enabled = work.state == "open"
        widget.tip = field_name(work, field)
        if field in work.checked:
            wrong = work.checked[field] is not None
            widget.tone, widget.sign = palette.bad if wrong else palette.good, "×" if wrong else "✓"
        elif work.state == "shown" and work.answers.get(field):
            widget.tone = palette.info
        widget.label = field_name(work, field)
        self._widgets.add(widget_name(field), widget)

    def _write(self, field: Field, text: str) -> None:
        """Note what was typed into a field, and remove its tick or cross."""
        self._book.work.write(field, text)
        widget = self._widgets.elements[widget_name(field)]
        assert isinstance(widget, NumberField)
        widget.tone, widget.sign = None, ""

    def _add_mark(self, work: StudentWork, node: int) -> None:
        """Add a button over `node`. A press marks the node; in an ordering drill it selects it, to move it among its
        siblings. Once checked, marks show whether they are right.
        """
        px, palette = self._host.theme.px, self._host.theme.palette
        order = work.drill.kind == "order"
        field = Field(node, "order" if order else "mark")
        shape = self._picture.node_rect(node)
        side = max(shape.width, px(_LEAST))
        place = centred(side, side, shape.center)
        press = partial(self._select, node) if order else partial(self._mark, node)
        move = self._book.move if order else None
        widget = NodeMark(self._host.theme, place, press, partial(self._select, node), move)
        widget.enabled = work.state == "open"
        widget.chosen = order and work.at == field
        reason = work.checked.get(field)
        if work.checked and (field.slot == "mark") and (reason is not None or work.answers.get(field)):
            widget.tone = palette.good if reason is None else palette.bad
            widget.sign = "✓" if reason is None else "×"
        widget.label = field_name(work, field)
        self._widgets.add(widget_name(field), widget)

    def _select(self, node: int) -> None:
        """Note that the student is at `node`; in an ordering exercise, highlight it as the one to be moved."""
        work = self._book.work
        work.at = Field(node, "order" if work.drill.kind == "order" else "mark")
        for name, widget in self._widgets.elements.items():
            if isinstance(widget, NodeMark):
                widget.chosen = work.drill.kind == "order" and name == widget_name(work.at)

    def _mark(self, node: int) -> None:
        """Mark `node`, or remove its mark."""
        self._book.mark(node)

    # Time and picture.

    def update(self, now: float) -> None:
        """Make pictures of positions that the tree has asked for, for a moment in each frame."""
        self._thumbnails.work()

    def wake(self, now: float) -> float | None:
        """Return 0 while pictures of positions are still to be made, else None."""
        return 0.0 if self._thumbnails.busy else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the tree, the names of what the fields ask for, and the node where the order is wrong. Fields and marks
        are widgets."""
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        rounded(surface, self._rect, palette.panel, px(8), palette.line)
        with clipped(surface, self._rect.inflate(-px(2), -px(2))):
            self._picture.draw(surface)
            for name, place in self._labels:
                write(surface, theme, name, place, 14, palette.quiet, bold=True)
            self._draw_faults(surface)

    def _draw_faults(self, surface: pygame.Surface) -> None:
        """Draw a ring around the node at which another move should come first."""
        px = self._host.theme.px
        for field, reason in self._book.work.checked.items():
            if field.slot == "order" and reason is not None:
                around = self._picture.node_rect(field.node).inflate(px(10), px(10))
                pygame.draw.rect(surface, self._host.theme.palette.bad, around, px(2), px(8))

    def places(self) -> dict[str, tuple[int, int]]:
        """The middle of the tree, under a name made of the exercise's number and state."""
        return {self._built: self._rect.center}

    def hint(self) -> str:
        """What is asked at the field that the student is at; empty without one, or once the exercise is over."""
        work = self._book.work
        return field_name(work, work.at) if work.at is not None and work.state == "open" else ""

    def status(self) -> str:
        """Say which keys and clicks answer this kind of exercise."""
        work = self._book.work
        slots = {field.slot for field in work.drill.solution()}
        return t("drill.help.numbers" if slots & set(NUMBERS) else f"drill.help.{slots.pop()}")
