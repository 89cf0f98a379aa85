"""What there is to see in a position."""

from __future__ import annotations

from itertools import islice

import pytest

from ai.core.player import Info, Line
from ai.core.score import Score
from ai.players.opponent.chances import (
    TACTICS,
    Chance,
    chance_after,
    chances,
    pool,
    tactics,
    win_chance,
    win_chance_by,
    win_chances,
)
from ai.review.gomoku import reason, threats
from games.position import Position
from games.registry import GAMES
from tests.ai.players.opponent.positions import at, random_positions


def seen(position: Position) -> dict[str, set[str]]:
    return {each.kind: {position.move_text(move) for move in each.moves} for each in chances(position)}


@pytest.mark.parametrize("game", GAMES)
def test_a_chance_is_of_a_known_kind_and_its_moves_are_legal(game: str) -> None:
    found: list[Chance] = []
    for position in islice(random_positions(game, 6, 1), 150):
        for chance in chances(position):
            assert chance.kind in tactics(game).kinds
            assert chance.moves
            assert chance.moves <= set(position.legal_moves())
            found.append(chance)
    assert len(found) > (10 if game in TACTICS else 0)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("h8a1i8a3j8", {"three": "g8 k8"}), ("h8a1i8a3k8", {"broken_three": "g8 j8 l8"}),
        ("h8g8i8a1j8a3k8", {"four": "l8"}), ("h8g8i8a1k8a3l8", {"broken_four": "j8"}),
        ("h8a1i8a3j8c3a15c4o1c5", {"attack": "f8 g8 k8 l8", "three": "c2 c6 f8 g8 k8 l8"}),
        ("h8g8i8a1j8a3l9a5m10", {"double": "a2 a4 j7 k8 l8 n11"}),
        ("h8g8i8a1j8a3l9a5m10a7", {"double": "a2 a4 a6 k8 l8"}), ("a1a3b1a4c1a6", {"broken_three": "a2 a5 a7 d1 e1"}),
        ("a15a1c15o1d15n4e15", {"broken_four": "b15", "three": "b15 f15 g15"}),
        ("b15a1c15a3d15", {"three": "a15 e15 f15"}), ("e8d8f8h4g8a1h5c1h6e1h7", {"double": "b1 d1 h8 h9 i8"}),
        ("e8d8f8h4g8a1h5c1h6e1h7g1", {"attack": "h8 h9 i8", "double": "b1 d1 f1 h8 h9 i8"}),
    ],
)  # fmt: skip
def test_what_there_is_to_see_at_five_in_a_row(moves: str, expected: dict[str, str]) -> None:
    """Of a three or a double threat, what denies it, and the own fours."""
    assert seen(at("gomoku", moves)) == {kind: set(cells.split()) for kind, cells in expected.items()}


def test_a_threat_that_stood_where_two_columns_are_left_seemed_to_be_opened() -> None:
    assert seen(at("connect4", "dcggagaggaaaaebgbffedcdddeefdeebccbbfb")) == {"block_diagonal": {"c"}}


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_the_answers_to_a_three_are_those_that_leave_no_open_four(rule: str) -> None:
    checked = 0
    for position in random_positions("gomoku", 12, 5, rule):
        other = 1 - position.turn
        answers = next((each.moves for each in chances(position) if each.kind in ("three", "broken_three")), None)
        if answers is None or any("five" in threats(position, side).values() for side in (0, 1)):
            continue
        for move in {*answers, *position.legal_moves()[::9]}:
            after = position.play(move)
            makes_four = not {"open_four", "double_four", "four"}.isdisjoint(reason(position, move).makes)
            answered = makes_four or "open_four" not in threats(after, other).values()
            assert (move in answers) == answered, (position, position.move_text(move))
        checked += 1
        if checked == 3:
            return
    raise AssertionError("too few positions with a three")


