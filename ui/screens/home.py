"""The first screen: a card with a small live board for each game, the unfinished game, and the recent ones."""

from __future__ import annotations

from ui.board.thumbnails import Thumbnails
from ui.game.library_games import RecentGames
from ui.host import Content, Host
from ui.part import lay
from ui.parts.demo_cards import DemoCards
from ui.parts.home_links import HomeFoot, HomeLinks, NewOrOpen
from ui.parts.recent_games import RecentList, UnfinishedGame
from ui.screen import Screen
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space


class Home(Screen):
    """`games` are the recent ones."""

    name = "home"

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.games = games = RecentGames(host)
        thumbnails = Thumbnails(host)
        self.demos = DemoCards(host, self.widgets)
        self._unfinished = UnfinishedGame(host, self.widgets, games, thumbnails)
        self._new_or_open = NewOrOpen(host, self.widgets, first=lambda: games.unfinished is None)
        self._links = HomeLinks(host, self.widgets)
        self._foot = HomeFoot(host, self.widgets)
        self._recent = RecentList(host, self.widgets, games, thumbnails)
        self.parts = [
            self.demos, self._new_or_open, self._links, self._unfinished, self._foot, self._recent,
        ]  # fmt: skip

    def build(self, space: Space) -> None:
        self.games.load()
        self.demos.build(space)
        lay(self.frame.side, self._unfinished, self._new_or_open, self._links, self._foot, self._recent)

    def status(self) -> str:
        return t("home.drop")
