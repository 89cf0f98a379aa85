"""What the lessons on null windows, quiescence, expectimax and proof numbers state, by page, and the computation that
backs it.

Trees of numbers are searched by the plain recursions of `tests.ai.search`. Counts of ordered searches of games are the
program's: other tests compare its searches with plain ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache

from ai.core.player import Limit, answer
from ai.explain.kinds import ROUNDS
from ai.players.table import Context, make
from ai.search.alphabeta import Parts
from ai.search.comparison import variant
from ai.search.proof_number import ProofNumberSearch
from ai.search.trace import INFINITY
from games.position import Position
from tests.ai.search.recursion import MOVE, PARENT, VALUE, Recursion
from tests.ai.search.test_minimax import plain as expected
from tests.ai.search.test_minimax import worth
from tests.ai.search.test_null_windows import plain as null_windows
from tests.ai.search.test_quiescence import plain as quiesced
from ui.learn.lesson_state import subject

GOOD_ORDER = "numbers ((9 11) (12 8)) ((5 3) (8 6)) ((13 15) (4 2))"
BAD_ORDER = "numbers ((5 3) (8 6)) ((4 2) (13 15)) ((9 11) (12 8))"
HORIZON = "connect4 g d d e g g"
TRAP = "tictactoe a3 c1 c2"
ORDERED = Parts(table=False, deepening=False, extension=False, selection=False, distance=False)
PLAIN = Parts(ordering=False, table=False, deepening=False, extension=False, selection=False, distance=False)


def at(text: str, *moves: str) -> Position:
    position = subject(text).position
    for move in moves:
        position = position.play(position.parse_move(move))
    return position


@cache
def nodes(text: str, key: str, depth: int = 0) -> int:
    """*Program*: the nodes of a search."""
    player = make(variant(key, distance=False), Context(at(text).game))
    answer(player, at(text), Limit(depth=depth or None))
    return player.nodes


def plainly(text: str, parts: Parts | None = PLAIN, depth: int = 3) -> int:
    """The nodes of alpha-beta as textbooks have it, or of minimax."""
    found = Recursion(parts)
    found.search(at(text), depth)
    return len(found.rows)


def windows(text: str) -> tuple[int, int]:
    """The value and the nodes of principal variation search."""
    rows: list[tuple[int, int]] = []
    return null_windows(at(text), 3, -INFINITY, INFINITY, rows), len(rows)


def quiet(move: str) -> float:
    """What a move from `HORIZON` is worth to Red by quiescence, in units; a win is 10."""
    value = -quiesced(at(HORIZON, move), 0, 1)
    return value / 100 if abs(value) < 10_000 else 10


def known(move: str) -> float:
    """What plain alpha-beta with ordered moves knows of a move from `HORIZON`, four plies deep; perhaps a bound."""
    found = Recursion(ORDERED)
    found.search(at(HORIZON), 4)
    rows = [row for row in found.rows if row[PARENT] == 0]
    return -next(row[VALUE] for row in rows if row[MOVE] == at(HORIZON).parse_move(move)) / 100


def trap(move: str) -> float:
    """The mean of a move of O, who is met by an X that errs."""
    start = at(TRAP)
    return float(expected(at(TRAP, move), start.turn, None, Fraction(1, 5), worth(start.turn))) / 100


def mean(*leaves: int, error: Fraction = Fraction(1)) -> float:
    return float((1 - error) * min(leaves) + error * Fraction(sum(leaves), len(leaves)))


FEW_REPLIES = "numbers ((1 0) (0 1) (0 0)) ((0 1) (1 0)) ((0 0) (1 1) (0 1) (1 0))"
FORCED = "tictactoe b2 b1"


@cache
def proof(text: str, rounds: int = 100_000) -> ProofNumberSearch:
    """*Program*: the search after so many rounds, or at its end; `tests.ai.search.test_proof_number` checks its
    rules."""
    search = ProofNumberSearch(at(text))
    while search.rounds < rounds and not search.root.decided:
        search.make_round()
    return search


def proof_numbers(text: str, rounds: int) -> list[int]:
    """The proof numbers of the moves from the root after so many rounds."""
    return [child.proof for child in proof(text, rounds).root.children]


def replies(text: str, *moves: str) -> int:
    return len(at(text, *moves).legal_moves())


A, B, C = (4, 5, 6), (2, 9, 16), (2, 3, 7)
FIFTH = Fraction(1, 5)

STEPS: dict[tuple[str, int], Callable[[], Iterable[float]]] = {
    ("11-null-window", 1): lambda: [*(3, 12, 8), -max(-3, -12, -8)],
    ("11-null-window", 2): lambda: [min(3, 12, 8), 2],
    ("11-null-window", 3): lambda: [min(max(9, 11), max(12, 8)), 11 + 1],
    ("11-null-window", 4): lambda: [max(5, 3), 13, 15, 11, 12, 4, 2, plainly(GOOD_ORDER), windows(GOOD_ORDER)[1]],
    ("11-null-window", 5): lambda: [min(max(5, 3), max(8, 6)), 5 + 1, min(9, 12)],
    ("11-null-window", 6): lambda: [5, windows(BAD_ORDER)[0], windows(BAD_ORDER)[1], plainly(BAD_ORDER)],
    ("11-null-window", 7): lambda: [
        6, 5, *(nodes("tictactoe", key) for key in ("ordering", "pvs")),
        *(nodes("connect4", key, depth) for depth in (6, 5) for key in ("ordering", "pvs")),
    ],
    ("12-quiescence", 1): lambda: [1, -at(HORIZON, "e").evaluate() / 100],
    ("12-quiescence", 2): lambda: [3, 2, 1, 4, nodes(HORIZON, "ordering", 4), known("e"), known("c")],
    ("12-quiescence", 3): lambda: [1, 2, quiet("e"), quiet("c"), nodes(HORIZON, "quiescence", 1)],
    ("12-quiescence", 4): lambda: [4],
    ("12-quiescence", 5): lambda: [quiet("c"), -at(HORIZON, "f").evaluate() / 100],
    ("12-quiescence", 6): lambda: [1, 4, *(
        nodes(HORIZON, key, depth) for depth in (1, 4) for key in ("ordering", "quiescence")
    )],
    ("12-quiescence", 7): lambda: [8, 4, 1, 10, nodes("bones:8", "quiescence", 1)],
    ("13-expectimax", 1): lambda: [min(B), min(A), 9, 16],
    ("13-expectimax", 2): lambda: [1 / 3, 3, *A, *B, mean(*A), mean(*B)],
    ("13-expectimax", 3): lambda: [
        0.2, 0.8, 3, 0.8 + 0.2 / 3, 0.2 / 3, mean(*A, error=FIFTH), mean(*B, error=FIFTH), 1,
    ],
    ("13-expectimax", 4): lambda: [*C, 3, mean(*C), 16, mean(2, 3, 16), 10],
    ("13-expectimax", 5): lambda: [1, 5, trap("a1"), trap("b2"), trap("a2")],
    ("13-expectimax", 6): lambda: [plainly(TRAP, None, 9), plainly(TRAP, PLAIN, 9)],
    ("14-proof-numbers", 1): lambda: [1, 0, plainly(FEW_REPLIES, None)],
    ("14-proof-numbers", 2): lambda: [2, proof(FEW_REPLIES, 0).root.proof],
    ("14-proof-numbers", 3): lambda: [*proof_numbers(FEW_REPLIES, 1), sum((1, 1, 1))],
    ("14-proof-numbers", 4): lambda: [*proof_numbers(FEW_REPLIES, 2), replies(FEW_REPLIES, "a")],
    ("14-proof-numbers", 5): lambda: [
        4 - 2, *proof_numbers(FEW_REPLIES, 4), *(replies(FEW_REPLIES, move) for move in "bc"), 1,
    ],
    ("14-proof-numbers", 6): lambda: [5, 1, 0, proof_numbers(FEW_REPLIES, 5)[1]],
    ("14-proof-numbers", 7): lambda: [
        proof(FEW_REPLIES).rounds, proof(FEW_REPLIES).nodes, plainly(FEW_REPLIES, None), 0,
    ],
    ("14-proof-numbers", 8): lambda: [
        8, *proof_numbers(FORCED, 8), 1, replies(FORCED), replies(FORCED, "a3"), 13 - 8,
        proof_numbers(FORCED, 8)[0] - proof_numbers(FORCED, 13)[0],
    ],
    ("14-proof-numbers", 9): lambda: [
        proof(FORCED).rounds, proof(FORCED).nodes, plainly(FORCED, None, 9), plainly(FORCED, PLAIN, 9),
        *proof_numbers(FORCED, 100)[1:], 1, replies(FORCED) - 1, 2,
    ],
    ("14-proof-numbers", 10): lambda: [
        proof("tictactoe").rounds, proof("tictactoe").nodes, nodes("tictactoe", "ordering"), ROUNDS, 2, 1,
    ],
}  # fmt: skip

QUESTIONS: dict[tuple[str, int], Callable[[], Iterable[float]]] = {
    ("11-null-window", 1): lambda: [7, 7 + 1],
    ("11-null-window", 3): lambda: [3, 12, 8],
    ("12-quiescence", 3): lambda: [5, 4],
    ("12-quiescence", 1): lambda: [1],
    ("13-expectimax", 1): lambda: [0, 10, 0.5, mean(0, 10)],
    ("13-expectimax", 2): lambda: [0, 1],
    ("14-proof-numbers", 1): lambda: [2, 5, 3, min(2, 5, 3), 10],
    ("14-proof-numbers", 2): lambda: [2, 5, 3, 2 + 5 + 3],
    ("14-proof-numbers", 3): lambda: [0],
}
