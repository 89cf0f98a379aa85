"""The screen of a lesson: its text, and the search that the text is about."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ai.explain.prediction import Quiz
from ui import screens
from ui.learn.code import CodeWalk, NodeOrCode, SearchCode
from ui.learn.lesson_state import Course, lessons
from ui.learn.lessons import REFERENCES, TERMS
from ui.learn.overview import Overview
from ui.learn.search_export import LessonExport, SearchExport
from ui.learn.search_tree import SearchNode, SearchSteps, SearchTree, TreeKeys
from ui.learn.training_chart import TrainingChart
from ui.parts.header import Header, MenuButton
from ui.toolkit.art import draw_progress
from ui.toolkit.i18n import language, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space
from ui.toolkit.typesetting import wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Group, Part, for_each, lay
from ui.window.screen import Screen

# The text of a lesson: a step or a question at a time, and the way through them.


_LINE, _BUTTON, _GAP, _BAR = 23, 36, 8, 6  # design pixels


class LessonText(Part):
    """What the page of `course` says; a question with its options, and after an answer whether it is right, and why."""

    def __init__(self, host: Host, widgets: Widgets, course: Course, owner: Content) -> None:
        self._host, self._widgets, self._course, self._owner = host, widgets, course, owner
        self.bindings = (
            *(Binding((str(option + 1),), partial(self._answer, option), "lesson.answer") for option in range(4)),
            Binding(("t",), partial(self._open_reading, TERMS), "reading.terms", menu="reading.terms"),
            Binding(("r",), partial(self._open_reading, REFERENCES), "reading.references", menu="reading.references"),
        )

    def shape(self) -> object:
        """What the layout depends on: the page, and the answer that was chosen."""
        return self._course.page, self._course.chosen

    def build(self, space: Space) -> None:
        """Take as much room from the top of `space` as the text needs."""
        theme, px, course = self._host.theme, self._host.theme.px, self._course
        question, wide = course.question, space.rest.width
        text = course.shown_step.text if question is None else question.text
        lines = wrapped(theme, text, wide, 16, question is not None)
        self._widgets.lines(Space(space.top(len(lines) * px(_LINE))), lines, px(_LINE), bold=question is not None)
        if question is None:
            self._build_comparison(space)
            return
        for number, option in enumerate(question.options):
            chosen = course.chosen == number
            press = partial(course.answer, number)
            place = space.top(px(_BUTTON))
            self._widgets.button(f"option.{number + 1}", place, option, press, style="@choice", chosen=chosen)
        if course.chosen is not None:
            right = course.chosen == question.answer - 1
            self._build_verdict(space, right, question.why if right else t("lesson.wrong"))
        if course.page == course.lesson.pages - 1:
            self._build_reading(space)

    def _build_verdict(self, space: Space, right: bool, why: str) -> None:
        """Write whether the answer is right, and below it `why`."""
        theme, high = self._host.theme, self._host.theme.px(_LINE)
        colour = theme.palette.good if right else theme.palette.bad
        lines = wrapped(theme, why, space.rest.width, 16)
        place = Space(space.top((len(lines) + 1) * high))
        self._widgets.label(place.top(high), t("lesson.right" if right else "lesson.not_right"), 16, colour, bold=True)
        self._widgets.lines(place, lines, high)

    def _build_comparison(self, space: Space) -> None:
        """Build a button to the comparison of all searches, if the step asks for one."""
        if self._course.shown_step.compare:
            place = space.top(self._host.theme.px(_BUTTON))
            self._widgets.button("way", place, t("lesson.compare"), self._compare, icon="forward")

    def _build_reading(self, space: Space) -> None:
        """Build the button that opens what to read after the lesson."""
        place = space.top(self._host.theme.px(_BUTTON))
        press = partial(self._open_reading, REFERENCES)
        self._widgets.button("references", place, t("reading.references"), press, icon="forward")

    def _open_reading(self, kind: str) -> None:
        """Open the terms or the references of this lesson: `kind` is `TERMS` or `REFERENCES`."""
        self._host.open(screens.reading, kind, self._course.key, back=self._owner)

    def _compare(self) -> None:
        """Open the comparison of all searches of the position."""
        self._host.open(screens.compare, self._course.record(), back=self._owner)

    def _answer(self, option: int) -> bool:
        """Answer with the option at this index, from 0. Return False, and do nothing, if there is none."""
        question = self._course.question
        if question is None or option >= len(question.options):
            return False
        self._course.answer(option)
        return True


class LessonWay(Part):
    """The row at the bottom: previous page, page number, the `menu` and next page; after the last page, the exercises.
    """

    def __init__(self, host: Host, widgets: Widgets, course: Course, menu: Part) -> None:
        self._host, self._widgets, self._course, self._menu = host, widgets, course, menu
        self.bindings = (
            Binding(("pagedown", "n"), self._go_on, "lesson.next"),
            Binding(("pageup", "b"), self._go_back, "lesson.previous"),
            Binding(("x",), self._open_exercises, "lesson.exercises", menu="lesson.exercises"),
        )

    def shape(self) -> object:
        """What the layout depends on: the page alone."""
        return self._course.page

    def build(self, space: Space) -> None:
        """Take the row and, below it, a progress bar from the bottom. Page Up and Page Down turn pages; the first page
        has no previous one."""
        px, course, button = self._host.theme.px, self._course, self._widgets.button
        bar, palette, pages = space.bottom(px(_BAR)), self._host.theme.palette, course.lesson.pages
        self._widgets.paint(lambda surface: draw_progress(surface, palette, bar, (course.page + 1) / pages))
        row = Space(space.bottom(px(_BUTTON)), px(_GAP))
        back, on = row.left(px(48)), row.right(px(112))
        self._menu.build(row)
        text = f"{course.page + 1} / {pages}"
        self._widgets.label(row.rest, text, 14, palette.quiet, align="centre")
        button("previous", back, "", self._go_back, icon="back", tip=t("lesson.previous"), key="pageup",
               enabled=course.page > 0)  # fmt: skip
        text = t("lesson.exercises" if course.page == pages - 1 else "lesson.next")
        button("next", on, text, self._go_on, style="@primary", key="pagedown")

    def _go_on(self) -> None:
        """Go to the next page; from the last one, to the exercises."""
        if self._course.page == self._course.lesson.pages - 1:
            self._open_exercises()
        else:
            self._course.go(self._course.page + 1)

    def _open_exercises(self) -> None:
        """Open the exercises of this lesson."""
        self._host.open(screens.exercises, self._course.key)

    def _go_back(self) -> None:
        """Go to the previous page."""
        self._course.go(self._course.page - 1)


class LessonScreen(Screen):
    """The lesson called `key`, at `page`, or where it was left."""

    name = "lesson"
    guide = "lessons"
    above = "lessons"

    def __init__(self, host: Host, key: str = "", page: int | None = None, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.course = course = Course(host, key or lessons(language())[0].key, page)
        explorer = course.explorer
        self._header = Header(host, self.widgets, self._title, self.go_back, self, owner=self)
        self.tree = SearchTree(host, self.widgets, explorer)
        self._overview = Overview(host, explorer)
        self._text = LessonText(host, self.widgets, course, self)
        quiz = Quiz(explorer)
        self.walk = walk = CodeWalk(quiz, self._has_room)
        self._node = NodeOrCode(SearchNode(host, explorer), SearchCode(host, self.widgets, walk), walk)
        self._steps = SearchSteps(host, self.widgets, quiz)
        self._way = LessonWay(host, self.widgets, course, MenuButton(host, self.widgets, self.entries))
        chart = TrainingChart(host, course)
        self._search = _Search(course, (self.tree, self._overview), (self._steps, self._node), chart)
        self.parts = [
            self._search, self._text, self._way, self._header,
            TreeKeys(explorer), SearchExport(host, explorer),
            LessonExport(host, course),
        ]  # fmt: skip

    def _has_room(self) -> bool:
        """Return whether the code may take the place of the text: not of a question, nor on a page without a search."""
        step = self.course.step
        return step is not None and not step.chart

    def _title(self) -> str:
        """The title of the lesson."""
        return self.course.lesson.title

    def update(self, now: float) -> None:
        """Zoom to the whole tree when the search of a page has just ended, then update the parts."""
        if self.course.update():
            self.tree.see_all()
        super().update(now)

    def build(self, space: Space) -> None:
        """Lay out the header, the text unless the code is shown in its place, and the row of pages in the side panel;
        the search in `space` and in the rest of the panel."""
        side = self.frame.side
        side.gap = space.gap = self.host.theme.px(8)
        self.setup = self.course.explorer.subject.setup
        # The code takes the place of the text, which may need all of it.
        lay(side, self._header, *(() if self.walk.shown else (self._text,)), self._way)
        self._search.side = side
        self._search.build(space)


class _Search(Group):
    """The parts of the `search` of the step, and those `beside` it in the side panel; for a step that names a chart,
    the `chart` alone."""

    def __init__(self, course: Course, search: Sequence[Part], beside: Sequence[Part], chart: Part) -> None:
        super().__init__((*search, *beside))
        self._course, self._search, self._beside, self._chart = course, search, beside, chart
        self._all = self.parts
        self.side: Space

    def build(self, space: Space) -> None:
        """Choose the parts of the step, the chart or the search, and lay them out in `space` and, for a search, in
        `side`."""
        if self._course.shown_step.chart:
            self.parts = (self._chart,)
            lay(space, self._chart)
            return
        self.parts = (*self._search, *self._beside)
        lay(space, *reversed(self._search))
        lay(self.side, *self._beside)

    def close(self) -> None:
        """Close all parts of the search, including those that the present step does not show."""
        for_each(self._all, lambda part: part.close())
