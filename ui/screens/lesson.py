"""The screen of a lesson: its text, and the search that it speaks of."""

from __future__ import annotations

from ai.prediction import Quiz
from ui.game.lesson import Course, lesson, lessons
from ui.host import Content, Host
from ui.part import lay
from ui.parts.header import Header
from ui.parts.icicle import Icicle
from ui.parts.lesson_panel import LessonText, LessonWay
from ui.parts.menu import MenuButton
from ui.parts.search_export import LessonExport, SearchExport
from ui.parts.search_panel import SearchNode
from ui.parts.search_steps import SearchSteps
from ui.parts.search_tree import SearchTree
from ui.parts.tree_keys import TreeKeys
from ui.screen import Screen
from ui.toolkit.layout import Space


class LessonScreen(Screen):
    """The lesson called `key`, at `page`, or where it was left."""

    name = "lesson"

    def __init__(self, host: Host, key: str = "", page: int | None = None, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.course = course = Course(host, lesson(key or lessons()[0].key), page)
        explorer = course.explorer
        self._header = Header(host, self.widgets, self._title, self._leave, self, owner=self)
        self.tree = SearchTree(host, self.widgets, explorer)
        self._icicle = Icicle(host, explorer)
        self._text = LessonText(host, self.widgets, course, self)
        self._node = SearchNode(host, explorer)
        self._steps = SearchSteps(host, self.widgets, Quiz(explorer))
        self._way = LessonWay(host, self.widgets, course, MenuButton(host, self.widgets, self.entries))
        self.parts = [
            self.tree, self._icicle, self._node, self._steps, self._text, self._way, self._header,
            TreeKeys(explorer), SearchExport(host, explorer),
            LessonExport(host, course.lesson),
        ]  # fmt: skip

    def _title(self) -> str:
        return self.course.lesson.title

    def _leave(self) -> None:
        if self.back is None:
            self.host.open("lessons")
        else:
            self.go_back()

    def update(self, now: float) -> None:
        if self.course.update():
            self.tree.see_all()
        super().update(now)

    def build(self, space: Space) -> None:
        self.frame.side.gap = space.gap = self.host.theme.px(8)
        lay(space, self._icicle, self.tree)
        self.setup = self.course.explorer.subject.setup
        lay(self.frame.side, self._header, self._text, self._way, self._steps, self._node)
