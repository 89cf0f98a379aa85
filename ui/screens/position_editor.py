"""The analysis board: any position can be set up on it, to be analysed or played on from."""

from __future__ import annotations

from games.arrangement import Arrangement
from games.record import GameRecord
from games.registry import GAMES
from ui.game.arranging import Arranging
from ui.host import Content, Host
from ui.part import lay
from ui.parts.editor import EditorBoard, EditorGame, EditorTools, EditorWays
from ui.parts.header import Header
from ui.screen import Screen
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space


class PositionEditor(Screen):
    """`record` gives the position of its cursor to begin with; otherwise the board is empty."""

    name = "position_editor"

    def __init__(self, host: Host, record: GameRecord | None = None, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = state = Arranging(host, record)
        self._header = Header(host, self.widgets, lambda: t("editor.title"), self.go_back, back)
        self._ways = EditorWays(host, self.widgets, state, self)
        self._game = EditorGame(host, self.widgets, state)
        self._tools = EditorTools(host, self.widgets, state)
        self._board = EditorBoard(host, self.widgets, state)
        self.parts = [self._board, self._game, self._tools, self._ways, self._header]

    def build(self, space: Space) -> None:
        self.frame.side.gap = self.host.theme.px(8)
        lay(self.frame.side, self._header, self._ways, self._game, self._tools)
        self._board.build(space)
        self.setup, self.board = self.state.now.setup, self._board.view
        self.first_position = self.setup.start()

    def paste(self, record: GameRecord) -> bool:
        """Set up what was pasted. False if it is a game with moves, or one in which that cannot be done."""
        if GAMES[record.setup.game].arrange is None or record.root.children:
            return False
        self.state.change(Arrangement.of(record))
        return True
