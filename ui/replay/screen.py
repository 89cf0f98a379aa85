"""The screen on which a saved game is studied: walked through, analysed, changed, and played on from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pygame

from games.formats.terms import is_annotated
from games.position import PASS, Position, must_pass
from games.record import GameRecord, Node, path
from games.registry import GAMES
from ui import screens
from ui.board.looks import board_view
from ui.board.view import BoardView
from ui.parts.about_game import AboutGameEntry, EncodingLink
from ui.parts.board_part import BoardPart, MoveSounds
from ui.parts.game_file import FileKeys
from ui.parts.header import Header, MenuButton, open_menu
from ui.parts.players import Players
from ui.parts.show_search import ShowSearch
from ui.parts.study import Study
from ui.parts.win_bar import WinBar
from ui.replay.analysis import AnalysisSwitch, AnalysisTab, ProveThis
from ui.replay.moves_tab import MovesTab, NextMoves
from ui.replay.review_tab import ReviewTab
from ui.replay.tab import ExplorerTab, Tabs
from ui.toolkit.controls import Slider
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns
from ui.toolkit.typesetting import width_of, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import MenuEntry, Part, lay
from ui.window.screen import Screen
from ui.words.file_words import notices_sentence
from ui.words.games import outcome_colour, outcome_sentence, side_name
from ui.words.opening_words import game_title

# The line of play: walk along it, autoplay, change its tree, and play on from it.


SPEEDS = (0.5, 1.0, 2.0, 4.0)
"""Moves a second."""

_BUTTON, _SLIDER = 36, 24  # design pixels


class Transport(Part):
    """The buttons, keys and slider that walk along the line of play. Autoplay makes `speed` steps a second."""

    def __init__(self, host: Host, widgets: Widgets, state: Study) -> None:
        self._host, self._widgets, self._state, self._record = host, widgets, state, state.record
        self.speed = 1.0
        self.slider: Slider | None = None
        self._due = 0.0  # when the next step of autoplay is
        self.bindings = (
            Binding(("left",), self._go_back, "keys.previous"),
            Binding(("right",), self._go_forward, "keys.next"),
            Binding(("home",), self._go_first, "keys.first"),
            Binding(("end",), self._go_last, "keys.last"),
            Binding(("space",), self._play_or_pause, "keys.play_pause"),
        )

    def shape(self) -> object:
        """What the layout depends on: whether the moves are played automatically, and the number of moves."""
        return self._state.playing, len(self._record.line())

    def build(self, space: Space) -> None:
        """Build the row of buttons at the bottom of the space, and above it the slider of the plies."""
        px = self._host.theme.px
        self._build_buttons(space.bottom(px(_BUTTON)))
        self._build_slider(space.bottom(px(_SLIDER)))

    def _build_buttons(self, rect: pygame.Rect) -> None:
        """Make five buttons: first, previous, play or pause, next, last."""
        playing = self._state.playing
        for place, (name, icon, action, key) in zip(columns(rect, 5, self._host.theme.px(8)), (
            ("first", "first", self._go_first, "home"),
            ("previous", "back", self._go_back, "left"),
            ("play", "pause" if playing else "play", self._play_or_pause, "space"),
            ("next", "forward", self._go_forward, "right"),
            ("last", "last", self._go_last, "end"),
        ), strict=True):
            tip = t("replay.pause" if name == "play" and playing else f"replay.{name}")
            self._widgets.button(name, place, "", action, icon=icon, tip=tip, key=key)

    def _build_slider(self, rect: pygame.Rect) -> None:
        """Make the slider of the plies, if there are moves."""
        most = len(self._record.line()) - 1
        self.slider = None
        if most > 0:
            at = len(path(self._record.cursor)) - 1
            slider = Slider(self._host.theme, rect, at, most, self._go_to_ply)
            slider.label = t("reader.ply")
            self.slider = self._widgets.add("ply", slider)

    def _go_to_ply(self, ply: int) -> None:
        """Go to the position after `ply` moves of the line of play."""
        self._state.go(self._record.line()[ply])

    def update(self, now: float) -> None:
        """Step if a step of autoplay is due, and move the slider to the cursor."""
        if self._state.playing and now >= self._due:
            self._due = now + 1 / self.speed
            self._state.playing = self._record.redo()
        ply = len(path(self._record.cursor)) - 1
        if self.slider is not None and not self.slider.held and ply <= self.slider.most:
            self.slider.value = ply

    def wake(self, now: float) -> float | None:
        """Return the seconds until the next move is played; None while nothing is played."""
        return max(0.0, self._due - now) if self._state.playing else None

    def handle(self, event: pygame.event.Event) -> bool:
        """Step back or forward by the wheel, unless it is turned to the side."""
        if event.type != pygame.MOUSEWHEEL:
            return False
        if event.y > 0:
            self._go_back()
        elif event.y < 0:
            self._go_forward()
        return True

    def entries(self) -> Sequence[MenuEntry]:
        """Offer the speeds of autoplay."""
        return (MenuEntry("speed", _speed_text(self.speed), self._choose_speed),)

    def _choose_speed(self) -> None:
        """Open the menu of speeds."""
        speeds = [MenuEntry(str(speed), _speed_text(speed), partial(setattr, self, "speed", speed)) for speed in SPEEDS]
        open_menu(self._host, self._widgets.elements["menu"].rect, speeds, str(self.speed))

    def close(self) -> None:
        """Stop autoplay."""
        self._state.playing = False

    # Actions.

    def _go_first(self) -> None:
        """Go to the beginning."""
        self._state.go(self._record.root)

    def _go_last(self) -> None:
        """Go to the end of the line of play."""
        self._state.go(self._record.line()[-1])

    def _go_forward(self) -> None:
        """Go to the next position of the line of play, if any."""
        if self._record.cursor.next is not None:
            self._state.go(self._record.cursor.next)

    def _go_back(self) -> None:
        """Go to the previous position, if any."""
        if self._record.cursor.parent is not None:
            self._state.go(self._record.cursor.parent)

    def _play_or_pause(self) -> None:
        """Start or stop autoplay; at the end of the line, start at the beginning."""
        if not self._state.playing and self._record.cursor.next is None:
            self._record.go_to(self._record.root)
        self._state.playing, self._due = not self._state.playing, 0.0


def _speed_text(speed: float) -> str:
    """Return a speed of autoplay, in moves a second, as text."""
    return t("replay.speed", speed=f"{speed:g}")


class Editing(Part):
    """The keys that change the tree of moves, and the name of the file in the status line."""

    def __init__(self, state: Study) -> None:
        self._state = state
        self.bindings = (
            Binding(("up",), partial(self._step_variation, -1), "keys.variation_up"),
            Binding(("down",), partial(self._step_variation, 1), "keys.variation_down"),
            Binding(("p",), self._promote, "keys.promote", "keys.promote"),
            Binding(("delete",), self._remove_following, "keys.remove", "keys.remove"),
            Binding(("ctrl+z",), state.undo, "library.undo", "library.undo"),
        )

    def status(self) -> str:
        """Return the name of the file, or that its changes are kept in a copy."""
        state = self._state
        if state.edits and state.file.own is not None:
            return t("replay.kept", name=state.file.own.name)
        return state.file.path.name if state.file.path else ""

    def close(self) -> None:
        """Try once more to save changes that could not be saved."""
        if self._state.file.unsaved:  # there may be room now
            self._state.file.save_edits()

    def _step_variation(self, step: int) -> None:
        """Let `redo` lead to the next (1) or previous (-1) of the moves from here; the cursor stays."""
        record, here = self._state.record, self._state.record.cursor
        if here.next is not None:
            record.go_to(here.children[(here.preferred + step) % len(here.children)])
            record.go_to(here)

    def _promote(self) -> None:
        """Make the line that continues from the cursor the main line."""
        self._state.promote(self._state.record.cursor.next or self._state.record.cursor)

    def _remove_following(self) -> None:
        """Remove the move that `redo` leads to, with its subtree."""
        if self._state.record.cursor.next is not None:
            self._state.remove(self._state.record.cursor.next)


class PlayOnButton(Part):
    """The button to play on from the position, the pass, and the `menu` at the right, in a row at the bottom of the
    space. What is opened leads back to `owner`."""

    def __init__(self, host: Host, widgets: Widgets, state: Study, menu: Part, owner: Content) -> None:
        self._host, self._widgets, self._state, self._menu, self._owner = host, widgets, state, menu, owner
        self.bindings = (Binding(("return",), self._play_on_by_key, "keys.play_on"),)

    def build(self, space: Space) -> None:
        """Build the row: the menu at the right, the pass at the left if the game has passes, and the button to play on
        in the rest."""
        px = self._host.theme.px
        row = Space(space.bottom(px(BUTTON)), px(8))
        self._menu.build(row)
        if GAMES[self._state.record.setup.game].passes:
            text, choose = t("move.pass"), partial(self._state.choose, PASS)
            place = row.left(width_of(self._host.theme, text, 16) + px(32))
            self._widgets.button("pass", place, text, choose, key="ctrl+p")
        self._widgets.button(
            "play_on", row.rest, t("replay.play_on"), self._play_on, style="@primary", key="return",
            enabled=self._possible,
        )  # fmt: skip
        self.update(0.0)

    @property
    def _possible(self) -> bool:
        """Whether the game is not over at the cursor."""
        return self._state.record.position.outcome is None

    def update(self, now: float) -> None:
        """Enable the buttons where a game can go on, and where a pass is legal."""
        self._widgets.enable("play_on", self._possible)
        if "pass" in self._widgets.elements:
            self._widgets.enable("pass", PASS in self._state.shown.position.legal_moves())

    def entries(self) -> Sequence[MenuEntry]:
        """Offer to open the position in the editor, if positions of the game can be set up."""
        if GAMES[self._state.record.setup.game].arrange is None:
            return ()
        return (MenuEntry("set_up", t("editor.from_here"), self._set_up),)

    def _set_up(self) -> None:
        """Open the position in the editor of positions."""
        self._host.open(screens.position_editor, self._state.record, back=self._owner)

    def _play_on_by_key(self) -> bool:
        """Play on. Return False, so that the board gets the key, if the keyboard's cursor is on the board."""
        points = self._state.pointer.cursor is not None
        if not points:
            self._play_on()
        return not points

    def _play_on(self) -> None:
        """Open the set-up of a game that continues from here; the file stays as it is."""
        if self._possible:
            self._host.open(screens.setup, record=self._state.record, back=self._owner)


