"""Measure reviews of games: how many planted blunders they find, and how many of the blunders they report are false.

    python -m ai.lab.review_check play FOLDER --games 30 --seed 1
    python -m ai.lab.review_check plant FOLDER --games 30 --seed 1
    python -m ai.lab.review_check review FOLDER
    python -m ai.lab.review_check time FOLDER

`play` makes games of the engine, or of another player, against itself, with more time than a review has. `plant` makes
such games with one move that a long search calls a blunder. Both keep the games that are already there. `review`
reviews the games of a folder; a reported blunder that was not planted is false unless a search of `LONG` seconds
confirms it. There, a second stands for `NODES_PER_SECOND`, and searches come one after the other, so that neither the
machine nor its load changes a result. `time` reviews the games of a folder by the clock and measures how long that
takes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path

from ai.arena.arena import add_workers, exiting, openings
from ai.arena.executors import run_all
from ai.core.player import Info, Limit, Player, Stop, answer
from ai.core.score import win_probability
from ai.players.table import Context, make
from ai.review.judgement import BLUNDER, BLUNDERS, MISTAKES, Judged
from ai.review.report import Reviewed, run_review
from ai.review.review import SECONDS, make_judge
from games.formats import load, native
from games.formats.text import moves_text, parse
from games.position import Position
from games.record import GameRecord, Node
from games.registry import GAMES, Setup, setup
from games.storage import write_atomic

NODES_PER_SECOND = 1_200_000
"""Speed of the engine on one of two busy cores, with a judge on each."""

LONG = 10.0
"""Seconds of each search, before and after a reported blunder, that confirm it."""

_PLAYING, _PROVING, _HONEST = 0.2, 2.0, 2.0  # seconds of a search
_BALANCED = (0.3, 0.7)  # win probabilities of positions in which a blunder is planted
_EARLIEST, _LATEST = 5, 16  # plies after the opening
_AFTERWARDS = 8  # plies that follow the blunder
_OPENING = 6  # plies of an opening, which are not judged
_LONGEST = 60  # plies of an honest game
_PLANTED = "planted"  # the comment of a move

Make = Callable[[], Player]


@dataclass(frozen=True, slots=True)
class ByNodes(Player):
    """Give `player` nodes instead of time."""

    player: Player

    @property
    def nodes(self) -> int:
        return self.player.nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        if limit.seconds is not None:
            nodes = round(limit.seconds * NODES_PER_SECOND)
            limit = replace(limit, seconds=None, nodes=nodes if limit.nodes is None else min(nodes, limit.nodes))
        for info in self.player.think(position, limit, stop):
            yield replace(info, seconds=info.nodes / NODES_PER_SECOND)

    def close(self) -> None:
        self.player.close()


def judge_by_nodes() -> Player:
    """Return a judge whose results do not depend on the load of the machine."""
    return ByNodes(make_judge("gomoku"))


def reviewed_by_nodes(record: GameRecord, seconds: float) -> Reviewed:
    """Review a game of gomoku: the same on any machine, whatever else runs."""
    return run_review(record, seconds, 0, make=judge_by_nodes)


# Games.


@dataclass(frozen=True, slots=True)
class Planter:
    """Make games with one blunder."""

    setup: Setup
    dice: random.Random
    player: Player

    def any(self, begun: Sequence[str]) -> GameRecord:
        """Return a game from one of the openings."""
        while (record := self.game(self.dice.choice(begun))) is None:
            pass
        return record

    def game(self, opening: str) -> GameRecord | None:
        """Return a game with a blunder; None if it ended or became one-sided without one."""
        record = parse(opening, self.setup)
        planted = record.position.ply + self.dice.randint(_EARLIEST, _LATEST)
        while record.position.ply < planted:
            if not self._go_on(record):
                return None
        move = self._blunder(record.position)
        if move is None:
            return None
        node = record.play(move)
        node.comment = _PLANTED
        while record.position.ply < node.position.ply + _AFTERWARDS and self._go_on(record):
            pass
        return record

    def _go_on(self, record: GameRecord) -> bool:
        if record.outcome is None:
            record.play(_searched(self.player, record.position, _PLAYING).move)
        return record.outcome is None

    def _blunder(self, position: Position) -> int | None:
        """Return a move near the stones that loses `BLUNDER` or more by a long search, if the position is balanced."""
        before = _win(self.setup, position, _searched(self.player, position, _PROVING))
        if not _BALANCED[0] <= before <= _BALANCED[1]:
            return None
        moves = list(position.candidates())
        self.dice.shuffle(moves)
        for move in moves[:6]:
            after = position.play(move)
            if after.outcome is None:
                win = 1 - _win(self.setup, after, _searched(self.player, after, _PROVING))
                if before - win >= BLUNDER:
                    return move
        return None


def honest(chosen: Setup, opening: str, player: Player) -> GameRecord:
    """Return a game of `player` against itself."""
    record = parse(opening, chosen)
    while record.outcome is None and record.position.ply < _LONGEST:
        record.play(_searched(player, record.position, _HONEST).move)
    return record


def _win(chosen: Setup, position: Position, info: Info) -> float:
    return win_probability(chosen, info.score, info.mate, position.ply)


def _searched(player: Player, position: Position, seconds: float) -> Info:
    return answer(player, position, Limit(seconds=seconds))


def make_games(
    folder: Path, games: int, seed: int, plant: bool, make: Make, workers: int = 1, cluster: str | None = None
) -> Iterator[str]:
    """Make the games that are missing in `folder`, of each rule in turn. Yield a line for each."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {number: folder / f"{number:02}.tengen.json" for number in range(games)}
    calls = [(number, seed, plant, make) for number, file in files.items() if not file.exists()]
    for number, data in run_all(_make_game, calls, workers, cluster):
        write_atomic(files[number], data)
        record = native.loads(data)
        yield f"{files[number].name} {record.setup.rule:<10} {len(record.line()) - 1} moves"


