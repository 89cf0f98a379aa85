"""The pseudocode beside a search: switched by a key, in step with the tree, and readable in the smallest window."""

import pygame
import pytest

from ai.explain.subject import Choice
from ai.search.pseudocode import LISTINGS, Moment
from tests.ui.learn.test_lesson_facts import finished
from tests.ui.stage import SPOKEN, Make, Stage, part
from ui.learn.code import SIZES, SearchCode, listing_lines, side_note, variables
from ui.learn.learn import Learn
from ui.learn.lesson import LessonScreen
from ui.learn.lesson_state import subject
from ui.toolkit.typesetting import width_of

NUMBERS = "numbers (3 12 8) (2 4 6) (14 5 2)"


def learn(stage: Stage, key: str = "alphabeta", position: str = NUMBERS, depth: int | None = 2) -> Learn:
    screen = Learn(stage.app, subject=subject(position), choice=Choice(key, depth, False))
    stage.show(screen)
    stage.until(lambda: screen.explorer.info)
    return screen


def key(name: str) -> int:
    return pygame.key.key_code(name)


def told(screen: Learn) -> list[str]:
    moment = screen.walk.moment
    return [moment.line, *variables(screen.explorer, moment)]


def test_a_key_shows_the_code_in_place_of_the_node(stage: Make) -> None:
    made = stage((960, 640))
    screen = learn(made)
    made.press(key("c"))
    made.frame()
    assert screen.walk.shown
    assert {"line_on", "line_back", "listing"} <= screen.widgets.buttons.keys()
    made.press(key("c"))
    made.frame()
    assert "line_on" not in screen.widgets.buttons
    assert any("α" in text for text in screen.widgets.texts) or not screen.walk.shown


def test_the_code_runs_line_by_line_with_the_tree(stage: Make) -> None:
    made = stage((960, 640))
    screen = learn(made)
    made.press(key("c"))
    made.press(key("home"))
    assert told(screen) == ["head", "node = The root", "depth = 2", "α = −∞", "β = ∞"]
    lines = [told(screen)[0]]
    while screen.explorer.shown < 3:
        made.press(key("."))
        lines.append(told(screen)[0])
    called = ["head", "leaf", "init", "loop", "call"]
    assert lines == [*called, *called, "head", "leaf", "call"]
    assert told(screen) == [
        "call", "node = a", "child = a", "depth = 1", "α = −∞", "β = ∞", "best = −∞", "v = −3",
    ]  # fmt: skip
    assert "MIN" in side_note(screen.explorer, screen.walk.moment, False)
    for _ in range(3):
        made.press(key(","))
    assert (screen.explorer.shown, told(screen)[0]) == (1, "call")
    made.press(key("right"))
    assert (screen.explorer.shown, told(screen)[0]) == (2, "head")
    made.press(key("end"))
    assert told(screen) == ["return", "node = The root", "depth = 2", "α = 3", "β = ∞", "best = 3"]


def test_the_whole_search_is_walked_there_and_back(stage: Make) -> None:
    made = stage((960, 640))
    screen = learn(made, "pvs", "numbers ((5 3) (8 6)) ((4 2) (13 15)) ((9 11) (12 8))", 3)
    walk = screen.walk
    walk.on = True
    screen.explorer.go(0)
    there = [walk.moment]
    last = screen.explorer.steps.last
    while screen.explorer.shown < last or walk.moment != walk.code.moments(last)[-1]:
        walk.forward()
        there.append(walk.moment)
    back = [walk.moment]
    while screen.explorer.shown > 0 or walk.moment != there[0]:
        walk.back()
        back.append(walk.moment)
    assert back == there[::-1]
    walk.back()
    assert walk.moment == there[0], "there is none before the first"
    assert [moment.line for moment in there].count("again") == 2, "called and returned"


def test_the_line_stays_as_long_as_the_step_and_a_line_ends_the_replay(stage: Make) -> None:
    screen = learn(stage((960, 640)))
    walk, explorer = screen.walk, screen.explorer
    walk.on = True
    explorer.go(3)
    for move, line in ((walk.forward, "best"), (walk.forward, "alpha"), (walk.back, "best")):
        explorer.playing = True
        move()
        assert (told(screen)[0], explorer.playing) == (line, False)
    explorer.look_at(1)
    explorer.fold(1)
    assert (told(screen)[0], explorer.shown) == ("best", 3)
    walk.choose(1)
    assert told(screen)[0] == "cut", "the second line of the other listing"
    walk.choose(0)
    while told(screen)[0] != "loop":
        walk.forward()
    walk.forward()
    walk.choose(1)
    assert told(screen)[0] == "call", "its last line, as it has fewer"


@pytest.mark.parametrize(
    ("name", "value", "text"), [("depth", 300, "300"), ("depth", 301, "∞"), ("N", 1234, "1,234"), ("v", 1234, "1234")]
)
def test_variables_are_written_as_the_code_has_them(name: str, value: int, text: str) -> None:
    explorer = finished(subject(NUMBERS), Choice("alphabeta", 2))
    assert variables(explorer, Moment("soft", "head", 1, {name: value}, 2)) == [
        "node = a", "child = a", f"{name} = {text}",
    ]  # fmt: skip


def test_a_note_says_whose_values_the_code_has_where_it_is_not_max() -> None:
    numbers = finished(subject(NUMBERS), Choice("alphabeta", 2))
    visits = finished(subject("tictactoe a3 b3 c3 a2"), Choice("playouts"))
    places = (numbers, 1, False), (numbers, 1, True), (numbers, 0, False), (visits, 1, False)
    noted = [bool(side_note(explorer, Moment("soft", "head", node), for_max)) for explorer, node, for_max in places]
    assert noted == [True, False, False, False]


