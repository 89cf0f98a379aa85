"""What there is to see in a position: threats that must be answered and wins that can be taken, by kind.

`ai.opponent.registry` has the kinds of each game; this module knows what can be found by playing the moves of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ai.threats import forks_of, wins_of
from games.position import Outcome, Position

WIN, BLOCK, OPENS = "win", "block", "opens"
FORK, FORK_BLOCK = "fork", "fork_block"


@dataclass(frozen=True, slots=True)
class Chance:
    """Something that the side to move sees or overlooks: its `kind`, and the `moves` of one who sees it."""

    kind: str
    moves: frozenset[int]


def at_once(position: Position, name: Callable[[Outcome], str] = lambda _end: BLOCK) -> Iterator[Chance]:
    """Yield a win at once, and what prevents the other side's: a threat that stands, called `name` of its outcome, or
    else a move that would open a win."""
    wins = wins_of(position)
    if wins:
        yield Chance(WIN, frozenset(wins))
    losing: dict[int, dict[int, Outcome]] = {}
    legal = position.legal_moves()
    for move in legal:
        after = position.play(move)
        if after.turn != position.turn and (replies := wins_of(after)):
            losing[move] = replies
    safe = frozenset(legal) - losing.keys()
    if safe and losing:
        standing = _standing(losing)
        yield Chance(OPENS if standing is None else name(standing), safe)


def _standing(losing: Mapping[int, Mapping[int, Outcome]]) -> Outcome | None:
    """Return how the other side wins by a move that it has after several moves, if there is one."""
    seen: set[int] = set()
    for replies in losing.values():
        for reply, end in replies.items():
            if reply in seen:
                return end
        seen |= replies.keys()
    return None


def with_forks(position: Position) -> Iterator[Chance]:
    """Yield what can be seen at once; where that is nothing, two threats at once that one side can make next: for games
    as small as tic-tac-toe, where no move opens a point."""
    found = tuple(Chance(BLOCK if each.kind == OPENS else each.kind, each.moves) for each in at_once(position))
    yield from found
    if found:
        return
    own = frozenset(forks_of(position))
    if own:
        yield Chance(FORK, own)
    legal = frozenset(position.legal_moves())
    safe = frozenset(move for move in legal if not forks_of(position.play(move)))
    if safe and safe != legal:
        yield Chance(FORK_BLOCK, safe)
