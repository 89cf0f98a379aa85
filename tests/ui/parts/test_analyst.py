"""The analysis: what is asked of the engine, what is kept, and what is shown of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.core.score import Score
from games.evaluation import Evaluation, ScoredLine
from games.formats import tengen
from games.formats.text import parse
from games.position import Position
from games.record import GameRecord
from games.registry import setup
from tests.ui.stage import thinks, wait
from ui.app import App
from ui.board.view import Marks
from ui.parts.analyst import ENDLESS, SECONDS, Analyst


class Asked(Player):
    """Answers at once, and remembers what it was asked."""

    nodes = 1

    def __init__(self, depth: int = 12) -> None:
        self.depth = depth
        self.limits: list[tuple[int, Limit]] = []

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.limits.append((position.ply, limit))
        moves = position.candidates()[: limit.lines]
        yield Info(moves[0], 50, self.depth, 1, 1.25, tuple(Line(50 - i, (move,)) for i, move in enumerate(moves)))


class Endless(Asked):
    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield from super().think(position, limit, stop)
        while not stop.is_set():
            time.sleep(0.002)


Begin = Callable[..., Analyst]


@pytest.fixture
def analyst(app: App) -> Iterator[Begin]:
    """Makes analysts of games that analyse at once, and closes them."""
    begun: list[Analyst] = []

    def begin(record: GameRecord, player: Asked, save: Callable[[], object] = bool) -> Analyst:
        thinks(app, lambda _: player)
        made = Analyst(app, record.setup, lambda: record.cursor, save)
        made.toggle()
        begun.append(made)
        return made

    yield begin
    for made in begun:
        made.close()


def look(made: Analyst) -> None:
    """As a frame does."""
    made.host.searches.update()
    made.update()


def until(made: Analyst, condition: Callable[[], object]) -> None:
    wait(condition, lambda: look(made))


def completed(made: Analyst) -> Analyst:
    until(made, lambda: made.complete)
    return made


def test_a_position_is_asked_about_once_also_after_it_was_saved(analyst: Begin) -> None:
    record, player, saved = parse("h8i9"), Asked(), []
    made = completed(analyst(record, player, lambda: saved.append(record.position.ply)))
    record.go_to(record.root)
    until(made, lambda: made.complete)
    record.go_to(record.line()[-1])
    look(made)
    assert [ply for ply, _ in player.limits] == saved == [2, 0]
    made.close()
    again = tengen.loads(tengen.dumps(record))
    assert again == record
    reopened = analyst(again, player)
    look(reopened)
    assert reopened.complete
    assert len(player.limits) == 2
    assert [found.text for found in reopened.lines()] == ["61 %", "60 %", "60 %"]
    assert (reopened.lines(), reopened.candidates()) == (made.lines(), made.candidates())


def test_what_is_kept_is_shown_at_once_and_asked_again_only_for_more_moves(app: App, analyst: Begin) -> None:
    record, player = parse("h8i9"), Asked()
    made = completed(analyst(record, player))
    made.close()
    again = tengen.loads(tengen.dumps(record))
    app.settings.analysis_lines = 5
    reopened = analyst(again, Endless(depth=3))
    assert reopened.lines() == made.lines()
    until(reopened, lambda: len(reopened.lines()) == 5)
    assert reopened.lines()[:3] == made.lines(), "a shallower search only adds to them"
    assert not reopened.complete
    assert again.cursor.evaluation.wanted == 3
    reopened.wanted = 2
    look(reopened)
    assert (reopened.complete, reopened.busy) == (True, False)
    assert reopened.lines() == made.lines()[:2]
    assert reopened.lines() is reopened.lines(), "they are listed once"


def test_a_position_with_fewer_moves_than_wanted_is_not_asked_again(analyst: Begin) -> None:
    record, player = parse("a1b1a2b2c1c2b3", setup("tictactoe")), Asked()
    made = completed(analyst(record, player))
    made.close()
    reopened = analyst(tengen.loads(tengen.dumps(record)), player)
    look(reopened)
    assert (reopened.complete, [limit.lines for _, limit in player.limits]) == (True, [9]), "of few moves all"
    assert reopened.lines() == made.lines()
    assert len(made.lines()) < made.wanted


@pytest.mark.parametrize(("score", "texts"), [(120, ["75 %", "61 %", "60 %"]), (20, ["54 %", "", ""])])
def test_a_line_of_a_shallower_search_never_looks_better_than_the_best(
    analyst: Begin, score: int, texts: list[str]
) -> None:
    """A position has one score."""
    record = parse("h8i9")
    record.cursor.evaluation = Evaluation(score, None, 20, (0,))
    made = completed(analyst(record, Asked()))
    assert [found.text for found in made.lines()] == texts
    assert [candidate.text for candidate in made.candidates()] == texts


@pytest.mark.parametrize("moves", ["h8i9", "h8"])
def test_the_best_moves_come_first_and_have_the_highest_values_for_either_side(analyst: Begin, moves: str) -> None:
    """Of lines that searches of several depths have found."""
    record, sign = parse(moves), 1 if moves == "h8i9" else -1
    others = tuple(ScoredLine(sign * score, None, 12 - score, (score,)) for score in (1, 20))
    record.cursor.evaluation = Evaluation(sign * 50, None, 12, (0,), SECONDS, others=others, wanted=3)
    made = analyst(record, Asked())
    assert [found.moves for found in made.lines()] == [(0,), (20,), (1,)]
    assert [found.text for found in made.lines()][:2] == ["61 %", "54 %"]
    assert made.lines()[1].quality < made.lines()[0].quality == 1.0


@pytest.mark.parametrize("moves", ["h8i9", "h8"])
def test_a_move_is_coloured_by_the_chances_that_it_loses_and_none_that_loses_is_green(
    analyst: Begin, moves: str
) -> None:
    """A move with 94 % was as red as one with 3 %, and where all moves lost, all were green."""
    record, sign = parse(moves), 1 if moves == "h8i9" else -1

    def line(cell: int, score: int, mate: int | None = None) -> ScoredLine:
        return ScoredLine(sign * score, None if mate is None else sign * mate, 12, (cell,))

    def proven(cell: int, score: int) -> ScoredLine:
        return line(cell, score, Score(score).mate)

    def qualities(best: ScoredLine, *others: ScoredLine) -> list[float]:
        record.cursor.evaluation = Evaluation(
            best.score, best.mate, 12, best.line, SECONDS, others=others, wanted=1 + len(others)
        )
        made = analyst(record, Asked())
        made.wanted = 1 + len(others)
        return [found.quality for found in made.lines()]

    won, longer, good, poor = qualities(
        proven(0, Score.win_in(5)), proven(1, Score.win_in(9)), line(2, 300), line(3, 20)
    )
    assert won == 1.0 > longer > 0.9 > good > 0.5
    assert poor == 0.0
    longest, shorter = qualities(proven(0, Score.loss_in(10)), proven(1, Score.loss_in(6)))
    assert 0.5 > longest > shorter
    held, lost = qualities(line(0, 0), proven(1, Score.loss_in(10)))
    assert (held, lost) == (1.0, 0.0)


def test_more_moves_or_more_time_are_asked_for(analyst: Begin) -> None:
    record, player = parse("h8i9"), Asked()
    made = completed(analyst(record, player))
    assert len(made.candidates()) == 3
    made.wanted = 5
    until(made, lambda: made.complete)
    assert len(made.candidates()) == 5
    made.wanted = 2
    made.deepen()
    until(made, lambda: made.complete)
    assert [(limit.lines, limit.seconds) for _, limit in player.limits] == [
        (3, SECONDS), (5, SECONDS), (2, 2 * SECONDS),
    ]  # fmt: skip


def test_another_player_has_searched_enough_once_its_search_is_over(analyst: Begin) -> None:
    record, player = parse("h8i9"), Asked()
    record.cursor.evaluation = Evaluation(120, None, 10, (0,), 2 * SECONDS, wanted=3)
    made = analyst(record, player)
    made.choose("alphabeta")
    assert not made.complete
    until(made, lambda: made.complete)
    look(made)
    made.deepen()
    assert not made.complete
    until(made, lambda: made.complete)
    assert [limit.seconds for _, limit in player.limits] == [SECONDS, 2 * SECONDS]
    made.wanted = 5
    assert not made.complete


def test_a_deeper_look_is_twice_as_long_as_the_one_of_the_file(analyst: Begin) -> None:
    """The first time that one asked for it, nothing happened."""
    record, player = parse("h8i9"), Asked()
    record.cursor.evaluation = Evaluation(120, None, 10, (0,), 2 * SECONDS, wanted=3)
    made = analyst(record, player)
    assert made.complete
    made.deepen()
    until(made, lambda: made.complete)
    assert [limit.seconds for _, limit in player.limits] == [4 * SECONDS]


def test_an_analysis_without_end_goes_on_until_it_has_one_again(analyst: Begin) -> None:
    record, player = parse("h8i9"), Asked()
    record.cursor.evaluation = Evaluation(120, None, 10, (0,), 2 * SECONDS, wanted=3)
    made = analyst(record, player)
    assert made.complete
    made.toggle_endless()
    assert (made.on, made.complete) == (True, False)
    until(made, lambda: player.limits)
    assert [limit.seconds for _, limit in player.limits] == [ENDLESS]
    made.toggle_endless()
    assert (made.on, made.complete) == (True, True)


def test_ten_lines_are_asked_for(analyst: Begin) -> None:
    record, player = parse("h8i9"), Asked()
    made = analyst(record, player)
    made.wanted = 10
    until(made, lambda: player.limits)
    assert player.limits[-1][1].lines == 10


def test_the_cursor_is_followed_at_once(analyst: Begin) -> None:
    record, player = parse("h8i9"), Endless()
    made = analyst(record, player)
    until(made, lambda: made.info)
    record.go_to(record.root)
    assert made.info is None
    until(made, lambda: made.info)
    assert [ply for ply, _ in player.limits] == [2, 0]
    assert record.line()[-1].evaluation is not None, "what was found before is kept"
    assert record.line()[-1].evaluation.seconds == 1.25
    made.toggle()
    assert (made.lines(), made.search) == ((), None)


def test_a_search_that_found_less_is_not_asked_again(analyst: Begin) -> None:
    record, player = parse("h8i9"), Asked(depth=3)
    record.cursor.evaluation = Evaluation(120, None, 20, (0,), 0.5, sound=(0, 1))
    completed(analyst(record, player))
    known = record.cursor.evaluation
    assert (known.score, known.depth, known.line, known.seconds, known.sound) == (120, 20, (0,), SECONDS, (0, 1))


def test_nothing_is_asked_after_the_end(analyst: Begin) -> None:
    record, player = parse("a1b1a2b2a3", setup("tictactoe")), Asked()
    made = analyst(record, player)
    for _ in range(3):
        look(made)
    assert (player.limits, made.lines(), made.busy) == ([], (), False)


def test_what_is_proven_after_a_move_goes_before_an_estimate_of_it(analyst: Begin) -> None:
    """The monkey saw “50 %” for a column, and below it in the tree that the column loses."""
    record = parse("h8", setup("gomoku"))
    best, other = record.position.candidates()[:2]
    lost = Evaluation(20_000_000, 3, 5, (1, 2, 3))  # black, who is not to move, wins
    record.cursor.evaluation = Evaluation(
        0, None, 20, (best,), 60.0, others=(ScoredLine(0, None, 20, (other,)),), wanted=5
    )
    made = analyst(record, Asked())
    estimate = made.lines()[0].text
    assert [(each.moves[0], each.text) for each in made.lines()] == [(best, estimate), (other, estimate)]
    start = record.cursor
    for move, texts in ((other, [estimate, "loses in 2"]), (best, ["", "loses in 2"])):
        record.play(move).evaluation = lost
        record.go_to(start)
        found = sorted(made.lines(), key=lambda each: each.moves[0] == other)
        assert [(each.text, each.contradicted) for each in found] == [(text, not text) for text in texts]
    assert [each.text for each in made.candidates()] == ["", "lost"]


def test_the_board_shows_the_best_moves_or_the_line_of_the_one_pointed_at(analyst: Begin) -> None:
    record, long, others = parse("h8i9"), tuple(range(12)), (ScoredLine(20, None, 12, (30, 31)),)
    record.cursor.evaluation = Evaluation(50, None, 12, long, SECONDS, others=others, wanted=3)
    made = analyst(record, Asked())
    assert [candidate.move for candidate in made.candidates()] == [0, 30]
    assert made.marks(Marks(hover=5), 5) == Marks(hover=5, candidates=made.candidates())
    assert made.marks(Marks(hover=0), 0) == Marks(line=long[:9])
    assert made.marks(Marks(hover=30), 30) == Marks(line=(30, 31))
    assert made.marks(Marks(hover=0), 0, (7,)) == Marks(line=(7,))
    made.toggle()
    assert made.marks(Marks(hover=0, hints=(3,)), 0) == Marks(hover=0, hints=(3,))


def test_an_analysis_begins_off_and_on_this_computer(app: App, analyst: Begin) -> None:
    """Also where the settings name a cluster."""
    record, app.settings.cluster = parse("h8"), "tcp://cluster:8786"
    new = Analyst(app, record.setup, lambda: record.cursor, bool)
    assert (new.on, new.shared, new.endless, new.crewed, new.busy, new.stand_in) == (False,) * 6
    assert (new.info, new.workers, new.lines(), new.search) == (None, (), (), None)
    made = completed(analyst(record, Asked()))
    assert made.search is not None
    assert (made.search.cluster, made.busy, made.workers) == ("", False, ())
    made.choose("alphabeta", shared=True)
    assert (made.player, made.shared, made.crewed) == ("alphabeta", True, True)
    made.choose("alphabeta")
    assert (made.shared, made.crewed) == (False, False)
