"""The check of reviews, and the figures that were recorded of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ai.lab import review_check
from ai.lab.review_check import NODES_PER_SECOND, ByNodes, Checked, figures
from ai.player import Info, Limit, Player, Stop, answer
from games.formats.text import parse
from games.position import Position

LAB = Path(review_check.__file__).parent


def recorded(name: str) -> dict[str, Any]:
    """The figures of a file, which are the sums over its games."""
    found: dict[str, Any] = json.loads((LAB / f"review_{name}.json").read_text(encoding="utf-8"))
    lists = ("planted", "others", "confirmed")
    games = [Checked(**one | {key: tuple(one[key]) for key in lists}) for one in found["by_game"]]
    assert figures(games) == {key: found[key] for key in figures(games)}
    return found


@pytest.mark.parametrize("name", ["planted", "planted_fresh"])
def test_planted_blunders_were_found(name: str) -> None:
    found = recorded(name)
    assert (found["games"], found["planted"], found["seconds"]) == (30, 30, 0.5)
    assert found["found"] >= 28


@pytest.mark.parametrize("name", ["honest", "honest_fresh", "honest_longer"])
def test_in_games_of_the_engine_against_itself_one_blunder_at_most_was_false(name: str) -> None:
    found = recorded(name)
    assert (found["games"], found["planted"], found["seconds"]) == (30, 0, 0.5)
    assert found["false"] <= 1


def test_only_blunders_and_missed_wins_count_as_found() -> None:
    one = Checked(
        "a", "renju", 20, ("9:blunder(0.50)",), ("12:blunder(0.30)", "14:missed_win(0.50)"), ("14:0.40",), 1.0, 1.0
    )
    other = Checked("b", "renju", 30, ("9:mistake(0.50)",), (), (), 1.0, 1.0)
    sums = {"games": 2, "moves": 50, "planted": 2, "found": 1, "others": 2, "false": 1}
    assert figures([one, other]) == sums


class Told(Player):
    """Remembers the limit."""

    nodes = 0
    limit = Limit()

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.limit = limit
        yield Info(position.candidates()[0])


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (Limit(seconds=0.5, depth=7, lines=2), Limit(nodes=NODES_PER_SECOND // 2, depth=7, lines=2)),
        (Limit(), Limit()),
    ],
)
def test_nodes_stand_for_seconds(limit: Limit, told: Limit) -> None:
    player = Told()
    answer(ByNodes(player), parse("h8").position, limit)
    assert player.limit == told
