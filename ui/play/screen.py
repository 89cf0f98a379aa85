"""The screen on which a game is played: persons click, computers search, every move is saved at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame

from games.clock import ClockFace
from games.position import FIRST, PASS
from games.record import GameRecord, Node
from ui.board.looks import board_view
from ui.board.view import BoardView, Marks
from ui.parts.about_game import AboutGameEntry
from ui.parts.board_part import BoardPart, MoveSounds, open_branch_menu
from ui.parts.engine_log import EngineLog
from ui.parts.game_file import FileKeys
from ui.parts.header import Header, MenuButton
from ui.parts.players import Players
from ui.parts.search_tables import DepthTable
from ui.parts.show_search import ShowSearch
from ui.parts.win_bar import WinBar
from ui.play.live_game import LiveGame
from ui.play.move_list import MoveList
from ui.play.side_cards import EndingCard, FailureCard, OpeningCard, TeachingCard
from ui.play.side_views import Considered, PlayedBefore, SideViews, ViewPanel
from ui.play.state import PlayState
from ui.system.frame_clock import soonest
from ui.toolkit.art import LEAST, clipped, rounded
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import first_text, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, centred
from ui.toolkit.typesetting import width_of, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part, lay
from ui.window.screen import Screen
from ui.words.games import turn_sentence
from ui.words.numbers import clock_changes_in
from ui.words.opening_words import game_title

# The row of buttons under a game that is played: undo, redo, what is to be done next, pause, and the menu.


_KEYS = {"move_now": "m", "hint": "h", "pass": "ctrl+p"}  # of what may be next; Space does it as well
_NEXT = ("dismiss", "to_game", "go_on", "resume", "move_now", "pass", "hint")  # what may be next before the end
_GAP, _SMALL_GAP = 8, 4  # design pixels between two buttons; where the text of the primary one needs the room
_PLAIN = ("hint", "dismiss")  # what is possible but need not be done


class ActionRow(Part):
    """A row at the bottom of the space: undo, redo, the primary button with the next step, pause, and `menu` at the
    right. After the end there is only a button to try the last move again, in a replay."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState, menu: Part) -> None:
        self._host, self._widgets, self._state, self._menu = host, widgets, state, menu
        self._next = ""
        self._place: pygame.Rect | None = None
        self.bindings = (
            Binding(("ctrl+z",), state.take_back, "keys.undo"),
            Binding(("ctrl+y", "ctrl+shift+z"), self._redo, "keys.redo"),
            Binding(("m",), state.live.move_now, "keys.move_now"),
            Binding(("h",), state.ask_hint, "keys.hint"),
            Binding(("space",), self._press_primary, "keys.primary"),
            Binding(("p",), self._toggle_pause, "keys.pause"),
        )

    def shape(self) -> object:
        """What the layout depends on: whether the game is over, and whether the person to move may choose to pass."""
        return self._state.over, self._state.may_choose_to_pass

    def build(self, space: Space) -> None:
        """Build the row of buttons, without the primary one, which `update` makes; and above it the button to pass
        where a person may choose that."""
        theme, over = self._host.theme, self._state.over
        side = theme.px(BUTTON)
        row = Space(space.bottom(side), theme.px(_GAP))
        widest = max(width_of(theme, t(f"play.{step}"), 16, bold=True) for step in _NEXT)
        if widest + theme.px(2 * LEAST) > row.rest.width - 4 * (side + row.gap):  # as all other buttons are square
            row.gap = theme.px(_SMALL_GAP)
        self._menu.build(row)
        self._place, self._next = None, ""
        button = self._widgets.button
        if over:
            tip, text = t("play.try_tip"), t("play.try")
            button("undo", row.rest, text, self._state.take_back, icon="undo", tip=tip, key="ctrl+z")
        else:
            button("pause", row.right(side), "", self._toggle_pause, icon="pause", tip=t("play.pause"), key="p")
            button("undo", row.left(side), "", self._state.take_back, icon="undo", tip=t("play.undo"), key="ctrl+z")
            button("redo", row.left(side), "", self._redo, icon="redo", tip=t("play.redo"), key="ctrl+y")
            self._place = row.rest
        if self._state.may_choose_to_pass:
            button("pass", space.bottom(side), t("move.pass"), partial(self._state.choose, PASS), key="ctrl+p")
        self._update_buttons()

    def update(self, now: float) -> None:
        """Enable the buttons, and make the primary one for the present next step."""
        if (self._place is None) == self._state.over:  # else it is laid out anew at once
            self._update_buttons()

    def _update_buttons(self) -> None:
        """Enable the buttons that can be used, and let the primary button name the next step."""
        state, widgets = self._state, self._widgets
        widgets.enable("undo", state.can_take_back)
        if "pass" in widgets.elements:
            widgets.enable("pass", state.can_pass)
        if self._place is None:
            return
        widgets.enable("redo", state.live.can_redo)
        widgets.choose("pause", state.live.paused)
        following = state.next_step
        if following != self._next:
            self._next = following
            widgets.remove("primary")
            if not following:
                return
            style, key = "" if following in _PLAIN else "@primary", _KEYS.get(following, "space")
            widgets.button("primary", self._place, t(f"play.{following}"), self._press_primary, style=style, key=key)

    def _redo(self) -> None:
        """Show the current position, and play again what was taken back."""
        self._state.show_current()
        self._state.live.redo()

    def _press_primary(self) -> None:
        """Do the next step, which the primary button names."""
        state = self._state
        actions: dict[str, Callable[[], object]] = {
            "to_game": state.show_current, "review": state.review, "go_on": state.live.resume,
            "resume": state.live.resume, "hint": state.ask_hint, "dismiss": state.dismiss,
            "pass": partial(state.choose, PASS), "": lambda: None,
        }  # fmt: skip
        actions.get(state.next_step, state.live.move_now)()

    def _toggle_pause(self) -> None:
        """Pause the game, or resume it."""
        if self._state.live.paused:
            self._state.live.resume()
        else:
            self._state.show_current()
            self._state.hints.forget()
            self._state.live.pause()


