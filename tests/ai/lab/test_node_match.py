"""Matches by nodes: which games they consist of."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from ai.lab.node_match import NodeMatch, Scores


def test_no_round_of_the_same_openings_repeats_the_games_of_another(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("h8i9g7\nh8h9i10\n")
    match = NodeMatch("gomoku", ("random", "random"), (100, 50), rule="renju", openings=str(file))
    starts = list(islice(match.starts(), 5))
    assert [turn for _, turn in starts] == [0, 0, 1, 1, 2]
    assert {position.rules.rule for position, _ in starts} == {"renju"}  # type: ignore[attr-defined]
    assert len({(position, turn) for position, turn in starts}) == 5


def test_an_sprt_decides_for_the_clearly_better_player() -> None:
    assert Scores([1, 1, 1, 0.5] * 20).sprt(30).status == "elo1"
    assert Scores([1, 0] * 200).sprt(30).status == "elo0"
    assert Scores([1, 0, 1, 1]).sprt(30).status == "open"
