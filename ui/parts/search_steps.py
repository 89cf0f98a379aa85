"""The steps of a search: the slider and the buttons that go through them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from ai.explorer import SPEEDS
from ai.prediction import Quiz
from ai.search.variants import CHOICES_OF_C, SAMPLED
from ui.host import Host
from ui.part import Entry, Part
from ui.parts.menu import open_menu
from ui.toolkit.controls import Slider
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.widgets import Widgets
from ui.words.search import c_text

_BUTTON, _SLIDER, _LINE, _C = 36, 24, 24, 88  # design pixels
_MANY = 10  # steps


class SearchSteps(Part):
    """At the bottom of the space, for a search that has steps."""

    def __init__(self, host: Host, widgets: Widgets, quiz: Quiz) -> None:
        self._host, self._widgets, self._quiz, self._explorer = host, widgets, quiz, quiz.explorer
        self._slider: Slider | None = None
        self.bindings = (
            Binding(("left",), partial(self._move, self._explorer.step, -1), "search.back"),
            Binding(("right",), partial(self._move, quiz.forward), "search.forward"),
            Binding(("ctrl+left",), partial(self._move, self._explorer.step, -_MANY), "search.back_many"),
            Binding(("ctrl+right",), partial(self._move, self._explorer.step, _MANY), "search.forward_many"),
            Binding(("home",), partial(self._move, self._explorer.go, 0), "search.first"),
            Binding(("end",), partial(self._move, self._explorer.go, None), "search.last"),
            Binding(("space",), self._play, "search.play"),
        )

    def shape(self) -> object:
        return self._explorer.playing, self._explorer.stepped, self._explorer.choice

    def build(self, space: Space) -> None:
        self._slider = None
        if not self._explorer.stepped:
            return
        px, playing = self._host.theme.px, self._explorer.playing
        rects = columns(space.bottom(px(_BUTTON)), 5, px(8))
        back, forward, _, _, first, last, play = self.bindings
        for place, (name, icon, binding) in zip(rects, (
            ("first", "first", first), ("step_back", "back", back), ("play", "pause" if playing else "play", play),
            ("forward", "forward", forward), ("last", "last", last),
        ), strict=True):  # fmt: skip
            tip = t("search.pause" if name == "play" and playing else f"search.{name.removeprefix('step_')}")
            self._widgets.button(name, place, "", binding, icon=icon, tip=tip)
        slider = Slider(self._host.theme, space.bottom(px(_SLIDER)), 0, 0, self._go)
        self._slider = self._widgets.add("step", slider)
        self.update(0.0)
        row = Space(space.bottom(px(_LINE)), px(8))
        choice = self._explorer.choice
        if choice.key in SAMPLED:
            place = row.right(px(_C))
            text, tip = f"c = {choice.c:g}", t("search.c_choice")
            self._widgets.button("c", place, text, self._choose_c, style="@quiet", tip=tip)
        self._widgets.label(row.rest, self._where, 14, self._host.theme.palette.quiet)

    def _go(self, step: int) -> None:
        self._explorer.playing = False
        self._explorer.go(step if step < self._explorer.steps.last else None)

    def update(self, now: float) -> None:
        if self._slider is not None and not self._slider.held:
            self._slider.most = self._quiz.last
            self._slider.value = max(0, min(self._explorer.shown, self._slider.most))

    def _where(self) -> str:
        """Which step is shown."""
        explorer, last = self._explorer, self._explorer.steps.last + 1
        if explorer.at is None:
            return t("search.last")
        if self._quiz.on and explorer.asks:  # how many steps there are would tell how much is cut
            return t("search.step_alone", step=f"{explorer.at + 1:,}")
        key = "search.visit" if explorer.choice.samples else "search.step"
        return t(key, step=f"{explorer.at + 1:,}", last=f"{last:,}")

    def _move(self, move: Callable[..., object], *where: int | None) -> bool:
        """Stop playing and `move`. False without steps."""
        if self._explorer.stepped:
            self._explorer.playing = False
            move(*where)
        return self._explorer.stepped

    def entries(self) -> Sequence[Entry]:
        if not self._explorer.stepped:
            return ()
        speed = Entry("speed", t("search.speed_choice", speed=self._explorer.speed), self._choose_speed)
        choice = self._explorer.choice
        return (speed, Entry("c", c_text(choice.c), self._choose_c)) if choice.key in SAMPLED else (speed,)

    def _choose_c(self) -> None:
        """Choose how much a Monte Carlo tree search explores."""
        choice, choose = self._explorer.choice, self._explorer.choose
        entries = [Entry(f"{c:g}", c_text(c), partial(choose, replace(choice, c=c))) for c in CHOICES_OF_C]
        place = self._widgets.elements["c" if "c" in self._widgets.elements else "menu"].rect
        open_menu(self._host, place, entries, f"{choice.c:g}")

    def _choose_speed(self) -> None:
        entries = [Entry(str(each), t("search.speed", speed=each), partial(setattr, self._explorer, "speed", each))
                   for each in SPEEDS]  # fmt: skip
        open_menu(self._host, self._widgets.elements["menu"].rect, entries, str(self._explorer.speed))

    def _play(self) -> bool:
        """Play the search from here on, or stop; from the end, begin again. False without steps."""
        if self._explorer.stepped:
            self._explorer.play(time.monotonic())
        return self._explorer.stepped