def _make_game(number: int, seed: int, plant: bool, make: Make) -> tuple[int, bytes]:
    rules = GAMES["gomoku"].rules
    chosen = setup("gomoku", rule=rules[number % len(rules)])
    begun, player = openings(chosen, None, seed), make()
    planter = Planter(chosen, random.Random(f"{seed}/{number}"), player)
    record = planter.any(begun) if plant else honest(chosen, begun[number // len(rules)], player)
    return number, native.dumps(record)


# Reviews.


@dataclass(frozen=True, slots=True)
class Checked:
    """A reviewed game: the verdicts on its planted blunders, other reported blunders, both as ``ply:kind(loss)``, and
    which of the latter a long search confirmed, as ``ply:loss``."""

    file: str
    rule: str
    moves: int
    planted: tuple[str, ...]
    others: tuple[str, ...]
    confirmed: tuple[str, ...]
    seconds: float
    processor_seconds: float

    def __str__(self) -> str:
        shown = " ".join((*(f"planted {each}" for each in self.planted), *self.others)) or "–"
        spent = f"{self.seconds:.0f} s ({self.processor_seconds:.0f} s of processors)"
        return f"{self.file} {self.rule:<10} {self.moves} moves, {spent}: {shown}"


def review(
    folder: Path, seconds: float, make: Make, workers: int = 1, cluster: str | None = None
) -> Iterator[Checked]:
    """Review the games of `folder`; yield them as they are finished."""
    calls = [(file.name, file.read_bytes(), seconds, make) for file in sorted(folder.glob("*.tengen.json"))]
    return run_all(_review_game, calls, workers, cluster)


def _review_game(file: str, data: bytes, seconds: float, make: Make) -> Checked:
    began, used = time.monotonic(), time.process_time()
    record = native.loads(data)
    hidden = {node.position.ply for node in record.line() if node.comment == _PLANTED}
    judged = run_review(_fresh(record), seconds, 0, make=make).moves
    bad = [move for move in judged if move.kind in BLUNDERS and move.node.position.ply > _OPENING]
    others = [move for move in bad if move.node.position.ply not in hidden]
    spent = time.monotonic() - began, time.process_time() - used
    losses = {move.node.position.ply: long_loss(record.setup, move.node, make()) for move in others}
    return Checked(
        file,
        record.setup.rule,
        len(judged),
        planted=tuple(_shown(move) for move in judged if move.node.position.ply in hidden),
        others=tuple(_shown(move) for move in others),
        confirmed=tuple(f"{ply}:{loss:.2f}" for ply, loss in losses.items() if loss >= BLUNDER),
        seconds=round(spent[0], 1),
        processor_seconds=round(spent[1], 1),
    )


def timed(folder: Path, seconds: float) -> Iterator[str]:
    """Review the games of `folder` by the clock. Yield a line for each."""
    run_review(parse("h8"), 0.01)  # loads the engine
    for file in sorted(folder.glob("*.tengen.json")):
        record, began, used = _fresh(load(file)), time.monotonic(), time.process_time()
        moves = run_review(record, seconds).moves
        spent, processors = time.monotonic() - began, time.process_time() - used
        mistakes = sum(move.kind in MISTAKES for move in moves)
        yield f"{file.name} {len(moves)} moves, {mistakes} mistakes: {spent:.1f} s ({processors:.1f} s of processors)"


def long_loss(chosen: Setup, node: Node, player: Player) -> float:
    """Return the loss of the move to `node` by searches of `LONG` seconds."""
    assert node.parent is not None
    before, after = (
        _win(chosen, each.position, _searched(player, each.position, LONG)) for each in (node.parent, node)
    )
    return before - (1 - after)


def figures(checked: Sequence[Checked]) -> dict[str, int]:
    """Return the sums over all games."""
    planted = [shown for game in checked for shown in game.planted]
    return {
        "games": len(checked),
        "moves": sum(game.moves for game in checked),
        "planted": len(planted),
        "found": sum(any(f":{alarm}(" in told for alarm in BLUNDERS) for told in planted),
        "others": sum(len(game.others) for game in checked),
        "false": sum(len(game.others) - len(game.confirmed) for game in checked),
    }


def _shown(move: Judged) -> str:
    return f"{move.node.position.ply}:{move.kind}({move.loss:.2f})"


def _fresh(record: GameRecord) -> GameRecord:
    """Return the same moves without evaluations."""
    return parse(moves_text(record.line()), record.setup)


def _check(games: Iterable[Checked], seconds: float, out: Path | None, command: str) -> Iterator[str]:
    checked = []
    for game in games:
        checked.append(game)
        yield str(game)
    checked.sort(key=lambda game: game.file)
    sums = figures(checked)
    told = "{found} of {planted} planted blunders found; {others} others, {false} of them false, in {games} games"
    yield told.format(**sums)
    if out is not None:
        head = {"command": command, "date": date.today().isoformat(), "seconds": seconds}
        found = head | sums | {"by_game": [asdict(game) for game in checked]}
        out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@exiting()
def main(arguments: Sequence[str] | None = None) -> None:
    """The command line of the tool."""
    parser = argparse.ArgumentParser(prog="python -m ai.lab.review_check", description=__doc__.split("\n")[0])
    parser.add_argument("check", choices=("play", "plant", "review", "time"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="a position, of the review")
    parser.add_argument("--player", help="that plays itself, such as level:3, instead of the engine")
    parser.add_argument("--out", type=Path, help="JSON of what a review found")
    add_workers(parser, 1)
    options = parser.parse_args(arguments)
    if options.check == "time":
        lines = timed(options.folder, options.seconds)
    elif options.check == "review":
        command = " ".join(["python -m ai.lab.review_check", *(sys.argv[1:] if arguments is None else arguments)])
        found = review(options.folder, options.seconds, judge_by_nodes, options.workers, options.cluster)
        lines = _check(found, options.seconds, options.out, command)
    else:
        own = partial(make, options.player, Context("gomoku", seed=options.seed))
        maker = own if options.player else judge_by_nodes
        planted, where = options.check == "plant", (options.workers, options.cluster)
        lines = make_games(options.folder, options.games, options.seed, planted, maker, *where)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
