"""The set-up of a new game: opponent, side, size, rule and clock; and of who plays on from a position."""

from __future__ import annotations

from functools import partial

from games.record import GameRecord
from games.registry import GAMES
from ui.game.set_up import SetUp
from ui.host import Content, Host
from ui.part import Part, lay
from ui.parts.form import GAP
from ui.parts.game_form import GameChoice, GameForm, StartButton
from ui.parts.header import Header
from ui.parts.seats_form import SeatsForm
from ui.parts.setup_board import SetupBoard
from ui.screen import Screen
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space


class SetupScreen(Screen):
    """Begins with the last choices for `game`, or for the game that was set up last. With a `record`, the new game
    begins with the moves up to its cursor."""

    name = "setup"

    def __init__(
        self, host: Host, game: str = "", record: GameRecord | None = None, back: Content | None = None
    ) -> None:
        super().__init__(host, back)
        game = game or next(iter(host.settings.new_game), next(iter(GAMES)))
        self.state = state = SetUp(host, game if record is None else record.setup.game, record)
        title, start, keys = "setup.title", "setup.start", ["return", "ctrl+n"]
        self._game: Part = GameChoice(host, self.widgets, state)
        self._form: Part = GameForm(host, self.widgets, state)
        if record is not None:
            title, start, keys = "replay.play_on", "play_on.start", ["return"]
            self._game = self._form = Part()
        leave = partial(state.leave, self.go_back)
        self._header = Header(host, self.widgets, lambda: t(title), leave, back, height=32, home=True)
        self._start = StartButton(host, self.widgets, state, start, *keys)
        self._seats = SeatsForm(host, self.widgets, state)
        self._board = SetupBoard(host, self.widgets, state)
        self.parts = [self._start, self._seats, self._form, self._header, self._game, self._board]

    def build(self, space: Space) -> None:
        self.frame.side.gap = self.host.theme.px(GAP)
        lay(self.frame.side, self._header, self._start, self._game, self._seats, self._form)
        self._board.build(space)
