"""The first screen: a card with a small live board for each game, the unfinished game, and the recent ones."""

from __future__ import annotations

import math
import time
from functools import partial
from pathlib import Path

import pygame

from games.library.rows import Entry
from games.registry import GAMES
from games.storage import saves_home
from ui.board.demos import Demo
from ui.board.view import Frame
from ui.host import Host
from ui.parts.recent_games import RecentGames
from ui.scene import MARGIN, Scene
from ui.screens.about import AboutScene
from ui.screens.library.screen import LibraryScene
from ui.screens.play import Play
from ui.screens.profile import ProfileScene
from ui.screens.settings import SettingsScene
from ui.system.frame_clock import soonest
from ui.toolkit.i18n import LANGUAGES, t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.palette import PALETTES
from ui.toolkit.text import width_of, wrapped, write
from ui.words.games import game_about, game_name, short_name

_DEMO_FIRST = 0.6  # seconds until the first demo begins, and from each to the next: not all in the frame that opens

HEAD, GAP, PADDING, TEXT = 80, 16, 16, (108, 146)
"""Design pixels: the title and the line under it, between cards, inside a card, and the least size of its text."""


class Home(Scene):
    name = "home"
    bindings = (
        Binding(("ctrl+n",), "do_new", "keys.new"),
        Binding(("ctrl+o",), "do_open", "keys.open"),
        Binding(("ctrl+l",), "do_library", "library.title"),
        Binding(("return",), "do_continue", "keys.continue"),
        Binding(("p",), "do_profile", "keys.profile"),
        Binding(("ctrl+e",), "do_editor", "editor.title"),
    )

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.demos = [Demo(game) for game in GAMES]
        self.recent = RecentGames(host, self.widgets, host.open_file, self._proceed)

    @property
    def unfinished(self) -> Entry | None:
        """The game to continue."""
        return self.recent.unfinished

    def enter(self) -> None:
        self.recent.refresh()
        if self.host.settings.motion:
            now = time.monotonic()
            for number, demo in enumerate(self.demos, 1):
                demo.begin(now + number * _DEMO_FIRST)

    def leave(self) -> None:
        self.recent.close()

    # Layout.

    def build(self) -> None:
        px = self.host.theme.px
        board, space, self.status = self.split()
        self.recent.load()
        page = Space(board.inflate(-px(MARGIN), 0), 0)
        count, side = self._arrangement(page.rest.width, page.rest.height - px(HEAD))
        rows = math.ceil(len(self.demos) / count)
        most = (page.rest.height - px(HEAD) + px(GAP)) // rows - px(GAP)  # many games leave less
        high = min(max(side, px(TEXT[1])) + 2 * px(PADDING), most)
        grid = rows * (high + px(GAP)) - px(GAP)
        page.top((page.rest.height - px(HEAD) - grid) // 3)  # a little above the middle
        self.title_rect = page.top(px(44))
        self.subtitle_rect = page.top(px(24))
        page.top(px(HEAD - 44 - 24))
        page.gap = px(GAP)
        places = [card for _ in range(rows) for card in columns(page.top(high), count, px(GAP))]
        self.cards = list(zip(places, self.demos, strict=False))
        for card, demo in self.cards:
            self._build_card(card, demo, side)
        self._build_panel(space)

    def _arrangement(self, width: int, height: int) -> tuple[int, int]:
        """Return how many cards stand side by side, and the side of their boards, so that these are largest."""
        px, best = self.host.theme.px, (1, 0)
        for count in range(1, len(self.demos) + 1):
            wide = (width + px(GAP)) // count - px(GAP)
            high = (height + px(GAP)) // math.ceil(len(self.demos) / count) - px(GAP)
            side = min(wide - px(3 * PADDING + TEXT[0]), high - px(2 * PADDING))
            best = max(best, (count, side), key=lambda each: each[1])
        return best

    def _build_card(self, card: pygame.Rect, demo: Demo, side: int) -> None:
        theme = self.host.theme
        px = theme.px
        self.widgets.button(f"card.{demo.game}", card, "", partial(self.host.new_game, demo.game), style="@tile")
        place = pygame.Rect(card.left + px(PADDING), card.centery - side // 2, side, side)
        motion = self.host.settings.motion
        demo.place(Frame(place, theme.scale, theme.palette, theme.font, motion), time.monotonic())
        self.board_side = side

    def _build_panel(self, space: Space) -> None:
        px = self.host.theme.px
        button = self.widgets.button
        self.recent.build_unfinished(space)
        style = "" if self.unfinished else "@primary"
        row = columns(space.top(px(40)), 2, px(8))
        button("new", row[0], t("home.new_game"), self.do_new, key="ctrl+n", style=style)
        button("open", row[1], t("home.open"), self.do_open, key="ctrl+o")
        row, tip = columns(space.top(px(40)), 2, px(8)), t("tip.profile")
        button("library", row[0], t("library.title"), self.do_library, icon="library", key="ctrl+l")
        button("profile", row[1], t("home.profile"), self.do_profile, icon="person", tip=tip, key="p")
        place = space.top(px(40))
        button("editor", place, t("editor.title"), self.do_editor, icon="board", tip=t("tip.editor"), key="ctrl+e")
        self._build_foot(Space(space.bottom(px(36)), px(4)))
        space.gap = px(4)
        self.recent_rect = space.top(px(24))
        self.empty_rect = space.rest
        self.recent.build_list(space)

    def _build_foot(self, foot: Space) -> None:
        px = self.host.theme.px
        light = "sun" if self.host.settings.theme == "ink" else "moon"
        for name, icon, action, key in (
            ("settings", "settings", self.do_settings, ""),
            ("keys", "keys", self.host.show_keys, "f1"),
            ("theme", light, self._other_theme, ""),
            ("about", "about", self.do_about, ""),
        ):
            place, tip = foot.left(px(36)), t(f"tip.{name}")
            self.widgets.button(name, place, "", action, style="@icon", icon=icon, tip=tip, key=key)
        other = next(name for code, name in LANGUAGES.items() if code != self.host.theme.language)
        self.widgets.button("language", foot.rest, other, self._other_language, style="@quiet", icon="globe")

    # Time and picture.

    def update(self, now: float) -> None:
        self.recent.update()
        for demo in self.demos:
            demo.update(now)

    def wake(self, now: float) -> float | None:
        return soonest(self.recent.wake(), *(demo.wake(now) for demo in self.demos))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme = self.host.theme
        palette = theme.palette
        self.draw_frame(surface, self.status, t("home.drop"), t("status.keys"))
        write(surface, theme, t("app.title"), self.title_rect, 28, bold=True)
        write(surface, theme, t("app.subtitle"), self.subtitle_rect, 16, palette.quiet)
        write(surface, theme, t("home.recent"), self.recent_rect, 14, palette.quiet)
        self.recent.draw(surface)
        if not self.recent.entries:
            space = Space(self.empty_rect, 0)
            for line in wrapped(theme, t("home.no_recent"), space.rest.width, 14)[:2]:
                write(surface, theme, line, space.top(theme.px(22)), 14, palette.quiet)

    def draw_over(self, surface: pygame.Surface, now: float) -> None:
        for card, demo in self.cards:
            demo.draw(surface, now)
            self._write_card(surface, card, demo.game)
        self.recent.draw_over(surface)

    def _write_card(self, surface: pygame.Surface, card: pygame.Rect, game: str) -> None:
        """Write the name and the description of the game, right of its board."""
        theme, px = self.host.theme, self.host.theme.px
        left = card.left + self.board_side + px(2 * PADDING)
        box = card.inflate(0, -2 * px(PADDING))
        text = Space(pygame.Rect(left, box.top, card.right - px(PADDING) - left, box.height), px(4))
        name = game_name(game)
        name = name if width_of(theme, name, 20, bold=True) <= text.rest.width else short_name(game)
        write(surface, theme, name, text.top(px(30)), 20, bold=True)
        text.gap = 0
        for line in wrapped(theme, game_about(game), text.rest.width, 14)[: text.rest.height // px(22)]:
            write(surface, theme, line, text.top(px(22)), 14, theme.palette.quiet)

    # Actions.

    def do_new(self) -> None:
        self.host.new_game()

    def do_open(self) -> None:
        self.host.choose_file(saves_home(), self.host.open_file)

    def do_library(self) -> None:
        self.host.show(LibraryScene(self.host))

    def do_continue(self) -> None:
        if self.unfinished is not None:
            self._proceed(self.unfinished.path)

    def _proceed(self, file: Path) -> None:
        self.host.read_game(file, lambda record: self.host.show(Play(self.host, record, file)))

    def do_profile(self) -> None:
        self.host.show(ProfileScene(self.host))

    def do_editor(self) -> None:
        self.host.set_up_position()

    def do_settings(self) -> None:
        self.host.show(SettingsScene(self.host))

    def do_about(self) -> None:
        self.host.show(AboutScene(self.host))

    def _other_theme(self) -> None:
        themes = list(PALETTES)
        self.host.settings.theme = themes[(themes.index(self.host.settings.theme) + 1) % len(themes)]
        self.host.restyle()

    def _other_language(self) -> None:
        codes = list(LANGUAGES)
        self.host.settings.language = codes[(codes.index(self.host.theme.language) + 1) % len(codes)]
        self.host.restyle()
