"""The pseudocode of a search beside its tree: the line that runs is marked, the variables stand below."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import pygame

from ai.core.score import win_probability
from ai.explain.explorer import Explorer
from ai.explain.prediction import Quiz
from ai.search.mcts_tree import SampleTree
from ai.search.proof_number import ProofTree
from ai.search.pseudocode import Code, Moment, has_pseudocode, listings, round_moments, visit_moments
from ai.search.trace import Snapshot
from ui.learn.search_words import node_title, proof_number_text, side_text, value_text
from ui.parts.header import open_menu
from ui.toolkit.art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.resources import resource
from ui.toolkit.space import Space
from ui.toolkit.theme import mix
from ui.toolkit.typesetting import LINE, fitted, width_of, write, write_paragraph
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Group, MenuEntry, Part
from ui.words.move_words import move_name
from ui.words.numbers import percent_text, whole_text

# The pseudocode of a search, line by line in step with its tree, without pixels.


@dataclass(frozen=True, slots=True)
class ListingLine:
    """A line of a listing: its key, its text, and how many steps it is indented."""

    key: str
    text: str
    indent: int


@cache
def listing_lines(listing: str) -> tuple[ListingLine, ...]:
    """Return the lines of the listing with this key in pseudocode.toml."""
    data = tomllib.loads(resource("lessons", "pseudocode.toml").read_text(encoding="utf-8"))
    found = []
    for line in data[listing].strip().splitlines():
        key, _, text = line.partition("|")
        text = text[1:]
        found.append(ListingLine(key.strip(), text.strip(), (len(text) - len(text.lstrip())) // 2))
    return tuple(found)


class CodeWalk:
    """Step line by line through the pseudocode of the search that the explorer of `quiz` shows. `on` tells whether the
    person has switched the code on; `has_room` returns whether the screen has room for it."""

    def __init__(self, quiz: Quiz, has_room: Callable[[], bool] = lambda: True) -> None:
        self.quiz, self.explorer, self.on, self._has_room = quiz, quiz.explorer, False, has_room
        self._chosen: dict[str, int] = {}  # the number of the listing, by search
        self._place: int  # of the moment, among those of the step
        self._step: object = None  # the step shown
        self._of: object = None  # what the moments are of
        self._moments: list[Moment] = []

    @property
    def listings(self) -> tuple[str, ...]:
        """The keys of the listings of the search; empty if it has no pseudocode, or there is no room for it."""
        explorer = self.explorer
        walkable = explorer.by_steps and has_pseudocode(explorer.trace) and self._has_room()
        return listings(explorer.choice.key) if walkable else ()

    @property
    def shown(self) -> bool:
        """Whether a listing is on the screen."""
        return self.on and bool(self.listings)

    @property
    def listing(self) -> str:
        """The key of the chosen listing. Only for a search that has `listings`."""
        known = self.listings
        return known[self._chosen.get(self.explorer.choice.key, 0) % len(known)]

    def choose(self, number: int) -> None:
        """Choose the listing at the index `number` of `listings`, for this kind of search."""
        self._chosen[self.explorer.choice.key] = number

    @property
    def function(self) -> str:
        """The key in pseudocode.toml of the function that is shown: the one whose line runs. Quiescence search has two,
        ``above`` the horizon and ``quiesce`` beyond it."""
        return self.moment.listing

    @property
    def moment(self) -> Moment:
        """The line that runs."""
        moments = self._current_moments()
        return moments[min(self._place, len(moments) - 1)]

    def _current_moments(self) -> list[Moment]:
        """Return the lines that run in the step shown. If another step is shown than at the last call, go to the first
        of its lines, or to the last one if the whole search is shown."""
        explorer = self.explorer
        step = explorer.shown, explorer.at is None
        of = step, explorer.revision, self.listing
        if of != self._of:
            self._of, self._moments = of, self._moments_of_step()
        if step != self._step:
            self._step, self._place = step, len(self._moments) - 1 if explorer.at is None else 0
        return self._moments

    def _moments_of_step(self) -> list[Moment]:
        """Compute the lines that run in the step shown."""
        explorer, trace = self.explorer, self.explorer.trace
        trail = sorted(explorer.trail, key=trace.ply.__getitem__)
        if isinstance(trace, ProofTree):
            return round_moments(trace, trail)
        if isinstance(trace, SampleTree):
            return visit_moments(self.listing, trace, trail or [0])
        return self.code.moments(explorer.shown)

    @property
    def code(self) -> Code:
        """The chosen listing, applied to the steps of the search."""
        return Code(self.listing, self.explorer.steps)

    def forward(self) -> None:
        """Pause the replay and go to the next line; from the last line of a step, make the next step, as `Quiz.forward`
        does."""
        self.explorer.playing = False
        count = len(self._current_moments())
        if self._place + 1 < count and self.explorer.at is not None:
            self._place += 1
        else:
            self.quiz.forward()

    def back(self) -> None:
        """Pause the replay and go to the line before; from the first line of a step, to the last one of the step
        before."""
        self.explorer.playing = False
        self._current_moments()
        if self._place > 0:
            if self.explorer.at is None:
                self.explorer.go(self.explorer.steps.last)
                self._current_moments()
                self._place = len(self._moments) - 1
            self._place -= 1
        elif self.explorer.shown > 0:
            self.explorer.step(-1)
            self._place = len(self._current_moments()) - 1


# What is written beside a line of pseudocode: the variables with their values.


_FAR = 300
"""Plies to the horizon from which on a search goes to the end."""


def variables(explorer: Explorer, moment: Moment) -> list[str]:
    """Return the variables at `moment`, with values as the code has them: ``node = b a``, ``child = c``, ``α = 3``, …
    """
    found = [f"node = {node_title(explorer, moment.node)}"]
    if moment.child is not None:
        found.append(f"child = {move_name(explorer.subject.position, explorer.trace.move[moment.child])}")
    texts = (f"{name} = {_variable_text(explorer, moment, name, value)}" for name, value in moment.values.items())
    return [*found, *texts]


def side_note(explorer: Explorer, moment: Moment, for_max: bool) -> str:
    """Return a note that the values in the code are for the side to move. It is empty where they are for MAX, as in the
    tree: where MAX moves, or `for_max` tells that the whole listing is so."""
    if for_max or explorer.is_max(moment.node) or isinstance(explorer.trace, Snapshot):
        return ""
    return t("code.view", side=side_text(explorer, moment.node))


def _variable_text(explorer: Explorer, moment: Moment, name: str, value: int) -> str:
    """Return the `value` of the variable `name` as text."""
    if name == "N":
        return whole_text(value)
    if name == "depth":
        return "∞" if value > _FAR else str(value)
    if isinstance(explorer.trace, ProofTree):
        return proof_number_text(value)
    if isinstance(explorer.trace, SampleTree):
        return _mean_text(explorer, explorer.trace, moment, value)
    return value_text(explorer, value)


def _mean_text(explorer: Explorer, tree: SampleTree, moment: Moment, value: int) -> str:
    """Return a mean `value` of Monte Carlo tree search as the win probability of MAX, the side to move at the root:
    ``63 %``."""
    setup = explorer.subject.setup
    assert setup is not None
    of = moment.node if moment.child is None else moment.child
    wins = win_probability(setup, value, None, explorer.subject.position.ply + tree.ply[of])
    return percent_text(100 * (wins if explorer.is_max(of) else 1 - wins))


_ROW, _LINE, _LEAST, _INDENT, _INSET, _NAME = 34, 20, 15, 13, 5, 18  # design pixels
_BELOW = 2 * _LINE + 2 * LINE  # of the variables and whose values they are
SIZES = (14, 13, 12, 11)
"""Of a line: the largest that fits."""


class SearchCode(Part):
    """The chosen listing with the line that runs highlighted, and the variables below it, from the top of the space."""

    def __init__(self, host: Host, widgets: Widgets, walk: CodeWalk) -> None:
        self._host, self._widgets, self._walk = host, widgets, walk
        self.lines: pygame.Rect
        self._texts: pygame.Rect
        self._high: int  # of a line, in pixels

    def shape(self) -> object:
        """What the layout depends on: whether a listing is shown, which one, and its number of lines."""
        walk = self._walk
        return walk.shown, walk.shown and (walk.listing, len(listing_lines(walk.function)))

    def build(self, space: Space) -> None:
        """Take all the space: a row with the choice of the listing and buttons that step a line back or on, then the
        room for the listing and, below it, for the variables. The lines get lower where the room is short."""
        walk, px, button = self._walk, self._host.theme.px, self._widgets.button
        row = Space(space.top(px(_ROW)), px(6))
        on, back = row.right(px(_ROW)), row.right(px(_ROW))
        button("line_on", on, "", walk.forward, icon="forward", tip=t("code.line_on"), key=".")
        button("line_back", back, "", walk.back, icon="back", tip=t("code.line_back"), key=",")
        if len(walk.listings) > 1:
            button("listing", row.rest, t(f"code.{walk.listing}"), self._choose, icon="down", tip=t("code.choose"))
        else:
            self._widgets.label(row.rest, t(f"code.{walk.listing}"), 16, bold=True)
        rest = Space(space.rest, px(6))
        count = len(listing_lines(walk.function))
        left = rest.rest.height - px(_BELOW) - px(6) - 2 * px(_INSET)
        self._high = max(px(_LEAST), min(px(_LINE), left // count))
        self.lines = rest.top(count * self._high + 2 * px(_INSET))
        self._texts = rest.rest

    def _choose(self) -> None:
        """Open the menu of the listings."""
        walk = self._walk
        entries = [MenuEntry(name, t(f"code.{name}"), partial(walk.choose, number))
                   for number, name in enumerate(walk.listings)]  # fmt: skip
        open_menu(self._host, self._widgets.elements["listing"].rect, entries, walk.listing)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the lines of the listing, the one that runs highlighted, and below it the variables and a note on that
        line."""
        walk, theme, palette, px = self._walk, self._host.theme, self._host.theme.palette, self._host.theme.px
        rounded(surface, self.lines, palette.panel, px(8), palette.line)
        moment, space = walk.moment, Space(self.lines.inflate(-2 * px(_INSET), -2 * px(_INSET)))
        for line in listing_lines(walk.function):
            place = space.top(self._high)
            runs = line.key == moment.line
            if runs:
                rounded(surface, place, mix(palette.panel, palette.accent, 0.3), px(4), palette.accent)
            self._draw_line(surface, line, place, runs)
        top = self._draw_variables(surface, variables(walk.explorer, moment))
        rest = pygame.Rect(self._texts.left, top, self._texts.width, self._texts.bottom - top)
        write_paragraph(surface, theme, side_note(walk.explorer, moment, walk.code.for_max), rest, palette.quiet)

    def room(self, line: ListingLine) -> int:
        """Return how wide the text of a line may be, in pixels."""
        return self.lines.width - self._host.theme.px(2 * _INSET + 4 + line.indent * _INDENT)

    def _draw_line(self, surface: pygame.Surface, line: ListingLine, place: pygame.Rect, runs: bool) -> None:
        """Write a line in the largest of `SIZES` that fits its width; `runs` makes it stand out."""
        theme, wide = self._host.theme, self.room(line)
        inside = pygame.Rect(place.right - wide, place.top, wide, place.height)
        size = next((size for size in SIZES if width_of(theme, line.text, size) <= wide), SIZES[-1])
        write(surface, theme, line.text, inside, size, theme.palette.text if runs else theme.palette.quiet)

    def _draw_variables(self, surface: pygame.Surface, texts: list[str]) -> int:
        """Write `texts` in rows, as many as there is room for. Return the y where the room below them begins."""
        theme, px = self._host.theme, self._host.theme.px
        left, top = self._texts.topleft
        for whole in texts:
            text = fitted(theme, whole, self._texts.width, 14)
            wide = width_of(theme, text, 14)
            if left + wide > self._texts.right:
                left, top = self._texts.left, top + px(_LINE)
            if top + px(_LINE) > self._texts.bottom:
                return self._texts.bottom
            write(surface, theme, text, pygame.Rect(left, top, wide, px(_LINE)), 14)
            left += wide + px(_NAME)
        return top + px(_LINE)

    def status(self) -> str:
        """Say that the marked line runs, and where its variables are."""
        return t("code.help")


