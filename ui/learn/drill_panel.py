"""Beside the tree of an exercise: the task, what the check has found, a keypad, the seed, and the way through."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ai.drills.drawn import LARGEST_SEED
from games.storage import saves_home, unused_path
from ui.learn.drill_tree import widget_name
from ui.learn.drill_words import kind_name, results, task_text, verdict
from ui.learn.lesson_state import progress
from ui.learn.workbook import NUMBERS, NumberField, Workbook, new_seed
from ui.parts.exports import write_file
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import width_of, wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part

_LINE, _TASK, _BUTTON, _KEY, _GAP = 20, 19, 34, 32, 6  # design pixels
_KEYS = ("1234567", "890.−½∞")
_SEED = 64  # design pixels of the field


class DrillText(Part):
    """The task, and what the last check has found."""

    def __init__(self, host: Host, widgets: Widgets, book: Workbook) -> None:
        self._host, self._widgets, self._book = host, widgets, book

    def shape(self) -> object:
        work = self._book.work
        return self._book.revision, work.state, work.tries, work.reason

    def build(self, space: Space) -> None:
        theme, px, work, label = self._host.theme, self._host.theme.px, self._book.work, self._widgets.label
        label(space.top(px(24)), kind_name(work), 16, bold=True)
        lines = wrapped(theme, task_text(work), space.rest.width, 14)
        self._widgets.lines(Space(space.top(len(lines) * px(_TASK)), 0), lines, px(_TASK), 14)
        short, more, tone = verdict(work)
        if not short:
            return
        colour = {"good": theme.palette.good, "bad": theme.palette.bad, "info": theme.palette.info}[tone]
        label(space.top(px(_LINE)), short, 16, colour, bold=True)
        lines = wrapped(theme, more, space.rest.width, 14)
        self._widgets.lines(Space(space.top(len(lines) * px(_TASK)), 0), lines, px(_TASK), 14)


class DrillWay(Part):
    """What can be done, from the bottom up: the way through the exercises with the `menu`, answers checked and shown,
    the seed, and the keypad, or arrows that move a node. `leave` is what comes after the last exercise."""

    def __init__(
        self, host: Host, widgets: Widgets, book: Workbook, menu: Part, leave: Callable[[], object]
    ) -> None:  # fmt: skip
        self._host, self._widgets, self._book, self._menu, self._leave = host, widgets, book, menu, leave
        self.bindings = (
            Binding(("return",), self._enter, "drill.check"),
            Binding(("pagedown", "n"), partial(self._step, 1), "drill.next"),
            Binding(("pageup", "b"), partial(self._step, -1), "drill.previous"),
            Binding(("a",), book.show, "drill.show"),
            Binding(("r",), self._another, "drill.another"),
            Binding(("left",), partial(book.move, -1), "drill.left"),
            Binding(("right",), partial(book.move, 1), "drill.right"),
            Binding(("ctrl+e",), self._export, "drill.export", menu="drill.export"),
        )

    def shape(self) -> object:
        work = self._book.work
        return self._book.revision, work.state, work.drill.kind

    def build(self, space: Space) -> None:
        space.gap = self._host.theme.px(_GAP)
        self._build_steps(space)
        self._build_answers(space)
        if self._book.seeded:
            self._build_seed(space)
        self._build_tools(space)

    def _build_steps(self, space: Space) -> None:
        """The row that leads to the previous and the next exercise, with a tick for each that was solved."""
        px, book, button = self._host.theme.px, self._book, self._widgets.button
        row = Space(space.bottom(px(_BUTTON)), px(_GAP))
        back, on = row.left(px(44)), row.right(px(104))
        self._menu.build(row)
        solved = book.solved()
        marks = " ".join("✓" if number in solved else "·" for number in range(book.count))
        text = t("drill.number", number=book.number + 1, count=book.count, marks=marks)
        self._widgets.label(row.rest, text, 14, self._host.theme.palette.quiet, align="centre")
        button("previous", back, "", partial(self._step, -1), icon="back", tip=t("drill.previous"), key="pageup",
               enabled=book.number > 0)  # fmt: skip
        style = "" if book.work.state == "open" else "@primary"
        button("next", on, t("drill.finish" if book.last else "drill.next"), partial(self._step, 1), style=style,
               key="pagedown")  # fmt: skip

    def _build_answers(self, space: Space) -> None:
        px, button, still = self._host.theme.px, self._widgets.button, self._book.work.state == "open"
        show, check = columns(space.bottom(px(_BUTTON)), 2, px(_GAP))
        button("show", show, t("drill.show"), self._book.show, key="a", enabled=still)
        style = "@primary" if still else ""
        button("check", check, t("drill.check"), self._book.check, style=style, key="return", enabled=still)

    def _build_seed(self, space: Space) -> None:
        """The row with the seed of the exercises, which can be typed or drawn anew."""
        theme, px = self._host.theme, self._host.theme.px
        row = Space(space.bottom(px(_BUTTON)), px(_GAP))
        name = t("drill.seed")
        self._widgets.label(row.left(width_of(theme, name, 14) + px(2)), name, 14, theme.palette.quiet)
        text = str(self._book.seed)
        line = TextLine(theme, row.left(px(_SEED)), text, len(str(LARGEST_SEED)), lambda _: None, self._take)
        line.tip = t("drill.seed_tip")
        self._widgets.add("seed", line)
        self._widgets.button("another", row.rest, t("drill.another"), self._another, key="r")

    def _build_tools(self, space: Space) -> None:
        """Buttons to write without a keyboard: arrows that order moves, or a pad of digits."""
        px, drill, button = self._host.theme.px, self._book.work.drill, self._widgets.button
        if self._book.work.state != "open":
            return
        if drill.kind == "order":
            left, right = columns(space.bottom(px(_BUTTON)), 2, px(_GAP))
            button("left", left, t("drill.left"), partial(self._book.move, -1), icon="back", key="left")
            button("right", right, t("drill.right"), partial(self._book.move, 1), icon="forward", key="right")
        elif any(field.slot in NUMBERS for field in drill.solution()):
            rows = [space.bottom(px(_KEY)) for _ in _KEYS][::-1]
            for row, letters in zip(rows, _KEYS, strict=True):
                places = columns(row, len(letters) + (letters is _KEYS[-1]), px(4))
                for place, letter in zip(places, letters, strict=False):
                    button(f"key.{letter}", place, letter, partial(self._type, letter))
                if letters is _KEYS[-1]:
                    erase = partial(self._type, "")
                    button("key.erase", places[-1], "", erase, icon="trash", tip=t("drill.erase"))

    # Actions.

    def _type(self, letter: str) -> None:
        """Write a letter into the field that the student is at; without one, empty it."""
        at = self._book.work.at
        widget = self._widgets.elements.get("" if at is None else widget_name(at))
        if isinstance(widget, NumberField):
            self._widgets.focus = widget_name(at) if at is not None else None
            if not letter:
                widget.select(0, len(widget.text))
            widget.type_text(letter)

    def _enter(self) -> None:
        """Check the answers; once they are known, go on."""
        if self._book.work.state == "open":
            self._book.check()
        else:
            self._step(1)

    def _step(self, by: int) -> None:
        """Go to the next or previous exercise; from the last, leave."""
        if by > 0 and self._book.last:
            self._leave()
        else:
            self._book.go(self._book.number + by)

    def _take(self, text: str) -> None:
        """Draw the exercises of the seed that was typed."""
        if text.isdecimal():
            self._book.take(int(text))
        else:
            self._host.say(t("drill.no_seed", most=LARGEST_SEED), "bad")

    def _another(self) -> None:
        """Draw exercises from a new seed."""
        if self._book.seeded:
            self._book.take(new_seed())

    def _export(self) -> None:
        """Write the results to a file that a person chooses."""
        proposal = unused_path(saves_home(), t("drill.results"), ".csv")
        self._host.choose_file(proposal, self._write, saving=True, kinds=(".csv",), title=t("drill.export_choose"))

    def _write(self, file: Path) -> None:
        """Write the results of the person to `file`."""
        self._host.files.settle()
        worked = {key: done.worked for key, done in progress().items()}
        write_file(self._host, file, results(self._host.settings.player_name, worked, self._book))
