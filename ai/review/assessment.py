"""A line of a game under review: what is known of its positions, the stage of each move, and the searches it needs.

Threads, time and progress are in `ai.review.review`, the judgement itself in `ai.review.judgement`. A ply is a position
of the line together with the move played there. Times of searches are multiples of the seconds for each position.

A search counts, and is stored, with the time that was asked for, though the budget may grant less where many moves are
confirmed: then neither this review nor a later one asks for it again.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from ai.core.player import Info, Limit
from ai.players.opponents import opponents
from ai.players.table import strongest
from ai.review.judgement import (
    BLUNDERS,
    MISTAKE,
    MISTAKES,
    NEAR,
    Judged,
    accuracy,
    confidence,
    deep_enough,
    is_only_move,
    is_sound,
    judge,
    plies_to_loss,
    proven_after,
    proves,
    win_for,
)
from games.evaluation import Evaluation
from games.position import FIRST, Position
from games.record import Node
from games.registry import Setup

FIRST_SEARCH = 0.8
"""Time of a first search, as a multiple of the seconds for each position; the rest is for the other searches."""

NODES_PER_SECOND = 1_000_000
"""Of searches that confirm, which end after so many nodes for each second wanted: what they prove does not depend on
the machine."""

_SLOWER = 2.0  # times as long may such a search take, on a machine that visits fewer
_COMPARE, _CONFIRM, _CONFIRM_FAR = 2.0, 4.0, 8.0  # of the other searches; FAR: of a forced win beyond `NEAR`
_INACCURATE = 2.0  # of either position beside an inaccuracy, and of one that is nearly decided
_DECIDED = 0.15  # win probability of a side for which a position is nearly decided
_MOST_VERIFIED = 3  # better moves for one mistake


class Aim(Enum):
    """What a search is for. `COMPARE` and `VERIFY` need a new player, whose transposition table is empty."""

    FIRST = auto()  # a first evaluation; also scores the second best move if the best one was played
    CONFIRM = auto()  # a longer search of a position beside a mistake
    SEEK = auto()  # a longer search for another move than those that are proven to lose
    COMPARE = auto()  # scores the best and the played move at the same depth, without hindsight
    VERIFY = auto()  # searches the position after a move that seems better than the played one


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """A search of `position` for at most `seconds`.

    It concerns the `number`-th position of the line and a `move` there: the played one, None at the end; with
    `Aim.VERIFY` the better one, after which is `position`. With `Aim.SEEK` it is `without` the moves that lose. An
    `exact` search has no limit of time: it ends when the game is solved.
    """

    number: int
    aim: Aim
    position: Position
    move: int | None
    seconds: float
    exact: bool = False
    without: frozenset[int] = frozenset()

    @property
    def nodes(self) -> int | None:
        """The limit of nodes of a search with the aim `CONFIRM`, `SEEK` or `VERIFY`: those of `seconds` at a fixed
        speed. None for other aims, which are limited by time, and for an exact search, which has no limit."""
        confirms = self.aim in (Aim.CONFIRM, Aim.SEEK, Aim.VERIFY) and not self.exact
        return max(1, int(self.seconds * NODES_PER_SECOND)) if confirms else None

    @property
    def longest(self) -> float:
        """The most seconds that it may take."""
        return self.seconds if self.nodes is None else _SLOWER * self.seconds

    def limit(self, seconds: float, lines: int = 1, depth: int | None = None) -> Limit:
        """Return the limit of the search; an exact one is not limited by `seconds`."""
        return Limit(None if self.exact else seconds, depth, self.nodes, lines, self.without)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search for `task` found.

    `scores` are those of the best and of the second best move, or of the move compared with it; one only if the engine
    saw no other move worth a search; empty if they were not searched for.
    """

    task: ReviewTask
    info: Info
    scores: tuple[int, ...] = ()


class Stage(Enum):
    """How far the judgement of a move is. It is judged again whenever more is known of a position beside it.

    A move that looks like an inaccuracy or worse goes through the stages between `WAITING` and `JUDGED`, except those
    whose findings are known from before.
    """

    UNKNOWN = auto()  # a position beside it is not evaluated yet
    WAITING = auto()  # for searches that are queued: all first searches come first, the others share what they leave
    COMPARING = auto()  # a blunder: did the move look as good as the best one without hindsight?
    CONFIRMING = auto()  # does the loss last in longer searches of both positions?
    SEEKING = auto()  # is there a move that does not lose?
    VERIFYING = auto()  # is the better move better, or does it lose as well?
    JUDGED = auto()