class NodeOrCode(Group):
    """The `node` that is looked at or, while the code is shown, the `code` in its place."""

    def __init__(self, node: Part, code: SearchCode, walk: CodeWalk) -> None:
        super().__init__((node,))
        self._node, self._code, self._walk = node, code, walk
        self.bindings = (
            Binding(("c",), self._switch, "code.key", menu="code.title"),
            Binding((".",), partial(self._move, walk.forward), "code.line_on"),
            Binding((",",), partial(self._move, walk.back), "code.line_back"),
        )

    def shape(self) -> object:
        """What the layout depends on: whether the code is shown, and the shapes of both parts, hidden or not."""
        return self._walk.shown, self._node.shape(), self._code.shape()

    def build(self, space: Space) -> None:
        """Build only the part that is shown, the code or the node, in all the space."""
        self.parts = (self._code,) if self._walk.shown else (self._node,)
        self.parts[0].build(space)

    def entries(self) -> list[MenuEntry]:
        """Offer the bindings of this group, not those of its parts; nothing for a search without code."""
        return [*Part.entries(self)] if self._walk.listings else []

    def _switch(self) -> bool:
        """Switch between the code and the node. Return False, and do nothing, where there is no code."""
        if self._walk.listings:
            self._walk.on = not self._walk.on
        return bool(self._walk.listings)

    def _move(self, move: Callable[[], None]) -> bool:
        """Call `move` if the code is shown. Return whether it is shown."""
        if self._walk.shown:
            move()
        return self._walk.shown
