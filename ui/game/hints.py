"""Hints in steps: where to look, which moves to consider, which is the best, and why."""

from __future__ import annotations

from dataclasses import replace

from ai.player import Limit
from games.position import Position
from games.registry import GAMES, Setup
from ui.board.view import Marks
from ui.game.adviser import Adviser
from ui.host import Host
from ui.toolkit.i18n import t
from ui.words.moves import move_name
from ui.words.reasons import move_reason

STEPS = ("area", "candidates", "move", "reason")

_LIMIT = Limit(seconds=1.0, lines=3)
_MANY = 25  # possible moves, beyond which an area is a hint
_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class Hints:
    """Advises on one position at a time."""

    def __init__(self, host: Host, setup: Setup) -> None:
        self.adviser = Adviser(host)
        board = GAMES[setup.game].board
        self._shape = board(setup.size) if board is not None else (0, 0)
        self._at = 0

    def ask(self, position: Position) -> None:
        """One step more for `position`; the first asks the engine."""
        if self.adviser.position is not position:
            self.adviser.ask(position, _LIMIT)
            self._at = STEPS.index("area" if len(position.legal_moves()) > _MANY else "candidates")
        elif self._at < len(STEPS) - 1:
            self._at += 1

    def forget(self) -> None:
        self.adviser.forget()

    def step(self, position: Position) -> str:
        """The step that is reached for `position`; empty if none was asked for, or nothing is known yet."""
        known = self.adviser.position is position and self.adviser.info is not None
        return STEPS[self._at] if known else ""

    @property
    def move(self) -> int:
        """The best move, while a step is reached."""
        info = self.adviser.info
        assert info is not None
        return info.move

    def marks(self, marks: Marks, position: Position) -> Marks:
        """Candidates, all alike, so that it is not told which is the best; then the move."""
        step, info = self.step(position), self.adviser.info
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
        """What the step says; `view` is the engine's view in words, for moves without any other reason."""
        step = self.step(position)
        if not step:
            return ""
        why = move_reason(position, self.move) or view
        if step == "reason" and why:
            return why
        if step == "move" and not why:  # then none is offered
            step = "reason"
        return t(f"hint.{step}", move=move_name(position, self.move))
