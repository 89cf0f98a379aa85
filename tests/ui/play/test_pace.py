"""How long a level waits before it answers, and when a low clock is heard."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from games.clock import ClockFace, TimeControl
from games.record import GameRecord, Node
from games.registry import setup
from ui.play.screen import TICKS, ClockWatch
from ui.play.state import answer_delay


def test_levels_pause_as_people_do_and_engines_do_not() -> None:
    record = GameRecord(setup("gomoku"))
    assert answer_delay("engine", record.position) == 0.0
    seen = set()
    for _ in range(6):
        record.play(record.position.candidates()[0])
        seen.add(round(answer_delay("level:1", record.position), 3))
    assert len(seen) > 3, "never twice the same"


# When a low clock is heard.


def heard(watch: ClockWatch, node: Node, *seconds: float, low: float = 10.0) -> list[float]:
    """At which of `seconds` left there is something to hear."""
    return [left for left in seconds if watch.is_alert_due(node, ClockFace(left, 0, byoyomi=False), left < low)]


def node() -> Node:
    return Node(setup("tictactoe").start())


def test_once_when_it_becomes_low_and_at_each_of_the_last_seconds() -> None:
    assert heard(ClockWatch(bool, bool), node(), 12, 10.01, 9.99, 9.5, 9.1, 8.5, 6, 5.01) == [9.99]
    at_the_end = heard(ClockWatch(bool, bool), node(), 5.2, 4.9, 4.5, 4.1, 3.9, 2.95, 2.0, 1.5, 0.9, 0.1, 0)
    assert at_the_end == [4.9, 3.9, 2.95, 1.5, 0.9]
    assert TICKS == 5


def test_a_turn_that_begins_with_a_low_clock_is_no_news() -> None:
    alert, first, second = ClockWatch(bool, bool), node(), node()
    assert heard(alert, first, 10.5, 9.9, 8.2) == [9.9]
    assert heard(alert, second, 200, 199) == []
    assert heard(alert, first, 8.0, 7.9, 5.2) == []
    assert heard(alert, second, 4.9, 4.8) == [4.9], "but the last seconds are counted"


def test_each_period_of_byoyomi_is_heard() -> None:
    alert, here = ClockWatch(bool, bool), node()
    assert heard(alert, here, 30, 9.9, 8) == [9.9]
    assert heard(alert, here, 30, 9.9, 8) == [9.9]


def test_the_time_that_was_spent_is_saved_every_five_seconds_while_a_clock_runs() -> None:
    record, saved = GameRecord(setup("tictactoe"), control=TimeControl(60)), []
    live: Any = SimpleNamespace(
        record=record, running=True, person_to_move=False, clocks=lambda: record.clocks(0.0), record_time=bool
    )
    watch = ClockWatch(bool, lambda: saved.append(now))
    for now in (100.0, 104.9, 105.0, 109.9, 110.0, 200.0):
        live.running = now < 200
        watch.update(live, now)
    assert saved == [100.0, 105.0, 110.0]


@pytest.mark.parametrize(
    ("level", "game", "longest"),
    [("1", "gomoku", 1.6), ("2", "gomoku", 1.48), ("10", "gomoku", 0.52), ("even", "gomoku", 1.36),
     ("1", "tictactoe", 0.96)],
)  # fmt: skip
@pytest.mark.parametrize(
    ("ply", "candidates", "value", "complexity"),
    [(5, 3, 999, 0.3), (6, 2, 999, 0.15), (6, 3, 400, 0.6), (6, 3, 401, 1.0), (6, 3, -401, 1.0)],
)
def test_a_pause_is_longer_the_more_there_is_to_think_about(
    monkeypatch: pytest.MonkeyPatch, level: str, game: str, longest: float, ply: int, candidates: int, value: int,
    complexity: float,
) -> None:  # fmt: skip
    position: Any = SimpleNamespace(game=game, ply=ply, candidates=lambda: [0] * candidates, evaluate=lambda: value)
    if game == "tictactoe" and ply == 5:
        complexity = 1.0  # it has no opening
    for luck, share in ((0.0, 0.4), (1.0, 1.0)):
        monkeypatch.setattr("ui.play.state.chance", lambda *_, luck=luck: luck)
        expected = 0.35 + (longest - 0.35) * complexity * share
        assert answer_delay(f"level:{level}", position) == pytest.approx(expected)
