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
from games.record import GameRecord, Node, path
from ui.board.view import Marks
from ui.game.adviser import Adviser
from ui.game.autosave import Autosave
from ui.game.live_game import LiveGame
from ui.game.low_time import LowTimeAlert
from ui.game.pace import pause
from ui.game.viewpoint import Viewpoint
from ui.game.words import clock_changes_in, illegal_sentence, move_name, turn_sentence
from ui.host import Host
from ui.panels.action_row import ActionRow, Possible
from ui.panels.ending_card import Ending, EndingCard, ending_of
from ui.panels.moves import MoveList
from ui.panels.paused_card import draw_paused
from ui.panels.thinking import HEIGHT as THINKING_HEIGHT
from ui.panels.thinking import draw_thinking
from ui.scenes.game import PASSING, SHARED, GameScene
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space
from ui.toolkit.menu import Menu
from ui.toolkit.text import write

_HINT = Limit(seconds=1.0)
_AUTOSAVE = 5.0  # seconds between two savings of the clock that runs
_JUST_AFTER = 0.002  # seconds
_LIVE = 0.1  # seconds between two polls of a running search or clock
_FRAME = 3  # design pixels of the line around a board that shows an earlier moment


class Play(GameScene):
    """`file` is where the game is saved; None for a new game. Without `autosave` nothing is written.

    A click on a move of the list shows that moment, while the game goes on; see `Viewpoint`.
    """

    name = "play"
    tells_ending = True
    bindings = (
        Binding(("left",), "do_left", "keys.cursor_left"),
        Binding(("right",), "do_right", "keys.cursor_right"),
        Binding(("up",), "do_up", "keys.cursor_up"),
        Binding(("down",), "do_down", "keys.cursor_down"),
        Binding(("return",), "do_place", "keys.place"),
        Binding(("pageup",), "do_look_back", "keys.look_back"),
        Binding(("pagedown",), "do_look_on", "keys.look_on"),
        Binding(("end",), "do_return", "keys.return"),
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
        self.viewpoint = Viewpoint(record)
        self.saver = Autosave(host, record, file, autosave)
        self.worker = Worker(host.wake)
        self.adviser = Adviser(host.wake, partial(host.player, "engine", book=False), host.engine)
        hold = pause if host.settings.motion else lambda _player, _position: 0.0
        self.live = LiveGame(record, self.worker, self._changed, make=host.player, hold=hold)
        if file is None and record.position.ply:
            self.saver.mark_unrated("position")
        self.alert = LowTimeAlert()
        self.card: EndingCard | None = None
        self._counts = True
        self._shape = (False, "")
        self._saved_at = 0.0

    def enter(self) -> None:
        self.live.open()
        self.saver.opened()
        self._counts = self.saver.will_count

    def leave(self) -> None:
        self.live.close()
        if self.live.timed and self.record.outcome is None:
            self._changed()  # with what was thought so far
        self.saver.left()
        self.worker.close(0.0)
        self.adviser.close()

    # Picture.

    def build_panel(self, space: Space) -> None:
        self._shape = self._shape_now()
        ending = ending_of(self.record, self.saver.note)
        passing = PASSING.keys[0] if PASSING in self.bindings else ""
        self.actions = ActionRow(self.host.theme, self, space, ending is not None, passing)
        self.card = None
        if ending is not None:
            self._build_card(space, ending)
        elif self.live.people:
            self._build_resign()
        thinking = self.host.settings.thinking and len(self.live.people) < 2 and ending is None
        self.thinking_rect = space.bottom(self.host.theme.px(THINKING_HEIGHT)) if thinking else None
        self.moves = MoveList(self.host.theme, space.rest, self.record)
        self.actions.show(self._possible())

    def _build_card(self, space: Space, ending: Ending) -> None:
        """How the game ended, in place of the line that says whose turn it is."""
        button, record = self.widgets.button, self.record
        top = self.turn_rect
        self.card = card = EndingCard(self.host.theme, record.setup.game, ending, top.topleft, top.width)
        space.top(card.rect.bottom - space.rest.top)
        tip = t("play.review_tip")
        button("review", card.review, t("play.review"), self.do_review, style="@primary", tip=tip, key="return")
        button("rematch", card.rematch, t("play.rematch"), self.do_rematch, tip=t("play.rematch_tip"))
        button("new", card.new, t("play.new_game"), self.do_new, key="ctrl+n")

    def _build_resign(self) -> None:
        """Beside the line that says whose turn it is, where no other button is near."""
        px = self.host.theme.px
        side = px(BUTTON - 4)
        place = pygame.Rect(self.turn_rect.right - side, 0, side, side)
        place.centery = self.turn_rect.centery
        self.turn_rect.width -= side + px(4)
        self.widgets.button("resign", place, "", self.do_resign, style="@icon", icon="flag", tip=t("play.resign"))

    def _shape_now(self) -> tuple[bool, str]:
        """What the layout of the panel depends on: whether the game is over, and what it does to the rating."""
        return self.record.outcome is not None, self.saver.note

    def _possible(self) -> Possible:
        record, live = self.record, self.live
        passing = PASSING in self.bindings and live.person_to_move and PASS in record.position.legal_moves()
        return Possible(self._wanted_primary(), live.can_undo, record.cursor.next is not None, passing, live.paused)

    def _wanted_primary(self) -> str:
        if self.viewpoint.earlier is not None:
            return "to_game"
        if self.record.outcome is not None:
            return "review"
        if self.live.paused:
            return "go_on"
        if self.live.waiting:
            return "resume"
        return "hint" if self.live.person_to_move else "move_now"

    def update(self, now: float) -> None:
        if self.live.timed and self.host.covered and not isinstance(self.host.overlay, Menu):
            self.live.pause()
        self.live.update()
        self.adviser.update()
        self._watch_clock(now)
        if self.live.error is not None:
            self.host.say(t("error.player"), "bad")
            self.live.error = None
        self.actions.show(self._possible())
        if self._shape != self._shape_now():
            self.host.rebuild()
        self.viewpoint.update()
        super().update(now)

    def _watch_clock(self, now: float) -> None:
        """Warns of a clock that runs low, and keeps what was thought so far for the case of a crash."""
        faces, control = self.live.clocks(), self.record.control
        if faces is None or control is None or not self.live.running:
            return
        face = faces[self.record.position.turn]
        if self.live.person_to_move and self.alert.due(self.record.cursor, face, control.low(face)):
            self.host.sounds.play("low_time")
        if now - self._saved_at >= _AUTOSAVE:
            self.live.record_time()
            self._changed()
            self._saved_at = now

    def wake(self, now: float) -> float | None:
        due = [0.0] if self.board.moving(now) else []
        if self.live.thinking or self.adviser.busy:
            due.append(min(_LIVE, self.live.due if self.live.landing else _LIVE))
        if self.live.running:
            due.append(self._clock_due())
        return min(due, default=None)

    def _clock_due(self) -> float:
        """Seconds until the clock that runs shows something else."""
        faces = self.live.clocks()
        left = None if faces is None else faces[self.record.position.turn].seconds
        return 1.0 if left is None else clock_changes_in(left) + _JUST_AFTER

    @property
    def hidden(self) -> bool:
        """Nobody shall think while the clocks stand."""
        return self.live.paused and self.live.timed and self.record.outcome is None

    def shown(self) -> Node:
        return self.record.root if self.hidden else self.viewpoint.node

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
        if not self.hidden:
            self.moves.draw(surface, pygame.mouse.get_pos())
        else:
            draw_paused(surface, self.host.theme, self.board_rect)
        if self.thinking_rect is not None:
            info = self.live.info
            position = self.live.thought_about or self.record.position
            if self.adviser.position is self.record.position:
                info, position = self.adviser.info, self.record.position
            if self.hidden:
                info = None
            nodes = max(self.worker.nodes, self.adviser.nodes)
            draw_thinking(surface, self.host.theme, self.thinking_rect, position, info, nodes)
        if self.card is not None:
            self.card.draw(surface)
        if self.viewpoint.earlier is not None:
            theme, width = self.host.theme, self.host.theme.px(_FRAME + 2)
            around = self.board_rect.inflate(2 * width, 2 * width)
            pygame.draw.rect(surface, theme.palette.info, around, theme.px(_FRAME), theme.px(12))

    def draw_turn(self, surface: pygame.Surface) -> None:
        if self.card is not None:
            return
        live, palette = self.live, self.host.theme.palette
        sentence, colour = self._viewed_text(), palette.info
        if not sentence:
            sentence, colour = turn_sentence(self.record, live.thinking, live.waiting, live.paused), palette.text
        write(surface, self.host.theme, sentence, self.turn_rect, 16, colour, bold=True)

    def _viewed_text(self) -> str:
        """Which earlier move is shown, if one is."""
        if self.viewpoint.earlier is None:
            return ""
        return t("play.looking", ply=len(path(self.viewpoint.node)) - 1, total=len(self.record.line()) - 1)

    def running_seconds(self) -> float | None:
        """At the beginning of a game without clocks, nobody's time is told."""
        told = self.live.timed or self.record.cursor.parent is not None
        return self.live.seconds if told and self.live.running else None

    @property
    def stand_in_answers(self) -> bool:
        return self.adviser.stand_in

    def status_text(self) -> str:
        if self.viewpoint.earlier is not None:
            viewed = f"{self._viewed_text()}. " if self.card is not None else ""
            return viewed + t("play.looking_about" if self.card is None else "play.looking_over")
        if self.card is not None and self.saver.note and self._counts:
            return t("play.counts_later")
        return t("status.kept", name=self.saver.file.name) if self.saver.on_disk else ""

    # Playing.

    def _refusal(self) -> str:
        """Why no move can be made on the board as it is shown; empty if one can."""
        if self.record.outcome is not None:
            return t("illegal.over")
        if self.live.paused:
            return t("play.paused_click")
        if self.viewpoint.earlier is not None:
            return "" if self.viewpoint.node.position.turn in self.live.people else t("play.not_yours")
        return "" if self.live.person_to_move else t("play.wait_turn")

    def _remark(self, text: str, kind: str = "info") -> None:
        """Say what is true of this moment of the game only."""
        here = self._moment()
        self.host.say(text, kind, holds=lambda: self._moment() == here)

    def _moment(self) -> tuple[object, ...]:
        return self.record.cursor, self.record.outcome, self.shown(), self.live.paused, self.host.overlay

    def chosen(self, move: int) -> None:
        refusal = self._refusal()
        if refusal:
            self._remark(refusal)
            return
        try:
            if self.viewpoint.earlier is not None:
                self._play_elsewhere(self.viewpoint.earlier, move)
                return
            self.live.play(move)
        except IllegalMove as error:
            self._remark(illegal_sentence(error), "bad")
        else:
            self.adviser.forget()

    def _play_elsewhere(self, node: Node, move: int) -> None:
        """Show what follows where `move` was played at `node`; ask before the game goes on from any other move.

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
        if answer == "branch" and self.live.branch(node, move):
            self.adviser.forget()
            self.host.say(t("play.branched_unrated" if rated else "play.branched"))

    # Viewing earlier moves.

    def look(self, node: Node) -> None:
        if not self.hidden:
            self.viewpoint.show(node)

    def sync(self, now: float) -> None:
        super().sync(now)
        self.moves.follow(self.shown())

    def wheel(self, turns: int) -> bool:
        over = self.moves.rect.collidepoint(pygame.mouse.get_pos())
        if over:
            self.moves.scroll(-turns)
        return over

    def clicked(self, pixel: tuple[int, int]) -> bool:
        node = None if self.hidden else self.moves.node_at(pixel)
        if node is None:
            return super().clicked(pixel)
        self.widgets.leave_focus()
        self.look(node)
        return True

    def pointed_node(self) -> Node | None:
        return self.moves.node_at(pygame.mouse.get_pos())

    def places(self) -> dict[str, tuple[int, int]]:
        return self.moves.places()

    def do_look_back(self) -> None:
        if not self.hidden:
            self.viewpoint.back()

    def do_look_on(self) -> None:
        if not self.hidden:
            self.viewpoint.forward()

    def do_return(self) -> None:
        """Show where the game stands."""
        self.viewpoint.leave()

    def do_back(self) -> None:
        if self.viewpoint.earlier is not None:
            self.do_return()
        else:
            super().do_back()

    # Actions.

    def do_place(self) -> None:
        """Enter: a move at the cursor, and after the game the first button of the card."""
        if self.card is not None:
            self.do_review()
        else:
            super().do_place()

    def do_undo(self) -> None:
        self.do_return()
        self.live.undo()

    def do_redo(self) -> None:
        self.do_return()
        self.live.redo()

    def do_resign(self) -> None:
        self.do_return()
        self.live.resign()

    def do_move_now(self) -> None:
        self.live.move_now()

    def do_hint(self) -> None:
        if self.live.person_to_move and not self.live.paused:
            self.adviser.ask(self.record.position, _HINT)
            self.saver.mark_unrated("hint")
            self._counts = False

    def do_primary(self) -> None:
        """What the button says that tells what is next."""
        resume = self.live.resume
        actions = {
            "to_game": self.do_return, "review": self.do_review, "go_on": resume, "resume": resume,
            "hint": self.do_hint,
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
        if len(self.live.people) < 2:
            super().do_thinking()
        else:
            self.host.say(t("play.no_thinking"))

    def do_pause(self) -> None:
        if self.live.paused:
            self.live.resume()
        else:
            self.do_return()
            self.adviser.forget()
            self.live.pause()

    def do_review(self) -> None:
        self.host.files.settle()  # then it is known whether there is a file
        self.host.review(self.record, self.saver.file if self.saver.on_disk else self.file)

    def do_rematch(self) -> None:
        """The same game with the sides swapped."""
        record, game = self.record, self.record.setup.game
        self.saver.count()  # an even match follows the rating after this game
        first, second = (replace(seat, player=resolve_level(seat.player, game)) for seat in record.seats)
        again = GameRecord(record.setup, (second, first), control=record.control, stones=record.stones)
        self.host.show(Play(self.host, again))

    # Saving.

    def do_save(self) -> None:
        self.save_to(self.file or self.saver.file)

    def _changed(self) -> None:
        """After every change of the game."""
        failed = self.live.stood_in and self.host.engine.state.name == "failed"
        self.saver.save("engine" if failed else "")
        self._counts = self.saver.will_count
