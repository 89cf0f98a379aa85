"""SGF (FF[4], https://www.red-bean.com/sgf/), the games of GM[4]: gomoku and renju.

sgfmill's grammar reads the tree; what its properties mean is told here. Properties that mean nothing to us stay with
their node (`Node.extra`), for `games.formats.sgf_writer` to write them again.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, lookup
from collections.abc import Iterable, Iterator

from sgfmill import sgf_grammar

from games.formats.common import FormatError, notice, read_by_fitting_rule
from games.formats.native import LONGEST_COMMENT, LONGEST_NAME, MOST_MARKS, MOST_NODES, MOST_VALUES
from games.position import FIRST, SECOND, IllegalMove, Outcome, Stones
from games.record import PERSON, GameRecord, Mark, Node, Seat
from games.registry import GAMES, Setup, setup

GOMOKU = 4
"""The GM of gomoku and renju."""

GAME = next(game.key for game in GAMES.values() if game.sgf_number == GOMOKU)

MOST_GAMES = 2_000
"""Games of a collection that are read."""

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
"""Bytes that an encoding of SGF files reads as ASCII does."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "cp950"}
"""The encodings that files are really in which name these narrower ones."""
_SCRIPTS = (
    ("cp932", "[\u3040-\u30ff]", 0.25),
    ("cp949", "[\uac00-\ud7a3]", 0.9),
    ("gb18030", "[\u4e00-\u9fff]", 0.5),
)
"""Encodings in the order in which they are tried, and the least share of kana, hangul or hanzi in what is not ASCII."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class _Item:
    """A node of the file: its properties, decoded but with their escapes, and what follows."""

    def __init__(self, properties: dict[str, list[str]]) -> None:
        self.properties = properties
        self.children: list[_Item] = []

    def first(self, name: str) -> str:
        text: bytes = sgf_grammar.simpletext_value(self.properties.get(name, [""])[0].encode())
        return text.decode()

    @property
    def moves(self) -> bool:
        """Whether stones are played here."""
        return not self.properties.keys().isdisjoint(_COLOURS)


def recognises(data: bytes) -> bool:
    """Whether `data` begins like an SGF file."""
    return re.match(rb"[^(]{0,200}\(\s*;\s*[A-Za-z(;)]", data) is not None


def loads(data: bytes, game: Setup | None = None) -> GameRecord:
    """The first game in `data`; `game` tells the rule where the file does not. Raise `FormatError`."""
    trees = _parsed(data)
    record = _record(_tree(trees[0]), game)
    if len(trees) > 1:
        record.notices.append(notice("more_games", count=len(trees) - 1))
    return record


def loads_all(data: bytes, game: Setup | None = None) -> list[GameRecord]:
    """Every game in `data` that is one of ours; the first one has a notice of the others. Raise `FormatError` if there
    is none."""
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
    """All of the file decoded, before anything else: in some encodings a bracket may be half of a character."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    if data.startswith(BOM_UTF8):
        return _guessed(data)
    encoding = _encoding(_charset(data))
    return _guessed(data) if encoding is None else data.decode(encoding, "replace")


def _charset(data: bytes) -> re.Match[bytes] | None:
    """The CA among the properties of the first node: comments may have that text, too."""
    begin = re.search(rb"\(\s*;", data)
    found = _PROPERTY.match(data, begin.end()) if begin else None
    while found is not None and found[1] != b"CA":
        found = _PROPERTY.match(data, found.end())
    return found and _CHARSET.match(data, found.start(1))


def _encoding(named: re.Match[bytes] | None) -> str | None:
    """The encoding that a `_CHARSET` names, None for one that cannot be that of a file in which it could be read."""
    try:
        known = lookup(named[1].decode("ascii") if named else "").name
        return _WIDER.get(known, known) if _PLAIN.decode(known, "replace") == _PLAIN.decode("ascii") else None
    except (LookupError, UnicodeError):
        return None


def _guessed(data: bytes) -> str:
    """`data` without a CA: UTF-8, or else the encoding of East Asia in which it makes most sense. In some of them half
    a character before a CA may have hidden it."""
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
    """The nodes of a parsed game, one by one. Raise `FormatError` for more than we take."""
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
    """The first node together with those after it before the first move, in which some programs set up the stones."""
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
    """Raise `FormatError` for another game, or a board that we do not have."""
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
    """The rule that the file or the caller names, None if neither does."""
    named = top.first("RU").lower()
    for word, rule in (("renju", "renju"), ("standard", "standard"), ("exact", "standard"), ("free", "freestyle")):
        if word in named:
            return rule
    return rule_of(game)


def rule_of(game: Setup | None) -> str | None:
    """The rule of `game`, None if it is none of gomoku."""
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
    """What the first node sets up, None if nothing; whose turn it is where the file does not say follows from the
    first move."""
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
    """The side that makes the first move of the main line."""
    item = top
    while not item.moves and item.children:
        item = item.children[0]
    return next((_COLOURS[name] for name in item.properties if name in _COLOURS), default)


def _points(values: Iterable[str], size: int) -> Iterator[int]:
    """The cells of a list of points, in which ``aa:cc`` is a rectangle; its corners may be any two opposite ones. Raise
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
    """Column and row of a point on the board, from the upper left. Some programs write it as people do, ``h8``. Raise
    `FormatError`."""
    if _SPOKEN.fullmatch(text):
        column, row = LETTERS.index(text[0].lower()), size - int(text[1:])
    elif len(text) == 2 and text[0] in LETTERS and text[1] in LETTERS:
        column, row = LETTERS.index(text[0]), LETTERS.index(text[1])
    else:
        raise FormatError(f"The file is damaged: “{text[:20]}” is not a point of SGF.")
    if not (0 <= column < size and 0 <= row < size):
        raise FormatError(f"The file is damaged: “{text}” is not on the board.")
    return column, row


def _grow(record: GameRecord, top: _Item) -> set[str]:
    """Gives `record` all that the nodes say. What cannot be played is left out, and said so; returns the kinds of
    notices of what else was left out."""
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
    """The node that the moves of `item` lead to from `here`. Raise `IllegalMove` and `FormatError`, also for an
    `unfit` property."""
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
    """Gives `node` what `item` says besides moves. Returns the kinds of notices of what was left out."""
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
    """The marks that lie on the board, and whether there are others."""
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
    """Ends the main line as RE says, unless the rules have ended it. What it says otherwise stays as it is."""
    result = top.first("RE").strip()
    winner, plus, how = result.upper().partition("+")
    if winner in ("0", "DRAW"):
        record.end(Outcome(None, "agreed"))
    elif winner in _COLOURS and plus:
        record.end(Outcome(_COLOURS[winner], RESULT_REASONS.get(how.strip()[:1], "other")))
    elif result:
        record.root.extra["RE"] = tuple(top.properties["RE"][:1])
