"""Search information in MESSAGE lines: write ours, and read any engine's as far as possible.

There is no standard; most resemble ``depth 12-20 ev 35 n 123456 tm 500 pv h8 i9``, as Yixin writes, or Rapfi's
``Depth 12-25 | Eval +M9 | Time 500ms | H8 I9``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ai.player import Info, Line
from ai.score import PROVEN, WIN, Score
from games.position import IllegalMove, Position

_DEPTH = re.compile(r"\bdepth\W{0,3}(\d{1,4})", re.IGNORECASE)
_SCORE = re.compile(r"\b(?:ev|eval|evaluation|score|value)\b\s*[:=]?\s*([+-]?)(m?)(\d{1,9})", re.IGNORECASE)
_NODES = re.compile(r"\b(?:n|nodes?)\b\s*[:=]?\s*(\d{1,15})([kmg]?)\b", re.IGNORECASE)
_LINE = re.compile(r"(?:\b(?:pv|bestline)\b\s*[:=]?\s*|\|\s*)((?:[a-z]\d{1,2}[\s-]*)+)$", re.IGNORECASE)
_POINT = re.compile(r"[a-z]\d{1,2}", re.IGNORECASE)

_LONGEST_LINE = 20  # moves of a PV


@dataclass(frozen=True, slots=True)
class Message:
    """The content of a message: None, or no moves, for what it lacks."""

    depth: int | None = None
    score: int | None = None
    nodes: int | None = None
    pv: tuple[int, ...] = ()


def write(info: Info, position: Position) -> Iterator[str]:
    """Format `info` as one MESSAGE text for each line. Scores are from the side to move; ``+M5`` is a win in five
    plies, ``-M4`` a loss in four."""
    lines = info.lines or (Line(info.score, (info.move,)),)
    for number, line in enumerate(lines, 1):
        place = f"({number}) " if len(lines) > 1 else ""
        moves = " ".join(position.move_text(move) for move in line.moves[:_LONGEST_LINE])
        effort = f"n {info.nodes} tm {info.seconds * 1000:.0f}"
        yield f"{place}depth {info.depth} ev {_score_text(line.score)} {effort} pv {moves}"


def _score_text(score: int) -> str:
    mate = Score(score).mate
    return str(score) if mate is None else f"{'+' if mate > 0 else '-'}M{abs(mate)}"


def read(text: str, position: Position) -> Message:
    """Extract depth, score, nodes and PV from an engine's message about `position`."""
    depth, nodes = _DEPTH.search(text), _NODES.search(text)
    return Message(
        None if depth is None else int(depth[1]),
        _score(text),
        None if nodes is None else int(nodes[1]) * 1000 ** " kmg".index(nodes[2].lower() or " "),
        _pv(text, position),
    )


def _score(text: str) -> int | None:
    match = _SCORE.search(text)
    if match is None:
        return None
    number = int(match[3])
    value = Score.win_in(min(number, WIN - PROVEN)) if match[2] else Score(min(number, PROVEN - 1))
    return -value if match[1] == "-" else value


def _pv(text: str, position: Position) -> tuple[int, ...]:
    """Parse the moves at the end of `text`, as far as they are legal."""
    match = _LINE.search(text.strip())
    moves: list[int] = []
    for point in _POINT.findall(match[1])[:_LONGEST_LINE] if match else ():
        try:
            move = position.parse_move(point)
            position = position.play(move)
        except IllegalMove:
            break
        moves.append(move)
    return tuple(moves)
