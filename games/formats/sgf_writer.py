"""Write SGF (FF[4]): the whole tree with comments, marks and what was set up. `games.formats.sgf` reads it."""

from __future__ import annotations

from string import ascii_lowercase

from sgfmill import sgf_grammar

from games.formats.common import FormatError
from games.formats.sgf import SHAPES
from games.formats.terms import REASONS, properties_of, result_named, rule_named
from games.position import FIRST, PASS, SECOND
from games.record import GameRecord, Mark, Node
from games.registry import GAMES


def dumps(record: GameRecord) -> bytes:
    """Encode `record` as UTF-8, without clocks, evaluations, the order in which variations were visited, and moves that
    were taken back before the game ended: RE belongs to the last node of the main line.

    Raise `FormatError` for a game that has no number in SGF.
    """
    number = GAMES[record.setup.game].sgf_number
    if number is None:
        raise FormatError(f"There are no SGF files of {record.setup.game}.", "unwritable")
    size, end = record.setup.size, record.main_end()

    def properties(node: Node) -> dict[str, list[bytes]]:
        """Return the properties of a node, for the root with those of the game."""
        own = _properties(node, size)
        return own if node.parent else own | _root_properties(record, number)

    def children(node: Node) -> list[Node]:
        """Return the children that are written."""
        return node.children if node is not end else []

    tree = sgf_grammar.make_coarse_game_tree(record.root, children, properties)
    data: bytes = sgf_grammar.serialise_game_tree(tree)
    return data


def _root_properties(record: GameRecord, number: int) -> dict[str, list[bytes]]:
    """Return the properties of the root: application, GM `number`, rules, names, result, and the stones that were set
    up."""
    about = {
        "FF": "4", "GM": str(number), "CA": "UTF-8", "AP": "Tengen", "SZ": str(record.setup.size),
        "RU": _rule(record), "DT": _day(record.date), "RE": _result(record),
        "PB": record.seats[FIRST].known_as, "PW": record.seats[SECOND].known_as, **properties_of(record.about),
    }  # fmt: skip
    head = {name: [_escaped(value)] for name, value in about.items() if value}
    if record.stones is not None:
        for name, cells in zip(("AB", "AW"), record.stones.of, strict=True):
            head |= {name: [_point(cell, record.setup.size).encode() for cell in cells]} if cells else {}
        head["PL"] = [b"BW"[record.stones.turn : record.stones.turn + 1]]
    return head


def _day(date: str) -> str:
    """Return `date` without the time of day."""
    return date[:10] if date[10:11] == "T" else date


def _kept(record: GameRecord, name: str) -> str:
    """Return the value of a property of the root that was read; empty without one."""
    values = record.root.extra.get(name, ())
    return sgf_grammar.simpletext_value(values[0].encode("utf-8", "replace")).decode() if values else ""


def _rule(record: GameRecord) -> str:
    """Return the value of RU: the one that was read, unless it names another rule."""
    kept, rule = _kept(record, "RU"), record.setup.rule
    return kept if kept and rule_named(kept) in (None, rule) else rule


def _result(record: GameRecord) -> str:
    """Return how the main line ended, as a value of RE: the one that was read, if it says the same and more; empty if
    it has not ended, and for a win by a margin that is not known."""
    outcome = record.main_end().outcome
    if outcome is None:
        return ""
    kept = _kept(record, "RE")
    if (said := result_named(kept)) is not None and said.winner == outcome.winner and outcome.reason == said.reason:
        return kept
    if outcome.winner is None:
        return "Draw"
    if outcome.reason == "score":
        margin = None if outcome.score is None else abs(outcome.score[FIRST] - outcome.score[SECOND])
        return "" if margin is None else f"{'BW'[outcome.winner]}+{margin}"
    how = {reason: letter for letter, reason in REASONS.items()}.get(outcome.reason, "")
    return f"{'BW'[outcome.winner]}+{how}"


def _properties(node: Node, size: int) -> dict[str, list[bytes]]:
    """Return the properties of one node: its move, comment and marks, and the unknown ones that were read."""
    found = {
        name: [_encode_escaped(value) for value in values]
        for name, values in node.extra.items()
        if values and sgf_grammar.is_valid_property_identifier(name)  # a file of ours may be damaged
    }
    if node.parent is not None and node.move is not None:
        found["BW"[node.parent.position.turn]] = [_point(node.move, size).encode()]
    if node.comment:
        found["C"] = [_escaped(node.comment)]
    marks = [mark for mark in node.marks if mark.move != PASS]  # which is on no point
    for name, kind in SHAPES.items():
        if points := [_point(mark.move, size).encode() for mark in marks if mark.kind == kind]:
            found[name] = points
    if labels := [_label(mark, size) for mark in marks if mark.kind == "label"]:
        found["LB"] = labels
    return found


def _label(mark: Mark, size: int) -> bytes:
    """Return a label as a value of LB."""
    text = _escaped(mark.text).replace(b":", b"\\:")  # which FF[4] wants, and sgfmill leaves as it is
    return sgf_grammar.compose(_point(mark.move, size).encode(), text)  # type: ignore[no-any-return]


def _point(cell: int, size: int) -> str:
    """Return the SGF point of a cell; empty for a pass."""
    if cell == PASS:
        return ""
    row, column = divmod(cell, size)
    return ascii_lowercase[column] + ascii_lowercase[row]


def _encode_escaped(value: str) -> bytes:
    """Encode a value that has its escapes; escape it if it is not valid."""
    raw = value.encode()
    return raw if sgf_grammar.is_valid_property_value(raw) else _escaped(value)


def _escaped(text: str) -> bytes:
    """Encode a text as a value, with escapes."""
    return sgf_grammar.escape_text(text.encode())  # type: ignore[no-any-return]
