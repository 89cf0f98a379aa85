"""Puzzles under way, without pixels: a run of puzzles, which are next and what counts; and one puzzle that is being
solved.

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
from ai.puzzles.puzzle import Puzzle, PuzzleAnswer, judge_move, line, parse_line, prover, read
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
    """Return the file of a person's own puzzles, in the data folder."""
    return data_home() / "own_puzzles.jsonl"


def deck() -> Deck:
    """Return the deck of puzzles that were not solved, each with the day when it comes back."""
    return Deck(deck_path())


def deck_path() -> Path:
    """Return the file of that deck, in the data folder."""
    return data_home() / "puzzles.sqlite"


def due_puzzles(cards: Deck) -> list[Puzzle]:
    """Return the puzzles of the deck that are due; none if it cannot be read. A damaged puzzle is moved out of the
    deck."""
    found = []
    try:
        for card in cards.due():
            try:
                found.append(parse_line(card.game))
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
    """Return the puzzles of a file, with moves that are not checked: see `playable`. None are returned if it cannot be
    read, which is reported unless there is no such file."""
    try:
        return list(read(file, played=False)[0].values())
    except (FormatError, OSError) as error:
        if not isinstance(error, FileNotFoundError):
            report("unreadable", file, error if isinstance(error, OSError) else str(error))
        return ()


def playable(puzzle: Puzzle) -> bool:
    """Return whether the moves of a puzzle lead to its position, and its best move is legal there."""
    try:
        return puzzle.move in puzzle.position.legal_moves()
    except (ValueError, FormatError):
        return False


class PuzzleRun:
    """A series of puzzles in one mode: `current` is the one to solve, None at the end. Those of the mode ``own`` are
    `puzzles`, those of ``due`` are in the deck; other modes draw from the `collection` as `wish` says."""

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
        self.current = self._next_puzzle()

    @property
    def count(self) -> int:
        """The number of puzzles; 0 in modes that draw puzzles without end."""
        return len(self._list)

    @property
    def over(self) -> bool:
        """Whether no puzzle is left."""
        return self.current is None

    def _next_puzzle(self) -> Puzzle | None:
        """Return the next puzzle: from the list, without those that are not playable, or near the person's rating; None
        at the end of the run."""
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
        """The seconds that are left of a storm; None in other modes."""
        if self.mode != "storm":
            return None
        return STORM if self.began is None else max(0.0, self.began + STORM - time.monotonic())

    def start_clock(self) -> None:
        """Start the clock of a storm, unless it runs already."""
        if self.began is None:
            self.began = time.monotonic()

    def go_on(self) -> None:
        """Go on to the next puzzle."""
        self.number += 1
        self.current = self._next_puzzle()

    @property
    def rating(self) -> float:
        """The person's rating in the game of the current puzzle; 0 without one."""
        return self.progress.rating(self.current.game).rating if self.current is not None else 0.0

    def rating_of(self, puzzle: Puzzle) -> float:
        """Return the rating of a puzzle."""
        return self._collection.rating(puzzle).rating

    def note(self, puzzle: Puzzle, solved: bool, helped: bool) -> None:
        """Save what follows from the first answer to a puzzle: rating and records, and when the puzzle comes back if it
        was not `solved` or was due. `helped` tells that a hint was given."""
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
        """Say so if the progress could not be written."""
        if error is not None:
            self._host.say(t("error.profile", reason=refusal(error)), "bad")


