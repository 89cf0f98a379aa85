"""The two players of a game, each with its name, clock or time used, and score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import pygame

from ai.players.table import player_icon
from games.position import score_of
from games.record import PERSON, GameRecord
from ui.board.looks import look
from ui.toolkit.art import icon, rounded
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.theme import Theme, mix
from ui.toolkit.typesetting import width_of, wrapped, write
from ui.window.host import Host
from ui.window.part import Part
from ui.words.games import player_name, side_name
from ui.words.numbers import clock_note, clock_text, points_text, time_text

_HEIGHT = 104  # design pixels


class Players(Part):
    """A card for each side. `on_move` returns the side that is highlighted, None once the game is over. `running`
    returns the seconds that the side to move has been thinking, None if no clock runs; leave it out for a game that is
    not being played, which shows times only if its moves have some. `score` returns the points of both people over
    several games, None if there are none."""

    def __init__(
        self, host: Host, record: GameRecord, on_move: Callable[[], int | None],
        running: Callable[[], float | None] | None = None,
        score: Callable[[], tuple[float, float] | None] = lambda: None,
    ) -> None:  # fmt: skip
        self._host, self._record, self._on_move, self._running = host, record, on_move, running
        self._score = score
        self.rect = pygame.Rect()
        self._timed = running is not None or any(node.seconds or node.spent for node in record.nodes())

    def build(self, space: Space) -> None:
        """Take the room of two cards, one above the other, from the top of the space."""
        self.rect = space.top(self._host.theme.px(_HEIGHT))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw both cards with the present times and counts, from cached pictures."""
        gap = self._host.theme.px(4)
        space, height = Space(self.rect, gap), (self.rect.height - gap) // 2
        for side, (time, count, points) in enumerate(zip(self.times(), self.counts(), self.points(), strict=True)):
            place = space.top(height)
            surface.blit(_picture(self._host.theme, place.size, self._shown_player(side, time, count, points)), place)

    def _shown_player(self, side: int, time: _Time, count: str, points: str) -> _Player:
        """Collect what the card of `side` shows."""
        game, seats = self._record.setup.game, self._record.seats
        player, on_move = seats[side].player, side == self._on_move()
        mark = "person" if player == PERSON else player_icon(player)
        return _Player(game, side, player_name(game, seats, side), mark, on_move, time, count, points)

    def counts(self) -> list[str]:
        """The count of each side, such as pieces, first side first; empty texts in a game that does not count."""
        return list(map(str, score_of(self._record.position) or ("", "")))

    def points(self) -> list[str]:
        """The points of each side over several games, first side first; empty texts if there are none."""
        score = self._score()
        return ["", ""] if score is None else list(map(points_text, score))

    def times(self) -> list[_Time]:
        """The time left of each side or, in a game without clocks, the time used; first side first."""
        record, running = self._record, self._running() if self._running is not None else None
        spent = record.cursor.spent if running is None else running
        faces, controls = record.clocks(spent), record.controls
        if faces is None or controls is None:
            used = seconds_used(record)
            used[record.turn] += spent
            return [_Time(time_text(seconds) if self._timed else "") for seconds in used]
        return [
            _Time(clock_text(face.seconds), clock_note(control, face), control.low(face))
            for control, face in zip(controls, faces, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _Time:
    """The clock of a side: `text`, a `note` under it, and whether the time left is `low`."""

    text: str
    note: str = ""
    low: bool = False


@dataclass(frozen=True, slots=True)
class _Player:
    """What the card of a side shows. `count` is that of `Players.counts`, `points` that of `Players.points`."""

    game: str
    side: int
    name: str
    icon: str
    on_move: bool
    time: _Time
    count: str
    points: str


@lru_cache(maxsize=8)
def _picture(theme: Theme, size: tuple[int, int], player: _Player) -> pygame.Surface:
    """Render the card of a player. Cached: rendering two takes a tenth of a frame."""
    px, palette, on_move = theme.px, theme.palette, player.on_move
    picture = pygame.Surface(size)
    picture.fill(palette.panel)
    rect = picture.get_rect()
    rounded(picture, rect, palette.raised if on_move else mix(palette.panel, palette.raised, 0.4), px(8))
    if on_move:
        bar = pygame.Rect(rect.left, rect.top + px(10), px(4), rect.height - 2 * px(10))
        rounded(picture, bar, palette.accent, px(2))
    space = Space(rect.inflate(-2 * px(16), 0), px(8))
    look(player.game).badge(picture, theme, space.left(px(24)), player.side)
    if player.count:
        place = space.left(width_of(theme, max(player.count, "00", key=len), 20, bold=True))
        write(picture, theme, player.count, place, 20, bold=True, align="centre")
    if player.time.text:
        clock = space.right(max(px(72), width_of(theme, player.time.text, 20)))
        _draw_time(picture, theme, clock, player.time, on_move)
    image, mark = icon(player.icon, px(18), palette.quiet), space.right(px(18))
    picture.blit(image, image.get_rect(center=mark.center))
    _draw_names(picture, theme, space.rest, player)
    return picture


def _draw_names(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, player: _Player) -> None:
    """Draw the name of the player, and below it the side and the points over several games; the points alone if both do
    not fit. Without points, a name too wide for one line takes both lines."""
    name, colour = player.name, theme.palette.text if player.on_move else theme.palette.quiet
    upper = pygame.Rect(rect.left, rect.top + theme.px(4), rect.width, rect.height // 2 - theme.px(3))
    lower = upper.move(0, upper.height - theme.px(1))
    fits = width_of(theme, name, 16, bold=True) <= rect.width
    if fits or player.points:
        below = side_name(player.game, player.side)
        if player.points:
            points = t("players.points", points=player.points)
            both = f"{below} · {points}"
            below = both if width_of(theme, both, 14) <= rect.width else points
        write(surface, theme, name, upper, 16 if fits else 14, colour, bold=True)
        write(surface, theme, below, lower, 14, theme.palette.quiet)
        return
    first, *more = wrapped(theme, name, rect.width, 14, bold=True)
    write(surface, theme, first, upper if more else rect, 14, colour, bold=True)
    write(surface, theme, name[len(first) :].strip(), lower, 14, colour, bold=True)


def seconds_used(record: GameRecord) -> list[float]:
    """The seconds that each side has thought on the way from the root to the cursor."""
    used = [0.0, 0.0]
    for side, seconds in record.turn_times():
        used[side] += seconds
    return used


def _draw_time(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, shown: _Time, on_move: bool) -> None:
    """Write a time at the right of `rect`, in the colour of a warning if it is low, and below it its note, if any."""
    palette = theme.palette
    colour = palette.bad if shown.low else palette.text if on_move else palette.quiet
    if shown.note:
        note = pygame.Rect(rect.left, rect.centery + theme.px(3), rect.width, theme.px(18))
        write(surface, theme, shown.note, note, 14, palette.quiet, align="right")
        rect = pygame.Rect(rect.left, rect.top + theme.px(5), rect.width, theme.px(24))
    write(surface, theme, shown.text, rect, 20, colour, align="right")
