"""The card that tells how a game ended, with what one does next."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from games.position import Outcome
from games.record import GameRecord, only_person, path
from ui.board.registry import look
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space, columns
from ui.toolkit.palette import mix
from ui.toolkit.text import wrapped, write
from ui.toolkit.theme import Theme
from ui.words.numbers import time_text
from ui.words.results import outcome_sentence

_PADDING, _BADGE, _TITLE, _LINE, _BUTTON = 12, 28, 28, 20, 36  # design pixels


@dataclass(frozen=True, slots=True)
class Ending:
    """What the card says: `tone` is the colour of the palette, `winner` None for a draw, `rating` a sentence."""

    sentence: str
    tone: str
    winner: int | None
    rating: str
    length: str


def tone_of(record: GameRecord, outcome: Outcome) -> str:
    """The colour of the palette for how the game ended: a matter of the only person in it, if there is one."""
    person = only_person(record.seats)
    return "accent" if None in (outcome.winner, person) else "good" if outcome.winner == person else "bad"


def ending_of(record: GameRecord, rating: str = "") -> Ending | None:
    """How the game at the cursor ended, from the view of the only person in it; None while it goes on."""
    outcome = record.outcome
    if outcome is None:
        return None
    nodes = path(record.cursor)[1:]
    length = t("library.moves", count=len(nodes))
    seconds = sum(node.seconds or 0.0 for node in nodes)
    if seconds:
        length += f" · {time_text(seconds)}"
    sentence, tone = outcome_sentence(record, outcome), tone_of(record, outcome)
    return Ending(sentence, tone, outcome.winner, rating, length)


class EndingCard:
    """Lays `ending` of a `game` out from `top` down, `width` pixels wide; `rect` is what it needs. The scene puts its
    buttons into `review`, `rematch` and `new`."""

    def __init__(self, theme: Theme, game: str, ending: Ending, topleft: tuple[int, int], width: int) -> None:
        px = theme.px
        self._theme, self._game, self._ending = theme, game, ending
        space = Space(pygame.Rect(*topleft, width, 10_000).inflate(-2 * px(_PADDING), -2 * px(_PADDING)), 0)
        indent = px(_BADGE + 8) if ending.winner is not None else 0
        self._title = [
            (self._indented(space.top(px(_TITLE)), indent), line)
            for line in wrapped(theme, ending.sentence, space.rest.width - indent, 20, bold=True)
        ]
        lines = [*wrapped(theme, ending.rating, space.rest.width, 14), ending.length]
        space.top(px(4))
        self._lines = [(space.top(px(_LINE)), line) for line in lines]
        space.top(px(8))
        self.review = space.top(px(_BUTTON))
        space.top(px(8))
        self.rematch, self.new = columns(space.top(px(_BUTTON)), 2, px(8))
        self.rect = pygame.Rect(*topleft, width, space.rest.top + px(_PADDING) - topleft[1])

    @staticmethod
    def _indented(rect: pygame.Rect, indent: int) -> pygame.Rect:
        return pygame.Rect(rect.left + indent, rect.top, rect.width - indent, rect.height)

    def draw(self, surface: pygame.Surface) -> None:
        theme, px, ending = self._theme, self._theme.px, self._ending
        palette = theme.palette
        tone = getattr(palette, ending.tone)
        rounded(surface, self.rect, mix(palette.raised, tone, 0.12), px(8), mix(palette.line, tone, 0.7))
        if ending.winner is not None:
            first = self._title[0][0]
            badge = pygame.Rect(self.rect.left + px(_PADDING), first.top, px(_BADGE), first.height)
            look(self._game).badge(surface, theme, badge, ending.winner)
        for rect, text in self._title:
            write(surface, theme, text, rect, 20, bold=True)
        for rect, text in self._lines:
            write(surface, theme, text, rect, 14)
