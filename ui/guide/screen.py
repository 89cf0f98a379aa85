"""The guide in the window: its pages, and the screen that shows them.

A page is `assets/guide/LANGUAGE/NAME.md`, in a small part of Markdown: a title, headings, paragraphs, lists, code, and
comments, which stand for the pictures that the web site has there (`docs/hooks.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from ui.parts.header import Header
from ui.parts.reading import Reading, ReadingEntry
from ui.toolkit.i18n import DEFAULT, LANGUAGES, language, t
from ui.toolkit.resources import resource
from ui.toolkit.space import Space
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part
from ui.window.screen import Screen

# The pages.


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page of the guide: its paragraphs, items and code blocks as `entries`, some with a heading. The first heading
    is the `title`."""

    title: str
    entries: tuple[ReadingEntry, ...]


def is_translated(code: str) -> bool:
    """Return whether there is a guide in a language."""
    return resource("guide", code).is_dir()


@cache
def pages(code: str) -> dict[str, GuidePage]:
    """Return the pages in a language, in order, by name: ``play`` is that of ``01-play.md``. They are in English if
    there are none in this language."""
    shown = code if is_translated(code) else DEFAULT
    files, quotes = sorted(resource("guide", shown).glob("*.md")), LANGUAGES[shown].quotes
    return {file.stem.partition("-")[2]: page_of(file.read_text(encoding="utf-8"), quotes) for file in files}


def page_of(text: str, quotes: str) -> GuidePage:
    """Parse the Markdown of a page, without its marks. Put bold text, the names of buttons, in the two `quotes`."""

    def plain(words: str) -> str:
        return re.sub(r"\*\*(.+?)\*\*", rf"{quotes[0]}\1{quotes[1]}", words).replace("`", "")

    head = title = ""
    found: list[ReadingEntry] = []
    for block in _blocks(text):
        if block.startswith("#"):
            head = plain(block.lstrip("# "))
            title = title or head
        elif block.startswith("```"):
            found.append(ReadingEntry(head, "\n".join(block.splitlines()[1:])))
            head = ""
        elif not block.startswith("<!--"):
            item = block.startswith("- ")
            found.append(ReadingEntry(head, plain(block.removeprefix("- ")), "•" if item else ""))
            head = ""
    return GuidePage(title, tuple(found))


def _blocks(text: str) -> Iterator[str]:
    """Yield the blocks of a page: a paragraph, heading, comment or item as one line; code with its line breaks and its
    opening fence, without the closing one."""
    lines: list[str] = []
    code = False
    for line in text.splitlines():
        fence = line.startswith("```")
        if not code and lines and (not line or fence or line.startswith("- ")):
            yield " ".join(lines)
            lines = []
        if code and fence:
            yield "\n".join(lines)
            lines, code = [], False
        elif line or code:
            lines.append(line if code else line.strip())
            code = code or fence
    if lines:
        yield " ".join(lines)


# The screen.


_COLUMN, _WIDEST, _TEXT = 1000, 680, 16
_ROW, _GAP = 36, 4
"""Design pixels: of the text, and of the list of pages."""


class GuideTopics(Part):
    """A button for each page. `chosen` returns the name of the page that is shown; `choose` is called with the name of
    another one."""

    def __init__(
        self, host: Host, widgets: Widgets, chosen: Callable[[], str], choose: Callable[[str], object]
    ) -> None:
        self._host, self._widgets, self._chosen, self._choose = host, widgets, chosen, choose

    def shape(self) -> object:
        """What the layout depends on: the page that is shown, whose button is marked."""
        return self._chosen()

    def build(self, space: Space) -> None:
        """Build a column of buttons, one for each page in the person's language, lower if they would not fit."""
        px, found = self._host.theme.px, pages(language())
        gap = px(_GAP)
        high = min(px(_ROW), (space.rest.height + gap) // len(found) - gap)
        rows = Space(space.rest, gap)
        for name, page in found.items():
            press, chosen = partial(self._choose, name), name == self._chosen()
            self._widgets.button(f"topic.{name}", rows.top(high), page.title, press, style="@choice", chosen=chosen)


class GuideScreen(Screen):
    """The guide, at the page called `topic`."""

    name = "guide"

    def __init__(self, host: Host, topic: str = "play", back: Content | None = None) -> None:
        super().__init__(host, back.back if isinstance(back, GuideScreen) else back)
        self.topic = topic
        self._header = Header(host, self.widgets, lambda: t("guide.title"), self.go_back, self.back, owner=self)
        self._topics = GuideTopics(host, self.widgets, lambda: self.topic, partial(setattr, self, "topic"))
        self.reading = Reading(host, self.widgets, lambda: self.topic, self._entries, _COLUMN, _WIDEST, _TEXT)
        self.parts = [self.reading, self._topics, self._header]

    def _entries(self) -> Sequence[ReadingEntry]:
        """Return the entries of the page that is shown, after a note if it is not in the person's language."""
        note = () if is_translated(language()) else (ReadingEntry("", t("guide.in_english")),)
        return *note, *pages(language())[self.topic].entries

    def build(self, space: Space) -> None:
        """Lay out the page in the main area, and header, buttons for turning and the list of pages in the panel."""
        side = self.frame.side
        self._header.build(side)
        self.reading.build(space)
        self.reading.build_turning(side)
        self._topics.build(side)
