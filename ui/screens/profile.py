"""The person's rating and how it changed, results against each level, habits, and the latest games."""

from __future__ import annotations

from ui.game.ratings import ProfileState
from ui.host import Content, Host
from ui.parts.header import BackButton
from ui.parts.profile import ProfileGames, ProfileResults
from ui.parts.profile_habits import ProfileHabits
from ui.screen import Screen
from ui.toolkit.layout import Space


class ProfileScreen(Screen):
    """Shows one game at a time: `game`, or the one played last."""

    name = "profile"

    def __init__(self, host: Host, game: str = "", back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = state = ProfileState(host, game)
        arrow = BackButton(host, self.widgets, self.go_back)
        self._results = ProfileResults(host, self.widgets, state, arrow)
        self._games = ProfileGames(host, self.widgets, state, self)
        self._habits = ProfileHabits(host, self.widgets, state)
        self.parts = [self._games, self._results, self._habits, arrow]

    def build(self, space: Space) -> None:
        self._results.build(space)
        self._habits.build(Space(self._results.below, 0))
        self._games.build(self.frame.side)
