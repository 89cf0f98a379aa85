"""The page on which the clock of a new game is chosen: none, a known one, or one of your own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from games.clock import TimeControl
from ui.game.words import control_name, span_name
from ui.host import Host
from ui.scene import Scene
from ui.scenes.page import Page
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import wrapped, write

KINDS = ("none", "move", "increment", "byoyomi")

PRESETS = {
    "none": (),
    "move": ("10 s", "20 s", "30 s", "60 s"),
    "increment": ("1+0", "3+2", "5+3", "10+0", "15+10"),
    "byoyomi": ("2 min, 3×10 s", "5 min, 3×20 s", "10 min, 3×30 s", "20 min, 5×30 s"),
}
"""The clocks that are offered, in the text form of `TimeControl`; the middle one is what a kind begins with."""

MAINS = (30, 60, 90, 120, 180, 300, 420, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200)
INCREMENTS = (0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 60)
PERIODS = (1, 2, 3, 4, 5, 6, 8, 10)
SPANS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
_PARTS: dict[str, dict[str, tuple[int, ...]]] = {
    "move": {"period": SPANS},
    "increment": {"main": MAINS, "increment": INCREMENTS},
    "byoyomi": {"main": MAINS, "periods": PERIODS, "period": SPANS},
}
"""What can be changed of each kind, and through which values."""


def kind_of(control: TimeControl | None) -> str:
    if control is None:
        return "none"
    if not control.periods:
        return "increment"
    return "move" if control.main == 0 and control.periods == 1 else "byoyomi"


def stepped(value: int, step: int, values: tuple[int, ...]) -> int:
    """The one of `values` after or before `value`, which need not be one of them."""
    beyond = [other for other in values if (other > value if step > 0 else other < value)]
    return (min(beyond) if step > 0 else max(beyond)) if beyond else value


class ClockScene(Page):
    """Shows `control`; `choose` is called with each that is chosen. `back` is the scene to return to."""

    name, title = "clock", "clock.title"
    bindings = (
        Binding(("escape", "return"), "do_back", "keys.back"),
        Binding(("left",), "do_previous", "keys.clock_previous"),
        Binding(("right",), "do_next", "keys.clock_next"),
    )

    def __init__(
        self, host: Host, control: TimeControl | None, choose: Callable[[TimeControl | None], object], back: Scene
    ) -> None:
        super().__init__(host, back)
        self.control = control
        self._choose = choose

    # Layout.

    def build(self) -> None:
        px = self.host.theme.px
        space = self.lay(760, 480, 12)
        done = space.bottom(px(44))
        self.widgets.button("done", done, t("clock.done"), self.do_back, style="@primary", key="return")
        self.about_rect = space.bottom(px(48))
        kind = kind_of(self.control)
        options = [(each, t(f"clock.{each}")) for each in KINDS]
        self._choice(space, "kind", options, kind, self._set_kind)
        presets = [(text, control_name(TimeControl.parse(text), short=True)) for text in PRESETS[kind]]
        if presets:
            self._choice(space, "preset", presets, str(self.control), self._set_text)
        for part, values in _PARTS.get(kind, {}).items():
            self._stepper(space, part, values)

    def _row(self, space: Space, label: str) -> pygame.Rect:
        px = self.host.theme.px
        row = Space(space.top(px(38)), px(16))
        self._texts.append((row.left(px(120)), label))
        return row.rest

    def _choice(
        self, space: Space, name: str, options: list[tuple[str, str]], chosen: str, action: Callable[[str], object]
    ) -> None:
        cells = columns(self._row(space, t(f"clock.{name}")), len(options), self.host.theme.px(6))
        self.widgets.choice(name, cells, options, chosen, action)

    def _stepper(self, space: Space, part: str, values: tuple[int, ...]) -> None:
        px = self.host.theme.px
        per_move = part == "period" and kind_of(self.control) == "move"
        row = Space(self._row(space, t("clock.each" if per_move else f"clock.{part}")), px(6))
        less, more = row.left(px(44)), row.right(px(44))
        for name, rect, step in (("less", less, -1), ("more", more, 1)):
            press, icon = partial(self._step, part, step, values), "minus" if step < 0 else "plus"
            self.widgets.button(f"{part}.{name}", rect, "", press, icon=icon, tip=t(f"tip.{name}"))
        value = getattr(self.control, part)
        self._values.append((row.rest, str(value) if part == "periods" else span_name(value)))

    # Picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        super().draw(surface, now)
        theme = self.host.theme
        space = Space(self.about_rect, 0)
        about = t(f"clock.{kind_of(self.control)}.about")
        for line in wrapped(theme, about, self.about_rect.width, 14)[:2]:
            write(surface, theme, line, space.top(theme.px(22)), 14, theme.palette.quiet)

    def about(self) -> str:
        return control_name(self.control)

    # Choices.

    def _set(self, control: TimeControl | None) -> None:
        self.control = control
        self._choose(control)
        self.host.rebuild()

    def _set_kind(self, kind: str) -> None:
        if kind != kind_of(self.control):
            presets = PRESETS[kind]
            self._set(TimeControl.parse(presets[len(presets) // 2]) if presets else None)

    def _set_text(self, text: str) -> None:
        self._set(TimeControl.parse(text))

    def _step(self, part: str, step: int, values: tuple[int, ...]) -> None:
        if self.control is not None:
            given = {name: getattr(self.control, name) for name in ("main", "increment", "periods", "period")}
            self._set(TimeControl(**{**given, part: stepped(given[part], step, values)}))

    def do_previous(self) -> None:
        self._step_preset(-1)

    def do_next(self) -> None:
        self._step_preset(1)

    def _step_preset(self, step: int) -> None:
        """Through all that are offered, beginning with no clock."""
        offered = ["", *(text for kind in KINDS for text in PRESETS[kind])]
        chosen = str(self.control or "")
        at = offered.index(chosen) + step if chosen in offered else 0
        text = offered[max(0, min(len(offered) - 1, at))]
        self._set(TimeControl.parse(text) if text else None)
