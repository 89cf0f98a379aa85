"""The tree of a search under the mouse, and the buttons and menus that go through its steps."""

from __future__ import annotations

from unittest.mock import Mock

import pygame
import pytest

from ai.explain.explorer import Explorer
from ai.explain.subject import Choice
from tests.ui.learn.test_lesson_facts import finished
from tests.ui.scenes import learn_of
from tests.ui.stage import Stage, part, still
from ui.learn.learn import Learn, Predict, SearchChoice
from ui.learn.lesson_state import subject
from ui.learn.search_tree import SearchSteps
from ui.learn.tree_painter import NodeBoards
from ui.learn.tree_plan import plan
from ui.toolkit.controls import Slider
from ui.toolkit.i18n import t
from ui.toolkit.text_line import TextLine

NUMBERS = "numbers 3 12 8 | 2 4 6 | 14 5 2"
WIDE = "numbers (9 8 7 6 5 4 3 2 10 11 12 13 14) (1 8 3 4 5) (12 13 15)"


@pytest.fixture
def screen(made: Stage) -> Learn:
    return made.show(learn_of(NUMBERS, Choice("alphabeta", 2))(made))


def send(made: Stage, kind: int, **values: object) -> None:
    made.app.dispatch(pygame.event.Event(kind, **values))


def drag(made: Stage, start: tuple[int, int], by: int) -> None:
    end = start[0] + by, start[1]
    send(made, pygame.MOUSEBUTTONDOWN, pos=start, button=1)
    send(made, pygame.MOUSEMOTION, pos=end, rel=(by, 0), buttons=(1, 0, 0))
    send(made, pygame.MOUSEBUTTONUP, pos=end, button=1)


def test_a_pointer_that_moves_by_five_pixels_still_clicks(made: Stage, screen: Learn) -> None:
    place, x = screen.places()["node.5"], screen.tree.camera.x
    drag(made, place, 6)
    assert (screen.explorer.node, screen.tree.camera.x) == (0, x + 6)
    drag(made, (place[0] + 6, place[1]), -5)
    assert (screen.explorer.node, screen.tree.camera.x) == (5, x + 6)


@pytest.mark.parametrize(("later", "folded"), [(349, True), (350, False)])
def test_two_clicks_fold_if_they_are_near(
    made: Stage, screen: Learn, monkeypatch: pytest.MonkeyPatch, later: int, folded: bool
) -> None:
    for time, node in ((1000, 5), (1100, 1), (1100 + later, 1)):
        monkeypatch.setattr(pygame.time, "get_ticks", lambda time=time: time)
        made.click(screen.places()[f"node.{node}"])
    assert (screen.explorer.unfolded(1), screen.explorer.unfolded(5)) == (not folded, True)


def test_only_the_left_button_in_the_tree_takes_hold_of_it(made: Stage, screen: Learn) -> None:
    made.click(screen.places()["node.5"], button=3)
    assert screen.explorer.node == 0
    assert not screen.tree.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(screen.tree.rect.right, 9), button=1))
    tree, place = screen.tree, screen.tree.rect.center
    events = [pygame.event.Event(kind, pos=place, rel=(0, 0), button=1) for kind in (
        pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION, pygame.MOUSEBUTTONUP,
        pygame.MOUSEMOTION)]  # fmt: skip
    assert [tree.handle(event) for event in events] == [False, False, True, True, True, False]


def test_the_wheel_and_the_keys_zoom_by_notches_around_their_place(made: Stage, screen: Learn) -> None:
    camera = screen.tree.camera
    made.pointer = place = screen.places()["node.5"]
    for wheel, factor in ((2, 1.15**2), (-2, 1.15**-2)):
        zoom = camera.zoom
        send(made, pygame.MOUSEWHEEL, y=wheel, x=0, flipped=False)
        assert camera.zoom == pytest.approx(zoom * factor)
        assert screen.places()["node.5"] == pytest.approx(place, abs=1)
    assert screen.tree.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=0, x=0))
    for key, factor in ((pygame.K_EQUALS, 1.15**2), (pygame.K_MINUS, 1.15**-2)):
        zoom, middle = camera.zoom, camera.point(camera.view.center)
        made.press(key)
        assert camera.zoom == pytest.approx(zoom * factor)
        assert camera.point(camera.view.center) == pytest.approx(middle)
    made.pointer = (screen.tree.rect.right + 9, 100)
    assert not screen.tree.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=1, x=0))


