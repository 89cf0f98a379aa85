"""The screen on which searches of one position are compared: how many nodes they need, what is cut away, what a shallow
one misses, and how two threads divide the work."""

from __future__ import annotations

from games.record import GameRecord
from ui.game.comparison import HORIZON, SEARCHES, THREADS, TREES, Comparison
from ui.host import Content, Host
from ui.part import Group, Part, lay
from ui.parts.compare_board import CompareBoard, HorizonBoard
from ui.parts.compare_export import CompareExport
from ui.parts.compare_panel import CompareControls, CompareViews, CompareWords
from ui.parts.header import Header
from ui.parts.node_chart import NodeChart
from ui.parts.search_table import SearchTable
from ui.parts.thread_bars import ThreadBars
from ui.parts.two_trees import TwoTrees
from ui.screen import Screen
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.words.games import game_name


class Compare(Screen):
    """Searches of the position at the cursor of `record`. Those of `view` begin when it is opened."""

    name = "compare"

    def __init__(
        self, host: Host, record: GameRecord, view: str = SEARCHES, back: Content | None = None
    ) -> None:
        super().__init__(host, back)
        self.setup = record.setup
        self.state = state = Comparison(host, record)
        state.view = view
        self._header = Header(host, self.widgets, self._title, self.go_back, back, owner=self)
        self._side: tuple[Part, ...] = (
            CompareViews(host, self.widgets, state), CompareControls(host, self.widgets, state),
            CompareExport(host, self.widgets, state), CompareBoard(host, state, record.cursor),
            CompareWords(host, state),
        )  # fmt: skip
        self._main = _Main(host, state)
        self.parts = [self._header, self._main, *self._side]

    def _title(self) -> str:
        setup = self.state.preset.setup if self.state.view == HORIZON else self.state.setup
        return f"{t('compare.title')} · {game_name(setup.game)}"

    def open(self) -> None:
        super().open()
        self.state.choose(self.state.view)

    def build(self, space: Space) -> None:
        self.frame.side.gap, space.gap = self.host.theme.px(10), self.host.theme.px(12)
        lay(self.frame.side, self._header, *self._side)
        self._main.build(space)


class _Main(Group):
    """What is at the left, by what is compared."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._state = state
        self._views: dict[str, tuple[Part, ...]] = {
            SEARCHES: (SearchTable(host, state), NodeChart(host, state)), TREES: (TwoTrees(host, state),),
            HORIZON: (HorizonBoard(host, state),), THREADS: (ThreadBars(host, state),),
        }  # fmt: skip
        super().__init__(self._views[state.view])

    def build(self, space: Space) -> None:
        self.parts = self._views[self._state.view]
        lay(space, *self.parts)
