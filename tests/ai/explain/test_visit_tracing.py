"""A Monte Carlo tree search that is gone through visit by visit."""

from __future__ import annotations

from math import log, sqrt

import pytest

from ai.core.player import Limit, answer
from ai.explain.explorer import Explorer
from ai.explain.kinds import Engines
from ai.explain.prediction import Quiz
from ai.explain.subject import Choice, Subject
from ai.players.table import Context, make
from ai.search.comparison import SAMPLED
from ai.search.mcts import Mcts
from ai.search.mcts_tree import SampleTree
from ai.service.searches import Searches
from games.formats.text import parse
from games.registry import GAMES, setup
from ui.learn.search_words import bound_text, node_sentences, sum_text


def explored(key: str = "sampled", moves: str = "a1 b2 c3", game: str = "tictactoe") -> Explorer:
    record = parse(moves, setup(game))
    return Explorer(Subject.of(record, record.cursor), Choice(key), lambda: None)


def tree_of(explorer: Explorer) -> SampleTree:
    assert isinstance(explorer.trace, SampleTree)
    return explorer.trace


def facts(tree: SampleTree) -> list[tuple[tuple[int, ...], int, int, int]]:
    return sorted((tree.moves_to(node), tree.visits[node], tree.value[node], tree.proven[node])
                  for node in range(len(tree)))  # fmt: skip


@pytest.mark.parametrize("key", SAMPLED)
def test_a_step_is_one_visit_along_its_trail(key: str) -> None:
    explorer = explored(key)
    before = None
    for step in range(40):
        explorer.go(step)
        tree = tree_of(explorer)
        assert tree.visits[0] == step + 1 == 1 + sum(tree.visits[child] for child in tree.children(0))
        for node in range(1, len(tree)):
            old = None if before is None else before.node_after(tree.moves_to(node))
            more = tree.visits[node] - (0 if old is None else before.visits[old])  # type: ignore[union-attr]
            if node in explorer.trail:
                assert more == 1
                assert tree.parent[node] in explorer.trail
            elif tree.parent[node] == 0:
                assert more == 0
        before = tree


@pytest.mark.parametrize(("key", "c"), [("sampled", 0.35), ("playouts", 0.35), ("playouts", 1.4)])
def test_the_sums_on_the_screen_predict_the_next_visit(key: str, c: float) -> None:
    """The formula of the lesson predicted another move than the window played: its c was on another scale."""
    record = parse("b2 b1", setup("tictactoe"))
    explorer = Explorer(Subject.of(record, record.cursor), Choice(key, c=c), lambda: None)
    compared = 0
    for step in range(1, 40):
        explorer.go(step)
        tree = tree_of(explorer)
        children, whole, following = tree.children(0), tree.visits[0], tree.following[0]
        for child in children:
            n, mean = tree.visits[child], tree.mean[child]
            bonus = c * sqrt(log(whole) / n) if key == "playouts" else c * tree.prior[child] * sqrt(whole) / (1 + n)
            assert tree.bonus[child] == pytest.approx(bonus, abs=1e-6)
            assert mean == pytest.approx(float(percent(explorer, child)) / 100, abs=0.006), "the value under the board"
        open_moves = [child for child in children if not tree.proven[child]]
        sums = {child: tree.mean[child] + tree.bonus[child] for child in open_moves}
        tried = tree.child(0, following)
        if tried is not None:
            assert sums[tried] == pytest.approx(max(sums.values()), abs=1e-6)
            compared += 1
        explorer.go(step + 1)
        after = tree_of(explorer)
        assert tree.move[0] == after.move[0]
        visited = after.child(0, following)
        assert visited in explorer.trail
    assert compared > 20


def percent(explorer: Explorer, node: int) -> str:
    return bound_text(explorer, node).removesuffix(" %")


def test_the_search_by_uct_showed_a_prior_that_it_does_not_use() -> None:
    for key, shown in (("playouts", False), ("sampled", True)):
        explorer = explored(key, "b2 b1")
        explorer.go(30)
        tree = tree_of(explorer)
        child = tree.children(0)[0]
        words = " ".join(node_sentences(explorer, child))
        assert ("Prior" in words) == ("prior" in tree.extra_columns()) == shown
        assert sum_text(explorer, child) in words
        assert sum_text(explorer, child)


