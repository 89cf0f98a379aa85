"""Journals: files that keep the results of many tasks, so that work that was killed is resumed; and progress lines."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Any, Generic, TextIO, TypeVar

from ai.arena.executors import run_all
from games.fields import Check, DecodeError, anything, checked, decode, parsed, within
from games.storage import lock, read_regular, replace_damaged, write_atomic

# How far a program with many tasks is: how many are done, how fast, and how long the rest takes.


Item = TypeVar("Item")

_MINUTE, _HOUR = 60, 3600  # seconds
_COUNTED = 90  # of a unit of time, before the next larger one is used


class Rate:
    """Progress as text: how many of `total` tasks are done, how fast, and how long the rest takes.

    `done` tasks were finished before. The rate counts from the first new result on, since workers may compile before
    it.
    """

    def __init__(self, total: int, done: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._known, self._clock = total, done, clock
        self._first: tuple[int, float] | None = None

    def text(self, done: int) -> str:
        """Return ``412 of 1000 · 3.1 a second · 3 min left``; call it at each result, with the number of tasks done.

        Rate and time are left out until they can be measured.
        """
        parts, now = [f"{done} of {self._total}"], self._clock()
        if self._first is None and done > self._known:
            self._first = done, now
        elif self._first is not None and done > self._first[0] and now > self._first[1]:
            rate = (done - self._first[0]) / (now - self._first[1])
            parts.append(_rate_text(rate))
            if done < self._total:
                parts.append(f"{_time_text((self._total - done) / rate)} left")
        return " · ".join(parts)


def _rate_text(rate: float) -> str:
    """Write a rate, given in tasks a second: ``3.1 a second``, ``2.0 a minute`` or ``0.5 an hour``."""
    for unit, seconds in (("second", 1), ("minute", _MINUTE)):
        if rate * seconds >= 1:
            return f"{rate * seconds:.1f} a {unit}"
    return f"{rate * _HOUR:.1f} an hour"


def _time_text(seconds: float) -> str:
    """Write a duration: ``80 s``, ``80 min`` or ``2 h 5 min``."""
    if seconds < _COUNTED:
        return f"{seconds:.0f} s"
    minutes = round(seconds / _MINUTE)
    return f"{minutes} min" if minutes < _COUNTED else f"{minutes // 60} h {minutes % 60} min"


class Meter:
    """A status line on a terminal that overwrites itself. If the stream is no terminal, nothing is written."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._rate: Rate | None = None
        self._shown = 0

    def count(self, done: int, total: int, note: str = "") -> None:
        """Show how many tasks are done, at which rate, and `note`. Call it once before the first result and at each
        result."""
        self._rate = self._rate or Rate(total, done)
        text = f"{self._rate.text(done)}  {note}".rstrip()
        self.show(text if total else "")

    def show(self, text: str) -> None:
        """Overwrite the line in a terminal with `text`; print nothing elsewhere."""
        if self._stream.isatty():
            text = text[: shutil.get_terminal_size().columns - 1]  # a longer one would stay
            print(f"\r{text:<{self._shown}}", end="", file=self._stream, flush=True)
            self._shown = len(text)

    def end(self) -> None:
        """Finish the line with a line break; it stays visible."""
        if self._shown:
            print(file=self._stream, flush=True)
            self._shown = 0

    def clear(self) -> None:
        """Erase the line, so that other text can be printed there."""
        if self._shown:
            print(f"\r{'':{self._shown}}\r", end="", file=self._stream, flush=True)
            self._shown = 0


def with_meter(results: Iterable[Item], total: int, done: int = 0, stream: TextIO | None = None) -> Iterator[Item]:
    """Yield `results`, and show on a terminal how many of `total` are done; `done` were finished before.

    The line is erased while the caller handles a result.
    """
    meter = Meter(stream)
    meter.count(done, total)
    for number, result in enumerate(results, done + 1):
        meter.clear()
        yield result
        meter.count(number, total)
    meter.clear()


T = TypeVar("T")

_MOST_BYTES = 1 << 30


class BadJournal(Exception):
    """A journal belongs to other work, is no journal, or is in use; `str(error)` is a sentence."""


