"""The contract of `Position`, checked for every game in the registry, also new ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise

import pytest
from _pytest.mark import ParameterSet

from games.formats import tengen
from games.position import FIRST, PASS, SECOND, IllegalMove, Position, cells_of, changed_cells, score_of
from games.record import GameRecord, Mark
from games.registry import GAMES, Setup
from tests.games.strategies import SETUPS

GAMES_EACH = 6
LIMIT = 10_000_000

LARGE = 200
"""Cells of a board on which a game takes long."""


def _param(setup: Setup) -> ParameterSet:
    slow = pytest.mark.slow if len(setup.start().legal_moves()) >= LARGE else ()
    return pytest.param(setup, id=f"{setup.game}-{setup.rule}-{setup.size}", marks=slow)


every_setup = pytest.mark.parametrize("setup", [_param(setup) for setup in SETUPS])


def one_game(setup: Setup, seed: int) -> Iterator[Position]:
    """All positions of a game at random; every other game keeps to promising moves, so that rows arise."""
    dice = random.Random(f"{setup}{seed}")
    position = setup.start()
    yield position
    while position.outcome is None:
        moves = position.legal_moves() if seed % 2 else position.candidates()[:4]
        position = position.play(dice.choice(list(moves)))
        yield position


@cache
def positions(setup: Setup) -> list[Position]:
    """Every position of small games, every seventh of long ones, and always the first and the last."""
    found: list[Position] = []
    for seed in range(GAMES_EACH):
        game = list(one_game(setup, seed))
        assert len({position.key for position in game}) == len(game), "different positions have different keys"
        found += [*game[:: 1 + 6 * (len(game) > 60)], game[-1]]
    return found


@every_setup
def test_legal_moves_ascend_and_can_be_played(setup: Setup) -> None:
    start = setup.start()
    assert (start.ply, start.turn, start.outcome) == (0, FIRST, None)
    with pytest.raises(AttributeError):
        start.ply = 3  # type: ignore[misc]
    for position in positions(setup):
        moves = list(position.legal_moves())
        assert moves == sorted(set(moves))
        for move in moves:
            after = position.play(move)
            assert after.ply == position.ply + 1
            assert after.turn in (FIRST, SECOND)


@every_setup
def test_the_game_is_over_exactly_when_there_is_no_move(setup: Setup) -> None:
    for position in positions(setup):
        assert (position.outcome is None) == bool(position.legal_moves())
        if position.outcome is not None:
            assert position.outcome.winner in (FIRST, SECOND, None)
        assert -LIMIT < position.evaluate() < LIMIT


@every_setup
def test_every_other_number_is_refused(setup: Setup) -> None:
    for position in positions(setup):
        legal = set(position.legal_moves())
        for move in [*range(-3, 410, 7), -1, 225, 400, -(10**30), 10**30]:
            if move not in legal:
                with pytest.raises(IllegalMove, match=r"\w+ .*\.$") as caught:
                    position.play(move)
                assert caught.value.reason


@every_setup
def test_the_score_of_a_position_is_that_of_the_outcome_in_the_end(setup: Setup) -> None:
    for position in positions(setup):
        score = score_of(position)
        assert score is None or min(score) >= 0
        if position.outcome is not None and score is not None:
            assert position.outcome.score == score
            first, second = score
            assert position.outcome.winner == (None if first == second else int(second > first))


@every_setup
def test_a_game_in_which_a_side_may_pass_says_so(setup: Setup) -> None:
    passed = any(PASS in position.legal_moves() for position in positions(setup))
    assert passed <= GAMES[setup.game].passes


@every_setup
def test_what_a_line_changes_is_what_its_last_position_has(setup: Setup) -> None:
    """Where pieces are captured, too, which lines and diagrams left on the board."""
    if setup.board == (0, 0):
        pytest.skip("no cells")
    game = list(islice(one_game(setup, 1), 40))
    moves = [next(move for move in a.legal_moves() if a.play(move).key == b.key) for a, b in pairwise(game[:12])]
    start, end = game[0], game[len(moves)]
    cells = list(cells_of(start))
    for cell, content in changed_cells(start, moves).items():
        assert cells[cell] != content
        cells[cell] = content
    assert bytes(cells) == cells_of(end)


def wins_at_once(position: Position, move: int) -> bool:
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner == position.turn


def loses_at_once(position: Position, move: int) -> bool:
    """Whether the opponent has a winning answer to `move`."""
    after = position.play(move)
    return after.turn != position.turn and any(wins_at_once(after, answer) for answer in after.legal_moves())


@every_setup
def test_equal_positions_have_equal_hashes(setup: Setup) -> None:
    first = setup.start().candidates()[0]
    one, other = (setup.start().play(first) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)


@every_setup
def test_candidates_are_legal_moves_and_win_at_once_where_one_can(setup: Setup) -> None:
    for position in positions(setup):
        candidates = list(position.candidates())
        assert len(set(candidates)) == len(candidates)
        assert set(candidates) <= set(position.legal_moves())
        assert bool(candidates) == (position.outcome is None)
        if any(wins_at_once(position, move) for move in position.legal_moves()):
            assert any(wins_at_once(position, move) for move in candidates)


@pytest.mark.slow
def test_the_positions_asked_include_some_in_which_one_can_win_at_once() -> None:
    """Not in every setup: on a small board gomoku is a draw."""
    games = {
        setup.game
        for setup in SETUPS
        if any(wins_at_once(position, move) for position in positions(setup) for move in position.legal_moves())
    }
    assert len(games) > 2


@every_setup
def test_candidates_prevent_a_loss_at_once_where_one_can(setup: Setup) -> None:
    for seed in range(2):
        for position in islice(one_game(setup, seed), 0, 60, 5):
            legal = position.legal_moves()
            if any(wins_at_once(position, move) for move in legal):
                continue
            if any(not loses_at_once(position, move) for move in islice(legal, 40)):
                assert any(not loses_at_once(position, move) for move in position.candidates())


def every_move(setup: Setup) -> list[int]:
    """The moves of either side in a few games."""
    return sorted({move for position in positions(setup) for move in position.legal_moves()})


@every_setup
def test_a_move_and_its_text_mean_the_same_whoever_is_to_move(setup: Setup) -> None:
    """A mark on the pit of the other side came back on one's own."""
    moves = every_move(setup)
    texts = [setup.start().move_text(move) for move in moves]
    for position in islice(positions(setup), 40):
        assert [position.move_text(move) for move in moves] == texts
        assert [position.parse_move(text) for text in texts] == moves


