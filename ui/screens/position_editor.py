"""The analysis board: any position can be set up on it, to be analysed or played on from."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pygame

from games.arrangement import Arrangement
from games.game import Game
from games.position import FIRST, SECOND
from games.record import GameRecord
from games.registry import GAMES, setup
from ui.board.registry import board_view, look
from ui.board.view import Frame, Marks
from ui.host import Host, Screen
from ui.scene import Scene
from ui.screens.board_scene import BoardScene
from ui.screens.play_on import PlayOn
from ui.screens.replay import Replay
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import first_text, t
from ui.toolkit.keys import CURSOR, Binding
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.text import text_rows, write
from ui.words.games import rule_name, short_name, side_name, size_name

ERASER = 2
"""The tool that takes stones away; the other tools are sides, whose stones they put."""

_TOOLS = (FIRST, SECOND, ERASER)

_CELL_KEYS = (
    Binding(("1",), "do_first_tool", "editor.tool.first"),
    Binding(("2",), "do_second_tool", "editor.tool.second"),
    Binding(("3",), "do_eraser", "editor.erase"),
    Binding(("delete",), "do_clear", "editor.clear"),
)
"""In games with cells only."""


def arrangeable() -> list[Game]:
    """The games in which positions can be set up."""
    return [game for game in GAMES.values() if game.arrange is not None]


class PositionEditor(BoardScene):
    """`record` gives the position of its cursor to begin with; otherwise the board is empty. `back` is as in `Scene`.

    What cannot stand is never on the board: a change that would lead there is refused with a sentence. In a game
    without cells, the moves on the board change its size.
    """

    name = "position_editor"
    bindings = (
        *CURSOR,
        Binding(("space",), "do_place", "editor.place"),
        *_CELL_KEYS,
        Binding(("x",), "do_swap_turn", "editor.other_turn"),
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
        self._painted: int | None = None  # the content that a held button gives to cells
        self._past: list[Arrangement] = []
        if record is None or GAMES[record.setup.game].arrange is None:
            self._begin(Arrangement.empty(setup(arrangeable()[0].key)))
        else:
            self._begin(Arrangement.of(record))

    def _begin(self, arrangement: Arrangement) -> None:
        self.board = board_view(arrangement.setup.game)
        self.hover = self.cursor = None
        keys = PositionEditor.bindings
        self.bindings = keys if arrangement.cells else tuple(each for each in keys if each not in _CELL_KEYS)
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
        places = text_rows(self.host.theme, space, [name for _, name in games], px(BUTTON), px(6))
        self.widgets.choice("game", places, games, game.key, self._set_game)
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
        if self.now.cells:
            self._label(space, t("editor.tools"))
            row = columns(space.top(px(BUTTON)), len(_TOOLS), px(6))
            tools = [*sides, (str(ERASER), t("editor.erase"))]
            self.widgets.choice("tool", row, tools, str(self.tool), lambda tool: self._take(int(tool)))
        self._label(space, t("editor.turn"))
        row = columns(space.top(px(BUTTON)), 2, px(6))
        self.widgets.choice("turn", row, sides, str(self.now.turn), lambda side: self._set_turn(int(side)))
        space.top(px(8))
        undo, *clear = columns(space.top(px(BUTTON)), 2 if self.now.cells else 1, px(6))
        self.widgets.button("undo", undo, t("library.undo"), self.do_undo, key="ctrl+z", enabled=bool(self._past))
        for place in clear:
            filled = any(self.now.cells)
            self.widgets.button("clear", place, t("editor.clear"), self.do_clear, key="delete", enabled=filled)

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
        coordinates, putting = self.host.settings.coordinates, self.tool != ERASER
        marks = Marks(hover=self.hover, cursor=self.cursor, ghosts=putting, coordinates=coordinates)
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
            return first_text(f"editor.about.{game}", "editor.about")
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

    def paint(self, move: int, content: int) -> None:
        """Give `content` to the cell of `move`."""
        if self.change(self.now.with_content(move, content)) and content:
            self.host.sounds.play(look(self.now.setup.game).sound)

    def press(self, move: int, erasing: bool = False) -> None:
        """Put a stone of the tool's side, or take away one that lies there already; paint the same as long as a mouse
        button is held. Without cells, make the move in the heap, or undo it."""
        if self.now.cells:
            wanted = 0 if erasing or self.tool == ERASER else self.tool + 1
            self._painted = self.now.clicked(move, wanted)
            self.paint(move, self._painted)
        else:
            self._step_size(move if erasing else -move)

    def paste(self, record: GameRecord) -> bool:
        """Set up the position of the cursor of a pasted game. False if that cannot be done in its game."""
        if GAMES[record.setup.game].arrange is None:
            return False
        self.change(Arrangement.of(record))
        return True

    # Input.

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            before = self.hover
            self.point_at(event.pos)
            if self._painted is not None and self.hover is not None and self.hover != before:
                self.paint(self.hover, self._painted)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 3):
            self.point_at(event.pos)
            self.widgets.leave_focus()
            if self.hover is not None:
                self.press(self.hover, event.button == 3)
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

    def do_place(self) -> None:
        if self.cursor is not None:
            self.press(self.cursor)
            self._painted = None

    # The ways on.

    def do_analyse(self) -> None:
        self._go_on(lambda record: Replay(self.host, record, back=self, tab="analysis"))

    def do_play(self) -> None:
        self._go_on(lambda record: PlayOn(self.host, record, self))

    def _go_on(self, scene: Callable[[GameRecord], Scene]) -> None:
        if self.position.outcome is None:
            self.host.show(scene(self.now.record()))
