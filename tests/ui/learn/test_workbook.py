"""Exercises under way, without a window: answers, time, what is kept of them, and what is said."""

from __future__ import annotations

import csv
import io
import random
from functools import partial
from itertools import count
from pathlib import Path
from unittest.mock import Mock

import pytest

from ai.drills.drill import Field, WrongReason, draw_exercise
from ai.drills.tree import tree_of_subject
from tests.ui.learn.test_search_words import told
from ui.learn import workbook
from ui.learn.lesson_state import Done, Worked, encoded, exercises, lessons, progress_path, subject
from ui.learn.workbook import StudentWork, Workbook, field_name, of_lesson, of_tree, reason_text, task_text, verdict

MINIMAX, CUTS, ORDER, UCB = "02-minimax", "08-parallel", "05-ordering", "09-mcts"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))


def work_of(key: str, number: int = 0) -> StudentWork:
    return StudentWork(draw_exercise(exercises(key)[number], 3), 3)


def book_of(key: str = "") -> Workbook:
    return Workbook(Mock(), [partial(draw_exercise, spec) for spec in exercises(MINIMAX)], key, 7)


def test_another_cut_keeps_what_the_check_said_of_the_others() -> None:
    work = work_of(CUTS)
    first, second = [field for field, text in work.drill.solution().items() if not text][:2]
    for field in (first, second):
        work.mark(field.node, alone=False)
    work.check()
    assert (work.tries, work.state, work.mistakes) == (1, "open", sum(map(bool, work.checked.values())))
    assert work.checked.keys() == work.drill.solution().keys()
    work.mark(first.node, alone=False)
    assert work.checked.keys() == work.drill.solution().keys() - {first}
    assert work.answers[second] == "x", "the others stay"


def test_another_choice_takes_the_mark_of_its_siblings_and_ends_what_the_check_said() -> None:
    work = work_of(UCB)
    wrong, *others = [field for field, text in work.drill.solution().items() if not text]
    work.mark(wrong.node, alone=True)
    work.check()
    assert work.checked
    work.mark(others[0].node, alone=True)
    assert ({field for field, text in work.answers.items() if text}, work.checked) == ({others[0]}, {})
    work.mark(others[0].node, alone=True)
    assert not any(work.answers.values()), "the mark is taken away"


def test_moves_go_no_further_than_their_row() -> None:
    work = work_of(ORDER)
    row, tree = list(work.drill.tree.children[0]), work.drill.tree
    last = len(row) - 1
    for node, by in ((row[0], -1), (row[last], 1), (row[0], last + 1), (0, 0), (0, 1)):
        assert not work.move(node, by)
    assert work.answers == {}
    work.checked[Field(0, "order")] = None
    assert work.move(row[last], -last)
    assert work.answers == {Field(0, "order"): " ".join(tree.names[node] for node in (row[last], *row[:last]))}
    assert work.checked == {}
    assert work.move(row[last], last)
    assert work.arrangement == work_of(ORDER).arrangement
    work.show()
    assert not work.move(row[last], -1)


def test_the_mistake_at_the_cursor_is_explained_or_else_the_first() -> None:
    work = work_of(MINIMAX)
    fields = list(work.drill.solution())
    assert work.reason is None
    for number, field in enumerate(fields):
        work.checked[field] = WrongReason(f"{number}", {}) if number else None
    assert work.reason == (fields[1], ("1", {}))
    work.at = fields[2]
    assert work.reason == (fields[2], ("2", {}))
    work.at = fields[0]
    assert work.reason == (fields[1], ("1", {}))
    assert work.mistakes == len(fields) - 1


def test_nothing_is_written_once_it_is_over_and_blanks_are_nothing() -> None:
    work, marks = work_of(MINIMAX), work_of(CUTS)
    field = next(iter(work.drill.solution()))
    work.write(field, " ")
    assert (work.empty, marks.empty) == (True, False)
    work.write(field, "5")
    assert not work.empty
    work.show()
    work.write(field, "6")
    assert (work.answers, work.checked) == (work.drill.solution(), {})


def test_a_workbook_goes_to_its_ends() -> None:
    book = book_of()
    places = []
    for number in (-1, 1, 2, 3):
        book.go(number)
        places.append((book.number, book.last, book.revision))
    assert places == [(0, False, 1), (1, False, 2), (2, True, 3), (2, True, 4)]
    book.take(9999)
    assert (book.seed, book.revision, book.count) == (9999, 5, 3)
    assert (book.seeded, book_of(MINIMAX).seeded) == (False, True)


def test_time_counts_for_the_exercise_that_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    book = book_of()
    first = book.work
    for until, act in (
        (103.0, lambda: book.go(1)), (105.0, book.check), (110.04, book.show), (120.0, lambda: book.go(0)),
        (125.0, lambda: book.go(1)),
    ):  # fmt: skip
        now[0] = until
        act()
    assert (first.seconds, book.work.tries) == (8.0, 0)
    assert book.worked == {1: Worked(1, 7, 0, 7.0, True)}
    assert book.solved() == set()
    book.go(0)
    first.answers.update(first.drill.solution())
    book.check()
    assert book.worked[0] == Worked(0, 7, 1, 8.0, False)
    assert book.solved() == {0}
    done = book.revision
    book.check()
    book.show()
    assert (book.revision, first.tries, first.state) == (done, 1, "solved"), "it is over"


