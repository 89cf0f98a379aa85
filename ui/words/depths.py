"""What an engine's search did at each depth, as the cells of a table."""

from __future__ import annotations

from dataclasses import dataclass

from ai.player import DepthStats
from ai.review.view import own_moves
from ai.score import Score
from games.position import Position
from ui.toolkit.i18n import t
from ui.words.games import side_name
from ui.words.moves import move_name
from ui.words.numbers import count_text, score_text
from ui.words.views import mate_text

COLUMNS = ("depth", "move", "score", "nodes", "first", "hits", "seconds")


@dataclass(frozen=True, slots=True)
class Depths:
    """The rows of a search of `position`. Scores judge the move of each depth, and are left out unless `scored`: those
    of a weak player are not those of the position."""

    position: Position
    rows: tuple[DepthStats, ...] = ()
    scored: bool = True


def heads() -> tuple[str, ...]:
    return tuple(t(f"depths.{name}") for name in COLUMNS)


def cells(found: Depths, row: DepthStats, short: bool) -> tuple[str, ...]:
    """The texts of a row; if `short`, a win is ``in 4`` and not ``wins in 4``."""
    return (
        str(row.depth), move_name(found.position, row.line.moves[0]), _score(found, row, short), count_text(row.nodes),
        _share(row.first_cut_rate), _share(row.hit_rate), _seconds(row.seconds),
    )  # fmt: skip


def outcome_of(found: Depths, row: DepthStats) -> int:
    """1 where the row proves a win of the side to move, -1 for a loss, 0 where it proves nothing."""
    mate = Score(row.line.score).mate
    return 0 if mate is None or not found.scored else 1 if mate > 0 else -1


def _score(found: Depths, row: DepthStats, short: bool) -> str:
    if not found.scored:
        return "–"
    score, turn = Score(row.line.score), found.position.turn
    if score.mate is None:
        return score_text(score)
    count = own_moves(found.position, row.line.moves, turn if score.mate > 0 else 1 - turn, abs(score.mate))
    return mate_text(count, score.mate > 0, short)


def _share(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.{2 if seconds < 10 else 1 if seconds < 100 else 0}f}"


def depths_sentence(found: Depths, game: str) -> str:
    """What the columns mean."""
    return t("depths.about", side=side_name(game, found.position.turn))
