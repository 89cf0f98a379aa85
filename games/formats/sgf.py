"""SGF (FF[4], https://www.red-bean.com/sgf/), the games of GM[4]: gomoku and renju.

sgfmill's grammar parses the tree; this module interprets the properties. Properties without a meaning here are kept in
`Node.extra`, and `games.formats.sgf_writer` writes them again.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, lookup
from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from sgfmill import sgf_grammar

from games.formats.common import FormatError, notice, read_by_fitting_rule, shortened
from games.formats.native import LONGEST_COMMENT, LONGEST_NAME, MOST_MARKS, MOST_NODES, MOST_VALUES
from games.position import FIRST, SECOND, IllegalMove, Outcome, Stones
from games.record import PERSON, GameRecord, Mark, Node, Seat
from games.registry import GAMES, Setup, setup

GOMOKU = 4
"""The GM of gomoku and renju."""

GAME = next(game.key for game in GAMES.values() if game.sgf_number == GOMOKU)

MOST_GAMES = 2_000
"""Maximum number of games read from a collection."""

_GO, _GO_SIZES = 1, (9, 13, 19)
_PASS_SIZE = 20
"""On smaller boards ``tt`` is a pass."""
_COLOURS = {"B": FIRST, "W": SECOND}
SHAPES = {"CR": "circle", "SQ": "square", "TR": "triangle", "MA": "cross", "SL": "selected"}
RESULT_REASONS = {"R": "resigned", "T": "time"}
_KNOWN = {"B", "W", "C", "LB", *SHAPES}
_SET_UP = {"AB", "AW", "AE"}
_KNOWN_AT_ROOT = {"GM", "FF", "CA", "AP", "SZ", "RU", "PB", "PW", "DT", "RE", "AB", "AW", "AE", "PL"}
_CHARSET = re.compile(rb"CA\s*\[\s*([\w.:-]{1,40})\s*\]")
_PROPERTY = re.compile(rb"\s*([A-Za-z]+)\s*((?:\[(?:[^\]\\]|\\.)*+\]\s*)++)", re.DOTALL)
_SPOKEN = re.compile("[A-Za-z][0-9]{1,2}")
_PLAIN = bytes(set(range(32, 127)) - {92}) + rb"\u0041"
"""Bytes that every encoding of an SGF file decodes as ASCII does."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "cp950"}
"""Supersets of encodings that files name but do not keep to."""
_SCRIPTS = (
    ("cp932", "[\u3040-\u30ff]", 0.25),
    ("cp949", "[\uac00-\ud7a3]", 0.9),
    ("gb18030", "[\u4e00-\u9fff]", 0.5),
)
"""Encodings to try in this order, each with its script and the least share of it among non-ASCII characters."""


class _Item:
    """A node of the file: its properties, decoded but still escaped, and its children."""

    def __init__(self, properties: dict[str, list[str]]) -> None:
        self.properties = properties
        self.children: list[_Item] = []

    def first(self, name: str) -> str:
        text: bytes = sgf_grammar.simpletext_value(self.properties.get(name, [""])[0].encode())
        return text.decode()

    @property
    def moves(self) -> bool:
        """Whether the node has a move."""
        return not self.properties.keys().isdisjoint(_COLOURS)


def recognises(data: bytes) -> bool:
    """Return whether `data` begins like an SGF file."""
    return re.match(rb"[^(]{0,200}\(\s*;\s*[A-Za-z(;)]", data) is not None


def loads(data: bytes, game: Setup | None = None) -> GameRecord:
    """Read the first game in `data`; `game` gives the rule if the file does not. Raise `FormatError`."""
    trees = _parsed(data)
    record = _record(_tree(trees[0]), game)
    if len(trees) > 1:
        record.notices.append(notice("more_games", count=len(trees) - 1))
    return record


def loads_all(data: bytes, game: Setup | None = None) -> list[GameRecord]:
    """Read every game in `data` that is gomoku or renju; a notice of the first counts the others. Raise `FormatError`
    if there is none."""
    trees = _parsed(data)
    records, refusal = [], None
    for tree in trees[:MOST_GAMES]:
        try:
            records.append(_record(_tree(tree), game))
        except FormatError as error:
            refusal = error
    if refusal is not None and not records:
        raise refusal
    if len(trees) > len(records):
        records[0].notices.append(notice("other_games", count=len(trees) - len(records)))
    return records


