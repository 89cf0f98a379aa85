"""Opening, saving, copying and exporting the game of a screen; the encoding of its file, which was guessed, and reading
the texts again in another one."""

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
    """`path` is where `record` was saved or opened last, None if nowhere. `usual` returns the file to save to without
    asking, None to ask."""

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
        """Write the record to `file`, then say so, or why not."""
        if self.write(file, partial(self._written, file, self.path)):
            self.path = file

    def write(self, file: Path, done: Callable[[OSError | None], object], keep: bool = False) -> bool:
        """Have the record written to `file`; `done` and `keep` as in `Files.write`. If `file` cannot hold it, say so
        and return False."""
        try:
            data = self.contents(file)
        except FormatError as error:
            self.host.say(file_sentence(error, file.name), "bad")
            return False
        self.host.files.write(file, data, done, keep)
        return True

    def contents(self, file: Path) -> bytes:
        """Encode the record for `file`. Raise `FormatError`."""
        return encoded_for(self.record, file)

    def saved(self, file: Path) -> None:
        """Called after `file` was written."""

    def _written(self, file: Path, before: Path | None, error: OSError | None) -> None:
        """Report how the writing of `file` ended; after an error the game has the file that it had `before`."""
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
    """Also save the edits of `record`, opened from `path` with its cursor where the game stands: in that file or, if
    that is impossible, in a copy.

    A reader who moves the cursor or adds variations does not change how the game was played, how it ended and where it
    continues. So that file is written with the line and the cursor that were opened. Once the end of a game that is
    over was removed, what is left is an analysis, which goes into a copy.
    """

    def __init__(self, host: Host, record: GameRecord, path: Path | None) -> None:
        super().__init__(host, record, path, lambda: self.own)
        self._begin(path)

    def _begin(self, path: Path | None) -> None:
        """Take `path` as the file of the record, with no edits yet."""
        self._opened = path
        self.own = path if path is not None and format_of(path).whole else None
        """The file that keeps the edits; None if no file can hold them yet."""
        self.unsaved = False
        """Whether an edit has not been saved yet."""
        self._copied = False
        self._refused: OSError | None = None  # why the file cannot be written
        self._line, self._cursor = self.record.line(), self.record.cursor
        self._end = final_node(self.record)

    def keep(self) -> None:
        """Save an edit of the tree in the background."""
        self.unsaved = True
        lost = self._end.outcome is not None and path(self._end)[0] is not self.record.root
        if lost and not self._copied:
            self.own = None
        if self.own is None:
            copy = self._begin_copy()
            if lost:
                mark_unrated(self.host, self.record, copy, "undo")
        self.keep_evaluations()

    def keep_evaluations(self) -> None:
        """Save new evaluations if the file can hold them. They are not worth a copy, since they can be recomputed."""
        if self.own is not None:
            self.write(self.own, partial(self._kept, self.own), keep=self._copied)

    def contents(self, file: Path) -> bytes:
        """The own file tells how the game was played, any other what is shown."""
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
        """Later edits go into the new file, if its format can hold them. A copy that was made without being asked for
        goes: the new file has all that is in it."""
        if file != self.own and format_of(file).whole:
            copy = self.own if self._copied else None
            self._begin(file)
            if copy is not None:
                self.host.files.settle()  # or it would be written again
                discard([copy])
                self.host.settings.forget_file(copy)
                self.host.save_settings()

    def _kept(self, file: Path, error: OSError | None) -> None:
        """Note how the writing of the edits ended: if the file refuses them, they go into a copy."""
        if file != self.own:  # other edits have gone elsewhere
            return
        if error is None:
            self.unsaved = False
        elif not self._copied:
            self.own, self._refused = None, error
            if self.unsaved:
                self.keep()
            else:
                self.host.say(t("replay.findings_refused", name=file.name, reason=refusal(error)), "bad")

    def _begin_copy(self) -> Path:
        """Create a file for the edits among the saved games, tell why, and return it."""
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
        self.host.say(self._copy_sentence(copy.name))
        return copy

    def _copy_sentence(self, copy: str) -> str:
        if self._opened is None:
            return t("replay.copied", copy=copy)
        name = self._opened.name
        if self._refused is None:
            return t("replay.copied_format", name=name, copy=copy)
        return t("replay.copied_refused", name=name, reason=refusal(self._refused), copy=copy)


