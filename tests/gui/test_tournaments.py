"""A tournament in a real window, by mouse: set up with two external engines and a level, played, followed, joined by
the person, interrupted by a kill, resumed, and gone with the window."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import psutil
from conftest import Start
from driver import Driver

from ai.pbrain.engines import ExternalEngine, dumps
from tests.waiting import wait

PICTURES = os.environ.get("TENGEN_PICTURES")  # a folder for pictures of each step
SCRIPT = Path(__file__).parents[1] / "ai" / "pbrain" / "misbehaving.py"


def journal(driver: Driver) -> list[dict[str, Any]]:
    """The finished games of the only tournament."""
    found = list((driver.saves / "tournaments").glob("*/tournament.jsonl"))
    lines = found[0].read_text(encoding="utf-8").splitlines()[1:] if found else []
    return [json.loads(line) for line in lines]


def add(driver: Driver, player: str) -> None:
    """Choose a player of the list, and add it."""
    driver.click(f"offered.{player}")
    driver.click("add", builds="new_tournament")


def test_a_tournament_of_engines_is_played_followed_killed_resumed_and_joined(
    start: Start, home: Path, tmp_path: Path
) -> None:
    mark = f"mark-{tmp_path.name}"
    engines = tuple(
        ExternalEngine(name, f'"{sys.executable}" "{SCRIPT}" {mode} {mark}')
        for name, mode in (("Steady", "well"), ("Crasher", "crash"))
    )
    (home / "engines.json").write_bytes(dumps(engines))
    driver = start()

    def picture(name: str) -> None:
        if PICTURES:
            driver.picture(Path(PICTURES) / f"{name}.png")

    def engines_alive() -> list[psutil.Process]:
        return [each for each in psutil.process_iter() if mark in _words(each)]

    driver.scene("home")
    driver.click("tournaments", builds="tournaments")
    driver.click("new", builds="new_tournament")
    for player in ("person", "external:Steady", "external:Crasher"):
        add(driver, player)
    for _ in range(4):
        driver.click("seconds.less")
    driver.wait(lambda: "begin" in driver.shown["widgets"], "the button")
    picture("1-set-up")
    driver.click("begin", builds="tournaments")
    driver.wait(engines_alive, "the engines")
    driver.wait(lambda: "board.0" in driver.shown["widgets"] or journal(driver), "a game")
    picture("2-played")
    driver.kill()
    wait(lambda: not engines_alive())
    again = start()
    again.scene("home")
    again.click("tournaments", builds="tournaments")
    if "start" in again.shown["widgets"]:
        again.click("start", builds="tournaments")
    again.wait(lambda: len(journal(again)) == 2, "the games of the engines")
    again.wait(lambda: "start" not in again.shown["widgets"], "the end of what can be played without a person")
    assert {(game["ending"], game["problem"]) for game in journal(again)} == {("crash", "ended")}
    picture("3-resumed")
    again.click("play", builds="play")
    picture("4-joined")
    again.wait(lambda: "resume" in again.shown["widgets"] or "resign" in again.shown["widgets"], "the game")
    again.click("resign")
    again.key("Down", "Return")
    again.wait(lambda: "review" in again.shown["widgets"], "the end of the game")
    again.key("Escape")
    again.scene("tournaments")
    again.wait(lambda: len(journal(again)) == 3, "the game of the person")
    picture("5-counted")
    again.close()
    wait(lambda: not engines_alive())


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