_TURN_LINE = 24  # design pixels


class Turn(Part):
    """A line that says whose turn it is, or which earlier move is shown, with a button to resign."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._question: Menu | None = None  # while the person is asked whether to resign

    def shape(self) -> object:
        """What the layout depends on: whether the game is over."""
        return self._state.over

    def build(self, space: Space) -> None:
        """Take the room for the line; none once the game is over, since a card says how it ended."""
        if self._state.over:
            return
        px = self._host.theme.px
        self._rect = space.top(px(_TURN_LINE))
        if self._state.live.people:  # beside the line, where no other button is near
            side = px(BUTTON - 4)
            row = Space(self._rect, px(4))
            place = row.right(side).inflate(0, side - self._rect.height)
            self._rect = row.rest
            tip, ask = t("play.resign"), partial(self._ask, place)
            self._widgets.button("resign", place, "", ask, style="@icon", icon="flag", tip=tip)

    def _ask(self, under: pygame.Rect) -> None:
        """Ask in a menu whether to resign, since that cannot be undone. A menu does not stop the clock."""
        actions = {"return": self._state.show_current, "resign": self._resign}
        options = [("return", t("play.dismiss")), ("resign", t("play.resign"))]
        question = Menu(self._host, under, options, "", lambda answer: actions[answer]())
        self._host.overlay = self._question = question
        sentence = t("play.resign_rated" if self._state.saver.counts else "play.resign_about")
        self._host.say(sentence, holds=lambda: self._host.overlay is question)

    def _resign(self) -> None:
        """Show the current position, and resign."""
        self._state.show_current()
        self._state.live.resign()

    def update(self, now: float) -> None:
        """Close the question once the game is over."""
        if self._state.over and self._question is not None and self._host.overlay is self._question:
            self._host.overlay = None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Write whose turn it is, that the teacher waits, or which earlier move is shown; nothing after the end or a
        failure, which a card tells."""
        if self._state.over or self._state.failure:  # a card says it
            return
        theme, state, live = self._host.theme, self._state, self._state.live
        turn = turn_sentence(state.record, live.thinking, live.waiting, live.paused)
        colour = theme.palette.info if state.viewed_text else theme.palette.text
        text = state.viewed_text or (t("teach.waits") if state.warning else turn)
        write(surface, theme, text, self._rect, 16, colour, bold=True)


