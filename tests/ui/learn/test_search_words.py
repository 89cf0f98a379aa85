"""What is said of searches and of each of their nodes: texts by their keys and facts, whatever their wording.

`python -m tests.ui.learn.test_search_words` records them anew: read what has changed before you commit it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock, Mock

import pytest

from ai.core.player import Info
from ai.core.score import WIN, Score
from ai.explain.explorer import Explorer
from ai.explain.kinds import SampleTracing, TableTracing
from ai.explain.subject import Choice
from ai.search.shared_tree import EXTRA, SharedTree, Stretch
from ai.search.trace import INFINITY, ROOT, UNKNOWN, End, TableTree
from tests.ui.test_golden import FOLDER
from tests.waiting import wait
from ui.learn import search_words
from ui.learn.lesson_state import subject
from ui.learn.search_words import (
    bound_text,
    chance_text,
    depth_text,
    full_win,
    lead,
    level_name,
    mean_text,
    move_texts,
    node_sentences,
    node_title,
    result_text,
    sharing_summary,
    stretch_sentence,
    sum_text,
    value_text,
    window_text,
    worker_text,
)

NUMBERS = "numbers 3 12 8 | 2 4 6 | 14 5 2"
AGAIN = "numbers ((5 3) (8 6)) ((4 2) (13 15)) ((9 11) (12 8))"
SEARCHES: dict[str, tuple[str, Choice, int | None, range]] = {
    "cuts": (NUMBERS, Choice("alphabeta", 2), None, range(11)),
    "step": (NUMBERS, Choice("alphabeta", 2), 5, range(6)),
    "step out": (NUMBERS, Choice("minimax", 2), 8, range(6)),
    "game": ("tictactoe a3 b3 c3 a2 b2 c1", Choice("alphabeta"), None, range(10)),
    "distance": ("tictactoe a3 b3 c3 a2 b2 c1", Choice("minimax", None, True), None, range(8)),
    "search again": (AGAIN, Choice("pvs", 3), None, range(11, 18)),
    "not searched again yet": (AGAIN, Choice("pvs", 3), 30, range(11, 17)),
    "quiet": ("connect4 d c d", Choice("quiescence", 1), None, range(0, 30, 3)),
    "table": ("bones:6", Choice("table"), None, range(0, 24, 2)),
    "errors": ("bones:4", Choice("expect"), None, range(14)),
    "means": (NUMBERS, Choice("expect_random", 2), None, range(6)),
    "means so far": (NUMBERS, Choice("expect", 2), 7, range(6)),
    "visits": ("tictactoe a3 b3", Choice("playouts", None, False, 4, 0.7), 30, range(0, 30, 3)),
    "proven": ("tictactoe a3 b3 c3", Choice("sampled"), None, range(0, 60, 6)),
    "proof numbers": ("numbers ((1 0) (0 1)) ((0 0) (1 1) (0 1))", Choice("proof"), 4, range(10)),
    "decided": ("tictactoe a3 b3 c3 a2 b2", Choice("proof"), None, range(30)),
    "iterations": ("connect4 d c d", Choice("deepening", 2), None, range(0, 29, 4)),
    "workers": ("bones:6", Choice("brothers", None, False, 4), None, range(15, 45, 3)),
}
"""A position, a search, the step, and the nodes that are told."""


def told(key: str, **facts: object) -> str:
    return f"{key}({', '.join(f'{name}: {fact}' for name, fact in sorted(facts.items()))})"


@pytest.fixture(autouse=True)
def _by_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_words, "t", told)


def told_of_node(explorer: Explorer, node: int) -> Iterator[str]:
    texts = [text(explorer, node) for text in (bound_text, window_text, level_name, sum_text)]
    moves = move_texts(explorer, node) if explorer.trace.parent[node] >= 0 else ()
    yield " | ".join((str(node), node_title(explorer, node), *moves, *texts, f"{lead(explorer, node):+d}"))
    yield from (f"    {sentence}" for sentence in node_sentences(explorer, node))


def all_told(name: str) -> str:
    position, choice, at, nodes = SEARCHES[name]
    explorer = Explorer(subject(position), choice, lambda: None)
    wait(lambda: explorer.info, lambda: explorer.update(0.0))
    assert explorer.info is not None
    explorer.tracing.info = replace(explorer.info, seconds=1.254)
    explorer.go(at)
    lines = [f"{depth_text(choice)} | {full_win(explorer)} | {result_text(explorer)}"]
    shown = [node for node in nodes if node < len(explorer.trace)]
    return "\n".join([*lines, *(line for node in shown for line in told_of_node(explorer, node)), ""])


@pytest.mark.parametrize("name", SEARCHES)
def test_what_is_said_of_a_search_is_as_it_was(name: str) -> None:
    assert all_told(name) == _file(name).read_text(encoding="utf-8")


def _file(name: str) -> Path:
    return FOLDER / "words" / f"{name.replace(' ', '_')}.txt"


def given(tracing: object, key: str) -> Explorer:
    """The tree of a search that is made by hand."""
    explorer = Explorer(subject("connect4"), Choice("minimax", 1), lambda: None)
    explorer.choice, explorer.tracing = Choice(key), tracing  # type: ignore[assignment]  # it has what is needed
    explorer.update(0.0)
    return explorer


def entry(value: int, kind: int, best: int = UNKNOWN) -> Explorer:
    """An entry of the engine's table below the root: MIN is to move."""
    tree = TableTree()
    tree.put(ROOT, 0, 9, 3, 0)
    tree.put(3, 1, 7, best, kind)
    tree.leave(value, End.ALL)
    tree.leave(-value, End.ALL)
    return given(Mock(TableTracing, trace=tree, failed=False, waiting=False), "engine")


