"""What a person reads of games, files, views and reasons, in both languages."""

from __future__ import annotations

import errno
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ai.core.player import DepthStats, Line, PlayerFailure, WorkerRow
from ai.core.score import WIN, Score
from ai.review.insights import view, why_mistake
from ai.review.judgement import MISTAKES, Judged
from ai.review.report import Reviewed, View, stored_review
from ai.review.why import Why
from games.evaluation import Evaluation, ScoredLine
from games.formats import load
from games.formats.common import KINDS, FormatError
from games.formats.text import parse
from games.library.index import DAMAGED, FIRST_WON, SECOND_WON, UNFINISHED, Entry, ReviewSummary
from games.position import FIRST, Outcome, Position
from games.record import GameRecord, Notice, Seat
from games.registry import GAMES, setup
from games.storage import Damage, saves_home
from ui.learn.compare_state import share_text
from ui.toolkit.i18n import LANGUAGES, set_language, speaking, t
from ui.words.file_words import (
    damage_sentence,
    day_text,
    day_word,
    entry_ending,
    entry_opponent,
    entry_players,
    entry_result,
    entry_review,
    entry_title,
    file_sentence,
    notices_sentence,
    pasted_sentence,
    proposed_file,
    refusal,
    search_words,
)  # fmt: skip
from ui.words.games import (
    failure_sentence,
    level_name,
    opponent_label,
    outcome_colour,
    outcome_sentence,
    player_name,
    seat_label,
    setup_name,
    side_label,
    turn_sentence,
    with_names,
)  # fmt: skip
from ui.words.move_words import move_reason, node_reason
from ui.words.numbers import (
    count_text,
    points_text,
    score_text,
    signed_text,
    span_name,
    time_text,
    whole_text,
    workers_sentence,
)  # fmt: skip
from ui.words.verdicts import (
    accuracy_text,
    better_line,
    counts,
    figures,
    judgement,
    loss_text,
    mistake_points,
    played_text,
    why_sentence,
    why_text,
    win_text,
)  # fmt: skip
from ui.words.views import (
    Depths,
    cells,
    chance_text,
    first_side_wins,
    lead_text,
    line_outlook,
    move_outlook,
    move_wins,
    node_outlook,
    outcome_of,
    player_outlook,
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


@pytest.mark.parametrize(("game", "player", "label", "name"), [
    ("gomoku", "level:3", "Apprentice (3)", "Apprentice"),
    ("gomoku", "level:even=3.4", "Even match (3.4)", "Even match"),
    ("gomoku", "level:even", "Even match", "Even match"), ("bones", "level:9", "Perfect (3)", "Perfect"),
    ("gomoku", "level:99", "Computer", "Computer"),
])  # fmt: skip
def test_levels_have_names(game: str, player: str, label: str, name: str) -> None:
    assert seat_label(game, player) == label
    assert player_name(game, (Seat("person"), Seat(player)), 1) == name


def test_a_comma_between_thousands_was_a_decimal_one_to_a_russian() -> None:
    for code, expected in (("en", "549,946"), ("zh", "549,946"), ("ru", "549\u00a0946")):
        with speaking(code):
            assert (whole_text(549_946), whole_text(999)) == (expected, "999")
            assert expected in t("database.games", count=549_946)


def test_a_share_is_a_percentage() -> None:
    assert [share_text(part, whole) for part, whole in ((0, 0), (1, 1), (23, 50))] == ["0 %", "100 %", "46 %"]


@pytest.mark.parametrize(("score", "mate", "exact", "text", "short"), [
    (0, 5, False, "wins in 3", "in 3"), (0, -4, False, "loses in 2", "lost"), (0, 1, False, "wins in 1", "in 1"),
    (WIN - 9 - 10_000 * (1000 - 12), 9, False, "wins by 12", "by 12"),
    (-(WIN - 9 - 10_000 * (1000 - 12)), -9, False, "loses by 12", "by −12"), (0, None, True, "draw", "draw"),
    (0, None, False, "50 %", "50 %"),
])  # fmt: skip
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


@pytest.mark.parametrize(("moves", "move", "sentence"), [
    ("h8g8i8a2j8a4k8a6", "l8", "l8 makes five in a row"), ("h8a1i8a2k9a4k10a6", "k8", "k8 makes 2 open threes"),
    ("h8g7i8g6j8", "g8", "g8 makes an open three and blocks an open three"), ("", "h8", ""),
])  # fmt: skip
def test_a_reason_is_a_sentence(moves: str, move: str, sentence: str) -> None:
    position = parse(moves, setup("gomoku")).position
    assert move_reason(position, position.parse_move(move)) == sentence


THREATENED = "Lets White play j7, which threatens an open four at g7. j7 prevents that."
LOST = "The position was lost already."


@pytest.mark.parametrize(("moves", "best", "reply", "mate", "sentence"), [
    ("h8h7d4i7a15", "j7", "j7", None, THREATENED),
    ("h8h7d4i7o1a1l1c1a15", "j7", "c2", None, "Overlooks a better point: j7 blocks an open two."),
    ("h8g8i8h7j8i7k8", "g7", "l8", None, "Wastes a four: White blocks it with l8."),
    ("h8g7h3c3b8m13a2n9m3", "i10", "a6", None, "Plays 5 lines from the nearest stone: i10 is nearer."),
    ("h8g7m3", "i10", "f10", None, "Too far from the other stones (5 lines): White plays f10 undisturbed."),
    ("h8h7d4i7a15", "j7", "j7", -5, LOST),
    ("h8h7d4i7a15", "j7", "j7", -3, f"{LOST} Now White wins in 2 moves, beginning with j7."),
])  # fmt: skip
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


@pytest.mark.parametrize(("score", "mate", "line", "said"), [
    (0, None, (), "Novice sees nothing special"), (-500, None, (), "Novice likes its position"),
    (500, None, (), "Novice is worried"), (-20_000_000, -3, (), "Novice sees a win in 2 moves"),
    (-20_000_000, -1, (), "Novice sees a win in 1 move"), (20_000_000, 4, (), "Novice sees no way out"),
])  # fmt: skip
def test_the_opinion_of_a_weak_player_is_said_as_its_own(
    score: int, mate: int | None, line: tuple[int, ...], said: str
) -> None:
    record = parse("h8", setup("gomoku"))  # white is to move; scores are for black
    set_language("en")
    assert player_view_sentence(record.setup, record.position, Evaluation(score, mate, 3, line), "Novice") == said


# Texts at the bounds of their forms.


@pytest.mark.parametrize(("write", "texts"), [
    (score_text, {0: "0.0", -4: "0.0", 6: "+0.1", -6: "−0.1", 120: "+1.2", -99_949: "−999.5", 99_950: "+1.0k",
                  -999_499: "−10.0k", 999_500: "+10k"}),
    (signed_text, {0.4: "0", -0.4: "0", 1.6: "+2", -3: "−3"}),
    (count_text, {0: "0", 999.4: "999", 999.5: "1.0k", 1234: "1.2k", 99_949: "99.9k", 99_950: "100k", 662_500: "662k",
                  999_499: "999k", 999_500: "1.0M", 99_949_999: "99.9M", 99_950_000: "100M"}),
    (points_text, {0: "0", 0.5: "½", 1: "1", 1.5: "1½"}),
    (time_text, {0: "0:00", 59.9: "0:59", 60: "1:00", 3599: "59:59", 3600: "1:00:00", 7325: "2:02:05"}),
    (span_name, {1: "1 s", 59: "59 s", 60: "60 s", 61: "61 s", 90: "90 s", 120: "2 min", 600: "10 min"}),
])  # fmt: skip
def test_numbers_change_their_form_at_a_bound(write: Callable[[Any], str], texts: dict[float, str]) -> None:
    assert {number: write(number) for number in texts} == texts


def test_workers_are_told_with_their_tasks() -> None:
    rows = WorkerRow("3", (), 0), WorkerRow("tcp://10.0.0.7:99", (112, 128), 14)
    assert workers_sentence(setup("gomoku").start(), rows) == "Worker 3:   10.0.0.7:99: h8 i7 · depth 14"


@pytest.mark.parametrize(("wins", "view", "opinion"), [
    (0.5, "The game is even", "sees nothing special"), (0.55, "The game is even", "sees nothing special"),
    (0.56, "Black is slightly better", "sees nothing special"), (0.7, "Black is better", "sees nothing special"),
    (0.71, "Black is better", "likes its position"), (0.9, "Black is winning", "likes its position"),
    (0.45, "The game is even", "sees nothing special"), (0.43, "White is slightly better", "sees nothing special"),
    (0.31, "White is slightly better", "sees nothing special"), (1 - 0.7, "White is better", "sees nothing special"),
    (0.29, "White is better", "is worried"), (0.09, "White is winning", "is worried"),
])  # fmt: skip
def test_a_win_probability_has_a_sentence(
    monkeypatch: pytest.MonkeyPatch, wins: float, view: str, opinion: str
) -> None:
    monkeypatch.setattr("ui.words.views.side_wins", lambda *_: wins)
    game, known = setup("gomoku"), Evaluation(1, None, 9)
    assert view_sentence(game, game.start(), known) == view
    assert player_view_sentence(game, game.start(), known, "Novice") == f"Novice {opinion}"


@pytest.mark.parametrize(("game", "moves", "seen", "wins", "sentence"), [
    ("bones", "", View("take", 0, move=2, unit=4), 1.0, "Leave a multiple of 4: take 2"),
    ("bones", "3", View("take", 1, move=2, unit=4), 0.0, "Leave a multiple of 4: take 2"),
    ("bones", "", View("multiple", unit=4), 0.0, "A multiple of 4: First player loses"),
    ("bones", "3", View("multiple", unit=4), 1.0, "A multiple of 4: Second player loses"),
    ("tictactoe", "", View("draw"), 0.5, "A draw with best play"),
    ("gomoku", "", View("double_threat", 1), None, "White has a double threat"),
    ("gomoku", "", View("wins", 1, moves=1, margin=7), 0.0, "White wins by 7"),
])  # fmt: skip
def test_a_view_has_a_winner_and_a_sentence(
    game: str, moves: str, seen: View, wins: float | None, sentence: str
) -> None:
    of, position = setup(game), at(game, moves)
    assert view_sentence(of, position, None, seen) == sentence
    assert first_side_wins(of, position, None, seen) == wins


def test_a_program_gives_its_own_score_from_the_side_to_move() -> None:
    game, line = setup("gomoku"), ScoredLine(40, None, 9)
    known = [(of, which) for of in (game.start(), at("gomoku", "h8")) for which in (line, ScoredLine(40, 3, 9))]
    said = [player_outlook(game, position, which, program=True) for position, which in known]
    assert said == ["+0.4", "wins in 2", "−0.4", "loses in 2"]
    assert player_outlook(game, game.start(), known[1][1], program=False, short=True) == "in 2"
    shown = player_outlook(game, game.start(), line, program=False)
    assert re.fullmatch(r"5\d %", shown), shown


def test_the_first_side_has_its_chance_but_in_a_solved_game() -> None:
    assert chance_text("gomoku", 0.724) == "Black's win probability: 72 %"
    assert chance_text("tictactoe", 0.5) == ""
    assert [sides_text("tictactoe", wins) for wins in (0.5, 1.0)] == ["With best play, a draw", "With best play X wins"]
    solved, known = setup("tictactoe"), ScoredLine(9, None, 3)
    assert move_outlook(solved, solved.start(), known, FIRST) == ""
    assert move_wins(solved, solved.start(), known, FIRST) is None
    assert move_wins(solved, solved.start(), ScoredLine(0, None, 3, exact=True), FIRST) == 0.5


@pytest.mark.parametrize(
    ("row", "texts", "outcome"),
    [
        (DepthStats(9, Line(123, (112,)), 9.996, 1200, 300, 10, 9),
         ("9", "h8", "+1.2", "1.2k", "90", "25", "10.00"), 0),
        (DepthStats(1, Line(Score.win_in(1), (112,)), 10.0, 0), ("1", "h8", "in 1", "0", "–", "–", "10.0"), 1),
        (DepthStats(1, Line(Score.win_in(5), (112,)), 99.9, 0), ("1", "h8", "in 3", "0", "–", "–", "99.9"), 1),
        (DepthStats(1, Line(Score.loss_in(4), (112,)), 100.0, 0), ("1", "h8", "lost", "0", "–", "–", "100"), -1),
    ],
)  # fmt: skip
def test_an_iteration_is_a_row_of_texts(row: DepthStats, texts: tuple[str, ...], outcome: int) -> None:
    found = Depths(setup("gomoku").start(), (row,))
    assert (cells(found, row, short=True), outcome_of(found, row)) == (texts, outcome)
    quiet = Depths(found.position, (row,), scored=False)
    assert (cells(quiet, row, short=True)[2], outcome_of(quiet, row)) == ("–", 0)
    if outcome == 1 and row.seconds > 10:
        assert cells(found, row, short=False)[2] == "wins in 3"


def a_mistake(moves: str = "h8g7") -> Judged:
    record = parse(moves, setup("gomoku"))
    return Judged(record.position.ply - 1, record.cursor, 1, "blunder", 0.43, 0.2, 96, (96, 97, 98, 99))


@pytest.mark.parametrize(
    ("found", "sentence", "quiet"),
    [
        (Why("loses", 80, count=1), "Lets Black win at once with f10.", None),
        (Why("loses", 80, count=3, fours=True, where=82, shape="four_three", stopped=81, holds=81),
         "Lets Black win by fours in 3 moves, beginning with f10. A four and an open three meet at h10. "
         "g10 takes a point that Black needs, and seems to hold.",
         "Lets Black win by fours in 3 moves, beginning with f10. A four and an open three meet at h10."),
        (Why("loses", 80, count=3, stopped=81),
         "Lets Black win in 3 moves, beginning with f10. g10 takes a point that Black needs.", None),
        (Why("loses", 80, count=3, holds=81), "Lets Black win in 3 moves, beginning with f10. g10 seems to hold.",
         "Lets Black win in 3 moves, beginning with f10."),
        (Why("loses", 80, count=3, seems=True),
         "Lets Black win in 3 moves, beginning with f10. It may have been lost before.", None),
        (Why("ignores", 80, "four", seems=True),
         "Ignores Black's four: f10 was needed. It may have been lost before.",
         "Ignores Black's four. It may have been lost before."),
        (Why("misses", 80, count=3, seems=True), "Seems to miss a win: f10 wins by force in 3 moves.",
         "Seems to miss a forced win in 3 moves."),
        (Why("may_miss", 80, seems=True), "f10 wins by force; the move played may win, too.",
         "A forced win was there; the move played may win, too."),
        (Why("leads", 80, "open_four", where=82), "Seems to lead to an open four at h10: Black begins with f10.", None),
        (Why("hastens", 80, count=2, since=4), "Lost since move 4. Now Black wins in 2 moves, beginning with f10.",
         None),
        (Why("lost", 80, since=0), "The position was lost already.", None),
    ],
)  # fmt: skip
def test_each_reason_has_its_sentences(found: Why, sentence: str, quiet: str | None) -> None:
    node = a_mistake().node
    assert why_sentence(node, found, quiet=False) == sentence
    if quiet is not None:
        assert why_sentence(node, found, quiet=True) == quiet


def test_a_judgement_is_told_in_a_line() -> None:
    judged = a_mistake()
    assert judgement(judged) == "2. g7 · ?? Blunder · Lost 43 % · Win probability 20 %"
    assert played_text(judged, "gomoku") == "White played g7"
    solved = Judged(1, parse("b2a1", setup("tictactoe")).cursor, 1, "mistake", 0.5, 0.5, 0, ())
    assert figures(solved) == "With best play: won before, a draw after"
    assert [accuracy_text(share) for share in (None, 87.65, 100)] == ["–", "87.7 %", "100.0 %"]
    assert [loss_text("bones", loss) for loss in (0.0, 0.5, 1.0)] == ["0", "½", "1"]
    assert [win_text("tictactoe", win) for win in (0.0, 0.5, 1.0)] == ["lost", "a draw", "won"]
    assert (loss_text("gomoku", 0.43), win_text("gomoku", 0.2)) == ("43 %", "20 %")
    assert better_line(judged, 2) == (96, 97)
    judged.before.evaluation = Evaluation(0, -5, 9)
    assert better_line(judged, 2) == (96, 97, 98, 99), "a win is shown to its end"
    assert better_line(replace(judged, line=(96, 112, judged.move, 99)), 4) == (96, 112)


def test_mistakes_are_counted_for_each_side_and_placed_in_the_graph() -> None:
    judged = a_mistake()
    moves = (replace(judged, number=0, side=0, kind="best"), judged, replace(judged, number=2, kind="mistake"))
    reviewed = Reviewed(GameRecord(setup("gomoku")), moves, (0.5, 0.6, 0.9, None), (None, None))
    assert {kind: count for kind, count in counts(reviewed, 1).items() if count} == {"blunder": 1, "mistake": 1}
    assert {kind: count for kind, count in counts(reviewed, 0).items() if count} == {"best": 1}
    assert mistake_points(reviewed) == [(2, 0.9, "blunder")]


# Games and players.


YOU, LEVEL = Seat("person"), Seat("level:3")


@pytest.mark.parametrize(("seats", "outcome", "sentence", "colour"), [
    ((YOU, LEVEL), Outcome(0, "resigned"), "You won: White resigned", "good"),
    ((YOU, LEVEL), Outcome(1, "time"), "You lost: you ran out of time", "bad"),
    ((LEVEL, YOU), Outcome(1, "line", score=(3, 9)), "You won: 3 : 9 · five in a row", "good"),
    ((YOU, YOU), Outcome(0, "unknown"), "Black wins", "accent"),
    ((LEVEL, LEVEL), Outcome(1, "resigned"), "White wins: Black resigned", "accent"),
    ((YOU, LEVEL), Outcome(None, "full"), "Draw", "accent"),
    ((YOU, LEVEL), Outcome(None, "full", score=(24, 24)), "Draw: 24 : 24", "accent"),
])  # fmt: skip
def test_an_ending_has_a_sentence_and_a_colour(
    seats: tuple[Seat, Seat], outcome: Outcome, sentence: str, colour: str
) -> None:
    record = GameRecord(setup("gomoku"), seats)
    assert (outcome_sentence(record, outcome), outcome_colour(record, outcome)) == (sentence, colour)


def test_what_is_going_on_is_told_by_its_first_cause() -> None:
    def told(seats: tuple[Seat, Seat], **flags: bool) -> str:
        return turn_sentence(GameRecord(setup("gomoku"), seats), **{"thinking": False, "waiting": False, **flags})

    assert told((YOU, LEVEL)) == "Black to move"
    assert told((YOU, LEVEL), thinking=True) == told((LEVEL, YOU)) == "Black is thinking"
    assert told((LEVEL, LEVEL), waiting=True, thinking=True) == t("play.waiting")
    assert told((LEVEL, LEVEL), waiting=True, paused=True) == t("play.paused")
    over = GameRecord(setup("gomoku"), (YOU, LEVEL))
    over.resign(0)
    assert turn_sentence(over, thinking=False, waiting=False, paused=True) == "You lost: you resigned"


def test_names_of_games_sizes_players_and_opponents() -> None:
    assert [setup_name(setup(game)) for game in ("gomoku", "tictactoe", "bones")] == [
        "Gomoku · 15×15 · Freestyle", "Tic-tac-toe", "Game of Bones · 21 bones",
    ]  # fmt: skip
    assert [level_name("gomoku", n) for n in (1, 10)] == ["Beginner", "Grandmaster"]
    assert [level_name("bones", n) for n in (1, 2, 3, 4)] == ["Beginner", "Player", "Perfect", "Perfect"]
    assert [opponent_label("gomoku", token) for token in ("=Ada", "level:3")] == ["Ada", "Apprentice (3)"]
    assert [seat_label("gomoku", p) for p in ("engine", "mcts", "person", "unheard of")] == [
        "Full strength", "Monte Carlo", "Person", "Computer",
    ]  # fmt: skip
    record = GameRecord(setup("gomoku"), (Seat("person", "Ada"), LEVEL))
    assert [side_label(record, side) for side in (0, 1)] == ["Ada", "White"]
    named = with_names(GameRecord(setup("gomoku"), (YOU, LEVEL)))
    assert named.seats == (YOU, Seat("level:3", "Apprentice"))


def test_why_a_player_failed_is_a_sentence() -> None:
    assert failure_sentence(ValueError("a fault"), "Ada") == t("error.player")
    absent, rule = PlayerFailure("", "absent", "gone"), PlayerFailure("", "rule", "renju")
    assert failure_sentence(absent, "Ada") == "“Ada” cannot be started: there is no program “gone”."
    assert failure_sentence(rule, "Ada") == "“Ada” does not play by this rule: Renju."


# Entries of the library, and what was wrong with files.


REVIEW = ReviewSummary(accuracy=(90.4, 70.0), mistakes=(3, 1))


def entry(**changes: Any) -> Entry:
    given = {"setup": setup("gomoku"), "seats": (YOU, LEVEL), "result": "won", "winner": 0, "reason": "line"}
    return Entry(Path("2026-01-31 12.00.00 gomoku.tengen.json"), 0, 0, **{**given, **changes})


@pytest.mark.parametrize(
    ("changes", "title", "players", "opponent", "result", "ending", "review"),
    [
        ({}, "Gomoku · Freestyle", "You – Apprentice", "Apprentice (3)", "You won", "You won: five in a row", ""),
        ({"setup": setup("bones"), "seats": (LEVEL, YOU), "result": "lost", "reason": "heap", "review": REVIEW},
         "Game of Bones", "Perfect – You", "Perfect (3)", "You lost", "You lost: last bone taken", "70 % · 1 mistake"),
        ({"seats": (YOU, YOU), "result": SECOND_WON, "winner": 1, "review": REVIEW},
         "Gomoku · Freestyle", "Two people", "Two people", "White wins", "White wins: five in a row", "90 % – 70 %"),
        ({"seats": (YOU, Seat("person", "Ada")), "result": FIRST_WON}, "Gomoku · Freestyle", "Person – Ada",
         "Person – Ada", "Black wins", "Black wins: five in a row", ""),
        ({"seats": (Seat("level:2", "Bob"), YOU), "result": UNFINISHED, "winner": None}, "Gomoku · Freestyle",
         "Bob – You", "Bob", "Unfinished", "Unfinished", ""),
        ({"setup": None, "result": DAMAGED}, "2026-01-31 12.00.00 gomoku", "You – Apprentice", "You – Apprentice",
         "Cannot be read", "Cannot be read", ""),
    ],
)  # fmt: skip
def test_a_game_of_the_library_is_told_in_words(
    changes: dict[str, Any], title: str, players: str, opponent: str, result: str, ending: str, review: str
) -> None:
    texts = entry_title, entry_players, entry_opponent, entry_result, entry_ending, entry_review
    assert [text(entry(**changes)) for text in texts] == [title, players, opponent, result, ending, review]


def test_a_search_finds_a_game_by_all_that_is_shown_of_it() -> None:
    words = set(search_words(entry(plies=9, at=datetime(2026, 1, 31, 12).timestamp())).splitlines())
    assert {"Gomoku · Freestyle", "You – Apprentice", "You won", "9 moves", "2026-01-31", "Black", "White",
            "Apprentice", "Apprentice (3)", "You won: five in a row"} <= words  # fmt: skip
    damaged = search_words(entry(setup=None, result=DAMAGED, problem=FormatError("", "damaged"))).splitlines()
    assert "“2026-01-31 12.00.00 gomoku.tengen.json” is damaged and cannot be opened." in damaged
    assert len(damaged) == len(set(damaged))


def test_a_day_is_named_if_it_is_near() -> None:
    today = datetime.now()
    days = [(today - timedelta(days=before)).isoformat() for before in (0, 1, 2)]
    assert [day_word(day) for day in days] in (
        ["Today", "Yesterday", days[2][:10]],
        ["Yesterday", days[1][:10], days[2][:10]],  # it was midnight in between
    )


@pytest.mark.parametrize("at", [1e12, -1e12, 1e30])
def test_a_game_whose_file_has_the_time_of_no_calendar_has_no_day(at: float) -> None:
    """An error ended the reading of all files, and the drawing of the library."""
    assert day_text(at) == ""
    assert "6 moves" in search_words(entry(at=at, plies=6))


def test_a_file_that_is_proposed_has_the_day_of_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path / "home"))
    record = GameRecord(setup("gomoku"), date="2026-05-01T12:00:00")
    assert proposed_file(record, tmp_path / "last.sgf", ".sgf") == tmp_path / "Gomoku 2026-05-01.sgf"
    assert proposed_file(record, None) == saves_home() / "Gomoku 2026-05-01.tengen.json"
    record.date = "once upon a time"
    assert re.fullmatch(r"Gomoku \d{4}-\d\d-\d\d\.sgf", proposed_file(record, tmp_path / "last.sgf", ".sgf").name)


