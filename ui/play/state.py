"""The state of the play screen, without pixels: a game under way, which of its positions is shown, and what may be
shown of it."""

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
    """A game under way with all that its screen shows. `autosave_in` is the file of a game that is continued, None for
    a new game; without `autosave` nothing is written. With `teaching`, blunders are warned of.

    `ask_to_branch(node, move, branch)` is called before the game goes on from an earlier position: it asks the person,
    and then calls `branch`. Some properties depend on whether the game is rated: then nothing that helps is shown.
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
        hold = answer_delay if host.motion else lambda _player, _position: 0.0
        self.live = LiveGame(record, host.searches, self.changed, hold=hold, lines=self._line_count)
        # Opening a file runs no program.
        self.live.waiting = autosave_in is not None and is_program(self.live.seat.player)
        if self.saver.existing_file is None and record.position.ply:
            self.saver.mark_unrated("position")
        if teaching:
            self.saver.mark_unrated("teaching")
        self.teacher = Teacher(host.searches, record.setup) if teaching or self.saver.is_teaching else None
        self.thoughts: dict[int, Search] = {}
        """The last search of each side that has found something."""
        self._beside: Search | None = None
        self.hints = Hints(host.searches, record)
        self.analyst = Analyst(host, record.setup, lambda: self.moment, self.changed)
        self._quiet = self.saver.had_hint
        """Whether a hint is all the help that was asked for in a game that counted: nothing else may tell more."""
        self.knowledge = Knowledge(host, record.setup, lambda: self.shown, lambda: self.may_view, self._shows_hint)
        self.head_to_head = HeadToHead(host, record, lambda: self.saver.existing_file)
        self.file = GameFile(host, record, None, lambda: self.file.path or self.saver.file)
        game = record.setup.game
        players = [for_seat(seat.player, game) for seat in record.seats if seat.player != PERSON]
        self._keep_depths = any(keeps_depths(name, game) for name in players)
        self.ask_to_branch: Callable[[Node, int, Callable[[], object]], object] = lambda _node, _move, branch: branch()

    def changed(self) -> None:
        """Called after every change of the game: save it."""
        failed = self.live.stood_in and self.host.engine.state.name == "failed"
        self.saver.save("engine" if failed else "")

    def describe(self, about: About, names: tuple[str, str], date: str) -> None:
        """Change the description of the game and its date, and save it. The `names` are ignored: players keep theirs
        during a game."""
        self.record.about, self.record.date = about, date
        self.changed()

    # What is shown.

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.record.outcome is not None

    @property
    def hidden(self) -> bool:
        """Whether the board is hidden: in a pause of a game with clocks, so that nobody thinks without losing time."""
        return self.live.paused and self.live.timed and not self.over

    @property
    def moment(self) -> Node:
        """The node on the board, also while the board is hidden: an earlier one, or the current one."""
        return self.earlier or self.record.cursor

    @property
    def shown(self) -> Node:
        """The node whose position is on the board; the root while the board is hidden."""
        return self.record.root if self.hidden else self.moment

    @property
    def explains(self) -> bool:
        """Whether threats and reasons may be shown, which are help: only if the game is over or not rated, but not
        where a hint alone has made it unrated."""
        return self.over or not (self.saver.counts or self._quiet)

    def _shows_hint(self) -> bool:
        """Whether a hint is shown."""
        return bool(self.hints.step(self.shown.position))

    @property
    def may_view(self) -> bool:
        """Whether the view of the position, found without a search, may be shown: it would help a person who is to move
        in a rated game."""
        shown = self.shown
        turn = self.record.turn if shown is self.record.cursor else shown.position.turn
        return self.explains or turn not in self.live.people

    @property
    def shows_view(self) -> bool:
        """Whether the win bar and the computer's evaluation are shown."""
        return self.analyst.on or (self.host.settings.thinking and len(self.live.people) < 2)

    @property
    def shows_both(self) -> bool:
        """Whether the evaluations of both sides are shown: while two computers play."""
        return self.shows_view and not (self.live.people or self.over or self.failure)

    def note_thoughts(self) -> None:
        """Store the search of the side to move in `thoughts`, if it has found something. Called once a frame."""
        search = self.live.search
        if search is not None and search.opinion is not None:
            self.thoughts[search.position.turn] = search

    @property
    def transcript(self) -> Transcript | None:
        """The log of the external engine whose search is shown, in expert mode; None if there is none, or it may not be
        shown."""
        search = self.search
        if search is None or not (self.considers and self.host.settings.expert):
            return None
        return search.transcript

    @property
    def considers(self) -> bool:
        """Whether the computer's candidate moves are shown: before the end, with the evaluation shown, and if they are
        no help (`explains`)."""
        return self.shows_view and self.explains and not self.over

    def _line_count(self, player: str) -> int:
        """The number of lines to ask `player` for: more than one only if they are shown and do not make its move
        weaker."""
        return CONSIDERED if self.considers and (not is_timed(player) or not self.live.people) else 1

    def consider(self) -> None:
        """Called once a frame. While a person thinks, search the computer's last position again for several lines, so
        that alternatives can be shown; cancel that search when it is not needed.

        The strongest player searches its own moves with one line only.
        """
        last, live = self.live.search, self.live
        if (
            last is not None and last.over and last.searched and last.by_strongest and last.limit.lines < CONSIDERED
            and self.considers and live.person_to_move and not live.paused
        ):  # fmt: skip
            if self._beside is None:
                limit = Limit(seconds=_BESIDE, lines=CONSIDERED)
                self._beside = self.host.searches.ask(last.node, Purpose.ANALYSIS, limit)
        elif self._beside is not None:
            self._beside.drop()
            self._beside = None

    @property
    def search(self) -> Search | None:
        """The search whose figures are shown: that of the analysis if it is on, else that of the computer's move; None
        if there is none or the board is hidden."""
        if self.hidden:
            return None
        return self.analyst.search if self.analyst.on else self.live.search

    def depths(self) -> Depths | None:
        """The iterations of the search shown, in expert mode; None if they may not be shown, or no player has any."""
        search = self.search
        if not (self.considers and self.host.settings.expert and self._has_depths):
            return None
        if search is None or search.stand_in:
            return Depths(self.record.position)
        rows = () if search.info is None else search.info.depths
        return Depths(search.position, rows, scored=search.by_strongest)

    @property
    def _has_depths(self) -> bool:
        """Whether a player in use reports the iterations of its search."""
        return self._keep_depths or (self.analyst.on and keeps_depths(self.analyst.player, self.record.setup.game))

    def side_on_move(self) -> int | None:
        """The side that has to act; None once the game is over."""
        return None if self.over else self.record.turn

    @property
    def demand(self) -> Demand | None:
        """What the rule of the opening asks for next; None once the opening or the game is over."""
        return None if self.over else self.record.demand

    def running_seconds(self) -> float | None:
        """The seconds that the side to move has thought; None if its clock does not run, and before the first move of a
        game without clocks."""
        begun = self.live.timed or self.record.cursor.parent is not None
        return self.live.seconds if begun and self.live.running else None

    @property
    def failure(self) -> str:
        """The sentence that says why the computer to move has failed; empty if it has not."""
        record, error = self.record, self.live.error
        if error is None or self.over:
            return ""
        return failure_sentence(error, player_name(record.setup.game, record.seats, record.turn))

    @property
    def warning(self) -> Refutation | None:
        """The teacher's warning of the last move; None without one, and once the game is over."""
        return None if self.teacher is None or self.over else self.teacher.warning

    # What can be done.

    @property
    def next_step(self) -> str:
        """The next step in the game, as a key suffix of its text: ``play.`` and ``dismiss``, ``to_game``, ``review``,
        ``go_on``, ``resume``, ``move_now``, ``pass`` or ``hint``. Empty while a person decides in the opening."""
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
        """The sentence that says why no move can be made on the board as it is shown; empty if one can."""
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
        """Whether a move can be made on the board as it is shown."""
        return not self.refusal

    @property
    def can_pass(self) -> bool:
        """Whether a person is to move and a pass is legal."""
        return self.live.person_to_move and PASS in self.record.position.legal_moves()

    @property
    def may_choose_to_pass(self) -> bool:
        """Whether to show a button for a pass: in a game where a pass is legal at the beginning, or if it is legal now
        beside other moves."""
        if not GAMES[self.record.setup.game].passes:
            return False
        at_first = PASS in self.record.root.position.legal_moves()
        return at_first or (self.can_pass and not must_pass(self.record.position))

    def show_node(self, node: Node) -> None:
        """Show the position of `node` while the game goes on; if it is the current one, follow the game again. Do
        nothing while the board is hidden."""
        if not self.hidden:
            self.earlier = None if node is self.record.cursor else node

    def follow(self) -> None:
        """Called once a frame: if the game has come to the earlier position that is shown, follow the game again."""
        if self.earlier is self.record.cursor:
            self.earlier = None

    def show_current(self) -> None:
        """Show the current position, and follow the game again."""
        self.earlier = None

    @property
    def viewed_text(self) -> str:
        """The text that says which earlier move is shown; empty if none is."""
        if self.earlier is None:
            return ""
        return t("play.looking", ply=len(path(self.moment)) - 1, total=len(self.record.line()) - 1)

    def review(self) -> None:
        """Open the game in a replay, and review it there."""
        self._open_replay(self.record.cursor, "review")

    def _open_replay(self, node: Node, tab: str = "") -> None:
        """Open the game in a replay at `node`, on the tab `tab`, empty for the usual one."""
        self.host.files.settle()  # then it is known whether there is a file
        file = self.saver.file if self.saver.on_disk else self.file.path
        self.host.open(screens.replay, self.record, file, at=node, tab=tab)

    @property
    def can_take_back(self) -> bool:
        """Whether `take_back` does something."""
        return self.live.before_own_move is not None or self.live.can_undo

    def take_back(self) -> None:
        """Take back the person's last move. If the game is over, open a replay at the position before it instead, since
        a result is final."""
        before = self.live.before_own_move
        if self.over and before is not None:
            self._open_replay(before)
        elif not self.over:
            self.show_current()
            self.live.undo()

    def helped(self, why: str) -> None:
        """Note that the person has used help, so that the game is not rated; `why` is its kind, as in `Result.unrated`.
        """
        self._quiet = why == "hint" and not self.explains
        self.saver.mark_unrated(why)

    def ask_hint(self) -> None:
        """Show the current position and one more step of a hint, and mark the game as unrated. If the person must pass,
        show a message instead. Do nothing in a pause or the opening, and unless a person is to move."""
        if self.live.person_to_move and not self.live.paused and self.demand is None:
            self.show_current()
            if must_pass(self.record.position):
                self._say_here(turn_sentence(self.record, thinking=False, waiting=False))
                return
            self.hints.ask()
            self.helped("hint")

    def dismiss(self) -> None:
        """Close the teacher's warning, and play on."""
        if self.teacher is not None:
            self.teacher.warning = None

    # A choice on the board.

    def choose(self, move: int) -> None:
        """Play `move`, or show a message why it cannot be played. At an earlier position, show what followed if it was
        this move, else ask whether to go on from there."""
        if refusal := self.refusal:
            self._say_here(refusal)
            return
        try:
            if self.earlier is not None:
                self._choose_earlier(self.earlier, move)
                return
            self.live.play(move)
        except IllegalMove as error:
            self._say_here(illegal_sentence(error.reason), "bad")
        else:
            self.hints.forget()

    def decide(self, step: OpeningStep) -> None:
        """Take a step of the opening that is chosen by a button, or show a message why it cannot be taken."""
        if self.live.paused or not self.live.person_to_move:
            self._say_here(self.refusal)
            return
        self.show_current()
        try:
            self.live.take(step)
        except IllegalMove as error:
            self._say_here(illegal_sentence(error.reason), "bad")

    def _choose_earlier(self, node: Node, move: int) -> None:
        """Choose `move` at the earlier `node`, as `choose` does. Raise `IllegalMove`."""
        node.position.play(move)
        known = next((each for each in self.record.line() if each.parent is node and each.move == move), None)
        if known is not None:
            self.show_node(known)
            return
        rated = self.saver.counts
        self.ask_to_branch(node, move, lambda: self._branch(node, move, rated))
        self._say_here(t("play.branch_unrated" if rated else "play.branch"))

    def _branch(self, node: Node, move: int, rated: bool) -> None:
        """Play `move` at the earlier `node`, and show a message, with a note if the game was `rated` before."""
        self.show_current()
        if self.live.branch(node, move):
            self.hints.forget()
            self.host.say(t("play.branched_unrated" if rated else "play.branched"))

    def _say_here(self, text: str, kind: str = "info") -> None:
        """Show a sentence in the status line until the game or what is shown of it changes."""
        here = self._message_context()
        self.host.say(text, kind, holds=lambda: self._message_context() == here)

    def _message_context(self) -> tuple[object, ...]:
        """What `_say_here` compares: its sentence goes when this changes."""
        return self.record.cursor, self.over, self.shown, self.live.paused, self.host.overlay


