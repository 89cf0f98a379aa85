"""The screen of the terms of the lessons, and of what to read after them."""

from __future__ import annotations

from ui.game.reading import TERMS
from ui.host import Content, Host
from ui.parts.header import Header
from ui.parts.reading import Reading, ReadingChoice, ReadingState
from ui.screen import Screen
from ui.screens import registry as screens
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space


class ReadingScreen(Screen):
    """Entries of a `kind`, of the `lesson` with this key, or of all."""

    name = "reading"

    def __init__(self, host: Host, kind: str = TERMS, lesson: str = "", back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = state = ReadingState(kind, lesson)
        self._header = Header(host, self.widgets, lambda: t("reading.title"), self._leave, back, owner=self)
        self.reading = Reading(host, self.widgets, state)
        self._choice = ReadingChoice(host, self.widgets, state)
        self.parts = [self.reading, self._choice, self._header]

    def _leave(self) -> None:
        if self.back is None:
            self.host.open(screens.lessons)
        else:
            self.go_back()

    def build(self, space: Space) -> None:
        self._header.build(self.frame.side)
        self._choice.build(self.frame.side)
        self.reading.build(space)
        self.reading.build_turning(self.frame.side)
