"""The tab of the review: the course of the game, its mistakes with better lines, and another try at each."""

from __future__ import annotations

import pygame

from games.record import Node
from ui.board.view import Marks
from ui.game.study import Study
from ui.host import Content, Host
from ui.part import Group
from ui.parts.judged_move import ABOUT, JudgedMove
from ui.parts.mistakes import Mistakes
from ui.parts.move_line import ROW as LINE_ROW
from ui.parts.review_course import LOWEST, TABLE, ReviewCourse
from ui.parts.review_progress import ReviewProgress
from ui.parts.tab import Tab
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.text import LINE
from ui.toolkit.widgets import Widgets
from ui.words.review import legend

_GAP = 8  # design pixels


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
        self._known_state = self._reviewer.state
        self._laid_out = False  # whether the contents are

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return self._mistakes.bindings

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
        move = px(ABOUT * LINE + 2 * LINE_ROW)
        self._course.roomy = space.rest.height >= move + px(TABLE + LOWEST) + 2 * space.gap
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
        self._save()
        if self.chosen and self._laid_out:
            self._contents.update(now)

    def _save(self) -> None:
        if self._reviewer.learned:
            self._reviewer.learned = False
            self._state.learned()

    def _show_loss(self) -> None:
        """Go to the move that lost the game from its end, where the ending card leads; do not move the cursor while the
        person is reading another position."""
        losing = self._reviewer.losing
        if losing is not None and self.chosen and self._state.record.cursor is self._reviewer.nodes[-1]:
            self._state.go(losing.node)

    def wake(self, now: float) -> float | None:
        return self._reviewer.wake()

    def key(self, event: pygame.event.Event) -> bool:
        return self._mistakes.key(event)

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
