"""The board as a part of a screen: its marks, pointer and keyboard cursor, the choice of a move, and the sounds of a
game."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Generic, Protocol, TypeVar

import pygame

from ai.review.insights import insight
from games.position import FIRST, PASS, SECOND, Outcome, forbidden_points
from games.record import GameRecord, Node, moves_to, only_person, path
from games.registry import GAMES, Setup
from ui.board.looks import look
from ui.board.view import BoardView, Frame, Marks, Pointer, Threat
from ui.system.sound import Name
from ui.toolkit.accessible import Accessible
from ui.toolkit.dialogs import Holds, Menu
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part
from ui.words.games import side_name
from ui.words.move_words import illegal_sentence, move_name, move_reason, move_sentence, node_reason

_ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class Pointed(Protocol):
    """A state with a pointer on a board."""

    pointer: Pointer


State = TypeVar("State", bound=Pointed)


class BoardState(Pointed, Protocol):
    """What a `BoardPart` shows, and what a choice on it does."""

    @property
    def shown(self) -> Node:
        """The node whose position is on the board."""

    @property
    def hidden(self) -> bool:
        """Whether stones and marks are hidden."""

    @property
    def open_to_moves(self) -> bool:
        """Whether a move can be made on the board as it is shown."""

    @property
    def explains(self) -> bool:
        """Whether threats and the reasons of moves may be shown."""

    def choose(self, move: int) -> None:
        """Play `move`, or show a message why that is impossible."""

    def helped(self, why: str) -> None:
        """Note that the person has used help; `why` is its kind, as in `Result.unrated`."""


def board_frame(host: Host, rect: pygame.Rect, motion: bool = False) -> Frame:
    """Return the frame of a board at `rect`, with the window's scale and theme and the materials of the settings. With
    `motion`, its pieces move."""
    theme, settings = host.theme, host.settings
    return Frame(rect, theme.scale, theme.palette, theme.font, motion, settings.wood, settings.stones)


class SteeredBoard(Part, Generic[State]):
    """A board that `view` draws, with a keyboard cursor that the arrow keys move."""

    def __init__(self, host: Host, widgets: Widgets, view: BoardView, state: State) -> None:
        self._host, self._widgets, self.view, self._state = host, widgets, view, state
        self._arrows = tuple(
            Binding((key,), partial(self._move_cursor, *step), f"keys.cursor_{key}") for key, step in _ARROWS.items()
        )
        self._coordinates = Binding(("c",), partial(self._toggle_setting, "coordinates"), "keys.coordinates")

    def _move_cursor(self, right: int, down: int) -> None:
        """Move the keyboard cursor by so many columns and rows; without one, start from the point under the mouse."""
        pointer = self._state.pointer
        pointer.cursor = self.view.step(pointer.hover if pointer.cursor is None else pointer.cursor, right, down)
        pointer.hover = None

    def _toggle_setting(self, name: str) -> None:
        """Switch the setting `name`, a flag, and save the settings."""
        settings = self._host.settings
        setattr(settings, name, not getattr(settings, name))
        self._host.save_settings()


class BoardPart(SteeredBoard[BoardState]):
    """The board `view` with the `marks` of the whole screen; a click, or arrows and Enter, choose a move.

    If not `steering`, the arrows belong to the screen: Shift with the arrows moves the cursor, and Enter chooses a move
    only while there is a cursor.
    """

    def __init__(
        self, host: Host, widgets: Widgets, view: BoardView, state: BoardState, setup: Setup,
        marks: Callable[[], Marks], steering: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(host, widgets, view, state)
        self._marks = marks
        few = lru_cache(4)
        self._forbidden, self._threats, self._reason = few(forbidden_points), few(_threats), few(_reason)
        self.bindings = tuple(self._bind(setup, steering))

    def _bind(self, setup: Setup, steering: bool) -> Iterator[Binding]:
        """The keys of the board, as far as the game has a use for them; `steering` as in the class."""
        choose = self._state.choose
        if steering:
            yield from (*self._arrows, Binding(("return",), self._choose_at_cursor, "keys.place"))
        else:
            for arrow in self._arrows:
                yield replace(arrow, keys=(f"shift+{arrow.keys[0]}",))
            yield Binding(("return",), self._choose_and_remove_cursor, "")
            yield Binding(("escape",), self._remove_cursor, "")
        if setup.board == (0, 0):  # moves are numbers
            for move in sorted(_first_moves(setup) & set(range(1, 10))):
                yield Binding((str(move),), partial(choose, move), "keys.number")
        yield from (Binding(("n",), partial(self._toggle_setting, "numbers"), "keys.numbers"), self._coordinates)
        if GAMES[setup.game].passes:
            yield Binding(("ctrl+p",), partial(choose, PASS), "keys.pass")
        if insight(setup.game).threats:
            yield Binding(("t",), self._toggle_threats, "keys.threats")

    @property
    def _forbidden_reasons(self) -> dict[int, str]:
        """The reason of each point that the rules forbid to the side to move; empty once the game is over."""
        shown = self._state.shown
        position: Any = shown.position  # hashable, as all of ours are
        return {} if shown.outcome is not None else self._forbidden(position)

    # Picture.

    def build(self, space: Space) -> None:
        """Lay the board out in all the space, and show the position in it."""
        self.view.place(board_frame(self._host, space.rest, self._host.motion))
        self.update(time.monotonic())

    def update(self, now: float) -> None:
        """Show the position of the state; a position one move on begins an animation."""
        shown = self._state.shown
        self.view.show(shown.position, moves_to(shown), now)

    def wake(self, now: float) -> float | None:
        """Return 0 while an animation runs on the board, else None."""
        return 0.0 if self.view.moving(now) else None

    def marks(self, marks: Marks) -> Marks:
        """Return what the settings and the position have to mark, with the pointer if a move can be made; only
        coordinates while the board is hidden. The given `marks` are dropped, so parts with marks of their own come
        later."""
        settings, state, shown = self._host.settings, self._state, self._state.shown
        position: Any = shown.position
        if state.hidden:
            return Marks(coordinates=settings.coordinates)
        marks = Marks(
            numbers=settings.numbers,
            coordinates=settings.coordinates,
            forbidden=tuple(self._forbidden_reasons),
            threats=self._threats(position) if settings.threats and state.explains else (),
            drawn=shown.marks,
        )
        if state.open_to_moves:
            return replace(marks, hover=state.pointer.hover, cursor=state.pointer.cursor)
        return marks

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the board with the marks of all parts of the screen."""
        self.view.draw(surface, self._marks(), now)

    def hint(self) -> str:
        """Why the point under the mouse, or else at the keyboard cursor, is forbidden; or which threats a move there
        makes and blocks, or made and blocked when it was played."""
        shown, pointer = self._state.shown, self._state.pointer
        point = pointer.cursor if pointer.hover is None else pointer.hover
        if point is None or self._state.hidden:
            return ""
        if reason := self._forbidden_reasons.get(point):
            return illegal_sentence(reason)
        return self._reason(shown, point) if self._state.explains else ""

    def accessible(self) -> list[Accessible]:
        """The board with its points, and the last move as a status that is announced."""
        shown = self._state.shown
        if self._state.hidden:
            return []
        points = tuple(self._accessible_points(shown))
        grid = Accessible("board", "grid", t("reader.board"), self.view.area, children=points)
        return [grid, Accessible("move", "status", move_sentence(shown), pygame.Rect(self.view.area.topleft, (1, 1)))]

    def _accessible_points(self, shown: Node) -> Iterator[Accessible]:
        """Each point of the board, or on a board without cells each legal move, with its name and content."""
        position, game = shown.position, shown.position.game
        cells, legal = getattr(position, "cells", b""), set(position.legal_moves())
        side = self._cell_size() if cells else self._host.theme.px(BUTTON)
        for move in range(len(cells)) if cells else sorted(legal):
            place = pygame.Rect((0, 0), (side, side))
            place.center = self.view.pixel_of(move)
            content = cells[move] if cells else 0
            what = side_name(game, content - 1) if content else t("reader.empty") if cells else ""
            if reason := self._forbidden_reasons.get(move):
                what = illegal_sentence(reason)
            name = position.move_text(move)
            yield Accessible(
                f"cell.{move}", "cell", t("reader.point", point=name, content=what) if what else name, place,
                focused=move == self._state.pointer.cursor and self._widgets.focus is None, click=move in legal,
                focus=partial(self._set_cursor, move),
            )  # fmt: skip

    def _cell_size(self) -> int:
        """The width of a point in pixels, on a board of cells."""
        (left, _), (right, _) = self.view.pixel_of(0), self.view.pixel_of(1)
        return right - left

    def _set_cursor(self, move: int) -> None:
        """Put the keyboard cursor on a move, and take the focus from the widgets."""
        self._widgets.leave_focus()
        self._state.pointer.cursor, self._state.pointer.hover = move, None

    # Input.

    def handle(self, event: pygame.event.Event) -> bool:
        """Move the pointer with the mouse, or choose the move that is clicked."""
        if event.type == pygame.MOUSEMOTION:
            self._state.pointer.hover, self._state.pointer.cursor = self.view.move_at(event.pos), None
            return False
        if event.type != pygame.MOUSEBUTTONDOWN or event.button != pygame.BUTTON_LEFT:
            return False
        self._widgets.leave_focus()
        move = self.view.move_at(event.pos)
        if move is not None:
            self._state.choose(move)
        return move is not None

    def _choose_at_cursor(self) -> None:
        """Choose the move at the keyboard cursor, if there is one."""
        if self._state.pointer.cursor is not None:
            self._state.choose(self._state.pointer.cursor)

    def _choose_and_remove_cursor(self) -> bool:
        """Choose the move at the keyboard cursor, and remove the cursor. Return False if there was none."""
        move = self._state.pointer.cursor
        left = self._remove_cursor()
        if move is not None:
            self._state.choose(move)
        return left

    def _remove_cursor(self) -> bool:
        """Remove the keyboard cursor. Return False if there was none."""
        there = self._state.pointer.cursor is not None
        self._state.pointer.cursor = None
        return there

    # Settings.

    def _toggle_threats(self) -> None:
        """Show or hide the threats on the board, and show a message. If help is restricted (`explains` is False), this
        shows them and counts as help."""
        helps = not self._state.explains
        if helps:
            self._host.settings.threats = False
        self._toggle_setting("threats")
        self._host.say(t("threats.shown" if self._host.settings.threats else "threats.hidden"))
        if helps:
            self._state.helped("threats")


