"""Names of openings, and the sentences on what is demanded and decided."""

from __future__ import annotations

import pytest

from ai.gomoku.opening_decisions import OpeningDecision
from games.opening_rules import OPENING_RULES, RENJU_OPENINGS, OpeningStep, opening_moves
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.games.test_opening_rules import game_with, take
from ui.words.opening_words import (
    choices,
    decision_sentence,
    demand_sentence,
    game_title,
    opening_name,
    opening_rule_name,
    opening_title,
    renju_opening_name,
)

LEVEL = Seat("level:3")


def test_an_opening_has_its_name_from_the_third_move_on_however_it_is_turned() -> None:
    for image in range(8):
        record = GameRecord(setup("gomoku", 15, "renju"))
        for move in opening_moves("kagetsu", 15, image):
            assert opening_name(record) == ""
            record.play(move)
        record.play(0)
        assert opening_name(record) == "Kagetsu (D4)"
        record.undo()
        assert opening_name(record) == "Kagetsu (D4)", "the line of play goes on"
        assert game_title(record) == "Gomoku · Renju · Kagetsu (D4)"


def test_only_renju_has_names_of_openings() -> None:
    record = GameRecord(setup("gomoku", 15, "freestyle"))
    for move in opening_moves("kagetsu", 15):
        record.play(move)
    assert opening_name(record) == ""
    assert game_title(record) == "Gomoku · 15×15 · Freestyle"


def test_the_page_of_a_game_tells_rule_and_opening() -> None:
    record = game_with("soosyrv8")
    assert opening_title(record) == "Soosyrv-8"
    take(record, "h8", "h9", "i9")
    assert opening_title(record) == "Soosyrv-8 · Kagetsu (D4)"
    assert opening_title(GameRecord(setup("bones"))) == ""


def test_every_rule_and_opening_has_a_name() -> None:
    assert all(opening_rule_name(rule) != rule for rule in OPENING_RULES)
    assert len({renju_opening_name(key) for key in RENJU_OPENINGS}) == len(RENJU_OPENINGS)


@pytest.mark.parametrize(("seats", "who"), [
    ((Seat(PERSON, "Anna"), Seat(PERSON, "Ben")), "Ben"), ((Seat(), Seat()), "White"), ((LEVEL, Seat()), "You"),
    ((Seat(), LEVEL), "Apprentice"),
])  # fmt: skip
def test_a_sentence_says_who_is_asked(seats: tuple[Seat, Seat], who: str) -> None:
    record = game_with("swap2")
    take(record, "h8", "i9", "g7")
    record.seats = seats
    demand = record.demand
    assert demand is not None
    assert demand_sentence(record, demand).startswith(f"{who}: keep White, take Black, or place two")
    assert [text for _, text in choices(record, demand)] == ["Keep White", "Take Black", "Two more stones"]


def test_areas_and_offers_are_told() -> None:
    record = game_with("rif")
    told = []
    for text in ("h8", "h9", "h10", "stay", "a1", "g8", "b2", "g8"):
        demand = record.demand
        assert demand is not None
        told.append(demand_sentence(record, demand))
        take(record, text)
    assert "stone 1 of 3, for Black. It lies in the centre" in told[0]
    assert "stone 2 of 3, for White. It lies on the bright 3×3 points" in told[1]
    assert "5×5" in told[2]
    assert "fifth move 2 of 2" in told[6]
    assert told[7].endswith("on the board: g8, b2.")
    for rule, points in (("pro", "5×5"), ("long_pro", "7×7")):
        record = game_with(rule)
        take(record, "h8", "h9")
        demand = record.demand
        assert demand is not None
        assert demand_sentence(record, demand).endswith(f"It lies outside the dark {points} points in the middle.")


def test_a_decision_is_told_with_its_reason() -> None:
    record = game_with("swap")
    take(record, "h8", "i9", "g7")
    record.seats = (Seat(), LEVEL)
    takes = OpeningDecision((OpeningStep("stay"),), "takes", 1, 0.62)
    assert decision_sentence(record, takes, 1) == "White stands better, 62 %: Apprentice takes White."
    assert decision_sentence(record, OpeningDecision((), "only"), 1) == ""
    steps = tuple(OpeningStep("place", move) for move in opening_moves("kagetsu", 15, 3))
    known = OpeningDecision(steps, "known")
    assert decision_sentence(record, known, 1) == "Apprentice places three stones that are known to be balanced."
    renju = game_with("rif")
    renju.seats = (LEVEL, Seat())
    assert decision_sentence(renju, known, 0) == "Apprentice chooses the opening Kagetsu (D4)."
    other = OpeningDecision(tuple(OpeningStep("place", move) for move in (112, 0, 14)), "known")
    assert decision_sentence(renju, other, 0) == "Apprentice places three stones that are known to be balanced."
    assert decision_sentence(GameRecord(setup("gomoku")), takes, 1) == ""
