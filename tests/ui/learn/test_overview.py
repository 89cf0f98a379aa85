"""A search by several workers in the window: who searched what in the course of time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import pygame
import pytest

from ai.explain.explorer import Explorer
from ai.explain.prediction import prediction
from ai.explain.subject import Choice
from ai.search.shared_tree import EXTRA, SharedTree
from tests.ui.scenes import learn_of
from tests.ui.stage import Make, Stage, act, part
from tests.waiting import wait
from ui.learn.learn import Learn
from ui.learn.lesson_state import subject
from ui.learn.overview import Icicle, Overview, TimeLine
from ui.learn.search_export import tree_svg
from ui.learn.search_words import node_sentences, node_title, stretch_sentence
from ui.toolkit.dialogs import Menu
from ui.toolkit.space import Space
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


def test_a_node_tells_who_has_searched_it_and_whether_in_vain(screen: Learn) -> None:
    tree = tree_of(screen)
    needless = next(node for node, marks in enumerate(tree.marks) if marks & EXTRA)
    said = [len(node_sentences(screen.explorer, node)) for node in (needless, tree.children(0)[0] + 1)]
    assert said[0] == said[1] + 1
    assert "2" in node_sentences(screen.explorer, needless)[-2]


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


def test_the_time_line_takes_the_place_of_the_boxes(made: Stage, screen: Learn) -> None:
    overview = part(screen, Overview)
    for key, kind in (("alphabeta", Icicle), ("brothers", TimeLine), ("minimax", Icicle)):
        screen.explorer.choose(Choice(key, 2))
        made.frame()
        assert [type(each) for each in overview.parts] == [kind]


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


def test_the_drawing_names_the_workers(screen: Learn) -> None:
    drawn = tree_svg(screen.explorer)
    assert drawn.count(">2</text>") >= tree_of(screen).worker.count(2)


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
