"""What the engine sees while it thinks: depth, nodes, speed, score and its best line."""

from __future__ import annotations

import pygame

from ai.searches import Search
from games.evaluation import Evaluation
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import LINE, write, write_paragraph
from ui.toolkit.theme import Theme
from ui.words.moves import line_names
from ui.words.numbers import count_text, score_text

HEIGHT = 116
"""In design pixels."""

_SHARES = (0.2, 0.26, 0.3, 0.24)  # of the width for depth, nodes, speed and score


def draw_thinking(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, search: Search | None) -> None:
    """The figures of `search`. A score is shown only if it is that of the position: not what a weaker player thinks."""
    palette = theme.palette
    known = None if search is None else search.evaluation
    if search is not None and search.by_strongest:
        known = search.node.evaluation or known
    rounded(surface, rect, palette.raised, theme.px(8))
    space = Space(rect.inflate(-2 * theme.px(12), -2 * theme.px(8)), 0)
    figures = space.top(theme.px(46))
    cells = Space(figures, 0)
    for share, (label, value) in zip(_SHARES, _figures(search, known), strict=True):
        cell = cells.left(round(figures.width * share))
        half = cell.height // 2
        write(surface, theme, label, pygame.Rect(cell.left, cell.top, cell.width, half), 14, palette.quiet)
        write(surface, theme, value, pygame.Rect(cell.left, cell.top + half, cell.width, half), 16, bold=True)
    space.top(theme.px(6))
    if search is not None and search.stand_in and space.rest.height >= theme.px(LINE):
        write(surface, theme, t("thinking.stand_in"), space.top(theme.px(LINE)), 14, palette.info)
    text = " ".join(line_names(search.position, known.line)) if known is not None and search is not None else ""
    colour, most = palette.text if known else palette.quiet, space.rest.height // theme.px(LINE)
    write_paragraph(surface, theme, text or t("thinking.idle"), space.rest, colour, most)


def _figures(search: Search | None, known: Evaluation | None) -> list[tuple[str, str]]:
    info, told = (None, False) if search is None else (search.info, search.by_strongest)
    visited = max(0 if search is None else search.nodes, info.nodes if info else 0)
    return [
        (t("thinking.depth"), str(known.depth) if known and known.depth else "–"),
        (t("thinking.nodes"), count_text(visited) if visited else "–"),
        (t("thinking.speed"), count_text(info.nodes_per_second) + "/s" if info and info.nodes else "–"),
        (t("thinking.score"), score_text(known.score) if told and known and not known.proven else "–"),
    ]
