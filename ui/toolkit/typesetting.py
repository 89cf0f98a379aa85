"""Write text into rectangles: shorten it with an ellipsis, or break it into lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import pygame

from ui.toolkit.space import Space, columns
from ui.toolkit.theme import Colour, Theme

Align = Literal["left", "centre", "right"]

LINE = 22
"""Design pixels of a line of a paragraph."""

_WIDE = "\u2e80"
"""The first of the wide characters, between which a line may end."""

_OPENING = "（《“‘「『【〈〔"
_CLOSING = "，。、；：！？）》”’%」』】〉〕・ー…々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
"""Characters that do not end a line, and that do not begin one."""

_AROUND = 14
"""Design pixels that a button needs besides its text."""


def write(
    surface: pygame.Surface,
    theme: Theme,
    string: str,
    rect: pygame.Rect,
    size: int = 16,
    colour: Colour | None = None,
    bold: bool = False,
    align: Align = "left",
) -> None:
    """Write one line, vertically centred in `rect`, and shortened to its width. `size` is in design pixels. Without
    `colour`, it is that of usual text."""
    shown = fitted(theme, string, rect.width, size, bold)
    image = theme.text(shown, size, colour or theme.palette.text, bold)
    place = image.get_rect(centery=rect.centery, left=rect.left)
    if align == "centre":
        place.centerx = rect.centerx
    elif align == "right":
        place.right = rect.right
    surface.blit(image, place)
    if surface is _listener.surface:
        _listener.note((string, place))


Written = tuple[str, pygame.Rect]
"""A text, even if it was cut off, and where it stands."""


class _Listener:
    """The surface whose texts are noted, None for none, and the function that notes them."""

    def __init__(self) -> None:
        self.surface: pygame.Surface | None = None
        self.note: Callable[[Written], object] = lambda _: None


_listener = _Listener()


def note_texts(surface: pygame.Surface | None, note: Callable[[Written], object] = lambda _: None) -> None:
    """From now on, call `note` with each text that is written on `surface`, and no longer for another surface. None
    ends that."""
    _listener.surface, _listener.note = surface, note


def write_paragraph(
    surface: pygame.Surface, theme: Theme, string: str, rect: pygame.Rect, colour: Colour | None = None,
) -> None:  # fmt: skip
    """Write `string` in as many lines as fit in `rect`, but at least one, from its top. The last one ends with … if
    there are more. Without `colour`, it is that of secondary text."""
    space, lines, high = Space(rect), wrapped(theme, string, rect.width, 14), theme.px(LINE)
    room = max(1, (rect.height + high // 4) // high)
    if len(lines) > room:
        lines = (*lines[: room - 1], fitted(theme, " ".join(lines[room - 1 :]), rect.width, 14))
    for line in lines:
        write(surface, theme, line, space.top(high), 14, colour or theme.palette.quiet)


@lru_cache(maxsize=2000)
def width_of(theme: Theme, string: str, size: int, bold: bool = False) -> int:
    """Return the width of a string in pixels; `size` is in design pixels."""
    return theme.font(theme.text_px(size), bold).size(string)[0]


def text_columns(theme: Theme, rect: pygame.Rect, texts: Sequence[str], gap: int) -> list[pygame.Rect]:
    """Divide `rect` into a column for each of the `texts`, `gap` pixels apart: its width in size 16, and equal room
    around it."""
    row = Space(rect, gap)
    widths = [width_of(theme, text, 16) for text in texts]
    spare = (rect.width - (len(texts) - 1) * gap - sum(widths)) // len(texts)
    return [*(row.left(width + spare) for width in widths[:-1]), row.rest]


def even_columns(
    theme: Theme, rect: pygame.Rect, texts: Sequence[str], gap: int, around: int = _AROUND
) -> list[pygame.Rect]:
    """Divide `rect` into columns of equal width for buttons with `texts`, `gap` pixels apart; as `text_columns` does if
    a text is too wide for that, with `around` design pixels beside it."""
    places = columns(rect, len(texts), gap)
    widest = max(width_of(theme, text, 16) for text in texts) + theme.px(around)
    return places if all(widest <= place.width for place in places) else text_columns(theme, rect, texts, gap)


def text_rows(theme: Theme, space: Space, texts: Sequence[str], height: int, gap: int, most: int) -> list[pygame.Rect]:
    """Cut places for buttons with `texts` from the top of `space`, in as few rows of `height` as they fit in. Return an
    empty list, and cut nothing, if they need more than `most` rows."""
    for count in range(1, most + 1):
        each = -(-len(texts) // count)
        rows = [texts[first : first + each] for first in range(0, len(texts), each)]
        if all(_row_width(theme, row, gap) <= space.rest.width for row in rows):
            return [place for row in rows for place in text_columns(theme, space.top(height), row, gap)]
    return []


def _row_width(theme: Theme, texts: Sequence[str], gap: int) -> int:
    """Return the width of buttons with `texts` side by side."""
    return sum(width_of(theme, text, 16) + theme.px(_AROUND) + gap for text in texts) - gap


@lru_cache(maxsize=1000)
def fitted(theme: Theme, string: str, width: int, size: int, bold: bool = False) -> str:
    """Return `string`, or as much of it as fits in `width` pixels with an ellipsis at its end."""
    if width_of(theme, string, size, bold) <= width:
        return string
    low, high = 0, len(string)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(theme, string[:middle].rstrip() + "…", size, bold) <= width:
            low = middle
        else:
            high = middle - 1
    return string[:low].rstrip() + "…"


@lru_cache(maxsize=200)
def wrapped(theme: Theme, string: str, width: int, size: int, bold: bool = False) -> tuple[str, ...]:
    """Break `string` into lines of at most `width` pixels, at spaces and between Chinese or Japanese characters. A
    longer word stays whole."""
    lines: list[str] = []
    for paragraph in string.splitlines():
        line = ""
        for piece in pieces(paragraph):
            if line and width_of(theme, (line + piece).rstrip(), size, bold) > width:
                lines.append(line.rstrip())
                line = ""
            line += piece
        lines.append(line.rstrip())
    return tuple(lines)


def pieces(paragraph: str) -> list[str]:
    """Split a line into pieces that must not be broken: words with the space after them, and single Chinese or Japanese
    characters with the punctuation that belongs to them."""
    found = list(paragraph[:1])
    for before, after in pairwise(paragraph):
        if _may_break(before, after):
            found.append(after)
        else:
            found[-1] += after
    return found


def _may_break(before: str, after: str) -> bool:
    """Whether a line may be broken between two adjacent characters."""
    if before in _OPENING or after in _CLOSING:
        return False
    return before == " " or (after != " " and max(before, after) >= _WIDE)