@pytest.mark.parametrize(
    ("value", "kind", "bound", "text"),
    [
        (-120, 0, "+1.20", "+1.20"),
        (-120, 1, "≤+1.20", "search.bound.most(value: +1.20)"),
        (-120, 2, "≥+1.20", "search.bound.least(value: +1.20)"),
        (-WIN + 5, 0, "outlook.in(count: 2)", "search.bound.win(count: 2, side: Red)"),
        (-WIN + 5, 1, "outlook.in(count: ≥2)", "search.bound.not_sooner(count: 2, side: Red)"),
        (-WIN + 5, 2, "outlook.in(count: ≤2)", "search.bound.sooner(count: 2, side: Red)"),
        (WIN - 4, 0, "outlook.in(count: 2)", "search.bound.win(count: 2, side: Yellow)"),
        (WIN - 4, 1, "outlook.in(count: ≤2)", "search.bound.sooner(count: 2, side: Yellow)"),
        (WIN - 4, 2, "outlook.in(count: ≥2)", "search.bound.not_sooner(count: 2, side: Yellow)"),
    ],
)
def test_an_entry_of_the_table_says_what_is_known(value: int, kind: int, bound: str, text: str) -> None:
    explorer = entry(value, kind)
    assert bound_text(explorer, 1) == bound
    more = ["search.entry.bound()"] if kind else []
    moves = "search.moves(level: MIN, side: Yellow)"
    assert node_sentences(explorer, 1) == [moves, f"search.entry.bare(best: , depth: 7, value: {text})", *more]
    if not kind:
        named = node_sentences(entry(value, kind, 4), 1)
        assert named == [moves, f"search.entry(best: e, depth: 7, value: {text})"]


def test_the_root_of_the_table_is_the_result_or_waits_for_it() -> None:
    explorer = entry(-120, 0)
    moves = "search.moves(level: MAX, side: Red)"
    assert node_sentences(explorer, 0) == [moves, "search.entry.root(best: d, depth: 9, value: +1.20)"]
    for waiting, key in ((True, "search.engine_waits()"), (False, "search.busy()")):
        tree = TableTree()
        tree.put(ROOT, 0, 0, UNKNOWN, 0)
        shown = given(Mock(TableTracing, trace=tree, failed=False, waiting=waiting), "engine")
        assert node_sentences(shown, 0) == [moves, key]


@pytest.mark.parametrize(
    ("kind", "failed", "waiting", "info", "text"),
    [
        (TableTracing, True, False, None, "search.engine_failed()"),
        (TableTracing, False, True, None, "search.engine_waits()"),
        (TableTracing, False, False, None, "search.engine_searching(number: 870, shown: 2)"),
        (TableTracing, False, False, 1, "search.engine_result(number: 1.2k, seconds: 0.2, shown: 2)"),
        (SampleTracing, False, True, 1, "search.engine_waits()"),
        (SampleTracing, True, False, 1, ""),
        (SampleTracing, False, False, None, ""),
        (SampleTracing, False, False, 1, "search.sample.searching(number: 1.2k, seconds: 0.2, shown: 2)"),
    ],
)
def test_the_progress_of_the_engine(kind: type, failed: bool, waiting: bool, info: Any, text: str) -> None:
    found = info and Info(3, Score(0), 9, 1234, 0.21)
    tree, search = entry(0, 0).trace, Mock(nodes=870)
    tracing = Mock(kind, trace=tree, failed=failed, waiting=waiting, info=found, progress=found, search=search)
    shown = given(tracing, "engine" if kind is TableTracing else "mcts")
    assert result_text(shown) == text
    if text.startswith("search.sample"):
        tracing.busy = False
        assert result_text(shown) == text.replace("searching", "result")


