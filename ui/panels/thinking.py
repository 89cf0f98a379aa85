"""What the engine sees while it thinks: depth, nodes, speed, score and its best line."""

from __future__ import annotations

import pygame

from ai.player import Info
from games.position import IllegalMove, Position
from games.record import Evaluation
from ui.game.words import count_text, evaluation_text, first_side_score, move_name
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import wrapped, write
from ui.toolkit.theme import Theme

HEIGHT = 116
"""In design pixels."""


def draw_thinking(
    surface: pygame.Surface, theme: Theme, rect: pygame.Rect, position: Position, info: Info | None, nodes: int,
    known: Evaluation | None = None,
) -> None:
    """`position` is what is thought about; `nodes` is the live count, 0 when nothing is under way; `known` is the
    evaluation of the position if it is kept, and then shown."""
    palette = theme.palette
    rounded(surface, rect, palette.raised, theme.px(8))
    space = Space(rect.inflate(-2 * theme.px(12), -2 * theme.px(8)), 0)
    figures = space.top(theme.px(46))
    shown = _figures(position, info, nodes, known)
    for cell, (label, value) in zip(columns(figures, 4, theme.px(4)), shown, strict=True):
        half = cell.height // 2
        write(surface, theme, label, pygame.Rect(cell.left, cell.top, cell.width, half), 14, palette.quiet)
        write(surface, theme, value, pygame.Rect(cell.left, cell.top + half, cell.width, half), 16, bold=True)
    space.top(theme.px(6))
    if info is not None and info.stand_in and space.rest.height >= theme.px(22):
        write(surface, theme, t("thinking.stand_in"), space.top(theme.px(22)), 14, palette.info)
    lines = wrapped(theme, _line(position, info), space.rest.width, 14)
    for text in lines[: space.rest.height // theme.px(22)]:
        write(surface, theme, text, space.top(theme.px(22)), 14, palette.text if info else palette.quiet)


def _figures(
    position: Position, info: Info | None, nodes: int, known: Evaluation | None
) -> list[tuple[str, str]]:
    depth = known.depth if known else info.depth if info else 0
    score = evaluation_text(known) if known else first_side_score(info.score, position.turn) if info else "–"
    visited = max(nodes, info.nodes if info else 0)
    return [
        (t("thinking.depth"), str(depth) if depth else "–"),
        (t("thinking.nodes"), count_text(visited) if visited else "–"),
        (t("thinking.speed"), count_text(info.nodes_per_second) + "/s" if info and info.nodes else "–"),
        (t("thinking.score"), score),
    ]


def _line(position: Position, info: Info | None) -> str:
    """The principal variation in text."""
    if info is None:
        return t("thinking.idle")
    words = []
    for move in info.pv:
        try:
            following = position.play(move)
        except IllegalMove:  # a line from a table may end in a move that does not fit here
            break
        words.append(move_name(position, move))
        position = following
    return " ".join(words)
