from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from games.formats import load
from games.formats.common import KINDS, FormatError
from games.position import FIRST, Outcome
from games.record import GameRecord, Seat
from games.registry import GAMES, setup
from ui.toolkit.i18n import LANGUAGES, set_language, t
from ui.words.files import file_sentence, refusal
from ui.words.numbers import count_text, score_text, time_text
from ui.words.players import player_name, seat_label
from ui.words.results import outcome_sentence


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


def test_numbers_are_short() -> None:
    numbers = 0, 999, 1234, 99_949, 662_500, 999_499, 1_234_567, 123_456_789
    assert [count_text(n) for n in numbers] == ["0", "999", "1.2k", "99.9k", "662k", "999k", "1.2M", "123M"]
    assert [time_text(s) for s in (0, 59.9, 61, 3600)] == ["0:00", "0:59", "1:01", "1:00:00"]
    assert [score_text(score, None) for score in (-4, 0, -6, 120)] == ["0.0", "0.0", "−0.1", "+1.2"]
    assert score_text(0, 5) == "#5"
    assert score_text(0, -4) == "−#4"


# Files.


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_fault_of_a_file_has_a_sentence_in_every_language(code: str) -> None:
    facts = {"ply": 3, "move": "h8", "most": 16, "kinds": ".txt", "reason": "no such file"}
    set_language(code)
    for kind in KINDS:
        sentence = file_sentence(FormatError("what the log says", kind, **facts), "game.txt")
        assert "game.txt" in sentence


DAMAGED = {
    "bad.tengen.json": b'{"format": "tengen"',
    "foreign.tengen.json": b'{"format": "other"}',
    "newer.tengen.json": b'{"format": "tengen", "version": 99}',
    "taken.txt": b"h8h8",
    "prose.txt": b"It was a dark and stormy night",
    "binary.txt": b"\xff\xfe\x00",
    "picture.png": b"",
    "missing.txt": None,
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_chinese_window_says_in_chinese_what_is_wrong_with_a_file(name: str, tmp_path: Path) -> None:
    contents = DAMAGED[name]
    if contents is not None:
        (tmp_path / name).write_bytes(contents)
    with pytest.raises(FormatError) as caught:
        load(tmp_path / name)
    set_language("zh")
    sentence = file_sentence(caught.value, name)
    assert any("\u4e00" <= letter <= "\u9fff" for letter in sentence)
    assert "{" not in sentence


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
