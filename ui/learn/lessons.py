"""The screen that lists the lessons and offers searches of one's own, and the screen of the terms and references of
lessons."""

from __future__ import annotations

from functools import partial

import pygame

from ai.explain.subject import Choice, Subject
from ai.search.number_tree import MOST_LEAVES, NumberTree, parse, random_tree, text_of
from ui import screens
from ui.learn.drill_screen import open_exercises
from ui.learn.lesson_state import Done, Lesson, exercises, lessons, presets, progress
from ui.learn.lesson_state import subject as subject_of
from ui.parts.form import Form
from ui.parts.header import Header
from ui.parts.reading import Reading, ReadingEntry
from ui.toolkit.i18n import language, t
from ui.toolkit.space import Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import width_of
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part, lay
from ui.window.screen import Screen

# The lessons, each with how far a person is, and the ways to explore a search of one's own.


_HIGHEST, _GAP, _BUTTON, _LINE, _FIELD, _NUMBER = 64, 6, 36, 22, 36, 28  # design pixels
_ROWS = 4  # design pixels between tiles
_SHARE = 0.42  # of the height of a tile that each of its two lines takes at most
_TWO_LINES = 40  # design pixels that a tile needs for both; in a lower one the second is told under the pointer
_EXERCISES = 126  # design pixels
_LONGEST = 400  # characters of a tree of numbers


