"""The text of an SGF file: its encoding, and the games in it, also where flaws damage their structure.

What people and programs write besides the grammar is read, too: brackets in a text, names of properties with small
letters or digits, a first node without its semicolon, a game without its end. Text outside of all properties is left
out. Every pattern here takes time in proportion to the text.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from string import ascii_letters, digits

from sgfmill import sgf_grammar

from games.formats.common import OnProgress, silent
from games.formats.encodings import Decoded, TextEvidence, codec_for, decode, mostly_in
from games.formats.tengen import MOST_NODES
from games.formats.terms import rule_named

_START = re.compile(r"(\()\s*+;")
_BARE_START = re.compile(r"(\()\s*+[A-Za-z0-9]++\s*+\[")
_HEADLESS = re.compile(r"[\ufeff\s;]*+((?:GM|FF|SZ|CA|AP|PB|PW)\s*+\[)")
"""How a text begins with a game that has lost its first parenthesis."""
_FOLLOWS = r"\s*+(?:[\[);]|\Z|\(\s*+(?:;|\Z)|\(?\s*+[A-Za-z0-9]{1,64}\s*+\[)"
_FOLLOWING = re.compile(_FOLLOWS)
"""What may follow a value."""
_TOKEN = re.compile(
    rf"\s*+(?:([();])|\[([^\[\]\\]*+)\](?={_FOLLOWS})|([A-Za-z0-9]++)(?=\s*+\[)|(\[)"
    r"|([^\[();]++))"
)
"""A delimiter, a plain value, the name of a property, the beginning of any other value, or all that is none of these,
perhaps with the name of a property at its end."""
_ALPHANUMERIC = ascii_letters + digits
_MOVES, _NODES = frozenset("BW"), frozenset(";BW")
"""The kinds of tokens that are a node with a move, and that begin a node."""
_MOVE = re.compile(r"\s*+;\s*+([BW])\[([a-z]{2})\](?=\s*+(?:[;)]|\(\s*+;))")
"""A node with nothing but a move, as most nodes are: a token instead of three."""
_VALUE = re.compile(r"(?:[^\]\\]++|\\.)*+", re.DOTALL)
_INSIDE = re.compile(r"\s*+[^\s\[\]();][^\[\]();]*+\]")
"""What follows a bracket inside a text."""
_CLOSING = re.compile(r"[^\];]*+\]")
"""What follows a bracket inside a text that closes another one there."""
_QUOTED = r"(?:\s*+\[[^\[\]]*+\])"
_NESTED = re.compile(
    rf"{_QUOTED}{{0,20}}(?:\s*+;?\s*+[A-Za-z0-9]{{1,64}}{_QUOTED}{{1,20}}){{0,2000}}\s*+\)[^\[\]();]*+\]"
)
"""What follows a bracket of a game that is quoted in a text, up to the next one that does not belong to it."""
_CHARSET = re.compile(rb"CA\s*+\[\s*+([\w.:-]{1,40})\s*+\]")
_HEAD = 1 << 16  # bytes in which CA is searched for
_STEP = 1024  # tokens between two reports of the progress
MOST_TOKENS = 5 * MOST_NODES
"""Maximum number of tokens of a game; a move has three."""

_MOST_BRACKETS = 10_000  # that belong to the text of one value; the next one ends it

_NAME, _WHOLE, _CUT, _STRAY, _OTHER = "name", "value", "cut", "stray", "["
_KINDS = ("", "", _WHOLE, _NAME, _OTHER, _STRAY)
"""The kind of token of each group of the pattern; a delimiter is its own kind."""


class Item:
    """A node of the file: its properties, decoded but still escaped, and its children."""

    __slots__ = ("children", "properties")

    def __init__(self) -> None:
        self.properties: dict[str, list[str]] = {}
        self.children: list[Item] = []

    def first(self, name: str) -> str:
        """Return the first value of a property, with its escapes resolved; empty if the node does not have it."""
        text: bytes = sgf_grammar.simpletext_value(self.properties.get(name, [""])[0].encode())
        return text.decode()


@dataclass(slots=True)
class SgfTree:
    """A game as far as it can be read, from `begin` to `end` of the text. `top` is the parent of its first node;
    `nodes` is their number; `stray` is the first text that was left out. It is `cut` if its end is missing. If it is
    `too_large`, reading was abandoned and `end` is that of the whole text."""

    begin: int
    end: int
    top: Item = field(default_factory=Item)
    nodes: int = 0
    stray: str = ""
    cut: bool = False
    too_large: bool = False


# Tokens.


def _tokens(text: str, at: int) -> Iterator[tuple[str, str, int]]:
    """Yield the tokens of `text` from `at` on, as (kind, text, end). A delimiter is its own kind; others are the name
    of a property, a value, a value that the end of the text cuts, and stray text. A node with nothing but a move is one
    token of the kind ``B`` or ``W``, with the point as its text."""
    match, move = _TOKEN.match, _MOVE.match
    while True:
        while (found := move(text, at)) is not None:
            at = found.end()
            yield found[1], found[2], at
        found = match(text, at)
        if found is None:
            return
        at = found.end()
        group = found.lastindex or 0
        piece = found[group]
        kind = _KINDS[group] or piece
        if kind is _OTHER:
            kind, piece, at = _read_value(text, at)
        elif kind is _STRAY:
            if text.startswith("[", at):  # the name before it is a property
                at -= len(piece) - len(piece.rstrip().rstrip(_ALPHANUMERIC))
                piece = text[found.start(group) : at]
            piece = piece.strip()
        yield kind, piece, at


def _read_value(text: str, at: int) -> tuple[str, str, int]:
    """Return kind, text and end of the value that begins at `at`, after its bracket. A closing bracket does not end it
    if the text goes on to another one, as in ``C[see [1] here]`` and ``C[(;B[aa])]``."""
    opened, quotes = 0, False
    inside_until = at  # each bracket of a quoted game belongs to the text, and is not looked at again
    pieces = []
    while True:
        end = _VALUE.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
        pieces.append(text[at:end])
        if end >= len(text) or text[end] != "]":
            return _CUT, "\\]".join(pieces), len(text)
        opened += text.count("[", at, end) - text.count("\\[", at, end)
        at = end + 1
        quotes = quotes or _START.search(pieces[-1]) is not None
        if len(pieces) <= _MOST_BRACKETS and at < inside_until:
            continue
        inside = _CLOSING if opened > len(pieces) - 1 else _INSIDE
        goes_on = not _FOLLOWING.match(text, at) and inside.match(text, at)
        nested = None if goes_on or not (quotes and opened) else _NESTED.match(text, at)
        if len(pieces) > _MOST_BRACKETS or not (goes_on or nested):
            return _WHOLE, "\\]".join(pieces), at
        inside_until = at if nested is None else nested.end()


def _plain_name(written: str) -> str:
    """Return the name of a property in capitals, as FF[4] has it: ``Black`` and ``b`` are ``B``."""
    if written.isupper():
        return written
    return "".join(filter(str.isupper, written)) if written.isalpha() and not written.islower() else written.upper()


# Games.


def trees(text: str, on_progress: OnProgress = silent, begin: int = 0) -> Iterator[SgfTree]:
    """Yield each game in `text`, from `begin` on, which must be 0 or the `end` of another game. They are read one by
    one to save memory."""
    start = _start_pattern(text)
    found = None if begin else _HEADLESS.match(text)
    found = found or start.search(text, begin)
    while found is not None:
        tree = _parse_tree(text, found.start(1), on_progress)
        yield tree
        found = start.search(text, tree.end)


def _start_pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of the beginning of a game that fits `text`."""
    return _START if _START.search(text) else _BARE_START


