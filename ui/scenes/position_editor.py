"""The analysis board: any position can be set up on it, to be analysed or played on from."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import pygame

from games.game import Game
from games.position import FIRST, SECOND, Position, Stones, cells_of
from games.record import GameRecord
from games.registry import GAMES, Setup, setup
from ui.board.registry import board_view, look
from ui.board.view import Frame, Marks
from ui.game.words import rule_name, short_name, side_name, size_name
from ui.host import Host, Screen
from ui.scene import Scene
from ui.scenes.play_on import PlayOn
from ui.scenes.replay import Replay
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.text import write

ERASER = 2
"""The tool that takes stones away; the other tools are sides, whose stones they put."""

_TOOLS = (FIRST, SECOND, ERASER)


def arrangeable() -> list[Game]:
    """The games in which positions can be set up."""
    return [game for game in GAMES.values() if game.arrange is not None]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What is set up: `cells` are the contents of the board, as `games.position.cells_of` has them."""

    setup: Setup
    cells: bytes
    turn: int = FIRST

    @classmethod
    def empty(cls, setup: Setup) -> Arrangement:
        return cls(setup, cells_of(setup.start()))

    @classmethod
    def of(cls, record: GameRecord) -> Arrangement:
        """What is on the board at the cursor of `record`, or before the end of the game."""
        node = record.cursor
        while node.position.outcome is not None and node.parent is not None:
            node = node.parent
        return cls(record.setup, cells_of(node.position), node.position.turn)

    def stones(self, turn: int) -> Stones:
        first, second = (
            tuple(cell for cell, content in enumerate(self.cells) if content == side + 1) for side in (FIRST, SECOND)
        )
        return Stones((first, second), turn)

    def position(self, turn: int) -> Position:
        """The position with `turn` to move. Raise `ValueError` if the stones cannot stand."""
        return self.setup.start(self.stones(turn))

    def with_content(self, cell: int, content: int) -> Arrangement:
        return replace(self, cells=self.cells[:cell] + bytes((content,)) + self.cells[cell + 1 :])

    def on(self, other: Setup) -> Arrangement:
        """The same stones on the board of `other`, from the middle; those that are not on it are left out."""
        board = GAMES[self.setup.game].board
        if board is None:
            return replace(self, setup=other)
        (width, height), (wide, high) = board(self.setup.size), board(other.size)
        cells = bytearray(wide * high)
        for cell, content in enumerate(self.cells):
            row, column = divmod(cell, width)
            row, column = row + high // 2 - height // 2, column + wide // 2 - width // 2
            if 0 <= row < high and 0 <= column < wide:
                cells[row * wide + column] = content
        return replace(self, setup=other, cells=bytes(cells))


