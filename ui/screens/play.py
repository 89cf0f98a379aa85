"""The screen on which a game is played: persons click, computers think, every move is saved at once."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from games.record import GameRecord
from ui.board.registry import board_view
from ui.board.view import BoardView
from ui.game.play_state import PlayState
from ui.host import Content, Host
from ui.part import lay
from ui.parts.about_game import AboutGameEntry
from ui.parts.action_row import ActionRow, Turn
from ui.parts.board import Board, open_branch_menu
from ui.parts.board_cover import BoardCover
from ui.parts.depth_table import DepthTable
from ui.parts.files import Files
from ui.parts.game import Game
from ui.parts.game_cards import EndingCard, TeachingCard
from ui.parts.header import Header
from ui.parts.menu import MenuButton
from ui.parts.moves import MoveList
from ui.parts.players import Players
from ui.parts.show_search import ShowSearch
from ui.parts.sounds import MoveSounds
from ui.parts.view_panel import Considered, ViewPanel
from ui.parts.win_bar import WinBar
from ui.screen import Screen
from ui.toolkit.layout import Space
from ui.words.games import setup_name

_SPARED = 90  # design pixels that the table of depths leaves to the list of moves


class Play(Screen):
    """`file` is where the game is saved; None for a new game. Without `autosave` nothing is written.

    A click on a move of the list shows that moment, while the game goes on; see `Viewpoint`.
    """

    name = "play"
    board: BoardView

    def __init__(
        self, host: Host, record: GameRecord, file: Path | None = None, autosave: bool = True, teaching: bool = False,
        back: Content | None = None,
    ) -> None:  # fmt: skip
        super().__init__(host, back)
        self.setup, self.first_position = record.setup, record.root.position
        self.state = state = PlayState(host, record, file, autosave, teaching)
        self.board = board_view(record.setup.game)
        state.ask_to_branch = partial(
            open_branch_menu, host, self.board, leave=state.leave, holds=lambda: not state.refusal
        )
        self._header = Header(host, self.widgets, lambda: setup_name(record.setup), self.go_back, back, owner=self)
        self._board = Board(host, self.widgets, self.board, state, record.setup, self.all_marks)
        self._cover = BoardCover(host, self.board, state)
        self._bar = WinBar(host, record.setup.game, self.board, state.view, lambda: state.shows_view)
        self._players = Players(host, record, state.side_on_move, state.running_seconds)
        self._turn = Turn(host, self.widgets, state)
        self._ending = EndingCard(host, self.widgets, state, lambda: self.back)
        self._teaching = TeachingCard(host, self.widgets, state)
        self._view = ViewPanel(host, state)
        self._considered = Considered(host, state)
        self._depths = DepthTable(host, record.setup.game, state.depths, least=3, most=6, spared=_SPARED)
        self._moves = MoveList(host, self.widgets, state)
        self._actions = ActionRow(host, self.widgets, state, MenuButton(host, self.widgets, self.entries))
        self.parts = [
            Game(host, state, self.board.moving), MoveSounds(host, record, endings=True), self._board,
            self._actions, self._header, self._bar, self._players, self._turn, self._view, self._considered,
            self._depths, Files(host, record, state.file, lambda: state.shown), self._cover, self._teaching,
            self._ending, self._moves, ShowSearch(host, record, lambda: state.shown, state.helped, self),
            AboutGameEntry(host, state, self),
        ]  # fmt: skip

    def build(self, space: Space) -> None:
        lay(space, self._bar, self._board, self._cover)
        lay(
            self.frame.side, self._header, self._players, self._turn, self._actions, self._ending, self._teaching,
            self._view, self._considered, self._depths, self._moves,
        )  # fmt: skip
