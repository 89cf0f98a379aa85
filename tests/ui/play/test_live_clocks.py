"""The clocks of a game under way: whose runs, what undo and absences give back, and who loses on time."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.core import player as player_module
from ai.core.player import Info, Limit, Player, Stop
from ai.pbrain.external import PbrainPlayer
from ai.search.alphabeta import AlphaBeta
from games.clock import TimeControl
from games.formats import tengen
from games.opening_rules import OpeningPhase, OpeningStep
from games.position import Outcome, Position
from games.record import GameRecord, Seat, path
from games.registry import setup
from tests.games.strategies import Ticking, Time
from tests.players import Faulty, Slow
from tests.ui.play.matches import ENGINE, HUMAN, moves, run, searches_of
from tests.ui.stage import wait
from ui.play.live_game import LiveGame

FISCHER = TimeControl(main=60, increment=2)


class Timed:
    """A game of tic-tac-toe with clocks, in a time of its own."""

    def __init__(self, *seats: Seat, control: TimeControl | None = FISCHER, player: Player | None = None) -> None:
        self.time = Time()
        self.saved: list[bytes] = []
        self.told = 0
        """How often the searches had something new."""
        self.player = player or AlphaBeta()
        self.searches = searches_of(lambda _: self.player, self.time, self._tell)
        record = GameRecord(setup("tictactoe"), (seats[0], seats[1]), control=control)
        self.open(record)

    def _tell(self) -> None:
        self.told += 1

    def open(self, record: GameRecord) -> None:
        self.live = LiveGame(
            record,
            self.searches,
            lambda: self.saved.append(tengen.dumps(record)),
            0.4,
            now=self.time,
        )
        self.live.open()

    def passes(self, seconds: float) -> None:
        """Time goes by with the loop running."""
        while seconds > 0:
            step = min(1.0, seconds)
            self.time.passes(step)
            self.searches.update()
            self.live.update()
            seconds -= step

    @property
    def left(self) -> list[float]:
        faces = self.live.clocks()
        assert faces is not None
        return [round(face.seconds, 2) for face in faces]

    def answered(self, count: int) -> None:
        """Waits for the engine's answer without any time going by, then lets it land."""
        run(self.live, lambda: self.live.due is not None)
        self.time.passes(0.5)
        self.live.update()
        assert len(moves(self.live)) == count


COURSES = {
    "only the clock of the side to move runs": "5s =55,60 4 =57,60 7s =57,53 0 1s =56,55",
    "a loss on time is not taken back": "4 61s =62,0 kept =62,0",
    "undo gives back the time of the move": "10s 4 20s undo =60,60 3s 4 =59,60",
    "a move elsewhere gives it back as an undo would": "10s 4 20s 0 5s branch =52,62 3s =49,62",
    "a closed lid costs nothing and pauses the game": "5s lid =55,60 10s =55,60",
    "time that is kept is not counted twice": "2s keep 2s keep =56,60 6s 4 =52,60",
}


@pytest.mark.parametrize("course", COURSES.values(), ids=COURSES)
def test_what_is_left_on_the_clocks(course: str) -> None:
    """Of two persons: seconds that pass, moves, and what is left of a minute with two seconds for each move."""
    game = Timed(HUMAN, HUMAN)
    for act in course.split():
        if act.startswith("="):
            assert game.left == [float(left) for left in act[1:].split(",")]
        elif act.endswith("s"):
            game.passes(float(act[:-1]))
        elif act == "undo":
            assert game.live.undo()
        elif act == "kept":
            assert not game.live.undo()
        elif act == "branch":
            assert game.live.branch(path(game.live.record.cursor)[1], 8)
        elif act == "lid":
            game.time.passes(8 * 3600)
        elif act == "keep":
            game.live.record_time()
        else:
            game.live.play(int(act))


def test_who_runs_out_of_time_loses() -> None:
    game = Timed(HUMAN, HUMAN)
    game.live.play(4)
    game.passes(59.5)
    assert game.live.record.outcome is None
    game.passes(1)
    assert game.live.record.outcome == Outcome(0, "time")
    assert game.left == [62, 0]
    assert tengen.loads(game.saved[-1]).outcome == Outcome(0, "time")
    game.passes(30)
    assert game.left == [62, 0], "no clock runs after the end"
    game.live.pause()
    assert not game.live.paused, "nothing goes on"


