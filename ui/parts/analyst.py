"""The analysis of a game: a player searches the position at the cursor. The findings of the game's strongest player are
stored in the nodes."""

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
from ui.words.views import player_outlook

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
    """One of the best moves, `moves[0]`, with its continuation. `text` is its score in words from the side to move,
    `short` the same for a small place; both are empty where it is `contradicted` by a deeper search of the position.
    `quality` is from 0 (a blunder) to 1 (the best)."""

    moves: tuple[int, ...]
    text: str
    short: str
    quality: float
    contradicted: bool = False


class Analyst:
    """While it is `on`, search the node that `cursor` returns with a player: the strongest of the game, or the one
    chosen.

    The findings of the strongest player are merged into the evaluation of the node. A position is not searched again if
    its evaluation, also one read from the file, took as many seconds and has as many lines as wanted. `save` is called
    after a search that has found something new. While it is `shared`, the search runs on the cluster of the settings;
    if that is lost, on this computer again. While it is `endless`, it searches until it is stopped.
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
        """Whether a search is running."""
        return self.search is not None and self.search.busy

    @property
    def info(self) -> Info | None:
        """The latest result of the search of the position at the cursor; None without one."""
        return None if self._search_here is None else self._search_here.info

    @property
    def _search_here(self) -> Search | None:
        """The newest search if it is of the position at the cursor and the analysis is on, else None."""
        search = self.search
        return search if self.on and search is not None and search.node is self._cursor() else None

    @property
    def game(self) -> str:
        """The key of the game that is analysed."""
        return self._setup.game

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players that can analyse the game, the strongest first."""
        return tuple(name for name in offered_players(self.game) if is_timed(name))

    def can_share(self, player: str) -> bool:
        """Whether a search of `player` can run on a cluster: it can be split, the settings name a cluster, and Dask is
        installed."""
        return bool(self.host.settings.cluster) and installed() and shareable(player, self.game)

    def choose(self, player: str, shared: bool = False) -> None:
        """Search with `player` from now on; on the cluster if `shared`."""
        self.player, self.shared = player, shared

    @property
    def known(self) -> Evaluation | None:
        """The chosen player's evaluation of the position at the cursor. None if it has none, or if only a stand-in for
        it has searched."""
        if self.player == strongest(self.game):
            return self._cursor().evaluation
        return None if self._search_here is None or self._search_here.stand_in else self._search_here.opinion

    @property
    def crewed(self) -> bool:
        """Whether the search is split among workers, of the cluster or of this computer."""
        return self.shared or is_crewed(self.player, self.game)

    @property
    def workers(self) -> tuple[WorkerRow, ...]:
        """What each worker of the running search is doing; empty if it has none."""
        thinker = self.search.thinker if self.search is not None and self.search.busy else None
        return thinker.workers if isinstance(thinker, Crewed) else ()

    @property
    def stand_in(self) -> bool:
        """Whether the search at the cursor is by another player, because the engine is not ready."""
        return self._search_here is not None and self._search_here.stand_in

    def toggle(self) -> None:
        """Switch the analysis on or off; switched off, it stops the search and saves."""
        self.on = not self.on
        if not self.on:
            self.close()

    def toggle_endless(self) -> None:
        """Switch the endless search on or off. Switching it on switches on the analysis as well."""
        self.endless = not self.endless
        self.on = self.on or self.endless

    def deepen(self) -> None:
        """Have the position at the cursor searched for twice as many seconds as so far."""
        node, known = self._cursor(), self.known
        self._seconds[node] = 2 * max(self._seconds.get(node, SECONDS), 0.0 if known is None else known.seconds)

    @property
    def _line_count(self) -> int:
        """How many lines a search is asked for: those wanted; in a game of few moves at least `ALL_LINES`."""
        return max(ALL_LINES, self.wanted) if opponents(self.game).few_moves else self.wanted

    @property
    def _limit(self) -> Limit:
        """The limit of a search: seconds and lines."""
        return Limit(seconds=self._wanted_seconds, lines=self._line_count)

    @property
    def _wanted_seconds(self) -> float:
        """For how many seconds the position at the cursor is to be searched."""
        return ENDLESS if self.endless else self._seconds.get(self._cursor(), SECONDS)

    @property
    def complete(self) -> bool:
        """Whether the position at the cursor needs no search: the game is over there, or its evaluation has as many
        seconds and lines as wanted. For a player other than the strongest: whether its search with the present limit is
        over."""
        node, known, search = self._cursor(), self.known, self.search
        if node.outcome is not None or known is None:
            return node.outcome is not None
        if self.player != strongest(self.game):
            return search is not None and search.over and search.limit == self._limit
        return bool(known.lines) and known.wanted >= self._line_count and known.seconds >= self._wanted_seconds

    def update(self) -> None:
        """Once a frame: start a search if the cursor, the player or the limit have changed; save when the search is
        over."""
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
            self._save_if_new()

    def _leave_lost_cluster(self) -> None:
        """If the cluster was lost, search on this computer again, and show a message."""
        thinker = None if self.search is None or not self.search.cluster else self.search.thinker
        if self.shared and isinstance(thinker, Crewed) and thinker.lost:
            self.shared = False
            self.host.say(t("analysis.cluster.lost"), "bad")

    def close(self) -> None:
        """Stop the search, and save what it has found."""
        if self.search is not None:
            self._save_if_new()
            self.search.drop()
            self.search = None

    def _save_if_new(self) -> None:
        """Call `save` if the search has changed the evaluation of its node since the last save."""
        if self.search is not None and self.search.node.evaluation is not self._saved:
            self._saved = self.search.node.evaluation
            self._save()

    def lines(self) -> tuple[RankedMove, ...]:
        """The best moves at the cursor, best first. Empty while the analysis is off or has no result, and if the game
        is over there."""
        node, opinion = self._cursor(), None if self._search_here is None else self._search_here.opinion
        if not self.on or node.outcome is not None:
            return ()
        about = self.player, self.wanted, [child.evaluation for child in node.children]
        known = node, opinion, node.evaluation, *about
        if self._listed[0] != known:
            self._listed = known, self._ranked_lines(node, opinion)
        return self._listed[1]

    def _ranked_lines(self, node: Node, opinion: Evaluation | None) -> tuple[RankedMove, ...]:
        """The lines of the position, best first. Where only a stand-in for the player has searched, its lines without
        scores."""
        position, kept = node.position, self.known
        known = kept or opinion
        if known is None:
            return ()
        best, found = _rank(known, position.turn), []
        lines = [_with_proof(line, node) for line in known.lines]
        for line in sorted(lines, key=lambda line: min(best, _rank(line, position.turn)), reverse=True):
            refuted = line.line[:1] == known.line[:1] and line.proven and not known.proven
            agrees = kept is not None and _rank(line, position.turn) <= best and not refuted
            told = partial(player_outlook, self._setup, position, line, is_program(self.player))
            text, short = (told(each) if agrees else "" for each in (False, True))
            quality, contradicted = _quality(self._setup, position, line, known), kept is not None and not agrees
            found.append(RankedMove(playable(position, line.line), text, short, quality, contradicted))
        return tuple(each for each in found if each.moves)[: self._line_count]

    def candidates(self) -> tuple[Candidate, ...]:
        """The moves of `lines` to mark on the board, with their scores; a contradicted one has none."""
        return tuple(Candidate(found.moves[0], found.short, found.quality) for found in self.lines())

    def marks(self, marks: Marks, hover: int | None, line: tuple[int, ...] = ()) -> Marks:
        """Add to `marks` the `line`; if it is empty, the line of the candidate at the point `hover`; if there is none,
        all candidates."""
        line = line or next((found.moves[:_GHOSTS] for found in self.lines() if found.moves[0] == hover), ())
        if line:
            return replace(marks, hover=None, line=line)
        return replace(marks, candidates=self.candidates() or marks.candidates)


