"""Pictures and the clipboard in the window."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pygame
import pytest
from PIL import Image

from games.formats import pasted, save
from games.record import GameRecord
from games.registry import setup
from games.storage import saves_home
from tests.ui.scenes import long_game
from tests.ui.stage import Make, Stage, choose_file
from ui.board.pictures import Film
from ui.home.screen import Home
from ui.parts import exports
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.toolkit import dialogs
from ui.toolkit import text_line as clipboard

CTRL = pygame.KMOD_LCTRL


def exported(made: Stage, file: Path) -> None:
    """Ctrl+E, and the name of a file."""
    made.press(pygame.K_e, CTRL)
    choose_file(made.app, file)


@pytest.mark.parametrize("kind", ["png", "gif", "webp", "svg"])
def test_a_replay_is_exported(stage: Make, tmp_path: Path, kind: str) -> None:
    made, record, file = stage(), long_game("gomoku", plies=12), tmp_path / f"game.{kind}"
    made.show(Replay(made.app, record, at_cursor=True))
    exported(made, file)
    made.until(file.exists)
    made.until(lambda: made.app.message[0] == f"Exported as game.{kind}")
    assert made.app.overlay is None
    if kind == "svg":
        assert file.read_text().startswith("<svg ")
        return
    with Image.open(file) as picture:
        assert getattr(picture, "n_frames", 1) == (1 if kind == "png" else 13)


def test_an_animation_of_the_whole_game_showed_the_variation_on_the_board(made: Stage, tmp_path: Path) -> None:
    record = long_game("gomoku", plies=6)
    record.go_to(record.root.children[0])
    record.play(record.position.legal_moves()[-1])
    made.show(Replay(made.app, record, at_cursor=True))
    exported(made, tmp_path / "game.gif")
    made.until((tmp_path / "game.gif").exists)
    with Image.open(tmp_path / "game.gif") as picture:
        assert getattr(picture, "n_frames", 1) == 7


def test_the_dialog_for_a_picture_spoke_of_games_and_proposes_the_name_of_one(made: Stage, tmp_path: Path) -> None:
    made.show(Play(made.app, long_game("bones", plies=3), autosave=False))
    made.press(pygame.K_e, CTRL)
    dialog = made.app.overlay
    assert Path(dialog.line.text).suffix == ".png"
    choose_file(made.app, tmp_path / "game.bmp")
    assert "game" not in f"{dialog.title} {dialog.files.empty} {dialog.question.message}"


class Slow:
    """An encoder that takes one picture and then waits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = False
        monkeypatch.setattr(dialogs, "SHOWN", 0.0)
        monkeypatch.setattr(exports, "film_bytes", self._encode)

    def _encode(self, kind: str, film: Film, delay: int) -> bytes:
        try:
            for _ in film.frames:
                time.sleep(0.01)
        finally:
            self.left = True
        return b"all"


def test_esc_stops_an_export_and_leaves_nothing(stage: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, slow, file = stage(), Slow(monkeypatch), tmp_path / "game.gif"
    scene = made.show(Replay(made.app, long_game(), at_cursor=True))
    exported(made, file)
    card = made.app.overlay
    assert isinstance(card, dialogs.ProgressCard)
    made.until(lambda: 0 < card.share() < 1)
    made.press(pygame.K_ESCAPE)
    made.until(lambda: slow.left)
    made.frame(3)
    assert (made.app.scene, made.app.overlay) == (scene, None)
    assert made.app.message[0] == "“game.gif” was not exported."
    assert not file.exists()


def test_a_fault_of_the_encoder_is_a_sentence(made: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise ZeroDivisionError

    made.show(Replay(made.app, long_game(), at_cursor=True))
    monkeypatch.setattr(exports, "film_bytes", fail)
    exported(made, tmp_path / "game.gif")
    made.until(lambda: not made.app.jobs.busy)
    assert made.app.message[0] == "“game.gif”: something went wrong. The log has the details."
    assert list(tmp_path.glob("*.gif")) == []


def test_the_position_shown_is_copied(made: Stage, board: list[str]) -> None:
    record = pasted("h8i9g7")
    made.show(Replay(made.app, record, at_cursor=True))
    made.press(pygame.K_LEFT)
    made.press(pygame.K_c, CTRL)
    assert board[-1] == "h8i9"
    assert "copied" in made.app.message[0]


@pytest.mark.parametrize(
    "text",
    ["h8i9g7", "(;GM[4]SZ[15];B[hh];W[ig];B[gi])", "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,7,0\n7,9,0"],
)
def test_what_is_pasted_is_opened(made: Stage, board: list[str], text: str) -> None:
    board.append(text)
    for scene in (Home(made.app), Play(made.app, GameRecord(setup("gomoku")), autosave=False)):
        made.show(scene)
        made.press(pygame.K_v, CTRL)
        assert isinstance(made.app.scene, Replay)
        assert made.app.scene.state.record.position.ply == 3


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [("h8h8", "en", "move 2, “h8”, is illegal"), ("hello", "en", "neither a game nor moves"), ("", "en", "neither"),
     ("h8h8", "zh", "第 2 手“h8”不合规则"), ("hello", "zh", "剪贴板中既没有棋谱")],
)  # fmt: skip
def test_bad_text_is_one_sentence_and_changes_nothing(
    stage: Make, board: list[str], text: str, language: str, said: str
) -> None:
    made = stage(language=language)
    home = made.show(Home(made.app))
    board.append(text)
    made.press(pygame.K_v, CTRL)
    assert made.app.scene is home
    assert said in made.app.message[0]


def test_a_clipboard_that_is_closed_to_us_is_a_sentence(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> str:
        raise pygame.error("no")

    monkeypatch.setattr(pygame.scrap, "put_text", fail)
    monkeypatch.setattr(pygame.scrap, "get_text", fail)
    assert not clipboard.put("h8")
    made.show(Replay(made.app, pasted("h8"), at_cursor=True))
    made.press(pygame.K_c, CTRL)
    assert made.app.message[0] == "The clipboard cannot be used."


def test_pasting_into_a_line_of_text_opens_nothing(made: Stage, board: list[str]) -> None:
    save(pasted("h8"), saves_home() / "game.tengen.json")  # an empty library has nothing to search
    made.show(Home(made.app))
    made.press(pygame.K_l, CTRL)
    library: Any = made.app.scene
    made.until(lambda: library.state.games.total > 0)
    made.press(pygame.K_f, CTRL)
    assert library.widgets.typing
    board.append("h8i9")
    made.press(pygame.K_v, CTRL)
    assert made.app.scene is library
    assert library.widgets.elements["search"].text == "h8i9"  # type: ignore[attr-defined]
