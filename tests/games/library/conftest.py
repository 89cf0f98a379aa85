"""A home of its own for each test, and libraries that are closed after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.library.library import GameLibrary
from tests.games.library.games import Open, settled


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def opened() -> Iterator[Open]:
    made: list[GameLibrary] = []

    def make(**options: object) -> GameLibrary:
        library = GameLibrary(**options)  # type: ignore[arg-type]
        made.append(library)
        library.refresh()
        return settled(library)

    yield make
    for library in made:
        library.close()
