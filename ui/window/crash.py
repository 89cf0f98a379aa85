"""What a window does about an error that nobody expected: it logs the error, saves the game, goes home and says so.

`Guard` stands around each step of the loop. After an error each part is asked to `keep` what is not saved, then closed.
`ui.system.faults` has the hooks, faulthandler and the watchdog.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType

import pygame

from games.storage import log_home
from ui.system.faults import Faults
from ui.system.window import is_seen
from ui.toolkit import text_line as clipboard
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t
from ui.window.host import Host

Step = Callable[[], object]


class Guard:
    """A context manager that handles any error in its block. It takes the steps that `leave` returns, even if some of
    them fail; then it calls `go_home`, which shows the first screen, and opens a dialog that says what happened.

    If `go_home` fails, or if another error comes before `note_press` was called, `lost` becomes true: the loop must
    end.
    """

    def __init__(self, host: Host, faults: Faults, leave: Callable[[], Sequence[Step]], go_home: Step) -> None:
        self.lost = False
        self._host, self._faults, self._leave, self._go_home = host, faults, leave, go_home
        self._unseen = False  # whether nobody has reacted to the last error

    def __enter__(self) -> None:
        """Do nothing: a guard can be entered again and again."""

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        """Log an `Exception` and recover from it, and swallow it. Any other error is passed on, such as the one that
        ends the program."""
        if not isinstance(error, Exception):
            return False
        self._recover(error)
        return True

    def note_press(self) -> None:
        """Note that a person has pressed a key or a button, and so has seen the last error."""
        self._unseen = False

    def call_all(self, *steps: Step) -> bool:
        """Call all `steps`, even if some of them raise an error. Log these errors. Return whether there were none."""
        failed = False
        for step in steps:
            try:
                step()
            except Exception as error:
                failed = True
                self._faults.note(error, "What follows an error has failed, too.")
        return not failed

    def _recover(self, error: Exception) -> None:
        """Log the error, leave the screen, go home, and offer the report in a dialog; or report the end if the window
        is lost."""
        self._faults.note(error)
        report = self._faults.report()
        kept = self.call_all(*self._leave()) and not self._host.files.unsaved
        self.lost = self._unseen or not self.call_all(self._go_home)
        if self.lost:
            self._faults.pause_watchdog()  # the window does not draw any more
            report_end()
            return
        self._unseen = True
        host, text = self._host, t("crash.text" if kept else "crash.unsaved")
        host.overlay = Question(
            host, t("crash.title"), text, t("crash.copy"), lambda: self._copy_report(report), cancel=t("common.close"),
            width=560,
        )  # fmt: skip

    def _copy_report(self, report: str) -> None:
        """Copy the report to the clipboard, and say whether that has succeeded."""
        copied = clipboard.put(report)
        self._host.say(t("crash.copied" if copied else "copy.failed"), "good" if copied else "bad")


def report_end() -> None:
    """Say on stderr, and in a message box if there is a display, that the program ends because of an error."""
    place = log_home() / "tengen.log"
    print(f"Tengen has to close because of an unexpected error; “{place}” has the details.", file=sys.stderr)
    if is_seen():
        with suppress(pygame.error):  # no display, or one that has no such box
            pygame.display.message_box("Tengen", t("crash.end", log=place), "error", buttons=(t("common.close"),))
