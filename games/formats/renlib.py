"""LIB, the libraries of RenLib: trees of variations of renju on 15 × 15 points.

A header of 20 bytes, then the tree, depth first. A node is its point (row from the top in the high four bits, column
from 1 in the low ones; 0 is the root, or a pass) and a byte of flags, perhaps two more bytes of flags, a comment and a
text on the board, each ending with a zero byte and as many bytes as make their number even. A comment has one line, and
after a backspace character any number of them. Version 3.0 may leave out the root, where h8 is the only first move.

A mark of RenLib is on a move, and becomes a circle on its stone. The file does not say in which encoding it is.
"""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from games.formats.common import (
    Cuts,
    FormatError,
    OnProgress,
    notice,
    read_by_fitting_rule,
    silent,
    with_progress,
)  # fmt: skip
from games.formats.encodings import UTF_8, Decoded, TextEvidence, decode, guess_notices
from games.formats.sgf import GAME, rule_of
from games.formats.tengen import LONGEST_COMMENT, LONGEST_NAME, MOST_MARKS, MOST_NODES
from games.line import EMPTY
from games.position import IllegalMove, cells_of
from games.record import GameRecord, Mark, Node
from games.registry import Setup, setup

_SIZE = 15
_RULE = "renju"
_MAGIC = b"\xffRenLib\xff"
_HEADER = 20
_MAJOR, _OLD, _NEW = 3, 0, 4
"""The version: two numbers after the magic one."""
_CENTRE = 0x78
_MORE = 0x80
"""A sibling follows, after all that is below the node."""
_LEAF, _OLD_COMMENT, _MARK, _COMMENT, _START, _NO_MOVE, _EXTENDED = 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01
_TEXT = 0x01  # in the second of two more bytes
_APART = b"\x08"
"""Between the first line of a comment and the others."""
_SEVEN_BITS = bytes(byte & 0x7F for byte in range(256))
_LAST = re.compile(rb"[\x80-\xff]")
_SWEDISH = str.maketrans("}{|][\\", "åäöÅÄÖ")
"""Letters of old comments, as ISO 646 has them in Sweden. The last byte of such a comment has its high bit set."""
_NOT_WRITTEN = dict.fromkeys((0, ord(_APART), ord("\r")))
"""Characters that a text cannot have."""
_ENCODINGS = "cp1252", "cp1251", "cp932", "cp949", "gb18030"
"""Encodings of Windows, in which RenLib reads its files."""
_GUESSED_FROM = 1 << 16  # bytes of text
_FLAWS = 50
"""How many flaws a text has of which nothing can be read; a part less than the inverse is no flaw."""
_UNREADABLE = "\ufffd"
_FITTED = 20_000
"""Nodes by which the rule is chosen of a library that is read line by line."""


class _Entry(NamedTuple):
    """A node of a file, at the byte `at`. `level` is its depth: 0 for first moves, -1 for the root. `point` is a byte
    as in the file. `old` tells that the comment is of the old kind."""

    at: int

    level: int
    point: int
    flags: int
    comment: bytes
    text: bytes
    old: bool


@dataclass(slots=True)
class _Reading:
    """The state of reading a file: `broken` if it ends too early, or goes on after its last node."""

    broken: bool = False


def recognises(data: bytes) -> bool:
    """Return whether `data` begins like a library."""
    return data.startswith(_MAGIC)


