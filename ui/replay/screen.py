"""The screen on which a saved game is studied: walked through, analysed, changed, and played on from."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from games.formats.terms import is_annotated
from games.record import GameRecord, Node
from ui import screens
from ui.board.looks import board_view
from ui.board.view import BoardView
from ui.parts.about_game import AboutGameEntry, EncodingLink
from ui.parts.board_part import BoardPart
from ui.parts.game_file import FileKeys
from ui.parts.header import Header, MenuButton
from ui.parts.players import Players
from ui.parts.show_search import ShowSearch
from ui.parts.sounds import MoveSounds
from ui.parts.study import Study
from ui.parts.win_bar import WinBar
from ui.replay.analysis import AnalysisSwitch, AnalysisTab
from ui.replay.explorer_tab import ExplorerTab
from ui.replay.moves_tab import MovesTab, NextMoves
from ui.replay.proof import ProveThis
from ui.replay.review_tab import ReviewTab
from ui.replay.tab import Tabs
from ui.replay.transport import Editing, PlayOnButton, PositionLine, Transport
from ui.toolkit.space import Space
from ui.window.host import Content, Host
from ui.window.part import lay
from ui.window.screen import Screen
from ui.words.file_words import notices_sentence
from ui.words.opening_words import game_title


class Replay(Screen):
    """`record` is shown from its beginning, from its cursor with `at_cursor`, or from the node `at`. `tab` is the name
    of the tab to begin with, and its work begins, too; without it, that of the one that was chosen last is shown, or
    that of the moves if somebody has annotated them. `original` is the file that was asked for, if `file` is a copy
    with changes of it. Without `autosave` nothing is written."""

    name = "replay"
    board: BoardView

    def __init__(
        self, host: Host, record: GameRecord, file: Path | None = None, at_cursor: bool = False,
        back: Content | None = None, tab: str = "", at: Node | None = None, autosave: bool = True,
        original: Path | None = None,
    ) -> None:  # fmt: skip
        super().__init__(host, back)
        self.setup, self.first_position = record.setup, record.root.position
        self.state = state = Study(host, record, file, autosave, original)
        state.encoding.reopen = partial(self._reopen, original or file)
        if at is None and not at_cursor:
            record.go_to(record.root)
        self._at = at
        state.tab = tab or (MovesTab.name if is_annotated(record) else host.settings.study_tab)
        self.board = board_view(record.setup.game)
        self._begun, self._asked = False, bool(tab)
        self._header = Header(host, self.widgets, partial(game_title, record), self.go_back, back, owner=self)
        self._board = BoardPart(host, self.widgets, self.board, state, record.setup, self.all_marks, steering=False)
        self._bar = WinBar(host, record.setup.game, self.board, state.knowledge, lambda: state.evaluated)
        self._players = Players(host, record, state.side_on_move)
        self._line = PositionLine(host, state)
        menu = MenuButton(host, self.widgets, self.entries, width=48)
        self._play_on = PlayOnButton(host, self.widgets, state, menu, self)
        self._transport = Transport(host, self.widgets, state)
        self._tabs = Tabs(host, self.widgets, state, (
            MovesTab(host, self.widgets, state, self.board), AnalysisTab(host, self.widgets, state),
            ReviewTab(host, self.widgets, state, self), ExplorerTab(host, self.widgets, state, self),
        ))  # fmt: skip
        self.parts = [
            MoveSounds(host, record), self._header, self._board, self._players, self._line,
            self._transport, Editing(state), ProveThis(host, state), self._play_on,
            FileKeys(host, record, state.file, lambda: state.shown), AnalysisSwitch(state), self._tabs,
            NextMoves(host, state),
            state.knowledge, self._bar,
            ShowSearch(host, record, lambda: state.shown, state.helped, self), AboutGameEntry(host, state, self),
            EncodingLink(host, state.encoding, lambda: self.frame.free, lambda: self.widgets.elements["menu"].rect),
        ]  # fmt: skip

    def open(self) -> None:
        if self._at is not None:  # not before: the screen that was left may have saved the game at its end
            self.state.record.go_to(self._at)
            self._at = None
        super().open()
        if self._begun:
            return
        self._begun = True
        if self.state.record.notices:
            guess = all(notice.kind == "encoding" for notice in self.state.record.notices)
            self.host.say(notices_sentence(self.state.record.notices), "info" if guess else "bad")
        if self._asked:
            self._tabs.chosen.start()

    def _reopen(self, file: Path | None, record: GameRecord) -> None:
        """Show another reading of the file, which has other moves."""
        self.host.open(screens.replay, record, file, back=self.back)

    def build(self, space: Space) -> None:
        side = self.frame.side
        lay(space, self._bar, self._board)
        lay(side, self._header, self._players, self._line, self._play_on)
        side.gap = self.host.theme.px(8)
        lay(side, self._transport, self._tabs, self.state.knowledge)
