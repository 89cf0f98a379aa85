"""The keys that go through a search tree and fold it."""

from __future__ import annotations

from ai.explorer import Explorer
from ui.part import Part
from ui.toolkit.keys import Binding


class TreeKeys(Part):
    """What they do, `explorer` knows."""

    bindings = (
        Binding(("up",), "do_up", "keys.search_parent"),
        Binding(("down",), "do_down", "keys.search_child"),
        Binding(("shift+left",), "do_left", "keys.search_left"),
        Binding(("shift+right",), "do_right", "keys.search_right"),
        Binding(("return",), "do_fold", "keys.search_fold"),
        Binding(("v",), "do_line", "search.line", menu="search.line"),
        Binding(("backspace",), "do_fold_all", "search.fold_all", menu="search.fold_all"),
    )

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer

    def do_up(self) -> None:
        self._explorer.go_near(0, -1)

    def do_down(self) -> None:
        self._explorer.go_near(0, 1)

    def do_left(self) -> None:
        self._explorer.go_near(-1, 0)

    def do_right(self) -> None:
        self._explorer.go_near(1, 0)

    def do_fold(self) -> None:
        self._explorer.fold(self._explorer.node)

    def do_line(self) -> None:
        """Look at the end of the principal variation."""
        self._explorer.follow_line()

    def do_fold_all(self) -> None:
        self._explorer.fold_all()
