"""The thread that the games of these tests share with nobody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai.worker import Worker


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()
