"""What is said of an exercise: its task, why an answer is wrong, and the results for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

from ai.drills.drill import Field, WrongReason
from ui.learn.lesson_state import Worked, exercises, lessons
from ui.learn.workbook import StudentWork, Workbook
from ui.toolkit.i18n import joined, language, t
from ui.words.games import short_side
from ui.words.numbers import time_text


def kind_name(work: StudentWork) -> str:
    """What is to be found in the exercise, as a heading."""
    return t(f"drill.kind.{work.drill.kind}")


def task_text(work: StudentWork) -> str:
    """What is to be done, with the conventions that the answers follow."""
    subject, side = work.subject, "MAX"
    if subject is not None and subject.setup is not None:
        side = short_side(subject.setup.game, subject.position.turn)
    task = t(f"drill.task.{work.drill.kind}", side=side, **work.drill.facts)
    told = subject is None or work.drill.kind == "leaves"
    return task if told else joined((task, t("drill.of_game", side=side)))


def node_name(title: str) -> str:
    """The name of a node by its `title`, which is empty for the root."""
    return title or t("search.root")


def reason_text(reason: WrongReason) -> str:
    """Why an answer is wrong, in one sentence."""
    named = {name: node_name(text) if name in ("node", "parent") else text for name, text in reason.values.items()}
    return t(f"drill.why.{reason.key}", **named)


def verdict(work: StudentWork) -> tuple[str, str, str]:
    """What the last check has found, in short; more of it; and how it is meant: ``good``, ``bad`` or ``info``. Empty
    before the first check, and after a change."""
    if work.state == "solved":
        return t("drill.solved"), t("drill.tries", count=work.tries, time=time_text(work.seconds)), "good"
    if work.state == "shown":
        return t("drill.shown"), "", "info"
    found = work.reason
    if found is None:
        return "", "", "info"
    short = t("drill.not_fewest") if work.drill.kind == "order" else t("drill.mistakes", count=work.mistakes)
    return short, reason_text(found[1]), "bad"


def field_name(work: StudentWork, field: Field) -> str:
    """The node and what is asked of it, for the status line."""
    return t(f"drill.field.{field.slot}", node=node_name(work.drill.tree.title(field.node)))


def results(name: str, worked: Mapping[str, Iterable[Worked]], book: Workbook) -> bytes:
    """The exercises of all lessons that were finished, and of `book` if it is of no lesson, as CSV with a head, in
    UTF-8 with a mark by which spreadsheets know it; time is in seconds."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([t(f"drill.csv.{column}") for column in
                     ("name", "lesson", "task", "kind", "seed", "tries", "seconds", "solved")])  # fmt: skip
    for each in lessons(language()):
        specs = exercises(each.key)
        for done in worked.get(each.key, ()):
            kind = t(f"drill.kind.{specs[done.task].kind}") if done.task < len(specs) else ""
            writer.writerow([name, each.title, *_row(done, kind, str(done.seed))])
    if not book.key:
        kinds = book.kinds()
        for number, done in sorted(book.worked.items()):
            writer.writerow([name, book.title, *_row(done, t(f"drill.kind.{kinds[number]}"), "")])
    return out.getvalue().encode("utf-8-sig")


def _row(done: Worked, kind: str, seed: str) -> list[object]:
    return [done.task + 1, kind, seed, done.tries, f"{done.seconds:.1f}", int(not done.shown)]