def _parsed(data: bytes) -> list[sgf_grammar.Coarse_game_tree]:
    text = _unicode(data)
    try:
        games: list[sgf_grammar.Coarse_game_tree] = sgf_grammar.parse_sgf_collection(text.encode())
    except ValueError as error:
        raise FormatError(f"The file is not SGF, or it is damaged: {error}.") from error
    return games


def _unicode(data: bytes) -> str:
    """Decode the file before parsing it: in some encodings a bracket may be the second byte of a character."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    if data.startswith(BOM_UTF8):
        return _guessed(data)
    encoding = _encoding(_charset(data))
    return _guessed(data) if encoding is None else data.decode(encoding, "replace")


def _charset(data: bytes) -> re.Match[bytes] | None:
    """Find the CA property of the first node; comments may contain that text, too."""
    begin = re.search(rb"\(\s*;", data)
    found = _PROPERTY.match(data, begin.end()) if begin else None
    while found is not None and found[1] != b"CA":
        found = _PROPERTY.match(data, found.end())
    return found and _CHARSET.match(data, found.start(1))


def _encoding(named: re.Match[bytes] | None) -> str | None:
    """Return the encoding that a match of `_CHARSET` names; None if the match could not have been read in it."""
    try:
        known = lookup(named[1].decode("ascii") if named else "").name
        return _WIDER.get(known, known) if _PLAIN.decode(known, "replace") == _PLAIN.decode("ascii") else None
    except (LookupError, UnicodeError):
        return None


def _guessed(data: bytes) -> str:
    """Decode `data` without a CA at its beginning: as UTF-8, or by the CA found anywhere (in some encodings the byte
    before it may have hidden it), or in the first East Asian encoding of `_SCRIPTS` that fits."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if encoding := _encoding(_CHARSET.search(data)):
        return data.decode(encoding, "replace")
    for encoding, script, share in _SCRIPTS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        foreign = re.findall(r"[^\x00-\x7f]", text)
        if len(re.findall(script, text)) >= share * len(foreign):
            return text
    return data.decode("latin-1")


def _tree(game: sgf_grammar.Coarse_game_tree) -> _Item:
    """Convert a parsed game without recursion. Raise `FormatError` for more than `MOST_NODES` nodes."""
    top = _Item({})
    waiting, count = [(top, game)], 0
    while waiting:
        parent, branch = waiting.pop()
        for raw in branch.sequence:
            item = _Item({name: [value.decode() for value in values] for name, values in raw.items()})
            parent.children.append(item)
            parent = item
            count += 1
            if count > MOST_NODES:
                raise FormatError(f"The file has more than {MOST_NODES:,} positions.")
        waiting.extend((parent, child) for child in reversed(branch.children))
    return _merged(top.children[0])


def _merged(top: _Item) -> _Item:
    """Merge the nodes before the first move: some programs set up stones in the second."""
    while not top.moves and len(top.children) == 1 and not top.children[0].moves:
        following = top.children[0]
        for name, values in following.properties.items():
            top.properties.setdefault(name, []).extend(values)
        top.children = following.children
    return top


# From SGF.


def _record(top: _Item, game: Setup | None) -> GameRecord:
    size = _size(top)
    return read_by_fitting_rule(lambda rule: _read(top, setup(GAME, size, rule)), GAME, _rule(top, game))


def _size(top: _Item) -> int:
    """Return the size of the board. Raise `FormatError` for another game or an unsupported size."""
    number, written = top.first("GM").strip() or str(_GO), top.first("SZ").strip()
    if number == str(GOMOKU) and not written:
        written = str(GAMES[GAME].size)
    width, _, height = written.partition(":")
    if not width.isdecimal() or not (height or width).isdecimal():
        raise FormatError("The file does not say how large the board is.", "foreign")
    if number not in (str(GOMOKU), str(_GO)) or (number == str(_GO) and int(width[:4]) in _GO_SIZES):
        raise FormatError("The file has a game of another kind, perhaps of Go.", "foreign")
    try:
        if int(width[:4]) != int((height or width)[:4]):
            raise ValueError(f"The board is {width}×{height}; only square ones can be read.")
        return setup(GAME, int(width[:4])).size
    except ValueError as error:
        raise FormatError(str(error), "foreign") from error


