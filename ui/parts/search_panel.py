"""Beside a search tree: which search it is, and the node that is looked at: its board, and the reason of its value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pygame

from ai.explorer import Explorer
from ai.search.variants import SHARED, WORKERS
from games.position import IllegalMove
from ui.board.registry import board_view
from ui.board.view import BoardView, Frame, Marks
from ui.host import Host
from ui.part import Entry, Part
from ui.parts.menu import open_menu
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.text import LINE, wrapped, write
from ui.toolkit.text_line import TextLine
from ui.toolkit.widgets import Widgets
from ui.words.moves import illegal_sentence, move_name
from ui.words.search import (
    choice_entry,
    choice_name,
    depth_text,
    node_sentences,
    node_title,
    wins_texts,
)  # fmt: skip

EQUAL, DISTANCE = "equal", "distance"
"""What wins are worth: all the same, or less the farther they are."""

_ROW, _WINS, _TITLE = 34, 30, 24  # design pixels
_FIND, _LONGEST = 108, 200  # width of the field in design pixels, and characters in it
_LEAST_BOARD = 96
_LINES = 7  # lines that the sentences take at most


class SearchChoice(Part):
    """Which search, how deep, what wins are worth, and a field that finds a node; `menu` takes its room from the right.
    """

    def __init__(self, host: Host, widgets: Widgets, explorer: Explorer, menu: Part) -> None:
        self._host, self._widgets, self._explorer, self._menu = host, widgets, explorer, menu
        self.bindings = (
            Binding(("[",), partial(explorer.deepen, -1), "search.shallower"),
            Binding(("]",), partial(explorer.deepen, 1), "search.deeper"),
        )

    def shape(self) -> object:
        return self._explorer.choice, wins_texts(self._explorer)

    def build(self, space: Space) -> None:
        px, choice, button = self._host.theme.px, self._explorer.choice, self._widgets.button
        row = Space(space.top(px(_ROW)), px(6))
        self._menu.build(row)
        button("search", row.rest, choice_name(choice), self._open, icon="down", tip=t("search.choose"))
        row = Space(space.top(px(_ROW)), px(6))
        hint = t("search.find")
        line = TextLine(self._host.theme, row.right(px(_FIND)), "", _LONGEST, lambda _: None, self._find, hint)
        self._widgets.add("find", line)
        line.tip = t("search.find_tip", example=self._example())
        if not choice.samples:
            less, more = row.left(px(_ROW)), row.right(px(_ROW))
            shallower, deeper = self.bindings
            button("shallower", less, "", shallower, icon="minus", tip=t("search.shallower"))
            button("deeper", more, "", deeper, icon="plus", tip=t("search.deeper"))
        self._widgets.label(row.rest, depth_text(choice), align="centre")
        if self._explorer.by_nodes and self._explorer.subject.setup is not None:
            options = list(zip((EQUAL, DISTANCE), wins_texts(self._explorer), strict=True))
            chosen, tip = DISTANCE if choice.distance else EQUAL, t("search.wins")
            self._widgets.choice("wins", space.top(px(_WINS)), options, chosen, self._value, tip, gap=4)

    def _value(self, wins: str) -> None:
        """Choose what wins are worth."""
        self._explorer.choose(replace(self._explorer.choice, distance=wins == DISTANCE))

    def _open(self) -> None:
        explorer = self._explorer
        entries = [Entry(each.key, choice_entry(each), partial(explorer.choose, each)) for each in explorer.offered]
        open_menu(self._host, self._widgets.elements["search"].rect, entries, explorer.choice.key)

    def _example(self) -> str:
        """Two moves."""
        names: list[str] = []
        position = self._explorer.subject.position
        while position.outcome is None and position.legal_moves() and len(names) < 2:
            names.append(move_name(position, position.legal_moves()[0]))
            position = position.play(position.legal_moves()[0])
        return " ".join(names)

    def _find(self, text: str) -> None:
        """Look at the node after these moves; say so if the search did not go so far."""
        explorer, moves = self._explorer, text.split()
        try:
            found = (explorer.find(" ".join(moves[:count])) for count in range(len(moves), -1, -1))
            beyond, node = next((beyond, node) for beyond, node in enumerate(found) if node is not None)
        except IllegalMove as error:
            self._host.say(illegal_sentence(error.reason), "bad")
            return
        explorer.look_at(node)
        if beyond:
            self._host.say(t("search.not_beyond", node=node_title(explorer, node)), "bad")

    def entries(self) -> Sequence[Entry]:
        choice = self._explorer.choice
        name = t("search.workers", number=choice.workers)
        return (Entry("workers", name, self._choose_workers),) if choice.key in SHARED else ()

    def _choose_workers(self) -> None:
        choice, choose = self._explorer.choice, self._explorer.choose
        entries = [
            Entry(str(number), t("search.workers", number=number), partial(choose, replace(choice, workers=number)))
            for number in WORKERS
        ]
        open_menu(self._host, self._widgets.elements["menu"].rect, entries, str(choice.workers))


class SearchNode(Part):
    """The node under the pointer, or else the one that is looked at: its board, and what there is to say of it."""

    def __init__(self, host: Host, explorer: Explorer) -> None:
        self._host, self._explorer = host, explorer
        self._view: BoardView | None = None
        self._title = self._texts = pygame.Rect(0, 0, 0, 0)

    @property
    def _node(self) -> int:
        pointed, explorer = self._explorer.pointed, self._explorer
        return explorer.node if pointed is None or pointed >= len(explorer.trace) else pointed

    def shape(self) -> object:
        return self._explorer.subject.setup

    def build(self, space: Space) -> None:
        """The board takes what the texts leave, if that is enough to see it."""
        px, theme, setup = self._host.theme.px, self._host.theme, self._explorer.subject.setup
        rest = Space(space.rest, px(8))
        side = min(rest.rest.width, rest.rest.height - px(_TITLE + _LINES * LINE))
        self._view = board_view(setup.game) if setup is not None and side >= px(_LEAST_BOARD) else None
        if self._view is not None:
            self._view.place(Frame(rest.top(side), theme.scale, theme.palette, theme.font, motion=False))
        self._title, self._texts = rest.top(px(_TITLE)), rest.rest

    def draw(self, surface: pygame.Surface, now: float) -> None:
        explorer, theme = self._explorer, self._host.theme
        if not len(explorer.trace):
            return
        node = self._node
        if self._view is not None:
            self._view.show(explorer.position(node), explorer.moves(node), now)
            self._view.draw(surface, Marks(veil=False, coordinates=self._host.settings.coordinates), now)
        space = Space(self._texts, 0)
        for number, sentence in enumerate(node_sentences(explorer, node)):
            lines = wrapped(theme, sentence, self._texts.width, 14)
            if space.rest.height < len(lines) * theme.px(LINE):
                return  # half a sentence may say the opposite
            if not number:
                write(surface, theme, node_title(explorer, node), self._title, 16, bold=True)
            for line in lines:
                write(surface, theme, line, space.top(theme.px(LINE)), 14)
