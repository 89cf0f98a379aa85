"""Pools of processes: that they leave nothing behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import os, time
from ai.executors import open_executor
with open_executor(1) as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    pool.submit(time.sleep, 600).result()
"""


def test_workers_end_with_a_program_that_is_killed() -> None:
    """They have its standard output: that ends when they have ended."""
    with subprocess.Popen([sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert int(child.stdout.readline()) != child.pid
        child.kill()
        assert child.communicate(timeout=60)[0] == ""
