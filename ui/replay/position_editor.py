"""The analysis board: any position can be set up on it, to be analysed or played on from."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pygame

from games.edits import Arrangement
from games.game import Game
from games.position import FIRST, SECOND
from games.record import GameRecord
from games.registry import GAMES, setup
from ui import screens
from ui.board.looks import board_view, look
from ui.board.view import Marks, Pointer
from ui.parts.board_part import SteeredBoard, board_frame
from ui.parts.form import Form, game_choice
from ui.parts.header import Header
from ui.toolkit.i18n import first_text, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns
from ui.toolkit.typesetting import even_columns
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import lay
from ui.window.screen import Screen
from ui.words.games import rule_name, side_name, size_name

# A position that is being set up, without pixels: what the parts of the analysis board share.


ERASER, TURNS = 2, 3
"""The tools that take stones away, and put one for the side to move; the others are sides, whose stones they put."""


def arrangeable() -> list[Game]:
    """Return the games in which positions can be set up."""
    return [game for game in GAMES.values() if game.arrange is not None]


class Arranging:
    """A position that is being set up, with undo: `now` as an `Arrangement`, `position` with the present side to move.
    It begins with the position at the cursor of `record`, or without one with an empty board.

    A position that the rules do not allow is never on the board: a change that would lead to one is refused with a
    message.
    """

    def __init__(self, host: Host, record: GameRecord | None) -> None:
        self._host, self.pointer, self.tool = host, Pointer(), TURNS
        self.painted: int | None = None
        """The content that a held button gives to cells."""
        self._past: list[Arrangement] = []
        self._ground: object = None  # what the pointer is on
        if record is None or GAMES[record.setup.game].arrange is None:
            self._set(Arrangement.empty(setup(arrangeable()[0].key)))
        else:
            self._set(Arrangement.of(record))

    def _set(self, to: Arrangement) -> None:
        """Make `to` the position, without a way to undo it. The pointer is reset if the game or the size of the board
        changes."""
        self.now = to
        self.position = to.position(to.turn)
        if self._ground != self.ground:
            self._ground, self.pointer, self.painted = self.ground, Pointer(), None

    @property
    def ground(self) -> tuple[str, tuple[int, int]]:
        """The game and the size of its board. Moves under the pointer are valid as long as these stay."""
        return self.now.setup.game, self.now.setup.board

    @property
    def ready(self) -> bool:
        """Whether the game is not over in this position, so that it can be played or analysed."""
        return self.position.outcome is None

    @property
    def can_undo(self) -> bool:
        """Whether a change can be undone."""
        return bool(self._past)

    def change(self, to: Arrangement) -> bool:
        """Make `to` the position as a change that can be undone. Return False if nothing changes, or if the rules do
        not allow it, which a message says."""
        if to == self.now:
            return False
        try:
            to.position(to.turn)
        except ValueError:
            here = self.now
            self._host.say(t("editor.refused"), "bad", holds=lambda: self.now is here)
            return False
        self._past.append(self.now)
        self._set(to)
        return True

    def undo(self) -> None:
        """Undo the last change, if any."""
        if self._past:
            self._set(self._past.pop())

    def clear(self) -> None:
        """Empty the board."""
        self.change(Arrangement.empty(self.now.setup))

    def set_game(self, game: str) -> None:
        """Begin with an empty board of another game; do nothing if it is the present one."""
        if game != self.now.setup.game:
            self.change(Arrangement.empty(setup(game)))

    def set_rule(self, rule: str) -> None:
        """Change the rule, unless it does not allow the position, which a message says."""
        self.change(self.now.on(replace(self.now.setup, rule=rule)))

    def step_size(self, step: int) -> None:
        """Enlarge the board by `step`, which may be negative, within the sizes of the game."""
        sizes = GAMES[self.now.setup.game].sizes
        size = max(sizes[0], min(sizes[-1], self.now.setup.size + step))
        self.change(self.now.on(replace(self.now.setup, size=size)))

    def choose_tool(self, tool: int) -> None:
        """Choose what a click puts on the board: a side, `ERASER` or `TURNS`."""
        self.tool = tool

    def set_turn(self, side: int) -> None:
        """Choose which side is to move."""
        self.change(replace(self.now, turn=side))

    def paint(self, move: int, content: int) -> None:
        """Give `content`, as of `Arrangement.with_content`, to the cell of `move`."""
        self._change_stones(self.now.with_content(move, content))

    def _change_stones(self, to: Arrangement) -> None:
        """Make `to` the position, with a sound if that removes no stone."""
        grows = sum(map(bool, to.cells)) >= sum(map(bool, self.now.cells))
        if self.change(to) and grows:
            self._host.sounds.play(look(self.now.setup.game).sound)

    def press(self, move: int, erasing: bool = False) -> None:
        """Act on a click on `move` with the tool, or with the eraser if `erasing`. A stone of the tool's side is put,
        or removed if it is there already; cells that are passed while a button is held get the same `painted` content.
        The tool `TURNS` puts one for the side to move, which then changes. In a game without cells, `move` is taken
        from its size, or given back if `erasing`."""
        if self.tool == TURNS and self.now.cells and not erasing:
            self._change_stones(self.now.played(move))
        elif self.now.cells:
            wanted = 0 if erasing or self.tool == ERASER else self.tool + 1
            self.painted = self.now.clicked(move, wanted)
            self.paint(move, self.painted)
        else:
            self.step_size(move if erasing else -move)


# The analysis board: the board, the game with its size and rule, the tools, the side to move, and the ways on.


class EditorBoard(SteeredBoard[Arranging]):
    """The board of the editor. A stone under the pointer has the colour that a click would put."""

    def __init__(self, host: Host, widgets: Widgets, state: Arranging) -> None:
        super().__init__(host, widgets, board_view(state.now.setup.game), state)
        self._ground = state.ground
        self.bindings = (*self._arrows, Binding(("space",), self._use_tool, "editor.place"), self._coordinates)

    def shape(self) -> object:
        """What the layout depends on: the arrangement of the board, and the tool, which decides the colour of the stone
        under the pointer."""
        return self._state.now, self._state.tool

    def build(self, space: Space) -> None:
        """Make another board view if game or size have changed, fit it into the space, and show the arrangement, with
        the side of the tool to move."""
        state = self._state
        if self._ground != state.ground:
            self._ground, self.view = state.ground, board_view(state.now.setup.game)
        self.view.place(board_frame(self._host, space.rest))
        side = state.tool if state.tool in (FIRST, SECOND) else state.now.turn
        self.view.show(state.now.position(side), (), time.monotonic())

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the board with a ghost of the stone that a click would put, none for the eraser, and coordinates if the
        settings want them."""
        coordinates, pointer = self._host.settings.coordinates, self._state.pointer
        putting = self._state.tool != ERASER
        marks = Marks(hover=pointer.hover, cursor=pointer.cursor, ghosts=putting, coordinates=coordinates)
        self.view.draw(surface, marks, now)

    def status(self) -> str:
        """Return how many stones each side has, that the position is over, or on an empty board what to do."""
        now = self._state.now
        game, stones = now.setup.game, now.stones(now.turn)
        if not self._state.ready:
            return t("editor.full")
        if not any(now.cells):
            if now.cells and self._state.tool == TURNS:
                return t("editor.about.turns")
            return first_text(f"editor.about.{game}", "editor.about")
        counts = (t("editor.count", side=side_name(game, side), count=len(stones.of[side])) for side in (0, 1))
        return " · ".join(counts)

    def handle(self, event: pygame.event.Event) -> bool:
        """Point at cells, and use the tool on them while a button is held; the right button erases."""
        state, pointer = self._state, self._state.pointer
        if event.type == pygame.MOUSEMOTION:
            before = pointer.hover
            self._point_at(event.pos)
            if state.painted is not None and pointer.hover is not None and pointer.hover != before:
                state.paint(pointer.hover, state.painted)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (pygame.BUTTON_LEFT, pygame.BUTTON_RIGHT):
            self._point_at(event.pos)
            self._widgets.leave_focus()
            if pointer.hover is not None:
                state.press(pointer.hover, event.button == pygame.BUTTON_RIGHT)
                return True
        elif event.type == pygame.MOUSEBUTTONUP:
            state.painted = None
        return False

    def _point_at(self, pixel: tuple[int, int]) -> None:
        """Note the move under the mouse at `pixel`: none until the board of a new game or size is laid out."""
        pointer, laid_out = self._state.pointer, self._ground == self._state.ground
        pointer.hover, pointer.cursor = self.view.move_at(pixel) if laid_out else None, None

    def _move_cursor(self, right: int, down: int) -> None:
        """Move the keyboard's cursor; not before the board of a new game or size is laid out."""
        if self._ground == self._state.ground:
            super()._move_cursor(right, down)

    def _use_tool(self) -> None:
        """Use the tool on the cell at the keyboard's cursor."""
        if self._state.pointer.cursor is not None:
            self._state.press(self._state.pointer.cursor)
            self._state.painted = None


