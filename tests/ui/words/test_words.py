"""What a person reads of games, files, views and reasons, in both languages."""

from __future__ import annotations

import errno
import os
import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from ai.review.insights import view, why_mistake
from ai.review.judgement import MISTAKES, Judged
from ai.review.report import stored_review
from games.evaluation import Evaluation, ScoredLine
from games.formats import load
from games.formats.common import KINDS, FormatError
from games.formats.text import parse
from games.position import FIRST, Outcome, Position
from games.record import GameRecord, Seat
from games.registry import GAMES, setup
from ui.learn.compare_state import share_text
from ui.toolkit.i18n import LANGUAGES, set_language, speaking, t
from ui.words.file_words import file_sentence, refusal
from ui.words.games import outcome_sentence, player_name, seat_label
from ui.words.move_words import move_reason, node_reason
from ui.words.numbers import count_text, score_text, time_text, whole_text
from ui.words.verdicts import why_text
from ui.words.views import (
    chance_text,
    first_side_wins,
    lead_text,
    line_outlook,
    move_wins,
    node_outlook,
    player_view_sentence,
    sides_text,
    view_sentence,
)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", ["line", "heap", "resigned", "time", "illegal", "crash", "full", "lightning"])
def test_bug_a_file_with_an_unknown_ending_crashed_the_window(language: str, reason: str) -> None:
    set_language(language)
    record = GameRecord(setup("gomoku"))
    assert outcome_sentence(record, Outcome(FIRST, reason))
    assert outcome_sentence(record, Outcome(None, reason)) == t("library.result.draw")


@pytest.mark.parametrize("game", GAMES)
def test_the_only_person_is_you(game: str) -> None:
    assert player_name(game, (Seat("person"), Seat("engine")), 0) == "You"
    assert player_name(game, (Seat("person"), Seat("person")), 0) == "Person"
    assert player_name(game, (Seat("person", "Ada"), Seat("engine")), 0) == "Ada"
    assert player_name(game, (Seat("person"), Seat("of another time")), 1) == "Computer"


@pytest.mark.parametrize(
    ("game", "player", "label", "name"),
    [
        ("gomoku", "level:3", "Apprentice (3)", "Apprentice"),
        ("gomoku", "level:even=3.4", "Even match (3.4)", "Even match"),
        ("gomoku", "level:even", "Even match", "Even match"),
        ("bones", "level:9", "Perfect (3)", "Perfect"),
        ("gomoku", "level:99", "Computer", "Computer"),
    ],
)
def test_levels_have_names(game: str, player: str, label: str, name: str) -> None:
    assert seat_label(game, player) == label
    assert player_name(game, (Seat("person"), Seat(player)), 1) == name


def test_a_comma_between_thousands_was_a_decimal_one_to_a_russian() -> None:
    for code, expected in (("en", "549,946"), ("zh", "549,946"), ("ru", "549\u00a0946")):
        with speaking(code):
            assert (whole_text(549_946), whole_text(999)) == (expected, "999")
            assert expected in t("database.games", count=549_946)


def test_numbers_are_short() -> None:
    numbers = 0, 999, 1234, 99_949, 99_950, 662_500, 999_499, 999_500, 1_234_567, 99_949_999, 99_950_000
    assert [count_text(n) for n in numbers] == [
        "0", "999", "1.2k", "99.9k", "100k", "662k", "999k", "1.0M", "1.2M", "99.9M", "100M",
    ]  # fmt: skip
    assert [share_text(part, whole) for part, whole in ((0, 0), (1, 1), (23, 50))] == ["0 %", "100 %", "46 %"]
    assert [time_text(s) for s in (0, 59.9, 61, 3600)] == ["0:00", "0:59", "1:01", "1:00:00"]
    assert [score_text(score) for score in (-4, 0, -6, 120)] == ["0.0", "0.0", "−0.1", "+1.2"]


