"""Count the known wins that settings of the gomoku engine prove, and the known errors that they make again.

    python -m ai.lab.proofs threats.jsonl blunders.jsonl --nodes 200000 engine engine:REPLY=0

Each line of the first file has the `moves` to a position that the side to move wins, each of the second also its `bad`
move. A new player searches each position.

With ``--replay NODES`` each proven win is played by the rules. After every reply to each of its moves the same player
must prove a win again, with at most so many nodes. The reply that it says holds out longest is played, up to the five.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ai.arena.arena import exit_on_errors
from ai.core.player import Limit, answer
from ai.lab.regret import fresh
from ai.players.table import Context, make
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


def unproven_reply(name: str, position: LinePosition, nodes: int, most: int) -> list[str] | None:
    """Play the win that the player proves with `nodes` against every reply. Return None if it wins, else the moves to a
    position in which `most` nodes prove no win."""
    moves: list[str] = []
    with closing(make(name, Context("gomoku"))) as player:
        info = answer(player, position, Limit(nodes=nodes))
        while (info.mate or 0) > 0:
            moves.append(position.move_text(info.move))
            position = position.play(info.move)
            if position.outcome is not None:
                return None if position.outcome.winner is not None else moves
            longest = 0
            for reply in position.legal_moves():
                after = position.play(reply)
                found = answer(player, after, Limit(nodes=most)) if after.outcome is None else None
                if found is None or (found.mate or 0) <= 0:
                    return [*moves, position.move_text(reply)]
                if found.mate is not None and found.mate > longest:
                    longest, info, chosen = found.mate, found, reply
            moves.append(position.move_text(chosen))
            position = position.play(chosen)
    return moves


def repeated(name: str, errors: Path, nodes: int) -> list[bool]:
    """Return of each position whether the player plays the bad move."""
    return [
        position.move_text(fresh(name, position, nodes).move) == row["bad"] for position, row in positions(errors)
    ]


def _replay(name: str, wins: Path, found: Sequence[bool], nodes: int, most: int) -> None:
    """Print the wins that are not proven after some reply, and how many are."""
    stand = 0
    for (position, row), proved in zip(positions(wins), found, strict=True):
        if proved:
            open_line = unproven_reply(name, position, nodes, most)
            stand += open_line is None
            if open_line is not None:
                print(f"{row['moves']}: not proven after {' '.join(open_line)}", flush=True)
    print(f"{name}: {stand} of {sum(found)} wins stand against every reply", flush=True)


@exit_on_errors()
def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wins", type=Path)
    parser.add_argument("errors", type=Path)
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--replay", type=int, metavar="NODES", help="play each proven win against every reply")
    given = parser.parse_args(arguments)
    for name in given.players:
        found, again = proven(name, given.wins, given.nodes), repeated(name, given.errors, given.nodes)
        print(f"{name}: {sum(found)} of {len(found)} proven, {sum(again)} of {len(again)} errors again", flush=True)
        if given.replay is not None:
            _replay(name, given.wins, found, given.nodes, given.replay)


if __name__ == "__main__":
    main(sys.argv[1:])
