"""SGF (FF[4], https://www.red-bean.com/sgf/): the games that have an `sgf_number`, GM[4], gomoku and renju, unless the
file says another one.

`games.formats.sgf_text` parses the tree; this module interprets the properties. Properties without a meaning here are
kept in `Node.extra`, and `games.formats.sgf_writer` writes them again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, islice
from string import ascii_lowercase

from sgfmill import sgf_grammar

from games.formats.common import (
    MOST_GAMES,
    Cuts,
    FormatError,
    OnProgress,
    conclude,
    notice,
    read_by_fitting_rule,
    shortened,
    silent,
)  # fmt: skip
from games.formats.encodings import guess_notices
from games.formats.sgf_text import (
    COUNTED,
    GO_RULES,
    GOMOKU,
    NAMES,
    Item,
    SgfTree,
    decoded_sgf,
    game_number,
    is_gomoku,
    named_rule,
    trees,
)
from games.formats.tengen import LONGEST_COMMENT, LONGEST_NAME, MOST_MARKS, MOST_NODES, MOST_PROPERTIES, MOST_VALUES
from games.formats.terms import PROPERTIES, about_of, result_named, unknown_rule
from games.position import FIRST, PASS, SECOND, IllegalMove, Outcome, Stones, cells_of, must_pass, score_of
from games.record import PERSON, GameRecord, Mark, Node, Seat
from games.registry import GAMES, Setup, setup

GAME = next(game.key for game in GAMES.values() if game.sgf_number == GOMOKU)
"""The game of a file that does not say which it has."""

_OPENING = 3
PASS_SIZE = 20
"""On smaller boards ``tt`` is a pass, as well as an empty point."""
_COLOURS = {"B": FIRST, "W": SECOND}
SHAPES = {"CR": "circle", "SQ": "square", "TR": "triangle", "MA": "cross", "SL": "selected"}
_BREAKS = {
    "set_up": "Stones are set up in the game.",
    "turn": "It is the other side's turn.",
    "pass": "There are no passes in this game.",
}
"""What breaks a line, the reasons of an `IllegalMove`, and its sentences."""
_KNOWN = {"B", "W", "C", "LB", *SHAPES}
_SET_UP = {"AB", "AW", "AE"}
_SET_UP_FIRST = {*_SET_UP, "PL"}
_KNOWN_AT_ROOT = {"GM", "FF", "CA", "AP", "SZ", "RU", "PB", "PW", "DT", "RE", "AB", "AW", "AE", "PL", *PROPERTIES}
_STEP = 256  # nodes between two reports of the progress
_SPLIT = 0.3  # progress when the game has been found
_NO_SGF = "The file is not SGF, or it is damaged"
_MOST_BEFORE = 1000  # bytes before the first game
_LONGEST_STRAY = 40  # characters that are quoted
_BEGINNING = re.compile(
    rb"\(\s*+;\s*+[A-Za-z0-9(;)]|\(\s*+[A-Za-z]{1,2}\s*+\[|^(?:\xef\xbb\xbf)?[\s;]*+(?:GM|FF|SZ|CA|AP|PB|PW)\s*+\["
)
_SPOKEN = re.compile("[A-Za-z][0-9]{1,2}")

def recognises(data: bytes) -> bool:
    """Return whether `data` begins like an SGF file."""
    return _BEGINNING.search(data[:_MOST_BEFORE].replace(b"\0", b"")) is not None


def loads(
    data: bytes, game: Setup | None = None, on_progress: OnProgress = silent, encoding: str | None = None
) -> GameRecord:
    """Read the first game in `data`; a notice counts the others. `game` gives the rule if the file does not. `encoding`
    overrides the one that the file names, or a guess, of which a notice tells. Raise `FormatError`, and what
    `on_progress` raises."""
    decoded = decoded_sgf(data, encoding)
    games = trees(decoded.text, lambda share: on_progress(_SPLIT * share))
    tree = next(games, None)
    record = _load_tree(tree, game, on_progress)
    begins = [other.begin for other in islice(games, MOST_GAMES)]
    if begins:
        record.notices.insert(0, notice("more_games", count=len(begins)))
    if tree is not None:
        _note_stray(record, [decoded.text[tree.end : begins[0] if begins else None]])
    record.notices += guess_notices(decoded)
    return record


def loads_all(data: bytes, game: Setup | None = None, encoding: str | None = None) -> list[GameRecord]:
    """Read every game in `data` that Tengen can play, at most `MOST_GAMES`; a notice of the first counts the others.
    Raise `FormatError` if there is none."""
    records, refusal, last = [], FormatError(f"{_NO_SGF}."), 0
    decoded, between = decoded_sgf(data, encoding), []
    for count, tree in enumerate(trees(decoded.text), 1):
        between.append(decoded.text[last : tree.begin] if last else "")
        last = tree.end
        if count <= MOST_GAMES:
            try:
                records.append(_load_tree(tree, game, silent))
            except FormatError as error:
                refusal = error
    if not records:
        raise refusal
    if count > len(records):
        records[0].notices.append(notice("other_games", count=count - len(records)))
    _note_stray(records[0], [*between, decoded.text[last:]])
    records[0].notices += guess_notices(decoded)
    return records


def read_each(data: bytes, begin: int = 0) -> Iterator[tuple[int, GameRecord | FormatError]]:
    """Yield every game in `data`, or the error by which it cannot be read, with the character where it ends: passed as
    `begin`, that leaves out the games up to it. Only one game is in memory at a time. Raise `FormatError` if there is
    none."""
    empty = begin == 0
    for tree in trees(decoded_sgf(data).text, begin=begin):
        empty = False
        try:
            yield tree.end, _load_tree(tree, None, silent)
        except FormatError as error:
            yield tree.end, error
    if empty:
        raise FormatError(f"{_NO_SGF}.")


def _load_tree(tree: SgfTree | None, game: Setup | None, on_progress: OnProgress) -> GameRecord:
    """Return the game of `tree`; None is a file without one. Raise `FormatError`."""
    if tree is None:
        raise FormatError(f"{_NO_SGF}.")
    if tree.too_large:
        raise FormatError(f"The file has more than {MOST_NODES:,} positions.")
    top = _merge_head_nodes(tree.top.children[0])
    record = _read_game(top, game, lambda number: on_progress(min(1.0, _SPLIT + (1 - _SPLIT) * number / tree.nodes)))
    if tree.cut:
        record.notices.append(notice("broken_off"))
    _note_stray(record, [tree.stray])
    return record


def _note_stray(record: GameRecord, stray: Iterable[str]) -> None:
    """Add a notice of the first text in `stray` that is not blank, unless there is such a notice already."""
    text = next(filter(None, map(str.strip, stray)), "")
    if text and not any(each.kind == "stray" for each in record.notices):
        record.notices.append(notice("stray", text=shortened(" ".join(text.split()), _LONGEST_STRAY)))


def _merge_head_nodes(top: Item) -> Item:
    """Merge nodes without a move at the beginning into `top`, since some programs set up stones in the second node.
    Expand an opening of Gomoku Quest. Return `top`."""
    while not _has_move(top) and len(top.children) == 1 and not _has_move(top.children[0]):
        following = top.children[0]
        for name, values in following.properties.items():
            top.properties.setdefault(name, []).extend(values)
        top.children = following.children
    _expand_opening(top)
    return top


def _expand_opening(top: Item) -> None:
    """Insert nodes for the opening moves that Gomoku Quest writes in properties of its own: QPR has the points of the
    first three stones, QSLW that of the fourth."""
    points = [point for value in top.properties.get("QPR", [])[:1] for point in value.split(",")]
    if len(points) != _OPENING or _has_move(top):
        return
    points += top.properties.pop("QSLW", [])[:1]
    del top.properties["QPR"]
    for number in reversed(range(len(points))):
        item = Item()
        item.properties["BW"[number & 1]] = [points[number]]
        item.children, top.children = top.children, [item]


def _has_move(item: Item) -> bool:
    """Return whether the node has a move of either side."""
    return not item.properties.keys().isdisjoint(_COLOURS)


# From SGF.


def _read_game(top: Item, game: Setup | None, grown: Callable[[int], object]) -> GameRecord:
    """Return the game of `top`. In a game without captures, it begins with the longest part of the main line in which
    the sides alternate, after the stones before; otherwise with the root. The rule is the file's, or that of `game`, or
    the one that fits best. `grown` receives the number of nodes read. Raise `FormatError`."""
    key = _game(top)
    size = _size(top, key)

    def fitted(top: Item) -> GameRecord:
        """Return the game that begins with `top`, by its rule or the one that fits best."""

        def read(rule: str, cuts: Cuts) -> GameRecord:
            """Read the game by a rule."""
            return _build_record(top, setup(key, size, rule), cuts, grown)

        return read_by_fitting_rule(read, key, _rule(top, key, game))

    stretch = _longest_stretch(top, size) if GAMES[key].commutes and not _is_plain(top, size) else None
    if stretch is None:
        return fitted(top)
    try:
        record = fitted(_beginning_with(stretch, top, size))
    except FormatError:  # its first position cannot be one, since it is won, for example
        return fitted(top)
    if stretch.ply:
        found = notice("begun_later", ply=stretch.ply, reason=_BREAKS[stretch.why], why=stretch.why)
        record.notices.insert(0, found)
    return record


@dataclass(slots=True)
class _Stretch:
    """A part of the main line in which the sides alternate: `count` moves, the first of `turn`, after `ply` others that
    made the `stones`. `why` is a key of `_BREAKS`, empty if the part begins with the root. `last` is the node before
    the first move if it sets up stones or passes, else None. `following` are the nodes from the first move on."""

    why: str
    ply: int
    stones: dict[int, int]
    turn: int
    last: Item | None
    following: list[Item]
    count: int = 0


def _is_plain(top: Item, size: int) -> bool:
    """Return whether the main line consists of single moves of black and white in turn from an empty board, as in most
    files."""
    if _has_move(top) or not top.properties.keys().isdisjoint(_SET_UP_FIRST):
        return False
    number, item = 0, next(iter(top.children), None)
    while item is not None:
        points = item.properties.get("BW"[number & 1], ())
        if len(points) != 1 or _is_pass(points[0].strip(), size) or "BW"[1 - (number & 1)] in item.properties:
            return False
        if not item.properties.keys().isdisjoint(_SET_UP):
            return False
        number, item = number + 1, next(iter(item.children), None)
    return True


def _longest_stretch(top: Item, size: int) -> _Stretch | None:
    """Return the longest part of the main line in which the sides alternate; None if that begins with the root, so that
    no stones have to be set up."""
    start = _initial_stones(top, size)
    stones = {cell: side for side in (FIRST, SECOND) for cell in (start.of[side] if start else ())}
    turn, ply, why, last = start.turn if start else FIRST, 0, "", None
    stretch = longest = _Stretch("", 0, {}, turn, None, [])
    parent, item = top, top if _has_move(top) else next(iter(top.children), None)
    while item is not None:
        points = [(side, point.strip()) for name, side in _COLOURS.items() for point in item.properties.get(name, ())]
        moves = [(side, point) for side, point in points if not _is_pass(point, size)]
        set_up = item is not top and not item.properties.keys().isdisjoint(_SET_UP)
        if set_up or len(moves) < len(points):
            why, last = "set_up" if set_up else "pass", item
            if moves:
                break
        elif len(moves) == 1 and moves[0][0] != turn and not why:
            why, last = "turn", None
        try:
            if set_up:
                _apply_setup(stones, item, size)
            cells = [(side, _cell(point, size)) for side, point in moves]
        except FormatError:
            break
        if why and moves:
            following = parent.children if item is not top else [top]
            stretch = _Stretch(why, ply, dict(stones), moves[0][0], last, following)
            why = ""
        if any(cell in stones for _, cell in cells):
            break
        stones |= {cell: side for side, cell in cells}
        if moves:
            turn = 1 - moves[-1][0]
            ply, stretch.count = ply + len(moves), stretch.count + len(moves)
            longest = max(longest, stretch, key=lambda each: each.count)
        parent, item = item, next(iter(item.children), None)
    return longest if longest.why else None


def _apply_setup(stones: dict[int, int], item: Item, size: int) -> None:
    """Put the stones of ``AB`` and ``AW`` of a node into `stones`, sides by cell; remove those on the points of
    ``AE``."""
    for name, side in (("AB", FIRST), ("AW", SECOND), ("AE", None)):
        for cell in _points(item.properties.get(name, ()), size):
            stones.pop(cell, None)
            if side is not None:
                stones[cell] = side


def _beginning_with(stretch: _Stretch, top: Item, size: int) -> Item:
    """Return the root of a game that begins with `stretch`, with the stones before it set up, and with all other
    properties of `top`."""
    found = Item()
    own = stretch.last.properties if stretch.last else {}
    for name, values in (*top.properties.items(), *own.items()):
        if name not in {*_COLOURS, *_SET_UP, "PL"}:
            found.properties.setdefault(name, []).extend(values)
    for name, side in (("AB", FIRST), ("AW", SECOND)):
        cells = [cell for cell, stone in sorted(stretch.stones.items()) if stone == side]
        if cells:
            found.properties[name] = [ascii_lowercase[cell % size] + ascii_lowercase[cell // size] for cell in cells]
    found.properties["PL"] = ["BW"[stretch.turn]]
    found.children = stretch.following
    return found


def _game(top: Item) -> str:
    """Return the key of the game. Raise `FormatError` if Tengen does not play it."""
    number = game_number(top)
    key = next((game.key for game in GAMES.values() if game.sgf_number == number), None)
    if key is not None:
        return key
    other = NAMES.get(number, "")
    if other:
        raise FormatError(f"This is a game of {other}, which Tengen does not play.", "other_game", game=other)
    raise FormatError("The file has a game of a kind that Tengen does not know.", "foreign")


def _size(top: Item, key: str) -> int:
    """Return the size of the board of a game with this `key`. Raise `FormatError` for an unsupported or missing one."""
    written = top.first("SZ").strip()
    if not written and (top.first("GM").strip() or is_gomoku(top)):
        written = str(GAMES[key].size)
    if not written:
        raise FormatError("The file does not say how large the board is.", "foreign")
    width, *others = (re.fullmatch(r"\s*([0-9]{1,4})\s*", part) for part in written.split(":"))
    if width is None or len(others) > 1 or any(other is None or int(other[1]) != int(width[1]) for other in others):
        board = shortened(written.replace(":", "×"))
        raise FormatError(f"The board is {board}; only square ones can be read.", "board", board=board)
    try:
        return setup(key, int(width[1])).size
    except ValueError as error:
        raise FormatError(str(error), "foreign") from error


def _rule(top: Item, key: str, game: Setup | None) -> str | None:
    """Return the rule that the file names, or else that of `game`, the caller's; None if there is neither."""
    written = top.first("RU").strip()
    named = written if written in GAMES[key].rules else named_rule(top) if key == GAME else None
    return named or rule_of(game, key)


