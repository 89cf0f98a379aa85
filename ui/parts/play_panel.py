"""What is under the players in a game that is played: whose turn it is or how the game ended, moves, view, actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import pygame

from games.record import GameRecord
from ui.game.shown_search import Search
from ui.parts.action_row import Acting, ActionRow
from ui.parts.ending_card import Ending, EndingCard
from ui.parts.moves import MoveList
from ui.parts.teaching_card import TeachingCard
from ui.parts.view_panel import ViewPanel
from ui.toolkit.i18n import t
from ui.toolkit.layout import BUTTON, Space
from ui.toolkit.text import write
from ui.toolkit.theme import Theme


class Playing(Acting, Protocol):
    """The scene that the panel belongs to."""

    record: GameRecord

    def do_resign(self) -> None: ...
    def do_review(self) -> None: ...
    def do_rematch(self) -> None: ...
    def do_new(self) -> None: ...
    def do_take_back(self) -> None: ...
    def do_dismiss(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Shape:
    """What the layout depends on. `passing` is the key that passes, empty where that is not possible; `resigning`
    whether a person may resign; `warning` the text of a warning in a teaching game; `viewing` whether the engine's view
    is shown, and `expert` whether with figures."""

    ending: Ending | None
    passing: str
    resigning: bool
    warning: str
    viewing: bool
    expert: bool


class PlayPanel:
    """Makes its widgets in `space`; `turn` is the line above, which a card covers and which the flag makes shorter."""

    def __init__(self, theme: Theme, scene: Playing, shape: Shape, turn: pygame.Rect, space: Space) -> None:
        self.shape = shape
        self._theme, self._scene, self._turn = theme, scene, turn
        over = shape.ending is not None
        self.actions = ActionRow(theme, scene, space, over, shape.passing)
        self.card = self._build_card(space, shape.ending) if shape.ending is not None else None
        if shape.resigning and not over:
            self._build_resign()
        self.warning = self._build_warning(space) if shape.warning and not over else None
        self.view = ViewPanel(theme, space, shape.expert) if shape.viewing and not over else None
        self.moves = MoveList(theme, space.rest, scene.record)

    def _build_card(self, space: Space, ending: Ending) -> EndingCard:
        scene, button = self._scene, self._scene.widgets.button
        card = EndingCard(self._theme, scene.record.setup.game, ending, self._turn.topleft, self._turn.width)
        space.top(card.rect.bottom - space.rest.top)
        tip = t("play.review_tip")
        button("review", card.review, t("play.review"), scene.do_review, style="@primary", tip=tip, key="return")
        button("rematch", card.rematch, t("play.rematch"), scene.do_rematch, tip=t("play.rematch_tip"))
        button("new", card.new, t("play.new_game"), scene.do_new, key="ctrl+n")
        return card

    def _build_warning(self, space: Space) -> TeachingCard:
        scene = self._scene
        text, widgets = self.shape.warning, scene.widgets
        return TeachingCard(self._theme, widgets, space, text, scene.do_take_back, scene.do_dismiss)

    def _build_resign(self) -> None:
        """Beside the line that says whose turn it is, where no other button is near."""
        px, scene = self._theme.px, self._scene
        side = px(BUTTON - 4)
        place = pygame.Rect(self._turn.right - side, 0, side, side)
        place.centery = self._turn.centery
        self._turn.width -= side + px(4)
        scene.widgets.button("resign", place, "", scene.do_resign, style="@icon", icon="flag", tip=t("play.resign"))

    def draw_turn(self, surface: pygame.Surface, viewed: str, turn: str) -> None:
        """Which earlier move is `viewed`, or whose `turn` it is."""
        if self.card is None:
            palette = self._theme.palette
            colour = palette.info if viewed else palette.text
            write(surface, self._theme, viewed or turn, self._turn, 16, colour, bold=True)

    def draw(self, surface: pygame.Surface, sentence: str, chance: str, search: Search) -> None:
        """The view in words, as `ViewPanel.draw` takes it, and the card."""
        if self.view is not None:
            self.view.draw(surface, sentence, chance, search)
        for card in (self.card, self.warning):
            if card is not None:
                card.draw(surface)
