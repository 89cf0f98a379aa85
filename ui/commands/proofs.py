"""The commands `prove` and `puzzles`: wins by threats in a position, and puzzles mined from games and proven again."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path

from ai.core.player import Stop
from ai.gomoku.threat_solver import MainLine, ThreatSolver
from ai.puzzles.puzzle import Puzzle, dumps, image, mine, missed, prover, read, why_wrong
from ai.search.proving import Prover, widening
from games.formats import FormatError, load_all
from games.formats.common import quoted
from games.library.file_actions import game_files
from games.position import Position
from games.record import GameRecord
from ui.commands.console import Failure, failing, refuse_overwriting, require_source, write_output

_WAKE = 1.0  # seconds between chances to handle Ctrl+C while waiting, which Windows needs

_Searched = tuple[list[MainLine], bool, int]


@contextmanager
def _stop_after(seconds: float | None) -> Iterator[Stop]:
    """Provide a `Stop` that is set after `seconds`; never for None."""
    stop = Stop()
    if seconds is None:
        yield stop
        return
    timer = threading.Timer(seconds, stop.set)
    timer.start()
    try:
        yield stop
    finally:
        timer.cancel()


def _interruptible(search: Callable[[], _Searched], stop: Stop) -> _Searched:
    """Return what `search` returns. It runs on a thread of its own, since Python handles Ctrl+C only between two calls
    of a kernel; Ctrl+C sets `stop`, waits for the search, and is raised."""
    with ThreadPoolExecutor(1) as executor:
        running = executor.submit(search)
        try:
            while not wait([running], _WAKE).done:
                pass
        except KeyboardInterrupt:
            stop.set()
            raise
        return running.result()


def prove(
    record: GameRecord, threats: bool, moves: Sequence[str] = (), seconds: float | None = None, as_json: bool = False
) -> None:
    """Print whether the side to move wins by fours, or with `threats` by all threats, or that this was not found out
    within `seconds`. With `moves`, the win must begin with one of these. Raise `Failure` for a game that is over or not
    five in a row, and for an illegal move."""
    position = record.position
    if position.outcome is not None:
        raise Failure("The game is over.")
    with failing(ValueError):
        first = [position.parse_move(text) for text in moves]
    if illegal := [text for text, move in zip(moves, first, strict=True) if move not in position.legal_moves()]:
        raise Failure(f"The move {illegal[0]} is not legal.")
    began = time.monotonic()
    with _stop_after(seconds) as stop, failing(ValueError):
        found, known, nodes = _interruptible(lambda: _search(position, threats, first, stop), stop)
    best = min(found, key=lambda proof: proof.plies, default=None)
    line = [position.move_text(move) for move in best.moves] if best else []
    spent = time.monotonic() - began
    if as_json:
        proven = True if best else False if known else None
        mate = best.plies if best else None
        print(json.dumps({"proven": proven, "mate": mate, "nodes": nodes, "seconds": round(spent, 3), "pv": line}))
    elif best:
        print(f"It wins in at most {best.plies} plies: {' '.join(line)}")
    else:
        by = "threats" if threats else "fours"
        print(f"There is no win by {by}." if known else f"No win by {by} was found in {spent:.1f} s.")


def _search(position: Position, by_threats: bool, first: Sequence[int], stop: Stop) -> _Searched:
    """Search for wins by fours, or `by_threats`, that begin with a move of `first`, if it has any. Return those
    found, whether there are known to be no others, and the moves made on the board."""
    solver, found, nodes = ThreatSolver(), list[MainLine](), 0
    left = list[int | None]()
    for limit, left in widening(first):
        for move in tuple(left):
            proof = solver.line(position, by_threats, limit, move, stop)
            nodes += solver.nodes
            found += [proof] if proof is not None else []
            if proof is not None or solver.complete:
                left.remove(move)
        if found or stop.is_set():
            break
    return found, not left, nodes


def mine_puzzles(source: Path, out: Path) -> None:
    """Find puzzles in the games of a file or folder, wins that were missed or played, and write them to `out`. Print
    progress, and files that cannot be read, on stderr. Raise `Failure`, also if none can be read."""
    require_source(source)
    files, unread = game_files(source), 0
    if not files:
        raise Failure(f"There are no games in {quoted(str(source))}.")
    for file in files:
        refuse_overwriting(file, out)
    found: dict[Hashable, Puzzle] = {}
    provers: dict[str, Prover] = {}
    for number, file in enumerate(files, 1):
        try:
            records = load_all(file)
        except FormatError as error:
            if file == source:
                raise Failure(error) from error
            print(f"{quoted(str(file))}: {error}", file=sys.stderr)
            unread += 1
            continue
        for record in records:
            game = record.setup.game
            provers[game] = provers.get(game) or prover(game)
            for find in (missed, mine):
                for puzzle in find(record, provers[game]):
                    found.setdefault(image(puzzle), puzzle)
        print(f"{number} of {len(files)} files, {len(found)} puzzles", file=sys.stderr)
    if unread == len(files):
        raise Failure(f"None of the files in {quoted(str(source))} can be read.")
    write_output(out, dumps(found.values()))


def check_puzzles(file: Path, as_json: bool) -> bool:
    """Prove all puzzles of a file again, and print those that cannot be proven. Return whether all can. Raise
    `Failure`."""
    try:
        with failing(FormatError):
            puzzles, failed = read(file)
    except FileNotFoundError as error:
        raise Failure(f"There is no file {quoted(str(file))}.") from error
    except OSError as error:
        raise Failure(f"{quoted(str(file))} cannot be read: {error.strerror or error}.") from error
    provers = {puzzle.game: prover(puzzle.game) for puzzle in puzzles.values()}
    wrong = failed | {line: why for line, puzzle in puzzles.items() if (why := why_wrong(puzzle, provers[puzzle.game]))}
    count = len(puzzles) + len(failed)
    if as_json:
        listed = [{"number": line, "why": why} for line, why in sorted(wrong.items())]
        print(json.dumps({"puzzles": count, "proven": count - len(wrong), "failed": listed}))
    else:
        for line, why in sorted(wrong.items()):
            print(f"Line {line}: {why}")
        print(f"{count - len(wrong)} of {count} puzzles are proven.")
    return not wrong
