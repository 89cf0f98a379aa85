"""Save a running game after every change, record its result in the profile when it is over, and show messages on files
that cannot be saved."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from games.formats import FormatError, encoded, format_of
from games.record import GameRecord
from games.storage import new_save
from ui.parts.ratings import count, forecast, mark_unrated, unrated_help, will_count
from ui.system import event_log
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t
from ui.window.host import Host
from ui.words.file_words import file_sentence, refusal


class Autosave:
    """Saves `record` in `file`; None for a new game, which gets a file when it is first needed. So does a game whose
    `file` cannot hold all of it, or may hold other games: that file stays as it is. Writes nothing unless `enabled`."""

    def __init__(self, host: Host, record: GameRecord, file: Path | None, enabled: bool) -> None:
        self.host, self.record = host, record
        self.note = ""
        """The effect of the finished game on the rating."""
        self.counts = True
        """Whether the game, when it was opened or saved last, would count for the rating."""
        self.enabled = enabled
        """Whether anything is written."""
        self._file = file if file is not None and _holds_all(file) else None
        self.begun = self.on_disk = self._file is not None
        self._unrated = ""  # why the game will not count; the profile is told once there is a file
        self._counted = False

    @property
    def file(self) -> Path:
        """The file of the game. If it has none, the first access chooses an unused name."""
        if self._file is None:
            title = f"{datetime.now():%Y-%m-%d %H.%M.%S} {self.record.setup.game}"
            self._file = new_save(title, _contents(self.record))
        return self._file

    @property
    def existing_file(self) -> Path | None:
        """The file of the game; None while it has none yet."""
        return self._file

    @property
    def is_teaching(self) -> bool:
        """Whether the file has an unfinished game that the profile does not rate because it is a teaching game."""
        return self._helped_by("teaching")

    @property
    def had_hint(self) -> bool:
        """Whether the file has an unfinished game that is not rated because of a hint."""
        return self._helped_by("hint")

    def _helped_by(self, help: str) -> bool:
        """Whether the profile says that the game in the file is not rated because of `help`, as in `Result.unrated`."""
        return self.enabled and self.begun and unrated_help(self.host, self.file) == help

    def mark_unrated(self, why: str) -> None:
        """Prevent the game from being rated, unless it is over; `why` is one of `Result.unrated`. Only the first reason
        counts."""
        self.counts = False
        if self.record.outcome is None:
            self._unrated = self._unrated or why
        self._tell_profile()

    def _tell_profile(self) -> None:
        """Store in the profile why the game is not rated, if it has a file and is not."""
        if self.enabled and self.begun and self._unrated:
            mark_unrated(self.host, self.record, self.file, self._unrated)

    def open(self) -> None:
        """Called when the screen of the game is opened, also again: find out whether the game will be rated."""
        self._update_rating()

    def save(self, spoiled: str = "") -> None:
        """Save the game after a change, once there is a move or an end, and update `counts`; `spoiled` is why it is not
        rated from now on, empty for no reason. If its format cannot hold the game, show a message."""
        self.begun = self.begun or bool(self.record.root.children) or self.record.root.ending is not None
        if not self.enabled or not self.begun:
            return
        try:
            data = encoded(self.record, self.file)
        except FormatError as error:
            self.host.say(file_sentence(error, self.file.name), "bad")
            return
        self.host.files.write(self.file, data, self._note_written, keep=True)
        if not self._counted:
            self._store_unfinished()
        if spoiled:
            self.mark_unrated(spoiled)
        self._tell_profile()
        self._update_rating()

    def close(self) -> None:
        """Called when the screen of the game is left: complete pending writes, and try once more what failed."""
        self.settle()
        if self.begun and not self.on_disk:
            self.save()
            self.settle()

    def settle(self) -> None:
        """Wait until the game is on the disk and, if it is over, its result in the profile."""
        self.host.files.settle()
        if self._counted and self.host.settings.unfinished == str(self.file):  # the profile could not be written
            count(self.host, self.record, self.file)
            self.host.files.settle()

    def _note_written(self, error: OSError | None) -> None:
        """Note whether the file is on the disk, after it was written or failed with `error`."""
        self.on_disk = error is None
        if error is None:
            event_log.saved(self.file, sum(1 for _ in self.record.nodes()) - 1)

    def _store_unfinished(self) -> None:
        """Store in the settings that this game is on the board, until its result has been recorded."""
        settings = self.host.settings
        if settings.unfinished != str(self.file) or str(self.file) not in settings.recent[:1]:
            settings.unfinished = str(self.file)
            settings.remember_file(self.file)
            self.host.save_settings()

    def _update_rating(self) -> None:
        """Find out whether the game will be rated. If it is over, record its result at once: nothing reverts an end."""
        if self._counted:
            return
        self.counts = self.enabled and not self._unrated and will_count(self.host, self.record, self._file)
        if self.enabled and self.begun and self.record.outcome is not None:
            self._counted = True
            self.note = forecast(self.host, self.record, self.file)
            count(self.host, self.record, self.file)


def _holds_all(file: Path) -> bool:
    """Whether the format of `file` keeps all of a record; False for an unknown format."""
    try:
        return format_of(file).whole
    except FormatError:
        return False


def _contents(record: GameRecord) -> bytes | None:
    """The contents of the file of `record`; None if the format cannot hold it (`Autosave.save` will show a message)."""
    try:
        return encoded(record, Path(_KIND))
    except FormatError:
        return None


_KIND = ".tengen.json"  # of every file that is tried again


class Unsaved:
    """Messages and questions on files that could not be written and are still being tried."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._announced: Path | None = None

    def announce(self) -> None:
        """Show a message that a file is not saved, again whenever the status line is free, or that it is saved at last.
        Called once a frame."""
        host, unsaved = self._host, self._host.files.unsaved
        if unsaved:
            file, error = next(iter(unsaved.items()))
            if self._announced != file or not host.message[0]:
                sentence = t("error.unsaved", name=file.name, reason=refusal(error))
                host.say(sentence, "bad", holds=lambda: file in host.files.unsaved, lasting=True)
            self._announced = file
        elif self._announced is not None:
            host.say(t("error.saved", name=self._announced.name), "good", lasting=True)
            self._announced = None

    def ask(self, leave: Callable[[], object]) -> None:
        """Before the program ends: ask for each unsaved file whether to save it elsewhere, to discard it, or to stay.
        Call `leave` once none is left; not if the person stays."""
        self._ask(list(self._host.files.unsaved), leave)

    def _ask(self, left: list[Path], leave: Callable[[], object]) -> None:
        """Ask about the files `left`, one after the other; then call `leave`."""
        host, files = self._host, self._host.files
        left = [file for file in left if file in files.unsaved]
        if not left:
            leave()
            return
        file, *others = left
        error, data = files.unsaved[file], files.waiting(file) or b""
        proceed = partial(self._ask, others, leave)

        def save(to: Path) -> None:
            """Write the unsaved contents to the file that was chosen, `to`."""
            files.write(to, files.waiting(file) or data, partial(saved, to))

        def saved(to: Path, failed: OSError | None) -> None:
            """Go on to the next file, or show a message if the other file was not written either."""
            if failed is None:
                self._announced = None
                host.settings.remember_file(to)
                proceed()
            else:
                host.say(file_sentence(failed, to.name), "bad")

        def choose() -> None:
            """Ask for another file."""
            host.choose_file(Path.home() / file.name, save, saving=True, kinds=(_KIND,))

        text = t("unsaved.text", name=file.name, reason=refusal(error))
        host.overlay = Question(
            host, t("unsaved.title"), text, t("unsaved.elsewhere"), choose,
            third=("discard", t("unsaved.discard"), proceed), cancel=t("unsaved.keep"), width=600,
            holds=lambda: file in files.unsaved,
        )  # fmt: skip