@every_setup
def test_marks_are_read_from_a_file_as_they_were_put(setup: Setup) -> None:
    record, dice = GameRecord(setup), random.Random(1)
    marks = tuple(Mark("circle", move) for move in every_move(setup))
    for _ in range(3):
        record.cursor.marks = marks
        if record.outcome is None:
            record.play(dice.choice(record.position.legal_moves()))
    assert tengen.loads(tengen.dumps(record)) == record


@every_setup
@pytest.mark.parametrize("text", ["", "?", "!a", "999999", "h8h8", "\0", "９"])
def test_unreadable_text_is_refused(setup: Setup, text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        setup.start().parse_move(text)
    assert caught.value.reason in ("unreadable", "outside")


def appearance(position: Position) -> tuple[object, ...]:
    return (
        position.key,
        position.turn,
        position.ply,
        position.outcome,
        list(position.legal_moves()),
        list(position.candidates()),
        position.evaluate(),
    )


@every_setup
def test_playing_changes_nothing_but_makes_a_new_position(setup: Setup) -> None:
    for position in positions(setup):
        before = appearance(position)
        for move in position.legal_moves():
            assert position.play(move).key != position.key
        assert appearance(position) == before


@pytest.mark.parametrize("setup", [each for each in SETUPS if GAMES[each.game].commutes])
def test_transposed_moves_lead_to_the_same_key(setup: Setup) -> None:
    """A side's moves in another order: same key, same moves, same value, where the game says so."""
    dice = random.Random(7)
    compared = 0
    for _ in range(200):
        try:
            a, b, c = (dice.choice(list(setup.start().legal_moves())) for _ in range(3))
            there, back = (setup.start().play(x).play(b).play(y) for x, y in ((a, c), (c, a)))
        except IllegalMove:
            continue
        compared += a != c
        assert there.key == back.key
        assert hash(there.key) == hash(back.key)
        assert (there.turn, there.legal_moves(), there.evaluate()) == (back.turn, back.legal_moves(), back.evaluate())
    assert compared or setup.start().ply + setup.size < 5  # a tiny heap has no three moves