def _parse_tree(text: str, begin: int, on_progress: OnProgress) -> SgfTree:
    """Return the game that begins at `begin`, with its first parenthesis or, if that is missing, its first node."""
    tree = SgfTree(begin, len(text))
    here, node, name = tree.top, None, ""
    branches = [] if text[begin] == "(" else [tree.top]
    for number, (kind, piece, end) in enumerate(_tokens(text, begin)):
        if number % _STEP == 0:
            on_progress(end / len(text))
        if (kind is _WHOLE or kind is _CUT) and name and node is not None:
            node.properties.setdefault(name, []).append(piece)
            tree.cut |= kind is _CUT
            continue
        name = ""
        follows = kind in _NODES and (node is None or node.properties or tree.nodes == 1)  # an empty one says nothing
        if follows or (kind is _NAME and node is None and here is tree.top):
            tree.nodes += 1
            node = Item()
            here.children.append(node)
            here = node
        if kind is _NAME:
            name = _plain_name(piece)
        elif kind in _MOVES:
            assert node is not None  # it follows
            node.properties.setdefault(kind, []).append(piece)
        elif kind == "(":
            branches.append(here)
            node = None
        elif kind == ")":
            here, node = branches.pop(), None
            if not branches:
                tree.end = end
                return tree
        elif kind != ";":
            tree.stray = tree.stray or piece.strip()
        if number > MOST_TOKENS or tree.nodes > MOST_NODES or len(branches) > MOST_NODES:
            tree.too_large = True
            return tree
    tree.cut = True
    return tree