# What lies over the board of a game that is played: hints, the analysis, the card of a pause, and a frame.


_FRAME = 3  # design pixels
_CELLS = 2.4  # from the middle of an area to its ring


class BoardCover(Part):
    """What lies on the board that `view` draws: hints, the analysis, the card of a pause, and a frame around an earlier
    position."""

    def __init__(self, host: Host, view: BoardView, state: PlayState) -> None:
        self._host, self._view, self._state = host, view, state

    def marks(self, marks: Marks) -> Marks:
        """Add the hint, unless the game is over, and the analysis; nothing while the board is hidden."""
        state = self._state
        if state.hidden:
            return marks
        if not state.over:
            marks = state.hints.marks(marks, state.shown.position)
        return state.analyst.marks(marks, state.pointer.hover)

    def hint(self) -> str:
        """The sentence of the hint that was asked for; empty without one."""
        state = self._state
        return state.hints.sentence(state.shown.position, state.knowledge.advice)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the dimmed board and card of a pause; else the ring of a hint that names an area only, and the frame
        around an earlier position. `marks` has all other hints."""
        state = self._state
        if state.hidden:
            self._draw_paused(surface)
            return
        area = state.hints.area(state.shown.position)
        if area is not None:
            self._draw_area(surface, area)
        if state.earlier is not None:
            self._draw_frame(surface)

    def _draw_paused(self, surface: pygame.Surface) -> None:
        """Dim the board, and draw a card that says that the game is paused."""
        theme, px = self._host.theme, self._host.theme.px
        veil = pygame.Surface(self._rect.size, pygame.SRCALPHA)
        veil.fill((*theme.palette.background, 140))
        surface.blit(veil, self._rect)
        card = centred(px(320), px(112), self._rect.center)
        rounded(surface, card, theme.palette.panel, px(12), theme.palette.line)
        space = Space(card)
        space.top(px(20))
        write(surface, theme, t("play.paused"), space.top(px(40)), 28, bold=True, align="centre")
        write(surface, theme, t("play.paused_about"), space.top(px(32)), 16, theme.palette.quiet, align="centre")

    def _draw_frame(self, surface: pygame.Surface) -> None:
        """Draw the frame that marks an earlier position."""
        theme = self._host.theme
        around = self._view.area.inflate(2 * theme.px(_FRAME + 2), 2 * theme.px(_FRAME + 2))
        pygame.draw.rect(surface, theme.palette.info, around, theme.px(_FRAME), theme.px(12))

    def _draw_area(self, surface: pygame.Surface, cell: int) -> None:
        """Draw a translucent ring around `cell`."""
        theme, pixel_of = self._host.theme, self._view.pixel_of
        middle, beside = pixel_of(cell), pixel_of(cell - 1 if cell else 1)
        if cell and middle[1] != beside[1]:  # the cell before is in another row
            beside = pixel_of(cell + 1)
        radius = round(_CELLS * pygame.Vector2(middle).distance_to(beside))
        size = 2 * radius + theme.px(8)
        ring = pygame.Surface((size, size), pygame.SRCALPHA)
        centre = size // 2, size // 2
        pygame.draw.circle(ring, (*theme.palette.info, 26), centre, radius)
        pygame.draw.aacircle(ring, (*theme.palette.info, 200), centre, radius, theme.px(3))
        with clipped(surface, self._rect):
            surface.blit(ring, ring.get_rect(center=middle))


# Keeps the game going, saved and heard while its screen is shown.


TICKS = 5
"""Seconds at the end, each of which sounds an alert."""

AUTOSAVE = 5.0
"""Seconds between two savings of the time that was spent."""

_JUST_AFTER = 0.002  # seconds


class ClockWatch:
    """Calls `alert` when a person has little time left, and `save` every few seconds, so that a crash loses little
    thinking time."""

    def __init__(self, alert: Callable[[], object], save: Callable[[], object]) -> None:
        self._alert, self._save = alert, save
        self._saved_at = 0.0
        self._node: Node | None = None
        self._second: int | None = None  # of those that are low

    def update(self, live: LiveGame, now: float) -> None:
        """Once a frame: call `alert` and `save` if they are due. Do nothing while no clock runs."""
        faces, controls, turn = live.clocks(), live.record.controls, live.record.turn
        if faces is None or controls is None or not live.running:
            return
        face = faces[turn]
        if live.person_to_move and self.is_alert_due(live.record.cursor, face, controls[turn].low(face)):
            self._alert()
        if now - self._saved_at >= AUTOSAVE:
            live.record_time()
            self._save()
            self._saved_at = now

    def is_alert_due(self, node: Node, face: ClockFace, low: bool) -> bool:
        """Whether to sound an alert now: once when the time of the side to move becomes low, and at each of the last
        `TICKS` seconds. A turn at `node` that starts with low time is not alerted again. Call it once a frame: it keeps
        state."""
        fresh = node is not self._node
        before, self._second, self._node = self._second, int(face.seconds) if low else None, node
        if self._second is None or self._second == before or face.expired:
            return False
        return self._second < TICKS or (before is None and not fresh)


def _seconds_to_clock_change(live: LiveGame) -> float | None:
    """Seconds until the display of the running clock changes; None if no clock runs."""
    if not live.running:
        return None
    faces = live.clocks()
    left = None if faces is None else faces[live.record.turn].seconds
    return 1.0 if left is None else clock_changes_in(left) + _JUST_AFTER


class GamePart(Part):
    """Keeps the game going while its screen is shown: plays moves that are due, saves, and sounds alerts. `moving`
    returns whether a piece on the board is still moving at a time; the next move of a computer waits for it."""

    def __init__(self, host: Host, state: PlayState, moving: Callable[[float], bool]) -> None:
        self._host, self._state, self._moving = host, state, moving
        self._clock_watch = ClockWatch(partial(host.sounds.play, "low_time"), state.changed)

    def open(self) -> None:
        """Start or continue the game, and find out whether it will be rated. A game with clocks that has begun stays
        paused."""
        self._state.live.open()
        self._state.saver.open()

    def update(self, now: float) -> None:
        """Play moves that are due; keep teacher, analysis and clocks up to date. Pause a game with clocks while another
        overlay than a menu is open."""
        state, live = self._state, self._state.live
        if live.timed and not isinstance(self._host.overlay, Menu | None):
            live.pause()
        if state.teacher is not None:
            state.teacher.follow(state.record.cursor, live.person_to_move and state.demand is None)
        live.held_back = state.still or self._moving(now) or (state.teacher is not None and state.teacher.holds_answer)
        state.note_thoughts()  # before the answer lands, and the other side thinks
        live.update()
        state.analyst.update()
        self._clock_watch.update(live, now)
        state.follow()

    def wake(self, now: float) -> float | None:
        """Return the seconds until the display of a clock changes or the move of a computer lands; None if neither
        will."""
        live = self._state.live
        return soonest(_seconds_to_clock_change(live), live.due)

    def status(self) -> str:
        """A note on the earlier position shown, the teaching game or a restricted first move; else the file where the
        game is saved, empty if it is not on the disk."""
        state = self._state
        if state.earlier is not None:
            if state.over:
                return f"{state.viewed_text}. {t('play.looking_over')}"
            return t("play.looking_about")
        if state.teacher is not None and not state.over:
            return t("setup.teaching_about")
        if not state.over and state.live.person_to_move and state.record.position.turn == FIRST:
            restricted = first_text(f"rule.{state.record.setup.rule}.status", default="")
            if restricted:
                return restricted
        return t("status.kept", name=state.saver.file.name) if state.saver.on_disk else ""

    def keep(self) -> None:
        """Save the game as after a change."""
        self._state.changed()

    def close(self) -> None:
        """Stop the game with all its searches, save the time spent, and complete pending writes."""
        state = self._state
        state.live.close()
        if state.live.timed and not state.over:
            state.changed()  # with what was thought so far
        state.saver.close()
        state.hints.forget()
        state.analyst.close()
        if state.teacher is not None:
            state.teacher.close()


# The screen.


_SPARED = 90  # design pixels that the table of depths leaves to the list of moves


class Play(Screen):
    """The screen of a game that is played. `file` is where it is saved, None for a new game; without `autosave` nothing
    is written. With `teaching`, blunders are warned of.

    A click on a move of the list shows that earlier position, while the game goes on.
    """

    name = "play"
    guide = "help"
    board: BoardView

    def __init__(
        self, host: Host, record: GameRecord, file: Path | None = None, autosave: bool = True, teaching: bool = False,
        back: Content | None = None,
    ) -> None:  # fmt: skip
        super().__init__(host, back)
        self.setup, self.first_position = record.setup, record.root.position
        self.state = state = PlayState(host, record, file, autosave, teaching)
        self.board = board_view(record.setup.game)
        state.ask_to_branch = partial(
            open_branch_menu, host, self.board, leave=state.show_current, holds=lambda: not state.refusal
        )
        self._header = Header(host, self.widgets, partial(game_title, record), self.go_back, back, owner=self)
        self._board = BoardPart(host, self.widgets, self.board, state, record.setup, self.all_marks)
        self._cover = BoardCover(host, self.board, state)
        self._bar = WinBar(host, record.setup.game, self.board, state.knowledge, lambda: state.shows_view)
        self._players = Players(
            host, record, state.side_on_move, state.running_seconds, lambda: state.head_to_head.score
        )
        self._turn = Turn(host, self.widgets, state)
        self._ending = EndingCard(host, self.widgets, state, lambda: self.back)
        self._failure = FailureCard(host, self.widgets, state, lambda: self.back)
        self._teaching = TeachingCard(host, self.widgets, state)
        self._opening = OpeningCard(host, self.widgets, state)
        self._view = ViewPanel(host, state)
        self._sides = SideViews(host, state)
        self._games = PlayedBefore(host, self.widgets, state, self)
        self._log = EngineLog(host, lambda: state.transcript, most=8, spared=_SPARED)
        self._considered = Considered(host, state)
        self._depths = DepthTable(host, record.setup.game, state.depths, least=3, most=6, spared=_SPARED)
        self._moves = MoveList(host, self.widgets, state)
        self._actions = ActionRow(host, self.widgets, state, MenuButton(host, self.widgets, self.entries))
        self.parts = [
            GamePart(host, state, self.board.moving), state.knowledge, state.head_to_head,
            MoveSounds(host, record, endings=True),
            self._board, self._actions, self._header, self._bar, self._players, self._turn, self._view,
            self._sides, self._games, self._log, self._considered,
            self._depths, FileKeys(host, record, state.file, lambda: state.shown), self._cover, self._failure,
            self._teaching, self._opening, self._ending, self._moves,
            ShowSearch(host, record, lambda: state.shown, state.helped, self), AboutGameEntry(host, state, self),
        ]  # fmt: skip

    def build(self, space: Space) -> None:
        """Lay out the win bar, the board and what covers it in the main area, and all other parts in the panel, the
        list of moves last, in what is left."""
        lay(space, self._bar, self._board, self._cover)
        lay(
            self.frame.side, self._header, self._players, self._turn, self._actions, self._ending, self._failure,
            self._teaching, self._opening, self._view, self._sides, self._considered, self._depths, self._log,
            self._games, self._moves,
        )  # fmt: skip
