"""External engines as players: programs that speak the Gomocup (pbrain) protocol."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.pbrain.boards import Refused, alternating, in_any_order
from ai.pbrain.messages import UNLIMITED, Message, parse_message
from ai.pbrain.process import EngineError, EngineProcess, IllegalAnswer, SlowEngine, short
from games.line import STONES, LinePosition
from games.position import IllegalMove, Position
from games.registry import setup

__all__ = ["RULE_MASKS", "EngineError", "IllegalAnswer", "PbrainPlayer", "SlowEngine", "refuse_program"]

RULE_MASKS = {"freestyle": 0, "standard": 1, "renju": 4}

_DAY = 86_400.0  # seconds sent where there is no limit
_PATIENCE = 20.0  # seconds to answer START, for an engine that unpacks itself or loads networks
_GRACE = 1.0  # seconds beyond its time after which an engine is killed
_STOP_GRACE = 1.5  # seconds to answer after a stop
_POLL = 0.02  # seconds
_TELL_EVERY = 0.02  # seconds between two infos, however many an engine prints
_MOVE = re.compile(r"(\d{1,2})\s*,\s*(\d{1,2})")
_LONGEST_QUOTE = 200


def refuse_program(_command: str, game: str) -> str:
    """Return why no program plays `game`, in a sentence; empty if programs do."""
    try:
        _require_gomoku(setup(game).start())
    except ValueError as error:
        return str(error)
    return ""


class PbrainPlayer(Player):
    """A player that asks the program `command`, started when first needed and ended by `close`.

    It plays five in a row on square boards. Every request sends the whole position, so that moves can be taken
    back, and any position asked about.
    """

    nodes: int = 0

    def __init__(self, command: str, grace: float = _GRACE, patience: float = _PATIENCE) -> None:
        """The program has `patience` seconds to start, and `grace` seconds beyond the time of a move."""
        self.command = command
        self._grace, self._patience = grace, patience
        self._process: EngineProcess | None = None
        self._game: tuple[int, str] | None = None  # size and rule last sent to the engine

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield the engine's messages, as far as they are understood, and its move.

        Raise `EngineError` if the engine dies, refuses, is too late, or answers with an illegal move; it has then been
        ended. Raise `ValueError` for a position that the protocol does not have.
        """
        self.nodes = 0
        board = _require_gomoku(position)
        try:
            process = self._ready(board, stop)
            began = time.monotonic()
            due = _Due(None if limit.seconds is None else began + limit.seconds + self._grace, stop)
            self._ask(process, board, limit, due, began)
            yield from self._listen(process, board, due, began)
        except BaseException:  # including Ctrl+C, and a search that is left: its answer may still come
            self.close(kill=True)
            raise

    def warm_up(self, position: Position) -> None:
        """Start the program and the game of `position` if necessary, so that the first search loses no time.

        Raise as `think` does.
        """
        board = _require_gomoku(position)
        try:
            self._ready(board, Stop())
        except BaseException:  # including Ctrl+C
            self.close(kill=True)
            raise

    def close(self, kill: bool = False) -> None:
        """End the program, first by asking it to unless `kill`."""
        process, self._process, self._game = self._process, None, None
        if process is not None:
            process.close(kill)

    def _ready(self, board: LinePosition, stop: Stop) -> EngineProcess:
        """Return the running process, set up for this game."""
        if self._process is None or not self._process.alive:
            self.close(kill=True)
            self._process = EngineProcess(self.command)
        game = (board.rules.width, board.rules.rule)
        if game != self._game:
            self._begin(self._process, *game, self._start_due(stop))
            self._game = game
        return self._process

    def _start_due(self, stop: Stop) -> _Due:
        return _Due(time.monotonic() + self._patience, stop)

    def _begin(self, process: EngineProcess, size: int, rule: str, due: _Due) -> None:
        """Send rule, board size and limits of a new game, and wait for OK."""
        process.send(f"INFO rule {RULE_MASKS[rule]}", f"START {size}")
        self._wait_for_ok(process, due)
        facts = ("timeout_match 0", "game_type 0", f"rule {RULE_MASKS[rule]}")
        process.send(*(f"INFO {fact}" for fact in facts))

    def _wait_for_ok(self, process: EngineProcess, due: _Due) -> None:
        """Read lines until ``OK``; raise `EngineError` for an error or when time is up."""
        while not due.over():
            line = process.line(_POLL)
            if line is not None and line.upper() == "OK":
                return
            _refuse_error(line, process.name)
        raise SlowEngine(f"“{process.name}” does not answer START.")

    def _ask(self, process: EngineProcess, board: LinePosition, limit: Limit, due: _Due, began: float) -> None:
        """Send limits and position, so that the engine begins to think."""
        stones = list(_stones(board))
        left = _DAY if limit.seconds is None else limit.seconds - (time.monotonic() - began)
        process.send(f"INFO timeout_turn {max(1, round(1000 * left))}", f"INFO time_left {UNLIMITED}")
        if limit.depth is not None:
            process.send(f"INFO max_depth {limit.depth}")  # a Yixin extension; others ignore it
        if board.ply > 0:
            process.send("BOARD", *stones, "DONE")
            return
        # Many engines reject a BOARD without stones, and BEGIN requires an empty board.
        process.send(f"START {board.rules.width}")
        self._wait_for_ok(process, self._start_due(due.stop) if due.at is None else due)
        process.send("BEGIN")

    def _listen(self, process: EngineProcess, board: LinePosition, due: _Due, began: float) -> Iterator[Info]:
        """Yield an Info for each message of the engine, its move last, until the time is over."""
        message, reported, stopped = Message(), 0.0, False
        while not due.over():
            if due.stop.is_set() and not stopped:
                stopped = True
                process.send("YXSTOP")  # others answer UNKNOWN and continue
            line = process.line(_POLL)
            if line is None:
                continue
            if (match := _MOVE.fullmatch(line)) is not None:
                yield _info(message, (_legal(board, match, process.name),), began)
                return
            _refuse_error(line, process.name)
            new = parse_message(line, board) if line[:7].upper() == "MESSAGE" else Message()
            message = self._merge(message, new)
            if new.pv and time.monotonic() - reported >= _TELL_EVERY:
                reported = time.monotonic()
                yield _info(message, message.pv, began)
        raise SlowEngine(f"“{process.name}” does not answer in time.")

    def _merge(self, message: Message, new: Message) -> Message:
        """Merge two messages: the newest of each value, but a PV only with the message it came in."""
        if new.nodes is not None:
            self.nodes = new.nodes
        return Message(
            message.depth if new.depth is None else new.depth,
            message.score if new.score is None else new.score,
            message.nodes if new.nodes is None else new.nodes,
            new.pv or message.pv,
        )


