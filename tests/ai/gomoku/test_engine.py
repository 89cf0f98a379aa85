"""The engine as a player: limits of time and nodes, lines, and legal moves on every board.

How late an answer is depends on the machine: `python -m ai.lab.timing` prints it.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from ai.core.player import Info, Limit, Stop, answer
from ai.core.score import WIN
from ai.gomoku import engine as engine_module
from ai.gomoku.engine import RULES, GomokuEngine
from ai.gomoku.engine_board import Board
from ai.gomoku.gomoku_oracles import GuidedNetwork, PatternsOracle
from ai.gomoku.kernels.layout import BUSY_SLOTS
from ai.gomoku.table_walk import Counts, Deepening, Iteration
from ai.gomoku.tables import build, cell_of
from ai.gomoku.threat_solver import ThreatSolver
from ai.lab import engine_speed as speed
from ai.service.searches import Worker
from ai.system.compiler import jit
from games.formats.text import parse
from games.line import LinePosition
from games.position import Position, Stones
from games.registry import setup
from tests.games.strategies import Time
from tests.sampling import sampled
from tests.waiting import wait

OPENING = "h8i9g7"


def engine(threads: int = 1) -> GomokuEngine:
    return GomokuEngine(threads=threads, memory_mb=1)


def on(moves: str, rule: str = "freestyle", size: int = 15) -> LinePosition:
    position = parse(moves, setup("gomoku", size, rule)).position
    assert isinstance(position, LinePosition)
    return position


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> list[Board]:
    """The boards of all engines of a test, one for each thread."""
    made: list[Board] = []

    def make(*arguments: Any) -> Board:
        made.append(Board(*arguments))
        return made[-1]

    monkeypatch.setattr(engine_module, "Board", make)
    return made


def interrupt(monkeypatch: pytest.MonkeyPatch, before: Callable[[Any, int], object]) -> None:
    """Call `before` with the state of a thread, and the depth, when it is to search its root."""
    search = engine_module.search

    def interrupted(state: Any, tables: Any, table: Any, depth: int, *window: int) -> int:
        before(state, depth)
        return int(search(state, tables, table, depth, *window))

    monkeypatch.setattr(engine_module, "search", interrupted)


def check(position: LinePosition, info: Info) -> None:
    """Every line can be played move by move; they begin differently, and the best comes first."""
    firsts = [line.moves[0] for line in info.lines]
    assert info.move == firsts[0]
    assert len(set(firsts)) == len(firsts)
    assert [line.score for line in info.lines] == sorted((line.score for line in info.lines), reverse=True)
    for line in info.lines:
        here = position
        for move in line.moves:
            assert here.outcome is None
            assert move in here.legal_moves(), here.move_text(move)
            here = here.play(move)


# Promises.


@pytest.mark.parametrize("threads", [1, 2])
def test_answers_when_its_time_has_passed(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """And not before: its clock stands still until it has searched to depth 4. Without one it would go on."""
    clock = Time()
    monkeypatch.setattr(engine_module, "time", SimpleNamespace(monotonic=clock))
    infos = []
    for info in engine(threads).think(on(OPENING), Limit(seconds=1.0), Stop()):
        infos.append(info)
        if info.depth == 4:
            clock.passes(1.0)
    assert 4 <= infos[-1].depth < 30
    check(on(OPENING), infos[-1])


def test_all_of_the_time_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not most of it only: a part of an iteration may find a better move, too."""
    clock = Time()
    monkeypatch.setattr(engine_module, "time", SimpleNamespace(monotonic=clock))
    depths = []
    for info in engine().think(on(OPENING), Limit(seconds=1.0), Stop()):
        depths.append(info.depth)
        if info.depth in (3, 6):
            clock.passes(0.9 if info.depth == 3 else 0.1)
    assert 6 in depths


