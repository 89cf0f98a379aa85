"""SGF (FF[4], https://www.red-bean.com/sgf/), the games of GM[4]: gomoku and renju.

sgfmill's grammar reads the tree; what its properties mean is told here. Properties that mean nothing to us stay with
their node (`Node.extra`), for `games.formats.sgf_writer` to write them again.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator

from sgfmill import sgf_grammar

from games.formats.common import FormatError, notice, read_by_fitting_rule
from games.position import FIRST, SECOND, IllegalMove, Outcome, Stones
from games.record import PERSON, GameRecord, Mark, Node, Seat
from games.registry import GAMES, Setup, setup

GOMOKU = 4
"""The GM of gomoku and renju."""

GAME = next(game.key for game in GAMES.values() if game.sgf_number == GOMOKU)

MOST_GAMES = 2_000
"""Games of a collection that are read."""

_GO, _GO_SIZES = 1, (9, 13, 19)
_MOST_NODES = 200_000
_LONGEST_NAME = 200
_LONGEST_TEXT = 100_000
_COLOURS = {"B": FIRST, "W": SECOND}
SHAPES = {"CR": "circle", "SQ": "square", "TR": "triangle", "MA": "cross", "SL": "selected"}
RESULT_REASONS = {"R": "resigned", "T": "time"}
_KNOWN = {"B", "W", "C", "LB", *SHAPES}
_KNOWN_AT_ROOT = {"GM", "FF", "CA", "AP", "SZ", "RU", "PB", "PW", "DT", "RE", "AB", "AW", "AE", "PL"}
_CHARSET = re.compile(rb"CA\s*\[\s*([\w.:-]{1,40})\s*\]")
_SCRIPTS = (
    ("shift_jis", "[\u3040-\u30ff]", 0.25),
    ("euc-kr", "[\uac00-\ud7a3]", 0.9),
    ("gb18030", "[\u4e00-\u9fff]", 0.5),
)
"""Encodings in the order in which they are tried, and the least share of kana, hangul or hanzi in what is not ASCII."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Properties = dict[str, list[str]]


class _Item:
    """A node of the file: its properties, decoded and without escapes but for points, and what follows."""

    def __init__(self, properties: Properties) -> None:
        self.properties = properties
        self.children: list[_Item] = []

    def first(self, name: str) -> str:
        return self.properties.get(name, [""])[0]


def recognises(data: bytes) -> bool:
    """Whether `data` begins like an SGF file."""
    return re.match(rb"[^(]{0,200}\(\s*;\s*[A-Za-z(;)]", data) is not None


def loads(data: bytes, game: Setup | None = None) -> GameRecord:
    """The first game in `data`; `game` tells the rule where the file does not. Raises `FormatError`."""
    trees = _parsed(data)
    record = _record(trees[0], game)
    if len(trees) > 1:
        record.notices.append(notice("more_games", count=len(trees) - 1))
    return record


def loads_all(data: bytes, game: Setup | None = None) -> list[GameRecord]:
    """Every game in `data` that is one of ours. Raises `FormatError` if there is none."""
    records, refusal = [], None
    for tree in _parsed(data):
        try:
            records.append(_record(tree, game))
        except FormatError as error:
            refusal = error
    if refusal is not None and not records:
        raise refusal
    return records


def _parsed(data: bytes) -> list[_Item]:
    text = _unicode(data)
    try:
        games = sgf_grammar.parse_sgf_collection(text.encode())
    except ValueError as error:
        raise FormatError(f"The file is not SGF, or it is damaged: {error}.") from error
    return [_tree(game) for game in games[:MOST_GAMES]]


def _unicode(data: bytes) -> str:
    """All of the file decoded, before anything else: in some encodings a bracket may be half of a character."""
    named = _CHARSET.search(data)
    if named is not None and not data.startswith(BOM_UTF8):
        try:
            return data.decode(named[1].decode("ascii"), "replace")
        except LookupError:
            pass
    return _guessed(data)