def rule_of(game: Setup | None, key: str = GAME) -> str | None:
    """Return the rule of `game`; None if that is None or not a game with this `key`."""
    return game.rule if game is not None and game.game == key else None


def _build_record(top: Item, of: Setup, cuts: Cuts, grown: Callable[[int], object]) -> GameRecord:
    """Return the record of `top` by the setup `of`, with all variations. Moves left out are counted in `cuts`; `grown`
    receives the number of nodes from time to time. Raise `FormatError`."""
    names = [top.first(name) for name in ("PB", "PW")]
    seats = [Seat(PERSON, name[:LONGEST_NAME]) for name in names]
    try:
        record = GameRecord(of, (seats[0], seats[1]), stones=_stones_to_set_up(top, of))
    except ValueError as error:
        raise FormatError(str(error)) from error
    record.date = top.first("DT")[:LONGEST_NAME]
    record.about, cut = about_of(top.properties)
    cut = cut or max(map(len, names)) > LONGEST_NAME
    skipped = _add_nodes(record, top, cuts, grown) | ({"shortened"} if cut else set())
    record.notices += map(notice, sorted(skipped))
    for node in record.nodes():
        node.preferred = 0
    record.cursor = record.main_end()
    _apply_result(record, top)
    written = top.first("RU").strip()
    if written.lower() not in ("", of.rule):  # such as a way to open renju
        _keep_at_root(record, top, "RU")
        if of.game == GAME and named_rule(top) is None and written.lower() not in GO_RULES:
            record.notices.append(unknown_rule(written, of.rule))
    return record


