"""Rename, delete, import and export saved games, undo it, and report each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import wait
from functools import partial
from pathlib import Path

from games.formats import WRITTEN, FormatError, file_title, writable
from games.formats.common import OnProgress
from games.library.file_actions import (
    BadName,
    Exported,
    FilesByGame,
    Imported,
    Removal,
    discard,
    ending_of,
    export,
    export_collection,
    game_files,
    import_games,
    rename,
    restore,
)
from games.library.index import Entry
from games.record import GameRecord, Notice
from games.storage import move_unused, saves_home, unused_path
from ui.parts.exports import ExportJob, PicturesExport
from ui.parts.ratings import follow_rename
from ui.parts.recent import LibraryGames
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import joined, t
from ui.window.host import Host, Job
from ui.words.file_words import file_sentence, kind_name, notices_sentence, refusal
from ui.words.games import with_names

_COLLECTION = "collection"
_MOST_LINES = 6
_PATIENCE = 0.5  # seconds


class LibraryFiles:
    """Renames, deletes, imports and exports files of saved games, with undo and a message for each. `changed` is called
    after each change of files, with the file to move the cursor to, or None."""

    def __init__(self, host: Host, games: LibraryGames, changed: Callable[[Path | None], object]) -> None:
        self.host, self._games, self._changed = host, games, changed
        self._undoable: list[tuple[str, Callable[[], object]]] = []  # what to say then, and what to do

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._undoable)

    def rename(self, entry: Entry, title: str) -> bool:
        """Rename the file of `entry`. Return False if `title` is not a possible name, so that another one can be typed;
        True also for another failure. A message says what happened."""
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
            self._follow_rename(entry.path, file)
            self._undoable.append((t("library.renamed_back"), partial(self._rename_back, file, entry.path)))
            self.host.say(t("library.renamed", name=title.strip()), "good")
        return True

    def _rename_back(self, file: Path, before: Path) -> None:
        """Undo a renaming."""
        target = move_unused(file, before.parent, file_title(before), ending_of(before))
        self._follow_rename(file, target)

    def _follow_rename(self, old: Path, new: Path) -> None:
        """Update settings and ratings that refer to a renamed file, and report the change."""
        follow_rename(self.host, old, new)
        self._changed(new)

    def delete(self, entries: Iterable[Entry]) -> None:
        """Move the games to the trash, which can be undone; say what happened."""
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
        """Undo a deletion."""
        self._changed(restore(removal)[-1])

    def undo(self) -> None:
        """Undo the last change: a deletion, a renaming or an import. If that fails, it becomes the last one to be
        undone."""
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

    # Exports and imports.

    def formats(self) -> list[tuple[str, str]]:
        """Return what the selected games can be exported to, as (argument of `ask_export`, text): formats that can hold
        at least one of them, pictures, and one SGF file for several."""
        chosen = self._games.selected()
        games = {(each.setup, each.stones) for each in chosen if each.setup is not None}
        held = {ending for setup, stones in games for ending in writable(GameRecord(setup, stones=stones))}
        options = [(ending, kind_name(ending)) for ending in WRITTEN if ending in held]
        options += [(".png", t("kind.png"))]
        many = len(chosen) > 1 and ".sgf" in held
        return options + ([(_COLLECTION, t("library.export.collection"))] if many else [])

    def ask_export(self, ending: str) -> None:
        """Ask for a folder, or for the one file of a collection, and export the selected games to it in the format
        `ending`."""
        selected = self._games.selected()
        if ending == _COLLECTION:
            proposal = unused_path(Path.home(), t("library.export.collection_name"), ".sgf")
            write = partial(self.export_collection_to, selected)
            self.host.choose_file(proposal, write, saving=True, kinds=(".sgf",), title=t("export.title"))
        else:
            write, title = partial(self.export_files, selected, ending), t("library.export.folder")
            self.host.choose_file(Path.home(), write, folder=True, title=title)

    def ask_import(self, kind: str) -> None:
        """Ask for a file, or for a folder if `kind` is ``folder``, and import it."""
        self.host.choose_file(Path.home(), self.import_from, folder=kind == "folder", title=t("library.import.title"))

    def export_files(self, entries: Iterable[Entry], ending: str, folder: Path) -> None:
        """Start the export of each game to a new file in `folder`, in the format of `ending` or as a PNG picture."""
        files = [entry.path for entry in entries]
        self.host.files.settle()
        if ending == ".png":
            self.host.start_job(PicturesExport(self.host, files, folder, partial(self._report_export, folder, ending)))
        else:
            self._export(folder, ending, lambda on_progress: export(
                files, folder, ending, on_progress=on_progress, named=with_names,
            ))  # fmt: skip

    def export_collection_to(self, entries: Iterable[Entry], target: Path) -> None:
        """Start the export of the games to one SGF file."""
        files = [entry.path for entry in entries]
        self.host.files.settle()
        self._export(target, ".sgf", lambda on_progress: export_collection(files, target, on_progress, with_names))

    def _export(self, place: Path, ending: str, work: Callable[[OnProgress], Exported]) -> None:
        """Start the job `work` behind a card with its progress, and report its result."""
        self.host.start_job(ExportJob(self.host, place.name, work, partial(self._report_export, place, ending)))

    def _report_export(self, place: Path, ending: str, done: Exported) -> None:
        """Say how an export to `place` ended."""
        written, problems = done
        said = t("library.exported", count=len(written), folder=place.name or str(place))
        if problems:
            file, error = problems[0]
            unwritable = isinstance(error, FormatError) and error.kind == "unwritable"
            held = t("library.unwritable", name=file.name, ending=ending)
            said = joined((said, held if unwritable else file_sentence(error, file.name)))
        self.host.say(said, "bad" if problems else "good")

    def import_from(self, chosen: Path) -> None:
        """Start the import of the games in the file or folder `chosen`, except those that the library has."""
        self.host.files.settle()
        known, then = self._games.library.files_by_game(), partial(self._report_import, chosen)
        self.host.start_job(_Import(self.host, chosen, known, then, partial(self._changed, None)))

    def _report_import(self, chosen: Path, done: Imported) -> None:
        """Say how an import ended, and make it undoable."""
        count = len(done.written)
        if count:
            undone = t("library.import.undone", count=count)
            self._undoable.append((undone, partial(self._undo_import, done.written)))
        self._changed(done.written[0] if count else None)
        if not (count or done.known or done.failed):
            self.host.say(t("library.import.nothing", name=chosen.name), "bad")
            return
        said = [t("library.imported", count=count)]
        said += [t("library.import.known", count=done.known)] if done.known else []
        problems = _problem_lines(done)
        if problems:
            title, message = t("library.import.title"), "\n".join([joined(said), "", *problems])
            self.host.overlay = Question(self.host, title, message, width=640)
        else:
            self.host.say(joined(said), "good")

    def _undo_import(self, files: Iterable[Path]) -> None:
        """Delete the files that an import has made."""
        discard(files)
        self._changed(None)


class _Import(Job[Imported]):
    """Imports the games in the file or folder `chosen` that are not `known`. If it is cancelled, the games written so
    far stay and `left` is called."""

    def __init__(
        self, host: Host, chosen: Path, known: FilesByGame, then: Callable[[Imported], object],
        left: Callable[[], object],
    ) -> None:  # fmt: skip
        self._left = left
        title, stopped = t("library.import.working"), t("library.import.stopped")

        def work(on_progress: OnProgress) -> Imported:
            """Import the games."""
            return import_games(game_files(chosen), saves_home(), known, on_progress)

        super().__init__(host, title, chosen.name, stopped, work, then)

    def stop(self) -> None:
        """Cancel the import, wait at most half a second for the game that is being written, and call `left`."""
        super().stop()
        wait([self.future], _PATIENCE)  # for the game that is being written
        self._left()


def _problem_lines(done: Imported) -> list[str]:
    """Return a line for each file that could not be read or of which something was left out; of many the first ones and
    a count."""
    lines = [file_sentence(error, file.name) for file, error in done.failed]
    left_out: dict[Path, list[Notice]] = {}
    for file, notice in done.notices:
        left_out.setdefault(file, []).append(notice)
    for file, notices in left_out.items():
        lines.append(t("library.import.left_out", name=file.name, notice=notices_sentence(notices)))
    more = len(lines) - _MOST_LINES
    shown = [f"• {line}" for line in lines[:_MOST_LINES]]
    return shown if more <= 0 else [*shown, t("library.import.more", count=more)]
