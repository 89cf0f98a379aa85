"""The file to which a person saves a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from games.formats import FormatError, encoded
from games.record import GameRecord
from ui.host import Host
from ui.toolkit.i18n import t
from ui.words.files import file_sentence, proposed_file


class GameFile:
    """`path` is where `record` was saved or opened last, None if nowhere.

    `usual` returns the file to save to without asking, None to ask. `contents` encodes for a file, and raises
    `FormatError`; `saved` is called with a file that was written.
    """

    def __init__(self, host: Host, record: GameRecord, path: Path | None = None) -> None:
        self.path = path
        self.usual: Callable[[], Path | None] = lambda: self.path
        self.contents: Callable[[Path], bytes] = partial(encoded, record)
        self.saved: Callable[[Path], object] = lambda _file: None
        self._host, self._record = host, record

    def save(self) -> None:
        """Save to the usual file, or ask for one."""
        usual = self.usual()
        if usual is None:
            self.save_as()
        else:
            self.save_to(usual)

    def save_as(self) -> None:
        self._host.files.settle()  # a name is proposed that no file has
        self._host.choose_file(proposed_file(self._record, self.path), self.save_to, saving=True)

    def save_to(self, file: Path) -> None:
        """Write the record to `file`, then say so, or why not."""
        try:
            data = self.contents(file)
        except FormatError as error:
            self._host.say(file_sentence(error, file.name), "bad")
        else:
            self._host.files.write(file, data, partial(self._written, file, self.path))
            self.path = file

    def _written(self, file: Path, before: Path | None, error: OSError | None) -> None:
        if error is not None:
            if self.path == file:
                self.path = before
            self._host.say(file_sentence(error, file.name), "bad")
            return
        self._host.settings.remember_file(file)
        self._host.save_settings()
        self._host.say(t("play.saved", name=file.name), "good")
        self.saved(file)
