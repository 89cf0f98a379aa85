"""A game with variations is read, changed and annotated in a real window."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from conftest import Start
from driver import Driver

from games.formats import load, save
from games.formats.text import parse
from games.position import Stones
from games.record import GameRecord, Mark, Node

SGF = "(;GM[4]SZ[15];B[hh];W[ig](;B[gi];W[ii](;B[ih];W[gh])(;B[jj];W[kk]))(;B[aa];W[bb]))"


def main_line(record: GameRecord) -> list[str]:
    node, words = record.root, []
    while node.children:
        move = node.children[0].move
        assert move is not None
        words.append(node.position.move_text(move))
        node = node.children[0]
    return words


def copy_of(driver: Driver) -> Path:
    """The file in which changes of an SGF are kept."""
    (file,) = driver.wait(driver.saved_files, "a copy with the changes")
    return Path(file)


def waited(driver: Driver, file: Path, expected: list[str]) -> None:
    driver.wait(lambda: main_line(load(file)) == expected, f"the main line {expected}")


def write_comment(driver: Driver, file: Path, text: str) -> None:
    """Types a comment until it is there: xdotool may be too quick for a keyboard that has no such letters."""
    for _ in range(5):
        driver.key("F2", "ctrl+a", "BackSpace")
        driver._xdotool("type", "--delay", "300", text)  # a letter that is no key replaces another for so long
        driver.key("Escape")
        with suppress(AssertionError):
            driver.wait(lambda: text in [node.comment for node in load(file).nodes()], f"the comment {text}", 5)
            return
    raise AssertionError(f"no comment {text}")


def test_a_game_with_variations_is_walked_through_changed_and_annotated(start: Start, tmp_path: Path) -> None:
    opened = tmp_path / "game.sgf"
    opened.write_text(SGF, encoding="utf-8")
    driver = start(opened)
    driver.scene("replay")
    record = load(opened)
    number = {node: f"move.{place}" for place, node in enumerate(record.nodes())}
    nested = record.root.children[0].children[0].children[0].children[0].children[1]
    driver.click_at(*driver.shown["widgets"][number[nested]], button=3)
    driver.click_menu("promote")
    copy = copy_of(driver)
    waited(driver, copy, ["h8", "i9", "g7", "i7", "j6", "k5"])
    driver.key("Delete")
    waited(driver, copy, ["h8", "i9", "g7", "i7", "j6"])
    driver.key("ctrl+z")
    waited(driver, copy, ["h8", "i9", "g7", "i7", "j6", "k5"])
    write_comment(driver, copy, "好棋 ok")
    with driver.building():
        driver.key("m")
    driver.play("c3")
    driver.key("ctrl+s")
    driver.close()
    kept = load(copy)
    annotated = next(node for node in kept.nodes() if node.comment)
    assert (annotated.marks, word(annotated)) == ((Mark("circle", kept.root.position.parse_move("c3")),), "j6")
    assert opened.read_text(encoding="utf-8") == SGF, "the game of somebody else is left alone"
    again = start(copy)
    again.scene("replay")
    assert len(list(load(copy).nodes())) == len(list(record.nodes()))


def test_a_comment_that_is_being_written_outlives_a_kill(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "game.tengen.json"
    save(parse("h8i9"), file)
    driver = start(file)
    driver.scene("replay")
    driver.key("F2")
    written = ""
    for part in ("good", "move"):  # the caret stays where it is
        driver._xdotool("type", "--delay", "60", f"{part} ")
        written = f"{written} {part}".strip()
        driver.wait(lambda written=written: load(file).root.comment == written, f"the comment {written}")
    driver.kill()
    assert load(file).root.comment == "good move"
    again = start(file)
    again.scene("replay")
    again.close()


def word(node: Node) -> str:
    assert node.parent is not None
    assert node.move is not None
    return node.parent.position.move_text(node.move)


def test_discs_are_dropped_on_the_analysis_board_and_kept_in_a_file(start: Start, tmp_path: Path) -> None:
    driver, file = start(), tmp_path / "rack.tengen.json"
    driver.scene("home")
    with driver.building():
        driver.key("ctrl+e")
    driver.click("game.connect4", builds="position_editor")
    at = driver.shown["moves"]
    for _ in range(2):
        with driver.building():
            driver.click_at(*at["g"])
    with driver.building():
        driver.click_at(*at["g"], button=3)
    with driver.building():
        driver.key("2")
    with driver.building():
        driver.drag(at["a"], at["c"])
    driver.key("x", "Return")
    driver.scene("replay")
    driver.name_file(file, "", "ctrl+shift+s")
    driver.wait(file.exists, "the file")
    assert load(file).stones == Stones(((41,), (35, 36, 37)), 1)
