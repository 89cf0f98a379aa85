"""Keep what is finished in a file, so that work that was killed goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Any, Generic, TypeVar

from ai.arena.executors import run_all
from games.fields import Check, DecodeError, anything, checked, decode, parsed, within
from games.storage import lock, read_regular, replace_damaged, write_atomic

T = TypeVar("T")

_MOST_BYTES = 1 << 30


class BadJournal(Exception):
    """A file does not belong to the work; `str(error)` is a sentence."""


class Journal(Generic[T]):
    """A file with a JSON line `head`, which is equal for equal work only, then one for each result.

    `rows` are the results that were there, as `check` returns them; a damaged one is left out, and a copy of the file
    kept and reported. `work` names the work in sentences. Without a path nothing is kept. Raise `BadJournal` and
    `OSError`.
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
        """Read the rows. Return the lines to keep, and whether any was damaged."""
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
        if last:  # without an end, it may be complete but for that
            with suppress(DecodeError):
                self.rows.append(check(parsed(last)))
                good.append(last)
        return good, damaged

    def add(self, row: dict[str, Any]) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(row)}\n")


@contextmanager
def locked(path: Path, sentence: str) -> Iterator[None]:
    """Hold the lock file `path`, where files can be locked. Raise `BadJournal` with `sentence` if another process does.

    It is not the file that it protects, which is replaced.
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
    """As `run_all`, but yield the number of each call with its result: first what the file `kept` has.

    Results, which are JSON data that pass `check`, are added to it. `head` tells these calls from others, and `keys`
    tell one call from another if their numbers do not. Without `workers` or `cluster` calls run in this process. Raise
    `BadJournal` and `OSError`, too.
    """
    with ExitStack() as stack:
        if kept is not None:
            name = f"{kept.name}.lock"
            stack.enter_context(locked(kept.with_name(name), f"Another process is at the work in “{kept.name}”."))
        journal = Journal(kept, "run of this program", head, partial(_row, check))
        done = dict(journal.rows)
        known: Sequence[str | int] = range(len(calls)) if keys is None else keys
        yield from ((number, done[key]) for number, key in enumerate(known) if key in done)
        left = [(task, number, calls[number]) for number, key in enumerate(known) if key not in done]
        elsewhere = workers or cluster is not None
        for number, result in run_all(_numbered, left, workers, cluster) if elsewhere else starmap(_numbered, left):
            journal.add({"call": known[number], "result": result})
            yield number, result


def _row(check: Check[Any], value: object) -> tuple[int | str, Any]:
    """Decode a row: the number or the key of a call, and its result."""
    row = decode(_Row, value, "a row")
    if type(row.call) not in (int, str):
        raise DecodeError("must be a number or text", "“call”", "a row")
    return row.call, within("“result”", check, row.result)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    call: Any = checked(anything)
    result: Any = checked(anything, None)


def _numbered(task: Callable[..., T], number: int, arguments: tuple[Any, ...]) -> tuple[int, T]:
    return number, task(*arguments)
