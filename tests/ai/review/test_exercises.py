"""Exercises from mistakes, and the deck that brings them back."""

from __future__ import annotations

import json
import sqlite3
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ai.review.exercises import Deck, DeckCounts, Exercise, exercises, judge_try, own_sides, solution
from ai.review.judgement import INACCURACY, MISTAKES, Judged
from ai.review.report import run_review
from games.evaluation import Evaluation
from games.formats import FormatError, tengen
from games.formats.text import parse
from games.position import Stones
from games.record import PERSON, GameRecord, Seat
from games.registry import setup

LOST = {"tictactoe": "b2a1c3c1b1a2a3", "bones": "1 2 3 2 1 3", "connect4": "ggaaacgbfgfgccebeaefbdfdgfe"}
FIRST_DAY = datetime(2026, 11, 23, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = FIRST_DAY

    def __call__(self) -> datetime:
        return self.now


def lost(game: str) -> GameRecord:
    record = parse(LOST[game], setup(game))
    record.date = "2026-11-23T12:00:00"
    return record


def mistakes(game: str) -> list[Exercise]:
    found = run_review(lost(game), seconds=0.05)
    return exercises(found.record, found.moves, (0, 1))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def deck(tmp_path: Path, clock: Clock) -> Deck:
    return Deck(tmp_path / "of a person" / "deck" / "exercises.sqlite", clock)


def test_an_exercise_is_the_position_before_a_mistake_with_what_the_review_knows() -> None:
    found = run_review(lost("tictactoe"), seconds=0.05)
    made = [Exercise.of(found.record, move) for move in found.moves if move.kind in MISTAKES]
    assert made == mistakes("tictactoe")
    for exercise, judged in zip(made, (move for move in found.moves if move.kind in MISTAKES), strict=True):
        record = exercise.record()
        assert record.position == judged.before.position
        assert record.cursor.evaluation == judged.before.evaluation
        assert [(node.move, node.evaluation) for node in record.cursor.children] == [
            (judged.move, judged.node.evaluation)
        ]
        assert solution(record.cursor)[0] == judged.best


def test_an_exercise_is_made_of_a_mistake_that_lost_something_from_any_start() -> None:
    record = GameRecord(setup("gomoku"), stones=Stones(((112,), ()), 1))
    judged = Judged(0, record.play(0), 1, "mistake", INACCURACY, 0.4, 96, (96,))
    (exercise,) = exercises(record, [judged], {1})
    assert exercise.record().position == judged.before.position
    assert "h8" in exercise.key
    for change in ({"loss": INACCURACY - 1e-9}, {"kind": "inaccuracy"}, {"side": 0}):
        assert exercises(record, [replace(judged, **change)], {1}) == []
    with pytest.raises(FormatError, match="has no mistake"):
        Exercise("key", tengen.dumps(GameRecord(record.setup))).record()


@pytest.mark.slow
def test_each_move_that_is_tried_is_judged_as_a_review_would() -> None:
    for exercise in mistakes("tictactoe"):
        start = exercise.record().cursor
        kinds = {}
        for move in start.position.legal_moves():
            record = exercise.record()
            tried = record.play(move)
            after = run_review(record).record.cursor.evaluation if tried.outcome is None else None
            judged = judge_try(record, tried, after)
            kinds[move] = judged.kind
        assert kinds[solution(start)[0]] in ("best", "only_move")
        assert kinds[start.children[0].move] in MISTAKES


@pytest.mark.parametrize(
    ("seats", "own"),
    [
        ((Seat(PERSON), Seat("level:3")), [0]),
        ((Seat("engine"), Seat(PERSON, "Wu")), [1]),
        ((Seat(PERSON), Seat(PERSON)), []),
        ((Seat(PERSON, "Bo"), Seat(PERSON, "")), []),
        ((Seat(PERSON, "Ada"), Seat(PERSON, "Wu")), [0]),
        ((Seat(PERSON, "Wu"), Seat(PERSON, "aDa  L.")), [1]),
        ((Seat(PERSON, "ada"), Seat(PERSON, "Ada L.")), [0, 1]),
        ((Seat(PERSON, "Adam"), Seat(PERSON, "Wu")), []),
        ((Seat("engine"), Seat("level:3")), []),
        ((Seat("engine", "Ada"), Seat("level:3")), []),
    ],
)
def test_both_sides_of_any_game_were_the_person_at_this_computer(seats: tuple[Seat, Seat], own: list[int]) -> None:
    """The mistakes of two nameless people, as in a file from elsewhere, were all “your mistakes”."""
    assert own_sides(GameRecord(setup("gomoku"), seats), ["", "Ada", "Ada L."]) == own


def test_a_try_that_long_searches_chose_as_well_is_no_mistake() -> None:
    record = parse("h8i9")
    node = record.cursor
    node.parent.evaluation = Evaluation(0, None, 20, (node.move,))
    judged = judge_try(record, node, Evaluation(400, None, 20))
    assert (judged.kind, judged.number, judged.side) == ("best", 1, 1)


def test_three_mistakes_of_three_games_come_back_on_the_scheduled_day(deck: Deck, clock: Clock) -> None:
    each = [Exercise(game, game.encode()) for game in LOST]
    deck.add([])
    assert (deck.due(), deck.counts(), deck.file.parent.exists()) == ([], DeckCounts(), False)
    deck.add(each)
    deck.add(each)  # reviewed again
    assert deck.due() == each
    assert deck.counts() == DeckCounts(3, 3, 0, FIRST_DAY)
    for exercise, grade in zip(each, ("again", "hard", "good"), strict=True):
        deck.record_answer(exercise, grade)
    counts = deck.counts()
    assert (counts.total, counts.due, counts.solved) == (3, 0, 2)
    days: list[list[Exercise]] = []
    for _ in range(10):
        clock.now += timedelta(days=1)
        days.append(deck.due())
    assert days == [each[:2], *[each] * 9], "what was hard comes back on the next day, what was good a day later"
    assert counts.next_due == FIRST_DAY + timedelta(days=1)


def test_what_is_solved_again_comes_back_later_each_time(deck: Deck, clock: Clock) -> None:
    both = [Exercise(game, game.encode()) for game in ("bones", "connect4")]
    waits = []
    for _ in range(4):
        for exercise in both:
            deck.record_answer(exercise, "good")
        due = deck.counts().next_due
        waits.append(due - clock.now)
        clock.now = due
        assert deck.due() == both, "on a day that is not drawn"
    assert waits == sorted(set(waits))


def test_a_damaged_deck_is_set_aside(deck: Deck) -> None:
    deck.file.parent.mkdir(parents=True)
    deck.file.write_bytes(b"no database" * 1000)
    deck.add(mistakes("bones"))
    assert deck.counts().total == len(mistakes("bones"))
    (aside,) = deck.file.parent.glob("*.damaged*")
    assert aside.read_bytes().startswith(b"no database")


@pytest.mark.parametrize(("at", "byte"), [(44, 9), (None, 0xFF)])
def test_a_deck_of_another_format_or_with_a_schema_that_is_no_text_is_set_aside(
    deck: Deck, at: int | None, byte: int
) -> None:
    """The fuzzer found that it was refused for ever."""
    deck.add(mistakes("bones"))
    data = bytearray(deck.file.read_bytes())
    data[data.index(b"CREATE TABLE exercises") + 13 if at is None else at] = byte
    deck.file.write_bytes(data)
    for _ in range(2):
        with suppress(OSError):
            deck.counts()
    deck.add(mistakes("bones"))
    assert deck.counts().total == len(mistakes("bones"))


def test_a_damaged_card_is_new(deck: Deck) -> None:
    (exercise, *_) = mistakes("bones")
    deck.add([exercise])
    with sqlite3.connect(deck.file) as database:
        database.execute("UPDATE exercises SET card = '{\"state\": 9}'")
    deck.record_answer(exercise, "good")
    assert deck.due() == []
    with sqlite3.connect(deck.file) as database:
        assert database.execute("SELECT key FROM damaged").fetchall() == [(exercise.key,)]
    deck.record_answer(exercise, "again")
    assert deck.counts().solved == 0
    deck.set_aside(exercise)
    assert deck.counts() == DeckCounts()
    with sqlite3.connect(deck.file) as database:
        assert len(database.execute("SELECT key FROM damaged").fetchall()) == 2, "and a good card is not damaged"


@pytest.mark.parametrize(
    ("change", "damaged"),
    [
        ({}, 0), ({"card_id": 0}, 0), ({"card_id": -1}, 1), ({"card_id": 2**63 - 1}, 0), ({"card_id": 2**63}, 1),
         ({"step": 0}, 0), ({"step": -1}, 1), ({"state": 0}, 1),
        ({"state": 3}, 1), ({"state": 3, "step": 0}, 0), ({"state": 4}, 1), ({"difficulty": 1}, 0),
        ({"difficulty": 0.9}, 1), ({"difficulty": 10}, 0), ({"difficulty": 10.1}, 1), ({"stability": None}, 1),
        ({"state": 1, "stability": None}, 1),
        ({"state": 1, "stability": None, "difficulty": None, "last_review": None}, 0),
        ({"stability": None, "difficulty": None, "last_review": None}, 1),
    ],
)  # fmt: skip
def test_a_card_within_its_bounds_is_not_damaged(deck: Deck, change: dict[str, object], damaged: int) -> None:
    exercise = Exercise("key", b"game")
    deck.record_answer(exercise, "good")
    with sqlite3.connect(deck.file) as database:
        (card,) = database.execute("SELECT card FROM exercises").fetchone()
        database.execute("UPDATE exercises SET card = ?", (json.dumps(json.loads(card) | change),))
    deck.record_answer(exercise, "good")
    with sqlite3.connect(deck.file) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert ("damaged" in tables) == bool(damaged)


def test_a_deck_that_cannot_be_written_is_an_os_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    assert Deck().file == tmp_path / "exercises.sqlite"
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"."):
        Deck(tmp_path / "file" / "exercises.sqlite").add(mistakes("bones"))
    (tmp_path / "folder.sqlite").mkdir()
    with pytest.raises(OSError, match="cannot be read or saved"):
        Deck(tmp_path / "folder.sqlite").add(mistakes("bones"))