# The encoding.


def decoded_sgf(data: bytes, encoding: str | None = None) -> Decoded:
    """Decode a file before it is parsed: in some encodings a bracket may be the second byte of a character. Without an
    `encoding` it is the one that the file names, if that is possible, else a guess. Null bytes, which some programs
    leave, are removed. Raise `FormatError` for an invalid `encoding`."""
    if not data.startswith((BOM_UTF16_BE, BOM_UTF16_LE)):
        data = data.replace(b"\0", b"")
    if encoding is not None or data.startswith((BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE)):
        return decode(data, encoding)
    named = _charset(data)
    known = codec_for(named)
    if known is not None and mostly_in(data, known):
        return decode(data, known)
    decoded = decode(data, judge=judge)
    if decoded.guessed and known is None and (hidden := _CHARSET.search(data)):
        # The byte before its bracket may have hidden it.
        known = codec_for(named := hidden[1].decode("ascii", "replace"))
        if known is not None and mostly_in(data, known):
            return decode(data, known)
    return Decoded(decoded.text, decoded.encoding, decoded.guessed, named if decoded.guessed else "")


def judge(text: str) -> TextEvidence:
    """Judge a text that may be SGF. Flaws are stray text, a value without end, and a value with a bracket in it, which
    may be two with a bracket lost by a wrong encoding."""
    texts, flaws = [], 0
    for kind, piece, _ in islice(_tokens(text, 0), MOST_NODES):
        if kind in (_WHOLE, _CUT) and not piece.isascii():
            texts.append(piece)
        flaws += kind in (_STRAY, _CUT) or (kind == _WHOLE and "[" in piece)
    return TextEvidence(texts, flaws)


def _charset(data: bytes) -> str:
    """Return the encoding that CA names in the first node; empty without one. Text of that form in a comment does not
    count."""
    text = data[:_HEAD].decode("latin-1")
    begin = _HEADLESS.match(text) or _start_pattern(text).search(text)
    name, nodes = "", 0
    for kind, piece, _ in _tokens(text, begin.start(1)) if begin else ():
        nodes += kind == ";"
        if nodes > 1 or kind == ")":
            break
        if kind is _WHOLE and name == "CA" and re.fullmatch(r"\s*[\w.:-]{1,40}\s*", piece):
            return piece.strip()
        name = piece if kind is _NAME else ""
    return ""


# Which game an SGF file has: the numbers of GM, and how Go is told from gomoku where a file does not say, since Go is
# what SGF means then.


GO, GOMOKU = 1, 4
"""The GM of Go, the default, and that of gomoku and renju."""

_NAMED_RENJU = 5
"""What ORC Game Center writes for renju; elsewhere Nine Men's Morris, whose files have no size and no rule of renju."""

_NAMED_FIVE = 2
"""What some programs write for gomoku; elsewhere Othello, whose boards are smaller."""
_SIX = re.compile(r"(?:^|\W)connect[ -]?6(?:\W|$)|六子棋", re.IGNORECASE)

CONNECT6 = -6
"""Stands for Connect6, which SGF has no number for."""

NAMES = {CONNECT6: "Connect6"} | dict(enumerate((
    "Go", "Othello", "chess", "Gomoku", "Nine Men's Morris", "backgammon", "Chinese chess", "shogi", "Lines of Action",
    "Ataxx", "Hex", "Jungle", "Neutron", "Philosopher's Football", "Quadrature", "Trax", "Tantrix", "Amazons", "Octi",
    "Gess", "TwixT", "Zèrtz", "Plateau", "Yinsh", "Pünct", "Gobblet", "Hive", "Exxit", "Hnefatafl", "Kuba", "Tripples",
    "Chase", "Tumbling Down", "Sahara", "Byte", "Focus", "Dvonn", "Tamsk", "Gipf", "Kropki",
), 1))  # fmt: skip
"""The games by their GM."""