_TOOLS = (TURNS, FIRST, SECOND, ERASER)
_GAP = 6  # design pixels


class EditorGame(Form):
    """The choice of the game, its size and its rule."""

    def __init__(self, host: Host, widgets: Widgets, state: Arranging) -> None:
        super().__init__(host, widgets)
        self._state = state

    def shape(self) -> object:
        """What the layout depends on: game, size and rule."""
        return self._state.now.setup

    def build(self, space: Space) -> None:
        """Build the choice of the game, and where there is a choice also the stepper of the size and the buttons of the
        rules."""
        px, state = self.host.theme.px, self._state
        game, games = GAMES[state.now.setup.game], [each.key for each in arrangeable()]
        game_choice(self.host, self.widgets, space, games, game.key, state.set_game, BUTTON)
        if len(game.sizes) > 1:
            size = size_name(game.key, state.now.setup.size)
            self.stepper("size", space.top(px(BUTTON)), size, state.step_size, BUTTON)
        if len(game.rules) > 1:
            row = columns(space.top(px(BUTTON)), len(game.rules), px(_GAP))
            rules = [(rule, rule_name(rule)) for rule in game.rules]
            self.widgets.choice("rule", row, rules, state.now.setup.rule, state.set_rule)


class EditorTools(Form):
    """The tools, the side to move, undo and clear. In a game without cells there are no tools: moves on the board
    change its size."""

    def __init__(self, host: Host, widgets: Widgets, state: Arranging) -> None:
        super().__init__(host, widgets)
        self._state = state

    def _make_bindings(self) -> Iterator[Binding]:
        """Yield the keys of the editor; those of tools only if the board has cells."""
        state = self._state
        if state.now.cells:
            labels = ("editor.tool.turns", "editor.tool.first", "editor.tool.second", "editor.erase")
            for key, (tool, label) in enumerate(zip(_TOOLS, labels, strict=True), 1):
                yield Binding((str(key),), partial(state.choose_tool, tool), label)
            yield Binding(("delete",), state.clear, "editor.clear")
        yield Binding(("x",), self._swap_turn, "editor.other_turn")
        yield Binding(("ctrl+z",), state.undo, "library.undo")

    def shape(self) -> object:
        """What the layout depends on: the arrangement, the tool, and whether a change can be undone."""
        return self._state.now, self._state.tool, self._state.can_undo

    def build(self, space: Space) -> None:
        """Build the tools and the button to clear the board, where there are cells; the choice of the side to move; and
        the button to undo. Also make the key bindings, which depend on the game."""
        self.bindings = tuple(self._make_bindings())
        px, state, now = self.host.theme.px, self._state, self._state.now
        sides = [(str(side), side_name(now.setup.game, side)) for side in (FIRST, SECOND)]
        if now.cells:
            _heading(self, space, t("editor.tools"))
            tools = [(str(TURNS), t("editor.in_turn")), *sides, (str(ERASER), t("editor.erase"))]
            place = space.top(px(BUTTON))
            row = even_columns(self.host.theme, place, [text for _, text in tools], px(_GAP))
            self.widgets.choice("tool", row, tools, str(state.tool), lambda tool: state.choose_tool(int(tool)))
            self.widgets.elements[f"tool.{TURNS}"].tip = t("editor.tool.turns")
        _heading(self, space, t("editor.turn"))
        row = columns(space.top(px(BUTTON)), 2, px(_GAP))
        self.widgets.choice("turn", row, sides, str(now.turn), lambda side: state.set_turn(int(side)))
        space.top(px(8))
        undo, *clear = columns(space.top(px(BUTTON)), 2 if now.cells else 1, px(_GAP))
        self.widgets.button("undo", undo, t("library.undo"), state.undo, key="ctrl+z", enabled=state.can_undo)
        for place in clear:
            filled = any(now.cells)
            self.widgets.button("clear", place, t("editor.clear"), state.clear, key="delete", enabled=filled)

    def _swap_turn(self) -> None:
        """Let the other side be to move."""
        self._state.set_turn(1 - self._state.now.turn)


