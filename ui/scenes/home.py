"""The first screen: a card with a small live board for each game, and the games of before."""

from __future__ import annotations

import os
import random
import time
from functools import partial
from pathlib import Path

import pygame

from ai.worker import Worker
from games.record import GameRecord, Seat
from games.registry import GAMES, setup
from games.storage import saves_home
from ui.board.registry import LOOKS
from ui.board.view import Frame, Marks
from ui.game import reading
from ui.game.live_game import LiveGame
from ui.game.reading import Reading
from ui.game.words import game_about, game_name, short_name
from ui.host import Host
from ui.scene import MARGIN, Scene
from ui.scenes.about import AboutScene
from ui.scenes.library import LibraryScene
from ui.scenes.play import Play
from ui.scenes.profile import ProfileScene
from ui.scenes.settings import SettingsScene
from ui.toolkit.i18n import LANGUAGES, t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.palette import PALETTES
from ui.toolkit.text import width_of, wrapped, write

_DEMO_PACE = 1.3  # seconds a move
_DEMO_SECONDS = 0.05  # thinking time
_DEMO_FIRST = 0.4  # seconds until the first of them begins, and from each to the next: not all in the frame that opens
_DEMO_PATIENCE = 3.0  # seconds they wait for the engine to be loaded, which may be compiled for a minute
_DEMO_REST = 4.0  # seconds before a finished game begins anew
_MOST_RECENT = 10

HEAD = 96
"""Height of the title and the line under it, in design pixels."""

CARD_TEXT, NARROW, NARROW_TEXT = 128, 200, 176
"""Design pixels: height of what is under the board of a card, the width below which a card is narrow, and the height
then."""


class Demo:
    """A small game that two engines play on a card, over and over."""

    def __init__(self, host: Host, game: str) -> None:
        self.game = game
        self.look = LOOKS[game]
        self.board = self.look.view()
        self.worker = Worker(host.wake)
        self._opens: float | None = None  # when it begins, if it has not yet
        self._begin()

    def _begin(self) -> None:
        seat = Seat("alphabeta", seconds=_DEMO_SECONDS)
        record = GameRecord(setup(self.game, self.look.demo_size), (seat, seat))
        for _ in range(self.look.opening):
            record.play(random.choice(record.position.candidates()[:6]))
        self.match = LiveGame(record, self.worker, pace=_DEMO_PACE)
        self._ended: float | None = None

    def place(self, frame: Frame) -> None:
        self.board.place(frame)
        self._show(time.monotonic())

    def _show(self, now: float) -> None:
        record = self.match.record
        moves = tuple(node.move for node in record.line() if node.move is not None)
        self.board.show(record.position, moves, now)

    def open(self, at: float) -> None:
        """Lets it begin at the time `at`."""
        self._opens = at

    def update(self, now: float) -> None:
        if self._opens is not None and now >= self._opens:
            self._opens = None
            self.match.open()
        self.match.update()
        if self.match.record.outcome is None:
            self._ended = None
        elif self._ended is None:
            self._ended = now
        elif now - self._ended > _DEMO_REST:
            self._begin()
            self.match.open()
        self._show(now)

    def wake(self, now: float) -> float:
        if self._opens is not None:
            return max(0.0, self._opens - now)
        if self.board.moving(now) and self.match.record.outcome is None:
            return 0.0
        return self.match.due if self.match.landing else 0.2

    def close(self) -> None:
        self.match.close()
        self.worker.close(0.0)


