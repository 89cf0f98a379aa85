"""What a game that is played says of itself: what is to be done next, which move is shown, why no move can be made."""

from __future__ import annotations

from games.record import path
from ui.game.live_game import LiveGame
from ui.game.viewpoint import Viewpoint
from ui.toolkit.i18n import t


def next_step(live: LiveGame, viewpoint: Viewpoint) -> str:
    """The key of the words of what is to be done next, after ``play.``."""
    if viewpoint.earlier is not None:
        return "to_game"
    if live.record.outcome is not None:
        return "review"
    if live.paused:
        return "go_on"
    if live.waiting:
        return "resume"
    return "hint" if live.person_to_move else "move_now"


def viewed_text(viewpoint: Viewpoint) -> str:
    """Which earlier move is shown; empty if none is."""
    if viewpoint.earlier is None:
        return ""
    return t("play.looking", ply=len(path(viewpoint.cursor)) - 1, total=len(viewpoint.record.line()) - 1)


def refusal(live: LiveGame, viewpoint: Viewpoint) -> str:
    """Why no move can be made on the board as it is shown; empty if one can."""
    if live.record.outcome is not None:
        return t("illegal.over")
    if live.paused:
        return t("play.paused_click")
    if viewpoint.earlier is not None:
        return "" if viewpoint.position.turn in live.people else t("play.not_yours")
    return "" if live.person_to_move else t("play.wait_turn")
