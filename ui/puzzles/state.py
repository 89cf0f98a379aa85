"""Puzzles under way, without pixels: which comes next and what counts, and one that is being solved.

Moves are judged by proofs on a thread; the window never waits for them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Literal

from ai.puzzles.collection import Collection, Wish, encoded_progress, key, load_progress, progress_path
from ai.puzzles.puzzle import Puzzle, PuzzleAnswer, judged, line, of_line, prover, read
from ai.review.exercises import Deck, Exercise
from ai.search.proving import Prover
from games.formats.common import FormatError, OnProgress
from games.formats.text import parse
from games.position import IllegalMove, Position
from games.record import Node
from games.storage import data_home, report
from ui.board.view import Pointer
from ui.toolkit.i18n import t
from ui.toolkit.resources import resource
from ui.window.host import Host, Job
from ui.window.jobs import Jobs
from ui.words.file_words import refusal
from ui.words.games import side_name
from ui.words.move_words import illegal_sentence, line_names, move_name
from ui.words.numbers import clock_text

Mode = Literal["practice", "daily", "streak", "storm", "due", "own"]
"""Puzzles near one's rating, that of the day, as many in a row as one can, as many in three minutes as one can, those
that come back, and those of a list."""

ANY = Wish()

STORM = 180.0
"""Seconds."""
_PACE = 0.6  # seconds before a move of the other side
_SHOWN = 7  # moves of a refutation
_HARDER = {"storm": (-300.0, 25.0), "streak": (-250.0, 30.0)}
"""How much harder than the person's rating the first puzzle is, and by how much more each other one, in points."""
_OTHERS = 3  # moves that are hinted at besides the right one


def own_path() -> Path:
    """The file of a person's own puzzles, in the data folder."""
    return data_home() / "own_puzzles.jsonl"


def deck() -> Deck:
    """Return the puzzles that come back."""
    return Deck(deck_path())


def deck_path() -> Path:
    """The file of the puzzles that come back, in the data folder."""
    return data_home() / "puzzles.sqlite"


def due_puzzles(cards: Deck) -> list[Puzzle]:
    """Return the puzzles that are due; none if the deck cannot be read."""
    found = []
    try:
        for card in cards.due():
            try:
                found.append(of_line(card.game))
            except (ValueError, FormatError):
                cards.set_aside(card)
    except OSError as error:
        report("unreadable", cards.file, error)
    return found


@cache
def shipped_puzzles() -> Collection:
    """Return the puzzles that come with the program."""
    return Collection(puzzles_of(resource("puzzles", "puzzles.jsonl")))


def puzzles_of(file: Path) -> Sequence[Puzzle]:
    """Return the puzzles of a file, whose moves are not played yet; none if it cannot be read."""
    try:
        return list(read(file, played=False)[0].values())
    except (FormatError, OSError) as error:
        if not isinstance(error, FileNotFoundError):
            report("unreadable", file, error if isinstance(error, OSError) else str(error))
        return ()


def playable(puzzle: Puzzle) -> bool:
    """Whether the position of a puzzle and its move are there."""
    try:
        return puzzle.move in puzzle.position.legal_moves()
    except (ValueError, FormatError):
        return False


