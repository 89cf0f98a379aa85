"""What players are told and tell: budgets, rates, options, transcripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from ai.core.player import (
    Budget,
    DepthStats,
    Info,
    Limit,
    Line,
    Player,
    Stop,
    Transcript,
    TranscriptLine,
    decimal,
    one_of,
    read_options,
    whole,
)
from games.position import Position
from games.registry import setup


@pytest.mark.parametrize(
    ("limit", "nodes", "left"),
    [
        (Limit(), 10**9, 1.0), (Limit(nodes=8), 0, 1.0), (Limit(nodes=8), 7, 0.125), (Limit(nodes=8), 8, 0.0),
        (Limit(seconds=20.0), 0, 0.75), (Limit(seconds=20.0, nodes=8), 4, 0.5), (Limit(seconds=5.0), 0, 0.0),
        (Limit(seconds=20.0, nodes=8), 1, 0.75), (Limit(seconds=0.0), 0, 0.0),
    ],
)  # fmt: skip
def test_the_share_of_a_budget_that_is_left_five_seconds_after_it_began(limit: Limit, nodes: int, left: float) -> None:
    budget = Budget(limit, Stop())
    budget.began -= 5.0
    assert 5.0 <= budget.seconds < 6.0
    assert budget.share_left(nodes) == pytest.approx(left, abs=0.02)
    assert budget.spent(nodes) == (left == 0.0)


def test_a_budget_is_spent_when_the_search_is_to_stop() -> None:
    stop = Stop()
    budget = Budget(Limit(), stop)
    assert not budget.spent(0)
    stop.set()
    assert budget.spent(0)


def test_a_player_warms_up_by_a_short_search() -> None:
    class Noting(Player):
        def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
            limits.append(limit)
            yield Info(0)

    limits: list[Limit] = []
    Noting().warm_up(setup("tictactoe").start())
    assert limits == [Limit(seconds=1.0, depth=1)]


def test_rates_of_a_search_are_unknown_without_anything_counted() -> None:
    found, none = DepthStats(3, Line(0, ()), 1.0, 8, 2, 4, 3), DepthStats(1, Line(0, ()), 1.0, 0)
    assert (found.first_cut_rate, found.hit_rate) == (0.75, 0.25)
    assert (none.first_cut_rate, none.hit_rate) == (None, None)
    assert DepthStats(1, Line(0, ()), 1.0, 8).hit_rate == DepthStats(1, Line(0, ()), 1.0, 8, cuts=1).first_cut_rate == 0
    assert Info(1, nodes=9, seconds=2.0).nodes_per_second == 4.5
    assert Info(1, nodes=9, seconds=0.5).nodes_per_second == 18.0


def test_a_record_has_depths_up_to_ten_thousand() -> None:
    assert [Info(1, 0, depth).evaluation(0).depth for depth in (0, 1, 10_000, 10_001)] == [0, 1, 10_000, 10_000]


@pytest.mark.parametrize(
    ("read", "good", "bad", "form"),
    [
        (whole(range(2, 5)), {"2": 2, "4": 4}, ("1", "5", "2.0", "x", ""), "from 2 to 4"),
        (decimal(0.5, 2), {"0.5": 0.5, "2": 2.0, "1e0": 1.0}, ("0.4", "2.1", "nan", "x"), "from 0.5 to 2"),
        (one_of("a", "b"), {"a": "a", "b": "b"}, ("c", ""), "one of a, b"),
    ],
)
def test_values_of_options_have_bounds(
    read: Callable[[str], object], good: dict[str, object], bad: tuple[str, ...], form: str
) -> None:
    assert {text: read(text) for text in good} == good
    for text in bad:
        with pytest.raises(ValueError, match=f"{form}$"):
            read(text)


def test_options_are_read_one_by_one() -> None:
    known = {"size": whole(range(9)), "mode": one_of("x=y", "z"), "BIG": str}
    assert read_options("kind", known, "") == {}
    assert read_options("kind", known, " size = 3,mode=x=y") == {"size": 3, "mode": "x=y"}
    for text, told in (("size", "size="), ("a b=1", "size="), ("other=1", "size, mode"), ("size=9", "from 0 to 8")):
        with pytest.raises(ValueError, match=told):
            read_options("kind", known, text)


def test_a_transcript_keeps_the_last_lines_and_counts_all() -> None:
    transcript = Transcript()
    assert transcript.last() == []
    transcript.add("sent", *map(str, range(1, 401)))
    transcript.add("heard", "y" * 501)
    assert transcript.count == 401
    assert transcript.last(2) == [TranscriptLine("sent", "400", 400), TranscriptLine("heard", "y" * 500, 401)]
    assert [line.number for line in transcript.last()] == list(range(2, 402))
    assert [line.number for line in transcript.last(1000)] == list(range(2, 402))
    assert (len(transcript.last(1)), transcript.last(0), transcript.last(-1)) == (1, [], [])
