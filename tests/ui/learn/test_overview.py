"""A search by several workers in the window: who searched what in the course of time."""

from __future__ import annotations

import pygame
import pytest

from ai.explain.prediction import prediction
from ai.explain.subject import Choice
from ai.search.shared_tree import EXTRA, SharedTree
from tests.ui.scenes import learn_of
from tests.ui.stage import Make, Stage, act, part
from ui.learn.learn import Learn
from ui.learn.overview import Icicle, Overview, TimeLine
from ui.learn.search_export import tree_svg
from ui.learn.search_words import node_sentences
from ui.toolkit.dialogs import Menu

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


def test_where_a_worker_is_idle_there_is_nothing_to_look_at(made: Stage, screen: Learn) -> None:
    tree = tree_of(screen)
    idle = max(each.ended for each in tree.stretches if each.worker == 1)
    assert idle < tree.span
    first, second = (screen.places()[f"stretch.{number}"] for number in (0, 2))
    before = screen.explorer.node
    made.click((second[0], first[1]))
    assert screen.explorer.node == before


def test_pointing_tells_the_task(made: Stage, screen: Learn) -> None:
    made.hover(screen.places()["stretch.1"])
    assert tree_of(screen).worker[screen.explorer.pointed or 0] == 2


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
