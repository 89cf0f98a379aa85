"""Measure the Elo of the levels by a match of each against the one below.

``python -m ai.lab.ladder --games 40`` writes ladder.json, which the program reads, and LEVELS.md. Levels are limited by
nodes and not by time, so the ladder holds on other machines. With ``--resume FOLDER`` it goes on where it was killed.

``python -m ai.lab.ladder --game gomoku --place mcts --nodes 9000 --against 5`` places another player on the ladder by a
match against one level. It gets the nodes of a second.
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

from ai.arena.arena import (
    ArenaError,
    Match,
    MatchProgress,
    Options,
    Standing,
    add_resume,
    add_workers,
    exit_on_errors,
    run,
)
from ai.lab.node_match import NodeMatch, Scores
from ai.players.levels import LADDER, elo_by_matches, number_of
from ai.players.opponents import ANCHOR_ELO, OPPONENTS, Level
from games.registry import setup
from games.storage import write_atomic

PAGE = Path(__file__).with_name("LEVELS.md")

_SECONDS = 300.0  # a move: never reached
_NODES = 1_000_000  # the same of a level, which has its own limit


def measure(
    game: str, games: int, seed: int, workers: int | None, cluster: str | None = None, folder: Path | None = None
) -> dict[str, Any]:
    """Measure the ladder of one game, as stored in ladder.json; `folder` keeps its matches."""
    steps = []
    for lower in range(1, len(OPPONENTS[game].levels)):
        names = f"level:{lower + 1}", f"level:{lower}"
        match = Match(names, setup(game), _SECONDS, seed, grace=_SECONDS)
        kept = folder / f"{game}-{lower + 1}.jsonl" if folder else None
        progress = MatchProgress(tenths=False)
        standing = run(match, Options(games=games, resume=kept, workers=workers, cluster=cluster), progress)
        progress.meter.clear()
        steps.append(_step(lower, standing))
        print(f"{game} {names[0]} against {names[1]}: {standing}", file=sys.stderr, flush=True)
    level, elo = OPPONENTS[game].anchor, ANCHOR_ELO
    return {"anchor": {"level": level, "elo": elo}, "steps": steps, "levels": list(chain(steps, level, elo))}


def place(
    match: NodeMatch, games: int, workers: int | None, cluster: str | None = None, folder: Path | None = None
) -> dict[str, Any]:
    """Measure a player by a match against a level, as stored in ladder.json; `folder` keeps the match."""
    kept = folder / f"{match.game}-{match.names[0].replace(':', '-')}.jsonl" if folder else None
    scores = Scores()
    for scores in match.run(games, workers, cluster, kept):
        print(f"{match.game} {' against '.join(match.names)}: {scores}", file=sys.stderr, flush=True)
    counts = dict(zip(("wins", "draws", "losses"), scores.record, strict=True))
    figures = {"elo": round(scores.elo.elo, 1), "error": round(scores.elo.error, 1)}
    return {"level": int(number_of(match.names[1])), "nodes": match.nodes[0], "games": len(scores), **counts, **figures}


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
    for game, measured in data["games"].items():
        anchor = measured["anchor"]
        made = f"Measured on {measured['date']} by `{measured['command']}`."
        title = f"## {game}: level {anchor['level']} = {anchor['elo']:.0f}"
        parts += ["", title, "", made, "", *_table(game, measured)]
        if placed := measured.get("players"):
            parts += ["", _PLACED, "", *_players(game, placed)]
        if met := measured.get("programs"):
            parts += ["", _MET, "", *_programs(met)]
    return "\n".join(parts) + "\n"


def _table(game: str, measured: dict[str, Any]) -> Iterator[str]:
    yield "| level | limits | games against the one below | W-D-L | score | Elo difference | Elo |"
    yield "|---|---|---|---|---|---|---|"
    for number, (limits, level) in enumerate(zip(OPPONENTS[game].levels, measured["levels"], strict=True), 1):
        match = "| | |"
        if number > 1:
            step = measured["steps"][number - 2]
            score = (step["wins"] + step["draws"] / 2) / step["games"]
            record = f"{step['wins']}-{step['draws']}-{step['losses']}"
            match = f"{step['games']} | {record} | {score:.0%} | {step['elo']:+.0f} ± {step['error']:.0f}"
        error = f" ± {level['error']}" if level["error"] else ""
        yield f"| {number} | {about(limits)} | {match} | {level['elo']}{error} |"


_PLACED = (
    "Other players have the nodes, or visits, that they search in about a second of one processor. Each game begins\n"
    "with a balanced opening of gomoku, or with random moves. The error combines those of the match and of the level.\n"
    "Each command begins with `python -m ai.lab.ladder`."
)


def _players(game: str, placed: dict[str, dict[str, Any]]) -> Iterator[str]:
    yield "| player | nodes | against | games | W-D-L | score | Elo | command |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, match in placed.items():
        elo = elo_by_matches(game, name)
        assert elo is not None
        score = (match["wins"] + match["draws"] / 2) / match["games"]
        record = f"{match['wins']}-{match['draws']}-{match['losses']}"
        yield (
            f"| `{name}` | {match['nodes']:,} | level {match['level']} | {match['games']} | {record} | {score:.0%} "
            f"| {elo.elo:.0f} ± {elo.error:.0f} | `{match['command']}` |"
        )


_MET = (
    "Against other programs, in freestyle, each opening with both colours, with this time for a move; a level stops\n"
    "at its nodes. The program `…` is that of ai/lab/STRENGTH.md. `python main.py arena` played the matches; the\n"
    "results are entered in ladder.json by hand."
)


def _programs(met: dict[str, dict[str, Any]]) -> Iterator[str]:
    yield "| player | program | a move | games | W-D-L | score | date | command |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, match in met.items():
        counts = [match[each] for each in ("wins", "draws", "losses")]
        score = (counts[0] + counts[1] / 2) / sum(counts)
        yield (
            f"| `{name}` | {match['program']} | {match['seconds']:g} s | {sum(counts)} | {'-'.join(map(str, counts))} "
            f"| {score:.1%} | {match['date']} | `{match['command']}` |"
        )


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


@exit_on_errors(ArenaError)
def ladder() -> dict[str, Any]:
    """Return the contents of `LADDER`, with how each figure was measured."""
    found: dict[str, Any] = json.loads(LADDER.read_text(encoding="utf-8")) if LADDER.exists() else {"games": {}}
    return found


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.ladder", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=40, help="games of each match")
    known = [game for game, entry in OPPONENTS.items() if entry.levels]
    parser.add_argument("--game", choices=known, action="append", help="only this game (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", metavar="PLAYER", help="place this player on the ladder")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="for a move of that player")
    parser.add_argument("--against", type=int, default=1, metavar="LEVEL", help="the level that it plays against")
    parser.add_argument("--plies", type=int, default=4, help="of random openings")
    add_workers(parser, None)
    add_resume(parser, "FOLDER")
    options = parser.parse_args(arguments)
    data = ladder()
    for game in options.game or known:
        entry, where = data["games"].setdefault(game, {}), (options.workers, options.cluster, options.resume)
        today = {"date": datetime.now(UTC).date().isoformat()}
        command = f"--game {game} --games {options.games} --seed {options.seed}"
        if options.place is None:
            command = f"python -m ai.lab.ladder {command}"
            entry.setdefault("players", {})
            entry |= {"command": command} | today | measure(game, options.games, options.seed, *where)
            continue
        names = options.place, f"level:{options.against}"
        match = NodeMatch(game, names, (options.nodes, _NODES), options.plies, options.seed)
        command = f"--place {options.place} --nodes {options.nodes} --against {options.against} {command}"
        command += f" --plies {options.plies}" * (options.plies != parser.get_default("plies"))
        found = place(match, options.games, *where)
        entry.setdefault("players", {})[options.place] = {"command": command} | today | found
    write_atomic(LADDER, (json.dumps(data, indent=1) + "\n").encode())
    write_atomic(PAGE, page(data).encode())
    print(f"Written: {LADDER} and {PAGE}.")


if __name__ == "__main__":
    main(sys.argv[1:])
