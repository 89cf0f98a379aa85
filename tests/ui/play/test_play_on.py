"""Playing on from a game that was watched asks who plays, and keeps what is known of the game."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from ai.players.opponents import opponents
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.scenes import long_game
from tests.ui.stage import Stage
from ui.replay.screen import Replay
from ui.setup.screen import SetupScreen


def asked(made: Stage, record: GameRecord, *seats: Seat) -> Any:
    """The scene that asks who plays on from the cursor of `record`, which `seats` have played."""
    if seats:
        record.seats = seats[0], seats[1]
    made.show(Replay(made.app, record, at_cursor=True))
    made.press(pygame.K_RETURN)
    assert isinstance(made.app.scene, SetupScreen)
    return made.app.scene


def begun(made: Stage) -> GameRecord:
    made.press(pygame.K_RETURN)
    return made.app.scene.state.record  # type: ignore[no-any-return]


SEATS = [
    (Seat(PERSON, "Zoë"), Seat("level:7")),
    (Seat("level:2"), Seat(PERSON)),
    (Seat(PERSON, "Zoë"), Seat(PERSON, "Ann")),
]


@pytest.mark.parametrize("seats", SEATS, ids=str)
def test_play_on_proposes_the_players_and_keeps_the_evaluations(made: Stage, seats: tuple[Seat, Seat]) -> None:
    """It took them without asking, or others where two persons had played."""
    record = long_game(plies=20)
    record.go_to(record.line()[12])
    asked(made, record, *seats)
    new = begun(made)
    assert new is not record
    assert new.seats == seats
    kept = [(node.move, node.seconds, node.evaluation) for node in new.line()[:13]]
    assert kept == [(node.move, node.seconds, node.evaluation) for node in record.line()[:13]]
    assert new.cursor.position.ply >= 12


def test_others_can_play_on(made: Stage) -> None:
    before = dict(made.app.settings.new_game)
    asked(made, long_game(plies=8), Seat(PERSON, "Zoë"), Seat("level:7"))
    made.push("side.1", "against.engine", "against.level")
    assert made.app.settings.new_game == before, "a new game is set up as before"
    seats = [(seat.player, seat.name) for seat in begun(made).seats]
    assert seats == [(f"level:{opponents('gomoku').friendly}", ""), (PERSON, "Zoë")]


def test_names_change_sides_with_their_players(made: Stage) -> None:
    asked(made, long_game(plies=8), Seat(PERSON, "Zoë"), Seat(PERSON, "Ann"))
    made.press(pygame.K_x)
    assert [seat.name for seat in begun(made).seats] == ["Ann", "Zoë"]


def test_a_player_who_cannot_be_chosen_makes_way(made: Stage) -> None:
    asked(made, long_game(plies=8), Seat("of another version"), Seat("alphabeta", seconds=5.0))
    assert [(seat.player, seat.seconds) for seat in begun(made).seats] == [("engine", 2.0), ("engine", 5.0)]


def test_escape_leads_back_to_the_replay(made: Stage) -> None:
    record = GameRecord(setup("tictactoe"))
    record.play(4)
    replay = asked(made, record).back
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is replay
    made.press(pygame.K_LEFT)
    assert record.cursor is record.root