_WORDS = {name.lower(): number for number, name in NAMES.items() if number != CONNECT6}
_GO_SIZES = {"", "9", "13", "19"}
GO_RULES = {"japanese", "chinese", "aga", "nz", "ing", "goe", "korean", "new zealand", "tromp-taylor", "日本", "中国"}
COUNTED = re.compile(r"\s*([BWbw])\+\d+(\.\d+)?\s*")
"""A result in points."""
_ROW = 5
_CENTRAL = re.compile("[f-j][f-j]")
_USUAL = re.compile("[a-o][a-o]|tt|")


def game_number(top: Item) -> int:
    """Return the GM of the game that begins with `top`: the right number where programs write another, ``CONNECT6`` for
    Connect6, 0 if it is unknown."""
    written = top.first("GM").strip()
    if _SIX.search(top.first("RU")):
        return CONNECT6
    number = int(written) if re.fullmatch("[0-9]{1,4}", written, re.ASCII) else _WORDS.get(written.lower(), 0)
    if number == GOMOKU or (number == _NAMED_RENJU and (top.first("SZ").strip() or named_rule(top) is not None)):
        return GOMOKU
    if number == _NAMED_FIVE and re.fullmatch("1[3-9]|20", top.first("SZ").strip()):
        return GOMOKU
    if number not in (GO, 0) or (written and not number):
        return number
    return GO if _is_go(top, bool(number)) else GOMOKU


def named_rule(top: Item) -> str | None:
    """Return the rule that the file names in RU or, as ORC Game Center does, at the end of GN: ``A-B(B) : RIF rule``;
    None if it names none."""
    _, colon, end = top.first("GN").rpartition(":")
    return rule_named(top.first("RU")) or (rule_named(end) if colon else None)


def is_gomoku(top: Item) -> bool:
    """Return whether `top`, which says neither its game nor its size, begins a game of gomoku: it names a rule, ends
    with a row of five, or begins around the centre of the usual board and stays on it, as no game of Go does."""
    if named_rule(top) is not None or _ends_in_row(top):
        return True
    points = []
    item: Item | None = top
    while item is not None:
        points += [point.strip() for colour in ("B", "W") for point in item.properties.get(colour, ())]
        item = item.children[0] if item.children else None
    return len(points) > 1 and all(map(_CENTRAL.fullmatch, points[:2])) and all(map(_USUAL.fullmatch, points))


def _is_go(top: Item, said: bool) -> bool:
    """Return whether a game of Go begins with `top`, and not one of gomoku from a program that knows Go only. `said`
    means that the file has the GM of Go."""
    if rule_named(top.first("RU")) is not None or _ends_in_row(top):
        return False
    size = top.first("SZ").strip()
    if said and size in _GO_SIZES:
        return True
    komi, handicap = (top.first(name).strip() for name in ("KM", "HA"))
    counted = any(name in top.properties for name in ("TB", "TW")) or COUNTED.fullmatch(top.first("RE"))
    spoken = top.first("RU").strip().lower() in GO_RULES
    return bool(_more_than_zero(komi) or _more_than_zero(handicap) or counted or spoken or size in _GO_SIZES - {""})


def _more_than_zero(text: str) -> bool:
    """Return whether a text has a digit other than 0."""
    return any(digit.isdecimal() and digit != "0" for digit in text)


def _ends_in_row(top: Item) -> bool:
    """Return whether the last move of the main line makes the first row of five or more: in Go there are rows long
    before the end."""
    stones: dict[tuple[int, int], str] = {}
    made = False
    item: Item | None = top
    while item is not None:
        for colour in ("B", "W"):
            for point in item.properties.get(colour, ()):
                if made:
                    return False
                if len(point := point.strip()) == 2:
                    place = ord(point[0]), ord(point[1])
                    stones[place] = colour
                    made = _in_row(stones, place)
        item = item.children[0] if item.children else None
    return made


def _in_row(stones: dict[tuple[int, int], str], place: tuple[int, int]) -> bool:
    """Return whether the stone at `place`, (column, row), is part of five or more in a row."""
    column, row = place
    for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            step = 1
            while stones.get((column + sign * step * right, row + sign * step * down)) == stones[place]:
                length, step = length + 1, step + 1
        if length >= _ROW:
            return True
    return False
