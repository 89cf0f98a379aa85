"""The engine's view of a position in words and as a win probability, both from the first side.

Inside ai/ scores are from the side to move, and so is what `analyse --json` prints; everything that the window shows is
from the first side, but for what a move lost and the win probability beside it: those are from the side that moved, as
on the page and in the JSON of a review.
"""

from __future__ import annotations

from ai.registry import opponents
from ai.review.view import View, own_moves, proof
from ai.win_probability import side_wins
from games.evaluation import Evaluation, ScoredLine
from games.position import FIRST, Outcome, Position
from games.record import Node
from games.registry import Setup
from ui.toolkit.i18n import t
from ui.words.games import side_name
from ui.words.numbers import percent_text

BALANCED, BETTER, WINNING = 0.56, 0.7, 0.9
"""Win probabilities of the better side: below the first a position is called even, from the others on it is called
better and winning; in between, slightly better."""


def view_sentence(
    setup: Setup, position: Position, evaluation: Evaluation | None, seen: View | None = None
) -> str:
    """``Black wins in 4 moves``, ``A draw with best play``, ``White is slightly better``; empty where nothing is known
    and where the game is over. `seen` is the view of the position, None while it is not known."""
    if position.outcome is not None:
        return ""
    seen = seen or proof(position, evaluation)
    if seen is not None:
        return _view_text(setup.game, position, seen)
    wins = first_side_wins(setup, position, evaluation)
    return "" if wins is None else _chance_words(setup.game, wins)


def opinion(setup: Setup, position: Position, known: Evaluation, name: str) -> str:
    """What a weak player called `name`, who is to move, thinks of its own position: ``Novice sees nothing special``."""
    if known.mate is not None:
        plies = known.mate if position.turn == FIRST else -known.mate
        count = own_moves(position, known.line, position.turn, plies)
        return t("view.own.win", name=name, count=count) if plies > 0 else t("view.own.loss", name=name)
    wins = side_wins(setup, known, position.turn, position.ply, position.turn)
    return t("view.own.good" if wins > BETTER else "view.own.bad" if wins < 1 - BETTER else "view.own.even", name=name)


def first_side_wins(
    setup: Setup, position: Position, evaluation: Evaluation | None, seen: View | None = None,
    ending: Outcome | None = None,
) -> float | None:
    """Win probability of the first side, 0 to 1, a draw being half a win; None where nothing is known. `ending` is an
    end outside the rules."""
    outcome = position.outcome or ending
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == FIRST)
    known = None if seen is None else _certain(position, seen)
    if known is not None or evaluation is None or not _tells(setup, evaluation):
        return known
    return side_wins(setup, evaluation, position.turn, position.ply, FIRST)


def outlook(setup: Setup, position: Position, known: ScoredLine, short: bool = False) -> str:
    """``72 %``, the first side's win probability, or what is proven of it: ``wins in 3``, ``draw``; if `short`, without
    saying who wins. Empty for an estimate in a game that is solved."""
    if known.mate is not None:
        winner = FIRST if known.mate > 0 else 1 - FIRST
        key = "in" if short else "wins" if winner == FIRST else "loses"
        return t(f"outlook.{key}", count=own_moves(position, known.line, winner, abs(known.mate)))
    if known.exact:
        return t("outlook.draw")
    if not _tells(setup, known):
        return ""
    return percent_text(100 * side_wins(setup, known, position.turn, position.ply, FIRST))


def line_wins(setup: Setup, position: Position, known: ScoredLine) -> float | None:
    """Win probability of the first side by `known`; None for an estimate in a game that is solved."""
    if known.exact and known.mate is None:
        return 0.5
    return side_wins(setup, known, position.turn, position.ply, FIRST) if _tells(setup, known) else None


def _tells(setup: Setup, known: ScoredLine) -> bool:
    """Whether there is anything to say of `known`: no estimate where the result is found at once."""
    return known.proven or not opponents(setup.game).solvable


def node_outlook(setup: Setup, node: Node, short: bool = False) -> str:
    """The same for a position of a game; empty where nothing is known."""
    return "" if node.evaluation is None else outlook(setup, node.position, node.evaluation, short)


def chance_text(game: str, wins: float | None) -> str:
    """``Black's win probability: 72 %``; empty where nothing is known, and in a game that is solved."""
    if wins is None or opponents(game).solvable:
        return ""
    return t("view.chance", side=side_name(game, FIRST), percent=round(100 * wins))


def _certain(position: Position, seen: View) -> float | None:
    """What a view makes certain."""
    if seen.kind == "draw":
        return 0.5
    winner = {"wins": seen.side, "take": seen.side, "multiple": 1 - position.turn}.get(seen.kind)
    return None if winner is None else float(winner == FIRST)


def _view_text(game: str, position: Position, seen: View) -> str:
    side = side_name(game, position.turn if seen.side is None else seen.side)
    return t(f"view.{seen.kind}", side=side, count=seen.moves, move=seen.move, unit=seen.unit)


def _chance_words(game: str, wins: float) -> str:
    better = max(wins, 1 - wins)
    bounds = ((BALANCED, "even"), (BETTER, "slightly"), (WINNING, "better"))
    kind = next((kind for bound, kind in bounds if better < bound), "winning")
    return t(f"view.{kind}", side=side_name(game, FIRST if wins > 0.5 else 1 - FIRST))
