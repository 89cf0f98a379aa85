"""Count the known wins that settings of the gomoku engine prove, and the known errors that they make again.

    python -m ai.lab.proofs threats.jsonl blunders.jsonl --nodes 200000 engine engine:REPLY=0

Each line of the first file has the `moves` to a position that the side to move wins, each of the second also its `bad`
move. A new player searches each position.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ai.arena.arena import exit_on_errors
from ai.lab.regret import fresh
from games.formats.text import parse
from games.line import LinePosition
from games.registry import setup


def positions(file: Path) -> Iterator[tuple[LinePosition, dict[str, Any]]]:
    """Yield the position of each line, with the line."""
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        position = parse(row["moves"], setup("gomoku", 15, "freestyle")).position
        assert isinstance(position, LinePosition)
        yield position, row


def proven(name: str, wins: Path, nodes: int) -> list[bool]:
    """Return of each position whether the player proves the win."""
    return [(fresh(name, position, nodes).mate or 0) > 0 for position, _ in positions(wins)]


def repeated(name: str, errors: Path, nodes: int) -> list[bool]:
    """Return of each position whether the player plays the bad move."""
    return [
        position.move_text(fresh(name, position, nodes).move) == row["bad"] for position, row in positions(errors)
    ]


@exit_on_errors()
def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wins", type=Path)
    parser.add_argument("errors", type=Path)
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.add_argument("--nodes", type=int, default=200_000)
    given = parser.parse_args(arguments)
    for name in given.players:
        found, again = proven(name, given.wins, given.nodes), repeated(name, given.errors, given.nodes)
        print(f"{name}: {sum(found)} of {len(found)} proven, {sum(again)} of {len(again)} errors again", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
