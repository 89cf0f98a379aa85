"""The screen that shows a search: its tree, the whole of it at a glance, and its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ai.explain.explorer import Explorer
from ai.explain.kinds import Engines
from ai.explain.prediction import Prediction, Quiz
from ai.explain.subject import Choice, Subject
from ai.search.comparison import ENGINE, SHARED, WORKERS
from games.position import IllegalMove
from games.record import GameRecord
from ui.learn.code import CodeWalk, NodeOrCode, SearchCode
from ui.learn.drill_screen import BesideEntry
from ui.learn.overview import Overview
from ui.learn.search_export import SearchExport
from ui.learn.search_tree import SearchNode, SearchSteps, SearchTree, TreeKeys
from ui.learn.search_words import (
    choice_entry,
    choice_name,
    depth_text,
    node_title,
    side_text,
    subject_name,
    value_text,
    wins_texts,
)  # fmt: skip
from ui.parts.header import Header, MenuButton, open_menu
from ui.parts.search_tables import DepthTable
from ui.toolkit.i18n import joined, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import Colour
from ui.toolkit.typesetting import LINE, wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import MenuEntry, Part, lay
from ui.window.screen import Screen
from ui.words.move_words import illegal_sentence, move_name
from ui.words.views import Depths

EQUAL, DISTANCE = "equal", "distance"
"""What wins are worth: all the same, or less the farther they are."""

_ROW, _WINS = 34, 30  # design pixels
_FIND, _LONGEST = 108, 200  # width of the field in design pixels, and characters in it


class SearchChoice(Part):
    """The choice of the search, its depth and what wins are worth, and a field that finds a node. `menu` takes its room
    from the right."""

    def __init__(self, host: Host, widgets: Widgets, explorer: Explorer, menu: Part) -> None:
        self._host, self._widgets, self._explorer, self._menu = host, widgets, explorer, menu
        self.bindings = (
            Binding(("[",), partial(explorer.deepen, -1), "search.shallower"),
            Binding(("]",), partial(explorer.deepen, 1), "search.deeper"),
        )

    def shape(self) -> object:
        """What the layout depends on: the choice of the search with all its settings, and the texts of what wins are
        worth."""
        return self._explorer.choice, wins_texts(self._explorer)

    def build(self, space: Space) -> None:
        """Take two rows from the top: the button of the searches with the menu; the depth, with buttons that change it
        unless the search has none, and the field. A row for the worth of wins follows if the search allows a
        choice."""
        px, choice, button = self._host.theme.px, self._explorer.choice, self._widgets.button
        row = Space(space.top(px(_ROW)), px(6))
        self._menu.build(row)
        button("search", row.rest, choice_name(choice), self._open_menu, icon="down", tip=t("search.choose"))
        row = Space(space.top(px(_ROW)), px(6))
        hint = t("search.find")
        line = TextLine(self._host.theme, row.right(px(_FIND)), "", _LONGEST, lambda _: None, self._find, hint)
        self._widgets.add("find", line)
        line.tip = t("search.find_tip", example=self._example())
        if not choice.grows:
            less, more = row.left(px(_ROW)), row.right(px(_ROW))
            shallower, deeper = self.bindings
            button("shallower", less, "", shallower, icon="minus", tip=t("search.shallower"))
            button("deeper", more, "", deeper, icon="plus", tip=t("search.deeper"))
        self._widgets.label(row.rest, depth_text(choice), align="centre")
        if self._explorer.by_nodes and self._explorer.subject.setup is not None:
            options = list(zip((EQUAL, DISTANCE), wins_texts(self._explorer), strict=True))
            chosen, tip = DISTANCE if choice.distance else EQUAL, t("search.wins")
            self._widgets.choice("wins", space.top(px(_WINS)), options, chosen, self._choose_wins, tip, gap=4)

    def _choose_wins(self, wins: str) -> None:
        """Choose what wins are worth: `EQUAL` or `DISTANCE`."""
        self._explorer.choose(replace(self._explorer.choice, distance=wins == DISTANCE))

    def _open_menu(self) -> None:
        """Open the menu of the searches."""
        explorer = self._explorer
        entries = [MenuEntry(each.key, choice_entry(each), partial(explorer.choose, each)) for each in explorer.choices]
        open_menu(self._host, self._widgets.elements["search"].rect, entries, explorer.choice.key)

    def _example(self) -> str:
        """Return up to two legal moves as an example of what to type into the field."""
        names: list[str] = []
        position = self._explorer.subject.position
        while position.outcome is None and position.legal_moves() and len(names) < 2:
            names.append(move_name(position, position.legal_moves()[0]))
            position = position.play(position.legal_moves()[0])
        return " ".join(names)

    def _find(self, text: str) -> None:
        """Look at the node after the moves in `text`; if the search did not go so far, at the last of them that it
        visited, and say so. Say why if a move is illegal."""
        explorer, moves = self._explorer, text.split()
        try:
            found = (explorer.find(" ".join(moves[:count])) for count in reversed(range(len(moves) + 1)))
            beyond, node = next((beyond, node) for beyond, node in enumerate(found) if node is not None)
        except IllegalMove as error:
            self._host.say(illegal_sentence(error.reason), "bad")
            return
        explorer.look_at(node)
        if beyond:
            self._host.say(t("search.not_beyond", node=node_title(explorer, node)), "bad")

    def entries(self) -> Sequence[MenuEntry]:
        """Offer the number of workers, for a search that is shared between several; not the bindings, which have
        buttons."""
        choice = self._explorer.choice
        name = t("search.workers", number=choice.workers)
        return (MenuEntry("workers", name, self._choose_workers),) if choice.key in SHARED else ()

    def _choose_workers(self) -> None:
        """Open the menu of the number of workers."""
        choice, choose = self._explorer.choice, self._explorer.choose
        entries = [
            MenuEntry(str(number), t("search.workers", number=number), partial(choose, replace(choice, workers=number)))
            for number in WORKERS
        ]
        open_menu(self._host, self._widgets.elements["menu"].rect, entries, str(choice.workers))


# Predict, then reveal: the reader is asked for a value, a best move or a cut before the search shows it.


class Predict(Part):
    """The questions of `quiz`, at the bottom of the space while it is on."""

    def __init__(self, host: Host, widgets: Widgets, quiz: Quiz) -> None:
        self._host, self._widgets, self._quiz, self._explorer = host, widgets, quiz, quiz.explorer
        self.bindings = (
            Binding(("g",), self._switch_quiz, "keys.search_predict", menu="search.predict"),
            *(Binding((str(option + 1),), partial(self._answer, option), "lesson.answer") for option in range(4)),
        )

    def shape(self) -> object:
        """What the layout depends on: whether the quiz is shown, its question, and the number of answers so far."""
        return self._is_shown, self._quiz.asked, self._quiz.count

    @property
    def _is_shown(self) -> bool:
        """Whether the quiz is on, and the search is one that can be asked about."""
        return self._quiz.on and self._explorer.asks

    def build(self, space: Space) -> None:
        """Take two lines from the bottom for the question or the verdict and, below them, a button for each answer
        while one is asked; nothing while the quiz is off."""
        if not self._is_shown:
            return
        theme, px, asked = self._host.theme, self._host.theme.px, self._quiz.asked
        if asked is not None:
            rects = columns(space.bottom(px(_ROW)), len(asked.options), px(6))
            for number, (rect, option) in enumerate(zip(rects, asked.options, strict=True), 1):
                answer = partial(self._quiz.answer, option)
                self._widgets.button(f"guess.{number}", rect, self._option_text(asked, option), answer)
        text = Space(space.bottom(2 * px(LINE)))
        lines = wrapped(theme, self._sentence(), text.rest.width, 14)[:2]
        self._widgets.lines(text, lines, px(LINE), 14, self._colour, bold=True)

    @property
    def _colour(self) -> Colour:
        """The colour of the sentence: that of a right or a wrong answer, or of a question."""
        palette, quiz = self._host.theme.palette, self._quiz
        if quiz.asked is not None or quiz.verdict is None:
            return palette.info
        return palette.good if quiz.verdict else palette.bad

    def update(self, now: float) -> None:
        """Pause the replay where there is something to ask, and drop an open question once the reader has gone
        elsewhere."""
        self._quiz.update()

    def _sentence(self) -> str:
        """The question, or whether the answer was right, with the score of the quiz."""
        quiz, asked = self._quiz, self._quiz.asked
        if asked is not None:
            side = side_text(self._explorer, asked.node)
            return t(f"search.ask.{asked.kind}", node=node_title(self._explorer, asked.node), side=side)
        if quiz.verdict is None:
            return t("search.ask.begin")
        score = t("search.guessed", right=quiz.right, count=quiz.count)
        return joined((t("lesson.right" if quiz.verdict else "lesson.not_right"), score))

    def _option_text(self, asked: Prediction, option: int) -> str:
        """Return the text of an option: yes or no, a move, or a value."""
        if asked.kind == "cut":
            return t("search.ask.yes" if option else "search.ask.no")
        if asked.kind == "best":
            return move_name(self._explorer.subject.position, self._explorer.trace.move[option])
        return value_text(self._explorer, option)

    def _switch_quiz(self) -> bool:
        """Begin or stop asking. Return False, and do nothing, for a search that cannot be asked about."""
        if self._explorer.asks:
            self._quiz.switch()
        return self._explorer.asks

    def _answer(self, option: int) -> bool:
        """Answer with the option at this index, from 0. Return False, and do nothing, if there is none."""
        asked = self._quiz.asked
        if asked is None or option >= len(asked.options):
            return False
        self._quiz.answer(asked.options[option])
        return True


_SPARED = 300  # design pixels that the table of depths leaves to the node that is looked at


class Learn(Screen):
    """A search of the position at the cursor of `record`, or of `subject`."""

    name = "learn"
    guide = "lessons"

    def __init__(
        self, host: Host, record: GameRecord | None = None, subject: Subject | None = None,
        choice: Choice | None = None, back: Content | None = None,
    ) -> None:  # fmt: skip
        super().__init__(host, back)
        if record is not None:
            subject = Subject.of(record, record.cursor)
        assert subject is not None
        self.setup = subject.setup
        engines = Engines(host.searches, host.rest, lambda: host.engine.state.name == "failed", self._engine_ready)
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

    def _engine_ready(self) -> bool:
        """Return whether the engine is loaded."""
        return self.host.engine.ready

    def _title(self) -> str:
        """The title of the screen, with what is searched."""
        return f"{t('search.title')} · {subject_name(self.explorer)}"

    def _depths_shown(self) -> Depths | None:
        """Return what the engine did at each depth; None while another search is shown."""
        explorer = self.explorer
        position = explorer.subject.position
        return Depths(position, explorer.depths) if explorer.choice.key == ENGINE else None

    def build(self, space: Space) -> None:
        """Lay the overview out at the bottom of `space` and the tree above it, the other parts in the side panel."""
        self.frame.side.gap = space.gap = self.host.theme.px(8)
        lay(space, self._overview, self.tree)
        lay(self.frame.side, self._header, self._choice, self._steps, self._predict, self._depths, self._node)
