"""Reviews: what is called a mistake, what is asked of the engine, what is stored, and how a review is stopped."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.core.score import WIN
from ai.review.assessment import NODES_PER_SECOND, Aim, ReviewTask
from ai.review.judgement import BLUNDERS, MISTAKES, Judged, playable
from ai.review.report import Reviewed, run_review
from ai.review.review import Judges, Review, ReviewBudget, ReviewShare
from games.evaluation import Evaluation
from games.formats import load, tengen
from games.formats.text import moves_text, parse
from games.position import Position, Stones
from games.record import GameRecord
from games.registry import setup
from tests.by_nodes import judge_by_nodes, reviewed_by_nodes
from tests.players import Faulty, Slow

THREE = "h8h9i8g9j8a1"


Script = dict[str, list[tuple[int, str]]]
"""For each text of moves, the score (from the side to move) and the best move of one search after the other; the last
one stays."""
Change = Callable[[Position, Limit, Info], Info]


class Scripted(Player):
    """Answers from a script, after a `change`."""

    nodes = 0

    def __init__(self, game: GameRecord, script: Script, change: Change = lambda _position, _limit, info: info) -> None:
        self.change = change
        self._script = {parse(moves, game.setup).position.key: list(told) for moves, told in script.items()}
        self.asked: list[Position] = []
        self.threads: set[int] = set()

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.threads.add(threading.get_ident())
        self.asked.append(position)
        told = self._script.get(position.key)
        score, best = (told.pop(0) if len(told) > 1 else told[0]) if told else (0, None)
        move = position.parse_move(best) if best else position.candidates()[0]
        lines = (Line(score, (move,)), Line(score, (position.candidates()[-1],)))[: limit.lines]
        yield self.change(position, limit, Info(move, score, 20, 1, 0.01, lines))


def kinds(found: Reviewed) -> dict[int, str]:
    return {move.node.position.ply: move.kind for move in found.moves}


def scripted(moves: str, script: Script, change: Change = lambda _p, _l, info: info) -> tuple[Reviewed, Scripted]:
    record = parse(moves)
    player = Scripted(record, script, change)
    return run_review(record, 0.5, 1, make=lambda: player), player


# With the engine.


@pytest.mark.slow
def test_blocking_a_four_is_the_only_move() -> None:
    found = reviewed_by_nodes(parse("h8a1i8a3j8a5k8l8"), 0.2)
    judged = {move.node.position.ply: move for move in found.moves}
    assert judged[8].kind == "good"  # the other end stays open, so that nothing helps
    closed = reviewed_by_nodes(parse("h8g8i8g9j8g10k8l8"), 0.3)
    assert kinds(closed)[8] == "only_move"


@pytest.mark.slow
def test_a_position_that_was_set_up_is_reviewed() -> None:
    game = setup("gomoku")
    empty = game.start()
    black, white = (tuple(map(empty.parse_move, points)) for points in (("h8", "i8", "j8"), ("h9", "g9")))
    record = GameRecord(game, stones=Stones((black, white), 1))
    record.play(empty.parse_move("a1"))
    (judged,) = reviewed_by_nodes(record, 0.5).moves
    assert (judged.side, judged.kind) == (1, "blunder")


# Small games, exactly.


def test_tictactoe_is_judged_exactly() -> None:
    found = run_review(parse("a1b1b2a2c3", setup("tictactoe")))
    assert kinds(found) == {1: "best", 2: "blunder", 3: "best", 4: "good", 5: "best"}
    assert found.wins == (0.5, 0.5, 1.0, 1.0, 1.0, 1.0)
    assert found.moves[1].loss == 0.5
    assert found.accuracy == pytest.approx((100, 16.85), abs=0.01)
    first, second = (found.facts(why=lambda judged: judged.kind)["moves"][number] for number in (0, 1))
    assert (first["ply"], first["move"], first["win"], first["why"]) == (1, "a1", 0.5, "best")
    assert (second["loss"], second["win"], second["best"], second["line"][0]) == (0.5, 0.0, "b2", "b2")
    assert second["line_sides"][:3] == ["o", "x", "o"]
    assert found.facts()["accuracy"] == [100.0, 16.8]


def test_bones_are_judged_exactly() -> None:
    found = run_review(parse("1 2 3 2", setup("bones")))
    assert [move.kind for move in found.moves] == ["best", "good", "blunder", "blunder"]
    better = found.moves[2]
    assert (better.best, better.loss, better.win) == (2, 1.0, 0.0)


def test_a_game_without_a_move_has_an_empty_review() -> None:
    found = run_review(parse("", setup("tictactoe")))
    assert found.facts() == {"accuracy": [None, None], "moves": []}


# What is asked, and what is stored.


def reviewed_again(found: Reviewed, seconds: float) -> Reviewed:
    """The same game from its file, by a player that must not be asked."""
    again = tengen.loads(tengen.dumps(found.record))
    player = Scripted(again, {})
    second = run_review(again, seconds, 1, make=lambda: player)
    assert player.asked == []
    return second


@pytest.mark.slow
@pytest.mark.parametrize("moves", [THREE, "h8g8i8a3j8a15k8l8"])
def test_what_is_found_is_stored_and_never_asked_again(moves: str) -> None:
    """An only move became a best move when the game was opened again."""
    first = run_review(parse(moves), 0.01, 2, make=judge_by_nodes)
    assert all(node.evaluation is not None and node.evaluation.line for node in first.record.line())
    assert reviewed_again(first, 0.01).facts() == first.facts()


def test_better_moves_that_were_refuted_are_not_better_when_the_game_is_opened_again() -> None:
    script = {"h8": [(0, "g7")], "h8i9": [(WIN - 7, "a1")], "h8g7": [(WIN - 7, "a1")]}
    found, _ = scripted("h8i9", script)
    assert found.moves[1].best == found.moves[1].node.move
    known, refuted = found.record.line()[1].evaluation, found.record.position.parse_move("g7")
    assert [(other.mate, other.line[0]) for other in known.others] == [(8, refuted)]
    assert reviewed_again(found, 0.5).facts() == found.facts()


def test_an_only_move_stays_one() -> None:
    record = parse("h8i9g7")
    record.line()[2].evaluation = Evaluation(0, None, 20, (record.position.parse_move("f6"),), 5.0, only=True)
    assert tengen.loads(tengen.dumps(record)) == record


def test_evaluations_that_are_too_shallow_are_asked_again() -> None:
    record = parse("h8i9")
    for node in record.line():
        node.evaluation = Evaluation(20, None, 2)
    player = Scripted(record, {})
    run_review(record, 0.5, 1, make=lambda: player)
    assert {position.ply for position in player.asked} == {0, 1, 2}


def test_a_deep_evaluation_from_the_file_is_not_replaced_by_a_shallower_one() -> None:
    record = parse("h8i9")
    deep = Evaluation(20, None, 40, (112,))
    record.root.evaluation = deep
    run_review(record, 0.5, 1, make=lambda: Scripted(record, {}))
    assert record.root.evaluation is deep


def test_the_line_through_the_cursor_is_reviewed() -> None:
    record = parse("a1b1b2", setup("tictactoe"))
    record.go_to(record.root.children[0])
    record.play(record.position.parse_move("b2"))
    assert [move.node.position.ply for move in run_review(record).moves] == [1, 2]


# Confirmation.


WRONG_AT_FIRST: Script = {"h8": [(0, "g7")], "h8i9": [(900, "a1"), (0, "a1")]}
"""The first search of the position after i9 is wrong."""
BETTER_LOSES: Script = {
    "h8": [(0, "g7"), (0, "g7"), (-WIN + 8, "g7")], "h8i9": [(WIN - 7, "a1")], "h8g7": [(WIN - 7, "a1")],
}  # fmt: skip
LOSING: Script = {"h8": [(0, "g7")], "h8i9": [(900, "a1")], "h8g7": [(0, "a1")]}
WITH_LINE: Script = {"h8": [(0, "g7")], "h8i9": [(40, "a1")]}


@pytest.mark.parametrize(
    ("script", "kind", "searched"),
    [(WRONG_AT_FIRST, "best", 3), (BETTER_LOSES, "good", 3), (WITH_LINE, "inaccuracy", 2)],
)
def test_a_mistake_is_none_if_no_longer_search_confirms_it_or_what_is_better_loses_too(
    script: Script, kind: str, searched: int
) -> None:
    """An inaccuracy is confirmed as well: what is said of it rests on that."""
    found, player = scripted("h8i9", script)
    assert kinds(found)[2] == kind
    assert len([position for position in player.asked if position.ply == 1]) == searched


@pytest.mark.parametrize("seconds", [0.3, 0.7, 1 / 3])
def test_a_mistake_is_confirmed_once_whatever_the_seconds(seconds: float) -> None:
    """0.3 s times 6 divided by 0.3 s is less than 6."""
    record = parse("h8i9")
    player = Scripted(record, {"h8": [(0, "g7")], "h8i9": [(WIN - 17, "a1")], "h8g7": [(0, "a1")]})
    assert kinds(run_review(record, seconds, 1, make=lambda: player))[2] == "blunder"
    assert len(player.asked) < 12


def test_a_mistake_that_a_comparison_has_confirmed_is_not_searched_again() -> None:
    """The comparison took as long as a confirmation, but the file knew only of the time of the first search."""
    script = {"h8": [(0, "g7"), (0, "g7"), (0, "g7"), (-300, "g7")], "h8i9": [(300, "a1")], "h8g7": [(-300, "a1")]}
    found, _ = scripted("h8i9", script)
    assert reviewed_again(found, 0.5).facts() == found.facts()


@pytest.mark.parametrize(("needed", "kind"), [(19, "blunder"), (20, "mistake")])
def test_a_loss_that_a_search_from_before_the_move_cannot_reach_is_no_blunder(needed: int, kind: str) -> None:
    """The search before the move is 20 plies deep, so that the move itself is searched to a depth of 19."""

    def limited(_position: Position, limit: Limit, info: Info) -> Info:
        return info if limit.depth is None or limit.depth >= needed else replace(info, score=0)

    found, _ = scripted("h8i9", LOSING, limited)
    assert kinds(found)[2] == kind


def test_an_inaccuracy_without_a_better_line_is_searched_until_there_is_one() -> None:
    """A file has scores without lines."""
    record = parse("h8i9")
    record.line()[1].evaluation = Evaluation(0, None, 40)
    player = Scripted(record, {"h8": [(0, "g7")], "h8i9": [(40, "a1")], "h8g7": [(0, "a1")]})
    found = run_review(record, 0.5, 1, make=lambda: player)
    judged = found.moves[1]
    assert (judged.kind, judged.best) == ("inaccuracy", record.position.parse_move("g7"))
    assert [found.facts()["moves"][1][share] for share in ("loss", "win")] == [0.0746, 0.4167]


def test_a_better_move_that_ends_the_game_is_not_searched() -> None:
    """A player was asked for a move of a finished game."""
    record = parse("1", setup("bones", 3))
    player = Scripted(record, {"": [(300, "3")], "1": [(300, "1")]})
    assert run_review(record, 0.5, 1, make=lambda: player).moves[0].kind == "blunder"
    assert all(position.outcome is None for position in player.asked)


def test_a_better_move_is_tried_by_a_player_that_knows_no_other_search() -> None:
    """The score that recommends it comes from the same table as a search after it would."""

    class Misled(Scripted):
        def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
            fresh = not self.asked
            for info in super().think(position, limit, stop):
                yield replace(info, score=WIN - 7) if fresh and position.key == tried else info

    record, tried = parse("h8i9"), parse("h8g7").position.key
    script = {"h8": [(0, "g7")], "h8i9": [(WIN - 7, "a1")]}
    found = run_review(record, 0.5, 1, make=lambda: Misled(record, script))
    assert kinds(found)[2] == "good"


def test_a_move_that_wins_by_proof_proves_the_position_before() -> None:
    found, _ = scripted("h8i9g7", {"h8i9": [(50, "a1")], "h8i9g7": [(-WIN + 6, "a1")]})
    known = found.record.line()[2].evaluation
    assert (known.mate, known.line[0]) == (7, found.record.line()[3].move)
    assert kinds(found)[3] == "best"
    assert kinds(found)[2] == "blunder"


def test_a_proven_win_is_proven_after_its_first_move_too() -> None:
    """A search of the position after the move did not see the win: the graph fell, without a mistake."""

    def far(_position: Position, _limit: Limit, info: Info) -> Info:
        return replace(info, lines=(Line(info.score, line), *info.lines[1:])) if info.move == line[0] else info

    line = tuple(map(parse("").position.parse_move, ("i9", "g7", "g8")))
    found, _ = scripted("h8i9", {"h8": [(WIN - 7, "i9")], "h8i9": [(20, "a1")]}, far)
    known = found.record.line()[2].evaluation
    assert (known.mate, known.line, found.wins[1:]) == (-6, line[1:], (0.0, 0.0))
    assert kinds(found)[2] == "best"
    assert reviewed_again(found, 0.5).facts() == found.facts()


class Prepared(Player):
    """Gives one prepared answer after the other, and notes of what and within which limits it was asked."""

    nodes = 0

    def __init__(self, *answers: tuple[str, int, int, float]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[int, Limit]] = []
        self.closed = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        text, score, depth, seconds = self.answers.pop(0)
        self.asked.append((position.ply, limit))
        moves = tuple(map(position.parse_move, text.split()))
        lines = tuple(Line(score - 10 * place, moves if not place else (move,)) for place, move in enumerate(moves))
        yield Info(moves[0], score, depth, 1, seconds, lines[: limit.lines])

    def close(self) -> None:
        self.closed += 1


FIRST_OF = [(1, Limit(1.7)), (1, Limit(0.3, lines=2))]
"""The shares of two seconds for a first search and for the second best move."""
THEN = [FIRST_OF[0], (3, Limit(0.15, nodes=200_000))]
"""The search for how a proof goes on."""
PROOF = [("i9 g7", WIN - 5, 9, 0.25), ("g8 a1 g9", WIN - 3, 9, 0.5)]


@pytest.mark.parametrize(
    ("aim", "exact", "answers", "asked", "scores", "line", "spent"),
    [
        (Aim.FIRST, False, [("i9 g7", 5, 9, 0.25), ("i9 a1", 5, 1, 0.5)], FIRST_OF, (5, -5), "i9 g7", 0.75),
        (Aim.FIRST, False, [("i9", 5, 9, 0.25), ("i9 a1", 5, 0, 0.5)], FIRST_OF, (), "i9", 0.75),  # a first guess
        (Aim.FIRST, False, [("g8", 5, 9, 0.25)], FIRST_OF[:1], (), "g8", 0.25),
        (Aim.CONFIRM, False, [("i9", 5, 9, 3.5)], [(1, Limit(4.0, nodes=2 * NODES_PER_SECOND))], (), "i9", 3.5),
        (Aim.FIRST, True, [("i9", WIN - 5, 9, 0.5)], [(1, Limit())], (), "i9", 0.5),
        (Aim.FIRST, False, PROOF, THEN, (), "i9 g7 g8 a1 g9", 0.25),
        (Aim.FIRST, False, [PROOF[0], ("g8", WIN - 5, 9, 0.5)], THEN, (), "i9 g7", 0.25),  # longer than was proven
        (Aim.FIRST, False, [PROOF[0], ("g8", 9, 9, 0.5)], THEN, (), "i9 g7", 0.25),
        *((Aim.COMPARE, False, [("g8", score, depth, 0.25), ("a1", 20, 8, 0.5)], [(1, Limit(1.0)), (2, Limit(1.0, to))],
           (score, -20), "g8", 0.75) for score, depth, to in ((5, 9, 8), (5, 1, 1), (WIN - 9, 9, None))),
    ],
)  # fmt: skip
def test_what_a_judge_asks_and_answers(
    aim: Aim, exact: bool, answers: list[tuple[str, int, int, float]], asked: list[tuple[int, Limit]],
    scores: tuple[int, ...], line: str, spent: float,
) -> None:  # fmt: skip
    """Of the position before i9, in two seconds. The end of a proof was cut off where the table had answered."""
    record, player, budget = parse("h8i9"), Prepared(*answers), ReviewBudget(9.0, 60)
    task = ReviewTask(1, aim, record.line()[1].position, record.cursor.move, 2.0, exact)
    judges = Judges(lambda: player, 0, budget)
    assert judges.take(wait=False) is None
    judges.ask(task)
    verdict = judges.take(wait=False)
    assert verdict is not None
    assert (player.asked, player.answers, player.closed) == (asked, [], int(aim is Aim.COMPARE))
    assert (verdict.task, verdict.scores) == (task, scores)
    assert verdict.info.pv == tuple(map(record.position.parse_move, line.split()))
    assert (budget.spent, budget.left) == (spent, 1080.0 - spent)
    judges.close()
    assert player.closed == 1 + (aim is Aim.COMPARE)


# Running.


def test_a_review_ends_when_it_is_stopped_in_a_confirmation() -> None:
    record, stop, before = parse("h8i9"), Stop(), set(threading.enumerate())

    class Slower(Scripted):
        """Confirms nothing until it is stopped."""

        def think(self, position: Position, limit: Limit, stopped: Stop) -> Iterator[Info]:
            yield from super().think(position, limit, stopped)
            if limit.seconds and limit.seconds >= 100:
                stop.set()
                while not stopped.is_set():
                    time.sleep(0.002)

    player = Slower(record, {"h8": [(0, "g7")], "h8i9": [(900, "a1")]})
    judged = [news for news in Review(record, 100, 1, lambda: player).run(stop) if isinstance(news, Judged)]
    assert [each.number for each in judged] == [0]
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert set(threading.enumerate()) <= before


def test_all_players_of_a_review_are_closed() -> None:
    """Those with processes of their own would have left them behind."""
    record, made = parse("h8i9"), []

    class Closing(Scripted):
        closed = 0

        def close(self) -> None:
            self.closed += 1

    def make() -> Player:
        made.append(Closing(record, LOSING))
        return made[-1]

    review = Review(record, 0.5, 1, make)
    list(review.run(Stop()))
    review.close(60.0)
    assert len(made) > 1, "one to compare with"
    assert {player.closed for player in made} == {1}


def test_without_threads_of_its_own_a_review_searches_in_that_of_its_owner() -> None:
    """Which search comes after which does not depend on the machine then."""
    record = parse("h8i9")
    found, player = scripted("h8i9", LOSING)
    alone = Scripted(record, LOSING)
    assert run_review(record, 0.5, 0, make=lambda: alone).facts() == found.facts()
    assert alone.threads == {threading.get_ident()} != player.threads
    assert len(alone.asked) == len(player.asked)


@pytest.mark.parametrize(
    ("game", "moves", "threads", "known", "searching"),
    [("gomoku", "h8i9", 2, False, 2), ("gomoku", "h8", 9, False, 2), ("gomoku", "h8", 9, True, 1),
     ("gomoku", "h8", 0, False, 0), ("tictactoe", "a1b1", 2, False, 1)],
)  # fmt: skip
def test_as_many_threads_search_as_there_are_positions_but_one_where_it_is_python(
    game: str, moves: str, threads: int, known: bool, searching: int
) -> None:
    record, before = parse(moves, setup(game)), set(threading.enumerate())
    for node in record.line() if known else ():
        node.evaluation = Evaluation(0, None, 40, (5,))
    job = Review(record, 100, threads, Slow)
    begun = set(threading.enumerate()) - before
    assert (len(begun), all(thread.daemon for thread in begun)) == (searching, True)
    job.close(60.0)


def test_the_second_best_move_is_scored_where_there_is_one() -> None:
    record = parse("1 1 1", setup("bones", 3))
    player = Scripted(record, {"": [(0, "1")], "1": [(0, "1")], "1 1": [(0, "1")]})
    run_review(record, 0.5, 1, make=lambda: player)
    assert Counter(position.ply for position in player.asked) == {0: 2, 1: 2, 2: 1}


def test_two_positions_are_judged_at_once() -> None:
    both = threading.Barrier(2, timeout=10)

    class Meeting(Slow):
        def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
            if position.ply in (0, 3) and limit.lines == 1:  # one thread begins at either end
                both.wait()
            yield Info(position.candidates()[0], 0, 20, lines=(Line(0, (position.candidates()[0],)),))

    assert len(run_review(parse("h8i9g7"), 0.5, 2, make=Meeting).moves) == 3


def test_results_come_as_they_are_found() -> None:
    record = parse("a1b1b2a2c3", setup("tictactoe"))
    news = list(Review(record, 0.5, 1).run(Stop()))
    progress = [each for each in news if isinstance(each, ReviewShare)]
    assert progress[-1].share == 1.0
    assert isinstance(news[1], Judged | ReviewShare)
    assert {each.number for each in news if isinstance(each, Judged)} == set(range(5))


def test_what_a_player_raises_reaches_the_owner() -> None:
    with pytest.raises(RuntimeError, match="a fault"):
        run_review(parse("h8"), make=Faulty)


def test_polling_does_not_wait() -> None:
    job = Review(parse("h8i9"), 100, 1, Slow)
    try:
        assert job.poll() == []
        assert not job.over
        assert job.assessment.wins == [None, None, None]
        assert job.assessment.accuracy() == (None, None)
    finally:
        job.close()


def test_a_line_from_a_file_that_cannot_be_played_is_cut() -> None:
    position = parse("h8").position
    assert playable(position, (0, 0, 1)) == (0,)
    assert playable(position, (112,)) == ()


PLANTED = sorted((Path(__file__).parents[2] / "data" / "planted").glob("*.tengen.json"))


@pytest.mark.slow
def test_planted_blunders_are_found() -> None:
    """Of five games of the engine against itself, each with one move that a search of 600,000 nodes before and
    after it calls a blunder. A position that 4,000,000 nodes prove to be lost before the move is not among them."""
    called = []
    for file in PLANTED:
        record = load(file)
        judged = reviewed_by_nodes(parse(moves_text(record.line()), record.setup), 0.1).moves
        called += [move.kind for node, move in zip(record.line()[1:], judged, strict=True) if node.comment == "planted"]
    assert len(called) == 5
    assert sum(kind in BLUNDERS for kind in called) >= 4
    assert set(called) <= set(MISTAKES), "the others are mistakes"