def test_the_whole_tree_is_seen_with_room_for_levels_and_counts(made: Stage, screen: Learn) -> None:
    camera, plan = screen.tree.camera, screen.tree.painter.plan
    zoom = min(1.1, (camera.view.width - 2 * 52) / (plan.width * 76), (camera.view.height - 16) / (plan.height * 136))
    assert camera.zoom == pytest.approx(zoom)
    assert camera.view == screen.tree.rect.inflate(-4, -4)
    assert camera.x == pytest.approx((camera.view.width - plan.width * 76 * zoom) / 2)
    fitted = camera.zoom, camera.x, camera.y
    screen.explorer.fold(5)
    made.frame()
    assert screen.tree.painter.plan.width < plan.width
    assert (camera.zoom, camera.x) != fitted[:2], "it is fitted again while nobody has moved it"
    screen.explorer.fold(5)
    made.frame()
    assert (camera.zoom, camera.x, camera.y) == fitted
    drag(made, (screen.tree.rect.centerx, screen.tree.rect.bottom - 9), 40)
    screen.explorer.fold(5)
    made.frame()
    assert (camera.zoom, camera.x) == (fitted[0], fitted[1] + 40), "a person has moved it"
    made.push("fit")
    screen.explorer.fold(5)
    made.frame()
    assert (camera.zoom, camera.x, camera.y) == fitted


def test_a_tree_that_grows_with_the_steps_is_seen_whole_until_it_is_zoomed(made: Stage, screen: Learn) -> None:
    camera, explorer = screen.tree.camera, screen.explorer
    made.press(pygame.K_HOME)
    for _ in range(explorer.steps.last):
        made.press(pygame.K_RIGHT)
        shown = camera.zoom, camera.x, camera.y
        screen.tree.see_all()
        assert (camera.zoom, camera.x, camera.y) == shown
    made.press(pygame.K_END)
    made.press(pygame.K_DOWN)
    assert camera.zoom == shown[0], "a node that can be read is not zoomed to"
    explorer.fold(1)
    made.frame()
    assert camera.zoom == shown[0], "nor is a tree fitted that a person folds"
    explorer.look_at(0)
    made.press(pygame.K_EQUALS)
    zoom = camera.zoom
    explorer.fold(5)
    made.frame()
    assert camera.zoom == zoom != shown[0]
    made.press(pygame.K_HOME)
    for _ in range(explorer.steps.last):
        made.press(pygame.K_RIGHT)
        assert camera.zoom == zoom, "nor one that grows"
    made.press(pygame.K_END)
    made.push("zoom_out", "zoom_out", "zoom_out", "zoom_out", "zoom_out", "zoom_out")
    zoom = camera.zoom
    made.click(screen.places()["node.9"])
    assert (explorer.node, camera.zoom) == (9, zoom), "what is clicked stays where it is"


def test_a_node_that_is_looked_at_comes_into_view_with_a_margin(made: Stage, screen: Learn) -> None:
    for side, by in (("right", 3000), ("left", -3000)):
        made.push("zoom_in", "zoom_in")
        drag(made, screen.tree.rect.center, by)
        assert "node.5" not in screen.places()
        screen.explorer.look_at(5)
        made.until(lambda: still(screen))
        node, view = screen.tree.painter.node_rect(5), screen.tree.camera.view
        assert abs(getattr(node, side) - getattr(view, side)) == 24


