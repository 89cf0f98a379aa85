"""The life of the window: starting, settings, closing, crashing, and a disk that does not do as it should."""

from __future__ import annotations

import json
import subprocess
import time
from functools import partial
from pathlib import Path

from conftest import Start
from driver import Driver
from habits import begin, begin_persons, play_persons, played, record_of, write_game


def ground(driver: Driver) -> str:
    """The colour of the window near its corner, as hexadecimal digits."""
    shot = ["import", "-window", driver.window, "-crop", "1x1+3+3", "+repage", "-depth", "8", "txt:-"]
    text = subprocess.run(shot, capture_output=True, text=True, check=True).stdout
    return text.split("#")[-1][:6].lower()


def setting_is(driver: Driver, name: str, value: object) -> bool:
    return (driver.home / "settings.json").exists() and bool(driver.settings()[name] == value)


def test_start_and_close(start: Start) -> None:
    driver = start()
    driver.scene("home")
    assert {"card.gomoku", "card.tictactoe", "card.bones", "new", "open"} <= set(driver.shown["widgets"])
    assert "continue" not in driver.shown["widgets"]
    place = driver.place()
    assert (place["WIDTH"], place["HEIGHT"]) == (1280, 800)
    driver.close()
    assert driver.process.returncode == 0


def test_the_window_comes_back_where_it_was(start: Start) -> None:
    driver = start()
    driver.scene("home")
    driver.resize(1000, 700)
    subprocess.run(["xdotool", "windowmove", "--sync", driver.window, "200", "150"], check=True)
    time.sleep(0.2)
    before = driver.place()
    for _ in range(2):  # a window that creeps by its frame would have moved twice
        driver.close()
        driver = start()
        driver.scene("home")
        time.sleep(0.2)
    assert driver.place() == before


