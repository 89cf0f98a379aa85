"""Keeps the games of the library up to date while its screen is shown, and says how many there are."""

from __future__ import annotations

import pygame

from games.library.file_actions import empty_old
from ui.game.library_state import LibraryState
from ui.part import Part
from ui.toolkit.i18n import t

_SLOW = 0.5  # seconds of reading after which the status line says so


class FoundGames(Part):
    def __init__(self, state: LibraryState) -> None:
        self._state = state
        self._reading_since: float | None = None
        self._slow = False  # whether the files have been read for long

    def open(self) -> None:
        self._state.games.library.refresh()
        empty_old()

    def close(self) -> None:
        self._state.review.stop()
        self._state.games.close()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.WINDOWFOCUSGAINED:
            self._state.games.library.refresh()  # files may have changed meanwhile
        return False

    def update(self, now: float) -> None:
        self._state.update()
        if not self._state.games.busy:
            self._reading_since = None
        elif self._reading_since is None:
            self._reading_since = now
        self._slow = self._reading_since is not None and now - self._reading_since > _SLOW

    def wake(self, now: float) -> float | None:
        games = self._state.games
        return 0.0 if games.changed else 0.2 if games.busy else self._state.review.wake()

    def status(self) -> str:
        games, review = self._state.games, self._state.review
        if self._slow and games.busy:
            done, total = games.library.progress
            return t("library.reading", done=f"{done:,}", total=f"{total:,}")
        if review.busy:
            return review.status()
        found, total = len(games.selection.ids), games.total
        if found == total:
            return t("library.count", count=total)
        return t("library.found", found=f"{found:,}", total=f"{total:,}")
