"""The moves that the computer considers, beside a game that is played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from ai.core.player import Info, Limit, Line, Player, Stop
from games.position import Position
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.stage import Stage, part, quick, thinks
from ui.play.screen import Play
from ui.play.side_views import Considered
from ui.toolkit.i18n import t

SCORES = (120, 0, -300)


class Weighing(Player):
    """Finds three moves, of which it tells as many as it is asked for."""

    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        moves = position.candidates()[:3]
        lines = tuple(Line(score, (move,)) for move, score in zip(moves, SCORES, strict=True))[: limit.lines]
        yield Info(moves[0], SCORES[0], 9, 10, 0.1, lines)


def played(
    made: Stage, other: str, rated: bool = False, game: str = "gomoku", move: int = 112, player: Player | None = None
) -> Play:
    """A game of a person against `other` after a move of each."""
    record = GameRecord(setup(game), (Seat(PERSON), Seat(other)))
    scene = quick(made.app, record, player or Weighing(), autosave=rated)
    scene.state.choose(move)
    made.until(lambda: scene.state.live.person_to_move)
    return scene


def test_the_middle_of_the_panel_was_empty_though_the_computer_weighed_moves(made: Stage) -> None:
    scene = played(made, "level:3")
    considered = part(scene, Considered)
    before = scene.state.record.cursor.parent.position
    names = [before.move_text(move) for move in before.candidates()[:3]]
    rows = considered.rows
    assert [row.name for row in rows] == names
    assert rows[0].wins > 0.5 > rows[2].wins, "the best move is worth most to white, who makes it"
    assert all(row.text == f"{round(100 * row.wins)} %" for row in rows)
    assert considered.title == "Apprentice considered"
    made.press(pygame.K_a)
    assert (considered.rows, made.app.message[0]) == ([], t("view.hidden")), "nor without the computer's view"
    made.press(pygame.K_a)
    assert (len(considered.rows), made.app.message[0]) == (3, t("view.shown"))


class Full(Weighing):
    """Notes what it is asked."""

    def __init__(self, asked: list[tuple[int, int]]) -> None:
        self._asked = asked

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self._asked.append((position.ply, limit.lines))
        yield from super().think(position, limit, stop)


def test_full_strength_thinks_of_one_line_and_the_others_are_found_while_the_person_thinks(made: Stage) -> None:
    asked: list[tuple[int, int]] = []
    scene = played(made, "engine", player=Full(asked))
    considered = part(scene, Considered)
    made.until(lambda: len(considered.rows) == 3)
    made.frame(3)
    assert asked == [(1, 1), (1, 3)], "and not again and again"
    assert considered.title == "Full strength considered"


class ByBook(Full):
    """Plays the last of its moves without a search."""

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        (info,) = super().think(position, limit, stop)
        yield info if limit.lines > 1 else replace(info, move=position.candidates()[-1], depth=0)


def test_nothing_was_considered_for_a_move_of_the_opening_book(made: Stage) -> None:
    """A search afterwards found other moves, and the panel told them as what the computer had considered."""
    asked: list[tuple[int, int]] = []
    scene = played(made, "engine", player=ByBook(asked))
    made.frame(5)
    assert asked == [(1, 1)]
    assert part(scene, Considered).rows == []


def test_the_considered_moves_of_another_player_are_its_own(made: Stage) -> None:
    scene = played(made, "alphabeta")
    made.frame(3)
    assert len(part(scene, Considered).rows) == 1


def test_a_rated_game_shows_no_moves_that_are_considered(made: Stage) -> None:
    scene = played(made, "level:3", rated=True)
    assert scene.state.saver.counts
    assert part(scene, Considered).rows == []
    scene.state.helped("threats")
    assert part(scene, Considered).rows


@pytest.mark.parametrize("on", [False, True])
def test_between_people_moves_are_considered_while_the_analysis_is_on(made: Stage, on: bool) -> None:
    thinks(made.app, lambda _: Weighing())
    scene = made.show(Play(made.app, GameRecord(setup("gomoku"), (Seat(PERSON), Seat(PERSON))), autosave=False))
    considered = part(scene, Considered)
    scene.state.choose(112)
    made.frame()
    if on:
        made.press(pygame.K_a)
        made.until(lambda: considered.rows)
        assert considered.title == "White considers"
    assert len(considered.rows) == (3 if on else 0)


def test_a_game_that_is_solved_shows_no_bars_of_estimates(made: Stage) -> None:
    scene = played(made, "level:3", game="tictactoe", move=3)
    assert [(row.text, row.wins) for row in part(scene, Considered).rows] == [("", None)] * 3
