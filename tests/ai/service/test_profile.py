"""Rated and unrated results of the person, and the safety of the profile file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ai.core.elo import Rating, updated_rating
from ai.players.levels import EVEN, level_elo
from ai.players.opponents import opponents
from ai.service.profile import (
    UNRATED,
    Profile,
    Result,
    decoded,
    encoded,
    file_key,
    load_profile,
    profile_path,
    unrated_because,
)
from games.clock import TimeControl
from games.formats.text import parse
from games.position import Stones
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    return tmp_path


def game(
    opponent: str = "level:2", winner: int | None = 0, kind: str = "gomoku", size: int | None = None
) -> GameRecord:
    """A game of a person, who moves first, that the other side gave up, or the person."""
    record = GameRecord(setup(kind, size), (Seat(PERSON), Seat(opponent)), "2026-11-21T12:00:00")
    for _ in range(4):
        record.play(record.position.candidates()[0])
    if winner is not None and record.outcome is None:
        record.resign(1 - winner)
    return record


def hurried(control: TimeControl | None) -> GameRecord:
    """A game in which the person has less time, if there are clocks."""
    record = game()
    record.control, record.seats = control, (replace(record.seats[0], divisor=2), record.seats[1])
    return record


def timed() -> GameRecord:
    """A game in which both sides have the same time."""
    record = game()
    record.control = TimeControl(300, 3)
    return record


def file(number: int = 1) -> Path:
    return Path(f"game {number}.tengen.json")


def test_a_win_against_a_level_changes_the_rating_as_glicko_says() -> None:
    profile = Profile()
    known = level_elo("gomoku", 2)
    opponent = Rating(known.elo, max(30.0, known.error / 1.96))
    expected = updated_rating(Rating(level_elo("gomoku", opponents("gomoku").friendly).elo), [(opponent, 1.0)])
    result = profile.add(game(), file())
    assert (result.score, result.unrated, result.side, result.plies) == (1.0, "", 0, 4)
    assert result.rating == round(expected.rating, 1)
    assert result.deviation == round(expected.deviation, 1)
    assert profile.rating("gomoku").rating == pytest.approx(expected.rating, abs=0.1)
    assert profile.rating("gomoku").deviation == pytest.approx(expected.deviation, abs=0.1)
    assert profile.rating("bones").deviation == 350, "each kind of game has its own"


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("moves", "scores"), [("a1b1a2b2a3", (1.0, 0.0)), ("a1b1a2b2c1c2b3a3c3", (0.5, 0.5))])
def test_a_game_that_ended_on_the_board_is_won_drawn_or_lost(side: int, moves: str, scores: tuple[float, ...]) -> None:
    record = parse(moves, setup("tictactoe"))
    record.seats = (Seat(PERSON), Seat("level:1")) if side == 0 else (Seat("level:1"), Seat(PERSON))
    result = Profile().add(record, file())
    assert (result.score, result.side, result.opponent) == (scores[side], side, "level:1")


def test_a_game_counts_once() -> None:
    profile = Profile()
    profile.add(game(), file())
    assert profile.add(game(winner=1), file()) is None
    assert len(profile.results) == 1


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (game("engine"), "opponent"),
        (game("alphabeta"), "opponent"),
        (game(EVEN), "opponent"),
        (game("level:2", size=20), "board"),
        (game("level:1", kind="bones", size=9), "board"),
        (game("level:1", kind="bones", size=10), ""),
        (game("level:even=2.4"), ""),
        (game("level:2", kind="tictactoe"), ""),
        (game("level:2", kind="bones"), ""),
        (hurried(TimeControl(300, 3)), "clock"),
        (hurried(None), ""),
        (timed(), ""),
        (GameRecord(setup("gomoku"), (Seat(PERSON), Seat(PERSON))), "opponent"),
        (GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:2")), stones=Stones(((5,), ()), 1)), "position"),
    ],
)
def test_what_counts(record: GameRecord, why: str) -> None:
    assert unrated_because(record) == why


def test_a_game_of_one_move_is_not_recorded_and_one_of_two_is() -> None:
    profile = Profile()
    for ply in (1, 2):
        record = GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:2")), "2026-11-21T12:00:00")
        for _ in range(ply):
            record.play(record.position.candidates()[0])
        record.resign(0)
        result = profile.add(record, file(ply))
        assert (None if result is None else (result.plies, result.score)) == (None if ply == 1 else (2, 0.0))


def test_a_move_taken_back_for_another_does_not_count() -> None:
    record = game(winner=None)
    record.undo()
    record.redo()
    assert unrated_because(record) == "", "the same move again is no help"
    record.undo()
    record.play(record.position.legal_moves()[-1])
    record.resign(1)
    profile = Profile()
    before = profile.rating("gomoku")
    result = profile.add(record, file())
    assert result.unrated == "undo"
    assert profile.rating("gomoku").rating == before.rating
    assert profile.rated("gomoku") == []
    assert profile.played("gomoku") == [result]


def test_help_is_remembered_until_the_game_is_over() -> None:
    profile = Profile(helped={file().name: "hint"})
    profile_path().write_bytes(encoded(profile))
    profile, _ = load_profile()
    result = profile.add(game(), file())
    assert result.unrated == "hint"
    assert profile.helped == {}


def test_a_game_that_is_renamed_is_the_same_game() -> None:
    profile = Profile()
    record = game()
    profile.add(record, file(1))
    profile.helped[file(2).name] = "hint"
    profile.renamed(file(1), file(3))
    profile.renamed(file(2), file(4))
    assert profile.results[0].file == file(3).name
    assert profile.helped == {file(4).name: "hint"}
    assert profile.add(record, file(3)) is None


def of_file(profile: Profile, number: int) -> Result:
    return next(each for each in profile.results if each.file == file(number).name)


def test_a_game_in_a_file_whose_name_was_used_before_counts() -> None:
    """The second game of a person that was played in a tournament of the same name was never rated."""
    profile, later = Profile(), game(winner=1)
    later.date = "2026-11-22T12:00:00"
    profile.add(game(), file())
    result = profile.add(later, file())
    assert result is not None
    assert [each.date for each in profile.results] == ["2026-11-21T12:00:00", "2026-11-22T12:00:00"]
    removed = profile.remove(result)
    assert removed is not None
    assert (removed.index, len(profile.results)) == (1, 1)


def test_a_game_in_a_folder_is_known_by_its_path_and_follows_the_folder() -> None:
    folder, record, profile = saves_home() / "tournaments" / "a", game(), Profile()
    other = saves_home() / "tournaments" / "ab" / "1.sgf"
    profile.add(record, folder / "1.sgf")
    profile.add(record, other)
    profile.helped[file_key(folder / "2.sgf")] = "hint"
    assert [each.file for each in profile.results] == ["tournaments/a/1.sgf", "tournaments/ab/1.sgf"]
    profile.renamed(folder, folder.with_name("b"))
    assert [each.file for each in profile.results] == ["tournaments/b/1.sgf", "tournaments/ab/1.sgf"]
    assert profile.helped == {"tournaments/b/2.sgf": "hint"}


def played_through(but: int | None = None) -> Profile:
    profile = Profile()
    levels = ["level:2", "level:5", "level:1", "level:5", "engine", "level:3"]
    for number, level in enumerate(levels):
        if number != but:
            profile.add(game(level, number % 2), file(number))
        profile.add(game(level, 0, "bones"), file(100 + number))
    return profile


def test_a_removed_result_changes_the_ratings_after_it_as_if_it_had_never_been() -> None:
    profile = played_through()
    before = list(profile.results)
    assert profile.remove(of_file(profile, 1)) is not None
    assert profile == played_through(but=1)
    assert profile.results[:2] == before[:2]
    assert profile.results[-2].rating != before[-2].rating
    assert profile.played("bones") == [each for each in before if each.game == "bones"], "another kind of game"


def test_results_that_are_removed_and_restored_are_what_they_were() -> None:
    profile = played_through()
    before = list(profile.results)
    removed = [profile.remove(of_file(profile, number)) for number in (1, 4, 0)]
    for each in reversed(removed):
        assert each is not None
        profile.restore(each)
    assert profile.results == before
    assert profile.remove(replace(before[0], file="another")) is None


def test_a_forecast_changes_nothing_and_is_what_comes() -> None:
    profile = Profile(helped={file(2).name: "hint"})
    for number in (1, 2):
        forecast = profile.result(game(), file(number))
        assert file(number).name not in [result.file for result in profile.results]
        assert profile.add(game(), file(number)) == forecast


def test_other_games_are_not_the_persons() -> None:
    profile = Profile()
    unfinished, begun = game(winner=None), GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:2")))
    begun.resign(0)
    two = game()
    two.seats = (Seat(PERSON), Seat(PERSON))
    for number, record in enumerate((unfinished, begun, two)):
        assert profile.add(record, file(number)) is None


def test_the_tally_is_of_rated_games_weakest_level_first() -> None:
    profile = Profile()
    games = [game("level:10", 1), game("level:2"), game("level:2", 1), game("level:even=3.1"), game("engine")]
    for number, record in enumerate(games):
        profile.add(record, file(number))
    profile.results.append(replace(profile.results[1], score=0.5))
    assert profile.tally("gomoku") == {"level:even": (1, 0, 0), "level:2": (1, 1, 1), "level:10": (0, 0, 1)}


# On the disk.


def test_a_profile_comes_back_as_it_was() -> None:
    profile = Profile(helped={"a": "hint", "caf\udce9": "hint"})  # the second name is no text
    for number in range(3):
        profile.add(game(), file(number))
    profile_path().write_bytes(encoded(profile))
    assert load_profile() == (profile, False)


def test_nothing_on_the_disk_is_an_empty_profile() -> None:
    assert load_profile() == (Profile(), False)
    profile_path().mkdir()
    assert load_profile() == (Profile(), False), "what cannot be read now is not damaged"
    for date, kept in (("x" * 200, {"gomoku": "x" * 200}), ("x" * 201, {})):
        assert decoded(encoded(Profile(forgotten={"gomoku": date})))[0] == Profile(forgotten=kept)
    text = encoded(Profile(helped={"é": "hint"})).decode()
    assert text.splitlines()[3:6] == [' "results": [],', ' "helped": {', '  "é": "hint"'], "for people, too"


def saved() -> dict[str, Any]:
    """A profile of three results and a game that was helped, as it is on the disk."""
    profile = Profile(helped={"a": "hint"})
    for number in range(3):
        profile.add(game(), file(number))
    return dict(json.loads(encoded(profile)))


def loaded(data: object) -> tuple[Profile, bool]:
    """What is read of a file with `data`."""
    profile_path().write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return load_profile()


NO_PROFILES = (b"", b"{", b"\xff\xfe", b"[" * 100_000, b"[]", b"7", b"NaN", b"9" * 5000)
NO_PROFILE = (
    *({"version": version} for version in (0, 99, 10**400)),
    *({"format": "x"}, {"results": 3}, {"results": None}, {"helped": []}),
)


@pytest.mark.parametrize("data", [*NO_PROFILES, *NO_PROFILE])
def test_what_is_no_profile_is_set_aside(home: Path, data: Any) -> None:
    data = data if isinstance(data, bytes) else json.dumps({**saved(), **data}).encode()
    assert loaded(data) == (Profile(), True)
    assert (home / "profile.damaged.json").read_bytes() == data
    assert not profile_path().exists()


HUGE = 10**399
EXTREME: list[dict[str, Any]] = [
    {"plies": 0}, {"plies": 10**6}, {"date": "x" * 200}, {"opponent": "x" * 200, "unrated": "hint"}, {"side": 1},
    {"deviation": 1}, {"deviation": 350}, {"score": 0.5}, {"rating": -6000}, {"volatility": 1e-4},
]  # fmt: skip


@pytest.mark.parametrize("change", EXTREME)
def test_a_result_at_its_bounds_is_kept(change: dict[str, Any]) -> None:
    data = saved()
    data["results"][1].update(change)
    profile, problems = decoded(json.dumps(data).encode())
    assert problems == []
    assert {name: getattr(profile.results[1], name) for name in change} == change


WRONG: list[dict[str, Any]] = [
    {"plies": 10**6 + 1}, {"opponent": "x" * 201, "unrated": "hint"}, {"side": -1},
    {"plies": HUGE}, {"plies": 4.0}, {"plies": float("inf")}, {"plies": -1}, {"opponent": None},
    {"opponent": "level:99"}, {"opponent": 3, "unrated": "hint"}, {"unrated": "weather"}, {"unrated": None},
    {"volatility": 1e-200}, {"volatility": 0}, {"volatility": float("nan")}, {"volatility": float("inf")},
    {"score": 7}, {"score": [1.0]}, {"side": 2}, {"side": True}, {"file": 3}, {"file": "\ud800"}, {"date": "x" * 201},
    {"rating": float("nan")}, {"rating": 1e9}, {"rating": "high"}, {"rating": None}, {"rating": -HUGE},
    {"deviation": 0}, {"deviation": 1e-9}, {"deviation": 351}, {"game": "chess"}, {"game": ["gomoku"]},
]  # fmt: skip


@pytest.mark.parametrize("change", WRONG)
def test_a_wrong_result_is_left_out_and_the_others_are_kept(home: Path, change: dict[str, Any]) -> None:
    data = saved()
    whole, _ = decoded(json.dumps(data).encode())
    data["results"][1].update(change)
    kept = Profile([whole.results[0], whole.results[2]], {"a": "hint"})
    assert ["result 2" in str(each) for each in decoded(json.dumps(data).encode())[1]] == [True]
    assert loaded(data) == (kept, True)
    assert (home / "profile.damaged.json").read_bytes() == json.dumps(data).encode(), "a copy of all that there was"
    assert load_profile() == (kept, False), "it is said once"


@pytest.mark.parametrize("entry", [None, 7, [], {}, "x", [[]]])
@pytest.mark.parametrize("why", [None, 3, "weather", HUGE, ["hint"]])
def test_what_is_no_result_and_no_word_for_help_is_left_out(entry: object, why: object) -> None:
    data = saved()
    data["results"].insert(0, entry)
    data["helped"]["b"] = why
    profile, damaged = loaded(data)
    assert damaged
    assert (len(profile.results), profile.helped) == (3, {"a": "hint"})


def test_a_number_of_thousands_of_digits_is_one_wrong_result() -> None:
    profile, damaged = loaded(json.dumps(saved()).encode().replace(b'"plies": 4', b'"plies": ' + b"9" * 5000, 1))
    assert (len(profile.results), damaged) == (2, True)


def test_where_nothing_can_be_written_a_damaged_profile_stays(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    data = saved()
    data["results"][0]["plies"] = HUGE
    monkeypatch.setattr("games.storage.write_atomic", refuse)
    profile, damaged = loaded(data)
    assert damaged
    assert len(profile.results) == 2
    assert profile_path().read_bytes() == json.dumps(data).encode()


def test_every_reason_not_to_count_has_its_words() -> None:
    words = json.loads((ROOT / "assets" / "locales" / "en.json").read_text(encoding="utf-8"))
    assert {key.partition(".")[2] for key in words if key.startswith("unrated.")} == set(UNRATED)


def test_a_damaged_profile_that_was_set_aside_is_not_overwritten_by_the_next(home: Path) -> None:
    for data in (b"{", b"["):
        loaded(data)
    assert (home / "profile.damaged.json").read_bytes() == b"{"
    assert (home / "profile.damaged 2.json").read_bytes() == b"["
