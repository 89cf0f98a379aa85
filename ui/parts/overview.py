"""The whole search at a glance: as boxes, or, of one by several workers, as what each did in the course of time."""

from __future__ import annotations

from ai.explorer import Explorer
from ai.search.variants import SHARED
from ui.host import Host
from ui.part import Group, lay
from ui.parts.icicle import Icicle
from ui.parts.time_line import TimeLine
from ui.toolkit.layout import Space


class Overview(Group):
    """At the bottom of the space."""

    def __init__(self, host: Host, explorer: Explorer) -> None:
        self._explorer = explorer
        self._boxes, self._times = Icicle(host, explorer), TimeLine(host, explorer)
        super().__init__((self._boxes,))

    def shape(self) -> object:
        return self._explorer.choice.key in SHARED

    def build(self, space: Space) -> None:
        self.parts = (self._times if self.shape() else self._boxes,)
        lay(space, *self.parts)
