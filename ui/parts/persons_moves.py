"""What a person's choice of a point on the board does: a move, a look at the move that follows, or a new branch."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from games.position import IllegalMove
from games.record import GameRecord, Node
from ui.board.view import BoardView
from ui.game.autosave import Autosave
from ui.game.hints import Hints
from ui.game.live_game import LiveGame
from ui.game.play_words import refusal
from ui.game.viewpoint import Viewpoint
from ui.host import Host
from ui.parts.branch_menu import open_branch_menu
from ui.toolkit.i18n import t
from ui.words.moves import illegal_sentence


class Played(Protocol):
    """The scene of the game."""

    host: Host
    record: GameRecord
    live: LiveGame
    viewpoint: Viewpoint
    saver: Autosave
    hints: Hints
    board: BoardView

    def shown(self) -> Node: ...
    def look(self, node: Node) -> None: ...
    def do_return(self) -> None: ...


class PersonsMoves:
    def __init__(self, scene: Played) -> None:
        self._scene = scene

    def chosen(self, move: int) -> None:
        """Play `move`, or say why not."""
        scene = self._scene
        why_not = refusal(scene.live, scene.viewpoint)
        if why_not:
            self._remark(why_not)
            return
        try:
            if scene.viewpoint.earlier is not None:
                self._play_elsewhere(scene.viewpoint.earlier, move)
                return
            scene.live.play(move)
        except IllegalMove as error:
            self._remark(illegal_sentence(error), "bad")
        else:
            scene.hints.forget()

    def _play_elsewhere(self, node: Node, move: int) -> None:
        """Show what follows where `move` was played at `node`; ask before the game goes on from any other move.

        Raise `IllegalMove`.
        """
        scene = self._scene
        node.position.play(move)
        known = next((each for each in scene.record.line() if each.parent is node and each.move == move), None)
        if known is not None:
            scene.look(known)
            return
        rated = scene.saver.will_count
        branch = partial(self._branch, node, move, rated)
        open_branch_menu(scene.host, scene.board, node, move, branch, scene.do_return)
        self._remark(t("play.branch_unrated" if rated else "play.branch"))

    def _branch(self, node: Node, move: int, rated: bool) -> None:
        scene = self._scene
        scene.do_return()
        if scene.live.branch(node, move):
            scene.hints.forget()
            scene.host.say(t("play.branched_unrated" if rated else "play.branched"))

    def _remark(self, text: str, kind: str = "info") -> None:
        """Say what is true of this moment of the game only."""
        here = self._moment()
        self._scene.host.say(text, kind, holds=lambda: self._moment() == here)

    def _moment(self) -> tuple[object, ...]:
        scene = self._scene
        return scene.record.cursor, scene.record.outcome, scene.shown(), scene.live.paused, scene.host.overlay
