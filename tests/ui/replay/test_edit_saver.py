"""What a reader changes in a replay is on the disk at once, and the game stays what it was."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from ai.core.player import Info, Limit, Line, Player, Stop
from games.evaluation import Evaluation
from games.formats import load, save
from games.position import Outcome, Position
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home
from tests.ui.stage import Stage, thinks, until
from ui import screens
from ui.parts.analyst import SECONDS
from ui.parts.ratings import will_count
from ui.replay.screen import Replay
from ui.toolkit import dialogs
from ui.toolkit.i18n import t
from ui.words.views import chance_text

MOVES = (112, 97, 98, 99, 113)
UNDO = (pygame.K_z, pygame.KMOD_LCTRL)


def saved(folder: Path, name: str = "game.tengen.json", cursor: int = 5) -> Path:
    record = GameRecord(setup("gomoku"), (Seat(PERSON), Seat("engine")))
    for move in MOVES:
        record.play(move)
    if cursor < len(MOVES):
        record.go_to(record.line()[cursor])
    else:
        record.resign(1)
    save(record, folder / name)
    return folder / name


def opened(made: Stage, file: Path) -> Any:
    thinks(made.app, lambda _: FINDS)
    made.app.open_file(file)
    made.until(lambda: isinstance(made.app.scene, Replay))
    return made.app.scene


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return saved(tmp_path)


@pytest.fixture
def scene(made: Stage, file: Path) -> Any:
    """The replay of `file`."""
    return opened(made, file)


def test_removals_and_promotions_are_in_the_file_and_undo_takes_them_back(made: Stage, file: Path, scene: Any) -> None:
    scene.state.choose(7)
    made.keys(pygame.K_HOME, pygame.K_p)
    assert roots(made, file) == [7, 112]
    made.press(pygame.K_DELETE)
    assert roots(made, file) == [112]
    for expected in ([7, 112], [112, 7], [112]):
        made.press(*UNDO)
        assert roots(made, file) == expected
    made.press(*UNDO)
    assert roots(made, file) == [112]


def roots(made: Stage, file: Path) -> list[int | None]:
    made.app.files.settle()
    return [child.move for child in load(file).root.children]


def test_a_game_that_was_only_looked_at_is_not_written(made: Stage, tmp_path: Path) -> None:
    file = saved(tmp_path)
    before = file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino
    scene = opened(made, file)
    made.keys(pygame.K_END, pygame.K_LEFT, pygame.K_LEFT, pygame.K_UP, pygame.K_p)
    scene.state.choose(MOVES[3])  # the move that follows
    made.press(pygame.K_ESCAPE)
    assert (file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino) == before


@pytest.mark.parametrize("cursor", [3, 5])
def test_a_variation_does_not_change_how_a_game_ended_or_its_cursor(made: Stage, tmp_path: Path, cursor: int) -> None:
    file = saved(tmp_path, cursor=cursor)
    scene = opened(made, file)
    made.press(pygame.K_RIGHT)
    scene.state.choose(7)
    made.press(pygame.K_ESCAPE)
    after = load(file)
    assert [node.move for node in after.line()] == [None, *MOVES]
    assert after.cursor.position.ply == cursor
    assert after.outcome == (Outcome(0, "resigned") if cursor == 5 else None)


def test_a_removed_end_of_the_game_leaves_what_is_before_it(made: Stage, file: Path, scene: Any) -> None:
    made.keys(pygame.K_RIGHT, pygame.K_DELETE)
    made.app.files.settle()
    assert [node.move for node in load(scene.state.file.own).line()] == [None, 112]
    assert load(file).position.ply == len(MOVES), "it has ended"
    made.press(*UNDO)
    made.app.files.settle()
    assert load(file).outcome == Outcome(0, "resigned")


def test_where_an_edit_is_kept_is_said_after_what_it_did(made: Stage, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("h8i9g7\n", encoding="utf-8")
    scene = opened(made, file)
    scene.state.remove(scene.state.record.line()[-1])
    assert made.app.message[0] == t("replay.removed")
    scene.state.undo()
    assert made.app.message[0] == t("replay.undone")
    made.app.notices.update(time.monotonic() + dialogs.SECONDS, scene)
    assert made.app.message[0] == t("replay.copied_format", name=file.name, copy="game.tengen.json")
    made.app.notices.update(time.monotonic() + dialogs.SECONDS, scene)
    assert not made.app.message[0]


@pytest.mark.parametrize("text", [True, False])
def test_variations_that_a_file_cannot_take_are_kept_in_a_copy(
    made: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: bool
) -> None:
    """A format without variations, or a file that cannot be written."""
    file = tmp_path / "game.txt" if text else saved(tmp_path)
    if text:
        file.write_text("h8i9g7\n", encoding="utf-8")
    before = file.read_bytes()
    scene = opened(made, file)
    nodes = len(list(scene.state.record.nodes()))
    if not text:
        refuse(monkeypatch, tmp_path)
    scene.state.choose(7)
    made.app.files.settle()
    made.frame()
    made.app.notices.update(time.monotonic() + dialogs.SECONDS, scene)
    assert made.app.message[0].startswith(f"“{file.name}” {'is left as it is' if text else 'cannot be changed'}")
    scene.state.choose(8)
    made.press(pygame.K_ESCAPE)
    assert file.read_bytes() == before
    (copy,) = saves_home().iterdir()
    assert len(list(load(copy).nodes())) == nodes + 2
    assert str(copy) in made.app.settings.recent


def test_changes_that_found_no_room_are_saved_when_the_replay_is_left(
    made: Stage, file: Path, scene: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        refuse(full, tmp_path, saves_home())
        scene.state.choose(7)
        made.app.files.settle()
        made.frame()
        assert "is not saved" in made.app.message[0]
    made.press(pygame.K_ESCAPE)
    (copy,) = saves_home().iterdir()
    assert [child.move for child in load(copy).root.children] == [112, 7]


def refuse(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Makes the system refuse files in `folders`, as it would to anybody but root."""
    replace = os.replace

    def refusing(source: Any, target: Any) -> None:
        if Path(target).parent in folders and Path(target).name != "settings.json":
            raise PermissionError(13, "Permission denied")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refusing)