def test_a_click_on_moves_that_are_not_shown_shows_those_that_were_searched(made: Stage) -> None:
    screen = made.show(learn_of(WIDE, Choice("alphabeta", 2))(made))
    made.frame()
    painter, widened = screen.tree.painter, []
    for stub in painter.plan.stubs:
        made.click(painter.rect_of(stub.column, stub.row).center)
        widened.append((stub.hidden, stub.node in screen.explorer.widened))
    assert sorted(set(widened)) == [(False, False), (True, True)]


@pytest.mark.parametrize(("count", "shown", "hidden"), [(11, 11, []), (12, 11, [1]), (13, 11, [2])])
def test_a_node_shows_eleven_children(count: int, shown: int, hidden: list[int]) -> None:
    explorer = finished(subject(f"numbers {' '.join(map(str, range(count)))}"), Choice("minimax", 1))
    laid = plan(explorer)
    assert (len(laid.places) - 1, [stub.count for stub in laid.stubs]) == (shown, hidden)


def test_moves_that_a_cut_will_leave_untried_look_as_if_they_were_to_come() -> None:
    position = "numbers (50 51) (60 61 62 63 64 65 66 67 68 69 70 1 2 3) (9 8)"
    explorer, laid = finished(subject(position), Choice("alphabeta", 2)), []
    for step, wide in ((3, ()), (7, ()), (30, ()), (30, (4,)), (34, ()), (None, ())):
        explorer.go(step)
        explorer.widened = set(wide)
        found = plan(explorer)
        stubs = [(stub.count, stub.hidden) for stub in found.stubs]
        laid.append((len(found.places), len(found.empty), stubs, round(found.width, 1), found.height))
    cut = [(1, True), (2, False)]
    assert laid == [
        (6, 0, [], 4.4, 3), (16, 1, [(3, True)], 15.4, 3), (17, 0, [(3, True)], 15.4, 3), (18, 2, [], 17.6, 3),
        (18, 1, cut, 17.4, 3), (18, 0, [*cut, (1, False)], 17.2, 3),
    ]  # fmt: skip


def test_boards_are_pictures_of_their_size(made: Stage) -> None:
    """A caption up to 119 pixels; the pictures of another search do not stay."""
    thumbnails, theme, surface = Mock(), made.app.theme, pygame.Surface((130, 130))
    thumbnails.picture.return_value = None

    def drawn(boards: NodeBoards, side: int) -> bytes:
        surface.fill("black")
        boards.draw(surface, theme, 0, pygame.Rect(0, 0, side, side))
        return pygame.image.tobytes(surface, "RGB")

    sides = []
    for game, sizes in (("tictactoe a3 b3 c3 a2", (60, 61)), ("bones:4", (119, 120))):
        boards = NodeBoards(finished(subject(game), Choice("minimax", 1)), thumbnails)
        for side in sizes:
            thumbnails.picture.reset_mock()
            drawn(boards, side)
            sides.append([each.args[1] for each in thumbnails.picture.call_args_list])
    assert sides == [[60], [180], [], [180]]
    explorer = finished(subject("bones:4"), Choice("minimax", 1))
    boards = NodeBoards(explorer, thumbnails)
    before = drawn(boards, 60)
    explorer.take(subject("bones:5"), Choice("minimax", 1))
    assert before != drawn(boards, 60) == drawn(NodeBoards(explorer, thumbnails), 60)


def test_what_is_under_the_pointer_is_told(made: Stage) -> None:
    screen = made.show(learn_of(WIDE, Choice("alphabeta", 2))(made))
    made.frame()
    tree, painter = screen.tree, screen.tree.painter
    told = {}
    for stub in painter.plan.stubs:
        made.hover(painter.rect_of(stub.column, stub.row).center)
        told[stub.hidden] = tree.hint()
    node = painter.node_rect(1)
    for y, pointed in ((node.top - 23, 1), (node.top - 24, None), (node.bottom + 22, 1), (node.bottom + 23, None)):
        made.hover((node.centerx, y))
        assert screen.explorer.pointed == pointed
    assert told == {True: t("search.more", count=3), False: told[False]}
    assert told[False] not in ("", told[True])
    made.hover((tree.rect.left + 2, tree.rect.bottom - 3))
    assert (screen.explorer.pointed, tree.hint()) == (None, "")
    made.hover(node.center)
    assert tree.hint() == t("search.all", count=13, best="h", value="2", side="MIN")
    made.hover((tree.rect.right + 20, node.centery))
    assert screen.explorer.pointed is None