class PositionEditor(Scene):
    """`record` gives the position of its cursor to begin with; otherwise the board is empty. `back` is as in `Scene`.

    What cannot stand is never on the board: a change that would lead there is refused with a sentence.
    """

    name = "position_editor"
    bindings = (
        Binding(("left",), "do_left", "keys.cursor_left"),
        Binding(("right",), "do_right", "keys.cursor_right"),
        Binding(("up",), "do_up", "keys.cursor_up"),
        Binding(("down",), "do_down", "keys.cursor_down"),
        Binding(("space",), "do_place", "editor.place"),
        Binding(("1",), "do_first_tool", "editor.tool.first"),
        Binding(("2",), "do_second_tool", "editor.tool.second"),
        Binding(("3",), "do_eraser", "editor.erase"),
        Binding(("x",), "do_swap_turn", "editor.other_turn"),
        Binding(("delete",), "do_clear", "editor.clear"),
        Binding(("ctrl+z",), "do_undo", "library.undo"),
        Binding(("c",), "do_coordinates", "keys.coordinates"),
        Binding(("return",), "do_analyse", "editor.analyse"),
        Binding(("p",), "do_play", "keys.play_on"),
        Binding(("escape",), "do_back", "keys.back"),
    )

    def __init__(self, host: Host, record: GameRecord | None = None, back: Screen | None = None) -> None:
        super().__init__(host)
        self.back = back
        self.tool = FIRST
        self.hover: int | None = None
        self.cursor: int | None = None
        self._painted: int | None = None  # the content that a held button gives to cells
        self._past: list[Arrangement] = []
        if record is None or GAMES[record.setup.game].arrange is None:
            self._begin(Arrangement.empty(setup(arrangeable()[0].key)))
        else:
            self._begin(Arrangement.of(record))

    def _begin(self, arrangement: Arrangement) -> None:
        self.board = board_view(arrangement.setup.game)
        self._take_over(arrangement)

    def _take_over(self, arrangement: Arrangement) -> None:
        self.now = arrangement
        self.setup = arrangement.setup
        self.first_position = self.setup.start()
        self.position = arrangement.position(arrangement.turn)

    # Layout.

    def build(self) -> None:
        px = self.host.theme.px
        self.board_rect, space, self.status = self.split()
        self._labels: list[tuple[pygame.Rect, str]] = []
        space.gap = px(8)
        self.title_rect = self.back_button(space.top(px(36)))
        foot = space.bottom(px(44))
        ready = self.position.outcome is None
        self.widgets.button(
            "analyse", foot, t("editor.analyse"), self.do_analyse, style="@primary", key="return", enabled=ready
        )
        self.widgets.button(
            "play", space.bottom(px(BUTTON)), t("replay.play_on"), self.do_play, key="p", enabled=ready
        )
        self._build_game(space)
        self._build_tools(space)
        theme = self.host.theme
        self.board.place(Frame(self.board_rect, theme.scale, theme.palette, theme.font, False))
        self.sync()

    def _build_game(self, space: Space) -> None:
        px, game = self.host.theme.px, GAMES[self.now.setup.game]
        games = [(each.key, short_name(each.key)) for each in arrangeable()]
        row = columns(space.top(px(BUTTON)), len(games), px(6))
        self.widgets.choice("game", row, games, game.key, self._set_game)
        if len(game.sizes) > 1:
            line = Space(space.top(px(BUTTON)), px(6))
            less, more = line.left(px(BUTTON)), line.right(px(BUTTON))
            self.widgets.button("size.less", less, "", lambda: self._step_size(-1), icon="minus", tip=t("tip.less"))
            self.widgets.button("size.more", more, "", lambda: self._step_size(1), icon="plus", tip=t("tip.more"))
            self.size_rect = line.rest
        if len(game.rules) > 1:
            row = columns(space.top(px(BUTTON)), len(game.rules), px(6))
            rules = [(rule, rule_name(rule)) for rule in game.rules]
            self.widgets.choice("rule", row, rules, self.now.setup.rule, self._set_rule)

    def _build_tools(self, space: Space) -> None:
        px, game = self.host.theme.px, self.now.setup.game
        sides = [(str(side), side_name(game, side)) for side in (FIRST, SECOND)]
        self._label(space, t("editor.tools"))
        row = columns(space.top(px(BUTTON)), len(_TOOLS), px(6))
        tools = [*sides, (str(ERASER), t("editor.erase"))]
        self.widgets.choice("tool", row, tools, str(self.tool), lambda tool: self._take(int(tool)))
        self._label(space, t("editor.turn"))
        row = columns(space.top(px(BUTTON)), 2, px(6))
        self.widgets.choice("turn", row, sides, str(self.now.turn), lambda side: self._set_turn(int(side)))
        space.top(px(8))
        undo, clear = columns(space.top(px(BUTTON)), 2, px(6))
        self.widgets.button("undo", undo, t("library.undo"), self.do_undo, key="ctrl+z", enabled=bool(self._past))
        filled = any(self.now.cells)
        self.widgets.button("clear", clear, t("editor.clear"), self.do_clear, key="delete", enabled=filled)

    def _label(self, space: Space, text: str) -> None:
        space.top(self.host.theme.px(4))
        self._labels.append((space.top(self.host.theme.px(22)), text))

    # Picture.

    def sync(self) -> None:
        """Show the stones; a stone under the pointer is of the side whose tool is taken."""
        side = self.now.turn if self.tool == ERASER else self.tool
        self.board.show(self.now.position(side), (), time.monotonic())

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme = self.host.theme
        self.draw_frame(surface, self.status, self.status_text(), t("status.keys"))
        hover = None if self.tool == ERASER else self.hover
        marks = Marks(hover=hover, cursor=self.cursor, coordinates=self.host.settings.coordinates)
        self.board.draw(surface, marks, now)
        write(surface, theme, t("editor.title"), self.title_rect, 20, bold=True)
        for rect, text in self._labels:
            write(surface, theme, text, rect, 14, theme.palette.quiet)
        if "size.less" in self.widgets.elements:
            rounded(surface, self.size_rect, theme.palette.raised, theme.px(8))
            size = size_name(self.now.setup.game, self.now.setup.size)
            write(surface, theme, size, self.size_rect, 16, align="centre")

    def status_text(self) -> str:
        game, stones = self.now.setup.game, self.now.stones(self.now.turn)
        if self.position.outcome is not None:
            return t("editor.full")
        if not any(self.now.cells):
            return t("editor.about")
        counts = (t("editor.count", side=side_name(game, side), count=len(stones.of[side])) for side in (0, 1))
        return " · ".join(counts)

    # Changes.

    def change(self, to: Arrangement) -> bool:
        """Go on with `to`, or say why it cannot be."""
        if to == self.now:
            return False
        try:
            to.position(to.turn)
        except ValueError:
            self.host.say(t("editor.refused"), "bad", holds=lambda here=self.now: self.now is here)  # type: ignore[misc]
            return False
        self._past.append(self.now)
        self._show(to)
        return True

    def _show(self, to: Arrangement) -> None:
        if to.setup.game != self.now.setup.game:
            self._begin(to)
        else:
            self._take_over(to)
        self.host.rebuild()

    def paint(self, cell: int, content: int) -> None:
        """Give `content` to `cell`: 0, or 1 and 2 for a stone of the first and the second side."""
        if self.change(self.now.with_content(cell, content)) and content:
            self.host.sounds.play(look(self.now.setup.game).sound)

    def _content(self, cell: int, erasing: bool) -> int:
        """What a click makes of `cell`: a stone of the tool's side, or nothing where one lies already."""
        wanted = 0 if erasing or self.tool == ERASER else self.tool + 1
        return 0 if self.now.cells[cell] == wanted else wanted

    def paste(self, record: GameRecord) -> bool:
        """Set up the position of the cursor of a pasted game. False if that cannot be done in its game."""
        if GAMES[record.setup.game].arrange is None:
            return False
        self.change(Arrangement.of(record))
        return True

    # Input.

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            self.hover, self.cursor = self.board.move_at(event.pos), None
            if self._painted is not None and self.hover is not None:
                self.paint(self.hover, self._painted)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 3):
            cell = self.board.move_at(event.pos)
            self.widgets.leave_focus()
            if cell is not None:
                self._painted = self._content(cell, event.button == 3)
                self.paint(cell, self._painted)
                return True
        elif event.type == pygame.MOUSEBUTTONUP:
            self._painted = None
        return False

    def _set_game(self, game: str) -> None:
        if game != self.now.setup.game:
            self.change(Arrangement.empty(setup(game)))

    def _set_rule(self, rule: str) -> None:
        self.change(self.now.on(replace(self.now.setup, rule=rule)))

    def _step_size(self, step: int) -> None:
        sizes = GAMES[self.now.setup.game].sizes
        size = max(sizes[0], min(sizes[-1], self.now.setup.size + step))
        self.change(self.now.on(replace(self.now.setup, size=size)))

    def _set_turn(self, side: int) -> None:
        self.change(replace(self.now, turn=side))

    def _take(self, tool: int) -> None:
        self.tool = tool
        self.host.rebuild()

    def do_first_tool(self) -> None:
        self._take(FIRST)

    def do_second_tool(self) -> None:
        self._take(SECOND)

    def do_eraser(self) -> None:
        self._take(ERASER)

    def do_swap_turn(self) -> None:
        self._set_turn(1 - self.now.turn)

    def do_clear(self) -> None:
        self.change(Arrangement.empty(self.now.setup))

    def do_undo(self) -> None:
        if self._past:
            self._show(self._past.pop())

    def do_coordinates(self) -> None:
        settings = self.host.settings
        settings.coordinates = not settings.coordinates
        self.host.save_settings()

    def do_left(self) -> None:
        self._step(-1, 0)

    def do_right(self) -> None:
        self._step(1, 0)

    def do_up(self) -> None:
        self._step(0, -1)

    def do_down(self) -> None:
        self._step(0, 1)

    def _step(self, right: int, down: int) -> None:
        self.cursor = self.board.step(self.hover if self.cursor is None else self.cursor, right, down)
        self.hover = None

    def do_place(self) -> None:
        if self.cursor is not None:
            self.paint(self.cursor, self._content(self.cursor, erasing=False))

    # The ways on.

    def do_analyse(self) -> None:
        self._go_on(lambda record: Replay(self.host, record, back=self, tab="analysis"))

    def do_play(self) -> None:
        self._go_on(lambda record: PlayOn(self.host, record, self))

    def _go_on(self, scene: Callable[[GameRecord], Scene]) -> None:
        if self.position.outcome is None:
            empty = self.now == Arrangement.empty(self.now.setup)
            stones = None if empty else self.now.stones(self.now.turn)
            self.host.show(scene(GameRecord(self.now.setup, stones=stones)))
