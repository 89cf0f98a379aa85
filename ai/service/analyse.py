"""Engine analysis of the positions of a game, as data for scripts and as text for the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ai.core.player import Info, Limit, Line, Player, answer
from ai.core.score import PROVEN, Score
from ai.players.table import kinds_text
from ai.review.report import line_sides, line_text, line_texts
from ai.search.trace import Trace, Traceable, document
from games.position import Position
from games.record import GameRecord, Node, steps
from games.registry import GAMES


def analyse(record: GameRecord, player: Player, limit: Limit, last: bool = False) -> Iterator[dict[str, Any]]:
    """Yield a dictionary for each position after a move of the main line, or with `last` for the last position only.
    A game without moves yields its start.

    The keys are those of `tengen analyse --json`, and those that `public` removes. Moves are text, scores are from the
    side to move.
    """
    nodes = record.line()
    for node in nodes[-1:] if last else nodes[1:] or nodes:
        yield _position_data(record, node, player, limit)


def _position_data(record: GameRecord, node: Node, player: Player, limit: Limit) -> dict[str, Any]:
    """Return the JSON object of a position: what `player` finds within `limit`, or the outcome of a finished game."""
    position, parent = node.position, node.parent
    data: dict[str, Any] = {
        "ply": position.ply,
        "move": None if parent is None or node.move is None else parent.position.move_text(node.move),
        "to_move": GAMES[record.setup.game].sides[position.turn],
    }
    outcome = position.outcome
    if outcome is None:
        info = answer(player, position, limit)
        return data | _info_data(position, info) | {"complete": _complete(info, limit)}
    score = Score.of_outcome(outcome, position.turn)
    nothing = {"depth": 0, "nodes": 0, "seconds": 0.0, "complete": True, "pv": [], "pv_sides": [], "lines": []}
    return data | {"best": None, "score": score, "mate": score.mate} | nothing


def _info_data(position: Position, info: Info) -> dict[str, Any]:
    """Return the part of a position's JSON object that comes from a search."""
    return {
        "best": position.move_text(info.move),
        "score": info.score,
        "mate": _mate(info.score),
        "depth": info.depth,
        "nodes": info.nodes,
        "seconds": round(info.seconds, 3),
        "pv": line_texts(position, info.pv),
        "pv_sides": line_sides(position, info.pv),
        "lines": [_line(position, line) for line in info.lines],
    }


def _complete(info: Info, limit: Limit) -> bool:
    """Return False if a limit of time or nodes stopped a search before its own end or its limit of depth.

    A search without any end but these limits is complete.
    """
    if info.complete is not None:
        return info.complete
    proven = abs(info.score) >= PROVEN or (info.lines and info.lines[0].exact)
    return limit.seconds is None or limit.depth is None or info.depth >= limit.depth or bool(proven)


def _mate(score: int) -> int | None:
    """Return the plies to the proven end, negative for a loss; None without one, or if its distance is not known."""
    return Score(score).mate or None


def _line(position: Position, line: Line) -> dict[str, Any]:
    """Return the JSON object of a line: its first move, score and principal variation."""
    pv = line_texts(position, line.moves)
    sides = line_sides(position, line.moves)
    return {"move": pv[0], "score": line.score, "mate": _mate(line.score), "pv": pv, "pv_sides": sides}


def public(facts: dict[str, Any]) -> dict[str, Any]:
    """Return `facts` without the keys for the sides of moves, which only `text_lines` needs."""
    found = {key: value for key, value in facts.items() if not key.endswith("_sides")}
    return found | {"lines": [public(line) for line in found["lines"]]} if "lines" in found else found


def enable_tracing(player: Player, name: str) -> Traceable:
    """Let `player` record its next search in an empty trace, and return it.

    Raise `ValueError` with a sentence, which calls it `name`, if it cannot record one.
    """
    if not isinstance(player, Traceable):
        able = kinds_text(lambda kind: kind.traced)
        raise ValueError(f"“{name}” does not write the tree of its search; {able} do.")
    player.trace = Trace()
    return player


def last_search(record: GameRecord, player: Traceable, name: str) -> dict[str, Any]:
    """Return the tree that `player`, called `name`, recorded of the last position in `analyse`, as JSON data."""
    node = next((node for node in reversed(record.line()) if node.outcome is None), record.root)
    moves = [before.position.move_text(after.move) for before, after in steps(node) if after.move is not None]
    return document(player.trace or Trace(), name, node.position, moves)


def text_lines(facts: dict[str, Any]) -> Iterator[str]:
    """Yield text for a person about one position of `analyse`: a line with its value and the best moves.

    It says ``unfinished`` if the search was cut off. If several lines were searched, each follows.
    """
    side = facts["to_move"]
    unfinished = "" if facts["complete"] else "unfinished  "
    yield (
        f"{facts['ply']:>3} {facts['move'] or '-':>4}  {side} {value_text(facts):<18}  {unfinished}"
        f"depth {facts['depth']}  nodes {facts['nodes']}  {line_text(facts['pv'], facts['pv_sides'])}"
    )
    if len(facts["lines"]) > 1:
        for line in facts["lines"]:
            yield f"{'':10}{line['move']:>4}  {value_text(line):<18}  {line_text(line['pv'], line['pv_sides'])}"


def value_text(found: dict[str, Any]) -> str:
    """Return the value of a position or line in words, from the side to move: ``score +120``, ``wins in 5 plies``,
    ``has lost``."""
    mate = found["mate"]
    if mate == 0:
        return "has won" if found["score"] > 0 else "has lost"
    if mate is None and abs(found["score"]) >= PROVEN:
        return "wins" if found["score"] > 0 else "loses"
    if mate is None:
        return f"score {found['score']:+}" if found["score"] else "score 0"
    return f"{'wins' if mate > 0 else 'loses'} in {abs(mate)} {'ply' if abs(mate) == 1 else 'plies'}"