class Provers:
    """A prover for each game, made when needed. One thread at a time searches; the others wait."""

    def __init__(self) -> None:
        self._lock, self._made = threading.Lock(), dict[str, Prover]()

    def of(self, game: str) -> Prover:
        """Return the prover of a game. Search with it only while holding `_lock`."""
        return self._made.get(game) or self._made.setdefault(game, prover(game))

    def judge(self, puzzle: Puzzle, position: Position, move: int, on_progress: OnProgress) -> PuzzleAnswer:
        """Judge a move at `position` of a puzzle, on the thread of a job; `on_progress` raises if that is cancelled."""
        with self._lock:
            on_progress(0)
            return judge_move(puzzle, self.of(puzzle.game), position, move)

    def solution(self, puzzle: Puzzle, position: Position, on_progress: OnProgress) -> tuple[int, ...]:
        """Return the moves that solve a puzzle from a `position` of it, on the thread of a job; for a defence only its
        best move."""
        with self._lock:
            on_progress(0)
            return self.of(puzzle.game).line(position) if puzzle.wins else (puzzle.move,)


class _Proof(Job[PuzzleAnswer]):
    """A job that judges a move and calls `then` with the answer, or `failed` if the move cannot be judged."""

    def __init__(
        self, host: Host, work: Callable[[OnProgress], PuzzleAnswer], then: Callable[[PuzzleAnswer], object],
        failed: Callable[[], object],
    ) -> None:  # fmt: skip
        title = t("puzzle.title")
        super().__init__(host, title, title, "", work, then)
        self._failed = failed

    def fail(self, error: BaseException) -> None:
        """Call `failed`; nothing is said here, and `error` is not used."""
        self._failed()


State = Literal["asked", "judging", "replying", "wrong", "solved", "shown"]
"""`replying`: the move was right, and the other side is about to answer."""


