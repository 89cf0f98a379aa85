"""A menu of clocks for a new game: none, presets, and steppers for any other."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from games.clock import TimeControl
from ui.host import Host
from ui.parts.form import Form
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import wrapped
from ui.toolkit.widgets import Widgets
from ui.words.numbers import control_name, span_name

PRESETS = {
    "move": ("10 s", "20 s", "30 s", "60 s"),
    "increment": ("1+0", "3+2", "5+3", "10+0", "15+10"),
    "byoyomi": ("2 min, 3×10 s", "5 min, 3×20 s", "10 min, 3×30 s", "20 min, 5×30 s"),
}
"""The presets by kind, in the text form of `TimeControl`."""

MAINS = (30, 60, 90, 120, 180, 300, 420, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200)
INCREMENTS = (0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 60)
PERIODS = (1, 2, 3, 4, 5, 6, 8, 10)
SPANS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
_PARTS: dict[str, dict[str, tuple[int, ...]]] = {
    "none": {},
    "move": {"period": SPANS},
    "increment": {"main": MAINS, "increment": INCREMENTS},
    "byoyomi": {"main": MAINS, "periods": PERIODS, "period": SPANS},
}
"""The parts of each kind of clock that can be changed, and their values."""

_ROW, _GAP, _HEAD, _PADDING, _LINE, _LABEL = 34, 6, 44, 16, 20, 24
"""Design pixels: a row, the room between two, the heading, the room around all, a line of text, and a label."""


def kind_of(control: TimeControl | None) -> str:
    if control is None:
        return "none"
    if not control.periods:
        return "increment"
    return "move" if control.main == 0 and control.periods == 1 else "byoyomi"


def stepped(value: int, step: int, values: tuple[int, ...]) -> int:
    """Return the element of `values` after or before `value`, which need not be one of them."""
    beyond = [other for other in values if (other > value if step > 0 else other < value)]
    return (min(beyond) if step > 0 else max(beyond)) if beyond else value


class ClockMenu(Form):
    """Shows `control`; `choose` is called with each that is chosen, and the menu stays."""

    def __init__(
        self, host: Host, widgets: Widgets, control: TimeControl | None, choose: Callable[[TimeControl | None], object]
    ) -> None:
        super().__init__(host, widgets)
        self.control, self._choose = control, choose

    def about(self) -> str:
        """The chosen clock, in words."""
        return control_name(self.control)

    # Layout.

    def build(self, space: Space) -> None:
        """Make the widgets on a card in the middle of `space`."""
        px, room = self.host.theme.px, space.rest
        offered = 1 + max(map(len, PRESETS.values())) + max(map(len, _PARTS.values()))
        high = px(_HEAD + 2 * _PADDING + _LABEL + 3 * _GAP + 2 * _LINE) + offered * px(_ROW + _GAP)
        self.card = pygame.Rect(0, 0, min(room.width, px(620)), min(room.height, high))
        self.card.center = room.center
        self.widgets.box(self.card, self.host.theme.palette.panel, 12, self.host.theme.palette.line)
        space = Space(self.card.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), px(_GAP))
        head = Space(space.top(px(_HEAD)), px(8))
        none = head.right(px(160)).inflate(0, px(_ROW - _HEAD))
        self.widgets.button("preset.none", none, t("clock.none"), self._clear, style="@choice", chosen=not self.control)
        self.widgets.label(head.rest, t("clock.title"), 20, bold=True)
        self._build_presets(space)
        space.top(px(_GAP))
        for part, values in _PARTS[kind_of(self.control)].items():
            self._build_part(space.top(px(_ROW)), part, values)
        about = wrapped(self.host.theme, t(f"clock.{kind_of(self.control)}.about"), space.rest.width, 14)[:2]
        space.gap = 0
        self.widgets.lines(space, about, px(_LINE), 14, self.host.theme.palette.quiet)

    def _build_presets(self, space: Space) -> None:
        """Make a column of presets for each kind of clock."""
        px = self.host.theme.px
        high = px(_LABEL) + max(map(len, PRESETS.values())) * px(_ROW + _GAP)
        for (kind, presets), column in zip(PRESETS.items(), columns(space.top(high), 3, px(12)), strict=True):
            rows = Space(column, px(_GAP))
            self.label(rows.top(px(_LABEL)), t(f"clock.{kind}"))
            options = [(text, control_name(TimeControl.parse(text), short=True)) for text in presets]
            cells = [rows.top(px(_ROW)) for _ in options]
            self.widgets.choice("preset", cells, options, str(self.control), self._set_text)

    def _build_part(self, row: pygame.Rect, part: str, values: tuple[int, ...]) -> None:
        space = Space(row, self.host.theme.px(_GAP))
        per_move = part == "period" and kind_of(self.control) == "move"
        self.label(space.left(row.width // 3), t("clock.each" if per_move else f"clock.{part}"))
        value = getattr(self.control, part)
        text = str(value) if part == "periods" else span_name(value)
        self.stepper(part, space.rest, text, lambda step: self._step(part, step, values), 44)

    # Choices.

    def _set(self, control: TimeControl | None) -> None:
        self.control = control
        self._choose(control)

    def _clear(self) -> None:
        self._set(None)

    def _set_text(self, text: str) -> None:
        self._set(TimeControl.parse(text))

    def _step(self, part: str, step: int, values: tuple[int, ...]) -> None:
        if self.control is not None:
            given = {name: getattr(self.control, name) for name in ("main", "increment", "periods", "period")}
            self._set(TimeControl(**{**given, part: stepped(given[part], step, values)}))