def _guessed(data: bytes) -> str:
    """`data` without a CA: UTF-8, or else the encoding of East Asia in which it makes most sense."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
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
    """The nodes of a parsed game, one by one. Raises `FormatError` for more than we take."""
    top = _Item({})
    waiting, count = [(top, game)], 0
    while waiting:
        parent, branch = waiting.pop()
        for raw in branch.sequence:
            item = _Item({name: [_value(name, value) for value in values] for name, values in raw.items()})
            parent.children.append(item)
            parent = item
            count += 1
            if count > _MOST_NODES:
                raise FormatError(f"The file has more than {_MOST_NODES:,} positions.")
        waiting.extend((parent, child) for child in reversed(branch.children))
    return top.children[0]


def _value(name: str, raw: bytes) -> str:
    if name == "LB":  # an escaped colon does not divide it
        return raw.decode()
    text: bytes = sgf_grammar.text_value(raw)
    return text.decode()[:_LONGEST_TEXT]


# From SGF.


def _record(top: _Item, game: Setup | None) -> GameRecord:
    size = _size(top)
    return read_by_fitting_rule(lambda rule: _read(top, setup(GAME, size, rule)), GAME, _rule(top, game))


def _size(top: _Item) -> int:
    """Raises `FormatError` for another game, or a board that we do not have."""
    number, written = top.first("GM").strip() or str(_GO), top.first("SZ").strip()
    width, _, height = written.partition(":")
    if not width.isdecimal() or not (height or width).isdecimal():
        raise FormatError("The file does not tell the size of the board.", "foreign")
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
    return None if game is None else game.rule


def _read(top: _Item, of: Setup) -> GameRecord:
    seats = tuple(Seat(PERSON, top.first(name)[:_LONGEST_NAME]) for name in ("PB", "PW"))
    try:
        record = GameRecord(of, (seats[0], seats[1]), stones=_stones(top, of.size))
    except ValueError as error:
        raise FormatError(str(error)) from error
    record.date = top.first("DT")[:_LONGEST_NAME]
    _tell(record.root, top, _KNOWN_AT_ROOT, of.size)
    _grow(record, top)
    for node in record.nodes():
        node.preferred = 0
    record.cursor = record.main_end()
    _end(record, top.first("RE").strip())
    return record


def _stones(top: _Item, size: int) -> Stones | None:
    """What the first node sets up, None if nothing; whose turn it is where the file does not say follows from the
    first move."""
    black, white = (tuple(_points(top.properties.get(name, []), size)) for name in ("AB", "AW"))
    turn = {"b": FIRST, "w": SECOND}.get(top.first("PL").strip().lower()[:1])
    if turn is None:
        turn = next((side for side, _ in _moves_after(top)), (len(black) + len(white)) & 1)
    return Stones((black, white), turn) if black or white or turn != FIRST else None


def _moves_after(top: _Item) -> Iterator[tuple[int, str]]:
    """The moves of the main line: (side, point)."""
    item: _Item | None = top
    while item is not None:
        yield from ((side, item.first(name)) for name, side in _COLOURS.items() if name in item.properties)
        item = item.children[0] if item.children else None


def _points(values: Iterable[str], size: int) -> Iterator[int]:
    """The cells of a list of points, in which ``aa:cc`` is a rectangle. Raises `FormatError`."""
    for value in values:
        start, colon, end = value.strip().partition(":")
        if not colon:
            yield _cell(start, size)
            continue
        (left, top), (right, bottom) = _place(start), _place(end)
        for row in range(top, bottom + 1):
            yield from (_cell(LETTERS[column] + LETTERS[row], size) for column in range(left, right + 1))


def _place(text: str) -> tuple[int, int]:
    """Column and row of a point, from the upper left. Raises `FormatError`."""
    if len(text) != 2 or text[0] not in LETTERS or text[1] not in LETTERS:
        raise FormatError(f"The file is damaged: “{text[:20]}” is not a point of SGF.")
    return LETTERS.index(text[0]), LETTERS.index(text[1])


def _cell(text: str, size: int) -> int:
    column, row = _place(text)
    if max(column, row) >= size:
        raise FormatError(f"The file is damaged: “{text}” is not on the board.")
    return row * size + column


def _grow(record: GameRecord, top: _Item) -> None:
    """Plays all that follows the first node; what cannot be played is left out, and said so."""
    waiting = [(record.root, child) for child in reversed(top.children)]
    if any(name in top.properties for name in _COLOURS):  # some programs put the first move there
        waiting = [(record.root, top)]
    while waiting:
        here, item = waiting.pop()
        last = _played(record, here, item)
        if last is None:
            continue
        if item is not top:
            _tell(last, item, set(), record.setup.size)
        waiting.extend((last, child) for child in reversed(item.children))


def _played(record: GameRecord, here: Node, item: _Item) -> Node | None:
    """The node that the moves of `item` lead to from `here`; None where they cannot be played."""
    if item.properties.keys() & {"AB", "AW", "AE"} and item.properties.keys().isdisjoint(_COLOURS):
        reason = "Stones are set up in the game."
        record.notices.append(notice("cut", ply=here.position.ply + 1, reason=reason, why="set_up"))
        return None
    for name, side in _COLOURS.items():
        for point in item.properties.get(name, ())[:1]:
            record.cursor = here
            try:
                if side != record.position.turn:
                    raise IllegalMove("turn", "It is the other side's turn.")
                here = record.play(_cell(point.strip(), record.setup.size))
            except (IllegalMove, FormatError) as error:
                why = error.reason if isinstance(error, IllegalMove) else "outside"
                record.notices.append(notice("cut", ply=record.position.ply + 1, reason=str(error), why=why))
                return None
    return here


def _tell(node: Node, item: _Item, known: set[str], size: int) -> None:
    """Gives `node` what `item` says besides moves."""
    text = "\n".join(item.properties.get("C", ()))
    node.comment = f"{node.comment}\n{text}".strip("\n")[:_LONGEST_TEXT] if node.comment else text[:_LONGEST_TEXT]
    node.marks += tuple(dict.fromkeys(_marks(item, size)))
    extra = {name: tuple(values) for name, values in item.properties.items() if name not in _KNOWN | known}
    node.extra = node.extra | extra


def _marks(item: _Item, size: int) -> Iterator[Mark]:
    """The marks that lie on the board; others are dropped."""
    for name, kind in SHAPES.items():
        for value in item.properties.get(name, ()):
            try:
                yield from (Mark(kind, cell) for cell in _points([value], size))
            except FormatError:
                continue
    for value in item.properties.get("LB", ()):
        point, text = sgf_grammar.parse_compose(value.encode())
        try:
            label = sgf_grammar.simpletext_value(text or b"").decode()[:_LONGEST_NAME]
            yield Mark("label", _cell(point.decode().strip(), size), label)
        except FormatError:
            continue


def _end(record: GameRecord, result: str) -> None:
    """Ends the main line as RE says, unless the rules have ended it."""
    winner, _, how = result.partition("+")
    if winner in ("0", "Draw", "draw"):
        record.end(Outcome(None, "agreed"))
    elif winner in _COLOURS and "+" in result:
        record.end(Outcome(_COLOURS[winner], RESULT_REASONS.get(how.strip()[:1].upper(), "other")))
