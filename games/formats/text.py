"""A game as a line of text, black first: ``h8i9g7j10`` on a board, ``3 2 1`` for the Game of Bones.

It holds the moves of one line of play only, so the reader must know the game, whose descriptor defines the
notation. People number the moves and set them apart: ``1. h8 i9 2. g7``, write the result after them, and headings
above. A text may hold several games, one a line, apart by headings or empty lines, or each numbered from 1.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from math import inf

from games.formats.common import MOST_GAMES, RULED, FormatError, OnProgress, conclude, notice, play, shortened, silent
from games.formats.encodings import decode
from games.formats.tengen import MOST_NODES
from games.formats.terms import result_named
from games.position import IllegalMove, Stones, played
from games.record import GameRecord, Node
from games.registry import GAMES, Setup, setup

_APART = r"[\s,;|/、–—>→\[\]()#-]"
_WORD = r"(?:black|white)\b:?|[bw](?::|(?=\s++[a-z][0-9]))|(?<=\s)\.\.+|(?<![0-9])[0-9]{1,4}\.\.+"
"""What may stand between moves besides: who makes a move, and ``1...``, the number of a move of the second side."""
_GAP = re.compile(f"{_APART}|{_WORD}")
_NUMBER = r"\(?(?<![0-9])(?P<number>[0-9]{1,4})(?: ?[.):、]|(?=\s[a-z][0-9]))"
_RESULT = r"(?P<result>1-0|0-1|1/2-1/2|0\.5-0\.5|\*)(?!\S)"
"""What ends a game: its result, or a star where it has none."""
_RESULTS = frozenset({"1-0", "0-1", "1/2-1/2", "0.5-0.5", "*"})
_HEADING = re.compile(r"\s*(?:#|//|%|;|--)")
_PARTED = re.compile(r"[a-z][\s,]++[0-9]{1,2}(?![0-9])")
_PARTS = re.compile(r"([a-z])[\s,]++(?=[0-9])")
"""Coordinates with a space between letter and number."""
_BETWEEN_PARTED = str.maketrans(",;()", "    ")
_SHORT = 10
"""An opening in a list has fewer moves; lines of more are a game that did not fit on one."""
_PAIR = 2
_BEGINNING = 1_000  # characters

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: " ", ord("…"): "...", ord("½"): "1/2"}
"""Wide forms, as East Asian keyboards make them."""
_CIRCLED: dict[int, int | str] = {ord("①") + index: f" {index + 1}. " for index in range(20)}


def loads(data: bytes, game: Setup | None = None, encoding: str | None = None) -> GameRecord:
    """Read the first game in `data`, as `read` does; its date is empty. Raise `FormatError`."""
    record = read(decode(data, encoding).text, game)
    record.date = ""
    return record


def loads_all(data: bytes, game: Setup | None = None, encoding: str | None = None) -> list[GameRecord]:
    """Read every game in `data`, at most `MOST_GAMES`; a notice of the first counts the others. Raise `FormatError` if
    there is none."""
    records: list[GameRecord] = []
    refusal: FormatError | None = None
    count = 0
    for found in _read_games(decode(data, encoding).text, game):
        count += 1
        if isinstance(found, FormatError):
            refusal = refusal or found
        elif len(records) < MOST_GAMES:
            records.append(found)
    if not records:
        assert refusal is not None
        raise refusal
    if count > len(records):
        records[0].notices.append(notice("other_games", count=count - len(records)))
    return records


def read_each(data: bytes, begin: int = 0) -> Iterator[tuple[int, GameRecord | FormatError]]:
    """Yield every game in `data`, or the error by which it cannot be read, with its number from 1: passed as `begin`,
    that leaves out the games up to it. Raise `FormatError` if there is none."""
    for number, found in enumerate(_read_games(decode(data).text, None), 1):
        if number > begin:
            yield number, found


def _read_games(text: str, game: Setup | None) -> Iterator[GameRecord | FormatError]:
    """Yield the games in `text`, or the errors by which they cannot be read. Without a `game` they are of the first one
    in the registry that at least one can be played in. Raise the first `FormatError` if there is none."""
    refusal: FormatError | None = None
    for setups, digits in _attempts(text, game, None, GAMES):
        try:
            games = games_in(text, setups[-1], digits)
        except FormatError as error:
            refusal = refusal or error
            continue
        early: list[FormatError] = []
        readable = False
        for moves in games:
            try:
                record = _play_by_fitting_setup(moves, setups)
            except FormatError as error:
                if readable:
                    yield error
                else:
                    early.append(error)
                continue
            if not readable:
                readable = True
                yield from early
            record.date = ""
            yield record
        if readable:
            return
        refusal = refusal or early[0]
    assert refusal is not None
    raise refusal


def read(
    text: str,
    game: Setup | None = None,
    around: Setup | None = None,
    on_progress: OnProgress = silent,
    keys: Collection[str] = GAMES,
) -> GameRecord:
    """Read the first game in `text`; a notice counts the others. Without a `game` it is played from the start of
    `around`, if that is given and fits, or else of the first of `keys`, in the first size and rule in which the moves
    are legal. Raise `FormatError`, and what `on_progress` raises."""
    refusal: FormatError | None = None
    for setups, digits in _attempts(text, game, around, keys):
        on_progress(0.0)
        try:
            games = games_in(text, setups[-1], digits)
            record = _play_by_fitting_setup(games[0], setups)
        except FormatError as error:
            refusal = refusal or error
            continue
        if len(games) > 1:
            record.notices.append(notice("more_games", count=len(games) - 1))
        return record
    assert refusal is not None
    raise refusal


def _attempts(
    text: str, game: Setup | None, around: Setup | None, keys: Collection[str]
) -> Iterator[tuple[Sequence[Setup], bool]]:
    """Yield what to try for `read`, best first: the setups of one game, and whether moves may be written as
    `Game.digits`. After the first, leave out those in which the first move is illegal."""
    if game is not None:
        yield [game], True
        return
    attempts: list[tuple[Sequence[Setup], bool]] = [] if around is None else [([around], True)]
    attempts += [(_setups_of(key), False) for key in keys]
    attempts += [(_setups_of(key), True) for key in keys if GAMES[key].digits]
    for number, (setups, digits) in enumerate(attempts):
        if not number or _may_begin(text, setups[-1], digits):
            yield setups, digits


def _may_begin(text: str, of: Setup, digits: bool) -> bool:
    """Return whether the first move near the beginning of `text` is legal in `of`; True if there is none."""
    for line in map(str.strip, _normalise(text[:_BEGINNING]).splitlines()):
        try:
            words = _moves_and_numbers(line, of.game, _token_pattern(of.game, digits))
            word = next((each for each in words if isinstance(each, str)), "")
            if word:
                return word in _RESULTS or _is_legal([word], of)
        except IllegalMove:
            return False
        except FormatError:
            continue  # it may be a heading
    return True


def parse(text: str, game: Setup | None = None, stones: Stones | None = None) -> GameRecord:
    """Play the moves of one game in `text` from the start of `game` (default gomoku), or from `stones`, with the cursor
    on the last.

    Capital letters, numbers, and white space or punctuation between and around moves are accepted. Without moves, the
    game has not begun. Raise `FormatError`, and `ValueError` for invalid stones.
    """
    record = GameRecord(game or _default(), stones=stones)
    of = record.setup.game
    games = _split_by_numbers(_moves_and_numbers(_normalise(text).strip(), of, _token_pattern(of, True)))
    for move in next(games, ()):
        play(record, move)
    if next(games, None) is not None:
        raise FormatError("The moves are numbered from 1 again.", "foreign")
    return record


def _default() -> Setup:
    """Return the setup for a line of moves that names none."""
    return setup("gomoku")


@cache
def _setups_of(game: str) -> Sequence[Setup]:
    """Return the setups of `game` from its default size on, the largest board last, with every rule."""
    entry = GAMES[game]
    return [setup(game, size, rule) for size in entry.sizes if size >= entry.size for rule in entry.rules]


def _play_by_fitting_setup(moves: Sequence[str], setups: Sequence[Setup]) -> GameRecord:
    """Play `moves` by the first of the `setups` in which they are legal. Raise the `FormatError` of the first."""
    refusal: FormatError | None = None
    for of in setups:
        record = GameRecord(of)
        try:
            for move in moves:
                _play_word(record, move)
        except FormatError as error:
            refusal = refusal or error
            if not _may_fit_elsewhere(error.__cause__):
                break
        else:
            return record
    assert refusal is not None
    raise refusal


def _play_word(record: GameRecord, word: str) -> None:
    """Play the move `word` at the cursor; if it is a result, end the game. Raise `FormatError`."""
    if word not in _RESULTS:
        play(record, word)
    elif (outcome := result_named(word)) is not None:
        conclude(record, outcome)


def _may_fit_elsewhere(why: BaseException | None) -> bool:
    """Return whether a move that was rejected for the reason `why` may be legal on another board, or by another
    rule."""
    return isinstance(why, IllegalMove) and why.reason in RULED | {"outside"}


# From text to moves.


def games_in(text: str, of: Setup, digits: bool = True) -> Sequence[Sequence[str]]:
    """Return the moves of each game in `text`, at least of one; accept moves written as `Game.digits` if `digits`. The
    moves may be illegal, and results are among them. Raise `FormatError` for other text."""
    tokens, count, heading = _token_pattern(of.game, digits), 0, False
    blocks: list[list[tuple[str, list[int | str]]]] = [[]]
    for line in map(str.strip, _normalise(text).splitlines()):
        if not line:
            if blocks[-1]:
                blocks.append([])
            continue
        try:
            words = list(islice(_moves_and_numbers(line, of.game, tokens), MOST_NODES + 1 - count))
        except FormatError:
            if not _HEADING.match(line):
                raise
            heading = True
            blocks.append([])
            continue
        count += len(words)
        if count > MOST_NODES:
            raise FormatError(f"The file has more than {MOST_NODES:,} positions.")
        blocks[-1].append((line, words))
    blocks = [block for block in blocks if block]
    whole = [words for block in blocks for _, words in block]
    if any(isinstance(word, int) for words in whole for word in words):
        return _games_in_numbered_lines(whole) or list(_split_by_numbers(chain.from_iterable(whole)))
    lengths = [sum(len(words) for _, words in block) for block in blocks]
    if len(blocks) < 2 or not all(_PAIR < length < (inf if heading else _SHORT) for length in lengths):
        blocks = [list(chain.from_iterable(blocks))]
    return list(chain.from_iterable(_games_of(block, of) for block in blocks))


def _games_of(block: Sequence[tuple[str, Sequence[int | str]]], of: Setup) -> Sequence[Sequence[str]]:
    """Return the games of a block of lines without numbers: one a line, or one in all."""
    moves = [[word for word in words if isinstance(word, str)] for _, words in block]
    solid = not any(_GAP.search(line) for line, _ in block)
    return moves if _has_game_per_line(moves, solid, of) else [list(chain.from_iterable(moves))]


def _normalise(text: str) -> str:
    """Return `text` in small letters, with plain forms of wide and circled characters; join coordinates that are
    written with a gap."""
    plain = text.translate(_WIDE | _CIRCLED).strip("\ufeff").lower()
    parted = not _PARTED.sub("", plain).translate(_BETWEEN_PARTED).strip()
    return _PARTS.sub(r"\1", plain) if parted else plain


@cache
def _token_pattern(game: str, digits: bool) -> re.Pattern[str]:
    """Return the pattern of moves, numbers and results in a list of moves of `game`; moves may be single digits if
    `digits`."""
    entry = GAMES[game]
    spelled = f"|(?P<digit>[1-{len(entry.digits)}])" if digits and entry.digits else ""
    # Another game's move is read too, and rejected with its number.
    moves = rf"(?P<move>pass|{entry.move_pattern}){spelled}|(?P<other>[a-z]?[0-9]+)"
    return re.compile(rf"{_APART}*+(?:(?P<word>{_WORD})|{_RESULT}|{_NUMBER}|{moves}){_APART}*+")


def _moves_and_numbers(text: str, game: str, tokens: re.Pattern[str]) -> Iterator[int | str]:
    """Yield the moves and results in normalised `text`, and as integers the numbers before moves. Raise
    `FormatError`."""
    at = 0
    while at < len(text):
        found = tokens.match(text, at)
        if found is None:
            if not text[at:].strip():
                return
            message = f"“{shortened(text[at:])}” cannot be read as moves such as “h8i9” (for bones, “3 2 1”)."
            raise FormatError(message, "foreign")
        at = found.end()
        kind = found.lastgroup or ""
        if kind == "number":
            yield int(found[kind])
        elif kind != "word":
            yield GAMES[game].digits[int(found[kind]) - 1] if kind == "digit" else found[kind]


def _games_in_numbered_lines(lines: Sequence[Sequence[int | str]]) -> Sequence[Sequence[str]]:
    """Return one game a line, if each line has a number at its beginning only and some are longer than a turn; else
    nothing."""
    numbers = [[index for index, word in enumerate(line) if isinstance(word, int)] for line in lines]
    if len(lines) < 2 or any(found != [0] for found in numbers) or all(len(line) <= 1 + _PAIR for line in lines):
        return []
    return [[word for word in line if isinstance(word, str)] for line in lines]


def _split_by_numbers(words: Iterable[int | str]) -> Iterator[list[str]]:
    """Yield the moves of each game; the number 1 after moves begins another one. Raise `FormatError` for numbers out of
    order."""
    moves: list[str] = []
    last = 0
    for word in words:
        if isinstance(word, str):
            moves.append(word)
        elif word == 1 and moves:
            yield moves
            moves, last = [], 1
        elif word != last + 1:
            message = f"The moves are not numbered one after the other: {word} follows {last}."
            raise FormatError(message, "damaged" if moves else "foreign")
        else:
            last = word
    if last and not moves:
        raise FormatError("There are numbers, but no moves.", "foreign")
    yield moves


def _has_game_per_line(lines: Sequence[Sequence[str]], solid: bool, of: Setup) -> bool:
    """Return whether `lines` without numbers are a game each: they cannot be played one after the other, or are short
    openings. `solid` tells that no line has a gap between moves."""
    if len(lines) < 2 or all(len(line) <= _PAIR for line in lines):
        return False
    position = of.start()
    for line in lines:
        for index, move in enumerate(line):
            if move in _RESULTS:
                return line is not lines[-1]
            try:
                position = position.play(position.parse_move(move))
            except IllegalMove as error:
                anew = error.reason == "occupied" or (error.reason == "over" and (solid or not index))
                return anew and _is_legal(line[: index + 1], of)  # else the line itself is at fault
    return solid and all(_PAIR < len(line) < _SHORT for line in lines)


def _is_legal(moves: Sequence[str], of: Setup) -> bool:
    """Return whether `moves` can be played from the start of `of`."""
    start = of.start()
    return len(list(played(start, [start.parse_move(move) for move in moves]))) == len(moves)


def dumps(record: GameRecord) -> bytes:
    """Encode the moves of the line of play through the cursor, with a line end. Raise `FormatError` for a game with a
    position that was set up."""
    if record.stones is not None:
        raise FormatError("A position string cannot hold a starting position that was set up.", "unwritable")
    return f"{moves_text(record.line())}\n".encode("ascii")


def moves_text(nodes: Iterable[Node]) -> str:
    """Return the moves that led to `nodes`, a path in one tree such as `record.line()` or `path(record.cursor)`, as one
    text. Numbers are separated by spaces."""
    moves = [node.parent.position.move_text(node.move) for node in nodes if node.parent and node.move is not None]
    return "".join(f" {move}" if move[0].isdigit() else move for move in moves).strip()
