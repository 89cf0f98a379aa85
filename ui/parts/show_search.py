"""The ways from a position to the search of it, and to searches of it that are compared."""

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
    """`shown` returns the node of `record` that is on the board of `owner`. Searches show the best move, which `helped`
    is told."""

    def __init__(
        self, host: Host, record: GameRecord, shown: Callable[[], Node], helped: Callable[[str], None], owner: Content
    ) -> None:
        self._host, self._record, self._shown, self._helped, self._owner = host, record, shown, helped, owner
        self.bindings = (Binding(("l",), self._show, "search.show", menu="search.show"),)

    def entries(self) -> Sequence[MenuEntry]:
        return (*super().entries(), MenuEntry("compare", t("compare.open"), self._compare))

    def _show(self) -> None:
        """Show the search of the position on the board."""
        if self._may_search():
            self._host.open(screens.learn, subject=Subject.of(self._record, self._shown()), back=self._owner)

    def _compare(self) -> None:
        """Compare searches of the position on the board."""
        if self._may_search():
            there = copy(self._record)  # of the same tree, at another node
            there.cursor = self._shown()
            self._host.open(screens.compare, there, back=self._owner)

    def _may_search(self) -> bool:
        """Return whether there is anything to search, and tell that it is shown; or say that the game is over."""
        over = self._shown().position.outcome is not None
        if over:
            self._host.say(t("analysis.over"))
        else:
            self._helped("search")
        return not over
