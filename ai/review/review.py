"""Reviews a line of a game: what each move was worth, what would have been better, and how accurate the players were.

`Review` belongs to one thread, a window's for example, which polls it; its searches run on threads of their own.
`review` is the same as a generator. `ai.review.kinds` defines what a move is called.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from ai.options import processors
from ai.player import Player, Stop
from ai.players import Context, make, needs_engine, strongest
from ai.registry import opponents
from ai.review.budget import Budget
from ai.review.evidence import confidence, deep_enough, playable, proven_after, proves, value_before
from ai.review.judges import PATIENCE, Judges, Task, Verdict
from ai.review.kinds import BLUNDER, INACCURACY, MISTAKE, MISTAKES, NEAR, accuracy, kind_of
from ai.review.win_probability import side_wins, win_probability
from ai.score import Score
from games.position import FIRST
from games.record import Evaluation, GameRecord, Node

SECONDS = 0.5
"""For each position, unless told otherwise."""

FIRST_LOOK = 0.8  # times as long as that for a first look; the rest is for moves that have to be confirmed
_LONGER, _LONGEST = 4.0, 8.0  # times as long, before a move is called a mistake, if the budget allows it
_SIGHT = 2.0  # times as long, for what a move looked like before anything was known of what follows
_MISTAKE = 10.0  # times as long for all searches of a mistake, to foresee how long a review takes
_ROUNDS = 3  # better moves that are tried out for one mistake
_PORTION = 6  # moves that are judged at once: a window waits meanwhile
_MEMORY_MB = 32
_LONGEST_LINE = 30


@dataclass(frozen=True, slots=True)
class Progress:
    """How much has been done, by time, from 0 to 1; never less than before."""

    share: float


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of the line: the `number`-th, from 0, by `side`, which led to `node`.

    `kind` is one of `kinds.KINDS`; `loss` and `win` are win probabilities of the side that moved: what it lost, and
    what it has after the move. `line` is best play from before the move on and begins with `best`, which may be the
    move itself.
    """

    number: int
    node: Node
    side: int
    kind: str
    loss: float
    win: float
    best: int
    line: tuple[int, ...]

    @property
    def before(self) -> Node:
        """The node at which the move was played."""
        assert self.node.parent is not None
        return self.node.parent

    @property
    def move(self) -> int:
        assert self.node.move is not None
        return self.node.move


def make_judge(game: str) -> Player:
    return make(strongest(game), Context(game, memory_mb=_MEMORY_MB))


def review(
    record: GameRecord,
    seconds: float = SECONDS,
    threads: int | None = None,
    stop: Stop | None = None,
    make: Callable[[], Player] | None = None,
    granted: Callable[[], int] = processors,
) -> Iterator[Progress | Judged]:
    """Review `record.line()` and yield what is found as it is found, until all is known or `stop` is set, with as many
    threads as are `granted` at each moment."""
    job, stop = Review(record, seconds, threads, make), stop or Stop()
    try:
        with stop.calling(job.wake):
            while not job.over and not stop.is_set():
                job.grant(granted())
                yield from job.poll(wait=True)
    finally:
        job.close()