def answer_delay(player: str, position: Position) -> float:
    """The least seconds that a move of `player` at `position` is delayed; 0 for all but levels.

    It seems unnatural to answer at once. The delay is short in the opening and with few candidates, longer in a sharp
    position, shorter for strong levels, and varies pseudo-randomly.
    """
    if not is_level(player):
        return 0.0
    number = 3.0 if player == EVEN else number_of(player)
    longest = max(_SHORT, _LONGEST - _EACH * (number - 1))
    if not look(position.game).opening:
        longest *= 0.6
    return _SHORT + (longest - _SHORT) * _complexity(position) * (0.4 + 0.6 * chance(0, "pause", position))


def _complexity(position: Position) -> float:
    """How much there is to think about at `position`, from 0 to 1."""
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
    """Hints for one position at a time, in steps that reveal more and more: an area, candidates, the move, the reason
    (`STEPS`)."""

    def __init__(self, searches: Searches, record: GameRecord) -> None:
        self.search: Search | None = None
        self._shape = record.setup.board
        self._searches, self._record = searches, record
        self._at = 0

    @property
    def info(self) -> Info | None:
        """The latest result of the search; None before there is one."""
        return None if self.search is None else self.search.info

    def ask(self) -> None:
        """Begin a hint at the cursor: search with the strongest player. If that has begun and has a result, go to the
        next step."""
        node, position = self._record.cursor, self._record.position
        if self.search is None or self.search.node is not node or self.search.error is not None:
            moves = len(position.legal_moves())
            candidates = min(_CANDIDATES, moves // 2)
            self.search = self._searches.ask(node, Purpose.HINT, Limit(seconds=_SECONDS, lines=max(1, candidates)))
            many = moves > MANY and all(self._shape)
            self._at = STEPS.index("area" if many else "candidates" if candidates > 1 else "move")
        elif self.info is not None and self._at < len(STEPS) - 1:
            self._at += 1

    def forget(self) -> None:
        """Cancel the search, and end the hint."""
        if self.search is not None:
            self.search.drop()
        self.search = None

    def step(self, position: Position) -> str:
        """The current step, one of `STEPS`; empty if no hint was asked for at `position`, or nothing has been found
        yet."""
        known = self.search is not None and self.search.position is position and self.info is not None
        return STEPS[self._at] if known else ""

    def _with_expected_line(self, position: Position, view: str) -> str:
        """Append the expected line to `view`, unless it is too short or the game is solved exactly."""
        line = () if self.info is None else playable(position, self.info.pv)[:_EXPECTED]
        if len(line) < 2 or opponents(position.game).solvable:
            return view
        view = view or self._proven_text(position)
        return t("hint.expected" if view else "hint.line", view=view, line=" ".join(line_names(position, line)))

    def _proven_text(self, position: Position) -> str:
        """The sentence that says who wins, if the search has proven it; else empty. The view of a weaker player may not
        know it."""
        known = None if self.search is None else self.search.opinion
        return view_sentence(self._record.setup, position, known) if known is not None and known.proven else ""

    @property
    def move(self) -> int:
        """The best move. Valid only while `step` is not empty."""
        assert self.info is not None
        return self.info.move

    def marks(self, marks: Marks, position: Position) -> Marks:
        """Mark the candidates without saying which is best or, at a later step, the best move."""
        step, info = self.step(position), self.info
        if step == "candidates" and info is not None:
            moves = {line.moves[0] for line in info.lines if line.moves} or {info.move}
            return replace(marks, hints=tuple(sorted(moves)))
        return replace(marks, hints=(self.move,)) if step in ("move", "reason") else marks

    def area(self, position: Position) -> int | None:
        """The cell in the middle of an area that contains the best move, chosen beside that move; None at other steps.
        """
        if self.step(position) != "area":
            return None
        width, height = self._shape
        down, right = _AROUND[(self.move + position.ply) % len(_AROUND)]
        row, column = divmod(self.move, width)
        return min(max(row + down, 0), height - 1) * width + min(max(column + right, 0), width - 1)

    def sentence(self, position: Position, view: str) -> str:
        """The sentence of the current step; empty without one. `view` is the view of the position in words, used as the
        reason if the move has no other one."""
        step = self.step(position)
        if not step:
            return ""
        move = self.move
        why = move_reason(position, move) or purpose_sentence(position, move)
        why = why or self._with_expected_line(position, view)
        if step == "reason" and why:
            return why
        if step == "move" and not why:  # then none is offered
            step = "reason"
        return t(f"hint.{step}", move=move_name(position, move))