def test_another_way_to_write_it_is_chosen(stage: Make) -> None:
    made = stage((960, 640))
    screen = learn(made)
    made.press(key("c"))
    made.frame()
    made.choose("listing", "hard")
    made.frame()
    assert screen.walk.listing == "hard"
    assert not any(line.key == "init" for line in listing_lines(screen.walk.function))
    made.press(key("end"))
    assert told(screen)[0] == "return"


def test_each_function_is_shown_while_it_runs(stage: Make) -> None:
    screen = learn(stage((960, 640)), "quiescence", "connect4 d c d", 1)
    screen.walk.on = True
    screen.explorer.go(0)
    shown = []
    for _ in range(12):
        shown.append((screen.explorer.shown, screen.walk.function))
        screen.walk.forward()
    assert shown == [*[(0, "above")] * 6, *[(1, "above")] * 3, *[(1, "quiesce")] * 3]


def test_a_search_without_code_has_no_key_for_it(stage: Make) -> None:
    made = stage((960, 640))
    screen = learn(made, "brothers")
    made.press(key("c"))
    made.frame()
    assert not screen.walk.shown
    assert "line_on" not in screen.widgets.buttons
    assert not any(entry.name == "title" for entry in screen.entries())


def test_visits_have_code_too(stage: Make) -> None:
    made = stage((960, 640))
    screen = learn(made, "playouts", "tictactoe a3 b2", None)
    made.press(key("c"))
    assert told(screen) == ["backup", "node = The root", "N = 500", "Q = 50 %"], "the last line"
    screen.explorer.go(7)
    made.frame()
    lines = [told(screen)[0]]
    while lines[-1] != "backup" or screen.walk.moment.node:
        made.press(key("."))
        lines.append(told(screen)[0])
    assert lines[:2] == ["head", "init"]
    assert "value" in lines
    assert told(screen)[2] == "N = 8"
    seen = []
    while screen.explorer.shown < 9:
        made.press(key("."))
        seen.append(told(screen))
    assert seen[3:10] == [
        ["choose", "node = The root", "child = c3", "N = 2", "Q = 50 %"], ["select", "node = c3", "child = b3"],
        ["expand", "node = c3", "child = b3", "N = 1", "Q = 0 %"], ["value", "node = c3 b3", "v = 0 %"],
        ["backup", "node = c3 b3", "N = 1", "Q = 0 %"], ["backup", "node = c3", "N = 2", "Q = 50 %"],
        ["backup", "node = The root", "N = 9", "Q = 39 %"],
    ]  # fmt: skip


def test_rounds_have_code_too(stage: Make) -> None:
    made = stage((960, 640))
    screen = learn(made, "proof", "tictactoe b2 b1", None)
    made.press(key("c"))
    assert told(screen) == ["or", "node = The root", "p = 0", "d = ∞"], "the last line"
    screen.explorer.go(0)
    made.frame()
    assert told(screen) == ["head", "node = The root"], "before the first round"
    seen = []
    while screen.explorer.shown < 3:
        made.press(key("."))
        seen.append(told(screen))
    assert seen[4:12] == [
        ["head", "node = The root"], ["init", "node = The root"], ["select", "node = The root"],
        ["max", "node = The root", "child = a3"], ["expand", "node = a3"], ["and", "node = a3", "p = 6", "d = 1"],
        ["or", "node = The root", "p = 1", "d = 7"], ["head", "node = The root"],
    ]  # fmt: skip


@pytest.mark.parametrize("language", SPOKEN)
def test_all_lines_can_be_read_in_the_smallest_window(stage: Make, language: str) -> None:
    made = stage((960, 640), 100, "ink", language)
    screen = LessonScreen(made.app, "11-null-window", 3)
    made.show(screen)
    made.until(lambda: screen.course.explorer.info)
    made.press(key("c"))
    made.frame(2)
    code = part(screen, SearchCode)
    theme = made.app.theme
    for name in {name for names in LISTINGS.values() for name in names} - {"quiescence"} | {"above", "quiesce"}:
        for line in listing_lines(name):
            assert width_of(theme, line.text, SIZES[-1]) <= code.room(line), line.text
    assert len(listing_lines("pvs")) * 19 + 10 <= code.lines.height
    assert code.lines.bottom < made.app.surface.get_height() - 200, "there is room for the variables and the steps"


def test_the_code_of_a_lesson_takes_the_place_of_its_text(stage: Make) -> None:
    made = stage((960, 640))
    screen = LessonScreen(made.app, "11-null-window", 3)
    made.show(screen)
    made.until(lambda: screen.course.explorer.info)
    made.frame(2)
    said = screen.course.shown_step.text.split()[0]
    assert any(text.startswith(said) for text in screen.widgets.texts)
    made.press(key("c"))
    made.frame(2)
    assert not any(text.startswith(said) for text in screen.widgets.texts)
    assert screen.walk.moment.line == "return", "the step leaves c"
    screen.course.go(len(screen.course.lesson.steps))
    made.frame(2)
    assert not screen.walk.shown, "a question is not hidden"
    assert "option.1" in screen.widgets.buttons
    screen.course.go(3)
    made.frame(2)
    assert screen.walk.shown
    made.press(key("c"))
    made.frame(2)
    assert any(text.startswith(said) for text in screen.widgets.texts)