def _legal(board: LinePosition, point: re.Match[str], name: str) -> int:
    """Return the move at x and y. Raise `IllegalAnswer`."""
    x, y = int(point[1]), int(point[2])
    size = board.rules.width
    try:
        # A point beside the board must not wrap around to one on it.
        board.play(move := y * size + x if x < size else size * size)
    except IllegalMove as error:
        reason = str(error)
        raise IllegalAnswer(f"“{name}” has answered {point[0]}: {reason[0].lower()}{reason[1:]}") from error
    return move


def _info(message: Message, moves: tuple[int, ...], began: float) -> Info:
    """Return what is known, with `moves` for the PV unless the message has a longer one that begins so."""
    score = message.score or 0
    line = Line(score, message.pv if message.pv[: len(moves)] == moves else moves)
    return Info(moves[0], score, message.depth or 0, message.nodes or 0, time.monotonic() - began, (line,))


def _require_gomoku(position: Position) -> LinePosition:
    """Return `position`. Raise `ValueError` with a sentence where external engines do not play."""
    if not isinstance(position, LinePosition) or position.rules.length != 5:
        raise ValueError("External engines play gomoku only.")
    if position.rules.width != position.rules.height:
        raise ValueError("External engines play on square boards only.")
    return position


def _stones(board: LinePosition) -> Iterator[str]:
    """Yield the stones as BOARD lists them: colours alternating in order of play."""
    for ply, cell in enumerate(_order(board)):
        y, x = divmod(cell, board.rules.width)
        yield f"{x},{y},{1 if ply % 2 == board.turn else 2}"


def _order(board: LinePosition) -> tuple[int, ...]:
    """Return an order in which the stones can have been played."""
    placed = [cell for cell in range(board.rules.cells) if cell != board.last]
    if board.last is not None:
        placed.append(board.last)
    cells = [[cell for cell in placed if board.cells[cell] == stone] for stone in STONES]
    moves = alternating(*cells)
    if not board.rules.forbids:
        return moves
    try:
        return in_any_order(board.rules.width, board.rules.rule, moves)
    except Refused:  # leave the decision to the engine
        return moves


def _refuse_error(line: str | None, name: str) -> None:
    """Raise EngineError if the line reports an error."""
    if line is not None and line[:5].upper() == "ERROR":
        raise EngineError(f"“{name}” refuses: {short(line[5:].strip(' .') or 'an error', _LONGEST_QUOTE)}.")


class _Due:
    """When an answer is due: `at` a time of `time.monotonic()`, None for never, and soon after `stop` is set."""

    def __init__(self, at: float | None, stop: Stop) -> None:
        self.at, self.stop = at, stop
        self._stopped = False

    def over(self) -> bool:
        """Whether the time is over; after a stop the engine has a short grace period."""
        now = time.monotonic()
        if self.stop.is_set() and not self._stopped:
            self._stopped = True
            self.at = now + _STOP_GRACE if self.at is None else min(self.at, now + _STOP_GRACE)
        return self.at is not None and now > self.at
