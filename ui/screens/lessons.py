"""The screen from which a person learns how the machine thinks: lessons, and searches of one's own."""

from __future__ import annotations

from ui.host import Content, Host
from ui.part import lay
from ui.parts.header import Header
from ui.parts.lesson_list import LessonList, OwnSearch
from ui.screen import Screen
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space


class Lessons(Screen):
    """All lessons in the language of the window."""

    name = "lessons"

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__(host, back)
        self._header = Header(host, self.widgets, lambda: t("lesson.title"), self.go_back, back, owner=self)
        self._list = LessonList(host, self.widgets, self)
        self._own = OwnSearch(host, self.widgets, self)
        self.parts = [self._list, self._own, self._header]

    def build(self, space: Space) -> None:
        self._list.build(space)
        lay(self.frame.side, self._header, self._own)