def test_what_was_left_out_or_damaged_is_told_with_the_number_of_more() -> None:
    notices = [Notice("cut", "", (("ply", 3), ("why", "occupied"))), Notice("encoding", "", (("encoding", "cp1252"),))]
    assert notices_sentence(notices[:1]) == f"Move 3 and what follows were left out: {t('illegal.occupied')}"
    assert notices_sentence(notices).endswith(" One more thing was left out.")
    assert notices_sentence([notices[1], *notices]) == (
        "The file does not say in which encoding it is; it was read as Western (cp1252). 2 more things were left out."
    )
    found = [Damage("unreadable", Path("a.json"), PermissionError(errno.EACCES, "no")), Damage("rows", Path("b"), "7")]
    assert damage_sentence(found[:1]) == "“a.json” cannot be read: permission denied."
    assert damage_sentence(found).endswith(" Also damaged: 1 more; the log names all.")
    assert damage_sentence(found[1:]).endswith("have been set aside in it (7). The others were kept.")


@pytest.mark.parametrize(("error", "sentence"), [
    (FormatError("", "other_game", game="Go"), t("paste.other_game", game="Go")),
    (FormatError("", "illegal", ply=3, move="h8"), t("paste.illegal", ply=3, move="h8")),
    (FormatError("", "foreign"), t("paste.foreign")),
])  # fmt: skip
def test_why_nothing_could_be_pasted_is_told(error: FormatError, sentence: str) -> None:
    assert pasted_sentence(error) == sentence