def test_a_move_without_an_alternative_is_searched_for_a_twentieth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Time()
    monkeypatch.setattr(engine_module, "time", SimpleNamespace(monotonic=clock))
    depths = []
    for info in engine().think(on("h8h7h9a15h10o1h11"), Limit(seconds=10.0), Stop()):
        depths.append(info.depth)
        if info.depth in (3, 5):
            clock.passes(0.3)
    assert depths[-1] == 5


def test_a_search_without_a_limit_ends_at_90_plies() -> None:
    position = nearly_full("freestyle", 5, 3, 1)
    assert position is not None
    assert answer(engine(), position, Limit()).depth == 90


def test_of_a_stopped_iteration_a_move_above_the_window_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its score is not known yet, but it is better than that of the iteration before."""
    search, above = engine_module.search, []

    def found(state: Any, tables: Any, table: Any, depth: int, alpha: int, beta: int, *rest: int) -> int:
        if depth < 5:
            return int(search(state, tables, table, depth, alpha, beta, *rest))
        if above:
            state.stop = 1
            return int(search(state, tables, table, depth, alpha, beta, *rest))
        search(state, tables, table, depth, alpha, beta, *rest)
        above.append(beta)
        return beta

    monkeypatch.setattr(engine_module, "search", found)
    infos = list(engine().think(on(OPENING), Limit(depth=5), Stop()))
    assert (infos[-1].depth, infos[-1].score) == (4, above[0])
    check(on(OPENING), infos[-1])


def test_a_stopped_iteration_that_another_thread_has_finished_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    is_outdated = Deepening.is_outdated

    def stopped(self: Deepening, depth: int) -> bool:
        if depth == 4:
            self.finish(0, Iteration(4, Counts(), [(7, [cell_of(0, 15)])]))
            self.end()
        return is_outdated(self, depth)

    def halted(state: Any, depth: int) -> None:
        state.node_limit = state.nodes + 200 if depth == 4 else state.node_limit  # within it, after its first move

    monkeypatch.setattr(Deepening, "is_outdated", stopped)
    interrupt(monkeypatch, halted)
    assert [info.score for info in engine().think(on(OPENING), Limit(), Stop())][-1] == 7


@pytest.mark.parametrize("threads", [1, 2])
def test_stops_when_told(threads: int) -> None:
    """Without it, it would go on for ever."""
    stop = Stop()
    threading.Timer(0.2, stop.set).start()
    check(on(OPENING), answer(engine(threads), on(OPENING), Limit(), stop))
    assert stop.is_set()


def test_stopped_before_it_begins_it_still_answers() -> None:
    stop = Stop()
    stop.set()
    check(on(OPENING), answer(engine(), on(OPENING), Limit(), stop))


def test_a_stop_ends_the_search_for_fours(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it would be."""
    stop, ended = Stop(), []

    def long(state: Any, *_: object) -> int:
        stop.set()
        ended.append(wait(lambda: bool(state.stop)))
        return 0

    monkeypatch.setattr(engine_module, "vcf", long)
    check(on(OPENING), answer(engine(), on(OPENING), Limit(), stop))
    assert ended == [True]


def test_fours_are_searched_at_the_root_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[object] = []
    monkeypatch.setattr(engine_module, "vcf", lambda *_: searched.append(None) or 0)
    some = frozenset({on(OPENING).parse_move("a1")})
    for root_vcf, without, expected in ((True, (), True), (False, (), False), (True, some, False)):
        searched.clear()
        player = GomokuEngine(memory_mb=1, root_vcf=root_vcf, book=False)
        answer(player, on(OPENING), Limit(depth=1, without=frozenset(without)))
        assert bool(searched) == expected


