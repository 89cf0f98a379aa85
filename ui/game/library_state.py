"""The library with its selection, its filter and what is done to games, without pixels: what the parts of its screen
share."""

from __future__ import annotations

from pathlib import Path

from games.library.rows import Entry
from ui.game.library_files import LibraryFiles
from ui.game.library_filter import LibraryFilter
from ui.game.library_games import LibraryGames
from ui.game.library_review import LibraryReview
from ui.host import Host
from ui.words.library import given_name

TOP, CURSOR = "top", "cursor"


class LibraryState:
    """`games` are those that `filter` admits, as of the last `find`."""

    def __init__(self, host: Host) -> None:
        self.games, self.filter = LibraryGames(host), LibraryFilter()
        self.files = LibraryFiles(host, self.games, self.changed)
        self.review = LibraryReview(host, self.changed)
        self.renaming: Entry | None = None
        """The game for which a name is typed."""
        self.new_name = ""
        self.wanted = ""
        """What is to be brought into sight: `TOP`, `CURSOR`, or nothing."""
        self._followed: Path | None = None  # where the cursor goes once it is in the library

    def find(self) -> None:
        """Search for what the filter admits."""
        opponents = self.games.library.opponents() if self.filter.chosen["opponent"] else ()
        self.games.search(self.filter.query(opponents))
        if self._followed is not None and self.games.find(self._followed):
            self._followed, self.wanted = None, CURSOR

    def search(self, text: str) -> None:
        """Search for the words of `text`."""
        if text != self.filter.text:
            self.filter.text = text
            self.filtered()

    def filtered(self) -> None:
        """The filter was changed."""
        self.find()
        self.wanted = TOP

    def changed(self, file: Path | None) -> None:
        """Files were changed; the cursor goes to `file`."""
        self._followed = file or self._followed
        self.games.library.refresh()

    def update(self) -> None:
        if self.games.changed:
            self.find()
        self.review.update()

    # The new name.

    def begin_rename(self) -> None:
        """Ask for a new name of the game at the cursor."""
        entry = self.games.current()
        if entry is not None:
            self.games.selection.move(self.games.selection.at)
            self.renaming, self.new_name = entry, given_name(entry)

    def end_rename(self) -> None:
        self.renaming = None

    def rename(self, title: str) -> bool:
        """Rename the game. Return False if another name is to be typed."""
        done = self.renaming is None or self.files.rename(self.renaming, title)
        if done:
            self.renaming = None
        return done