def test_workers_and_their_stretches() -> None:
    tree = MagicMock(SharedTree, span=1500, alone=None, count_marked={EXTRA: 33}.get, busy={2: 1071}.get)
    tree.__len__.return_value = 1200
    nodes = "sharing.nodes(nodes: 1,200, span: 1,500)"
    assert sharing_summary(tree) == (nodes,)
    tree.alone = 3001
    facts = "(alone: 3,001, extra: 33, over: −1,801, times: 2.0)"
    needless, alone = f"sharing.extra_nodes{facts}", f"sharing.alone{facts}"
    assert sharing_summary(tree) == (f"{nodes} {needless} {alone}", f"{nodes} {alone}", nodes)
    assert worker_text(tree, 2) == "sharing.worker(busy: 71 %, number: 2)"
    tree.span = 0
    assert "times: 3001.0)" in sharing_summary(tree)[1]
    assert worker_text(tree, 2) == "sharing.worker(busy: 107100 %, number: 2)"
    for dropped, key in ((False, "sharing.stretch"), (True, "sharing.stretch.dropped")):
        stretch = Stretch(2, 1005, 1800, 9, dropped)
        assert stretch_sentence(stretch, "a b") == f"{key}(began: 1,005, ended: 1,800, moves: a b, number: 2)"


@pytest.mark.parametrize(
    ("position", "choice", "value", "text"),
    [
        (NUMBERS, Choice("minimax", 2), None, "?"),
        (NUMBERS, Choice("minimax", 2), INFINITY, "∞"),
        (NUMBERS, Choice("minimax", 2), -INFINITY, "−∞"),
        (NUMBERS, Choice("minimax", 2), -1500, "−1500"),
        (NUMBERS, Choice("expect", 2), 73300, "7.33"),
        ("bones:3", Choice("expect"), 73300, "+7.33"),
        ("bones:3", Choice("minimax"), 0, "0"),
        ("bones:3", Choice("minimax"), 999, "+9.99"),
        ("bones:3", Choice("minimax"), 1000, "+10.0"),
        ("bones:3", Choice("minimax"), WIN - 2, "+10"),
        ("bones:3", Choice("minimax", None, True), 2 - WIN, "−8"),
        ("bones:12", Choice("table", None, True), WIN - 6, "+94"),
    ],
)
def test_values_as_texts(position: str, choice: Choice, value: int | None, text: str) -> None:
    assert value_text(Explorer(subject(position), choice, lambda: None), value) == text


@pytest.mark.parametrize(("value", "plain", "signed"), [(0.001, "0", "0"), (-2.5, "−2.5", "−2.5"), (3, "3", "+3")])
def test_means_have_two_decimals_at_most(value: float, plain: str, signed: str) -> None:
    assert (mean_text(value, False), mean_text(value, True)) == (plain, signed)


@pytest.mark.parametrize(
    ("count", "title"), [(0, "search.root()"), (7, "a1 b1 c1 d1 e1 f1 g1"), (8, "… b1 c1 d1 e1 f1 g1 h1")]
)
def test_a_title_has_seven_moves(count: int, title: str) -> None:
    explorer = Mock(subject=subject("gomoku"), trace=Mock(moves_to=lambda _: range(14 * 15, 14 * 15 + count)))
    assert node_title(explorer, 0) == title


def test_limits_and_chances_as_texts() -> None:
    assert [chance_text(chance) for chance in (1.0, 0.5, 0.855, 0.001)] == ["1", "0.5", "0.85", "0"]
    searches = (
        Choice("sampled"), Choice("proof"), Choice("engine"), Choice("engine", 7), Choice("table"), Choice("table", 1),
    )  # fmt: skip
    assert [depth_text(choice) for choice in searches] == [
        "search.visits_at_most(number: 500)", "search.rounds_at_most(number: 500)", "search.seconds(count: 10)",
        "search.depth(count: 7)", "search.to_the_end()", "search.depth(count: 1)",
    ]  # fmt: skip


def main() -> None:
    pytest.MonkeyPatch().setattr(search_words, "t", told)
    _file("").parent.mkdir(exist_ok=True)
    for name in SEARCHES:
        _file(name).write_text(all_told(name), encoding="utf-8")


if __name__ == "__main__":
    main()