def _heading(form: Form, space: Space, text: str) -> None:
    """Add a heading to the form."""
    space.top(form.host.theme.px(4))
    form.label(space.top(form.host.theme.px(22)), text)


class EditorWays(Form):
    """Buttons at the bottom of the space: to analyse the position, or to play on from it. Both lead back to `owner`.
    The analysis of the same position is shown again with all that was found and written in it."""

    def __init__(self, host: Host, widgets: Widgets, state: Arranging, owner: Content) -> None:
        super().__init__(host, widgets)
        self._state, self._owner = state, owner
        self._study: tuple[Arrangement, Content] | None = None  # the last one, and what it began with
        self.bindings = (
            Binding(("return",), self._analyse, "editor.analyse"),
            Binding(("p",), self._play, "keys.play_on"),
        )

    def shape(self) -> object:
        """What the layout depends on: whether the game is not over in the position."""
        return self._state.ready

    def build(self, space: Space) -> None:
        """Build the two buttons, disabled if the game is over in the position."""
        px, ready = self.host.theme.px, self._state.ready
        foot, button = space.bottom(px(44)), self.widgets.button
        button("analyse", foot, t("editor.analyse"), self._analyse, style="@primary", key="return", enabled=ready)
        button("play", space.bottom(px(BUTTON)), t("replay.play_on"), self._play, key="p", enabled=ready)

    def _analyse(self) -> None:
        """Open an analysis of the position; the last one again, if the position is the same."""
        now = self._state.now
        if self._study is not None and self._study[0] == now:
            self.host.show(self._study[1])
        elif self._state.ready:
            self._study = now, self.host.open(screens.replay, now.record(), back=self._owner, tab="analysis")

    def _play(self) -> None:
        """Open the set-up of a game that begins with this position."""
        if self._state.ready:
            self.host.open(screens.setup, record=self._state.now.record(), back=self._owner)


