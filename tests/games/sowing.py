"""A small game of sowing, for tests: no grid, extra turns, and a result with a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.game import Game
from games.position import IllegalMove, Outcome

STORES = 3, 7
"""The places of the stores; the pits of the first side come before its own, and then those of the second."""

PITS = {1: 0, 2: 1, 3: 2, 4: 4, 5: 5, 6: 6}
"""The place of the pit of each move."""


@dataclass(frozen=True)
class SowingPosition:
    """Three pits a side with two seeds each. A move sows those of an own pit, one on each of the next places; one that
    ends in the own store gives another turn. A side without seeds ends the game; each counts what it has."""

    game: ClassVar[str] = "sowing"
    places: tuple[int, ...] = (2, 2, 2, 0, 2, 2, 2, 0)
    ply: int = 0
    turn: int = 0

    @property
    def key(self) -> tuple[object, ...]:
        return self.places, self.turn

    @property
    def outcome(self) -> Outcome | None:
        if any(self.places[:3]) and any(self.places[4:7]):
            return None
        score = sum(self.places[:4]), sum(self.places[4:])
        winner = None if score[0] == score[1] else int(score[1] > score[0])
        return Outcome(winner, "score", score=score)

    def legal_moves(self) -> Sequence[int]:
        own = () if self.outcome else (4, 5, 6) if self.turn else (1, 2, 3)
        return [move for move in own if self.places[PITS[move]]]

    def candidates(self) -> Sequence[int]:
        return self.legal_moves()

    def evaluate(self) -> int:
        lead = 100 * (self.places[STORES[0]] - self.places[STORES[1]])
        return -lead if self.turn else lead

    def play(self, move: int) -> SowingPosition:
        if move not in self.legal_moves():
            raise IllegalMove("pit", "That pit cannot be sown.")
        places, at = list(self.places), PITS[move]
        seeds, places[at] = places[at], 0
        for _ in range(seeds):
            at = (at + 1) % len(places)
            places[at] += 1
        again = at == STORES[self.turn]
        return SowingPosition(tuple(places), self.ply + 1, self.turn if again else 1 - self.turn)

    def move_text(self, move: int) -> str:
        return str(move)

    def parse_move(self, text: str) -> int:
        if text.strip() not in map(str, PITS):
            raise IllegalMove("unreadable", f"“{text}” is not a pit from 1 to 6.")
        return int(text)


SOWING = Game(
    key="sowing",
    start=lambda _size, _rule: SowingPosition(),
    sizes=(3,),
    size=3,
    board=None,
    move_pattern="[1-6]",
)
