"""Save a running game after every change, count it when it is left, and tell of games that cannot be saved."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from games.formats import FormatError, encoded
from games.record import GameRecord
from games.storage import new_save
from ui.game.ratings import count, forecast, mark_unrated, reopen, unrated_help, will_count
from ui.host import Host
from ui.system import trace
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t
from ui.words.files import file_sentence, refusal


class Autosave:
    """Save `record` in `file`, None for a new game. Write nothing unless `enabled`."""

    def __init__(self, host: Host, record: GameRecord, file: Path | None, enabled: bool) -> None:
        self.host, self.record = host, record
        self.note = ""
        """The effect of a finished game on the rating, which undo can still revert."""
        self.counts = True
        """Whether the game, when it was opened or saved last, would count for the rating."""
        self._enabled = enabled
        self.begun = self.on_disk = file is not None
        self._file = file
        self._unrated = ""  # why the game will not count; the profile is told once there is a file
        self._counted = False

    @property
    def file(self) -> Path:
        """The file of the game, created at the first access."""
        if self._file is None:
            self._file = new_save(f"{datetime.now():%Y-%m-%d %H.%M.%S} {self.record.setup.game}")
        return self._file

    @property
    def taught(self) -> bool:
        """Whether this is a teaching game that goes on."""
        return self._helped_by("teaching")

    @property
    def hinted(self) -> bool:
        """Whether this is a game that goes on and counted until there was a hint."""
        return self._helped_by("hint")

    def _helped_by(self, help: str) -> bool:
        return self._enabled and self.begun and unrated_help(self.host, self.file) == help

    def mark_unrated(self, why: str) -> None:
        """Prevent the game from counting for the rating, unless it is over; `why` as in `Result.unrated`."""
        self.counts = False
        if self.record.outcome is None:
            self._unrated = self._unrated or why
        self._tell_profile()

    def _tell_profile(self) -> None:
        if self._enabled and self.begun and self._unrated:
            mark_unrated(self.host, self.record, self.file, self._unrated)

    def opened(self) -> None:
        """Begin or resume: the player may have visited another screen, such as the settings."""
        if self._counted:
            self._counted = False
            self._remember()
            reopen(self.host, self.file)
        self._update_note()

    def save(self, spoiled: str = "") -> None:
        """Save the game after a change and update its effect on the rating; `spoiled` says why it is unrated now."""
        self.begun = self.begun or bool(self.record.root.children) or self.record.root.ending is not None
        if not self._enabled or not self.begun:
            return
        try:
            data = encoded(self.record, self.file)
        except FormatError as error:
            self.host.say(file_sentence(error, self.file.name), "bad")
            return
        self.host.files.write(self.file, data, self._written, keep=True)
        self._remember()
        if spoiled:
            self.mark_unrated(spoiled)
        self._tell_profile()
        self._update_note()

    def left(self) -> None:
        """Leave the game: complete pending writes, and count it if it is over."""
        self.host.files.settle()
        if self.begun and not self.on_disk:  # try again: there may be space now
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

    def _remember(self) -> None:
        """Store in the settings which game is on the board, also a finished one: it has no result until it is left."""
        settings = self.host.settings
        if settings.unfinished != str(self.file) or str(self.file) not in settings.recent[:1]:
            settings.unfinished = str(self.file)
            settings.remember_file(self.file)
            self.host.save_settings()

    def _update_note(self) -> None:
        self.counts = self._enabled and not self._unrated and will_count(self.host, self.record, self._file)
        over = self._enabled and self.record.outcome is not None
        self.note = forecast(self.host, self.record, self.file) if over else ""


_KIND = ".tengen.json"  # of every file that is tried again


class Unsaved:
    """Call `tell` each frame."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._announced: Path | None = None

    def tell(self) -> None:
        """Say which file is not saved, again when another message is over, and that it is saved at last."""
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
        """Ask of each file whether to save it elsewhere, to discard it, or to keep the window; else `leave` it."""
        self._ask(list(self._host.files.unsaved), leave)

    def _ask(self, left: list[Path], leave: Callable[[], object]) -> None:
        host, files = self._host, self._host.files
        left = [file for file in left if file in files.unsaved]
        if not left:
            leave()
            return
        file, *others = left
        error, data = files.unsaved[file], files.waiting(file) or b""
        proceed = partial(self._ask, others, leave)

        def save(to: Path) -> None:
            files.write(to, files.waiting(file) or data, partial(saved, to))

        def saved(to: Path, failed: OSError | None) -> None:
            if failed is None:
                self._announced = None
                host.settings.remember_file(to)
                proceed()
            else:
                host.say(file_sentence(failed, to.name), "bad")

        def choose() -> None:
            host.choose_file(Path.home() / file.name, save, saving=True, kinds=(_KIND,))

        text = t("unsaved.text", name=file.name, reason=refusal(error))
        host.overlay = Question(
            host, t("unsaved.title"), text, t("unsaved.elsewhere"), choose,
            third=("discard", t("unsaved.discard"), proceed), cancel=t("unsaved.keep"), width=600,
            holds=lambda: file in files.unsaved,
        )  # fmt: skip
