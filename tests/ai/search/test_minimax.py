
from collections.abc import Callable
from fractions import Fraction

import pytest

from ai.core.player import Limit, answer
from ai.core.score import WIN, Score
from ai.players.table import Context, make
from ai.search.minimax import WIN_VALUE, Minimax, MinimaxNode, minimax
from ai.search.number_tree import GAME, NumberTree, parse, random_tree
from ai.search.trace import FINE, Trace, document
from ai.service.analyse import enable_tracing
from games.formats import read_target
from games.formats.text import parse as parse_moves
from games.position import Position
from games.registry import setup


def test_bones_of_five_as_drawn_in_the_textbooks() -> None:
    tree = minimax(setup("bones", 5).start())
    assert Score(tree.score).mate == 3  # take one, whatever is taken, take the rest
    assert tree.best is not None
    assert tree.best.move == 1
    assert [child.move for child in tree.children] == [1, 2, 3]


@pytest.mark.slow
def test_the_tree_holds_every_position_once_for_each_way_to_it() -> None:
    # 1 + 9 + 72 + … of the published perft, where games that end early have no further plies.
    assert minimax(setup("tictactoe").start()).count() == 549_946


def test_prefers_the_faster_win() -> None:
    # X holds a3 and b3 and could also win slowly; c3 wins at once.
    position = read_target("a3a1b3c1", setup("tictactoe")).position
    info = answer(Minimax(), position, Limit())
    assert position.move_text(info.move) == "c3"
    assert info.score == WIN - 1


def test_a_leaf_has_no_best_reply() -> None:
    assert MinimaxNode(None).best is None
    assert MinimaxNode(None).line() == ()


ERRORS = ("0", "0.2", "0.5", "1")


def plain(
    position: Position, side: int, depth: int | None, error: Fraction, leaf: Callable[[Position], int]
) -> Fraction:
    """The value for `side`, exactly."""
    if position.outcome is not None or depth == 0 or not position.legal_moves():
        return Fraction(leaf(position))
    below = [plain(position.play(move), side, None if depth is None else depth - 1, error, leaf)
             for move in position.legal_moves()]  # fmt: skip
    if position.turn == side:
        return max(below)
    return (1 - error) * min(below) + error * sum(below) / len(below)


def number(position: Position) -> int:
    """Of a leaf, in hundredths."""
    return 100 * position.evaluate() * (1 if position.turn == 0 else -1)


def worth(side: int) -> Callable[[Position], int]:
    def leaf(position: Position) -> int:
        if position.outcome is None:
            value = position.evaluate()
            return max(-WIN_VALUE, min(WIN_VALUE, value if position.turn == side else -value))
        if position.outcome.winner is None:
            return 0
        return WIN_VALUE if position.outcome.winner == side else -WIN_VALUE

    return leaf


def value_of(name: str, position: Position, depth: int | None) -> tuple[float, Trace]:
    """In hundredths, as the trace has it."""
    player = enable_tracing(make(name, Context(position.game)), name)
    answer(player, position, Limit(depth=depth))
    assert player.trace is not None
    assert len(player.trace) == player.nodes
    return player.trace.value[0] / FINE, player.trace


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("seed", range(12))
def test_random_trees(seed: int, error: str) -> None:
    position = random_tree(2 + seed % 4, 1 + seed % 4, seed)
    found, _ = value_of(f"minimax:expect={error}", position, position.depth)
    assert found == pytest.approx(float(plain(position, 0, position.depth, Fraction(error), number)), abs=0.03)
    if error == "0":
        assert found == 100 * minimax(position, position.depth).score


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize(
    ("game", "moves", "depth"),
    [("tictactoe", "a3 b2 c1", None), ("connect4", "d d c", 3), ("bones", "", None), ("gomoku", "h8 i9", 1)],
)
def test_positions_of_games(game: str, moves: str, depth: int | None, error: str) -> None:
    position = parse_moves(moves, setup(game, 7) if game == "bones" else setup(game)).position
    found, _ = value_of(f"minimax:expect={error},distance=0", position, depth)
    wanted = plain(position, position.turn, depth, Fraction(error), worth(position.turn))
    assert found == pytest.approx(float(wanted), abs=0.05)


def test_probabilities_add_up_and_weigh_the_values() -> None:
    position = parse_moves("a3 b2 c1", setup("tictactoe")).position
    _, trace = value_of("minimax:expect=0.2", position, None)
    chances = [node for node in range(len(trace)) if trace.is_chance(node)]
    assert len(chances) > 100
    for node in chances:
        row = trace.children(node)
        weights = [trace.probability(child) or 0.0 for child in row]
        assert sum(weights) == pytest.approx(1)
        assert min(weights) == pytest.approx(0.2 / len(row)) or len(row) == 1
        assert max(weights) == weights[row.index(max(row, key=trace.backed_up))]
        mean = sum(weight * trace.backed_up(child) for weight, child in zip(weights, row, strict=True))
        assert trace.value[node] == pytest.approx(mean, abs=1)
    assert trace.probability(0) is None


def test_the_document_of_a_tree_has_probabilities() -> None:
    position = parse("2 9 | 5 6")
    _, trace = value_of("minimax:expect=0.5", position, 2)
    data = document(trace, "minimax:expect=0.5", position, ())
    assert data["probability"] == [None, None, 0.75, 0.25, None, 0.75, 0.25]
    assert data["value"] == [525, 375, 200, 900, 525, 500, 600]


def test_a_random_opponent_is_met_otherwise_than_the_best_one() -> None:
    position = NumberTree(((3, 4, 5), (2, 12, 13)))
    best = {name: answer(make(name, Context(GAME)), position, Limit(depth=2)).move
            for name in ("minimax", "minimax:expect=1")}  # fmt: skip
    assert best == {"minimax": 0, "minimax:expect=1": 1}
