"""The exercises of lessons on the screen: by keyboard and by mouse, checked, explained, kept and exported."""

from __future__ import annotations

import csv
import io
from itertools import product
from pathlib import Path
from unittest.mock import Mock

import pygame
import pytest

from ai.drills.drill import Field, draw_exercise
from ai.drills.tree import MOST_LEAVES
from ai.explain.subject import Choice, Subject
from games.formats.text import parse
from games.registry import setup
from tests.ui.stage import SPOKEN, Make, Stage, act, choose_file, part, still
from ui.learn.drill_screen import DrillScreen
from ui.learn.drill_tree import DrillTree, NodeMark, NumberField, TreePicture, widget_name
from ui.learn.learn import Learn
from ui.learn.lesson import LessonScreen
from ui.learn.lesson_state import Done, Worked, exercises, lessons, progress, subject
from ui.learn.lessons import Lessons
from ui.learn.workbook import NUMBERS, field_name, of_lesson, reason_text, task_text, verdict
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.widgets import Widgets

KEYS = [each.key for each in lessons("en")]
SMALLEST = (960, 640)


def exercise(made: Stage, key: str, number: int = 0, seed: int = 1) -> DrillScreen:
    screen = made.show(DrillScreen(made.app, key, seed, number))
    made.until(lambda: still(screen))
    return screen


def typed(made: Stage, screen: DrillScreen, right: dict[Field, str]) -> None:
    """Type the answers, and go from field to field with Tab, from the first, which has the focus."""
    for field, text in right.items():
        assert screen.widgets.focus == widget_name(field)
        made.write(text.replace("∞", "i").replace("−", "-"))
        made.press(pygame.K_TAB)


@pytest.mark.parametrize("key", ["02-minimax", "04-alpha-beta", "10-learning", "01-game-tree", "03-evaluation"])
def test_numbers_are_typed_and_checked_with_enter(made: Stage, key: str) -> None:
    screen = exercise(made, key)
    work = screen.book.work
    right = dict(work.drill.solution())
    typed(made, screen, right)
    screen.widgets.focus = widget_name(next(iter(right)))
    made.press(pygame.K_RETURN)
    assert (work.state, work.tries) == ("solved", 1)
    assert t("drill.solved") in screen.widgets.texts
    made.app.files.settle()
    kept = progress()[key]
    assert [(each.task, each.seed, each.tries, each.shown) for each in kept.worked] == [(0, 1, 1, False)]
    made.press(pygame.K_RETURN)
    assert screen.book.number == 1, "Enter goes on"


def test_numbers_are_filled_in_with_the_mouse_alone(made: Stage) -> None:
    screen = exercise(made, "04-alpha-beta")
    work = screen.book.work
    for field, text in work.drill.solution().items():
        made.click(screen.widgets.elements[widget_name(field)].rect.center)
        for letter in text:
            made.click(screen.widgets.elements[f"key.{letter}"].rect.center)
    made.click(screen.widgets.elements["check"].rect.center)
    assert work.state == "solved"
    made.click(screen.widgets.elements["next"].rect.center)
    assert screen.book.number == 1


@pytest.mark.parametrize(
    ("key", "help_key"), [("02-minimax", "numbers"), ("08-parallel", "mark"), ("05-ordering", "order")]
)
def test_the_status_line_tells_how_an_exercise_is_answered(made: Stage, key: str, help_key: str) -> None:
    assert part(exercise(made, key), DrillTree).status() == t(f"drill.help.{help_key}")


def pressed(widget: NumberField | NodeMark, key: int) -> bool:
    return widget.key(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=""))


def test_a_number_has_few_letters_and_arrows_lead_to_the_next_one(made: Stage) -> None:
    go = Mock()
    field = NumberField(made.app.theme, pygame.Rect(0, 0, 80, 24), "", print, print, print, go)
    field.type_text("-1a23i4567")
    assert field.text == "−123∞45"
    assert (pressed(field, pygame.K_UP), pressed(field, pygame.K_DOWN)) == (True, True)
    assert [each.args for each in go.call_args_list] == [(-1,), (1,)]
    field.composing = "１"
    pressed(field, pygame.K_UP)
    assert go.call_count == 2