def _initial_stones(top: Item, size: int) -> Stones | None:
    """Return what the first node sets up; None for an empty board with the first side to move. Without PL the first
    move tells whose turn it is."""
    empty = set(_points(top.properties.get("AE", []), size))
    black, white = (
        tuple(cell for cell in dict.fromkeys(_points(top.properties.get(name, []), size)) if cell not in empty)
        for name in ("AB", "AW")
    )
    turn = {"b": FIRST, "w": SECOND}.get(top.first("PL").strip().lower()[:1])
    if turn is None:
        turn = _first_side(top, (len(black) + len(white)) & 1)
    return Stones((black, white), turn) if black or white or turn != FIRST else None


def _stones_to_set_up(top: Item, of: Setup) -> Stones | None:
    """Return what the first node sets up; None if that is the usual start of the game."""
    stones = _initial_stones(top, of.size)
    if stones is None:
        return None
    cells = bytearray(of.size**2)
    for side, own in enumerate(stones.of):
        for cell in own:
            cells[cell] = side + 1
    start = of.start()
    return None if (cells_of(start), start.turn) == (bytes(cells), stones.turn) else stones


def _first_side(top: Item, default: int) -> int:
    """Return the side that makes the first move of the main line; `default` without moves."""
    item = top
    while not _has_move(item) and item.children:
        item = item.children[0]
    return next((_COLOURS[name] for name in item.properties if name in _COLOURS), default)


