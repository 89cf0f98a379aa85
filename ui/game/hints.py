"""Hints in steps: where to look, which moves to consider, which is the best, and why."""

from __future__ import annotations

from dataclasses import replace

from ai.player import Info, Limit
from ai.registry import opponents
from ai.review.judgement import playable
from ai.searches import Purpose, Search, Searches
from games.position import Position
from games.record import GameRecord
from ui.board.view import Marks
from ui.toolkit.i18n import t
from ui.words.moves import line_names, move_name, move_reason, purpose_sentence
from ui.words.views import view_sentence

STEPS = ("area", "candidates", "move", "reason")

MANY = 25
"""Possible moves, beyond which an area of the board is a hint."""

_SECONDS = 1.0
_EXPECTED = 7  # moves of the line that is expected
_CANDIDATES = 3  # at most, and at most half of the moves there are
_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class Hints:
    """Advises on one position at a time."""

    def __init__(self, searches: Searches, record: GameRecord) -> None:
        self.search: Search | None = None
        self._shape = record.setup.board
        self._searches, self._record = searches, record
        self._at = 0

    @property
    def info(self) -> Info | None:
        return None if self.search is None else self.search.info

    def ask(self) -> None:
        """Ask the strongest player about the position at the cursor; once its answer is there, take one step more."""
        node, position = self._record.cursor, self._record.position
        if self.search is None or self.search.node is not node or self.search.error is not None:
            moves = len(position.legal_moves())
            candidates = min(_CANDIDATES, moves // 2)
            self.search = self._searches.ask(node, Purpose.HINT, Limit(seconds=_SECONDS, lines=max(1, candidates)))
            many = moves > MANY and self._shape != (0, 0)
            self._at = STEPS.index("area" if many else "candidates" if candidates > 1 else "move")
        elif self.info is not None and self._at < len(STEPS) - 1:
            self._at += 1

    def forget(self) -> None:
        if self.search is not None:
            self.search.drop()
        self.search = None

    def step(self, position: Position) -> str:
        """The step that is reached for `position`; empty if none was asked for, or nothing is known yet."""
        known = self.search is not None and self.search.position is position and self.info is not None
        return STEPS[self._at] if known else ""

    def _expected(self, position: Position, view: str) -> str:
        line = () if self.info is None else playable(position, self.info.pv)[:_EXPECTED]
        if len(line) < 2 or opponents(position.game).solvable:
            return view
        view = view or self._proven(position)
        return t("hint.expected" if view else "hint.line", view=view, line=" ".join(line_names(position, line)))

    def _proven(self, position: Position) -> str:
        """Who wins, in words, if the search proves it: the view of an engine that plays weaker does not say it."""
        known = None if self.info is None else self.info.evaluation(position.turn)
        return view_sentence(self._record.setup, position, known) if known is not None and known.proven else ""

    @property
    def move(self) -> int:
        """The best move, while a step is reached."""
        assert self.info is not None
        return self.info.move

    def marks(self, marks: Marks, position: Position) -> Marks:
        """Candidates, all alike, so that it is not told which is the best; then the move."""
        step, info = self.step(position), self.info
        if step == "candidates" and info is not None:
            moves = {line.moves[0] for line in info.lines if line.moves} or {info.move}
            return replace(marks, hints=tuple(sorted(moves)))
        return replace(marks, hints=(self.move,)) if step in ("move", "reason") else marks

    def area(self, position: Position) -> int | None:
        """The cell in the middle of the area where the best move is, beside that move."""
        if self.step(position) != "area":
            return None
        width, height = self._shape
        down, right = _AROUND[(self.move + position.ply) % len(_AROUND)]
        row, column = divmod(self.move, width)
        return min(max(row + down, 0), height - 1) * width + min(max(column + right, 0), width - 1)

    def sentence(self, position: Position, view: str) -> str:
        """What the step says; `view` is the engine's view in words, for moves without any other reason: with what is
        expected to follow, unless the result is known."""
        step = self.step(position)
        if not step:
            return ""
        move = self.move
        why = move_reason(position, move) or purpose_sentence(position, move) or self._expected(position, view)
        if step == "reason" and why:
            return why
        if step == "move" and not why:  # then none is offered
            step = "reason"
        return t(f"hint.{step}", move=move_name(position, move))
