"""The screen that shows a search: its tree, the whole of it at a glance, and its steps."""

from __future__ import annotations

from ai.explorer import Explorer
from ai.prediction import Quiz
from ai.search.variants import ENGINE
from ai.subject import Choice, Subject
from ai.table_tracing import Engines
from games.record import GameRecord
from ui.game.code_walk import CodeWalk
from ui.host import Content, Host
from ui.part import lay
from ui.parts.beside_entry import BesideEntry
from ui.parts.depth_table import DepthTable
from ui.parts.header import Header
from ui.parts.menu import MenuButton
from ui.parts.overview import Overview
from ui.parts.predict import Predict
from ui.parts.search_code import NodeOrCode, SearchCode
from ui.parts.search_export import SearchExport
from ui.parts.search_panel import SearchChoice, SearchNode
from ui.parts.search_steps import SearchSteps
from ui.parts.search_tree import SearchTree
from ui.parts.tree_keys import TreeKeys
from ui.screen import Screen
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.words.depths import Depths
from ui.words.search import subject_name

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
