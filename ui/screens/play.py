"""The scene in which a game is played: persons click, engines think, every move is saved at once."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pygame

from ai.review.view import View
from ai.worker import Worker
from games.position import PASS, Position
from games.record import Evaluation, GameRecord, Node
from ui.board.view import Marks
from ui.game.adviser import Adviser
from ui.game.analyst import Analyst
from ui.game.autosave import Autosave
from ui.game.clock_watch import ClockWatch, clock_due
from ui.game.hints import Hints
from ui.game.live_game import LiveGame
from ui.game.pace import pause
from ui.game.play_words import next_step, refusal, viewed_text
from ui.game.rematch import rematch
from ui.game.shown_search import Search, best_evaluation, shown_search
from ui.game.teacher import Refutation, Teacher, warning_sentence
from ui.game.viewpoint import Viewpoint
from ui.host import Host
from ui.parts.action_row import Possible
from ui.parts.board_cover import draw_area, draw_frame, draw_paused
from ui.parts.ending_card import EndingCard, ending_of
from ui.parts.moves import MoveList
from ui.parts.persons_moves import PersonsMoves
from ui.parts.play_panel import PlayPanel, Shape
from ui.screens.game import PASSING, SHARED, GameScene
from ui.system.frame_clock import soonest
from ui.toolkit.i18n import t
from ui.toolkit.keys import CURSOR, Binding
from ui.toolkit.layout import Space
from ui.toolkit.menu import Menu
from ui.words.results import turn_sentence
from ui.words.views import chance_text

_LIVE = 0.1  # seconds between two polls of a running search or clock


class Play(GameScene):
    """`file` is where the game is saved; None for a new game. Without `autosave` nothing is written.

    A click on a move of the list shows that moment, while the game goes on; see `Viewpoint`.
    """

    name = "play"
    tells_ending = True
    bindings = (
        *CURSOR,
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

    def __init__(
        self, host: Host, record: GameRecord, file: Path | None = None, autosave: bool = True, teaching: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(host, record)
        self.viewpoint = Viewpoint(record)
        self.saver = Autosave(host, record, file, autosave)
        self.worker = Worker(host.wake)
        self.hints = Hints(host, record.setup)
        hold = pause if host.settings.motion else lambda _player, _position: 0.0
        self.live = LiveGame(record, self.worker, self._changed, make=host.player, hold=hold)
        if file is None and record.position.ply:
            self.saver.mark_unrated("position")
        if teaching:
            self.saver.mark_unrated("teaching")
        self.teacher = Teacher(host, record.setup) if teaching or self.saver.taught else None
        self.analyst = Analyst(host, self.viewpoint, self._changed)
        self.persons_moves = PersonsMoves(self)
        self.clock_watch = ClockWatch(partial(host.sounds.play, "low_time"), self._changed)

    def enter(self) -> None:
        self.live.open()
        self.saver.opened()

    def leave(self) -> None:
        super().leave()
        self.live.close()
        if self.live.timed and self.record.outcome is None:
            self._changed()  # with what was thought so far
        self.saver.left()
        self.worker.close(0.0)
        self.adviser.close()
        self.analyst.close()
        if self.teacher is not None:
            self.teacher.close()

    @property
    def adviser(self) -> Adviser:
        return self.hints.adviser

    # Picture.

    def build_panel(self, space: Space) -> None:
        self.panel_parts = PlayPanel(self.host.theme, self, self._shape(), self.turn_rect, space)
        self.panel_parts.actions.show(self._possible())

    def _shape(self) -> Shape:
        passing = PASSING.keys[0] if PASSING in self.bindings else ""
        ending = ending_of(self.record, self.saver.note)
        warning = "" if self.warning is None else warning_sentence(self.record.setup.game, self.warning)
        return Shape(ending, passing, bool(self.live.people), warning, self.shows_bar, self.host.settings.expert)

    @property
    def warning(self) -> Refutation | None:
        """What the teacher says of the last move."""
        return None if self.teacher is None else self.teacher.warning

    def _possible(self) -> Possible:
        record, live = self.record, self.live
        passing = PASSING in self.bindings and live.person_to_move and PASS in record.position.legal_moves()
        step = "dismiss" if self.warning is not None else next_step(live, self.viewpoint)
        return Possible(step, live.can_undo, record.cursor.next is not None, passing, live.paused)

    def update(self, now: float) -> None:
        if self.live.timed and self.host.covered and not isinstance(self.host.overlay, Menu):
            self.live.pause()
        if self.teacher is not None:
            self.teacher.follow(self.record.cursor, self.live.person_to_move)
        taught = self.teacher is not None and self.teacher.holds
        self.live.held_back = taught or self.board.moving(now)  # the move before is still on its way
        self.live.update()
        self.adviser.update()
        self.analyst.update()
        self.clock_watch.update(self.live, now)
        if self.live.error is not None:
            self.host.say(t("error.player"), "bad")
            self.live.error = None
        self.panel_parts.actions.show(self._possible())
        if self.panel_parts.shape != self._shape():
            self.host.rebuild()
        self.viewpoint.update()
        super().update(now)

    def wake(self, now: float) -> float | None:
        taught = self.teacher is not None and self.teacher.busy
        searching = self.live.thinking or self.adviser.busy or self.analyst.busy or taught
        landing = self.live.due if self.live.landing else None
        return soonest(super().wake(now), clock_due(self.live), landing, _LIVE if searching else None)

    @property
    def card(self) -> EndingCard | None:
        """How the game ended, if it has."""
        return self.panel_parts.card

    @property
    def moves(self) -> MoveList:
        return self.panel_parts.moves

    @property
    def hidden(self) -> bool:
        """In a pause of a game with clocks, so that nobody thinks for free."""
        return self.live.paused and self.live.timed and self.record.outcome is None

    def shown(self) -> Node:
        return self.record.root if self.hidden else self.viewpoint.cursor

    def marks(self) -> Marks:
        position = self.shown().position
        if self.hidden:
            return Marks(coordinates=self.host.settings.coordinates)
        open_to_clicks = not refusal(self.live, self.viewpoint)
        marks = replace(
            super().marks(),
            hover=self.hover if open_to_clicks else None,
            cursor=self.cursor if open_to_clicks else None,
        )
        if self.record.outcome is None:
            marks = self.hints.marks(marks, position)
        if self.warning is not None and self.viewpoint.earlier is None:
            return replace(marks, line=self.warning.line)
        return self.analyst.marks(marks, self.hover)

    @property
    def explains(self) -> bool:
        """Threats and reasons are help, so not while a game counts for the rating."""
        return self.record.outcome is not None or not self.saver.counts

    def draw(self, surface: pygame.Surface, now: float) -> None:
        super().draw(surface, now)
        area = None if self.hidden else self.hints.area(self.shown().position)
        if area is not None:
            draw_area(surface, self.host.theme, self.board, self.board_rect, area)
        chance, sentence, search = "", "", Search(self.record.position)
        if self.hidden:
            draw_paused(surface, self.host.theme, self.board_rect)
        else:
            self.moves.draw(surface, pygame.mouse.get_pos())
            chance, sentence = chance_text(self.record.setup.game, self.wins()), self.view_sentence()
            search = self._search()
        self.panel_parts.draw(surface, sentence, chance, search)
        if self.viewpoint.earlier is not None:
            draw_frame(surface, self.host.theme, self.board.area)

    # The engine's view.

    @property
    def shows_bar(self) -> bool:
        return self.analyst.on or (self.host.settings.thinking and len(self.live.people) < 2)

    def evaluated(self) -> tuple[Position, Evaluation | None]:
        shown = self.shown()
        return shown.position, best_evaluation(self._search(), shown)

    def _search(self) -> Search:
        return shown_search(self.live, self.hints, self.analyst, self.shown())

    def view(self) -> View | None:
        """None where it would be a hint in a game that counts."""
        persons = self.shown().position.turn in self.live.people
        return super().view() if self.explains or not persons else None

    def draw_turn(self, surface: pygame.Surface) -> None:
        live = self.live
        turn = turn_sentence(self.record, live.thinking, live.waiting, live.paused)
        self.panel_parts.draw_turn(surface, viewed_text(self.viewpoint), t("teach.waits") if self.warning else turn)

    def running_seconds(self) -> float | None:
        """None before the first move of a game without clocks."""
        told = self.live.timed or self.record.cursor.parent is not None
        return self.live.seconds if told and self.live.running else None

    @property
    def stand_in_answers(self) -> bool:
        return self.adviser.stand_in or self.analyst.stand_in

    def advice(self) -> str:
        return self.hints.sentence(self.shown().position, self.view_sentence() if self.view() is not None else "")

    def status_text(self) -> str:
        if self.viewpoint.earlier is not None:
            viewed = f"{viewed_text(self.viewpoint)}. " if self.card is not None else ""
            return viewed + t("play.looking_about" if self.card is None else "play.looking_over")
        if self.card is not None and self.saver.note and self.saver.counts:
            return t("play.counts_later")
        return t("status.kept", name=self.saver.file.name) if self.saver.on_disk else ""

    def chosen(self, move: int) -> None:
        self.persons_moves.chosen(move)

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
        elif self.warning is not None:
            self.do_dismiss()
        else:
            super().do_back()

    # Actions.

    def do_place(self) -> None:
        """Enter: a move at the cursor, and after the game the first button of the card."""
        if self.card is not None:
            self.do_review()
        elif self.warning is not None:
            self.do_undo()
        else:
            super().do_place()

    def do_take_back(self) -> None:
        """The answer to a warning that Enter gives, too."""
        self.do_undo()

    def do_dismiss(self) -> None:
        """Play on in spite of the teacher's warning."""
        if self.teacher is not None:
            self.teacher.dismiss()

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
            self.hints.ask(self.record.position)
            self.saver.mark_unrated("hint")

    def do_primary(self) -> None:
        """Do what the wide button says."""
        actions = {
            "to_game": self.do_return, "review": self.do_review, "go_on": self.live.resume,
            "resume": self.live.resume, "hint": self.do_hint, "dismiss": self.do_dismiss,
        }  # fmt: skip
        actions.get(self._possible().next, self.do_move_now)()

    def do_threats(self) -> None:
        """Show or hide threats; a game in which they are shown does not count."""
        helps = not self.explains
        if helps:
            self.host.settings.threats = False  # none were shown
        super().do_threats()
        if helps:
            self.saver.mark_unrated("threats")

    def do_thinking(self) -> None:
        """Show what the engine thinks of its own moves; between people, start or stop an analysis."""
        if len(self.live.people) < 2:
            super().do_thinking()
        else:
            self.analyst.toggle()
            self.host.rebuild()

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
        self.saver.count()  # an even match follows the rating after this game
        scene = Play(self.host, rematch(self.record), teaching=self.teacher is not None)
        scene.back = self.back
        self.host.show(scene)

    # Saving.

    def do_save(self) -> None:
        self.save_to(self.file or self.saver.file)

    def _changed(self) -> None:
        """Save after every change of the game."""
        failed = self.live.stood_in and self.host.engine.state.name == "failed"
        self.saver.save("engine" if failed else "")
