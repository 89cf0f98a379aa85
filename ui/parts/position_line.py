"""The line under the players of a game that is studied: which position is shown, and what there is to say of it."""

from __future__ import annotations

import pygame

from games.record import path
from ui.game.study import Study
from ui.host import Host
from ui.part import Part
from ui.parts.ending_card import tone_of
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import width_of, write
from ui.words.results import outcome_sentence

_LINE = 24  # design pixels


class PositionLine(Part):
    def __init__(self, host: Host, state: Study) -> None:
        self._host, self._state = host, state
        self._rect = pygame.Rect(0, 0, 0, 0)

    def build(self, space: Space) -> None:
        self._rect = space.top(self._host.theme.px(_LINE))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        record, theme, colour = self._state.record, self._host.theme, self._host.theme.palette.text
        shown, at, last = self._state.shown, len(path(record.cursor)) - 1, len(record.line()) - 1
        there = shown is record.cursor
        text = t("replay.position" if there else "replay.before", ply=at, total=last)
        if there and record.outcome is not None:
            text = outcome_sentence(record, record.outcome)
            colour = getattr(theme.palette, tone_of(record, record.outcome))
        elif sentence := self._state.view.sentence:
            texts = f"{text} · {sentence}", f"{len(path(shown)) - 1}/{last} · {sentence}"
            text = next((each for each in texts if width_of(theme, each, 16, True) <= self._rect.width), sentence)
        write(surface, theme, text, self._rect, 16, colour, bold=True)
