"""What the scenes with a board and a record share: layout, marks, saving and keys."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import pygame

from ai.review.registry import insight
from ai.review.view import View
from games.formats import FormatError, encoded
from games.formats.pasted import copied
from games.position import PASS, Outcome, Position
from games.record import Evaluation, GameRecord, Node, moves_to
from games.registry import GAMES
from games.storage import saves_home
from ui.board.registry import board_view, look
from ui.board.view import Frame, Marks
from ui.game.ending_sound import ending_sound
from ui.game.exports import export_picture
from ui.game.points import Points
from ui.game.viewer import Viewer
from ui.host import Host
from ui.parts.players import HEIGHT as PLAYERS_HEIGHT
from ui.parts.players import draw_players
from ui.parts.win_bar import GAP, WIDTH, WinBar
from ui.screens.board_scene import BoardScene
from ui.screens.settings import SettingsScene
from ui.toolkit import clipboard
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.menu import Menu
from ui.toolkit.text import write
from ui.words.file_names import proposed_file
from ui.words.files import file_sentence
from ui.words.games import setup_name
from ui.words.moves import reason_sentence
from ui.words.reasons import move_reason, node_reason
from ui.words.views import first_side_wins, view_sentence

SHARED = (
    Binding(("ctrl+n",), "do_new", "keys.new"),
    Binding(("ctrl+o",), "do_open", "keys.open"),
    Binding(("ctrl+s",), "do_save", "keys.save"),
    Binding(("ctrl+shift+s",), "do_save_as", "keys.save_as"),
    Binding(("ctrl+c",), "do_copy", "keys.copy"),
    Binding(("ctrl+e",), "do_export_picture", "keys.export_picture"),
    Binding(("n",), "do_numbers", "keys.numbers"),
    Binding(("c",), "do_coordinates", "keys.coordinates"),
    Binding(("a",), "do_thinking", "keys.analysis"),
    Binding(("escape",), "do_back", "keys.back"),
)

PASSING = Binding(("ctrl+p",), "do_pass", "keys.pass")
"""In games that allow it only."""

THREATS = Binding(("t",), "do_threats", "keys.threats")
"""In games that have threats only."""

Entries = tuple[tuple[str, str], ...]
"""What a menu offers: the key of the words, and the method of the scene."""

MENU: Entries = (
    ("play.new_game", "do_new"),
    ("play.open", "do_open"),
    ("play.save", "do_save"),
    ("play.save_as", "do_save_as"),
    ("keys.copy", "do_copy"),
    ("export.action", "do_export_picture"),
)
"""What the menu “⋯” of every scene with a game offers."""


class GameScene(BoardScene):
    """A board on the left, players on the right; what is below them is for the subclass."""

    tells_ending = False
    """Whether the end of the game has a sound."""
    entries: Entries = MENU
    """What the menu “⋯” offers."""

    def __init__(self, host: Host, record: GameRecord) -> None:
        super().__init__(host)
        self.record = record
        self.setup = record.setup
        if GAMES[record.setup.game].passes:
            self.bindings = (*self.bindings, PASSING)
        if insight(record.setup.game).threats:
            self.bindings = (*self.bindings, THREATS)
        self.first_position = record.root.position
        self.viewer = Viewer(host.wake)
        self.bar = WinBar(record.setup.game, host.settings.motion)
        self.board = board_view(record.setup.game)
        self.file: Path | None = None
        self.points = Points()
        self._heard: tuple[Node, Outcome | None] | None = None

    # Layout.

    def build(self) -> None:
        px = self.host.theme.px
        self.board_rect, space, self.status = self.split()
        theme, room = self.host.theme, Space(self.board_rect, px(GAP))
        if self.shows_bar:
            room.left(px(WIDTH))
        self.board_rect = room.rest
        self.board.place(Frame(room.rest, theme.scale, theme.palette, theme.font, self.host.settings.motion))
        self._build_header(space.top(px(36)))
        self.players_rect = space.top(px(PLAYERS_HEIGHT))
        self.turn_rect = space.top(px(24))
        self.build_panel(space)
        self.sync(time.monotonic())
        self.bar.place(self.board.area, theme)
        self._heard = self._heard or (self.record.cursor, self.record.outcome)

    def build_panel(self, space: Space) -> None:
        """Make what is under the players."""

    def _build_header(self, rect: pygame.Rect) -> None:
        px = self.host.theme.px
        space = Space(self.back_button(rect) if self.back else rect, px(4))
        home = [] if self.back else [("home", self.do_back, "escape")]
        for name, action, key in (*home, ("settings", self.do_settings, ""), ("keys", self.host.show_keys, "f1")):
            place, tip = space.right(px(36)), t(f"tip.{name}")
            self.widgets.button(name, place, "", action, style="@icon", icon=name, tip=tip, key=key)
        self.title_rect = space.rest

    def build_menu(self, rect: pygame.Rect) -> None:
        """The button that opens the menu of what is rarely needed."""
        self.widgets.button("menu", rect, "", self.do_menu, icon="more", tip=t("tip.menu"))

    def leave(self) -> None:
        self.viewer.close()
        self.host.files.settle()  # what comes next may read what was saved

    # Time and picture.

    def sync(self, now: float) -> None:
        """Show the position of `shown` on the board."""
        node = self.shown()
        self.board.show(node.position, moves_to(node), now)

    def update(self, now: float) -> None:
        self.sync(now)
        self._sound()
        if self.shows_bar:
            self.bar.show(self.wins(), now)

    def _sound(self) -> None:
        """Play the sound of a new move, and of the end of the game."""
        record, before = self.record, self._heard
        self._heard = record.cursor, record.outcome
        if before is None:
            return
        node, outcome = before
        if record.position.ply > node.position.ply:
            self.host.sounds.play(look(record.setup.game).sound)
        ending = ending_sound(record)
        if self.tells_ending and outcome is None and ending is not None:
            self.host.sounds.play(ending)

    def wake(self, now: float) -> float | None:
        return 0.0 if self.board.moving(now) or (self.shows_bar and self.bar.moving) else None

    # The engine's view.

    @property
    def shows_bar(self) -> bool:
        """Whether the win bar is beside the board."""
        return False

    def evaluated(self) -> tuple[Position, Evaluation | None]:
        """The position that the engine's view is shown of, and what is known of it."""
        return self.shown().position, self.shown().evaluation

    def view(self) -> View | None:
        """The engine's view of that position; None while there is none."""
        return self.viewer.view(self.record.setup, *self.evaluated())

    def view_sentence(self) -> str:
        return view_sentence(self.record.setup, *self.evaluated(), self.view())

    def wins(self) -> float | None:
        """Win probability of the first side, None where nothing is known."""
        return first_side_wins(self.record.setup, *self.evaluated(), self.view(), self.shown().ending)

    @property
    def hidden(self) -> bool:
        """Whether board and moves are hidden."""
        return False

    def shown(self) -> Node:
        """The node whose position is on the board."""
        return self.record.cursor

    def marks(self) -> Marks:
        """The marks on the board now."""
        settings = self.host.settings
        return Marks(
            numbers=settings.numbers,
            coordinates=settings.coordinates,
            forbidden=tuple(self.forbidden()),
            threats=self.points.threats(self.shown().position) if settings.threats and self.explains else (),
            drawn=self.shown().marks,
        )

    @property
    def explains(self) -> bool:
        """Whether threats and the reasons of moves may be shown."""
        return True

    def forbidden(self) -> dict[int, str]:
        """The points that the rules deny the side to move, each with the reason."""
        return self.points.forbidden(self.shown())

    def _pointed_text(self) -> str:
        """Why the point under the pointer, or else under the keyboard's cursor, is forbidden, or why an engine
        considers it; else why the move in the list under the pointer was played."""
        marks = self.marks()
        advised = {*marks.hints, *marks.line[:1], *(candidate.move for candidate in marks.candidates)}
        for point in (self.hover, self.cursor):
            if point in self.forbidden():
                return reason_sentence(self.forbidden()[point])
            if point is not None and point in advised:
                return move_reason(self.shown().position, point)
        node = None if self.hidden or not self.explains else self.pointed_node()
        return "" if node is None else node_reason(node)

    def pointed_node(self) -> Node | None:
        """The move in the panel under the pointer."""
        return None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme = self.host.theme
        told = self._pointed_text() or self.advice()
        self.draw_frame(surface, self.status, told or self.status_text(), t("status.keys"), bool(told))
        self.board.draw(surface, self.marks(), now)
        if self.shows_bar:
            self.bar.draw(surface, theme)
        self._draw_title(surface)
        draw_players(surface, theme, self.players_rect, self.record, self.running_seconds(), self.on_move())
        self.draw_turn(surface)

    def _draw_title(self, surface: pygame.Surface) -> None:
        """Draw the name of the game, and under it its size and rule."""
        theme, rect = self.host.theme, self.title_rect
        game, _, chosen = setup_name(self.record.setup).partition(" · ")
        if chosen:
            rect = pygame.Rect(rect.left, rect.top, rect.width, theme.px(18))
            below = rect.move(0, theme.px(19))
            write(surface, theme, chosen, below, 14, theme.palette.quiet)
        write(surface, theme, game, rect, 16, bold=True)

    def draw_turn(self, surface: pygame.Surface) -> None:
        """The line under the players."""

    def advice(self) -> str:
        """What a person has asked for: it stands out in the status line."""
        return ""

    def status_text(self) -> str:
        return ""

    def running_seconds(self) -> float | None:
        """How long the side to move has been thinking, None when its clock does not run."""
        return None

    def on_move(self) -> int | None:
        """The side that is to move in the game, None where it is over."""
        return None if self.record.outcome is not None else self.record.position.turn

    # Input.

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            self.point_at(event.pos)
            return False
        if event.type == pygame.MOUSEWHEEL:
            return self.wheel(event.y)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            return self.clicked(event.pos)
        return False

    def wheel(self, turns: int) -> bool:
        """Act on the wheel. True when it was consumed."""
        return False

    def clicked(self, pixel: tuple[int, int]) -> bool:
        """Act on a click on what is no widget. True when it was consumed."""
        self.widgets.leave_focus()
        move = self.board.move_at(pixel)
        if move is not None:
            self.chosen(move)
        return move is not None

    def chosen(self, move: int) -> None:
        """A move was chosen on the board."""

    def do_pass(self) -> None:
        self.chosen(PASS)

    def do_place(self) -> None:
        if self.cursor is not None:
            self.chosen(self.cursor)

    # Actions.

    def do_menu(self) -> None:
        options = [(action, t(words)) for words, action in self.entries]
        under = self.widgets.buttons["menu"].rect
        self.host.overlay = Menu(self.host, under, options, "", lambda action: getattr(self, action)())

    def do_numbers(self) -> None:
        self._toggle("numbers")

    def do_threats(self) -> None:
        self._toggle("threats")
        self.host.say(t("threats.shown" if self.host.settings.threats else "threats.hidden"))

    def do_thinking(self) -> None:
        self._toggle("thinking")
        self.host.rebuild()

    def do_new(self) -> None:
        self.host.new_game(self.record.setup.game)

    def do_settings(self) -> None:
        self.host.show(SettingsScene(self.host, self))

    def do_open(self) -> None:
        self.host.choose_file(saves_home(), self.open_file)

    def do_save(self) -> None:
        """Save to the file of the game, or ask for one."""
        if self.file is None:
            self.do_save_as()
        else:
            self.save_to(self.file)

    def do_save_as(self) -> None:
        self.host.files.settle()  # a name is proposed that no file has
        self.host.choose_file(proposed_file(self.record, self.file), self.save_to, saving=True)

    def do_copy(self) -> None:
        self.copy(self.shown())

    def copy(self, node: Node) -> None:
        """Put the moves that led to `node` on the clipboard."""
        done = clipboard.put(copied(self.record, node))
        self.host.say(t("copy.done" if done else "copy.failed"), "good" if done else "bad")

    def do_export_picture(self) -> None:
        """Ask for a file, and write the position shown or the whole game there as a picture."""
        export_picture(self.host, self.record, self.shown(), proposed_file(self.record, self.file, ".png"))

    def contents(self, file: Path) -> bytes:
        """The bytes to write to `file`. Raise `FormatError`."""
        return encoded(self.record, file)

    def save_to(self, file: Path) -> None:
        """Write the record to `file`, then say so, or why not."""
        try:
            data = self.contents(file)
        except FormatError as error:
            self.host.say(file_sentence(error, file.name), "bad")
        else:
            self.host.files.write(file, data, partial(self._saved, file, self.file))
            self.file = file

    def _saved(self, file: Path, before: Path | None, error: OSError | None) -> None:
        if error is not None:
            if self.file == file:
                self.file = before
            self.host.say(file_sentence(error, file.name), "bad")
            return
        self.host.settings.remember_file(file)
        self.host.save_settings()
        self.host.say(t("play.saved", name=file.name), "good")
