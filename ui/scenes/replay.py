"""The scene in which a saved game is watched: stepped, played by itself, analysed, and played on from."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pygame

from games.edits import Edits
from games.formats import encoded, format_of
from games.position import IllegalMove
from games.record import GameRecord, Node, path
from ui.board.view import Marks
from ui.game.analyst import Analyst
from ui.game.edit_saver import EditSaver
from ui.game.words import evaluation_text, illegal_sentence, move_name, outcome_sentence
from ui.host import Host, Screen
from ui.panels.moves import ROW
from ui.panels.thinking import FIGURES_HEIGHT, draw_thinking
from ui.panels.thinking import HEIGHT as THINKING_HEIGHT
from ui.scenes.game import BUTTON, SHARED, GameScene
from ui.scenes.play_on import PlayOn
from ui.toolkit.controls import Slider
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import wrapped, write

SPEEDS = (0.5, 1.0, 2.0, 4.0)
"""Moves a second."""

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
        Binding(("ctrl+z",), "do_undo", "library.undo"),
        Binding(("space",), "do_play_pause", "keys.play_pause"),
        Binding(("return",), "do_play_on", "keys.play_on"),
        *(binding for binding in SHARED if binding.action != "do_thinking"),
        Binding(("a",), "do_analysis", "keys.analysis"),
    )

    def __init__(
        self, host: Host, record: GameRecord, file: Path | None = None, at_cursor: bool = False,
        back: Screen | None = None,
    ) -> None:  # fmt: skip
        super().__init__(host, record)
        self.back = back
        self.file = file
        self.saver = EditSaver(host, record, file)
        self.edits = Edits(record)
        self.analyst = Analyst(host, record)
        self.speed = 1.0
        self._next_step: float | None = None  # when the next move is due; None while paused
        self._variations: list[Node] = []
        self._slider: Slider | None = None
        self._shown_playing = False
        if not at_cursor:
            record.go_to(record.root)

    def leave(self) -> None:
        self._next_step = None
        self._keep_evaluations()
        if self.saver.unsaved:  # there may be room now
            self.saver.keep()
        super().leave()
        self.analyst.close()

    # Layout.

    def build_panel(self, space: Space) -> None:
        px = self.host.theme.px
        button = self.widgets.button
        self._build_bottom(Space(space.bottom(px(BUTTON + 4)), px(8)))
        space.gap = px(8)
        speeds = columns(space.bottom(px(BUTTON)), len(SPEEDS) + 1, px(8))
        tip = t("replay.analysis")
        button("analysis", speeds[0], "", self.do_analysis, icon="hint", tip=tip, key="a", chosen=self.analyst.on)
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
        self.thinking_rect = space.bottom(px(thinking)) if self.analyst.on else None
        self._build_variations(space)
        self.comment_rect = space.bottom(px(_LINE * (1 if small else 2))) if self._has_comments() else None
        space.gap = px(12)

    def _crowded(self, space: Space) -> bool:
        """Whether the list of moves would be left without room by all that there is to show."""
        shown = (
            (self.analyst.on, THINKING_HEIGHT), (len(self._variations) > 1, BUTTON), (self._has_comments(), 2 * _LINE),
        )  # fmt: skip
        wanted = sum(self.host.theme.px(height) + space.gap for here, height in shown if here)
        return space.rest.height - wanted < self.host.theme.px(_FEWEST_ROWS * ROW)

    def _build_bottom(self, space: Space) -> None:
        px = self.host.theme.px
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
        px = self.host.theme.px
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
        self.analyst.update()
        if not self.analyst.busy:
            self._keep_evaluations()
        super().update(now)

    def _keep_evaluations(self) -> None:
        if self.analyst.learned:
            self.analyst.learned = False
            self.saver.keep_evaluations()

    def wake(self, now: float) -> float | None:
        due = [seconds for seconds in (super().wake(now), 0.1 if self.analyst.busy else None) if seconds is not None]
        if self._next_step is not None:
            due.append(max(0.0, self._next_step - now))
        return min(due, default=None)

    def marks(self) -> Marks:
        info = self.analyst.info
        lines = info.lines if info is not None else ()
        followed = next((line.moves for line in lines if line.moves[0] == self.hover), ())
        return replace(
            super().marks(),
            hover=self.hover if self.record.outcome is None and not followed else None,
            candidates=() if followed else self.analyst.candidates(),
            line=followed,
        )

    def draw(self, surface: pygame.Surface, now: float) -> None:
        super().draw(surface, now)
        theme = self.host.theme
        if self.thinking_rect is not None:
            info, nodes, known = self.analyst.info, self.analyst.nodes, self.record.cursor.evaluation
            draw_thinking(surface, theme, self.thinking_rect, self.record.position, info, nodes, known)
        if self.comment_rect is not None and self.record.cursor.comment:
            self._draw_comment(surface, self.comment_rect, self.record.cursor.comment)

    def _draw_comment(self, surface: pygame.Surface, rect: pygame.Rect, comment: str) -> None:
        """As many lines as fit; the last of them tells if there are more."""
        theme = self.host.theme
        space, fits = Space(rect, 0), rect.height // theme.px(_LINE)
        lines = wrapped(theme, comment, rect.width, 14)
        for number, text in enumerate(lines[:fits], 1):
            more = "…" if number == fits < len(lines) else ""
            write(surface, theme, text + more, space.top(theme.px(_LINE)), 14)

    def draw_turn(self, surface: pygame.Surface) -> None:
        record, theme = self.record, self.host.theme
        at, last = len(path(record.cursor)) - 1, len(record.line()) - 1
        text = t("replay.position", ply=at, total=last)
        if record.outcome is not None:
            text = outcome_sentence(record, record.outcome)
        elif record.cursor.evaluation is not None:
            text += f" · {evaluation_text(record.cursor.evaluation)}"
        colour = theme.palette.accent if record.outcome else theme.palette.text
        write(surface, theme, text, self.turn_rect, 16, colour, bold=True)

    @property
    def stand_in_answers(self) -> bool:
        return self.analyst.stand_in

    def status_text(self) -> str:
        if self.edits and self.saver.file is not None:
            return t("replay.kept", name=self.saver.file.name)
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
        here = self.record.cursor
        try:
            added = self.edits.play(move)
        except IllegalMove as error:
            if move in self.forbidden():
                self.host.say(illegal_sentence(error), "bad", holds=lambda: self.record.cursor is here)
            return
        self._next_step = None
        if added:
            self._changed(t("replay.added"))
        self.host.rebuild()

    def _changed(self, sentence: str) -> None:
        """After a change of the tree: says so, and has it saved."""
        changes = len(self.edits)
        self.host.say(sentence, holds=lambda: len(self.edits) == changes)
        self.saver.keep()
        self.host.rebuild()

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
            self.host.rebuild()
            return
        self.widgets.enable("play_on", self.record.position.outcome is None)
        at = len(path(self.record.cursor)) - 1
        if self._slider is not None and at <= self._slider.most:  # a longer line gets a slider of its own
            self._slider.value = at

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
        self.host.rebuild()

    def do_promote(self) -> None:
        """Makes the variation that follows the main line."""
        following = self.record.cursor.next
        if following is not None and self.edits.promote(following):
            self._changed(t("replay.promoted"))

    def do_remove(self) -> None:
        """Cuts off what follows."""
        if self.record.cursor.next is not None:
            self.edits.remove(self.record.cursor.next)
            self._changed(t("replay.removed"))

    def do_undo(self) -> None:
        """Takes back the last change of the tree."""
        if self.edits.undo():
            self._next_step = None
            self._changed(t("replay.undone"))

    def do_play_pause(self) -> None:
        if self._next_step is not None:
            self._next_step = None
        else:
            if self.record.cursor.next is None:
                self.record.go_to(self.record.root)
            self._next_step = 0.0
        self.host.rebuild()

    def _set_speed(self, value: str) -> None:
        self.speed = float(value)
        self.host.rebuild()

    def do_analysis(self) -> None:
        self.analyst.toggle()
        self.host.rebuild()

    def do_play_on(self) -> None:
        """Asks who plays on from here, in a copy: the file stays as it is."""
        if self.record.position.outcome is None:
            self.host.show(PlayOn(self.host, self.record, self))

    # Saving.

    def do_save(self) -> None:
        """Saves to the file that the changes are in, or else as anywhere."""
        if self.saver.file is not None:
            self.save_to(self.saver.file)
        else:
            super().do_save()

    def contents(self, file: Path) -> bytes:
        """Its own file says how the game was played; any other, what is shown."""
        return self.saver.contents() if file == self.saver.file else encoded(self.record, file)

    def _saved(self, file: Path, before: Path | None, error: OSError | None) -> None:
        """What is changed from now on goes into the new file, if it can hold it."""
        super()._saved(file, before, error)
        if error is None and file != self.saver.file and format_of(file).whole:
            self.saver = EditSaver(self.host, self.record, file)
