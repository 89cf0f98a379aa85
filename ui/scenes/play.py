"""The scene in which a game is played: persons click, engines think, every move is saved at once."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pygame

from ai.levels.profile import resolve_level
from ai.player import Limit
from ai.worker import Worker
from games.position import PASS, IllegalMove
from games.record import GameRecord, Node
from ui.board.view import Marks
from ui.game.adviser import Adviser
from ui.game.autosave import Autosave
from ui.game.live_game import LiveGame
from ui.game.low_time import LowTimeAlert
from ui.game.pace import pause
from ui.game.words import clock_changes_in, illegal_sentence, move_name, turn_sentence
from ui.host import Host
from ui.panels.note import Note, draw_paused
from ui.panels.thinking import HEIGHT as THINKING_HEIGHT
from ui.panels.thinking import draw_thinking
from ui.scenes.game import BUTTON, PASSING, SHARED
from ui.scenes.looking import LOOKING, LookingScene
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.menu import Menu
from ui.toolkit.text import write

_HINT = Limit(seconds=1.0)
_AUTOSAVE = 5.0  # seconds between two savings of the clock that runs
_JUST_AFTER = 0.002  # seconds
_LIVE = 0.1  # seconds between two looks at a running search or clock


class Play(LookingScene):
    """`file` is where the game is saved; None for a new game. Without `autosave` nothing is written."""

    name = "play"
    tells_ending = True
    bindings = (
        Binding(("left",), "do_left", "keys.cursor_left"),
        Binding(("right",), "do_right", "keys.cursor_right"),
        Binding(("up",), "do_up", "keys.cursor_up"),
        Binding(("down",), "do_down", "keys.cursor_down"),
        Binding(("return",), "do_place", "keys.place"),
        *LOOKING,
        Binding(("ctrl+z",), "do_undo", "keys.undo"),
        Binding(("ctrl+y", "ctrl+shift+z"), "do_redo", "keys.redo"),
        Binding(("m",), "do_move_now", "keys.move_now"),
        Binding(("h",), "do_hint", "keys.hint"),
        Binding(("space",), "do_primary", "keys.primary"),
        Binding(("p",), "do_pause", "keys.pause"),
        *SHARED,
    )

    def __init__(self, host: Host, record: GameRecord, file: Path | None = None, autosave: bool = True) -> None:
        super().__init__(host, record)
        self.saver = Autosave(host, record, file, autosave)
        self.worker = Worker(host.wake)
        self.adviser = Adviser(host.wake, partial(host.player, "engine", book=False), host.engine)
        hold = pause if host.settings.motion else lambda _player, _position: 0.0
        self.match = LiveGame(record, self.worker, self._changed, make=host.player, hold=hold)
        if file is None and record.position.ply:
            self.saver.mark_unrated("position")
        self.alert = LowTimeAlert()
        self._counts = True
        self._primary = ""
        self._shape = (False, "")
        self._saved_at = 0.0

    def enter(self) -> None:
        self.match.open()
        self.saver.opened()
        self._counts = self.saver.will_count

    def leave(self) -> None:
        self.match.close()
        if self.match.timed and self.record.outcome is None:
            self._changed()  # with what was thought so far
        self.saver.left()
        self.worker.close(0.0)
        self.adviser.close()

    # Picture.

    def build_panel(self, space: Space) -> None:
        px, match = self.host.theme.px, self.match
        foot = Space(space.bottom(px(BUTTON + 4)), px(8))
        pause = foot.right(px(BUTTON + 8))
        self.primary_rect = foot.rest
        space.gap = px(8)
        rows = [space.bottom(px(BUTTON)) for _ in range(2)]
        new, save, save_as = columns(rows[0], 3, px(8))
        button = self.widgets.button
        button("new", new, t("play.new_game"), self.do_new, key="ctrl+n")
        button("save", save, t("play.save"), self.do_save, key="ctrl+s")
        button("save_as", save_as, t("play.save_as"), self.do_save_as, key="ctrl+shift+s")
        passes = PASSING in self.bindings
        undo, redo, *rest = columns(rows[1], 2 + passes, px(8))
        for place in rest:
            button("pass", place, t("move.pass"), self.do_pass, key=PASSING.keys[0])
        button("undo", undo, t("play.undo"), self.do_undo, key="ctrl+z")
        button("redo", redo, t("play.redo"), self.do_redo, key="ctrl+y")
        space.gap = px(12)
        self._shape = over, note = self._shape_now()
        if match.people and not over:
            self._build_resign()
        # It takes the place of the engine's thinking, or room from the list of moves: no button moves.
        self.note = Note(self.host.theme, space, note)
        self.note_rect = self.note.rect
        thinking = self.host.settings.thinking and len(match.people) < 2 and not note
        self.thinking_rect = space.bottom(px(THINKING_HEIGHT)) if thinking else None
        self._primary = ""
        button("pause", pause, "", self.do_pause, icon="pause", tip=t("play.pause"), key="p")
        self._fit_buttons()
        super().build_panel(space)

    def _build_resign(self) -> None:
        """Beside the line that says whose turn it is, where no other button is near."""
        px = self.host.theme.px
        side = px(BUTTON - 4)
        place = pygame.Rect(self.turn_rect.right - side, 0, side, side)
        place.centery = self.turn_rect.centery
        self.turn_rect.width -= side + px(4)
        self.widgets.button("resign", place, "", self.do_resign, style="@icon", icon="flag", tip=t("play.resign"))

    def _shape_now(self) -> tuple[bool, str]:
        """What the layout of the panel depends on: whether the game is over, and the note."""
        return self.record.outcome is not None, self.saver.note

    def _fit_buttons(self) -> None:
        """Enables what can be done now, and makes the primary button say what is next."""
        record, match = self.record, self.match
        self.widgets.enable("undo", match.can_undo)
        self.widgets.enable("redo", record.cursor.next is not None)
        if PASSING in self.bindings:
            self.widgets.enable("pass", match.person_to_move and PASS in record.position.legal_moves())
        self.widgets.enable("pause", record.outcome is None)
        self.widgets.choose("pause", match.paused)
        wanted = self._wanted_primary()
        if wanted != self._primary:
            self._primary = wanted
            self.widgets.remove("primary")
            key = {"move_now": "m", "hint": "h"}.get(wanted, "space")
            text = t(f"play.{wanted}")
            self.widgets.button("primary", self.primary_rect, text, self.do_primary, style="@primary", key=key)

    def _wanted_primary(self) -> str:
        if self.looked is not None:
            return "return"
        if self.record.outcome is not None:
            return "again"
        if self.match.paused:
            return "go_on"
        if self.match.waiting:
            return "resume"
        return "hint" if self.match.person_to_move else "move_now"

    def update(self, now: float) -> None:
        if self.match.timed and self.host.covered and not isinstance(self.host.overlay, Menu):
            self.match.pause()
        self.match.update()
        self.adviser.update()
        self._watch_clock(now)
        if self.match.error is not None:
            self.host.say(t("error.player"), "bad")
            self.match.error = None
        self._fit_buttons()
        if self._shape != self._shape_now():
            self.host.rebuild()
        super().update(now)

    def _watch_clock(self, now: float) -> None:
        """Warns of a clock that runs low, and keeps what was thought so far for the case of a crash."""
        faces, control = self.match.clocks(), self.record.control
        if faces is None or control is None or not self.match.running:
            return
        face = faces[self.record.position.turn]
        if self.match.person_to_move and self.alert.due(self.record.cursor, face, control.low(face)):
            self.host.sounds.play("low_time")
        if now - self._saved_at >= _AUTOSAVE:
            self.match.record_time()
            self._changed()
            self._saved_at = now

    def wake(self, now: float) -> float | None:
        due = [0.0] if self.board.moving(now) else []
        if self.match.thinking or self.adviser.busy:
            due.append(min(_LIVE, self.match.due if self.match.landing else _LIVE))
        if self.match.running:
            due.append(self._clock_due())
        return min(due, default=None)

    def _clock_due(self) -> float:
        """Seconds until the clock that runs shows something else."""
        faces = self.match.clocks()
        left = None if faces is None else faces[self.record.position.turn].seconds
        return 1.0 if left is None else clock_changes_in(left) + _JUST_AFTER

    @property
    def hidden(self) -> bool:
        """Nobody shall think while the clocks stand."""
        return self.match.paused and self.match.timed and self.record.outcome is None

    def shown(self) -> Node:
        return self.record.root if self.hidden else super().shown()

    def marks(self) -> Marks:
        position = self.shown().position
        if self.hidden:
            return Marks(coordinates=self.host.settings.coordinates)
        open_to_clicks = not self._refusal()
        hint = self.adviser.info if self.record.outcome is None else None
        return replace(
            super().marks(),
            hover=self.hover if open_to_clicks else None,
            cursor=self.cursor if open_to_clicks else None,
            hint=hint.move if hint is not None and self.adviser.position is position else None,
        )

    @property
    def explains(self) -> bool:
        """Threats and reasons are help: not in a game that will count, before it is over."""
        return self.record.outcome is not None or not self._counts

    def draw(self, surface: pygame.Surface, now: float) -> None:
        super().draw(surface, now)
        if self.hidden:
            draw_paused(surface, self.host.theme, self.board_rect)
        if self.thinking_rect is not None:
            info = self.match.info
            position = self.match.thought_about or self.record.position
            if self.adviser.position is self.record.position:
                info, position = self.adviser.info, self.record.position
            if self.hidden:
                info = None
            nodes = max(self.worker.nodes, self.adviser.nodes)
            draw_thinking(surface, self.host.theme, self.thinking_rect, position, info, nodes)
        self.note.draw(surface)

    def draw_turn(self, surface: pygame.Surface) -> None:
        if self.looked is not None:
            super().draw_turn(surface)
            return
        palette = self.host.theme.palette
        over = self.record.outcome is not None
        sentence = turn_sentence(self.record, self.match.thinking, self.match.waiting, self.match.paused)
        colour = palette.accent if over else palette.text
        write(surface, self.host.theme, sentence, self.turn_rect, 16, colour, bold=True)

    def running_seconds(self) -> float | None:
        """At the beginning of a game without clocks, nobody's time is told."""
        told = self.match.timed or self.record.cursor.parent is not None
        return self.match.seconds if told and self.match.running else None

    @property
    def stand_in_answers(self) -> bool:
        return self.adviser.stand_in

    def status_text(self) -> str:
        if self.looked is not None:
            return super().status_text()
        return t("status.kept", name=self.saver.file.name) if self.saver.on_disk else ""

    # Playing.

    def _refusal(self) -> str:
        """Why no move can be made on the board as it is shown; empty if one can."""
        if self.record.outcome is not None:
            return t("illegal.over")
        if self.match.paused:
            return t("play.paused_click")
        if self.looked is not None:
            return "" if self.looked.position.turn in self.match.people else t("play.not_yours")
        return "" if self.match.person_to_move else t("play.wait_turn")

    def _remark(self, text: str, kind: str = "info") -> None:
        """Say what is true of this moment of the game only."""
        here = self._moment()
        self.host.say(text, kind, holds=lambda: self._moment() == here)

    def _moment(self) -> tuple[object, ...]:
        return self.record.cursor, self.record.outcome, self.shown(), self.match.paused, self.host.overlay

    def chosen(self, move: int) -> None:
        refusal = self._refusal()
        if refusal:
            self._remark(refusal)
            return
        try:
            if self.looked is not None:
                self._play_elsewhere(self.looked, move)
                return
            self.match.play(move)
        except IllegalMove as error:
            self._remark(illegal_sentence(error), "bad")
        else:
            self.adviser.forget()

    def _play_elsewhere(self, node: Node, move: int) -> None:
        """Looks on where `move` was played at `node`; asks before the game goes on from any other one.

        Raises `IllegalMove`.
        """
        node.position.play(move)
        known = next((each for each in self.record.line() if each.parent is node and each.move == move), None)
        if known is not None:
            self.look(known)
            return
        rated = self.saver.will_count
        side = self.host.theme.px(BUTTON)
        under = pygame.Rect(self.board.pixel_of(move), (0, 0)).inflate(side, side)
        options = [
            ("branch", t("play.branch_here", move=move_name(node.position, move))), ("return", t("play.return")),
        ]  # fmt: skip
        self.host.overlay = Menu(self.host, under, options, "", partial(self._answered, node, move, rated))
        self._remark(t("play.branch_unrated" if rated else "play.branch"))

    def _answered(self, node: Node, move: int, rated: bool, answer: str) -> None:
        self.do_return()
        if answer == "branch" and self.match.branch(node, move):
            self.adviser.forget()
            self.host.say(t("play.branched_unrated" if rated else "play.branched"))

    def do_undo(self) -> None:
        self.do_return()
        self.match.undo()

    def do_redo(self) -> None:
        self.do_return()
        self.match.redo()

    def do_resign(self) -> None:
        self.do_return()
        self.match.resign()

    def do_move_now(self) -> None:
        self.match.move_now()

    def do_hint(self) -> None:
        if self.match.person_to_move and not self.match.paused:
            self.adviser.ask(self.record.position, _HINT)
            self.saver.mark_unrated("hint")
            self._counts = False

    def do_primary(self) -> None:
        """What the large button says: hint, move now, go on, or the same game again."""
        resume = self.match.resume
        actions = {
            "return": self.do_return, "again": self.do_again, "go_on": resume, "resume": resume, "hint": self.do_hint,
        }  # fmt: skip
        actions.get(self._wanted_primary(), self.do_move_now)()

    def do_threats(self) -> None:
        """Show or hide threats; a game in which they are shown does not count."""
        if not self.explains:
            self.host.settings.threats = False  # none were shown
            self._counts = False
            super().do_threats()
            self.saver.mark_unrated("threats")
        else:
            super().do_threats()

    def do_thinking(self) -> None:
        if len(self.match.people) < 2:
            super().do_thinking()
        else:
            self.host.say(t("play.no_thinking"))

    def do_pause(self) -> None:
        if self.match.paused:
            self.match.resume()
        else:
            self.do_return()
            self.adviser.forget()
            self.match.pause()

    def do_again(self) -> None:
        record, game = self.record, self.record.setup.game
        self.saver.count()  # an even match follows the rating after this game
        first, second = (replace(seat, player=resolve_level(seat.player, game)) for seat in record.seats)
        self.host.show(Play(self.host, GameRecord(record.setup, (first, second), control=record.control)))

    # Saving.

    def do_save(self) -> None:
        self.save_to(self.file or self.saver.file)

    def _changed(self) -> None:
        """After every change of the game."""
        failed = self.match.stood_in and self.host.engine.state.name == "failed"
        self.saver.save("engine" if failed else "")
        self._counts = self.saver.will_count
