"""Tengen's own files, `.tengen.json`: every game, the whole tree, seats, clocks, times, comments, evaluations.

One JSON object. Its `nodes` are a flat list, each node after its parent, because JSON nested as deep as
a game is long is more than many readers can follow; one node a line, so that a diff shows the moves.
A node's `parent` is an index in that list, left out when it is the node before. Whatever has its default
value is left out too, and fields that are not known are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from games.clock import TimeControl
from games.formats.common import FormatError, play, unicode_text
from games.formats.fields import Fields, well_formed
from games.position import Outcome
from games.record import Evaluation, GameRecord, Node, Seat
from games.registry import Setup, setup

VERSION = 1
MOST_NODES = 200_000
LONGEST_COMMENT = 100_000
LONGEST_NAME = 200

_MOST_SECONDS = 10**9  # thirty years
_MOST_SCORE = 10**9
_MOST_PLIES = 10**6
_LONGEST_MOVE = 20


def loads(data: bytes) -> GameRecord:
    """The record that `dumps` wrote, equal to it. Raises `FormatError`."""
    file = Fields(_parsed(data), "the file")
    _check_version(file)
    record = _begun(file)
    entries = [Fields(entry, f"node {i}") for i, entry in enumerate(file.items("nodes", 1, MOST_NODES))]
    nodes = _grow(record, entries)
    for node, entry in zip(nodes, entries, strict=True):
        _mark(node, entry)
    record.cursor = nodes[file.whole("cursor", 0, len(nodes) - 1)]
    return record


def _parsed(data: bytes) -> object:
    text = unicode_text(data)
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:  # ValueError: no JSON, or a number of thousands of digits
        message = "The file is not a game that Tengen saved, or it is damaged: it is not JSON."
        raise FormatError(message) from error


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _check_version(file: Fields) -> None:
    if not file.has("format") or file.text("format", LONGEST_NAME) != "tengen":
        raise FormatError("The file is JSON, but not a game that Tengen saved.", "foreign")
    if file.whole("version", 1, 10**9) > VERSION:
        raise FormatError("This file was made by a newer Tengen; please update.", "newer")


def _begun(file: Fields) -> GameRecord:
    """A record without moves of the game that `file` describes."""
    record = GameRecord(_setup(file), _seats(file), control=_control(file))
    record.date = file.text("date", LONGEST_NAME)  # the constructor would replace an empty date by today's
    return record


def _setup(file: Fields) -> Setup:
    game, rule, size = file.text("game", LONGEST_NAME), file.text("rule", LONGEST_NAME), file.whole("size", 1, 1000)
    try:
        return setup(game, size, rule)
    except ValueError as error:
        raise FormatError(str(error)) from error


def _control(file: Fields) -> TimeControl | None:
    try:
        return TimeControl.parse(file.text("clock", LONGEST_NAME)) if file.has("clock") else None
    except ValueError as error:
        raise FormatError(f"“clock” of the file is damaged: {error}") from error


def _seats(file: Fields) -> tuple[Seat, Seat]:
    first, second = (_seat(Fields(item, f"seat {i + 1}")) for i, item in enumerate(file.items("seats", 2, 2)))
    return first, second


def _seat(entry: Fields) -> Seat:
    return Seat(entry.text("player", LONGEST_NAME), entry.text("name", LONGEST_NAME, ""), _seconds(entry))


def _seconds(entry: Fields, key: str = "seconds") -> float | None:
    return entry.number(key, 0, _MOST_SECONDS) if entry.has(key) else None


def _grow(record: GameRecord, entries: Sequence[Fields]) -> list[Node]:
    """Plays every node's move and returns the nodes in the order of the file."""
    if entries[0].has("move"):
        raise FormatError("The file is damaged: its first node must be the start of the game, without a move.")
    nodes = [record.root]
    for index, entry in enumerate(entries[1:], 1):
        # Not `go_to`, which walks all the way from the root.
        record.cursor = parent = nodes[entry.whole("parent", 0, index - 1, index - 1)]
        siblings = len(parent.children)
        nodes.append(play(record, entry.text("move", _LONGEST_MOVE)))
        if len(parent.children) == siblings:
            raise FormatError(f"The file is damaged: node {index} repeats a move that was given before.")
    return nodes


