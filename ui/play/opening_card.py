"""The card of the opening beside a game that is played: what its rule demands now, and the choices as buttons."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

from games.opening_rules import CHOOSE, OpeningPhase, OpeningStep
from ui.board.view import Marks
from ui.play.state import PlayState
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns
from ui.toolkit.typesetting import LINE, width_of, wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part
from ui.words.opening_words import choices, decision_sentence, demand_sentence, opening_rule_name

_PADDING, _GAP, _SMALL = 12, 8, 20  # design pixels
_NUMBERS = tuple(map(str, range(1, 9)))


class OpeningCard(Part):
    """Takes its room from the top of the space during the opening, and while the last decision of a computer is news;
    shows on the board where stones may lie and what is offered."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._points = lru_cache(4)(OpeningPhase.points)
        self.bindings = tuple(
            Binding((number,), partial(self._pick, int(number)), "keys.opening" if number == "1" else "")
            for number in (_NUMBERS if state.record.opening else ())
        )

    @property
    def _choices(self) -> list[tuple[OpeningStep, str]]:
        """What a person can choose by a button now."""
        state = self._state
        demand = state.demand
        return choices(state.record, demand) if demand is not None and state.live.person_to_move else []

    @property
    def _texts(self) -> tuple[str, str, str]:
        """The name of the rule, what is demanded, and what a computer has decided; empty without."""
        record, live, demand = self._state.record, self._state.live, self._state.demand
        opening, decided = record.opening, ""
        if opening is None or self._state.over or self._state.failure:
            return "", "", ""
        if live.decision is not None:
            decided = decision_sentence(record, live.decision, live.decided_by)
        asked = "" if demand is None else demand_sentence(record, demand)
        title = t("begin.title", rule=opening_rule_name(opening.rule)) if asked or decided else ""
        return title, asked, decided

    def shape(self) -> object:
        return self._texts, self._choices

    def build(self, space: Space) -> None:
        title, asked, decided = self._texts
        if not title:
            return
        theme, px = self._host.theme, self._host.theme.px
        room = space.rest.width - 2 * px(_PADDING)
        head, lines = wrapped(theme, title, room, 16, bold=True), wrapped(theme, asked, room, 16) if asked else ()
        small = wrapped(theme, decided, room, 14) if decided else ()
        rows = self._rows(room)
        high = (len(head) + len(lines)) * px(LINE) + len(small) * px(_SMALL) + len(rows) * px(BUTTON + _GAP)
        card = space.top(high + 2 * px(_PADDING))
        self._widgets.card(card, theme.palette.info)
        inside = Space(card.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), 0)
        self._widgets.lines(inside, head, px(LINE), 16, bold=True)
        self._widgets.lines(inside, small, px(_SMALL), 14, theme.palette.quiet)
        self._widgets.lines(inside, lines, px(LINE))
        for row in rows:
            inside.top(px(_GAP))
            places = columns(inside.top(px(BUTTON)), len(row), px(_GAP))
            for place, (index, (step, text)) in zip(places, row, strict=True):
                press = partial(self._state.decide, step)
                self._widgets.button(f"opening.{index}", place, text, press, tip=text, key=str(index))

    def _rows(self, room: int) -> list[list[tuple[int, tuple[OpeningStep, str]]]]:
        """The choices with their numbers, in rows of as many as fit beside each other."""
        theme, px = self._host.theme, self._host.theme.px
        found = list(enumerate(self._choices, 1))
        if not found:
            return []
        widest = max(width_of(theme, text, 16) for _, (_, text) in found) + px(2 * 12)
        each = max(1, (room + px(_GAP)) // (widest + px(_GAP)))
        count = -(-len(found) // each)  # rows
        each = -(-len(found) // count)
        return [found[start : start + each] for start in range(0, len(found), each)]

    def _pick(self, number: int) -> bool:
        """Make the choice of that number. Return False if there is none."""
        offered = self._choices
        if number > len(offered):
            return False
        self._state.decide(offered[number - 1][0])
        return True

    def marks(self, marks: Marks) -> Marks:
        state = self._state
        opening, demand = state.record.opening, state.demand
        if opening is None or demand is None or state.earlier is not None or state.hidden:
            return marks
        shown = demand.point and demand.point != CHOOSE
        allowed = self._points(opening, state.record.position) if shown else None
        return replace(marks, allowed=allowed, offers=opening.offers)