def _points(values: Iterable[str], size: int, refused: list[str] | None = None) -> Iterator[int]:
    """Yield the cells of a list of points, in which ``aa:cc`` is the rectangle between two opposite corners. A value
    that is no point is added to `refused`, or raises `FormatError` if that is None."""
    edges: dict[tuple[int, int], int] = defaultdict(int)  # by how much the number of rectangles changes, column and row
    for value in dict.fromkeys(map(str.strip, values)):
        start, colon, end = value.partition(":")
        try:
            corners = _parse_point(start, size), _parse_point(end if colon else start, size)
        except FormatError:
            if refused is None:
                raise
            refused.append(value)
            continue
        if not colon:
            yield corners[0][1] * size + corners[0][0]
            continue
        (left, right), (top, bottom) = map(sorted, zip(*corners, strict=True))
        for row, sign in ((top, 1), (bottom + 1, -1)):
            edges[left, row] += sign
            edges[right + 1, row] -= sign
    if edges:  # many rectangles in the time of one
        yield from _covered_cells(edges, size)


def _covered_cells(edges: dict[tuple[int, int], int], size: int) -> Iterator[int]:
    """Yield the cells that at least one rectangle covers. `edges` has, by (column, row), how the number of rectangles
    changes there to the right and down."""
    above = [0] * size
    for row in range(size):
        above = [count + edges.get((column, row), 0) for column, count in enumerate(above)]
        yield from (row * size + column for column, count in enumerate(accumulate(above)) if count)


