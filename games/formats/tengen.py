"""Tengen's own format, `.tengen.json`: the whole tree, seats, clocks, times, comments, evaluations.

One JSON object. Its `nodes` are a flat list, parents first, since many parsers cannot handle JSON nested as deep as
a game is long; one node a line, for readable diffs. `parent` is an index in that list, left out for the previous
node. Default values are left out too, and unknown fields are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from games.clock import DIVISORS, TimeControl
from games.coords import cell_text, parse_cell
from games.evaluation import Evaluation, ScoredLine
from games.fields import (
    DecodeError,
    checked,
    decode,
    flag,
    items,
    list_of,
    mapping_of,
    nested,
    number,
    one_of,
    pair,
    parsed,
    text,
    well_formed,
    whole,
    within,
)
from games.formats.common import FormatError, OnProgress, notice, play, silent, unicode_text, with_progress
from games.formats.terms import AboutEntry, about_entry, decode_about, take_about
from games.opening_rules import DECLARE, KINDS, MOST_STEPS, POINTS, OpeningPhase, OpeningStep, opening_rules
from games.position import IllegalMove, Outcome, Position, Stones
from games.record import MARKS, GameRecord, Mark, Node, Seat
from games.registry import Setup, setup

VERSION = 2
MOST_NODES = 200_000
LONGEST_COMMENT = 100_000
LONGEST_NAME = 200
MOST_MARKS = 1_000
MOST_VALUES = 1_000
"""Maximum number of values of an SGF property."""
MOST_PROPERTIES = 1_000
"""Maximum number of SGF properties of a node."""
MOST_SECONDS = 10**9  # thirty years
_MOST_SCORE = 10**9
_MOST_PLIES = 10**6
_LONGEST_MOVE = 20
_DECODED = 0.3  # progress when the moves begin to be played
_MOST_POINTS = 1_000
_MOST_LINES = 100

_seconds = number(0, MOST_SECONDS)
_name = text(LONGEST_NAME)

_ALWAYS_VALID = {"move", "parent"}
"""Fields of a node that are valid as they are written."""
_WEAK = ("level:", "random", "minimax")
"""Players whose evaluations files have until 0.4.0, as if they were the engine's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stones:
    """What was set up before the first move: the points of each side, and whose turn it was."""

    first: list[str] = checked(list_of(text(_LONGEST_MOVE), _MOST_POINTS))
    second: list[str] = checked(list_of(text(_LONGEST_MOVE), _MOST_POINTS))
    turn: int = checked(whole(0, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    kind: str = checked(one_of(*MARKS))
    point: str = checked(text(_LONGEST_MOVE))
    text: str = checked(_name, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _OpeningStep:
    kind: str = checked(one_of(*KINDS))
    point: str = checked(text(_LONGEST_MOVE), "")
    number: int = checked(whole(0, MOST_STEPS), 0)
    seconds: float = checked(_seconds, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opening:
    """The steps of an opening by `rule`, whose stones are the first moves of the game."""

    rule: str = checked(_name)
    steps: list[_OpeningStep] = checked(list_of(nested(_OpeningStep), MOST_STEPS), make=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """The file without its nodes. `origin` is that of the record."""

    version: int = checked(whole(1, VERSION))
    game: str = checked(_name)
    rule: str = checked(_name)
    size: int = checked(whole(1, 1000))
    date: str = checked(_name)
    seats: list[object] = checked(items(2, 2))
    clock: str | None = checked(_name, None)
    stones: _Stones | None = checked(nested(_Stones), None)
    opening: _Opening | None = checked(nested(_Opening), None)
    about: AboutEntry | None = checked(nested(AboutEntry), None)
    origin: str = checked(_name, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seat:
    player: str = checked(_name)
    name: str = checked(_name, "")
    seconds: float | None = checked(_seconds, None)
    divisor: int = checked(one_of(1, *DIVISORS), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tree:
    """`cursor` is one of the `nodes`."""

    cursor: int = checked(whole(0, MOST_NODES))
    nodes: list[object] = checked(items(1, MOST_NODES))


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoredLine:
    score: int = checked(whole(-_MOST_SCORE, _MOST_SCORE))
    mate: int | None = checked(whole(-_MOST_PLIES, _MOST_PLIES), None)
    depth: int = checked(whole(0, _MOST_PLIES))
    line: list[str] = checked(list_of(text(_LONGEST_MOVE), _MOST_POINTS), make=list)
    exact: bool = checked(flag, False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evaluation(_ScoredLine):
    seconds: float = checked(_seconds, 0.0)
    sound: list[str] = checked(list_of(text(_LONGEST_MOVE), _MOST_POINTS), make=list)
    only: bool = checked(flag, False)
    others: list[_ScoredLine] = checked(list_of(nested(_ScoredLine), _MOST_LINES), make=list)
    wanted: int = checked(whole(1, _MOST_LINES), 1)
    by: str = checked(_name, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ending:
    winner: int | None = checked(whole(0, 1), None)
    reason: str = checked(_name)
    score: tuple[int, int] | None = checked(pair(whole(-_MOST_SCORE, _MOST_SCORE)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    """Only the first node has no `move`. `parent` is a node before it, and `preferred` one of its children."""

    move: str | None = checked(text(_LONGEST_MOVE), None)
    parent: int | None = checked(whole(0, MOST_NODES), None)
    preferred: int = checked(whole(0, MOST_NODES), 0)
    seconds: float | None = checked(_seconds, None)
    spent: float = checked(_seconds, 0.0)
    comment: str = checked(text(LONGEST_COMMENT), "")
    evaluation: _Evaluation | None = checked(nested(_Evaluation), None)
    ending: _Ending | None = checked(nested(_Ending), None)
    marks: list[_Mark] = checked(list_of(nested(_Mark), MOST_MARKS), make=list)
    sgf: dict[str, list[str]] = checked(
        mapping_of(list_of(text(LONGEST_COMMENT), MOST_VALUES), MOST_PROPERTIES), make=dict
    )


def recognises(data: bytes) -> bool:
    """Return whether `data` begins like a file of this format."""
    return re.match(rb'(\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"tengen"', data) is not None


def loads(data: bytes, on_progress: OnProgress = silent) -> GameRecord:
    """Read a record equal to the one that `dumps` wrote. Raise `FormatError`, and what `on_progress` raises."""
    contents = unicode_text(data)
    try:
        value = parsed(contents)
    except DecodeError as error:
        message = "The file is not a game that Tengen saved, or it is damaged: it is not JSON."
        raise FormatError(message) from error
    try:
        return _decode_record(value, on_progress)
    except DecodeError as error:
        raise FormatError(f"The file is damaged: {error}") from error


def _decode_record(value: object, on_progress: OnProgress) -> GameRecord:
    """Build a record from parsed JSON. Raise `DecodeError` or `FormatError` for what is not a game."""
    head = _decode_head(value)
    tree = decode(_Tree, value, "the file")
    record = _new_record(head)
    entries = with_progress(tree.nodes, on_progress, 0.0, _DECODED)
    rows = [decode(_Node, row, f"node {index}") for index, row in enumerate(entries)]
    nodes = _play_nodes(record, rows, on_progress)
    weak = any(seat.player.startswith(_WEAK) for seat in record.seats)
    for index, (node, row) in enumerate(zip(nodes, rows, strict=True)):
        _set_details(node, row, index, weak)
    record.cursor = nodes[_checked_index(len(nodes), tree.cursor, "“cursor”", "the file")]
    if head.opening is not None:
        record.opening = _decode_opening(record, head.opening)
    take_about(record)
    return record


def _decode_head(value: object) -> _Head:
    """Decode the fields before the nodes. Raise `FormatError` for another format or a newer version, `DecodeError` for
    invalid fields."""
    if not isinstance(value, dict):
        raise DecodeError("is not a JSON object", "the file")
    if value.get("format") != "tengen":
        raise FormatError("The file is JSON, but not a game that Tengen saved.", "foreign")
    version = value.get("version")
    if type(version) is int and version > VERSION:  # other fields may have another meaning there
        raise FormatError("This file was made by a newer Tengen; please update.", "newer")
    return decode(_Head, value, "the file")


def _new_record(head: _Head) -> GameRecord:
    """Return a record without moves of the game that `head` describes. Raise `FormatError` or `DecodeError`."""
    try:
        game = setup(head.game, head.size, head.rule)
    except ValueError as error:
        raise FormatError(str(error)) from error
    first, second = (within(f"seat {number}", seat_of, seat) for number, seat in enumerate(head.seats, 1))
    control = _decode_control(head.clock)
    stones = None if head.stones is None else _decode_stones(game, head.stones)
    try:
        record = GameRecord(game, (first, second), control=control, stones=stones)
    except ValueError as error:
        raise FormatError(f"The file is damaged: {error}") from error
    record.about = decode_about(head.about)
    record.origin = head.origin
    record.date = head.date  # the constructor would replace an empty date by today's
    return record


def stones_of(game: Setup, value: object) -> Stones:
    """Decode what `stones_entry` returned. Raise `FormatError` or `DecodeError`."""
    return _decode_stones(game, decode(_Stones, value, "what was set up"))


def _decode_stones(game: Setup, given: _Stones) -> Stones:
    """Return the starting position with these names of cells. Raise `FormatError`."""
    width, height = game.board
    cell = partial(parse_cell, width=width, height=height)
    first, second = (tuple(_parse_name(name, cell) for name in names) for names in (given.first, given.second))
    return Stones((first, second), given.turn)


def _parse_name(name: str, parse: Callable[[str], int]) -> int:
    """Return `parse(name)` for the name of a cell or a move. Raise `FormatError` if it is invalid."""
    try:
        return parse(name)
    except IllegalMove as error:
        raise FormatError(f"The file is damaged: {error}") from error


def _decode_control(clock: str | None) -> TimeControl | None:
    """Decode a time control; None is an untimed game. Raise `FormatError`."""
    try:
        return None if clock is None else TimeControl.parse(clock)
    except ValueError as error:
        raise FormatError(f"The file is damaged: its clock is not valid. {error}") from error


def seat_of(value: object) -> Seat:
    """Decode a seat. Raise `DecodeError`."""
    seat = nested(_Seat)(value)
    return Seat(seat.player, seat.name, seat.seconds, seat.divisor)


def _play_nodes(record: GameRecord, rows: Sequence[_Node], on_progress: OnProgress) -> list[Node]:
    """Play the moves of all nodes in `record`. Return the nodes in the order of `rows`. Raise `FormatError` or
    `DecodeError`."""
    if rows[0].move is not None:
        raise FormatError("The file is damaged: its first node must be the start of the game, without a move.")
    nodes = [record.root]
    for index, row in enumerate(with_progress(rows[1:], on_progress, _DECODED, 1.0), 1):
        if row.move is None:
            raise DecodeError("is missing", "“move”", f"node {index}")
        # Not `go_to`, which walks the whole path from the root.
        before = index - 1 if row.parent is None else row.parent
        record.cursor = parent = nodes[_checked_index(index, before, "“parent”", f"node {index}")]
        siblings = len(parent.children)
        nodes.append(play(record, row.move))
        if len(parent.children) == siblings:
            raise FormatError(f"The file is damaged: node {index} repeats a move that was given before.")
    return nodes


def _checked_index(count: int, index: int, *way: str) -> int:
    """Return `index`. Raise `DecodeError` for the field `way` unless it is less than `count`."""
    if index >= count:
        raise DecodeError(f"must be a whole number from 0 to {count - 1:,}", *way)
    return index


def _set_details(node: Node, row: _Node, index: int, weak: bool) -> None:
    """Set the values of `node` from `row`, number `index` in the file, except its place in the tree; its children must
    exist. `weak` tells to drop an evaluation that may be by a weak player. Raise `FormatError` or `DecodeError`."""
    node.preferred = _checked_index(max(1, len(node.children)), row.preferred, "“preferred”", f"node {index}")
    node.seconds, node.spent, node.comment = row.seconds, row.spent, row.comment
    parse = node.position.parse_move
    node.marks = tuple(Mark(mark.kind, _parse_name(mark.point, parse), mark.text) for mark in row.marks)
    node.extra = {name: tuple(values) for name, values in row.sgf.items()}
    if row.evaluation is not None and not (weak and _may_be_the_players(row.evaluation)):
        node.evaluation = _decode_evaluation(node.position, row.evaluation)
    if row.ending is not None:
        node.ending = Outcome(row.ending.winner, row.ending.reason, score=row.ending.score)
        if node.position.outcome is not None:
            raise FormatError(f"The file is damaged: the game is over at move {node.position.ply} and ends again.")


def _may_be_the_players(found: _Evaluation) -> bool:
    """Return whether an evaluation may be a player's of its own move: until 0.4.0 files did not say by whom it is."""
    return not found.by and not found.seconds


def _decode_evaluation(position: Position, found: _Evaluation) -> Evaluation:
    """Return an evaluation, with its moves parsed. Raise `FormatError`."""
    sound = tuple(_parse_name(move, position.parse_move) for move in found.sound)
    others = tuple(ScoredLine(*_scored_fields(position, other), exact=other.exact) for other in found.others)
    scored = _scored_fields(position, found)
    known = Evaluation(*scored, found.seconds, sound, found.only, others, found.wanted, found.by)
    return replace(known, exact=found.exact)


def _scored_fields(position: Position, found: _ScoredLine) -> tuple[int, int | None, int, tuple[int, ...]]:
    """Return score, mate, depth and line of an evaluation, with its moves parsed. Raise `FormatError`."""
    return found.score, found.mate, found.depth, tuple(_parse_name(move, position.parse_move) for move in found.line)


def dumps(record: GameRecord, cursor: Node | None = None) -> bytes:
    """Encode all of `record` as UTF-8, perhaps with another node of it as its `cursor`.

    Raise `FormatError` for values that `loads` would reject (a long comment, an infinite time): a file that cannot be
    opened again is worse than none.
    """
    nodes = list(record.nodes())
    if len(nodes) > MOST_NODES:
        raise FormatError(f"The game has more than {MOST_NODES:,} positions, too many to be saved.", "unwritable")
    places = {id(node): index for index, node in enumerate(nodes)}
    head = _head_entry(record, places[id(cursor or record.cursor)])
    rows = _checked_rows(head, nodes, places)
    lines = [f' "{key}": {_json(value)},\n' for key, value in head.items()]
    text = "{\n" + "".join(lines) + ' "nodes": [\n  ' + ",\n  ".join(rows) + "\n ]\n}\n"
    return well_formed(text).encode()


def _checked_rows(head: dict[str, Any], nodes: Sequence[Node], places: dict[int, int]) -> list[str]:
    """Return every node as a line of JSON. Raise `FormatError` if `loads` would not accept it or `head`. `places` has
    the index of each node by its `id`."""
    try:
        _new_record(decode(_Head, head, "the game"))
        rows = [_node_entry(node, index, places) for index, node in enumerate(nodes)]
        for node, row in zip(nodes, rows, strict=True):
            if not row.keys() <= _ALWAYS_VALID:
                decode(_Node, row, f"move {node.position.ply}")
    except DecodeError as error:
        raise FormatError(f"The game cannot be saved: {error}", "unwritable") from error
    return [_json(row) for row in rows]


def _json(value: object) -> str:
    """Return a value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False)


def _head_entry(record: GameRecord, cursor: int) -> dict[str, Any]:
    """Return the fields before the nodes as JSON; `cursor` is the index of the current node."""
    game = record.setup
    seats = [
        {"player": seat.player, "name": seat.name, "seconds": seat.seconds}
        | ({} if seat.divisor == 1 else {"divisor": seat.divisor})
        for seat in record.seats
    ]
    version = 1 if record.stones is None else VERSION  # an older Tengen reads what it can understand
    about = {"format": "tengen", "version": version, "game": game.game, "size": game.size, "rule": game.rule}
    about |= _without_empty(origin=record.origin)  # near the beginning, where `games.library.file_actions` looks for it
    stones = record.stones and stones_entry(game, record.stones)
    opening = _opening_entry(record)
    about_it, clock = about_entry(record.about), str(record.control or "")
    begin = _without_empty(about=about_it, clock=clock, stones=stones, opening=opening)
    return {**about, "date": record.date, "seats": seats, **begin, "cursor": cursor}


def stones_entry(game: Setup, stones: Stones) -> dict[str, Any]:
    """Return what was set up as JSON, with the names of cells, even in a game whose moves have other names."""
    first, second = ([cell_text(cell, *game.board) for cell in cells] for cells in stones.of)
    return {"first": first, "second": second, "turn": stones.turn}


def _decode_opening(record: GameRecord, given: _Opening) -> OpeningPhase | None:
    """Return the opening of a record that has its moves. If they are not its stones, as in a game that was changed
    elsewhere, add a notice and return None."""
    opening = OpeningPhase(given.rule, record.setup.size)
    if given.rule in opening_rules(record.setup) and record.stones is None:
        try:
            node = record.root
            for each in given.steps:
                position = node.position
                value = position.parse_move(each.point) if each.kind in POINTS else each.number
                opening = opening.after(OpeningStep(each.kind, value, each.seconds), position)
                if len(opening.stones) > node.position.ply:
                    node = next(child for child in node.children if child.move == value)
        except (IllegalMove, StopIteration):
            pass
        else:
            return opening
    record.notices.append(notice("opening"))
    return None


def _opening_entry(record: GameRecord) -> dict[str, Any] | None:
    """Return the rule and the steps of the opening as JSON; None for a game without an opening rule."""
    opening, written = record.opening, record.root.position.move_text
    if opening is None:
        return None
    steps = [
        {"kind": step.kind}
        | _without_empty(
            point=written(step.value) if step.kind in POINTS else "",
            number=step.value if step.kind == DECLARE else 0,
            seconds=step.seconds,
        )
        for step in opening.steps
    ]
    return {"rule": opening.rule, "steps": steps}


def _evaluation_entry(position: Position, known: Evaluation) -> dict[str, Any]:
    """Return an evaluation as JSON, without fields that have their default."""
    return _scored_entry(position, known) | _without_empty(
        seconds=known.seconds,
        sound=[position.move_text(move) for move in known.sound],
        only=known.only,
        others=[_scored_entry(position, other) for other in known.others],
        wanted=known.wanted if known.wanted > 1 else 0,
        by=known.by,
    )


def _scored_entry(position: Position, known: ScoredLine) -> dict[str, Any]:
    """Return the fields that an evaluation and its other lines have in common, as JSON."""
    line = [position.move_text(move) for move in known.line]
    entry = {"score": known.score, "mate": known.mate, "depth": known.depth}
    return entry | _without_empty(line=line, exact=known.exact)


def _node_entry(node: Node, index: int, places: dict[int, int]) -> dict[str, Any]:
    """Return a node, number `index` in the file, as JSON. The parent is its index in `places`, left out for the
    previous node."""
    entry: dict[str, Any] = {}
    position, ending, known = node.position, node.ending, node.evaluation
    if node.parent is not None and node.move is not None:
        entry["move"] = node.parent.position.move_text(node.move)
        if (parent := places[id(node.parent)]) != index - 1:
            entry["parent"] = parent
    if node.is_bare:
        return entry
    entry |= _without_empty(preferred=node.preferred)
    if node.seconds is not None:
        entry["seconds"] = node.seconds
    entry |= _without_empty(
        spent=node.spent,
        comment=node.comment,
        evaluation=known and _evaluation_entry(position, known),
        ending=ending and _ending_entry(ending),
        marks=[{"kind": mark.kind, "point": position.move_text(mark.move), "text": mark.text} for mark in node.marks],
        sgf={name: list(values) for name, values in node.extra.items()},
    )
    return entry


def _ending_entry(ending: Outcome) -> dict[str, Any]:
    """Return an end outside the rules as JSON."""
    entry = {"winner": ending.winner, "reason": ending.reason}
    return entry | _without_empty(score=list(ending.score or ()))


def _without_empty(**values: Any) -> dict[str, Any]:
    """Return those `values` that are not false, 0 or empty, which are the defaults."""
    return {name: value for name, value in values.items() if value}
