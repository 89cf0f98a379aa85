"""What the lessons state of searches is what the searches do: counts of nodes, values, best moves, and sums."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import log, sqrt

import pytest

from ai.core.player import Info, Limit, answer
from ai.explain.explorer import Explorer
from ai.explain.subject import Choice, Subject
from ai.network.network import training_file
from ai.players.table import Context, make
from ai.search.comparison import variant
from ai.search.mcts_tree import SampleTree
from ai.search.shared_tree import EXTRA, SharedTree
from ai.search.trace import Trace, Traceable
from games.position import Position
from tests import sampling
from tests.waiting import wait
from ui.learn.lesson_state import Lesson, Step, arrange, lessons, subject
from ui.learn.search_words import bound_text, value_text
from ui.toolkit.i18n import LANGUAGES

NUMBERS = "numbers (3 12 8) (2 4 6) (14 5 2)"
TICTACTOE = 549_946
"""Nodes of minimax from the empty board; the tests of minimax count them."""

LESSONS = lessons("en")
IDS = [each.key for each in LESSONS]

_LOOKED_AT = 1000  # nodes of a search that have the values that its text states


@dataclass(frozen=True)
class Searched:
    position: Position
    info: Info
    trace: Trace

    @property
    def nodes(self) -> int:
        return len(self.trace)

    @property
    def iterations(self) -> list[int]:
        """The nodes of each."""
        return [self.trace.after(root) - root for root in self.trace.roots()]

    def below(self, *moves: str) -> int:
        """The nodes of the branch after `moves`, in the last iteration."""
        node = self.trace.roots()[-1]
        for move in moves:
            row = self.trace.children(node)
            node = next(child for child in row if self.position.move_text(self.trace.move[child]) == move)
        return self.trace.after(node) - node


@cache
def searched(position: str, key: str, depth: int = 0) -> Searched:
    start = subject(position).position
    player = make(variant(key, distance=False), Context(start.game))
    assert isinstance(player, Traceable)
    player.trace = Trace()
    info = answer(player, start, Limit(depth=depth or None))
    return Searched(start, info, player.trace)


def plain_value(position: Position, depth: int, alpha: int = -1, beta: int = 1) -> int:
    """1, 0 or -1 for the side to move if the game ends within `depth` plies, else 0. It knows only the rules."""
    outcome = position.outcome
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == position.turn else -1
    if not depth:
        return 0
    for move in position.legal_moves():
        alpha = max(alpha, -plain_value(position.play(move), depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def positions_below(position: Position) -> set[object]:
    """The keys of `position` and of all that can follow."""
    return {position.key}.union(*(positions_below(position.play(move)) for move in position.legal_moves()))


def shared(key: str, workers: int, position: str = NUMBERS, depth: int = 2) -> SharedTree:
    """The search by several workers."""
    trace = finished(subject(position), Choice(key, depth, False, workers)).trace
    assert isinstance(trace, SharedTree)
    return trace


def in_four(key: str) -> list[Stated]:
    """The nodes of one worker, those of four, and in what time; how many times as fast that is, and the overhead."""
    tree = shared(key, 4, "connect4 d c d", 4)
    assert tree.alone is not None
    return [tree.alone, len(tree), tree.span, f"{tree.alone / tree.span:.1f}", len(tree) - tree.alone]


def needless(key: str) -> list[Stated]:
    """The nodes that four workers search and one would not, and the others."""
    tree = shared(key, 4, "connect4 d c d", 4)
    return [tree.count_marked(EXTRA), len(tree) - tree.count_marked(EXTRA)]


def leaves_in_best_order(b: int, depth: int) -> Stated:
    """As the lesson writes the sum."""
    half = (depth + 1) // 2
    one, other = b**half, b ** (depth - half)
    return f"{one} + {other} − 1 = {one + other - 1}"


def deepened(depth: int) -> int:
    """The nodes of that iteration of Connect Four."""
    return searched("connect4", "deepening", 8).iterations[depth - 1]


def compared(number: int, move: str) -> Stated:
    """Mean, bonus and sum of a move of the root, by the formula of that page of lesson 9."""
    _, tree, node = sampled(number, move)
    whole, seldom = tree.visits[0], tree.visits[node]
    by_visits = sqrt(log(whole) / seldom)
    term = by_visits if number == 7 else tree.prior[node] * sqrt(whole) / (1 + seldom)
    mean, bonus = round(tree.mean[node], 2), round(0.35 * term, 2)
    return f"{mean:.2f} + {bonus:.2f} = {mean + bonus:.2f}"


def nodes(*search: str | int) -> int:
    return searched(*search).nodes  # type: ignore[arg-type]  # position, key, depth


def sampled(number: int, move: str) -> tuple[Explorer, SampleTree, int]:
    """The search of a step of lesson 9, and the node after `move`."""
    explorer = explored(step_of("en", "09-mcts", number))
    node = explorer.find(move)
    assert isinstance(explorer.trace, SampleTree)
    assert node is not None
    return explorer, explorer.trace, node


def visits(number: int, move: str) -> int:
    _, tree, node = sampled(number, move)
    return tree.visits[node]


def mean(number: int, move: str) -> int:
    """In percent."""
    explorer, tree, node = sampled(number, move)
    assert not tree.proven[node]
    return int(bound_text(explorer, node).removesuffix(" %"))


def proven(number: int, move: str) -> int:
    """In at most how many moves the game is won."""
    explorer, tree, node = sampled(number, move)
    assert tree.proven[node]
    return int(bound_text(explorer, node).removeprefix("in ≤"))


def shortest(number: int) -> int:
    """Moves of the fastest win of the side to move, by a plain search."""
    position = step_of("en", "09-mcts", number).subject.position
    return next(moves for moves in range(1, 10) if plain_value(position, 2 * moves - 1) == 1)


def prior(move: str) -> int:
    """In percent."""
    _, tree, node = sampled(8, move)
    assert tree.prior[node] == max(tree.prior[child] for child in tree.children(0))
    return round(100 * tree.prior[node])


def trained(game: str, *names: str) -> list[int | str]:
    """The games of the training, and figures of its curve in percent."""
    data = json.loads(training_file(game).read_text(encoding="utf-8"))
    (_, before, *_), (games, after, score, *_) = data["progress"][0], data["progress"][-1]
    known = {"chance": data["chance"], "before": before, "after": after, "score_after": score}
    return [games, *(round(100 * known[name]) for name in names)]


Stated = int | str
STATED: dict[tuple[str, int], Callable[[], list[Stated]]] = {
    ("02-minimax", 5): lambda: [nodes(NUMBERS, "minimax", 2)],
    ("03-evaluation", 1): lambda: [6 * 7],
    ("03-evaluation", 5): lambda: [15 * 15, len(subject("gomoku h8 i9 g7 i7").position.legal_moves())],
    ("03-evaluation", 7): lambda: [f"0.75 · 0.6 + 0.25 · 0.2 = {0.75 * 0.6 + 0.25 * 0.2:g}"],
    ("04-alpha-beta", 5): lambda: [nodes(NUMBERS, "alphabeta", 2), nodes(NUMBERS, "minimax", 2)],
    ("04-alpha-beta", 7): lambda: [TICTACTOE, nodes("tictactoe", "alphabeta")],
    ("05-ordering", 1): lambda: [nodes(NUMBERS, "alphabeta", 2)],
    ("05-ordering", 2): lambda: [nodes("numbers (2 4 6) (14 5 2) (3 12 8)", "alphabeta", 2)],
    ("05-ordering", 3): lambda: [nodes("numbers (3 12 8) (2 4 6) (2 5 14)", "alphabeta", 2)],
    ("05-ordering", 4): lambda: [
        leaves_in_best_order(10, 4), 10**2, 10**2 + 10**2 - 1, 10**4,
        leaves_in_best_order(3, 3), nodes("bones:8", "alphabeta", 3),
    ],
    ("05-ordering", 5): lambda: [nodes("tictactoe", "ordering"), nodes("tictactoe", "alphabeta")],
    ("06-deepening", 1): lambda: [deepened(1)],
    ("06-deepening", 2): lambda: [deepened(2), deepened(3), deepened(4)],
    ("06-deepening", 3): lambda: [sum(map(deepened, range(1, 8))), deepened(8)],
    ("06-deepening", 4): lambda: [
        nodes("connect4", "table", 8), deepened(8), sum(map(deepened, range(1, 9))), deepened(1),
    ],
    ("07-transpositions", 2): lambda: [
        nodes("bones:8", "minimax"), 2 * 9,
        *(searched("bones:8", "minimax").below(*moves) - 1 for moves in ("13", "22", "31", "1111")),
    ],
    ("07-transpositions", 4): lambda: [nodes("bones:8", key) for key in ("table", "ordering", "alphabeta")],
    ("07-transpositions", 7): lambda: [nodes("tictactoe", key) for key in ("alphabeta", "ordering", "table")],
    ("07-transpositions", 8): lambda: ["1011", "0110"],
    ("07-transpositions", 9): lambda: [f"{0b1011 ^ 0b0110:04b}", "1011", "0110"],
    ("08-parallel", 1): lambda: [
        *(searched(NUMBERS, "alphabeta", 2).below(move) for move in "abc"), nodes(NUMBERS, "alphabeta", 2),
    ],
    ("08-parallel", 2): lambda: [searched(NUMBERS, key, 2).below("b") for key in ("minimax", "alphabeta")],
    ("08-parallel", 3): lambda: [
        len(shared("root_splitting", 2)) - nodes(NUMBERS, "alphabeta", 2),
        len(shared("root_splitting", 2)), shared("root_splitting", 2).span, nodes(NUMBERS, "alphabeta", 2),
    ],
    ("08-parallel", 4): lambda: [len(shared("brothers", 2)), shared("brothers", 2).span],
    ("08-parallel", 5): lambda: [*in_four("root_splitting"), *needless("root_splitting")],
    ("08-parallel", 6): lambda: in_four("brothers")[1:],
    ("08-parallel", 7): lambda: [searched("bones:8", "minimax").below("1", "3") - 1],
    ("08-parallel", 10): lambda: [
        searched(NUMBERS, "alphabeta", 2).below("a"), f"1 / 0.4 = {1 / 0.4:g}", f"0.1 + 0.9 / 10 = {0.1 + 0.9 / 10:g}",
    ],
    ("09-mcts", 7): lambda: [visits(7, ""), visits(7, "a3"), compared(7, "a3"), visits(7, "a2"), compared(7, "a2")],
    ("09-mcts", 8): lambda: [prior("d"), mean(8, "d")],
    ("09-mcts", 9): lambda: [visits(9, ""), visits(9, "b"), compared(9, "b"), visits(9, "d"), compared(9, "d")],
    ("09-mcts", 10): lambda: [
        visits(10, ""), visits(10, "f"), mean(10, "f"), visits(10, "b"), mean(10, "b"),
    ],
    ("09-mcts", 11): lambda: [visits(11, ""), proven(11, "d"), visits(11, "d")],
    ("09-mcts", 12): lambda: [visits(12, "b"), visits(12, ""), mean(12, "b"), visits(12, "f")],
    ("09-mcts", 13): lambda: [visits(13, ""), proven(13, ""), shortest(13)],
    ("10-learning", 5): lambda: trained("connect4", "chance", "before", "after"),
    ("10-learning", 6): lambda: trained("tictactoe", "before", "after", "score_after"),
    ("10-learning", 10): lambda: [f"¾·3 + ¼·4 = {0.75 * 3 + 0.25 * 4:g}", f"¾·2 + ¼·9 = {0.75 * 2 + 0.25 * 9:g}"],
}  # fmt: skip
"""What a step of a lesson states, besides values and best moves."""

BEST = {
    ("02-minimax", 5, ""): "a", ("02-minimax", 6, ""): "a1",
    ("03-evaluation", 2, ""): "d", ("03-evaluation", 4, ""): "c3", ("03-evaluation", 5, ""): "g8",
    ("06-deepening", 1, ""): "d", ("07-transpositions", 3, "1 1"): "2",
    ("09-mcts", 8, ""): "d", ("09-mcts", 9, ""): "b", ("09-mcts", 10, ""): "f",
    ("12-quiescence", 1, ""): "e", ("12-quiescence", 2, ""): "c", ("12-quiescence", 3, ""): "c",
    ("13-expectimax", 1, ""): "a", ("13-expectimax", 2, ""): "b", ("13-expectimax", 3, ""): "a",
    ("13-expectimax", 4, ""): "a", ("13-expectimax", 5, ""): "a1",
    ("09-mcts", 12, ""): "b", ("09-mcts", 13, ""): "b",
    ("10-learning", 8, ""): "a", ("10-learning", 9, ""): "b",
}  # fmt: skip
"""The best moves that steps name, after the moves from the root."""

EXPLAINED = {("01-game-tree", 4, "−10"), ("03-evaluation", 2, "+10"), ("03-evaluation", 4, "−10"),
             *(("11-null-window", 1, f"−{value}") for value in (3, 8, 12)),
             *(("11-null-window", 2, f"−{value}") for value in (2, 3))}  # fmt: skip
"""Values that a step explains, and which are not in its tree."""


def finished(subject: Subject, choice: Choice) -> Explorer:
    explorer = Explorer(subject, choice, lambda: None)
    wait(lambda: explorer.info, lambda: explorer.update(0.0))
    return explorer


_shared = cache(finished)


def explored(step: Step) -> Explorer:
    """The search of a step, as the lesson shows it until another step is asked for."""
    explorer = _shared(step.subject, step.choice)
    arrange(explorer, step)
    return explorer


def step_lesson(code: str, key: str) -> Lesson:
    return next(each for each in lessons(code) if each.key == key)


def step_of(code: str, key: str, number: int) -> Step:
    return step_lesson(code, key).steps[number - 1]


def written(stated: Stated) -> str:
    return f"{stated:,}" if isinstance(stated, int) else stated


@pytest.mark.parametrize("about", sampling.sampled([(about,) for about in STATED], 16), ids=str)
def test_what_a_step_states_is_so(about: tuple[str, int]) -> None:
    for code in LANGUAGES:
        text = re.sub(r"(?<=\d)\xa0(?=\d)", ",", step_of(code, *about).text)
        for stated in STATED[about]():
            assert re.search(rf"(?<![\d,.]){re.escape(written(stated))}(?!\d|[,.]\d)", text), (stated, text)


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=IDS)
def test_values_that_a_step_states_are_those_of_its_nodes(lesson: Lesson) -> None:
    for number, step in enumerate(lesson.steps, 1):
        explorer = explored(step)
        first = range(explorer.root, min(explorer.root + _LOOKED_AT, len(explorer.trace)))
        values = {value_text(explorer, explorer.value(node)) for node in first}
        for code in LANGUAGES:
            text = step_of(code, lesson.key, number).text
            for stated in re.findall(r"[+−]\d+(?:\.\d+)?", text):
                explained = (lesson.key, number, stated) in EXPLAINED
                assert explained or stated in values, (code, number, stated)


@pytest.mark.parametrize(("about", "best"), BEST.items(), ids=str)
def test_the_best_move_that_a_step_names_is_the_best(about: tuple[str, int, str], best: str) -> None:
    key, number, moves = about
    explorer = explored(step_of("en", key, number))
    node = explorer.find(moves)
    assert node is not None
    child = explorer.steps.best(node, explorer.shown)
    assert child is not None
    assert explorer.subject.position.move_text(explorer.trace.move[child]) == best
    for code in LANGUAGES:
        assert re.search(rf"(?<!\w){best}(?!\w)", step_of(code, key, number).text, re.ASCII)


def test_transpositions_lead_to_one_position() -> None:
    for key, number in (*(("07-transpositions", number) for number in (1, 2, 4)), ("08-parallel", 7)):
        step = step_of("en", key, number)
        explorer = explored(step)
        marked = [explorer.position(node).key for node in explorer.marked]
        assert len(marked) == len(step.marks)
        assert len(set(marked)) == 1
    assert len(positions_below(subject("bones:8").position)) <= 2 * 9


def test_two_workers_share_the_tree_of_numbers_as_the_lesson_says() -> None:
    """Counted by hand: without alpha b takes 4 nodes, with it 2."""
    alone, whole = searched(NUMBERS, "alphabeta", 2), searched(NUMBERS, "minimax", 2)
    a, b, c = (alone.below(move) for move in "abc")
    roots, brothers = shared("root_splitting", 2), shared("brothers", 2)
    assert (len(roots), roots.span) == (1 + a + whole.below("b") + c, whole.below("b") + c)
    assert (len(brothers), brothers.span) == (1 + a + b + c, 1 + a + max(b, c))
    assert [roots.moves_to(node) for node, marks in enumerate(roots.marks) if marks & EXTRA] == [(1, 1), (1, 2)]
    assert not any(marks & EXTRA for marks in brothers.marks)


def test_the_overhead_that_is_asked_for_is_that_of_the_search() -> None:
    alone, together, _, _, overhead = in_four("root_splitting")
    for code in LANGUAGES:
        asked = next(each for each in lessons(code) if each.key == "08-parallel").questions[1]
        assert {alone, together} == {int(number) for number in re.findall(r"\d+", asked.text)}
        assert re.findall(r"\d+", asked.options[asked.answer - 1]) == [str(overhead)]


def test_workers_wait_longer_for_brothers_but_do_less_in_vain() -> None:
    roots, brothers = (shared(key, 4, "connect4 d c d", 4) for key in ("root_splitting", "brothers"))

    def idle(tree: SharedTree) -> float:
        return 1 - sum(tree.busy(worker) for worker in range(1, 5)) / (4 * tree.span)

    assert idle(brothers) > idle(roots)
    assert brothers.count_marked(EXTRA) < roots.count_marked(EXTRA)


def test_what_is_cut_in_the_lessons_is_cut() -> None:
    search = searched(NUMBERS, "alphabeta", 2)
    assert [search.below(move) for move in "abc"] == [4, 2, 4]
    found = searched("bones:8", "table")
    assert found.below("3") == 1
    assert found.below("1", "1", "1") > 1


def test_an_estimate_is_wrong_as_the_lesson_says() -> None:
    position = step_of("en", "03-evaluation", 4).subject.position
    played = {position.move_text(move): position.play(move) for move in position.legal_moves()}
    assert -played["c3"].evaluate() > 0
    assert {plain_value(after, 9) for after in played.values()} == {1}, "O wins after every move"
    threat = played["a3"].play(position.parse_move("c3"))
    assert threat.outcome is not None, "O threatens c3"
    fork = played["c3"].play(position.parse_move("b2"))
    for move in fork.legal_moves():
        assert plain_value(fork.play(move), 1) == 1


def test_an_unfinished_depth_counts_where_it_has_found_something_better() -> None:
    """As lesson 6 says; it said that only complete depths count."""
    position = subject("connect4 e e b").position

    def found(limit: Limit) -> tuple[str, int]:
        info = answer(make("alphabeta", Context("connect4")), position, limit)
        return position.move_text(info.move), info.depth

    assert found(Limit(depth=3)) == ("d", 3)
    assert found(Limit(nodes=300)) == ("c", 3)
    assert found(Limit(depth=4)) == ("c", 4)


def test_leaves_of_the_minimal_tree_are_counted_as_the_lesson_says() -> None:
    trace = searched("bones:8", "alphabeta", 3).trace
    leaves = sum(trace.size[node] == 1 and trace.ply[node] == 3 for node in range(len(trace)))
    assert leaves_in_best_order(3, 3).endswith(f" {leaves}")
    assert leaves_in_best_order(10, 6).endswith(" 1999")
    for code in LANGUAGES:
        question = step_lesson(code, "05-ordering").questions[1]
        assert re.search("1[,\xa0]999", question.why)
        assert question.options[question.answer - 1] in ("2,000", "2\xa0000")


def test_the_last_four_of_the_refutation_is_open() -> None:
    """The window said that each four has one answer."""
    from ai.gomoku.horizon import record, search_both_depths

    position = record().position
    shallow = next(search_both_depths())
    line = (shallow.line[0], *shallow.refutation)
    ends = []
    for ply, move in enumerate(line):
        if ply % 2 == 1:
            ends.append(len(wins_at_once(position.play(move))))
        position = position.play(move)
    assert ends == [1, 1, 1, 2, 0], "the last ply completes five"
    assert position.outcome is not None


def wins_at_once(position: Position) -> list[int]:
    """The points where the side that has just moved would complete a five."""

    def five(point: int) -> bool:
        others = (other for other in position.legal_moves() if other != point)
        outcome = position.play(next(others)).play(point).outcome
        return outcome is not None and outcome.winner == 1 - position.turn

    return [] if position.outcome is not None else [point for point in position.legal_moves() if five(point)]


def test_heaps_are_won_as_the_lesson_says() -> None:
    assert searched("bones:6", "minimax").info.move == 2
    assert searched("bones:7", "minimax").info.move == 3
    assert all(searched(f"bones:{left}", "minimax").info.score < 0 for left in (4, 8))


def test_the_horizon_of_three_plies_hides_what_four_see() -> None:
    assert searched("bones:8", "minimax", 3).info.score == 0
    assert searched("bones:8", "minimax", 4).info.score < 0


def test_deepening_costs_two_to_four_times_as_much_each_time() -> None:
    counts = [deepened(depth) for depth in range(1, 9)]
    assert all(2 <= after / before <= 4 for before, after in pairwise(counts))
    assert counts[-1] > sum(counts[:-1])


def test_means_show_what_random_answers_are_worth() -> None:
    """The chance nodes of lesson 10 are worth the means of their leaves; estimates stood for them."""
    explorer = explored(step_of("en", "10-learning", 9))
    nodes = explorer.trace.children(explorer.root)
    assert all(map(explorer.trace.is_chance, nodes))
    values = [bound_text(explorer, node) for node in nodes]
    assert values == [f"{sum((3, 4, 5)) / 3:g}", f"{sum((2, 12, 13)) / 3:g}"]


def test_the_search_of_the_lesson_proves_what_it_says() -> None:
    explorer, _, node = sampled(11, "d")
    assert (explorer.value(node) or 0) < 0, "Yellow wins"
    explorer, _, node = sampled(13, "b")
    assert (explorer.value(node) or 0) > 0, "Red wins"
    assert explorer.shown == explorer.steps.last, "the search ends with the proof"


def test_the_next_visit_goes_where_the_lesson_says() -> None:
    explorer, tree, node = sampled(7, "a2")
    assert tree.following[0] == tree.move[node]
    sums = {child: tree.mean[child] + tree.bonus[child] for child in tree.children(0)}
    assert max(sums, key=sums.__getitem__) == node
    _, _, other = sampled(7, "a3")
    assert tree.mean[node] < tree.mean[other]
    explorer.go(tree.visits[0])
    assert explorer.trace.node_after((tree.move[node],)) in explorer.trail