@pytest.mark.parametrize(
    ("score", "mate", "exact", "text", "short"),
    [
        (0, 5, False, "wins in 3", "in 3"),
        (0, -4, False, "loses in 2", "lost"),
        (0, None, True, "draw", "draw"),
        (0, None, False, "50 %", "50 %"),
    ],
)
def test_an_outlook_counts_moves_and_never_plies(
    score: int, mate: int | None, exact: bool, text: str, short: str
) -> None:
    game, known = setup("connect4"), ScoredLine(score, mate, 9, exact=exact)
    assert line_outlook(game, game.start(), known) == text
    assert line_outlook(game, game.start(), known, short=True) == short


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("moves", ["h8", "h8 i9"])
def test_a_winning_move_of_white_was_said_to_lose(code: str, moves: str) -> None:
    """A move is judged from the side that makes it, whichever that is: in a list, and where it is considered."""
    set_language(code)
    record = parse(moves.replace(" ", ""), setup("gomoku"))
    mover = 1 - record.position.turn
    plies = -4 if mover else 4
    record.cursor.evaluation = Evaluation(0, plies, 9)
    assert node_outlook(record.setup, record.cursor) == t("outlook.wins", count=2)
    record.cursor.evaluation = Evaluation(0, -plies, 9)
    assert node_outlook(record.setup, record.cursor) == t("outlook.loses", count=2)
    turn = record.position.turn
    line = ScoredLine(0, -5 if turn else 5, 9)
    assert line_outlook(record.setup, record.position, line) == t("outlook.wins", count=3)
    score = -300 if turn else 300
    better, worse = (ScoredLine(each, None, 9) for each in (score, score // 3))
    wins = [move_wins(record.setup, record.position, each, turn) for each in (better, worse)]
    assert wins[0] is not None
    assert wins[1] is not None
    assert wins[0] > wins[1] > 0.5


def test_a_score_and_the_bar_name_the_sides() -> None:
    assert [lead_text("gomoku", score) for score in (123, -40, 0, -4)] == ["Black +1.2", "White +0.4", "0.0", "0.0"]
    assert sides_text("gomoku", 0.614) == "Win probability: Black 61 %, White 39 %"
    assert sides_text("tictactoe", 0.0) == "With best play O wins"


# Files.


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_fault_of_a_file_has_a_sentence_in_every_language(code: str) -> None:
    facts = {"ply": 3, "move": "h8", "most": 16, "kinds": ".txt", "reason": "no such file",
             "game": "Go", "board": "15×13"}  # fmt: skip
    set_language(code)
    for kind in KINDS:
        sentence = file_sentence(FormatError("what the log says", kind, **facts), "game.txt")
        assert "game.txt" in sentence


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.ENOSPC, errno.ENOENT, errno.EIO])
def test_a_chinese_window_says_in_chinese_why_the_system_refused(number: int) -> None:
    set_language("zh")
    reason = refusal(OSError(number, os.strerror(number)))
    assert any("\u4e00" <= letter <= "\u9fff" for letter in reason)
    assert reason in file_sentence(OSError(number, os.strerror(number)), "game.txt")


def test_what_the_system_says_otherwise_is_handed_on(tmp_path: Path) -> None:
    assert refusal(OSError(None, "struck by lightning")) == "struck by lightning"
    assert refusal(OSError("plain")) == "plain"
    with pytest.raises(FormatError) as caught:
        load(tmp_path / "none.txt")
    assert file_sentence(caught.value, "none.txt") == t(
        "format.unreadable", name="none.txt", reason=t("refusal.missing")
    )


# Views.


def at(game: str, moves: str) -> Position:
    record = GameRecord(setup(game))
    for move in moves.split():
        record.play(record.position.parse_move(move))
    return record.position


def said(game: str, moves: str, evaluation: Evaluation | None = None) -> str:
    position = at(game, moves)
    return view_sentence(setup(game), position, evaluation, view(position, evaluation))


def test_each_game_has_its_words() -> None:
    assert said("gomoku", "h8", Evaluation(9000, 7, 12)) == "Black wins in 4 moves"
    assert said("gomoku", "h8 i9", Evaluation(-9000, -1, 12)) == "White wins in 1 move"
    assert said("gomoku", "a1 h8 a3 h9 a5 h10 a7 i11 c1 j11 c3 k11") == "White has a double threat"
    assert said("tictactoe", "b2 a3") == "A draw with best play"
    assert said("bones", "3") == "Leave a multiple of 4: take 2"
    assert said("bones", "1") == "A multiple of 4: Second player loses"


@pytest.mark.parametrize(("score", "sentence"), [(-8000, "White is winning"), (8000, "Black is winning")])
@pytest.mark.parametrize("moves", ["h8", "h8 a1"])
def test_a_score_is_told_from_the_first_side_whoever_is_to_move(moves: str, score: int, sentence: str) -> None:
    assert said("gomoku", moves, Evaluation(score, None, 9)) == sentence
    wins = first_side_wins(setup("gomoku"), at("gomoku", moves), Evaluation(score, None, 9))
    assert (wins > 0.9) == (score > 0)


def test_nothing_is_said_where_nothing_is_known() -> None:
    position = at("gomoku", "h8")
    assert view_sentence(setup("gomoku"), position, None) == ""
    assert first_side_wins(setup("gomoku"), position, None) is None
    assert chance_text("gomoku", None) == ""


