"""A lesson as one HTML page that needs nothing else: each step with its tree and the whole search at a glance, and the
questions with their answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from ai.explorer import Explorer
from ui.game.icicle_drawing import WIDTH, icicle_svg
from ui.game.icicle_plan import Facts, IciclePlan
from ui.game.icicle_rows import IcicleRows
from ui.game.lesson import Lesson, Step, arrange
from ui.game.reading import references, terms
from ui.game.training_drawing import training_svg
from ui.game.tree_drawing import tree_svg
from ui.toolkit.i18n import language, t
from ui.toolkit.palette import PALETTES
from ui.toolkit.templates import filled
from ui.words.search import choice_name, result_text

TEMPLATE = "lesson.html"

_LOOK = 0.02  # seconds


def page(lesson: Lesson, tell: Callable[[float], object] = lambda _share: None) -> str:
    """Return the page. `tell` is called with the share that is done; it may raise to stop."""
    steps = []
    for number, step in enumerate(lesson.steps):
        tell(number / len(lesson.steps))
        steps.append(_step(step, tell, number / len(lesson.steps)))
    words = {"questions": t("lesson.questions"), "answer": t("lesson.show_answer")}
    words |= {"terms": t("reading.terms"), "references": t("reading.references")}
    context = {
        "lang": language(), "lesson": lesson, "steps": steps, "words": words,
        "terms": [term for term in terms(language()) if term.lesson == lesson.key],
        "references": references()[lesson.key],
    }  # fmt: skip
    return filled(TEMPLATE, context)


def _step(step: Step, tell: Callable[[float], object], share: float) -> dict[str, Any]:
    if step.chart:
        return {"text": step.text, "tree": Markup(training_svg(step.chart)), "whole": "", "caption": ""}
    explorer = Explorer(step.subject, step.choice, lambda: None)
    try:
        while explorer.info is None:
            tell(share)
            explorer.update(0.0)
            time.sleep(_LOOK)
        arrange(explorer, step)
        caption = f"{choice_name(explorer.choice)}: {result_text(explorer)}"
        return {"text": step.text, "tree": Markup(tree_svg(explorer)), "whole": _whole(explorer), "caption": caption}
    finally:
        explorer.close()


def _whole(explorer: Explorer) -> Markup:
    """The whole search at a glance, as far as the step shows it."""
    trace = explorer.trace
    rows = IcicleRows(IciclePlan(Facts.of(trace)), trace, explorer.node_step, WIDTH)
    return Markup(icicle_svg(rows, PALETTES["paper"]))
