"""Who analyses: a button with a menu of the players, and of those whose search can run on the cluster."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from games.position import Position
from ui.game.analyst import Analyst
from ui.host import Host
from ui.part import Entry, Part
from ui.parts.menu import open_menu
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.widgets import Widgets
from ui.words.games import seat_label
from ui.words.workers import workers_sentence

_ROW = 32  # design pixels
_CLUSTER = "cluster:"  # before the name of a player whose search runs there


class AnalystChoice(Part):
    """Takes a row from the top, if there is a choice. Under the pointer it tells what each worker of the cluster does.
    """

    def __init__(self, host: Host, widgets: Widgets, analyst: Analyst) -> None:
        self._host, self._widgets, self._analyst = host, widgets, analyst
        self._place = pygame.Rect(0, 0, 0, 0)

    def shape(self) -> object:
        return self._names, self._chosen

    @property
    def _names(self) -> Sequence[str]:
        players = self._analyst.players
        return *players, *(_CLUSTER + player for player in players if self._analyst.can_share(player))

    @property
    def _chosen(self) -> str:
        return (_CLUSTER if self._analyst.shared else "") + self._analyst.player

    def build(self, space: Space) -> None:
        if len(self._names) > 1:
            self._place = space.top(self._host.theme.px(_ROW))
            text, tip = self._label(self._chosen), t("analysis.player")
            self._widgets.button("player", self._place, text, self._open, icon="down", tip=tip)

    def _label(self, name: str) -> str:
        label = seat_label(self._analyst.game, name.removeprefix(_CLUSTER))
        return t("analysis.on_cluster", player=label) if name.startswith(_CLUSTER) else label

    def _open(self) -> None:
        choose = self._analyst.choose
        runs = [partial(choose, name.removeprefix(_CLUSTER), name.startswith(_CLUSTER)) for name in self._names]
        entries = [Entry(name, self._label(name), run) for name, run in zip(self._names, runs, strict=True)]
        open_menu(self._host, self._place, entries, self._chosen)

    def workers_at(self, position: Position, point: tuple[int, int]) -> str:
        """Return what each worker does if `point` is on the button."""
        analyst = self._analyst
        shown = analyst.on and analyst.shared and self._place.collidepoint(point)
        return workers_sentence(position, analyst.workers) if shown else ""