def _rule(top: _Item, game: Setup | None) -> str | None:
    """Return the rule that the file or the caller names, or None."""
    named = top.first("RU").lower()
    for word, rule in (("renju", "renju"), ("standard", "standard"), ("exact", "standard"), ("free", "freestyle")):
        if word in named:
            return rule
    return rule_of(game)


def rule_of(game: Setup | None) -> str | None:
    """Return the rule of `game`, or None if that is another game than gomoku."""
    return game.rule if game is not None and game.game == GAME else None


def _read(top: _Item, of: Setup) -> GameRecord:
    names = [top.first(name) for name in ("PB", "PW")]
    seats = [Seat(PERSON, name[:LONGEST_NAME]) for name in names]
    try:
        record = GameRecord(of, (seats[0], seats[1]), stones=_stones(top, of.size))
    except ValueError as error:
        raise FormatError(str(error)) from error
    record.date = top.first("DT")[:LONGEST_NAME]
    skipped = _grow(record, top) | ({"shortened"} if max(map(len, names)) > LONGEST_NAME else set())
    record.notices += map(notice, sorted(skipped))
    for node in record.nodes():
        node.preferred = 0
    record.cursor = record.main_end()
    _end(record, top)
    return record


def _stones(top: _Item, size: int) -> Stones | None:
    """Return what the first node sets up, or None. Without PL the first move determines whose turn it is."""
    empty = set(_points(top.properties.get("AE", []), size))
    black, white = (
        tuple(cell for cell in dict.fromkeys(_points(top.properties.get(name, []), size)) if cell not in empty)
        for name in ("AB", "AW")
    )
    turn = {"b": FIRST, "w": SECOND}.get(top.first("PL").strip().lower()[:1])
    if turn is None:
        turn = _first_side(top, (len(black) + len(white)) & 1)
    return Stones((black, white), turn) if black or white or turn != FIRST else None


def _first_side(top: _Item, default: int) -> int:
    """Return the side that makes the first move of the main line, or `default`."""
    item = top
    while not item.moves and item.children:
        item = item.children[0]
    return next((_COLOURS[name] for name in item.properties if name in _COLOURS), default)


def _points(values: Iterable[str], size: int) -> Iterator[int]:
    """Yield the cells of a list of points, in which ``aa:cc`` is a rectangle by any two opposite corners. Raise
    `FormatError`."""
    for value in dict.fromkeys(map(str.strip, values)):
        start, colon, end = value.partition(":")
        if not colon:
            yield _cell(start, size)
            continue
        columns, rows = map(sorted, zip(_place(start, size), _place(end, size), strict=True))
        for row in range(rows[0], rows[1] + 1):
            yield from (row * size + column for column in range(columns[0], columns[1] + 1))


def _cell(text: str, size: int) -> int:
    column, row = _place(text, size)
    return row * size + column


def _place(text: str, size: int) -> tuple[int, int]:
    """Return column and row of a point, from the top left; also of a coordinate such as ``h8``, as some programs write
    it. Raise `FormatError`."""
    if _SPOKEN.fullmatch(text):
        column, row = ascii_lowercase.index(text[0].lower()), size - int(text[1:])
    elif len(text) == 2 and text[0] in ascii_lowercase and text[1] in ascii_lowercase:
        column, row = ascii_lowercase.index(text[0]), ascii_lowercase.index(text[1])
    else:
        raise FormatError(f"The file is damaged: “{shortened(text)}” is not a point of SGF.")
    if not (0 <= column < size and 0 <= row < size):
        raise FormatError(f"The file is damaged: “{text}” is not on the board.")
    return column, row


