"""The screen that shows a search: its tree, the whole of it at a glance, and its steps."""

from __future__ import annotations

from functools import partial

from ai.explain.explorer import Explorer
from ai.explain.kinds import Engines
from ai.explain.prediction import Quiz
from ai.explain.subject import Choice, Subject
from ai.search.comparison import ENGINE, SHARED
from games.record import GameRecord
from ui.learn.code import CodeWalk, NodeOrCode, SearchCode
from ui.learn.drill_screen import BesideEntry
from ui.learn.icicle import Icicle
from ui.learn.search_export import SearchExport
from ui.learn.search_panel import SearchChoice, SearchNode, SearchSteps
from ui.learn.search_tree import Predict, SearchTree
from ui.learn.search_words import subject_name
from ui.learn.time_line import TimeLine
from ui.parts.depth_table import DepthTable
from ui.parts.header import Header, MenuButton
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space
from ui.window.host import Content, Host
from ui.window.part import Group, Part, lay
from ui.window.screen import Screen
from ui.words.views import Depths

# The whole search at a glance: as boxes, or, of one by several workers, as what each did in the course of time.


class Overview(Group):
    """At the bottom of the space."""

    def __init__(self, host: Host, explorer: Explorer) -> None:
        self._explorer = explorer
        self._boxes, self._times = Icicle(host, explorer), TimeLine(host, explorer)
        super().__init__((self._boxes,))

    def shape(self) -> object:
        return self._explorer.choice.key in SHARED

    def build(self, space: Space) -> None:
        self.parts = (self._times if self.shape() else self._boxes,)
        lay(space, *self.parts)


# The keys that go through a search tree and fold it.


class TreeKeys(Part):
    """What they do, `explorer` knows."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self.bindings = (
            Binding(("up",), partial(explorer.go_near, 0, -1), "keys.search_parent"),
            Binding(("down",), partial(explorer.go_near, 0, 1), "keys.search_child"),
            Binding(("shift+left",), partial(explorer.go_near, -1, 0), "keys.search_left"),
            Binding(("shift+right",), partial(explorer.go_near, 1, 0), "keys.search_right"),
            Binding(("return",), self._fold, "keys.search_fold"),
            Binding(("v",), explorer.follow_line, "search.line", menu="search.line"),
            Binding(("backspace",), explorer.fold_all, "search.fold_all", menu="search.fold_all"),
        )

    def _fold(self) -> None:
        self._explorer.fold(self._explorer.node)


_SPARED = 300  # design pixels that the table of depths leaves to the node that is looked at


class Learn(Screen):
    """A search of the position at the cursor of `record`, or of `subject`."""

    name = "learn"

    def __init__(
        self, host: Host, record: GameRecord | None = None, subject: Subject | None = None,
        choice: Choice | None = None, back: Content | None = None,
    ) -> None:  # fmt: skip
        super().__init__(host, back)
        if record is not None:
            subject = Subject.of(record, record.cursor)
        assert subject is not None
        self.setup = subject.setup
        engines = Engines(host.searches, host.rest, lambda: host.engine.state.name == "failed", self._ready)
        self.explorer = explorer = Explorer(subject, choice, host.wake, engines)
        title = self._title
        self._header = Header(host, self.widgets, title, self.go_back, back, owner=self)
        self.tree = SearchTree(host, self.widgets, explorer)
        self._overview = Overview(host, explorer)
        self._choice = SearchChoice(host, self.widgets, explorer, MenuButton(host, self.widgets, self.entries))
        self.quiz = quiz = Quiz(explorer)
        self.walk = walk = CodeWalk(quiz)
        self._node = NodeOrCode(SearchNode(host, explorer), SearchCode(host, self.widgets, walk), walk)
        self._predict = Predict(host, self.widgets, quiz)
        self._steps = SearchSteps(host, self.widgets, quiz)
        self._depths = DepthTable(host, subject.position.game, self._depths_shown, spared=_SPARED)
        self.parts = [
            self.tree, self._overview, self._choice, self._node, self._steps, self._header,
            TreeKeys(explorer), SearchExport(host, explorer), BesideEntry(host, explorer, self), self._predict,
            self._depths,
        ]  # fmt: skip

    def _ready(self) -> bool:
        return self.host.engine.ready

    def _title(self) -> str:
        return f"{t('search.title')} · {subject_name(self.explorer)}"

    def _depths_shown(self) -> Depths | None:
        """What the engine did at each depth, for MAX."""
        explorer = self.explorer
        position = explorer.subject.position
        return Depths(position, explorer.depths) if explorer.choice.key == ENGINE else None

    def build(self, space: Space) -> None:
        self.frame.side.gap = space.gap = self.host.theme.px(8)
        lay(space, self._overview, self.tree)
        lay(self.frame.side, self._header, self._choice, self._steps, self._predict, self._depths, self._node)
