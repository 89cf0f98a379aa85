"""What the library looks for."""

from __future__ import annotations

import time
from datetime import datetime

import pytest

from tests.ui.stage import SPOKEN
from ui.library.state import FILTERS, LibraryFilter
from ui.toolkit.i18n import set_language


def test_an_opponent_of_one_name_is_one_choice() -> None:
    pairs = [("gomoku", "engine"), ("tictactoe", "alphabeta"), ("bones", "=Ada")]
    filter = LibraryFilter()
    assert [value for value, _ in filter.options("opponent", pairs)] == ["", "Full strength", "Ada"]
    filter.set("opponent", "Full strength")
    assert filter.query(pairs).opponents == (("gomoku", "engine"), ("tictactoe", "alphabeta"))
    filter.set("opponent", "Somebody who is gone")
    assert filter.query(pairs).opponents, "which admits nothing, rather than everything"
    assert filter.label("opponent") == "Somebody who is gone"


def test_days_begin_at_midnight() -> None:
    filter, now = LibraryFilter(), time.time()
    assert filter.query(()).since == 0
    for date, days in (("today", 0), ("week", 7), ("month", 30), ("year", 365)):
        filter.set("date", date)
        assert datetime.fromtimestamp(filter.query(()).since).time() == datetime.min.time()
        assert 0 <= now - filter.query(()).since - days * 86_400 < 26 * 3600, date
    assert filter.active
    filter.clear()
    assert not filter.active


@pytest.mark.parametrize("language", SPOKEN)
def test_every_choice_has_a_text(language: str) -> None:
    set_language(language)
    filter = LibraryFilter()
    for name in (*FILTERS, "sort"):
        for value, text in filter.options(name, [("gomoku", "engine")]):
            filter.set(name, value)
            assert text
            assert filter.label(name)
