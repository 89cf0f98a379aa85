"""The tree of an exercise with what a student fills in, marks or moves."""

from __future__ import annotations

from functools import partial

import pygame

from ai.drills.drill import Field
from ui.board.pictures import Thumbnails
from ui.learn.drill_words import field_name
from ui.learn.picture import STACKED, TreePicture
from ui.learn.workbook import NUMBERS, NodeMark, NumberField, StudentWork, Workbook
from ui.toolkit.art import clipped, rounded
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.typesetting import write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part

_LABEL = 16  # design pixels of the name of a field
_LEAST = 30  # design pixels of a node that can be hit
_NAMES = {"alpha": "α", "beta": "β", "visits": "n", "points": "w"}


def widget_name(field: Field) -> str:
    """The name of the widget that a field is written in."""
    return f"{field.slot}.{field.node}"


class DrillTree(Part):
    """Shows the current exercise of `book`."""

    def __init__(self, host: Host, widgets: Widgets, book: Workbook) -> None:
        self._host, self._widgets, self._book = host, widgets, book
        self._thumbnails = Thumbnails(host)
        self._picture: TreePicture | None = None
        self._built = ""  # which exercise it was built for
        self._labels: list[tuple[str, pygame.Rect]] = []
        self._begun: tuple[StudentWork, int] | None = None  # exercise and tries for which a field was focused

    def shape(self) -> object:
        return self._book.revision, self._book.work.tree_now

    def build(self, space: Space) -> None:
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
        """At first the first field, and after a check the first that is wrong."""
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
        assert self._picture is not None
        px, palette = self._host.theme.px, self._host.theme.palette
        slots = STACKED.get(work.drill.kind, ("value",))
        given = 1 if work.drill.visits is not None else 0
        place = Space(self._picture.under(field.node, given + slots.index(field.slot)), 0)
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
        self._widgets.add(widget_name(field), widget)

    def _write(self, field: Field, text: str) -> None:
        self._book.work.write(field, text)
        widget = self._widgets.elements[widget_name(field)]
        assert isinstance(widget, NumberField)
        widget.tone, widget.sign = None, ""

    def _add_mark(self, work: StudentWork, node: int) -> None:
        """Add the button over a node that is marked, or moved among its siblings."""
        assert self._picture is not None
        px, palette = self._host.theme.px, self._host.theme.palette
        order = work.drill.kind == "order"
        field = Field(node, "order" if order else "mark")
        shape = self._picture.shape(node)
        place = pygame.Rect(0, 0, max(shape.width, px(_LEAST)), max(shape.height, px(_LEAST)))
        place.center = shape.center
        press = partial(self._select, node) if order else partial(self._mark, node)
        move = self._book.move if order else None
        widget = NodeMark(self._host.theme, place, press, partial(self._select, node), move)
        widget.enabled = work.state == "open"
        widget.chosen = order and work.at == field
        reason = work.checked.get(field)
        if work.checked and (field.slot == "mark") and (reason is not None or work.answers.get(field)):
            widget.tone = palette.good if reason is None else palette.bad
            widget.sign = "✓" if reason is None else "×"
        self._widgets.add(widget_name(field), widget)

    def _select(self, node: int) -> None:
        work = self._book.work
        work.at = Field(node, "order" if work.drill.kind == "order" else "mark")
        for name, widget in self._widgets.elements.items():
            if isinstance(widget, NodeMark):
                widget.chosen = work.drill.kind == "order" and name == widget_name(work.at)

    def _mark(self, node: int) -> None:
        self._book.mark(node)

    # Time and picture.

    def update(self, now: float) -> None:
        self._thumbnails.work()

    def wake(self, now: float) -> float | None:
        return 0.0 if self._thumbnails.busy else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        rounded(surface, self._rect, palette.panel, px(8), palette.line)
        if self._picture is None:
            return
        with clipped(surface, self._rect.inflate(-px(2), -px(2))):
            self._picture.draw(surface)
            for name, place in self._labels:
                write(surface, theme, name, place, 14, palette.quiet, bold=True)
            self._draw_faults(surface)

    def _draw_faults(self, surface: pygame.Surface) -> None:
        """A ring around the node at which another move should come first."""
        assert self._picture is not None
        px = self._host.theme.px
        for field, reason in self._book.work.checked.items():
            if field.slot == "order" and reason is not None:
                around = self._picture.shape(field.node).inflate(px(10), px(10))
                pygame.draw.rect(surface, self._host.theme.palette.bad, around, max(2, px(2)), px(8))

    def places(self) -> dict[str, tuple[int, int]]:
        return {self._built: self._rect.center}

    def hint(self) -> str:
        """What the field asks for that the student is at."""
        work = self._book.work
        return field_name(work, work.at) if work.at is not None and work.state == "open" else ""

    def status(self) -> str:
        work = self._book.work
        slots = {field.slot for field in work.drill.solution()}
        return t("drill.help.numbers" if slots & set(NUMBERS) else f"drill.help.{slots.pop()}")
