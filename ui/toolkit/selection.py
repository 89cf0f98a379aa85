"""Which rows of a long list are selected, by the habits of every file manager. No pixels."""

from __future__ import annotations

from collections.abc import Sequence


class Selection:
    """`ids` are the rows in their order, `at` the row of the cursor; `chosen` are ids.

    A move that extends selects everything from where the last one that did not has led. Until somebody selects, it is
    the first row, however the list grows.
    """

    def __init__(self) -> None:
        self.ids: Sequence[int] = ()
        self.chosen: set[int] = set()
        self.at = 0
        self._anchor = 0
        self._begun = False  # whether somebody has selected

    @property
    def current(self) -> int | None:
        """The id under the cursor."""
        return self.ids[self.at] if self.ids else None

    def show(self, ids: Sequence[int]) -> None:
        """Takes another list: what is in both stays selected, and the cursor on its row, or at its place."""
        before = self.current if self._begun else None
        self.ids = ids
        if not self._begun:
            self.at, self.chosen = 0, set()
        self.chosen &= set(ids)
        if before in self.chosen or (before is not None and before in ids):
            self.at = ids.index(before)
        self.at = max(0, min(self.at, len(ids) - 1))
        self._anchor = self.at
        if not self.chosen and self.current is not None:
            self.chosen = {self.current}

    def move(self, to: int, extend: bool = False) -> None:
        """The cursor goes to row `to`, or to the nearest there is."""
        if not self.ids:
            return
        self._begun = True
        self.at = max(0, min(to, len(self.ids) - 1))
        if not extend:
            self._anchor = self.at
        first, last = sorted((self._anchor, self.at))
        self.chosen = set(self.ids[first : last + 1])

    def toggle(self, row: int | None = None) -> None:
        """Selects the row, or that of the cursor, in addition; or no more if it was."""
        if self.ids:
            self._begun = True
            self.at = self._anchor = self.at if row is None else row
            self.chosen ^= {self.ids[self.at]}

    def all(self) -> None:
        self._begun = True
        self.chosen = set(self.ids)

    def in_order(self) -> list[int]:
        """What is selected, in the order of the list; with nothing selected, the row of the cursor."""
        if not self.chosen:
            return [] if self.current is None else [self.current]
        return [number for number in self.ids if number in self.chosen]
