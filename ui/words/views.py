"""Evaluations in words. This is the one place that decides from which side a value is expressed.

A move is judged from the side that makes it: ``wins in 2``, ``84 %``. A position names the side: ``White wins in 2
moves``, ``Black +1.2``, ``Black 61 %``. Bars and graphs of positions are from the first side, with a piece of each side
at their ends. Inside ai/ scores are from the side to move, and so is what `analyse --json` prints.
"""

from __future__ import annotations

from dataclasses import dataclass

from ai.core.player import DepthStats
from ai.core.score import Score, margin_of, side_wins
from ai.players.opponents import opponents
from ai.review.report import View, own_moves, proof
from games.evaluation import Evaluation, ScoredLine
from games.position import FIRST, SECOND, Outcome, Position
from games.record import Node
from games.registry import Setup
from ui.toolkit.i18n import t
from ui.words.games import short_side, side_name
from ui.words.move_words import move_name
from ui.words.numbers import count_text, percent_text, score_text

BALANCED, BETTER, WINNING = 0.56, 0.7, 0.9
"""Win probabilities of the better side: below the first a position is called even, from the others on it is called
better and winning; in between, slightly better."""


def view_sentence(
    setup: Setup, position: Position, evaluation: Evaluation | None, seen: View | None = None
) -> str:
    """The evaluation of a position in words: ``Black wins in 4 moves``, ``A draw with best play``, ``White is slightly
    better``; empty if there is none, or the game is over. `seen` is the view of the position, which goes first; None if
    there is none."""
    if position.outcome is not None:
        return ""
    seen = seen or proof(position, evaluation)
    if seen is not None:
        return _view_text(setup.game, position, seen)
    wins = first_side_wins(setup, position, evaluation)
    return "" if wins is None else _chance_sentence(setup.game, wins)


def player_view_sentence(setup: Setup, position: Position, known: Evaluation, name: str) -> str:
    """What a weak player called `name`, who is to move, thinks of its position: ``Novice sees nothing special``."""
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
    """The first side's win probability, from 0 to 1, a draw being half a win; None if nothing is known. `ending` is an
    outcome by other means than the rules, such as a resignation."""
    outcome = position.outcome or ending
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == FIRST)
    known = None if seen is None else _proven_wins(position, seen)
    if known is not None or evaluation is None or not _is_worth_telling(setup, evaluation):
        return known
    return side_wins(setup, evaluation, position.turn, position.ply, FIRST)


def move_outlook(setup: Setup, position: Position, known: ScoredLine, side: int, short: bool = False) -> str:
    """The score of a move of `side`, by the evaluation `known` of `position`, which is before or after it: its win
    probability, ``72 %``, or what is proven: ``wins in 3``, ``loses in 3``, ``wins by 12``, ``draw``. If `short`, a win
    is ``in 3``. Empty for a mere estimate in a solved game."""
    if known.mate is not None:
        winner = FIRST if known.mate > 0 else SECOND
        if (margin := margin_of(known)) is not None:
            return margin_text(margin, winner == side, short)
        return mate_text(own_moves(position, known.line, winner, abs(known.mate)), winner == side, short)
    if known.exact:
        return t("outlook.draw")
    wins = move_wins(setup, position, known, side)
    return "" if wins is None else percent_text(100 * wins)


def mate_text(count: object, won: bool, short: bool) -> str:
    """A forced win or loss in `count` moves: ``wins in 3``, ``loses in 3``; if `short`, ``in 3``, ``−3``."""
    return t(f"outlook.{'wins' if won else 'loses'}{'.short' * short}", count=count)


def margin_text(margin: int, won: bool, short: bool) -> str:
    """A win or loss by `margin`: ``wins by 12``, ``loses by 12``; if `short`, ``by 12``, ``by −12``."""
    return t(f"outlook.{'wins' if won else 'loses'}_by{'.short' * short}", count=margin)


def line_outlook(setup: Setup, position: Position, line: ScoredLine, short: bool = False) -> str:
    """The score of the first move of `line`, found at `position`, from the side to move there; see `move_outlook`."""
    return move_outlook(setup, position, line, position.turn, short)


def player_outlook(setup: Setup, position: Position, line: ScoredLine, program: bool, short: bool = False) -> str:
    """The score of the first move of `line` as the player that found it gives it. As `line_outlook`, but for an
    external `program` its unproven score, ``+0.4`` from the side to move, whose unit is its own."""
    if not program or line.proven:
        return line_outlook(setup, position, line, short)
    return score_text(line.score if position.turn == FIRST else -line.score)


def move_wins(setup: Setup, position: Position, known: ScoredLine, side: int) -> float | None:
    """The win probability of `side` by `known`; None for a mere estimate in a solved game."""
    if known.exact and known.mate is None:
        return 0.5
    return side_wins(setup, known, position.turn, position.ply, side) if _is_worth_telling(setup, known) else None


def _is_worth_telling(setup: Setup, known: ScoredLine) -> bool:
    """Whether `known` is proven, or the game is not one that is solved at once, where an estimate says nothing."""
    return known.proven or not opponents(setup.game).solvable


