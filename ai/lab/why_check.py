"""Check the reasons of mistakes: how many mistakes of reviewed games get one, and whether each is true.

    python -m ai.lab.why_check FOLDER --mistakes 300 --seed 1

plays games of levels and of the strongest player against each other, of every game and rule in turn, reviews them, and
keeps them in FOLDER, where games that are already there are not played again, nor claims checked again. `ai.lab.claims`
checks what is said: by the rules alone, or else by a fresh search.

    python -m ai.lab.why_check FOLDER --mistakes 150 --game gomoku --judge "cmd:PROGRAM" --seconds 2

asks another player for its opinion on the judgements behind the reasons (`ai.lab.second_opinion`), and which move
decided each game. Reviews are by nodes then, so that they do not depend on what else runs.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ai.arena.arena import openings
from ai.core.player import Limit, Player, answer
from ai.lab.claims import Verdict, check
from ai.lab.review_check import judge_by_nodes
from ai.lab.second_opinion import CAUSES, Blame, SecondOpinion
from ai.players.registry import opponents
from ai.players.table import Context, make
from ai.review.insights import as_mistake, why_mistake
from ai.review.judgement import MISTAKES, Judged
from ai.review.report import Reviewed, run_review, stored_review
from games.formats import load, save
from games.formats.text import parse
from games.registry import GAMES, Setup, setup

SECONDS = 0.1
"""For each position, of the review."""

_THINKING = 0.1  # seconds of a move of the strongest player
_LEVELS = range(2, 10)


def setups() -> list[Setup]:
    """Return every game with each of its rules."""
    return [setup(key, rule=rule) for key, game in GAMES.items() for rule in game.rules]


def reviewed_games(
    folder: Path, seed: int, game: str = "", seconds: float = SECONDS, make: Callable[[], Player] | None = None
) -> Iterator[tuple[str, Reviewed]]:
    """Yield reviewed games of every game and rule in turn, or of one `game`, with their names, for ever; the new ones
    are kept in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    all_setups, number = [each for each in setups() if game in ("", each.game)], 0
    while True:
        chosen, file = all_setups[number % len(all_setups)], folder / f"{number:03}.tengen.json"
        number += 1
        if not file.exists():
            save(_reviewed_game(chosen, random.Random(f"{seed}/{number}"), seed, seconds, make).record, file)
        found = stored_review(load(file), seconds)
        if found is not None:
            yield file.name, found


def _reviewed_game(
    chosen: Setup, dice: random.Random, seed: int, seconds: float, judge: Callable[[], Player] | None
) -> Reviewed:
    """Return a game of two players drawn by `dice`."""
    levels = [number for number in _LEVELS if number <= len(opponents(chosen.game).levels)]
    names = [dice.choice([*(f"level:{number}" for number in levels), "engine"]) for _ in range(2)]
    players = [make(name, Context(chosen.game, seed=dice.randrange(1 << 30))) for name in names]
    record = parse(dice.choice(openings(chosen, None, seed)), chosen)
    while record.outcome is None:
        position = record.position
        record.play(answer(players[position.turn], position, Limit(seconds=_THINKING)).move)
    return run_review(record, seconds, None if judge is None else 0, make=judge)


# Claims.

CLAIMS = "claims.json"


def check_games(folder: Path, mistakes: int, seed: int, seconds: float | None) -> Iterator[str]:
    """Check the reasons of so many mistakes. Yield a line for each that has none or is not shown true, then sums."""
    file = folder / CLAIMS
    known: dict[str, str] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    counts, total = Counter[str](), Counter[str]()
    for name, review in reviewed_games(folder, seed):
        setup = review.record.setup
        for judged in (move for move in review.moves if move.kind in MISTAKES):
            why = why_mistake(judged)
            key = f"{name} {judged.node.position.ply} {why}"
            verdict = "none" if why is None else known.get(key, "")
            if why is not None and not verdict:
                verdict = check(setup, as_mistake(judged), why, seconds)
                known |= {key: verdict} if verdict is not Verdict.OPEN else {}
            counts[verdict] += 1
            total[f"{setup.game} {setup.rule}"] += 1
            if verdict in ("none", Verdict.LONGER, Verdict.MOOT, Verdict.OPEN, Verdict.FALSE):
                yield f"{name} {_shown(judged)}: {verdict} {why}"
        file.write_text(json.dumps(known, indent=0), "utf-8")
        if total.total() >= mistakes:
            break
    yield json.dumps(dict(total))
    yield json.dumps({"mistakes": total.total(), **counts})


def ask_second(
    folder: Path, mistakes: int, seed: int, game: str, seconds: float, second: SecondOpinion
) -> Iterator[str]:
    """Ask for a second opinion on the reasons of so many mistakes, by games reviewed with `seconds` a position. Yield a
    line for each that it does not share, for each mistake whose reason names no cause, and for each decisive move that
    is called none; then sums."""
    counts, causes, decisive, thrown = Counter[str](), Counter[bool](), Counter[bool](), Counter[bool]()
    for name, review in reviewed_games(folder, seed, game, seconds, judge_by_nodes):
        for judged in review.moves:
            why, grave = why_mistake(judged), judged.kind in MISTAKES
            caused = why is not None and why.kind in CAUSES
            if grave:
                causes[caused] += 1
            if why is None or (why.kind == "lost" and judged.kind == "good"):
                blame = Blame.RIGHT
            else:
                blame = second.blame(judged, why)
                counts[blame] += 1
            if blame is not Blame.RIGHT or (grave and not caused):
                yield f"{name} {_shown(judged)}: {blame if why else 'none'} {why}"
        decided = second.decisive(review)
        if decided is not None:
            called, throws = decided.kind in MISTAKES, second.throws_away(decided)
            decisive[called] += 1
            thrown[called] += throws
            if not called:
                yield f"{name} decided by {_shown(decided)}" + (", where another move seems to hold" if throws else "")
        told = {"reasons": counts.total(), **counts, "mistakes": causes.total(), "with a cause": causes[True]}
        told |= {"decided": decisive.total(), "called a mistake": decisive[True]}
        yield json.dumps(told | {"thrown away": thrown.total(), "of these called a mistake": thrown[True]})
        if causes.total() >= mistakes:
            return


def _shown(judged: Judged) -> str:
    position = judged.before.position
    played, best = (position.move_text(move) for move in (judged.move, judged.best))
    return f"{judged.node.position.ply}. {played} ({judged.kind}, better {best})"


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line of the tool."""
    parser = argparse.ArgumentParser(prog="python -m ai.lab.why_check", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mistakes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0, help="of a fresh search")
    parser.add_argument("--judge", default="", help="another player, for its opinion on the judgements")
    parser.add_argument("--game", default="gomoku", help="of the games that it judges")
    parser.add_argument("--review", type=float, default=SECONDS, help="seconds a position of their reviews, by nodes")
    options = parser.parse_args(arguments)
    lines = check_games(options.folder, options.mistakes, options.seed, options.seconds)
    if options.judge:
        second = SecondOpinion(make(options.judge, Context("gomoku")), options.seconds)
        lines = ask_second(options.folder, options.mistakes, options.seed, options.game, options.review, second)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
