"""The screen of the terms of the lessons, and of what to read after them."""

from __future__ import annotations

from ui import screens
from ui.learn.lesson_state import lessons
from ui.parts.header import Header
from ui.parts.reading import Reading, ReadingEntry
from ui.toolkit.i18n import language, t
from ui.toolkit.space import Space
from ui.toolkit.typesetting import LINE
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part
from ui.window.screen import Screen

# What a reader of the lessons looks up: the terms, each with the lesson that explains it, and what to read next.


TERMS, REFERENCES = "terms", "references"


def entries(kind: str, lesson: str = "") -> list[ReadingEntry]:
    """Return the `TERMS` or the `REFERENCES` of a lesson, or of all, in the chosen language."""
    wanted = [(number, each) for number, each in enumerate(lessons(language()), 1) if lesson in ("", each.key)]
    if kind == TERMS:
        return [ReadingEntry(term.name, f"{term.meaning} ({number})") for number, each in wanted for term in each.terms]
    return [
        ReadingEntry("" if place else f"{number}  {each.title}", text)
        for number, each in wanted for place, text in enumerate(each.references)
    ]  # fmt: skip


# The terms of the lessons, or what to read after them.


_BUTTON, _COLUMN = 36, 270  # design pixels


class ReadingState:
    """Which `kind` of entries is shown, of which `lesson`, "" for all."""

    def __init__(self, kind: str, lesson: str) -> None:
        self.kind, self.lesson = kind, lesson

    def choose(self, kind: str) -> None:
        """Show another kind of reading."""
        self.kind = kind

    def entries(self) -> list[ReadingEntry]:
        """What is shown."""
        return entries(self.kind, self.lesson)


class ReadingChoice(Part):
    """Terms or references."""

    def __init__(self, host: Host, widgets: Widgets, state: ReadingState) -> None:
        self._host, self._widgets, self._state = host, widgets, state

    def shape(self) -> object:
        return self._state.kind

    def build(self, space: Space) -> None:
        options = [(kind, t(f"reading.{kind}")) for kind in (TERMS, REFERENCES)]
        place = space.top(self._host.theme.px(_BUTTON))
        self._widgets.choice("kind", place, options, self._state.kind, self._state.choose, gap=4)
        about = t(f"reading.{self._state.kind}.about")
        self._widgets.paragraph(space.top(6 * self._host.theme.px(LINE)), about, most=6)


class ReadingScreen(Screen):
    """Entries of a `kind`, of the `lesson` with this key, or of all."""

    name = "reading"

    def __init__(self, host: Host, kind: str = TERMS, lesson: str = "", back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = state = ReadingState(kind, lesson)
        self._header = Header(host, self.widgets, lambda: t("reading.title"), self._leave, back, owner=self)
        self.reading = Reading(host, self.widgets, lambda: state.kind, state.entries, _COLUMN)
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
