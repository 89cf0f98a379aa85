"""Why a move was a mistake, in a sentence: ``Ignores White's open three: f11 was needed.``"""

from __future__ import annotations

from ai.review.judgement import Judged
from ai.review.registry import why_mistake
from ai.review.why import Why
from ui.toolkit.i18n import first_text
from ui.words.games import side_name
from ui.words.moves import move_name


def why_text(judged: Judged) -> str:
    """What the move overlooked; empty where nothing simple is true."""
    found = why_mistake(judged)
    return "" if found is None else _text(judged, found)


def _text(judged: Judged, found: Why) -> str:
    game, side = judged.before.position.game, judged.side
    after = found.kind in ("opens", "forks", "allows", "loses")
    start = judged.node.position if after else judged.before.position
    keys = (f"why.{found.kind}.{found.shape or game}", f"why.{found.kind}{'_by_fours' * found.fours}")
    return first_text(
        *keys, count=found.count, side=side_name(game, 1 - side), move=move_name(start, found.move), unit=found.move
    )