class PuzzleRun:
    """Puzzles one after the other. `puzzles` are those of a list; other modes draw from the `collection`."""

    def __init__(
        self, host: Host, collection: Collection, mode: Mode = "practice", wish: Wish = ANY,
        puzzles: Sequence[Puzzle] = (), today: date | None = None, seed: int | None = None,
    ) -> None:  # fmt: skip
        self._host, self._collection, self.mode, self.wish = host, collection, mode, wish
        self.today = today or date.today()
        self.progress = load_progress(host.files.waiting(progress_path()))
        self.solved = self.number = 0
        self.failed = False
        """Whether the last puzzle was not solved."""
        self.began: float | None = None
        """When the storm began."""
        self._chance, self._list = Random(seed), list(puzzles)
        if mode == "daily" and (puzzle := collection.daily(self.today)) is not None:
            self._list = [puzzle]
        if mode == "due":
            self._list = due_puzzles(deck())
        self.provers = Provers()
        self.current = self._draw()

    @property
    def count(self) -> int:
        """How many puzzles there are; 0 where they are drawn as long as one likes."""
        return len(self._list)

    @property
    def over(self) -> bool:
        """Whether no other puzzle follows."""
        return self.current is None

    def _draw(self) -> Puzzle | None:
        """Return the next puzzle of the run: from its list, or near the person's rating; None where the run is over."""
        if self.mode in ("daily", "due", "own"):
            while self.number < len(self._list) and not playable(self._list[self.number]):
                del self._list[self.number]
            return self._list[self.number] if self.number < len(self._list) else None
        if (self.mode == "streak" and self.failed) or self.time_left == 0:
            return None
        first, more = _HARDER.get(self.mode, (0.0, 0.0))
        return self._collection.near(self.wish, self.progress, self._chance, first + more * self.solved)

    @property
    def time_left(self) -> float | None:
        """Seconds that are left of a storm; None where no clock runs."""
        if self.mode != "storm":
            return None
        return STORM if self.began is None else max(0.0, self.began + STORM - time.monotonic())

    def start_clock(self) -> None:
        """Start the clock of a storm, unless it runs."""
        if self.began is None:
            self.began = time.monotonic()

    def go_on(self) -> None:
        """Go on to the next puzzle."""
        self.number += 1
        self.current = self._draw()

    @property
    def rating(self) -> float:
        """The person's rating in the game of the current puzzle."""
        return self.progress.rating(self.current.game).rating if self.current is not None else 0.0

    def rating_of(self, puzzle: Puzzle) -> float:
        """Return the rating of a puzzle."""
        return self._collection.rating(puzzle).rating

    def note(self, puzzle: Puzzle, solved: bool, helped: bool) -> None:
        """Note the first answer: rating, records, and what is to come back."""
        self.failed = not solved
        self.solved += solved
        progress, rated = self.progress, self.mode in ("practice", "daily") and not (solved and helped)
        progress.note(puzzle, self._collection.rating(puzzle), solved, rated)
        if self.mode == "streak":
            progress.streak = max(progress.streak, self.solved)
        if self.mode == "storm":
            progress.storm = max(progress.storm, self.solved)
        if self.mode == "daily" and solved:
            progress.note_daily(self.today)
        self._host.files.write(progress_path(), encoded_progress(progress), self._written)
        if not solved or self.mode == "due":
            grade = "again" if not solved else "hard" if helped else "good"
            try:
                deck().record_answer(Exercise(key(puzzle), line(puzzle).encode()), grade)
            except OSError as error:
                self._host.say(str(error.strerror), "bad")

    def _written(self, error: OSError | None) -> None:
        if error is not None:
            self._host.say(t("error.profile", reason=refusal(error)), "bad")


class Provers:
    """The provers of the games, for one thread at a time."""

    def __init__(self) -> None:
        self._lock, self._made = threading.Lock(), dict[str, Prover]()

    def of(self, game: str) -> Prover:
        """Return the prover of a game. Its searches must hold `lock`."""
        return self._made.get(game) or self._made.setdefault(game, prover(game))

    def judge(self, puzzle: Puzzle, position: Position, move: int, on_progress: OnProgress) -> PuzzleAnswer:
        """Judge a move, on the thread of a job."""
        with self._lock:
            on_progress(0)
            return judged(puzzle, self.of(puzzle.game), position, move)

    def solution(self, puzzle: Puzzle, position: Position, on_progress: OnProgress) -> tuple[int, ...]:
        """Return the moves that solve a puzzle from a `position` of it, on the thread of a job."""
        with self._lock:
            on_progress(0)
            return self.of(puzzle.game).line(position) if puzzle.wins else (puzzle.move,)


class _Proof(Job[PuzzleAnswer]):
    """Judge a move; call `failed` if that cannot be done."""

    def __init__(
        self, host: Host, work: Callable[[OnProgress], PuzzleAnswer], then: Callable[[PuzzleAnswer], object],
        failed: Callable[[], object],
    ) -> None:  # fmt: skip
        title = t("puzzle.title")
        super().__init__(host, title, title, "", work, then)
        self._failed = failed

    def fail(self, error: BaseException) -> None:
        self._failed()


State = Literal["asked", "judging", "replying", "wrong", "solved", "shown"]
"""`replying`: the move was right, and the other side is about to answer."""


