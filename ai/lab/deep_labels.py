"""Label positions of 3 to 18 stones from balanced openings, which fits of the evaluation learn from.

    nice -n 19 python -m ai.lab.deep_labels games FOLDER --rule freestyle --seed 1 --count 100000
    python -m ai.lab.deep_labels pack FOLDER --rule freestyle --out ai/lab/labels/freestyle.jsonl.xz

A game begins with random stones near the centre that a search of `--nodes` finds within ±150, goes on with two engines
of different strength, and from some position on the engine plays alone, with `--game-nodes` a move and no random ones,
to the end or a proven result. From that position on each one of up to 18 stones is searched with `--nodes` and an empty
table, unless the file has it, or one of its eight images, already, or its move is forced.

FOLDER/RULE-SEED.jsonl is a journal (`ai.arena.journal`): a line that tells which search labels, then one for each game:
its moves; how many of them are the `opening`, and how many were played before the engine was `alone`; the `result` for
black, 1, 0 or -1; and `labels` ``[ply, best move, score]``, where the score is that of `ai.core.score` for the side to
move. Stop at any time: the same command goes on after the last game. `pack` joins the journals of a rule, without
positions that occur twice, and compresses them. The signature of the search (`ai.lab.engine_speed`) tells labels of
different searches apart; they are not joined.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from ai.arena.arena import exit_on_errors
from ai.arena.journal import BadJournal, Journal, locked
from ai.core.player import Info, Limit, answer
from ai.gomoku.book import SIZE, canonical
from ai.gomoku.engine import RULES, GomokuEngine
from ai.gomoku.kernels.board import is_illegal, make
from ai.gomoku.kernels.evaluate import evaluate, reset
from ai.gomoku.kernels.movegen import list_root_moves
from ai.gomoku.tables import cell_of
from ai.lab.engine_speed import signature
from ai.lab.gomoku_labels import Game, Label
from ai.lab.make_openings import random_opening
from ai.lab.selfplay import Sample, Searcher
from ai.system.version import VERSION
from games.fields import anything, checked, decode
from games.formats.text import parse
from games.line import LinePosition
from games.registry import GAMES, setup
from games.storage import write_atomic

_STONES = range(3, 7)  # in an opening
_BALANCED = 150  # greatest score of an opening
_LAST = 18  # stones of the last position to label
_ALONE = range(3, 16)  # stones from which the engine plays alone, at the earliest those of the opening
_STRENGTHS = ((200, 160), (1_000, 160), (1_000, 60), (5_000, 60), (5_000, 0), (20_000, 0))
"""Nodes and noise (`kernels.parameters`) of the engines that go on from the opening."""
_LONGEST = 150  # plies; a longer game is a draw

Stones = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Search:
    """Which search labels which positions; equal for labels that may be joined."""

    rule: str
    nodes: int
    game_nodes: int
    version: str = VERSION
    signature: int = field(default_factory=signature)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledGame:
    """A game of a journal; see the module."""

    moves: list[int] = checked(anything)
    opening: int = checked(anything)
    alone: int = checked(anything)
    result: int = checked(anything)
    labels: list[Label] = checked(anything)

    @classmethod
    def read(cls, row: object) -> LabelledGame:
        """Decode a row of a journal. Raise `DecodeError`."""
        return decode(cls, row, "a game")

    def positions(self, rule: str) -> Iterator[LinePosition]:
        """Yield the positions of the game, from the empty board on."""
        position = _start(rule)
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position

    def distinct(self, rule: str, known: set[Stones]) -> LabelledGame:
        """Return the game with those labels only whose positions, or images, are not `known`, which they become."""
        positions, labels = list(self.positions(rule)), []
        for label in self.labels:
            shape, _ = canonical(positions[label[0]].cells)
            if shape not in known:
                known.add(shape)
                labels.append(label)
        return LabelledGame(**asdict(self) | {"labels": labels})


def _start(rule: str) -> LinePosition:
    position = setup("gomoku", SIZE, rule).start()
    assert isinstance(position, LinePosition)
    return position


class DeepLabeller:
    """Makes the games of one rule. Each depends on the dice, and on the positions that are `known`, only."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._engine = GomokuEngine(memory_mb=16)
        noises = {noise for _, noise in _STRENGTHS}
        self._others = {noise: GomokuEngine(memory_mb=4, parameters={"NOISE": noise}) for noise in noises}

    def game(self, dice: random.Random, known: set[Stones]) -> LabelledGame:
        """Return a game with its labels, whose positions become `known`."""
        found = None
        while found is None:
            found = self._begun(dice)
        moves, opening, position = found
        alone, labels = len(moves), list[Label]()
        result = self._played_alone(position, moves)
        game = LabelledGame(moves=moves, opening=opening, alone=alone, result=result, labels=[])
        for ply, position in enumerate(game.positions(self._search.rule)):
            if alone <= ply <= _LAST and position.outcome is None and len(position.candidates()) > 1:
                shape, _ = canonical(position.cells)
                if shape not in known:
                    known.add(shape)
                    info = self._fresh(position, self._search.nodes)
                    labels.append((ply, info.move, int(info.score)))
        return LabelledGame(**asdict(game) | {"labels": labels})

    def _fresh(self, position: LinePosition, nodes: int) -> Info:
        self._engine.forget()
        return answer(self._engine, position, Limit(nodes=nodes))

    def _opening(self, dice: random.Random) -> tuple[list[int], LinePosition] | None:
        """Return random moves and the position after them, or None if it is not balanced. A short search rejects most
        of those."""
        where = setup("gomoku", SIZE, self._search.rule)
        record = parse(random_opening(where, dice, dice.choice(_STONES)), where)
        position = record.position
        assert isinstance(position, LinePosition)
        for part in (10, 1):
            score = self._fresh(position, self._search.nodes // part).score
            if abs(score) > _BALANCED * (3 if part > 1 else 1):
                return None
        return [node.move for node in record.line() if node.move is not None], position

    def _begun(self, dice: random.Random) -> tuple[list[int], int, LinePosition] | None:
        """Return the moves of an opening and of two engines after it, the moves of the opening, and the position; None
        if the opening is not balanced, or the game is over."""
        found = self._opening(dice)
        if found is None:
            return None
        moves, position = found
        opening = len(moves)
        stones, players = dice.choice(_ALONE), (dice.choice(_STRENGTHS), dice.choice(_STRENGTHS))
        for other in self._others.values():
            other.forget()
        while position.ply < stones:
            nodes, noise = players[position.turn]
            move = answer(self._others[noise], position, Limit(nodes=nodes)).move
            moves.append(move)
            position = position.play(move)
            if position.outcome is not None:
                return None
        return moves, opening, position

    def _played_alone(self, position: LinePosition, moves: list[int]) -> int:
        """Play on until the result for black is proven; add the moves to `moves`. Return it."""
        self._engine.forget()
        while position.outcome is None and position.ply < _LONGEST:
            info = answer(self._engine, position, Limit(nodes=self._search.game_nodes))
            if info.mate is not None:
                return 1 if (info.mate > 0) == (position.turn == 0) else -1
            moves.append(info.move)
            position = position.play(info.move)
        winner = None if position.outcome is None else position.outcome.winner
        return 0 if winner is None else 1 - 2 * winner


def extend(folder: Path, search: Search, seed: int, most: int) -> Iterator[LabelledGame]:
    """Add games to the journal of the `seed` until it has `most`; yield them. Raise `BadJournal` and `OSError`."""
    file = folder / f"{search.rule}-{seed}.jsonl"
    with locked(file.with_name(f"{file.name}.lock"), f"Another process adds to “{file.name}”."):
        journal = Journal(file, "run of this program", asdict(search) | {"seed": seed}, LabelledGame.read)
        known, labeller = set[Stones](), DeepLabeller(search)
        for old in journal.rows:
            old.distinct(search.rule, known)
        for number in range(len(journal.rows), most):
            game = labeller.game(random.Random(f"{search.rule} {seed} {number}"), known)
            journal.add(asdict(game))
            yield game


def pack(files: Sequence[Path], out: Path) -> int:
    """Join journals of one search into the compressed file `out`. Return the number of labels.

    Raise `BadJournal` if they are of different searches, or damaged.
    """
    heads, lines, labels, known = [], list[str](), 0, set[Stones]()
    for file in files:
        head, *rows = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines(keepends=True)
                       if line.endswith("\n"))  # fmt: skip
        heads.append({name: value for name, value in head.items() if name != "seed"})
        if heads[-1] != heads[0]:
            raise BadJournal(f"“{file.name}” has the labels of another search than “{files[0].name}”.")
        for row in rows:
            game = LabelledGame.read(row).distinct(head["rule"], known)
            if game.labels:
                labels += len(game.labels)
                lines.append(_line(asdict(game)))
    out.parent.mkdir(exist_ok=True)
    write_atomic(out, lzma.compress("".join([_line(heads[0]), *lines]).encode("ascii"), preset=9))
    return labels


