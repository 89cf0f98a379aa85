"""The row of tabs of the replay scene, and what is asked of all of them."""

from __future__ import annotations

from collections.abc import Sequence

from ui.board.view import Marks
from ui.parts.tab import Study, Tab
from ui.system.frame_clock import soonest
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space, columns

_HEIGHT = 32  # design pixels


class Tabs:
    """`chosen` is one of `tabs`: the one called `name`, or the first if there is none. The choice is a setting."""

    def __init__(self, study: Study, tabs: Sequence[Tab], name: str) -> None:
        self.study, self.tabs = study, tabs
        self.chosen = self._named(name)

    def _named(self, name: str) -> Tab:
        return next((tab for tab in self.tabs if tab.name == name), self.tabs[0])

    def choose(self, name: str) -> None:
        """Show the tab `name`, and again when the next game is opened."""
        host = self.study.host
        self.study.widgets.leave_focus()
        self.chosen = self._named(name)
        host.settings.study_tab = name
        host.save_settings()
        host.rebuild()

    def step(self, by: int) -> None:
        self.choose(self.tabs[(self.tabs.index(self.chosen) + by) % len(self.tabs)].name)

    def build(self, space: Space) -> None:
        """Make the row at the top of `space`, and below it the widgets of the chosen tab."""
        px = self.study.host.theme.px
        places = columns(space.top(px(_HEIGHT)), len(self.tabs), px(4))
        options = [(tab.name, t(f"tab.{tab.name}")) for tab in self.tabs]
        self.study.widgets.choice("tab", places, options, self.chosen.name, self.choose)
        self.chosen.build(space)

    def update(self, now: float) -> None:
        for tab in self.tabs:
            tab.update(now)

    def wake(self, now: float) -> float | None:
        return soonest(*(tab.wake(now) for tab in self.tabs))

    def marks(self, marks: Marks) -> Marks:
        for tab in self.tabs:
            marks = tab.marks(marks)
        return marks

    def close(self) -> None:
        for tab in self.tabs:
            tab.close()