def test_a_click_after_the_time_does_not_save_the_game() -> None:
    game = Timed(HUMAN, HUMAN, control=TimeControl(main=8))
    game.time.passes(8)  # and nobody has looked yet
    game.live.play(4)
    assert moves(game.live) == []
    assert game.live.record.outcome == Outcome(1, "time")


def test_a_pause_stops_the_clock_and_takes_no_move() -> None:
    game = Timed(HUMAN, HUMAN)
    game.passes(10)
    game.live.pause()
    assert tengen.loads(game.saved[-1]).cursor.spent == 10
    saved = len(game.saved)
    game.live.pause()
    assert len(game.saved) == saved, "it is one already"
    game.passes(1000)
    game.live.play(4)
    assert not game.live.branch(game.live.record.root, 4)
    assert moves(game.live) == []
    assert game.left == [50, 60]
    game.live.resume()
    game.passes(1)
    assert game.left == [49, 60]
    game.live.play(4)
    assert moves(game.live) == [4]


def test_a_pause_stops_an_engine_and_one_that_does_not_answer_loses_on_time() -> None:
    game = Timed(HUMAN, ENGINE, player=Slow())
    game.live.play(4)
    game.passes(5)
    game.live.pause()
    assert not game.live.thinking
    game.passes(50)
    game.live.resume()
    assert game.live.thinking
    assert game.left == [62, 55]
    game.passes(55)
    assert game.live.record.outcome == Outcome(0, "time")
    assert not game.live.thinking
    assert not game.live.undo(), "what is lost stays so"
    assert not game.live.thinking


def test_an_absence_pauses_no_game_without_clocks() -> None:
    game = Timed(HUMAN, HUMAN, control=None)
    game.time.passes(3600)
    game.live.update()
    assert not game.live.paused
    assert game.live.clocks() is None
    game.live.play(4)
    assert moves(game.live) == [4]


def test_an_engine_is_not_charged_for_its_landing_nor_for_a_loop_that_is_held_up() -> None:
    game = Timed(HUMAN, ENGINE, player=Noted())
    game.passes(1)
    game.live.play(4)
    wait(lambda: game.told == 2)  # the first answer, and that it was the last
    game.time.passes(9)  # the window is dragged, the answer has come before
    game.searches.update()
    game.live.update()
    assert len(moves(game.live)) == 2
    assert game.live.record.cursor.seconds == 0
    assert game.left == [61, 62]


def test_a_move_that_is_played_again_starts_the_clock_of_the_other_side_afresh() -> None:
    """The computer lost on time when a person took the same move back several times."""
    game = Timed(HUMAN, ENGINE, player=Slow())
    for _ in range(4):
        game.live.play(4)
        game.passes(25.0)
        assert game.left[1] == 35.0
        game.live.undo()
    assert game.live.record.outcome is None
    game.live.redo()
    assert game.left[1] == 35.0, "it is the same move of the computer"


def test_a_failing_engine_does_not_lose_its_time_while_it_waits() -> None:
    game = Timed(HUMAN, ENGINE, player=Faulty())
    game.live.play(4)
    run(game.live, lambda: game.live.error is not None)
    game.passes(100)
    assert game.live.record.outcome is None
    assert game.left == [62, 60]


class Noted(Player):
    """Remembers how long it was allowed to think."""

    nodes = 0

    def __init__(self) -> None:
        self.limits: list[float | None] = []

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.limits.append(limit.seconds)
        yield Info(position.legal_moves()[0])


@pytest.mark.parametrize(("control", "hold", "least"), [(FISCHER, 3.0, 0.4), (None, 3.0, 3.0), (None, 0.1, 0.4)])
@pytest.mark.parametrize("wanted", [False, True])
def test_an_answer_lands_after_a_while_or_at_once_when_it_is_wanted(
    control: TimeControl | None, hold: float, least: float, wanted: bool
) -> None:
    time, holds = Time(), {("alphabeta", 1): hold}
    live = LiveGame(
        GameRecord(setup("tictactoe"), (HUMAN, ENGINE), control=control), searches_of(lambda _: Noted(), time),
        pace=0.4, now=time, hold=lambda player, position: holds[player, position.ply],
    )  # fmt: skip
    live.open()
    live.play(4)
    run(live, lambda: live.due is not None)
    time.passes(0.25)
    if wanted:
        live.move_now()
    assert live.due == pytest.approx(0.0 if wanted else least - 0.25)
    live.held_back = True
    assert live.due == math.inf


