"""What is recalled of reviews, and the reviews of all games of a folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ai.review.judgement import Judged
from ai.review.report import Skipped, check_facts, review_folder, review_summary, run_review, stored_review, was_reviewed
from games.evaluation import Evaluation
from games.fields import DecodeError
from games.formats import save
from games.formats.text import parse
from games.library.index import ReviewSummary
from games.registry import setup


def test_a_summary_has_the_accuracy_and_the_mistakes_of_both_sides() -> None:
    record = parse("1 2 3 2", setup("bones", 9))
    assert (stored_review(record), review_summary(record)) == (None, None)
    found = run_review(record)
    assert stored_review(record) == found
    assert review_summary(record) == ReviewSummary(accuracy=found.accuracy, mistakes=(1, 1))
    single = run_review(parse("1", setup("bones", 9))).record
    assert (stored_review(single) is None, review_summary(single)) == (False, None), "the other side made no move"


@pytest.mark.parametrize(
    ("change", "reviewed"),
    [
        ({}, True), ({"seconds": 0.39}, False), ({"seconds": 0.39, "mate": 3}, True), ({"line": ()}, False),
        ({"seconds": 0.39, "exact": True}, True), (None, False),
    ],
)  # fmt: skip
def test_a_game_was_reviewed_if_each_position_was_searched_as_long(
    change: dict[str, Any] | None, reviewed: bool
) -> None:
    record = parse("a1a2b1b2c1", setup("tictactoe"))
    for node in record.line()[:-1]:
        node.evaluation = Evaluation(0, None, 9, (4,), 0.4)
    assert was_reviewed(record, 0.5), "the game is over at its end"
    node = record.line()[2]
    node.evaluation = None if change is None else replace(Evaluation(0, None, 9, (4,), 0.4), **change)
    assert was_reviewed(record, 0.5) == reviewed


def kind(judged: Judged) -> str:
    return judged.kind


def test_each_game_of_a_folder_is_reviewed_and_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").mkdir()
    for name, text in (("b.md", "h8"), ("c.sgf", "("), ("d.sgf", "(;GM[4]")):
        (tmp_path / name).write_text(text)
    heap = setup("bones", 6)
    games = {"F.TENGEN.JSON": parse("1", heap), "d.sgf": parse(""), "e.tengen.json": parse("1 2", heap)}
    for name in ("F.TENGEN.JSON", "e.tengen.json"):
        save(games[name], tmp_path / "saved.tengen.json")
        (tmp_path / "saved.tengen.json").rename(tmp_path / name)
    shares: list[tuple[int, int]] = []
    found = list(review_folder(tmp_path, kind, 0.01, on_progress=lambda *share: shares.append(share)))
    skipped = [(each.file, each.part, each.reason[-1]) for each in found if isinstance(each, Skipped)]
    assert skipped == [("c.sgf", False, "."), ("d.sgf", True, ".")]
    facts = [{"file": name} | run_review(games[name], 0.01).facts(kind) for name in games]
    assert found[2:] == facts
    assert shares == [(0, 3), (1, 3), (2, 3), (3, 3)]


FACTS: dict[str, Any] = {
    "ply": 0, "move": "a1", "kind": "best", "loss": 0, "best": "a1", "line": ["a1", "b1"], "line_sides": ["x", "o"],
    "win": 1, "why": "",
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "good"),
    [
        ({}, True), ({"loss": 1, "win": 0}, True), ({"ply": -1}, False), ({"loss": -0.1}, False), ({"loss": 1.1}, False),
        ({"win": -0.1}, False), ({"win": 1.1}, False), ({"kind": "odd"}, False), ({"line": ["a1"]}, False),
        ({"line": [1, 2]}, False), ({"line_sides": [1, 2]}, False),
    ],
)  # fmt: skip
def test_the_facts_of_a_move_in_a_journal_are_checked(change: dict[str, Any], good: bool) -> None:
    facts = {"file": "a.sgf", "accuracy": [None, 50], "moves": [FACTS | change]}
    if good:
        assert check_facts(facts) == facts
    else:
        with pytest.raises(DecodeError):
            check_facts(facts)
