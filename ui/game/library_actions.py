"""Rename and delete saved games, undo it, and report each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from games.library.file_actions import BadName, Removal, discard, ending_of, rename, restore
from games.library.rows import Entry, file_title
from games.storage import unused
from ui.game.ratings import rename_result
from ui.host import Host
from ui.toolkit.i18n import t
from ui.words.files import refusal


class LibraryActions:
    """`changed` is called after each change of files, with the file to move the cursor to, or None."""

    def __init__(self, host: Host, changed: Callable[[Path | None], object]) -> None:
        self.host, self._changed = host, changed
        self._undoable: list[tuple[str, Callable[[], object]]] = []  # what to say then, and what to do

    @property
    def can_undo(self) -> bool:
        return bool(self._undoable)

    def rename(self, entry: Entry, title: str) -> bool:
        """Rename the file of `entry`. Return False if `title` is no possible name, so that another can be typed."""
        self.host.files.settle()  # what is still to be written there would come back under the old name
        try:
            file = rename(entry.path, title)
        except BadName as error:
            self.host.say(t(f"library.name.{error.reason}", name=title.strip()), "bad")
            return False
        except OSError as error:
            self.host.say(t("library.failed", name=entry.name, reason=refusal(error)), "bad")
            self._changed(None)
            return True
        if file != entry.path:
            self._moved(entry.path, file)
            self._undoable.append((t("library.renamed_back"), partial(self._rename_back, file, entry.path)))
            self.host.say(t("library.renamed", name=title.strip()), "good")
        return True

    def _rename_back(self, file: Path, before: Path) -> None:
        target = before if not before.exists() else unused(before.parent, file_title(before), ending_of(before))
        file.rename(target)
        self._moved(file, target)

    def _moved(self, old: Path, new: Path) -> None:
        """Update everything that refers to a renamed file."""
        settings = self.host.settings
        settings.recent = [str(new) if Path(file) == old else file for file in settings.recent]
        if settings.unfinished and Path(settings.unfinished) == old:
            settings.unfinished = str(new)
        self.host.save_settings()
        rename_result(self.host, old, new)
        self._changed(new)

    def delete(self, entries: Iterable[Entry]) -> None:
        self.host.files.settle()  # or it would be written again
        removal = discard(entry.path for entry in entries)
        if removal.moved:
            count = len(removal.moved)
            self._undoable.append((t("library.restored", count=count), partial(self._restore, removal)))
            self.host.say(t("library.deleted", count=count))
        if removal.failed:
            file, error = removal.failed[0]
            self.host.say(t("library.failed", name=file.name, reason=refusal(error)), "bad")
        self._changed(None)

    def _restore(self, removal: Removal) -> None:
        self._changed(restore(removal)[-1])

    def undo(self) -> None:
        """Undo the last deletion or renaming; one that cannot be undone now goes to the end of the queue."""
        if not self._undoable:
            return
        self.host.files.settle()
        done, act = self._undoable.pop()
        try:
            act()
        except OSError as error:
            self._undoable.insert(0, (done, act))
            self.host.say(t("library.undo_failed", reason=refusal(error)), "bad")
        else:
            self.host.say(done, "good")

    def undoable(self, said: str, undo: Callable[[], object]) -> None:
        """Let Ctrl+Z call `undo`, and say `said` then."""
        self._undoable.append((said, undo))