def _first_moves(setup: Setup) -> set[int]:
    """Return all moves that either side can play as its first one."""
    start = setup.start()
    after = (start.play(move) for move in start.legal_moves())
    return {move for position in (start, *after) for move in position.legal_moves()}


def _threats(position: Any) -> tuple[Threat, ...]:
    """The threats that either side can make in the position; empty in a game without threats."""
    threats = insight(position.game).threats
    found = ((side, threats(position, side)) for side in (FIRST, SECOND) if threats)
    return tuple(Threat(cell, side, kind) for side, of in found for cell, kind in of.items())


def _reason(node: Node, point: int) -> str:
    """What the move at `point` makes and blocks: a legal one now, or the last one played there when it was played.
    Empty if there is nothing to say."""
    if point in node.position.legal_moves():
        return move_reason(node.position, point)
    return next((node_reason(each) for each in reversed(path(node)) if each.move == point), "")


def open_branch_menu(
    host: Host, board: BoardView, node: Node, move: int, branch: Callable[[], object], *, leave: Callable[[], object],
    holds: Holds,
) -> None:  # fmt: skip
    """Ask at the point of `move` on `board`, which shows `node`: a variation from here, or back? Call `branch` or
    `leave`. The menu closes once it no longer `holds`."""
    side = host.theme.px(BUTTON)
    under = pygame.Rect(board.pixel_of(move), (0, 0)).inflate(side, side)
    words = t("play.branch_here", move=move_name(node.position, move))
    actions = {"branch": branch, "return": leave}
    options = [("branch", words), ("return", t("play.return"))]
    host.overlay = Menu(host, under, options, "", lambda answer: actions[answer](), holds=holds)


class MoveSounds(Part):
    """Plays a sound for each move of `record`, and with `endings` one for the end of the game."""

    def __init__(self, host: Host, record: GameRecord, endings: bool = False) -> None:
        self._host, self._record, self._endings = host, record, endings
        self._heard: tuple[Node, Outcome | None] | None = None

    def open(self) -> None:
        """Remember the position and the outcome, once: sounds are played for what comes later."""
        self._heard = self._heard or (self._record.cursor, self._record.outcome)

    def update(self, now: float) -> None:
        """Play the sounds of a new move and of a new end."""
        record, before = self._record, self._heard
        self._heard = record.cursor, record.outcome
        if before is None:
            return
        node, outcome = before
        if record.position.ply > node.position.ply:
            self._host.sounds.play(look(record.setup.game).sound)
        ending = ending_sound(record)
        if self._endings and outcome is None and ending is not None:
            self._host.sounds.play(ending)


def ending_sound(record: GameRecord) -> Name | None:
    """The sound for the end of the game, or None before it. ``loss`` only where the single person at the board has
    lost."""
    if record.outcome is None:
        return None
    if record.outcome.winner is None:
        return "draw"
    return "loss" if only_person(record.seats) == 1 - record.outcome.winner else "win"