@dataclass(slots=True, eq=False)
class Ply:
    """A position of the line, and the move that was played there, if there is one."""

    number: int
    node: Node
    move: int | None
    known: Evaluation | None
    confidence: float  # the highest of all its searches
    search: Aim | None = None  # queued or under way
    searched: bool = False  # by this review
    verified: set[int] = field(default_factory=set)  # better moves that were searched, or are being
    refuted: set[int] = field(default_factory=set)  # those of them that lose
    sought: frozenset[int] = frozenset()  # the moves without which another one was sought
    stage: Stage = Stage.UNKNOWN  # of the move
    judged: Judged | None = None  # the last judgement of the move

    @property
    def over(self) -> bool:
        """Whether the game is over in this position."""
        return self.node.position.outcome is not None


class Assessment:
    """The judgements of the moves of a line, and the searches that they need.

    Call `begin`, then `take` for each verdict, and `advance` while there is a `backlog`. Each call may add `tasks` to
    search next, and `news`, moves that were judged for the first time or differently; the owner empties both. What is
    found is stored in the nodes; what they know well enough is not searched again. With `recalls` less suffices, so
    that reviews of versions before 0.9 are recognized.
    """

    def __init__(self, setup: Setup, nodes: list[Node], seconds: float, recalls: bool = False) -> None:
        self.tasks: list[ReviewTask] = []
        self.news: list[Judged] = []
        self.backlog: deque[int] = deque()  # moves to be judged again
        self._setup, self._seconds, self._recalls = setup, seconds, recalls
        self._exact = opponents(setup.game).solvable
        self._plies = [self._make_ply(number, nodes) for number in range(len(nodes))]

    def _make_ply(self, number: int, nodes: list[Node]) -> Ply:
        """Make the ply of a node; an evaluation that is too shallow is ignored."""
        known = nodes[number].evaluation
        if known is not None and not deep_enough(known, FIRST_SEARCH * self._seconds):
            known = None
        move = nodes[number + 1].move if number + 1 < len(nodes) else None
        return Ply(number, nodes[number], move, known, confidence(known, self._seconds))

    # For the owner.

    @property
    def missing(self) -> int:
        """The number of positions that are not evaluated yet."""
        return sum(ply.known is None and not ply.over for ply in self._plies)

    @property
    def open(self) -> int:
        """The number of moves that wait for searches or have some under way."""
        return sum(ply.stage not in (Stage.UNKNOWN, Stage.JUDGED) for ply in self._plies)

    @property
    def searching(self) -> bool:
        """Whether searches are queued or under way."""
        return any(ply.search for ply in self._plies)

    def begin(self) -> None:
        """Ask for the first searches, and judge the moves between evaluated positions."""
        for ply in self._plies:
            if ply.known is None and not ply.over:
                self._ask(ply, Aim.FIRST, FIRST_SEARCH)
        for number in range(len(self._plies) - 1):
            self._judge(number)

    def advance(self, most: int) -> bool:
        """Judge up to `most` moves of the backlog. Return False if it was empty."""
        count = min(most, len(self.backlog))
        for _ in range(count):
            self._judge(self.backlog.popleft())
        return count > 0

    def take(self, verdict: Verdict) -> None:
        """Take over the verdict of a search, and judge what depends on it."""
        task = verdict.task
        ply = self._plies[task.number]
        ply.search = None
        found = verdict.info.evaluation(task.position.turn, task.seconds, strongest(self._setup.game))
        if task.aim is Aim.VERIFY and task.move is not None:
            self._take_verified(ply, task.move, found)
        elif task.aim is Aim.COMPARE:
            self._take_compared(ply, verdict)
        else:
            self._take_searched(ply, verdict, found)

    @property
    def judged(self) -> list[Judged]:
        """The moves that are judged so far, in order."""
        return [ply.judged for ply in self._plies if ply.judged is not None]

    @property
    def wins(self) -> list[float | None]:
        """The first side's win probability at the start and after each move; None where it is not known yet."""
        return [win_for(self._setup, ply.node.position, ply.known, FIRST) for ply in self._plies]

    def accuracy(self) -> tuple[float | None, float | None]:
        """Return the accuracy of either side in per cent.

        It is None for a side without a move, and for both while moves are missing.
        """
        moves, wins = self.judged, [win for win in self.wins if win is not None]
        if len(moves) < len(self._plies) - 1 or len(wins) < len(self._plies):
            return None, None
        losses = [move.loss for move in moves]
        sides = [None if move.kind == "forced" else move.side for move in moves]
        return accuracy(losses, wins, sides, 0), accuracy(losses, wins, sides, 1)

    # Findings.

    def _take_searched(self, ply: Ply, verdict: Verdict, found: Evaluation) -> None:
        """Take over the evaluation `found` by a search: note its confidence, and store it if it is better than the
        known one."""
        known = ply.known
        ply.searched = True
        only = ply.number > 0 and is_only_move(verdict.scores)
        ply.confidence = max(ply.confidence, confidence(found, self._seconds))
        if verdict.task.aim is Aim.SEEK and known is not None:
            found = replace(self._longest_of(ply, found), others=known.others)
            known = known if known.proven else replace(known, line=(), depth=0)
        if known is None or not known.line or found.proven or found.depth >= known.depth:
            self._store(ply, replace(found, only=only).with_findings_of(known))
        else:
            self._store(ply, replace(known, seconds=max(known.seconds, found.seconds)))
        if verdict.task.aim is Aim.FIRST and not self.missing:
            self.backlog.extend(range(len(self._plies) - 1))  # those whose confirmation had to wait

    def _longest_of(self, ply: Ply, found: Evaluation) -> Evaluation:
        """Return the evaluation `found` without the moves that lose; if the others lose as well, the longest loss of
        all."""
        after = self._plies[ply.number + 1].known
        if found.mate is None or not proves(found, 1 - ply.node.position.turn) or not self._loses_game(ply):
            return found
        assert ply.move is not None
        assert after is not None
        return max(found, after.backed_up(ply.move), key=lambda each: abs(each.mate or 0))

    def _take_compared(self, ply: Ply, verdict: Verdict) -> None:
        """Store whether the played move is as good as the best one, by a search that compared them."""
        assert ply.known is not None
        assert ply.move is not None
        sound = {verdict.info.move: None}
        if is_sound(self._setup, ply.node.position, *verdict.scores):
            sound[ply.move] = None
        seconds = max(ply.known.seconds, verdict.task.seconds)
        self._store(ply, replace(ply.known, sound=tuple(sound), seconds=seconds))

    def _take_verified(self, ply: Ply, better: int, after: Evaluation) -> None:
        """Take over the evaluation `after` a better move. If that move loses, look for another one."""
        known = ply.known
        assert known is not None
        value = after.backed_up(better, known.depth)
        if known.proven:  # meanwhile
            self._store(ply, known)
        elif not proves(after, 1 - ply.node.position.turn):
            self._store(ply, value.with_findings_of(known))
        else:
            ply.refuted.add(better)
            ply.sought = self._losing_moves(ply)
            self._ask(ply, Aim.SEEK, self._confirmation_time(ply))
            self._store(ply, replace(known, others=(*known.others, *value.lines)))

    def _store(self, ply: Ply, found: Evaluation) -> None:
        """Store the evaluation of a position, and judge the moves to and from it again."""
        if found.line and found.line[0] in ply.refuted and ply.move is not None:
            found = replace(found, line=(ply.move,))  # nothing better is known
        ply.known, node = found, ply.node
        if node.evaluation is not None and not node.evaluation.line:
            node.evaluation = replace(node.evaluation, line=found.line)
        node.learn(found)
        for number in (ply.number - 1, ply.number):
            if 0 <= number < len(self._plies) - 1:
                self._judge(number)

    def _spread_proof(self, ply: Ply, after: Ply) -> bool:
        """Carry a proof over the move between two plies, forwards if the proof begins with the move, backwards if it
        wins.

        Return whether that was new; then the moves beside it have been judged.
        """
        known, then = ply.known, after.known
        if known is None or then is None or ply.move is None:
            return False
        if (proven := proven_after(known, ply.move, then)) is not None:
            after.confidence = math.inf
            self._store(after, proven)
            return True
        if known.mate is not None or not proves(then, ply.node.position.turn):
            return False
        ply.confidence = math.inf
        self._store(ply, then.backed_up(ply.move, known.depth).with_findings_of(known))
        return True

    # Stages of a move.

    def _judge(self, number: int) -> None:
        """Judge a move by what is known, set its stage, and ask for the searches of that stage."""
        ply, after = self._plies[number], self._plies[number + 1]
        if self._spread_proof(ply, after):
            return
        needed = self._confirmation_time(ply)
        judged = judge(self._setup, number, after.node, ply.known, after.known, ply.confidence >= needed)
        if judged is None:
            return
        ply.stage = self._next_stage(ply, after, judged)
        match ply.stage:
            case Stage.COMPARING:
                self._ask(ply, Aim.COMPARE, _COMPARE)
            case Stage.CONFIRMING:
                for each in self._unsure_plies(ply, after, judged):
                    self._ask(each, Aim.CONFIRM, needed if self._needs_confirmation(ply, judged) else _INACCURATE)
            case Stage.SEEKING:
                ply.sought = self._losing_moves(ply)
                self._ask(ply, Aim.SEEK, needed)
            case Stage.VERIFYING:
                ply.verified.add(judged.best)
                self._ask(ply, Aim.VERIFY, needed, judged.best)
        final = ply.stage is Stage.JUDGED or not self._needs_confirmation(ply, judged)
        if final and judged != ply.judged:
            ply.judged = judged
            self.news.append(judged)

    def _next_stage(self, ply: Ply, after: Ply, judged: Judged) -> Stage:
        """Return the stage that follows for a move: which search it still needs."""
        if judged.kind == "forced":
            return Stage.JUDGED
        known = ply.known
        assert known is not None
        unsure = self._unsure_plies(ply, after, judged)
        if not (unsure or self._needs_confirmation(ply, judged)):
            return Stage.JUDGED
        if self._recalls and known.line and self._loss(ply, after) < MISTAKE:
            return Stage.JUDGED
        if self.missing or ply.search or after.search:
            return Stage.WAITING
        if judged.kind in BLUNDERS and not known.sound and not after.over:
            return Stage.COMPARING
        if unsure:
            return Stage.CONFIRMING
        if not ply.searched or known.proven:
            return Stage.JUDGED
        if judged.best == judged.move and self._loses_game(ply) and ply.sought != self._losing_moves(ply):
            return Stage.SEEKING
        if len(ply.verified) >= _MOST_VERIFIED:
            return Stage.JUDGED
        ended = ply.node.position.play(judged.best).outcome is not None
        return Stage.JUDGED if ended or judged.best in {judged.move, *ply.verified} else Stage.VERIFYING

    def _needs_confirmation(self, ply: Ply, judged: Judged) -> bool:
        """Return whether something is to be said of a move, so that longer searches must confirm it."""
        return self._loses_game(ply) or judged.kind == "inaccuracy" or judged.kind in MISTAKES

    def _unsure_plies(self, ply: Ply, after: Ply, judged: Judged) -> list[Ply]:
        """Return the positions beside a move that were not searched long enough for what is said of it.

        If nothing is said of it, it is the position after it, where that seems won or lost: there the game may be
        decided.
        """
        if self._needs_confirmation(ply, judged):
            needed, positions = self._confirmation_time(ply), [ply, after]
        else:
            win = win_for(self._setup, after.node.position, after.known, FIRST)
            seems = win is not None and not _DECIDED < win < 1 - _DECIDED
            needed, positions = _INACCURATE, [after] if seems else []
        return [each for each in positions if not each.over and each.confidence < needed]

    def _loses_game(self, ply: Ply) -> bool:
        """Return whether the move is proven to lose in a position that is not."""
        after, side = self._plies[ply.number + 1], ply.node.position.turn
        lost = plies_to_loss(after.node.position, after.known, side) is not None
        return lost and ply.known is not None and not proves(ply.known, 1 - side)

    def _losing_moves(self, ply: Ply) -> frozenset[int]:
        """Return the moves in this position that are proven to lose."""
        played = [ply.move] if ply.move is not None and self._loses_game(ply) else []
        return frozenset((*ply.refuted, *played))

    def _confirmation_time(self, ply: Ply) -> float:
        """Return the time of a search that confirms the judgement, as a multiple of the seconds for each position."""
        after, known, side = self._plies[ply.number + 1], ply.known, ply.node.position.turn
        plies = plies_to_loss(after.node.position, after.known, side)
        if known is None or (plies is None and known.mate is None):
            lost = self._loss(ply, after)
            return _CONFIRM if lost >= MISTAKE else _INACCURATE
        near = self._recalls or (plies is not None and plies <= NEAR)
        return _CONFIRM if near or ply.move in known.sound else _CONFIRM_FAR

    def _loss(self, ply: Ply, after: Ply) -> float:
        """Return the win probability that a move lost, negative for a gain; 0 if it is not known."""
        side = ply.node.position.turn
        won = win_for(self._setup, ply.node.position, ply.known, side)
        win = win_for(self._setup, after.node.position, after.known, side)
        return 0.0 if won is None or win is None else won - win

    def _ask(self, ply: Ply, aim: Aim, times: float, move: int | None = None) -> None:
        """Ask for a search of a position, or, with a better `move`, of the position after it."""
        ply.search, position = aim, ply.node.position
        if move is None:
            move = ply.move
        else:
            position = position.play(move)
        without = ply.sought if aim is Aim.SEEK else frozenset()
        self.tasks.append(ReviewTask(ply.number, aim, position, move, times * self._seconds, self._exact, without))