def _with_proof(line: ScoredLine, node: Node) -> ScoredLine:
    """Return `line`, or the proven result of its first move if `line` is not proven and the child of `node` is."""
    after = next((child.evaluation for child in node.children if child.move == line.line[0]), None)
    return line if line.proven or after is None or not after.proven else after.backed_up(line.line[0])


def _rank(line: ScoredLine, turn: int) -> tuple[int, int]:
    """The sort key of lines for the side to move, greater is better: the score, then faster wins and slower losses."""
    sign = 1 if turn == FIRST else -1
    return sign * line.score, -sign * (line.mate or 0)


def _quality(setup: Setup, position: Position, line: ScoredLine, best: ScoredLine) -> float:
    """How good a move is beside the best one, from 1 (the best) to 0 (a blunder), by the win probability that it loses.
    A move that is proven to lose has less than a half, even if it is the best."""
    turn = position.turn
    first = _rank(line, turn) >= _rank(best, turn)
    if line.mate is not None and (line.mate > 0) != (turn == FIRST):
        return _LOST if first and best.mate is not None else 0.0
    won, kept = (side_wins(setup, each, turn, position.ply, turn) for each in (best, line))
    return 1.0 if first else min(_OTHER, max(0.0, 1.0 - (won - kept) / BLUNDER))
