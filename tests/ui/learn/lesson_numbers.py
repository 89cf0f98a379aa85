"""Every number that stands in a lesson, by page, and the computation that backs it.

Most are computed by plain code that shares nothing with the searches of the program but the rules: `tests.ai.search`'s
`Recursion` (minimax and alpha-beta written once more) and `Visits` (Monte Carlo tree search), counts of positions, and
sums. What only the program itself can say, since its workers or its engine are meant, is taken from there and marked
*program*: how many nodes four workers visit together, and in what time; other tests check their rules.
"""

from __future__ import annotations

import lzma
import math
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from ai.explain.explorer import Explorer
from ai.explain.subject import Choice
from ai.network.network import training
from ai.search.alphabeta import Parts
from ai.search.oracles import PlayoutOracle, StaticOracle
from ai.search.shared_tree import SharedTree
from games.position import Position
from tests.ai.search.plain_visits import Visits
from tests.ai.search.recursion import MOVE, PARENT, Recursion
from tests.ui.learn import search_lessons
from tests.waiting import wait
from ui.learn.lesson_state import facts, lessons, subject

NUMBERS = "numbers (3 12 8) (2 4 6) (14 5 2)"
ENDING = "tictactoe a3 b3 c3 a2 b2 c1"
RED = "connect4 c e c b e c c e c e b e e b c a"
_PARTS = {
    "minimax": None,
    "alphabeta": Parts(ordering=False, table=False, deepening=False, extension=False, selection=False, distance=False),
    "ordering": Parts(table=False, deepening=False, extension=False, selection=False, distance=False),
    "table": Parts(deepening=False, extension=False, selection=False, distance=False),
    "deepening": Parts(extension=False, selection=False, distance=False),
}
_ENOUGH = 50  # plies: to the end of the games that are searched so far


def at(text: str, *moves: str) -> Position:
    position = subject(text).position
    for move in moves:
        position = position.play(position.parse_move(move))
    return position


def free(text: str, *moves: str) -> int:
    return len(at(text, *moves).legal_moves())


@cache
def again(text: str, key: str, depth: int = _ENOUGH) -> Recursion:
    """The search, by plain code."""
    found = Recursion(_PARTS[key])
    found.search(at(text), depth)
    return found


def nodes(text: str, key: str, depth: int = _ENOUGH) -> int:
    return len(again(text, key, depth).rows)


def leaves(text: str, key: str, depth: int) -> int:
    """The nodes at which the depth ends."""
    rows = again(text, key, depth).rows
    inner = {row[PARENT] for row in rows}
    return sum(number not in inner for number in range(len(rows)))


def iterations(text: str, depth: int) -> list[int]:
    """The nodes of each iteration."""
    roots = [number for number, row in enumerate(again(text, "deepening", depth).rows) if row[PARENT] < 0]
    ends = [*roots[1:], len(again(text, "deepening", depth).rows)]
    return [end - root for root, end in zip(roots, ends, strict=True)]


def below(text: str, move: str, key: str, depth: int) -> int:
    """The nodes after a move of the root, its own included."""
    rows = again(text, key, depth).rows
    first = [number for number, row in enumerate(rows) if row[PARENT] == 0]
    wanted = first.index(next(number for number in first if at(text).move_text(rows[number][1]) == move))
    ends = [*first[1:], len(rows)]
    return ends[wanted] - first[wanted]


@cache
def every_node(position: Position) -> int:
    """The nodes of the tree to the end of the game, as minimax visits them."""
    return 1 + sum(every_node(position.play(move)) for move in _moves(position))


def _moves(position: Position) -> Iterable[int]:
    return () if position.outcome is not None else position.legal_moves()


@cache
def heap_value(left: int, mine: bool = True) -> int:
    """10 or -10 for the side that began: who finds no bones has lost."""
    if not left:
        return -10 if mine else 10
    found = [heap_value(left - taken, not mine) for taken in (1, 2, 3) if taken <= left]
    return max(found) if mine else min(found)