def test_a_node_is_pressed_and_moved(made: Stage) -> None:
    press, enter, move = Mock(), Mock(), Mock()
    place = pygame.Rect(10, 10, 30, 30)
    mark, moved = NodeMark(made.app.theme, place, press, enter), NodeMark(made.app.theme, place, press, enter, move)
    keys = pygame.K_LEFT, pygame.K_RIGHT, pygame.K_SPACE, pygame.K_x
    assert [pressed(mark, key) for key in keys] == [False, False, True, False]
    assert [pressed(moved, key) for key in keys] == [True, True, True, False]
    assert (press.call_count, [each.args for each in move.call_args_list]) == (2, [(-1,), (1,)])
    for mark.enabled, point in ((True, (9, 10)), (False, (10, 10)), (True, (10, 10))):
        mark.release(point)
    assert (press.call_count, enter.call_count) == (3, 1)
    moved.chosen, moved.sign = True, "✓"
    told = [(each.role, each.about, each.chosen) for each in (mark.accessible("a"), moved.accessible("b"))]
    assert told == [("button", "", None), ("button", "✓", True)]


def test_a_small_node_can_be_hit(made: Stage) -> None:
    book, widgets = of_lesson(made.app, "08-parallel", 1, 2), Widgets(made.app)
    DrillTree(made.app, widgets, book).build(Space(pygame.Rect(0, 0, 300, 200), 0))
    assert {each.rect.size for each in widgets.elements.values()} == {(30, 30)}
    assert TreePicture(made.app.theme, pygame.Rect(0, 0, 300, 200), book.work, Mock()).side == 22


def test_the_keypad_empties_a_field(made: Stage) -> None:
    screen = exercise(made, "02-minimax")
    for key in ("key.1", "key.7", "key.erase", "key.−", "key.5"):
        made.push(key)
        assert screen.widgets.focus == widget_name(Field(0, "value")), "the keyboard goes on there"
    assert screen.book.work.answers[Field(0, "value")] == "−5"


def test_wrong_answers_are_marked_and_explained_until_they_change(made: Stage) -> None:
    screen = exercise(made, "02-minimax")
    work = screen.book.work
    right = dict(work.drill.solution())
    wrong = list(right)[1]
    typed(made, screen, right | {wrong: "99"})
    made.push("check")
    assert work.state == "open"
    assert [field for field, reason in work.checked.items() if reason] == [wrong]
    found = work.reason
    assert found is not None
    assert reason_text(found[1]) == t("drill.why.value.min", node="a")
    assert screen.widgets.focus == widget_name(wrong), "the field is ready for another answer"
    made.press(pygame.K_END)
    made.press(pygame.K_BACKSPACE)
    assert work.reason is None
    made.press(pygame.K_BACKSPACE)
    made.write(right[wrong])
    made.press(pygame.K_RETURN)
    assert (work.state, work.tries) == ("solved", 2)


def test_keys_lead_from_exercise_to_exercise(made: Stage) -> None:
    screen = exercise(made, "08-parallel")
    screen.book.work.answers.update(screen.book.work.drill.solution())
    made.press(pygame.K_RETURN)
    seen = []
    for do in ("pagedown", "show", "pagedown", "show", "pageup", "pageup", "pageup"):
        if do == "show":
            made.push(do)
        else:
            act(screen, do)
        buttons = screen.widgets.buttons
        assert buttons["show"].enabled == (buttons["check"].style == "@primary") == buttons["check"].enabled
        enabled = (buttons[name].enabled for name in ("previous", "show"))
        seen.append((screen.book.number, *enabled, buttons["next"].style))
    over = (False, "@primary")
    assert seen == [
        (1, True, True, ""), (1, True, *over), (2, True, True, ""), (2, True, *over), (1, True, *over),
        (0, False, *over), (0, False, *over),
    ]  # fmt: skip
    assert t("drill.number", number=1, count=3, marks="✓ · ·") in screen.widgets.texts


def test_an_empty_exercise_is_no_try(made: Stage) -> None:
    screen = exercise(made, "02-minimax")
    made.push("check")
    assert screen.book.work.tries == 0
    assert made.app.message[0] == t("drill.nothing")