@pytest.mark.parametrize(("key", "step"), [("sampled", 20), ("playouts", 20), ("sampled", 60)])
def test_a_step_has_the_tree_of_the_player(key: str, step: int) -> None:
    explorer = explored(key)
    player = make(SAMPLED[key], Context("tictactoe", seed=1))
    assert isinstance(player, Mcts)
    info = answer(player, explorer.subject.position, Limit(nodes=step))
    explorer.go(step)
    assert facts(tree_of(explorer)) == facts(player.sample())
    assert tree_of(explorer).move[explorer.line()[1]] == info.move


def test_back_and_forth_leads_to_the_same_tree() -> None:
    explorer = explored("playouts")
    explorer.go(40)
    first, trail = facts(tree_of(explorer)), explorer.trail
    explorer.step(-15)
    assert tree_of(explorer).visits[0] == 26
    explorer.step(15)
    assert (facts(tree_of(explorer)), explorer.trail) == (first, trail)
    explorer.go(None)
    assert tree_of(explorer).visits[0] == explorer.steps.last + 1
    assert explored("sampled", "", "connect4").steps.last == 499, "nothing is proven in 500 visits"


def test_what_is_looked_at_marked_folded_and_widened_stays_so_from_visit_to_visit() -> None:
    explorer = explored()
    explorer.go(30)
    assert explorer.node_step == 2 * len(explorer.trace), "all nodes are shown"
    node = explorer.find("b3")
    assert node is not None
    below, last = explorer.trace.children(node)[0], len(explorer.trace) - 1

    def found() -> list[list[tuple[int, ...]]]:
        pointed = () if explorer.pointed is None else (explorer.pointed,)
        unfolded = [node for node in range(len(explorer.trace)) if explorer.unfolded(node)]
        rows = ((explorer.node,), pointed, sorted(explorer.marked), sorted(explorer.widened), unfolded)
        return [[explorer.trace.moves_to(each) for each in row] for row in rows]

    explorer.marked = frozenset({below, last})
    explorer.widened |= {below, last}
    explorer.pointed = last
    explorer.look_at(node)
    explorer.unfold(below)
    one, other, unfolded = (1, 7), (7, 1, 0), [(), (1,), (1, 7)]
    explorer.go(50)
    assert found() == [[(1,)], [other], [one, other], [one, other], unfolded]
    explorer.go(20)
    assert found() == [[(1,)], [], [one], [one], unfolded], "without the one that was not visited yet"
    assert explorer.node == explorer.find("b3")
    explorer.pointed = 1000
    explorer.go(0)
    assert found() == [[()], [], [], [], [()]]


def test_playing_goes_on_to_the_proof() -> None:
    explorer = explored()
    explorer.speed = 40
    explorer.play(0.0)
    for second in range(1, 10):
        explorer.update(float(second))
    assert not explorer.playing
    assert explorer.at == explorer.steps.last
    assert tree_of(explorer).proven[0]


def test_nothing_is_asked_before_a_visit() -> None:
    quiz = Quiz(explored())
    quiz.switch()
    for _ in range(5):
        quiz.forward()
    assert (quiz.asked, quiz.explorer.at, quiz.last) == (None, 5, quiz.explorer.steps.last)


@pytest.mark.parametrize("game", GAMES)
def test_it_is_offered_where_it_needs_no_engine(game: str) -> None:
    searches = Searches(lambda name, game, _book: make(name, Context(game)), lambda: None, lambda: True)
    record = parse("", setup(game))
    subject = Subject.of(record, record.cursor)
    explorer = Explorer(subject, Choice("minimax", 1), lambda: None, Engines(searches))
    offered = {choice.key: choice for choice in explorer.choices}
    assert ("sampled" in offered) == ("playouts" in offered) == (game != "gomoku")
    assert ("network" in offered) == (game in ("connect4", "tictactoe"))
    if game != "gomoku":
        explorer.choose(offered["sampled"])
        explorer.deepen(1)
        assert explorer.choice == Choice("sampled"), "it has no depth"
    searches.release()