def estimate(text: str, move: str) -> float:
    """What the evaluation says of a move, for the side that makes it."""
    return -at(text, move).evaluate() / 100


def best_order(b: int, depth: int) -> list[int]:
    one, other = b ** math.ceil(depth / 2), b ** (depth // 2)
    return [one, other, one + other - 1, b**depth]


def finished(text: str, choice: Choice) -> Explorer:
    explorer = Explorer(subject(text), choice, lambda: None)
    wait(lambda: explorer.info, lambda: explorer.update(0.0))
    return explorer


@cache
def workers(key: str) -> list[float]:
    """The nodes of one, of four, the time, the speed-up, the overhead, the needless nodes and the others. What one
    visits, and so what is needless, is from the plain search; *program*: what four visit, and the time."""
    alone = again("connect4 d c d", "ordering", 4).rows
    tree = finished("connect4 d c d", Choice(key, 4, False, 4)).trace
    assert isinstance(tree, SharedTree)
    ways: list[tuple[int, ...]] = []
    for row in alone:
        ways.append(() if row[PARENT] < 0 else (*ways[row[PARENT]], row[MOVE]))
    needed = set(ways)
    extra = sum(tuple(tree.moves_to(node)) not in needed for node in range(len(tree)))
    return [
        len(alone), len(tree), tree.span, len(alone) / tree.span, len(tree) - len(alone), extra, len(tree) - extra,
    ]  # fmt: skip


@cache
def _visited(number: int) -> Visits:
    """The search of a step of lesson 9, by plain code; only new positions are judged by what the program judges with.
    """
    step = next(each for each in lessons("en") if each.key == "09-mcts").steps[number - 1]
    by_prior = step.search == "sampled"
    search = Visits(at(step.position), StaticOracle() if by_prior else PlayoutOracle(1, seed=1), step.c, by_prior)
    while search.root.visits < step.visits:
        search.visit()
    return search


def sampled(number: int, *moves: str) -> list[float]:
    """All visits of a step of lesson 9, and of each move its visits, prior, mean, bonus and sum; means and priors in
    percent, too."""
    search = _visited(number)
    root, found = search.root, [float(search.root.visits)]
    for name in moves:
        place = [move for move, _ in root.moves].index(root.position.parse_move(name))
        mean, bonus = root.mean(place), round(root.bonus(place, search.c, search.by_prior), 2)
        found += [root.times[place], 100 * root.moves[place][1], mean, 100 * mean, bonus, round(mean, 2) + bonus]
    return found


def proven_in(number: int, move: str = "") -> float:
    """In how many moves the search has proven a win, or one after `move`."""
    root = _visited(number).root
    found = next(each for each in (root, *root.after) if each.position == at(RED, *([move] if move else [])))
    assert found.proven == 1
    return (found.plies + 1) / 2


def wins_within(text: str, moves: int) -> bool:
    """Whether the side to move can force a win with so many moves of its own, by rules alone."""
    return _forced(at(text), 2 * moves - 1)


@cache
def _forced(position: Position, plies: int) -> bool:
    """Whether the side that is to move now wins within so many plies."""
    for move in _moves(position):
        after = position.play(move)
        outcome = after.outcome
        if outcome is not None and outcome.winner == position.turn:
            return True
        replies = [after.play(answer) for answer in _moves(after)] if plies >= 3 else []
        if replies and all(reply.outcome is None and _forced(reply, plies - 2) for reply in replies):
            return True
    return False


def fewest_moves_to_win(text: str) -> int:
    return next(moves for moves in range(1, 9) if wins_within(text, moves))


def loses_after(text: str, move: str) -> int:
    """How many moves the other side needs at most after `move`."""
    return fewest_moves_to_win(f"{text} {move}")


def trained(game: str) -> list[float]:
    return [float(str(value).replace(",", "")) for value in facts(training(game)).values()]


def games_of_the_engine() -> int:
    """The games with 12,000 nodes a move that the network of gomoku learned from."""
    with lzma.open(Path(__file__).parents[3] / "ai/lab/labels/freestyle-12k.jsonl.xz") as lines:
        return sum(1 for _ in lines)


def distinct(text: str) -> int:
    """Positions that can follow, and the first."""
    seen: set[object] = set()

    def visit(position: Position) -> None:
        if position.key not in seen:
            seen.add(position.key)
            for move in _moves(position):
                visit(position.play(move))

    visit(at(text))
    return len(seen)


def options(code: str, key: str, number: int) -> tuple[str, ...]:
    return next(each for each in lessons(code) if each.key == key).questions[number - 1].options


Backing = Callable[[], Iterable[float]]
WIN = 10
DEFINED = [WIN, 0, 10 - 1, 10 - 3]
"""What the end of a game is worth, by definition: 10, 0, or 10 less the plies."""

STEPS: dict[tuple[str, int], Backing] = {
    ("01-game-tree", 1): lambda: [free(ENDING)],
    ("01-game-tree", 2): lambda: [free(ENDING)],
    ("01-game-tree", 3): lambda: [len(("X", "O")), free(ENDING, "c2")],
    ("01-game-tree", 4): lambda: [WIN, 0, len(("a1", "b2", "c3"))],
    ("02-minimax", 2): lambda: [3, 12, 8],
    ("02-minimax", 3): lambda: [min(3, 12, 8)],
    ("02-minimax", 4): lambda: [2, 4, 6, 14, 5, min(2, 4, 6), min(14, 5, 2)],
    ("02-minimax", 5): lambda: [again(NUMBERS, "minimax", 2).score, min(2, 4, 6), nodes(NUMBERS, "minimax", 2)],
    ("02-minimax", 6): lambda: [free(ENDING), *(outcome(ENDING, move) for move in ("c2", "a1", "b1")), 3],
    ("02-minimax", 7): lambda: [WIN, 1, WIN - 1, 3, WIN - 3],
    ("02-minimax", 8): lambda: [6, 1, 2, 3, heap_value(6), 6 - 2, len(("MAX", "MIN"))],
    ("02-minimax", 9): lambda: [8, heap_value(8), -heap_value(8), *[n for n in (4,) if heap_value(n) < 0]],
    ("03-evaluation", 1): lambda: [6 * 7, 1],
    ("03-evaluation", 2): lambda: [4, estimate("connect4", "d"), WIN],
    ("03-evaluation", 3): lambda: [2],
    ("03-evaluation", 4): lambda: [estimate("tictactoe a1 c2 b1 c1", "c3"), WIN, 1, threats_after_fork()],
    ("03-evaluation", 5): lambda: [
        5, 15, 15 * 15, 4, free("gomoku h8 i9 g7 i7"), 2, 3, 1, estimate("gomoku h8 i9 g7 i7", "g8"),
    ],
    ("03-evaluation", 6): lambda: [2],
    ("03-evaluation", 7): lambda: [2, 1, 0, 0.75, 1 - 0.75, 0.6, 0.2, 0.75 * 0.6 + 0.25 * 0.2],
    ("04-alpha-beta", 1): lambda: [min(3, 12, 8)],
    ("04-alpha-beta", 2): lambda: [2, min(3, 12, 8)],
    ("04-alpha-beta", 3): lambda: [2, len((4, 6))],
    ("04-alpha-beta", 4): lambda: [14, min(3, 12, 8)],
    ("04-alpha-beta", 5): lambda: [
        2, nodes(NUMBERS, "alphabeta", 2), nodes(NUMBERS, "minimax", 2), again(NUMBERS, "alphabeta", 2).score,
    ],
    ("04-alpha-beta", 6): lambda: [outcome(ENDING, "a1"), outcome(ENDING, "b1")],
    ("04-alpha-beta", 7): lambda: [every_node(at("tictactoe")), nodes("tictactoe", "alphabeta"), 2],
    ("05-ordering", 1): lambda: [min(3, 12, 8), nodes(NUMBERS, "alphabeta", 2), 2, 3],
    ("05-ordering", 2): lambda: [
        nodes("numbers (2 4 6) (14 5 2) (3 12 8)", "alphabeta", 2), nodes(NUMBERS, "minimax", 2),
    ],
    ("05-ordering", 3): lambda: [nodes("numbers (3 12 8) (2 4 6) (2 5 14)", "alphabeta", 2), 1, 2],
    ("05-ordering", 4): lambda: [
        1, 2, 10, 4, *best_order(10, 4), 3, *best_order(3, 3), leaves("bones:8", "alphabeta", 3),
        nodes("bones:8", "alphabeta", 3),
    ],
    ("05-ordering", 5): lambda: [nodes("tictactoe", "ordering"), nodes("tictactoe", "alphabeta")],
    ("06-deepening", 1): lambda: [10, iterations("connect4", 1)[0], free("connect4"), estimate("connect4", "d")],
    ("06-deepening", 2): lambda: [2, 3, 4, *iterations("connect4", 4)[1:]],
    ("06-deepening", 3): lambda: [1, 7, 8, sum(iterations("connect4", 8)[:7]), iterations("connect4", 8)[7], 2, 4],
    ("06-deepening", 4): lambda: [
        8, nodes("connect4", "table", 8), iterations("connect4", 8)[7], sum(iterations("connect4", 8)),
    ],
    ("06-deepening", 5): lambda: [1],
    ("06-deepening", 6): lambda: [8, 3, again("bones:8", "minimax", 3).score, free("bones:8")],
    ("06-deepening", 7): lambda: [4, heap_value(8), -heap_value(8), free("bones:8"), 1, *horizon()],
    ("07-transpositions", 1): lambda: [len(("c2", "b1"))],
    ("07-transpositions", 2): lambda: [
        8, every_node(at("bones:8")), 0, 2 * 9, ways_to_four(), 4, every_node(at("bones:8", "1", "3")) - 1, 1,
    ],
    ("07-transpositions", 3): lambda: [6, heap_value(6), 2],
    ("07-transpositions", 4): lambda: [
        *(nodes("bones:8", key) for key in ("table", "ordering", "alphabeta")), 1, 3, 8 - 3,
    ],
    ("07-transpositions", 5): lambda: [3, 8, 4, again("bones:8", "minimax", 3).score, 1],
    ("07-transpositions", 6): lambda: [2, 5, 3],
    ("07-transpositions", 7): lambda: [*(nodes("tictactoe", key) for key in ("alphabeta", "ordering", "table")), 3, 4],
    ("07-transpositions", 8): lambda: [1011, 110, 2],
    ("07-transpositions", 9): lambda: [1011, 110, 0, 1, int(f"{0b1011 ^ 0b0110:b}"), 64, 2],
    ("08-parallel", 1): lambda: [
        2, *(below(NUMBERS, move, "alphabeta", 2) for move in "abc"), 3, nodes(NUMBERS, "alphabeta", 2), 1,
    ],
    ("08-parallel", 2): lambda: [below(NUMBERS, "b", "minimax", 2), below(NUMBERS, "b", "alphabeta", 2), 1],
    ("08-parallel", 3): lambda: [*split_at_the_root(), 1],
    ("08-parallel", 4): lambda: [*brothers_wait(), 1],
    ("08-parallel", 5): lambda: [4, *workers("root_splitting")],
    ("08-parallel", 6): lambda: [4, *workers("brothers"), 1],
    ("08-parallel", 7): lambda: [1, 3, 4, every_node(at("bones:8", "1", "3")) - 1, 5],
    ("08-parallel", 8): lambda: [2],
    ("08-parallel", 9): lambda: [free("connect4")],
    ("08-parallel", 10): lambda: [
        below(NUMBERS, "a", "alphabeta", 2), nodes(NUMBERS, "alphabeta", 2) - 1, 4 / 10, 1, 1 / 0.4, 10, 1 / 10,
        1 - 1 / 10, 0.1 + 0.9 / 10, round(1 / 0.19),
    ],
    ("09-mcts", 1): lambda: [1, 0.5, 0, WIN],
    ("09-mcts", 2): lambda: [0.5, 1, 0.5 * 0.5 + 0.5 * 1],
    ("09-mcts", 3): lambda: [0.5],
    ("09-mcts", 4): lambda: [len(("selection", "expansion", "simulation", "backpropagation"))],
    ("09-mcts", 5): lambda: [1, 2],
    ("09-mcts", 6): lambda: [2],
    ("09-mcts", 7): lambda: [0.35, 2, *sampled(7, "a3", "a2")],
    ("09-mcts", 8): lambda: [*sampled(8, "d"), 4],
    ("09-mcts", 9): lambda: [1, *sampled(9, "b", "d")],
    ("09-mcts", 10): lambda: sampled(10, "f", "b"),
    ("09-mcts", 11): lambda: [*sampled(11, "d"), proven_in(11, "d"), loses_after(RED, "d")],
    ("09-mcts", 12): lambda: sampled(12, "b", "f"),
    ("09-mcts", 13): lambda: [*sampled(13), proven_in(13), fewest_moves_to_win(RED)],
    ("10-learning", 1): lambda: [2, 3],
    ("10-learning", 2): lambda: [3, 6, 10, 8],
    ("10-learning", 3): lambda: [2],
    ("10-learning", 5): lambda: trained("connect4"),
    ("10-learning", 6): lambda: trained("tictactoe"),
    ("10-learning", 7): lambda: [games_of_the_engine(), 12_000],
    ("10-learning", 8): lambda: [min(3, 4, 5), min(2, 12, 13)],
    ("10-learning", 9): lambda: [3, 4, 5, sum((3, 4, 5)) / 3, 2, 12, 13, sum((2, 12, 13)) / 3],
    ("10-learning", 10): lambda: [
        2, 3, 4, 0.75, 0.25, 9, 0.75 * 3 + 0.25 * 4, 0.75 * 2 + 0.25 * 9,
    ],
    ("10-learning", 11): lambda: [min(2, 12, 13)],
    **search_lessons.STEPS,
}  # fmt: skip
"""By lesson and number of the step."""

QUESTIONS: dict[tuple[str, int], Backing] = {
    ("01-game-tree", 1): lambda: [1, 2, 3, free(ENDING, "c2")],
    ("01-game-tree", 2): lambda: [2, 3],
    ("01-game-tree", 3): lambda: [WIN, 0],
    ("02-minimax", 1): lambda: [3, 7, 1, 9, min(7, 1, 9)],
    ("02-minimax", 2): lambda: [4, 2, 6, max(4, -2, 6), 4 - 2 + 6],
    ("02-minimax", 3): lambda: [7, 1, 2, next(n for n in (1, 2, 3) if heap_value(7 - n, mine=False) > 0), 7 - 3],
    ("02-minimax", 4): lambda: [WIN, 5, WIN - 5],
    ("03-evaluation", 2): lambda: [0.4, 4],
    ("03-evaluation", 3): lambda: [1, 2],
    ("03-evaluation", 4): lambda: [0.4, 0.2, 0.5, 0.5 * 0.4 + 0.5 * 0.2, 0.6],
    ("04-alpha-beta", 1): lambda: [5, 4],
    ("04-alpha-beta", 2): lambda: [2],
    ("05-ordering", 2): lambda: [10, 6, 2_000, 500_000, 10**6, best_order(10, 6)[2], 3, 1],
    ("06-deepening", 1): lambda: [5, 6, 1],
    ("06-deepening", 2): lambda: [1, 4, 3, 9, 27, sum((1, 3, 9, 27))],
    ("06-deepening", 3): lambda: [4, 9],
    ("07-transpositions", 1): lambda: [2],
    ("07-transpositions", 2): lambda: [5, 6, 3, 4],
    ("07-transpositions", 3): lambda: [3, 6],
    ("07-transpositions", 4): lambda: [
        1101, 11, int(f"{0b1101 ^ 0b0011:b}"), 1111, 10, 0, 1, len("11"),
    ],
    ("08-parallel", 2): lambda: [4, *workers("root_splitting")],
    ("08-parallel", 5): lambda: [2, 10, 1, 0.5, 1 / 0.5],
    ("09-mcts", 1): lambda: [4, 3, 0, 0.5, 3 / 4],
    ("09-mcts", 2): lambda: [2, 10, 90],
    ("09-mcts", 4): lambda: sampled(10, "f", "b"),
    ("10-learning", 2): lambda: [min(2, 12, 13), min(3, 4, 5)],
    ("10-learning", 3): lambda: [0.5, 2, 9, 0.5 * 2 + 0.5 * 9],
    **search_lessons.QUESTIONS,
}  # fmt: skip
"""By lesson and number of the question: its text, its options and its reason."""


def outcome(text: str, move: str) -> int:
    """What a move is worth for the side that makes it, 10 for a win, by rules alone."""
    return -_result(at(text, move))


@cache
def _result(position: Position) -> int:
    over = position.outcome
    if over is not None:
        return 0 if over.winner is None else WIN if over.winner == position.turn else -WIN
    return max(-_result(position.play(move)) for move in position.legal_moves())


def threats_after_fork() -> int:
    """The points where O would win at once after c3 and b2."""
    fork = at("tictactoe a1 c2 b1 c1", "c3", "b2")

    def wins(point: int) -> bool:
        elsewhere = next(move for move in fork.legal_moves() if move != point)
        over = fork.play(elsewhere).play(point).outcome
        return over is not None and over.winner == 1 - fork.turn

    return sum(map(wins, fork.legal_moves()))


def ways_to_four() -> int:
    """The ways from eight bones to four with MAX to move: an even number of moves."""

    def ways(left: int, plies: int) -> int:
        return int(plies % 2 == 0) if left == 4 else sum(ways(left - n, plies + 1) for n in (1, 2, 3) if left - n >= 4)

    return ways(8, 0)


def split_at_the_root() -> list[int]:
    """Two workers without a common alpha at first: the time, the nodes, those of one, and the overhead."""
    alone = [below(NUMBERS, move, "alphabeta", 2) for move in "abc"]
    without = below(NUMBERS, "b", "minimax", 2)
    time, together = without + alone[2], 1 + alone[0] + without + alone[2]
    return [time, nodes(NUMBERS, "alphabeta", 2), together, together - nodes(NUMBERS, "alphabeta", 2), 2]


def brothers_wait() -> list[int]:
    """The nodes of the brothers, all nodes, and the time."""
    a, b, c = (below(NUMBERS, move, "alphabeta", 2) for move in "abc")
    return [b, c, 1 + a + b + c, 1 + a + max(b, c), 2]


def horizon() -> list[int]:
    """*Program*: the depths of the example of the engine, and the plies of the loss; `tests.ai.gomoku.test_horizon`
    proves the loss by the rules alone."""
    from ai.gomoku.horizon import search_both_depths

    shallow, deep = search_both_depths()
    return [shallow.depth, deep.depth, len(shallow.refutation)]


def step_texts(code: str) -> dict[tuple[str, int], str]:
    return {(each.key, number): step.text for each in lessons(code) for number, step in enumerate(each.steps, 1)}


def question_texts(code: str) -> dict[tuple[str, int], str]:
    return {
        (each.key, number): " | ".join((asked.text, *asked.options, asked.why))
        for each in lessons(code) for number, asked in enumerate(each.questions, 1)
    }  # fmt: skip