def test_answers_that_are_shown_are_not_solved(made: Stage) -> None:
    screen = exercise(made, "04-alpha-beta")
    work, tree = screen.book.work, part(screen, DrillTree)
    assert "key.1" in screen.widgets.buttons
    assert tree.hint() == field_name(work, next(iter(work.drill.solution())))
    made.push("show")
    assert "key.1" not in screen.widgets.buttons, "nothing is left to type"
    assert tree.hint() == ""
    assert work.state == "shown"
    assert work.answers == work.drill.solution()
    made.app.files.settle()
    done = progress()["04-alpha-beta"]
    assert (done.solved, [each.shown for each in done.worked]) == (0, [True])
    made.push("check")
    assert work.tries == 0, "nothing is left to check"


def chosen_nodes(screen: DrillScreen) -> list[str]:
    """The nodes that are highlighted as those to be moved."""
    return [name for name, each in screen.widgets.elements.items() if isinstance(each, NodeMark) and each.chosen]


def test_cuts_are_marked_by_mouse_and_by_keyboard(made: Stage) -> None:
    for mouse in (True, False):
        screen = exercise(made, "08-parallel", seed=3)
        work = screen.book.work
        for field, text in work.drill.solution().items():
            if mouse and text:
                made.click(screen.widgets.elements[widget_name(field)].rect.center)
            elif not mouse:
                made.press(pygame.K_TAB)
                assert (screen.widgets.focus, work.at) == (widget_name(field), field)
                assert chosen_nodes(screen) == []
                if text:
                    made.press(pygame.K_SPACE)
        made.press(pygame.K_RETURN)
        assert work.state == "solved"


def test_a_mark_is_taken_away_again_and_a_wrong_one_explained(made: Stage) -> None:
    screen = exercise(made, "08-parallel", seed=3)
    work = screen.book.work
    needed = next(field for field, text in work.drill.solution().items() if not text)
    middle = screen.widgets.elements[widget_name(needed)].rect.center
    made.click(middle)
    made.push("check")
    assert (work.checked[needed] is None, screen.widgets.focus) == (False, None)
    made.click(middle)
    assert not work.answers[needed]
    assert needed not in work.checked


@pytest.mark.parametrize("mouse", [True, False])
def test_moves_are_ordered(made: Stage, mouse: bool) -> None:
    screen = exercise(made, "05-ordering", 1)
    book, work = screen.book, screen.book.work
    for field, text in work.drill.solution().items():
        tree = work.drill.arranged_tree(work.answers)
        if " ".join(tree.names[child] for child in tree.children[field.node]) != text:
            last = Field(tree.children[field.node][-1], "order")
            if mouse:
                made.click(screen.widgets.elements[widget_name(last)].rect.center)
                made.push("left")
            else:
                screen.widgets.focus = widget_name(last)
                made.press(pygame.K_LEFT)
                assert screen.widgets.focus == widget_name(last), "the same node, in another place"
    assert book.work.state == "open"
    made.push("check")
    assert work.state == "solved"


def test_a_clicked_node_is_moved_with_the_arrows(made: Stage) -> None:
    screen = exercise(made, "05-ordering")
    work = screen.book.work
    first = work.drill.tree.children[0][0]
    made.click(screen.widgets.elements[widget_name(Field(first, "order"))].rect.center)
    assert work.at == Field(first, "order")
    assert chosen_nodes(screen) == [widget_name(work.at)]
    for key, place in ((pygame.K_RIGHT, 1), (pygame.K_RIGHT, 2), (pygame.K_RIGHT, 2), (pygame.K_LEFT, 1)):
        made.press(key)
        assert work.drill.arranged_tree(work.answers).children[0].index(first) == place


def test_another_order_that_is_not_the_best_is_explained(made: Stage) -> None:
    screen = exercise(made, "05-ordering", 2)
    made.push("check")
    found = screen.book.work.reason
    assert found is not None
    assert found[1].key == "order"
    assert t("drill.not_fewest") in screen.widgets.texts


def test_ucb_chooses_one_node_of_each_row(made: Stage) -> None:
    screen = exercise(made, "09-mcts")
    work = screen.book.work
    right = next(field for field, text in work.drill.solution().items() if text)
    others = [field for field in work.drill.solution() if field != right]
    for field in (*others, right):
        made.click(screen.widgets.elements[widget_name(field)].rect.center)
        assert [each for each, text in work.answers.items() if text] == [field]
    made.press(pygame.K_RETURN)
    assert work.state == "solved"


