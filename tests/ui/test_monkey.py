"""Random keys and buttons raise nothing and damage no file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_random_keys_and_buttons_find_no_fault(seed: int) -> None:
    """With the engine, in a process of its own."""
    command = [sys.executable, "-m", "tests.monkey", "--steps", "2000", "--seed", str(seed)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
