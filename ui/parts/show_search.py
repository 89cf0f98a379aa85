"""The way from a position to the search of it."""

from __future__ import annotations

from collections.abc import Callable

from ai.explorer import Subject
from games.record import GameRecord, Node
from ui.host import Content, Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding


class ShowSearch(Part):
    """`shown` returns the node of `record` that is on the board of `owner`. The search shows the best move, which
    `helped` is told."""

    bindings = (Binding(("l",), "do_search", "search.show", menu="search.show"),)

    def __init__(
        self, host: Host, record: GameRecord, shown: Callable[[], Node], helped: Callable[[str], None], owner: Content
    ) -> None:
        self._host, self._record, self._shown, self._helped, self._owner = host, record, shown, helped, owner

    def do_search(self) -> None:
        """Show the search of the position on the board, unless the game is over."""
        node = self._shown()
        if node.position.outcome is not None:
            self._host.say(t("analysis.over"))
            return
        self._helped("search")
        self._host.open("learn", subject=Subject.of(self._record, node), back=self._owner)
