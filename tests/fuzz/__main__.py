"""Feeds damaged inputs to all that reads what it cannot trust: ``python -m tests.fuzz --inputs 20000 --seed 1``.

Every input follows from the seed, the target and its number; a failure names them, and ``--only TARGET:NUMBER`` runs
that one alone, ``--targets NAME…`` all of some targets.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import logging
import random
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import FrameType

from games.formats import FormatError
from tests.fuzz.mutation import damaged
from tests.fuzz.targets import TARGETS, Target

_PIECE = 50_000
"""Bytes for which `Target.seconds` are enough: twice as many may take twice as long."""
_STUCK = 60.0
"""Seconds after which an input must be waiting for something that never comes."""


class Hang(BaseException):
    """An input took too long. No decoder may catch it."""


def input_of(target: Target, seed: int, number: int) -> bytes:
    chance = random.Random(f"{seed}/{target.name}/{number}")
    return damaged(_seeds(target), target.mutations, chance)


@cache
def _seeds(target: Target) -> Sequence[bytes]:
    return target.seeds()


def failure(target: Target, data: bytes) -> str:
    """The trace of what `target` should not have raised for `data`; empty if all is well."""
    raised: list[str] = []
    threading.excepthook = lambda facts: raised.append(f"in a thread: {facts.exc_type.__name__}: {facts.exc_value}")
    try:
        with _timed(target.seconds * max(1.0, len(data) / _PIECE)):
            target.use(data)
    except target.errors as error:
        if isinstance(error, FormatError) and not 10 < len(str(error)) < 1000:
            raised.append(f"{error!r} is no sentence")
    except KeyboardInterrupt:
        raise
    except BaseException:
        raised.append(traceback.format_exc())
    finally:
        threading.excepthook = threading.__excepthook__
    return "\n".join(raised)


@contextlib.contextmanager
def _timed(seconds: float) -> Iterator[None]:
    """Raises `Hang` after so many `seconds` of processor time; ends the program with all traces after `_STUCK`."""

    def hang(_number: int, _frame: FrameType | None) -> None:
        raise Hang

    faulthandler.dump_traceback_later(_STUCK, exit=True)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, hang)
        signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()


def run(inputs: int, seed: int, names: Sequence[str] = ()) -> list[str]:
    """What went wrong with so many inputs, spread over the targets of these `names`, or all; a line for each goes to
    stdout."""
    targets = [target for target in TARGETS if not names or target.name in names]
    total, found = sum(target.share for target in targets), []
    for target in targets:
        count = max(1, round(inputs * target.share / total))
        began = time.monotonic()
        for number in range(count):
            data = input_of(target, seed, number)
            if trace := failure(target, data):
                found.append(f"{target.name}:{number} with --seed {seed}\n{data[:300]!r}\n{trace}")
        print(f"{target.name:<10}{count:>7} inputs {time.monotonic() - began:6.1f} s", flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="TARGET:NUMBER", help="one input, which goes to the file fuzz-input")
    parser.add_argument("--targets", nargs="+", metavar="NAME", choices=[target.name for target in TARGETS], default=())
    options = parser.parse_args()
    logging.disable()
    if options.only is None:
        found = run(options.inputs, options.seed, options.targets)
        print(*found[:20], f"{len(found)} failures", sep="\n")
        return min(1, len(found))
    name, _, number = options.only.partition(":")
    target = next(target for target in TARGETS if target.name == name)
    data = input_of(target, options.seed, int(number))
    Path("fuzz-input").write_bytes(data)
    trace = failure(target, data)
    print(trace or "It is read or refused as it should be.")
    return 1 if trace else 0


if __name__ == "__main__":
    sys.exit(main())
