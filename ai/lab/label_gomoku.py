"""Make what the network for gomoku learns from and is examined with: positions, and what the engine finds in them.

    nice -n 19 python -m ai.lab.label_gomoku games FOLDER --seed 1 --count 3000
    nice -n 19 python -m ai.lab.label_gomoku exam FOLDER --count 650
    python -m ai.lab.label_gomoku choose FOLDER

The engine plays against itself from random openings, with random moves in between for variety, until it has proven the
result. `games` keeps what it finds with `--nodes` at each move. `exam` plays other games in the same way, chooses four
positions of each and searches them with `--exam-nodes`, about what it does in a second on one idle core. Each game
depends on the seed and its number only.

FOLDER/games-SEED.jsonl or FOLDER/exam-SEED.jsonl gets a line for each game, in JSON: its moves, and labels ``[ply, best
move, score]``, where the score of a forced move is null. Stop at any time: the same command goes on after the last
whole line. `choose` writes ai/lab/gomoku_exam.jsonl: `--positions` of the exam that differ and are not among the games,
nor are their images.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from ai.core.player import Info, Limit, answer
from ai.gomoku.engine import GomokuEngine
from ai.lab.gomoku_labels import EXAM, Game, distinct, games_of, labels_of
from ai.lab.make_openings import random_opening
from games.formats.text import parse
from games.position import Position
from games.registry import setup
from games.storage import write_atomic

NODES, EXAM_NODES = 20_000, 1_050_000
_STONES = range(1, 10)  # in an opening
_BALANCED = 250  # greatest score of an opening
_OTHER_MOVE = 0.08  # probability of another move than the best, for variety
_CHOICE = 10  # candidates to choose that move from
_QUESTIONS = 4  # positions of a game in the exam


class Labeller:
    """Games of the engine against itself with `nodes` for each move."""

    def __init__(self, nodes: int) -> None:
        self._nodes, self._engine = nodes, GomokuEngine(memory_mb=16)

    def search(self, position: Position, nodes: int) -> Info:
        return answer(self._engine, position, Limit(nodes=nodes))

    def game(self, dice: random.Random) -> Game:
        """Return a game up to the first position with a proven result."""
        self._engine.forget()
        position, game = self._opening(dice)
        while position.outcome is None:
            candidates, score = position.candidates(), None
            move = candidates[0]
            if len(candidates) > 1:
                info = self.search(position, self._nodes)
                move, score = info.move, int(info.score)
                if info.mate is not None:
                    game.labels.append((len(game.moves), move, score))
                    break
            game.labels.append((len(game.moves), move, score))
            if dice.random() < _OTHER_MOVE:
                move = dice.choice(candidates[:_CHOICE])
            game.moves.append(move)
            position = position.play(move)
        return game

    def _opening(self, dice: random.Random) -> tuple[Position, Game]:
        """Return a random position near the centre that is about balanced."""
        while True:
            record = parse(random_opening(setup("gomoku"), dice, dice.choice(_STONES)))
            if record.outcome is None and abs(self.search(record.position, self._nodes // 4).score) < _BALANCED:
                return record.position, Game([node.move for node in record.line() if node.move is not None])

    def questions(self, nodes: int, dice: random.Random) -> Game:
        """Return a game with some of its positions labelled by a search of `nodes` on its own."""
        game = self.game(dice)
        plies = [ply for ply, _move, score in game.labels if score is not None]
        chosen = sorted(dice.sample(plies, min(_QUESTIONS, len(plies))))
        game.labels = []
        for ply in chosen:
            self._engine.forget()
            info = self.search(game.position(ply), nodes)
            game.labels.append((ply, info.move, int(info.score)))
        return game


def whole_lines(file: Path) -> int:
    """Cut off a line that a kill left unfinished; return the number of lines."""
    if not file.is_file():
        return 0
    data = file.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        os.truncate(file, len(whole))
    return whole.count(b"\n")


def extend(file: Path, count: int, make: Callable[[int], Game]) -> None:
    """Append the games that `make` returns for their numbers until the file has `count`."""
    done = whole_lines(file)
    with file.open("a", encoding="ascii") as lines:
        for number in range(done, count):
            lines.write(make(number).line())
            lines.flush()


def choose(folder: Path, file: Path, count: int) -> None:
    """Write the `count` positions of the exam. Raise `ValueError` if there are fewer."""
    games, exam = (
        [game for part in sorted(folder.glob(f"{name}-*.jsonl")) for game in games_of(part)]
        for name in ("games", "exam")
    )
    chosen = distinct(exam, labels_of(games), count)
    if (found := sum(len(game.labels) for game in chosen)) < count:
        raise ValueError(f"There are only {found} positions.")
    write_atomic(file, "".join(game.line() for game in chosen).encode("ascii"))


def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("games", "exam", "choose"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=3000, help="games in the file at the end")
    parser.add_argument("--positions", type=int, default=2000, help="of the exam to choose")
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--exam-nodes", type=int, default=EXAM_NODES)
    given = parser.parse_args(arguments)
    if given.kind == "choose":
        choose(given.folder, EXAM, given.positions)
        return
    labeller = Labeller(given.nodes)
    make = partial(labeller.questions, given.exam_nodes) if given.kind == "exam" else labeller.game
    file = given.folder / f"{given.kind}-{given.seed}.jsonl"
    extend(file, given.count, lambda number: make(random.Random(f"{given.kind} {given.seed} {number}")))


if __name__ == "__main__":
    main(sys.argv[1:])
