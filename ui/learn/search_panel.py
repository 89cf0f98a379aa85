"""Beside a search tree: which search it is, and the node that is looked at: its board, and the reason of its value."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import pygame

from ai.explain.explorer import SPEEDS, Explorer
from ai.explain.prediction import Quiz
from ai.search.comparison import CHOICES_OF_C, SAMPLED, SHARED, WORKERS
from games.position import IllegalMove
from ui.board.looks import board_view
from ui.board.view import BoardView, Marks
from ui.learn.search_words import (
    c_text,
    choice_entry,
    choice_name,
    depth_text,
    node_sentences,
    node_title,
    wins_texts,
)  # fmt: skip
from ui.parts.board_part import board_frame
from ui.parts.header import open_menu
from ui.toolkit.controls import Slider
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import LINE, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import MenuEntry, Part
from ui.words.move_words import illegal_sentence, move_name
from ui.words.numbers import whole_text

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
        entries = [MenuEntry(each.key, choice_entry(each), partial(explorer.choose, each)) for each in explorer.choices]
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
        """Look at the node after the moves in `text`; say so if the search did not go so far."""
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

    def entries(self) -> Sequence[MenuEntry]:
        choice = self._explorer.choice
        name = t("search.workers", number=choice.workers)
        return (MenuEntry("workers", name, self._choose_workers),) if choice.key in SHARED else ()

    def _choose_workers(self) -> None:
        choice, choose = self._explorer.choice, self._explorer.choose
        entries = [
            MenuEntry(str(number), t("search.workers", number=number), partial(choose, replace(choice, workers=number)))
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
        px, setup = self._host.theme.px, self._explorer.subject.setup
        rest = Space(space.rest, px(8))
        side = min(rest.rest.width, rest.rest.height - px(_TITLE + _LINES * LINE))
        self._view = board_view(setup.game) if setup is not None and side >= px(_LEAST_BOARD) else None
        if self._view is not None:
            self._view.place(board_frame(self._host, rest.top(side)))
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


# The steps of a search: the slider and the buttons that go through them.


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
        return self._explorer.playing, self._explorer.by_steps, self._explorer.choice

    def build(self, space: Space) -> None:
        self._slider = None
        if not self._explorer.by_steps:
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
        slider.label = t("reader.step")
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
            return t("search.step_alone", step=whole_text(explorer.at + 1))
        key = "search.visit" if explorer.choice.samples else "search.step"
        return t(key, step=whole_text(explorer.at + 1), last=whole_text(last))

    def _move(self, move: Callable[..., object], *where: int | None) -> bool:
        """Stop playing and `move`. False without steps."""
        if self._explorer.by_steps:
            self._explorer.playing = False
            move(*where)
        return self._explorer.by_steps

    def entries(self) -> Sequence[MenuEntry]:
        if not self._explorer.by_steps:
            return ()
        speed = MenuEntry("speed", t("search.speed_choice", speed=self._explorer.speed), self._choose_speed)
        choice = self._explorer.choice
        return (speed, MenuEntry("c", c_text(choice.c), self._choose_c)) if choice.key in SAMPLED else (speed,)

    def _choose_c(self) -> None:
        """Choose how much a Monte Carlo tree search explores."""
        choice, choose = self._explorer.choice, self._explorer.choose
        entries = [MenuEntry(f"{c:g}", c_text(c), partial(choose, replace(choice, c=c))) for c in CHOICES_OF_C]
        place = self._widgets.elements["c" if "c" in self._widgets.elements else "menu"].rect
        open_menu(self._host, place, entries, f"{choice.c:g}")

    def _choose_speed(self) -> None:
        entries = [MenuEntry(str(each), t("search.speed", speed=each), partial(setattr, self._explorer, "speed", each))
                   for each in SPEEDS]  # fmt: skip
        open_menu(self._host, self._widgets.elements["menu"].rect, entries, str(self._explorer.speed))

    def _play(self) -> bool:
        """Play the search from here on, or stop; from the end, begin again. False without steps."""
        if self._explorer.by_steps:
            self._explorer.play(time.monotonic())
        return self._explorer.by_steps