class Review:
    """A review under way: `poll` for news until it is `over`, or `close` it before. `moves` is what is known so far, by
    number; a move is told again when its judgement changes. What the searches find is stored in the record's nodes, and
    what these know well enough already is not asked."""

    def __init__(
        self,
        record: GameRecord,
        seconds: float = SECONDS,
        threads: int | None = None,
        make: Callable[[], Player] | None = None,
    ) -> None:
        self.setup, self.nodes, self.seconds = record.setup, record.line(), seconds
        self.moves: dict[int, Judged] = {}
        self._known = [self._stored(node) for node in self.nodes]
        self._confirmed = [confidence(known, seconds) for known in self._known]
        self._searched: set[int] = set()  # by this review
        self._asked: set[int] = set()  # positions with a search under way, or queued
        self._open: set[int] = set()  # moves that a second look has to confirm
        self._tried: defaultdict[int, set[int]] = defaultdict(set)  # better moves that were searched, by position
        self._refuted: defaultdict[int, set[int]] = defaultdict(set)  # those that lose
        self._share = 0.0
        self._news: list[Judged] = []
        known = zip(self.nodes, self._known, strict=True)
        missing = [number for number, (node, one) in enumerate(known) if one is None and not node.position.outcome]
        game = self.setup.game
        most = threads or processors() if needs_engine(strongest(game), game) else 1  # others hold the GIL
        self._budget = Budget(seconds, len(self.nodes))
        self._judges = Judges(make or partial(make_judge, game), min(most, len(missing) or 1), self._budget)
        self._unseen = set(missing)  # positions without a first look
        self._unsettled: deque[int] = deque()  # moves to be judged when there is time
        for number in missing:
            self._ask(number, "first", times=FIRST_LOOK)
        for move in range(len(self.nodes) - 1):
            self._settle(move)

    def _stored(self, node: Node) -> Evaluation | None:
        """What the node knows, where that is enough."""
        known = node.evaluation
        return known if known is not None and deep_enough(known, FIRST_LOOK * self.seconds) else None

    # For the owner.

    @property
    def over(self) -> bool:
        return not (self._asked or self._unsettled or self._news)

    def poll(self, wait: bool = False) -> list[Progress | Judged]:
        """What is new. With `wait`, waits for news, but no longer than a second, nor beyond `wake`.

        Raise what a player raised.
        """
        found: list[Progress | Judged] = []
        while not self.over:
            portion = min(_PORTION, len(self._unsettled))
            for _ in range(portion):
                self._settle(self._unsettled.popleft())
            idle = wait and not (found or self._news or self._unsettled)
            verdict = self._judges.take(idle) if self._asked else None
            if verdict is not None:
                self._take(verdict)
            if (verdict is not None or portion) and not self._unsettled:
                self._share = max(self._share, self._share_by_now())
                found.append(Progress(self._share))
            found += self._news
            self._news.clear()
            if verdict is None and not (wait and self._unsettled):
                break
        return found

    def _share_by_now(self) -> float:
        first = FIRST_LOOK * self.seconds * len(self._unseen)
        second = min(_MISTAKE * self.seconds * len(self._open), self._budget.left)
        return self._budget.spent / (self._budget.spent + first + second) if self._asked else 1.0

    def grant(self, threads: int) -> None:
        """Use at most so many threads from now on; 0 rests."""
        self._judges.grant(threads)

    def wake(self) -> None:
        """End the wait of `poll`; any thread may call it."""
        self._judges.wake()

    def close(self, patience: float = PATIENCE) -> None:
        """End the searches, which takes less than 0.2 s; wait for their threads at most `patience` seconds."""
        self._judges.close(patience)

    @property
    def wins(self) -> list[float | None]:
        """The first side's win probability at the start and after each move, None where it is not known yet."""
        return [self._win(number, FIRST) for number in range(len(self.nodes))]

    def accuracy(self) -> tuple[float | None, float | None]:
        """Of either side in per cent; None for one without a move, and for both while moves are missing."""
        if len(self.moves) < len(self.nodes) - 1:
            return None, None
        wins = [win for win in self.wins if win is not None]
        if len(wins) < len(self.nodes):
            return None, None
        ordered = [self.moves[number] for number in range(len(self.moves))]
        losses, sides = [move.loss for move in ordered], [move.side for move in ordered]
        first, second = (accuracy(losses, wins, sides, side) for side in (0, 1))
        return first, second

    # Searches.

    def _ask(self, number: int, purpose: str, move: int | None = None, times: float = 1.0) -> None:
        """Ask for a position of the line, or for the one after another `move` there, `times` as long as usual."""
        position = self.nodes[number].position
        played = self.nodes[number + 1].move if number + 1 < len(self.nodes) else None
        task = Task(
            number,
            purpose,
            position if move is None else position.play(move),
            times * self.seconds,
            alternative=played if purpose == "first" else None,
            compared=played if purpose == "sight" else None,
            fresh=purpose in ("sight", "better"),
            exact=opponents(self.setup.game).solvable,
        )
        self._judges.ask(task)
        self._asked.add(number)

    def _take(self, verdict: Verdict) -> None:
        task = verdict.task
        found = verdict.info.evaluation(task.position.turn, task.seconds, strongest(self.setup.game))
        self._asked.discard(task.number)
        if task.purpose == "better":
            self._take_better(task.number, found)
            return
        if task.purpose == "sight":
            self._take_sight(verdict)
            return
        last = self._unseen == {task.number}
        self._unseen.discard(task.number)
        self._searched.add(task.number)
        found = replace(found, only=bool(task.number and self._single(verdict)))
        self._confirmed[task.number] = max(self._confirmed[task.number], confidence(found, self.seconds))
        known = self._known[task.number]
        if known is None or not known.line or found.mate is not None or found.depth >= known.depth:
            self._learn(task.number, found.with_findings_of(known))
        else:
            self._learn(task.number, replace(known, seconds=max(known.seconds, found.seconds)))
        if last:  # moves whose confirmation had to wait
            self._unsettled.extend(range(len(self.nodes) - 1))

    def _single(self, verdict: Verdict) -> bool:
        """Whether every move but the best loses `BLUNDER` or more."""
        if not verdict.pair:
            return False
        ply = verdict.task.position.ply
        best, *others = (win_probability(self.setup, score, Score(score).mate, ply) for score in verdict.pair)
        return not others or best - others[0] >= BLUNDER

    def _take_sight(self, verdict: Verdict) -> None:
        """Whether the move looked as good as the best before anything was known of what follows."""
        task, first_choice = verdict.task, verdict.info.move
        known, ply = self._known[task.number], task.position.ply
        best, played = (win_probability(self.setup, score, Score(score).mate, ply) for score in verdict.pair)
        sound = {first_choice: None}
        if task.compared is not None and played > max(0.0, best - MISTAKE):
            sound[task.compared] = None
        self._confirmed[task.number] = max(self._confirmed[task.number], _SIGHT)
        if known is not None:
            seconds = max(known.seconds, task.seconds)
            self._learn(task.number, replace(known, sound=tuple(sound), seconds=seconds))

    def _take_better(self, number: int, after: Evaluation) -> None:
        """The position after the better move was searched: the position before is worth as much, unless that move turns
        out to lose. Then another one is looked for."""
        known, side = self._known[number], self.nodes[number].position.turn
        if known is None:
            return
        if not proves(after, 1 - side):
            self._learn(number, value_before(after, known.line[0], known.depth).with_findings_of(known))
            return
        self._refuted[number].add(known.line[0])
        if len(self._refuted[number]) < _ROUNDS:
            self._ask(number, "confirm", times=self._times(number))
        lost = value_before(after, known.line[0], known.depth)
        self._learn(number, replace(known, others=lost.lines))

    def _learn(self, number: int, found: Evaluation) -> None:
        """Store what is known of a position, and judge the moves to and from it again."""
        node, played = self.nodes[number], self.nodes[number + 1].move if number + 1 < len(self.nodes) else None
        if found.line and found.line[0] in self._refuted[number] and played is not None:
            found = replace(found, line=(played,))  # nothing better is known
        self._known[number] = found
        if node.evaluation is not None and not node.evaluation.line:
            node.evaluation = replace(node.evaluation, line=found.line)
        node.learn(found)
        self._settle_around(number)

    def _settle_around(self, number: int) -> None:
        for move in (number - 1, number):
            if 0 <= move < len(self.nodes) - 1:
                self._settle(move)

    # Judging.

    def _settle(self, number: int) -> None:
        """Judge a move, if its two positions are known and no search has to confirm what it is."""
        if self._prove(number):
            return
        judged = self._judged(number)
        if judged is None:
            return
        self._open.discard(number)
        if self._confirm(judged):
            self._open.add(number)
        elif self.moves.get(number) != judged:
            self.moves[number] = judged
            self._news.append(judged)
        self._budget.open = len(self._open)

    def _prove(self, number: int) -> bool:
        """Whether a position beside a move is proven only now: the one before, because the move wins, or the one after,
        because a proof begins with the move."""
        known, after, move = self._known[number], self._known[number + 1], self.nodes[number + 1].move
        if known is None or after is None or move is None:
            return False
        if (proven := proven_after(known, move, after)) is not None:
            self._confirmed[number + 1] = math.inf
            self._learn(number + 1, proven)
            return True
        if known.mate is not None or not proves(after, self.nodes[number].position.turn):
            return False
        self._confirmed[number] = math.inf
        self._learn(number, value_before(after, move, known.depth).with_findings_of(known))
        return True

    def _judged(self, number: int) -> Judged | None:
        before, node, known = self.nodes[number].position, self.nodes[number + 1], self._known[number]
        won, win = self._win(number, before.turn), self._win(number + 1, before.turn)
        if won is None or win is None or known is None or node.move is None:
            return None
        loss, line = max(0.0, won - win), playable(before, known.line)
        first_choice = line[:1] == (node.move,)
        if first_choice and (loss < MISTAKE or self._confirmed[number] >= self._times(number)):
            loss = 0.0  # what lost it is beyond the engine's sight, too
        if first_choice or (not line and loss < INACCURACY):
            line = (node.move, *self._line_after(number + 1))
        line = line or (node.move,)
        kind = kind_of(
            loss,
            first_choice=line[0] == node.move,
            only=known.only,
            won_before=proves(known, before.turn),
            lost_in=self._plies_to_loss(number),
            sound=node.move in known.sound,
        )
        return Judged(number, node, before.turn, kind, loss, win, line[0], line[:_LONGEST_LINE])

    def _plies_to_loss(self, number: int) -> int | None:
        """How far the forced win of the other side is after a move, None where there is none; 0 if it has won."""
        side, after = self.nodes[number].position.turn, self._known[number + 1]
        outcome = self.nodes[number + 1].position.outcome
        if outcome is not None:
            return 0 if outcome.winner == 1 - side else None
        return abs(after.mate) if after is not None and after.mate is not None and proves(after, 1 - side) else None

    def _line_after(self, number: int) -> tuple[int, ...]:
        known = self._known[number]
        return () if known is None else playable(self.nodes[number].position, known.line)

    def _win(self, number: int, side: int) -> float | None:
        """That `side` wins, at a position of the line."""
        position, known = self.nodes[number].position, self._known[number]
        outcome = position.outcome
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner == side)
        return None if known is None else side_wins(self.setup, known, position.turn, position.ply, side)

    # Confirming.

    def _confirm(self, judged: Judged) -> bool:
        """Whether a search is under way, or asked for now, that has to confirm a mistake or to find a better line."""
        number, known, over = judged.number, self._known[judged.number], judged.node.position.outcome is not None
        if judged.kind not in MISTAKES and (judged.loss < INACCURACY or known is None or known.line):
            return False
        if self._unseen or self._asked & {number, number + 1}:
            return True  # second looks share what the first ones leave
        if judged.kind in ("blunder", "missed_win") and known is not None and not known.sound and not over:
            self._ask(number, "sight", times=_SIGHT)
            return True
        times = self._times(number)
        around = [each for each in (number, number + 1) if not self.nodes[each].position.outcome]
        unsure = [each for each in around if self._confirmed[each] < times]
        for each in unsure:
            self._ask(each, "confirm", times=times)
        return bool(unsure) or self._try_better(judged)

    def _times(self, number: int) -> float:
        """How many times as long a search has to be that confirms a mistake."""
        known, plies = self._known[number], self._plies_to_loss(number)
        sound = known is not None and self.nodes[number + 1].move in known.sound
        return _LONGEST if plies is not None and plies > NEAR and not sound else _LONGER

    def _try_better(self, judged: Judged) -> bool:
        """Ask whether the better move is one: a search of the position after it sees farther."""
        number, known, tried = judged.number, self._known[judged.number], self._tried[judged.number]
        if number not in self._searched or known is None or known.mate is not None:
            return False
        if judged.best in tried or judged.best == judged.move or len(tried) >= _ROUNDS:
            return False
        tried.add(judged.best)
        self._ask(number, "better", judged.best, self._times(number))
        return True
