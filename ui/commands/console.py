"""The frame of every command: exit status, sentences on stderr, and an stdout that may fail.

It imports nothing that takes time, since `main` imports it first.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.record import GameRecord


class Failure(Exception):
    """The command fails with status 1. The text is a sentence for stderr."""


class Misuse(Exception):
    """The command fails with status 2, since its arguments are inconsistent. The text is a sentence for stderr."""


def exit_status(command: Callable[[], int]) -> int:
    """Run `command` and return its exit status. Print a `Failure` or `Misuse` on stderr; return 1 or 2 for these, 1 for
    a broken pipe, 130 for Ctrl+C."""
    _open_stderr()
    _escape_unprintable()
    try:
        with _output_checked():
            return command()
    except (Failure, Misuse) as error:
        print(error, file=sys.stderr)
        return 1 if isinstance(error, Failure) else 2
    except BrokenPipeError:  # the reader of our output has exited
        return 1
    except KeyboardInterrupt:
        return 130


@contextlib.contextmanager
def failing(*errors: type[Exception], usage: bool = False) -> Iterator[None]:
    """Raise exceptions of the types `errors` in the block, whose texts are sentences, as `Failure`, or as `Misuse` if
    `usage`."""
    try:
        yield
    except errors as error:
        raise (Misuse if usage else Failure)(error) from error


def print_notices(record: GameRecord) -> None:
    """Print on stderr what the reader of `record` left out."""
    from games.formats.common import notice_sentences

    for sentence in notice_sentences(record.notices):
        print(sentence, file=sys.stderr)


def require_source(path: Path) -> None:
    """Raise `Failure` unless there is a file or a folder at `path`."""
    if not os.path.exists(path):  # noqa: PTH110  (`Path.exists` raises for a very long name)
        from games.formats.common import quoted

        raise Failure(f"There is no file or folder {quoted(str(path))}.")


def refuse_overwriting(source: str | Path, out: Path | None) -> None:
    """Raise `Misuse` if the output file `out` is the file `source` that the command reads."""
    with contextlib.suppress(OSError, ValueError):  # there is no such file, or the source is no file name
        if out is not None and os.path.samefile(source, out):  # noqa: PTH121
            from games.formats.common import quoted

            raise Misuse(f"{quoted(str(out))} is the file that is read; choose another one for the output.")


def write_output(path: Path, data: bytes) -> None:
    """Write a command's output file, atomically. Raise `Failure`."""
    from games.formats.common import quoted
    from games.storage import write_atomic

    try:
        write_atomic(path, data)
    except OSError as error:
        raise Failure(f"{quoted(str(path))} cannot be written: {error.strerror or error}.") from error


@contextlib.contextmanager
def _output_checked() -> Iterator[None]:
    """Flush stdout after the block, also when ``--version`` raises `SystemExit`, to report an error more clearly than
    the interpreter would at exit. Raise `Failure` if stdout cannot be written or is closed, or `BrokenPipeError` if its
    reader has exited."""
    lost = io.StringIO()
    if sys.stdout is None:  # `print` would say nothing
        sys.stdout = lost
    try:
        try:
            yield
        finally:
            print(end="", flush=True)
            if lost.getvalue():
                raise Failure("The output cannot be written: stdout is closed.")
    except OSError as error:
        if _can_flush():
            raise  # an error of something else
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the interpreter's flush at exit
        if isinstance(error, BrokenPipeError):
            raise
        raise Failure(f"The output cannot be written: {error.strerror or error}.") from error


def _can_flush() -> bool:
    """Flush stdout and return whether that succeeded. What cannot be written stays in its buffer."""
    try:
        print(end="", flush=True)
    except OSError:
        return False
    return True


def _open_stderr() -> None:
    """Replace a closed stderr by one that discards its text, since `print` would choose stdout instead."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def _escape_unprintable() -> None:
    """Let stdout and stderr escape characters that the console cannot show, and on a terminal also control
    characters."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
            if stream.isatty():
                setattr(sys, name, _Terminal(stream))


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\r\t"}


class _Terminal:
    """A terminal that a text from a file cannot steer: control characters are written as ``\\x1b``."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write `text` with its control characters escaped, except line ends and tabs. Return how many were written."""
        return self._stream.write(text.translate(_CONTROLS))

    def __getattr__(self, name: str) -> Any:
        """Pass everything but `write` on to the stream."""
        return getattr(self._stream, name)
