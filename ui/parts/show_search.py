"""Keys and menu entries that open screens on the search of a position, and on a comparison of searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

from ai.explain.subject import Subject
from games.record import GameRecord, Node
from ui import screens
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.window.host import Content, Host
from ui.window.part import MenuEntry, Part


class ShowSearch(Part):
    """Opens those screens for the node of `record` that `shown` returns; they lead back to `owner`. Since they show the
    best move, `helped` is called with ``search`` before."""

    def __init__(
        self, host: Host, record: GameRecord, shown: Callable[[], Node], helped: Callable[[str], None], owner: Content
    ) -> None:
        self._host, self._record, self._shown, self._helped, self._owner = host, record, shown, helped, owner
        self.bindings = (Binding(("l",), self._show, "search.show", menu="search.show"),)

    def entries(self) -> Sequence[MenuEntry]:
        """Offer the bindings and, as it has no key, the comparison of searches."""
        return (*super().entries(), MenuEntry("compare", t("compare.open"), self._compare))

    def _show(self) -> None:
        """Open the screen on the search of the position shown."""
        if self._may_search():
            self._host.open(screens.learn, subject=Subject.of(self._record, self._shown()), back=self._owner)

    def _compare(self) -> None:
        """Open the screen that compares searches of the position shown."""
        if self._may_search():
            there = copy(self._record)  # of the same tree, at another node
            there.cursor = self._shown()
            self._host.open(screens.compare, there, back=self._owner)

    def _may_search(self) -> bool:
        """Return whether the position can be searched, and call `helped` if so. If the game is over there, show a
        message."""
        over = self._shown().position.outcome is not None
        if over:
            self._host.say(t("analysis.over"))
        else:
            self._helped("search")
        return not over
