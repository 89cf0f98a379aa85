"""A game that is studied, without pixels: what the parts of the replay screen share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from games.about import About
from games.edits import Edits
from games.position import IllegalMove, forbidden_points
from games.record import GameRecord, Node
from ui.board.view import Pointer
from ui.game.analyst import Analyst
from ui.game.encoding import FileEncoding
from ui.game.engine_view import EngineView
from ui.game.game_file import EditedFile
from ui.game.reviewer import Reviewer
from ui.host import Host
from ui.toolkit.i18n import t
from ui.words.moves import illegal_sentence


class Study:
    """`record` was opened from `file`, which keeps the changes if its format can hold them all; without such a file, a
    new one in the library does, from the first change, finished review or saved mistake on. Without `autosave` nothing
    is written.

    All changes of the tree go through `edits`, which can undo them, and are saved at once. `original` is the file that
    was asked for, where `file` is a copy with changes of it.
    """

    hidden = False
    explains = True

    renames = True
    """Whether the names of the players may be changed."""

    def __init__(
        self, host: Host, record: GameRecord, file: Path | None, autosave: bool = True, original: Path | None = None
    ) -> None:
        self.host, self.record, self.pointer = host, record, Pointer()
        self._autosave = autosave
        self.edits = Edits(record)
        self.file = EditedFile(host, record, file)
        self.encoding = FileEncoding(host, record, self.edits, original or file, self.reread)
        self.revision = 0
        """Increases whenever the tree, or what is stored in its nodes, has changed."""
        self.playing = False
        """Whether autoplay moves the cursor."""
        self.tab = ""
        """The name of the tab that is chosen."""
        self.view_of: Callable[[Node], Node] = lambda node: node
        """What the board shows while the cursor is at a node."""
        self.reviewer = Reviewer(host, record)
        self.analyst = Analyst(host, record.setup, lambda: record.cursor, self.learned)
        self.view = EngineView(record.setup, host.wake, lambda: self.shown)
        self._evaluated = any(node.evaluation is not None for node in record.line())

    @property
    def evaluated(self) -> bool:
        """Whether anything is known of the game, or looked for: there is a bar from then on."""
        if not self._evaluated:
            known = self.shown.outcome is None and self.view.wins is not None
            self._evaluated = known or self.analyst.on or self.reviewer.busy
        return self._evaluated

    @property
    def shown(self) -> Node:
        return self.view_of(self.record.cursor)

    @property
    def open_to_moves(self) -> bool:
        return self.record.outcome is None

    def side_on_move(self) -> int | None:
        """On the board, which may show the position before a mistake."""
        shown = self.shown
        return None if shown.outcome is not None else shown.position.turn

    def helped(self, why: str) -> None:
        """Nothing is at stake here."""

    def choose_tab(self, name: str) -> None:
        """Show the tab `name`, and again when the next game is opened."""
        self.tab = self.host.settings.study_tab = name
        self.host.save_settings()

    # Through the tree.

    def go(self, node: Node) -> None:
        """Move the cursor to `node`; stop autoplay."""
        self.playing = False
        self.record.go_to(node)

    def choose(self, move: int) -> None:
        """Go to the move if it was played where the board shows, else add it as a variation."""
        here = self.record.cursor
        self.record.go_to(self.shown)
        try:
            added = self.edits.play(move)
        except IllegalMove as error:
            self.record.go_to(here)
            if move in forbidden_points(self.shown.position):
                self.host.say(illegal_sentence(error.reason), "bad", holds=lambda: self.record.cursor is here)
            return
        self.playing = False
        if added:
            self.changed(t("replay.added"))

    def play_line(self, node: Node, moves: Sequence[int]) -> None:
        """Play `moves` from `node` on, as a variation where they are new, and go to the last of them."""
        self.go(node)
        added = [self.edits.play(move) for move in moves]
        if any(added):
            self.changed(t("replay.added"))

    # Changes.

    def describe(self, about: About, names: tuple[str, str], date: str) -> None:
        """Change what is said of the game, the names of the players and its date."""
        if self.edits.describe(about, names, date):
            self.changed()

    def reread(self) -> None:
        """The texts are those of another encoding: save them where there are changes to keep."""
        self.revision += 1
        if self.file.own is not None or self.file.unsaved:
            self.file.keep()
        self.host.rebuild()

    def promote(self, node: Node) -> None:
        """Make the path to `node` the main line."""
        if self.edits.promote(node):
            self.changed(t("replay.promoted"))

    def remove(self, node: Node) -> None:
        """Remove `node` with what follows it."""
        self.edits.remove(node)
        self.changed(t("replay.removed"))

    def undo(self) -> None:
        """Revert the last change of the tree."""
        if self.edits.undo():
            self.playing = False
            self.changed(t("replay.undone"))

    def changed(self, sentence: str = "") -> None:
        """The tree was changed through `edits`: save it, and say the sentence."""
        changes = len(self.edits)
        if sentence:
            self.host.say(sentence, holds=lambda: len(self.edits) == changes)
        self.keep()

    def keep(self) -> None:
        """What is stored in nodes was changed otherwise: save it."""
        self.revision += 1
        if self._autosave:
            self.file.keep()

    def learned(self, worth_a_copy: bool = False) -> None:
        """Evaluations were stored in nodes: save them if the file can hold them, or if they are `worth_a_copy`."""
        self.revision += 1
        if not self._autosave:
            return
        if worth_a_copy and self.file.own is None:
            self.file.keep()
        else:
            self.file.keep_evaluations()
