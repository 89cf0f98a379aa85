"""The cards beside a game that is played: how it ended, why a computer failed, the warning of a teaching game, and what
the rule of its opening asks for now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import pygame

from ai.players.table import is_timed, offered_players, unable
from ai.review.report import own_moves
from ai.service.profile import resolve_level
from games.opening_rules import CHOOSE, OpeningPhase, OpeningStep
from games.record import PERSON, GameRecord, path
from ui import screens
from ui.board.looks import look
from ui.board.view import Marks
from ui.play.state import PlayState
from ui.play.teacher import Refutation
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns
from ui.toolkit.typesetting import LINE, width_of, wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part
from ui.words.games import outcome_colour, outcome_sentence, seat_label, side_name
from ui.words.move_words import move_name, move_reason, purpose_sentence
from ui.words.numbers import points_text, time_text
from ui.words.opening_words import choices, decision_sentence, demand_sentence, opening_rule_name
from ui.words.verdicts import SIGNS, why_sentence

_PADDING, _BADGE, _TITLE, _LINE, _BUTTON = 12, 28, 28, 20, 36  # design pixels


@dataclass(frozen=True, slots=True)
class Ending:
    """The texts of the card of a finished game. `tone` is the name of a colour of the palette, `winner` is None for a
    draw, `rating` the sentence on the rating, `score` that on the score of two people over several games; both may be
    empty."""

    sentence: str
    tone: str
    winner: int | None
    rating: str
    length: str
    score: str = ""


def ending_of(record: GameRecord, rating: str = "", score: tuple[float, float] | None = None) -> Ending | None:
    """The ending of the game at the cursor, from the view of the only person in it; None while it goes on. `rating` is
    a sentence, `score` the points of two people."""
    outcome = record.outcome
    if outcome is None:
        return None
    nodes = path(record.cursor)[1:]
    length = t("library.moves", count=len(nodes))
    seconds = sum(node.seconds or 0.0 for node in nodes) + record.cursor.spent  # of a move that was not played
    if seconds:
        length += f" · {time_text(seconds)}"
    sentence, tone = outcome_sentence(record, outcome), outcome_colour(record, outcome)
    return Ending(sentence, tone, outcome.winner, rating, length, score_sentence(record.names, score) if score else "")


def score_sentence(names: tuple[str, str], score: tuple[float, float]) -> str:
    """The score of two people over several games, such as ``Ada 3 – 1½ Bob``. Lines break only beside the names."""
    points = "\N{NO-BREAK SPACE}–\N{NO-BREAK SPACE}".join(map(points_text, score))
    return t("play.score", first=names[0], second=names[1], points=points)


class EndingCard(Part):
    """A card at the top of the space once the game is over. A new game against the same opponent leads back to what
    `back` returns."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState, back: Callable[[], Content | None]) -> None:
        self._host, self._widgets, self._state, self._back = host, widgets, state, back
        self.ending: Ending | None = None
        """What the card says, while it is shown."""
        self.bindings = (Binding(("return",), self._review_if_over, ""),)

    def shape(self) -> object:
        """What the layout depends on: what the card says; None while the game goes on."""
        return ending_of(self._state.record, self._state.saver.note, self._state.head_to_head.score)

    def build(self, space: Space) -> None:
        """Build the card: who won, the effect on the rating, the score of two people, the length of the game, and the
        buttons. Take no room while the game goes on."""
        self.ending = ending = ending_of(self._state.record, self._state.saver.note, self._state.head_to_head.score)
        if ending is None:
            return
        theme, px, room = self._host.theme, self._host.theme.px, space.rest.width - 2 * self._host.theme.px(_PADDING)
        indent = px(_BADGE + 8) if ending.winner is not None else 0
        title = wrapped(theme, ending.sentence, room - indent, 20, bold=True)
        lines = [*wrapped(theme, ending.rating, room, 14), *wrapped(theme, ending.score, room, 14), ending.length]
        text = len(title) * px(_TITLE) + px(4) + len(lines) * px(_LINE) + px(8)
        card = space.top(text + 2 * px(_BUTTON) + px(8) + 2 * px(_PADDING))
        self._widgets.card(card, getattr(theme.palette, ending.tone))
        inside = Space(card.inflate(-2 * px(_PADDING), -2 * px(_PADDING)))
        head = Space(inside.top(len(title) * px(_TITLE)))
        if ending.winner is not None:
            self._build_badge(pygame.Rect(head.left(indent).topleft, (px(_BADGE), px(_TITLE))), ending.winner)
        self._widgets.lines(head, title, px(_TITLE), 20, bold=True)
        inside.top(px(4))
        self._widgets.lines(inside, lines, px(_LINE), 14)
        inside.top(px(8))
        self._build_buttons(inside)

    def _build_badge(self, rect: pygame.Rect, side: int) -> None:
        """Paint a piece of `side`."""
        theme, badge = self._host.theme, look(self._state.record.setup.game).badge
        self._widgets.paint(lambda surface: badge(surface, theme, rect, side))

    def _build_buttons(self, space: Space) -> None:
        """Add buttons to review the game, to play again, and to begin a new one."""
        px, button = self._host.theme.px, self._widgets.button
        review = space.top(px(_BUTTON))
        space.top(px(8))
        again, new = columns(space.top(px(_BUTTON)), 2, px(8))
        tip, begin = t("play.review_tip"), partial(self._host.open, screens.setup, self._state.record.setup.game)
        button("review", review, t("play.review"), self._state.review, style="@primary", tip=tip, key="return")
        button("rematch", again, t("play.rematch"), self._rematch, tip=t("play.rematch_tip"))
        button("new", new, t("play.new_game"), begin, key="ctrl+n")

    def _review_if_over(self) -> bool:
        """Review the game, as the first button does. Return False if it is not over."""
        if self.ending is not None:
            self._state.review()
        return self.ending is not None

    def _rematch(self) -> None:
        """Open a new game of the same kind with the sides swapped. An even match gets the level for the new rating."""
        state = self._state
        state.saver.settle()
        record = state.record
        first, second = (replace(seat, player=resolve_level(seat.player, record.setup.game)) for seat in record.seats)
        again = GameRecord(record.setup, (second, first), control=record.control, stones=record.stones)
        again.opening = record.opening and OpeningPhase(record.opening.rule, record.opening.size)
        self._host.open(screens.play, again, teaching=state.teacher is not None, back=self._back())


