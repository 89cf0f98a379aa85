"""What is recalled of reviews, and the reviews of all games of a folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ai.review.judgement import Judged
from ai.review.report import (
    Skipped,
    check_facts,
    review_folder,
    review_summary,
    run_review,
    stored_review,
    was_reviewed,
)
from games.evaluation import Evaluation
from games.fields import DecodeError
from games.formats import save
from games.formats.text import parse
from games.library.index import ReviewSummary
from games.registry import setup


def test_a_summary_has_the_accuracy_and_the_mistakes_of_both_sides() -> None:
    record, single = (parse(moves, setup("bones", 9)) for moves in ("1 2 3 2", "1"))
    assert (stored_review(record), review_summary(record)) == (None, None)
    found = run_review(record)
    assert (stored_review(record), found.moves[2].kind) == (found, "blunder")
    assert review_summary(record) == ReviewSummary(accuracy=found.accuracy, mistakes=(1, 1))
    assert stored_review(run_review(single).record) is not None
    assert review_summary(single) is None, "the other side made no move"


KNOWN = Evaluation(0, None, 9, (4,), 0.4)


@pytest.mark.parametrize(
    ("known", "reviewed"),
    [(KNOWN, True), (replace(KNOWN, seconds=0.39), False), (replace(KNOWN, seconds=0.39, mate=3), True),
     (replace(KNOWN, line=()), False), (replace(KNOWN, seconds=0.39, exact=True), True), (None, False)],
)  # fmt: skip
def test_a_game_was_reviewed_if_each_position_was_searched_as_long(known: Evaluation | None, reviewed: bool) -> None:
    record = parse("a1a2b1b2c1", setup("tictactoe"))
    for node in record.line()[:-1]:
        node.evaluation = known if node.position.ply == 2 else KNOWN
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
    assert found[2:] == [{"file": name} | run_review(games[name], 0.01).facts(kind) for name in games]
    assert shares == [(done, 3) for done in range(4)]


@pytest.mark.parametrize(
    ("good", "wrong"),
    [({}, {"ply": -1}), ({"loss": 1, "win": 0}, {"loss": -0.1}), ({}, {"loss": 1.1}), ({}, {"win": -0.1}),
     ({}, {"win": 1.1}), ({}, {"kind": "odd"}), ({}, {"line": ["a1"]}), ({}, {"line": [1, 2]}),
     ({}, {"line_sides": [1, 2]})],
)  # fmt: skip
def test_the_facts_of_a_move_in_a_journal_are_checked(good: dict[str, Any], wrong: dict[str, Any]) -> None:
    names = ("ply", "move", "kind", "loss", "best", "line", "line_sides", "win", "why")
    move = dict(zip(names, (0, "a1", "best", 0, "a1", ["a1", "b1"], ["x", "o"], 1, ""), strict=True)) | good
    facts = {"file": "a.sgf", "accuracy": [None, 100], "moves": [move]}
    for each in (facts, facts | {"accuracy": [0, 0.5]}):
        assert check_facts(each) == each
    for accuracy in ([-0.1, 50], [50, 100.1]):
        with pytest.raises(DecodeError, match="accuracy"):
            check_facts(facts | {"accuracy": accuracy})
    with pytest.raises(DecodeError):
        check_facts(facts | {"moves": [move | wrong]})
