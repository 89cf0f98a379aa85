"""A game under way with what is shown of it, without pixels: what the parts of the play screen share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ai.core.player import Info, Limit, Transcript
from ai.players.levels import EVEN, chance, is_level, number_of
from ai.players.opponents import opponents
from ai.players.table import for_seat, is_program, is_timed, keeps_depths
from ai.review.judgement import playable
from ai.service.searches import Purpose, Search, Searches
from games.opening_rules import Demand, OpeningStep
from games.position import PASS, IllegalMove, Position, must_pass
from games.record import PERSON, About, GameRecord, Node, path
from games.registry import GAMES
from ui import screens
from ui.board.looks import look
from ui.board.view import Marks, Pointer
from ui.parts.analyst import Analyst
from ui.parts.game_file import GameFile
from ui.parts.knowledge import Knowledge
from ui.parts.recent import HeadToHead
from ui.play.autosave import Autosave
from ui.play.live_game import LiveGame
from ui.play.teacher import Refutation, Teacher
from ui.toolkit.i18n import t
from ui.window.host import Host
from ui.words.games import failure_sentence, player_name, turn_sentence
from ui.words.move_words import illegal_sentence, line_names, move_name, move_reason, purpose_sentence
from ui.words.views import Depths, view_sentence

_BESIDE = 2.0  # seconds for the moves beside the best one
_SHORT = 0.35  # seconds that a level seems to think at least
_LONGEST = 1.6  # seconds, of level 1
_EACH = 0.12  # seconds less for each level above it
CONSIDERED = 3
"""How many of the moves that a computer considers are shown."""

_TENSE = 400  # of an evaluation at which much hangs on the move


class PlayState:
    """`autosave_in` is the file of a game that goes on, None for a new game; without `autosave` nothing is written.

    `ask_to_branch(node, move, branch)` asks before the game goes on from an earlier position, and calls `branch`.
    """

    renames = False
    encoding = None

    def __init__(
        self, host: Host, record: GameRecord, autosave_in: Path | None, autosave: bool, teaching: bool
    ) -> None:
        self.host, self.record, self.pointer = host, record, Pointer()
        self.still = False
        """Whether no move of a computer lands, for a picture."""
        self.earlier: Node | None = None
        """The moment on the board, if it is not where the game stands. Clocks and engines go on meanwhile."""
        self.saver = Autosave(host, record, autosave_in, autosave)
        hold = pause if host.motion else lambda _player, _position: 0.0
        self.live = LiveGame(record, host.searches, self.changed, hold=hold, lines=self._lines)
        # Opening a file runs no program.
        self.live.waiting = autosave_in is not None and is_program(self.live.seat.player)
        if autosave_in is None and record.position.ply:
            self.saver.mark_unrated("position")
        if teaching:
            self.saver.mark_unrated("teaching")
        self.teacher = Teacher(host.searches, record.setup) if teaching or self.saver.taught else None
        self.thoughts: dict[int, Search] = {}
        """The last search of each side that has found something."""
        self._beside: Search | None = None
        self.hints = Hints(host.searches, record)
        self.analyst = Analyst(host, record.setup, lambda: self.moment, self.changed)
        self._quiet = self.saver.hinted
        """Whether a hint is all the help that was asked for in a game that counted: nothing else may tell more."""
        self.knowledge = Knowledge(host, record.setup, lambda: self.shown, lambda: self.may_view, self._hinted)
        self.head_to_head = HeadToHead(host, record, lambda: self.saver.existing)
        self.file = GameFile(host, record, None, lambda: self.file.path or self.saver.file)
        game = record.setup.game
        players = [for_seat(seat.player, game) for seat in record.seats if seat.player != PERSON]
        self._keep_depths = any(keeps_depths(name, game) for name in players)
        self.ask_to_branch: Callable[[Node, int, Callable[[], object]], object] = lambda _node, _move, branch: branch()

    def changed(self) -> None:
        """Save after every change of the game."""
        failed = self.live.stood_in and self.host.engine.state.name == "failed"
        self.saver.save("engine" if failed else "")

    def describe(self, about: About, names: tuple[str, str], date: str) -> None:
        """Change what is said of the game and its date; who plays is not changed in a game."""
        self.record.about, self.record.date = about, date
        self.changed()

    # What is shown.

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.record.outcome is not None

    @property
    def hidden(self) -> bool:
        """Whether the board is hidden: in a pause of a game with clocks, so that nobody thinks for free."""
        return self.live.paused and self.live.timed and not self.over

    @property
    def moment(self) -> Node:
        """The moment of the game on the board, or behind what hides it."""
        return self.earlier or self.record.cursor

    @property
    def shown(self) -> Node:
        return self.record.root if self.hidden else self.moment

    @property
    def explains(self) -> bool:
        """Whether threats and reasons may be shown. They are help, so not while a game counts for the rating, nor where
        only a hint has made it not count."""
        return self.over or not (self.saver.counts or self._quiet)

    def _hinted(self) -> bool:
        """Whether a hint is on the board."""
        return bool(self.hints.step(self.shown.position))

    @property
    def may_view(self) -> bool:
        """Whether a view that nobody has searched for may be shown: it would be a hint in a game that counts."""
        shown = self.shown
        turn = self.record.turn if shown is self.record.cursor else shown.position.turn
        return self.explains or turn not in self.live.people

    @property
    def shows_view(self) -> bool:
        """Whether win bar and engine's view are on the screen."""
        return self.analyst.on or (self.host.settings.thinking and len(self.live.people) < 2)

    @property
    def shows_both(self) -> bool:
        """Whether the views of both sides are shown: where two computers play."""
        return self.shows_view and not (self.live.people or self.over or self.failure)

    def note_thoughts(self) -> None:
        """Keep what the computer to move thinks, also once the other one does."""
        search = self.live.search
        if search is not None and search.opinion is not None:
            self.thoughts[search.position.turn] = search

    @property
    def transcript(self) -> Transcript | None:
        """What the program that thinks and we have said, where figures may be shown."""
        shown = self.considers and self.host.settings.expert and self.search is not None
        return self.search.transcript if shown and self.search is not None else None

    @property
    def considers(self) -> bool:
        """Whether the moves that the computer considers are shown: in a running game with a view, if `explains`."""
        return self.shows_view and self.explains and not self.over

    def _lines(self, player: str) -> int:
        """The number of lines to ask `player` for: more than one only if that does not make its move weaker."""
        return CONSIDERED if self.considers and (not is_timed(player) or not self.live.people) else 1

    def consider(self) -> None:
        """While a person thinks, search the computer's last position again for several lines, to show the alternatives.

        The strongest player looks for one line only when it moves. Stop the search when it is not wanted any more.
        """
        last, live = self.live.search, self.live
        found = last is not None and last.over and last.searched and last.by_strongest
        wanted = found and last is not None and last.limit.lines < CONSIDERED
        if last is None or not (wanted and self.considers and live.person_to_move and not live.paused):
            if self._beside is not None:
                self._beside.drop()
                self._beside = None
        elif self._beside is None:
            limit = Limit(seconds=_BESIDE, lines=CONSIDERED)
            self._beside = self.host.searches.ask(last.node, Purpose.ANALYSIS, limit)

    @property
    def search(self) -> Search | None:
        """The search whose figures are shown: that of the analysis, or of the computer's move."""
        if self.hidden:
            return None
        return self.analyst.search if self.analyst.on else self.live.search

    def depths(self) -> Depths | None:
        """What the search did at each depth, where figures and the moves that a computer considers may be shown."""
        search = self.search
        if not (self.considers and self.host.settings.expert and self._depths_kept):
            return None
        if search is None or search.stand_in:
            return Depths(self.record.position)
        rows = () if search.info is None else search.info.depths
        return Depths(search.position, rows, scored=search.by_strongest)

    @property
    def _depths_kept(self) -> bool:
        return self._keep_depths or (self.analyst.on and keeps_depths(self.analyst.player, self.record.setup.game))

    def side_on_move(self) -> int | None:
        """The side that is to move in the game, None where it is over."""
        return None if self.over else self.record.turn

    @property
    def demand(self) -> Demand | None:
        """What the opening demands, while it lasts."""
        return None if self.over else self.record.demand

    def running_seconds(self) -> float | None:
        """How long the side to move has been thinking; None when its clock does not run, and before the first move of a
        game without clocks."""
        begun = self.live.timed or self.record.cursor.parent is not None
        return self.live.seconds if begun and self.live.running else None

    @property
    def failure(self) -> str:
        """Why the computer to move has failed, in a sentence; empty if it has not."""
        record, error = self.record, self.live.error
        if error is None or self.over:
            return ""
        return failure_sentence(error, player_name(record.setup.game, record.seats, record.turn))

    @property
    def warning(self) -> Refutation | None:
        """What the teacher says of the last move, while the game goes on."""
        return None if self.teacher is None or self.over else self.teacher.warning

    # What can be done.

    @property
    def next_step(self) -> str:
        """What is to be done next: the key of its words after ``play.``; empty while a person decides in the opening.
        """
        if self.warning is not None:
            return "dismiss"
        if self.earlier is not None:
            return "to_game"
        if self.over:
            return "review"
        if self.live.paused:
            return "go_on"
        if self.live.waiting:
            return "resume"
        if not self.live.person_to_move:
            return "move_now"
        if self.demand is not None:
            return ""
        return "pass" if must_pass(self.record.position) else "hint"

    @property
    def refusal(self) -> str:
        """Why no move can be made on the board as it is shown; empty if one can."""
        if self.over:
            return t("illegal.over")
        if self.live.paused:
            return t("play.paused_click")
        if self.warning is not None:
            return t("teach.click", take_back=t("teach.take_back"), play_on=t("play.dismiss"))
        if self.earlier is not None:
            if self.live.in_opening(self.moment):
                return t("begin.no_branch")
            return "" if self.moment.position.turn in self.live.people else t("play.not_yours")
        if not self.live.person_to_move:
            return t("play.wait_turn")
        return "" if self.demand is None or self.demand.point else t("begin.decide_first")

    @property
    def open_to_moves(self) -> bool:
        return not self.refusal

    @property
    def can_pass(self) -> bool:
        """Whether the person is to move and may pass."""
        return self.live.person_to_move and PASS in self.record.position.legal_moves()

    @property
    def may_choose_to_pass(self) -> bool:
        """Whether there is a button for a pass beside other moves: in a game that allows it from the beginning, or
        here."""
        if not GAMES[self.record.setup.game].passes:
            return False
        at_first = PASS in self.record.root.position.legal_moves()
        return at_first or (self.can_pass and not must_pass(self.record.position))

    def look(self, node: Node) -> None:
        """Show the earlier position of `node`, while the game goes on; that of the cursor is the current one."""
        if not self.hidden:
            self.earlier = None if node is self.record.cursor else node

    def follow(self) -> None:
        """Return to the current position once the game has reached the earlier one that is shown."""
        if self.earlier is self.record.cursor:
            self.earlier = None

    def show_current(self) -> None:
        """Show the current position again instead of an earlier one."""
        self.earlier = None

    @property
    def viewed(self) -> str:
        """Which earlier move is shown; empty if none is."""
        if self.earlier is None:
            return ""
        return t("play.looking", ply=len(path(self.moment)) - 1, total=len(self.record.line()) - 1)

    def review(self) -> None:
        """Leave for a replay of the game, and review it there."""
        self._study(self.record.cursor, "review")

    def _study(self, node: Node, tab: str = "") -> None:
        """Leave the game for a replay that begins at `node`."""
        self.host.files.settle()  # then it is known whether there is a file
        file = self.saver.file if self.saver.on_disk else self.file.path
        self.host.open(screens.replay, self.record, file, at=node, tab=tab)

    @property
    def can_take_back(self) -> bool:
        """Whether the person has a move to take back."""
        return self.live.before_own_move is not None or self.live.can_undo

    def take_back(self) -> None:
        """Take back a move. A game that is over stays as it ended: what is tried in place of its last moves is studied
        in a replay."""
        before = self.live.before_own_move
        if self.over and before is not None:
            self._study(before)
        elif not self.over:
            self.show_current()
            self.live.undo()

    def helped(self, why: str) -> None:
        self._quiet = why == "hint" and not self.explains
        self.saver.mark_unrated(why)

    def ask_hint(self) -> None:
        """Show where the game stands, and one step more of a hint, where a person is to move; or that there is no
        choice."""
        if self.live.person_to_move and not self.live.paused and self.demand is None:
            self.show_current()
            if must_pass(self.record.position):
                self._remark(turn_sentence(self.record, thinking=False, waiting=False))
                return
            self.hints.ask()
            self.helped("hint")

    def dismiss(self) -> None:
        """Play on in spite of the teacher's warning."""
        if self.teacher is not None:
            self.teacher.warning = None

    # A choice on the board.

    def choose(self, move: int) -> None:
        """Play `move`, or say why not; at an earlier position, show what followed it, or ask to go on from there."""
        if refusal := self.refusal:
            self._remark(refusal)
            return
        try:
            if self.earlier is not None:
                self._choose_earlier(self.earlier, move)
                return
            self.live.play(move)
        except IllegalMove as error:
            self._remark(illegal_sentence(error.reason), "bad")
        else:
            self.hints.forget()

    def decide(self, step: OpeningStep) -> None:
        """Take a step of the opening that is no point of the board."""
        if self.live.paused or not self.live.person_to_move:
            self._remark(self.refusal)
            return
        self.show_current()
        try:
            self.live.take(step)
        except IllegalMove as error:
            self._remark(illegal_sentence(error.reason), "bad")

    def _choose_earlier(self, node: Node, move: int) -> None:
        """Raise `IllegalMove`."""
        node.position.play(move)
        known = next((each for each in self.record.line() if each.parent is node and each.move == move), None)
        if known is not None:
            self.look(known)
            return
        rated = self.saver.counts
        self.ask_to_branch(node, move, lambda: self._branch(node, move, rated))
        self._remark(t("play.branch_unrated" if rated else "play.branch"))

    def _branch(self, node: Node, move: int, rated: bool) -> None:
        """Play another move at an earlier node, and say whether the game still counts."""
        self.show_current()
        if self.live.branch(node, move):
            self.hints.forget()
            self.host.say(t("play.branched_unrated" if rated else "play.branched"))

    def _remark(self, text: str, kind: str = "info") -> None:
        """Say what is true of this moment of the game only."""
        here = self._moment()
        self.host.say(text, kind, holds=lambda: self._moment() == here)

    def _moment(self) -> tuple[object, ...]:
        """What a sentence depends on: when it changes, the sentence goes."""
        return self.record.cursor, self.over, self.shown, self.live.paused, self.host.overlay


