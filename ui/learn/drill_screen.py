"""The screen of exercises on search trees: those that end a lesson, or those on one tree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ai.drills.tree import MOST_LEAVES, TooLarge, Tree, of_subject
from ai.explain.explorer import Explorer
from ai.explain.subject import Subject
from games.record import GameRecord
from ui import screens
from ui.learn.compare_state import TREES
from ui.learn.drill_panel import DrillText, DrillWay
from ui.learn.drill_tree import DrillTree
from ui.learn.lesson_state import lessons
from ui.learn.workbook import of_lesson, of_tree
from ui.parts.header import Header, MenuButton
from ui.toolkit.i18n import language, t
from ui.toolkit.space import Space
from ui.window.host import Content, Host
from ui.window.part import MenuEntry, Part, lay
from ui.window.screen import Screen

# The menu entries that open more about the tree of a search that is shown: exercises on it, and minimax and alpha-beta
# side by side.


def open_exercises(host: Host, subject: Subject, back: Content) -> None:
    """Open exercises on the tree of `subject`; say so if it is too large."""
    try:
        tree = of_subject(subject)
    except TooLarge:
        host.say(t("drill.too_large", most=MOST_LEAVES), "bad")
    else:
        host.open(screens.exercises, tree=tree, subject=subject, back=back)


class BesideEntry(Part):
    """A tree of numbers has no board to compare searches on."""

    def __init__(self, host: Host, explorer: Explorer, owner: Content) -> None:
        self._host, self._explorer, self._owner = host, explorer, owner

    def entries(self) -> Sequence[MenuEntry]:
        subject = self._explorer.subject
        begin = partial(open_exercises, self._host, subject, self._owner)
        work = MenuEntry("exercises", t("lesson.exercises_tip"), begin)
        if subject.setup is None:
            return (work,)
        return (MenuEntry("beside", t("compare.trees.open"), self._open), work)

    def _open(self) -> None:
        """Open a replay of the position that is searched."""
        subject = self._explorer.subject
        assert subject.setup is not None
        record = GameRecord(subject.setup, stones=subject.stones)
        for move in subject.moves:
            record.play(move)
        self._host.open(screens.compare, record, view=TREES, back=self._owner)


class DrillScreen(Screen):
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
