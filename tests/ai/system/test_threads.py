"""How many threads run at once, and which stand back."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from ai.system.threads import give_way, processors


def test_there_is_one_processor_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    for known, count in ((8, 8), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda known=known: known)
        assert processors() == count


@pytest.mark.skipif(sys.platform != "linux", reason="only there a thread has a priority of its own")
def test_a_thread_gives_way_by_seven_of_nineteen() -> None:
    found: list[int] = []

    def run() -> None:
        for _ in range(4):
            found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
            give_way()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [min(19, found[0] + 7 * times) for times in range(4)]
