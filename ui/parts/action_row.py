"""The row of buttons under a game that is played: undo, redo, what is to be done next, pause, and the menu."""

from __future__ import annotations

from functools import partial

import pygame

from games.position import PASS
from games.registry import GAMES
from ui.game.play_state import PlayState
from ui.host import Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space
from ui.toolkit.menu import Menu
from ui.toolkit.text import write
from ui.toolkit.widgets import Widgets
from ui.words.games import turn_sentence

_KEYS = {"move_now": "m", "hint": "h"}  # of what may be next; Space does it as well
_PLAIN = ("hint", "dismiss")  # what is possible but need not be done


class ActionRow(Part):
    """At the bottom of the space; `menu` takes its room from the right. After the end there is nothing but another try
    at the last move, which leaves the game."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState, menu: Part) -> None:
        self._host, self._widgets, self._state, self._menu = host, widgets, state, menu
        self._passes = GAMES[state.record.setup.game].passes
        self._next = ""
        self._place: pygame.Rect | None = None
        self.bindings = (
            Binding(("ctrl+z",), state.take_back, "keys.undo"),
            Binding(("ctrl+y", "ctrl+shift+z"), self._redo, "keys.redo"),
            Binding(("m",), state.live.move_now, "keys.move_now"),
            Binding(("h",), state.ask_hint, "keys.hint"),
            Binding(("space",), self._proceed, "keys.primary"),
            Binding(("p",), self._pause, "keys.pause"),
        )

    def shape(self) -> object:
        return self._state.over

    def build(self, space: Space) -> None:
        theme, over = self._host.theme, self._state.over
        side = theme.px(BUTTON)
        row = Space(space.bottom(side), theme.px(8))
        self._menu.build(row)
        self._place, self._next = None, ""
        button = self._widgets.button
        if over:
            tip, text = t("play.try_tip"), t("play.try")
            button("undo", row.rest, text, self._state.take_back, icon="undo", tip=tip, key="ctrl+z")
        else:
            button("pause", row.right(side), "", self._pause, icon="pause", tip=t("play.pause"), key="p")
            button("undo", row.left(side), "", self._state.take_back, icon="undo", tip=t("play.undo"), key="ctrl+z")
            button("redo", row.left(side), "", self._redo, icon="redo", tip=t("play.redo"), key="ctrl+y")
            self._place = row.rest
        if self._passes:
            button("pass", space.bottom(side), t("move.pass"), partial(self._state.choose, PASS), key="ctrl+p")
        self._show()

    def update(self, now: float) -> None:
        if (self._place is None) == self._state.over:  # else it is laid out anew at once
            self._show()

    def _show(self) -> None:
        """Enable what is possible, and let the wide button say what is next."""
        state, widgets = self._state, self._widgets
        widgets.enable("undo", state.can_take_back)
        if self._passes:
            widgets.enable("pass", state.can_pass)
        if self._place is None:
            return
        widgets.enable("redo", state.live.can_redo)
        widgets.choose("pause", state.live.paused)
        following = state.next_step
        if following != self._next:
            self._next = following
            widgets.remove("primary")
            style, key = "" if following in _PLAIN else "@primary", _KEYS.get(following, "space")
            widgets.button("primary", self._place, t(f"play.{following}"), self._proceed, style=style, key=key)

    def _redo(self) -> None:
        self._state.leave()
        self._state.live.redo()

    def _proceed(self) -> None:
        """Do what the wide button says."""
        state = self._state
        actions = {
            "to_game": state.leave, "review": state.review, "go_on": state.live.resume,
            "resume": state.live.resume, "hint": state.ask_hint, "dismiss": state.dismiss,
        }  # fmt: skip
        actions.get(state.next_step, state.live.move_now)()

    def _pause(self) -> None:
        if self._state.live.paused:
            self._state.live.resume()
        else:
            self._state.leave()
            self._state.hints.forget()
            self._state.live.pause()


_TURN_LINE = 24  # design pixels


class Turn(Part):
    """Whose turn it is in a game that is played, or which earlier move is shown."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._question: Menu | None = None  # while the person is asked whether to resign

    def shape(self) -> object:
        return self._state.over

    def build(self, space: Space) -> None:
        """Where the game is over, leave the line to the card that says how."""
        if self._state.over:
            return
        px = self._host.theme.px
        self._rect = space.top(px(_TURN_LINE))
        if self._state.live.people:  # beside the line, where no other button is near
            side = px(BUTTON - 4)
            place = pygame.Rect(self._rect.right - side, 0, side, side)
            place.centery = self._rect.centery
            self._rect.width -= side + px(4)
            tip, ask = t("play.resign"), partial(self._ask, place)
            self._widgets.button("resign", place, "", ask, style="@icon", icon="flag", tip=tip)

    def _ask(self, under: pygame.Rect) -> None:
        """Ask, since nothing takes it back, in a menu: the clock runs on meanwhile."""
        actions = {"return": self._state.leave, "resign": self._resign}
        options = [("return", t("play.dismiss")), ("resign", t("play.resign"))]
        question = Menu(self._host, under, options, "", lambda answer: actions[answer]())
        self._host.overlay = self._question = question
        sentence = t("play.resign_rated" if self._state.saver.counts else "play.resign_about")
        self._host.say(sentence, holds=lambda: self._host.overlay is question)

    def _resign(self) -> None:
        self._state.leave()
        self._state.live.resign()

    def update(self, now: float) -> None:
        """Withdraw the question when the game has ended."""
        if self._state.over and self._question is not None and self._host.overlay is self._question:
            self._host.overlay = None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._state.over:
            return
        theme, state, live = self._host.theme, self._state, self._state.live
        turn = turn_sentence(state.record, live.thinking, live.waiting, live.paused)
        colour = theme.palette.info if state.viewed else theme.palette.text
        text = state.viewed or (t("teach.waits") if state.warning else turn)
        write(surface, theme, text, self._rect, 16, colour, bold=True)