def pause(player: str, position: Position) -> float:
    """Seconds that the answer of `player` to `position` is held back at least; 0 for all but levels.

    Nobody likes to play against someone who always answers at once. A pause is short in the opening and where there is
    little choice, longer where much hangs on the move, and never twice the same. Strong levels think by themselves, and
    pause less.
    """
    if not is_level(player):
        return 0.0
    number = 3.0 if player == EVEN else number_of(player)
    longest = max(_SHORT, _LONGEST - _EACH * (number - 1))
    if not look(position.game).opening:
        longest *= 0.6
    return _SHORT + (longest - _SHORT) * _weight(position) * (0.4 + 0.6 * chance(0, "pause", position))


def _weight(position: Position) -> float:
    """How much there is to think about, 0 to 1."""
    if position.ply < look(position.game).opening:
        return 0.3
    if len(position.candidates()) <= 2:  # at gomoku a four to block, or a five to make
        return 0.15
    return 1.0 if abs(position.evaluate()) > _TENSE else 0.6


# Hints in steps: where to look, which moves to consider, which is the best, and why.


STEPS = ("area", "candidates", "move", "reason")

MANY = 25
"""Possible moves, beyond which an area of the board is a hint."""

_SECONDS = 1.0
_EXPECTED = 7  # moves of the line that is expected
_CANDIDATES = 3  # at most, and at most half of the moves there are
_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class Hints:
    """Advises on one position at a time."""

    def __init__(self, searches: Searches, record: GameRecord) -> None:
        self.search: Search | None = None
        self._shape = record.setup.board
        self._searches, self._record = searches, record
        self._at = 0

    @property
    def info(self) -> Info | None:
        """The last answer of the search; None before there is one."""
        return None if self.search is None else self.search.info

    def ask(self) -> None:
        """Ask the strongest player about the position at the cursor; once its answer is there, take one step more."""
        node, position = self._record.cursor, self._record.position
        if self.search is None or self.search.node is not node or self.search.error is not None:
            moves = len(position.legal_moves())
            candidates = min(_CANDIDATES, moves // 2)
            self.search = self._searches.ask(node, Purpose.HINT, Limit(seconds=_SECONDS, lines=max(1, candidates)))
            many = moves > MANY and self._shape != (0, 0)
            self._at = STEPS.index("area" if many else "candidates" if candidates > 1 else "move")
        elif self.info is not None and self._at < len(STEPS) - 1:
            self._at += 1

    def forget(self) -> None:
        """Cancel the search, and show no hint."""
        if self.search is not None:
            self.search.drop()
        self.search = None

    def step(self, position: Position) -> str:
        """The step that is reached for `position`; empty if none was asked for, or nothing is known yet."""
        known = self.search is not None and self.search.position is position and self.info is not None
        return STEPS[self._at] if known else ""

    def _expected(self, position: Position, view: str) -> str:
        """Add the line that is expected to what a hint shows, where the game has no exact answer."""
        line = () if self.info is None else playable(position, self.info.pv)[:_EXPECTED]
        if len(line) < 2 or opponents(position.game).solvable:
            return view
        view = view or self._proven(position)
        return t("hint.expected" if view else "hint.line", view=view, line=" ".join(line_names(position, line)))

    def _proven(self, position: Position) -> str:
        """Who wins, in words, if the search proves it: the view of an engine that plays weaker does not say it."""
        known = None if self.search is None else self.search.opinion
        return view_sentence(self._record.setup, position, known) if known is not None and known.proven else ""

    @property
    def move(self) -> int:
        """The best move, while a step is reached."""
        assert self.info is not None
        return self.info.move

    def marks(self, marks: Marks, position: Position) -> Marks:
        """Candidates, all alike, so that it is not told which is the best; then the move."""
        step, info = self.step(position), self.info
        if step == "candidates" and info is not None:
            moves = {line.moves[0] for line in info.lines if line.moves} or {info.move}
            return replace(marks, hints=tuple(sorted(moves)))
        return replace(marks, hints=(self.move,)) if step in ("move", "reason") else marks

    def area(self, position: Position) -> int | None:
        """The cell in the middle of the area where the best move is, beside that move."""
        if self.step(position) != "area":
            return None
        width, height = self._shape
        down, right = _AROUND[(self.move + position.ply) % len(_AROUND)]
        row, column = divmod(self.move, width)
        return min(max(row + down, 0), height - 1) * width + min(max(column + right, 0), width - 1)

    def sentence(self, position: Position, view: str) -> str:
        """What the step says; `view` is the engine's view in words, for moves without any other reason: with what is
        expected to follow, unless the result is known."""
        step = self.step(position)
        if not step:
            return ""
        move = self.move
        why = move_reason(position, move) or purpose_sentence(position, move) or self._expected(position, view)
        if step == "reason" and why:
            return why
        if step == "move" and not why:  # then none is offered
            step = "reason"
        return t(f"hint.{step}", move=move_name(position, move))