def loads(
    data: bytes, game: Setup | None = None, on_progress: OnProgress = silent, encoding: str | None = None
) -> GameRecord:
    """Read the whole tree, with the cursor at the position that RenLib would show. `game` gives the rule; without one
    it is renju, or the rule that leaves out the fewest moves. Raise `FormatError`, and what `on_progress` raises."""
    reading = _Reading()
    entries = list(islice(_entries(data, reading), MOST_NODES + 1))
    if len(entries) > MOST_NODES:
        message = f"The library has more than {MOST_NODES:,} positions; it can be imported into a database."
        raise FormatError(message, "too_long", most=MOST_NODES)
    decoded = _decode_texts(entries, encoding)
    moves = _moves_below(entries)

    def read(rule: str, cuts: Cuts) -> GameRecord:
        """Read the tree by a rule."""
        record = GameRecord(setup(GAME, _SIZE, rule))
        record.date = ""
        _add_nodes(record, with_progress(entries, on_progress, 0.0, 1.0), moves, cuts, decoded.encoding)
        return record

    record = read_by_fitting_rule(read, GAME, rule_of(game), first=_RULE)
    if reading.broken:
        record.notices.append(notice("broken_off"))
    record.notices += guess_notices(decoded)
    return record


def read_each(data: bytes, begin: int = 0) -> Iterator[tuple[int, GameRecord]]:
    """Yield every line of play of the tree as a game, with the byte where it ends: passed as `begin`, that leaves out
    the lines up to it. Comments and marks of a node are in the first line through it. Only one line is in memory at a
    time. Raise `FormatError` if there is none."""
    texts = _decode_texts(_entries(data), None)
    rule = _fitting_rule(data)
    at = 0
    for at, nodes, said in _lines(data, setup(GAME, _SIZE, rule)):
        if at > begin:
            yield at, _line_record(nodes, said, rule, texts.encoding)
    if not at:
        raise FormatError("The library has no moves.")


# The bytes.


def _entries(data: bytes, reading: _Reading | None = None) -> Iterator[_Entry]:
    """Yield the nodes of a file, depth first. Note in `reading` whether it is broken. Raise `FormatError` for a file
    that is no library, or of a newer version."""
    if recognises(data):
        if len(data) < _HEADER:
            raise FormatError("The library has no moves.")
        if data[len(_MAGIC)] > _MAJOR:
            version = f"{data[len(_MAGIC)]}.{data[len(_MAGIC) + 1]}"
            raise FormatError(f"The library is of the version {version}, which Tengen does not know.", "newer")
        at = _HEADER
    elif data[:1] == bytes([_CENTRE]):  # before there was a header
        at = 0
    else:
        raise FormatError("The file does not begin like a library of RenLib.", "foreign")
    reading = reading or _Reading()
    level, waiting, first, root = 0, list[int](), True, True
    while at + 2 <= len(data):
        begin, point, flags = at, data[at], data[at + 1]
        at += 2
        extended = 0
        if flags & _EXTENDED:
            extended, at = int.from_bytes(data[at : at + 2]), at + 2
        comment = text = b""
        old = bool(flags & _OLD_COMMENT)
        if old:
            comment, at = _read_old_comment(data, at, reading)
        elif flags & _COMMENT:
            comment, at = _read_text(data, at)
        if extended & _TEXT:
            text, at = _read_text(data, at)
        root = first and not point
        first = False
        yield _Entry(begin, -1 if root else level, point, flags, comment, text, old)
        if root:
            continue
        if flags & _MORE:
            waiting.append(level)
        if not flags & _LEAF:
            level += 1
        elif waiting:
            level = waiting.pop()
        else:
            break
    else:  # a leaf without a sibling ends a tree
        reading.broken |= not root
    reading.broken |= at != len(data)


