"""What is said of how a person errs."""

from __future__ import annotations

from dataclasses import dataclass

from ai.opponent.fitting import Figure, Fitted
from ai.opponent.registry import tactics
from ui.toolkit.i18n import first_text, t

LEAST = 5
"""Chances below which nothing is said of a kind."""

_LEAST_MOVES = 50


@dataclass(frozen=True, slots=True)
class Habit:
    """A line of the list: what is overlooked, how often, and the `share` with its interval; None of it where too little
    is known."""

    text: str
    count: str
    share: Figure | None


def habits_of(game: str, fitted: Fitted) -> list[Habit]:
    """Return a line for each kind of chance."""
    return [_habit(game, kind, fitted) for kind in fitted.rates]


def _habit(game: str, kind: str, fitted: Fitted) -> Habit:
    missed, met = fitted.tally.missed.get(kind, (0, 0))
    text = first_text(f"habits.{game}.{kind}", f"habits.{kind}", default=kind)
    if met < LEAST:
        return Habit(text, t("habits.too_few", missed=missed, met=met) if met else t("habits.never"), None)
    return Habit(text, t("habits.count", missed=missed, met=met), fitted.rates[kind])


def depth_text(game: str, fitted: Fitted) -> str:
    """Say how far the person looks ahead; empty where that was not compared, or too little is known."""
    known = len(tactics(game).depths) > 1 and fitted.tally.moves >= _LEAST_MOVES
    return t("habits.depth", count=fitted.depth) if known else ""


def share_text(share: Figure) -> str:
    """Say between which shares the true one probably is."""
    return t("habits.interval", low=f"{100 * share.low:.0f}", high=f"{100 * share.high:.0f}")