def test_a_finished_game_has_a_winner_and_no_view() -> None:
    over = at("tictactoe", "b2 a3 a1 b3 c3")
    assert view_sentence(setup("tictactoe"), over, None) == ""
    assert first_side_wins(setup("tictactoe"), over, None) == 1.0
    assert first_side_wins(setup("gomoku"), at("gomoku", "h8"), None, None, Outcome(1, "resigned")) == 0.0
    assert first_side_wins(setup("gomoku"), at("gomoku", "h8"), None, None, Outcome(None, "full")) == 0.5


# Reasons.


@pytest.mark.parametrize(
    ("moves", "move", "sentence"),
    [
        ("h8g8i8a2j8a4k8a6", "l8", "l8 makes five in a row"),
        ("h8a1i8a2k9a4k10a6", "k8", "k8 makes 2 open threes"),
        ("h8g7i8g6j8", "g8", "g8 makes an open three and blocks an open three"),
        ("", "h8", ""),
    ],
)
def test_a_reason_is_a_sentence(moves: str, move: str, sentence: str) -> None:
    position = parse(moves, setup("gomoku")).position
    assert move_reason(position, position.parse_move(move)) == sentence


THREATENED = "Lets White play j7, which threatens an open four at g7. j7 prevents that."
LOST = "The position was lost already."


@pytest.mark.parametrize(
    ("moves", "best", "reply", "mate", "sentence"),
    [
        ("h8h7d4i7a15", "j7", "j7", None, THREATENED),
        ("h8h7d4i7o1a1l1c1a15", "j7", "c2", None, "Overlooks a better point: j7 blocks an open two."),
        ("h8g8i8h7j8i7k8", "g7", "l8", None, "Wastes a four: White blocks it with l8."),
        ("h8g7h3c3b8m13a2n9m3", "i10", "a6", None, "Plays 5 lines from the nearest stone: i10 is nearer."),
        ("h8g7m3", "i10", "f10", None, "Too far from the other stones (5 lines): White plays f10 undisturbed."),
        ("h8h7d4i7a15", "j7", "j7", -5, LOST),
        ("h8h7d4i7a15", "j7", "j7", -3, f"{LOST} Now White wins in 2 moves, beginning with j7."),
    ],
)
def test_what_a_mistake_overlooked_is_a_sentence(
    moves: str, best: str, reply: str, mate: int | None, sentence: str
) -> None:
    node = parse(moves, setup("gomoku")).cursor
    cells = [node.position.parse_move(text) for text in (best, reply)]
    node.parent.evaluation = Evaluation(0, None if mate is None else mate - 8, 20, (cells[0],))
    node.evaluation = Evaluation(0, mate, 20, (cells[1],))
    assert why_text(Judged(0, node, 0, "inaccuracy", 0.2, 0.3, cells[0], (cells[0],))) == sentence


def test_a_quiet_reason_does_not_tell_the_better_move() -> None:
    told = Counter[bool]()
    for file in sorted((Path(__file__).parents[2] / "data" / "reviewed").glob("*.tengen.json")):
        mistakes = [judged for judged in stored_review(load(file), 0.1).moves if judged.kind in MISTAKES]
        for judged, language in product(mistakes, LANGUAGES):
            why = why_mistake(judged)
            if why is not None and not why.refutes:
                with speaking(language):
                    quiet, plain = why_text(judged, quiet=True), why_text(judged)
                assert not re.findall(r"(?<![a-z])[a-z]\d+", quiet), quiet
                assert plain
                told[bool(quiet)] += 1
    assert told[True] > 10, told


def test_a_game_without_reasons_has_none() -> None:
    for game, moves in (("connect4", "ddd"), ("tictactoe", "b2a1"), ("bones", "1 2")):
        record = parse(moves, setup(game))
        assert node_reason(record.cursor) == ""
    assert node_reason(record.root) == ""


@pytest.mark.parametrize(
    ("score", "mate", "line", "said"),
    [
        (0, None, (), "Novice sees nothing special"), (-500, None, (), "Novice likes its position"),
        (500, None, (), "Novice is worried"), (-20_000_000, -3, (), "Novice sees a win in 2 moves"),
        (20_000_000, 4, (), "Novice sees no way out"),
    ],
)  # fmt: skip
def test_the_opinion_of_a_weak_player_is_said_as_its_own(
    score: int, mate: int | None, line: tuple[int, ...], said: str
) -> None:
    record = parse("h8", setup("gomoku"))  # white is to move; scores are for black
    set_language("en")
    assert player_view_sentence(record.setup, record.position, Evaluation(score, mate, 3, line), "Novice") == said
