"""What is known of positions, moves and whole games, as values and JSON, for a window or page to put into words.

A finished review is made by searches, recalled from the nodes of a game, or made of every game in a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from ai.arena.executors import run_all
from ai.arena.journal import run_kept
from ai.core.player import Info, Limit, Player, Stop, answer
from ai.core.score import margin_of
from ai.review.assessment import FIRST_SEARCH, Assessment
from ai.review.judgement import KINDS, MISTAKES, Judged
from ai.review.review import SECONDS, Review, ReviewShare
from ai.search.alphabeta import AlphaBeta
from ai.system.threads import processors
from games.evaluation import Evaluation
from games.fields import (
    DecodeError,
    checked,
    decode,
    entries,
    file_name,
    list_of,
    nested,
    number,
    one_of,
    pair,
    text,
    whole,
)
from games.formats import EXTENSIONS, FormatError, load_all, tengen
from games.formats.common import notice_sentences
from games.library.index import ReviewSummary
from games.position import FIRST, SECOND, Position, played
from games.record import GameRecord, Node
from games.registry import GAMES, Setup

# The view of a position, why a move, and what threatens: as data, for a window or a page to put into words.


SHAPES = ("five", "open_four", "double_four", "four", "open_three", "open_two", "three")
"""What a stone makes in one line, strongest first; `double_four` are two fours in it."""

WEAK = ("open_two", "three")
"""Those of `SHAPES` that need no answer."""

THREATS = (
    "five", "open_four", "double_four", "four_three", "four", "double_three", "open_three", "three", "forbidden",
)  # fmt: skip
"""What a stone makes in all lines together, strongest first; `forbidden` is where black may not play in renju."""

WINNING = ("five", "open_four", "double_four", "four_three", "double_three")
"""Those of `THREATS` that win unless they are answered at once."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What a move `makes` for its side, and which shapes of the other side it `blocks`, one of `SHAPES` for each line.

    They are sorted, strongest first. A shape is blocked if the other side can no longer make as much in that line.
    """

    makes: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()

    @property
    def notable(self) -> Reason:
        """The reason without shapes in `WEAK`, except where there are no others."""
        return Reason(_notable(self.makes), _notable(self.blocks))

    def beats(self, other: Reason) -> bool:
        """Return whether its shapes are stronger: the strongest first, then the next; of equal ones, the longer
        list."""
        return _strength(self) > _strength(other)


def _notable(shapes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the shapes that are not in `WEAK`; all if there are no others."""
    return tuple(shape for shape in shapes if shape not in WEAK) or shapes


def _strength(reason: Reason) -> list[int]:
    """Return a key by which reasons are compared; the stronger has the greater one."""
    return sorted((-SHAPES.index(shape) for shape in (*reason.makes, *reason.blocks)), reverse=True)


@dataclass(frozen=True, slots=True)
class View:
    """What there is to say of a position, by `kind`:

    - ``wins``: `side` wins in `moves` moves of its own, in a game that counts by `margin`;
    - ``double_threat``: `side` threatens to win in two ways, but nothing is proven;
    - ``draw``: a draw with best play;
    - ``take``: the side to move wins by taking `move`, which leaves a multiple of `unit`;
    - ``multiple``: the heap is a multiple of `unit`, so that the side to move loses against best play.
    """

    kind: str
    side: int | None = None
    moves: int | None = None
    move: int | None = None
    unit: int | None = None
    margin: int | None = None


@lru_cache(maxsize=1024)  # a list of moves asks for all its rows in each frame
def own_moves(position: Position, line: tuple[int, ...], side: int, plies: int) -> int:
    """Return how many moves of its own `side` needs for its win in `plies` plies; at least 1.

    They are counted in `line` if that is legal and long enough, otherwise as if the sides alternated.
    """
    sides = [before.turn for before, _ in played(position, line[:plies])]
    return max(1, sides.count(side)) if len(sides) == plies else (plies + 1) // 2


def proof(position: Position, evaluation: Evaluation | None) -> View | None:
    """Return the forced win or the draw that `evaluation` proves; None if it proves nothing."""
    if evaluation is None or not evaluation.proven:
        return None
    if evaluation.mate is None:
        return View("draw")
    side = FIRST if evaluation.mate > 0 else SECOND
    moves = own_moves(position, evaluation.line, side, abs(evaluation.mate))
    return View("wins", side, moves, margin=margin_of(evaluation))


def solution_view(position: Position, _evaluation: Evaluation | None) -> View:
    """Return the result with best play, by a search to the end of the game: for games as small as tic-tac-toe."""
    info = _solve(position)
    if info.mate is None:
        return View("draw")
    winner = position.turn if info.mate > 0 else 1 - position.turn
    return View("wins", winner, own_moves(position, info.pv, winner, abs(info.mate)), info.move)


