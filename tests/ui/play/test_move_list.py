"""The list of moves beside a game that is played: where they stand, scrolling, and what the pointer does."""

from __future__ import annotations

import pygame
import pytest

from games.evaluation import Evaluation
from games.formats.text import parse
from games.position import Stones
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.stage import Stage, changed, part
from ui.play.move_list import MoveList
from ui.play.screen import Play
from ui.toolkit.space import Space
from ui.toolkit.theme import mix
from ui.toolkit.typesetting import width_of
from ui.words.move_words import node_reason
from ui.words.views import node_outlook

MOVES = "h8i9g7i7i8g8j8h6k8l8k9"
ROOM = pygame.Rect(20, 40, 248, 119)
"""Of three whole rows of 30 pixels."""


def listed(made: Stage, record: GameRecord | None = None, room: pygame.Rect = ROOM) -> tuple[Play, MoveList]:
    """The list of a game of two people, laid out in `room`."""
    record = record or parse(MOVES)
    record.seats = Seat(PERSON), Seat(PERSON)
    scene = made.show(Play(made.app, record, autosave=False))
    found = part(scene, MoveList)
    found.build(Space(room, 0))
    return scene, found


def seen(found: MoveList) -> list[int]:
    """The numbers of the moves in sight."""
    return [int(name.removeprefix("move.")) for name in found.places()]


def wheel(made: Stage, found: MoveList, notches: int, at: tuple[int, int] = ROOM.topleft) -> bool:
    made.pointer = at
    return found.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=notches))


def drawn(found: MoveList) -> pygame.Surface:
    surface = pygame.Surface((300, 400))
    found.draw(surface, 0.0)
    return surface


def test_the_moves_stand_in_a_column_for_each_side(made: Stage) -> None:
    _, found = listed(made, parse(MOVES[:10]))
    assert found.rect.height == 90
    assert found.places() == {
        "move.1": (110, 55), "move.2": (210, 55), "move.3": (110, 85), "move.4": (210, 85), "move.5": (110, 115),
    }  # fmt: skip
    second = GameRecord(setup("gomoku"), stones=Stones(((112,), ()), 1))
    for move in (0, 1):
        second.play(move)
    assert listed(made, second)[1].places() == {"move.1": (210, 55), "move.2": (110, 85)}
    assert listed(made, GameRecord(setup("gomoku")))[1].places() == {}


@pytest.mark.parametrize(
    ("pixel", "move"),
    [((60, 40), 7), ((159, 69), 7), ((160, 69), 8), ((259, 40), 8), ((60, 70), 9), ((60, 129), 11), ((59, 45), None),
     ((260, 45), None), ((160, 129), None), ((60, 39), None), ((60, 130), None)],
)  # fmt: skip
def test_a_move_is_where_it_is_drawn(made: Stage, pixel: tuple[int, int], move: int | None) -> None:
    scene, found = listed(made)
    node = found.node_at(pixel)
    assert (None if node is None else node.position.ply) == move
    event = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pixel, button=1)
    assert found.handle(event) is (move is not None)
    assert scene.state.moment.position.ply == (move or 11)
    assert not found.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(60, 40), button=3))


def test_the_wheel_scrolls_by_rows_over_the_list_only(made: Stage) -> None:
    _, found = listed(made)
    assert seen(found) == [7, 8, 9, 10, 11]
    for notches, moves in ((-1, [7, 8, 9, 10, 11]), (1, [5, 6, 7, 8, 9, 10]), (9, [1, 2, 3, 4, 5, 6])):
        assert wheel(made, found, notches)
        assert seen(found) == moves
    assert not wheel(made, found, -1, (19, 45))
    found.update(0.0)
    assert seen(found) == [1, 2, 3, 4, 5, 6], "the game stands where it stood"
    assert wheel(made, found, -1)
    assert seen(found) == [3, 4, 5, 6, 7, 8]