def test_a_visit_is_backed_up_and_what_does_not_change_stays_empty(made: Stage) -> None:
    for number in (1, 2):
        screen = exercise(made, "09-mcts", number)
        work = screen.book.work
        typed(made, screen, dict(work.drill.solution()))
        made.push("check")
        assert work.state == "solved"
        assert sum(not text for text in work.drill.solution().values()) >= 4


# The seed.


def test_the_seed_is_on_the_screen_and_can_be_typed(made: Stage) -> None:
    screen = exercise(made, "02-minimax", seed=41)
    other = exercise(made, "02-minimax", seed=42).book.work.drill.tree
    screen = exercise(made, "02-minimax", seed=41)
    line = screen.widgets.elements["seed"]
    made.click(line.rect.center)
    made.press(pygame.K_a, pygame.KMOD_LCTRL)
    made.write("42")
    made.press(pygame.K_RETURN)
    assert screen.book.seed == 42
    assert screen.book.work.drill.tree == other
    made.push("another")
    assert screen.book.seed != 42


def test_a_seed_that_is_no_number_is_a_sentence(made: Stage) -> None:
    screen = exercise(made, "02-minimax", seed=41)
    screen.widgets.focus = "seed"
    made.press(pygame.K_a, pygame.KMOD_LCTRL)
    made.write("x")
    made.press(pygame.K_RETURN)
    assert screen.book.seed == 41
    assert made.app.message[0] == t("drill.no_seed", most=9999)


def test_what_was_written_stays_when_a_person_looks_at_another_exercise(made: Stage) -> None:
    screen = exercise(made, "02-minimax")
    made.write("7")
    made.push("next", "previous")
    assert screen.book.work.answers == {Field(0, "value"): "7"}


# The ways to them.


def test_a_lesson_ends_with_its_exercises(made: Stage) -> None:
    lesson = lessons("en")[1]
    screen = made.show(LessonScreen(made.app, lesson.key, lesson.pages - 1))
    assert screen.widgets.buttons["next"].text == t("lesson.exercises")
    made.push("next")
    assert isinstance(made.app.scene, DrillScreen)
    assert made.app.scene.book.key == lesson.key
    for _ in range(3):
        made.push("next")
    assert isinstance(made.app.scene, Lessons)


def test_the_list_of_lessons_leads_to_the_exercises_and_counts_them(made: Stage) -> None:
    screen = made.show(Lessons(made.app))
    made.push("exercises.04-alpha-beta")
    assert made.app.scene.book.key == "04-alpha-beta"
    made.push("show", "next")
    solution = made.app.scene.book.work.drill.solution()
    for field, text in solution.items():
        if text:
            made.click(made.app.scene.widgets.elements[widget_name(field)].rect.center)
    made.push("check", "back")
    assert made.app.scene is screen
    assert screen.widgets.buttons["exercises.04-alpha-beta"].text == t("lesson.exercises_count", solved=1, count=3)


def test_a_lesson_is_finished_only_when_its_exercises_are_solved() -> None:
    lesson = lessons("en")[1]
    right = list(range(len(lesson.questions)))
    done = Done(page=lesson.pages - 1, furthest=lesson.pages - 1, right=right)
    assert not lesson.finished(done)
    for task in range(3):
        done = done.with_worked(Worked(task, 1, 1, 9.0, True))
    assert not lesson.finished(done), "those that were shown do not count"
    for task in range(3):
        done = done.with_worked(Worked(task, 2, 1, 9.0, False))
    assert lesson.finished(done)
    again = done.with_worked(Worked(0, 3, 0, 1.0, True))
    assert again == done, "what was solved stays solved"


def test_a_tree_of_ones_own_has_exercises(made: Stage) -> None:
    screen = made.show(Lessons(made.app))
    made.push("work")
    book = made.app.scene.book
    assert book.kinds() == ["values", "windows", "cuts", "order"]
    assert book.work.drill.tree.count == 9
    before = book.revision
    made.press(pygame.K_r)
    assert (book.revision, "seed" in made.app.scene.widgets.elements) == (before, False), "there is no other"
    for _ in range(4):
        made.push("next")
    assert made.app.scene is screen


def test_a_tree_that_is_too_large_is_a_sentence(made: Stage) -> None:
    screen = made.show(Lessons(made.app))
    made.push("draw", "work")
    assert made.app.scene is screen
    assert made.app.message[0] == t("drill.too_large", most=MOST_LEAVES)