class PuzzleState:
    """One puzzle of a run on the board. The first answer counts, and help that was asked for before it."""

    hidden = False

    def __init__(self, host: Host, run: PuzzleRun, puzzle: Puzzle) -> None:
        self.host, self.run, self.puzzle = host, run, puzzle
        self.record = parse(puzzle.moves, puzzle.setup)
        self.start = self.record.cursor
        self.pointer = Pointer()
        self.state: State = "asked"
        self.before = self.start
        """Where a move is asked for."""
        self.tried: Node | None = None
        self.answer: PuzzleAnswer | None = None
        """To the move that was tried last."""
        self.hints = 0
        """How many hints were given: the kind of win, some moves, the move."""
        self.best: int | None = puzzle.move
        """The right move, where it is known."""
        self.solution: tuple[int, ...] = ()
        """What solves it from `before`, once it is shown."""
        self._jobs = Jobs(host, card=False)
        self._due: float | None = None
        self._noted = self._waits = False

    # The board.

    @property
    def shown(self) -> Node:
        return self.record.cursor

    @property
    def open_to_moves(self) -> bool:
        return self.state == "asked"

    @property
    def explains(self) -> bool:
        return self.state in ("solved", "shown")

    def helped(self, why: str) -> None:
        self.hints = max(self.hints, 1)

    def choose(self, move: int) -> None:
        """Try `move`."""
        if not self.open_to_moves:
            return
        self.run.start_clock()
        try:
            self.tried = self.record.play(move)
        except IllegalMove as error:
            self.host.say(illegal_sentence(error.reason), "bad", holds=lambda: self.open_to_moves)
            return
        self.state, self.answer, self._waits = "judging", None, True
        self._begin()

    @property
    def preparing(self) -> bool:
        """Whether the engine is still loading, and cannot judge a move yet."""
        return self.host.engine.state.name == "loading"

    def _begin(self) -> None:
        """Judge the move that was tried, once the engine is ready."""
        if not self._waits or self.preparing or self.tried is None or self.tried.move is None:
            return
        self._waits = False
        work = partial(self.run.provers.judge, self.puzzle, self.before.position, self.tried.move)
        self._jobs.start(_Proof(self.host, work, self._take, self._unproven))

    def _unproven(self) -> None:
        """The move could not be judged: it may be tried again."""
        if self.tried is not None:
            self.host.say(t("mistakes.unchecked", move=name_of(self.tried)), "bad")
        self.retry()

    def _take(self, answer: PuzzleAnswer) -> None:
        """Take what a proof says of the move that was tried."""
        self.answer = answer
        if answer.verdict == "right":
            self.state, self._due = "replying", None
        elif answer.verdict == "solved":
            self.state = "solved"
            self._note(True)
        else:
            self.state = "wrong"
            self._note(False)

    def _note(self, solved: bool) -> None:
        """Note the first answer."""
        if not self._noted:
            self._noted = True
            self.run.note(self.puzzle, solved, self.hints > 0)

    # Time.

    @property
    def moving(self) -> bool:
        """Whether a move is about to be made on the board."""
        return self.state == "replying" or (self.state == "wrong" and self._left_of_refutation > 0)

    @property
    def busy(self) -> bool:
        """Whether a move is being judged, or a solution found."""
        return self._jobs.busy or self._waits

    @property
    def _left_of_refutation(self) -> int:
        """How many moves of the refutation are not on the board yet."""
        if self.answer is None or self.tried is None:
            return 0
        return min(len(self.answer.line), _SHOWN) - (self.shown.position.ply - self.tried.position.ply)

    def update(self, now: float) -> None:
        """Once a frame: take a judgement, and make the moves of the other side."""
        self._jobs.update()
        self._begin()
        if not self.moving:
            self._due = None
        elif self._due is None:
            self._due = now + (_PACE if self.host.motion else 0)
        elif now >= self._due and self.answer is not None:
            self._due = None
            if self.state == "wrong":
                self.record.play(self.answer.line[:_SHOWN][-self._left_of_refutation])
            else:
                self.before = self.record.play(self.answer.line[0])
                self.best = self.answer.line[1] if len(self.answer.line) > 1 else None
                self.state, self.hints = "asked", 0
                if self.before.outcome is not None:  # a move of the other side cannot end a won game
                    self.state = "solved"

    def wake(self) -> float | None:
        """Seconds until something is to be done."""
        return 0.05 if self.moving or self.busy else None

    # Help.

    @property
    def hintable(self) -> bool:
        """Whether another hint can be given: none in a streak or a storm."""
        most = 3 if self.best is not None else 1
        return self.state == "asked" and self.hints < most and self.run.mode not in ("streak", "storm")

    def hint(self) -> None:
        """Tell the kind of win, then some moves of which one is right, if others come into question, then the right
        one."""
        if self.hintable:
            self.hints += 1
            if self.hints == 2 and not self._others():
                self.hints = 3

    def hinted(self) -> tuple[int, ...]:
        """Return the moves that are hinted at."""
        if self.state != "asked" or self.best is None or self.hints < 2:
            return ()
        if self.hints == 3:
            return (self.best,)
        return tuple(sorted((self.best, *self._others())))

    def _others(self) -> list[int]:
        """Wrong moves that come into question."""
        return [move for move in self.before.position.candidates() if move != self.best][:_OTHERS]

    def retry(self) -> None:
        """Take the wrong move back."""
        self._discard_try()
        self.state = "asked"

    def show(self) -> None:
        """Give up: find the solution from here, and show it."""
        if self.state in ("solved", "shown"):
            return
        self._discard_try()
        self._note(False)
        self.state = "shown"
        if self.before is self.start:
            self.solution = (self.puzzle.move,)
        if not self.preparing:
            work = partial(self.run.provers.solution, self.puzzle, self.before.position)
            title = t("puzzle.title")
            self._jobs.start(Job(self.host, title, title, "", work, self._take_solution))

    def _take_solution(self, moves: tuple[int, ...]) -> None:
        self.solution = moves or self.solution
        self.host.rebuild()

    def play_line(self, count: int) -> None:
        """Show the position after so many moves of the solution."""
        self.record.go_to(self.before)
        for move in self.solution[:count]:
            self.record.play(move)

    def _discard_try(self) -> None:
        """Cancel the jobs, forget the move that was tried and its answer, and return to the position before it."""
        self._jobs.stop()
        self._due, self.answer, self.tried, self._waits = None, None, None, False
        self.record.go_to(self.before)

    def close(self) -> None:
        """Stop what is under way; the screen may be shown again."""
        if self.state == "judging":
            self.retry()
        self._jobs.stop()


