"""The ways from a position to searches of it that are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

from ai.explorer import Explorer
from games.record import GameRecord, Node
from ui.game.comparison import TREES
from ui.host import Content, Host
from ui.part import Entry, Part
from ui.toolkit.i18n import t


class CompareEntry(Part):
    """`shown` returns the node of `record` that is on the board of `owner`. The searches show the best move, which
    `helped` is told."""

    def __init__(
        self, host: Host, record: GameRecord, shown: Callable[[], Node], helped: Callable[[str], None], owner: Content
    ) -> None:
        self._host, self._record, self._shown, self._helped, self._owner = host, record, shown, helped, owner

    def entries(self) -> Sequence[Entry]:
        return (Entry("compare", t("compare.open"), self._open),)

    def _open(self) -> None:
        """Compare searches of the position on the board, unless the game is over."""
        there = copy(self._record)  # of the same tree, at another node
        there.cursor = self._shown()
        if there.position.outcome is not None:
            self._host.say(t("analysis.over"))
            return
        self._helped("search")
        self._host.open("compare", there, back=self._owner)


class BesideEntry(Part):
    """From the search that `explorer` shows to that of minimax beside one with cuts; a tree of numbers has no board to
    show there."""

    def __init__(self, host: Host, explorer: Explorer, owner: Content) -> None:
        self._host, self._explorer, self._owner = host, explorer, owner

    def entries(self) -> Sequence[Entry]:
        if self._explorer.subject.setup is None:
            return ()
        return (Entry("beside", t("compare.trees.open"), self._open),)

    def _open(self) -> None:
        subject = self._explorer.subject
        assert subject.setup is not None
        record = GameRecord(subject.setup, stones=subject.stones)
        for move in subject.moves:
            record.play(move)
        self._host.open("compare", record, view=TREES, back=self._owner)
