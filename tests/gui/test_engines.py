"""An engine in a real window: added, tested, played against, killed, started again, and its seat taken."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import psutil
from conftest import Start
from habits import open_setup

PICTURES = os.environ.get("TENGEN_PICTURES")  # a folder for pictures of each step

BRAIN = '''#!{python}
import os, sys, time
taken = set()
for line in sys.stdin:
    word = line.strip()
    if word == "ABOUT": print('name="Brave", version="1.0", author="x", country="y"')
    elif word.startswith("START"): print("OK")
    elif word == "BOARD": taken = set()
    elif word.count(",") == 2: taken.add(word.rpartition(",")[0])
    elif word in ("DONE", "BEGIN"):
        while os.path.exists("thinks"): time.sleep(0.05)
        print(next(f"{{x}},0" for x in range(15) if f"{{x}},0" not in taken))
    elif word == "END": break
    sys.stdout.flush()
'''


def test_an_engine_is_added_tested_played_killed_restarted_and_its_seat_taken(start: Start, tmp_path: Path) -> None:
    brain = tmp_path / "an engine" / "brain"
    brain.parent.mkdir()
    brain.write_text(BRAIN.format(python=sys.executable), encoding="utf-8")
    brain.chmod(0o755)
    driver = start()

    def picture(name: str) -> None:
        if PICTURES:
            driver.picture(Path(PICTURES) / f"{name}.png")

    def processes() -> list[psutil.Process]:
        """Those of the engine, without what keeps them."""
        found = []
        for each in psutil.Process(driver.process.pid).children(recursive=True):
            try:
                words = each.cmdline()
            except psutil.Error:
                continue
            if str(brain) in words and "keep" not in words:
                found.append(each)
        return found

    driver.scene("home")
    driver.click("settings", builds="settings")
    driver.click("engines", builds="engines")
    driver.name_file(brain, "add_file")
    driver.scene("engines")
    driver.wait(lambda: "test" in driver.shown["widgets"], "the form")
    driver.click("test")
    driver.wait(lambda: "Brave" in (driver.home / "engines.json").read_text(encoding="utf-8"), "the name that it tells")
    picture("1-tested")
    driver.wait(lambda: not processes(), "the end of the tested engine")
    driver.key("Escape")
    driver.scene("settings")
    driver.key("Escape")
    open_setup(driver, "gomoku")
    driver.click("level1", builds="setup")
    for _ in range(12):
        if "level1.external:Brave" in driver.shown["widgets"]:
            break
        driver.point(300, 300)
        driver.xdotool("click", "5")
    driver.wait(lambda: "level1.external:Brave" in driver.shown["widgets"], "the engine in the menu")
    driver.click("level1.external:Brave", builds="setup")
    driver.click("start", builds="play")
    driver.play("h8")
    assert driver.wait_moves(2)[-1] == "a15"
    picture("2-played")
    thinks = brain.with_name("thinks")
    thinks.touch()
    driver.play("h9")
    driver.wait_moves(3)
    for process in driver.wait(processes, "the engine"):
        process.kill()
    driver.wait(lambda: "restart" in driver.shown["widgets"], "the card")
    picture("3-killed")
    thinks.unlink()
    driver.click("restart")
    assert driver.wait_moves(4)[-1] == "b15"
    thinks.touch()
    driver.play("h10")
    driver.wait(lambda: "take_seat" in driver.shown["widgets"], "the card of an engine that is too slow")
    with driver.building():
        driver.click("take_seat")
    driver.play("i8")
    assert driver.wait_moves(6)[-1] == "i8"
    picture("4-taken")
    driver.close()
    assert driver.saved()["seats"][1]["player"] == "person"
    assert not [each for each in psutil.process_iter() if str(brain) in _words(each)]
    shutil.rmtree(brain.parent)


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
