"""What the window does about games that cannot be saved: say so until they are, and ask before it is closed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ui.host import Host
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t
from ui.words.files import file_sentence, refusal

_KIND = ".tengen.json"  # of every file that is tried again


class Unsaved:
    """Call `tell` each frame."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._told: Path | None = None

    def tell(self) -> None:
        """Say which file is not saved, again when another message is over, and that it is saved at last."""
        host, unsaved = self._host, self._host.files.unsaved
        if unsaved:
            file, error = next(iter(unsaved.items()))
            if self._told != file or not host.message[0]:
                sentence = t("error.unsaved", name=file.name, reason=refusal(error))
                host.say(sentence, "bad", holds=lambda: file in host.files.unsaved, lasting=True)
            self._told = file
        elif self._told is not None:
            host.say(t("error.saved", name=self._told.name), "good", lasting=True)
            self._told = None

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
        error = files.unsaved[file]
        proceed = partial(self._ask, others, leave)

        def save(to: Path) -> None:
            files.write(to, files.waiting(file) or b"", partial(saved, to))

        def saved(to: Path, failed: OSError | None) -> None:
            self._told = None
            if failed is None:
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
        )  # fmt: skip
