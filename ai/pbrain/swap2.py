"""Swap2, which makes the first move fair: one side puts three stones, the other chooses a colour, or puts two
more and leaves the choice to the first."""

from __future__ import annotations

from ai.arena.openings import openings
from ai.player import Info
from games.formats.text import parse
from games.record import path
from games.registry import setup

_STONES = 3


def opening(size: int, rule: str) -> tuple[int, ...]:
    """Three stones that leave both sides the same chances, as far as we know; another three each time."""
    chosen = setup("gomoku", size, rule)
    short = (parse(text, chosen).cursor for text in openings(chosen, None, None))
    for node in short:
        moves = [each.move for each in path(node) if each.move is not None]
        if len(moves) == _STONES:
            return tuple(moves)
    centre = size // 2 * size + size // 2
    return centre, centre - size - 1, centre + size


def prefers_black(info: Info) -> bool:
    """Whether to swap, from what is thought of the position for white, who is to move."""
    return info.score < 0
