"""The screen of exercises on search trees: those that end a lesson, or those on one tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from ai.drills.drill import LARGEST_SEED
from ai.drills.tree import MOST_LEAVES, TooLarge, Tree, tree_of_subject
from ai.explain.explorer import Explorer
from ai.explain.subject import Subject
from games.record import GameRecord
from games.storage import saves_home, unused_path
from ui import screens
from ui.learn.compare_state import TREES
from ui.learn.drill_tree import DrillTree, NumberField, widget_name
from ui.learn.lesson_state import lessons, progress
from ui.learn.workbook import NUMBERS, Workbook, kind_name, new_seed, of_lesson, of_tree, results, task_text, verdict
from ui.parts.exports import write_file
from ui.parts.header import Header, MenuButton
from ui.toolkit.i18n import language, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import width_of, wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import MenuEntry, Part, lay
from ui.window.screen import Screen

# Beside the tree of an exercise: the task, what the check has found, a keypad, the seed, and the way through.


_LINE, _TASK, _BUTTON, _KEY, _GAP = 20, 19, 34, 32, 6  # design pixels
_KEYS = ("1234567", "890.−½∞")
_SEED = 64  # design pixels of the field


class DrillText(Part):
    """The task, and what the last check has found."""

    def __init__(self, host: Host, widgets: Widgets, book: Workbook) -> None:
        self._host, self._widgets, self._book = host, widgets, book

    def shape(self) -> object:
        """What the layout depends on: the exercise, and the result of the last check with the number of tries."""
        work = self._book.work
        return self._book.revision, work.state, work.tries, work.reason

    def build(self, space: Space) -> None:
        """Write the kind of exercise and the task from the top of the space and, after a check, the verdict in its
        colour with an explanation."""
        theme, px, work, label = self._host.theme, self._host.theme.px, self._book.work, self._widgets.label
        label(space.top(px(24)), kind_name(work), 16, bold=True)
        lines = wrapped(theme, task_text(work), space.rest.width, 14)
        self._widgets.lines(Space(space.top(len(lines) * px(_TASK))), lines, px(_TASK), 14)
        short, more, tone = verdict(work)
        if not short:
            return
        colour = {"good": theme.palette.good, "bad": theme.palette.bad, "info": theme.palette.info}[tone]
        label(space.top(px(_LINE)), short, 16, colour, bold=True)
        lines = wrapped(theme, more, space.rest.width, 14)
        self._widgets.lines(Space(space.top(len(lines) * px(_TASK))), lines, px(_TASK), 14)


class DrillWay(Part):
    """The controls, from the bottom up: previous and next exercise with the `menu`, check and show the answers, the
    seed, and a keypad, or arrows that move a node. `leave` is called after the last exercise."""

    def __init__(
        self, host: Host, widgets: Widgets, book: Workbook, menu: Part, leave: Callable[[], object]
    ) -> None:  # fmt: skip
        self._host, self._widgets, self._book, self._menu, self._leave = host, widgets, book, menu, leave
        self.bindings = (
            Binding(("return",), self._enter, "drill.check"),
            Binding(("pagedown", "n"), self._go_on, "drill.next"),
            Binding(("pageup", "b"), self._go_back, "drill.previous"),
            Binding(("a",), book.show, "drill.show"),
            Binding(("r",), self._draw_new, "drill.another"),
            Binding(("left",), partial(book.move, -1), "drill.left"),
            Binding(("right",), partial(book.move, 1), "drill.right"),
            Binding(("ctrl+e",), self._export, "drill.export", menu="drill.export"),
        )

    def shape(self) -> object:
        """What the layout depends on: the exercise, its kind, and whether it is open, solved or given up."""
        work = self._book.work
        return self._book.revision, work.state, work.drill.kind

    def build(self, space: Space) -> None:
        """Build the rows from the bottom of the space up. The row of the seed is left out where the exercises have
        none."""
        space.gap = self._host.theme.px(_GAP)
        self._build_steps(space)
        self._build_answers(space)
        if self._book.seeded:
            self._build_seed(space)
        self._build_tools(space)

    def _build_steps(self, space: Space) -> None:
        """Build the row that leads to the previous and the next exercise, with a tick for each that was solved."""
        px, book, button = self._host.theme.px, self._book, self._widgets.button
        row = Space(space.bottom(px(_BUTTON)), px(_GAP))
        back, on = row.left(px(44)), row.right(px(104))
        self._menu.build(row)
        solved = book.solved()
        marks = " ".join("✓" if number in solved else "·" for number in range(book.count))
        text = t("drill.number", number=book.number + 1, count=book.count, marks=marks)
        self._widgets.label(row.rest, text, 14, self._host.theme.palette.quiet, align="centre")
        button("previous", back, "", self._go_back, icon="back", tip=t("drill.previous"), key="pageup",
               enabled=book.number > 0)  # fmt: skip
        style = "" if book.work.state == "open" else "@primary"
        text = t("drill.finish" if book.last else "drill.next")
        button("next", on, text, self._go_on, style=style, key="pagedown")

    def _build_answers(self, space: Space) -> None:
        """Build the buttons that show the answers and check them."""
        px, button, still = self._host.theme.px, self._widgets.button, self._book.work.state == "open"
        show, check = columns(space.bottom(px(_BUTTON)), 2, px(_GAP))
        button("show", show, t("drill.show"), self._book.show, key="a", enabled=still)
        style = "@primary" if still else ""
        button("check", check, t("drill.check"), self._book.check, style=style, key="return", enabled=still)

    def _build_seed(self, space: Space) -> None:
        """Build the row with the seed of the exercises, which can be typed or drawn at random."""
        theme, px = self._host.theme, self._host.theme.px
        row = Space(space.bottom(px(_BUTTON)), px(_GAP))
        name = t("drill.seed")
        self._widgets.label(row.left(width_of(theme, name, 14) + px(2)), name, 14, theme.palette.quiet)
        text = str(self._book.seed)
        line = TextLine(theme, row.left(px(_SEED)), text, len(str(LARGEST_SEED)), lambda _: None, self._take_seed)
        line.tip = t("drill.seed_tip")
        self._widgets.add("seed", line)
        self._widgets.button("another", row.rest, t("drill.another"), self._draw_new, key="r")

    def _build_tools(self, space: Space) -> None:
        """Build buttons that replace the keyboard, while the exercise is open: arrows that order moves, or a pad of
        digits."""
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
        """Type a letter into the field that the student is at; an empty `letter` clears the field."""
        at = self._book.work.at
        name = "" if at is None else widget_name(at)
        widget = self._widgets.elements.get(name)
        if isinstance(widget, NumberField):
            self._widgets.focus = name
            if not letter:
                widget.select(0, len(widget.text))
            widget.type_text(letter)

    def _enter(self) -> None:
        """Check the answers; if the exercise is solved or given up already, go to the next one."""
        if self._book.work.state == "open":
            self._book.check()
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Go to the next exercise; from the last one, leave."""
        if self._book.last:
            self._leave()
        else:
            self._book.go(self._book.number + 1)

    def _go_back(self) -> None:
        """Go to the exercise before; from the first one, stay there."""
        self._book.go(self._book.number - 1)

    def _take_seed(self, text: str) -> None:
        """Draw the exercises of the seed that was typed; say so if it is no number."""
        if text.isdecimal():
            self._book.take(int(text))
        else:
            self._host.say(t("drill.no_seed", most=LARGEST_SEED), "bad")

    def _draw_new(self) -> None:
        """Draw exercises from a new random seed; nothing for exercises that have no seed."""
        if self._book.seeded:
            self._book.take(new_seed())

    def _export(self) -> None:
        """Write the results to a file that a person chooses."""
        proposal = unused_path(saves_home(), t("drill.results"), ".csv")
        self._host.choose_file(proposal, self._write, saving=True, kinds=(".csv",), title=t("drill.export_choose"))

    def _write(self, file: Path) -> None:
        """Write the person's results in all lessons, and in these exercises, to `file`."""
        self._host.files.settle()
        worked = {key: done.worked for key, done in progress().items()}
        write_file(self._host, file, results(self._host.settings.player_name, worked, self._book))


