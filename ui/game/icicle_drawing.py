"""Whole searches at a glance as SVG, for pages and print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.drawing import tag
from ui.game.icicle_rows import WIDE, IcicleRows, hatching, runs, shades
from ui.toolkit.palette import Colour, Palette, css

WIDTH = 1000
"""Pixels of the widest picture: the boxes of a row are no finer."""

_MARGIN, _TITLE, _ROW, _APART = 24, 30, 14, 22  # units of the drawing
_HATCH = "cut"


def icicles_svg(title: str, pictures: Sequence[tuple[str, str, IcicleRows]], palette: Palette) -> bytes:
    """Return a drawing of `pictures`, each with a line above it and a note at its right, one below the other."""
    parts, top = [tag("rect", width="100%", height="100%", fill=css(palette.panel)), _pattern(palette)], _MARGIN
    parts.append(_text(title, _MARGIN, top + 20, palette.text, 20))
    top += 2 * _TITLE
    for name, note, found in pictures:
        parts.append(_text(name, _MARGIN, top, palette.text, 16))
        parts.append(_text(note, _MARGIN + WIDTH, top, palette.quiet, 14, "end"))
        high = found.plan.rows * _ROW
        frame = {"x": _MARGIN, "y": top + 8, "width": WIDTH, "height": high, "fill": "none"}
        parts += [*_boxes(found, top + 8, palette), tag("rect", **frame, stroke=css(palette.line))]
        top += high + 8 + _APART + _TITLE
    size = f'viewBox="0 0 {WIDTH + 2 * _MARGIN} {top}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">'
    return "\n".join((head, *parts, "</svg>\n")).encode()


def icicle_svg(found: IcicleRows, palette: Palette) -> str:
    """Return a drawing of a search, `WIDTH` pixels wide, as an ``<svg>`` element without words."""
    high = found.plan.rows * _ROW
    size = f'viewBox="{_MARGIN} 0 {WIDTH} {high}" width="{WIDTH}" height="{high}"'
    parts = "".join((_pattern(palette), *_boxes(found, 0, palette)))
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{parts}</svg>'


def _boxes(found: IcicleRows, top: int, palette: Palette) -> Iterator[str]:
    """A path for each row and colour, one for what was cut away, and one for the gaps between wide boxes."""
    tones = shades(palette)
    for level, nodes in enumerate(found.rows):
        boxes: dict[str, str] = {}
        for start, end, kind in runs(found.kinds(nodes)):
            if kind < len(tones) - 1:
                boxes[css(tones[kind])] = boxes.get(css(tones[kind]), "") + _box(start, end, top + level * _ROW)
        for start, end in found.cut(nodes) if level else ():
            boxes[f"url(#{_HATCH})"] = boxes.get(f"url(#{_HATCH})", "") + _box(start, end, top + level * _ROW)
        starts = [start for start, end, _ in runs(nodes) if end - start >= WIDE]
        boxes[css(palette.panel)] = "".join(_box(start, start + 1, top + level * _ROW) for start in starts)
        for fill, path in boxes.items():
            yield tag("path", d=path, fill=fill)


def _box(start: int, end: int, top: int) -> str:
    return f"M{_MARGIN + start} {top}h{end - start}v{_ROW - 1}h{start - end}z"


def _pattern(palette: Palette) -> str:
    line = tag("path", d="M-2 8L8 -2M-2 2L2 -2M4 8L8 4", stroke=css(hatching(palette)))
    return f'<pattern id="{_HATCH}" width="6" height="6" patternUnits="userSpaceOnUse">{line}</pattern>'


def _text(words: str, x: float, y: float, colour: Colour, size: int, anchor: str = "start") -> str:
    return tag("text", words, x=x, y=y, font_size=size, text_anchor=anchor, fill=css(colour))
