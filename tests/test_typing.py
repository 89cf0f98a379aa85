"""What mypy finds: a wrong call that opens a screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CALLS = """
from games.record import GameRecord
from ui import screens
from ui.window.host import Host

def wrong(host: Host, record: GameRecord) -> None:
    host.open(screens.repaly, record)
    host.open(screens.replay, 42)
    host.open(screens.replay, record, at_cursr=True)

def right(host: Host, record: GameRecord) -> None:
    host.open(screens.replay, record, at_cursor=True)
"""


@pytest.mark.slow
def test_a_wrong_call_of_a_screen_passed_the_check_of_types(tmp_path: Path) -> None:
    """`host.open("repaly", 42, at_cursr=True)` was as good as any."""
    file = tmp_path / "calls.py"
    file.write_text(CALLS)
    command = [sys.executable, "-m", "mypy", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = CALLS.splitlines()
    found = {lines[int(line.split(":")[1]) - 1].strip() for line in done.stdout.splitlines() if ": error:" in line}
    assert found == {line.strip() for line in lines[6:9]}, done.stdout + done.stderr
