"""The profile without a window: what is recorded, restored and said."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ai.service.profile import Profile, encoded, load_profile, profile_path
from tests.ui.profiles import kept_game
from ui.parts.ratings import ProfileState, count, count_after_crash


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A host that writes at once, and keeps what is `said`."""
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    said = list[Any]()

    def write(path: Path, data: bytes, done: Any) -> None:
        path.write_bytes(data)
        done(None)

    files = SimpleNamespace(write=write, waiting=lambda _: None, settle=lambda: None)
    say: Any = lambda text, **how: said.append((text, *how))  # noqa: E731
    settings = SimpleNamespace(unfinished="another")
    return SimpleNamespace(files=files, settings=settings, save_settings=lambda: None, say=say, said=said)


@pytest.mark.parametrize("announce", [False, True])
def test_a_result_is_recorded_once_and_the_new_rating_is_said_where_that_is_wanted(host: Any, announce: bool) -> None:
    record, file = kept_game(0)
    result = Profile().result(record, file)
    assert result is not None
    before, after = round(Profile().rating("gomoku").rating), round(result.rating)
    for unfinished in ("another", str(file)):
        host.settings.unfinished = unfinished
        count(host, record, file, announce)
        assert host.said == ([(f"Your rating: {after} (−{before - after})", "lasting")] if announce else [])
        assert load_profile()[0].results == [result]
        assert host.settings.unfinished == ("another" if unfinished == "another" else "")


def test_after_a_crash_the_last_game_counts_if_there_is_one(host: Any, tmp_path: Path) -> None:
    _, file = kept_game(0)
    for unfinished, results in (("", 0), (str(tmp_path / "missing"), 0), (str(file), 1)):
        host.settings.unfinished = unfinished
        count_after_crash(host)
        assert (len(load_profile()[0].results), len(host.said)) == (results, results)


def test_results_are_removed_and_restored_game_by_game(host: Any) -> None:
    profile = Profile()
    for number, game in enumerate(("gomoku", "gomoku", "tictactoe")):
        profile.add(*kept_game(number, game=game))
    profile_path().write_bytes(encoded(profile))
    state = ProfileState(host, "")
    assert (state.game, ProfileState(host, "bones").game, state.can_undo) == ("tictactoe", "bones", False)
    shown = []
    for step in (1, 1, -1, -1, -1):
        state.step(step)
        shown.append(state.game)
    assert shown == ["bones", "connect4", "bones", "tictactoe", "gomoku"]
    state.remove("missing")
    assert (len(state.rated), host.said, state.can_undo) == (2, [], False)
    state.remove(profile.results[0].file)
    assert (len(state.rated), host.said, state.can_undo) == (1, [("Result removed.",)], True)
    state.undo()
    state.undo()
    assert (state.profile.results, host.said[1:], state.can_undo) == (profile.results, [("Result restored.",)], False)