class FailureCard(Part):
    """A card at the top of the space while the computer to move has failed. It can be started again, or another player
    or a person takes its seat. The new screen leads back to what `back` returns."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState, back: Callable[[], Content | None]) -> None:
        self._host, self._widgets, self._state, self._back = host, widgets, state, back

    def shape(self) -> object:
        """What the layout depends on: the sentence on the failure, empty without one."""
        return self._state.failure

    def build(self, space: Space) -> None:
        """Build the card with the sentence on the failure, and buttons to start the computer again, to choose another
        player, and to take its seat. Take no room without a failure."""
        text, px = self._state.failure, self._host.theme.px
        if not text:
            return
        lines = wrapped(self._host.theme, text, space.rest.width - 2 * px(_PADDING), 16)
        card = space.top(len(lines) * px(LINE) + 2 * px(BUTTON) + 2 * px(8) + 2 * px(_PADDING))
        self._widgets.card(card, self._host.theme.palette.bad)
        inside = Space(card.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), px(8))
        words = Space(inside.rest)
        replace_it, take = columns(inside.bottom(px(BUTTON)), 2, px(8))
        again, button = inside.bottom(px(BUTTON)), self._widgets.button
        button("restart", again, t("engine.restart"), self._state.live.resume, style="@primary", key="space")
        button("replace", replace_it, t("engine.replace"), partial(self._open_player_menu, replace_it), icon="down")
        button("take_seat", take, t("engine.take_seat"), partial(self._reseat, PERSON))
        self._widgets.lines(words, lines, px(LINE))

    def _open_player_menu(self, under: pygame.Rect) -> None:
        """Open the menu of the players who can take the seat."""
        setup, failed = self._state.record.setup, self._state.live.seat.player
        names = [name for name in offered_players(setup.game) if name != failed and not unable(name, setup.rule)]
        labels = [(name, seat_label(setup.game, name)) for name in names]
        self._host.overlay = Menu(self._host, under, labels, "", self._reseat)

    def _reseat(self, player: str) -> None:
        """Give the seat of the failed player to `player`, save the game as unrated, and open it anew."""
        state, side = self._state, self._state.record.turn
        record, saver = state.record, state.saver
        seats = list(record.seats)
        seconds = seats[side].seconds if is_timed(player) and player != PERSON else None
        seats[side] = replace(seats[side], player=player, name="", seconds=seconds)
        record.seats = seats[0], seats[1]
        saver.save()
        saver.mark_unrated("opponent")  # not before: the game against the one that failed may not have counted, either
        saver.settle()
        file = saver.file if saver.begun and saver.enabled else None
        screen = self._host.open(
            screens.play, record, file, autosave=saver.enabled, teaching=state.teacher is not None, back=self._back()
        )
        screen.state.live.waiting = False  # the person has just chosen who moves


def warning_sentence(game: str, warning: Refutation) -> str:
    """The sentence of a warning: what the blunder gives away or overlooked or, if that is not known, how it is
    answered. It does not name the better move."""
    position, before = warning.node.position, warning.node.parent
    assert before is not None
    winner = 1 - before.position.turn
    side = side_name(game, winner)
    if reason := why_sentence(warning.node, warning.why, quiet=True):
        return t("teach.why", reason=reason, side=side)
    strike = warning.line[0] if warning.line else None
    move = "" if strike is None else move_name(position, strike)
    if warning.plies is not None:
        count = own_moves(position, warning.line, winner, warning.plies)
        return t("teach.loses" if move else "teach.loses_soon", side=side, count=count, move=move)
    if warning.kind == "missed_win":
        return t("teach.missed_win")
    found = "" if strike is None else move_reason(position, strike) or purpose_sentence(position, strike)
    key = "teach.strikes" if found else "teach.answers" if move else "teach.worse"
    return t(key, side=side, move=move, reason=found)


class TeachingCard(Part):
    """A card at the top of the space while there is a warning. The refutation is marked on the board."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.bindings = (Binding(("return",), self._take_back, ""), Binding(("escape",), self._dismiss, ""))

    @property
    def _warning_text(self) -> str:
        """The sentence of the warning; empty without one."""
        warning = self._state.warning
        return "" if warning is None else warning_sentence(self._state.record.setup.game, warning)

    def shape(self) -> object:
        """What the layout depends on: the sentence of the warning, empty without one."""
        return self._warning_text

    def build(self, space: Space) -> None:
        """Build the card with the warning, and buttons to take the move back and to play on. Take no room without a
        warning."""
        text, px = self._warning_text, self._host.theme.px
        if not text:
            return
        lines = wrapped(self._host.theme, text, space.rest.width - 2 * px(_PADDING), 16)
        card = space.top(len(lines) * px(LINE) + px(BUTTON) + px(8) + 2 * px(_PADDING))
        self._widgets.card(card, self._host.theme.palette.bad)
        inside = Space(card.inflate(-2 * px(_PADDING), -2 * px(_PADDING)))
        first, second = columns(inside.bottom(px(BUTTON)), 2, px(8))
        button = self._widgets.button
        button("take_back", first, t("teach.take_back"), self._take_back, style="@primary", key="return")
        button("play_on", second, t("play.dismiss"), self._dismiss, key="escape")
        self._widgets.lines(inside, lines, px(LINE))

    def marks(self, marks: Marks) -> Marks:
        """Mark the blunder with its sign, and its refutation; nothing without a warning, at an earlier position and
        while the board is hidden."""
        warning = self._state.warning
        if warning is None or self._state.earlier is not None or self._state.hidden:
            return marks
        sign = SIGNS[warning.kind]
        return replace(marks, line=warning.line, row=warning.row, wrong=warning.node.move, sign=sign)

    def _take_back(self) -> bool:
        """Take back the move of the warning. Return False if there is no warning."""
        warned = self._state.warning is not None
        if warned:
            self._state.show_current()
            self._state.live.undo()
        return warned

    def _dismiss(self) -> bool:
        """Close the warning, and play on. Return False if there is none."""
        warned = self._state.warning is not None
        self._state.dismiss()
        return warned


