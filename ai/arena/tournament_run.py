"""The games of a tournament behind a window: played in processes, polled by the window, stopped and resumed at any
time."""

from __future__ import annotations

import logging
import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from ai.arena.journal import BadJournal
from ai.arena.match import Fixture, Match, Played, begin, play_live
from ai.arena.tournament import (
    JOURNAL,
    Pairing,
    finished_by_person,
    game_file,
    open_journal,
    read_tournament,
    tournament_lock,
)
from ai.system.stream import Child
from games.position import IllegalMove
from games.record import GameRecord
from games.storage import write_atomic

BUDGET = 0.002
"""Seconds of a frame."""

_NICE = 10  # by how much the processes stand back, so that the window keeps its frames
_DEATHS = 3  # of processes, after which the tournament is given up

_log = logging.getLogger(__name__)


class TournamentRun:
    """Plays what is left of the tournament in `folder`, but for games with a person: `at_once` games, each in a
    process.

    The window calls `update` after `wake`, which is called on another thread when a process has sent something.

    Raise `BadJournal` with a sentence, and `OSError`, if it cannot be read or another process plays it.
    """

    def __init__(self, folder: Path, wake: Callable[[], object], at_once: int = 1) -> None:
        self.folder = folder
        self.live: dict[int, GameRecord] = {}
        """The games under way, by number."""
        self.error: Exception | None = None
        """Why the tournament was given up."""
        self._deaths = 0
        self._slots: list[GameProcess] = []
        with ExitStack() as stack:
            stack.enter_context(tournament_lock(folder))
            self.tournament = read_tournament(folder / JOURNAL)
            self.planned = self.tournament.pairings()
            self._journal = open_journal(folder / JOURNAL, self.tournament)
            self.played = {row.number: row for row in self._journal.rows}
            self._held = stack.pop_all()
        self._left = deque(each for each in self.planned if each.number not in self.played and not each.with_person)
        self._slots = [GameProcess(wake) for _ in range(min(at_once, len(self._left)))]

    @property
    def over(self) -> bool:
        """Whether no process plays any more: all games without a person are finished, or it was stopped."""
        return not self._slots

    @property
    def busy(self) -> bool:
        """Whether a process has sent something that `update` has not handled yet."""
        return any(slot.child.received for slot in self._slots)

    def update(self) -> bool:
        """Handle what processes have sent, and begin games, for at most `BUDGET` seconds. Return whether anything
        changed."""
        news, until = False, time.perf_counter() + BUDGET
        for slot in list(self._slots):
            if slot.pairing is None:
                self._begin_next(slot)
                news = True
            while slot.child.received and time.perf_counter() < until and slot in self._slots:
                self._receive(slot, slot.child.received.popleft())
                news = True
        if not self._slots:
            self._held.close()
        return news

    def _begin_next(self, slot: GameProcess) -> None:
        """Begin the next game in this process, or end the process if no game is left. Do nothing after the run was
        given up."""
        if slot not in self._slots:
            return
        if not self._left:
            self._end_process(slot)
            return
        slot.pairing = pairing = self._left.popleft()
        self.live[pairing.number] = begin(pairing.match, pairing.fixture)
        try:
            slot.begin(game_file(self.folder, pairing.number))
        except OSError:  # its process has died, as will be heard
            _log.warning("A process that plays games cannot be reached.")

    def _receive(self, slot: GameProcess, news: object) -> None:
        """Handle what a process has sent: a move, a finished game, an error of its file, or None when it has died."""
        pairing = slot.pairing
        assert pairing is not None
        if isinstance(news, Played):
            del self.live[pairing.number]
            slot.pairing = None
            self.add(news)
            self._begin_next(slot)
        elif isinstance(news, int):
            try:
                self.live[pairing.number].play(news)
            except IllegalMove:  # as the process has found, too
                _log.warning("A game of a tournament cannot be followed.")
        elif isinstance(news, OSError):
            self._give_up(news)
        else:
            self._restart_game(slot, pairing)

    def _restart_game(self, slot: GameProcess, pairing: Pairing) -> None:
        """Start the process again, which has died, and its game from the beginning. At the third death give up."""
        self._deaths += 1
        self.live.pop(pairing.number, None)
        self._left.appendleft(pairing)
        if self._deaths >= _DEATHS:
            self._give_up(BadJournal("A process that played games has died."))
            return
        slot.restart()
        self._begin_next(slot)

    def add(self, played: Played) -> None:
        """Keep a finished game in the journal, unless it is there. If that fails, stop the run and set `error`."""
        if played.number in self.played:
            return
        try:
            self._journal.add(played.document())
        except OSError as error:
            self._give_up(error)
            return
        self.played[played.number] = played

    def collect(self) -> bool:
        """Append the finished games of persons that the journal lacks, from their files. Return whether there were
        any."""
        waiting = [each for each in self.planned if each.with_person and each.number not in self.played]
        found = [played for each in waiting if (played := finished_by_person(self.folder, each)) is not None]
        for played in found:
            self.add(played)
        return bool(found)

    def _give_up(self, error: Exception) -> None:
        """Stop the run because of `error`."""
        self.error = error
        self.stop()

    def _end_process(self, slot: GameProcess) -> None:
        """End the process of `slot`, and use it no more."""
        self._slots.remove(slot)
        slot.close()

    def stop(self) -> None:
        """End all processes and release the lock. Games under way are lost, and played anew when the tournament is
        resumed."""
        for slot in list(self._slots):
            self._end_process(slot)
        self.live.clear()
        self._held.close()


class GameProcess:
    """A process that plays one game after the other. `pairing` is the game under way, or None."""

    def __init__(self, wake: Callable[[], object]) -> None:
        self.pairing: Pairing | None = None
        self._wake = wake
        self._start()

    def _start(self) -> None:
        """Start the process with a pipe for requests."""
        theirs, self._requests = multiprocessing.get_context("spawn").Pipe(duplex=False)
        self.child = Child(_serve, (theirs,), self._wake)
        theirs.close()

    def begin(self, file: Path) -> None:
        """Request the game of `pairing`, whose record the process will write to `file`. Raise `OSError` if it has
        died."""
        assert self.pairing is not None
        self._requests.send((self.pairing.match, self.pairing.fixture, file))

    def restart(self) -> None:
        """Replace the process by a new one, with no game under way."""
        self.close()
        self.pairing = None
        self._start()

    def close(self) -> None:
        """End the process and the processes that it has started."""
        self._requests.close()
        self.child.close()


def _serve(pipe: Connection, requests: Connection) -> None:
    """Main function of the process: play each requested game until `requests` is closed.

    Send each move, then the game without its record, which is written to its file, or the `OSError` of writing it.
    """
    if hasattr(os, "nice"):
        os.nice(_NICE)
    while True:
        try:
            request: tuple[Match, Fixture, Path] = requests.recv()
        except EOFError:
            return
        match, fixture, file = request
        for news in play_live(match, fixture):
            try:
                pipe.send(save_record(news, file))
            except OSError as error:
                pipe.send(error)


def save_record(news: int | Played, file: Path) -> int | Played:
    """Write the record of a finished game to `file`, and return the game without it. Return a move unchanged."""
    if isinstance(news, int):
        return news
    write_atomic(file, news.data())
    return replace(news, record="")
