"""Files of other programs, pictures and the clipboard, in a real window."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Start
from habits import played, record_of
from PIL import Image

TEXTS = {
    "game.sgf": "(;GM[4]FF[4]SZ[15]PB[Ada];B[hh];W[ig](;B[gi];W[gj])(;B[aa]))",
    "game.psq": "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,7,0\n7,9,0\n7,10,0\n-1\n",
    "game.txt": "h8i9g7g6\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_given_at_the_start_is_opened_copied_and_pasted(start: Start, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(TEXTS[name])
    driver = start(file)
    driver.scene("replay")
    driver.key("End", "Left")
    driver.key("ctrl+c")
    driver.message("copied")
    driver.key("Escape")
    driver.scene("home")
    driver.key("ctrl+v")
    driver.scene("replay")
    copy = tmp_path / "copy.tengen.json"
    driver.name_file(copy, "", "ctrl+shift+s")
    driver.wait(copy.exists, "the copy")
    assert played(record_of(driver, copy)) == ["h8", "i9", "g7"], "the position that was shown"


def test_a_game_becomes_an_animation_and_a_picture(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(TEXTS["game.sgf"])
    driver = start(file)
    driver.scene("replay")
    for name, frames in (("game.gif", 5), ("game.png", 1)):
        picture = tmp_path / name
        driver.name_file(picture, "", "ctrl+e")
        driver.message(f"Exported as {name}")
        with Image.open(picture) as made:
            assert getattr(made, "n_frames", 1) == frames