def _grow(record: GameRecord, top: _Item) -> set[str]:
    """Add the nodes to `record`. Leave out illegal moves with what follows them, each with a notice; return the kinds
    of notices of what else was left out."""
    skipped = _tell(record.root, top, _KNOWN_AT_ROOT, record.setup.size)
    waiting = [(record.root, child) for child in reversed(top.children)]
    if top.moves:  # some programs put the first move there
        waiting = [(record.root, top)]
    while waiting:
        here, item = waiting.pop()
        try:
            last = _played(record, here, item, _SET_UP if item is not top else set())
        except (IllegalMove, FormatError) as error:
            why = error.reason if isinstance(error, IllegalMove) else "outside"
            record.notices.append(notice("cut", ply=record.position.ply + 1, reason=str(error), why=why))
            continue
        if item is not top:
            skipped |= _tell(last, item, set(), record.setup.size)
        waiting.extend((last, child) for child in reversed(item.children))
    return skipped


def _played(record: GameRecord, here: Node, item: _Item, unfit: set[str]) -> Node:
    """Play the moves of `item` at `here` and return the last node. Raise `FormatError`, and `IllegalMove` also for a
    property in `unfit`."""
    record.cursor = here
    if not item.properties.keys().isdisjoint(unfit):
        raise IllegalMove("set_up", "Stones are set up in the game.")
    moves = {side: list(reversed(item.properties.get(name, ()))) for name, side in _COLOURS.items()}
    while any(moves.values()):
        turn = record.position.turn
        if not moves[turn]:
            raise IllegalMove("turn", "It is the other side's turn.")
        point = moves[turn].pop().strip()
        if not point or (point == "tt" and record.setup.size < _PASS_SIZE):
            raise IllegalMove("pass", "There are no passes in this game.")
        here = record.play(_cell(point, record.setup.size))
    return here


def _tell(node: Node, item: _Item, known: set[str], size: int) -> set[str]:
    """Store in `node` what `item` says besides moves. Return the kinds of notices of what was left out."""
    text = "\n".join(sgf_grammar.text_value(value.encode()).decode() for value in item.properties.get("C", ()))
    comment = "\n".join(filter(None, (node.comment, text)))
    marks, outside = _marks(item, size)
    node.comment, node.marks = comment[:LONGEST_COMMENT], node.marks + tuple(marks)
    extra = {name: values for name, values in item.properties.items() if name not in _KNOWN | known}
    for name, values in extra.items():
        node.extra[name] = (*node.extra.get(name, ()), *(value[:LONGEST_COMMENT] for value in values))[:MOST_VALUES]
    longest = max(len(comment), *(len(value) for values in extra.values() for value in values), 0)
    shortened = longest > LONGEST_COMMENT or max(map(len, extra.values()), default=0) > MOST_VALUES
    outside |= len(node.marks) > MOST_MARKS
    node.marks = node.marks[:MOST_MARKS]
    return {kind for kind, found in (("shortened", shortened), ("marks", outside)) if found}


def _marks(item: _Item, size: int) -> tuple[list[Mark], bool]:
    """Return the marks on the board, and whether there are others outside."""
    marks: dict[Mark, None] = {}
    outside = False
    for name, kind in SHAPES.items():
        for value in dict.fromkeys(item.properties.get(name, ())):
            try:
                marks |= dict.fromkeys(Mark(kind, cell) for cell in _points([value], size))
            except FormatError:
                outside = True
    for value in item.properties.get("LB", ()):
        point, text = sgf_grammar.parse_compose(value.encode())
        try:
            label = sgf_grammar.simpletext_value(text or b"").decode()[:LONGEST_NAME]
            marks[Mark("label", _cell(point.decode().strip(), size), label)] = None
        except FormatError:
            outside = True
    return list(marks), outside


def _end(record: GameRecord, top: _Item) -> None:
    """End the main line as RE says, unless the rules have ended it. Keep an RE that cannot be interpreted."""
    result = top.first("RE").strip()
    winner, plus, how = result.upper().partition("+")
    if winner in ("0", "DRAW"):
        record.end(Outcome(None, "agreed"))
    elif winner in _COLOURS and plus:
        record.end(Outcome(_COLOURS[winner], RESULT_REASONS.get(how.strip()[:1], "other")))
    elif result:
        record.root.extra["RE"] = tuple(top.properties["RE"][:1])
