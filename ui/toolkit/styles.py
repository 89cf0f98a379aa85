"""The colours of buttons by style and state: those of the palette, and mixtures."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ui.toolkit.palette import Colour, Palette, mix

STATES = ("normal", "hovered", "selected", "active", "disabled")
"""`selected` is chosen or switched on, `active` held down."""

Look = tuple[Colour | None, Colour, Colour | None]
"""Ground, text and border of a button; None is transparent."""


class Style(NamedTuple):
    """`left` is the indentation of the text, None for centred text. Lengths are design pixels."""

    looks: dict[str, Look]
    left: int | None = None
    size: int = 16
    bold: bool = False
    radius: int = 8


@lru_cache(maxsize=4)
def styles(palette: Palette) -> dict[str, Style]:
    """Return the styles by the names that `Widgets.button` takes; that of a plain button is empty."""
    raised, line, text, accent = palette.raised, palette.line, palette.text, palette.accent
    over, down, chosen = mix(raised, line, 0.5), mix(raised, line, 0.95), mix(raised, accent, 0.16)
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


def _style(*looks: Look) -> Style:
    return Style(dict(zip(STATES, looks, strict=True)))
