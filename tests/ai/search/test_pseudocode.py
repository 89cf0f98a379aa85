"""The lines that are marked beside a search are those that run: against recursions that write down each of their lines.

Each recursion is the pseudocode in Python, with `log` after every line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from ai.core.player import Limit, answer
from ai.core.score import WIN
from ai.explain.kinds import ProofTracing, VisitTracing
from ai.players.table import Context, make
from ai.search.alphabeta import loud_moves
from ai.search.comparison import FURTHER, prunes, variant
from ai.search.mcts_tree import SampleTree
from ai.search.number_tree import random_tree
from ai.search.pseudocode import LISTINGS, Code, Moment, round_moments, visit_moments
from ai.search.trace import FINE, INFINITY, ROOT, UNKNOWN, Steps, Trace
from ai.service.analyse import enable_tracing
from games.formats.text import parse
from games.position import Position
from games.registry import setup

Row = tuple[str, str, dict[str, int]]

TREES = [random_tree(2 + seed % 3, 1 + seed % 4, seed) for seed in range(24)]
POSITIONS = [parse(moves, setup("tictactoe")).position for moves in ("a3 b3 c3 a2 b2 c1", "a3 b2 c1 a1", "b2 a1 b1")]


class Logged:
    """A recursion over a position, which logs its lines."""

    def __init__(self, side: int) -> None:
        self.side, self.rows = side, list[Row]()

    def log(self, listing: str, line: str, **values: int) -> None:
        names = {"a": "α", "b": "β"}
        self.rows.append((listing, line, {names.get(name, name): value for name, value in values.items()}))

    def leaf(self, position: Position) -> int | None:
        """The value of a position in which the game is over, for the side to move."""
        if position.outcome is None:
            return None
        if position.outcome.winner is None:
            return 0
        return WIN if position.outcome.winner == position.turn else -WIN

    def minimax(self, node: Position, depth: int) -> int:
        top, sign = node.turn == self.side, 1 if node.turn == self.side else -1
        self.log("minimax", "head", depth=depth)
        over = self.leaf(node)
        self.log("minimax", "leaf", depth=depth)
        if over is not None or depth == 0:
            return sign * (node.evaluate() if over is None else over)
        best = -INFINITY if top else INFINITY
        self.log("minimax", "init", depth=depth, best=best)
        for move in node.legal_moves():
            self.log("minimax", "loop", depth=depth, best=best)
            self.log("minimax", "call", depth=depth, best=best)
            v = self.minimax(node.play(move), depth - 1)
            self.log("minimax", "call", depth=depth, best=best, v=v)
            best = max(best, v) if top else min(best, v)
            self.log("minimax", "best", depth=depth, best=best, v=v)
        self.log("minimax", "return", depth=depth, best=best)
        return best

    def negamax(self, node: Position, depth: int) -> int:
        self.log("negamax", "head", depth=depth)
        over = self.leaf(node)
        self.log("negamax", "leaf", depth=depth)
        if over is not None or depth == 0:
            return node.evaluate() if over is None else over
        best = -INFINITY
        self.log("negamax", "init", depth=depth, best=best)
        for move in node.legal_moves():
            self.log("negamax", "loop", depth=depth, best=best)
            self.log("negamax", "call", depth=depth, best=best)
            v = -self.negamax(node.play(move), depth - 1)
            self.log("negamax", "call", depth=depth, best=best, v=v)
            best = max(best, v)
            self.log("negamax", "best", depth=depth, best=best, v=v)
        self.log("negamax", "return", depth=depth, best=best)
        return best

    def soft(self, node: Position, depth: int, a: int, b: int, name: str = "soft") -> int:
        """Also the part of quiescence ``above`` the horizon."""
        self.log(name, "head", depth=depth, a=a, b=b)
        over = self.leaf(node)
        self.log(name, "leaf", depth=depth, a=a, b=b)
        if over is not None:
            return over
        if name == "above":
            self.log(name, "horizon", depth=depth, a=a, b=b)
        if depth == 0:
            return node.evaluate() if name == "soft" else self.quiesce(node, a, b, 0)
        best = -INFINITY
        self.log(name, "init", depth=depth, a=a, b=b, best=best)
        for move in node.legal_moves():
            self.log(name, "loop", depth=depth, a=a, b=b, best=best)
            self.log(name, "call", depth=depth, a=a, b=b, best=best)
            v = -self.soft(node.play(move), depth - 1, -b, -a, name)
            self.log(name, "call", depth=depth, a=a, b=b, best=best, v=v)
            best = max(best, v)
            self.log(name, "best", depth=depth, a=a, b=b, best=best, v=v)
            a = max(a, best)
            self.log(name, "alpha", depth=depth, a=a, b=b, best=best, v=v)
            self.log(name, "cut", depth=depth, a=a, b=b, best=best, v=v)
            if a >= b:
                break
        self.log(name, "return", depth=depth, a=a, b=b, best=best)
        return best

    def quiesce(self, node: Position, a: int, b: int, beyond: int) -> int:
        self.log("quiesce", "head", a=a, b=b)
        over = self.leaf(node)
        self.log("quiesce", "leaf", a=a, b=b)
        if over is not None:
            return over
        moves, forced = loud_moves(node, beyond)
        best = -INFINITY if forced else node.evaluate()
        self.log("quiesce", "init", a=a, b=b, best=best)
        a = max(a, best)
        self.log("quiesce", "stand", a=a, b=b, best=best)
        self.log("quiesce", "pat", a=a, b=b, best=best)
        if a >= b:
            return best
        for move in moves:
            self.log("quiesce", "loop", a=a, b=b, best=best)
            self.log("quiesce", "call", a=a, b=b, best=best)
            v = -self.quiesce(node.play(move), -b, -a, beyond + 1)
            self.log("quiesce", "call", a=a, b=b, best=best, v=v)
            best = max(best, v)
            self.log("quiesce", "best", a=a, b=b, best=best, v=v)
            a = max(a, best)
            self.log("quiesce", "alpha", a=a, b=b, best=best, v=v)
            self.log("quiesce", "cut", a=a, b=b, best=best, v=v)
            if a >= b:
                break
        self.log("quiesce", "return", a=a, b=b, best=best)
        return best

    def hard(self, node: Position, depth: int, a: int, b: int) -> int:
        self.log("hard", "head", depth=depth, a=a, b=b)
        over = self.leaf(node)
        self.log("hard", "leaf", depth=depth, a=a, b=b)
        if over is not None or depth == 0:
            return node.evaluate() if over is None else over
        for move in node.legal_moves():
            self.log("hard", "loop", depth=depth, a=a, b=b)
            self.log("hard", "call", depth=depth, a=a, b=b)
            v = -self.hard(node.play(move), depth - 1, -b, -a)
            self.log("hard", "call", depth=depth, a=a, b=b, v=v)
            self.log("hard", "cut", depth=depth, a=a, b=b, v=v)
            if v >= b:
                return b
            a = max(a, v)
            self.log("hard", "alpha", depth=depth, a=a, b=b, v=v)
        self.log("hard", "return", depth=depth, a=a, b=b)
        return a

    def pvs(self, node: Position, depth: int, a: int, b: int) -> int:
        self.log("pvs", "head", depth=depth, a=a, b=b)
        over = self.leaf(node)
        self.log("pvs", "leaf", depth=depth, a=a, b=b)
        if over is not None or depth == 0:
            return node.evaluate() if over is None else over
        best = -INFINITY
        self.log("pvs", "init", depth=depth, a=a, b=b, best=best)
        for number, move in enumerate(node.legal_moves()):
            self.log("pvs", "loop", depth=depth, a=a, b=b, best=best)
            if number == 0:
                self.log("pvs", "call", depth=depth, a=a, b=b, best=best)
                v = -self.pvs(node.play(move), depth - 1, -b, -a)
                self.log("pvs", "call", depth=depth, a=a, b=b, best=best, v=v)
            else:
                self.log("pvs", "null", depth=depth, a=a, b=b, best=best)
                v = -self.pvs(node.play(move), depth - 1, -a - 1, -a)
                self.log("pvs", "null", depth=depth, a=a, b=b, best=best, v=v)
                self.log("pvs", "test", depth=depth, a=a, b=b, best=best, v=v)
                if a < v < b and depth > 1:
                    self.log("pvs", "again", depth=depth, a=a, b=b, best=best, v=v)
                    v = -self.pvs(node.play(move), depth - 1, -b, -a)
                    self.log("pvs", "again", depth=depth, a=a, b=b, best=best, v=v)
            best = max(best, v)
            self.log("pvs", "best", depth=depth, a=a, b=b, best=best, v=v)
            a = max(a, best)
            self.log("pvs", "alpha", depth=depth, a=a, b=b, best=best, v=v)
            self.log("pvs", "cut", depth=depth, a=a, b=b, best=best, v=v)
            if a >= b:
                break
        self.log("pvs", "return", depth=depth, a=a, b=b, best=best)
        return best

    def expectimax(self, node: Position, depth: int, error: float) -> int:
        """In parts of a hundredth, rounded at each node as the search does."""
        self.log("expectimax", "head", depth=depth)
        self.log("expectimax", "leaf", depth=depth)
        sign = 1 if node.turn == self.side else -1
        if depth == 0:
            return 100 * FINE * sign * node.evaluate()
        found = []
        for move in node.legal_moves():
            self.log("expectimax", "loop", depth=depth)
            self.log("expectimax", "call", depth=depth)
            found.append(self.expectimax(node.play(move), depth - 1, error))
            self.log("expectimax", "call", depth=depth, v=found[-1])
        if node.turn == self.side:
            self.log("expectimax", "best", depth=depth, v=max(found))
            return max(found)
        self.log("expectimax", "best", depth=depth)
        mean = round((1 - error) * min(found) + error * sum(found) / len(found))
        self.log("expectimax", "mean", depth=depth, v=mean)
        return mean


def code(name: str, key: str, listing: str, position: Position, depth: int | None) -> tuple[Code, Steps, Trace]:
    player = enable_tracing(make(name, Context(position.game)), name)
    answer(player, position, Limit(depth=depth))
    assert player.trace is not None
    steps = Steps(player.trace, prunes(key))
    return Code(listing, steps), steps, player.trace


def marked(found: Code, steps: Steps) -> list[Row]:
    """All that is marked when one steps through the search."""
    moments = [moment for step in range(steps.last + 1) for moment in found.moments(step)]
    assert all(moment.line in TEXTS[moment.listing] for moment in moments)
    return [(moment.listing, moment.line, moment.values) for moment in moments]


def texts() -> dict[str, list[str]]:
    """The keys of the lines of each listing in the data file."""
    data = tomllib.loads(Path("assets/lessons/pseudocode.toml").read_text(encoding="utf-8"))
    return {name: [line.partition("|")[0].strip() for line in text.strip().splitlines()] for name, text in data.items()}


TEXTS = texts()
ORDERED = {key: name.replace("pvs=1,", "pvs=1,ordering=0,").replace("quiescence=1,", "quiescence=1,ordering=0,")
           for key, name in FURTHER.items()}  # fmt: skip
"""With the moves by number, as the recursions try them."""


def runs(key: str, listing: str) -> Callable[[Logged, Position, int], int]:
    window = (-INFINITY, INFINITY)
    return {
        "minimax": lambda log, position, depth: log.minimax(position, depth),
        "negamax": lambda log, position, depth: log.negamax(position, depth),
        "soft": lambda log, position, depth: log.soft(position, depth, *window),
        "hard": lambda log, position, depth: log.hard(position, depth, *window),
        "pvs": lambda log, position, depth: log.pvs(position, depth, *window),
        "quiescence": lambda log, position, depth: log.soft(position, depth, *window, "above"),
        "expectimax": lambda log, position, depth: log.expectimax(position, depth, 0.2 if key == "expect" else 1.0),
    }[listing]  # fmt: skip


CASES = [(key, listing) for key in ("minimax", "alphabeta", "pvs", "quiescence", "expect", "expect_random")
         for listing in LISTINGS[key]]  # fmt: skip


def check(key: str, listing: str, position: Position, depth: int) -> None:
    name = ORDERED.get(key) or variant(key)
    name += (",distance=0" if ":" in name else ":distance=0") if position.game != "numbers" else ""
    found, steps, trace = code(name, key, listing, position, depth)
    log = Logged(position.turn)
    value = runs(key, listing)(log, position, depth)
    assert marked(found, steps) == log.rows
    assert found.return_value(0) == value
    assert len(trace) > 1


@pytest.mark.parametrize(("key", "listing"), CASES)
def test_the_lines_of_random_trees(key: str, listing: str) -> None:
    for position in TREES:
        check(key, listing, position, position.depth)


@pytest.mark.parametrize(("key", "listing"), [case for case in CASES if not case[0].startswith("expect")])
def test_the_lines_of_games(key: str, listing: str) -> None:
    for position in POSITIONS:
        check(key, listing, position, 3)
    check(key, listing, parse("g d d e g g", setup("connect4")).position, 1 if key != "pvs" else 3)


def test_a_table_that_knows_enough_returns_at_once() -> None:
    position = parse("a3 b2 c1", setup("tictactoe")).position
    found, steps, trace = code(variant("table"), "table", "table", position, None)
    rows = marked(found, steps)
    heads = sum(line == "head" for _, line, _ in rows)
    ends = sum(line in ("leaf", "known", "return") for _, line, _ in rows)
    assert heads == len(trace)
    known = [place for place, (_, line, _) in enumerate(rows) if line == "known"]
    answered = [place for place in known if rows[place + 1][1] != "init"]
    assert 0 < len(answered) < len(known) < ends
    assert all(rows[place + 1][1] == "call" for place in answered), "the parent goes on with v"


def test_the_last_iteration_ends_with_its_value() -> None:
    position = parse("d d c", setup("connect4")).position
    found, steps, trace = code(variant("deepening"), "deepening", "table", position, 3)
    rows = marked(found, steps)
    returns = [values["best"] for _, line, values in rows if line == "return"]
    assert returns[-1] == trace.value[trace.roots()[-1]]
    assert len(trace.roots()) == 3


@pytest.mark.parametrize("key", ["playouts", "sampled"])
def test_visits_go_the_way_that_the_search_goes(key: str) -> None:
    """Each tree tells which move the next visit tries in each node."""
    position = parse("a3 b2", setup("tictactoe")).position
    tracing = VisitTracing(key, position)
    for step in (1, 2, 7, 30):
        tracing.show(step - 1)
        way = followed(tracing.trace)
        new = tracing.trace.node_after(way) is None
        tracing.show(step)
        trail = sorted(tracing.trail, key=tracing.trace.ply.__getitem__)
        assert [tracing.trace.move[node] for node in trail[1:]] == way
        moments = visit_moments(LISTINGS[key][0], tracing.trace, trail)
        called = [moment.child for moment in moments if moment.line in ("choose", "expand")]
        assert called == trail[1:]
        went = [*(("select", "choose") * (len(way) - 1)), "select", "expand" if new else "choose"]
        nodes = [0, 0, *(node for node in trail[:-1] for _ in range(2)), trail[-1], *trail[::-1]]
        assert [moment.node for moment in moments] == nodes
        assert moments[-1].values == {"N": step + 1, "Q": tracing.trace.value[0]}
        assert [moment.line for moment in moments] == ["head", "init", *went, "value", *(["backup"] * len(trail))]
        assert {moment.line for moment in moments} <= set(TEXTS[LISTINGS[key][0]])


@pytest.mark.parametrize(("visits", "line"), [(1, "expand"), (2, "choose")])
def test_a_node_is_new_at_its_first_visit_if_it_is_the_last_of_its_trail(visits: int, line: str) -> None:
    """A node that another way has led to is not new, though the move to it is tried for the first time."""
    tree = SampleTree()
    for move, times in ((ROOT, 5), (4, 1), (6, visits)):
        tree.put(move, 0, times, 1.0, UNKNOWN, False)
    found = visit_moments("puct", tree, [0, 1, 2])
    lines = ["head", "init", "select", "choose", "select", line, "value", *3 * ["backup"]]
    assert [moment.line for moment in found] == lines


def test_rounds_go_the_way_that_the_search_goes() -> None:
    tracing = ProofTracing(parse("b2 b1", setup("tictactoe")).position)
    tracing.show(0)
    assert [moment.line for moment in round_moments(tracing.trace, [])] == ["head"]
    for step in (1, 2, 8, 13, 22):
        tracing.show(step)
        tree, trail = tracing.trace, sorted(tracing.trail, key=tracing.trace.ply.__getitem__)
        moments = round_moments(tree, trail)
        went = [line for ply in range(len(trail) - 1) for line in ("select", "min" if ply % 2 else "max")]
        back = ["and" if ply % 2 else "or" for ply in reversed(range(len(trail)))]
        assert [moment.line for moment in moments] == ["head", "init", *went, "expand", *back]
        assert [moment.child for moment in moments if moment.line in ("max", "min")] == trail[1:]
        nodes = [0, 0, *(node for node in trail[:-1] for _ in range(2)), trail[-1], *trail[::-1]]
        assert [moment.node for moment in moments] == nodes
        assert moments[-1].values == {"p": tree.proof[0], "d": tree.disproof[0]}
        assert {moment.line for moment in moments} <= set(TEXTS["proof"])


def followed(tree: SampleTree) -> list[int]:
    """The moves of the next visit."""
    way, node = list[int](), 0
    while True:
        if tree.following[node] == UNKNOWN:
            return way
        way.append(tree.following[node])
        child = tree.child(node, way[-1])
        if child is None:
            return way
        node = child


def test_each_listing_is_shown_by_a_search() -> None:
    shown = {name for names in LISTINGS.values() for name in names} - {"quiescence"} | {"above", "quiesce"}
    assert shown == set(TEXTS)
    assert Moment("soft", "head", 0).values == {}
