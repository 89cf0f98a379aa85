"""What a move is called and how accurate a player was."""

from __future__ import annotations

from typing import Any

import pytest

from ai.review.judgement import BLUNDER, INACCURACY, KINDS, MISTAKE, NEAR, accuracy, kind_of, move_accuracy


@pytest.mark.parametrize(
    ("loss", "facts", "kind"),
    [
        (0.0, {"first_choice": True, "only": True}, "only_move"),
        (0.0, {"first_choice": True}, "best"),
        (0.04, {"first_choice": True}, "best"),
        (0.01, {}, "best"),
        (0.01, {"only": True}, "best"),
        (0.02, {}, "good"),
        (0.02, {"first_choice": True}, "best"),
        (INACCURACY, {"first_choice": True}, "inaccuracy"),
        (0.03, {}, "good"),
        (INACCURACY, {}, "inaccuracy"),
        (MISTAKE, {}, "mistake"),
        (INACCURACY, {"lost_in": 5}, "blunder"),
        (INACCURACY, {"lost_in": 11}, "blunder"),
        (INACCURACY, {"lost_in": 12}, "mistake"),  # it decides the game
        (BLUNDER, {"lost_in": 40}, "blunder"),
        (MISTAKE, {"sound": True}, "mistake"),
        (INACCURACY, {"won_before": True}, "missed_win"),
        (MISTAKE, {"lost_in": NEAR + 2}, "mistake"),
        (0.03, {"lost_in": 5}, "mistake"),
        (0.0, {"lost_in": 5, "first_choice": True}, "good"),  # nothing better is known
        (BLUNDER, {}, "blunder"),
        (0.2, {"won_before": True}, "missed_win"),
        (0.03, {"won_before": True}, "good"),
        (0.6, {"won_before": True}, "missed_win"),
        (0.6, {"sound": True, "lost_in": 3}, "mistake"),
        (0.06, {"sound": True, "lost_in": 3}, "mistake"),
        (0.06, {"sound": True}, "inaccuracy"),
        (1.0, {"won_before": True, "lost_in": 15}, "blunder"),
        (0.0, {"held": 8, "first_choice": True}, "good"),  # nothing is best in a lost position
        (0.0, {"held": 8, "lost_in": 6}, "good"),
        (0.0, {"held": 8, "lost_in": 5}, "good"),
        (0.0, {"held": 8, "lost_in": 4}, "inaccuracy"),  # and none is a mistake
        (0.0, {"held": 8, "lost_in": 4, "first_choice": True}, "good"),
        (0.0, {"held": 8}, "good"),
    ],
)
def test_kinds(loss: float, facts: dict[str, Any], kind: str) -> None:
    known: dict[str, Any] = {"first_choice": False, "only": False, "won_before": False, "lost_in": None} | facts
    assert kind_of(loss, **known) == kind
    assert kind in KINDS


def test_accuracy_of_a_move_falls_with_its_loss() -> None:
    shares = [move_accuracy(loss / 100) for loss in range(101)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == pytest.approx(100, abs=0.01)
    assert round(shares[10]) == 64
    assert shares[100] == 0


def test_a_move_counts_by_what_was_at_stake() -> None:
    """Otherwise a lost game that is played on is an accurate one. Eight best moves and a blunder were 23.9 %."""
    wins, losses = [0.9, 0.8, 0.95, 0.7, 1.0, 0.5], [0.0, 0.1, 0.2, 0.3, 0.0]
    weights = [0.36, 0.64, 0.8, 1.0, 0.1]
    right = sum(weight * move_accuracy(loss) for weight, loss in zip(weights, losses, strict=True)) / sum(weights)
    assert accuracy(losses, wins, [0] * 5, 0) == pytest.approx(right)
    assert accuracy(losses, wins, [1, None, 0, 1, 1], 0) == pytest.approx(move_accuracy(0.2))


def test_a_player_without_a_move_has_no_accuracy() -> None:
    assert accuracy([0.0], [0.5, 0.5], [0], 1) is None
    assert accuracy([], [0.5], [], 0) is None
