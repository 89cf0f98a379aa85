"""Against a level in a real window, from the menu of levels to the profile."""

from __future__ import annotations

import json

from conftest import Start
from habits import open_setup, record_of
from test_games import finish

from games.position import FIRST


def test_a_game_against_a_level_is_in_the_profile(start: Start) -> None:
    driver = start()
    open_setup(driver, "tictactoe")
    driver.click("level1", builds="setup")
    driver.click("level1.2", builds="setup")
    driver.click("start", builds="play")
    record = finish(driver)
    assert record.outcome is not None
    assert record.seats[1].player == "level:2"
    driver.click("home", builds="home")  # the result counts when the game is left
    profile = driver.home / "profile.json"
    driver.wait(profile.exists, "the profile")
    (result,) = json.loads(profile.read_text(encoding="utf-8"))["results"]
    won = {None: 0.5, FIRST: 1.0}.get(record.outcome.winner, 0.0)
    assert (result["opponent"], result["score"], result["unrated"]) == ("level:2", won, "")
    driver.message(f"{result['rating']:.0f}")
    driver.click("profile", builds="profile")
    driver.click("recent.0", builds="replay")
    assert record_of(driver).outcome == record.outcome
