"""Othello is registered for the tests of this folder only: what a game needs that flips, passes and counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.registry import GAMES
from tests.ui.newcomer.othello import OTHELLO


@pytest.fixture(autouse=True)
def othello(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    monkeypatch.setitem(GAMES, OTHELLO.key, OTHELLO)
