"""A search by several workers in the window: who searched what in the course of time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pygame
import pytest

from ai.explain.explorer import Explorer
from ai.explain.prediction import prediction
from ai.explain.subject import Choice, SideBySide
from ai.search.shared_tree import SharedTree
from ai.search.trace import Trace
from tests.ui.scenes import learn_of
from tests.ui.stage import Make, Stage, act, changed, part
from tests.waiting import wait
from ui.learn import overview, two_trees
from ui.learn.icicle_plan import Facts, Plans
from ui.learn.learn import Learn
from ui.learn.lesson_state import subject
from ui.learn.overview import Icicle, Overview, TimeLine
from ui.learn.search_words import node_title, result_text, sharing_summary, stretch_sentence
from ui.learn.two_trees import TwoTreesPainter
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.typesetting import width_of
from ui.window.part import Part

NUMBERS = "numbers (3 12 8) (2 4 6) (14 5 2)"


@pytest.fixture
def screen(made: Stage) -> Learn:
    shown = made.show(learn_of(NUMBERS, Choice("root_splitting", 2, False, 2))(made))
    made.frame()
    return shown


def tree_of(screen: Learn) -> SharedTree:
    trace = screen.explorer.trace
    assert isinstance(trace, SharedTree)
    return trace


def test_a_click_looks_at_what_a_worker_did_then(made: Stage, screen: Learn) -> None:
    tree = tree_of(screen)
    for number, stretch in enumerate(tree.stretches):
        made.click(screen.places()[f"stretch.{number}"])
        node = screen.explorer.node
        assert stretch.node <= node < tree.after(stretch.node)
        assert tree.worker[node] == stretch.worker
        assert abs(tree.time[node] - (stretch.began + stretch.ended) // 2) <= 1
    first, last = screen.places()["stretch.0"], screen.places()["stretch.1"]
    made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=first, button=1))
    assert tree.worker[screen.explorer.node] == 1
    made.hover(last)
    assert tree.worker[screen.explorer.node] == 2, "a drag looks at what it comes to"
    made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=last, button=1))
    made.hover(first)
    made.click(first, pygame.BUTTON_RIGHT)
    assert tree.worker[screen.explorer.pointed or 0] == 1
    assert tree.worker[screen.explorer.node] == 2, "neither pointing nor another button looks at a node"


def test_where_a_worker_is_idle_there_is_nothing_to_look_at(made: Stage, screen: Learn) -> None:
    tree = tree_of(screen)
    idle = max(each.ended for each in tree.stretches if each.worker == 1)
    assert idle < tree.span
    first, second = (screen.places()[f"stretch.{number}"] for number in (0, 2))
    before = screen.explorer.node
    made.click((second[0], first[1]))
    assert screen.explorer.node == before


def test_pointing_tells_the_task(made: Stage, screen: Learn) -> None:
    tree, told = tree_of(screen), []
    for number, stretch in enumerate(tree.stretches):
        made.hover(screen.places()[f"stretch.{number}"])
        assert tree.worker[screen.explorer.pointed or 0] == stretch.worker
        told.append(screen.status_line())
    titles = [node_title(screen.explorer, each.node) for each in tree.stretches]
    assert told == [(stretch_sentence(*each), True) for each in zip(tree.stretches, titles, strict=True)]


def runs(shown: Part, explorer: Explorer, places: Iterable[tuple[int, int]]) -> list[tuple[int | None, int]]:
    """The nodes that the pointer finds along `places`, each with the number of places."""
    found = []
    for place in places:
        shown.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=place))
        found.append(explorer.pointed)
    return [(node, len(list(run))) for node, run in groupby(found)]


def test_each_pixel_of_a_row_is_the_node_that_was_visited_then(made: Stage, screen: Learn) -> None:
    rows = []
    for name in ("stretch.0", "stretch.1"):
        y = screen.places()[name][1]
        rows.append(runs(part(screen, TimeLine), screen.explorer, ((x, y) for x in range(900))))
    assert rows == [
        [(None, 160), (0, 91), (1, 91), (2, 90), (3, 91), (4, 91), (None, 286)],
        [(None, 160), (5, 91), (6, 91), (7, 90), (8, 91), (9, 91), (10, 90), (11, 91), (12, 90), (None, 15)],
    ]


def test_steps_go_through_time(made: Stage, screen: Learn) -> None:
    explorer = screen.explorer
    act(screen, "home")
    assert [node for node in range(len(explorer.trace)) if explorer.entered(node)] == [0, 5], "the root, and b"
    for _ in range(tree_of(screen).span):
        act(screen, "right")
    assert explorer.shown == explorer.steps.last
    assert explorer.value(0) == 3
    assert prediction(explorer) is None


def test_each_pixel_of_the_boxes_is_a_node_that_was_entered(made: Stage) -> None:
    explorer = Explorer(subject(NUMBERS), Choice("alphabeta", 2), lambda: None)
    wait(lambda: explorer.info, lambda: explorer.update(0.0))
    icicle = Icicle(made.app, explorer)
    icicle.build(Space(pygame.Rect(100, 50, 400, 300), 0))
    icicle.update(0.0)

    def row(y: int) -> list[tuple[int | None, int]]:
        return runs(icicle, explorer, ((x, y) for x in range(90, 510)))

    beside = (None, 18)
    down = runs(icicle, explorer, ((120, y) for y in range(200, 360)))
    assert down == [(None, 46), (0, 24), (1, 24), (2, 24), (None, 42)]
    assert row(290) == [beside, (1, 128), (5, 129), (7, 127), beside]
    left = [beside, (2, 43), (3, 43), (4, 42)]
    assert row(306) == [*left, (6, 43), (None, 86), (8, 42), (9, 43), (10, 42), beside]
    explorer.go(9)
    assert row(306) == [*left, (None, 274)]


class Growing:
    """A part whose layouts are made by `plans`, of a search that grows: how large each layout was."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: ModuleType, plans: str) -> None:
        self.laid: list[int] = []
        self.trace = Trace()
        self.fails = False
        monkeypatch.setattr(module, plans, self._lay)

    def _lay(self, *facts: Any) -> object:
        self.laid.append(len(facts[-1].parent if isinstance(facts[-1], Facts) else facts[-1][0].parent))
        return 1 / 0 if self.fails else Mock(traces=[self.trace, self.trace])

    def grow(self, nodes: int) -> None:
        for name, _ in Trace.ARRAYS:
            getattr(self.trace, name).extend((nodes - len(getattr(self.trace, name))) * [0])


