"""A game scene in which a person changes the tree of moves: each change is saved, and can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from games.edits import Edits
from games.formats import encoded, format_of
from games.position import IllegalMove
from games.record import GameRecord, Node
from ui.game.edit_saver import EditSaver
from ui.host import Host
from ui.screens.game import GameScene
from ui.toolkit.i18n import t
from ui.words.moves import illegal_sentence


class EditingScene(GameScene):
    """`record` was opened from `file`, which keeps the changes if its format can hold them all."""

    def __init__(self, host: Host, record: GameRecord, file: Path | None) -> None:
        super().__init__(host, record)
        self.file = file
        self.saver = EditSaver(host, record, file)
        self.edits = Edits(record)
        self.revision = 0

    def interrupt(self) -> None:
        """A person acts: stop what moves the cursor by itself."""

    def chosen(self, move: int) -> None:
        """Go to the move if it was played where the board shows, else add it as a variation."""
        here = self.record.cursor
        self.record.go_to(self.shown())
        try:
            added = self.edits.play(move)
        except IllegalMove as error:
            self.record.go_to(here)
            if move in self.forbidden():
                self.host.say(illegal_sentence(error), "bad", holds=lambda: self.record.cursor is here)
            return
        self.interrupt()
        if added:
            self.changed(t("replay.added"))
        self.host.rebuild()

    def go(self, node: Node) -> None:
        self.interrupt()
        self.record.go_to(node)

    def play_line(self, node: Node, moves: Sequence[int]) -> None:
        self.go(node)
        added = [self.edits.play(move) for move in moves]
        if any(added):
            self.changed(t("replay.added"))

    def prefer(self, node: Node) -> None:
        here = self.record.cursor
        self.record.go_to(node)
        self.record.go_to(here)
        self.host.rebuild()

    def promote(self, node: Node) -> None:
        if self.edits.promote(node):
            self.changed(t("replay.promoted"))

    def remove(self, node: Node) -> None:
        self.edits.remove(node)
        self.changed(t("replay.removed"))

    def changed(self, sentence: str = "") -> None:
        changes = len(self.edits)
        if sentence:
            self.host.say(sentence, holds=lambda: len(self.edits) == changes)
        self.keep()
        self.host.rebuild()

    def keep(self) -> None:
        self.revision += 1
        self.saver.keep()

    def learned(self) -> None:
        self.revision += 1
        self.saver.keep_evaluations()

    # Actions.

    def do_variation_up(self) -> None:
        self._step_variation(-1)

    def do_variation_down(self) -> None:
        self._step_variation(1)

    def _step_variation(self, step: int) -> None:
        here = self.record.cursor
        if here.next is not None:
            self.prefer(here.children[(here.preferred + step) % len(here.children)])

    def do_promote(self) -> None:
        """Make the line that is shown the main line."""
        self.promote(self.record.cursor.next or self.record.cursor)

    def do_remove(self) -> None:
        """Remove the moves that follow."""
        if self.record.cursor.next is not None:
            self.remove(self.record.cursor.next)

    def do_undo(self) -> None:
        """Revert the last change of the tree."""
        if self.edits.undo():
            self.interrupt()
            self.changed(t("replay.undone"))

    # Saving.

    def do_save(self) -> None:
        """Save to the file that holds the changes, or ask for one."""
        if self.saver.file is not None:
            self.save_to(self.saver.file)
        else:
            super().do_save()

    def contents(self, file: Path) -> bytes:
        """The own file tells how the game was played; any other, what is shown."""
        return self.saver.contents() if file == self.saver.file else encoded(self.record, file)

    def _saved(self, file: Path, before: Path | None, error: OSError | None) -> None:
        """Later changes go into the new file, if its format can hold them."""
        super()._saved(file, before, error)
        if error is None and file != self.saver.file and format_of(file).whole:
            self.saver = EditSaver(self.host, self.record, file)

    def status_text(self) -> str:
        if self.edits and self.saver.file is not None:
            return t("replay.kept", name=self.saver.file.name)
        return self.file.name if self.file else ""