def test_marks_and_moves_of_a_workbook_are_those_of_its_exercise() -> None:
    order, ucb, cuts = (Workbook(Mock(), [lambda _, each=each: each]) for each in (  # type: ignore[misc]
        draw_exercise(exercises(key)[0], 3) for key in (ORDER, UCB, CUTS)))  # fmt: skip
    row = order.work.drill.tree.children[0]
    assert not order.move(1), "no node is chosen"
    order.work.at = Field(row[0], "order")
    assert (order.move(-1), order.move(1), order.revision) == (False, True, 1)
    cuts.work.at = Field(cuts.work.drill.tree.children[0][0], "mark")
    assert not cuts.move(1)
    for book, marked in ((ucb, 1), (cuts, 2)):
        for node in book.work.drill.tree.children[0][:2]:
            book.mark(node)
        assert (sum(map(bool, book.work.answers.values())), book.revision) == (marked, 2)


@pytest.mark.parametrize(
    ("worked", "seed", "number"),
    [
        ([], 1, 0),
        ([Worked(0, 70, 1, 9.0, False), Worked(1, 77, 1, 9.0, False)], 77, 2),
        ([Worked(0, 77, 1, 9.0, True), Worked(1, 78, 1, 9.0, False)], 78, 0),
        ([Worked(task, 77, 1, 9.0, False) for task in range(3)], 1, 0),
    ],
)
def test_exercises_are_those_that_were_begun(
    worked: list[Worked], seed: int, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "randint", lambda low, _high: low)
    progress_path().parent.mkdir(parents=True, exist_ok=True)
    progress_path().write_bytes(encoded({MINIMAX: Done(worked=worked)}))
    book = of_lesson(Mock(), MINIMAX)
    assert (book.seed, book.number) == (seed, number)
    assert book.solved() == {each.task for each in worked if not each.shown}
    book = of_lesson(Mock(), MINIMAX, 5, 1)
    assert (book.seed, book.number, book.title) == (5, 1, lessons("en")[1].title)


def test_what_is_said_of_an_exercise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "t", told)
    for text, said in (
        ("numbers 3 12 | 2 4", ["drill.task.values(side: MAX)"]),
        ("tictactoe a3 b3 c3 a2 b2 c1", ["drill.task.values(side: X) drill.of_game(side: X)"]),
    ):
        of = subject(text)
        book = of_tree(Mock(), tree_of_subject(of), of)
        assert [task_text(book.work)] == said
        assert book.work.subject == (None if of.setup is None else of)
        assert (book.seeded, book.title) == (False, "drill.own()")
    assert task_text(work_of("03-evaluation", 1)).count("drill.of_game") == 1 - (
        work_of("03-evaluation", 1).drill.kind == "leaves"
    )
    names = {"node": "", "parent": "a", "value": ""}
    assert reason_text(WrongReason("x", names)) == "drill.why.x(node: search.root(), parent: a, value: )"
    work = work_of(MINIMAX)
    assert field_name(work, Field(0, "value")) == "drill.field.value(node: search.root())"
    assert verdict(work) == ("", "", "info")
    first, second = list(work.drill.solution())[:2]
    work.checked = {first: WrongReason("x", {}), second: WrongReason("y", {})}
    assert verdict(work) == ("drill.mistakes(count: 2)", "drill.why.x()", "bad")
    work.state = "shown"
    assert verdict(work) == ("drill.shown()", "", "info")
    work.state, work.tries, work.seconds = "solved", 2, 83.0
    assert verdict(work) == ("drill.solved()", "drill.tries(count: 2, time: 1:23)", "good")


def test_results_of_lessons_come_before_those_on_a_tree_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "t", told)
    numbers = count()
    worked = {MINIMAX: [Worked(task, 9, next(numbers), 8.04, task == 1) for task in (1, 2, 3)]}
    of = subject("numbers 3 12 | 2 4")
    own = of_tree(Mock(), tree_of_subject(of), of)
    own.worked = {1: Worked(1, 7, 1, 2.0, False), 0: Worked(0, 7, 4, 1.0, True)}
    title, kinds = lessons("en")[1].title, [spec.kind for spec in exercises(MINIMAX)]
    lines = [
        ["Ada", title, "2", f"drill.kind.{kinds[1]}()", "9", "0", "8.0", "0"],
        ["Ada", title, "3", f"drill.kind.{kinds[2]}()", "9", "1", "8.0", "1"],
        ["Ada", title, "4", "", "9", "2", "8.0", "1"],
        ["Ada", "drill.own()", "1", "drill.kind.values()", "", "4", "1.0", "0"],
        ["Ada", "drill.own()", "2", "drill.kind.windows()", "", "1", "2.0", "1"],
    ]
    for book, expected in ((own, lines), (book_of(MINIMAX), lines[:3])):
        text = workbook.results("Ada", worked, book).decode("utf-8-sig")
        assert list(csv.reader(io.StringIO(text)))[1:] == expected
