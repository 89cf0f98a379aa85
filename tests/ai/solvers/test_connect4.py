"""The solver agrees with plain minimax, says what is proven, and keeps to its limits."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ai.core.player import Info, Limit, Stop, answer
from ai.core.score import PROVEN, Score
from ai.lab.make_connect4_book import derived, layers, position_of, replies, save
from ai.solvers import connect4
from ai.solvers.connect4 import Connect4Solver, book
from games.connect4 import CELLS, Connect4Position
from games.position import SECOND, Position, Stones
from games.registry import setup

NOTHING: dict[int, int] = {}
SOON = 200_000_000  # nodes


def start() -> Connect4Position:
    position = setup("connect4").start()
    assert isinstance(position, Connect4Position)
    return position


def played(moves: str) -> Connect4Position:
    position = start()
    for move in moves:
        position = position.play(position.parse_move(move))
    return position


def by_chance(discs: int, seed: int) -> Connect4Position:
    """A position of a game that goes on."""
    dice = random.Random(seed)
    while True:
        position = start()
        while position.outcome is None and position.ply < discs:
            position = position.play(dice.choice(list(position.legal_moves())))
        if position.outcome is None:
            return position


@cache
def plain(position: Position) -> int:
    """The plies to the end from the side to move by minimax without any cut: positive for a win, 0 for a draw."""
    if position.outcome is not None:
        return 0
    values = []
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is not None:
            values.append(1 if after.outcome.winner == position.turn else 0)
            continue
        value = plain(after)
        values.append(0 if value == 0 else -value - 1 if value > 0 else -value + 1)
    wins, losses = [value for value in values if value > 0], [value for value in values if value < 0]
    return min(wins) if wins else 0 if 0 in values else min(losses)


@pytest.mark.parametrize("seed", range(30))
def test_every_column_has_its_exact_value(seed: int) -> None:
    position = by_chance(CELLS - 12 + seed % 9, seed)
    info = answer(Connect4Solver(1, NOTHING), position, Limit(lines=7))
    assert {line.moves[0] for line in info.lines} == set(position.legal_moves())
    for line in info.lines:
        assert line.exact
        after = position.play(line.moves[0])
        if after.outcome is not None:
            assert line.score >= PROVEN if after.outcome.winner is not None else line.score == 0
            continue
        expected = plain(after)
        assert line.score == 0 if expected == 0 else (line.score > 0) == (expected < 0)
        assert expected == 0 or len(line.moves) == abs(expected) + 1, "best play leads to the end that is promised"
    assert info.move == info.lines[0].moves[0]
    assert [line.score for line in info.lines] == sorted((line.score for line in info.lines), reverse=True)
    assert (info.mate or 0) == plain(position)


@pytest.mark.slow
def test_a_win_at_once_is_played() -> None:
    info = answer(Connect4Solver(1, NOTHING), played("cdcdcd"), Limit(seconds=10.0))
    assert (info.move, info.mate) == (2, 1)


@pytest.mark.parametrize(
    ("discs", "seed", "nodes", "lines"),
    [
        (22, 0, 0, [(-2, "ad"), (-2, "bd")]),
        (24, 1, 2418, [(-16, "bccccbbcbaffffee"), (-14, "ffbccffaccceee")]),
        (24, 4, 1000, [(1, "a"), (15, "faeeeeebbbfaadd")]),
        (26, 2, 33, [(1, "e"), (3, "cdd")]),
        (26, 5, 119, [(1, "d"), (3, "ede")]),
    ],
)
def test_the_best_lines_with_best_play(discs: int, seed: int, nodes: int, lines: list[tuple[int, str]]) -> None:
    position = by_chance(discs, seed)
    first, last = Connect4Solver(1, NOTHING).think(position, Limit(lines=2), Stop())
    assert (first.depth, last.depth, len(first.lines), first.lines[0].exact) == (CELLS, CELLS, 2, True)
    assert 0 <= last.seconds < 600
    assert (last.nodes, last.move, last.score) == (nodes, last.lines[0].moves[0], last.lines[0].score)
    found = [(Score(line.score).mate, "".join(map(position.move_text, line.moves))) for line in last.lines]
    assert found == lines


@pytest.mark.parametrize(
    ("seed", "proven", "nodes", "mates"),
    [
        (4, [3, 4, 5, 6, 7, 7], 285376, [3, 3, 19, 19, 21, 21, -24]),
        (5, [6, 7, 7], 38485, [-24, -2, -2, -2, -2, -2, -2]),
        (6, [5, 6, 7, 7], 191570, [21, 21, None, -24, -24, -24, -22]),
    ],
)
def test_moves_that_are_not_proven_quickly_are_proven_one_after_the_other(
    seed: int, proven: list[int], nodes: int, mates: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Estimates take time, so that they are not always the same; here they are."""
    monkeypatch.setattr(connect4, "answer", lambda *given: Info(3, given[1].first % 100))
    infos = list(Connect4Solver(1, NOTHING).think(by_chance(16, seed), Limit(lines=7), Stop()))
    assert [sum(line.exact for line in info.lines) for info in infos] == proven
    assert [info.depth for info in infos] == [CELLS if info.lines[0].exact else 7 for info in infos]
    assert (infos[-1].nodes, [Score(line.score).mate for line in infos[-1].lines]) == (nodes, mates)
    assert [len(line.moves) for line in infos[-1].lines] == [26 if mate is None else abs(mate) for mate in mates]


