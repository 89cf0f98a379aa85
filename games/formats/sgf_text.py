"""The text of an SGF file: its encoding, and the games in it, also where flaws damage their structure.

What people and programs write besides the grammar is read, too: brackets in a text, names of properties with small
letters or digits, a first node without its semicolon, a game without its end. What belongs to nothing is left out.
Every pattern here takes time in proportion to the text.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from sgfmill import sgf_grammar

from games.formats.common import FormatError, Tell
from games.formats.encodings import Decoded, Judged, decode, in_use, mostly_in
from games.formats.native import MOST_NODES

_START = re.compile(r"\(\s*+;")
_BARE_START = re.compile(r"\(\s*+[A-Za-z0-9]++\s*+\[")
_HEADLESS = re.compile(r"[\ufeff\s;]*+(?=(?:GM|FF|SZ|CA|AP|PB|PW)\s*+\[)")
"""How a text begins with a game that has lost its first parenthesis."""
_TOKEN = re.compile(
    r"\s*+(?:([\[();])|([A-Za-z0-9]++)(?=\s*+\[)|(?:[A-Za-z0-9]++(?!\s*+\[)|[^A-Za-z0-9\[();])++)"
)
"""A delimiter, the name of a property, or all that is neither, up to the next of these."""
_VALUE = re.compile(r"(?:[^\]\\]++|\\.)*+", re.DOTALL)
_FOLLOWING = re.compile(r"\s*+(?:[\[);]|\Z|\(\s*+(?:;|\Z)|\(?\s*+[A-Za-z0-9]{1,64}\s*+\[)")
"""What may follow a value."""
_INSIDE = re.compile(r"\s*+[^\s\[\]();][^\[\]();]*+\]")
"""What follows a bracket inside a text."""
_CLOSING = re.compile(r"[^\];]*+\]")
"""What follows a bracket inside a text that closes another one there."""
_CHARSET = re.compile(rb"CA\s*+\[\s*+([\w.:-]{1,40})\s*+\]")
_STEP = 1024  # tokens between two reports of the progress
MOST_TOKENS = 5 * MOST_NODES
"""Maximum number of tokens of a game; a move has three."""

_MOST_STRAY = 5
_MOST_BRACKETS = 10_000  # that belong to the text of one value; the next one ends it

_NAME, _WHOLE, _CUT, _STRAY = "name", "value", "cut", "stray"


class Item:
    """A node of the file: its properties, decoded but still escaped, and its children."""

    __slots__ = ("children", "properties")

    def __init__(self) -> None:
        self.properties: dict[str, list[str]] = {}
        self.children: list[Item] = []

    def first(self, name: str) -> str:
        """Return the first value of a property, without its escapes; empty without one."""
        text: bytes = sgf_grammar.simpletext_value(self.properties.get(name, [""])[0].encode())
        return text.decode()


@dataclass(slots=True)
class Tree:
    """A game as far as it can be read: its first node, and the first of the `stray` texts that were left out. It is
    `cut` where its end is missing."""

    top: Item = field(default_factory=Item)
    stray: list[str] = field(default_factory=list)
    cut: bool = False


# Tokens.


def _tokens(text: str, at: int = 0) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, the text and the end of what stands in `text` from `at` on: a delimiter, which is its own kind,
    the name of a property, a value, one that is cut by the end of the text, or what is none of these."""
    while (found := _TOKEN.match(text, at)) is not None:
        at = found.end()
        if found[1] == "[":
            kind, value, at = _value(text, at)
            yield kind, value, at
        elif found[1]:
            yield found[1], found[1], at
        else:
            yield _NAME if found[2] else _STRAY, found[0].strip(), at


def _value(text: str, at: int) -> tuple[str, str, int]:
    """Return kind and text of the value that begins after a bracket at `at`, and where it ends: not before a bracket
    after which the text goes on to another one, as in ``C[see [1] here]``."""
    value, opened = "", 0
    pieces = []
    while True:
        end = _VALUE.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
        pieces.append(text[at:end])
        if end >= len(text) or text[end] != "]":
            return _CUT, "\\]".join(pieces), len(text)
        opened += text.count("[", at, end) - text.count("\\[", at, end)
        at = end + 1
        inside = _CLOSING if opened > len(pieces) - 1 else _INSIDE
        if len(pieces) > _MOST_BRACKETS or _FOLLOWING.match(text, at) or not inside.match(text, at):
            value = "\\]".join(pieces)
            return _WHOLE, value, at


