"""Measure the Elo of the levels by a match of each against the one below.

``python -m ai.lab.ladder --games 40`` writes ladder.json, which the program reads, and LEVELS.md. Levels are limited by
nodes and not by time, so the ladder holds on other machines. With ``--resume FOLDER`` it goes on where it was killed.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ai.arena.arena import ArenaError, Match, Options, Progress, Standing, run
from ai.arena.arguments import add_resume, add_workers, exiting
from ai.levels.levels import LADDER
from ai.registry import ANCHOR_ELO, OPPONENTS, Level
from games.registry import setup
from games.storage import write_atomic

PAGE = Path(__file__).with_name("LEVELS.md")

_SECONDS = 300.0  # a move: never reached


def measure(
    game: str, games: int, seed: int, workers: int | None, cluster: str | None = None, folder: Path | None = None
) -> dict[str, Any]:
    """Measure the ladder of one game, as stored in ladder.json; `folder` keeps its matches."""
    steps = []
    for lower in range(1, len(OPPONENTS[game].levels)):
        names = f"level:{lower + 1}", f"level:{lower}"
        match = Match(names, setup(game), _SECONDS, seed, grace=_SECONDS)
        kept = folder / f"{game}-{lower + 1}.jsonl" if folder else None
        progress = Progress(tenths=False)
        standing = run(match, Options(games=games, resume=kept, workers=workers, cluster=cluster), progress)
        progress.meter.clear()
        steps.append(_step(lower, standing))
        print(f"{game} {names[0]} against {names[1]}: {standing}", file=sys.stderr, flush=True)
    level, elo = OPPONENTS[game].anchor, ANCHOR_ELO
    return {"anchor": {"level": level, "elo": elo}, "steps": steps, "levels": list(chain(steps, level, elo))}


def _step(lower: int, standing: Standing) -> dict[str, Any]:
    estimate = standing.elo
    counts = {"wins": standing.count(1), "draws": standing.count(0.5), "losses": standing.count(0)}
    figures = {"elo": round(estimate.elo, 1), "error": round(estimate.error, 1)}
    return {"upper": lower + 1, "lower": lower, "games": standing.games, **counts, **figures}


def chain(steps: list[dict[str, Any]], anchor: int, elo: float) -> Iterator[dict[str, float]]:
    """Return Elo and error of each level: sums of the independent steps between it and the anchor."""
    for level in range(1, len(steps) + 2):
        between = steps[min(level, anchor) - 1 : max(level, anchor) - 1]
        away = sum(step["elo"] for step in between) * (1 if level > anchor else -1)
        yield {"elo": round(elo + away), "error": round(math.hypot(*(step["error"] for step in between)))}


# LEVELS.md.


def page(data: dict[str, Any]) -> str:
    """Format LEVELS.md from the data of ladder.json."""
    parts = [
        "# How strong the levels are\n",
        "Each level plays a match against the one below, every opening with both colours. Levels are limited by nodes",
        "and depth, not by time, so the figures are the same on every machine. Elo is relative: one level of each game",
        "is set to a round number, and the 95 % error of another level combines the errors of all steps between the",
        "two. The figures do not compare with ratings of people.",
    ]
    for game, ladder in data["games"].items():
        anchor = ladder["anchor"]
        made = f"Measured on {ladder['date']} by `{ladder['command']}`."
        parts += ["", f"## {game}: level {anchor['level']} = {anchor['elo']:.0f}", "", made, "", *_table(game, ladder)]
    return "\n".join(parts) + "\n"


def _table(game: str, ladder: dict[str, Any]) -> Iterator[str]:
    yield "| level | limits | games against the one below | W-D-L | score | Elo difference | Elo |"
    yield "|---|---|---|---|---|---|---|"
    for number, (limits, level) in enumerate(zip(OPPONENTS[game].levels, ladder["levels"], strict=True), 1):
        match = "| | |"
        if number > 1:
            step = ladder["steps"][number - 2]
            score = (step["wins"] + step["draws"] / 2) / step["games"]
            record = f"{step['wins']}-{step['draws']}-{step['losses']}"
            match = f"{step['games']} | {record} | {score:.0%} | {step['elo']:+.0f} ± {step['error']:.0f}"
        error = f" ± {level['error']}" if level["error"] else ""
        yield f"| {number} | {about(limits)} | {match} | {level['elo']}{error} |"


def about(level: Level) -> str:
    """Describe the limits of a level."""
    parts = [f"{level.depth} {'ply' if level.depth == 1 else 'plies'}"]
    if level.engine or level.depth > 1:
        parts.append(f"{level.nodes:,} nodes")
    if level.breadth:
        parts.append(f"{level.breadth} moves a node")
    if level.noise:
        parts.append(f"noise of ± {level.noise}")
    if level.error_rate:
        parts.append(f"ignores threats in {level.error_rate:.0%} of moves")
    if level.engine:
        parts.append("VCF" if level.vcf else "no VCF")
    if level.lapse_rate:
        parts.append(f"plays two levels weaker in {level.lapse_rate:.0%} of moves")
    return ", ".join(parts)


@exiting(ArenaError)
def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.ladder", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=40, help="games of each match")
    known = [game for game, entry in OPPONENTS.items() if entry.levels]
    parser.add_argument("--game", choices=known, action="append", help="only this game (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    add_workers(parser, None)
    add_resume(parser, "FOLDER")
    options = parser.parse_args(arguments)
    data = json.loads(LADDER.read_text(encoding="utf-8")) if LADDER.exists() else {"games": {}}
    for game in options.game or known:
        command = f"python -m ai.lab.ladder --game {game} --games {options.games} --seed {options.seed}"
        about = {"command": command, "date": datetime.now(UTC).date().isoformat()}
        where = options.workers, options.cluster, options.resume
        data["games"][game] = about | measure(game, options.games, options.seed, *where)
    write_atomic(LADDER, (json.dumps(data, indent=1) + "\n").encode())
    write_atomic(PAGE, page(data).encode())
    print(f"Written: {LADDER} and {PAGE}.")


if __name__ == "__main__":
    main(sys.argv[1:])
