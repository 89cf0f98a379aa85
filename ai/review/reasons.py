"""Why a move, and what threatens, as data: the words of games of rows, for a window or a page to put into sentences."""

from __future__ import annotations

from dataclasses import dataclass

SHAPES = ("five", "open_four", "double_four", "four", "open_three", "three")
"""What a stone makes in one line, strongest first; `double_four` are two fours in it."""

THREATS = (
    "five", "open_four", "double_four", "four_three", "four", "double_three", "open_three", "three", "forbidden",
)  # fmt: skip
"""What a stone makes in all lines together, strongest first; `forbidden` is where black may not play in renju."""

WINNING = ("five", "open_four", "double_four", "four_three", "double_three")
"""Those of `THREATS` that win unless they are answered at once."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What a move `makes` for its side, and which shapes of the other side it `blocks`; each from `SHAPES`, strongest
    first, one for each line. A shape is blocked if the other side can no longer make as much in that line."""

    makes: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
