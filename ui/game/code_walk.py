"""The pseudocode of a search, line by line in step with its tree, without pixels."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from ai.prediction import Quiz
from ai.search.pseudocode import Code, Moment, is_walkable, listings, visit
from ai.search.sample_tree import SampleTree
from ui.toolkit.resources import resource


@dataclass(frozen=True, slots=True)
class Written:
    """A line of a listing: its key, its text, and how many steps it is indented."""

    key: str
    text: str
    indent: int


@cache
def written(listing: str) -> tuple[Written, ...]:
    """Return the lines of a listing."""
    data = tomllib.loads(resource("lessons", "pseudocode.toml").read_text(encoding="utf-8"))
    found = []
    for line in data[listing].strip().splitlines():
        key, _, text = line.partition("|")
        text = text[1:]
        found.append(Written(key.strip(), text.strip(), (len(text) - len(text.lstrip())) // 2))
    return tuple(found)


class CodeWalk:
    """Walks through the code of what the explorer of `quiz` shows; `on` tells whether a person wants to see it."""

    def __init__(self, quiz: Quiz) -> None:
        self.quiz, self.explorer, self.on = quiz, quiz.explorer, False
        self._chosen: dict[str, int] = {}  # the number of the listing, by search
        self._place = 0  # of the moment, among those of the step
        self._of: tuple[object, ...] = ()  # what the moments are of
        self._moments: list[Moment] = []

    @property
    def listings(self) -> tuple[str, ...]:
        """What the search can be shown as; none if it has no code."""
        explorer = self.explorer
        return listings(explorer.choice.key) if explorer.stepped and is_walkable(explorer.trace) else ()

    @property
    def shown(self) -> bool:
        return self.on and bool(self.listings)

    @property
    def listing(self) -> str:
        """The one that is chosen."""
        known = self.listings
        return known[self._chosen.get(self.explorer.choice.key, 0) % len(known)]

    def choose(self, number: int) -> None:
        """Show another listing of the search."""
        self._chosen[self.explorer.choice.key] = number

    @property
    def function(self) -> str:
        """The listing that has the line that runs: of quiescence there are two."""
        moment = self.moment
        if moment is not None:
            return moment.listing
        return "above" if self.listing == "quiescence" else self.listing

    @property
    def moment(self) -> Moment | None:
        """The line that runs; None before there is one."""
        moments = self._now()
        return moments[min(self._place, len(moments) - 1)] if moments else None

    def _now(self) -> list[Moment]:
        """The moments of the step that is shown: at first the first of them, of the whole search the last."""
        explorer = self.explorer
        of = explorer.revision, explorer.shown, explorer.at is None, self.listing
        if of != self._of:
            same = self._of[1:3] == of[1:3]
            self._of, self._moments = of, self._found()
            if not same:
                self._place = len(self._moments) - 1 if explorer.at is None else 0
        return self._moments

    def _found(self) -> list[Moment]:
        explorer, trace = self.explorer, self.explorer.trace
        if isinstance(trace, SampleTree):
            return visit(self.listing, trace, sorted(explorer.trail, key=trace.ply.__getitem__) or [0])
        if explorer.shown < 0 or explorer.steps.last < 0:
            return []
        return self.code.moments(explorer.shown)

    @property
    def code(self) -> Code:
        return Code(self.listing, self.explorer.steps)

    def forward(self) -> None:
        """Go on to the next line, and with the last one of a step to the next step."""
        self.explorer.playing = False
        count = len(self._now())
        if self._place + 1 < count and self.explorer.at is not None:
            self._place += 1
        else:
            self.quiz.forward()

    def back(self) -> None:
        """Go back to the line before."""
        self.explorer.playing = False
        self._now()
        if self._place > 0:
            if self.explorer.at is None:
                self.explorer.go(self.explorer.steps.last)
                self._now()
                self._place = len(self._moments) - 1
            self._place = max(0, self._place - 1)
        elif self.explorer.shown > 0:
            self.explorer.step(-1)
            self._place = max(0, len(self._now()) - 1)