@lru_cache(maxsize=1 << 10)
def _cell(text: str, size: int) -> int:
    """Return the cell of a point, see `_parse_point`. Raise `FormatError`."""
    column, row = _parse_point(text, size)
    return row * size + column


def _parse_point(text: str, size: int) -> tuple[int, int]:
    """Return (column, row) of a point, counted from 0 at the top left. Accept coordinates such as ``h8``, which some
    programs write. Raise `FormatError` for anything else, and outside the board."""
    if _SPOKEN.fullmatch(text):
        column, row = ascii_lowercase.index(text[0].lower()), size - int(text[1:])
    elif len(text) == 2 and text.isascii() and text.isalpha():  # no board here is so large that capitals go on after z
        column, row = map(ascii_lowercase.index, text.lower())
    else:
        raise FormatError(f"The file is damaged: “{shortened(text)}” is not a point of SGF.")
    if not (0 <= column < size and 0 <= row < size):
        raise FormatError(f"The file is damaged: “{text}” is not on the board.")
    return column, row


def _add_nodes(record: GameRecord, top: Item, cuts: Cuts, grown: Callable[[int], object]) -> set[str]:
    """Add the nodes below `top` to `record`. Moves that are illegal are left out with what follows them, and counted in
    `cuts`; `grown` receives the number of nodes from time to time. Return the kinds of notices of what else was left
    out."""
    skipped = _store_properties(record.root, top, _KNOWN_AT_ROOT, record.setup.size)
    waiting = [(record.root, child) for child in reversed(top.children)]
    if _has_move(top):  # some programs put the first move there
        waiting = [(record.root, top)]
    number = 0
    while waiting:
        number += 1
        if number % _STEP == 0:
            grown(number)
        here, item = waiting.pop()
        try:
            last = _play_node(record, here, item, _SET_UP if item is not top else set())
        except (IllegalMove, FormatError) as error:
            cuts.add(record, error, _moves_from(item, record.setup.size))
            continue
        if item is not top and item.properties:
            skipped |= _store_properties(last, item, set(), record.setup.size)
        waiting.extend((last, child) for child in reversed(item.children))
    return skipped


