"""Exercises without pixels: how an answer is graded, what is said of it, and what follows on the board."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from ai.core.player import Limit
from ai.review.exercises import Deck, DeckCounts, Exercise
from ai.service.searches import Purpose
from games.evaluation import Evaluation
from games.formats import tengen
from games.formats.text import parse
from ui.parts.practice import (
    Practice,
    Solving,
    asked_sentence,
    counts_sentence,
    over_sentence,
    title_sentence,
    verdict_sentences,
)
from ui.words.file_words import day_text

SCORES = {"a15": 100, "b15": 99, "c15": 82, "d15": 60, "e15": -300, "f15": None}
"""Of black's third move; white answers from the lowest row upwards."""
REPLY = tuple(range(224, 204, -1))


def exercise(known: bool = True) -> Exercise:
    record = parse("h8i9")
    start = record.cursor
    start.evaluation = Evaluation(100, None, 12, (0, 1, 2)) if known else None
    for move, score in SCORES.items():
        played = record.play(record.position.parse_move(move))
        played.evaluation = None if score is None else Evaluation(score, None, 12, REPLY)
        record.go_to(start)
    return Exercise("key", tengen.dumps(record))


def solving(*texts: str, known: bool = True) -> tuple[Solving, list[Any]]:
    """The exercise after some steps, moves or ``help``, ``retry`` and ``show``; and what was asked and said."""
    asked: list[Any] = []
    search = SimpleNamespace(over=False, drop=lambda: asked.append("dropped"))
    searches = SimpleNamespace(ask=lambda *wanted: asked.append(wanted) or search)
    host: Any = SimpleNamespace(searches=searches, search=search, say=lambda *said, **_: asked.append(said))
    found = exercise(known)
    state = Solving(host, Practice(Deck(), [found], "Ada"), found)
    for text in texts:
        if text in ("retry", "show"):
            getattr(state, text)()
        elif text == "help":
            state.helped("threats")
        else:
            state.choose(state.start.position.parse_move(text))
    return state, asked


@pytest.mark.parametrize(
    ("steps", "state", "grade", "refuted"),
    [
        (["a15"], "right", "good", 0), (["b15"], "right", "good", 0), (["c15"], "good", "hard", 0),
        (["d15"], "wrong", "again", 7), (["e15"], "wrong", "again", 7), (["help", "a15"], "right", "hard", 0),
        (["help", "c15"], "good", "hard", 0), (["help", "e15"], "wrong", "again", 7), (["show"], "shown", "again", 0),
        (["e15", "retry"], "asked", "again", 0), (["e15", "retry", "a15"], "right", "again", 0),
        (["c15", "retry", "e15"], "wrong", "hard", 7), (["e15", "show"], "shown", "again", 0), ([], "asked", None, 0),
        (["a15", "e15"], "right", "good", 0), (["f15"], "judging", None, 0),
    ],
)  # fmt: skip
def test_the_first_answer_is_graded_by_what_it_loses(
    steps: list[str], state: str, grade: str | None, refuted: int
) -> None:
    made, asked = solving(*steps)
    assert (made.state, made.practice.answers.get("key"), made.refutation) == (state, grade, REPLY[:refuted])
    assert made.explains is (state != "asked" or "help" in steps)
    searched = state == "judging"
    assert asked == ([(made.tried, Purpose.ANALYSIS, Limit(seconds=1.0))] if searched else [])
    made.close()
    assert (made.state, asked[1:]) == (("asked", ["dropped"]) if searched else (state, []))


@pytest.mark.parametrize(
    ("over", "stand_in", "engine", "known", "state"),
    [
        (False, False, "ready", True, "judging"), (True, False, "ready", True, "right"),
        (True, True, "waiting", True, "judging"), (True, True, "failed", True, "asked"),
        (True, False, "failed", True, "right"), (True, False, "ready", False, "asked"),
    ],
)  # fmt: skip
def test_a_search_judges_once_it_is_over_and_by_the_player_that_was_asked(
    over: bool, stand_in: bool, engine: str, known: bool, state: str
) -> None:
    made, asked = solving("f15")
    made.host.engine = SimpleNamespace(state=SimpleNamespace(name=engine))  # type: ignore[assignment]
    found = Evaluation(100, None, 12, REPLY) if known else None
    vars(made.host.search).update(over=over, stand_in=stand_in, known=found, node=made.tried)  # type: ignore[attr-defined]
    made.update(0.0)
    assert made.state == state
    told = [("f15 could not be checked. Try again.", "bad")] if state == "asked" else []
    assert asked[1:] == told


def test_what_is_said_of_an_answer() -> None:
    assert asked_sentence(solving()[0]) == "a15 was played here. Find a better move."
    said = {
        (): [], ("show",): ["The answer is a15."], ("a15",): ["a15 is right."],
        ("c15",): ["c15 is good, but a15 is better."], ("f15",): ["Checking f15…"],
        ("e15",): ["e15 is wrong.", "", "Refutation: o1 n1 m1 l1 k1 j1 i1."],
    }  # fmt: skip
    assert {steps: verdict_sentences(solving(*steps)[0]) for steps in said} == said
    assert verdict_sentences(solving("e15", known=False)[0]) == ["e15 is right."], "nothing better is known"


def test_a_practice_has_a_title_counts_and_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    found = exercise()
    of_ada, own = Practice(Deck(), [found, found], "Ada"), Practice(Deck(), [])
    assert title_sentence(of_ada) == "Mistakes of Ada · Exercise 1 of 2"
    assert title_sentence(of_ada.following()) == "Mistakes of Ada · Exercise 2 of 2"
    assert title_sentence(own) == "Your mistakes"
    of_ada.answers |= {"a": "hard", "b": "again", "c": "good"}
    assert counts_sentence(of_ada) == "2 exercises of this game: 2 solved"
    assert over_sentence(of_ada) == "These are all exercises of this game."
    deck, day = Practice(Deck()), datetime(2026, 12, 1, tzinfo=UTC)
    for counts, said in (
        (DeckCounts(), "Review the games"), (DeckCounts(3, 1, 2, day), "These exercises are done. Others are due"),
        (DeckCounts(3, 0, 2, day), f"No exercise is due now. The next one is due on {day_text(day.timestamp())}."),
    ):  # fmt: skip
        monkeypatch.setattr(Deck, "counts", lambda _, known=counts: known)
        assert over_sentence(deck).startswith(said)
        assert counts_sentence(deck) == f"{counts.total} exercises: {counts.due} due, {counts.solved} solved"