_POSITION_LINE = 24  # design pixels


class PositionLine(Part):
    """One line of text: the number of the shown position, and the outcome or an evaluation."""

    def __init__(self, host: Host, state: Study) -> None:
        self._host, self._state = host, state

    def build(self, space: Space) -> None:
        """Take the room of the line at the top of the space."""
        self._rect = space.top(self._host.theme.px(_POSITION_LINE))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Write the number of the position, and behind it the evaluation or that the side to move must pass; at the end
        of the game the outcome in its place. Without room, shorten or leave out the number."""
        record, theme, colour = self._state.record, self._host.theme, self._host.theme.palette.text
        shown, at, last = self._state.shown, len(path(record.cursor)) - 1, len(record.line()) - 1
        there = shown is record.cursor
        text = t("replay.position" if there else "replay.before", ply=at, total=last)
        if there and record.outcome is not None:
            text = outcome_sentence(record, record.outcome)
            colour = getattr(theme.palette, outcome_colour(record, record.outcome))
        elif sentence := self._sentence(shown.position):
            texts = f"{text} · {sentence}", f"{len(path(shown)) - 1}/{last} · {sentence}"
            text = next((each for each in texts if width_of(theme, each, 16, True) <= self._rect.width), sentence)
        write(surface, theme, text, self._rect, 16, colour, bold=True)

    def _sentence(self, position: Position) -> str:
        """Return that the side to move must pass, or else the engine's evaluation; may be empty."""
        if must_pass(position):
            return t("play.must_pass", side=side_name(position.game, position.turn))
        return self._state.knowledge.sentence