# The menu entries that open more about the tree of a search that is shown: exercises on it, and minimax and alpha-beta
# side by side.


def open_exercises(host: Host, subject: Subject, back: Content) -> None:
    """Open exercises on the tree of `subject`; say so if it is too large."""
    try:
        tree = tree_of_subject(subject)
    except TooLarge:
        host.say(t("drill.too_large", most=MOST_LEAVES), "bad")
    else:
        host.open(screens.exercises, tree=tree, subject=subject, back=back)


class BesideEntry(Part):
    """The menu entries for the tree that `explorer` shows: exercises on it and, unless it is a tree of numbers, minimax
    and alpha-beta side by side. `owner` is the screen to come back to."""

    def __init__(self, host: Host, explorer: Explorer, owner: Content) -> None:
        self._host, self._explorer, self._owner = host, explorer, owner

    def entries(self) -> Sequence[MenuEntry]:
        """Offer the exercises, and before them the comparison if a position is searched."""
        subject = self._explorer.subject
        begin = partial(open_exercises, self._host, subject, self._owner)
        work = MenuEntry("exercises", t("lesson.exercises_tip"), begin)
        if subject.setup is None:
            return (work,)
        return (MenuEntry("beside", t("compare.trees.open"), self._open), work)

    def _open(self) -> None:
        """Open the comparison of whole trees, for the position that is searched."""
        subject = self._explorer.subject
        assert subject.setup is not None
        record = GameRecord(subject.setup, stones=subject.stones)
        for move in subject.moves:
            record.play(move)
        self._host.open(screens.compare, record, view=TREES, back=self._owner)


class DrillScreen(Screen):
    """The exercises of the lesson called `key`, by default the first lesson, drawn from `seed` and beginning with that
    of this `number`; or those on the `tree` of `subject`."""

    name = "exercises"
    guide = "lessons"
    above = "lessons"

    def __init__(
        self, host: Host, key: str = "", seed: int | None = None, number: int | None = None,
        tree: Tree | None = None, subject: Subject | None = None, back: Content | None = None,
    ) -> None:  # fmt: skip
        super().__init__(host, back)
        if tree is not None and subject is not None:
            self.book = book = of_tree(host, tree, subject)
        else:
            self.book = book = of_lesson(host, key or lessons(language())[0].key, seed, number)
        self._header = Header(host, self.widgets, self._title, self.go_back, self, owner=self)
        self._tree = DrillTree(host, self.widgets, book)
        self._text = DrillText(host, self.widgets, book)
        self._way = DrillWay(host, self.widgets, book, MenuButton(host, self.widgets, self.entries), self._finish)
        self.parts = [self._tree, self._text, self._way, self._header]

    def _title(self) -> str:
        """The title of the screen, with that of the lesson or of the tree."""
        return f"{t('drill.title')} · {self.book.title}"

    def _finish(self) -> None:
        """Leave after the last exercise: from those of a lesson to the list of lessons, else as `go_back`."""
        if self.book.key:
            self.host.open(screens.lessons)
        else:
            self.go_back()

    def build(self, space: Space) -> None:
        """Lay the tree out in `space`, the header, the controls and the task in the side panel."""
        self._tree.build(space)
        side = self.frame.side
        side.gap = self.host.theme.px(8)
        lay(side, self._header, self._way, self._text)
