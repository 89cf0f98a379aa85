"""The keys that go through a search tree and fold it."""

from __future__ import annotations

from functools import partial

from ai.explorer import Explorer
from ui.part import Part
from ui.toolkit.keys import Binding


class TreeKeys(Part):
    """What they do, `explorer` knows."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self.bindings = (
            Binding(("up",), partial(explorer.go_near, 0, -1), "keys.search_parent"),
            Binding(("down",), partial(explorer.go_near, 0, 1), "keys.search_child"),
            Binding(("shift+left",), partial(explorer.go_near, -1, 0), "keys.search_left"),
            Binding(("shift+right",), partial(explorer.go_near, 1, 0), "keys.search_right"),
            Binding(("return",), self._fold, "keys.search_fold"),
            Binding(("v",), explorer.follow_line, "search.line", menu="search.line"),
            Binding(("backspace",), explorer.fold_all, "search.fold_all", menu="search.fold_all"),
        )

    def _fold(self) -> None:
        self._explorer.fold(self._explorer.node)
