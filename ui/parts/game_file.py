"""Opening, saving, copying and exporting the game of a screen; and the encoding of its file, where that was guessed:
reading its texts again in another encoding."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain, count, pairwise
from pathlib import Path

from games.edits import Edits, Rereading
from games.formats import FormatError, copied, file_title, format_of, load, writable
from games.formats.common import OnProgress
from games.library.file_actions import discard, final_node
from games.record import GameRecord, Node, Notice, path
from games.storage import new_save, saves_home
from ui import screens
from ui.parts.exports import export_picture
from ui.parts.ratings import mark_unrated
from ui.toolkit import text_line as clipboard
from ui.toolkit.i18n import joined, t
from ui.toolkit.keys import Binding
from ui.window.host import Host, Job
from ui.window.part import Part
from ui.words.file_words import encoded_for, encoding_name, file_sentence, proposed_file, refusal, study_title

# The file to which a person saves a game, and the one that keeps the edits of a game that was opened.


class GameFile:
    """Saves `record`. `path` is the file where it was saved or opened last, None if there is none. `usual` returns the
    file that `save` writes to, None to ask the person for one."""

    def __init__(
        self, host: Host, record: GameRecord, path: Path | None, usual: Callable[[], Path | None]
    ) -> None:
        self.host, self.record, self.path, self._usual = host, record, path, usual

    def save(self) -> None:
        """Save to the usual file, or ask for one."""
        usual = self._usual()
        if usual is None:
            self.save_as()
        else:
            self.save_to(usual)

    def save_as(self) -> None:
        """Ask for a file, and save the game there."""
        self.host.files.settle()  # a name is proposed that no file has
        proposal, kinds = proposed_file(self.record, self.path), writable(self.record)
        self.host.choose_file(proposal, self.save_to, saving=True, kinds=kinds)

    def save_to(self, file: Path) -> None:
        """Write the record to `file` in the background, and show a message with its success or error."""
        if self.write(file, partial(self._report_written, file, self.path)):
            self.path = file

    def write(self, file: Path, done: Callable[[OSError | None], object], keep: bool = False) -> bool:
        """Write the record to `file` in the background; `done` and `keep` are those of `Files.write`. If the format of
        `file` cannot hold it, show a message and return False."""
        try:
            data = self.contents(file)
        except FormatError as error:
            self.host.say(file_sentence(error, file.name), "bad")
            return False
        self.host.files.write(file, data, done, keep)
        return True

    def contents(self, file: Path) -> bytes:
        """Encode the record in the format of `file`. Raise `FormatError` if that cannot hold it."""
        return encoded_for(self.record, file)

    def saved(self, file: Path) -> None:
        """Hook for subclasses, called after `save_to` has written `file`."""

    def _report_written(self, file: Path, before: Path | None, error: OSError | None) -> None:
        """Show a message whether `file` was written. After an error, `path` is `before` again."""
        if error is not None:
            if self.path == file:
                self.path = before
            self.host.say(file_sentence(error, file.name), "bad")
            return
        self.host.settings.remember_file(file)
        self.host.save_settings()
        lost = self.record.opening is not None and not format_of(file).whole
        self.host.say(joined([t("play.saved", name=file.name), t("begin.lost") if lost else ""]), "good")
        self.saved(file)


class EditedFile(GameFile):
    """A file that is also saved after each edit of `record`, which was opened from `path` with its cursor at the
    position reached in the game. Where the format of that file cannot hold the edits, a copy among the saved games gets
    them.

    Moving the cursor or adding variations does not change how the game was played, how it ended and where it continues:
    that file is written with the line and the cursor that were opened. Once the end of a finished game was removed, the
    game is an analysis, which goes into a copy.
    """

    def __init__(self, host: Host, record: GameRecord, path: Path | None) -> None:
        super().__init__(host, record, path, lambda: self.own)
        self._set_file(path)

    def _set_file(self, path: Path | None) -> None:
        """Take `path` as the file of the record as it is now, without edits."""
        self._opened = path
        self.own = path if path is not None and format_of(path).whole else None
        """The file that keeps the edits; None if no file can hold them yet."""
        self.unsaved = False
        """Whether an edit has not been saved yet."""
        self._copied = False
        self._refused: OSError | None = None  # why the file cannot be written
        self._line, self._cursor = self.record.line(), self.record.cursor
        self._end = final_node(self.record)

    def save_edits(self) -> None:
        """Save the record after an edit, in the background. Begin a copy if no file can hold the edits, or if the end
        of a finished game was removed."""
        self.unsaved = True
        lost = self._end.outcome is not None and path(self._end)[0] is not self.record.root
        if lost and not self._copied:
            self.own = None
        if self.own is None:
            copy = self._begin_copy()
            if lost:
                mark_unrated(self.host, self.record, copy, "undo")
        self.save_evaluations()

    def save_evaluations(self) -> None:
        """Save new evaluations in the background, if the file can hold them. They are not worth a copy, since they can
        be recomputed."""
        if self.own is not None:
            self.write(self.own, partial(self._note_edits_written, self.own), keep=self._copied)

    def contents(self, file: Path) -> bytes:
        """As in the base class; but `own` is written with the line and the cursor of the game as it was played."""
        if file != self.own:
            return super().contents(file)
        played = [self._line[0]]
        for parent, child in pairwise(self._line):
            if child not in parent.children:  # removed
                break
            played.append(child)
        record, cursor, preferred = self.record, self.record.cursor, [(node, node.preferred) for node in played]
        try:
            record.go_to(played[-1])
            record.cursor = self._cursor if self._cursor in played else played[-1]
            return super().contents(file)
        finally:
            record.cursor = cursor
            for node, number in preferred:
                node.preferred = number

    def saved(self, file: Path) -> None:
        """Save later edits to `file`, if its format can hold them. A copy that was begun without being asked for is
        deleted, since `file` contains the same."""
        if file != self.own and format_of(file).whole:
            copy = self.own if self._copied else None
            self._set_file(file)
            if copy is not None:
                self.host.files.settle()  # or it would be written again
                discard([copy])
                self.host.settings.forget_file(copy)
                self.host.save_settings()

    def _note_edits_written(self, file: Path, error: OSError | None) -> None:
        """Note whether edits were written to `file`. After an error, save them to a copy; if there are only
        evaluations, show a message instead."""
        if file != self.own:  # other edits have gone elsewhere
            return
        if error is None:
            self.unsaved = False
        elif not self._copied:
            self.own, self._refused = None, error
            if self.unsaved:
                self.save_edits()
            else:
                self.host.say(t("replay.findings_refused", name=file.name, reason=refusal(error)), "bad")

    def _begin_copy(self) -> Path:
        """Choose an unused file among the saved games for the edits, show a message why, and return it."""
        title = study_title(self.record) if self._opened is None else file_title(self._opened)
        names = chain([title], (f"{title} {number}" for number in count(2)))
        waiting = self.host.files.waiting  # the disk may not have taken an earlier copy of that name yet
        try:
            data: bytes | None = self.contents(Path(f"{title}.tengen.json"))
        except FormatError:
            data = None
        copy = next(file for name in names if waiting(file := new_save(name, data)) is None)
        self.own, self._copied = copy, True
        if self._opened is not None:
            self.host.settings.forget_file(self._opened.absolute())  # the copy stands for it
        self.host.settings.remember_file(copy)
        self.host.save_settings()
        self.host.say(self._copy_sentence(copy.name), lasting=True, follows=True)  # what was said of the edit
        return copy

    def _copy_sentence(self, copy: str) -> str:
        """The sentence that says why the edits go into the file named `copy`."""
        if self._opened is None:
            return t("replay.copied", copy=copy)
        name = self._opened.name
        if self._refused is None:
            return t("replay.copied_format", name=name, copy=copy)
        return t("replay.copied_refused", name=name, reason=refusal(self._refused), copy=copy)


def copy_moves(host: Host, record: GameRecord, node: Node) -> None:
    """Put the moves that lead to `node` on the clipboard, and show a message whether that succeeded."""
    done = clipboard.put(copied(record, node))
    host.say(t("copy.done" if done else "copy.failed"), "good" if done else "bad")


class FileKeys(Part):
    """The keys that open, save, copy and export the game; `shown` returns the node on the board. Closing the part waits
    for pending writes."""

    def __init__(self, host: Host, record: GameRecord, file: GameFile, shown: Callable[[], Node]) -> None:
        self._host, self._record, self._file, self._shown = host, record, file, shown
        self.bindings = (
            Binding(("ctrl+n",), partial(host.open, screens.setup, record.setup.game), "keys.new", "play.new_game"),
            Binding(("ctrl+o",), partial(host.choose_file, saves_home(), host.open_file), "keys.open", "play.open"),
            Binding(("ctrl+s",), file.save, "keys.save", "play.save"),
            Binding(("ctrl+shift+s",), file.save_as, "keys.save_as", "play.save_as"),
            Binding(("ctrl+c",), self._copy, "keys.copy", "keys.copy"),
            Binding(("ctrl+e",), self._export_picture, "keys.export_picture", "export.action"),
        )

    def _copy(self) -> None:
        """Copy the moves of the game, up to the node shown, to the clipboard."""
        copy_moves(self._host, self._record, self._shown())

    def _export_picture(self) -> None:
        """Ask for a file, and write the position shown or the whole game there as a picture."""
        proposal = proposed_file(self._record, self._file.path, ".png")
        export_picture(self._host, self._record, self._shown(), proposal)

    def close(self) -> None:
        """Wait for pending writes, as the next screen may read the file."""
        self._host.files.settle()  # what comes next may read what was saved


class FileEncoding:
    """The encoding of the game file `original`, None if there is none. `record` was read from it, or from a copy of it.
    `reread` is called after the texts of the record have changed.

    `reopen` is called with the game as newly read, where its moves differ as well.
    """

    def __init__(
        self, host: Host, record: GameRecord, edits: Edits, original: Path | None, reread: Callable[[], object]
    ) -> None:
        self._host, self._record, self._edits, self._reread = host, record, edits, reread
        self._file = original if original is not None and not _is_unicode(original) else None
        self._chosen: list[tuple[int, str]] = []  # with the number of edits then: undo takes it back
        self._opened = None if self._file is None else host.encodings.get(self._file.absolute())
        self.reopen: Callable[[GameRecord], object] = lambda _record: None
        guessed = [dict(notice.facts).get("encoding") for notice in record.notices if notice.kind == "encoding"]
        self._guessed = str(guessed[0]) if guessed else ""

    @property
    def possible(self) -> bool:
        """Whether another encoding can be chosen."""
        return self._file is not None

    @property
    def name(self) -> str:
        """The encoding that was guessed or chosen; empty where the file itself says it."""
        if self._file is None:
            return ""
        return self._chosen[-1][1] if self._chosen else self._opened or self._guessed

    def undone(self) -> None:
        """Called after an edit was undone: forget a choice that this took back, also for the next time that the file is
        opened."""
        kept = [each for each in self._chosen if each[0] <= len(self._edits)]
        if self._file is None or kept == self._chosen:
            return
        self._chosen, file = kept, self._file.absolute()
        if kept or self._opened is not None:
            self._host.encodings[file] = self.name
        else:
            self._host.encodings.pop(file, None)

    def choose(self, encoding: str) -> None:
        """Read the texts of the file again in `encoding`, as a job. Texts that the person has edited stay."""
        if self._file is not None and encoding != self.name:
            self._host.start_job(_Rereading(self._host, self._file, self.name or None, encoding, self._apply))

    def _apply(self, encoding: str, rereading: Rereading) -> None:
        """Replace the texts of the record by those read in `encoding`. If the moves differ, call `reopen` instead."""
        assert self._file is not None
        edited = bool(self._edits)
        self._host.encodings[self._file.absolute()] = encoding
        if not rereading.fits:
            kind, facts = "reopened_edited" if edited else "reopened", {"name": self._file.name, "encoding": encoding}
            sentence = t(f"notice.{kind}", **facts)
            rereading.after.notices.insert(0, Notice(kind, sentence, tuple(facts.items())))
            self.reopen(rereading.after)
            return
        if not edited:
            rereading.apply(self._record)
        else:
            self._edits.reread(rereading)
        self._chosen.append((len(self._edits), encoding))
        self._record.notices = rereading.after.notices
        self._reread()
        self._host.say(t("encoding.changed", name=self._file.name, encoding=encoding_name(encoding)), "good")


class _Rereading(Job[Rereading]):
    """A job that reads `file` in two encodings, `before` (None to guess it) and `encoding`, and passes both games to
    `then`."""

    def __init__(
        self, host: Host, file: Path, before: str | None, encoding: str, then: Callable[[str, Rereading], object]
    ) -> None:
        def work(on_progress: OnProgress) -> Rereading:
            """Read the file in both encodings."""
            first = load(file, on_progress=lambda share: on_progress(share / 2), encoding=before)
            again = load(file, on_progress=lambda share: on_progress((1 + share) / 2), encoding=encoding)
            return Rereading(first, again)

        stopped = t("opening.stopped", name=file.name)
        super().__init__(host, t("opening.title"), file.name, stopped, work, lambda found: then(encoding, found))

    def fail(self, error: BaseException) -> None:
        """Say why the file cannot be read, with the reason of its format if that is known."""
        known = error if isinstance(error, FormatError) else FormatError(str(error))
        self._host.say(file_sentence(known, self.name), "bad")


def _is_unicode(file: Path) -> bool:
    """Whether `file` is, by its suffix, of the native format, whose encoding is fixed."""
    try:
        return format_of(file).whole
    except FormatError:
        return False  # its contents tell the format
