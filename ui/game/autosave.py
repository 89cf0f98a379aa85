"""Keeps a game under way: on the disk after every change, and in the profile when it is left."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from games.formats import FormatError, encoded
from games.record import GameRecord
from games.storage import reserve, saves_home, unused
from ui.game.rated_result import count, forecast, mark_unrated, reopen, will_count
from ui.game.words import file_sentence
from ui.host import Host
from ui.system import trace


class Autosave:
    """Keeps `record` in `file`; None for a game that begins. Unless `enabled`, nothing is written."""

    def __init__(self, host: Host, record: GameRecord, file: Path | None, enabled: bool) -> None:
        self.host, self.record = host, record
        self.note = ""
        """What the game does to the rating, while it is over and can still be undone."""
        self._enabled = enabled
        self.begun = self.on_disk = file is not None
        self._file = file
        self._counted = False

    @property
    def file(self) -> Path:
        """Where the game is kept; a new name is reserved when it is first asked for."""
        self._file = self._file or _new_file(self.record)
        return self._file

    @property
    def will_count(self) -> bool:
        """Whether the game, as it stands, will count for the rating."""
        return self._enabled and will_count(self.host, self.record, self._file)

    def mark_unrated(self, why: str) -> None:
        """The game will not count for the rating: `why` as in `Result.unrated`."""
        if self._enabled:
            mark_unrated(self.host, self.record, self.file, why)

    def opened(self) -> None:
        """The game is on the board, perhaps again after it was left for a moment, as for the settings."""
        if self._counted:
            self._counted = False
            self._remember()
            reopen(self.host, self.file)
        self._take_note()

    def save(self, spoiled: str = "") -> None:
        """Have the game written after a change, so that nothing is lost whatever happens next; then look at what it
        does to the rating, where `spoiled` may be why it does not count."""
        self.begun = self.begun or bool(self.record.root.children) or self.record.root.ending is not None
        if not self._enabled or not self.begun:
            return
        try:
            data = encoded(self.record, self.file)
        except FormatError as error:
            self.host.say(file_sentence(error, self.file.name), "bad")
            return
        self.host.files.write(self.file, data, self._written)
        self._remember()
        if spoiled:
            self.mark_unrated(spoiled)
        self._take_note()

    def left(self) -> None:
        """The game is left: count it for the rating, if it is over."""
        self.host.files.settle()
        if self.begun and not self.on_disk:  # there may be room now
            self.save()
            self.host.files.settle()
        self.count()

    def count(self) -> None:
        """Count the game for the rating, if it is over."""
        if self._enabled and self.begun and self.record.outcome is not None:
            self._counted = True
            count(self.host, self.record, self.file)
            self.host.files.settle()

    def _written(self, error: OSError | None) -> None:
        self.on_disk = error is None
        if error is None:
            trace.saved(self.file, sum(1 for _ in self.record.nodes()) - 1)
        else:
            self.host.say(file_sentence(error, self.file.name), "bad")

    def _remember(self) -> None:
        """Note which game is on the board, also when it is over: until it is left it has no result."""
        settings = self.host.settings
        if settings.unfinished != str(self.file) or str(self.file) not in settings.recent[:1]:
            settings.unfinished = str(self.file)
            settings.remember_file(self.file)
            self.host.save_settings()

    def _take_note(self) -> None:
        over = self._enabled and self.record.outcome is not None
        self.note = forecast(self.host, self.record, self.file) if over else ""


def _new_file(record: GameRecord) -> Path:
    """A new file for `record` among the saved games, reserved where files can be made."""
    stamp = datetime.now().strftime("%Y-%m-%d %H.%M.%S")
    name = saves_home(), f"{stamp} {record.setup.game}", ".tengen.json"
    try:
        return reserve(*name)
    except OSError:  # writing the game will say why
        return unused(*name)
