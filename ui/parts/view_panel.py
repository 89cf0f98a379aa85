"""The engine's view beside a game that is played: in words, and for experts its search as well."""

from __future__ import annotations

import pygame

from ai.searches import Search
from games.evaluation import Evaluation
from ui.game.play_state import PlayState
from ui.host import Host
from ui.part import Part
from ui.parts.thinking import HEIGHT as THINKING_HEIGHT
from ui.parts.thinking import draw_thinking
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.text import LINE, width_of, write, write_paragraph
from ui.words.players import player_name
from ui.words.views import chance_text, opinion

_WORDS = 60  # design pixels


class ViewPanel(Part):
    """Takes its room from the bottom of the space, while there is a view to show."""

    def __init__(self, host: Host, state: PlayState) -> None:
        self._host, self._state = host, state
        self._playing = len(state.live.people) < 2  # against a computer, or watching two
        self._words: pygame.Rect | None = None
        self._figures: pygame.Rect | None = None

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return (Binding(("a",), "do_thinking", "settings.thinking" if self._playing else "keys.analysis"),)

    def shape(self) -> object:
        return self._state.shows_view and not self._state.over, self._host.settings.expert

    def build(self, space: Space) -> None:
        px, (seen, expert) = self._host.theme.px, (self._state.shows_view, self._host.settings.expert)
        seen = seen and not self._state.over
        self._figures = space.bottom(px(THINKING_HEIGHT)) if seen and expert else None
        self._words = space.bottom(px(_WORDS)) if seen else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._words is None:
            return
        theme, px, state = self._host.theme, self._host.theme.px, self._state
        search = state.search
        rounded(surface, self._words, theme.palette.raised, px(8))
        space = Space(self._words.inflate(-2 * px(12), -2 * px(8)), 0)
        sentence = "" if state.hidden else state.view.sentence
        chance = "" if state.hidden else chance_text(state.record.setup.game, state.view.wins)
        stand_in = search is not None and search.stand_in
        below = t("thinking.stand_in") if stand_in else chance
        if search is not None and not stand_in and not search.by_strongest and search.evaluation is not None:
            below = self._opinion(search, search.evaluation)
            sentence, below = (sentence, below) if sentence else (below, "")
        if sentence and width_of(theme, sentence, 16, bold=True) <= space.rest.width:
            write(surface, theme, sentence, space.top(px(LINE)), 16, bold=True)
            write(surface, theme, below, space.top(px(LINE)), 14, theme.palette.quiet)
        else:
            text, colour = sentence or (below if stand_in else t("view.none")), theme.palette.text if sentence else None
            write_paragraph(surface, theme, text, space.rest, colour, 2)
        if self._figures is not None:
            draw_thinking(surface, theme, self._figures, search)

    def _opinion(self, search: Search, known: Evaluation) -> str:
        record = self._state.record
        name = player_name(record.setup.game, record.seats, search.position.turn)
        return opinion(record.setup, search.position, known, name)

    def do_thinking(self) -> None:
        """Show or hide the engine's view; between people, start or stop an analysis."""
        if self._playing:
            self._host.settings.thinking = not self._host.settings.thinking
            self._host.save_settings()
            self._host.say(t("view.shown" if self._host.settings.thinking else "view.hidden"))
        else:
            self._state.analyst.toggle()