def test_a_four_that_is_missed_would_have_won() -> None:
    """A four and a three at once may be answered by a four of the other side: to leave it is no oversight."""
    checked = 0
    for position in random_positions("gomoku", 12, 5):
        if (won := {each.kind: each.moves for each in chances(position)}.get("attack")) is None:
            continue
        afters = (position.play(move) for move in won)
        fives = [list(threats(after, position.turn).values()).count("five") for after in afters]
        assert min(fives) > 0, "each makes a four"
        assert max(fives) > 1
        checked += 1
    assert checked > 10
    moves = "h8g8i8a1j8a3l9a5m10"
    assert "k8" in seen(at("gomoku", moves))["double"]
    assert "attack" not in seen(at("gomoku", moves + "b7"))


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("", {}), ("d", {}), ("aabbcc", {"win": {"d"}}), ("agcgd", {"block_row": {"b"}}),
        ("ababa", {"block_column": {"a"}}), ("abbccdcdd", {"win": {"e"}, "block_diagonal": {"d", "e"}}),
    ],
)  # fmt: skip
def test_threats_at_connect_four_are_named_by_their_direction(moves: str, expected: dict[str, set[str]]) -> None:
    assert seen(at("connect4", moves)) == expected


@pytest.mark.parametrize(
    ("info", "chance"),
    [
        (Info(3, 40, lines=(Line(40, (3,), exact=True),)), 0.5), (Info(3, Score.win_in(3)), 1.0),
        (Info(3, Score.win_in(1)), 1.0), (Info(3, Score.loss_in(2)), 0.0), (Info(3, 0), 0.5),
    ],
)  # fmt: skip
def test_what_a_search_has_found_is_worth_to_either_side(info: Info, chance: float) -> None:
    position = at("connect4", "dd")
    assert (win_chance_by(position, info, 0), win_chance_by(position, info, 1)) == (chance, 1 - chance)
    assert 0.5 < win_chance_by(position, Info(3, 40, lines=(Line(40, (3,)),)), 0) < 1


def test_candidates_and_the_best_plans_are_considered_or_all_moves_where_they_are_few() -> None:
    assert [len(pool(at("gomoku", moves))) for moves in ("h8", "h8a1h9o15c3m13")] == [24, 20]
    assert set(pool(at("connect4", "dddddd"))) == {0, 1, 2, 4, 5, 6}
    few, many = (at("gomoku", moves, 5) for moves in ("a1b1c1d1e1a2c2b2e2d2a3b3d3", "a1b1c1d1e1a2c2b2e2d2a3b3"))
    assert [pool(each) == tuple(each.legal_moves()) for each in (few, many)] == [True, False]


def test_who_looks_two_plies_ahead_sees_the_answer() -> None:
    won, threatened = at("connect4", "aabbcc"), at("connect4", "agcgd")
    assert [chance_after(won, 3, depth) for depth in (1, 2)] == [1.0, 1.0]
    afters = {move: threatened.play(move) for move in range(7)}
    near, far = (win_chances(threatened, frozenset(range(7)), depth) for depth in (1, 2))
    assert near == {move: 1 - win_chance(after, after.evaluate()) for move, after in afters.items()}
    assert [move for move, chance in far.items() if chance > 0] == [1]
    assert [chance_after(at("connect4", "dae"), 0, depth) > 0 for depth in (2, 3, 4)] == [True, True, False]


def test_a_move_that_is_warned_of_lets_the_other_side_win_at_once() -> None:
    kinds = set()
    for position in random_positions("connect4", 20, 3):
        for chance in chances(position):
            lost = set(position.legal_moves()) - chance.moves
            if chance.kind != "win":
                kinds.add(chance.kind)
                afters = [position.play(move) for move in lost]
                assert all(any(after.play(reply).outcome for reply in after.legal_moves()) for after in afters)
    assert {"opens", "block_row", "block_column", "block_diagonal"} <= kinds


def test_the_diagonal_trap_of_tic_tac_toe_is_a_fork_to_prevent() -> None:
    assert seen(at("tictactoe", "a1b2c3")) == {"fork_block": {"a2", "b1", "b3", "c2"}}
    assert seen(at("tictactoe", "a1b2c3a3")) == {"block": {"c1"}}
    assert seen(at("tictactoe", "a1b1a3a2"))["fork"] == {"b2", "c3"}
    assert seen(at("tictactoe", "a1b1")) == seen(at("tictactoe", "")) == {}


def test_bones_have_one_good_move_or_none() -> None:
    assert seen(at("bones", "", 7)) == {"multiple": {"3"}}
    assert seen(at("bones", "", 8)) == {}