@pytest.mark.parametrize(
    ("limit", "tried"),
    [
        (Limit(depth=1), [(3, 2_000), (6, 4_000), (12, 8_000), (40, 40_000)]),
        (Limit(depth=1, nodes=40_000), [(3, 2_000), (6, 4_000), (12, 4_000)]),
        (Limit(depth=1, nodes=8_003), [(3, 2_000)]),
        (Limit(depth=1, seconds=0.1), [(3, 2_000), (6, 3_000)]),
        (Limit(depth=1, seconds=9.0, nodes=4_000), [(3, 1_000)]),
    ],
)
def test_fours_are_searched_in_a_quarter_of_the_budget(
    limit: Limit, tried: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[tuple[int, int]] = []

    def none(state: Any, _tables: Any, _table: Any, fours: int, anywhere: int) -> int:
        found.append((fours, int(state.vcf_left)))
        return 0

    monkeypatch.setattr(engine_module, "vcf", none)
    answer(engine(), on(OPENING), limit)
    assert found == tried


@pytest.mark.parametrize(("memory", "pairs"), [(1, 1 << 16), (2, 1 << 17), (3, 1 << 17), (64, 1 << 22)])
def test_a_table_is_as_large_as_its_memory(memory: int, pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []
    monkeypatch.setattr(engine_module, "new_table", lengths.append)
    GomokuEngine(memory_mb=memory)
    assert lengths == [2 * pairs + BUSY_SLOTS]


def test_a_search_that_is_not_followed_to_its_end_leaves_no_thread() -> None:
    before = set(threading.enumerate())  # those of an earlier test may end meanwhile
    search = engine(2).think(on(OPENING), Limit(), Stop())
    for _ in range(4):
        next(search)
    search.close()
    wait(lambda: before.issuperset(threading.enumerate()))


@pytest.mark.parametrize("held", [0, 1])
def test_a_thread_that_is_late_holds_up_the_next_search_but_no_answer(
    held: int, boards: list[Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that gets no processor, because other programs have them."""
    player, stop, still, late, depths = engine(2), Stop(), threading.Event(), threading.Event(), []

    def slow(state: Any, depth: int) -> None:
        if state is boards[held].state and depth > 3:
            late.set()
            still.wait(60)

    interrupt(monkeypatch, slow)
    for info in player.think(on(OPENING), Limit(), stop):
        depths.append(info.depth)
        if info.depth >= 6 and late.is_set():
            stop.set()
    assert not still.is_set()
    assert depths[:7] == list(range(7))
    threading.Timer(0.2, still.set).start()
    check(on(OPENING), answer(player, on(OPENING), Limit(depth=3)))
    assert still.is_set()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("nodes", [1, 200, 20_000])
def test_visits_no_more_nodes_than_it_may(nodes: int, threads: int) -> None:
    """A few more: an entry of the search for fours is not broken off."""
    info = answer(engine(threads), on(OPENING), Limit(nodes=nodes))
    assert info.nodes <= nodes + 500
    assert nodes < 1000 or info.nodes > nodes // 4
    check(on(OPENING), info)


def test_the_nodes_of_both_threads_are_counted(boards: list[Board]) -> None:
    player = engine(2)
    info = answer(player, on(OPENING), Limit(nodes=60_000))
    each = [int(board.state.nodes) for board in boards]
    assert [board.state.shared for board in boards] == [1, 1]
    assert min(each) > 0
    assert sum(each) == player.nodes >= info.nodes > max(each) // 2


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_depth_is_kept_and_each_depth_is_told_once(threads: int) -> None:
    for _ in range(5):
        search = engine(threads).think(on(OPENING), Limit(depth=7), Stop())
        assert [info.depth for info in search] == list(range(8))


def test_a_thread_that_is_overtaken_while_it_reports_does_not_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    is_outdated = Deepening.is_outdated

    def overtaken(self: Deepening, depth: int) -> bool:
        outdated = is_outdated(self, depth)
        if not outdated:  # another thread finishes the same depth just now
            self.finish(0, Iteration(depth, Counts(), [(0, [cell_of(0, 15)])], final=depth == 4))
        return outdated

    monkeypatch.setattr(Deepening, "is_outdated", overtaken)
    search = engine().think(on(OPENING), Limit(depth=4), Stop())
    assert [info.depth for info in search] == list(range(5))


def test_what_another_thread_finds_first_is_told(boards: list[Board], monkeypatch: pytest.MonkeyPatch) -> None:
    """The first thread blocks, like one that gets no processor."""
    still, told = threading.Event(), []
    interrupt(monkeypatch, lambda state, _depth: state is boards[0].state and still.wait(60))
    for info in engine(2).think(on(OPENING), Limit(depth=5), Stop()):
        told.append(info.depth)
        if info.depth == 5:
            still.set()
    assert told == list(range(6))


def test_a_thread_goes_on_with_the_history_of_the_one_that_finished_the_last_depth(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    boards, learned = [Board(build(RULES["freestyle"], 15), 1023, True) for _ in range(2)], list[tuple[int, int]]()
    monkeypatch.setattr(
        Board, "learn_from", lambda self, other: learned.append((boards.index(self), boards.index(other)))
    )
    together = Deepening(boards, together=True)
    assert ([together.next_depth(number, 0) for number in (0, 1)], learned) == ([1, 1], [(1, 0)])
    together.finish(1, Iteration(1, Counts(), []))
    assert ([together.next_depth(number, 1) for number in (0, 1)], learned[1:]) == ([2, 2], [(0, 1)])
    alone = Deepening(boards, together=False)
    assert ([alone.next_depth(number, 3) for number in (0, 1)], learned[2:]) == ([4, 4], [])


# Lines.


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("threads", [1, 2])
def test_several_lines_are_distinct_ordered_and_legal(rule: str, threads: int) -> None:
    for position in [one for one in speed.positions() if one.rules.rule == rule]:
        for info in engine(threads).think(position, Limit(nodes=15_000, lines=4), Stop()):
            check(position, info)


def test_as_many_lines_as_are_wanted_and_no_more_than_there_are() -> None:
    assert len(answer(engine(), on(OPENING), Limit(depth=4, lines=5)).lines) == 5
    forced = on("h8a1h9a3h10a5h11")
    assert len(answer(engine(), forced, Limit(depth=4, lines=5)).lines) <= 2


# Boards.


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", sampled([5, 6, 15, 20], 1))
def test_a_game_from_the_empty_board_is_legal_to_its_end(rule: str, size: int) -> None:
    position, player = on("", rule, size), engine()
    while position.outcome is None and position.ply < 60:
        info = answer(player, position, Limit(nodes=400))
        check(position, info)
        position = position.play(info.move)


def nearly_full(rule: str, size: int, empty: int, seed: int) -> LinePosition | None:
    """A board with few cells left and no five, or None if the dice did not give one."""
    dice, position = random.Random(seed), on("", rule, size)
    while len(moves := list(position.legal_moves())) > empty:
        quiet = [after for move in dice.sample(moves, min(8, len(moves))) if not (after := position.play(move)).outcome]
        if not quiet:
            return None
        position = quiet[0]
    return position


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [5, 9, pytest.param(15, marks=pytest.mark.slow)])
def test_nearly_full_boards(rule: str, size: int) -> None:
    player, seen = engine(), 0
    for seed in range(40):
        position = nearly_full(rule, size, 1 + seed % 4, seed)
        if position is not None and position.outcome is None and any(position.legal_moves()):
            check(position, answer(player, position, Limit(depth=6)))
            seen += 1
        if seen == 4:
            break
    assert seen > 0


def test_what_is_remembered_does_not_make_moves_illegal() -> None:
    """One engine and one table, for boards and rules in turn."""
    player = engine()
    boards = speed.positions()
    for position in [*boards, *reversed(boards), on("", "renju", 9), on("", "renju"), on("h8i9", "standard", 20)]:
        check(position, answer(player, position, Limit(nodes=2_000)))


# Tactics.


@pytest.mark.parametrize("rule", RULES)
def test_wins_in_one(rule: str) -> None:
    info = answer(engine(), on("h8a1h9a3h10a5h11o15", rule), Limit(depth=1))
    assert info.mate == 1
    assert on("h8a1h9a3h10a5h11o15", rule).play(info.move).outcome is not None


def test_moves_that_are_not_to_be_searched_are_not_unless_there_is_no_other() -> None:
    position = parse("h8a1i8a3j8a5k8").position
    assert isinstance(position, LinePosition)
    blocks = frozenset(map(position.parse_move, ("g8", "l8")))
    quiet = parse(OPENING).position
    first = answer(engine(), quiet, Limit(depth=4)).move
    assert answer(engine(), quiet, Limit(depth=4, without=frozenset({first}))).move != first
    assert answer(engine(), position, Limit(depth=4, without=blocks)).move in blocks


def test_loses_to_an_open_four_and_says_so() -> None:
    info = answer(engine(), on("h8a1h9a3h10a5h11"), Limit(depth=6))
    assert info.mate == -2
    assert info.score == 2 - WIN


def test_where_the_only_defence_is_forbidden_black_plays_elsewhere_and_has_lost() -> None:
    """White's four a8-d8 can be stopped on e8 alone, where black would have six in a column."""
    position = on(OVERLINE_BLOCK, "renju")
    block = next(move for move, stone in enumerate(position.cells) if position.move_text(move) == "e8" and not stone)
    assert block not in position.legal_moves()
    assert position.play(next(iter(position.legal_moves()))).play(block).outcome is not None
    info = answer(engine(), position, Limit(depth=6))
    check(position, info)
    assert info.mate == -2


OVERLINE_BLOCK = "e5a8e6b8e7c8e9o1e10o3e11o5n1d8"


STUCK = "xx.xxxxooooxxxooooooxoox.oooxox.xxxx"
"""Six by six, white to move: with white in the fifth row, black is left with two points that make six."""


def test_moves_that_leave_black_without_one_are_legal_and_end_the_game_as_a_draw() -> None:
    black, white = (tuple(cell for cell, each in enumerate(STUCK) if each == side) for side in "xo")
    white_to_move = LinePosition.empty(6, 6, 5, "renju").arranged(Stones((black, white), 1))
    info = answer(engine(), white_to_move, Limit(depth=6))
    check(white_to_move, info)
    outcome = white_to_move.play(4 * 6).outcome
    assert outcome.winner is None


def _niceness(before: list[threading.Thread]) -> list[int]:
    """Of the threads that have come since."""
    numbers = [thread.native_id for thread in threading.enumerate() if thread not in before]
    return [os.getpriority(os.PRIO_PROCESS, number) for number in numbers if number is not None]


@pytest.mark.skipif(sys.platform != "linux" or not jit.COMPILED, reason="only there threads give way to the window")
def test_threads_give_way_to_the_window_that_they_search_for() -> None:
    before, own = threading.enumerate(), os.getpriority(os.PRIO_PROCESS, 0)
    alone, stop = engine(2), Stop()
    search = threading.Thread(target=answer, args=(alone, setup("gomoku").start(), Limit(), stop))
    search.start()
    wait(lambda: alone.nodes > 0 and len(_niceness(before)) == 3)
    assert _niceness(before) == [own] * 3
    stop.set()
    search.join()
    before, worker = threading.enumerate(), Worker()
    worker.start(engine(2), setup("gomoku").start(), Limit())
    wait(lambda: worker.nodes > 0 and (sum(found > own for found in _niceness(before)) == 2 or own == 19))
    worker.close()


@pytest.mark.parametrize("game", ["tictactoe", "bones"])
@pytest.mark.parametrize(
    "ask",
    [
        lambda position: answer(GomokuEngine(memory_mb=1), position, Limit(depth=1)),
        lambda position: ThreatSolver().prove(position),
        lambda position: PatternsOracle().evaluate(position),
        lambda position: GuidedNetwork().evaluate(position),
    ],
    ids=["engine", "threats", "patterns", "network"],
)
def test_other_games_are_refused(game: str, ask: Callable[[Position], object]) -> None:
    with pytest.raises(ValueError, match="five in a row"):
        ask(setup(game).start())
