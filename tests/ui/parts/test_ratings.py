"""The profile without a window: what is recorded, what is said, and what is not rated."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ai.service.profile import Profile, encoded, load_profile, profile_path
from games.formats import load
from games.position import Stones
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.profiles import kept_game
from ui.parts.ratings import (
    ProfileState,
    count,
    count_after_crash,
    forecast,
    mark_unrated,
    unrated_help,
    will_count,
)


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A host that writes at once, or fails with `error`; it keeps what is `said`, and its settings."""
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    made: Any = SimpleNamespace(said=[], error=None, saved=[], settings=SimpleNamespace(unfinished=""))

    def write(path: Path, data: bytes, done: Any) -> None:
        if made.error is None:
            path.write_bytes(data)
        done(made.error)

    made.files = SimpleNamespace(write=write, waiting=lambda _: None, settle=lambda: None)
    made.save_settings = lambda: made.saved.append(made.settings.unfinished)
    made.say = lambda text, *tone, **how: made.said.append((text, *tone, *how))
    return made


@pytest.mark.parametrize("announce", [False, True])
@pytest.mark.parametrize("failed", [False, True])
def test_a_result_is_recorded_once_and_the_game_is_then_finished(host: Any, announce: bool, failed: bool) -> None:
    record, file = kept_game(0)
    result = Profile().result(record, file)
    assert result is not None
    before, after = round(Profile().rating("gomoku").rating), round(result.rating)
    assert forecast(host, record, file) == f"Rating {before} → {after} (−{before - after})", "it is lost"
    host.settings.unfinished, host.error = str(file), OSError(28, "full") if failed else None
    count(host, record, file, announce)
    said = [(f"Your rating: {after} (−{before - after})", "lasting")] if announce else []
    if failed:
        assert (len(host.said), host.said[0][1], host.saved, load_profile()[0].results) == (1, "bad", [], [])
        return
    assert (host.said, host.saved, len(load_profile()[0].results)) == (said, [""], 1)
    assert forecast(host, record, file) == ""
    count(host, record, file, announce)
    assert (host.said, len(load_profile()[0].results)) == (said, 1), "it was counted"


def test_another_game_stays_unfinished_when_one_is_counted(host: Any) -> None:
    record, file = kept_game(0)
    host.settings.unfinished = "another"
    count(host, record, file)
    assert (host.settings.unfinished, host.saved) == ("another", [])


def test_after_a_crash_the_last_game_counts_if_it_is_over(host: Any, tmp_path: Path) -> None:
    record, file = kept_game(0)
    going = file.with_name("going.tengen.json")
    going.write_bytes(file.read_bytes())
    for unfinished, results in (("", 0), (str(tmp_path / "missing"), 0), (str(file), 1)):
        host.settings.unfinished = unfinished
        count_after_crash(host)
        assert (len(load_profile()[0].results), len(host.said)) == (results, results)
    assert load(file) == record


def test_help_is_noted_and_said_where_the_game_would_be_rated(host: Any) -> None:
    rated, unrated = (kept_game(number, opponent) for number, opponent in enumerate(("level:2", PERSON)))
    for (record, file), said in ((rated, 1), (rated, 1), (unrated, 1)):
        mark_unrated(host, record, file, "hint")
        assert len(host.said) == said
    assert host.said == [("A game with a hint is not rated.",)]
    assert [unrated_help(host, file) for _, file in (rated, unrated)] == ["hint", ""]
    assert forecast(host, *rated) == "Not rated: you asked for a hint"
    assert forecast(host, *kept_game(3, "cmd:x")) == "", "an opponent without a rating"
    new, stones = GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:2"))), Stones(((112,), (97,)))
    two, given = GameRecord(setup("gomoku")), GameRecord(new.setup, new.seats, stones=stones)
    assert [will_count(host, record, None) for record in (new, two, given)] == [True, False, False]
    assert [will_count(host, new, file) for _, file in (rated, unrated)] == [False, True]


def test_a_result_is_removed_and_restored_and_a_damaged_profile_is_not_spoken_over(host: Any) -> None:
    profile = Profile()
    for number, game in enumerate(("gomoku", "gomoku", "tictactoe")):
        profile.add(*kept_game(number, game=game))
    profile_path().write_bytes(encoded(profile))
    state = ProfileState(host, "")
    assert (state.game, ProfileState(host, "bones").game, state.can_undo) == ("tictactoe", "bones", False)
    shown = []
    for step in (1, 1, -1, -1, -1, 2):
        state.step(step)
        shown.append(state.game)
    assert shown == ["bones", "connect4", "bones", "tictactoe", "gomoku", "bones"]
    state.game = "gomoku"
    state.remove("missing")
    assert (len(state.rated), host.said, state.can_undo) == (2, [], False)
    state.remove(profile.results[0].file)
    assert (len(state.rated), host.said, state.can_undo) == (1, [("Result removed.",)], True)
    state.undo()
    state.undo()
    assert (state.profile.results, host.said[1:], state.can_undo) == (profile.results, [("Result restored.",)], False)
    profile_path().write_bytes(encoded(profile).replace(b'"side": 0', b'"side": 7', 1))
    state.remove(profile.results[1].file)
    assert (len(state.profile.results), host.said[2:]) == (1, [])
    profile_path().unlink()
    assert ProfileState(host, "").game == "gomoku"