def copy_moves(host: Host, record: GameRecord, node: Node) -> None:
    """Put the moves that led to `node` on the clipboard."""
    done = clipboard.put(copied(record, node))
    host.say(t("copy.done" if done else "copy.failed"), "good" if done else "bad")


class FileKeys(Part):
    """The keys that open, save, copy and export the game; `shown` returns the node on the board. Before another screen
    is shown, writes are completed."""

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
        copy_moves(self._host, self._record, self._shown())

    def _export_picture(self) -> None:
        """Ask for a file, and write the position shown or the whole game there as a picture."""
        proposal = proposed_file(self._record, self._file.path, ".png")
        export_picture(self._host, self._record, self._shown(), proposal)

    def close(self) -> None:
        self._host.files.settle()  # what comes next may read what was saved


class FileEncoding:
    """The encoding of the file `original`, from which `record` was read, or a copy of it; None without one. `reread` is
    called after the texts have changed.

    `reopen` is called with the other reading where its moves differ, too.
    """

    def __init__(
        self, host: Host, record: GameRecord, edits: Edits, original: Path | None, reread: Callable[[], object]
    ) -> None:
        self._host, self._record, self._edits, self._reread = host, record, edits, reread
        self._file = original if original is not None and not _is_unicode(original) else None
        self._chosen: list[tuple[int, str]] = []  # with the number of edits then: undo takes it back
        self.reopen: Callable[[GameRecord], object] = lambda _record: None
        guessed = [dict(notice.facts).get("encoding") for notice in record.notices if notice.kind == "encoding"]
        self._guessed = str(guessed[0]) if guessed else ""

    @property
    def possible(self) -> bool:
        """Whether another one can be chosen."""
        return self._file is not None

    @property
    def name(self) -> str:
        """The encoding that was guessed or chosen; empty where the file says which it is."""
        chosen = [name for count, name in self._chosen if count <= len(self._edits)]
        if chosen or self._file is None:
            return chosen[-1] if chosen else ""
        return self._host.encodings.get(self._file.absolute(), self._guessed)

    def choose(self, encoding: str) -> None:
        """Read the texts of the file again by `encoding`; what a person has changed stays."""
        if self._file is not None and encoding != self.name:
            self._host.start_job(_Rereading(self._host, self._file, self.name or None, encoding, self._take))

    def _take(self, encoding: str, rereading: Rereading) -> None:
        """Take over the texts that were read by `encoding`; if they do not fit the record, open the file anew."""
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
    def __init__(
        self, host: Host, file: Path, before: str | None, encoding: str, then: Callable[[str, Rereading], object]
    ) -> None:
        def work(on_progress: OnProgress) -> Rereading:
            first = load(file, on_progress=lambda share: on_progress(share / 2), encoding=before)
            again = load(file, on_progress=lambda share: on_progress((1 + share) / 2), encoding=encoding)
            return Rereading(first, again)

        stopped = t("opening.stopped", name=file.name)
        super().__init__(host, t("opening.title"), file.name, stopped, work, lambda found: then(encoding, found))

    def fail(self, error: BaseException) -> None:
        known = error if isinstance(error, FormatError) else FormatError(str(error))
        self._host.say(file_sentence(known, self.name), "bad")


def _is_unicode(file: Path) -> bool:
    """Whether the suffix of `file` is of our own format, which has one encoding only."""
    try:
        return format_of(file).whole
    except FormatError:
        return False  # its contents tell the format
