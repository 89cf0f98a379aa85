"""Shared by the tests of games/: random data."""

from __future__ import annotations

from itertools import zip_longest

from hypothesis import settings
from hypothesis import strategies as st

from games.clock import DIVISORS, TimeControl
from games.evaluation import Evaluation, ScoredLine
from games.formats import text
from games.position import Outcome, Stones, cells_of
from games.record import MARKS, About, GameRecord, Mark, Node, Seat
from games.registry import GAMES, Setup, setup

EXAMPLES = settings(deadline=None, max_examples=50)

SETUPS = [
    setup(game.key, size, rule)
    for game in GAMES.values()
    for rule in game.rules
    for size in sorted({game.sizes[0], game.size, game.sizes[-1]})
]
"""Every rule of every game, at its least, its usual and its largest size."""

texts = st.text(max_size=40)
seconds = st.none() | st.floats(0, 10**6)
seats = st.builds(Seat, texts, texts, seconds, st.sampled_from((1, *DIVISORS)))
scored = st.integers(-(10**9), 10**9), st.none() | st.integers(-400, 400), st.integers(0, 400)
lines = st.builds(ScoredLine, *scored)
evaluations = st.builds(Evaluation, *scored, others=st.lists(lines, max_size=3).map(tuple), wanted=st.integers(1, 5))
controls = st.one_of(
    st.builds(TimeControl, st.integers(1, 86_400), st.integers(0, 3600)),
    st.builds(TimeControl, st.integers(0, 86_400), st.just(0), st.integers(1, 99), st.integers(1, 3600)),
)
abouts = st.builds(About, texts, texts, ranks=st.tuples(texts, texts), teams=st.tuples(texts, texts), note=texts)
scores = st.none() | st.tuples(st.integers(0, 99), st.integers(0, 99))
endings = st.builds(Outcome, st.sampled_from([0, 1, None]), st.sampled_from(["resigned", "time"]), score=scores)


class Time:
    """A simulated time."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds


class Ticking(Time):
    """A time that passes by `step` seconds whenever somebody reads it as ``monotonic`` or ``perf_counter``, so that
    it can stand in for the module `time`."""

    def __init__(self, step: float = 0.001) -> None:
        super().__init__()
        self._step = step

    def monotonic(self) -> float:
        self.passes(self._step)
        return self.now

    perf_counter = monotonic

    def sleep(self, seconds: float) -> None:
        self.passes(seconds)


def a_legal_move(record: GameRecord, choice: int) -> int | None:
    """One of the moves at the cursor; small numbers choose low moves, so that lines meet again."""
    moves = record.position.legal_moves() if record.outcome is None else ()
    return moves[choice % len(moves)] if moves else None


def a_node(record: GameRecord, choice: int) -> Node:
    nodes = list(record.nodes())
    return nodes[choice % len(nodes)]


def drawn_game(size: int) -> list[int]:
    """The moves of a game of gomoku that fills the board: no side has more than two stones in a row."""
    sides: tuple[list[int], list[int]] = ([], [])
    for cell in range(size * size):
        row, column = divmod(cell, size)
        sides[(row + column // 2) % 2].append(cell)
    return [cell for pair in zip_longest(*sides) for cell in pair if cell is not None]


@st.composite
def stones(draw: st.DrawFn, setup: Setup) -> Stones:
    """What a few moves leave on the board, with either side to move."""
    played = GameRecord(setup)
    for choice in draw(st.lists(st.integers(0, 30), max_size=8)):
        if (move := a_legal_move(played, choice)) is not None:
            played.play(move)
    played.undo()  # which may have won
    cells = cells_of(played.position) if any(setup.board) else b""
    first, second = (tuple(cell for cell, content in enumerate(cells) if content == side) for side in (1, 2))
    return Stones((first, second), draw(st.integers(0, 1)))


@st.composite
def records(draw: st.DrawFn, setups: list[Setup] = SETUPS, arranged: bool = True) -> GameRecord:
    """A record with variations, marks, and the cursor anywhere; some begin with what was set up, if `arranged`."""
    control, setup = draw(st.none() | controls), draw(st.sampled_from(setups))
    begin = draw(st.none() | stones(setup)) if arranged and GAMES[setup.game].arrange else None
    record = GameRecord(setup, draw(st.tuples(seats, seats)), draw(texts), control, begin)
    record.about = draw(abouts)
    marked = st.sampled_from(setup.start().legal_moves())
    for jump, choice in draw(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=25)):
        if jump:
            record.go_to(a_node(record, choice))
        elif (move := a_legal_move(record, choice)) is not None:
            record.play(move, draw(seconds))
    for node in record.nodes():
        if draw(st.integers(0, 3)) == 0:
            node.comment, node.evaluation = draw(texts), draw(st.none() | evaluations)
            node.spent = draw(st.just(0.0) | st.floats(0, 10**6))
            node.ending = draw(st.none() | endings) if node.position.outcome is None else None
            node.marks = tuple(draw(st.lists(st.builds(Mark, st.sampled_from(MARKS), marked, texts), max_size=3)))
    record.go_to(a_node(record, draw(st.integers(0, 30))))
    return record


def gomoku(moves: str = "h8i9g7") -> GameRecord:
    return text.parse(moves, setup("gomoku"))
