"""Every scene in every look, language and size: nothing overlaps, nothing is cut off, all can be read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pygame
import pytest

from games.evaluation import Evaluation
from games.formats import save
from games.record import GameRecord
from games.registry import GAMES, setup
from tests.sampling import sampled
from tests.ui.reader import Reader
from tests.ui.scenes import SCENES, Size, long_game
from tests.ui.stage import LOOKS, SIZES, Cut, Make, Stage, act, changed, part
from ui.parts.win_bar import WinBar
from ui.play.move_list import MoveList
from ui.play.screen import Play
from ui.replay.moves_tab import MovesTab
from ui.replay.screen import Replay
from ui.toolkit import dialogs
from ui.toolkit.art import styles
from ui.toolkit.controls import Button
from ui.toolkit.dialogs import ProgressCard
from ui.toolkit.i18n import LANGUAGES, t
from ui.toolkit.typesetting import width_of
from ui.window.screen import Screen

QUICK = [(("paper", "zh"), SIZES[0])]
"""In the normal run; `.ci/run` has the others: each look in the smallest window, where room is scarce, and in one more
size."""
LARGER = [(look, SIZES[1 + number % 2]) for number, look in enumerate(LOOKS)]
BETWEEN: list[Size] = [((1200, 800), 125), ((1440, 960), 150), ((1680, 1120), 175)]
"""The smallest windows at scales where lengths are rounded: words that fit at 100 and 200 per cent were cut off."""
ROUNDED = [(look, size) for number, look in enumerate(LOOKS) for size in (BETWEEN[0], BETWEEN[1 + number % 2])]
SLOW = [each for each in (*product(LOOKS, SIZES[:1]), *LARGER, *ROUNDED) if each not in QUICK]
OTHERS = [pytest.param(*each, marks=pytest.mark.slow) for each in SLOW]


@pytest.mark.slow
@pytest.mark.parametrize(("look", "size"), [*QUICK, *OTHERS], ids=str)
def test_nothing_overlaps_is_cut_off_or_cannot_be_read(
    stage: Make, reader: Reader, look: tuple[str, str], size: Size
) -> None:
    """In the smallest window a sum of mistakes lay over the table below, and an outlook over the sign of a comment."""
    made = stage(*size, *look)
    faults: list[str] = []
    for name, make in SCENES.items():
        made.cuts.clear()
        reader.read.clear()
        scene = made.show(make(made))
        scene.close()
        made.app.settings.numbers = not made.app.settings.numbers
        made.frame()
        assert reader.read, f"{name} writes nothing"
        faults.extend(f"{name}: {fault}" for fault in button_faults(made, scene))
        faults.extend(f"{name}: {cut.text!r} is cut off: {cut.shown!r}" for cut in made.cuts if not may_be_cut(cut))
        faults.extend(f"{name}: {text!r} has a contrast of {ratio:.2f}" for text, ratio in reader.poor.items())
    assert not faults, "\n".join(faults)


def may_be_cut(cut: Cut) -> bool:
    """Names of files and folders may be of any length, and so may comments."""
    return any(part in cut.text for part in ("tengen.json", "A comment", "/", "on and on", "10.05."))


def button_faults(made: Stage, scene: Screen) -> Iterator[str]:
    elements = {key: element for key, element in scene.widgets.elements.items() if element.visible}
    window = pygame.Rect((0, 0), made.app.size)
    for key, element in elements.items():
        if not window.contains(element.rect):
            yield f"{key} sticks out of the window: {element.rect}"
        if min(element.rect.size) < made.app.theme.px(30 if isinstance(element, Button) else 24):
            yield f"{key} is too small to hit: {element.rect}"
        if isinstance(element, Button) and "recent" not in key and overflows(element):
            yield f"the text of {key} is wider than the button"
    for (one, first), (other, second) in combinations(elements.items(), 2):
        if first.rect.colliderect(second.rect):
            yield f"{one} and {other} overlap"


def overflows(button: Button) -> bool:
    style = styles(button.theme.palette)[button.style]
    return bool(button.text) and width_of(button.theme, button.text, style.size, style.bold) > button.rect.width - 8


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_the_win_bar_is_beside_the_board_and_as_high(stage: Make, game: str, size: Size) -> None:
    made = stage(*size)
    record = GameRecord(setup(game))
    record.cursor.evaluation = Evaluation(100, None, 5)
    scene: Any = made.show(Replay(made.app, record))
    made.frame(2)
    bar, area = part(scene, WinBar).rect, scene.board.area
    end = bar.width + made.app.theme.px(4)
    assert (bar.top - end, bar.height + 2 * end) == (area.top, area.height), "with a piece at each end"
    assert made.app.theme.px(4) <= area.left - bar.right <= made.app.theme.px(12)
    assert bar.left >= 0


@pytest.mark.parametrize("size", sampled([(each,) for each in SIZES], 1))
def test_the_list_of_moves_has_room(stage: Make, size: Size) -> None:
    made = stage(*size)
    for name in ("play", "replay", "replay branched", "replay bones", "play bones finished"):
        scene: Any = made.show(SCENES[name](made))
        moves = part(scene, MovesTab).tree if isinstance(scene, Replay) else part(scene, MoveList)
        assert moves.rect.height >= made.app.theme.px(2 * 30), f"{name}: two rows at the least"


@pytest.mark.parametrize(("look", "size"), [*QUICK, *OTHERS], ids=str)
def test_the_page_of_keys_fits_and_can_be_read(stage: Make, reader: Reader, look: tuple[str, str], size: Size) -> None:
    made = stage(*size, *look)
    for name in ("empty home", "play small", "replay bones", "library", "settings"):
        made.show(SCENES[name](made)).close()
        made.app.show_keys()
        made.cuts.clear()
        reader.read.clear()
        made.app.overlay.draw(made.app.surface)
        assert not [cut for cut in made.cuts if not may_be_cut(cut)], name
        assert len(reader.read) > 12, name
        assert reader.poor == {}, name


@pytest.mark.parametrize(("look", "size"), [*QUICK, *OTHERS], ids=str)
def test_the_file_dialog_fits(stage: Make, look: tuple[str, str], size: Size) -> None:
    made = stage(*size, *look)
    for saving in (True, False):
        scene: Any = made.show(SCENES["play small"](made))
        made.cuts.clear()
        act(scene, "ctrl+shift+s") if saving else act(scene, "ctrl+o")
        dialog: Any = made.app.overlay
        assert pygame.Rect((0, 0), made.app.size).contains(dialog.rect)
        widgets = tuple(dialog.widgets.elements.values())
        assert {"ok", "cancel", "path", "files", "place.home"} <= set(dialog.widgets.elements)
        for each in widgets:
            assert dialog.rect.contains(each.rect), each
            assert not isinstance(each, Button) or not overflows(each), each.text
        assert not [pair for pair in combinations(widgets, 2) if pair[0].rect.colliderect(pair[1].rect)]
        assert not [cut for cut in made.cuts if not may_be_cut(cut)]
        made.app.overlay = None


@pytest.mark.parametrize(("look", "size"), list(product(LOOKS, SIZES[:2])), ids=str)
def test_nothing_on_a_card_of_progress_is_cut_off(
    stage: Make, look: tuple[str, str], size: Size, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "SHOWN", -1.0)
    made, name = stage(*size, *look), "2026-11-21 10.05.00 gomoku.tengen.json"
    for title in ("opening.title", "export.title", "library.import.working"):
        ProgressCard(made.app.window, t(title), name, lambda: 1.0, lambda: None).draw(made.app.surface)
    assert made.cuts == []


def test_a_dropped_file_opens_in_the_replay(made: Stage, tmp_path: Path) -> None:
    save(long_game(plies=9), tmp_path / "game.tengen.json")
    for name in ("home", "setup gomoku", "play", "replay", "settings"):
        made.show(SCENES[name](made))
        made.app.dispatch(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "game.tengen.json")))
        made.frame()
        assert isinstance(made.app.scene, Replay), name
        assert len(made.app.scene.state.record.line()) == 10


def test_a_dropped_file_that_is_no_game_is_a_sentence(made: Stage, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no moves here", encoding="utf-8")
    scene = made.show(SCENES["play"](made))
    for file in ("notes.txt", "missing.tengen.json", "picture.png", "."):
        made.app.notices.update(math.inf, None)
        made.app.dispatch(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / file)))
        made.frame()
        assert made.app.message[0], file
        assert made.app.scene is scene


@pytest.mark.parametrize(("day", "proposed"), [("2026-05-01T12:00:00", "2026-05-01"), ("the day after", None)])
def test_the_name_that_saving_proposes_is_new(made: Stage, day: str, proposed: str | None) -> None:
    record = GameRecord(setup("gomoku"), date=day)
    scene: Any = made.show(Play(made.app, record, autosave=False))
    expected = proposed or datetime.now().date().isoformat()
    for number in ("", " 2"):
        act(scene, "ctrl+shift+s")
        dialog: Any = made.app.overlay
        shown = Path(dialog.line.text)
        assert shown == made.home / "saves" / f"Gomoku {expected}{number}.tengen.json"
        dialog.pick()
        made.app.files.settle()
        assert shown.is_file()


@pytest.mark.parametrize("name", sampled(
    ["play finished", "replay", "setup gomoku", "play on", "position editor", "profile", "settings", "about"], 3
))  # fmt: skip
def test_a_scene_speaks_another_language_at_once(stage: Make, name: str) -> None:
    pictures = []
    for before in LANGUAGES:
        made = stage(language=before)
        scene = made.show(SCENES[name](made))
        made.app.settings.language = "zh"
        made.app.restyle()
        made.frame(2)
        if isinstance(scene, Replay):  # what a thread finds to say of the position came in one of two pictures
            made.until(lambda state=scene.state: state.knowledge.view is not None)
        pictures.append(made.app.surface.copy())
    assert not any(changed(pictures[0], other) for other in pictures[1:])
