"""Games of Othello for tests."""

from __future__ import annotations

from games.formats.text import parse
from games.record import GameRecord
from games.registry import setup

SHORTEST = "f5d6c5f4e7f6g5e6e3"
"""Black takes all: the shortest game there is, by 13 : 0."""


def game(moves: str = "", size: int = 8) -> GameRecord:
    return parse(moves, setup("othello", size))


def to_a_pass(size: int = 6) -> GameRecord:
    """A game up to a position in which the side to move must pass."""
    record = game(size=size)
    while list(record.position.legal_moves()) != [-1]:
        moves = record.position.legal_moves()
        record.play(moves[record.position.ply * 7 % len(moves)])
    return record


def finished(size: int = 6) -> GameRecord:
    """A whole game with a pass in it."""
    record = to_a_pass(size)
    while record.outcome is None:
        moves = record.position.legal_moves()
        record.play(moves[record.position.ply * 7 % len(moves)])
    return record
