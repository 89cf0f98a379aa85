"""Names of games, their rules, sizes and sides."""

from __future__ import annotations

from games.registry import GAMES, Setup
from ui.toolkit.i18n import first_text


def game_name(game: str) -> str:
    return first_text(f"game.{game}", default=game.title())


def short_name(game: str) -> str:
    return first_text(f"game.{game}.short", default=game_name(game))


def game_about(game: str) -> str:
    """What one does in it, in a sentence."""
    return first_text(f"game.{game}.about")


def setup_name(setup: Setup) -> str:
    """The game with what was chosen of it: ``Gomoku · 15×15 · Freestyle``."""
    game = GAMES[setup.game]
    parts = [game_name(setup.game)]
    if len(game.sizes) > 1:
        parts.append(size_name(setup.game, setup.size))
    if len(game.rules) > 1:
        parts.append(rule_name(setup.rule))
    return " · ".join(parts)


def rule_name(rule: str) -> str:
    return first_text(f"rule.{rule}", default=rule.title())


def size_name(game: str, size: int) -> str:
    """``15×15``, ``21 bones``."""
    board = GAMES[game].board
    return first_text(f"size.{game}", default="×".join(map(str, board(size))) if board else str(size), count=size)


def side_name(game: str, side: int) -> str:
    """``Black``, ``X``, ``First``."""
    return first_text(f"side.{game}.{side}", default=GAMES[game].sides[side].title())


def short_side(game: str, side: int) -> str:
    """`side_name` for a narrow button."""
    return first_text(f"side.{game}.{side}.short", default=side_name(game, side))
