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

from tests.fuzz.__main__ import failure, input_of, run
from tests.fuzz.targets import TARGETS, Target

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Every damaged value is a warning."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


def test_a_thousand_damaged_inputs_raise_only_the_errors_of_the_decoders() -> None:
    assert run(1000, 1) == []


@pytest.mark.slow
def test_twenty_thousand_damaged_inputs_raise_only_the_errors_of_the_decoders(tmp_path: Path) -> None:
    environment = {**os.environ, "TENGEN_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "tests.fuzz", "--inputs", "20000", "--seed", "1"]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stdout[-5000:] + ended.stderr[-5000:]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_inputs_as_they_are_raise_nothing(target: Target) -> None:
    for seed in target.seeds():
        assert failure(replace(target, errors=()), seed) == ""


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_inputs_follow_from_seed_and_number(target: Target) -> None:
    inputs = [input_of(target, 1, number) for number in range(50)]
    assert inputs == [input_of(target, 1, number) for number in range(50)]
    assert len(set(inputs)) > 25
    assert inputs != [input_of(target, 2, number) for number in range(50)]


def target(use: object, *errors: type[Exception]) -> Target:
    return replace(TARGETS[0], use=use, errors=errors)  # type: ignore[arg-type]


def test_another_error_is_a_failure_with_its_trace() -> None:
    assert "JSONDecodeError" in failure(target(json.loads), b"{")
    assert failure(target(json.loads, ValueError), b"{") == ""


@pytest.mark.skipif(os.name != "posix", reason="timers of POSIX")
def test_an_input_that_is_never_read_to_its_end_is_a_failure() -> None:
    def endless(_data: bytes) -> None:
        while True:
            try:
                sum(range(1000))
            except Exception:
                continue

    assert "Hang" in failure(target(endless, Exception), b"")