class PuzzleState:
    """One puzzle of a run, on the board. The first answer counts; a hint before it counts, too."""

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
        """The node whose position is on the board."""
        return self.record.cursor

    @property
    def open_to_moves(self) -> bool:
        """Whether a move can be made on the board."""
        return self.state == "asked"

    @property
    def explains(self) -> bool:
        """Whether the puzzle is solved or its solution shown, so that threats and reasons may be shown."""
        return self.state in ("solved", "shown")

    def helped(self, why: str) -> None:
        """Count help that the board gives, of the kind `why`, as a hint."""
        self.hints = max(self.hints, 1)

    def choose(self, move: int) -> None:
        """Try `move`, and start to judge it; say why if it is illegal. Nothing while no move is asked for."""
        if not self.open_to_moves:
            return
        self.run.start_clock()
        try:
            self.tried = self.record.play(move)
        except IllegalMove as error:
            self.host.say(illegal_sentence(error.reason), "bad", holds=lambda: self.open_to_moves)
            return
        self.state, self.answer, self._waits = "judging", None, True
        self._start_proof()

    @property
    def preparing(self) -> bool:
        """Whether the engine is still loading, and cannot judge a move yet."""
        return self.host.engine.state.name == "loading"

    def _start_proof(self) -> None:
        """Judge the move that was tried, or find the solution that is to be shown, if that waits and the engine is
        ready. `update` calls this until it is."""
        if not self._waits or self.preparing:
            return
        self._waits = False
        if self.state == "shown":
            find = partial(self.run.provers.solution, self.puzzle, self.before.position)
            title = t("puzzle.title")
            self._jobs.start(Job(self.host, title, title, "", find, self._take_solution))
        elif self.tried is not None and self.tried.move is not None:
            judge = partial(self.run.provers.judge, self.puzzle, self.before.position, self.tried.move)
            self._jobs.start(_Proof(self.host, judge, self._take_answer, self._allow_retry))

    def _allow_retry(self) -> None:
        """Say that the move could not be judged, and let the person try again."""
        if self.tried is not None:
            self.host.say(t("mistakes.unchecked", move=name_of(self.tried)), "bad")
        self.retry()

    def _take_answer(self, answer: PuzzleAnswer) -> None:
        """Take in how the move that was tried is judged."""
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
        """Note the first answer in the run; later ones are ignored."""
        if not self._noted:
            self._noted = True
            self.run.note(self.puzzle, solved, bool(self.hints))

    # Time.

    @property
    def moving(self) -> bool:
        """Whether a reply or a move of a refutation is about to be played."""
        return self.state == "replying" or (self.state == "wrong" and self._left_of_refutation > 0)

    @property
    def busy(self) -> bool:
        """Whether a move is being judged, or a solution found."""
        return self._jobs.busy or self._waits

    @property
    def _left_of_refutation(self) -> int:
        """How many moves of the refutation are still to be made on the board, after a wrong move."""
        assert self.answer is not None
        assert self.tried is not None
        return min(len(self.answer.line), _SHOWN) - (self.shown.position.ply - self.tried.position.ply)

    def update(self, now: float) -> None:
        """Take in a judgement, and make the moves of the other side. Called once a frame."""
        self._jobs.update()
        self._start_proof()
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

    def wake(self) -> float | None:
        """Return the seconds until `update` has something to do; None if it has nothing."""
        return 0.05 if self.moving or self.busy else None

    # Help.

    @property
    def hintable(self) -> bool:
        """Whether another hint can be given: never in a streak or a storm."""
        most = 3 if self.best is not None else 1
        return self.state == "asked" and self.hints < most and self.run.mode not in ("streak", "storm")

    def hint(self) -> None:
        """Give the next hint, if there is one: the kind of win; then some plausible moves, one of which is right; then
        the right move. The second is left out where no other move is plausible."""
        if self.hintable:
            self.hints += 1
            if self.hints == 2 and not self._plausible_moves():
                self.hints = 3

    def hinted(self) -> tuple[int, ...]:
        """Return the moves to mark as a hint; none before the second hint, or while no move is asked for."""
        if self.state != "asked" or self.best is None or self.hints < 2:
            return ()
        if self.hints == 3:
            return (self.best,)
        return tuple(sorted((self.best, *self._plausible_moves())))

    def _plausible_moves(self) -> list[int]:
        """Return a few plausible moves that are wrong."""
        return [move for move in self.before.position.candidates() if move != self.best][:_OTHERS]

    def retry(self) -> None:
        """Take back the move that was tried, and ask for another one."""
        self._discard_try()
        self.state = "asked"

    def show(self) -> None:
        """Give up: count the puzzle as not solved unless it was answered, find the solution from the position reached,
        and show it."""
        if self.state in ("solved", "shown"):
            return
        self._discard_try()
        self._note(False)
        self.state, self._waits = "shown", True
        if self.before is self.start:
            self.solution = (self.puzzle.move,)
        self._start_proof()

    def _take_solution(self, moves: tuple[int, ...]) -> None:
        """Show the solution that was found; without one, keep what is known."""
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
        """Stop the jobs, and take back a move that is being judged. The screen may be shown again, and then the
        solution that was being found is searched for anew."""
        if self.state == "judging":
            self.retry()
        self._waits = self.busy
        self._jobs.stop()


# In words.


def name_of(node: Node) -> str:
    """Return the move that led to a node, in the game's notation."""
    assert node.parent is not None
    assert node.move is not None
    return move_name(node.parent.position, node.move)


def _side(state: PuzzleState, other: bool = False) -> str:
    """Return the name of the side that is to find the move, or with `other` of its opponent."""
    turn = state.start.position.turn
    return side_name(state.puzzle.game, 1 - turn if other else turn)


def asked_sentence(state: PuzzleState) -> str:
    """Return the task: to find a win or a defence, or to go on with it."""
    if state.before is not state.start and not state.explains:
        return t("puzzle.go_on")
    return t("puzzle.find_win" if state.puzzle.wins else "puzzle.find_defence")


def kind_sentence(puzzle: Puzzle) -> str:
    """Return the first hint: the kind of win, and in how many moves."""
    return t(f"puzzle.kind.{puzzle.theme}", count=(puzzle.plies + 1) // 2)


def verdict_sentences(state: PuzzleState) -> list[str]:
    """Return what is said of the move that was tried or, before one, of the hints; nothing without hints."""
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
    """Return the title: the mode, and how far the person is."""
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
    """Return what is said when no puzzle is left."""
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