@pytest.mark.parametrize(("seconds", "each"), [(None, 0.2), (10.0, 0.2), (0.5, 0.1)])
def test_an_estimate_of_a_move_takes_its_part_of_the_time(
    seconds: float | None, each: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[Limit] = []
    monkeypatch.setattr(connect4, "answer", lambda *given: limits.append(given[2]) or Info(3, 5))
    info = next(Connect4Solver(1, NOTHING).think(start(), Limit(seconds=seconds, lines=7), Stop()))
    assert limits == 7 * [Limit(each / 7, 7)]
    assert ([line.score for line in info.lines], info.depth) == (7 * [-5], 7)


def test_an_estimate_is_not_called_exact() -> None:
    """Of the empty board nothing is proven within a few nodes."""
    info = answer(Connect4Solver(1, NOTHING), start(), Limit(nodes=1_000, lines=7))
    assert not any(line.exact for line in info.lines)
    assert (info.mate, info.depth, len(info.lines), info.nodes) == (None, 7, 7, 20_001)


def test_a_stop_ends_a_long_proof() -> None:
    stop, found = Stop(), []
    for info in Connect4Solver(1, NOTHING).think(start(), Limit(), stop):
        found.append(info)
        stop.set()
    assert not found[-1].lines[0].exact


@pytest.mark.slow
def test_a_position_in_which_one_side_has_more_discs() -> None:
    """Red moves twice in a row: it has three discs, one above the other."""
    position = start().arranged(Stones(((3, 10, 17, 24, 31, 38)[3:], ()), SECOND))
    info = answer(Connect4Solver(1, NOTHING), position.play(0), Limit(seconds=10.0))
    assert (info.move, info.mate) == (3, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 3))])
def test_the_book_agrees_with_a_search(seed: int) -> None:
    known = book()
    key = random.Random(seed).choice([key for key in layers(8)[8] if key in known])
    own, filled = position_of(key)
    position = Connect4Position(own, own ^ filled)
    info = answer(Connect4Solver(64, NOTHING), position, Limit(nodes=SOON))
    value = answer(Connect4Solver(1, known), position, Limit(nodes=SOON))
    assert info.lines[0].exact
    assert (info.score, info.mate) == (value.score, value.mate)


def test_earlier_positions_follow_from_later_ones() -> None:
    """All of one disc follow from those of two: here the value is the column of the second disc."""
    *earlier, last = layers(2)
    assert [len(layer) for layer in (*earlier, last)] == [1, 4, 25]
    found = derived({key: position_of(key)[1].bit_length() // 7 for key in last}, earlier)
    assert len(found) == 30
    for key in earlier[1]:
        assert found[key] == max(-(position_of(reply)[1].bit_length() // 7) for reply in replies(key))
    without_one = derived(dict.fromkeys(last[1:], 0), earlier)
    assert 0 not in without_one


@pytest.mark.slow
def test_the_book_knows_all_positions_of_eight_discs_and_less() -> None:
    known = book()
    assert all(key in known for layer in layers(8) for key in layer)


def test_the_first_moves_have_their_published_values() -> None:
    """James Dow Allen and Victor Allis, 1988: only the middle column wins, and those beside it draw."""
    known, (middle, *others) = book(), replies(0)
    assert known[middle] < 0
    assert sorted(known[each] for each in others[:2]) == [0, 0]
    assert all(known[each] > 0 for each in others[2:])


def test_a_book_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = {5: -3, 1: 21, 1 << 48: 0}
    save(found, tmp_path / "book.npz")
    assert book(tmp_path / "book.npz") == found


@pytest.mark.parametrize(("steps", "values"), [([1, 2], [3]), ([1], [3, 4]), ([1], [43]), ([1], [-43])])
def test_a_damaged_book_is_empty(steps: list[int], values: list[int], tmp_path: Path) -> None:
    np.savez(tmp_path / "book.npz", steps=steps, values=values)
    assert book(tmp_path / "book.npz") == {}
    np.savez(tmp_path / "good.npz", steps=[1, 2], values=[42, -42])
    assert book(tmp_path / "good.npz") == {1: 42, 3: -42}


def test_the_lines_of_many_moves_are_followed_within_the_limit() -> None:
    """A slice of nodes for each candidate of each line took seconds more than there were."""
    player = Connect4Solver(16)
    answer(player, played("ddcc"), Limit(nodes=1, lines=7))
    assert player.nodes <= 200_000
