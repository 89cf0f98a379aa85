"""Draw what pygame cannot: boxes with rounded, smooth edges, shadows, progress bars, hatching, buttons and icons. The
icons on buttons are from Lucide's SVG files; the app has one of its own."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import NamedTuple

import pygame

from ui.toolkit.resources import resource
from ui.toolkit.theme import Colour, Palette, Theme, css, mix
from ui.toolkit.typesetting import width_of, write


@lru_cache(maxsize=400)
def icon(name: str, size: int, colour: Colour) -> pygame.Surface:
    """Return a transparent square of `size` pixels with the icon `name` in `colour`. It is cached: copy it before
    changing it. Raise `KeyError` for an unknown icon."""
    coloured = _svg_source(name).replace("currentColor", css(colour))
    return pygame.image.load_sized_svg(io.BytesIO(coloured.encode()), (size, size))


@cache
def _svg_source(name: str) -> str:
    """Return the source of an icon. Raise `KeyError` for an unknown one."""
    try:
        return resource("icons", "lucide", f"{name}.svg").read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise KeyError(name) from error


@lru_cache(maxsize=8)
def app_icon(size: int) -> pygame.Surface:
    """Return the icon of the app as a square of `size` pixels with round, transparent corners."""
    picture = pygame.image.load(resource("icons", "tengen.png"))
    return pygame.transform.smoothscale(picture, (size, size))


_FINER = 4  # factor of supersampling
_SHADOW_ALPHA = 120


def rounded(
    surface: pygame.Surface, rect: pygame.Rect, colour: Colour, radius: int, line: Colour | None = None, width: int = 1
) -> None:
    """Draw a box with corners of `radius` and smooth edges; with `line`, its border has that colour and is `width`
    pixels wide. All lengths are real pixels."""
    corner = max(radius, width) + 1
    inside = rect.inflate(-2 * corner, -2 * corner)
    if inside.width <= 0 or inside.height <= 0:
        picture = _box_picture(rect.size, colour, radius, line, width)
        surface.blit(picture, rect, special_flags=pygame.BLEND_PREMULTIPLIED)
        return
    # Fills, and four corners of a small box: a surface for the whole box would be large and slow.
    x, y, wide, high = inside
    for part in ((x, rect.y, wide, rect.h), (rect.x, y, corner, high), (inside.right, y, corner, high)):
        surface.fill(colour, part)
    if line:
        for edge in ((x, rect.top, wide, width), (x, rect.bottom - width, wide, width),
                     (rect.left, y, width, high), (rect.right - width, y, width, high)):  # fmt: skip
            surface.fill(line, edge)
    picture = _box_picture((2 * corner + 1, 2 * corner + 1), colour, radius, line, width)
    for right, left in ((0, rect.left), (corner + 1, inside.right)):
        for down, top in ((0, rect.top), (corner + 1, inside.bottom)):
            piece = (right, down, corner, corner)
            surface.blit(picture, (left, top), piece, special_flags=pygame.BLEND_PREMULTIPLIED)


@lru_cache(maxsize=300)
def _box_picture(size: tuple[int, int], colour: Colour, radius: int, line: Colour | None, width: int) -> pygame.Surface:
    """Return a picture of the whole box, with premultiplied alpha."""
    large = pygame.Surface((size[0] * _FINER, size[1] * _FINER), pygame.SRCALPHA)
    pygame.draw.rect(large, line or colour, large.get_rect(), border_radius=radius * _FINER)
    inner = large.get_rect().inflate(-2 * width * _FINER, -2 * width * _FINER)
    if line and inner.width > 0 and inner.height > 0:
        pygame.draw.rect(large, colour, inner, border_radius=max(0, radius - width) * _FINER)
    return pygame.transform.smoothscale(large, size)


def veil(surface: pygame.Surface, colour: Colour, alpha: int) -> None:
    """Cover the whole surface with a translucent `colour`, so that what is drawn next stands out; `alpha` is at most
    255."""
    cover = pygame.Surface(surface.get_size())
    cover.fill(colour)
    cover.set_alpha(alpha)
    surface.blit(cover, (0, 0))


def shadow(surface: pygame.Surface, rect: pygame.Rect, room: int) -> None:
    """Draw a soft shadow around a box at `rect`; it reaches `room` pixels beyond the box."""
    surface.blit(_shadow_picture(rect.size, room), rect.move(-room, -room + room // 5))


@lru_cache(maxsize=2)
def _shadow_picture(size: tuple[int, int], room: int) -> pygame.Surface:
    """Return the picture of a shadow. It is drawn small and enlarged: blurring a large one takes a tenth of a
    second."""
    whole = size[0] + 2 * room, size[1] + 2 * room
    small = pygame.Surface((whole[0] // 4, whole[1] // 4), pygame.SRCALPHA)
    dark = small.get_rect().inflate(-room // 2, -room // 2)
    pygame.draw.rect(small, (0, 0, 0, _SHADOW_ALPHA), dark, border_radius=room // 4)
    return pygame.transform.smoothscale(pygame.transform.gaussian_blur(small, max(1, room // 8)), whole)


@contextmanager
def clipped(target: pygame.Surface, rect: pygame.Rect) -> Iterator[None]:
    """Within the block, clip drawing on `target` to `rect`, and to the clip that was set before."""
    before = target.get_clip()
    target.set_clip(rect.clip(before))
    try:
        yield
    finally:
        target.set_clip(before)


def hatch(surface: pygame.Surface, rect: pygame.Rect, colour: Colour, gap: int) -> None:
    """Fill `rect` with slanted lines, `gap` pixels apart."""
    with clipped(surface, rect):
        for start in range(rect.left - rect.height, rect.right, gap):
            pygame.draw.aaline(surface, colour, (start, rect.bottom), (start + rect.height, rect.top))


def draw_progress(surface: pygame.Surface, palette: Palette, rect: pygame.Rect, share: float) -> None:
    """Draw a progress bar in `rect`, filled to `share` (0 to 1); anything above 0 is visible."""
    radius = rect.height // 2
    rounded(surface, rect, palette.line, radius)
    if share > 0:
        width = max(rect.height, round(rect.width * share))
        rounded(surface, pygame.Rect(rect.left, rect.top, width, rect.height), palette.accent, radius)


# Draw a button: ground, icon and text, in the colours of its style and state.


STATES = ("normal", "hovered", "selected", "active", "disabled")
"""`selected` is chosen or switched on, `active` held down."""

Look = tuple[Colour | None, Colour, Colour | None]
"""Ground, text and border of a button; None is transparent."""


class ButtonStyle(NamedTuple):
    """How buttons of a kind look: `looks` has a look for each of `STATES`. `left` is the indentation of the text, None
    for centred text. Lengths are design pixels."""

    looks: dict[str, Look]
    left: int | None = None
    size: int = 16
    bold: bool = False
    radius: int = 8


@lru_cache(maxsize=4)
def styles(palette: Palette) -> dict[str, ButtonStyle]:
    """Return the styles by the names that `Widgets.button` takes; the name of a plain button is empty."""
    raised, line, text, accent = palette.raised, palette.line, palette.text, palette.accent
    over, down, chosen = palette.lit(0.5), palette.lit(0.95), mix(raised, accent, 0.16)
    line_over = mix(line, palette.quiet, 0.5)
    faint, faint_text = mix(palette.panel, raised, 0.5), mix(palette.quiet, palette.panel, 0.2)
    disabled: Look = (faint, faint_text, line)
    nothing: Look = (None, faint_text, None)
    accents = accent, *(mix(accent, text, share) for share in (0.14, 0.14, 0.26))
    danger: Look = (palette.bad, palette.background, palette.bad)
    plain = _style(
        (raised, text, line), (over, text, line_over), (chosen, text, accent), (down, text, line_over), disabled
    )
    quiet = _style((None, text, None), (over, text, line), (chosen, text, accent), (down, text, line), nothing)
    row = _style((None, text, None), (over, text, None), (chosen, text, None), (chosen, text, None), nothing)
    return {
        **dict.fromkeys(("", "@choice", "@tile"), plain),
        **dict.fromkeys(("@quiet", "@icon"), quiet),
        "@menu": plain._replace(left=15),
        "@primary": _style(*((ground, palette.on_accent, ground) for ground in accents), disabled)._replace(bold=True),
        "@danger": _style((raised, mix(palette.bad, text, 0.12), line), danger, danger, danger, disabled),
        "@row": row._replace(left=10, size=14, radius=6),
    }


def _style(*looks: Look) -> ButtonStyle:
    """Return a style with one look for each of `STATES`, in this order."""
    return ButtonStyle(dict(zip(STATES, looks, strict=True)))


ICON, ARROW = 20, 14
GAP = 8
"""Design pixels between an icon and its text, and least margin beside both."""
LEAST = 4
"""Least margin of a centred text in design pixels."""


class ButtonFace(NamedTuple):
    """What is on a button: `style` is a key of `styles`; text and icon may be empty."""

    style: str
    text: str
    icon: str


def button_picture(theme: Theme, face: ButtonFace, size: tuple[int, int], state: str) -> pygame.Surface:
    """Return a new picture of a button of `size` in one of `STATES`, with premultiplied alpha."""
    style = styles(theme.palette)[face.style]
    ground, ink, edge = style.looks[state]
    picture = pygame.Surface(size, pygame.SRCALPHA)
    if ground is not None:
        rounded(picture, picture.get_rect(), ground, theme.px(style.radius), edge, max(1, theme.px(1)))
    left, right = _draw_icon(picture, theme, style, face, ink), size[0] - theme.px(LEAST)
    if face.style == "@menu":
        right = _draw_arrow(picture, theme, ink)
    if face.text:
        start = theme.px(LEAST) if left is None else left
        room = pygame.Rect(start, _text_drop(theme.font(theme.text_px(style.size), style.bold)), right - start, size[1])
        write(picture, theme, face.text, room, style.size, ink, style.bold, "centre" if left is None else "left")
    return picture if ground is not None else picture.premul_alpha()  # on a ground, alpha is premultiplied already


def _text_drop(font: pygame.font.Font) -> int:
    """Return how many pixels a line of text must be lowered so that its letters are vertically centred."""
    above, below = font.get_ascent(), 1 - font.get_descent()
    return font.get_height() // 2 - below - round((above - below) / 2)


def _draw_icon(
    picture: pygame.Surface, theme: Theme, style: ButtonStyle, face: ButtonFace, colour: Colour
) -> int | None:
    """Draw the icon, if there is one, at the beginning of a left-aligned text, or centre it together with the text;
    leave it out if there is no room. Return where the text begins, None for centred text."""
    px = theme.px
    beginning = None if style.left is None else px(style.left)
    if not face.icon:
        return beginning
    words = width_of(theme, face.text, style.size, style.bold)
    left = (picture.width - px(ICON) - (px(GAP) + words if words else 0)) // 2 if beginning is None else beginning
    if words and left < px(GAP):
        return beginning
    picture.blit(icon(face.icon, px(ICON), colour), (left, (picture.height - px(ICON)) // 2))
    return left + px(ICON) + px(GAP)


def _draw_arrow(picture: pygame.Surface, theme: Theme, colour: Colour) -> int:
    """Draw the arrow of a menu at the right end. Return its left edge, where the text must end."""
    size = theme.px(ARROW)
    left = picture.width - 2 * size + size * size // picture.width
    picture.blit(icon("down", size, colour), (left, (picture.height - size) // 2))
    return left
