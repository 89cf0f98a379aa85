"""The screen of exercises on search trees: those that end a lesson, or those on one tree."""

from __future__ import annotations

from ai.drills.tree import Tree
from ai.subject import Subject
from ui.game.lesson import lessons
from ui.host import Content, Host
from ui.learn.drill_panel import DrillText, DrillWay
from ui.learn.drill_tree import DrillTree
from ui.learn.workbook import of_lesson, of_tree
from ui.part import lay
from ui.parts.header import Header
from ui.parts.menu import MenuButton
from ui.screen import Screen
from ui.screens import registry as screens
from ui.toolkit.i18n import language, t
from ui.toolkit.layout import Space


class ExercisesScreen(Screen):
    """The exercises of the lesson called `key`, by default the first, drawn from `seed`; or those on the `tree` of
    `subject`."""

    name = "exercises"

    def __init__(
        self, host: Host, key: str = "", seed: int | None = None, number: int | None = None,
        tree: Tree | None = None, subject: Subject | None = None, back: Content | None = None,
    ) -> None:  # fmt: skip
        super().__init__(host, back)
        if tree is not None and subject is not None:
            self.book = book = of_tree(host, tree, subject)
        else:
            self.book = book = of_lesson(host, key or lessons(language())[0].key, seed, number)
        self._header = Header(host, self.widgets, self._title, self._leave, self, owner=self)
        self._tree = DrillTree(host, self.widgets, book)
        self._text = DrillText(host, self.widgets, book)
        self._way = DrillWay(host, self.widgets, book, MenuButton(host, self.widgets, self.entries), self._finish)
        self.parts = [self._tree, self._text, self._way, self._header]

    def _title(self) -> str:
        return f"{t('drill.title')} · {self.book.title}"

    def _leave(self) -> None:
        if self.back is None:
            self.host.open(screens.lessons)
        else:
            self.go_back()

    def _finish(self) -> None:
        """Leave after the last exercise."""
        if self.book.key:
            self.host.open(screens.lessons)
        else:
            self._leave()

    def build(self, space: Space) -> None:
        self._tree.build(space)
        side = self.frame.side
        side.gap = self.host.theme.px(8)
        lay(side, self._header, self._way, self._text)