def test_only_a_move_out_of_sight_is_scrolled_to(made: Stage) -> None:
    scene, found = listed(made)
    line = scene.state.record.line()
    for ply, moves in (
        (7, [7, 8, 9, 10, 11]), (5, [1, 2, 3, 4, 5, 6]), (1, [1, 2, 3, 4, 5, 6]), (8, [3, 4, 5, 6, 7, 8]),
        (3, [3, 4, 5, 6, 7, 8]), (2, [1, 2, 3, 4, 5, 6]), (11, [7, 8, 9, 10, 11]), (0, [1, 2, 3, 4, 5, 6]),
    ):  # fmt: skip
        scene.state.show_node(line[ply])
        found.update(0.0)
        assert seen(found) == moves


def test_what_is_scrolled_looks_as_it_does_in_a_high_window(made: Stage) -> None:
    _, found = listed(made, room=pygame.Rect(20, 40, 248, 300))
    whole = drawn(found)
    found.build(Space(ROOM, 0))
    for notches, top in ((0, 90), (1, 60), (9, 0)):
        wheel(made, found, notches)
        shown = drawn(found)
        rect = pygame.Rect(20, 40, 240, 90)
        assert changed(shown.subsurface(rect), whole.subsurface(rect.move(0, top))).size == (0, 0)
        beside = shown.subsurface(261, 0, 39, 400)
        assert changed(beside, pygame.Surface(beside.get_size())) == (2, 40 + top // 2, 4, 45)


def test_the_move_under_the_pointer_is_highlighted_unless_it_is_the_one_shown(made: Stage) -> None:
    _, found = listed(made)
    plain = drawn(found)
    for pixel, box in (((110, 50), (61, 41, 98, 28)), ((110, 110), (0, 0, 0, 0)), ((60, 50), (0, 0, 0, 0))):
        made.pointer = pixel
        assert tuple(changed(plain, drawn(found))) == box


@pytest.mark.parametrize("counts", [True, False])
def test_why_a_move_was_played_is_told_where_that_is_no_help(made: Stage, counts: bool) -> None:
    scene, found = listed(made)
    scene.state.saver.counts = counts
    reasons = []
    for made.pointer in ((110, 50), (210, 50), (20, 50)):
        reasons.append(found.hint())
    assert reasons == (["", "", ""] if counts else [*map(node_reason, scene.state.record.line()[7:9]), ""])
    assert counts or any(reasons)


def test_a_move_with_an_alternative_has_a_dot_behind_its_name(made: Stage) -> None:
    record = parse(MOVES[:8])
    here = record.cursor
    record.go_to(record.line()[1])
    record.play(0)
    record.go_to(here)
    _, found = listed(made, record)
    plain = drawn(found)
    del record.line()[1].children[1]
    assert changed(plain, drawn(found)) == (188, 52, 7, 7)


def test_a_value_without_room_beside_its_move_is_shortened(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    record, written = parse("h8i9"), list[str]()
    node = record.line()[1]
    node.evaluation = Evaluation(9000, 9, 20)
    values = [node_outlook(record.setup, node, short) for short in (False, True)]
    monkeypatch.setattr("ui.play.move_list.write", lambda _s, _t, text, *_, **__: written.append(text))
    room = 48 + 2 * (18 + width_of(made.app.theme, "h8", 16) + width_of(made.app.theme, values[0], 14))
    for width, value in ((room, values[0]), (room - 2, values[1])):
        _, found = listed(made, record, pygame.Rect(20, 40, width, 119))
        written.clear()
        drawn(found)
        assert written == ["1", "h8", value, "i9"]


def test_the_moves_that_are_shown_current_and_pointed_at_have_boxes(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, found = listed(made, parse(MOVES[:8]))
    scene.state.show_node(scene.state.record.line()[1])
    palette, boxes = made.app.theme.palette, []
    made.pointer = 210, 50
    monkeypatch.setattr("ui.play.move_list.rounded", lambda _surface, rect, *style: boxes.append((tuple(rect), *style)))
    drawn(found)
    assert boxes == [
        ((61, 41, 98, 28), mix(palette.panel, palette.accent, 0.28), 6), ((161, 41, 98, 28), palette.raised, 6),
        ((161, 71, 98, 28), palette.panel, 6, palette.accent),
    ]  # fmt: skip