def _plain_name(written: str) -> str:
    """Return the name of a property as FF[4] has it: ``Black`` and ``b`` are ``B``."""
    return "".join(filter(str.isupper, written)) if written.isalpha() and not written.islower() else written.upper()


# Games.


def split(text: str, tell: Tell) -> Iterator[tuple[int, int]]:
    """Yield begin and end of each game in `text`, one after the other: a whole collection as a tree would take much
    memory."""
    start = _START if _START.search(text) else _BARE_START
    end = 0
    if headless := _HEADLESS.match(text):
        end = _end(text, headless.end(), tell)
        yield headless.end(), end
    while (found := start.search(text, end)) is not None:
        end = _end(text, found.start(), tell)
        yield found.start(), end


def _end(text: str, begin: int, tell: Tell) -> int:
    """Return where the game ends that begins at `begin`; at once at the end of the text, where it is too deep or too
    long."""
    depth = int(text[begin] != "(")
    for number, (kind, _, end) in enumerate(_tokens(text, begin)):
        depth += {"(": 1, ")": -1}.get(kind, 0)
        if not depth:
            return end
        if depth > MOST_NODES or number > MOST_TOKENS:
            break
        if number % _STEP == 0:
            tell(end / len(text))
    return len(text)


def parsed(game: str) -> Tree:
    """Read a game, from its first parenthesis if it has one. Raise `FormatError` for more than `MOST_NODES` nodes."""
    tree = Tree()
    here, node, name, count = tree.top, None, "", 0
    branches = [] if game.startswith("(") else [tree.top]
    for number, (kind, piece, _) in enumerate(_tokens(game)):
        if number > MOST_TOKENS:
            raise FormatError(f"The file has more than {MOST_NODES:,} positions.")
        if kind in (_WHOLE, _CUT) and name and node is not None:
            node.properties.setdefault(name, []).append(piece)
            tree.cut |= kind == _CUT
            continue
        name = ""
        if kind == ";" or (kind == _NAME and node is None and here is tree.top):
            count += 1
            if count > MOST_NODES:
                raise FormatError(f"The file has more than {MOST_NODES:,} positions.")
            node = Item()
            here.children.append(node)
            here = node
        if kind == _NAME:
            name = _plain_name(piece)
        elif kind == "(":
            branches.append(here)
            if len(branches) > MOST_NODES:
                raise FormatError(f"The file has more than {MOST_NODES:,} positions.")
            node = None
        elif kind == ")":
            here, node = branches.pop(), None
            if not branches:
                return tree
        elif kind != ";" and len(tree.stray) < _MOST_STRAY:
            tree.stray.append(piece)
    tree.cut = True
    return tree


# The encoding.


def decoded_sgf(data: bytes, encoding: str | None = None) -> Decoded:
    """Decode a file before parsing it: in some encodings a bracket may be the second byte of a character. Without an
    `encoding` it is the one that the file names, unless that cannot be, or guessed. Raise `FormatError`, as `decode`
    does."""
    if encoding is not None or data.startswith((BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE)):
        return decode(data, encoding)
    named = _charset(data)
    known = in_use(named)
    if known is not None and mostly_in(data, known):
        return decode(data, known)
    decoded = decode(data, judge=judge)
    if decoded.guessed and known is None and (hidden := _CHARSET.search(data)):
        known = in_use(named := hidden[1].decode("ascii", "replace"))  # the byte before its bracket may have hidden it
        if known is not None and mostly_in(data, known):
            return decode(data, known)
    return Decoded(decoded.text, decoded.encoding, decoded.guessed, named if decoded.guessed else "")


def judge(text: str) -> Judged:
    """Judge a text that may be SGF: a value with a bracket in it may be two of which a bracket was lost."""
    texts, flaws = [], 0
    for kind, piece, _ in islice(_tokens(text), MOST_NODES):
        if kind in (_WHOLE, _CUT) and not piece.isascii():
            texts.append(piece)
        flaws += kind in (_STRAY, _CUT) or (kind == _WHOLE and "[" in piece)
    return Judged(texts, flaws)


def _charset(data: bytes) -> str:
    """Return the value of CA in the first node, or nothing; comments may contain that text, too."""
    text = data.decode("latin-1")
    begin = next(split(text[: 1 << 16], lambda _share: None), None)
    name, nodes = "", 0
    for kind, piece, _ in _tokens(text, begin[0]) if begin else ():
        nodes += kind == ";"
        if nodes > 1 or kind == ")":
            break
        if kind == _WHOLE and name == "CA" and re.fullmatch(r"\s*[\w.:-]{1,40}\s*", piece):
            return piece.strip()
        name = piece if kind == _NAME else ""
    return ""
