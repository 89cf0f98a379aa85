"""The scene in which a saved game is watched: stepped, played by itself, analysed, and played on from."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pygame

from ai.player import Limit, Line, mate_in
from ai.players import default_player
from games.position import IllegalMove
from games.record import PERSON, GameRecord, Node, Removed, Seat, path
from games.registry import Setup
from ui.advice import Adviser
from ui.app import App
from ui.board.view import Candidate, Marks
from ui.controls import Slider
from ui.i18n import t
from ui.layout import Space, columns
from ui.match import DEFAULT_SECONDS
from ui.panels.moves import ROW
from ui.panels.thinking import FIGURES_HEIGHT, draw_thinking
from ui.panels.thinking import HEIGHT as THINKING_HEIGHT
from ui.scene import Binding
from ui.scenes.game import BUTTON, SHARED, GameScene
from ui.scenes.play import Play
from ui.text import wrapped, write
from ui.words import evaluation_text, first_side_score, illegal_sentence, move_name, outcome_sentence

SPEEDS = (0.5, 1.0, 2.0, 4.0)
"""Moves a second."""

_ANALYSIS = Limit(seconds=8.0, lines=3)
_MOST_VARIATIONS = 4
_FEWEST_ROWS = 3  # of the list of moves, before other things are made smaller
_LINE = 22  # design pixels of a line of a comment


class Replay(GameScene):
    """`record` is shown from its beginning, or from its cursor with `at_cursor`."""

    name = "replay"
    bindings = (
        Binding(("left",), "do_previous", "keys.previous"),
        Binding(("right",), "do_next", "keys.next"),
        Binding(("home",), "do_first", "keys.first"),
        Binding(("end",), "do_last", "keys.last"),
        Binding(("up",), "do_variation_up", "keys.variation_up"),
        Binding(("down",), "do_variation_down", "keys.variation_down"),
        Binding(("p",), "do_promote", "keys.promote"),
        Binding(("delete",), "do_remove", "keys.remove"),
        Binding(("ctrl+z",), "do_restore", "keys.restore"),
        Binding(("space",), "do_play_pause", "keys.play_pause"),
        Binding(("return",), "do_play_on", "keys.play_on"),
        *(binding for binding in SHARED if binding.action != "do_thinking"),
        Binding(("a",), "do_analysis", "keys.analysis"),
    )

    def __init__(self, app: App, record: GameRecord, file: Path | None = None, at_cursor: bool = False) -> None:
        super().__init__(app, record)
        self.file = file
        self.adviser = Adviser(app.wake, partial(app.player, "engine", book=False))
        self.analysing = False
        self.speed = 1.0
        self._next_step: float | None = None  # when the next move is due; None while paused
        self._variations: list[Node] = []
        self._slider: Slider | None = None
        self._shown_playing = False
        self._removed: list[Removed] = []
        if not at_cursor:
            record.go_to(record.root)

    def leave(self) -> None:
        super().leave()
        self._next_step = None
        self.adviser.close()

    # Layout.

    def build_panel(self, space: Space) -> None:
        px = self.app.theme.px
        button = self.widgets.button
        self._build_bottom(Space(space.bottom(px(BUTTON + 4)), px(8)))
        space.gap = px(8)
        speeds = columns(space.bottom(px(BUTTON)), len(SPEEDS) + 1, px(8))
        tip = t("replay.analysis")
        button("analysis", speeds[0], "", self.do_analysis, icon="hint", tip=tip, key="a", chosen=self.analysing)
        options = [(str(speed), f"{speed:g}×") for speed in SPEEDS]
        self.widgets.choice("speed", speeds[1:], options, str(self.speed), self._set_speed)
        row = columns(space.bottom(px(BUTTON)), 5, px(8))
        self._shown_playing = playing = self._next_step is not None
        for rect, (name, icon, action, key) in zip(row, (
            ("first", "first", self.do_first, "home"),
            ("previous", "back", self.do_previous, "left"),
            ("play", "pause" if playing else "play", self.do_play_pause, "space"),
            ("next", "forward", self.do_next, "right"),
            ("last", "last", self.do_last, "end"),
        ), strict=True):
            tip = t("replay.pause" if name == "play" and playing else f"replay.{name}")
            button(name, rect, "", action, icon=icon, tip=tip, key=key)
        self._build_slider(space.bottom(px(24)))
        self._variations = list(self.record.cursor.children)
        small = self._crowded(space)
        thinking = FIGURES_HEIGHT if small else THINKING_HEIGHT
        self.thinking_rect = space.bottom(px(thinking)) if self.analysing else None
        self._build_variations(space)
        self.comment_rect = space.bottom(px(_LINE * (1 if small else 2))) if self._has_comments() else None
        space.gap = px(12)

    def _crowded(self, space: Space) -> bool:
        """Whether the list of moves would be left without room by all that there is to show."""
        shown = (
            (self.analysing, THINKING_HEIGHT), (len(self._variations) > 1, BUTTON), (self._has_comments(), 2 * _LINE),
        )  # fmt: skip
        wanted = sum(self.app.theme.px(height) + space.gap for here, height in shown if here)
        return space.rest.height - wanted < self.app.theme.px(_FEWEST_ROWS * ROW)

    def _build_bottom(self, space: Space) -> None:
        px = self.app.theme.px
        self.widgets.button("save_as", space.right(px(104)), t("play.save_as"), self.do_save_as, key="ctrl+shift+s")
        self.widgets.button(
            "play_on", space.rest, t("replay.play_on"), self.do_play_on, style="@primary", key="return",
            enabled=self.record.position.outcome is None,
        )

    def _build_slider(self, rect: pygame.Rect) -> None:
        most = len(self.record.line()) - 1
        self._slider = None
        if most > 0:
            at = len(path(self.record.cursor)) - 1
            self._slider = self.widgets.slider("ply", rect, at, most, self._go_to_ply)

    def _go_to_ply(self, ply: int) -> None:
        self._go(self.record.line()[ply])

    def _build_variations(self, space: Space) -> None:
        """A button for each way to go on, where there is more than one."""
        if len(self._variations) < 2:
            return
        px = self.app.theme.px
        shown = self._variations[:_MOST_VARIATIONS]
        line = Space(space.bottom(px(BUTTON)), px(8))
        for name, icon, action, key in (
            ("remove", "trash", self.do_remove, "delete"),
            ("promote", "star", self.do_promote, "p"),
        ):
            place, tip = line.right(px(BUTTON)), t(f"keys.{name}")
            self.widgets.button(name, place, "", action, style="@icon", icon=icon, tip=tip, key=key)
        row = columns(line.rest, len(shown), px(8))
        for number, (rect, node) in enumerate(zip(row, shown, strict=True)):
            if node.move is not None:
                text = move_name(self.record.position, node.move)
                chosen = node is self.record.cursor.next
                self.widgets.button(f"variation.{number}", rect, text, partial(self._prefer, node), chosen=chosen)

    def _has_comments(self) -> bool:
        return any(node.comment for node in self.record.nodes())

    # Time and picture.

    def update(self, now: float) -> None:
        if self._next_step is not None and now >= self._next_step:
            self._next_step = now + 1 / self.speed
            if not self.record.redo():
                self._next_step = None
            self._moved()
        if self.analysing and self.adviser.position is not self.record.position:
            self.adviser.ask(self.record.position, _ANALYSIS)
        self.adviser.update()
        super().update(now)

    def wake(self, now: float) -> float | None:
        due = [seconds for seconds in (super().wake(now), 0.1 if self.adviser.busy else None) if seconds is not None]
        if self._next_step is not None:
            due.append(max(0.0, self._next_step - now))
        return min(due, default=None)

    def marks(self) -> Marks:
        settings = self.app.settings
        info = self.adviser.info if self.analysing and self.adviser.position is self.record.position else None
        lines = info.lines if info is not None else ()
        followed = next((line.moves for line in lines if line.moves[0] == self.hover), ())
        return Marks(
            hover=self.hover if self.record.outcome is None and not followed else None,
            numbers=settings.numbers,
            coordinates=settings.coordinates,
            forbidden=tuple(self.forbidden()),
            candidates=() if followed else self._candidates(lines),
            line=followed,
        )

    def _candidates(self, lines: tuple[Line, ...]) -> tuple[Candidate, ...]:
        turn = self.record.position.turn
        return tuple(
            Candidate(line.moves[0], first_side_score(line.score, turn), _quality(line.score, lines[0].score))
            for line in lines
        )

    def draw(self, surface: pygame.Surface, now: float) -> None:
        super().draw(surface, now)
        theme = self.app.theme
        if self.thinking_rect is not None:
            info, nodes = self.adviser.info, self.adviser.nodes
            draw_thinking(surface, theme, self.thinking_rect, self.record.position, info, nodes)
        if self.comment_rect is not None and self.record.cursor.comment:
            self._draw_comment(surface, self.comment_rect, self.record.cursor.comment)

    def _draw_comment(self, surface: pygame.Surface, rect: pygame.Rect, comment: str) -> None:
        """As many lines as fit; the last of them tells if there are more."""
        theme = self.app.theme
        space, fits = Space(rect, 0), rect.height // theme.px(_LINE)
        lines = wrapped(theme, comment, rect.width, 14)
        for number, text in enumerate(lines[:fits], 1):
            more = "…" if number == fits < len(lines) else ""
            write(surface, theme, text + more, space.top(theme.px(_LINE)), 14)

    def draw_turn(self, surface: pygame.Surface) -> None:
        record, theme = self.record, self.app.theme
        at, last = len(path(record.cursor)) - 1, len(record.line()) - 1
        text = t("replay.position", ply=at, total=last)
        if record.outcome is not None:
            text = outcome_sentence(record, record.outcome)
        elif record.cursor.evaluation is not None:
            text += f" · {evaluation_text(record.cursor.evaluation)}"
        colour = theme.palette.accent if record.outcome else theme.palette.text
        write(surface, theme, text, self.turn_rect, 16, colour, bold=True)

    def status_text(self) -> str:
        return self.file.name if self.file else ""

    # Input.

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONUP:
            self._moved()
        return super().handle(event)

    def wheel(self, turns: int) -> bool:
        if super().wheel(turns):
            return True
        (self.do_previous if turns > 0 else self.do_next)()
        return True

    def jump(self, node: Node) -> None:
        self._go(node)

    def chosen(self, move: int) -> None:
        """A click on the move that follows goes there; any other move is a variation."""
        try:
            self.record.play(move)
        except IllegalMove as error:
            if move in self.forbidden():
                self.app.say(illegal_sentence(error), "bad")
            return
        self._next_step = None
        self.app.rebuild()

    def _go(self, node: Node) -> None:
        self._next_step = None
        self.record.go_to(node)
        self._moved()

    def _moved(self) -> None:
        """After the cursor moved: what depends on it is shown anew."""
        many = len(self.record.cursor.children) > 1 or len(self._variations) > 1
        if self._slider is not None and self._slider.held:
            return
        if many or (self._next_step is not None) != self._shown_playing:
            self.app.rebuild()
            return
        self.widgets.enable("play_on", self.record.position.outcome is None)
        at = len(path(self.record.cursor)) - 1
        if self._slider is not None and at <= self._slider.value_range[1]:  # a longer line gets a slider of its own
            self._slider.set_current_value(at)

    # Actions.

    def do_first(self) -> None:
        self._go(self.record.root)

    def do_last(self) -> None:
        self._go(self.record.line()[-1])

    def do_next(self) -> None:
        if self.record.cursor.next is not None:
            self._go(self.record.cursor.next)

    def do_previous(self) -> None:
        if self.record.cursor.parent is not None:
            self._go(self.record.cursor.parent)

    def do_variation_up(self) -> None:
        self._step_variation(-1)

    def do_variation_down(self) -> None:
        self._step_variation(1)

    def _step_variation(self, step: int) -> None:
        here = self.record.cursor
        if here.next is not None:
            self._prefer(here.children[(here.preferred + step) % len(here.children)])

    def _prefer(self, node: Node) -> None:
        """Makes `node` the move that follows."""
        here = self.record.cursor
        self.record.go_to(node)
        self.record.go_to(here)
        self.app.rebuild()

    def do_promote(self) -> None:
        """Makes the variation that follows the main line."""
        if self.record.cursor.next is not None:
            self.record.promote(self.record.cursor.next)
            self.app.rebuild()

    def do_remove(self) -> None:
        """Cuts off what follows; `do_restore` brings it back."""
        if self.record.cursor.next is not None:
            self._removed.append(self.record.remove(self.record.cursor.next))
            self.app.say(t("replay.removed"))
            self.app.rebuild()

    def do_restore(self) -> None:
        if self._removed:
            self._next_step = None
            self.record.restore(self._removed.pop())
            self.app.say(t("replay.restored"))
            self.app.rebuild()

    def do_play_pause(self) -> None:
        if self._next_step is not None:
            self._next_step = None
        else:
            if self.record.cursor.next is None:
                self.record.go_to(self.record.root)
            self._next_step = 0.0
        self.app.rebuild()

    def _set_speed(self, value: str) -> None:
        self.speed = float(value)
        self.app.rebuild()

    def do_analysis(self) -> None:
        self.analysing = not self.analysing
        if not self.analysing:
            self.adviser.forget()
        self.app.rebuild()

    def do_play_on(self) -> None:
        """Goes on from here in a copy, so that the file stays as it is; two computers make way for a person."""
        if self.record.position.outcome is not None:
            return
        self.app.show(Play(self.app, continued(self.record)))


def continued(record: GameRecord) -> GameRecord:
    """A new game that begins with the moves up to the cursor of `record`."""
    seats = record.seats
    if all(seat.player == PERSON for seat in seats) or PERSON not in (seat.player for seat in seats):
        mine = Seat(PERSON)
        other = Seat(default_player(record.setup.game), seconds=DEFAULT_SECONDS)
        seats = (mine, other) if record.position.turn == 0 else (other, mine)
    copy = GameRecord(Setup(record.setup.game, record.setup.size, record.setup.rule), seats)
    for node in path(record.cursor)[1:]:
        if node.move is not None:
            copy.play(node.move, node.seconds)
    return copy


def _quality(score: int, best: int) -> float:
    """How good a move is beside the best one, 1 to 0."""
    if (mate_in(score) is None) != (mate_in(best) is None):
        return 0.1
    return max(0.0, 1.0 - abs(best - score) / 400)