# In words.


def name_of(node: Node) -> str:
    """The move of a node in the game's notation."""
    assert node.parent is not None
    assert node.move is not None
    return move_name(node.parent.position, node.move)


def _side(state: PuzzleState, other: bool = False) -> str:
    turn = state.start.position.turn
    return side_name(state.puzzle.game, 1 - turn if other else turn)


def asked_sentence(state: PuzzleState) -> str:
    """The task."""
    if state.before is not state.start and not state.explains:
        return t("puzzle.go_on")
    return t("puzzle.find_win" if state.puzzle.wins else "puzzle.find_defence")


def kind_sentence(puzzle: Puzzle) -> str:
    """The kind of win, and in how many moves: the first hint."""
    return t(f"puzzle.kind.{puzzle.theme}", count=(puzzle.plies + 1) // 2)


def verdict_sentences(state: PuzzleState) -> list[str]:
    """What is said of the move that was tried, or of the hints."""
    tried = "" if state.tried is None else name_of(state.tried)
    if state.state == "judging":
        return [t("puzzle.preparing") if state.preparing else t("mistakes.judging", move=tried)]
    if state.state == "replying":
        return [t("mistakes.right", move=tried)]
    if state.state == "solved":
        return [t("puzzle.solved"), kind_sentence(state.puzzle)]
    if state.state == "shown":
        best = move_name(state.before.position, state.solution[0]) if state.solution else ""
        return [t("mistakes.shown", move=best) if best else t("puzzle.searching")]
    if state.state == "wrong" and state.answer is not None and state.tried is not None:
        refutation = line_names(state.tried.position, state.answer.line[:_SHOWN])
        if not refutation:
            return [t("mistakes.wrong", move=tried), t("puzzle.escapes", side=_side(state, other=True))]
        sentence = t("puzzle.loses", side=_side(state, other=True), count=(state.answer.plies + 1) // 2)
        return [t("mistakes.wrong", move=tried), sentence, t("mistakes.refuted", line=" ".join(refutation))]
    if state.hints:
        more = {2: t("puzzle.hint_some"), 3: t("puzzle.hint_move")}.get(state.hints, "")
        return [each for each in (kind_sentence(state.puzzle), more) if each]
    return []


def title_sentence(run: PuzzleRun) -> str:
    """What kind of run it is, and how far one is."""
    title = t(f"puzzle.mode.{run.mode}")
    if run.mode == "daily":
        return f"{title} · {run.today.isoformat()}"
    if run.count:
        return f"{title} · {t('puzzle.number', number=min(run.number + 1, run.count), count=run.count)}"
    if run.mode == "practice":
        return f"{title} · {t('puzzle.your_rating', rating=f'{run.rating:.0f}')}" if run.current else title
    score = t("puzzle.score", count=run.solved)
    left = run.time_left
    return f"{title} · {score}" if left is None else f"{title} · {score} · {clock_text(left)}"


def over_sentences(run: PuzzleRun) -> list[str]:
    """What is said when no puzzle follows."""
    progress = run.progress
    if run.mode == "streak":
        return [t("puzzle.streak_over", count=run.solved), t("puzzle.best", count=progress.streak)]
    if run.mode == "storm":
        return [t("puzzle.storm_over", count=run.solved), t("puzzle.best", count=progress.storm)]
    if run.mode == "daily" and run.number:
        return [t("puzzle.daily_over"), t("puzzle.days", count=progress.days)]
    if run.mode == "due":
        return [t("puzzle.due_over") if run.number else t("puzzle.none_due")]
    return [t("puzzle.all_done") if run.number else t("puzzle.none")]
