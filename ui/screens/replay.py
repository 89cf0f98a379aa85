"""The scene in which a saved game is studied: walked through, analysed, changed, and played on from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pygame

from games.record import GameRecord, Node, Seat, path
from games.registry import GAMES
from ui.board.view import Marks
from ui.game.analyst import Analyst
from ui.host import Host, Screen
from ui.parts.analysis import AnalysisTab
from ui.parts.ending_card import tone_of
from ui.parts.menu_actions import Action, open_menu, speed_action
from ui.parts.moves_tab import MovesTab
from ui.parts.review import ReviewTab
from ui.parts.tab import Tab
from ui.parts.tabs import Tabs
from ui.parts.transport import Transport
from ui.screens.editing import EditingScene
from ui.screens.game import SHARED
from ui.screens.play import Play
from ui.screens.play_on import PlayOn, continued
from ui.system.frame_clock import soonest
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space
from ui.toolkit.text import width_of, write
from ui.words.files import notices_sentence
from ui.words.results import outcome_sentence


class Replay(EditingScene):
    """`record` is shown from its beginning, or from its cursor with `at_cursor`. `tab` is the name of the tab to begin
    with; without it, the one that was chosen last. `ui.parts.tab` tells what tabs may ask of this scene."""

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
        Binding(("ctrl+tab",), "do_next_tab", "keys.next_tab"),
        Binding(("ctrl+shift+tab",), "do_previous_tab", "keys.previous_tab"),
    )

    def __init__(
        self, host: Host, record: GameRecord, file: Path | None = None, at_cursor: bool = False,
        back: Screen | None = None, tab: str = "",
    ) -> None:  # fmt: skip
        super().__init__(host, record, file)
        self.back = back
        self.transport = Transport(self)
        self.analysis = AnalysisTab(self)
        self.review = ReviewTab(self)
        self.tabs = Tabs(self, (MovesTab(self), self.analysis, self.review), tab or host.settings.study_tab)
        self._always, self._asked, self._begun = self.bindings, bool(tab), False
        if not at_cursor:
            record.go_to(record.root)

    @property
    def tab(self) -> Tab:
        return self.tabs.chosen

    @property
    def analyst(self) -> Analyst:
        return self.analysis.analyst

    @property
    def kinds(self) -> Mapping[Node, str]:
        return self.review.reviewer.kinds

    @property
    def reviewing(self) -> bool:
        return self.review.reviewer.busy

    def enter(self) -> None:
        if self._begun:
            return
        self._begun = True
        if self.record.notices:
            self.host.say(notices_sentence(self.record.notices), "bad")
        if self._asked:
            self.tab.start()

    def leave(self) -> None:
        self.transport.stop()
        self.tabs.close()
        if self.saver.unsaved:  # there may be room now
            self.saver.keep()
        super().leave()

    # Tabs.

    def choose_tab(self, name: str) -> None:
        """Show the tab `name`, and again when the next game is opened."""
        self.tabs.choose(name)

    def do_next_tab(self) -> None:
        self.tabs.step(1)

    def do_previous_tab(self) -> None:
        self.tabs.step(-1)

    def key(self, event: pygame.event.Event) -> bool:
        return self.tab.key(event) or super().key(event)

    # Layout.

    def build_panel(self, space: Space) -> None:
        px = self.host.theme.px
        self._build_actions(Space(space.bottom(px(BUTTON)), px(8)))
        space.gap = px(8)
        self.transport.build(space)
        self.tabs.build(space)
        self.bindings = (*self._always, *self.tab.bindings)  # for the page of keys

    def _build_actions(self, space: Space) -> None:
        more = space.right(self.host.theme.px(48))
        self.widgets.button("more", more, "", self.do_more, icon="more", tip=t("replay.more"))
        enabled = self.record.position.outcome is None
        self.widgets.button(
            "play_on", space.rest, t("replay.play_on"), self.do_play_on, style="@primary", key="return", enabled=enabled
        )

    def do_more(self) -> None:
        """Open the menu of everything rare."""
        under = self.widgets.elements["more"].rect
        open_menu(self.host, under, [
            speed_action(self.host, under, self.transport),
            Action("promote", t("keys.promote"), self.do_promote, "p"),
            Action("remove", t("keys.remove"), self.do_remove, "delete"),
            Action("undo", t("library.undo"), self.do_undo, "ctrl+z"),
            Action("copy", t("keys.copy"), self.do_copy, "ctrl+c"),
            *self._set_up_action(),
            Action("save_as", t("play.save_as"), self.do_save_as, "ctrl+shift+s"),
            Action("export_picture", t("export.action"), self.do_export_picture, "ctrl+e"),
        ])  # fmt: skip

    def _set_up_action(self) -> list[Action]:
        """In games whose positions can be set up."""
        if GAMES[self.record.setup.game].arrange is None:
            return []
        return [Action("set_up", t("editor.from_here"), lambda: self.host.set_up_position(self.record, self))]

    # Time and picture.

    def update(self, now: float) -> None:
        self.transport.update(now)
        self.tabs.update(now)
        self.widgets.enable("play_on", self.record.position.outcome is None)
        super().update(now)

    def wake(self, now: float) -> float | None:
        return soonest(super().wake(now), self.transport.wake(now), self.tabs.wake(now))

    def shown(self) -> Node:
        return self.tab.shown(self.record.cursor)

    def on_move(self) -> int | None:
        """On the board, which may show the position before a mistake."""
        shown = self.shown()
        return None if shown.outcome is not None else shown.position.turn

    def marks(self) -> Marks:
        return self.tabs.marks(replace(super().marks(), hover=self.hover if self.record.outcome is None else None))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        super().draw(surface, now)
        self.tab.draw(surface, now)

    def draw_turn(self, surface: pygame.Surface) -> None:
        record, theme, colour = self.record, self.host.theme, self.host.theme.palette.text
        shown, at, last = self.shown(), len(path(record.cursor)) - 1, len(record.line()) - 1
        there = shown is record.cursor
        text = t("replay.position" if there else "replay.before", ply=at, total=last)
        if there and record.outcome is not None:
            text = outcome_sentence(record, record.outcome)
            colour = getattr(theme.palette, tone_of(record, record.outcome))
        elif sentence := self.view_sentence():
            texts = f"{text} · {sentence}", f"{len(path(shown)) - 1}/{last} · {sentence}"
            text = next((each for each in texts if width_of(theme, each, 16, True) <= self.turn_rect.width), sentence)
        write(surface, theme, text, self.turn_rect, 16, colour, bold=True)

    @property
    def shows_bar(self) -> bool:
        return True

    @property
    def stand_in_answers(self) -> bool:
        return self.analyst.stand_in

    # Input.

    def handle(self, event: pygame.event.Event) -> bool:
        return self.tab.handle(event) or super().handle(event)

    def pointed_node(self) -> Node | None:
        return self.tab.pointed_node()

    def advice(self) -> str:
        return self.tab.pointed_text()

    def places(self) -> dict[str, tuple[int, int]]:
        return self.tab.places()

    def wheel(self, turns: int) -> bool:
        (self.do_previous if turns > 0 else self.do_next)()
        return True

    def play_from(self, node: Node, seats: tuple[Seat, Seat]) -> None:
        scene = Play(self.host, continued(self.record, seats, node))
        scene.back = self
        self.host.show(scene)

    # Actions.

    def interrupt(self) -> None:
        self.transport.stop()

    def do_first(self) -> None:
        self.transport.first()

    def do_last(self) -> None:
        self.transport.last()

    def do_next(self) -> None:
        self.transport.next()

    def do_previous(self) -> None:
        self.transport.previous()

    def do_play_pause(self) -> None:
        self.transport.toggle()

    def do_analysis(self) -> None:
        """Switch the analysis on, and show its tab, or off."""
        self.analysis.toggle()
        if self.analyst.on:
            self.choose_tab(self.analysis.name)

    def do_play_on(self) -> None:
        """Ask who plays on from here, in a copy: the file stays as it is."""
        if self.record.position.outcome is None:
            self.host.show(PlayOn(self.host, self.record, self))
