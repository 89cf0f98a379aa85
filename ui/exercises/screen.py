"""The screen of exercises: positions of a game, or else of a person's own games, in which somebody made a mistake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ai.review.exercises import Deck, solution
from ui import screens
from ui.board.looks import board_view
from ui.board.view import Marks
from ui.parts.board_part import BoardPart, MoveSounds
from ui.parts.header import Header
from ui.parts.move_line import TASK_LINE, MoveLine, build_task, build_verdict
from ui.parts.practice import (
    Practice,
    Solving,
    asked_sentence,
    counts_sentence,
    over_sentence,
    title_sentence,
    verdict_sentences,
)
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, centred, columns
from ui.toolkit.typesetting import wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part, lay
from ui.window.screen import Screen

# The panel of an exercise: what is asked, what the move that was tried is worth, and what can be done.


class ExercisePanel(Part):
    """The task, what is said of the move that was tried, and the buttons, in all the space. `go_on` opens the next
    exercise."""

    def __init__(
        self, host: Host, widgets: Widgets, practice: Practice, state: Solving, go_on: Callable[[], object]
    ) -> None:
        self._host, self._widgets, self._practice, self._state, self._go_on = host, widgets, practice, state, go_on
        self._line: MoveLine | None = None
        self.bindings = (
            Binding(("return",), self._enter, ""),
            Binding(("pagedown",), go_on, "keys.next_exercise"),
            Binding(("r",), state.retry, "keys.retry"),
            Binding(("a",), state.show, "keys.show_answer"),
        )

    def shape(self) -> object:
        """What the layout depends on: the state of the exercise (asked, judging, right, wrong …)."""
        return self._state.state

    def build(self, space: Space) -> None:
        """Build the task with the counts of the practice at the bottom, the verdict on the move that was tried with the
        line of the solution once the exercise is over, and the buttons."""
        state, theme, px = self._state, self._host.theme, self._host.theme.px
        quiet, label = theme.palette.quiet, self._widgets.label
        self._build_buttons(Space(space.bottom(px(BUTTON)), px(8)))
        label(space.bottom(px(TASK_LINE)), counts_sentence(self._practice), 16, quiet)
        turn, asked = state.start.position.turn, asked_sentence(state)
        build_task(self._host, self._widgets, space, state.record.setup, turn, asked)
        palette, over = theme.palette, state.state not in ("judging", "wrong")
        tones = {"right": palette.good, "good": palette.good, "wrong": palette.bad}
        self._line = build_verdict(
            self._host, self._widgets, space, filter(None, verdict_sentences(state)),
            tones.get(state.state, palette.info), t("review.follow_up"), state.start.position,
            solution(state.start) if over else (), state.play_line, rows=2,
        )  # fmt: skip

    def _build_buttons(self, row: Space) -> None:
        """Build the buttons that try again, show the solution and go to the next exercise; the expected one stands out.
        """
        primary = "next" if self._answered else "retry" if self._state.state == "wrong" else ""
        for (name, run, key), place in zip((
            ("retry", self._state.retry, "r"), ("show", self._state.show, "a"), ("next", self._go_on, "pagedown"),
        ), columns(row.rest, 3, row.gap), strict=True):  # fmt: skip
            style = "@primary" if name == primary else ""
            self._widgets.button(name, place, t(f"mistakes.{name}"), run, style=style, key=key)
        self._widgets.enable("retry", self._state.state != "asked")
        self._widgets.enable("show", self._state.state != "shown")

    @property
    def _answered(self) -> bool:
        """Whether the exercise is solved, or its solution shown."""
        return self._state.state in ("right", "good", "shown")

    # Steps.

    def update(self, now: float) -> None:
        """Judge the move that was tried once its search is over, and play the moves of its refutation one after the
        other."""
        self._state.update(now)

    def wake(self, now: float) -> float | None:
        """Return 0.1 seconds while moves of a refutation are still to be played, else None."""
        return 0.1 if self._state.moving else None

    def close(self) -> None:
        """Take back a move whose search is under way: the screen may be shown again."""
        self._state.close()

    def _enter(self) -> bool:
        """Let Enter try again after a wrong move, or go to the next exercise once this one is solved or shown. Return
        False, to pass the key on, while a move is asked for."""
        asked = self._state.open_to_moves
        if self._answered:
            self._go_on()
        elif self._state.state == "wrong":
            self._state.retry()
        return not asked

    # The board.

    def marks(self, marks: Marks) -> Marks:
        """Mark the mistake of the game with its sign while a move is to be found; later, at the position of the
        exercise, the line of the solution as far as the pointer is on it."""
        state = self._state
        if state.open_to_moves:
            return replace(marks, wrong=state.mistake.move, sign=state.sign)
        if self._line is not None and state.shown is state.start:
            return replace(marks, line=solution(state.start)[: self._line.pointed or 1])
        return marks


class PracticeOver(Part):
    """What the screen shows when no exercise is left, in the middle of the space."""

    def __init__(self, host: Host, widgets: Widgets, practice: Practice) -> None:
        self._host, self._widgets, self._practice = host, widgets, practice

    def build(self, space: Space) -> None:
        """Build, in the middle of the space, a sentence that no exercise is left, the counts of the practice, and a
        button to the library."""
        theme, px = self._host.theme, self._host.theme.px
        width = min(px(480), space.rest.width)
        lines = wrapped(theme, over_sentence(self._practice), width, 20)
        high = (len(lines) + 1) * px(30) + px(BUTTON) + px(16)
        inside = Space(centred(width, high, space.rest.center))
        for line in lines:
            self._widgets.label(inside.top(px(30)), line, 20, align="centre")
        self._widgets.label(inside.top(px(30)), counts_sentence(self._practice), align="centre")
        button = centred(px(220), px(BUTTON), inside.bottom(px(BUTTON)).center)
        self._widgets.button(
            "library", button, t("library.title"), lambda: self._host.open(screens.library), style="@primary",
            icon="library",
        )  # fmt: skip


class MistakesScreen(Screen):
    """The current exercise of `practice`, by default of those that are due. The next exercise opens a new screen."""

    name = "mistakes"
    guide = "exercises"

    def __init__(self, host: Host, practice: Practice | None = None, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.practice = practice = practice or Practice(Deck())
        exercise = practice.current
        self.state = None if exercise is None else Solving(host, practice, exercise)
        self._header = Header(host, self.widgets, lambda: title_sentence(practice), self.go_back, back, owner=self)
        self._board, self._panel = self._parts(self.state)
        self.parts = [self._board, self._panel, self._header]
        if self.state is not None:
            self.parts.append(MoveSounds(host, self.state.record))

    def _parts(self, state: Solving | None) -> tuple[Part, Part]:
        """Return the part of the main area and that of the panel; `state` is None if no exercise is left."""
        host, widgets = self.host, self.widgets
        if state is None:
            return PracticeOver(host, widgets, self.practice), Part()
        self.setup = state.record.setup
        self.board, self.first_position = board_view(self.setup.game), state.record.root.position
        board = BoardPart(host, widgets, self.board, state, self.setup, self.all_marks)
        return board, ExercisePanel(host, widgets, self.practice, state, self._go_on)

    def _go_on(self) -> None:
        """Open the next exercise."""
        self.host.open(screens.mistakes, self.practice.following(), back=self.back)

    def build(self, space: Space) -> None:
        """Lay out the header and the panel of the exercise in the panel, and the board, or what is said at the end, in
        the main area."""
        lay(self.frame.side, self._header, self._panel)
        self._board.build(space)