def test_the_search_of_a_game_leads_to_exercises_on_its_tree(made: Stage) -> None:
    screen = made.show(Learn(made.app, subject=subject("tictactoe a3 b3 c3 a2 b2 c1"), choice=Choice("minimax")))
    made.choose("menu", "exercises")
    book = made.app.scene.book
    assert book.work.subject == screen.explorer.subject
    assert [text for field, text in book.work.drill.solution().items() if field.node == 0] == ["+10"]
    made.push("back")
    assert made.app.scene is screen


def test_a_large_game_gives_a_small_tree(made: Stage) -> None:
    record = parse("h8i9g7i7", setup("gomoku"))
    made.show(Learn(made.app, subject=Subject.of(record, record.cursor), choice=Choice("alphabeta", 1)))
    made.choose("menu", "exercises")
    assert made.app.scene.book.work.drill.tree.count == 9


# Results.


def test_results_are_exported_for_a_spreadsheet(made: Stage, tmp_path: Path) -> None:
    made.app.settings.player_name = "Ada, the first"
    for number in range(2):
        screen = exercise(made, "05-ordering", number, seed=5)
        if number:
            made.push("show")
        else:
            made.push("check")
            screen.book.work.answers.update(screen.book.work.drill.solution())
            made.push("check")
    file = tmp_path / "results.csv"
    made.press(pygame.K_e, pygame.KMOD_LCTRL)
    choose_file(made.app, file)
    made.app.files.settle()
    head, *rows = csv.reader(io.StringIO(file.read_bytes().decode("utf-8-sig")))
    assert head == ["Name", "Lesson", "Task", "Kind", "Seed", "Tries", "Time (s)", "Solved"]
    kind = t("drill.kind.order")
    assert [[*row[:6], row[7]] for row in rows] == [
        ["Ada, the first", "Move ordering", "1", kind, "5", "2", "1"],
        ["Ada, the first", "Move ordering", "2", kind, "5", "0", "0"],
    ]
    assert all(0 <= float(row[6]) < 60 for row in rows)


def test_results_on_a_tree_of_ones_own_are_exported_too(made: Stage, tmp_path: Path) -> None:
    made.show(Lessons(made.app))
    made.push("work", "show")
    file = tmp_path / "results.csv"
    made.press(pygame.K_e, pygame.KMOD_LCTRL)
    choose_file(made.app, file)
    made.app.files.settle()
    _, row = csv.reader(io.StringIO(file.read_bytes().decode("utf-8-sig")))
    assert row[1:6] == [t("drill.own"), "1", t("drill.kind.values"), "", "0"]


# All of them.


@pytest.mark.parametrize("key", KEYS)
def test_three_exercises_of_rising_difficulty_end_each_lesson(key: str) -> None:
    specs = exercises(key)
    assert len(specs) == 3
    drills = [draw_exercise(spec, 1).drill for spec in specs]
    assert len(drills[0].tree) <= len(drills[2].tree)
    for first, second in ((0, 1), (1, 2), (0, 2)):
        if drills[first].kind == drills[second].kind:
            assert len(drills[first].tree) < len(drills[second].tree) or drills[first].number < drills[second].number


@pytest.mark.slow
@pytest.mark.parametrize("language", SPOKEN)
def test_no_exercise_is_cut_off_in_the_smallest_window(stage: Make, language: str) -> None:
    """Nor do the fields of neighbours touch."""
    made = stage(SMALLEST, language=language)
    window = pygame.Rect((0, 0), SMALLEST)
    for key, number in product(KEYS, range(3)):
        screen = exercise(made, key, number)
        work, elements = screen.book.work, screen.widgets.elements
        assert task_text(work)
        assert part(screen, DrillTree).status()
        made.cuts.clear()
        for field in work.drill.solution():
            work.write(field, "x" if field.slot == "mark" else "0" if field.slot in NUMBERS else "")
        screen.book.check()
        made.frame(2)
        assert not made.cuts, (key, number)
        rects = [each.rect for each in elements.values()]
        assert all(window.contains(rect) for rect in rects)
        assert all(rect.collidelistall(rects) == [place] for place, rect in enumerate(rects)), (key, number)
        assert verdict(work)[2] == "bad"
        assert verdict(work)[0] in screen.widgets.texts
