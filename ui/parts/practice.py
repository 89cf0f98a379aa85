"""Exercises made of a person's mistakes, without pixels: `Practice` is a series of them, `Solving` one in which a move
is tried, judged and refuted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Literal

from ai.core.player import Limit
from ai.review.exercises import Deck, DeckCounts, Exercise, exercises, judge_try, own_sides, solution
from ai.review.judgement import FAULTLESS, Judged, playable
from ai.service.searches import Purpose, Search
from games.evaluation import Evaluation
from games.formats import FormatError
from games.position import IllegalMove
from games.record import GameRecord, Node
from games.storage import report
from ui.board.view import Pointer
from ui.toolkit.i18n import t
from ui.window.host import Host
from ui.words.file_words import day_text
from ui.words.games import side_label
from ui.words.move_words import illegal_sentence, line_names, move_name
from ui.words.verdicts import SIGNS, why_text

_LIMIT = Limit(seconds=1.0)
_PACE = 0.7  # seconds for each move of a refutation
_SHOWN = 7  # moves of a refutation

State = Literal["asked", "judging", "right", "good", "wrong", "shown"]
"""`good` is right, but another move is better. `shown` is given up."""


def collect(record: GameRecord, judgements: Iterable[Judged], names: Iterable[str]) -> None:
    """Add the mistakes of the person with these `names` to the deck. Log an error if it cannot be written."""
    try:
        Deck().add(exercises(record, judgements, own_sides(record, names)))
    except OSError as error:
        report("unreadable", Deck().file, error)


def counts(deck: Deck) -> DeckCounts:
    """Return the counts of `deck`; all 0 if it cannot be read, which is logged."""
    try:
        return deck.counts()
    except OSError as error:
        report("unreadable", deck.file, error)
        return DeckCounts()


class Practice:
    """A series of exercises: the given `exercises` of a game, or the due ones of `deck` if that is None.

    `whose` is the name of another person whose mistakes they are, else empty: answers to those are not stored in the
    deck.
    """

    def __init__(self, deck: Deck, exercises: Sequence[Exercise] | None = None, whose: str = "") -> None:
        self.deck, self.whose, self.number = deck, whose, 0
        self.problem = ""
        """Why the deck cannot be read."""
        self.of_game = exercises is not None
        self.answers: dict[str, str] = {}
        """The grades so far by the keys of the exercises."""
        try:
            self.exercises = deck.due() if exercises is None else exercises
        except OSError as error:
            self.exercises, self.problem = (), str(error.strerror)
        self._skip_damaged()

    def _skip_damaged(self) -> None:
        """Advance to the first exercise that can be read; move those before it out of the deck."""
        while (exercise := self.current) is not None:
            try:
                exercise.record()
                return
            except FormatError:
                self.number += 1
            try:
                self.deck.set_aside(exercise)
            except OSError as error:
                report("unreadable", self.deck.file, error)

    @property
    def current(self) -> Exercise | None:
        """The exercise to solve; None after the last one."""
        return self.exercises[self.number] if self.number < len(self.exercises) else None

    @property
    def counts(self) -> DeckCounts:
        """The counts of the deck; all 0 if it cannot be read."""
        return counts(self.deck)

    def record_answer(self, exercise: Exercise, grade: str) -> None:
        """Note the `grade`, as in `Deck.record_answer`; in the deck unless the mistakes are another person's. Raise
        `OSError` if the deck cannot be written."""
        self.answers[exercise.key] = grade
        if not self.whose:
            self.deck.record_answer(exercise, grade)

    def following(self) -> Practice:
        """Return a copy of this practice at the next exercise that can be read."""
        following = copy(self)
        following.number += 1
        following._skip_damaged()
        return following


def practice_of(
    record: GameRecord, judgements: Iterable[Judged], sides: Sequence[int], names: Iterable[str],
    first: Judged | None = None,
) -> Practice:  # fmt: skip
    """Return the mistakes of `sides` in `record` as exercises, that of `first` before the others. `names` are those of
    the person at this computer; the mistakes of others do not go into the deck."""
    found = exercises(record, judgements, sides)
    if first is not None:
        asked = Exercise.of(record, first)
        found = [asked, *(each for each in found if each != asked)]
    own = set(sides) <= set(own_sides(record, names))
    return Practice(Deck(), found, "" if own else " – ".join(side_label(record, side) for side in sides))


class Solving:
    """One exercise: find a better move than the `mistake`. While the state is ``asked``, the board takes a move; after
    a wrong one its refutation is played on the board.

    Only the first answer is graded. If help was asked for before it, the grade is at best ``hard``.
    """

    hidden = False

    def __init__(self, host: Host, practice: Practice, exercise: Exercise) -> None:
        self.host, self.practice, self.exercise = host, practice, exercise
        self.record = exercise.record()
        self.start = self.record.cursor
        self.mistake = self.start.children[0]
        judged = judge_try(self.record, self.mistake, self.mistake.evaluation)
        self.sign = (SIGNS[judged.kind] if judged is not None else "") or SIGNS["mistake"]
        """Of the mistake, on the board."""
        self.pointer = Pointer()
        self.state: State = "asked"
        self.tried = self.start
        """The position after the move that was tried."""
        self.judged: Judged | None = None
        self.refutation: tuple[int, ...] = ()
        """What follows on a wrong move."""
        self._search: Search | None = None
        self._due: float | None = None  # when the next move of the refutation is
        self._graded = self._helped = False

    # The board.

    @property
    def shown(self) -> Node:
        """The node on the board."""
        return self.record.cursor

    @property
    def open_to_moves(self) -> bool:
        """Whether a move can be tried."""
        return self.state == "asked"

    @property
    def explains(self) -> bool:
        """Whether threats and reasons may be shown: after the answer, or once help was used."""
        return self._helped or not self.open_to_moves

    def helped(self, why: str) -> None:
        """Note that the person has used help, of the kind `why`: the grade is ``hard`` at best."""
        self._helped = True

    def choose(self, move: int) -> None:
        """Try `move`: judge it, after a search if it has no evaluation yet. If it is illegal, show a message why."""
        if not self.open_to_moves:
            return
        try:
            self.tried = tried = self.record.play(move)
        except IllegalMove as error:
            self.host.say(illegal_sentence(error.reason), "bad", holds=lambda: self.open_to_moves)
            return
        self.state = "judging"
        if tried.outcome is not None or tried.evaluation is not None or solution(self.start)[:1] == (move,):
            self._judge(tried, tried.evaluation)
        else:
            self._search = self.host.searches.ask(tried, Purpose.ANALYSIS, _LIMIT)

    # What follows.

    def update(self, now: float) -> None:
        """Once a frame: judge the answer when its search is over, and play the refutation move by move."""
        search = self._search
        if search is not None and search.over and not self._waits_for_engine(search):
            self._search = None
            if search.known is None or search.stand_in:  # the player has failed
                self.host.say(t("mistakes.unchecked", move=_move_text(search.node)), "bad")
                self.retry()
            else:
                self._judge(search.node, search.known)
        elif self.moving and self._due is None:
            self._due = now + _PACE
        elif self._due is not None and now >= self._due:
            self.record.play(self.refutation[self.shown.position.ply - self.tried.position.ply])
            self._due = now + _PACE if self.moving else None

    def _waits_for_engine(self, search: Search) -> bool:
        """Whether `search` was by a stand-in while the engine was loading, so that its result does not count."""
        return search.stand_in and self.host.engine.state.name != "failed"

    @property
    def moving(self) -> bool:
        """Whether moves of a refutation are still to be played."""
        return self.shown.position.ply - self.tried.position.ply < len(self.refutation)

    def _judge(self, tried: Node, after: Evaluation | None) -> None:
        """Judge the move that led to `tried` by `after`, the evaluation of that position, and grade the answer. Keep
        the refutation of a wrong move."""
        self.judged = judged = judge_try(self.record, tried, after)
        if judged is None or judged.kind in FAULTLESS:
            self.state = "right"
        else:
            self.state = "good" if judged.kind == "good" else "wrong"
        self._grade({"right": "hard" if self._helped else "good", "good": "hard"}.get(self.state, "again"))
        if self.state == "wrong" and after is not None:
            self.refutation = playable(tried.position, after.line)[:_SHOWN]

    def _grade(self, grade: str) -> None:
        """Record the grade of the exercise, unless it has one."""
        if self._graded:
            return
        self._graded = True
        try:
            self.practice.record_answer(self.exercise, grade)
        except OSError as error:
            self.host.say(str(error.strerror), "bad")

    def retry(self) -> None:
        """Take back what was tried, and ask again."""
        self._reset()
        self.state = "asked"

    def show(self) -> None:
        """Give up: grade the exercise ``again``, and show the best move and what follows."""
        self._reset()
        self._grade("again")
        self.state = "shown"

    def play_line(self, count: int) -> None:
        """Show the position after the first `count` moves of the solution."""
        self.record.go_to(self.start)
        for move in solution(self.start)[:count]:
            self.record.play(move)

    def _reset(self) -> None:
        """Stop the search, and go back to the position of the exercise."""
        if self._search is not None:
            self._search.drop()
        self._search, self._due, self.judged, self.refutation = None, None, None, ()
        self.tried = self.start
        self.record.go_to(self.start)

    def close(self) -> None:
        """Take back a move whose search is under way."""
        if self._search is not None:  # the screen may be shown again
            self.retry()


# In words.


def asked_sentence(state: Solving) -> str:
    """The question: a better move than the one that was played."""
    return t("mistakes.asked", move=_move_text(state.mistake))


def verdict_sentences(state: Solving) -> list[str]:
    """The sentences on the move that was tried, the verdict first; a sentence may be empty. While a move can be tried
    again, they do not reveal the solution."""
    line = solution(state.start)
    best = move_name(state.start.position, line[0]) if line else ""
    if state.state == "asked":
        return []
    if state.state == "shown":
        return [t("mistakes.shown", move=best)]
    sentence = t(f"mistakes.{state.state}", move=_move_text(state.tried), best=best)
    if state.state != "wrong" or state.judged is None:
        return [sentence]
    reason, refutation = why_text(state.judged, quiet=True), line_names(state.tried.position, state.refutation)
    return [sentence, reason, t("mistakes.refuted", line=" ".join(refutation)) if refutation else ""]


def _move_text(node: Node) -> str:
    """The move that led to `node`, in the notation of the game."""
    assert node.parent is not None
    assert node.move is not None
    return move_name(node.parent.position, node.move)


def title_sentence(practice: Practice) -> str:
    """The title: whose mistakes these are, and the number of the current exercise."""
    title = t("mistakes.title_of", name=practice.whose) if practice.whose else t("mistakes.title")
    if practice.current is None:
        return title
    return f"{title} · {t('mistakes.number', number=practice.number + 1, count=len(practice.exercises))}"


def counts_sentence(practice: Practice) -> str:
    """How many exercises of the game, or else of the deck, are solved, and how many there are."""
    if practice.of_game:
        solved = sum(grade != "again" for grade in practice.answers.values())
        return t("mistakes.counts_game", solved=solved, count=len(practice.exercises))
    counts = practice.counts
    return t("mistakes.counts", due=counts.due, solved=counts.solved, count=counts.total)


def over_sentence(practice: Practice) -> str:
    """Why there is no exercise to solve: an error, or all are done."""
    if practice.problem:
        return practice.problem
    if practice.of_game:
        return t("mistakes.over_game")
    counts = practice.counts
    if counts.next_due is None:
        return t("mistakes.none")
    return t("mistakes.over_today") if counts.due else t("mistakes.over", day=day_text(counts.next_due.timestamp()))
