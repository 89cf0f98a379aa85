"""The page on a game: the event, players, ranks and all else that its file says of it."""

from __future__ import annotations

from ui.host import Content, Host
from ui.parts.about_game import HEIGHT, WIDTH, AboutGameForm, Described
from ui.parts.header import Page
from ui.screen import Screen
from ui.toolkit.layout import Space


class AboutGame(Screen):
    name = "about_game"
    panel = False

    def __init__(self, host: Host, state: Described, back: Content | None = None) -> None:
        super().__init__(host, back)
        self._page = Page(host, self.widgets, "about_game.heading", WIDTH, lambda: HEIGHT, 8, self.go_back)
        self._form = AboutGameForm(host, self.widgets, state)
        self.parts = [self._page, self._form]

    def build(self, space: Space) -> None:
        self._page.build(space)
        self._form.build(self._page.inside)
