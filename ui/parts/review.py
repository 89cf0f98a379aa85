"""The tab of the review: the course of the game, its mistakes with better lines, and another try at each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from ai.review.exercises import Deck, exercises
from games.record import Node
from ui.board.view import Marks
from ui.game.exercise import practice_of
from ui.game.study import Study
from ui.host import Content, Host
from ui.part import Entry, Group, Part
from ui.parts.judged_move import ABOUT, JudgedMove
from ui.parts.menu import open_menu
from ui.parts.move_line import ROW as LINE_ROW
from ui.parts.review_course import LOWEST, TABLE, ReviewCourse
from ui.parts.tab import Tab
from ui.screens import registry as screens
from ui.toolkit.box_art import draw_progress
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import LINE, width_of, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.words.games import side_label
from ui.words.review import legend

_BUTTON, _GAP = 36, 8  # design pixels
_LINE_ROWS = 4  # of the better line and of the refutation together


class ReviewProgress(Part):
    """Takes its room from the top of the space; nothing where the review is over."""

    def __init__(self, host: Host, widgets: Widgets, state: Study) -> None:
        self._host, self._widgets, self._reviewer = host, widgets, state.reviewer
        self._progress: pygame.Rect | None = None

    def build(self, space: Space) -> None:
        self._progress = None
        if self._reviewer.found is None and not self._reviewer.busy:
            self._build_offer(space)
        elif self._reviewer.state != "over":
            self._build_progress(space)

    def _build_offer(self, space: Space) -> None:
        px = self._host.theme.px
        about = t("review.about")
        lines = len(wrapped(self._host.theme, about, space.rest.width, 14))
        self._widgets.paragraph(space.top(lines * px(LINE)), about)
        place, start = space.top(px(_BUTTON)), self._reviewer.start
        self._widgets.button("review", place, t("review.start"), start, style="@primary")

    def _build_progress(self, space: Space) -> None:
        px, reviewer = self._host.theme.px, self._reviewer
        row = Space(space.top(px(_BUTTON)), px(_GAP))
        name, action = ("cancel", reviewer.cancel) if reviewer.busy else ("continue", reviewer.start)
        text = t(f"review.{name}")
        wide = width_of(self._host.theme, text, 16) + px(28)
        self._widgets.button(f"review.{name}", row.right(wide), text, action)
        self._progress = row.rest

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, reviewer = self._host.theme, self._reviewer
        palette, px = theme.palette, theme.px
        if self._progress is not None:
            text = t(f"review.state.{reviewer.state}", percent=round(100 * reviewer.share))
            upper = pygame.Rect(self._progress.left, self._progress.top, self._progress.width, px(LINE))
            write(surface, theme, text, upper, 14, palette.bad if reviewer.state == "failed" else palette.quiet)
            bar = pygame.Rect(self._progress.left, upper.bottom + px(4), self._progress.width, px(6))
            draw_progress(surface, palette, bar, reviewer.share)


class Mistakes(Part):
    """A row of buttons at the bottom of the space. Exercises lead back to `owner`. The menu offers the mistakes of
    either side as exercises."""

    def __init__(self, host: Host, widgets: Widgets, state: Study, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self._reviewer = state.reviewer
        self._shown: tuple[object, ...] = ()  # what the buttons were enabled for
        self.bindings = (
            Binding(("pagedown",), partial(self._step, 1), "keys.next_mistake"),
            Binding(("pageup",), partial(self._step, -1), "keys.previous_mistake"),
            Binding(("r",), self._try_again, "review.try_again"),
        )

    def build(self, space: Space) -> None:
        px, button = self._host.theme.px, self._widgets.button
        row = Space(space.bottom(px(_BUTTON)), px(_GAP))
        following, previous, again = self.bindings
        button("previous_mistake", row.left(px(_BUTTON)), "", previous, icon="back", tip=t("keys.previous_mistake"))
        left, right = columns(row.rest, 2, px(_GAP))
        button("next_mistake", left, t("keys.next_mistake"), following)
        button("try_again", right, t("review.try_again"), again, tip=t("keys.try_again"))
        self._shown = ()
        self.update(0.0)

    def update(self, now: float) -> None:
        node, judged = self._state.record.cursor, self._reviewer.judged
        if self._shown != (node, len(judged)):
            self._shown = node, len(judged)
            for name, step in (("next_mistake", 1), ("previous_mistake", -1)):
                self._widgets.enable(name, self._reviewer.mistake(node, step) is not None)
            self._widgets.enable("try_again", node in judged)

    def _step(self, step: int) -> None:
        found = self._reviewer.mistake(self._state.record.cursor, step)
        if found is not None:
            self._state.go(found.node)
        elif self._reviewer.found is None:
            self._host.say(t("review.first"))

    def _try_again(self) -> None:
        """Solve the position before the move, and those of the side's other mistakes, as exercises."""
        judged = self._reviewer.judged.get(self._state.record.cursor)
        if judged is not None:
            record, names = self._state.record, self._host.settings.own_names
            practice = practice_of(record, self._reviewer.judged.values(), [judged.side], names, judged)
            if not practice.whose:  # the answers are kept, so the game is, too
                self._state.learned(worth_a_copy=True)
            self._host.open(screens.mistakes, practice, back=self._owner)

    def entries(self) -> Sequence[Entry]:
        return (Entry("collect", t("review.collect"), self._choose_sides),) if self._reviewer.state == "over" else ()

    def _choose_sides(self) -> None:
        """Ask whose mistakes are to come back as exercises, besides those of the person."""
        record = self._state.record
        texts = [t("mistakes.title_of", name=side_label(record, side)) for side in (0, 1)]
        entries = [
            *(Entry(f"side.{side}", text, partial(self._collect, (side,))) for side, text in enumerate(texts)),
            Entry("sides", t("review.collect_both"), partial(self._collect, (0, 1))),
        ]
        open_menu(self._host, self._widgets.elements["menu"].rect, entries)

    def _collect(self, sides: tuple[int, ...]) -> None:
        found = exercises(self._state.record, self._reviewer.judged.values(), sides)
        try:
            Deck().add(found)
        except OSError as error:
            self._host.say(str(error.strerror), "bad")
            return
        if found:
            self._state.learned(worth_a_copy=True)
        self._host.say(t("review.collected", count=len(found)) if found else t("review.no_mistakes"))


