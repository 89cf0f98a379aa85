"""The analysis of positions as data and as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.core.score import PROVEN, WIN
from ai.players.table import Context, make
from ai.service.analyse import analyse, enable_tracing, last_search, public, text_lines, value_text
from games.formats.text import parse
from games.position import Position
from games.registry import setup


class Saying(Player):
    """Gives one answer."""

    nodes = 0

    def __init__(self, info: Info) -> None:
        self.info = info

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield self.info


def facts_of(info: Info, limit: Limit, moves: str = "a1b2") -> dict[str, Any]:
    (facts,) = analyse(parse(moves, setup("tictactoe")), Saying(info), limit, last=True)
    return facts


@pytest.mark.parametrize(
    ("score", "mate", "words"),
    [
        (120, None, "score +120"), (-5, None, "score -5"), (0, None, "score 0"), (WIN - 1, 1, "wins in 1 ply"),
        (WIN - 3, 3, "wins in 3 plies"), (1 - WIN, -1, "loses in 1 ply"), (2 - WIN, -2, "loses in 2 plies"),
        (PROVEN, None, "wins"), (PROVEN - 1, None, f"score +{PROVEN - 1}"), (-PROVEN, None, "loses"),
        (WIN, 0, "has won"), (-WIN, 0, "has lost"),
    ],
)  # fmt: skip
def test_a_value_in_words(score: int, mate: int | None, words: str) -> None:
    assert value_text({"score": score, "mate": mate}) == words


BOTH = Limit(seconds=1.0, depth=4)


@pytest.mark.parametrize(
    ("info", "limit", "complete"),
    [
        (Info(2, 0, 4), BOTH, True), (Info(2, 0, 3), BOTH, False), (Info(2, 0, 5), BOTH, True),
        (Info(2, 0, 3), Limit(seconds=1.0), True), (Info(2, 0, 3), Limit(depth=4), True),
        (Info(2, PROVEN, 3), BOTH, True), (Info(2, -PROVEN, 3), BOTH, True), (Info(2, PROVEN - 1, 3), BOTH, False),
        (Info(2, 0, 3, lines=(Line(0, (2,), exact=True),)), BOTH, True),
        (Info(2, 0, 3, lines=(Line(0, (2,)),)), BOTH, False),
        (Info(2, 0, 4, complete=False), BOTH, False), (Info(2, 0, 1, complete=True), BOTH, True),
    ],
)  # fmt: skip
def test_a_search_that_was_cut_off_is_not_complete(info: Info, limit: Limit, complete: bool) -> None:
    facts = facts_of(info, limit)
    assert facts["complete"] is complete
    assert ("unfinished" in next(text_lines(facts))) is not complete


def test_the_data_of_a_position_and_its_text() -> None:
    lines = Line(120, (2, 1)), Line(WIN - 3, (0,))
    facts = facts_of(Info(2, 120, 7, 99, 1.23456, lines), Limit(depth=7))
    assert facts == {
        "ply": 2, "move": "b2", "to_move": "x", "complete": True, "best": "c3", "score": 120, "mate": None, "depth": 7,
        "nodes": 99, "seconds": 1.235, "pv": ["c3", "b3"], "pv_sides": ["x", "o"],
        "lines": [
            {"move": "c3", "score": 120, "mate": None, "pv": ["c3", "b3"], "pv_sides": ["x", "o"]},
            {"move": "a3", "score": WIN - 3, "mate": 3, "pv": ["a3"], "pv_sides": ["x"]},
        ],
    }  # fmt: skip
    assert [" ".join(line.split()) for line in text_lines(facts)] == [
        "2 b2 x score +120 depth 7 nodes 99 c3 b3", "c3 score +120 c3 b3", "a3 wins in 3 plies a3",
    ]  # fmt: skip
    assert len(list(text_lines(facts | {"lines": facts["lines"][:1]}))) == 1
    assert "pv_sides" not in public(facts)
    assert public(facts)["lines"][0] == {"move": "c3", "score": 120, "mate": None, "pv": ["c3", "b3"]}
    assert public({"score": 1, "pv_sides": []}) == {"score": 1}


def test_which_positions_are_analysed() -> None:
    def plies(moves: str, last: bool) -> list[int]:
        return [facts["ply"] for facts in analyse(parse(moves, setup("tictactoe")), Saying(Info(2)), Limit(), last)]

    assert (plies("a1b2", False), plies("a1b2", True), plies("", False), plies("", True)) == ([1, 2], [2], [0], [0])
    *_, over = analyse(parse("a1a2b1b2c1", setup("tictactoe")), Saying(Info(2)), Limit())
    assert (over["best"], over["mate"], over["score"], over["complete"], over["depth"]) == (None, 0, -WIN, True, 0)
    assert (over["nodes"], over["seconds"]) == (0, 0.0)
    assert next(text_lines(over)).split()[3:5] == ["has", "lost"]


def test_the_tree_of_the_last_search_is_that_of_the_last_position_that_is_not_over() -> None:
    context = Context("tictactoe")
    for moves, root in (("a1b2", "a1 b2"), ("a1a2b1b2c1", "a1 a2 b1 b2")):
        record, player = parse(moves, setup("tictactoe")), enable_tracing(make("alphabeta", context), "alphabeta")
        list(analyse(record, player, Limit(depth=2)))
        tree = last_search(record, player, "alphabeta")
        assert (tree["game"], tree["player"], tree["root"], tree["nodes"] > 1) == ("tictactoe", "alphabeta", root, True)
    with pytest.raises(ValueError, match="“random” does not write the tree of its search; engine, "):
        enable_tracing(make("random", context), "random")
