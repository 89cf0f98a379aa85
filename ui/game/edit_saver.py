"""Save the edits of a game that was opened, in its own file or, if that is impossible, in a copy."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from games.formats import FormatError, encoded, format_of
from games.library.rows import file_title
from games.record import GameRecord
from games.storage import new_save
from ui.host import Host
from ui.toolkit.i18n import t
from ui.words.files import file_sentence, refusal
from ui.words.games import game_name


class EditSaver:
    """Save `record`, opened from `file` with its cursor where the game stands.

    A reader who moves the cursor or adds variations does not change how the game was played, how it ended and where it
    continues. So the file is written with the line and the cursor that were opened.
    """

    def __init__(self, host: Host, record: GameRecord, file: Path | None) -> None:
        self.host, self.record, self.opened = host, record, file
        self.file = file if file is not None and format_of(file).whole else None
        """The file that is written; None if no file can hold the edits yet."""
        self.unsaved = False
        """Whether an edit has not been saved yet."""
        self._copied = False
        self._refused: OSError | None = None  # why the file cannot be written
        self._line, self._cursor = record.line(), record.cursor

    def keep(self) -> None:
        """Save an edit of the tree in the background."""
        self.unsaved = True
        if self.file is None:
            self._begin_copy()
        self._write()

    def keep_evaluations(self) -> None:
        """Save new evaluations if the file can hold them. They are not worth a copy, since they can be recomputed."""
        if self.file is not None:
            self._write()

    def contents(self) -> bytes:
        """Encode the record with the line and the cursor that were opened. Raise `FormatError`."""
        played = [self._line[0]]
        for parent, child in pairwise(self._line):
            if child not in parent.children:  # removed
                break
            played.append(child)
        record, cursor, preferred = self.record, self.record.cursor, [(node, node.preferred) for node in played]
        try:
            record.go_to(played[-1])
            record.cursor = self._cursor if self._cursor in played else played[-1]
            return encoded(record, self.file or Path(".tengen.json"))
        finally:
            record.cursor = cursor
            for node, number in preferred:
                node.preferred = number

    def _write(self) -> None:
        assert self.file is not None
        try:
            data = self.contents()
        except FormatError as error:
            self.host.say(file_sentence(error, self.file.name), "bad")
        else:
            self.host.files.write(self.file, data, self._written)

    def _written(self, error: OSError | None) -> None:
        if error is None:
            self.unsaved = False
        elif self._copied and self.file is not None:
            self.host.say(file_sentence(error, self.file.name), "bad", holds=lambda: self.unsaved)
        elif self.file is not None:
            name, self.file, self._refused = self.file.name, None, error
            if self.unsaved:
                self.keep()
            else:
                self.host.say(t("replay.findings_refused", name=name, reason=refusal(error)), "bad")

    def _begin_copy(self) -> None:
        """Create a file for the edits among the saved games, and tell why."""
        title = game_name(self.record.setup.game) if self.opened is None else file_title(self.opened)
        self.file = new_save(title)
        self._copied = True
        self.host.settings.remember_file(self.file)
        self.host.save_settings()
        self.host.say(self._copy_sentence(self.file.name))

    def _copy_sentence(self, copy: str) -> str:
        if self.opened is None:
            return t("replay.copied", copy=copy)
        name = self.opened.name
        if self._refused is None:
            return t("replay.copied_format", name=name, copy=copy)
        return t("replay.copied_refused", name=name, reason=refusal(self._refused), copy=copy)