# The screen.


class Replay(Screen):
    """The screen on which a game is studied. `record` is shown from its beginning, with `at_cursor` from its cursor, or
    from the node `at`.

    `tab` is the name of a tab to show, whose work begins at once. Without it, an annotated game shows the moves, any
    other the tab that was chosen last. `original` is the file that a person has opened, if `file` is a copy of it with
    changes. Without `autosave` nothing is written.
    """

    name = "replay"
    guide = "library"
    board: BoardView

    def __init__(
        self, host: Host, record: GameRecord, file: Path | None = None, at_cursor: bool = False,
        back: Content | None = None, tab: str = "", at: Node | None = None, autosave: bool = True,
        original: Path | None = None,
    ) -> None:  # fmt: skip
        super().__init__(host, back)
        self.setup, self.first_position = record.setup, record.root.position
        self.state = state = Study(host, record, file, autosave, original)
        state.encoding.reopen = partial(self._reopen, original or file)
        if at is None and not at_cursor:
            record.go_to(record.root)
        self._at = at
        state.tab = tab or (MovesTab.name if is_annotated(record) else host.settings.study_tab)
        self.board = board_view(record.setup.game)
        self._begun, self._asked = False, bool(tab)
        self._header = Header(host, self.widgets, partial(game_title, record), self.go_back, back, owner=self)
        self._board = BoardPart(host, self.widgets, self.board, state, record.setup, self.all_marks, steering=False)
        self._bar = WinBar(host, record.setup.game, self.board, state.knowledge, lambda: state.evaluated)
        self._players = Players(host, record, state.side_on_move)
        self._line = PositionLine(host, state)
        menu = MenuButton(host, self.widgets, self.entries, width=48)
        self._play_on = PlayOnButton(host, self.widgets, state, menu, self)
        self._transport = Transport(host, self.widgets, state)
        proofs = ProveThis(host, state)
        self._tabs = Tabs(host, self.widgets, state, (
            MovesTab(host, self.widgets, state, self.board), AnalysisTab(host, self.widgets, state, proofs),
            ReviewTab(host, self.widgets, state, self), ExplorerTab(host, self.widgets, state, self),
        ))  # fmt: skip
        self.parts = [
            MoveSounds(host, record), self._header, self._board, self._players, self._line,
            self._transport, Editing(state), proofs, self._play_on,
            FileKeys(host, record, state.file, lambda: state.shown), AnalysisSwitch(state), self._tabs,
            NextMoves(host, state),
            state.knowledge, self._bar,
            ShowSearch(host, record, lambda: state.shown, state.helped, self), AboutGameEntry(host, state, self),
            EncodingLink(host, state.encoding, lambda: self.frame.free, lambda: self.widgets.elements["menu"].rect),
        ]  # fmt: skip

    def open(self) -> None:
        """When shown first, go to the node `at`, say what the reader of the file left out, and begin the work of
        `tab`."""
        if self._at is not None:  # not before: the screen that was left may have saved the game at its end
            self.state.record.go_to(self._at)
            self._at = None
        super().open()
        if self._begun:
            return
        self._begun = True
        if self.state.record.notices:
            guess = all(notice.kind == "encoding" for notice in self.state.record.notices)
            self.host.say(notices_sentence(self.state.record.notices), "info" if guess else "bad")
        if self._asked:
            self._tabs.chosen.start()

    def _reopen(self, file: Path | None, record: GameRecord) -> None:
        """Show the file as it was read in another encoding that makes other moves of it."""
        self.host.open(screens.replay, record, file, back=self.back)

    def build(self, space: Space) -> None:
        """Lay out the win bar and the board in the main area, and in the panel header, players, line, buttons, tabs and
        evaluation."""
        side = self.frame.side
        lay(space, self._bar, self._board)
        lay(side, self._header, self._players, self._line, self._play_on)
        side.gap = self.host.theme.px(8)
        lay(side, self._transport, self._tabs, self.state.knowledge)
