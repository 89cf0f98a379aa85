"""Who plays, with clocks, and below whose turn it is, or which position is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import pygame

from games.record import PERSON, GameRecord, path, steps
from ui.board.registry import look
from ui.game.play_state import PlayState
from ui.game.study import Study
from ui.host import Host
from ui.part import Part
from ui.parts.game_cards import tone_of
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.icons import icon
from ui.toolkit.layout import BUTTON, Space
from ui.toolkit.menu import Menu
from ui.toolkit.palette import mix
from ui.toolkit.text import width_of, wrapped, write
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import Widgets
from ui.words.games import outcome_sentence, player_name, side_name, turn_sentence
from ui.words.numbers import clock_note, clock_text, time_text

_HEIGHT = 104  # design pixels


class Players(Part):
    """`running` returns how long the side to move has been thinking, in seconds, None when no clock runs; without it
    the game is not played, and shows times only if it has some. `on_move` returns the side that is marked, None where
    the game is over."""

    def __init__(
        self, host: Host, record: GameRecord, on_move: Callable[[], int | None],
        running: Callable[[], float | None] | None = None,
    ) -> None:  # fmt: skip
        self._host, self._record, self._on_move, self._running = host, record, on_move, running
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._timed = running is not None or any(node.seconds or node.spent for node in record.nodes())

    def build(self, space: Space) -> None:
        self.rect = space.top(self._host.theme.px(_HEIGHT))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        gap = self._host.theme.px(4)
        space, height = Space(self.rect, gap), (self.rect.height - gap) // 2
        for side, time in enumerate(self.times()):
            place = space.top(height)
            surface.blit(_picture(self._host.theme, place.size, self._player(side, time)), place)

    def _player(self, side: int, time: _Time) -> _Player:
        game, seats = self._record.setup.game, self._record.seats
        person, on_move = seats[side].player == PERSON, side == self._on_move()
        return _Player(game, side, player_name(game, seats, side), person, on_move, time)

    def times(self) -> list[_Time]:
        """Time left where there are clocks, or else time used; first side first."""
        record, running = self._record, self._running() if self._running is not None else None
        spent = record.cursor.spent if running is None else running
        faces, control = record.clocks(spent), record.control
        if faces is None or control is None:
            used = seconds_used(record)
            used[record.position.turn] += spent
            return [_Time(time_text(seconds) if self._timed else "") for seconds in used]
        return [_Time(clock_text(face.seconds), clock_note(control, face), control.low(face)) for face in faces]


@dataclass(frozen=True, slots=True)
class _Time:
    """What the clock of a side says: `text`, under it a `note`, and whether little is left."""

    text: str
    note: str = ""
    low: bool = False


@dataclass(frozen=True, slots=True)
class _Player:
    """What is shown of a side."""

    game: str
    side: int
    name: str
    person: bool
    on_move: bool
    time: _Time


@lru_cache(maxsize=8)
def _picture(theme: Theme, size: tuple[int, int], player: _Player) -> pygame.Surface:
    """LRU cache of the cards of players: drawing two took a tenth of a frame."""
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
    if player.time.text:
        clock = space.right(max(px(72), width_of(theme, player.time.text, 20)))
        _draw_time(picture, theme, clock, player.time, on_move)
    image, mark = icon("person" if player.person else "computer", px(18), palette.quiet), space.right(px(18))
    picture.blit(image, image.get_rect(center=mark.center))
    _draw_names(picture, theme, space.rest, player)
    return picture


def _draw_names(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, player: _Player) -> None:
    """The name of the player over that of the side; a long name has both lines, since the badge tells the side."""
    name, colour = player.name, theme.palette.text if player.on_move else theme.palette.quiet
    upper = pygame.Rect(rect.left, rect.top + theme.px(4), rect.width, rect.height // 2 - theme.px(3))
    lower = upper.move(0, upper.height - theme.px(1))
    if width_of(theme, name, 16, bold=True) <= rect.width:
        write(surface, theme, name, upper, 16, colour, bold=True)
        write(surface, theme, side_name(player.game, player.side), lower, 14, theme.palette.quiet)
        return
    first, *more = wrapped(theme, name, rect.width, 14, bold=True)
    write(surface, theme, first, upper if more else rect, 14, colour, bold=True)
    write(surface, theme, name[len(first) :].strip(), lower, 14, colour, bold=True)


def seconds_used(record: GameRecord) -> list[float]:
    """How long each side has thought on the way to the cursor, in seconds."""
    used = [0.0, 0.0]
    for parent, node in steps(record.cursor):
        used[parent.position.turn] += node.seconds or 0.0
    return used


def _draw_time(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, shown: _Time, on_move: bool) -> None:
    palette = theme.palette
    colour = palette.bad if shown.low else palette.text if on_move else palette.quiet
    if shown.note:
        note = pygame.Rect(rect.left, rect.centery + theme.px(3), rect.width, theme.px(18))
        write(surface, theme, shown.note, note, 14, palette.quiet, align="right")
        rect = pygame.Rect(rect.left, rect.top + theme.px(5), rect.width, theme.px(24))
    write(surface, theme, shown.text, rect, 20, colour, align="right")


_TURN_LINE = 24  # design pixels


class Turn(Part):
    """Whose turn it is in a game that is played, or which earlier move is shown."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._question: Menu | None = None  # while the person is asked whether to resign

    def shape(self) -> object:
        return self._state.over

    def build(self, space: Space) -> None:
        """Where the game is over, leave the line to the card that says how."""
        if self._state.over:
            return
        px = self._host.theme.px
        self._rect = space.top(px(_TURN_LINE))
        if self._state.live.people:  # beside the line, where no other button is near
            side = px(BUTTON - 4)
            place = pygame.Rect(self._rect.right - side, 0, side, side)
            place.centery = self._rect.centery
            self._rect.width -= side + px(4)
            tip, ask = t("play.resign"), partial(self._ask, place)
            self._widgets.button("resign", place, "", ask, style="@icon", icon="flag", tip=tip)

    def _ask(self, under: pygame.Rect) -> None:
        """Ask, since nothing takes it back, in a menu: the clock runs on meanwhile."""
        actions = {"return": self._state.leave, "resign": self._resign}
        options = [("return", t("play.dismiss")), ("resign", t("play.resign"))]
        question = Menu(self._host, under, options, "", lambda answer: actions[answer]())
        self._host.overlay = self._question = question
        sentence = t("play.resign_rated" if self._state.saver.counts else "play.resign_about")
        self._host.say(sentence, holds=lambda: self._host.overlay is question)

    def _resign(self) -> None:
        self._state.leave()
        self._state.live.resign()

    def update(self, now: float) -> None:
        """Withdraw the question when the game has ended."""
        if self._state.over and self._question is not None and self._host.overlay is self._question:
            self._host.overlay = None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._state.over:
            return
        theme, state, live = self._host.theme, self._state, self._state.live
        turn = turn_sentence(state.record, live.thinking, live.waiting, live.paused)
        colour = theme.palette.info if state.viewed else theme.palette.text
        text = state.viewed or (t("teach.waits") if state.warning else turn)
        write(surface, theme, text, self._rect, 16, colour, bold=True)


_POSITION_LINE = 24  # design pixels


class PositionLine(Part):
    """Which position of a game that is studied is on the board, and what there is to say of it."""

    def __init__(self, host: Host, state: Study) -> None:
        self._host, self._state = host, state

    def build(self, space: Space) -> None:
        self._rect = space.top(self._host.theme.px(_POSITION_LINE))

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
