"""The home screen: a card with a moving board for each game, the unfinished game, and the recent ones."""

from __future__ import annotations

import math
import time
from functools import partial

import pygame

from games.library.index import Entry
from games.registry import GAMES
from ui import screens
from ui.board.demos import Demo
from ui.board.pictures import Thumbnails
from ui.home.links import HomeFoot, HomeLinks
from ui.parts.board_part import board_frame
from ui.parts.cards import NewOrOpen, result_colour
from ui.parts.recent import RecentGames, to_be_continued
from ui.system.frame_clock import soonest
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.typesetting import LINE, width_of, wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part, lay
from ui.window.screen import Screen
from ui.words.file_words import day_text, day_word, entry_opponent, entry_result, entry_title
from ui.words.games import game_about, game_name, short_name

# A card for each game, on which attacks are replayed: a click begins a game.


_FIRST = 0.6  # seconds until the first demo begins, and from each to the next: not all in the frame that opens

HEAD, GAP, PADDING, TEXT = 80, 16, 16, (108, 146)
"""Design pixels: the title and the line under it, between cards, inside a card, and the least size of its text."""


class DemoCards(Part):
    """The title of the program, and below it a card for each game, on whose board a game is replayed. A click sets up
    that game."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets
        self.demos = [Demo(game) for game in GAMES]

    def open(self) -> None:
        """Start the demos, one shortly after the other; none without animations."""
        if self._host.motion:
            now = time.monotonic()
            for number, demo in enumerate(self.demos, 1):
                demo.begin(now + number * _FIRST)

    def build(self, space: Space) -> None:
        """Build title and subtitle, and below them the cards in the number of columns that allows the largest
        boards."""
        px, page = self._host.theme.px, Space(space.rest.inflate(-self._host.theme.px(GAP), 0))
        count, side = self._best_arrangement(page.rest.width, page.rest.height - px(HEAD))
        rows = math.ceil(len(self.demos) / count)
        most = (page.rest.height - px(HEAD) + px(GAP)) // rows - px(GAP)  # many games leave less
        high = min(max(side, px(TEXT[1])) + 2 * px(PADDING), most)
        grid = rows * (high + px(GAP)) - px(GAP)
        page.top((page.rest.height - px(HEAD) - grid) // 3)  # a little above the middle
        head = Space(page.top(px(HEAD)))
        self._widgets.label(head.top(px(44)), t("app.title"), 28, bold=True)
        self._widgets.label(head.top(px(24)), t("app.subtitle"), 16, self._host.theme.palette.quiet)
        page.gap = px(GAP)
        places = [card for _ in range(rows) for card in columns(page.top(high), count, px(GAP))]
        for card, demo in zip(places, self.demos, strict=False):
            self._build_card(card, side, demo)

    def _best_arrangement(self, width: int, height: int) -> tuple[int, int]:
        """Return the number of cards in a row, and the side of a board in pixels, for which the boards are largest."""
        px, best = self._host.theme.px, (1, 0)
        for count in range(1, len(self.demos) + 1):
            wide = (width + px(GAP)) // count - px(GAP)
            high = (height + px(GAP)) // math.ceil(len(self.demos) / count) - px(GAP)
            side = min(wide - px(3 * PADDING + TEXT[0]), high - px(2 * PADDING))
            best = max(best, (count, side), key=lambda each: each[1])
        return best

    def _build_card(self, card: pygame.Rect, side: int, demo: Demo) -> None:
        """Build the card of a game: a button with the board, `side` pixels wide, and the texts."""
        theme = self._host.theme
        begin = partial(self._host.open, screens.setup, demo.game)
        self._widgets.button(f"card.{demo.game}", card, "", begin, style="@tile")
        place = pygame.Rect(card.left + theme.px(PADDING), card.centery - side // 2, side, side)
        motion = self._host.motion
        demo.place(board_frame(self._host, place, motion), time.monotonic())
        self._widgets.paint(lambda surface: demo.draw(surface, time.monotonic()), over=True)
        self._build_texts(card, side, demo.game)

    def update(self, now: float) -> None:
        """Play the moves of the demos that are due."""
        for demo in self.demos:
            demo.update(now)

    def wake(self, now: float) -> float | None:
        """Return the seconds until the first of the demos has a move or a moving piece to draw; None if none moves."""
        return soonest(*(demo.wake(now) for demo in self.demos))

    def _build_texts(self, card: pygame.Rect, side: int, game: str) -> None:
        """Add the name and, if it fits, the description of the game, at the right of its board."""
        theme, px = self._host.theme, self._host.theme.px
        left = card.left + side + px(2 * PADDING)
        box = card.inflate(0, -2 * px(PADDING))
        text = Space(pygame.Rect(left, box.top, card.right - px(PADDING) - left, box.height), px(4))
        name = game_name(game)
        name = name if width_of(theme, name, 20, bold=True) <= text.rest.width else short_name(game)
        self._widgets.label(text.top(px(30)), name, 20, bold=True, over=True)
        about, room = game_about(game), text.rest
        if len(wrapped(theme, about, room.width, 14)) * px(LINE) <= room.height:
            self._widgets.paragraph(room, about, over=True)


# The games played last, on the home screen: each with its board, the opponent, the result and the day. The unfinished
# game stands apart, with a button to continue it.


_ROW, _PICTURE = 56, 44
_CARD, _LARGE = 116, 92
"""Design pixels: height and picture of a row, and height and picture of the card of the unfinished game."""


class UnfinishedGame(Part):
    """A card at the top of the space with the unfinished game, if there is one. While its file is still being read, the
    room stays empty, so that no button moves under the mouse when the card appears."""

    def __init__(self, host: Host, widgets: Widgets, games: RecentGames, thumbnails: Thumbnails) -> None:
        self._host, self._widgets, self._games, self._thumbnails = host, widgets, games, thumbnails
        self.bindings = (Binding(("return",), self._continue_game, "keys.continue"),)

    def shape(self) -> object:
        """What the layout depends on: the unfinished game, and whether its file is still being read."""
        return self._games.unfinished, self._games.sought

    def build(self, space: Space) -> None:
        """Build the card with picture, opponent, game and length, and the button to continue. Leave its room empty
        while the file is read; take none if there is no such game."""
        entry = self._games.unfinished
        if entry is None and not self._games.sought:
            return
        px, palette = self._host.theme.px, self._host.theme.palette
        card = space.top(px(_CARD))
        if entry is None:
            return
        self._widgets.box(card, palette.raised, line=palette.line)
        inside = Space(card.inflate(-2 * px(12), -2 * px(12)), px(12))
        _picture(self._widgets, inside.left(px(_LARGE)), entry, self._thumbnails)
        lines, place = Space(inside.rest.move(0, -px(4))), inside.bottom(px(36))
        self._widgets.label(lines.top(px(28)), entry_opponent(entry), bold=True)
        text = f"{_game_name(entry)} · {t('library.moves', count=entry.plies)}"
        self._widgets.label(lines.top(px(LINE)), text, 14, palette.quiet)
        self._widgets.button("continue", place, t("home.continue"), self._continue_game, style="@primary", key="return")

    def _continue_game(self) -> None:
        """Continue the unfinished game, if there is one."""
        if self._games.unfinished is not None:
            self._games.proceed(self._games.unfinished.path)


class RecentList(Part):
    """The recent games, as many rows as fit. It keeps `games` up to date while the screen is shown."""

    def __init__(self, host: Host, widgets: Widgets, games: RecentGames, thumbnails: Thumbnails) -> None:
        self._host, self._widgets, self._games, self._thumbnails = host, widgets, games, thumbnails

    def open(self) -> None:
        """Have the library look for changed files."""
        self._games.refresh()

    def close(self) -> None:
        """Close the library of the recent games."""
        self._games.close()

    def shape(self) -> object:
        """What the layout depends on: the recent games."""
        return self._games.entries

    def build(self, space: Space) -> None:
        """Build a heading, and a button with picture and texts for each game, as many as fit; without games a text."""
        px = self._host.theme.px
        space.gap = px(4)
        self._widgets.label(space.top(px(24)), t("home.recent"), 14, self._host.theme.palette.quiet)
        if not self._games.entries:
            self._widgets.paragraph(space.rest, t("home.no_recent"))
        fits = (space.rest.height + space.gap) // (px(_ROW) + space.gap)
        for number, entry in enumerate(self._games.entries[:fits]):
            row = space.top(px(_ROW))
            tip = f"{entry_title(entry)} · {t('library.moves', count=entry.plies)}"
            tip = f"{t('home.continue')} · {tip}" if to_be_continued(entry) else tip
            press = partial(self._games.open, entry)
            self._widgets.button(f"recent.{number}", row, "", press, style="@tile", tip=tip)
            self._build_texts(Space(row.inflate(-2 * px(6), -2 * px(6)), px(10)), entry)

    def update(self, now: float) -> None:
        """Work on the pictures of the games, and take changes of the library."""
        self._thumbnails.work()
        self._games.update()

    def wake(self, now: float) -> float | None:
        """Return 0 seconds while pictures are made or there are changes, 0.2 while files are read, else None."""
        return 0.0 if self._thumbnails.busy else self._games.wake()

    def _build_texts(self, inside: Space, entry: Entry) -> None:
        """Build the content of a row: picture, opponent, day, game and result."""
        theme, px, quiet = self._host.theme, self._host.theme.px, self._host.theme.palette.quiet
        label = partial(self._widgets.label, over=True)
        inside.rest.width -= px(6)
        _picture(self._widgets, inside.left(px(_PICTURE)), entry, self._thumbnails)
        lines = Space(inside.rest)
        first, second = Space(lines.top(px(LINE)), px(8)), Space(lines.top(px(LINE)), px(8))
        day = day_word(day_text(entry.at))
        label(first.right(width_of(theme, day, 14) + 1), day, 14, quiet, align="right")
        label(first.rest, entry_opponent(entry))
        name = _game_name(entry)
        label(second.right(width_of(theme, name, 14) + 1), name, 14, quiet, align="right")
        label(second.rest, entry_result(entry), 14, result_colour(theme, entry))


def _picture(widgets: Widgets, place: pygame.Rect, entry: Entry, thumbnails: Thumbnails) -> None:
    """Draw the thumbnail of `entry` in the middle of `place`, as soon as it has been rendered."""

    def paint(surface: pygame.Surface) -> None:
        """Draw the picture of the game in the middle of its place, once it has been made."""
        picture = thumbnails.picture(entry, place.width)
        if picture is not None:
            surface.blit(picture, picture.get_rect(center=place.center))

    widgets.paint(paint, over=True)


def _game_name(entry: Entry) -> str:
    """The short name of the game; empty for a file that cannot be read."""
    return short_name(entry.setup.game) if entry.setup else ""


class Home(Screen):
    """The home screen. `games` are the recent games."""

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
        """Take the games from the library, and lay out the cards in the main area, and unfinished game, links, foot and
        recent games in the panel."""
        self.games.load()
        self.demos.build(space)
        lay(self.frame.side, self._unfinished, self._new_or_open, self._links, self._foot, self._recent)

    def status(self) -> str:
        """Return the same text always: that a file can be dropped on the window."""
        return t("home.drop")
