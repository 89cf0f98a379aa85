"""Which game an SGF file has: the numbers of GM, and how Go is told from gomoku where a file does not say, since Go is
what SGF means then."""

from __future__ import annotations

import re

from games.formats.sgf_text import Item
from games.formats.terms import rule_named

GO, GOMOKU = 1, 4
"""The GM of Go, the default, and that of gomoku and renju."""

_NAMED_RENJU = 5
"""What ORC Game Center writes for renju; elsewhere Nine Men's Morris, whose files have no size and no rule of renju."""

_NAMED_FIVE = 2
"""What some programs write for gomoku; elsewhere Othello, whose boards are smaller."""
_SIX = re.compile(r"(?:^|\W)connect[ -]?6(?:\W|$)|六子棋", re.IGNORECASE)

NAMES = {
    1: "Go", 2: "Othello", 3: "chess", 5: "Nine Men's Morris", 6: "backgammon", 7: "Chinese chess", 8: "shogi",
    9: "Lines of Action", 10: "Ataxx", 11: "Hex", 12: "Jungle", 13: "Neutron", 14: "Philosopher's Football",
    15: "Quadrature", 16: "Trax", 17: "Tantrix", 18: "Amazons", 19: "Octi", 20: "Gess", 21: "TwixT", 22: "Zèrtz",
    23: "Plateau", 24: "Yinsh", 25: "Pünct", 26: "Gobblet", 27: "Hive", 28: "Exxit", 29: "Hnefatafl", 30: "Kuba",
    31: "Tripples", 32: "Chase", 33: "Tumbling Down", 34: "Sahara", 35: "Byte", 36: "Focus", 37: "Dvonn", 38: "Tamsk",
    39: "Gipf", 40: "Kropki",
}  # fmt: skip
"""The other games, by their GM."""

_WORDS = {name.lower(): number for number, name in NAMES.items() if number > GO}
_GO_SIZES = {"", "9", "13", "19"}
_GO_RULES = {"japanese", "chinese", "aga", "nz", "ing", "goe", "korean", "new zealand", "tromp-taylor", "日本", "中国"}
_COUNTED = re.compile(r"\s*[BWbw]\+\d+(\.\d+)?\s*")
_ROW = 5
_CENTRAL = re.compile("[f-j][f-j]")
_USUAL = re.compile("[a-o][a-o]|tt|")


def other_game(top: Item) -> str | None:
    """Return the name of the game that begins with `top`, “” if it is unknown; None for gomoku."""
    written = top.first("GM").strip()
    if _SIX.search(top.first("RU")):
        return "Connect6"
    number = int(written) if re.fullmatch("[0-9]{1,4}", written, re.ASCII) else _WORDS.get(written.lower(), 0)
    if number == GOMOKU or (number == _NAMED_RENJU and (top.first("SZ").strip() or named_rule(top) is not None)):
        return None
    if number == _NAMED_FIVE and re.fullmatch("1[3-9]|20", top.first("SZ").strip()):
        return None
    if number not in (GO, 0) or (written and not number):
        return NAMES.get(number, "")
    return NAMES[GO] if _is_go(top, bool(number)) else None


def named_rule(top: Item) -> str | None:
    """Return the rule that the file names, if any. ORC Game Center does so at the end of GN: ``A-B(B) : RIF rule``."""
    _, colon, end = top.first("GN").rpartition(":")
    return rule_named(top.first("RU")) or (rule_named(end) if colon else None)


def is_gomoku(top: Item) -> bool:
    """Whether `top`, which says neither its game nor its size, begins a game of gomoku: it names a rule, ends with a
    row of five, or begins around the centre of the usual board, as no game of Go does, and stays on it."""
    if named_rule(top) is not None or _ends_in_row(top):
        return True
    points = []
    item: Item | None = top
    while item is not None:
        points += [point.strip() for colour in ("B", "W") for point in item.properties.get(colour, ())]
        item = item.children[0] if item.children else None
    return len(points) > 1 and all(map(_CENTRAL.fullmatch, points[:2])) and all(map(_USUAL.fullmatch, points))


def _is_go(top: Item, said: bool) -> bool:
    """Whether a game of Go begins with `top`, and not one of gomoku from a program that knows Go only. `said` means
    that the file says so."""
    if rule_named(top.first("RU")) is not None or _ends_in_row(top):
        return False
    size = top.first("SZ").strip()
    if said and size in _GO_SIZES:
        return True
    komi, handicap = (top.first(name).strip() for name in ("KM", "HA"))
    counted = any(name in top.properties for name in ("TB", "TW")) or _COUNTED.fullmatch(top.first("RE"))
    spoken = top.first("RU").strip().lower() in _GO_RULES
    return bool(_more_than_zero(komi) or _more_than_zero(handicap) or counted or spoken or size in _GO_SIZES - {""})


def _more_than_zero(text: str) -> bool:
    return any(digit.isdecimal() and digit != "0" for digit in text)


def _ends_in_row(top: Item) -> bool:
    """Whether the last move of the main line makes the first row of five: in Go there are rows long before the end."""
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
