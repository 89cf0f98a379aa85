"""Words on the opening of a game: what its rule asks for, what a computer has decided, and the names of openings."""

from __future__ import annotations

from ai.gomoku.opening_decisions import OpeningDecision
from games.opening_rules import (
    CHOOSE,
    DECLARE,
    MORE,
    OFFER,
    PLACE,
    RENJU_OPENINGS,
    STAY,
    SWAP,
    TEN,
    Demand,
    OpeningStep,
    renju_opening,
)
from games.record import PERSON, GameRecord
from ui.toolkit.i18n import first_text, joined, t
from ui.words.games import game_name, player_name, rule_name, setup_name, side_name

_STONES = 3  # of an opening of renju


def opening_rule_name(rule: str) -> str:
    """The name of an opening rule by its key; the empty key is a game without one."""
    return first_text(f"begin.{rule}", default=rule) if rule else t("begin.none")


def renju_opening_name(key: str) -> str:
    """``Kagetsu (D4)``: the name of one of the 26 openings of renju, with its number."""
    return f"{t(f'renju.{key}')} ({RENJU_OPENINGS[key].number})"


def opening_name(record: GameRecord) -> str:
    """The name of the opening on the line of play: one of the 26 of renju, as soon as it has three moves. Empty before,
    in another rule, and in a game that begins with a set-up position."""
    if record.setup.rule != "renju" or record.stones is not None:
        return ""
    node, moves = record.root.next, list[int]()
    while node is not None and node.move is not None and len(moves) < _STONES:
        moves.append(node.move)
        node = node.next
    key = renju_opening(moves, record.setup.size)
    return renju_opening_name(key) if key else ""


def game_title(record: GameRecord) -> str:
    """The game, rule and opening: ``Gomoku · Renju · Kagetsu (D4)``; without the name of an opening, what `setup_name`
    says."""
    opening, setup = opening_name(record), record.setup
    return f"{game_name(setup.game)} · {rule_name(setup.rule)} · {opening}" if opening else setup_name(setup)


def opening_title(record: GameRecord) -> str:
    """The opening rule and the name of the opening; empty if there is neither."""
    rule = opening_rule_name(record.opening.rule) if record.opening else ""
    return " · ".join(filter(None, (rule, opening_name(record))))


def _player_or_side(record: GameRecord, side: int) -> str:
    """The name of the player of `side`; the name of the side if two people without names play."""
    seat, other = record.seats[side], record.seats[1 - side]
    unnamed = seat.player == PERSON == other.player and not seat.name
    return side_name(record.setup.game, side) if unnamed else player_name(record.setup.game, record.seats, side)


def demand_sentence(record: GameRecord, demand: Demand) -> str:
    """The sentence that says what the opening rule asks for at the cursor, and of whom."""
    game, side = record.setup.game, record.turn
    words = {"who": _player_or_side(record, side), "own": side_name(game, side), "other": side_name(game, 1 - side)}
    if SWAP in demand.kinds:
        more = next((kind for kind in (MORE, TEN) if kind in demand.kinds), "")
        return t(f"begin.colours.{more}" if more else "begin.colours", **words)
    if DECLARE in demand.kinds:
        return t("begin.declare", **words)
    words |= {"side": side_name(game, record.position.turn), "number": str(demand.count - demand.left + 1)}
    if demand.point == PLACE:
        placed = t("begin.place_of" if demand.count > 1 else "begin.place", **words, count=demand.count)
        return joined([placed, _area_sentence(demand)])
    offers = () if record.opening is None else record.opening.offers
    words["moves"] = ", ".join(map(record.position.move_text, offers))
    return t(f"begin.{demand.point}", **words, count=demand.count)


def _area_sentence(demand: Demand) -> str:
    """The sentence that says where a stone may be placed; empty if anywhere."""
    if demand.beyond is not None:
        return t("begin.beyond", points=2 * demand.beyond + 1)
    if demand.within is None:
        return ""
    return t("begin.within", points=2 * demand.within + 1) if demand.within else t("begin.centre")


def choices(record: GameRecord, demand: Demand) -> list[tuple[OpeningStep, str]]:
    """The steps that are taken by a button and not on the board, each with its text."""
    if DECLARE in demand.kinds:
        return [(OpeningStep(DECLARE, number), str(number)) for number in range(1, demand.most + 1)]
    game, side = record.setup.game, record.turn
    texts = {
        STAY: t("begin.keep", side=side_name(game, side)), SWAP: t("begin.take", side=side_name(game, 1 - side)),
        MORE: t("begin.more"), TEN: t("begin.ten"),
    }  # fmt: skip
    return [(OpeningStep(kind), texts[kind]) for kind in demand.kinds if kind not in (PLACE, OFFER, CHOOSE)]


def decision_sentence(record: GameRecord, decision: OpeningDecision, player: int) -> str:
    """What the computer that is `player` of the opening has decided, and why; empty if it had no choice."""
    opening = record.opening
    if opening is None or decision.kind == "only":
        return ""
    kind, named = decision.kind, ""
    if kind == "known" and record.setup.rule == "renju":
        key = renju_opening([step.value for step in decision.steps], record.setup.size)
        kind, named = ("named", renju_opening_name(key)) if key else (kind, "")
    who, side = _player_or_side(record, opening.side_of(player)), side_name(record.setup.game, decision.side)
    return t(
        f"begin.by.{kind}", who=who, side=side,
        percent=round(100 * (decision.wins or 0.0)), count=decision.number, opening=named,
    )  # fmt: skip