def test_what_is_saved_as_another_file_gets_later_changes(made: Stage, file: Path, scene: Any, tmp_path: Path) -> None:
    other = tmp_path / "other.tengen.json"
    scene.state.file.save_to(other)
    made.app.files.settle()
    scene.state.choose(7)
    made.press(pygame.K_ESCAPE)
    assert [child.move for child in load(other).root.children] == [112, 7]
    assert [child.move for child in load(file).root.children] == [112]


def test_a_position_has_one_score_the_best_known(made: Stage, file: Path, scene: Any) -> None:
    """The header showed the score of a search one ply deep beside that of the analysis."""
    node = scene.state.record.root
    node.evaluation = Evaluation(-30, None, 1)
    analysed(scene, Info(97, 250, 15, 1000, 1.0, (Line(250, (97,)),)))
    assert node.evaluation == Evaluation(250, None, 15, (97,), SECONDS, wanted=3, by="engine")
    assert scene.all_marks().candidates[0].text == "91 %"
    assert chance_text("gomoku", scene.state.knowledge.wins) == "Black's win probability: 91 %"
    analysed(scene, Info(98, 70, 2, 1000, 1.0, (Line(70, (98,)),)))
    assert node.evaluation == Evaluation(250, None, 15, (97,), 2 * SECONDS, wanted=3, by="engine")
    assert scene.all_marks().candidates[0].text == "91 %"
    made.press(pygame.K_ESCAPE)
    assert load(file).root.evaluation == node.evaluation


class Finds(Player):
    nodes = 0
    info = Info(0)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield self.info


FINDS = Finds()


def analysed(scene: Any, info: Info) -> None:
    """Lets the analysis of the position find `info`."""
    analyst = scene.state.analyst
    if analyst.on:
        analyst.deepen()
    FINDS.info = info
    analyst.on = True
    until(scene.host, lambda: analyst.complete and not analyst.busy)


def test_evaluations_alone_make_no_copy(made: Stage, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("h8i9g7\n", encoding="utf-8")
    scene = opened(made, file)
    analysed(scene, Info(97, 250, 15, 1000, 1.0, (Line(250, (97,)),)))
    made.press(pygame.K_ESCAPE)
    assert not saves_home().exists()


def test_lost_evaluations_are_told(made: Stage, file: Path, scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing told that a review was lost."""
    before = file.read_bytes()
    refuse(monkeypatch, file.parent)
    analysed(scene, Info(97, 250, 15, 1000, 1.0, (Line(250, (97,)),)))
    made.frame()
    made.app.files.settle()
    assert made.app.message[0] == (
        "“game.tengen.json” cannot be changed: permission denied. What the computer finds is not saved."
    )
    assert file.read_bytes() == before
    assert not saves_home().exists()


def test_two_copies_of_the_same_title_on_a_full_disk_are_two_files(
    made: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second took the name that the first was still waiting for, and its place."""
    with monkeypatch.context() as refused:
        refuse(refused, saves_home())
        for folder, move in ((tmp_path / "one", 7), (tmp_path / "two", 8)):
            folder.mkdir()
            (folder / "game.sgf").write_text("(;GM[4]SZ[15];B[hh])")
            scene = opened(made, folder / "game.sgf")
            scene.state.choose(move)
            made.app.files.settle()
            made.app.open(screens.home)
            made.frame()
        assert len(made.app.files.unsaved) == 2


def test_a_game_whose_end_was_removed_became_unfinished(made: Stage, file: Path, scene: Any) -> None:
    """It could be continued, and a lost game be won."""
    before = load(file)
    assert before.outcome is not None
    scene.state.remove(scene.state.record.main_end())
    made.app.files.settle()
    assert load(file) == before, "the game stays as it ended"
    copy = scene.state.file.own
    assert copy != file
    assert (load(copy).position.ply, load(copy).outcome) == (len(MOVES) - 1, None)
    scene.state.undo()
    made.app.files.settle()
    assert load(copy).main_end().outcome == before.outcome
    assert len(list(saves_home().glob("*"))) == 1


def test_what_is_left_of_a_rated_game_without_its_end_is_not_rated(made: Stage, tmp_path: Path) -> None:
    record = GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:2")))
    for move in (*MOVES, 0, 1, 2):
        record.play(move)
    record.resign(0)
    save(record, tmp_path / "lost.tengen.json")
    scene = opened(made, tmp_path / "lost.tengen.json")
    scene.state.remove(scene.state.record.line()[-1])
    made.app.files.settle()
    assert not will_count(made.app, load(scene.state.file.own), scene.state.file.own)
    assert will_count(made.app, load(scene.state.file.own), None)