class ReviewTab(Tab):
    """At a mistake the board shows the position before it, with the mistake struck out and the better line. A game that
    is played from there leads back to `owner`."""

    name = "review"

    def __init__(self, host: Host, widgets: Widgets, state: Study, owner: Content) -> None:
        self._host, self._state, self._reviewer = host, state, state.reviewer
        self._progress = ReviewProgress(host, widgets, state)
        self._course = ReviewCourse(host, widgets, state)
        self._move = JudgedMove(host, widgets, state)
        self._mistakes = Mistakes(host, widgets, state, owner)
        self._contents = Group((self._course, self._move, self._mistakes))
        self._unseen = True  # until the first update, when what the file knows is shown
        self._interrupted = False  # by another screen, and to go on when this one is shown again
        self._known_state, self._known_found = self._reviewer.state, self._reviewer.found
        self._laid_out = False  # whether the contents are

    def all_bindings(self) -> tuple[Binding, ...]:
        return self._mistakes.all_bindings()

    def key(self, event: pygame.event.Event) -> bool:
        return self._mistakes.key(event)

    def entries(self) -> Sequence[Entry]:
        return self._mistakes.entries()

    def start(self) -> None:
        self._reviewer.start()

    @property
    def _begun(self) -> bool:
        return self._reviewer.found is not None or self._reviewer.busy

    def shape(self) -> object:
        return self._reviewer.state, self._begun

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        space.gap = px(_GAP)
        self._progress.build(space)
        self._laid_out = self._begun
        if not self._laid_out:
            return
        self._mistakes.build(space)
        move = px(ABOUT * LINE + _LINE_ROWS * LINE_ROW)
        self._course.roomy = self._move.summed_up = space.rest.height >= move + px(TABLE + LOWEST) + 2 * space.gap
        others = move + space.gap + (px(TABLE) + space.gap if self._course.roomy else 0)
        self._course.highest = space.rest.height - others
        self._course.build(space)
        self._move.build(space)

    def update(self, now: float) -> None:
        reviewer = self._reviewer
        if self._interrupted or (self._unseen and reviewer.known):
            reviewer.start()
        self._interrupted = self._unseen = False
        reviewer.update(now)
        if reviewer.state != self._known_state:
            self._known_state = reviewer.state
            self._state.revision += 1  # there may be signs beside the moves
            if reviewer.state == "over":
                self._show_loss()
        elif reviewer.state == "over" and reviewer.found is not self._known_found:
            self._state.revision += 1
        self._known_found = reviewer.found
        self._save()
        if self.chosen and self._laid_out:
            self._contents.update(now)

    def _save(self) -> None:
        if self._reviewer.learned:
            self._reviewer.learned = False
            self._state.learned(worth_a_copy=self._reviewer.state == "over")

    def _show_loss(self) -> None:
        """Go to the move that lost the game from its end, where the ending card leads; do not move the cursor while the
        person is reading another position."""
        losing = self._reviewer.losing
        if losing is not None and self.chosen and self._state.record.cursor is self._reviewer.nodes[-1]:
            self._state.go(losing.node)

    def wake(self, now: float) -> float | None:
        return self._reviewer.wake()

    def view_of(self, node: Node) -> Node:
        return self._move.view_of(node)

    def marks(self, marks: Marks) -> Marks:
        return self._move.marks(marks) if self.chosen else marks

    def hint(self) -> str:
        return self._course.hint()

    def status(self) -> str:
        return legend() if self.chosen and self._laid_out else ""

    def draw(self, surface: pygame.Surface, now: float) -> None:
        self._progress.draw(surface, now)
        if self._laid_out:
            self._contents.draw(surface, now)

    def close(self) -> None:
        self._interrupted = self._interrupted or self._reviewer.busy
        self._reviewer.cancel()
        self._save()
