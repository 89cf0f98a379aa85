"""What the games of the profile tell of how the person errs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ai.players.opponent import model as store
from ai.players.opponent.model import RATE, Fitted
from ai.service import habits
from ai.service.profile import Profile, decoded, encoded
from games.formats import load, save
from games.formats.text import parse
from games.record import PERSON, Seat
from games.registry import setup
from games.storage import saves_home

MISSED = "a1b2b1c3c1"
"""X makes two in a row on the first line, O does not block it, and X wins."""
BLOCKED = "a1b2b1c1c2a3"
"""O blocks, and wins, since X does not."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    return tmp_path


def kept(profile: Profile, moves: str, number: int, side: int = 1, helped: str = "") -> Path:
    """Save a game of the person, and count it."""
    record = parse(moves, setup("tictactoe"))
    seats = [Seat("level:1"), Seat("level:1")]
    seats[side] = Seat(PERSON)
    record.seats, record.date = (seats[0], seats[1]), f"2026-05-{number:02}T12:00:00"
    file = saves_home() / f"game {number}.tengen.json"
    save(record, file)
    if helped:
        profile.helped[file.name] = helped
    profile.add(record, file)
    return file


def learned(profile: Profile, game: str = "tictactoe") -> tuple[Fitted, int]:
    return habits.learn(profile, game, lambda _share: None)


def blocks(profile: Profile) -> tuple[int, int]:
    return learned(profile)[0].tally.missed.get("block", (0, 0))


def test_only_the_moves_of_the_person_are_counted() -> None:
    profile = Profile()
    kept(profile, MISSED, 1)
    assert blocks(profile) == (1, 1)
    kept(profile, BLOCKED, 2)
    assert blocks(profile) == (1, 2)
    kept(profile, BLOCKED, 3, side=0)
    assert blocks(profile) == (2, 3), "as X the person does not block"
    assert learned(profile)[1] == 3
    assert learned(profile, "gomoku")[1] == 0


def test_what_was_studied_after_the_end_became_the_main_line_and_was_learned_from() -> None:
    """A variation that blocks was tried in a replay and promoted: the person seemed to have blocked."""
    profile = Profile()
    file = kept(profile, MISSED, 1)
    record = load(file)
    end = record.cursor
    record.go_to(record.line()[3])
    tried = record.play(record.position.parse_move("c1"))
    record.promote(tried)
    assert record.main_end() is tried
    record.go_to(end)
    save(record, file)
    assert blocks(profile) == (1, 1)


def test_the_model_of_the_person_is_the_prior_until_games_were_learned_from() -> None:
    profile = Profile()
    for number in range(1, 9):
        kept(profile, MISSED, number)
    assert store.of_person("tictactoe").misses["block"] == RATE
    learned(profile)
    assert store.of_person("tictactoe").misses["block"] > 0.7
    assert store.of_person("connect4").misses["opens"] == RATE


def test_a_game_is_looked_at_once_unless_its_file_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    profile, looked = Profile(), list[Path]()
    file = kept(profile, MISSED, 1)
    kept(profile, BLOCKED, 2)
    load = habits.load

    def loading(path: Path) -> object:
        looked.append(path)
        return load(path)

    monkeypatch.setattr(habits, "load", loading)
    first = learned(profile)
    assert len(looked) == 2
    assert learned(profile) == first
    assert len(looked) == 2
    save(parse(BLOCKED, setup("tictactoe")), file)
    assert blocks(profile) == (0, 2)
    assert len(looked) == 3


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format": "tengen-habits", "version": 99, "games": {}}'])
def test_a_damaged_cache_is_made_again(damage: bytes) -> None:
    profile = Profile()
    kept(profile, MISSED, 1)
    first = learned(profile)
    good = store.path().read_bytes()
    store.path().write_bytes(damage)
    assert store.of_person("tictactoe").misses["block"] == RATE
    assert learned(profile) == first
    assert store.path().read_bytes() == good


def test_a_cache_with_wrong_figures_is_made_again() -> None:
    profile = Profile()
    kept(profile, MISSED, 1)
    first = learned(profile)
    store.path().write_text(store.path().read_text().replace('"moves": 2', '"moves": -2'))
    assert learned(profile) == first


@pytest.mark.parametrize("helped", ["hint", "threats", "search", "teaching"])
def test_a_game_with_help_tells_nothing(helped: str) -> None:
    profile = Profile()
    kept(profile, MISSED, 1, helped=helped)
    assert learned(profile)[1] == 0


def test_a_deleted_game_whose_file_has_another_game_now_tells_nothing() -> None:
    """Of two results with the same file the older one said which side the person had."""
    profile = Profile()
    kept(profile, MISSED, 1)
    alone = learned(profile)
    (latest,) = profile.results
    profile.results.insert(0, replace(latest, date="2000-01-01T12:00:00", side=1 - latest.side))
    store.path().unlink()
    assert learned(profile) == alone


def test_a_removed_result_and_a_missing_file_tell_nothing() -> None:
    profile = Profile()
    kept(profile, MISSED, 1)
    second = kept(profile, MISSED, 2)
    assert learned(profile)[1] == 2
    profile.remove(profile.results[0])
    assert learned(profile)[1] == 1
    second.unlink()
    assert learned(profile)[1] == 0
    assert store.of_person("tictactoe").misses["block"] == RATE


def test_what_is_forgotten_is_not_learned_again() -> None:
    profile = Profile()
    kept(profile, MISSED, 1)
    assert learned(profile)[1] == 1
    habits.forget(profile, "tictactoe")
    assert learned(profile)[1] == 0
    assert store.of_person("tictactoe").misses["block"] == RATE
    again, problems = decoded(encoded(profile))
    assert not problems
    assert again.forgotten == profile.forgotten
    assert learned(again)[1] == 0
    profile.forgotten["tictactoe"] = "2026-05-01T12:00:00"
    kept(profile, BLOCKED, 2)
    assert learned(profile)[1] == 1, "only the game after that day"


def test_only_the_latest_games_are_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(habits, "MOST_GAMES", 2)
    profile = Profile()
    for number, moves in enumerate((MISSED, BLOCKED, BLOCKED), 1):
        kept(profile, moves, number)
    assert blocks(profile) == (0, 2)


class Enough(Exception):
    pass


def test_what_was_read_before_it_is_stopped_is_kept() -> None:
    profile = Profile()
    for number in (1, 2, 3):
        kept(profile, MISSED, number)
    shares: list[float] = []

    def on_progress(share: float) -> None:
        shares.append(share)
        if len(shares) == 3:
            raise Enough

    with pytest.raises(Enough):
        habits.learn(profile, "tictactoe", on_progress)
    assert len(store.read_games()) == 2
    assert shares == [0, 1 / 3, 2 / 3]


def test_an_update_that_was_stopped_forgot_the_games_that_it_had_not_reached() -> None:
    """Whoever left the profile while it was read played against a Trickster that knew less of them."""
    profile = Profile()
    for number in (1, 2, 3):
        kept(profile, MISSED, number)
    learned(profile)
    known, model = store.read_games(), store.of_person("tictactoe")
    assert len(known) == 3

    def on_progress(share: float) -> None:
        if share > 0:
            raise Enough

    with pytest.raises(Enough):
        habits.learn(profile, "tictactoe", on_progress)
    assert (store.read_games(), store.of_person("tictactoe")) == (known, model)
    profile.remove(profile.results[0])
    assert learned(profile)[1] == len(store.read_games()) == 2, "the removed game is left out"