def _mark(node: Node, entry: Fields) -> None:
    """Sets all of `node` that is not its place in the tree; once its children are there."""
    node.preferred = entry.whole("preferred", 0, max(0, len(node.children) - 1), 0)
    node.seconds, node.spent, node.comment, node.evaluation, node.ending = _marks(entry)
    if node.ending is not None and node.position.outcome is not None:
        raise FormatError(f"The file is damaged: the game is over at move {node.position.ply} and ends again.")


def _marks(entry: Fields) -> tuple[float | None, float, str, Evaluation | None, Outcome | None]:
    evaluation = _evaluation(entry.fields("evaluation")) if entry.has("evaluation") else None
    ending = _ending(entry.fields("ending")) if entry.has("ending") else None
    spent = _seconds(entry, "spent") or 0.0
    return _seconds(entry), spent, entry.text("comment", LONGEST_COMMENT, ""), evaluation, ending


def _evaluation(entry: Fields) -> Evaluation:
    mate = entry.whole("mate", -_MOST_PLIES, _MOST_PLIES) if entry.has("mate") else None
    return Evaluation(entry.whole("score", -_MOST_SCORE, _MOST_SCORE), mate, entry.whole("depth", 0, _MOST_PLIES))


def _ending(entry: Fields) -> Outcome:
    winner = entry.whole("winner", 0, 1) if entry.has("winner") else None
    return Outcome(winner, entry.text("reason", LONGEST_NAME))


def dumps(record: GameRecord) -> bytes:
    """All of `record` as UTF-8.

    Raises `FormatError` for what `loads` would refuse (a comment that is too long, a time that is not
    finite), since a file that cannot be opened again is worse than none.
    """
    nodes = list(record.nodes())
    if len(nodes) > MOST_NODES:
        raise FormatError(f"The game has more than {MOST_NODES:,} positions, too many to be saved.", "unwritable")
    places = {id(node): index for index, node in enumerate(nodes)}
    head = _head(record, places[id(record.cursor)])
    _begun(Fields(head, "the game"))  # checks it
    lines = [f' "{key}": {_json(value)},\n' for key, value in head.items()]
    rows = [_json(_node_entry(node, index, places)) for index, node in enumerate(nodes)]
    text = "{\n" + "".join(lines) + ' "nodes": [\n  ' + ",\n  ".join(rows) + "\n ]\n}\n"
    return well_formed(text).encode()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _head(record: GameRecord, cursor: int) -> dict[str, Any]:
    game = record.setup
    seats = [{"player": seat.player, "name": seat.name, "seconds": seat.seconds} for seat in record.seats]
    about = {"format": "tengen", "version": VERSION, "game": game.game, "size": game.size, "rule": game.rule}
    clock = {} if record.control is None else {"clock": str(record.control)}
    return {**about, "date": record.date, "seats": seats, **clock, "cursor": cursor}


def _node_entry(node: Node, index: int, places: dict[int, int]) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    if node.parent is not None and node.move is not None:
        entry["move"] = node.parent.position.move_text(node.move)
        if (parent := places[id(node.parent)]) != index - 1:
            entry["parent"] = parent
    if node.preferred:
        entry["preferred"] = node.preferred
    if node.seconds is not None:
        entry["seconds"] = node.seconds
    if node.spent:
        entry["spent"] = node.spent
    if node.comment:
        entry["comment"] = node.comment
    if (known := node.evaluation) is not None:
        entry["evaluation"] = {"score": known.score, "mate": known.mate, "depth": known.depth}
    if node.ending is not None:
        entry["ending"] = {"winner": node.ending.winner, "reason": node.ending.reason}
    _marks(Fields(entry, f"move {node.position.ply}"))  # checks it
    return entry
