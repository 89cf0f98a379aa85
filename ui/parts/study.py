"""A game that is studied, without pixels: the state that the parts of the replay screen share.

A finished game cannot be changed in its own file: once its end is taken back, `EditedFile` begins an unrated copy. A
finished review or a saved mistake is worth a copy of a file that cannot hold it, evaluations alone are not.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ai.core.player import Player, PlayerFailure
from ai.players.table import Context, needs_engine, strongest
from ai.players.table import make as make_player
from ai.review.judgement import MISTAKES, Judged
from ai.review.report import Reviewed, partial_review, review_from_nodes, was_reviewed
from ai.review.review import SECONDS, Review, ReviewShare
from games.edits import Edits
from games.evaluation import Evaluation
from games.formats import tengen
from games.position import IllegalMove, forbidden_points
from games.record import About, GameRecord, Node, path
from ui.board.view import Pointer
from ui.parts.analyst import Analyst
from ui.parts.game_file import EditedFile, FileEncoding
from ui.parts.knowledge import Knowledge
from ui.parts.practice import collect
from ui.toolkit.i18n import t
from ui.window.host import Host
from ui.words.games import failure_sentence, seat_label
from ui.words.move_words import illegal_sentence

# The review of a game in a window: polled each frame, so that only the window's thread touches the record.


_POLL = 0.1  # seconds between polls
_AGAIN = 0.5  # seconds at least between two judgements of a line that has learned more
_SAVE = 10.0  # seconds between saves of a review under way

_log = logging.getLogger(__name__)

State = Literal["new", "waiting", "running", "over", "cancelled", "failed"]
"""`waiting` until the engine is compiled."""


def _copy_without_evaluations(record: GameRecord) -> GameRecord:
    """Return a copy of a game with the same tree and line, but without evaluations."""
    copy = tengen.loads(tengen.dumps(record))
    for node in copy.nodes():
        node.evaluation = None
    return copy


class Reviewer:
    """The review of the line of `record` through its cursor: `start` it, `update` it each frame, `cancel` it.

    Findings are stored in the nodes; `learned` is then set, and whoever saves the file resets it. A review by another
    `player` than the strongest is shown but not stored: it is made on a copy without evaluations.
    """

    seconds = SECONDS
    make: Callable[[], Player] | None = None
    """What makes the players; None for the strongest of the game."""

    def __init__(self, host: Host, record: GameRecord) -> None:
        self.record = record
        self.player = strongest(record.setup.game)
        self.state: State = "new"
        self.share = 0.0
        """The share of the work that is done, from 0 to 1."""
        self.learned = False
        self.found: Reviewed | None = None
        """The review so far; None before the start."""
        self.nodes: list[Node] = []
        """The line under review, from the root."""
        self.judged: dict[Node, Judged] = {}
        self.kinds: dict[Node, str] = {}
        """The kind of each move that was judged, one of `ai.review.judgement.KINDS`."""
        self._host = host
        self._job: Review | None = None
        self._originals: dict[Node, Node] = {}  # of the nodes that are reviewed, if they are copies
        self._searched = False
        self._saved = self._judged_at = -math.inf
        self._known_then: list[Evaluation | None] = []  # what the line knew when it was judged

    @property
    def busy(self) -> bool:
        """Whether a review is running, or waiting for the engine."""
        return self.state in ("waiting", "running")

    def start(self) -> None:
        """Review the line through the cursor, from the beginning. Positions with a deep enough evaluation are not
        searched again."""
        self.cancel()
        self.nodes, self.judged, self.kinds, self.found, self.share = [], {}, {}, None, 0.0
        self._searched = False
        self.state = "waiting"
        if self._needs_engine:
            self._host.engine.start()
        self.update(-math.inf)

    def review_by(self, player: str) -> None:
        """Cancel the review, and review the line by another player."""
        self.cancel()
        self.player = player
        self.start()

    @property
    def _stores_findings(self) -> bool:
        """Whether findings are stored in the nodes: only those of the strongest player are."""
        return self.player == strongest(self.record.setup.game)

    @property
    def known(self) -> bool:
        """Whether the nodes of the line have all that a review needs, so that `start` is done at once."""
        return self._stores_findings and was_reviewed(self.record, self.seconds)

    @property
    def _needs_engine(self) -> bool:
        """Whether the review has to wait until the engine is loaded."""
        game = self.record.setup.game
        return needs_engine(self.player, game) and not self.known

    def update(self, now: float) -> None:
        """Take new findings of the review, and end it when it is over or has failed. After that, judge the moves again
        when their evaluations have changed."""
        if self.state == "waiting":
            self._start_searches()
        if not self._line_exists:
            self.cancel()
            return
        if self.state == "over" and now >= self._judged_at + _AGAIN and self._has_new_evaluations:
            self._judged_at = now
            self._judge_again()
        job = self._job
        if job is None:
            return
        try:
            news = job.poll()
        except Exception as error:  # whatever a player raised
            _log.exception("The review failed.")
            self._end("failed")
            if isinstance(error, PlayerFailure):
                name = seat_label(self.record.setup.game, self.player)
                self._host.say(failure_sentence(error, name), "bad")
            return
        for each in news:
            if isinstance(each, ReviewShare):
                self._searched, self.share = True, each.share
            else:
                own = self._with_original_node(each)
                self.judged[own.node], self.kinds[own.node] = own, own.kind
        if news:
            self.found = self._findings_so_far(job)
        if job.over:
            self._end("over")
        elif news and now >= self._saved + _SAVE:
            self._saved, self.learned = now, self._stores_findings

    def _start_searches(self) -> None:
        """Start the searches, if the engine is not needed or is ready. If it has failed, so has the review."""
        if self._needs_engine and self._host.engine.state.name == "failed":
            self._end("failed")
        elif not self._needs_engine or self._host.engine.ready:
            record, make = self.record, self.make
            if not self._stores_findings:
                record, make = _copy_without_evaluations(record), self._make_player
            self._job = self._host.searches.review(record, self.seconds, make)
            self.state, self.nodes = "running", self.record.line()
            self._originals = dict(zip(self._job.nodes, self.nodes, strict=True))
            self.found = self._findings_so_far(self._job)

    def _make_player(self) -> Player:
        """Return a new instance of `player`."""
        game = self.record.setup.game
        return make_player(self.player, Context(game))

    def _with_original_node(self, judged: Judged) -> Judged:
        """Return the judgement with the node of the record in place of that of the copy."""
        return replace(judged, node=self._originals[judged.node])

    def _findings_so_far(self, job: Review) -> Reviewed:
        """The review as far as it has come, with the nodes of the record."""
        found = partial_review(job.assessment, self.record)
        return replace(found, moves=tuple(map(self._with_original_node, found.moves)))

    def _end(self, state: State) -> None:
        """End the review with `state`. If it is ``over``, judge the moves again, and add the person's mistakes to the
        deck."""
        if self._job is not None:
            self._job.close(0.0)
            self._job, self.learned = None, self.learned or (self._searched and self._stores_findings)
        self.state = state
        if state == "over":
            self.share = 1.0
            if self._stores_findings:
                self._judge_again()
            collect(self.record, self.judged.values(), self._host.settings.own_names)

    @property
    def _line_exists(self) -> bool:
        """Whether all nodes of the line are still in the tree."""
        return not self.nodes or path(self.nodes[-1])[0] is self.record.root

    @property
    def _evaluations(self) -> list[Evaluation | None]:
        """The evaluation of each position of the line; None where there is none."""
        return [node.evaluation for node in self.nodes]

    @property
    def _has_new_evaluations(self) -> bool:
        """Whether stored evaluations have changed since the moves were judged."""
        return self._stores_findings and self._evaluations != self._known_then

    def _judge_again(self) -> None:
        """Judge all moves again by the evaluations in the nodes, as after reopening the file.

        Evaluations may have been found after a move was judged.
        """
        found = review_from_nodes(self.record, self.nodes, self.seconds)
        self._known_then = self._evaluations
        if found is not None:
            self.found = found
            self.judged = {each.node: each for each in found.moves}
            self.kinds = {each.node: each.kind for each in found.moves}

    def cancel(self) -> None:
        """Stop the searches without waiting for them, which takes up to 0.2 s more. Findings so far stay."""
        if self.busy:
            self._end("cancelled")

    def wake(self) -> float | None:
        """Seconds until `update` is due; None if no review is under way."""
        return _POLL if self.busy else None

    # Mistakes.

    def mistake(self, node: Node, step: int) -> Judged | None:
        """Return the next mistake after `node` in the reviewed line (`step` 1) or the previous one (-1), cyclically.
        Removed moves are skipped. None if there is no other mistake than that of `node`."""
        ordered = [each for each in self._mistakes[::step] if path(each.node)[0] is self.record.root]
        ply = node.position.ply
        beyond = [each for each in ordered if (each.node.position.ply - ply) * step > 0]
        return next((each for each in (*beyond, *ordered) if each.node is not node), None)

    @property
    def losing_mistake(self) -> Judged | None:
        """The gravest mistake of the side that lost, the last one of equals; None if it made none, or nobody lost."""
        outcome = self.nodes[-1].outcome
        winner = None if outcome is None else outcome.winner
        mistakes = [] if winner is None else [each for each in self._mistakes if each.side != winner]
        return max(mistakes, key=lambda each: (each.loss, each.number), default=None)

    @property
    def _mistakes(self) -> list[Judged]:
        """The mistakes of both sides in the reviewed line, in the order of the moves."""
        return sorted((each for each in self.judged.values() if each.kind in MISTAKES), key=lambda each: each.number)


class Study:
    """The state of a game under study. `record` was opened from `file`. That file is saved after each change, if its
    format can hold everything; else a new file in the library, which is begun at the first change, finished review or
    saved mistake. Without `autosave` nothing is written.

    All changes of the tree go through `edits`, which can undo them. Where `file` is a copy with changes, `original` is
    the file that was asked for.
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
        self.knowledge = Knowledge(host, record.setup, lambda: self.shown)
        self._evaluated = any(node.evaluation is not None for node in record.line())

    @property
    def evaluated(self) -> bool:
        """Whether the game has evaluations or is being evaluated. Once True, it stays so. The win bar is then shown."""
        if not self._evaluated:
            known = self.shown.outcome is None and self.knowledge.wins is not None
            self._evaluated = known or self.analyst.on or self.reviewer.busy
        return self._evaluated

    @property
    def shown(self) -> Node:
        """The node on the board: that of the cursor, or the one that `view_of` returns for it."""
        return self.view_of(self.record.cursor)

    @property
    def open_to_moves(self) -> bool:
        """Whether a move can be played on the board: the game is not over at the cursor."""
        return self.record.outcome is None

    def side_on_move(self) -> int | None:
        """The side to move in the position on the board; None where the game is over. It may be the position before a
        mistake."""
        shown = self.shown
        return None if shown.outcome is not None else shown.position.turn

    def helped(self, why: str) -> None:
        """Do nothing: a finished game is not rated any more."""

    def choose_tab(self, name: str) -> None:
        """Show the tab `name`, and make it the first one shown for the next game."""
        self.tab = self.host.settings.study_tab = name
        self.host.save_settings()

    # Through the tree.

    def go(self, node: Node) -> None:
        """Move the cursor to `node`; stop autoplay."""
        self.playing = False
        self.record.go_to(node)

    def choose(self, move: int) -> None:
        """Play `move` from the position on the board: go to it if it exists, else add it as a variation. Show a message
        if it is forbidden."""
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
        """Play `moves` from `node`, adding those that do not exist as a variation, and go to the last one."""
        self.go(node)
        added = [self.edits.play(move) for move in moves]
        if any(added):
            self.changed(t("replay.added"))

    # Changes.

    def describe(self, about: About, names: tuple[str, str], date: str) -> None:
        """Change the description of the game, the names of its players and its date, and save it."""
        if self.edits.describe(about, names, date):
            self.changed()

    def reread(self) -> None:
        """Called after the texts of the record were read again in another encoding: save them if edits are being saved.
        """
        self.revision += 1
        if self.file.own is not None or self.file.unsaved:
            self.file.save_edits()
        self.host.rebuild()

    def promote(self, node: Node) -> None:
        """Make the path to `node` the main line."""
        if self.edits.promote(node):
            self.changed(t("replay.promoted"))

    def remove(self, node: Node) -> None:
        """Remove `node` and all that follows it."""
        self.edits.remove(node)
        self.changed(t("replay.removed"))

    def undo(self) -> None:
        """Revert the last change of the tree, if there is one."""
        if self.edits.undo():
            self.playing = False
            self.encoding.undone()
            self.changed(t("replay.undone"))

    def changed(self, sentence: str = "") -> None:
        """Called after a change through `edits`: save it, and show `sentence` until the next change."""
        changes = len(self.edits)
        if sentence:
            self.host.say(sentence, holds=lambda: len(self.edits) == changes)
        self.keep()

    def keep(self) -> None:
        """Called after a change of the contents of nodes that is not among `edits`: save it."""
        self.revision += 1
        if self._autosave:
            self.file.save_edits()

    def learned(self, worth_a_copy: bool = False) -> None:
        """Called after evaluations were stored in nodes: save them if the file can hold them. If they are
        `worth_a_copy`, save them to a copy where it cannot."""
        self.revision += 1
        if not self._autosave:
            return
        if worth_a_copy and self.file.own is None:
            self.file.save_edits()
        else:
            self.file.save_evaluations()