def packed(file: Path) -> tuple[dict[str, Any], list[LabelledGame]]:
    """Return which search labelled the games of a packed file, and the games."""
    head, *rows = (json.loads(line) for line in lzma.decompress(file.read_bytes()).splitlines())
    return head, [LabelledGame.read(row) for row in rows]


def samples(
    rule: str, games: Iterable[Game], late: bool = False, nodes: int = 0
) -> Iterator[tuple[list[Sample], float]]:
    """Yield the samples (`ai.lab.selfplay`) of the labels of each game, and its result for black: 1, 0.5 or 0; NaN if
    it is not kept.

    With `late`, those of the positions after `_LAST` stones instead, with the move of the game, and with the present
    static evaluation as score: a fit that begins with the present weights forgets them less. With `nodes`, a search of
    so many, with an empty table, labels the positions anew, so that they may be of games of another rule: such a game
    ends where `rule` forbids its move. Positions with a five, or in which an open four can be made, are left out.
    """
    searcher = Searcher(RULES[rule], SIZE, nodes)
    st, tb = searcher.board.state, searcher.board.tables
    for game in games:
        reset(st, tb)
        found = list[Sample]()
        labels = [(ply, move, None) for ply, move in enumerate(game.moves) if ply > _LAST] if late else game.labels
        known = {ply: (best, score) for ply, best, score in labels if late or score is not None}
        for ply, move in enumerate([*game.moves, None]):
            if ply in known and searcher.wanted() and list_root_moves(st, tb):
                best, score = known[ply]
                cell = cell_of(best, SIZE)
                if nodes:
                    searcher.forget()
                    score, cell = searcher.search()
                found.append(searcher.sample(int(evaluate(st, tb)) if score is None else score, cell))
            if move is None or is_illegal(st, tb, cell_of(move, SIZE)):
                break
            make(st, tb, cell_of(move, SIZE))
        yield found, math.nan if game.result is None else (game.result + 1) / 2


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, separators=(",", ":")) + "\n"


@exit_on_errors()
def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("games", "pack"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rule", choices=GAMES["gomoku"].rules, default="freestyle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100_000, help="games in the file at the end")
    parser.add_argument("--nodes", type=int, default=100_000, help="for a label")
    parser.add_argument("--game-nodes", type=int, default=20_000, help="for a move of the games")
    parser.add_argument("--out", type=Path, help="of `pack`")
    given = parser.parse_args(arguments)
    if given.kind == "pack":
        if given.out is None:
            parser.error("`pack` needs --out.")
        files = sorted(given.folder.glob(f"{given.rule}-*.jsonl"))
        if not files:
            parser.error(f"“{given.folder}” has no labels of {given.rule}.")
        print(f"{pack(files, given.out)} labels, {given.out.stat().st_size} bytes")
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    labels = 0
    for game, number in zip(
        extend(given.folder, Search(given.rule, given.nodes, given.game_nodes), given.seed, given.count), count(1),
    ):  # fmt: skip
        labels += len(game.labels)
        print(f"{number} games, {labels} labels", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