@lru_cache(maxsize=1024)
def _solve(position: Position) -> Info:
    """Search to the end of the game, cached: 0.03 s for an empty board of tic-tac-toe."""
    return answer(AlphaBeta(), position, Limit())


def line_texts(position: Position, moves: tuple[int, ...]) -> list[str]:
    """Return the text of each of `moves`, which are played one after the other from `position`."""
    return [before.move_text(move) for before, move in played(position, moves)]


def line_sides(position: Position, moves: tuple[int, ...]) -> list[str]:
    """Return the key of the side that plays each of `moves`, one after the other from `position`."""
    sides = GAMES[position.game].sides
    return [sides[before.turn] for before, _ in played(position, moves)]


def line_text(texts: Sequence[str], sides: Sequence[str]) -> str:
    """Return a line of moves for people. If the sides do not alternate, it names them: ``first: 3 6 second: 2``."""
    if all(one != other for one, other in pairwise(sides)):
        return " ".join(texts)
    turns = groupby(zip(sides, texts, strict=True), key=lambda step: step[0])
    return " ".join(f"{side}: {' '.join(text for _, text in steps)}" for side, steps in turns)


Explain = Callable[[Judged], str]
"""Tells in a sentence what a move overlooked, empty where there is nothing to say. Another process can import it."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The review of a line of `record`: its judged `moves`.

    `wins` is the first side's win probability at the start and after each move, None where unknown; `accuracy` is that
    of either side in per cent, None where unknown.
    """

    record: GameRecord
    moves: tuple[Judged, ...]
    wins: tuple[float | None, ...]
    accuracy: tuple[float | None, float | None]

    def facts(self, why: Explain = lambda _judged: "") -> dict[str, Any]:
        """Return the review as JSON data; moves are text, and `why` explains each."""
        accuracy = [None if each is None else round(each, 1) for each in self.accuracy]
        return {"accuracy": accuracy, "moves": [_facts(move) | {"why": why(move)} for move in self.moves]}


def _facts(judged: Judged) -> dict[str, Any]:
    """Return what a report says of one move, as JSON data."""
    position = judged.before.position
    return {
        "ply": judged.node.position.ply,
        "move": position.move_text(judged.move),
        "kind": judged.kind,
        "loss": round(judged.loss, 4),
        "best": position.move_text(judged.best),
        "line": line_texts(position, judged.line),
        "line_sides": line_sides(position, judged.line),
        "win": round(judged.win, 4),
    }


def run_review(
    record: GameRecord,
    seconds: float = SECONDS,
    threads: int | None = None,
    on_progress: Callable[[ReviewShare], None] = lambda _progress: None,
    make: Callable[[], Player] | None = None,
) -> Reviewed:
    """Review the main line of `record` to the end, and return the result. The parameters are those of `Review`."""
    job = Review(record, seconds, threads, make)
    for news in job.run(Stop()):
        if isinstance(news, ReviewShare):
            on_progress(news)
    return review_of(job, record, seconds)


def review_of(job: Review, record: GameRecord, seconds: float = SECONDS) -> Reviewed:
    """Return the result of `job`, a review of `record` that is over, as it will later be recalled from the nodes."""
    return review_from_nodes(record, job.nodes, seconds) or partial_review(job.assessment, record)


def partial_review(state: Assessment, record: GameRecord) -> Reviewed:
    """Return the review of `record` so far, as `state` has it."""
    return Reviewed(record, tuple(state.judged), tuple(state.wins), state.accuracy())


def with_review(data: bytes) -> bytes:
    """Review the game in `data`, a file of our own format, and return the file with the evaluations."""
    record = tengen.loads(data)
    run_review(record)
    return tengen.dumps(record)


