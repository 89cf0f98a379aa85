"""A saved game in a real window. Where the replay stands is read from what it saves, never from its screen."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from conftest import Start
from driver import Driver
from habits import played, record_of, write_game

from games.formats import load
from games.record import GameRecord

MOVES = "h8 i9 g7 i7 i8 g8 j8 h6"
SGF = "(;GM[4]FF[4]SZ[15]PB[Ada];B[hh];W[ig](;B[gi];W[gj])(;B[aa]))"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "game.tengen.json"
    write_game(made, "gomoku", MOVES)
    return made


def state(driver: Driver, tmp_path: Path) -> GameRecord:
    """The game as the replay has it now."""
    copy = tmp_path / f"state {len(list(tmp_path.iterdir()))}.tengen.json"
    driver.name_file(copy, "", "ctrl+shift+s")
    driver.wait(copy.exists, "the copy")
    return record_of(driver, copy)


def at(driver: Driver, tmp_path: Path) -> int:
    return len(played(state(driver, tmp_path)))


def wheel(driver: Driver, turns: int) -> None:
    """Over the board; above 0 is away from oneself."""
    x, y = driver.shown["moves"]["h8"]
    for _ in range(abs(turns)):
        driver.click_at(x, y, button=4 if turns > 0 else 5)


def test_a_file_is_stepped_with_keys_buttons_and_wheel(start: Start, file: Path, tmp_path: Path) -> None:
    driver = start(file)
    driver.scene("replay")
    assert at(driver, tmp_path) == 0, "a replay begins at the beginning"
    driver.key("Right", "Right", "Right", "Left")
    assert at(driver, tmp_path) == 2
    for name in ("next", "next", "next", "previous"):
        driver.click(name)
    assert at(driver, tmp_path) == 4
    wheel(driver, -3)
    wheel(driver, 1)
    assert at(driver, tmp_path) == 6
    driver.key("End")
    assert at(driver, tmp_path) == 8
    driver.key("Right", "Right")
    driver.key("Home")
    assert at(driver, tmp_path) == 0
    driver.click("last")
    assert at(driver, tmp_path) == 8
    driver.click("first")
    driver.play("h8")  # the move that follows anyway
    state_now = state(driver, tmp_path)
    assert played(state_now) == ["h8"]
    assert len(list(state_now.nodes())) == 9, "and no variation"


def test_a_comment_in_any_script_is_typed_and_kept_in_a_copy_of_an_sgf(start: Start, tmp_path: Path) -> None:
    opened, text = tmp_path / "game.sgf", "好棋 ok"
    opened.write_text(SGF, encoding="utf-8")
    driver = start(opened)
    driver.scene("replay")
    for _ in range(5):  # xdotool may be too quick for a keyboard that has no such letters
        driver.click("tab.analysis")  # from where F2 leads back
        driver.key("F2", "ctrl+a", "BackSpace")
        driver.type(text, 300)  # a letter that is no key replaces another for so long
        driver.key("Escape")
        with suppress(AssertionError):
            (copy,) = driver.wait(driver.saved_files, "a copy with the changes")
            driver.wait(lambda file=copy: load(file).root.comment == text, "the comment", 5)
            break
    else:
        raise AssertionError("no comment")
    assert opened.read_text(encoding="utf-8") == SGF


def test_a_game_is_copied_and_pasted(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(SGF, encoding="utf-8")
    driver = start(file)
    driver.scene("replay")
    driver.key("End", "Left", "ctrl+c")
    driver.message("copied")
    driver.key("Escape")
    driver.scene("home")
    driver.key("ctrl+v")
    driver.scene("replay")
    assert played(state(driver, tmp_path)) == ["h8", "i9", "g7"], "the position that was shown"


def test_another_encoding_than_the_guessed_one_is_chosen_and_changes_stay(start: Start, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.sgf"
    foreign.write_bytes("(;GM[4]SZ[15]PB[Жуков]EV[Кубок];B[hh]C[начало];W[ig])".encode("cp1251"))
    driver = start(foreign)
    driver.scene("replay")
    driver.message("does not say in which encoding")

    def choose(encoding: str) -> None:
        menus = len(driver.events("menu"))
        driver.click("encoding")
        driver.wait(lambda: len(driver.events("menu")) > menus, "the menu of encodings")
        driver.click_at(*driver.events("menu")[-1]["widgets"][encoding])

    driver.play("a1")
    driver.wait_moves(3)
    for encoding, name in (("cp1250", "Ćóęîâ"), ("cp1252", "Æóêîâ"), ("cp1251", "Жуков")):
        choose(encoding)
        driver.wait(lambda wanted=name: record_of(driver, driver.saved_files()[0]).names[0] == wanted, encoding)
    (copy,) = driver.saved_files()
    assert load(copy).about.event == "Кубок"
    assert "a1" in driver.moves(copy)
    driver.key("ctrl+d")
    driver.scene("about_game")
    driver.key("Escape")
    driver.scene("replay")
