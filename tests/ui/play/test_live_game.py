"""A game under way, without a window: seats, undo, and the race between an undo and an engine's answer."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from ai.core.player import Info, Limit, Player, Stop
from ai.players.table import strongest
from ai.search.minimax import RandomPlayer
from games.formats.sgf_writer import dumps
from games.position import IllegalMove, Position
from games.record import GameRecord, Seat, path
from games.registry import GAMES, setup
from tests.players import Faulty, Slow
from tests.ui.play.matches import ENGINE, HUMAN, match_of, moves, run, searches_of
from tests.ui.stage import wait
from ui.play.live_game import LiveGame
from ui.system.settings import DEFAULT_SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_two_engines_play_to_the_end(game: str) -> None:
    match = match_of(game, ENGINE, ENGINE, size=6 if game == "gomoku" else None)
    run(match, lambda: match.record.outcome is not None)
    assert not match.thinking
    known = {node.evaluation is not None for node in path(match.record.cursor)[:-1]}
    assert known == {strongest(game) == "alphabeta"}, "a weaker player's view is not kept"


def test_a_player_in_place_of_a_level_that_does_not_exist_has_its_usual_time() -> None:
    """It had that of a level, which does not use it."""
    match = match_of("connect4", Seat("level:99"), HUMAN, make=lambda _: Slow())
    assert (match.search.player, match.search.limit.seconds) == ("solver", DEFAULT_SECONDS)
    match.close()


def test_undo_takes_back_the_reply_and_the_own_move_and_redo_brings_both() -> None:
    match = match_of("tictactoe", HUMAN, ENGINE)
    match.play(4)
    run(match, lambda: len(moves(match)) == 2)
    played = moves(match)
    assert match.record.cursor.seconds is not None
    assert match.undo()
    assert moves(match) == []
    assert match.person_to_move
    assert not match.undo()
    assert match.redo()
    assert moves(match) == played
    assert not match.redo()


def test_a_click_an_undo_and_a_resignation_while_the_engine_thinks() -> None:
    match = match_of("tictactoe", HUMAN, ENGINE, make=lambda _: Slow())
    match.play(4)
    match.play(0)
    assert moves(match) == [4], "it is not one's turn"
    assert match.thinking
    match.undo()
    assert moves(match) == [], "only the own move is taken back"
    assert not match.thinking
    match.play(4)
    match.resign()
    assert match.record.outcome.winner == 1
    assert not match.thinking


def test_an_illegal_click_changes_nothing_and_a_resignation_is_not_undone() -> None:
    match = match_of("tictactoe", HUMAN, HUMAN)
    match.play(4)
    with pytest.raises(IllegalMove):
        match.play(4)
    match.play(0)
    match.undo()
    match.resign()
    outcome = match.record.outcome
    assert outcome.winner == 0
    assert not match.undo()
    assert not match.redo()
    assert match.record.outcome is outcome
    assert moves(match) == [4]


def test_the_game_as_played_is_the_main_line_and_what_was_taken_back_a_variation() -> None:
    match = match_of("gomoku", HUMAN, HUMAN)
    for move in (5, 6):
        match.play(move)
    match.undo()
    match.undo()
    for move in (7, 8):
        match.play(move)
    match.undo()
    match.play(9)
    first = match.record.root.children
    assert [node.move for node in first] == [7, 5]
    assert [node.move for node in first[0].children] == [9, 8]
    assert dumps(match.record).index(b"(;B[ha]") < dumps(match.record).index(b"(;B[fa]"), "also in SGF"


def test_undo_does_not_take_back_the_engines_first_move() -> None:
    match = match_of("bones", ENGINE, HUMAN)
    assert not match.can_undo
    run(match, lambda: len(moves(match)) == 1)
    assert not match.can_undo
    assert not match.undo()
    assert len(moves(match)) == 1
    match.play(1)
    assert match.can_undo


def test_another_move_at_an_earlier_moment_is_a_variation_that_the_engine_answers() -> None:
    match = match_of("tictactoe", HUMAN, ENGINE)
    match.play(4)
    run(match, lambda: len(moves(match)) == 2)
    old = match.record.cursor
    with pytest.raises(IllegalMove):
        match.branch(old, 4)
    assert not match.branch(path(old)[1], 0), "there the engine is to move"
    assert match.record.cursor is old
    assert match.branch(match.record.root, 0)
    run(match, lambda: len(moves(match)) == 2)
    assert moves(match)[0] == 0
    assert [child.move for child in match.record.root.children] == [0, 4], "the game as played is the main line"
    match.resign()
    assert not match.branch(match.record.root, 8), "a game that is over stays so"
    assert match.record.outcome is not None


def test_a_move_elsewhere_while_the_engine_thinks_drops_its_answer() -> None:
    match = match_of("tictactoe", HUMAN, ENGINE, make=lambda _: Slow())
    match.play(4)
    assert match.branch(match.record.root, 0)
    assert moves(match) == [0]
    assert match.thinking
    match.move_now()
    run(match, lambda: len(moves(match)) == 2)


class Cheat(Player):
    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield Info(4)


@pytest.mark.parametrize("player", [Faulty, Cheat])
def test_a_failing_engine_waits_and_loses_nothing(player: type[Player]) -> None:
    match = match_of("tictactoe", HUMAN, ENGINE, make=lambda _: player())
    match.play(4)
    run(match, lambda: match.error is not None)
    assert match.waiting
    assert moves(match) == [4]


def test_a_thousand_undos_against_answers_on_their_way_land_nothing() -> None:
    """Provokes the race: the undo comes before, while, and after the answer is put into the queue."""
    dice = random.Random(7)
    fast = RandomPlayer(1)
    match = match_of("gomoku", HUMAN, ENGINE, make=lambda _: fast)
    for turn in range(1000):
        own = turn % 225
        match.play(own)
        time.sleep(dice.choice((0.0, 0.0, 0.0001, 0.0003, 0.001)))
        if dice.random() < 0.3:
            match.searches.update()
            match.update()
        match.undo()
        assert moves(match) == []
        for _ in range(3):
            match.searches.update()
            match.update()
        assert moves(match) == [], turn
        assert match.person_to_move
    time.sleep(0.05)
    match.searches.update()
    match.update()
    assert moves(match) == []


def test_every_change_is_announced() -> None:
    seen: list[int] = []
    record = GameRecord(setup("tictactoe"), (HUMAN, HUMAN))
    searches = searches_of(lambda _: Slow())
    match = LiveGame(record, searches, changed=lambda: seen.append(len(path(record.cursor))))
    match.play(0)
    match.play(1)
    match.undo()
    match.redo()
    match.resign()
    assert seen == [2, 3, 2, 3, 3]


@pytest.mark.parametrize(
    ("game", "size", "move", "mates"),
    [("tictactoe", None, 1, (None, None)), ("bones", 9, 1, (4, 3)), ("bones", 9, 2, (-3, -2))],
)
def test_a_move_of_the_engine_has_the_score_of_the_search_that_chose_it(
    game: str, size: int | None, move: int, mates: tuple[int | None, int | None]
) -> None:
    """The list of moves showed it beside the move before only, which the person had made."""
    match = match_of(game, HUMAN, ENGINE, size=size)
    match.play(move)
    run(match, lambda: match.person_to_move)
    before, answer = (node.evaluation for node in path(match.record.cursor)[-2:])
    assert (answer.score, answer.line) == (before.score, before.line[1:])
    assert (before.mate, answer.mate) == mates


def test_no_answer_lands_while_answers_are_held_back() -> None:
    match = match_of("tictactoe", HUMAN, ENGINE)
    match.held_back = True
    match.play(4)
    run(match, lambda: match.due is not None)
    match.update()
    assert moves(match) == [4]
    match.held_back = False
    run(match, lambda: match.person_to_move)
    assert len(moves(match)) == 2


def test_players_are_closed_when_the_screen_is_left() -> None:
    class External(Slow):
        closed = 0

        def close(self) -> None:
            self.closed += 1

    players: list[External] = []
    match = match_of("tictactoe", ENGINE, HUMAN, make=lambda _: players.append(External()) or players[-1])
    assert match.thinking
    match.close()
    match.searches.release()
    wait(lambda: players[0].closed)
    assert [player.closed for player in players] == [1]


def test_between_computers_one_move_is_taken_back_at_a_time() -> None:
    record = GameRecord(setup("tictactoe"), (ENGINE, ENGINE))
    for move in (4, 0, 8):
        record.play(move)
    match = LiveGame(record, searches_of(lambda _: Slow()))
    for left in ([4, 0], [4], []):
        assert match.undo()
        assert moves(match) == left
        assert match.waiting
    assert not match.undo()
    for left in ([4], [4, 0], [4, 0, 8]):
        assert match.redo()
        assert moves(match) == left
    assert not match.waiting, "there is nothing more to redo"
    match.close()


@pytest.mark.parametrize(("seats", "winner"), [((HUMAN, HUMAN), 0), ((HUMAN, ENGINE), 1), ((ENGINE, HUMAN), 0)])
def test_a_person_resigns_also_while_the_computer_is_to_move(seats: tuple[Seat, Seat], winner: int) -> None:
    record = GameRecord(setup("tictactoe"), seats)
    record.play(4)
    match = LiveGame(record, searches_of(lambda _: Slow()))
    match.resign()
    assert record.outcome is not None
    assert record.outcome.winner == winner


def test_between_computers_nobody_resigns() -> None:
    match = LiveGame(GameRecord(setup("tictactoe"), (ENGINE, ENGINE)), searches_of(lambda _: Slow()))
    match.resign()
    assert match.record.outcome is None
