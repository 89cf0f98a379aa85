"""Hints in steps, and the analysis of a game between people."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import pygame
import pytest

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.core.score import Score
from games.formats import read_target
from games.formats.text import parse
from games.position import Position, Stones
from games.record import PERSON, GameRecord, Node, Seat, path
from games.registry import setup
from tests.ui.stage import Stage, act, changed, part, quick, thinks
from ui.play.screen import BoardCover, Play
from ui.play.state import Hints
from ui.words.move_words import purpose_sentence

J8 = 114


@pytest.mark.parametrize(
    ("moves", "move", "sentence"),
    [
        ("ababab", "a", "a wins at once"),
        ("ababa", "a", "a is the only move that keeps Red from winning at once"),
        ("daea", "f", "f threatens to win in two ways"),
        ("dae", "c", "c prevents a double threat of Red"),
        ("dae", "a", ""),
        ("", "d", ""),
    ],
)
def test_hints_of_connect_four_ended_without_a_reason(moves: str, move: str, sentence: str) -> None:
    position = read_target(moves, setup("connect4")).position
    assert purpose_sentence(position, position.parse_move(move)) == sentence


@pytest.mark.parametrize(("rule", "speaks"), [("renju", True), ("freestyle", False)])
def test_the_status_line_of_renju_spoke_of_files_only(made: Stage, rule: str, speaks: bool) -> None:
    record = GameRecord(setup("gomoku", rule=rule), (Seat(PERSON), Seat(PERSON)))
    scene = made.show(Play(made.app, record, autosave=False))
    assert scene.status().startswith("Renju: Black may not make a double three") is speaks
    scene.state.choose(112)
    made.frame(2)
    assert not scene.status().startswith("Renju"), "White may play anywhere"


class Fixed(Player):
    """An engine that knows three moves at once."""

    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        free = [move for move in (J8, 3, 7, 40) if move in position.legal_moves()][:3]
        yield Info(free[0], 120, 9, 100, 0.1, tuple(Line(120 - 10 * n, (move, 200)) for n, move in enumerate(free)))


def playing(made: Stage, moves: str = "h8i9", game: str = "gomoku") -> Play:
    record = read_target(moves) if game == "gomoku" else GameRecord(setup(game))
    record.seats = Seat(PERSON), Seat(PERSON)
    if game == "gomoku":
        thinks(made.app, lambda _: Fixed())
    return made.show(Play(made.app, record, autosave=False))


def hinted(made: Stage, scene: Play) -> str:
    """Ask for a hint, and return the step that is shown then."""
    act(scene, "h")
    made.until(lambda: scene.state.hints.step(scene.state.record.position))
    return scene.state.hints.step(scene.state.record.position)


def test_a_hint_tells_the_area_then_candidates_then_the_move_then_why(made: Stage) -> None:
    scene = playing(made)
    position = scene.state.record.position
    told = []
    for _ in range(5):
        made.press(pygame.K_h)
        made.until(lambda: bool(scene.state.hints.step(position)))
        hints = scene.state.hints
        told.append((hints.step(position), scene.all_marks().hints, hints.area(position) is not None))
        assert scene.hint() == scene.state.hints.sentence(position, "")
    assert told == [
        ("area", (), True),
        ("candidates", (3, 7, J8), False),
        ("move", (J8,), False),
        ("reason", (J8,), False),
        ("reason", (J8,), False),
    ]


def test_that_a_game_with_a_hint_is_not_rated_hid_the_hint(made: Stage) -> None:
    """For six seconds, the status line told of the rating only."""
    scene = playing(made)
    hinted(made, scene)
    made.app.say("A game with a hint is not rated.")
    assert [text for text, _ in scene.frame.texts] == [scene.hint(), "A game with a hint is not rated."]
    made.app.say("The disk is full.", "bad")
    assert [text for text, _ in scene.frame.texts] == ["The disk is full."]
    scene.state.hints.forget()
    made.app.say("A game with a hint is not rated.")
    assert [text for text, _ in scene.frame.texts] == ["A game with a hint is not rated."], "nobody asked for the rest"


class Expecting(Player):
    """An engine that expects moves, and proves nothing."""

    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield Info(3, 20, 8, 100, 0.1, (Line(20, (3, 3, 2)),))


@pytest.mark.parametrize("seen", ["", "Red is winning"])
def test_a_hint_of_connect_four_ended_without_a_reason_where_nothing_is_special(made: Stage, seen: str) -> None:
    thinks(made.app, lambda _: Expecting())
    scene = playing(made, game="connect4")
    position = scene.state.record.position
    assert hinted(made, scene) == "candidates"
    act(scene, "h")
    assert "for the reason" in scene.state.hints.sentence(position, seen)
    act(scene, "h")
    assert scene.state.hints.sentence(position, seen) == f"{f'{seen}. ' * bool(seen)}Expected: d d c"


class Sure(Player):
    """An engine that proves how the game ends."""

    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield Info(3, Score.win_in(41), 42, 100, 0.1, (Line(Score.win_in(41), (3, 3, 3)),))


def test_a_hint_of_connect_four_did_not_say_who_wins_beside_a_weaker_computer(made: Stage) -> None:
    """The view beside the board is that of the level, so that only the moves that are expected were told."""
    thinks(made.app, lambda _: Sure())
    scene = playing(made, game="connect4")
    while hinted(made, scene) != "reason":
        pass
    told = scene.state.hints.sentence(scene.state.record.position, "")
    assert told == "Red wins in 21 moves. Expected: d d d"


def test_a_reason_is_offered_only_where_there_is_one(made: Stage) -> None:
    scene = playing(made, game="tictactoe")
    position = scene.state.record.position
    assert hinted(made, scene) == "candidates"
    act(scene, "h")
    best = position.move_text(scene.state.hints.move)
    assert scene.state.hints.sentence(position, "") == f"The computer would play {best}."


def test_a_move_ends_the_hint(made: Stage) -> None:
    scene = playing(made)
    assert hinted(made, scene) == "area"
    scene.state.choose(0)
    made.frame()
    assert scene.state.hints.step(scene.state.record.position) == ""
    assert scene.state.hints.area(scene.state.record.position) is None


@pytest.mark.parametrize(("game", "step"), [("tictactoe", "candidates"), ("connect4", "candidates"), ("bones", "move")])
def test_a_hint_begins_with_what_leaves_out_half_of_the_moves(made: Stage, game: str, step: str) -> None:
    """“Consider these moves” was said of all three at the heap of bones."""
    scene = playing(made, game=game)
    assert hinted(made, scene) == step


class Patient(Fixed):
    """Knows them when it is told so."""

    def __init__(self) -> None:
        self.ready = Event()

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.ready.wait(10)
        yield from super().think(position, limit, stop)


def test_an_impatient_key_skipped_a_step_of_a_hint(made: Stage) -> None:
    """It told of the candidates at once, and nothing of the area."""
    player, record = Patient(), read_target("h8i9")
    thinks(made.app, lambda _: player)
    scene = made.show(Play(made.app, record, autosave=False))
    for _ in range(3):
        made.press(pygame.K_h)
    assert scene.hint() == ""
    player.ready.set()
    made.until(scene.hint)
    assert scene.state.hints.step(record.position) == "area"


def test_steps_of_a_hint_were_passed_unseen_while_an_earlier_move_was_shown(made: Stage) -> None:
    scene = playing(made)
    scene.state.show_node(scene.state.record.root)
    made.press(pygame.K_h)
    made.until(scene.hint)
    assert scene.state.earlier is None
    assert scene.state.hints.area(scene.state.shown.position) is not None


def counted(made: Stage, game: str) -> Play:
    """A game for the rating against a computer that answers at once."""
    scene = quick(made.app, GameRecord(setup(game), (Seat(PERSON), Seat("level:2"))))
    assert scene.state.saver.counts
    return scene


@pytest.mark.parametrize("game", ["bones", "tictactoe"])
def test_a_hint_in_a_game_that_counts_made_the_panel_tell_the_move(made: Stage, game: str) -> None:
    """And what wins in all positions to come: the game did not count any more."""
    scene = counted(made, game)
    for _ in range(2):
        assert scene.state.knowledge.sentence == ""
        hinted(made, scene)
        for _ in range(3):
            made.press(pygame.K_h)
            assert scene.state.knowledge.view is None
            assert not scene.state.explains
        made.until(lambda: scene.hint() and scene.hint() == scene.state.knowledge.advice)
        assert scene.state.knowledge.view is None
        scene.state.choose(scene.state.record.position.legal_moves()[0])
        made.until(lambda: scene.state.live.person_to_move)
        assert scene.hint() == ""
    assert not scene.state.saver.counts


def test_a_hint_in_a_game_that_counts_showed_threats_as_well(made: Stage) -> None:
    made.app.settings.threats = True
    thinks(made.app, lambda _: Fixed())
    record = read_target("h8a1h9a2h10a4")
    record.seats = Seat(PERSON), Seat("level:2")
    scene = made.show(Play(made.app, record, made.home / "a game.tengen.json"))
    assert scene.state.saver.counts
    hinted(made, scene)
    assert scene.all_marks().threats == ()
    scene = made.show(Play(made.app, record, scene.state.saver.file))
    assert not scene.state.saver.counts
    assert scene.all_marks().threats == (), "when the game goes on another day"
    made.press(pygame.K_t)
    assert scene.all_marks().threats, "they are asked for"


def test_analysis_between_people_follows_what_is_shown(made: Stage) -> None:
    scene = playing(made, "h8i9g7")
    assert not scene.state.shows_view
    made.press(pygame.K_a)
    made.until(lambda: bool(scene.all_marks().candidates))
    assert scene.state.shows_view
    assert [candidate.move for candidate in scene.all_marks().candidates] == [J8, 3, 7]
    assert all(candidate.text for candidate in scene.all_marks().candidates)
    here, earlier = scene.state.record.cursor, path(scene.state.record.cursor)[1]
    assert here.evaluation is not None
    scene.state.show_node(earlier)
    made.until(lambda: earlier.evaluation is not None)
    assert scene.state.record.cursor is here, "the game stands where it stood"
    made.press(pygame.K_a)
    assert not scene.all_marks().candidates
    assert not scene.state.shows_view


def test_a_candidate_shows_its_line_and_is_played_by_a_click(made: Stage) -> None:
    scene = playing(made)
    act(scene, "a")
    made.until(lambda: bool(scene.all_marks().candidates))
    scene.state.pointer.hover = J8
    assert scene.all_marks().line == (J8, 200)
    assert not scene.all_marks().candidates
    made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=scene.board.pixel_of(J8), button=1, touch=False))
    made.frame()
    assert scene.state.record.cursor.move == J8


def asked(record: GameRecord, move: int, times: int = 1, line: tuple[int, ...] = ()) -> tuple[Hints, list[Limit]]:
    """A hint at the cursor, for which `move` is found at once, and what the search was asked for."""
    limits: list[Limit] = []

    def ask(node: Node, _purpose: object, limit: Limit) -> Any:
        limits.append(limit)
        info = Info(move, 20, 8, 100, 0.1, (Line(20, line or (move,)),))
        return SimpleNamespace(node=node, position=node.position, info=info, error=None, opinion=None, drop=bool)

    hints = Hints(cast(Any, SimpleNamespace(ask=ask)), record)
    for _ in range(times):
        hints.ask()
    return hints, limits


@pytest.mark.parametrize(
    ("move", "middle"),
    [(112, 96), (113, 98), (114, 100), (115, 114), (116, 117), (117, 131), (118, 133), (111, 127), (0, 0), (14, 29),
     (224, 208), (223, 224), (210, 196), (4, 5), (44, 44)],
)  # fmt: skip
def test_the_middle_of_the_area_is_beside_the_move_and_on_the_board(move: int, middle: int) -> None:
    record = GameRecord(setup("gomoku"))
    assert asked(record, move)[0].area(record.position) == middle
    if move == 112:
        record.play(50)
        assert asked(record, move)[0].area(record.position) == 97, "elsewhere after each move"


def test_the_ring_around_an_area_is_as_large_at_the_ends_of_rows(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = playing(made)
    cover, radii = part(scene, BoardCover), set()
    for cell in (0, 14, 15, 112, 209, 210):
        monkeypatch.setattr(scene.state.hints, "area", lambda _position, cell=cell: cell)
        ringed = made.app.surface.copy()
        cover.draw(ringed, 0.0)
        ring, (x, _) = changed(made.app.surface, ringed), scene.board.pixel_of(cell)
        radii.add(ring.right - x if cell % 15 < 7 else x - ring.left)
    assert max(radii) - min(radii) <= 1, "of the rounding"


@pytest.mark.parametrize(
    ("played", "step", "lines"),
    [(0, "candidates", 3), (4, "candidates", 2), (5, "candidates", 2), (6, "move", 1), (8, "move", 1)],
)
def test_a_hint_begins_with_at_most_three_moves_and_half_of_a_few(played: int, step: str, lines: int) -> None:
    record = parse("b2a1c1a3a2c2b3b1"[: 2 * played], setup("tictactoe"))
    hints, limits = asked(record, record.position.legal_moves()[0])
    assert (hints.step(record.position), limits) == (step, [Limit(seconds=1.0, lines=lines)])
    hints.forget()
    assert hints.step(record.position) == ""


@pytest.mark.parametrize(("stones", "step"), [(5, "area"), (6, "candidates")])
def test_a_hint_of_more_than_25_moves_begins_with_an_area(stones: int, step: str) -> None:
    sides = (0, 3, 12, 15, 24, 27)[:stones], (6, 9, 18, 21, 30)
    record = GameRecord(setup("gomoku", 6), stones=Stones(sides, 0))
    assert asked(record, 35)[0].step(record.position) == step


@pytest.mark.parametrize(("line", "names"), [((3,) * 6 + (2,) * 3, "d d d d d d c"), ((3, 2), "d c")])
def test_the_line_that_is_expected_is_told_for_seven_moves(line: tuple[int, ...], names: str) -> None:
    record = GameRecord(setup("connect4"))
    hints, limits = asked(record, 3, 3, line)
    assert hints.sentence(record.position, "Red is better") == f"Red is better. Expected: {names}"
    assert len(limits) == 1
    assert asked(record, 3, 3, line[:1])[0].sentence(record.position, "Red is better") == "Red is better"