# The opening: what its rule demands, and the choices as buttons.


_GAP, _SMALL = 8, 20  # design pixels
_NUMBERS = tuple(map(str, range(1, 9)))


class OpeningCard(Part):
    """A card at the top of the space while the opening is under way, and until the next move after a computer's
    decision in it. It marks on the board where a stone may be placed, and the moves on offer."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._points = lru_cache(4)(OpeningPhase.points)
        self.bindings = tuple(
            Binding((number,), partial(self._choose_by_number, int(number)), "keys.opening" if number == "1" else "")
            for number in (_NUMBERS if state.record.opening else ())
        )

    @property
    def _choices(self) -> list[tuple[OpeningStep, str]]:
        """The steps, each with its text, that the person to move can choose by a button now; empty if it is none's
        turn."""
        state = self._state
        demand = state.demand
        return choices(state.record, demand) if demand is not None and state.live.person_to_move else []

    @property
    def _texts(self) -> tuple[str, str, str]:
        """The name of the rule, what it asks for, and what a computer has decided. Each is empty where there is nothing
        to say."""
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
        """What the layout depends on: the texts of the card, and the choices of the person to move."""
        return self._texts, self._choices

    def build(self, space: Space) -> None:
        """Build the card with the name of the rule, what was decided, what is asked for, and a numbered button for each
        choice. Take no room without a text."""
        title, asked, decided = self._texts
        if not title:
            return
        theme, px = self._host.theme, self._host.theme.px
        room = space.rest.width - 2 * px(_PADDING)
        head, lines = wrapped(theme, title, room, 16, bold=True), wrapped(theme, asked, room, 16) if asked else ()
        small = wrapped(theme, decided, room, 14) if decided else ()
        rows = self._choice_rows(room)
        high = (len(head) + len(lines)) * px(LINE) + len(small) * px(_SMALL) + len(rows) * px(BUTTON + _GAP)
        card = space.top(high + 2 * px(_PADDING))
        self._widgets.card(card, theme.palette.info)
        inside = Space(card.inflate(-2 * px(_PADDING), -2 * px(_PADDING)))
        self._widgets.lines(inside, head, px(LINE), 16, bold=True)
        self._widgets.lines(inside, small, px(_SMALL), 14, theme.palette.quiet)
        self._widgets.lines(inside, lines, px(LINE))
        for row in rows:
            inside.top(px(_GAP))
            places = columns(inside.top(px(BUTTON)), len(row), px(_GAP))
            for place, (index, (step, text)) in zip(places, row, strict=True):
                press = partial(self._state.decide, step)
                self._widgets.button(f"opening.{index}", place, text, press, tip=text, key=str(index))

    def _choice_rows(self, room: int) -> list[list[tuple[int, tuple[OpeningStep, str]]]]:
        """The choices, numbered from 1, in rows of buttons as wide as `room` pixels."""
        theme, px = self._host.theme, self._host.theme.px
        found = list(enumerate(self._choices, 1))
        if not found:
            return []
        widest = max(width_of(theme, text, 16) for _, (_, text) in found) + px(2 * 12)
        each = max(1, (room + px(_GAP)) // (widest + px(_GAP)))
        count = -(-len(found) // each)  # rows
        each = -(-len(found) // count)
        return [found[start : start + each] for start in range(0, len(found), each)]

    def _choose_by_number(self, number: int) -> bool:
        """Take the choice with this number. Return False if there is none."""
        offered = self._choices
        if number > len(offered):
            return False
        self._state.decide(offered[number - 1][0])
        return True

    def marks(self, marks: Marks) -> Marks:
        """Mark the points where the rule allows the next stone, and the moves on offer; nothing after the opening, at
        an earlier position and while the board is hidden."""
        state = self._state
        opening, demand = state.record.opening, state.demand
        if opening is None or demand is None or state.earlier is not None or state.hidden:
            return marks
        shown = demand.point and demand.point != CHOOSE
        allowed = self._points(opening, state.record.position) if shown else None
        return replace(marks, allowed=allowed, offers=opening.offers)
