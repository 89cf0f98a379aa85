"""Alpha-beta against minimax, against theory, and against every sequence of replies."""

from functools import cache
from types import SimpleNamespace

import pytest

from ai.core import player as player_module
from ai.core.player import Info, Limit, Stop, answer
from ai.core.score import delayed
from ai.search.alphabeta import AlphaBeta
from ai.search.minimax import MinimaxNode, minimax
from games.formats.text import parse
from games.line import LinePosition
from games.position import Position
from games.registry import GAMES, Setup, setup
from tests.games.strategies import Time
from tests.sampling import sampled


@cache
def oracle() -> dict[bytes, tuple[LinePosition, int, int]]:
    """Every tic-tac-toe position that can arise: itself, its minimax score and the nodes minimax visits for it."""
    found: dict[bytes, tuple[LinePosition, int, int]] = {}

    def visit(position: LinePosition, tree: MinimaxNode) -> int:
        count = 1
        for child in tree.children:
            assert child.move is not None
            count += visit(position.play(child.move), child)
        found[position.cells] = (position, delayed(tree.score, -position.ply), count)
        return count

    start = LinePosition.empty(3, 3, 3)
    visit(start, minimax(start))
    return found


def solve(position: Position) -> Info:
    return answer(AlphaBeta(), position, Limit())


@pytest.mark.slow
def test_same_value_as_minimax_on_every_state_and_fewer_nodes() -> None:
    full = pruned = 0
    for position, score, count in oracle().values():
        if position.outcome is None:
            info = solve(position)
            assert info.score == score, position
            full += count
            pruned += info.nodes
    assert len(oracle()) == 5478
    assert pruned < full / 10


@pytest.mark.parametrize("seat", [0, 1])
def test_never_loses_tic_tac_toe_against_any_sequence_of_replies(seat: int) -> None:
    seen: set[bytes] = set()
    waiting = [LinePosition.empty(3, 3, 3)]
    while waiting:
        position = waiting.pop()
        if position.cells in seen:
            continue
        seen.add(position.cells)
        if position.outcome is not None:
            assert position.outcome.winner in (None, seat), position
        elif position.turn == seat:
            waiting.append(position.play(solve(position).move))
        else:
            waiting.extend(position.play(reply) for reply in position.legal_moves())
    assert len(seen) > 100


@pytest.mark.parametrize(
    ("game", "moves", "best", "mate"),
    [
        (setup("tictactoe"), "a3b3c3a2b2c1", ("a1",), 1),
        (setup("tictactoe"), "a3b2b3c3a2", ("a1",), 1),  # it blocks and wins
        (setup("gomoku"), "h8h9i8i9j8j9k8k9", ("g8", "l8"), 1),
        (setup("gomoku"), "h8g8i8h9j8j9k8", ("l8",), None),  # the four is stopped
        (setup("bones", 8), "", ("1", "2", "3"), -4),  # it cannot last longer
    ],
)
def test_wins_and_losses_near_by(game: Setup, moves: str, best: tuple[str, ...], mate: int | None) -> None:
    position = parse(moves, game).position
    info = answer(AlphaBeta(), position, Limit(depth=3) if game.game == "gomoku" else Limit())
    assert position.move_text(info.move) in best
    assert info.mate == mate


HEAPS = [*range(1, 31), *(pytest.param(heap, marks=pytest.mark.slow) for heap in range(31, 61))]


@cache
def bones_move(heap: int) -> int:
    return solve(setup("bones", heap).start()).move


@cache
def wins_bones(heap: int, to_move: bool) -> bool:
    """Whether the search wins from `heap` whatever the other player takes."""
    if heap == 0:
        return not to_move
    if to_move:
        return wins_bones(heap - bones_move(heap), False)
    return all(wins_bones(heap - taken, True) for taken in range(1, min(3, heap) + 1))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("heap", HEAPS)
def test_wins_bones_against_any_replies_exactly_when_theory_says_so(heap: int, seat: int) -> None:
    assert wins_bones(heap, seat == 0) == ((heap % 4 != 0) == (seat == 0))


@pytest.mark.parametrize("heap", sampled(range(1, 21), 6))
def test_same_value_as_minimax_on_heaps(heap: int) -> None:
    position = setup("bones", heap).start()
    tree = minimax(position)
    info = solve(position)
    assert info.score == tree.score
    assert info.nodes <= tree.count() or heap < 8  # iterations repeat tiny trees


def test_finds_a_forced_win_by_an_open_three() -> None:
    info = answer(AlphaBeta(), parse("h8a1i8a15j8o1").position, Limit(seconds=20, depth=5))
    assert info.mate is not None
    assert 0 < info.mate <= 5


def test_several_lines_are_the_best_ones_in_order() -> None:
    position = parse("h8i9g7").position
    info = answer(AlphaBeta(), position, Limit(depth=3, lines=3))
    firsts = [line.moves[0] for line in info.lines]
    assert len(set(firsts)) == 3
    assert info.move == firsts[0]
    assert [line.score for line in info.lines] == sorted((line.score for line in info.lines), reverse=True)
    alone = answer(AlphaBeta(), position, Limit(depth=3))
    assert alone.score == info.score


@pytest.mark.parametrize("game", GAMES)
def test_lines_can_be_played(game: str) -> None:
    position: Position = setup(game).start()
    for info in AlphaBeta().think(position, Limit(depth=2), Stop()):
        assert info.pv[0] == info.move
        follow = position
        for move in info.pv:
            follow = follow.play(move)


@pytest.mark.parametrize(
    ("moves", "seconds", "goes_on"),
    [("", 0.55, True), ("", 0.65, False), ("dadbd", 0.05, True), ("dadbd", 0.15, False)],
)
def test_an_iteration_begins_if_it_is_likely_to_end_in_time(
    moves: str, seconds: float, goes_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one move only, a tenth of the time is enough."""
    clock, depths = Time(), []
    monkeypatch.setattr(player_module, "time", SimpleNamespace(monotonic=clock))
    for info in AlphaBeta().think(parse(moves, setup("connect4")).position, Limit(seconds=1.0, depth=3), Stop()):
        depths.append(info.depth)
        if info.depth == 2:
            clock.passes(seconds)
    assert depths == ([0, 1, 2, 3] if goes_on else [0, 1, 2])
