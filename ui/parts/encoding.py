"""The encoding of a file that was opened: which was guessed, and reading its texts again in another one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from games.edits import Edits, Rereading
from games.formats import FormatError, format_of, load
from games.formats.common import OnProgress
from games.record import GameRecord, Notice
from ui.toolkit.i18n import t
from ui.window.host import Host, Job
from ui.words.file_words import encoding_name, file_sentence


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
    """Whether files of this kind, which are ours, are in one encoding only."""
    try:
        return format_of(file).whole
    except FormatError:
        return False  # its contents tell the format