def node_outlook(setup: Setup, node: Node, short: bool = False) -> str:
    """The score of the move that led to `node`; empty for the root, and without an evaluation."""
    if node.evaluation is None or node.parent is None:
        return ""
    return move_outlook(setup, node.position, node.evaluation, node.parent.position.turn, short)


def chance_text(game: str, wins: float | None) -> str:
    """The first side's win probability: ``Black's win probability: 72 %``; empty for None, and in a solved game."""
    if wins is None or opponents(game).solvable:
        return ""
    return t("view.chance", side=side_name(game, FIRST), percent=round(100 * wins))


def sides_text(game: str, wins: float) -> str:
    """Both sides' win probabilities, by that of the first side: ``Win probability: Black 61 %, White 39 %``; in a
    solved game the result: ``With best play Black wins``."""
    if opponents(game).solvable:
        return t(f"view.result.{round(2 * wins)}", first=side_name(game, FIRST), second=side_name(game, SECOND))
    first = round(100 * wins)
    names = {"first": side_name(game, FIRST), "second": side_name(game, SECOND)}
    return t("view.sides", percent=first, rest=100 - first, **names)


def lead_text(game: str, score: int) -> str:
    """The side that is better, by a score for the first side: ``Black +1.2``, ``White +0.3``; ``0.0`` for an even one.
    """
    text = score_text(abs(score))
    return f"{short_side(game, FIRST if score > 0 else SECOND)} {text}" if text[0] == "+" else text


def _proven_wins(position: Position, seen: View) -> float | None:
    """The first side's win probability if the view is a proven result, 0, 0.5 or 1; else None."""
    if seen.kind == "draw":
        return 0.5
    winner = {"wins": seen.side, "take": seen.side, "multiple": 1 - position.turn}.get(seen.kind)
    return None if winner is None else float(winner == FIRST)


def _view_text(game: str, position: Position, seen: View) -> str:
    """The sentence of a view."""
    side = side_name(game, position.turn if seen.side is None else seen.side)
    if seen.margin is not None:
        return t("view.wins_by", side=side, count=seen.margin)
    return t(f"view.{seen.kind}", side=side, count=seen.moves, move=seen.move, unit=seen.unit)


def _chance_sentence(game: str, wins: float) -> str:
    """The sentence for the first side's win probability: even, or which side is slightly better, better or winning."""
    better = max(wins, 1 - wins)
    bounds = ((BALANCED, "even"), (BETTER, "slightly"), (WINNING, "better"))
    kind = next((kind for bound, kind in bounds if better < bound), "winning")
    return t(f"view.{kind}", side=side_name(game, FIRST if wins > 0.5 else 1 - FIRST))


# What an engine's search did at each depth, as the cells of a table.


COLUMNS = ("depth", "move", "score", "nodes", "first", "hits", "seconds")


@dataclass(frozen=True, slots=True)
class Depths:
    """The iterations of a search of `position`. Each score judges the move of its row. Scores are shown only if
    `scored`: those of a weak player do not judge the position."""

    position: Position
    rows: tuple[DepthStats, ...] = ()
    scored: bool = True


def heads() -> tuple[str, ...]:
    """The titles of the columns of `cells`."""
    return tuple(t(f"depths.{name}") for name in COLUMNS)


def cells(found: Depths, row: DepthStats, short: bool) -> tuple[str, ...]:
    """The texts of a row, in the order of `COLUMNS`. If `short`, a win is ``in 4`` and not ``wins in 4``."""
    return (
        str(row.depth), move_name(found.position, row.line.moves[0]), _score_cell(found, row, short),
        count_text(row.nodes), _rate_cell(row.first_cut_rate), _rate_cell(row.hit_rate), _seconds_cell(row.seconds),
    )  # fmt: skip


def outcome_of(found: Depths, row: DepthStats) -> int:
    """1 if the row proves a win of the side to move, -1 for a loss, 0 if it proves neither or scores are not shown."""
    mate = Score(row.line.score).mate
    return 0 if mate is None or not found.scored else 1 if mate > 0 else -1


def _score_cell(found: Depths, row: DepthStats, short: bool) -> str:
    """The score of a row, or a win or loss in moves; a dash if scores are not shown."""
    if not found.scored:
        return "–"
    score, turn = Score(row.line.score), found.position.turn
    if score.mate is None:
        return score_text(score)
    count = own_moves(found.position, row.line.moves, turn if score.mate > 0 else 1 - turn, abs(score.mate))
    return mate_text(count, score.mate > 0, short)


def _rate_cell(share: float | None) -> str:
    """A share from 0 to 1 in per cent, without the sign; a dash for None."""
    return "–" if share is None else f"{100 * share:.0f}"


def _seconds_cell(seconds: float) -> str:
    """Seconds with two decimals, with fewer from 10 and from 100 on."""
    return f"{seconds:.{2 if seconds < 10 else 1 if seconds < 100 else 0}f}"


def depths_sentence(found: Depths, game: str) -> str:
    """The sentence that explains the columns; scores are from the side to move."""
    return t("depths.about", side=side_name(game, found.position.turn))
