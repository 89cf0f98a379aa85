"""The selected rows of a long list, as in file managers."""

from __future__ import annotations

from collections.abc import Sequence


class Selection:
    """`ids` are the rows in order, `at` is the row of the cursor, and `chosen` are the selected ids.

    A move that extends selects from the end of the last move that did not. Until the person selects, the first row is
    selected, however the list changes.
    """

    def __init__(self) -> None:
        self.ids: Sequence[int] = ()
        self.chosen: set[int] = set()
        self.at = 0
        self._anchor = 0
        self._begun = False  # whether the person has selected

    @property
    def current(self) -> int | None:
        """The id under the cursor."""
        return self.ids[self.at] if self.ids else None

    def show(self, ids: Sequence[int]) -> None:
        """Replace the list. What is in both stays selected, and the cursor stays on its row or index."""
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
        """Move the cursor to row `to`, or the nearest there is."""
        if not self.ids:
            return
        self._begun = True
        self.at = max(0, min(to, len(self.ids) - 1))
        if not extend:
            self._anchor = self.at
        first, last = sorted((self._anchor, self.at))
        self.chosen = set(self.ids[first : last + 1])

    def toggle(self, row: int | None = None) -> None:
        """Add the row, or that of the cursor, to the selection, or remove it."""
        if self.ids:
            self._begun = True
            self.at = self._anchor = self.at if row is None else row
            self.chosen ^= {self.ids[self.at]}

    def all(self) -> None:
        self._begun = True
        self.chosen = set(self.ids)

    def in_order(self) -> list[int]:
        """Return the selected ids in list order; if there are none, the one under the cursor."""
        if not self.chosen:
            return [] if self.current is None else [self.current]
        return [number for number in self.ids if number in self.chosen]