def test_an_engine_divides_its_time() -> None:
    player = Noted()
    game = Timed(Seat("alphabeta"), Seat("alphabeta"), player=player)
    game.answered(1)
    game.answered(2)
    assert 2 < player.limits[0] < 6
    assert game.left == [62, 62]


def test_less_time_for_a_side_holds_for_its_clock_its_engine_and_a_move_taken_back() -> None:
    player = Noted()
    game = Timed(Seat("alphabeta", divisor=4), Seat("alphabeta"), player=player)
    assert game.left == [15, 60]
    game.answered(1)
    game.answered(2)
    less, full = player.limits[:2]
    assert less is not None
    assert full is not None
    assert less < 0.5 * full
    assert game.left == [16, 62], "a quarter of the increment, rounded up"
    game.live.record.undo()
    game.live.record.undo()
    assert [face.seconds for face in game.live.record.clocks(0.0) or ()] == [15, 60]


_ENGINE = """
import sys
log = open(sys.argv[1], "a")
for line in sys.stdin:
    log.write(line); log.flush()
    word = line.split()[0]
    if word in ("START", "BEGIN", "DONE"):
        print({"START": "OK", "BEGIN": "7,7", "DONE": "8,8"}[word], flush=True)
"""


def test_an_engine_of_another_program_is_told_its_own_time(tmp_path: Path) -> None:
    script, log = tmp_path / "engine.py", tmp_path / "log.txt"
    script.write_text(_ENGINE, encoding="utf-8")
    player = PbrainPlayer(f'"{sys.executable}" "{script}" "{log}"')
    game = Timed(Seat("external:Fake", divisor=4), Seat("external:Fake"), player=player)
    game.live.pause()
    game.open(GameRecord(setup("gomoku"), game.live.record.seats, control=FISCHER))
    game.answered(1)
    game.answered(2)
    game.live.pause()
    player.close()
    told = [int(line.split()[2]) for line in log.read_text(encoding="utf-8").splitlines() if "timeout_turn" in line]
    assert told[0] < 0.5 * told[1]


def test_less_time_follows_a_player_who_swaps() -> None:
    record = GameRecord(setup("gomoku"), (Seat(divisor=2), Seat()), control=FISCHER)
    record.opening = OpeningPhase("swap", 15)
    for move in (112, 113, 114):
        record.take(OpeningStep("place", move))
    assert [control.main for control in record.controls or ()] == [30, 60]
    record.take(OpeningStep("swap"))
    assert [control.main for control in record.controls or ()] == [60, 30]


def test_the_time_of_a_seat_holds_under_a_clock_and_without_one() -> None:
    for control, own, limit in ((FISCHER, 0.5, 0.5), (None, 0.5, 0.5), (None, None, 2.0)):
        player = Noted()
        game = Timed(Seat("alphabeta", seconds=own), HUMAN, control=control, player=player)
        game.answered(1)
        assert player.limits == [limit]


def test_two_engines_never_lose_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock of one second with an increment of one, where each position takes a millisecond or two."""
    clock = Ticking()
    monkeypatch.setattr(player_module, "time", clock)
    record = GameRecord(setup("gomoku", 7), (Seat("alphabeta"), Seat("alphabeta")), control=TimeControl(1, 1))
    match = LiveGame(record, searches_of(lambda _: AlphaBeta(), clock), pace=0.0, now=clock)
    match.open()
    run(match, lambda: record.outcome is not None or record.position.ply >= 12)
    match.searches.release()
    assert record.outcome is None or record.outcome.reason != "time"
    assert clock() - 1000 > 6, "they have used what they have"


def test_a_game_goes_on_with_the_clocks_it_had() -> None:
    """After a crash: from the file as it was last written, while somebody was thinking."""
    game = Timed(HUMAN, HUMAN)
    game.passes(10)
    game.live.play(4)
    game.passes(17)
    game.live.record_time()
    data = tengen.dumps(game.live.record)
    game.passes(3)
    game.open(tengen.loads(data))
    assert game.live.paused, "nobody loses time finding out where the game stands"
    assert game.left == [52, 43]
    game.passes(100)
    game.live.resume()
    game.passes(1)
    assert game.left == [52, 42]


def test_a_new_game_is_not_paused() -> None:
    game = Timed(HUMAN, HUMAN)
    assert not game.live.paused
    game.passes(2)
    game.live.close()
    game.live.open()
    assert game.live.paused, "but after another scene it is"
    assert game.left == [58, 60]