def _read_text(data: bytes, at: int) -> tuple[bytes, int]:
    """Return the text that begins at the byte `at`, and the byte where the next field begins: beyond the file if that
    breaks off in the text."""
    end = data.find(0, at)
    end = len(data) if end < 0 else end
    return data[at:end], at + ((end - at) // 2 + 1) * 2


def _read_old_comment(data: bytes, at: int, reading: _Reading) -> tuple[bytes, int]:
    """Return the comment of the old kind that begins at the byte `at`, and the byte where the next field begins. Its
    last byte has the high bit set, which is cleared."""
    found = _LAST.search(data, at)
    reading.broken |= found is None
    end = found.end() if found else len(data)
    return data[at:end].translate(_SEVEN_BITS), at + ((end - at - 1) // 2 + 1) * 2


def _decode_texts(entries: Iterable[_Entry], encoding: str | None) -> Decoded:
    """Decode the texts of `entries`, at most `_GUESSED_FROM` bytes of them, to find the encoding of all. Raise
    `FormatError` for an invalid `encoding`."""
    found, length = [b""], 0  # so that no text begins with a byte order mark
    for entry in entries:
        if not (entry.comment or entry.text):
            continue
        for text in (b"" if entry.old else entry.comment, entry.text):
            if not text.isascii():
                found.append(text)
                length += len(text)
        if length > _GUESSED_FROM:
            break
    return decode(b"\n".join(found), encoding, _judge)


def _judge(text: str) -> TextEvidence:
    """Judge texts by the share of characters beyond ASCII that cannot be read: it counts as up to `_FLAWS` flaws."""
    beyond = [character for character in text if character > "\x7f"]
    return TextEvidence(text.splitlines(), _FLAWS * beyond.count(_UNREADABLE) // max(1, len(beyond)))


# The tree.


def _add_nodes(
    record: GameRecord, entries: Iterable[_Entry], lost: Sequence[int], cuts: Cuts, encoding: str
) -> None:
    """Add the nodes to `record`, and put the cursor where the file wants it. Moves that cannot be played are left out
    with what follows them, and counted in `cuts`: `lost` has, for each entry, how many moves that loses, see
    `_moves_below`."""
    way, start = [record.root], None
    skipped: set[str] = set()
    for index, entry in enumerate(entries):
        if entry.level >= len(way):
            continue  # below a move that cannot be played
        if entry.level < 0:
            node = record.root
        else:
            del way[entry.level + 1 :]
            record.cursor = way[-1]
            try:
                node = way[-1] if entry.flags & _NO_MOVE else record.play(_cell(entry.point))
            except IllegalMove as error:
                cuts.add(record, error, lost[index])
                continue
        skipped |= _store_texts(way[-1], node, entry, encoding)
        if node is not way[-1]:
            way.append(node)
        if entry.flags & _START and start is None:
            start = node
    record.notices += map(notice, sorted(skipped))
    for node in record.nodes():
        node.preferred = 0
    record.go_to(start or record.main_end())


def _moves_below(entries: Sequence[_Entry]) -> list[int]:
    """Return, for each entry, the number of moves in its subtree, itself included; passes do not count."""
    counts, below = list[int](), defaultdict[int, int](int)  # `below` has the sum of each level
    for entry in reversed(entries):
        counts.append(int(entry.point > 0 and not entry.flags & _NO_MOVE) + below.pop(entry.level + 1, 0))
        below[entry.level] += counts[-1]
    return counts[::-1]


def _cell(point: int) -> int:
    """Return the cell of a point as a byte. Raise `IllegalMove` for a pass, and outside the board."""
    if not point:
        raise IllegalMove("pass", "There are no passes in this game.")
    row, column = point >> 4, (point & 15) - 1
    if row >= _SIZE or column < 0:
        raise IllegalMove("outside", "The point is not on the board.")
    return row * _SIZE + column


def _point(cell: int) -> int:
    """Return the byte for the point of a cell."""
    row, column = divmod(cell, _SIZE)
    return row << 4 | column + 1


def _store_texts(parent: Node, node: Node, entry: _Entry, encoding: str) -> set[str]:
    """Store the entry's comment and marks in `node`, and its text on the board as a label in `parent`. Return the kinds
    of notices of what was left out."""
    skipped: set[str] = set()
    if entry.comment:
        text = "\n".join(filter(None, (node.comment, _comment(entry, encoding))))
        skipped |= {"shortened"} if len(text) > LONGEST_COMMENT else set()
        node.comment = text[:LONGEST_COMMENT]
    marks = []
    if entry.text:
        label = decode(entry.text, encoding).text
        skipped |= {"shortened"} if len(label) > LONGEST_NAME else set()
        try:
            marks.append((parent, Mark("label", _cell(entry.point), label[:LONGEST_NAME])))
        except IllegalMove:
            skipped.add("marks")
    if entry.flags & _MARK and node is not parent and node.move is not None:
        marks.append((node, Mark("circle", node.move)))
    for where, mark in marks:
        if len(where.marks) >= MOST_MARKS:
            skipped.add("marks")
        elif mark not in where.marks:
            where.marks += (mark,)
    return skipped


def _comment(entry: _Entry, encoding: str) -> str:
    """Return the decoded comment of an entry, with its first line before the others."""
    text = entry.comment.decode("ascii").translate(_SWEDISH) if entry.old else decode(entry.comment, encoding).text
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    first, *others = lines.split(_APART.decode())
    return "\n".join((first, *(part.removeprefix("\n").rstrip("\n") for part in others))).strip("\n")


# The lines.

_Said = list[tuple[int, _Entry]]
"""The entries that say something in a line, with their levels."""


def _lines(data: bytes, of: Setup) -> Iterator[tuple[int, list[Node], _Said]]:
    """Yield every line of play that is legal: the byte where it ends, its nodes, and its entries with comments or marks
    that are in no line before it. The list of nodes is reused: copy it to keep it."""
    way, said, ended, cut = [GameRecord(of).root], _Said(), True, len(data)
    for entry in _entries(data):
        if entry.level > cut:
            continue  # below what cannot be played
        cut = len(data)
        if entry.level >= 0 and not entry.flags & _NO_MOVE:
            before = way[entry.level]
            try:
                move = _cell(entry.point)
                node = Node(before.position.play(move), move, before)
            except IllegalMove:
                cut = entry.level
                continue
            if entry.level < len(way) - 1 and not ended:
                yield entry.at, way, said
                said = []
            way[entry.level + 1 :] = [node]
            ended = False
        elif entry.level >= 0:
            cut = entry.level
        if entry.comment or entry.text or entry.flags & _MARK:
            said.append((entry.level, entry))
    if not ended:
        yield len(data), way, said


def _line_record(nodes: Sequence[Node], said: _Said, rule: str, encoding: str) -> GameRecord:
    """Return the game of one line: a copy of `nodes`, with the comments and marks `said`."""
    record = GameRecord(setup(GAME, _SIZE, rule))
    record.date = ""
    way = [record.root]
    for node in nodes[1:]:
        way.append(Node(node.position, node.move, way[-1]))
        way[-2].children.append(way[-1])
    for level, entry in said:
        parent = way[max(0, level)]
        _store_texts(parent, parent if level < 0 or entry.flags & _NO_MOVE else way[level + 1], entry, encoding)
    record.cursor = way[-1]
    return record


def _fitting_rule(data: bytes) -> str:
    """Return the rule that leaves out the fewest of the first moves of a library."""
    entries = list(islice(_entries(data), _FITTED))
    moves = _moves_below(entries)

    def read_start(rule: str, cuts: Cuts) -> GameRecord:
        """Return the game of the first entries, read by `rule`. Count in `cuts` the moves that the rule leaves out."""
        record = GameRecord(setup(GAME, _SIZE, rule))
        _add_nodes(record, entries, moves, cuts, UTF_8)
        return record

    return read_by_fitting_rule(read_start, GAME, None, first=_RULE).setup.rule


# Writing.


class _Row(NamedTuple):
    """A node to be written: its point as a byte, its flags, its comment, and its text on the board."""

    point: int
    flags: int
    comment: str
    text: str


def dumps(record: GameRecord) -> bytes:
    """Encode the whole tree with its comments, labels on empty points, and a mark on each move whose stone has a shape.
    The texts are in the first of `_ENCODINGS` in which they would be read correctly again, else in UTF-8.

    Raise `FormatError` for another board, and for a position that was set up.
    """
    if record.setup.game != GAME or record.setup.size != _SIZE:
        raise FormatError("Libraries of RenLib hold games of gomoku on 15 × 15 points only.", "unwritable")
    if record.stones is not None:
        raise FormatError("Libraries of RenLib cannot hold a starting position that was set up.", "unwritable")
    root, *others = _rows(record)
    centred = [point for _, point, _ in _successors(record.root)] == [_CENTRE]
    plain = centred and not (root.flags or root.comment)
    rows = others if plain else [root, *others]
    header = (_MAGIC + bytes([_MAJOR, _OLD if plain else _NEW])).ljust(_HEADER, b"\xff")
    in_ascii = all(text.isascii() for row in rows for text in (row.comment, row.text))
    for encoding in _ENCODINGS:
        with contextlib.suppress(UnicodeEncodeError):
            data = header + b"".join(_encode_node(row, encoding) for row in rows)
            if in_ascii or _decode_texts(_entries(data), None).encoding == encoding:
                return data
    return header + b"".join(_encode_node(row, UTF_8, "replace") for row in rows)


def _rows(record: GameRecord) -> Iterator[_Row]:
    """Yield the nodes of the tree, depth first. Labels on points where no child plays follow the children as nodes
    without a move."""
    opens_at_end = record.cursor is record.main_end() and not record.cursor.children
    start = None if opens_at_end else record.cursor
    waiting: list[tuple[Node | None, int, str, bool]] = [(record.root, 0, "", False)]
    while waiting:
        node, point, text, more = waiting.pop()
        below = [] if node is None else _successors(node)
        marked = node is not None and any(mark.kind != "label" and mark.move == node.move for mark in node.marks)
        comment = "" if node is None else node.comment.translate(_NOT_WRITTEN).strip("\n")
        flags = (
            (_MORE, more), (_LEAF, not below), (_NO_MOVE, node is None), (_START, node is not None and node is start),
            (_MARK, marked), (_COMMENT, comment), (_EXTENDED, text),
        )  # fmt: skip
        yield _Row(point, sum(flag for flag, is_set in flags if is_set), comment, text)
        waiting += reversed([(*each, number < len(below)) for number, each in enumerate(below, 1)])


def _successors(node: Node) -> list[tuple[Node | None, int, str]]:
    """Return the children of a node, then None for each label on an empty point where no child plays; each with its
    point as a byte and its label, which may be empty."""
    board = cells_of(node.position)
    labels: dict[int, str] = {}
    for mark in node.marks:
        text = mark.text.translate(_NOT_WRITTEN)
        if mark.kind == "label" and text and board[mark.move] == EMPTY:
            labels.setdefault(mark.move, text)
    found: list[tuple[Node | None, int, str]] = []
    for child in node.children:
        assert child.move is not None
        found.append((child, _point(child.move), labels.pop(child.move, "")))
    return found + [(None, _point(cell), text) for cell, text in labels.items()]


def _encode_node(row: _Row, encoding: str, errors: str = "strict") -> bytes:
    """Encode a row. Raise `UnicodeEncodeError` unless `errors` is another handler than ``strict``."""
    first, _, others = row.comment.partition("\n")
    if others.startswith("\n"):
        others = "\n" + others  # one line end behind the backspace is not part of the text
    comment = first + (f"\b{others}".replace("\n", "\r\n") if others else "")
    found = bytes([row.point, row.flags]) + (bytes([0, _TEXT]) if row.text else b"")
    return found + b"".join(_zero_terminated(text.encode(encoding, errors)) for text in (comment, row.text) if text)


def _zero_terminated(text: bytes) -> bytes:
    """Return a text with one or two zero bytes after it, so that the length is even."""
    return text + bytes(2 - len(text) % 2)