def test_menus_offer_what_the_search_has(made: Stage, screen: Learn, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, choice = part(screen, SearchSteps), part(screen, SearchChoice)
    assert [entry.name for entry in (*steps.entries(), *choice.entries())] == ["speed"]
    screen.explorer.choose(Choice("brothers", 2))
    assert [entry.name for entry in (*steps.entries(), *choice.entries())] == ["speed", "workers"]
    made.frame()
    made.choose("menu", "speed")
    assert [name for name, _ in made.app.overlay.options] == ["1", "3", "10", "40", "200"]
    made.click(made.app.overlay.places()["40"])
    assert screen.explorer.speed == 40
    games = made.show(learn_of("tictactoe a3 b3", Choice("playouts", None))(made))
    assert [entry.name for entry in part(games, SearchSteps).entries()] == ["speed", "c"]
    made.choose("c", "0.7")
    assert games.explorer.choice.c == 0.7
    assert not {"deeper", "shallower"} & games.widgets.elements.keys()
    monkeypatch.setattr(Explorer, "by_steps", False)
    steps = part(games, SearchSteps)
    assert steps.entries() == ()
    at = games.explorer.at
    for binding in steps.bindings:
        assert binding.action() is False
    assert games.explorer.at == at


def test_the_slider_ends_with_the_whole_search(made: Stage, screen: Learn) -> None:
    explorer, steps = screen.explorer, part(screen, SearchSteps)
    slider = screen.widgets.elements["step"]
    assert isinstance(slider, Slider)
    explorer.playing = True
    for step, at in ((explorer.steps.last - 1, explorer.steps.last - 1), (explorer.steps.last, None), (0, 0)):
        slider.action(step)
        assert (explorer.at, explorer.playing) == (at, False)
    made.frame()
    made.press(pygame.K_SPACE)
    assert explorer.playing
    assert screen.widgets.buttons["play"].icon == "pause"
    steps.bindings[1].action()
    assert (explorer.playing, explorer.at) == (False, 1), "a step ends the replay"
    made.frame()
    assert t("search.step", step="2", last=str(explorer.steps.last + 1)) in screen.widgets.texts


def test_questions_are_answered_by_number_keys(made: Stage, screen: Learn) -> None:
    made.press(pygame.K_g)
    quiz, explorer = screen.quiz, screen.explorer
    while quiz.asked is None:
        made.press(pygame.K_RIGHT)
    asked, at = quiz.asked, explorer.at
    made.press(pygame.K_1 + len(asked.options))
    assert (quiz.count, explorer.at) == (0, at)
    assert part(screen, Predict).bindings[1 + asked.options.index(asked.answer)].action() is True
    assert (quiz.right, quiz.count, explorer.at) == (1, 1, at + 1 if at is not None else None)
    explorer.choose(Choice("brothers", 2))
    assert not part(screen, Predict).bindings[0].action(), "nothing is asked of several workers"


def test_a_field_shows_two_moves_as_an_example(made: Stage) -> None:
    for position, example in (("tictactoe a3 b3 c3 a2 b2 c1", "c2 a1"), ("bones:1", "1"), (NUMBERS, "a a")):
        screen = made.show(learn_of(position, Choice("minimax", 1))(made))
        line = screen.widgets.elements["find"]
        assert isinstance(line, TextLine)
        assert line.tip == t("search.find_tip", example=example)
        line.type_text(300 * "a")
        assert len(line.text) == 200