def _moves_from(item: Item, size: int) -> int:
    """Return the number of nodes with a move other than a pass in the subtree of `item`."""
    count, waiting = 0, [item]
    while waiting:
        item = waiting.pop()
        points = [point for name in _COLOURS for point in item.properties.get(name, ())]
        count += any(not _is_pass(point.strip(), size) for point in points)
        waiting.extend(item.children)
    return count


def _is_pass(point: str, size: int) -> bool:
    """Return whether an SGF point means a pass: empty, or ``tt`` on smaller boards."""
    return not point or (point == "tt" and size < PASS_SIZE)


def _play_node(record: GameRecord, here: Node, item: Item, unfit: set[str]) -> Node:
    """Play the moves of `item` at `here` and return the last node, `here` without a move; insert passes that are
    forced. Raise `FormatError`, and `IllegalMove` also if `item` has a property in `unfit`."""
    record.cursor = here
    if len(item.properties) == 1 and len(points := item.properties.get("BW"[here.position.turn], [])) == 1:
        return record.play(_move(points[0].strip(), record))  # as a rule
    if not item.properties.keys().isdisjoint(unfit):
        raise IllegalMove("set_up", _BREAKS["set_up"])
    moves = {side: list(reversed(item.properties.get(name, ()))) for name, side in _COLOURS.items()}
    while any(moves.values()):
        turn = record.position.turn
        if not moves[turn] and must_pass(record.position):
            here = record.play(PASS)  # which some programs do not write
            continue
        if not moves[turn]:
            raise IllegalMove("turn", _BREAKS["turn"])
        here = record.play(_move(moves[turn].pop().strip(), record))
    return here


