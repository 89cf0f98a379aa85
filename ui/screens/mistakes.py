"""The screen of exercises: positions of a game, or else of a person's own games, in which somebody made a mistake."""

from __future__ import annotations

from ai.review.exercises import Deck
from ui.board.registry import board_view
from ui.game.exercise import Practice, Solving, title_sentence
from ui.host import Content, Host
from ui.part import Part, lay
from ui.parts.board import Board
from ui.parts.exercise import ExercisePanel, PracticeOver
from ui.parts.game import MoveSounds
from ui.parts.header import Header
from ui.screen import Screen
from ui.screens import registry as screens
from ui.toolkit.layout import Space


class MistakesScreen(Screen):
    """The current exercise of `practice`, by default one of those that are due. Each is a screen of its own."""

    name = "mistakes"

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
        """What fills the main room, and the panel."""
        host, widgets = self.host, self.widgets
        if state is None:
            return PracticeOver(host, widgets, self.practice), Part()
        self.setup = state.record.setup
        self.board, self.first_position = board_view(self.setup.game), state.record.root.position
        board = Board(host, widgets, self.board, state, self.setup, self.all_marks)
        return board, ExercisePanel(host, widgets, self.practice, state, self._go_on)

    def _go_on(self) -> None:
        self.host.open(screens.mistakes, self.practice.following(), back=self.back)

    def build(self, space: Space) -> None:
        lay(self.frame.side, self._header, self._panel)
        self._board.build(space)
