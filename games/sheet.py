"""A drawing in SVG, and the elements that it is made of. Knows no game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape  # `xml.sax.saxutils` imports urllib.request, http, email and ssl

_NOT_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters that XML cannot contain, not even escaped. Compiled when first needed, since that takes 10 ms."""


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """Return an SVG element; the attribute ``stroke_width`` is written as ``stroke-width``."""
    written = "".join(f' {key.replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    if not content:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{escape(re.sub(_NOT_XML, '', content), quote=False)}</{name}>"


def label(x: float, y: float, words: str, size: float, fill: str) -> str:
    """Return `words` centred at (x, y)."""
    return tag("text", words, x=x, y=f"{y + 0.36 * size:g}", font_size=f"{size:g}", fill=fill, stroke="none")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A drawing: its size in units, and its elements from back to front."""

    width: int
    height: int
    parts: tuple[str, ...]

    def svg(self, wide: int | None = None) -> str:
        """Return it as an ``<svg>`` element, `wide` pixels wide, by default as many as it has units."""
        wide = wide or self.width
        high = round(wide * self.height / self.width)
        head = f'viewBox="0 0 {self.width} {self.height}" width="{wide}" height="{high}" font-family="sans-serif"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {head} text-anchor="middle">{"".join(self.parts)}</svg>'