# Folders.


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a folder that was not reviewed: a `file`, or only a `part` of it; `reason` is a sentence."""

    file: str
    reason: str
    part: bool = False


def review_folder(
    folder: Path,
    why: Explain,
    seconds: float = SECONDS,
    threads: int | None = None,
    setup: Setup | None = None,
    cluster: str | None = None,
    kept: Path | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _games: None,
) -> Iterator[dict[str, Any] | Skipped]:
    """Review every game in the files of `folder`; yield the facts of each with its `file` when they are found.

    `setup` is for files that do not name the game or its rule. With a `cluster` (see `open_executor`) its workers
    review one game each. The file `kept` keeps the reviews: those that are there are not made again. `on_progress` is
    called with the numbers of reviews done and planned, at the start and after each. Raise `OSError` for a folder or a
    file that cannot be read, `NoExecutor` and `BadJournal`.
    """
    found = list(_read_games(folder, setup))
    yield from (each for each in found if isinstance(each, Skipped))
    games = [(each[0], tengen.dumps(each[1])) for each in found if not isinstance(each, Skipped)]
    calls = [(file, data, why, seconds, threads) for file, data in games]
    workers = 0 if cluster is None else max(1, processors() // (threads or processors()))
    keys = [f"{file} {sha256(data).hexdigest()}" for file, data in games]
    on_progress(0, len(calls))
    head = {"seconds": seconds}
    reviews = run_kept(_review_one, calls, workers, cluster, kept=kept, head=head, keys=keys, check=check_facts)
    for done, (_number, facts) in enumerate(reviews, 1):
        yield facts
        on_progress(done, len(calls))


def review_on_cluster(
    record: GameRecord, why: Explain, seconds: float, threads: int | None, cluster: str
) -> dict[str, Any]:
    """Review one game on a cluster, and return its facts. Raise `NoExecutor`."""
    [facts] = run_all(_review_one, [("", tengen.dumps(record), why, seconds, threads)], 1, cluster)
    return {key: value for key, value in facts.items() if key != "file"}


_MOST = 1_000_000  # characters of a text, and moves of a line
_text = text(_MOST)
_share = number(0, 1)


def _checked_accuracy(value: object) -> float | None:
    """Check an accuracy: a number from 0 to 100, or None. Raise `DecodeError`."""
    return None if value is None else number(0, 100)(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class _MoveFacts:
    """A move of `Reviewed.facts`."""

    ply: int = checked(whole(0, _MOST))
    move: str = checked(_text)
    kind: str = checked(one_of(*KINDS))
    loss: float = checked(_share)
    best: str = checked(_text)
    line: list[str] = checked(list_of(_text, _MOST))
    line_sides: list[str] = checked(list_of(_text, _MOST))
    win: float = checked(_share)
    why: str = checked(_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """The facts of a game in the journal of `review_folder`."""

    file: str = checked(file_name)
    accuracy: tuple[float | None, float | None] = checked(pair(_checked_accuracy))
    moves: list[_MoveFacts] = checked(list_of(nested(_MoveFacts), _MOST))


def check_facts(value: object) -> dict[str, Any]:
    """Check the facts of a game in the journal of `review_folder`, and return them. Raise `DecodeError`."""
    for move in decode(_Facts, value, "a review").moves:
        if len(move.line) != len(move.line_sides):
            raise DecodeError("must have a side for each move", "“line_sides”", "a review")
    return entries(value)


def _review_one(file: str, data: bytes, why: Explain, seconds: float, threads: int | None) -> dict[str, Any]:
    """Review the game in `data`; return its facts, with `file`. For any process."""
    return {"file": file} | run_review(tengen.loads(data), seconds, threads).facts(why)


def _read_games(folder: Path, setup: Setup | None) -> Iterator[tuple[str, GameRecord] | Skipped]:
    """Yield each game in the files of a folder with the name of its file; for what cannot be read, a `Skipped`."""
    for file in sorted(folder.iterdir()):
        if not (file.is_file() and file.name.lower().endswith(EXTENSIONS)):
            continue
        try:
            records: Sequence[GameRecord] = load_all(file, setup)
        except FormatError as error:
            yield Skipped(file.name, str(error))
            continue
        for record in records:
            yield file.name, record
            yield from (Skipped(file.name, sentence, part=True) for sentence in notice_sentences(record.notices))


# What the nodes of a game know.


def stored_review(record: GameRecord, seconds: float = SECONDS) -> Reviewed | None:
    """Return the review of the main line of `record` by its evaluations, as `review_from_nodes` does."""
    return review_from_nodes(record, record.line(), seconds)


def review_from_nodes(record: GameRecord, line: list[Node], seconds: float = SECONDS) -> Reviewed | None:
    """Return the review of a `line` of `record` by the evaluations in its nodes, without a search.

    Return None if it has no move, or if an evaluation is missing or too shallow for a review of `seconds` for each
    position. All moves are judged anew, since a node may have been proven after the moves beside it were judged.
    """
    state = Assessment(record.setup, line, seconds, recalls=True)
    if len(line) < 2 or state.missing:
        return None
    state.begin()
    return None if state.tasks else partial_review(state, record)


def review_summary(record: GameRecord) -> ReviewSummary | None:
    """Return the accuracies and the numbers of mistakes of both sides; None if `record` has no complete review."""
    review = stored_review(record)
    first, second = review.accuracy if review is not None else (None, None)
    if review is None or first is None or second is None:
        return None
    sides = [move.side for move in review.moves if move.kind in MISTAKES]
    return ReviewSummary(accuracy=(first, second), mistakes=(sides.count(0), sides.count(1)))


def was_reviewed(record: GameRecord, seconds: float = SECONDS) -> bool:
    """Return whether each position of the main line was searched as long as the first searches of a review."""
    open_nodes = (node for node in record.line() if node.position.outcome is None)
    return all(_searched_enough(node.evaluation, FIRST_SEARCH * seconds) for node in open_nodes)


def _searched_enough(known: Evaluation | None, seconds: float) -> bool:
    """Return whether an evaluation is proven, or from a search of at least `seconds`."""
    return known is not None and bool(known.line) and (known.proven or known.seconds >= seconds)
