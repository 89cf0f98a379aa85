"""What is said of searches that are compared, and of the bounds of a comparison, without a window."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from ai.core.player import Info
from ai.core.score import WIN
from ai.explain.subject import Choice, Shared, SideBySide, compare, share
from ai.gomoku import horizon
from ai.gomoku.horizon import HorizonResult
from ai.search.comparison import VARIANTS, Bounds, SearchRow
from ai.search.parallel import Division
from games.formats.text import parse
from games.registry import setup
from tests.ui.learn.test_lesson_facts import finished
from tests.ui.learn.test_search_words import told
from ui.learn import compare_state
from ui.learn.compare_state import (
    HORIZON,
    SEARCHES,
    THREADS,
    TREES,
    Comparison,
    Plot,
    below_sentence,
    bounds_sentence,
    cell_texts,
    csv,
    findings,
    horizon_sentences,
    plot,
    row_sentence,
    row_tip,
    share_text,
    thread_sentences,
    trees_sentences,
    trees_titles,
    value_text,
)
from ui.learn.lesson_state import subject

POSITION = parse("b2", setup("tictactoe")).position


@pytest.fixture(autouse=True)
def _by_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_state, "t", told)


def row(search: str, depth: int, nodes: int, score: int = -30, finished: bool = True, before: int = 0) -> SearchRow:
    return SearchRow(search, depth, nodes, 1.25, score, 0, finished, before=before)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.994, "0.99"), (0.995, "1.0"), (9.94, "9.9"), (9.95, "10"), (0.0, "0.00"), (123.4, "123")],
)
def test_seconds_have_two_or_three_digits(seconds: float, text: str) -> None:
    found = SearchRow("minimax", 1, 870, seconds, 0, 0)
    assert cell_texts(found) == ("870", f"compare.seconds(seconds: {text})")


def test_a_row_as_a_sentence() -> None:
    facts = "depth: 3, move: c1, nodes: 1,200, search: compare.minimax(), seconds: 1.2"
    said = f"compare.row({facts}, value: X +0.3)".replace("c1", "a3")
    assert row_sentence(POSITION, row("minimax", 3, 1200)) == said
    assert row_sentence(POSITION, row("minimax", 3, 1200, finished=False)) == (
        "compare.stopped_row(depth: 3, nodes: 1,200, search: compare.minimax(), seconds: 1.2)"
    )
    assert row_sentence(POSITION, row("minimax", 3, 1200, before=200)) == f"{said} compare.row.last(number: 1,000)"
    assert row_tip(row("minimax", 3, 1200)) == "compare.tip(depth: 3, nodes: 1,200, search: compare.minimax())"


@pytest.mark.parametrize(
    ("score", "text"),
    [(0, "0"), (120, "O +1.2"), (-120, "X +1.2"), (WIN - 3, "compare.wins(count: 3, side: O)"),
     (4 - WIN, "compare.wins(count: 4, side: X)")],
)  # fmt: skip
def test_a_score_names_the_side_that_it_favours(score: int, text: str) -> None:
    assert value_text(POSITION, score) == text


def test_what_the_rows_show() -> None:
    assert findings(POSITION, []) == ["compare.b.moves(b: 8)"]
    rows = [row("minimax", 1, 9), row("minimax", 2, 73), row("minimax", 3, 500, finished=False),
            row("alphabeta", 1, 9), row("alphabeta", 2, 30), row("table", 2, 4), row("table", 1, 7, 20),
            row("table", 3, 9)]  # fmt: skip
    saved, value, b = findings(POSITION, rows)
    assert saved == "compare.saved(depth: 2, few: 4, many: 73, search: compare.table(), times: 18)"
    assert value == "compare.value(depth: 2, value: X +0.3)"
    assert b == "compare.b(b: 8.0, depth: 2, nodes: 73)"
    apart = [row("minimax", 2, 30), row("alphabeta", 2, 10, 20)]
    assert [said.partition("(")[0] for said in findings(POSITION, apart)] == ["compare.saved", "compare.b"]
    for few, times in ((3, "10"), (4, "7.5")):
        assert f"times: {times})" in findings(POSITION, [row("minimax", 2, 30), row("alphabeta", 2, few)])[0]


def test_bounds_of_a_search_are_told() -> None:
    assert bounds_sentence() == "compare.bounds(nodes: 600,000, seconds: 8)"


def test_the_horizon_effect_in_words() -> None:
    seen = [HorizonResult(4, 120, (3, 4), 1234, (5, 6, 7)), HorizonResult(8, WIN - 5, (1,), 99, ())]
    assert horizon_sentences(POSITION, seen) == [
        "compare.horizon.about()",
        "compare.horizon.shallow(depth: 4, move: a2, nodes: 1,234, value: O +1.2)",
        "compare.horizon.refuted(count: 3, line: c2 a1 b1, side: X)",
        "compare.horizon.deep(depth: 8, move: b3, nodes: 99, value: compare.wins(count: 5, side: O))",
    ]


def test_two_threads_in_words() -> None:
    assert thread_sentences([]) == ["compare.threads.about()", "compare.threads.gil()"]
    done = Division((100, 30), 70, (1200, 345), (7, 89))
    first = Shared(2, 1, Division((1, 1), 1, (1, 1), (1, 1)), 1, 1)
    assert thread_sentences([first, Shared(5, 1000, done, 2000, 5)]) == [
        "compare.threads.about()",
        "compare.threads.twice(all: 200, both: 70, depth: 5, share: 35 %)",
        "compare.threads.cost(alone: 2,000, nodes: 1,545, span: 1,000)",
        "compare.threads.gil()",
    ]
    assert [share_text(*share) for share in ((0, 0), (1, 1), (1, 3))] == ["0 %", "100 %", "33 %"]


def test_two_whole_trees_in_words() -> None:
    trees = SideBySide(subject("tictactoe a3 b3 c3 a2"), Mock())
    about = "compare.trees.about(side: X)"
    assert trees_sentences(trees) == [about]
    assert below_sentence(trees) == ""
    whole, pruned = (finished(trees.subject, Choice(key, 2)).trace for key in ("minimax", "alphabeta"))
    trees.whole, trees.pruned = (Mock(trace=trace, info=Info(0, WIN - 3), busy=False) for trace in (whole, pruned))
    assert trees_titles(trees) == [
        ("compare.trees.nodes(nodes: 26, search: compare.minimax())", ""),
        ("compare.trees.nodes(nodes: 14, search: compare.alphabeta())", "search.saved()"),
        ("compare.trees.alone()", "53.8 %"),
    ]
    assert trees_sentences(trees) == [
        about,
        "compare.trees.saved(few: 14, many: 26, search: compare.alphabeta(), times: 1.9)",
        "compare.trees.value(value: compare.wins(count: 3, side: X))",
    ]
    said = []
    for moves in ((), (8,), (8, 5)):
        trees.pointed = moves
        said.append(below_sentence(trees))
    facts = "search: compare.alphabeta(), "
    assert said == [
        f"compare.trees.below(moves: search.root(), pruned: 14, {facts}whole: 26)",
        f"compare.trees.below(moves: c1, pruned: 2, {facts}whole: 5)",
        f"compare.trees.gone(moves: c1 c2, pruned: 0, {facts}whole: 1)",
    ]
    trees.whole.trace = trees.pruned.trace = [0]
    assert trees_titles(trees)[-1] == ("compare.trees.alone()", "100.0 %")
    trees.whole.trace, trees.pruned.info = whole, None
    assert trees_sentences(trees) == [about, "compare.trees.too_large(nodes: 26)"]


def test_a_view_begins_its_search_unless_it_has_found_something(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, stream = list[tuple[object, ...]](), Mock(busy=True, take=list)
    monkeypatch.setattr(compare_state, "Stream", lambda _wake, *task: begun.append(task) or stream)
    state = Comparison(Mock(), parse("a3b3", setup("tictactoe")))
    for view in (SEARCHES, THREADS, HORIZON, HORIZON):
        state.choose(view)
    state.search_rows.append(row("minimax", 1, 9))
    state.choose(SEARCHES)
    bounds = Bounds(8)
    both = (horizon.search_both_depths,)
    assert begun == [(compare, state.position, bounds), (share, state.position, 2, bounds), both, both]


def test_the_depth_and_the_view_of_a_comparison() -> None:
    state = Comparison(Mock(), parse("a3b3c3a2", setup("tictactoe")))
    depths = []
    for by in (-99, 1, 99, -1):
        state.deepen(by)
        depths.append(state.depth)
    assert depths == [1, 2, 10, 9]
    state.view = TREES
    before = state.trees.depth
    state.deepen(-1)
    assert (state.depth, state.trees.depth == before) == (9, False)
    state.close()


def test_a_chart_has_room_for_the_deepest_and_the_largest_search() -> None:
    assert [(each.depth, each.decades) for each in (plot([], 9), plot([row("minimax", 4, 100)], 9))] == [(4, 2), (4, 2)]
    deeper = plot([row("minimax", 5, 101), row("table", 9, 9_999_999, finished=False)], 9)
    assert (deeper.depth, deeper.decades) == (5, 3)
    places = [Plot((), 3, 4, 9.0).place(*point) for point in ((2, 0.5), (1, 1), (3, 10_000), (2, 100))]
    assert places == [(0.5, 0.0), (0, 0), (1, 1), (0.5, 0.5)]


def test_csv_is_sorted_by_depth() -> None:
    rows = [row(search, depth, 10 * depth, finished=depth < 2, before=1) for search in VARIANTS for depth in (2, 1)]
    head, *lines = csv(POSITION, rows[:3]).decode("utf-8-sig").splitlines()
    columns = "search", "depth", "nodes", "last", "seconds", "score", "move", "finished"
    assert [head, *lines] == [
        ",".join(f"compare.csv.{column}()" for column in columns),
        "compare.minimax(),1,10,9,1.250000,-30,a3,1", "compare.minimax(),2,20,19,1.250000,,,0",
        "compare.alphabeta(),2,20,19,1.250000,,,0",
    ]  # fmt: skip
