"""The second opinion on judgements: when a move is to blame, and which one decided a game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai.core.player import Info, Limit, Player, Stop
from ai.core.score import Score
from ai.lab.second_opinion import Blame, SecondOpinion
from ai.review.judgement import Judged
from ai.review.report import Reviewed
from ai.review.why import Why
from games.formats.text import parse
from games.position import Position

PLAYED, BETTER = "h8i9", "h8g7"


class Knowing(Player):
    """Proves that the second side wins, or loses, after some moves."""

    nodes = 0

    def __init__(self, proven: dict[str, bool]) -> None:
        self._known = {parse(moves).position.key: wins for moves, wins in proven.items()}

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        wins = self._known.get(position.key)
        own = wins if position.turn == 1 or wins is None else not wins
        yield Info(position.candidates()[0], 0 if own is None else Score.win_in(9) if own else Score.loss_in(8))


@pytest.mark.parametrize(
    ("why", "played", "better", "blame"),
    [
        (Why("loses", 0), False, None, Blame.RIGHT),
        (Why("loses", 0), False, False, Blame.MISPLACED),
        (Why("loses", 0, seems=True), False, False, Blame.DOUBTED),
        (Why("loses", 0), True, None, Blame.FALSE),
        (Why("misses", 0), None, True, Blame.RIGHT),
        (Why("misses", 0), True, True, Blame.MISPLACED),
        (Why("may_miss", 0), True, True, Blame.DOUBTED),
        (Why("misses", 0), None, False, Blame.FALSE),
        (Why("lost", 0), False, False, Blame.RIGHT),
        (Why("lost", 0), False, True, Blame.FALSE),
        (Why("threatens", 0), None, False, Blame.MISPLACED),
        (Why("threatens", 0), None, None, Blame.RIGHT),
    ],
)
def test_a_move_is_to_blame_unless_the_better_one_loses_or_it_still_wins(
    why: Why, played: bool | None, better: bool | None, blame: Blame
) -> None:
    found = {PLAYED: played, BETTER: better}
    player = Knowing({moves: wins for moves, wins in found.items() if wins is not None})
    node = parse(PLAYED).cursor
    best = node.position.parse_move("g7")
    judged = Judged(1, node, 1, "blunder", 0.5, 0.0, best, (best,))
    assert SecondOpinion(player, 0.1).blame(judged, why) is blame


def test_the_decisive_move_is_the_first_from_which_on_all_is_proven() -> None:
    moves = "h8a1i8a3j8a5k8c3l8"
    record = parse(moves)
    lost = ("h8a1i8a3", "h8a1i8a3j8", "h8a1i8a3j8a5", "h8a1i8a3j8a5k8", "h8a1i8a3j8a5k8c3")
    line = record.line()[1:]
    judged = [Judged(n, node, n % 2, "best", 0.0, 0.5, node.move, (node.move,)) for n, node in enumerate(line)]
    opinion = SecondOpinion(Knowing(dict.fromkeys(lost, False)), 0.1)
    decided = opinion.decisive(Reviewed(record, tuple(judged), (), (None, None)))
    assert decided is not None
    assert decided.node.position.ply == 4


@pytest.mark.parametrize(
    ("proven", "throws"),
    [
        ({"h8i9": False}, True),
        ({"h8i9": False, "h8g7": False}, True),
        ({"h8i9": False, "h8g7": False, "h8g9": False}, False),
        ({"h8i9": False, "h8g9": False}, True),
    ],
)
def test_a_decisive_move_throws_away_a_game_in_which_another_move_does_not_lose(
    proven: dict[str, bool], throws: bool
) -> None:
    """Either the better one of the review, g7, or the one that the player would choose, g9."""
    node = parse(PLAYED).cursor
    assert node.parent is not None
    chosen = node.parent.position.candidates()[0]
    best = node.position.parse_move("g7")
    assert node.parent.position.move_text(chosen) == "g9"
    judged = Judged(1, node, 1, "good", 0.0, 0.5, best, (best,))
    assert SecondOpinion(Knowing(proven), 0.1).throws_away(judged) is throws
    own = Judged(1, node, 1, "good", 0.0, 0.5, node.move or 0, ())
    assert SecondOpinion(Knowing({"h8i9": False}), 0.1).throws_away(own), "the review knows no better move"