class PositionEditor(Screen):
    """The screen on which a position is set up. It begins with that at the cursor of `record`; without one with an
    empty board."""

    name = "position_editor"
    guide = "analysis"

    def __init__(self, host: Host, record: GameRecord | None = None, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = state = Arranging(host, record)
        self._header = Header(host, self.widgets, lambda: t("editor.title"), self.go_back, back)
        self._ways = EditorWays(host, self.widgets, state, self)
        self._game = EditorGame(host, self.widgets, state)
        self._tools = EditorTools(host, self.widgets, state)
        self._board = EditorBoard(host, self.widgets, state)
        self.parts = [self._board, self._game, self._tools, self._ways, self._header]

    def build(self, space: Space) -> None:
        """Lay out header, ways, game and tools in the panel and the board in the main area. Also let the screen know
        the setup and the board that is now shown."""
        self.frame.side.gap = self.host.theme.px(8)
        lay(self.frame.side, self._header, self._ways, self._game, self._tools)
        self._board.build(space)
        self.setup, self.board = self.state.now.setup, self._board.view
        self.first_position = self.setup.start()

    def paste(self, record: GameRecord) -> bool:
        """Set up the first position of a pasted game. Return False if it has moves, or if its positions cannot be set
        up."""
        if GAMES[record.setup.game].arrange is None or record.root.children:
            return False
        self.state.change(Arrangement.of(record))
        return True
