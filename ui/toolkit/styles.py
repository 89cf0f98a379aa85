"""The colours, shapes and fonts that widgets are made of, in the words of pygame_gui's theme.

Only colours of the palette and mixtures of them, and sizes in design pixels times the scale. Which widget
gets what is written in `ui/toolkit/theme_json.py`.
"""

from __future__ import annotations

from typing import Any

from ui.toolkit.palette import Colour, Palette, mix

Block = dict[str, Any]
Look = tuple[str, str, str]
"""The colours of one state: background, text, border."""

CLEAR = "#00000000"
FONT = "tengen"
TIP_DELAY = 0.6
"""Seconds until a tooltip comes."""
SMALL, BODY, HEADING, TITLE = 14, 16, 20, 28


def hexadecimal(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


class Looks:
    """What one palette and scale offer; `regular` and `bold` are the paths of the font files."""

    def __init__(self, palette: Palette, scale: float, regular: str, bold: str) -> None:
        self.scale, self.regular, self.bold = scale, regular, bold
        self.panel, self.raised = hexadecimal(palette.panel), hexadecimal(palette.raised)
        self.line, self.text, self.quiet = (hexadecimal(c) for c in (palette.line, palette.text, palette.quiet))
        self.accent, self.on_accent = hexadecimal(palette.accent), hexadecimal(palette.on_accent)
        self.bad, self.info, self.background = (hexadecimal(c) for c in (palette.bad, palette.info, palette.background))
        self.bad_text = hexadecimal(mix(palette.bad, palette.text, 0.12))
        self.accent_over = hexadecimal(mix(palette.accent, palette.text, 0.14))
        self.accent_down = hexadecimal(mix(palette.accent, palette.text, 0.26))
        self.over = hexadecimal(mix(palette.raised, palette.line, 0.5))
        self.down = hexadecimal(mix(palette.raised, palette.line, 0.95))
        self.chosen = hexadecimal(mix(palette.raised, palette.accent, 0.16))
        self.line_over = hexadecimal(mix(palette.line, palette.quiet, 0.5))
        self.faint = hexadecimal(mix(palette.panel, palette.raised, 0.5))
        self.faint_text = hexadecimal(mix(palette.quiet, palette.panel, 0.2))
        self.marked = hexadecimal(mix(palette.background, palette.info, 0.3))
        self.bar = hexadecimal(mix(palette.line, palette.quiet, 0.4))
        self.groove = hexadecimal(mix(palette.panel, palette.line, 0.7))

    def px(self, design: float) -> str:
        return str(round(design * self.scale))

    def font(self, size: int = BODY, bold: bool = False) -> Block:
        return {
            "name": FONT,
            "size": self.px(size),
            "bold": "1" if bold else "0",
            "regular_path": self.regular,
            "bold_path": self.bold,
            "italic_path": self.regular,
            "bold_italic_path": self.bold,
        }

    def shape(self, radius: int = 8, border: int = 1, **more: str) -> Block:
        """A box; without a radius its corners are square. A border is at least one real pixel wide."""
        width = str(max(1, round(border * self.scale))) if border else "0"
        return {
            "shape": "rounded_rectangle" if radius else "rectangle",
            "shape_corner_radius": self.px(radius),
            "border_width": width,
            "shadow_width": "0",
            "tool_tip_delay": str(TIP_DELAY),
            **more,
        }

    def side(self, room: int = 10) -> Block:
        """Text at the left, with `room` before it."""
        return {"text_horiz_alignment": "left", "text_horiz_alignment_padding": self.px(room)}

    @staticmethod
    def states(normal: Look, hovered: Look, selected: Look, active: Look, disabled: Look) -> Block:
        """Colours of a button; `selected` is chosen or toggled on, `active` is held down."""
        looks = {"normal": normal, "hovered": hovered, "selected": selected, "active": active, "disabled": disabled}
        colours: Block = {}
        for state, (background, text, border) in looks.items():
            colours |= {f"{state}_bg": background, f"{state}_text": text, f"{state}_border": border}
            colours[f"{state}_text_shadow"] = CLEAR
        return colours

    def plain(self) -> Block:
        return self.states(
            (self.raised, self.text, self.line),
            (self.over, self.text, self.line_over),
            (self.chosen, self.text, self.accent),
            (self.down, self.text, self.line_over),
            (self.faint, self.faint_text, self.line),
        )

    def primary(self) -> Block:
        return self.states(
            (self.accent, self.on_accent, self.accent),
            (self.accent_over, self.on_accent, self.accent_over),
            (self.accent_over, self.on_accent, self.accent_over),
            (self.accent_down, self.on_accent, self.accent_down),
            (self.faint, self.faint_text, self.line),
        )

    def quiet_states(self) -> Block:
        return self.states(
            (CLEAR, self.text, CLEAR),
            (self.over, self.text, self.line),
            (self.chosen, self.text, self.accent),
            (self.down, self.text, self.line),
            (CLEAR, self.faint_text, CLEAR),
        )

    def danger(self) -> Block:
        return self.states(
            (self.raised, self.bad_text, self.line),
            (self.bad, self.background, self.bad),
            (self.bad, self.background, self.bad),
            (self.bad, self.background, self.bad),
            (self.faint, self.faint_text, self.line),
        )

    def row(self) -> Block:
        """One line of a list."""
        return self.states(
            (CLEAR, self.text, CLEAR),
            (self.over, self.text, CLEAR),
            (self.chosen, self.text, CLEAR),
            (self.chosen, self.text, CLEAR),
            (CLEAR, self.faint_text, CLEAR),
        )

    def handle(self, colour: str, over: str) -> Block:
        """The part of a slider or scroll bar that is dragged."""
        held = (over, self.text, CLEAR)
        return self.states((colour, self.text, CLEAR), held, held, held, (self.line, self.text, CLEAR))

    def inner(self) -> Block:
        """A part of a widget that draws its own box."""
        return self.states(
            (CLEAR, self.text, CLEAR),
            (self.over, self.text, CLEAR),
            (self.over, self.text, CLEAR),
            (self.down, self.text, CLEAR),
            (CLEAR, self.faint_text, CLEAR),
        )

    def still(self) -> Block:
        """A button that is only a caption."""
        same = (CLEAR, self.text, CLEAR)
        return self.states(same, same, same, same, same)

    def check(self) -> Block:
        return self.states(
            (self.background, self.text, self.line_over),
            (self.over, self.text, self.accent),
            (self.accent, self.on_accent, self.accent),
            (self.accent, self.on_accent, self.accent),
            (self.faint, self.faint_text, self.line),
        )

    def surface(self, background: str, border: str) -> Block:
        """Colours of something that holds other things."""
        return {
            "dark_bg": background,
            "normal_bg": background,
            "disabled_bg": background,
            "disabled_dark_bg": background,
            "normal_border": border,
            "hovered_border": border,
            "disabled_border": border,
        }
