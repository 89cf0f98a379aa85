"""The fuzz program in the suite: a share of it always, all of it where slow tests are asked for (``-m slow``)."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fuzz.__main__ import failure
from tests.fuzz.targets import TARGETS, Target

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Every damaged value is a warning."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("inputs", [100, pytest.param(2_000, marks=pytest.mark.slow)])
def test_damaged_inputs_raise_only_the_errors_of_the_decoders(inputs: int) -> None:
    """In a process of its own: a hang is detected by the processor time of all threads."""
    command = [sys.executable, "-m", "tests.fuzz", "--inputs", str(inputs), "--seed", "1"]
    done = subprocess.run(command, check=False, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert done.stdout.endswith("\n0 failures\n"), done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_inputs_as_they_are_raise_nothing(target: Target) -> None:
    for seed in target.seeds():
        assert failure(replace(target, errors=()), seed) == ""


def target(use: object, *errors: type[Exception]) -> Target:
    return replace(TARGETS[0], use=use, errors=errors)  # type: ignore[arg-type]


def test_another_error_is_a_failure_with_its_trace() -> None:
    assert "JSONDecodeError" in failure(target(json.loads), b"{")
    assert failure(target(json.loads, ValueError), b"{") == ""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="timers of POSIX")
def test_an_input_that_is_never_read_to_its_end_is_a_failure() -> None:
    def endless(_data: bytes) -> None:
        while True:
            try:
                sum(range(1000))
            except Exception:
                continue

    assert "Hang" in failure(target(endless, Exception), b"")
