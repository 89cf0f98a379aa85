"""When a low clock is heard."""

from __future__ import annotations

from games.clock import Face
from games.record import Node
from games.registry import setup
from ui.game.low_time import TICKS, Alarm


def heard(alarm: Alarm, node: Node, *seconds: float, low: float = 10.0) -> list[float]:
    """At which of `seconds` left there is something to hear."""
    return [left for left in seconds if alarm.rings(node, Face(left, 0, byoyomi=False), left < low)]


def node() -> Node:
    return Node(setup("tictactoe").start())


def test_once_when_it_becomes_low_and_at_each_of_the_last_seconds() -> None:
    assert heard(Alarm(), node(), 12, 10.01, 9.99, 9.5, 9.1, 8.5, 6, 5.01) == [9.99]
    assert heard(Alarm(), node(), 5.2, 4.9, 4.5, 4.1, 3.9, 2.95, 2.0, 1.5, 0.9, 0.1, 0) == [4.9, 3.9, 2.95, 1.5, 0.9]
    assert TICKS == 5


def test_a_turn_that_begins_with_a_low_clock_is_no_news() -> None:
    alarm, first, second = Alarm(), node(), node()
    assert heard(alarm, first, 10.5, 9.9, 8.2) == [9.9]
    assert heard(alarm, second, 200, 199) == []
    assert heard(alarm, first, 8.0, 7.9, 5.2) == []
    assert heard(alarm, second, 4.9, 4.8) == [4.9], "but the last seconds are counted"


def test_each_period_of_byoyomi_is_heard() -> None:
    alarm, here = Alarm(), node()
    assert heard(alarm, here, 30, 9.9, 8) == [9.9]
    assert heard(alarm, here, 30, 9.9, 8) == [9.9]
