"""The test suite of the VCF search: positions with and without a victory by continuous fours (vcf.txt)."""

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
    """A position after `moves` in which the side to move has fours; `plies` are those of the shortest win, 0 for
    none."""

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
    """Read the problems in `file`: one a line, ``#`` starts a comment."""
    for line in file.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].split()
        if text:
            rule, _, plies, moves = text
            yield Problem(rule, int(plies), moves)


def vcf_times() -> list[float]:
    """Return the milliseconds in which a loaded engine finds each win with its line."""
    from ai.gomoku.engine import GomokuEngine

    wins = [problem for problem in problems() if problem.plies]
    times = []
    for rule in sorted({problem.rule for problem in wins}):
        engine = GomokuEngine(memory_mb=_MEMORY_MB)
        engine.vcf(LinePosition.empty(SIZE, SIZE, 5, rule))  # builds the tables of the rule
        for position in (problem.position for problem in wins if problem.rule == rule):
            began = time.perf_counter()
            if engine.vcf(position) is not None:
                times.append((time.perf_counter() - began) * 1000)
    return times
