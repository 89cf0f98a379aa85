"""A saved game in a real window. Where the replay stands is read from what it saves, never from its screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Start
from driver import Driver
from habits import played, record_of, write_game

from games.record import GameRecord

MOVES = "h8 i9 g7 i7 i8 g8 j8 h6"


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


def test_a_replay_plays_itself(start: Start, file: Path, tmp_path: Path) -> None:
    driver = start(file)
    driver.scene("replay")
    driver.click("menu")
    driver.click_menu("speed")
    driver.click_menu("4.0")
    with driver.building(2):  # when it begins, and when it has come to the end
        driver.key("space")
    assert at(driver, tmp_path) == 8
    with driver.building():  # from the beginning again
        driver.click("play")
    with driver.building():
        driver.click("play")
    assert at(driver, tmp_path) < 8


def test_a_file_is_opened_with_the_dialog(start: Start, file: Path, tmp_path: Path) -> None:
    driver = start()
    driver.scene("home")
    driver.name_file(file, "open")
    driver.scene("replay")
    driver.key("End")
    assert played(state(driver, tmp_path)) == MOVES.split()
    assert str(file) in driver.settings()["recent"]


def test_variations(start: Start, file: Path, tmp_path: Path) -> None:
    driver = start(file)
    driver.scene("replay")
    driver.key("Right", "Right")
    with driver.building():
        driver.play("a1")
    driver.click("move.3")
    assert played(state(driver, tmp_path)) == ["h8", "i9", "g7"]
    driver.key("Left", "Down", "Right")
    assert played(state(driver, tmp_path)) == ["h8", "i9", "a1"]


def test_variations_are_promoted_removed_and_restored(start: Start, file: Path, tmp_path: Path) -> None:
    driver = start(file)
    driver.scene("replay")
    driver.key("Right", "Right")
    with driver.building():
        driver.play("a1")
    with driver.building():
        driver.key("p")
    assert main_line(state(driver, tmp_path)) == ["h8", "i9", "a1"]
    driver.click_at(*driver.shown["widgets"]["move.3"], button=3)
    with driver.building():
        driver.click_menu("remove")
    assert main_line(state(driver, tmp_path)) == MOVES.split()
    with driver.building():
        driver.key("ctrl+z")
    restored = state(driver, tmp_path)
    assert main_line(restored) == ["h8", "i9", "a1"]
    assert len(list(restored.nodes())) == 10


def main_line(record: GameRecord) -> list[str]:
    node, words = record.root, []
    while node.children:
        move = node.children[0].move
        assert move is not None
        words.append(node.position.move_text(move))
        node = node.children[0]
    return words


def test_a_click_into_the_groove_of_the_slider_goes_there(start: Start, file: Path, tmp_path: Path) -> None:
    driver = start(file)
    driver.scene("replay")
    widgets = driver.shown["widgets"]
    groove = widgets["ply"][1]
    driver.click_at(widgets["play"][0], groove)
    assert at(driver, tmp_path) == 4
    driver.click_at(widgets["last"][0] + 20, groove)
    assert at(driver, tmp_path) == 8


def test_the_knob_of_the_slider_is_dragged(start: Start, file: Path, tmp_path: Path) -> None:
    driver = start(file)
    driver.scene("replay")
    widgets = driver.shown["widgets"]
    groove = widgets["ply"][1]
    driver.drag((widgets["first"][0] - 18, groove), (widgets["play"][0], groove))
    assert at(driver, tmp_path) == 4


def test_a_click_into_the_list_of_moves_goes_there(start: Start, file: Path, tmp_path: Path) -> None:
    driver = start(file)
    driver.scene("replay")
    driver.click("move.1")
    assert at(driver, tmp_path) == 1
    driver.click("move.3")
    assert at(driver, tmp_path) == 3


def test_analysis_shows_and_leaves_the_game_alone(start: Start, file: Path, tmp_path: Path) -> None:
    driver = start(file)
    driver.scene("replay")
    with driver.building():
        driver.key("a")
    driver.key("Right", "Right")
    with driver.building():
        driver.click("analysis")
    assert at(driver, tmp_path) == 2
    assert len(list(state(driver, tmp_path).nodes())) == 9


def test_play_on_from_here_leaves_the_file_alone(start: Start, file: Path) -> None:
    before = file.read_bytes()
    driver = start(file)
    driver.scene("replay")
    driver.key("Right", "Right", "Right", "Right")
    driver.click("play_on", builds="play_on")
    driver.click("against.engine", builds="play_on")
    driver.key("Return")
    driver.scene("play")
    driver.play("a1")
    driver.wait(driver.saved_files, "a new file")
    driver.wait_moves(5)
    assert driver.moves()[:5] == ["h8", "i9", "g7", "i7", "a1"]
    driver.key("m")
    driver.wait_moves(6)
    assert file.read_bytes() == before
    assert [seat.player for seat in record_of(driver).seats] == ["person", "engine"]


def test_variations_are_kept_in_the_file_without_saving(start: Start, file: Path, tmp_path: Path) -> None:
    driver = start(file)
    driver.scene("replay")
    driver.key("Right", "Right")
    with driver.building():
        driver.play("a1")
    driver.wait_moves(9, file)
    with driver.building():
        driver.key("ctrl+z")
    driver.wait(lambda: len(driver.moves(file)) == 8, "the move taken back")
    with driver.building():
        driver.play("a2")
    driver.wait_moves(9, file)
    driver.key("Escape")
    driver.scene("home")
    kept = record_of(driver, file)
    fork = kept.root.children[0].children[0]
    assert [fork.position.move_text(child.move) for child in fork.children if child.move is not None] == ["g7", "a2"]
    assert played(kept) == MOVES.split()