class LessonList(Part):
    """A tile for each lesson, and beside it a button that opens its exercises."""

    def __init__(self, host: Host, widgets: Widgets, owner: Content) -> None:
        self._host, self._widgets, self._owner = host, widgets, owner

    def build(self, space: Space) -> None:
        """Fill the space with a row for each lesson, once pending writes are done, so that the progress read from the
        disk is the latest. Where rows are low, the summary of a lesson is its tooltip."""
        self._host.files.settle()
        px, found, known = self._host.theme.px, lessons(language()), progress()
        gap = px(_ROWS)
        high = min(px(_HIGHEST), (space.rest.height + gap) // len(found) - gap)
        rows = Space(space.rest, gap)
        for number, each in enumerate(found, 1):
            row, done = Space(rows.top(high), px(_GAP)), known.get(each.key, Done())
            work = row.right(px(_EXERCISES))
            opened, tip = partial(self._open, each, done), "" if high >= px(_TWO_LINES) else each.about
            self._widgets.button(f"lesson.{each.key}", row.rest, "", opened, style="@tile", tip=tip)
            self._build_row(row.rest, number, each, done)
            count = len(exercises(each.key))
            text = t("lesson.exercises_count", solved=done.solved, count=count)
            press = partial(self._open_exercises, each)
            self._widgets.button(f"exercises.{each.key}", work, text, press, chosen=done.solved >= count)

    def _open(self, lesson: Lesson, done: Done) -> None:
        """Open a lesson at the page that was shown last; at the first page if that was the last of the lesson."""
        page = 0 if done.page >= lesson.pages - 1 else done.page
        self._host.open(screens.lesson, lesson.key, page, back=self._owner)

    def _open_exercises(self, lesson: Lesson) -> None:
        """Open the exercises of a lesson."""
        self._host.open(screens.exercises, lesson.key, back=self._owner)

    def _build_row(self, row: pygame.Rect, number: int, lesson: Lesson, done: Done) -> None:
        """Write the number, title and summary of a lesson, and how far the person is in it."""
        theme, px, palette = self._host.theme, self._host.theme.px, self._host.theme.palette
        label = partial(self._widgets.label, over=True)
        inside = Space(row.inflate(-2 * px(12), 0), px(10))
        finished, note = lesson.finished(done), self._note(lesson, done)
        label(inside.left(px(_NUMBER)), str(number), 20, palette.good if finished else palette.accent, bold=True)
        tone = palette.good if finished else palette.quiet
        line = min(px(_LINE), round(_SHARE * row.height))
        upper = pygame.Rect(inside.rest.left, inside.rest.centery - line, inside.rest.width, line)
        if row.height >= px(_TWO_LINES):
            label(upper.move(0, line), lesson.about, 14, palette.quiet)
        else:
            upper = inside.rest
        head = Space(upper, px(10))
        label(head.right(width_of(theme, note, 14) + 1), note, 14, tone, align="right")
        label(head.rest, lesson.title, 16, bold=True)

    def _note(self, lesson: Lesson, done: Done) -> str:
        """Return how far the person is in a lesson, as text: the right answers or the page; empty if it was not begun.
        """
        if lesson.finished(done) or lesson.is_read(done):
            key = "lesson.result" if lesson.finished(done) else "lesson.answered"
            return t(key, right=len(set(done.right)), count=len(lesson.questions))
        return t("lesson.page", page=done.page + 1, pages=lesson.pages) if done.furthest else ""


class OwnSearch(Form):
    """Searches of one's own: preset positions, and a tree of numbers that is typed in or drawn at random."""

    def __init__(self, host: Host, widgets: Widgets, owner: Content) -> None:
        super().__init__(host, widgets)
        self._owner = owner
        self._text = text_of(parse("3 12 8 | 2 4 6 | 14 5 2").tree)
        self._branching, self._depth, self._seed = 3, 3, 0

    def shape(self) -> object:
        """What the layout depends on: the size of the tree of numbers, and how many random trees were drawn."""
        return self._branching, self._depth, self._seed

    def build(self, space: Space) -> None:
        """Build from the top: buttons of the preset positions; the field of the numbers, steppers for branching and
        depth, and buttons that draw, practise and show the tree. The buttons of terms and references are at the
        bottom."""
        px = self.host.theme.px
        space.gap = px(_GAP)
        self.widgets.paragraph(space.top(3 * px(_LINE)), t("lesson.about"))
        self.heading(space, t("lesson.own"))
        places = [place for _ in range(3) for place in columns(space.top(px(_BUTTON)), 2, px(_GAP))]
        for number, (place, text) in enumerate(zip(places, presets(), strict=True)):
            name, press = t(f"lesson.preset.{number}"), partial(self._open_preset, text)
            self.widgets.button(f"preset.{number}", place, name, press)
        self.heading(space, t("lesson.numbers"))
        place = space.top(px(_FIELD))
        line = TextLine(self.host.theme, place, self._text, _LONGEST, self._note_text, self._show_numbers)
        line.label = t("lesson.numbers")
        self.widgets.add("numbers", line)
        branching, depth = self._branching, self._depth
        self.stepper("branching", self.beside(space.top(px(_BUTTON)), t("lesson.branching")), str(branching),
                     lambda by: self._draw_tree(branching + by, depth))  # fmt: skip
        self.stepper("depth", self.beside(space.top(px(_BUTTON)), t("lesson.depth")), str(depth),
                     lambda by: self._draw_tree(branching, depth + by))  # fmt: skip
        draw, work = columns(space.top(px(_BUTTON)), 2, px(_GAP))
        self.widgets.button("draw", draw, t("lesson.draw"), self._draw_numbers)
        tip = t("lesson.exercises_tip")
        self.widgets.button("work", work, t("lesson.exercises"), self._open_number_exercises, tip=tip)
        self.widgets.button("show", space.top(px(_BUTTON)), t("lesson.show"), self._show_numbers, style="@primary")
        places = columns(space.bottom(px(_BUTTON)), 2, px(_GAP))
        for place, kind in zip(places, (TERMS, REFERENCES), strict=True):
            self.widgets.button(kind, place, t(f"reading.{kind}"), partial(self._open_reading, kind))

    def _open_reading(self, kind: str) -> None:
        """Open the terms or the references of all lessons."""
        self.host.open(screens.reading, kind, back=self._owner)

    def _note_text(self, text: str) -> None:
        """Note the tree of numbers as it is typed."""
        self._text = text

    def _draw_tree(self, branching: int, depth: int) -> None:
        """Draw other numbers, for a tree of this shape unless that is beyond the limits."""
        if 2 <= branching <= 5 and 1 <= depth <= 4 and branching**depth <= MOST_LEAVES:
            self._branching, self._depth = branching, depth
        self._draw_numbers()

    def _draw_numbers(self) -> None:
        """Draw another tree of random numbers."""
        self._seed += 1
        self._text = text_of(random_tree(self._branching, self._depth, self._seed).tree)

    def _parsed_tree(self) -> NumberTree | None:
        """Return the tree that was typed in; None, after saying why, if it cannot be parsed."""
        try:
            return parse(self._text)
        except ValueError as error:
            self.host.say(t("lesson.no_tree", reason=str(error)), "bad")
            return None

    def _show_numbers(self, _text: str = "") -> None:
        """Open a search of the tree that was typed in."""
        tree = self._parsed_tree()
        if tree is not None:
            subject, choice = Subject(tree), Choice("alphabeta", tree.depth)
            self.host.open(screens.learn, subject=subject, choice=choice, back=self._owner)

    def _open_number_exercises(self) -> None:
        """Open exercises on the tree that was typed in."""
        tree = self._parsed_tree()
        if tree is not None:
            open_exercises(self.host, Subject(tree), self._owner)

    def _open_preset(self, preset: str) -> None:
        """Open a search of a preset position."""
        self.host.open(screens.learn, subject=subject_of(preset), back=self._owner)


class Lessons(Screen):
    """All lessons in the language of the window."""

    name = "lessons"
    guide = "lessons"

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__(host, back)
        self._header = Header(host, self.widgets, lambda: t("lesson.title"), self.go_back, back, owner=self)
        self._list = LessonList(host, self.widgets, self)
        self._own = OwnSearch(host, self.widgets, self)
        self.parts = [self._list, self._own, self._header]

    def build(self, space: Space) -> None:
        """Lay the list of lessons out in `space`, the header and searches of one's own in the side panel."""
        self._list.build(space)
        lay(self.frame.side, self._header, self._own)


# What a reader of the lessons looks up: the terms, each with the lesson that explains it, and what to read next.


TERMS, REFERENCES = "terms", "references"


def entries(kind: str, lesson: str = "") -> list[ReadingEntry]:
    """Return the `TERMS` or the `REFERENCES`, as `kind` says, of the lesson with this key or, by default, of all
    lessons."""
    wanted = [(number, each) for number, each in enumerate(lessons(language()), 1) if lesson in ("", each.key)]
    if kind == TERMS:
        return [ReadingEntry(term.name, f"{term.meaning} ({number})") for number, each in wanted for term in each.terms]
    return [
        ReadingEntry("" if place else f"{number}  {each.title}", text)
        for number, each in wanted for place, text in enumerate(each.references)
    ]  # fmt: skip


_COLUMN = 270  # design pixels


class ReadingState:
    """What the screen shows: `TERMS` or `REFERENCES`, the `kind`, of the `lesson` with this key; "" for all lessons."""

    def __init__(self, kind: str, lesson: str) -> None:
        self.kind, self.lesson = kind, lesson

    def choose(self, kind: str) -> None:
        """Show the terms or the references."""
        self.kind = kind

    def entries(self) -> list[ReadingEntry]:
        """Return the entries to show."""
        return entries(self.kind, self.lesson)


class ReadingChoice(Part):
    """The choice between terms and references."""

    def __init__(self, host: Host, widgets: Widgets, state: ReadingState) -> None:
        self._host, self._widgets, self._state = host, widgets, state

    def shape(self) -> object:
        """What the layout depends on: whether terms or references are chosen."""
        return self._state.kind

    def build(self, space: Space) -> None:
        """Take the two buttons from the top of the space, and write a paragraph on the chosen kind below them."""
        options = [(kind, t(f"reading.{kind}")) for kind in (TERMS, REFERENCES)]
        place = space.top(self._host.theme.px(_BUTTON))
        self._widgets.choice("kind", place, options, self._state.kind, self._state.choose, gap=4)
        about = t(f"reading.{self._state.kind}.about")
        self._widgets.paragraph(space.rest, about)


class ReadingScreen(Screen):
    """Entries of a `kind`, of the `lesson` with this key, or of all."""

    name = "reading"
    guide = "lessons"
    above = "lessons"

    def __init__(self, host: Host, kind: str = TERMS, lesson: str = "", back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = state = ReadingState(kind, lesson)
        self._header = Header(host, self.widgets, lambda: t("reading.title"), self.go_back, back, owner=self)
        self.reading = Reading(host, self.widgets, lambda: state.kind, state.entries, _COLUMN)
        self._choice = ReadingChoice(host, self.widgets, state)
        self.parts = [self.reading, self._choice, self._header]

    def build(self, space: Space) -> None:
        """Lay the text out in `space`, and the header, the choice and the buttons that turn pages in the side panel."""
        self._header.build(self.frame.side)
        self._choice.build(self.frame.side)
        self.reading.build(space)
        self.reading.build_turning(self.frame.side)
