"""Import games into the library, export them from it, and report each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from games.formats import WRITTEN
from games.formats.common import Tell
from games.library.file_actions import Exported, discard, export, export_collection
from games.library.importing import Imported, Known, game_files, import_games
from games.library.rows import Entry
from games.record import Notice
from games.storage import saves_home, unused
from ui.game.exports import PicturesExport
from ui.game.library_actions import LibraryActions
from ui.game.library_games import LibraryGames
from ui.host import Host, Job
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import first_text, t
from ui.words.files import file_sentence, notices_sentence

_COLLECTION = "collection"
_MOST_LINES = 6
_PATIENCE = 0.5  # seconds


class LibraryTransfer:
    """`changed` is called when there are other games, with the file to put the cursor on, if there is one."""

    def __init__(
        self, host: Host, games: LibraryGames, actions: LibraryActions, changed: Callable[[Path | None], object]
    ) -> None:
        self._host, self._games, self._actions, self._changed = host, games, actions, changed

    def formats(self) -> list[tuple[str, str]]:
        """What the selected games can be exported to, for `ask_export`, with its texts."""
        options = [(ending, first_text(f"kind{ending}", default=ending)) for ending in WRITTEN]
        options += [(".png", t("kind.png"))]
        return options + ([(_COLLECTION, t("library.export.collection"))] if len(self._games.selected()) > 1 else [])

    def ask_export(self, ending: str) -> None:
        """Ask for a folder, or for a file that holds all, and export the selected games to it."""
        selected = self._games.selected()
        if ending == _COLLECTION:
            proposal = unused(Path.home(), t("library.export.collection_name"), ".sgf")
            write = partial(self.export_collection_to, selected)
            self._host.choose_file(proposal, write, saving=True, kinds=(".sgf",), title=t("export.title"))
        else:
            write, title = partial(self.export_files, selected, ending), t("library.export.folder")
            self._host.choose_file(Path.home(), write, folder=True, title=title)

    def ask_import(self, kind: str) -> None:
        """Ask for a ``file`` or a ``folder``, and import it."""
        self._host.choose_file(Path.home(), self.import_from, folder=kind == "folder", title=t("library.import.title"))

    def export_files(self, entries: Iterable[Entry], ending: str, folder: Path) -> None:
        """Have the games written to `folder`, each to a file of its own, in the format of `ending` or as PNG."""
        files, then = [entry.path for entry in entries], partial(self._exported, folder)
        self._host.files.settle()
        if ending == ".png":
            self._host.start_job(PicturesExport(self._host, files, folder, then))
        else:
            self._export(folder, lambda tell: export(files, folder, ending, tell=tell), then)

    def export_collection_to(self, entries: Iterable[Entry], target: Path) -> None:
        """Have the games written to one SGF file."""
        files = [entry.path for entry in entries]
        self._host.files.settle()
        self._export(target, lambda tell: export_collection(files, target, tell), partial(self._exported, target))

    def _export(self, place: Path, work: Callable[[Tell], Exported], then: Callable[[Exported], object]) -> None:
        stopped = t("export.stopped", name=place.name)
        self._host.start_job(Job(self._host, t("export.title"), place.name, stopped, work, then))

    def _exported(self, place: Path, done: Exported) -> None:
        written, problems = done
        said = t("library.exported", count=len(written), folder=place.name or str(place))
        if problems:
            file, error = problems[0]
            said = f"{said} {file_sentence(error, file.name)}"
        self._host.say(said, "bad" if problems else "good")

    def import_from(self, chosen: Path) -> None:
        """Have the games in the file or folder `chosen` copied into the library, except those that it knows."""
        self._host.files.settle()
        known, then = self._games.library.known(), partial(self._imported, chosen)
        self._host.start_job(_Import(self._host, chosen, known, then, partial(self._changed, None)))

    def _imported(self, chosen: Path, done: Imported) -> None:
        count = len(done.written)
        if count:
            undone = t("library.import.undone", count=count)
            self._actions.undoable(undone, partial(self._undo_import, done.written))
        self._changed(done.written[0] if count else None)
        if not (count or done.known or done.failed):
            self._host.say(t("library.import.nothing", name=chosen.name), "bad")
            return
        said = [t("library.imported", count=count)]
        said += [t("library.import.known", count=done.known)] if done.known else []
        problems = _problems(done)
        if problems:
            title, message = t("library.import.title"), "\n".join([" ".join(said), "", *problems])
            self._host.overlay = Question(self._host, title, message, width=640)
        else:
            self._host.say(" ".join(said), "good")

    def _undo_import(self, files: Iterable[Path]) -> None:
        discard(files)
        self._changed(None)


class _Import(Job[Imported]):
    """Calls `left` if it is cancelled, since some games may be there."""

    def __init__(
        self, host: Host, chosen: Path, known: Known, then: Callable[[Imported], object], left: Callable[[], object]
    ) -> None:
        self._left = left
        title, stopped = t("library.import.working"), t("library.import.stopped")

        def work(tell: Tell) -> Imported:
            return import_games(game_files(chosen), saves_home(), known, tell)

        super().__init__(host, title, chosen.name, stopped, work, then)

    def stop(self) -> None:
        super().stop()
        self._thread.join(_PATIENCE)  # for the game that is being written
        self._left()


def _problems(done: Imported) -> list[str]:
    """What could not be read or was left out, a line each, as far as a dialog has room."""
    lines = [file_sentence(error, file.name) for file, error in done.failed]
    left_out: dict[Path, list[Notice]] = {}
    for file, notice in done.notices:
        left_out.setdefault(file, []).append(notice)
    for file, notices in left_out.items():
        lines.append(t("library.import.left_out", name=file.name, notice=notices_sentence(notices)))
    more = len(lines) - _MOST_LINES
    shown = [f"• {line}" for line in lines[:_MOST_LINES]]
    return shown if more <= 0 else [*shown, t("library.import.more", count=more)]
