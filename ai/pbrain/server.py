"""Our engine as a Gomocup brain: `serve` answers the commands of a manager, the program that runs the games.

`run` is the process of `tengen engine`: nothing but protocol lines on stdout, and an immediate exit. Methods of
`Session` that are named after a command carry it out, and raise `Refused` with the text of an ERROR.
"""

from __future__ import annotations

import logging
import os
import random
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import BinaryIO, cast

from ai.core.player import Info, Limit
from ai.gomoku.handle import EngineHandle, EnginePlayer, load_kernels
from ai.pbrain import messages
from ai.pbrain.boards import (
    Refused,
    Stone,
    in_any_order,
    in_order,
    moves_of_stones,
    parse_point,
    parse_size,
    parse_stone,
    parse_whole,
)
from ai.pbrain.messages import END, STOPS, ByteSource, Command, Inbox, ManagerInfo
from games.line import LinePosition
from games.opening_rules import MORE, PLACE, OpeningPhase, OpeningStep
from games.position import FIRST
from games.registry import setup

_log = logging.getLogger(__name__)

_TELL_EVERY = 0.25  # seconds between messages of one search
_MOST_LINES = 50
_MOST_POINTS = 400
_UNREAD_SECONDS = 5.0  # for a manager to read an answer after END
_THREE = (OpeningStep(PLACE),) * 3
_SWAP2_STEPS = {0: (), 3: _THREE, 5: (*_THREE, OpeningStep(MORE), *_THREE[1:])}
"""What has happened in a swap2 opening by the number of stones, wherever they lie and whoever placed them."""

Say = Callable[[str], None]
"""Writes a line to the manager. Raises `OutputFailure`."""


class OutputFailure(Exception):
    """An answer cannot be written; `str(error)` is a sentence."""


def run(version: str) -> int:
    """Serve stdin and stdout, then exit the process, with 1 and a sentence on stderr if stdout cannot be written.
    Return only if one of them is missing: 1, for the exit status."""
    if None in (sys.stdin, sys.stdout, sys.__stdout__):  # the command line replaces a closed stdout
        print("The engine talks on stdin and stdout, and one of them is closed.", file=sys.stderr)
        return 1
    # Let the system end the process at any time: waiting for input, searching, compiling.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with open(sys.stdin.fileno(), "rb", closefd=False) as stdin:
        # After END a manager that does not read could keep the process for ever.
        try:
            serve(stdin, _private_stdout(), version, unread=lambda: os._exit(1))
        except OutputFailure as error:
            print(error, file=sys.stderr, flush=True)
            os._exit(1)
        # Exit at once: closing would wait for a thread that reads input, and a compilation cannot be interrupted.
        os._exit(0)


def _private_stdout() -> BinaryIO:
    """Return a stream to the real stdout, and redirect all other output of Python and libraries to stderr."""
    sys.stdout.flush()
    real = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    try:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    except (OSError, AttributeError):  # no stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return real


def serve(
    stdin: ByteSource, stdout: BinaryIO, version: str = "", engine: EngineHandle | None = None,
    unread: Callable[[], object] | None = None,
) -> None:  # fmt: skip
    """Answer the commands on `stdin` until END or the end of input. The inner `say` alone writes to `stdout`.

    `engine` is by default a new handle; `version` is told in the answer to ABOUT. `unread` is called on another thread
    if the manager does not read an answer after END. Raise `OutputFailure` if `stdout` cannot be written, unless its
    reader has exited.
    """
    engine = engine or EngineHandle(load_kernels)
    engine.start()
    inbox, began = Inbox(stdin), list[float]()  # when the answer under way began to be written

    def say(text: str) -> None:
        """Write a line to the manager."""
        began.append(time.monotonic())
        try:
            stdout.write(f"{' '.join(text.split())}\n".encode())
            stdout.flush()
        except OSError as error:
            raise OutputFailure(f"The output cannot be written: {error.strerror or error}.") from error
        began.clear()

    if unread is not None:
        watch = (inbox.ended, began, unread)
        threading.Thread(target=_await_reading, args=watch, name="tengen-unread", daemon=True).start()
    session = Session(inbox, say, engine.player(), version)
    try:
        session.run()
    except OutputFailure as error:
        if not isinstance(error.__cause__, BrokenPipeError):  # the manager has exited
            raise
    except ValueError:  # the manager has closed its end
        if not stdout.closed:
            raise