def _move(point: str, record: GameRecord) -> int:
    """Return the move for an SGF point. Raise `FormatError`, and `IllegalMove` for a pass in a game without passes."""
    if not _is_pass(point, record.setup.size):
        spoken = _SPOKEN.fullmatch(point)
        return record.position.parse_move(point) if spoken else _cell(point, record.setup.size)
    if not GAMES[record.setup.game].passes:
        raise IllegalMove("pass", _BREAKS["pass"])
    return PASS


def _store_properties(node: Node, item: Item, known: set[str], size: int) -> set[str]:
    """Add comments, marks and unknown properties of `item` to `node`; those in `known` are left out. Return the kinds
    of notices of what was too long, too many or outside the board."""
    if item.properties.keys() <= _COLOURS.keys():
        return set()  # as a rule
    text = "\n".join(sgf_grammar.text_value(value.encode()).decode() for value in item.properties.get("C", ()))
    comment = "\n".join(filter(None, (node.comment, text)))
    marks, outside = _marks(item, size)
    node.comment, node.marks = comment[:LONGEST_COMMENT], node.marks + tuple(marks)
    extra = {name: values for name, values in item.properties.items() if name not in _KNOWN | known}
    for name, values in extra.items():
        if name in node.extra or len(node.extra) < MOST_PROPERTIES:
            known_values = (*node.extra.get(name, ()), *(value[:LONGEST_COMMENT] for value in values))
            node.extra[name] = known_values[:MOST_VALUES]
    texts = comment, *(value for values in extra.values() for value in values)
    shortened = max(map(len, texts)) > LONGEST_COMMENT or not extra.keys() <= node.extra.keys()
    shortened |= any(len(values) > MOST_VALUES for values in extra.values())
    outside |= len(node.marks) > MOST_MARKS
    node.marks = node.marks[:MOST_MARKS]
    return {kind for kind, found in (("shortened", shortened), ("marks", outside)) if found}


def _marks(item: Item, size: int) -> tuple[list[Mark], bool]:
    """Return the marks of `item`, and whether there were others that are not on the board."""
    marks: dict[Mark, None] = {}
    outside = False
    refused: list[str] = []
    for name, kind in SHAPES.items():
        marks |= dict.fromkeys(Mark(kind, cell) for cell in _points(item.properties.get(name, ()), size, refused))
    for value in dict.fromkeys(item.properties.get("LB", ())):
        if len(marks) > MOST_MARKS:  # too many, as the caller finds
            break
        point, text = sgf_grammar.parse_compose(value.encode())
        try:
            label = sgf_grammar.simpletext_value(text or b"").decode()[:LONGEST_NAME]
            marks[Mark("label", _cell(point.decode().strip(), size), label)] = None
        except FormatError:
            outside = True
    return list(marks), outside or bool(refused)


def _apply_result(record: GameRecord, top: Item) -> None:
    """End the game at the cursor as RE says. Keep an RE that cannot be interpreted, or that says more than the outcome,
    among the properties of the root."""
    result = top.first("RE").strip()
    counted = COUNTED.fullmatch(result) if score_of(record.position) is not None else None
    if counted:
        if record.outcome is None:
            record.root.extra["RE"] = (result,)  # by how much, which the position does not tell
        conclude(record, Outcome("BW".index(counted[1].upper()), "score"))
    elif outcome := result_named(result):
        conclude(record, outcome)
        if outcome.reason == "other" and len(result) > len("B+"):  # in words, perhaps with how it was won
            _keep_at_root(record, top, "RE")
    elif result:
        _keep_at_root(record, top, "RE")


def _keep_at_root(record: GameRecord, top: Item, name: str) -> None:
    """Keep the first value of a property that we write in other words, so that `sgf_writer` writes it again."""
    record.root.extra[name] = (top.properties[name][0][:LONGEST_COMMENT],)
