"""Make the puzzles of the program: mine games of labels and of matches, grade what is found, and pack it.

    nice -n 19 python -m ai.lab.make_puzzles mine FOLDER --rule renju GAMES.jsonl…
    nice -n 19 python -m ai.lab.make_puzzles grade FOLDER
    python -m ai.lab.make_puzzles pack FOLDER assets/puzzles/puzzles.jsonl

GAMES.jsonl are journals of `ai.lab.deep_labels`; with `--game connect4` or `tictactoe` instead of `--rule` the games
are played here, by levels against each other. A file in FOLDER holds what a number of games have yielded; one that
exists is not made again, so that the same command goes on where it was stopped. `grade` lets each level of a game try
each puzzle, and writes FOLDER/graded.jsonl, which it continues, too. `pack` takes also what is not graded yet.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import count, islice
from pathlib import Path
from random import Random

from ai.core.elo import expected
from ai.core.player import Limit, answer
from ai.gomoku.engine import GomokuEngine
from ai.lab.label_gomoku import whole_lines
from ai.players.levels import level_elos
from ai.players.opponents import opponents
from ai.players.table import Context, make
from ai.puzzles.collection import key
from ai.puzzles.puzzle import Puzzle, image, line, mine, missed, prover, read, right_move, write
from ai.search.proving import Prover
from games.record import GameRecord
from games.registry import GAMES, setup

_NODES = 10_000  # a move, to the end of a labelled game
_BATCH = 4  # games in a file
_TRIES = 2  # of each level


Play = Callable[[], GameRecord]
"""Plays a game, or the rest of one, which takes a while."""

Find = Callable[[GameRecord, Prover], Iterator[Puzzle]]


def _labelled(files: Sequence[Path], rule: str) -> Iterator[Play]:
    """Yield the games of journals, which end where the result is proven; they are played to their end."""
    of, engine = setup("gomoku", 15, rule), GomokuEngine(memory_mb=16)

    def play(moves: Sequence[int]) -> GameRecord:
        record = GameRecord(of)
        for move in moves:
            record.play(move)
        while record.outcome is None:
            record.play(answer(engine, record.position, Limit(nodes=_NODES)).move)
        return record

    for file in files:
        for game in map(json.loads, file.read_text(encoding="ascii").splitlines()[1:]):
            if game["result"]:  # a draw takes long to play, and has no win
                yield partial(play, game["moves"])


def _by_levels(game: str) -> Iterator[Play]:
    """Yield games of the weakest levels against each other, without end: the others take long, and miss few wins."""
    levels = 2

    def play(number: int) -> GameRecord:
        record = GameRecord(setup(game))
        names = (f"level:{1 + number % levels}", f"level:{1 + number // levels % levels}")
        seats = [make(name, Context(game, seed=2 * number + side)) for side, name in enumerate(names)]
        while record.outcome is None:
            record.play(answer(seats[record.position.turn], record.position, Limit()).move)
        return record

    return (partial(play, number) for number in count())


def mine_all(games: Iterator[Play], folder: Path, name: str, by: Prover, finds: Sequence[Find]) -> None:
    """Mine batch after batch, with each of `finds`."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    while batch := list(islice(games, _BATCH)):
        file = folder / f"{name}-{number:05}.jsonl"
        if not file.exists():
            records = [play() for play in batch]
            found = [puzzle for record in records for find in finds for puzzle in find(record, by)]
            write(file, found)
            print(f"{file.name}: {len(found)} puzzles", flush=True)
        number += 1


def grade(puzzle: Puzzle, by: Prover) -> Puzzle:
    """Let each level try to find the first move of the puzzle."""
    solved = []
    for level in range(1, len(opponents(puzzle.game).levels) + 1):
        right = 0
        for seed in range(_TRIES):
            with closing(make(f"level:{level}", Context(puzzle.game, seed=seed))) as player:
                move = answer(player, puzzle.position, Limit()).move
            right += move == puzzle.move or right_move(puzzle, by, puzzle.position, move)
        solved.append(right / _TRIES)
    return replace(puzzle, solved=solved, rating=round(rating(solved, [each.elo for each in level_elos(puzzle.game)])))


def rating(solved: Sequence[float], elos: Sequence[float]) -> float:
    """Return the Elo of a player who solves half of such puzzles: with it, the levels are expected to solve as many as
    did. A level less and one more, of which one solves it and one does not, keep it finite."""
    elos = [min(elos) - 400, *elos, max(elos) + 400]
    wanted, low, high = 1 + sum(solved), min(elos) - 2_000, max(elos) + 2_000
    for _ in range(60):
        middle = (low + high) / 2
        solves = sum(expected(elo - middle) for elo in elos)
        low, high = (middle, high) if solves > wanted else (low, middle)
    return low


def mined(folder: Path) -> list[Puzzle]:
    """Return all puzzles of a folder, without images of others."""
    found: dict[Hashable, Puzzle] = {}
    for file in sorted(folder.glob("*-*.jsonl")):
        for puzzle in read(file)[0].values():
            found.setdefault(image(puzzle), puzzle)
    return list(found.values())


def packed(folder: Path) -> list[Puzzle]:
    """Return all puzzles of a folder in the order in which they were found, with their grades where they have some; of
    the defences those that the strongest level finds, since after others it may see a loss that the prover does not."""
    file = folder / "graded.jsonl"
    graded = {key(puzzle): puzzle for puzzle in (read(file)[0].values() if file.exists() else ())}
    found = [graded.get(key(puzzle), puzzle) for puzzle in mined(folder)]
    return [puzzle for puzzle in found if puzzle.wins or (puzzle.solved and puzzle.solved[-1] > 0)]


def grade_all(folder: Path) -> None:
    """Grade what is not graded yet, defences first, which are not packed without, and then in a random order; append
    to FOLDER/graded.jsonl."""
    file = folder / "graded.jsonl"
    known = {key(puzzle) for puzzle in (read(file)[0].values() if file.exists() else ())}
    if not file.exists():
        write(file, [])
    whole_lines(file)  # a new grade must not be appended to a line that was cut off
    provers = {game: prover(game) for game in GAMES if opponents(game).levels}
    with file.open("a") as out:
        waiting = [puzzle for puzzle in mined(folder) if key(puzzle) not in known]
        for puzzle in sorted(Random(1).sample(waiting, len(waiting)), key=lambda puzzle: puzzle.wins):
            print(line(grade(puzzle, provers[puzzle.game])), file=out, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="ai.lab.make_puzzles")
    parser.add_argument("what", choices=("mine", "grade", "pack"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--game", default="gomoku", choices=tuple(GAMES))
    parser.add_argument("--rule", default="freestyle")
    parser.add_argument("--games", type=int, help="how many to mine at most")
    options = parser.parse_args(arguments)
    if options.what == "mine":
        games, name = _by_levels(options.game), options.game
        finds: tuple[Find, ...] = mine, missed  # levels miss many wins
        if options.game == "gomoku":
            games, name, finds = _labelled(options.files, options.rule), options.rule, (mine,)
        mine_all(islice(games, options.games), options.folder, name, prover(options.game), finds)
    elif options.what == "grade":
        grade_all(options.folder)
    else:
        puzzles = packed(options.folder)
        write(options.files[0], puzzles)
        print(f"{len(puzzles)} puzzles, {sum(puzzle.rating is not None for puzzle in puzzles)} graded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