class Home(Scene):
    name = "home"
    bindings = (
        Binding(("ctrl+n",), "do_new", "keys.new"),
        Binding(("ctrl+o",), "do_open", "keys.open"),
        Binding(("ctrl+l",), "do_library", "library.title"),
        Binding(("return",), "do_continue", "keys.continue"),
        Binding(("p",), "do_profile", "keys.profile"),
        Binding(("escape",), "do_nothing", "keys.back"),
    )

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.demos = [Demo(host, game) for game in GAMES]
        self.unfinished: GameRecord | None = None
        self._reading: Reading | None = None  # of what is not finished
        self._waits_until = 0.0

    def _find_unfinished(self) -> None:
        """Has the game that was not played to its end read, if its file is still there. Not before the scene is built,
        when the one before has been left: it may have been that very game."""
        file = self.host.settings.unfinished
        if file and self._reading is None:
            self._reading = Reading(Path(file), self.host.wake, self.host.rest)
            self._reading.wait(reading.AT_ONCE)
            self._offer_unfinished()

    def _offer_unfinished(self) -> bool:
        """Whether there is from now on a game to go on with."""
        read = self._reading
        if read is None or self.unfinished is not None or not isinstance(read.result, GameRecord):
            return False
        self.unfinished = read.result if read.result.outcome is None else None
        return self.unfinished is not None

    def enter(self) -> None:
        now = time.monotonic()
        self._waits_until = now + _DEMO_PATIENCE
        if self.host.settings.motion:
            self._open_demos(now)

    def _open_demos(self, now: float) -> None:
        for number, demo in enumerate(self.demos, 1):
            demo.open(now + number * _DEMO_FIRST)

    def leave(self) -> None:
        if self._reading is not None:
            self._reading.stop()
        for demo in self.demos:
            demo.close()

    # Layout.

    def build(self) -> None:
        self._find_unfinished()
        px = self.host.theme.px
        board, space, self.status = self.split()
        page = Space(board.inflate(-px(MARGIN), 0), px(8))
        wide = columns(page.rest, len(self.demos), px(16))[0].width
        self.card_text = px(CARD_TEXT if wide >= px(NARROW) else NARROW_TEXT)
        high = min(page.rest.height - px(HEAD), wide + self.card_text)
        page.top((page.rest.height - px(HEAD) - high) // 3)  # a little above the middle
        self.title_rect = page.top(px(44))
        self.subtitle_rect = page.top(px(24))
        page.top(px(4))
        self._build_cards(page.top(high))
        self._build_panel(space)

    def _build_cards(self, rect: pygame.Rect) -> None:
        theme = self.host.theme
        px = theme.px
        self.cards = columns(rect, len(self.demos), px(16))
        for card, demo in zip(self.cards, self.demos, strict=True):
            self.widgets.button(f"card.{demo.game}", card, "", partial(self.host.new_game, demo.game), style="@tile")
            side = card.width - 2 * px(16)
            place = pygame.Rect(card.left + px(16), card.top + px(16), side, card.height - px(16) - self.card_text)
            motion = self.host.settings.motion
            demo.place(Frame(place, theme.scale, theme.palette, theme.font, motion))

    def _build_panel(self, space: Space) -> None:
        px = self.host.theme.px
        settings = self.host.settings
        button = self.widgets.button
        self.unfinished_rect = None
        if self.unfinished is not None:
            button("continue", space.top(px(44)), t("home.continue"), self.do_continue, style="@primary", key="return")
            self.unfinished_rect = space.top(px(20))
        style = "" if self.unfinished else "@primary"
        row = columns(space.top(px(40)), 2, px(8))
        button("new", row[0], t("home.new_game"), self.do_new, key="ctrl+n", style=style)
        button("open", row[1], t("home.open"), self.do_open, key="ctrl+o")
        row, tip = columns(space.top(px(40)), 2, px(8)), t("tip.profile")
        button("library", row[0], t("library.title"), self.do_library, icon="library", key="ctrl+l")
        button("profile", row[1], t("home.profile"), self.do_profile, icon="person", tip=tip, key="p")
        foot = Space(space.bottom(px(36)), px(4))
        light = "sun" if settings.theme == "ink" else "moon"
        for name, icon, action, key in (
            ("settings", "settings", self.do_settings, ""),
            ("keys", "keys", self.host.show_keys, "f1"),
            ("theme", light, self._other_theme, ""),
            ("about", "about", self.do_about, ""),
        ):
            button(name, foot.left(px(36)), "", action, style="@icon", icon=icon, tip=t(f"tip.{name}"), key=key)
        other = next(name for code, name in LANGUAGES.items() if code != self.host.theme.language)
        button("language", foot.rest, other, self._other_language, style="@quiet", icon="globe")
        self.recent_rect = space.top(px(24))
        self._build_recent(space)

    def _build_recent(self, space: Space) -> None:
        px = self.host.theme.px
        space.gap = px(4)
        # `Path.is_file` raises for what cannot be looked at: another's folder, a network drive that is gone.
        self.recent = [Path(file) for file in self.host.settings.recent if os.path.isfile(file)]  # noqa: PTH113
        fits = max(0, (space.rest.height + px(4)) // px(38))
        self.recent = self.recent[: min(fits, _MOST_RECENT)]
        for number, file in enumerate(self.recent):
            name = file.name.removesuffix(".tengen.json")
            action = partial(self.host.open_file, file)
            self.widgets.button(f"recent.{number}", space.top(px(34)), name, action, style="@row")
        self.empty_rect = space.top(px(60))

    # Time and picture.

    def update(self, now: float) -> None:
        if self._offer_unfinished():
            self.host.rebuild()
        if not self.host.settings.motion:
            return
        if self.host.engine.busy and now < self._waits_until:
            self._open_demos(now)  # three threads that want the interpreter leave too little of it to the window
        for demo in self.demos:
            demo.update(now)

    def wake(self, now: float) -> float | None:
        return min(demo.wake(now) for demo in self.demos) if self.host.settings.motion else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme = self.host.theme
        palette = theme.palette
        self.draw_frame(surface, self.status, t("home.drop"), t("status.keys"))
        write(surface, theme, t("app.title"), self.title_rect, 28, bold=True)
        write(surface, theme, t("app.subtitle"), self.subtitle_rect, 16, palette.quiet)
        write(surface, theme, t("home.recent"), self.recent_rect, 14, palette.quiet)
        if self.unfinished is not None and self.unfinished_rect is not None:
            text = f"{game_name(self.unfinished.setup.game)} · {t('home.ply', count=self.unfinished.position.ply)}"
            write(surface, theme, text, self.unfinished_rect, 14, palette.quiet, align="centre")
        if not self.recent:
            space = Space(self.empty_rect, 0)
            for line in wrapped(theme, t("home.no_recent"), space.rest.width, 14)[:2]:
                write(surface, theme, line, space.top(theme.px(22)), 14, palette.quiet)

    def draw_over(self, surface: pygame.Surface, now: float) -> None:
        theme = self.host.theme
        px = theme.px
        marks = Marks(coordinates=False)
        for card, demo in zip(self.cards, self.demos, strict=True):
            demo.board.draw(surface, marks, now)
            side = card.width - 2 * px(16)
            top = card.bottom - self.card_text + px(8)
            text = Space(pygame.Rect(card.left + px(16), top, side, card.bottom - top), px(2))
            name = game_name(demo.game)
            name = name if width_of(theme, name, 20, bold=True) <= side else short_name(demo.game)
            write(surface, theme, name, text.top(px(30)), 20, bold=True)
            lines = text.rest.height // px(24)
            for line in wrapped(theme, game_about(demo.game), side, 14)[:lines]:
                write(surface, theme, line, text.top(px(22)), 14, theme.palette.quiet)

    # Actions.

    def do_new(self) -> None:
        self.host.new_game()

    def do_open(self) -> None:
        self.host.choose_file(saves_home(), self.host.open_file)

    def do_library(self) -> None:
        self.host.show(LibraryScene(self.host))

    def do_continue(self) -> None:
        if self.unfinished is not None and self._reading is not None:
            file = self._reading.path
            # Anew: it may have been replaced meanwhile.
            self.host.read_game(file, lambda record: self.host.show(Play(self.host, record, file)))

    def do_nothing(self) -> None:
        """Home is where Escape ends."""

    def do_profile(self) -> None:
        self.host.show(ProfileScene(self.host))

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
