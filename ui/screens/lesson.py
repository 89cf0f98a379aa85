"""The screen of a lesson: its text, and the search that it speaks of."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from ai.prediction import Quiz
from ui.game.code_walk import CodeWalk
from ui.game.lesson import Course, lesson, lessons
from ui.host import Content, Host
from ui.part import Group, Part, for_each, lay
from ui.parts.header import Header
from ui.parts.lesson_panel import LessonText, LessonWay
from ui.parts.menu import MenuButton
from ui.parts.overview import Overview
from ui.parts.search_code import NodeOrCode, SearchCode
from ui.parts.search_export import LessonExport, SearchExport
from ui.parts.search_panel import SearchNode
from ui.parts.search_steps import SearchSteps
from ui.parts.search_tree import SearchTree
from ui.parts.training_chart import TrainingChart
from ui.parts.tree_keys import TreeKeys
from ui.screen import Screen
from ui.screens import registry as screens
from ui.toolkit.i18n import language
from ui.toolkit.layout import Space


class LessonScreen(Screen):
    """The lesson called `key`, at `page`, or where it was left."""

    name = "lesson"

    def __init__(self, host: Host, key: str = "", page: int | None = None, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.course = course = Course(host, lesson(key or lessons(language())[0].key), page)
        explorer = course.explorer
        self._header = Header(host, self.widgets, self._title, self._leave, self, owner=self)
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
            LessonExport(host, course.lesson),
        ]  # fmt: skip

    def _has_room(self) -> bool:
        """Whether code may take the place of the text: not of a question, nor on a page without a search."""
        step = self.course.step
        return step is not None and not step.chart

    def _title(self) -> str:
        return self.course.lesson.title

    def _leave(self) -> None:
        if self.back is None:
            self.host.open(screens.lessons)
        else:
            self.go_back()

    def update(self, now: float) -> None:
        if self.course.update():
            self.tree.see_all()
        super().update(now)

    def build(self, space: Space) -> None:
        side = self.frame.side
        side.gap = space.gap = self.host.theme.px(8)
        self.setup = self.course.explorer.subject.setup
        # The code takes the place of the text, which may need all of it.
        lay(side, self._header, *(() if self.walk.shown else (self._text,)), self._way)
        self._search.side = side
        self._search.build(space)


class _Search(Group):
    """The search of the step with its `beside` in the `side`, or the `chart` of a step that has one."""

    def __init__(self, course: Course, search: Sequence[Part], beside: Sequence[Part], chart: Part) -> None:
        super().__init__((*search, *beside))
        self._course, self._search, self._beside, self._chart = course, search, beside, chart
        self._all = self.parts
        self.side = Space(pygame.Rect(0, 0, 0, 0), 0)

    def build(self, space: Space) -> None:
        if self._course.shown_step.chart:
            self.parts = (self._chart,)
            lay(space, self._chart)
            return
        self.parts = (*self._search, *self._beside)
        lay(space, *reversed(self._search))
        lay(self.side, *self._beside)

    def close(self) -> None:
        for_each(self._all, lambda part: part.close())
