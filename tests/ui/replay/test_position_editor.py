"""The analysis board: any position can be set up, and nothing that cannot be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from ai.service.profile import unrated_because
from games.coords import cell_text
from games.edits import Arrangement
from games.formats import load, pasted
from games.formats.text import parse
from games.position import Stones
from games.record import PERSON, GameRecord, Seat, moves_to
from games.registry import GAMES, setup
from tests.ui.stage import Stage, act, part
from ui.board.pictures import Picture, animation, still_picture
from ui.replay.position_editor import ERASER, EditorBoard, PositionEditor
from ui.replay.screen import Replay
from ui.setup.screen import SetupScreen
from ui.toolkit import text_line as clipboard
from ui.toolkit.i18n import t


def opened(made: Stage, record: GameRecord | None = None) -> PositionEditor:
    """With the tool of the first side taken."""
    scene = made.show(PositionEditor(made.app, record))
    scene.state.choose_tool(0)
    made.frame()
    return scene


@pytest.fixture
def scene(made: Stage) -> PositionEditor:
    """With an empty board of gomoku."""
    return opened(made)


def cell(scene: PositionEditor, text: str) -> int:
    """The move that is written so, which is a cell in games of stones on points."""
    return scene.state.position.parse_move(text)


def click(made: Stage, scene: PositionEditor, text: str, button: int = 1) -> None:
    made.click(scene.board.pixel_of(cell(scene, text)), button)


def stones(scene: PositionEditor) -> list[str]:
    """The names of the cells of both sides."""
    of = scene.state.now.stones(scene.state.now.turn).of
    return [" ".join(sorted(cell_text(each, *scene.state.now.setup.board) for each in side)) for side in of]


def drag(made: Stage, scene: PositionEditor, *texts: str, button: int = 1) -> None:
    """Hold a button from one move to the next, with a motion in between that stays where it was."""
    pixels = [scene.board.pixel_of(cell(scene, text)) for text in texts]
    made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pixels[0], button=button))
    for x, y in pixels:
        for pos in ((x, y), (x + 2, y)):
            made.app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(1, 0), buttons=(1, 0, 0)))
            made.frame()
    made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pixels[-1], button=button))


def test_stones_are_put_and_taken_away_by_click_and_by_key(made: Stage, scene: PositionEditor) -> None:
    click(made, scene, "h8")
    made.push("tool.1")
    click(made, scene, "i9")
    click(made, scene, "a1")
    assert stones(scene) == ["h8", "a1 i9"]
    click(made, scene, "h8")
    assert stones(scene) == ["", "a1 h8 i9"], "another stone in its place"
    click(made, scene, "h8")
    click(made, scene, "i9", button=3)
    assert stones(scene) == ["", "a1"]
    made.press(pygame.K_4)
    assert scene.state.tool == ERASER
    click(made, scene, "a1")
    assert stones(scene) == ["", ""]
    made.keys(pygame.K_2, pygame.K_RIGHT, pygame.K_SPACE)
    assert stones(scene) == ["b1", ""], "beside the mouse"


@pytest.mark.parametrize(("game", "moves"), [("gomoku", "h8 i9 g7"), ("tictactoe", "b2 a1 c3"), ("connect4", "d d e")])
def test_clicks_alternate_colours_until_another_tool_is_taken(made: Stage, game: str, moves: str) -> None:
    """All were of the first side."""
    scene = made.show(PositionEditor(made.app, GameRecord(setup(game))))
    assert "side to move" in scene.status_line()[0]
    for text in moves.split():
        click(made, scene, text)
    record = parse(moves, setup(game))
    assert scene.state.now == Arrangement.of(record)
    assert scene.widgets.buttons["turn.1"].chosen, "the button follows"
    drag(made, scene, "a", "b") if game == "connect4" else drag(made, scene, "c1", "c2")
    assert sum(map(bool, scene.state.now.cells)) == 4, "a held button does not alternate"
    act(scene, "ctrl+z")
    assert scene.state.now == Arrangement.of(record)


def test_stones_are_heard_where_they_are_put_and_counted_and_the_turn_is_changed_by_a_key(
    made: Stage, scene: PositionEditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(made.app.sounds, "play", heard.append)
    seen = []
    for text, tool, button in (("h8", 0, 1), ("i9", 0, 1), ("h8", 1, 1), ("i9", 1, 3), ("a1", ERASER, 1)):
        scene.state.choose_tool(tool)
        click(made, scene, text, button)
        seen.append((len(heard), scene.status_line()[0]))
    first, second = (t("side.gomoku.0"), t("side.gomoku.1"))
    counts = [(1, 0), (2, 0), (1, 1), (0, 1), (0, 1)]
    told = [f"{first}: {black} · {second}: {white}" for black, white in counts]
    assert seen == list(zip((1, 2, 3, 3, 3), told, strict=True)), "taking away is silent"
    for turn in (1, 0, 1):
        act(scene, "x")
        assert scene.state.now.turn == scene.state.position.turn == turn


def test_a_click_on_a_stone_in_turn_takes_it_back(made: Stage) -> None:
    scene = made.show(PositionEditor(made.app, parse("h8i9g7")))
    click(made, scene, "g7")
    assert scene.state.now == Arrangement.of(parse("h8i9"))
    full = made.show(PositionEditor(made.app, parse("aaaaaa", setup("connect4"))))
    click(made, full, "a")
    assert full.state.now == Arrangement.of(parse("aaaaa", setup("connect4")))


def test_only_clicks_on_cells_are_used_up(scene: PositionEditor) -> None:
    inside, board = scene.board.pixel_of(112), part(scene, EditorBoard)
    for kind, pos, button, used in (
        (pygame.MOUSEBUTTONDOWN, inside, 1, True), (pygame.MOUSEBUTTONDOWN, inside, 3, True),
        (pygame.MOUSEBUTTONDOWN, inside, 2, False), (pygame.MOUSEBUTTONDOWN, (0, 0), 1, False),
        (pygame.MOUSEMOTION, inside, 1, False), (pygame.MOUSEBUTTONUP, inside, 1, False),
    ):  # fmt: skip
        assert board.handle(pygame.event.Event(kind, pos=pos, button=button)) is used


def test_a_held_button_puts_one_stone_after_the_other(made: Stage, scene: PositionEditor) -> None:
    drag(made, scene, "c3", "d3", "e3")
    made.hover(scene.board.pixel_of(cell(scene, "h8")))
    assert stones(scene) == ["c3 d3 e3", ""]


@pytest.mark.parametrize(("game", "row"), [("gomoku", "h8 i8 j8 k8 l8"), ("connect4", "a b c d")])
def test_a_row_that_has_won_is_refused_with_a_sentence(made: Stage, game: str, row: str) -> None:
    scene = opened(made, GameRecord(setup(game)))
    for text in row.split():
        click(made, scene, text)
    assert len(stones(scene)[0].split()) == len(row.split()) - 1
    assert made.app.message[0] == t("editor.refused")


def test_a_rule_by_which_a_row_has_won_is_refused(made: Stage) -> None:
    """Six in a row stand in standard gomoku, and win in freestyle."""
    record = GameRecord(setup("gomoku", rule="standard"))
    scene = opened(made, record)
    for text in ("a1", "b1", "c1", "e1", "f1", "d1"):
        click(made, scene, text)
    made.push("rule.freestyle")
    assert scene.state.now.setup.rule == "standard"
    assert made.app.message[0] == t("editor.refused")
    made.push("rule.renju")
    assert scene.state.now.setup.rule == "renju", "where black may not have six, but does not win with them either"


def test_another_size_leaves_the_stones_in_the_middle(made: Stage) -> None:
    scene = opened(made, parse("h8i9a1", setup("gomoku")))
    made.push("size.less", "size.less")
    assert scene.state.now.setup.size == 13
    assert stones(scene) == ["g7", "h8"], "a1 is not on the board any more"
    for _ in range(2):
        act(scene, "ctrl+z")
    assert stones(scene) == ["a1 h8", "i9"]


def test_nothing_is_pointed_at_on_a_board_that_is_no_more(made: Stage, scene: PositionEditor) -> None:
    """A stone at a cursor that was left outside a smaller board ended the program."""
    made.push("size.more")
    made.hover(scene.board.pixel_of(16 * 16 - 1))
    made.press(pygame.K_z, pygame.KMOD_LCTRL)
    made.keys(pygame.K_RIGHT, pygame.K_SPACE)
    assert scene.state.now.setup.size == 15
    assert len(stones(scene)[0].split()) == 1


def test_a_click_before_a_chosen_board_is_laid_out_does_nothing(made: Stage, scene: PositionEditor) -> None:
    """It came in the same frame, and put a stone on a cell of the board before."""
    corner = scene.board.pixel_of(15 * 15 - 1)
    scene.widgets.press("game.tictactoe")
    for kind in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        made.app.dispatch(pygame.event.Event(kind, pos=corner, button=1))
    made.frame()
    assert (scene.state.now.setup.game, stones(scene)) == ("tictactoe", ["", ""])


def test_discs_fall_into_their_columns_and_are_taken_from_the_top(made: Stage) -> None:
    scene = opened(made, GameRecord(setup("connect4")))
    for column in "ddd":
        click(made, scene, column)
    assert stones(scene) == ["d1 d2 d3", ""], "a click on a disc puts another one on top"
    made.press(pygame.K_3)
    click(made, scene, "d")
    click(made, scene, "d", button=3)
    click(made, scene, "d", button=3)
    click(made, scene, "a")
    assert stones(scene) == ["d1 d2", "a1"]
    click(made, scene, "g", button=3)
    assert stones(scene) == ["d1 d2", "a1"], "there was none"
    made.press(pygame.K_4)
    click(made, scene, "d")
    assert stones(scene) == ["d1", "a1"]
    act(scene, "ctrl+z")
    assert stones(scene) == ["d1 d2", "a1"]
    made.press(pygame.K_DELETE)
    assert stones(scene) == ["", ""]


def test_a_drag_puts_one_disc_into_each_column_that_it_crosses(made: Stage) -> None:
    scene = opened(made, GameRecord(setup("connect4")))
    drag(made, scene, "b", "c", "d")
    assert stones(scene) == ["b1 c1 d1", ""]
    drag(made, scene, "b", "c", "b", button=3)
    assert stones(scene) == ["d1", ""]


def test_a_click_on_a_full_column_changes_its_highest_disc(made: Stage) -> None:
    scene = opened(made, parse("aaaaaa", setup("connect4")))
    assert stones(scene) == ["a1 a3 a5", "a2 a4 a6"]
    click(made, scene, "a")
    assert stones(scene) == ["a1 a3 a5 a6", "a2 a4"]
    click(made, scene, "a")
    assert stones(scene) == ["a1 a3 a5", "a2 a4"]


def test_the_keyboard_drops_discs(made: Stage) -> None:
    scene = opened(made, GameRecord(setup("connect4")))
    made.keys(pygame.K_RIGHT, pygame.K_SPACE, pygame.K_SPACE, pygame.K_3, pygame.K_RIGHT, pygame.K_SPACE)
    assert stones(scene) == ["d1 d2", "e1"]
    made.keys(pygame.K_4, pygame.K_SPACE)
    assert stones(scene) == ["d1 d2", ""]


def test_a_heap_grows_and_shrinks_by_clicks_and_by_the_stepper(made: Stage) -> None:
    scene = opened(made, parse("3 2 1", setup("bones")))
    assert (scene.state.now.setup.size, scene.state.now.turn, scene.state.now.cells) == (15, 1, b"")
    assert not {"tool.0", "clear"} & scene.widgets.elements.keys()
    click(made, scene, "3")
    click(made, scene, "1", button=3)
    made.push("size.less")
    assert scene.state.position.legal_moves() == setup("bones", 12).start().legal_moves()
    assert scene.state.now.setup.size == 12
    made.keys(pygame.K_RIGHT, pygame.K_SPACE)
    assert scene.state.now.setup.size == 10, "the card on the right of that under the mouse"
    for _ in range(30):
        click(made, scene, "3", button=3)
    assert scene.state.now.setup.size == 60
    for _ in range(30):
        click(made, scene, "3")
    assert scene.state.now.setup.size == 1
    made.keys(pygame.K_1, pygame.K_DELETE)
    assert (scene.state.now.setup.size, scene.state.now.turn) == (1, 1)
    act(scene, "ctrl+z")
    assert scene.state.now.setup.size == 3


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_set_up_analysed_and_saved(made: Stage, scene: PositionEditor, game: str, tmp_path: Path) -> None:
    if game != scene.state.now.setup.game:
        made.push(f"game.{game}")
    click(made, scene, scene.state.position.move_text(list(scene.state.position.legal_moves())[1]))
    made.push("turn.1")
    assert scene.state.position.turn == 1
    made.press(pygame.K_RETURN)
    replay = made.app.scene
    assert replay.state.record.position == scene.state.position
    assert (replay.state.tab, replay.state.analyst.on) == ("analysis", True)
    replay.state.file.save_to(tmp_path / "game.tengen.json")
    made.app.files.settle()
    again = load(tmp_path / "game.tengen.json")
    assert (again.stones, again.position) == (replay.state.record.stones, scene.state.position)
    act(replay, "ctrl+c")
    assert pasted(clipboard.text()).position == scene.state.position
    for ending in (".png", ".gif", ".svg"):
        picture = Picture(ending)
        still = None if picture.animated else still_picture(again, again.cursor, picture)
        assert still or animation(again, again.line(), picture)
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is scene
    made.press(pygame.K_RETURN)
    assert made.app.scene is replay, "the same position"
    made.keys(pygame.K_ESCAPE, pygame.K_x, pygame.K_RETURN)
    assert made.app.scene not in (scene, replay)


def test_games_without_set_up_positions_are_not_offered(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "connect4", replace(GAMES["connect4"], arrange=None))
    scene = opened(made, parse("ddd", setup("connect4")))
    assert scene.state.now == Arrangement.empty(setup("gomoku"))
    offered = {name for name in scene.widgets.elements if name.startswith("game.")}
    assert offered == {f"game.{key}" for key in GAMES.keys() - {"connect4"}}


def test_a_game_that_is_played_on_has_the_stones_and_is_not_rated(made: Stage, scene: PositionEditor) -> None:
    """It began on an empty board."""
    click(made, scene, "c3")
    made.press(pygame.K_p)
    assert isinstance(made.app.scene, SetupScreen)
    made.press(pygame.K_RETURN)
    play = made.app.scene
    assert play.state.record.stones == Stones(((cell(scene, "c3"),), ()), 0)
    play.state.record.seats = Seat(PERSON), Seat("level:3")
    assert unrated_because(play.state.record) == "position"


def test_a_pasted_position_is_set_up(made: Stage, scene: PositionEditor, board: list[str]) -> None:
    board.append("(;GM[4]SZ[15]AB[hh][gg]AW[ig])")
    made.press(pygame.K_v, pygame.KMOD_LCTRL)
    assert made.app.scene is scene
    assert stones(scene) == ["g9 h8", "i9"]
    made.press(pygame.K_z, pygame.KMOD_LCTRL)
    assert stones(scene) == ["", ""]


@pytest.mark.parametrize("text", ["h8i9j10", "dced", "3 2"])
def test_pasted_moves_are_a_game(made: Stage, scene: PositionEditor, board: list[str], text: str) -> None:
    board.append(text)
    made.press(pygame.K_v, pygame.KMOD_LCTRL)
    assert isinstance(made.app.scene, Replay)
    record = made.app.scene.state.record
    assert record.stones is None
    assert moves_to(record.cursor) == moves_to(pasted(text).cursor)


def test_a_board_that_is_full_can_not_be_analysed(made: Stage) -> None:
    scene = opened(made, parse("b2a1c1a3a2c2b1b3c3", setup("tictactoe")))
    assert scene.widgets.buttons["analyse"].enabled, "before the last move"
    made.press(pygame.K_1)
    click(made, scene, "c3")
    assert scene.state.position.outcome is not None
    assert not scene.widgets.buttons["analyse"].enabled
    made.keys(pygame.K_RETURN, pygame.K_p)
    assert made.app.scene is scene
    made.push("clear")
    assert stones(scene) == ["", ""]
