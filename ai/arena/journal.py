"""Keep what is finished in a file, so that work that was killed goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import starmap
from pathlib import Path
from typing import Any, TypeVar

from ai.arena.executors import run_all
from games.storage import lock, read_regular, write_atomic

T = TypeVar("T")

_MOST_BYTES = 1 << 30


class BadJournal(Exception):
    """A file does not belong to the work; `str(error)` is a sentence."""


class Journal:
    """A file with a JSON line `head`, which is equal for equal work only, then one for each result.

    `rows` are the results that were there. `work` names the work in sentences. Without a path nothing is kept. Raise
    `BadJournal` and `OSError`.
    """

    def __init__(self, path: Path | None, work: str, head: dict[str, Any]) -> None:
        self._path, self._work = path, work
        self.rows: list[dict[str, Any]] = []
        if path is None:
            return
        if path.exists() and path.stat().st_size > 0:
            self._read(path, head)
        # Rewrite it: the last line is incomplete if the work was killed while writing it.
        write_atomic(path, "".join(f"{json.dumps(line)}\n" for line in (head, *self.rows)).encode())

    def _read(self, path: Path, head: dict[str, Any]) -> None:
        lines = read_regular(path, _MOST_BYTES).decode(errors="replace").splitlines()
        try:
            saved = json.loads(lines[0])
        except ValueError as error:
            raise BadJournal(f"“{path.name}” is not the file of a {self._work}.") from error
        if saved != json.loads(json.dumps(head)):  # which makes lists of tuples
            raise BadJournal(f"“{path.name}” belongs to another {self._work}, begun with other options.")
        for line in lines[1:]:
            with suppress(ValueError):  # incomplete
                self.rows.append(json.loads(line))

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
    kept: Path | None, head: dict[str, Any], keys: Sequence[str] | None = None,
) -> Iterator[tuple[int, Any]]:  # fmt: skip
    """As `run_all`, but yield the number of each call with its result: first what the file `kept` has.

    Results, which are JSON data, are added to it. `head` tells these calls from others, and `keys` tell one call from
    another if their numbers do not. Without `workers` or `cluster` calls run in this process. Raise `BadJournal` and
    `OSError`, too.
    """
    with ExitStack() as stack:
        if kept is not None:
            name = f"{kept.name}.lock"
            stack.enter_context(locked(kept.with_name(name), f"Another process is at the work in “{kept.name}”."))
        journal = Journal(kept, "run of this program", head)
        done = {row["call"]: row["result"] for row in journal.rows}
        known: Sequence[str | int] = range(len(calls)) if keys is None else keys
        yield from ((number, done[key]) for number, key in enumerate(known) if key in done)
        left = [(task, number, calls[number]) for number, key in enumerate(known) if key not in done]
        elsewhere = workers or cluster is not None
        for number, result in run_all(_numbered, left, workers, cluster) if elsewhere else starmap(_numbered, left):
            journal.add({"call": known[number], "result": result})
            yield number, result


def _numbered(task: Callable[..., T], number: int, arguments: tuple[Any, ...]) -> tuple[int, T]:
    return number, task(*arguments)