class Journal(Generic[T]):
    """A file of JSON lines: `head`, which differs for different work, then one line for each result.

    `rows` are the results read from an existing file, converted by `check`. Damaged ones are left out; then the file is
    rewritten without them, and a copy of the damaged file is kept and reported. `work` names the work in messages.
    Without a path nothing is kept. Raise `BadJournal` if the file is of other work, and `OSError`.
    """

    def __init__(self, path: Path | None, work: str, head: dict[str, Any], check: Check[T] = anything) -> None:
        self._path, self._work = path, work
        self.rows: list[T] = []
        if path is None:
            return
        if not (path.exists() and path.stat().st_size > 0):
            write_atomic(path, f"{json.dumps(head)}\n".encode())
            return
        data = read_regular(path, _MOST_BYTES)
        good, damaged = self._read(path, data, head, check)
        mended = "".join(f"{line}\n" for line in good).encode()
        if damaged:
            replace_damaged(path, data, mended)
        elif mended != data:  # the last line is incomplete if the work was killed while writing it
            write_atomic(path, mended)

    def _read(self, path: Path, data: bytes, head: dict[str, Any], check: Check[T]) -> tuple[list[str], bool]:
        """Append the results in `data` to `rows`. Return the lines to keep, and whether a line was damaged.

        An incomplete last line, of work that was killed, does not count as damaged. Raise `BadJournal` for another
        `head`.
        """
        first, *lines = data.decode(errors="replace").split("\n")
        try:
            saved = parsed(first)
        except DecodeError as error:
            raise BadJournal(f"“{path.name}” is not the file of a {self._work}.") from error
        if saved != json.loads(json.dumps(head)):  # which makes lists of tuples
            raise BadJournal(f"“{path.name}” belongs to another {self._work}, begun with other options.")
        good, damaged, last = [first], False, lines.pop() if lines else ""
        for line in filter(None, lines):
            try:
                self.rows.append(check(parsed(line)))
                good.append(line)
            except DecodeError:
                damaged = True
        with suppress(DecodeError):  # without an end, it may be complete but for that
            self.rows.append(check(parsed(last)))
            good.append(last)
        return good, damaged

    def add(self, row: dict[str, Any]) -> None:
        """Append a row to the file, if there is one."""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(row)}\n")


@contextmanager
def locked(path: Path, sentence: str) -> Iterator[None]:
    """Hold the lock file `path` within the block. Raise `BadJournal` with `sentence` if another process holds it.

    Where locking fails, the block runs without the lock. `path` is a file of its own, since protected files get
    replaced.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            held = lock(path)
            if held is None:
                raise BadJournal(sentence)
            stack.callback(held.release)
        yield


def run_kept(
    task: Callable[..., Any], calls: Sequence[tuple[Any, ...]], workers: int, cluster: str | None, *,
    kept: Path | None, head: dict[str, Any], keys: Sequence[str] | None = None, check: Check[Any] = anything,
) -> Iterator[tuple[int, Any]]:  # fmt: skip
    """As `run_all`, but resumable: yield the index of each call with its result, first those already in the file
    `kept`.

    New results, which are JSON data that pass `check`, are added to it. `head` identifies the work. `keys` identify the
    calls in the file, by default their indices do. Without `workers` and `cluster` calls run in this process. Raise
    `BadJournal`, too, also if the file cannot be read or written.
    """
    with ExitStack() as stack:
        if kept is not None:
            name = f"{kept.name}.lock"
            stack.enter_context(locked(kept.with_name(name), f"Another process is at the work in “{kept.name}”."))
        with _file_errors(kept):
            journal = Journal(kept, "run with --resume", head, partial(_decode_row, check))
        done = dict(journal.rows)
        known: Sequence[str | int] = range(len(calls)) if keys is None else keys
        yield from ((number, done[key]) for number, key in enumerate(known) if key in done)
        left = [(task, number, calls[number]) for number, key in enumerate(known) if key not in done]
        elsewhere = workers or cluster is not None
        found = run_all(_call_numbered, left, workers, cluster) if elsewhere else starmap(_call_numbered, left)
        for number, result in found:
            with _file_errors(kept):
                journal.add({"call": known[number], "result": result})
            yield number, result


@contextmanager
def _file_errors(path: Path | None) -> Iterator[None]:
    """Turn errors of the file `path`, which is read and written, into `BadJournal`."""
    try:
        yield
    except OSError as error:
        name = path.name if path else ""
        raise BadJournal(f"“{name}” cannot be written: {error.strerror or error}.") from error


def _decode_row(check: Check[Any], value: object) -> tuple[int | str, Any]:
    """Decode a line of `run_kept`: the index or key of a call, and its result. Raise `DecodeError`."""
    row = decode(_Row, value, "a row")
    if type(row.call) not in (int, str):
        raise DecodeError("must be a number or text", "“call”", "a row")
    return row.call, within("“result”", check, row.result)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A line of `run_kept` before it is checked."""

    call: Any = checked(anything)
    result: Any = checked(anything, None)


def _call_numbered(task: Callable[..., T], number: int, arguments: tuple[Any, ...]) -> tuple[int, T]:
    """Call `task`; return `number` with the result, since results arrive in any order."""
    return number, task(*arguments)