def test_closing_while_the_computer_thinks(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku", thinking=6)  # 30 seconds
    driver.play("h8")
    driver.wait_moves(1)
    time.sleep(0.3)
    driver.close()
    assert driver.process.returncode == 0
    assert driver.moves() == ["h8"]


def test_an_unfinished_game_goes_on_after_a_restart(start: Start) -> None:
    driver = start()
    begin(driver, "tictactoe")
    driver.play("b2")
    moves = driver.wait_moves(2)
    driver.close()
    driver = start()
    driver.scene("home")
    driver.click("continue", builds="play")
    free = next(move for move in driver.shown["moves"] if move not in moves)
    driver.play(free)
    driver.wait_moves(4)
    assert played(record_of(driver))[:3] == [*moves, free]


def test_the_computer_answers_after_a_restart_in_its_turn(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku", thinking=6)
    driver.play("h8")
    driver.wait_moves(1)
    driver.close()
    driver = start()
    driver.scene("home")
    with driver.building():
        driver.key("Return")
    driver.scene("play")
    time.sleep(0.3)
    driver.key("m")
    driver.wait_moves(2)


def test_killing_the_program_loses_no_move(start: Start) -> None:
    driver = start()
    begin_persons(driver, "gomoku")
    play_persons(driver, "h8", "i9", "g7")
    driver.kill()
    before = driver.saved()
    driver = start()
    driver.scene("home")
    driver.click("continue", builds="play")
    play_persons(driver, "f6")
    assert played(record_of(driver)) == ["h8", "i9", "g7", "f6"]
    assert driver.saved()["nodes"][:4] == before["nodes"]
    assert not list(driver.saves.glob(".*.tmp")), "nothing half-written is left"


def test_theme_and_language_last(start: Start) -> None:
    driver = start()
    driver.scene("home")
    assert ground(driver) == "15171c"
    driver.click("theme", builds="home")
    driver.wait(lambda: driver.settings()["theme"] == "paper", "the theme in the settings")
    driver.wait(lambda: ground(driver) == "f3efe7", "paper on the screen")
    driver.click("language", builds="home")
    driver.wait(lambda: driver.settings()["language"] == "zh", "the language in the settings")
    driver.close()
    driver = start()
    driver.scene("home")
    driver.wait(lambda: ground(driver) == "f3efe7", "paper on the screen")
    settings = driver.settings()
    assert (settings["theme"], settings["language"]) == ("paper", "zh")
    driver.click("language", builds="home")
    driver.wait(lambda: driver.settings()["language"] == "en", "English again")


def test_the_settings_take_effect_and_last(start: Start) -> None:
    driver = start()
    driver.scene("home")
    driver.click("settings", builds="settings")
    for name, value, kept in (
        ("theme", "paper", "paper"), ("scale", "125", 125), ("motion", "off", False), ("coordinates", "off", False),
        ("numbers", "on", True), ("thinking", "off", False),
    ):
        driver.click(f"{name}.{value}", builds="settings")
        driver.wait(partial(setting_is, driver, name, kept), name)
    with driver.building():
        driver.key("Escape")
    driver.scene("home")
    driver.close()
    assert driver.settings()["scale"] == 125


def test_name_volume_and_sound_are_set_by_hand(start: Start) -> None:
    driver = start()
    driver.scene("home")
    driver.click("settings", builds="settings")
    driver.click("name")
    driver._xdotool("type", "--delay", "20", "Susan")
    driver.wait(partial(setting_is, driver, "player_name", "Susan"), "the name")
    driver.key("Escape")
    middle = driver.shown["widgets"]["volume"]
    driver.click_at(middle[0], middle[1])
    driver.wait(partial(setting_is, driver, "volume", 50), "half the volume")
    driver.drag(middle, (middle[0] + 200, middle[1]))
    driver.wait(partial(setting_is, driver, "volume", 100), "all of it")
    assert driver.settings()["sound"], "the S of the name was a letter"
    with driver.building():
        driver.key("s")
    driver.wait(partial(setting_is, driver, "sound", False), "silence")
    driver.click("about", builds="about")
    with driver.building():
        driver.key("Escape")
    driver.scene("settings")
    with driver.building():
        driver.key("Escape")
    driver.scene("home")


def test_settings_in_the_middle_of_a_game(start: Start) -> None:
    driver = start()
    begin_persons(driver, "gomoku")
    play_persons(driver, "h8")
    driver.click("settings", builds="settings")
    driver.click("scale.80", builds="settings")
    driver.click("back", builds="play")
    play_persons(driver, "o15")
    assert played(record_of(driver)) == ["h8", "o15"]


def test_a_damaged_settings_file_is_set_aside(start: Start, home: Path) -> None:
    (home / "settings.json").write_text('{"theme": "pap', encoding="utf-8")
    driver = start()
    driver.scene("home")
    driver.message("set aside")
    assert (home / "settings.damaged.json").read_text(encoding="utf-8") == '{"theme": "pap'
    driver.click("theme", builds="home")
    driver.wait(lambda: driver.settings()["theme"] == "paper", "settings that work again")


def test_a_game_goes_on_where_nothing_can_be_saved(start: Start, home: Path) -> None:
    (home / "saves").write_text("in the way", encoding="utf-8")
    driver = start()
    begin_persons(driver, "tictactoe")
    driver.play("b2")
    driver.message("could not be saved")
    driver.play("a1")
    driver.wait(lambda: len([e for e in driver.events("message") if "not be saved" in e["text"]]) > 1, "both said")
    driver.key("ctrl+o")  # the folder that the dialog would show is not there
    driver.wait(lambda: driver.events("dialog"), "the dialog")
    driver.key("Escape")
    (home / "saves").unlink()
    driver.play("c3")
    driver.wait_moves(3)
    assert played(record_of(driver)) == ["b2", "a1", "c3"]


def test_a_damaged_file_on_the_command_line(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "bad.tengen.json"
    file.write_bytes(b'{"format": "tengen", "version": 1, "game"')
    driver = start(file)
    driver.message("damaged")
    driver.scene("home")
    driver.click("card.bones", builds="setup")


def test_a_damaged_file_from_the_dialog(start: Start, tmp_path: Path) -> None:
    write_game(tmp_path / "game.tengen.json", "gomoku", "h8 i9")
    whole = (tmp_path / "game.tengen.json").read_text(encoding="utf-8")
    (tmp_path / "taken.tengen.json").write_text(whole.replace('"i9"', '"h8"'), encoding="utf-8")
    driver = start()
    driver.scene("home")
    driver.name_file(tmp_path / "taken.tengen.json", "open")
    driver.wait(lambda: driver.events("message"), "a message")
    driver.name_file(tmp_path / "game.tengen.json", "open")
    driver.scene("replay")


def test_a_recent_game_that_was_deleted_is_no_trap(start: Start) -> None:
    driver = start()
    begin_persons(driver, "tictactoe")
    play_persons(driver, "b2")
    with driver.building():
        driver.key("Escape")
    driver.scene("home")
    driver.wait(lambda: "continue" in driver.shown["widgets"], "the unfinished game")
    driver.saved_files()[0].unlink()
    driver.click("continue")
    driver.message("cannot be read")
    driver.close()
    driver = start()
    driver.scene("home")
    assert not {"continue", "recent.0"} & set(driver.shown["widgets"])


def test_the_page_of_keys_opens_and_closes(start: Start) -> None:
    driver = start()
    driver.scene("home")
    driver.key("F1")
    driver.click("card.gomoku")  # closes the page, and does nothing else
    time.sleep(0.2)
    assert driver.shown["scene"] == "home"
    driver.click("card.gomoku", builds="setup")


def test_full_screen_lasts_and_the_window_comes_back(start: Start) -> None:
    driver = start()
    driver.scene("home")
    before = driver.place()
    driver.key("F11")
    driver.wait(lambda: driver.place().get("WIDTH", 0) > before["WIDTH"], "the full screen")
    driver.wait(lambda: driver.settings()["full_screen"], "full screen in the settings")
    driver.close()
    driver = start()
    driver.scene("home")
    driver.wait(lambda: driver.place().get("WIDTH", 0) > before["WIDTH"], "the full screen")
    driver.key("F11")
    driver.wait(lambda: driver.place().get("WIDTH") == before["WIDTH"], "the window")
    driver.wait(lambda: driver.place() == before, "the window in its old place")
    time.sleep(0.3)
    assert driver.settings()["full_screen"] is False, "a key that repeats does not turn it on again"


def test_a_window_left_of_the_screen_comes_back_there(start: Start, home: Path) -> None:
    """As one does that stands on a second display on the left."""
    driver = start()
    driver.scene("home")
    subprocess.run(["wmctrl", "-i", "-r", hex(int(driver.window)), "-e", "0,-150,60,-1,-1"], check=True)
    driver.wait(lambda: driver.place().get("X", 0) < 0, "the window at the left")
    before = driver.place()
    driver.close()
    assert driver.settings()["left"] < 0
    driver = start()
    driver.scene("home")
    driver.wait(lambda: driver.place() == before, "the window in its old place")
    driver.close()
    settings = driver.settings() | {"displays": "1024x768"}
    (home / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    driver = start()
    driver.scene("home")
    assert driver.place()["X"] >= 0, "with other displays, the system places it"


def test_closing_with_a_dialog_open(start: Start) -> None:
    driver = start()
    driver.scene("home")
    driver.key("ctrl+o")
    driver.wait(lambda: driver.events("dialog"), "the dialog")
    driver.close()
    assert driver.process.returncode == 0


def test_settings_are_plain_json(start: Start, home: Path) -> None:
    driver = start()
    driver.scene("home")
    driver.close()
    assert json.loads((home / "settings.json").read_text(encoding="utf-8"))["width"] == 1280