def test_boxes_are_laid_out_twice_a_second_at_most_and_many_on_a_thread(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing = Growing(monkeypatch, overview, "IciclePlan")
    explorer = Mock(trace=growing.trace, busy=True)
    icicle, seen = Icicle(made.app, explorer), []
    for now, nodes, explorer.busy in (
        (0.0, 1, True), (0.49, 2999, True), (0.5, 2999, True), (1.0, 2999, True), (1.1, 2999, False),
        (1.2, 3000, False),
    ):  # fmt: skip
        growing.grow(nodes)
        icicle.update(now)
        waits = icicle.wake(now) is not None
        wait(lambda nodes=nodes, waits=waits: not waits or growing.laid[-1] == nodes)
        seen.append((list(growing.laid), waits))
    once = [1, 2999]
    assert seen == [([1], False), ([1], False), (once, False), (once, False), ([*once, 2999], False),
                    ([*once, 2999, 3000], True)]  # fmt: skip
    wait(lambda: icicle.wake(0.0) is None, lambda: icicle.update(1.3))
    assert (growing.laid, made.app.message[0]) == ([*once, 2999, 3000], "")
    growing.fails = True
    growing.grow(3001)
    icicle.update(2.0)
    wait(lambda: icicle.wake(0.0) is None, lambda: icicle.update(2.1))
    assert made.app.message[0] == t("error.drawing")


def test_two_trees_are_laid_out_twice_a_second_at_most(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    growing = Growing(monkeypatch, two_trees, "Plans")
    trees = Mock(traces=[growing.trace], busy=True)
    state = Mock(trees=trees, current_plans=None)
    part, seen = two_trees.TwoTrees(made.app, state), []

    def update(now: float) -> None:
        part.update(now)
        wait(lambda: part.wake(0.0) is None, lambda: part.update(now))

    for now, nodes, count, trees.busy in (
        (0.0, 1, 1, True), (0.1, 1, 2, True), (0.59, 2, 2, True), (0.6, 2, 2, True), (0.7, 2, 2, False),
        (0.8, 2, 2, False),
    ):  # fmt: skip
        growing.grow(nodes)
        trees.traces = count * [growing.trace]
        update(now)
        seen.append(len(growing.laid))
    assert (seen, growing.laid) == ([0, 1, 1, 2, 3, 3], [1, 2, 2])
    assert state.plans.traces == trees.traces
    state.plans, trees.traces, growing.trace = None, 2 * [growing.trace], Trace()
    trees.busy = True
    update(9.0)
    assert state.plans is None, "they are of another search"


@pytest.mark.parametrize(("kind", "key"), [(Icicle, "search.searching"), (TimeLine, "sharing.searching")])
def test_a_search_without_a_result_says_that_it_goes_on_or_has_failed(
    made: Stage, monkeypatch: pytest.MonkeyPatch, kind: Any, key: str
) -> None:
    monkeypatch.setattr(overview, "result_text", lambda _: "")
    told, words = [], "search.failed"
    monkeypatch.setattr(overview, "write", lambda _surface, _theme, text, _, size, *__: told.append((text, size)))
    explorer = Explorer(subject(NUMBERS), Choice("brothers", 2), lambda: None)
    for failed in (False, True):
        explorer.tracing = Mock(info=None, failed=failed, trace=explorer.trace)
        shown = kind(made.app, explorer)
        shown.build(Space(pygame.Rect(0, 0, 640, 140), 0))
        for _ in range(2):
            shown.draw(pygame.Surface((640, 140)), 0.0)
            shown.update(0.0)
    facts = {"number": str(len(explorer.trace))} if kind is Icicle else {}
    legend = [(t("search.saved"), 14)] if kind is Icicle else []
    first, second = ((t(name, **facts), 14) for name in (key, words))
    assert told == [first, *legend, first, second, *legend, second]


@pytest.mark.parametrize(
    ("kind", "key", "legend", "gap"),
    [(Icicle, "alphabeta", "search.saved", 1), (TimeLine, "root_splitting", "sharing.legend", 12)],
)
def test_a_legend_is_beside_a_caption_as_long_as_fits(
    made: Stage, monkeypatch: pytest.MonkeyPatch, kind: Any, key: str, legend: str, gap: int
) -> None:
    explorer = Explorer(subject(NUMBERS), Choice(key, 2, False, 2), lambda: None)
    captions = [result_text(explorer)] if kind is Icicle else sharing_summary(tree_of(Mock(explorer=explorer)))
    told, written = [], list[str]()
    monkeypatch.setattr(overview, "write", lambda _surface, _theme, text, *_, **__: written.append(text))
    wide = [width_of(made.app.theme, text, 14) for text in (*captions, t(legend))]
    for room in (wide[0] + gap + wide[-1], *wide[:-1]):
        for less in (0, 1):
            shown, surface = kind(made.app, explorer), pygame.Surface((room - less + 16, 140))
            shown.build(Space(surface.get_rect(), 0))
            shown.update(0.0)
            written.clear()
            shown.draw(surface, 0.0)
            told.append([text for text in written if text in (*captions, t(legend))])
    longest = captions[0]
    assert told[:4] == [[t(legend), longest], [longest], [longest], [captions[:2][-1]]]
    assert told[-1] == [captions[-1]], "none fits"


def test_a_node_that_is_not_laid_out_has_no_frame(made: Stage) -> None:
    for kind, key in ((Icicle, "alphabeta"), (TimeLine, "root_splitting")):
        explorer, seen = Explorer(subject(NUMBERS), Choice(key, 2, False, 2), lambda: None), []
        shown: Any = kind(made.app, explorer)
        last = len(explorer.trace) - 1
        for explorer.pointed in (None, last + 1, last):
            seen.append(pygame.Surface((640, 140)))
            shown.build(Space(seen[-1].get_rect(), 0))
            shown.update(0.0)
            shown.draw(seen[-1], 0.0)
        assert [changed(seen[0], each).width > 0 for each in seen] == [False, False, True]
    trees = SideBySide(subject("tictactoe a3 b3 c3 a2"), lambda: None)
    trees.start()
    wait(lambda: trees.finished, trees.update)
    early = [Facts(*(each[:5] for each in Facts.of(trace))) for trace in trees.traces]
    surface = pygame.Surface((600, 330))
    painter = TwoTreesPainter(made.app.theme, surface.get_rect(), Plans(trees.traces, early), trees)
    for node in (5, 4):
        before = surface.copy()
        painter.draw_pointed(surface, trees.traces[0].moves_to(node))
        assert (changed(before, surface).width > 0) == (node == 4)


def test_a_box_tells_its_node_and_the_nodes_below_it(made: Stage) -> None:
    screen = made.show(learn_of(NUMBERS, Choice("alphabeta", 2))(made))
    made.frame()
    boxes, explorer, told = part(screen, Icicle), screen.explorer, {}
    for y in range(made.app.surface.get_height() - 130, made.app.surface.get_height(), 8):
        made.hover((200, y))
        told[explorer.pointed] = boxes.hint()
    said = {node: t("search.nodes", count=count, number=str(count)) for node, count in ((0, 11), (1, 4), (3, 1))}
    assert told == {None: "", **{node: f"{node_title(explorer, node)} · {said[node]}" for node in said}}
    explorer.pointed = 1
    made.pointer = (200, 100)
    assert boxes.hint() == "", "the pointer is in the tree"


def test_the_time_line_takes_the_place_of_the_boxes(made: Stage, screen: Learn) -> None:
    group = part(screen, Overview)
    for key, kind in (("alphabeta", Icicle), ("brothers", TimeLine), ("minimax", Icicle)):
        screen.explorer.choose(Choice(key, 2))
        made.frame()
        assert [type(each) for each in group.parts] == [kind]


def test_workers_can_be_chosen(made: Stage, screen: Learn) -> None:
    next(entry for entry in screen.entries() if entry.name == "workers").run()
    made.frame()
    menu = made.app.overlay
    assert isinstance(menu, Menu)
    assert list(menu.places()) == ["1", "2", "4"]
    made.click(menu.places()["4"])
    assert screen.explorer.choice.workers == 4
    made.frame()
    assert tree_of(screen).workers == 3, "there are three moves"


def test_the_largest_window_and_the_smallest_show_all_workers(stage: Make) -> None:
    for size, scale in (((960, 640), 100), ((2560, 1440), 200)):
        made = stage(size=size, scale=scale)
        screen = made.show(learn_of("connect4 d c d", Choice("brothers", 3, False, 4))(made))
        made.until(lambda screen=screen: not screen.explorer.busy)
        made.frame()
        line, bars = part(screen, TimeLine), [place for name, place in screen.places().items() if "stretch" in name]
        assert len({y for _, y in bars}) == 4
        assert all(made.app.surface.get_rect().collidepoint(place) for place in bars)
        assert line.places()
