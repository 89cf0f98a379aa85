"""The colours of the two themes by purpose. The interface uses no others."""

from __future__ import annotations

from dataclasses import dataclass

Colour = tuple[int, int, int]


def css(colour: Colour) -> str:
    """Return the colour as CSS and SVG have it: ``#1b1b1d``."""
    return "#" + bytes(colour).hex()


def _hex(text: str) -> Colour:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a theme. `quiet` is for secondary text, `on_accent` for text on the accent colour."""

    key: str
    background: Colour
    panel: Colour
    raised: Colour
    line: Colour
    text: Colour
    quiet: Colour
    accent: Colour
    on_accent: Colour
    good: Colour
    bad: Colour
    info: Colour


def _palette(key: str, colours: str) -> Palette:
    return Palette(key, *(_hex(colour) for colour in colours.split()))


PALETTES: dict[str, Palette] = {
    palette.key: palette
    for palette in (
        _palette(
            "ink",
            "#15171c #1c1f26 #262a33 #343a46 #e9ebf0 #98a1b0 #e2a95a #1b1408 #63b97b #e98377 #6fa8fb",
        ),
        _palette(
            "paper",
            "#f3efe7 #fbf9f4 #ffffff #ddd5c6 #24262b #65625b #9c5f14 #ffffff #27784a #b0362b #2a66b8",
        ),
    )
}


def series(palette: Palette, number: int) -> Colour:
    """The colour of a thing that is one of several, by its number from 0 on; they repeat. Name the things, too."""
    teal, purple = mix(palette.good, palette.info, 0.35), mix(palette.bad, palette.info, 0.5)
    return (palette.accent, palette.info, purple, teal)[number % 4]


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Mix `share` (0 … 1) of `second` into `first`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue
