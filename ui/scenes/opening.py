"""Opens game files for the window: at once where they are read quickly, else behind a card that tells how far it is."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

import pygame

from games.formats import FormatError
from games.record import GameRecord
from ui.game import reading
from ui.game.reading import Reading
from ui.game.words import file_sentence
from ui.host import Host
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.palette import mix
from ui.toolkit.text import width_of, write

_log = logging.getLogger(__name__)

_SHOWN = 0.3  # seconds after which the card is shown

Then = Callable[[GameRecord], object]


class GameOpener:
    """One file is opened at a time; another one takes its place."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._card: ReadingCard | None = None
        self._then: Then = lambda _record: None
        self._failed: Callable[[], object] = lambda: None

    @property
    def busy(self) -> bool:
        return self._card is not None

    def open(self, path: Path, then: Then, failed: Callable[[], object] = lambda: None) -> None:
        """Calls `then` with the game in the file at `path`. Where it cannot be read, says so and calls `failed`."""
        self.stop()
        self._host.files.settle()
        self._then, self._failed = then, failed
        begun = Reading(path, self._host.wake, self._host.rest)
        self._card = ReadingCard(self._host, begun, self.give_up)
        begun.wait(reading.AT_ONCE)
        self.update()

    def update(self) -> None:
        """Goes on with a file that has been read; until then its card takes all events. Called once a frame."""
        card = self._card
        if card is None:
            return
        if not card.reading.over:
            self._host.overlay = card
            return
        self.stop()
        self._finish(card.reading)

    def stop(self) -> None:
        """Forgets the file that is being read."""
        if self._card is not None:
            self._card.reading.stop()
            if self._host.overlay is self._card:
                self._host.overlay = None
            self._card = None

    def give_up(self) -> None:
        """As a person does who does not want to wait."""
        if self._card is not None:
            self._host.say(t("opening.stopped", name=self._card.reading.path.name))
        self.stop()

    def _finish(self, read: Reading) -> None:
        if isinstance(read.result, GameRecord):
            self._host.settings.remember_file(read.path.absolute())
            self._host.save_settings()
            self._then(read.result)
        elif isinstance(read.result, FormatError):
            _log.warning("%s: %s", read.path, read.result)
            self._host.say(file_sentence(read.result, read.path.name), "bad")
            self._failed()


class ReadingCard:
    """Lies over the scene while a file is read: how far it is, and how to `stop` it. Takes every event."""

    typing = False

    def __init__(self, host: Host, read: Reading, stop: Callable[[], object]) -> None:
        self.host, self.reading, self.stop = host, read, stop
        self._since = time.monotonic()
        self._button = pygame.Rect(0, 0, 0, 0)

    @property
    def shown(self) -> bool:
        return time.monotonic() - self._since > _SHOWN

    def handle(self, event: pygame.event.Event) -> bool:
        """False when the card is to be closed."""
        escape = event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._button.collidepoint(event.pos)
        if escape or pressed:
            self.stop()
        return not (escape or pressed)

    def draw(self, surface: pygame.Surface) -> None:
        if not self.shown:
            return
        theme = self.host.theme
        palette, px = theme.palette, theme.px
        veil = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
        veil.fill((*palette.background, 160))
        surface.blit(veil, (0, 0))
        box = pygame.Rect(0, 0, px(440), px(148))
        box.center = surface.get_rect().center
        rounded(surface, box, palette.panel, px(12), palette.line)
        space = Space(box.inflate(-2 * px(24), -2 * px(20)), px(8))
        head = Space(space.top(px(28)), px(12))
        write(surface, theme, f"{round(100 * self.reading.share)} %", head.right(px(60)), 16, align="right")
        write(surface, theme, t("opening.title"), head.rest, 20, bold=True)
        write(surface, theme, self.reading.path.name, space.top(px(20)), 14, palette.quiet)
        self._draw_bar(surface, space.top(px(6)))
        self._draw_button(surface, space.bottom(px(28)))

    def _draw_bar(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        palette = self.host.theme.palette
        rounded(surface, rect, palette.line, rect.height // 2)
        done = pygame.Rect(rect.left, rect.top, max(rect.height, round(rect.width * self.reading.share)), rect.height)
        rounded(surface, done, palette.accent, rect.height // 2)

    def _draw_button(self, surface: pygame.Surface, row: pygame.Rect) -> None:
        theme = self.host.theme
        palette, px = theme.palette, theme.px
        text = t("opening.cancel")
        wide = width_of(theme, text, 14) + px(24)
        self._button = pygame.Rect(row.right - wide, row.top, wide, row.height)
        hovered = self._button.collidepoint(pygame.mouse.get_pos())
        ground = mix(palette.raised, palette.line, 0.8) if hovered else palette.raised
        rounded(surface, self._button, ground, px(8), palette.line)
        write(surface, theme, text, self._button, 14, align="centre")
