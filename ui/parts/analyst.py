"""The analysis of a game: what a player finds at the cursor. What the strongest one finds is kept in the nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from ai.arena.executors import installed
from ai.core.player import Crewed, Info, Limit, WorkerRow
from ai.core.score import side_wins
from ai.players.opponents import opponents
from ai.players.table import is_crewed, is_program, is_timed, offered_players, shareable, strongest
from ai.review.judgement import BLUNDER, playable
from ai.service.searches import Purpose, Search
from games.evaluation import Evaluation, ScoredLine
from games.position import FIRST, Position
from games.record import Node
from games.registry import Setup
from ui.board.view import Candidate, Marks
from ui.toolkit.i18n import t
from ui.window.host import Host
from ui.words.views import told_text

SECONDS = 20.0
"""Of a search, unless `deepen` asks for more."""

ENDLESS = 1e6
"""Seconds of a search without end."""

LINES = (1, 2, 3, 5, 10)
"""How many lines one can choose."""

MOST_LINES, ALL_LINES = LINES[-1], 9

_GHOSTS = 9  # moves of a line that the board shows at once
_OTHER, _LOST = 0.95, 0.3  # quality: of a move as good as the best at most, of the best where all lose


@dataclass(frozen=True, slots=True)
class RankedMove:
    """One of the best moves with what follows it: `text` judges it from the side to move, `short` for a small place,
    both empty where it is `contradicted` by a deeper search of the position; `quality` is 1 (the best) to 0."""

    moves: tuple[int, ...]
    text: str
    short: str
    quality: float
    contradicted: bool = False


class Analyst:
    """While it is `on`, a player thinks about the node that `cursor` returns.

    That is the strongest player of the game, unless another one is chosen. A position has one evaluation, that of its
    node, which has the best lines that any search of the strongest player has found. A position that it has searched
    for long enough, for as many lines as wanted, also if its file says so, is not searched again. `save` is called
    after a search that has found something new. While it is `shared`, the search runs on the cluster of the settings;
    when that is lost, on this computer again. While it is `endless`, it searches until it is stopped.
    """

    def __init__(self, host: Host, setup: Setup, cursor: Callable[[], Node], save: Callable[[], object]) -> None:
        self.on = self.shared = self.endless = False
        self.player = strongest(setup.game)
        self.wanted = host.settings.analysis_lines
        """How many of the best moves are wanted, at most `MOST_LINES`."""
        self.search: Search | None = None
        """Of the position at the cursor, or the last one."""
        self.host, self._setup, self._cursor, self._save = host, setup, cursor, save
        self._saved: Evaluation | None = None  # what the node of the search knew when it began or was saved
        self._seconds: dict[Node, float] = {}  # of positions that are to be searched for longer than others
        self._listed: tuple[tuple[object, ...], tuple[RankedMove, ...]] = ((), ())

    @property
    def busy(self) -> bool:
        """Whether a search is under way."""
        return self.search is not None and self.search.busy

    @property
    def info(self) -> Info | None:
        """What the newest search of the position at the cursor has found."""
        return None if self._here is None else self._here.info

    @property
    def _here(self) -> Search | None:
        """The newest search, if it is of the position at the cursor."""
        search = self.search
        return search if self.on and search is not None and search.node is self._cursor() else None

    @property
    def game(self) -> str:
        """The key of the game that is analysed."""
        return self._setup.game

    @property
    def players(self) -> tuple[str, ...]:
        """Those to choose from, the strongest first."""
        return tuple(name for name in offered_players(self.game) if is_timed(name))

    def can_share(self, player: str) -> bool:
        """Whether the search of `player` can run on a cluster: the settings name one, and Dask is installed."""
        return bool(self.host.settings.cluster) and installed() and shareable(player, self.game)

    def choose(self, player: str, shared: bool = False) -> None:
        """Ask `player` from now on; on the cluster if the search is to be `shared`."""
        self.player, self.shared = player, shared

    @property
    def known(self) -> Evaluation | None:
        """What the player has found of the position at the cursor; None for what another one finds in its place."""
        if self.player == strongest(self.game):
            return self._cursor().evaluation
        return None if self._here is None or self._here.stand_in else self._here.opinion

    @property
    def crewed(self) -> bool:
        """Whether the search is shared out to workers, of the cluster or of this computer."""
        return self.shared or is_crewed(self.player, self.game)

    @property
    def workers(self) -> tuple[WorkerRow, ...]:
        """What each worker does."""
        thinker = self.search.thinker if self.search is not None and self.search.busy else None
        return thinker.workers if isinstance(thinker, Crewed) else ()

    @property
    def stand_in(self) -> bool:
        """Whether that is from the player that stands in for the engine."""
        return self._here is not None and self._here.stand_in

    def toggle(self) -> None:
        """Switch the analysis on or off."""
        self.on = not self.on
        if not self.on:
            self.close()

    def search_on(self) -> None:
        """Search without end, and switch the analysis on; or with an end again."""
        self.endless = not self.endless
        self.on = self.on or self.endless

    def deepen(self) -> None:
        """Search the position at the cursor twice as long as before."""
        node, known = self._cursor(), self.known
        self._seconds[node] = 2 * max(self._seconds.get(node, SECONDS), 0.0 if known is None else known.seconds)

    @property
    def _asked(self) -> int:
        """How many lines are asked for: all of a game that has few."""
        return max(ALL_LINES, self.wanted) if opponents(self.game).few_moves else self.wanted

    @property
    def _limit(self) -> Limit:
        return Limit(seconds=self._wanted_seconds, lines=self._asked)

    @property
    def _wanted_seconds(self) -> float:
        """For how long the position at the cursor is to be searched."""
        return ENDLESS if self.endless else self._seconds.get(self._cursor(), SECONDS)

    @property
    def complete(self) -> bool:
        """Whether the position at the cursor has been searched for long enough, for as many moves as wanted."""
        node, known, search = self._cursor(), self.known, self.search
        if node.outcome is not None or known is None:
            return node.outcome is not None
        if self.player != strongest(self.game):
            return search is not None and search.over and search.limit == self._limit
        return bool(known.lines) and known.wanted >= self._asked and known.seconds >= self._wanted_seconds

    def update(self) -> None:
        """Ask about the position at the cursor, and save what was found of it."""
        node = self._cursor()
        self._leave_lost_cluster()
        limit, search, cluster = self._limit, self.search, self.host.settings.cluster if self.shared else ""
        asked = None if search is None else (search.node, search.limit, search.player, search.cluster)
        if self.on and asked != (node, limit, self.player, cluster):
            self.close()
            if not self.complete:
                self._saved = node.evaluation
                self.search = self.host.searches.ask(node, Purpose.ANALYSIS, limit, self.player, cluster)
        if self.search is not None and self.search.over:
            self._keep()

    def _leave_lost_cluster(self) -> None:
        thinker = None if self.search is None or not self.search.cluster else self.search.thinker
        if self.shared and isinstance(thinker, Crewed) and thinker.lost:
            self.shared = False
            self.host.say(t("analysis.cluster.lost"), "bad")

    def close(self) -> None:
        """End the search, and save what it has found."""
        if self.search is not None:
            self._keep()
            self.search.drop()
            self.search = None

    def _keep(self) -> None:
        if self.search is not None and self.search.node.evaluation is not self._saved:
            self._saved = self.search.node.evaluation
            self._save()

    def lines(self) -> tuple[RankedMove, ...]:
        """The best moves at the cursor with what follows them, as far as it can be played, best first."""
        node, opinion = self._cursor(), None if self._here is None else self._here.opinion
        if not self.on or node.outcome is not None:
            return ()
        about = self.player, self.wanted, [child.evaluation for child in node.children]
        known = node, opinion, node.evaluation, *about
        if self._listed[0] != known:
            self._listed = known, self._lines_of(node, opinion)
        return self._listed[1]

    def _lines_of(self, node: Node, opinion: Evaluation | None) -> tuple[RankedMove, ...]:
        """What is known of the position; until then, what another player finds in place of the own one, unscored."""
        position, kept = node.position, self.known
        known = kept or opinion
        if known is None:
            return ()
        best, found = _rank(known, position.turn), []
        lines = [_informed(line, node) for line in known.lines]
        for line in sorted(lines, key=lambda line: min(best, _rank(line, position.turn)), reverse=True):
            refuted = line.line[:1] == known.line[:1] and line.proven and not known.proven
            agrees = kept is not None and _rank(line, position.turn) <= best and not refuted
            told = partial(told_text, self._setup, position, line, is_program(self.player))
            text, short = (told(each) if agrees else "" for each in (False, True))
            quality, contradicted = _quality(self._setup, position, line, known), kept is not None and not agrees
            found.append(RankedMove(playable(position, line.line), text, short, quality, contradicted))
        return tuple(each for each in found if each.moves)[: self._asked]

    def candidates(self) -> tuple[Candidate, ...]:
        """The best moves, with their scores where these agree with the evaluation of the position."""
        return tuple(Candidate(found.moves[0], found.short, found.quality) for found in self.lines())

    def marks(self, marks: Marks, hover: int | None, line: tuple[int, ...] = ()) -> Marks:
        """Add the `line` that is pointed at, that of the candidate under the pointer, or else all candidates."""
        line = line or next((found.moves[:_GHOSTS] for found in self.lines() if found.moves[0] == hover), ())
        if line:
            return replace(marks, hover=None, line=line)
        return replace(marks, candidates=self.candidates() or marks.candidates)


def _informed(line: ScoredLine, node: Node) -> ScoredLine:
    """Return `line`, found at `node`, or what is proven of its first move where that has been played."""
    after = next((child.evaluation for child in node.children if child.move == line.line[0]), None)
    return line if line.proven or after is None or not after.proven else after.backed_up(line.line[0])


def _rank(line: ScoredLine, turn: int) -> tuple[int, int]:
    """What orders lines for the side to move: the score, then faster wins and slower losses."""
    sign = 1 if turn == FIRST else -1
    return sign * line.score, -sign * (line.mate or 0)


def _quality(setup: Setup, position: Position, line: ScoredLine, best: ScoredLine) -> float:
    """How good a move is beside the best one, from 1 for that to 0 for a blunder, by the win probability that it loses.
    Below a half if it is proven to lose, even where nothing is better."""
    turn = position.turn
    first = _rank(line, turn) >= _rank(best, turn)
    if line.mate is not None and (line.mate > 0) != (turn == FIRST):
        return _LOST if first and best.mate is not None else 0.0
    won, kept = (side_wins(setup, each, turn, position.ply, turn) for each in (best, line))
    return 1.0 if first else min(_OTHER, max(0.0, 1.0 - (won - kept) / BLUNDER))
