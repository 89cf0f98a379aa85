"""No test but those of the sounds touches the sound device: pygame is ended and begun again all the time here, which
a thread that plays does not survive."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from ui.sound import Sounds


@pytest.fixture(autouse=True)
def _silence(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.module.__name__.rpartition(".")[2] != "test_sound":
        monkeypatch.setattr(Sounds, "_sound", lambda _self, _wanted: None)
        monkeypatch.setattr(Sounds, "_close_device", lambda _self: None)
        yield
        return
    yield
    for thread in threading.enumerate():
        if thread.name == "sounds":
            thread.join(10)
