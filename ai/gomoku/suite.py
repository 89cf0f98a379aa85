"""The positions with and without a victory by continuous fours (VCF) by which that search is judged: vcf.txt."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from games.formats.text import parse
from games.line import LinePosition
from games.registry import setup

FILE = Path(__file__).with_name("vcf.txt")
SIZE = 15

_MEMORY_MB = 16


@dataclass(frozen=True, slots=True)
class Problem:
    """A position in which the side to move wins by fours in `plies`, or, with 0, has fours but no such win.

    `plies` are those of a win that no smaller number of fours gives. `moves` lead to the position.
    """

    rule: str
    plies: int
    moves: str

    @property
    def position(self) -> LinePosition:
        found = parse(self.moves, setup("gomoku", SIZE, self.rule)).position
        assert isinstance(found, LinePosition)
        return found

    def __str__(self) -> str:
        return f"{self.rule} {'win' if self.plies else 'none'} {self.plies} {self.moves}"


def problems(file: Path = FILE) -> Iterator[Problem]:
    """Those in `file`: one a line, ``#`` begins a comment."""
    for line in file.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].split()
        if text:
            rule, _, plies, moves = text
            yield Problem(rule, int(plies), moves)


def vcf_times() -> list[float]:
    """Milliseconds in which the engine finds each of the wins, from the position to the whole line.

    Each is looked for once, so that nothing of it is in memory; loading the engine is not counted.
    """
    from ai.gomoku.engine import GomokuEngine

    wins = [problem for problem in problems() if problem.plies]
    times = []
    for rule in sorted({problem.rule for problem in wins}):
        engine = GomokuEngine(memory_mb=_MEMORY_MB)
        engine.vcf(LinePosition.empty(SIZE, SIZE, 5, rule))  # makes the tables of the rule
        for position in (problem.position for problem in wins if problem.rule == rule):
            began = time.perf_counter()
            if engine.vcf(position) is not None:
                times.append((time.perf_counter() - began) * 1000)
    return times
