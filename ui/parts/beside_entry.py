"""The menu entries that open more about the tree of a search that is shown: exercises on it, and minimax and alpha-beta
side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ai.drills.tree import MOST_LEAVES, TooLarge, of_subject
from ai.explorer import Explorer
from ai.subject import Subject
from games.record import GameRecord
from ui.game.comparison import TREES
from ui.host import Content, Host
from ui.part import Entry, Part
from ui.screens import registry as screens
from ui.toolkit.i18n import t


def open_exercises(host: Host, subject: Subject, back: Content) -> None:
    """Open exercises on the tree of `subject`; say so if it is too large."""
    try:
        tree = of_subject(subject)
    except TooLarge:
        host.say(t("drill.too_large", most=MOST_LEAVES), "bad")
    else:
        host.open(screens.exercises, tree=tree, subject=subject, back=back)


class BesideEntry(Part):
    """A tree of numbers has no board to compare searches on."""

    def __init__(self, host: Host, explorer: Explorer, owner: Content) -> None:
        self._host, self._explorer, self._owner = host, explorer, owner

    def entries(self) -> Sequence[Entry]:
        subject = self._explorer.subject
        work = Entry("exercises", t("lesson.exercises_tip"), lambda: open_exercises(self._host, subject, self._owner))
        if subject.setup is None:
            return (work,)
        return (Entry("beside", t("compare.trees.open"), self._open), work)

    def _open(self) -> None:
        subject = self._explorer.subject
        assert subject.setup is not None
        record = GameRecord(subject.setup, stones=subject.stones)
        for move in subject.moves:
            record.play(move)
        self._host.open(screens.compare, record, view=TREES, back=self._owner)
