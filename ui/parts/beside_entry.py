"""The menu entry that opens minimax and alpha-beta side by side, for the search that is shown."""

from __future__ import annotations

from collections.abc import Sequence

from ai.explorer import Explorer
from games.record import GameRecord
from ui.game.comparison import TREES
from ui.host import Content, Host
from ui.part import Entry, Part
from ui.toolkit.i18n import t


class BesideEntry(Part):
    """No entry for a tree of numbers, which has no board to compare searches on."""

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
