"""The score of two named people over their games: beside the players, and once a game is over."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from games.formats import save
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home
from tests.ui.stage import Make, Stage, part
from tests.waiting import PATIENCE
from ui.home.screen import Home
from ui.parts.players import Players
from ui.play.screen import Play
from ui.play.side_cards import EndingCard

ADA, BOB = Seat(PERSON, "Ada"), Seat(PERSON, "Bob")
ROW, DRAWN = "b2 a3 a1 b3 c3", "b2 a1 c1 a3 a2 c2 b3 b1 c3"


def game(moves: str = "", first: Seat = ADA, second: Seat = BOB, date: str = "") -> GameRecord:
    record = GameRecord(setup("tictactoe"), (first, second), date)
    for move in moves.split():
        record.play(record.position.parse_move(move))
    return record


def earlier(*games: GameRecord) -> None:
    """Save games of the past."""
    for number, record in enumerate(games, 1):
        record.date = f"2026-05-{number:02}T12:00:00"
        save(record, saves_home() / f"{number}.tengen.json")


def shown(made: Stage, record: GameRecord) -> Play:
    """The screen once the score is known."""
    scene = made.show(Play(made.app, record))
    made.until(lambda: scene.state.head_to_head.wake(0.0) is None)
    return scene


def points(scene: Play) -> list[str]:
    """What the cards of the players say."""
    return part(scene, Players).points()


def ended(made: Stage, record: GameRecord) -> Play:
    """The screen after the last move of `record`."""
    move = record.cursor.move
    record.undo()
    scene = shown(made, record)
    scene.state.choose(move)
    made.frame(2)
    return scene


def test_two_people_see_their_score_at_once_and_when_a_game_ends(made: Stage) -> None:
    earlier(game(ROW), game(DRAWN), game(ROW, BOB, ADA), game(ROW))
    scene = ended(made, game(ROW))
    assert part(scene, EndingCard).ending.score == "Score: Ada 3½\N{NO-BREAK SPACE}–\N{NO-BREAK SPACE}1½ Bob"
    assert points(scene) == ["3½", "1½"]


def test_a_rematch_has_the_score_of_both_with_their_sides_swapped(made: Stage) -> None:
    earlier(game(DRAWN))
    ended(made, game(ROW))
    made.push("rematch")
    scene = made.app.scene
    made.until(lambda: scene.state.head_to_head.wake(0.0) is None)
    assert scene.state.record.names == ("Bob", "Ada")
    assert points(scene) == ["½", "1½"]


def test_a_game_that_is_over_counts_once_when_its_screen_is_shown_again(made: Stage) -> None:
    scene = ended(made, game("b2 a3 b1 b3 c1 c3"))  # the second side has won
    assert points(scene) == ["0", "1"]
    made.push("review")
    made.app.files.settle()
    made.show(scene)
    made.until(lambda: scene.state.head_to_head.wake(0.0) is None)
    assert points(scene) == ["0", "1"]


@pytest.mark.parametrize(
    "seats", [(ADA, Seat(PERSON)), (ADA, Seat("level:1", "Bob")), (ADA, Seat(PERSON, "ADA")), (Seat(), Seat())], ids=str
)
def test_without_two_people_and_their_names_there_is_no_score(
    made: Stage, seats: tuple[Seat, Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier(game(ROW, *seats))
    monkeypatch.setattr("ui.parts.recent.GameLibrary", lambda **_: pytest.fail("nobody asks for it"))
    scene = made.show(Play(made.app, game("", *seats)))
    made.frame(2)
    assert points(scene) == ["", ""]


def test_before_their_first_game_ends_two_people_have_no_score(made: Stage) -> None:
    earlier(game(ROW, ADA, Seat(PERSON, "Cleo")), game("b2"))
    assert points(shown(made, game("b2"))) == ["", ""]


def test_a_screen_that_is_left_reads_no_more_files(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = threading.Event()

    class Endless:
        """A library that is never complete."""

        busy = True

        def __init__(self, **_: object) -> None: ...

        def refresh(self) -> None: ...

        def close(self) -> None:
            closed.set()

    with monkeypatch.context() as patch:
        patch.setattr("ui.parts.recent.GameLibrary", Endless)
        scene = made.show(Play(made.app, game()))
        made.frame(2)
    assert points(scene) == ["", ""]
    made.show(Home(made.app))
    assert closed.wait(PATIENCE)


def test_a_damaged_index_is_rebuilt(made: Stage) -> None:
    earlier(game(ROW))
    shown(made, game())
    for file in Path(made.home).rglob("library.sqlite*"):
        file.write_bytes(b"damaged" * 1000)
    assert points(shown(made, game())) == ["1", "0"]


@pytest.mark.parametrize("name", ["W" * 24, "一二三四五六七八九十" * 2, "Anna-Katharina von Hohen", "😀" * 24, "محمد"])
@pytest.mark.parametrize("size", [(960, 640), (1600, 1000)])
def test_long_names_leave_room_for_the_score(stage: Make, size: tuple[int, int], name: str) -> None:
    made = stage(size)
    people = Seat(PERSON, name), Seat(PERSON, f"{name[:-1]}x")
    earlier(game(ROW, *people))
    scene = ended(made, game(ROW, *people))
    assert points(scene) == ["2", "0"]
    assert all(any(cut.text in seat.name for seat in people) for cut in made.cuts), "nothing else is cut off"