def _await_reading(ended: threading.Event, began: Sequence[float], unread: Callable[[], object]) -> None:
    """Thread: after `ended`, call `unread` if an answer, whose writing began at `began[0]`, stays unread for
    seconds."""
    ended.wait()
    while not (since := tuple(began)) or time.monotonic() - since[0] < _UNREAD_SECONDS:
        time.sleep(_TELL_EVERY)
    unread()


class Session:
    """The conversation with a manager: the board, its settings and its dialect of the protocol."""

    def __init__(self, inbox: Inbox, say: Say, player: EnginePlayer, version: str) -> None:
        self._inbox, self._say, self._player, self._version = inbox, say, player, version
        self._size: int | None = None
        self._moves: tuple[int, ...] = ()
        self._blocked: frozenset[int] = frozenset()  # stones of rows finished earlier
        self._manager = ManagerInfo()
        self._free_since = 0.0
        self._draw = random.Random()
        self._ask: Command  # the command being answered
        self._commands: dict[str, Callable[[], None]] = {
            "START": self._start, "RECTSTART": self._rectstart, "RESTART": self._restart, "BEGIN": self._begin,
            "TURN": self._turn, "BOARD": self._board, "YXBOARD": self._yxboard, "YXNBEST": self._yxnbest,
            "YXSHOWFORBID": self._yxshowforbid, "TAKEBACK": self._takeback, "INFO": self._info,
            "SWAP2BOARD": self._swap2board, "ABOUT": self._about,
        }  # fmt: skip

    def run(self) -> None:
        """Answer commands until END."""
        command = self._inbox.next()
        while command.word != END:
            command = self._answer(command) or self._inbox.next()

    def _answer(self, command: Command) -> Command | None:
        """Carry out one command. Return the command that interrupted it, to be answered next; None if none did."""
        self._ask = command
        try:
            if command.word in self._commands:
                self._manager.yixin = self._manager.yixin or command.word.startswith("YX")
                self._commands[command.word]()
            elif command.word not in STOPS:  # stops take effect on arrival
                self._say(f"UNKNOWN {command.text[:100]}")
        except Refused as error:
            self._say(f"ERROR {error}")
        except _Interrupted as interruption:
            self._say(f"ERROR {command.word} was not ended by DONE")
            return interruption.command
        return None

    # The game.

    def _start(self) -> None:
        """START: begin a game on an empty board of a given size."""
        self._new_game(parse_size(self._ask.rest))

    def _rectstart(self) -> None:
        """RECTSTART: begin a game on an empty board of a given width and height, which must be equal."""
        match = re.fullmatch(r"(\d{1,4})\s*,\s*(\d{1,4})", self._ask.rest, re.ASCII)
        if match is None:
            raise Refused("RECTSTART needs a width and a height, as in RECTSTART 15,15")
        if match[1] != match[2]:
            raise Refused("only square boards are supported")
        self._new_game(parse_size(match[1]))

    def _restart(self) -> None:
        """RESTART: begin a game on an empty board of the same size."""
        self._new_game(self._require_size())

    def _new_game(self, size: int) -> None:
        """Begin a game on an empty board, wait until the engine is ready, and answer OK."""
        self._size, self._moves, self._blocked = size, (), frozenset()
        self._manager.clock.new_game()
        self._prepare()
        self._player.wait_until_ready(self._inbox.stop(self._ask.number))
        self._say("OK")

    def _require_size(self) -> int:
        """Return the size of the board. Raise `Refused` before START."""
        if self._size is None:
            raise Refused("there is no board yet; send START first")
        return self._size

    def _position(self, moves: Sequence[int]) -> LinePosition:
        """Return the position after `moves` by the manager's rule. Raise `Refused`."""
        return in_order(self._require_size(), self._manager.rule, moves)

    # Moves.

    def _begin(self) -> None:
        """BEGIN: play the first move of the game."""
        self._require_size()
        if self._moves:
            raise Refused("the board is not empty; send RESTART first")
        self._play(())

    def _turn(self) -> None:
        """TURN: play the opponent's move on the board, and answer it with a move."""
        moves = (*self._moves, parse_point(self._ask.rest, self._require_size()))
        if moves[-1] in self._blocked:
            raise Refused("that point is occupied")
        self._play(moves)

    def _takeback(self) -> None:
        """TAKEBACK: take back the last move, which must be the given one."""
        taken = parse_point(self._ask.rest, self._require_size())
        if self._moves[-1:] != (taken,):
            raise Refused("only the last move can be taken back")
        self._moves = self._moves[:-1]
        self._say("OK")

    def _board(self) -> None:
        """BOARD: set the position that follows, and answer with a move."""
        self._play(*self._read_board(ours=True))

    def _yxboard(self) -> None:
        """YXBOARD: set the position that follows, without an answer."""
        moves, blocked = self._read_board(ours=False)
        self._moves, self._blocked = moves, blocked

    def _yxnbest(self) -> None:
        """YXNBEST: search for several best lines, and answer with a move."""
        count = parse_whole(self._ask.rest, 1, 10_000)
        self._play(self._moves, self._blocked, min(count, _MOST_LINES))

    def _yxshowforbid(self) -> None:
        """YXSHOWFORBID: answer with the forbidden points of the side to move."""
        position = self._position(self._moves)
        size, empty = position.rules.width, {cell for cell, content in enumerate(position.cells) if content == 0}
        forbidden = sorted(empty - set(position.legal_moves())) if position.outcome is None else []
        self._say("FORBID " + "".join(f"{cell % size:02}{cell // size:02}" for cell in forbidden) + ".")

    def _play(self, moves: tuple[int, ...], blocked: frozenset[int] | None = None, lines: int = 1) -> None:
        """Search the position after `moves`, put our move on the board, and print it.

        `blocked` are cells on which nobody may play, by default those of the board; `lines` is how many lines to
        report.
        """
        blocked = self._blocked if blocked is None else blocked
        position = self._position(moves)
        move = self._legal_move(position, self._think(position, lines).move, blocked)
        self._moves, self._blocked = (*moves, move), blocked
        self._send_points(move)

    def _send_points(self, *cells: int) -> None:
        """Print cells as ``x,y`` in one line."""
        size = self._require_size()
        self._say(" ".join(f"{cell % size},{cell // size}" for cell in cells))

    def _legal_move(self, position: LinePosition, move: int, blocked: frozenset[int]) -> int:
        """Return `move`, or another one if it is illegal or blocked. Raise `Refused` if there is none."""
        legal = position.legal_moves()
        if move in legal and move not in blocked:
            return move
        choice = [other for other in (*position.candidates(), *legal) if other not in blocked]
        if not choice:
            raise Refused("there is no point left to play on")
        return choice[0]

    # Thinking.

    def _prepare(self) -> None:
        """Let the player load what this board needs, so that it does not cost time of a search."""
        if self._size is not None:
            self._player.prepare(self._manager.configuration(self._size))

    def _think(self, position: LinePosition, lines: int = 1, share: float = 1.0) -> Info:
        """Search `position`, print messages, and return the result. Raise `Refused` if the game is over.

        It takes the time for a move, or the `share` of it, from the arrival of the command on. If the engine fails, the
        result is what it found before, or else the first candidate.
        """
        if not position.legal_moves():
            raise Refused("the game is over")
        began = max(self._ask.arrived, self._free_since)
        self._prepare()
        seconds = max(0.0, share * self._manager.clock.seconds() - (time.monotonic() - began))
        limit = Limit(seconds, self._manager.depth, self._manager.nodes, lines)
        info = Info(position.candidates()[0])
        last_message = time.monotonic()
        try:
            for info in self._player.think(position, limit, self._inbox.stop(self._ask.number)):
                if info.depth > 0 and time.monotonic() - last_message >= _TELL_EVERY:
                    last_message = time.monotonic()
                    self._send_info(info, position)
        except OutputFailure:
            raise
        except Exception:  # a weak answer is better than none
            _log.exception("The engine failed.")
        if info.depth > 0:
            self._send_info(info, position)
        if info.stand_in:
            self._say("MESSAGE The engine is still being loaded: a weaker player has answered.")
        self._free_since = time.monotonic()
        self._manager.clock.subtract(self._free_since - began)
        return info

    def _send_info(self, info: Info, position: LinePosition) -> None:
        """Print `info` as MESSAGE lines."""
        for text in messages.write(info, position):
            self._say(f"MESSAGE {text}")

    # Boards.

    def _read_block(self) -> list[str]:
        """Return the lines up to DONE. Raise `_Interrupted` at another command or END, `Refused` for too many lines."""
        opened, listed = self._ask, list[str]()
        while (command := self._inbox.next()).word != "DONE":
            if command.word in self._commands or command.word == END:
                raise _Interrupted(command)
            if command.word not in STOPS and len(listed) <= _MOST_POINTS:
                listed.append(command.text)
        # The search belongs to DONE: earlier stops do not apply to it, and its time starts there.
        self._ask = Command(opened.word, opened.rest, command.number, command.arrived)
        if len(listed) > _MOST_POINTS:
            raise Refused(f"a board has at most {_MOST_POINTS} points")
        return listed

    def _read_board(self, ours: bool) -> tuple[tuple[int, ...], frozenset[int]]:
        """Read the lines of a BOARD up to DONE. Return its moves, and the cells on which nobody may play.

        `ours`: it must be our move. In renju there are no such cells, and moves of a side are put into an order in
        which none is forbidden. Raise `Refused` only after DONE.
        """
        listed = self._read_block()
        size = self._require_size()
        stones: list[Stone] = [parse_stone(text, size) for text in listed]
        taken = frozenset(cell for cell, field in stones if field == 3)
        # In renju these are the forbidden points, which apply to black only and which our rules know.
        blocked = taken if self._manager.rule != "renju" else frozenset[int]()
        moves = moves_of_stones([each for each in stones if each[1] != 3], ours)
        return in_any_order(size, self._manager.rule, moves), blocked

    def _swap2board(self) -> None:
        """SWAP2BOARD: propose three stones; after three, choose a colour or place two; after five, choose a colour.

        White is to move then: a move keeps white, SWAP takes black.
        """
        listed = self._read_block()
        size = self._require_size()
        moves = tuple(parse_point(text, size, loose=True) for text in listed)
        if len(moves) not in _SWAP2_STEPS:
            raise Refused("SWAP2BOARD takes no, three or five stones")
        opening, position = OpeningPhase("swap2", size, _SWAP2_STEPS[len(moves)]), self._position(moves)
        assert opening.demand is not None
        chooser = opening.demand.player
        placed, info = list[int](), Info(position.candidates()[0])
        while (demand := opening.demand) is not None and demand.player == chooser:
            steps, info = self._decide_opening(opening, position, 0.5 if len(moves) == 3 else 1.0)
            for step in steps:
                opening = opening.after(step, position)
                if step.kind == PLACE:
                    placed.append(step.value)
                    position = position.play(step.value)
        if not placed and opening.side_of(chooser) != FIRST:
            placed.append(self._legal_move(position, info.move, frozenset()))
        self._moves, self._blocked = (*moves, *placed), frozenset()
        if placed:
            self._send_points(*placed)
        else:
            self._say("SWAP")

    def _decide_opening(
        self, opening: OpeningPhase, position: LinePosition, share: float
    ) -> tuple[tuple[OpeningStep, ...], Info]:
        """Return our next steps in the opening, and the last search for them.

        All searches together may take `share` of the time for a move.
        """
        from ai.gomoku.opening_decisions import decide  # late: START need not wait for it

        info = Info(position.candidates()[0])
        deciding = decide(setup("gomoku", position.rules.width, self._manager.rule), opening, position, self._draw)
        try:
            asked = next(deciding)
            while True:
                info = self._think(cast(LinePosition, asked.position), asked.lines, share * asked.share)
                asked = deciding.send(info)
        except StopIteration as end:
            return end.value.steps, info

    # Information.

    def _about(self) -> None:
        """ABOUT: answer with name and version."""
        self._say(f'name="Tengen", version="{self._version}", author="The authors of Tengen", country="-"')

    def _info(self) -> None:
        """INFO: apply a setting of the manager, without an answer."""
        self._manager.note(self._ask.rest)
        self._prepare()


class _Interrupted(Exception):
    """A `command` arrived in the middle of a block of lines."""

    def __init__(self, command: Command) -> None:
        super().__init__(command.word)
        self.command = command
