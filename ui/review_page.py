"""A reviewed game as one HTML page that needs nothing else: graph, mistakes with diagrams, all moves.

The page's words are in the language of `ui.toolkit.i18n`; names and comments are escaped by Jinja2.
"""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ai.analyse import line_texts
from ai.review.kinds import KINDS, MISTAKES
from ai.review.report import Reviewed
from ai.review.review import Judged
from games.formats.svg import Shown, diagram
from games.position import Position
from ui.game.words import outcome_sentence, player_name, setup_name, side_name
from ui.toolkit.i18n import language, t
from ui.toolkit.resources import resource

TEMPLATE = "review.html"

_WORDS = (
    "accuracy", "comment", "date", "kind", "loss", "mistakes", "move", "moves", "no_mistakes", "result", "title", "win",
)  # fmt: skip
_GHOSTS = 7  # moves of the better line that a diagram shows
_WIDTH, _HEIGHT = 900, 220  # of the graph


def page(reviewed: Reviewed) -> str:
    """The whole page."""
    environment = Environment(
        loader=FileSystemLoader(resource("templates")), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template(TEMPLATE).render(_context(reviewed))


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def kind_name(kind: str) -> str:
    return t(f"review.kind.{kind}")


def _context(reviewed: Reviewed) -> dict[str, Any]:
    record = reviewed.record
    game, last = record.setup.game, record.line()[-1]
    words = {key: t(f"review.{key}") for key in _WORDS} | {"graph": t("review.graph", side=side_name(game, 0))}
    return {
        "lang": language(),
        "words": words,
        "kinds": KINDS,
        "players": [player_name(game, record.seats, side) for side in (0, 1)],
        "setup": setup_name(record.setup),
        "result": t("review.unfinished") if last.outcome is None else outcome_sentence(record, last.outcome),
        "date": record.date.replace("T", " "),
        "accuracy": [
            t("review.accuracy_of", side=side_name(game, side), percent=f"{share:.1f}")
            for side, share in enumerate(reviewed.accuracy)
            if share is not None
        ],
        "graph": Markup(graph(reviewed)),
        "moves": [_move(game, judged) for judged in reviewed.moves],
        "mistakes": [_mistake(reviewed, judged) for judged in reviewed.moves if judged.kind in MISTAKES],
    }


def _move(game: str, judged: Judged) -> dict[str, Any]:
    return {
        "ply": judged.node.position.ply,
        "side": side_name(game, judged.side),
        "text": _before(judged).move_text(_played(judged)),
        "kind": judged.kind,
        "kind_name": kind_name(judged.kind),
        "loss": percent(judged.loss),
        "win": percent(judged.win),
        "comment": judged.node.comment,
    }


def _mistake(reviewed: Reviewed, judged: Judged) -> dict[str, Any]:
    game, position = reviewed.record.setup.game, _before(judged)
    side = side_name(game, judged.side)
    shown = Shown(wrong=_played(judged), ghosts=_ghosts(position, judged.line[:_GHOSTS]))
    return _move(game, judged) | {
        "played": t("review.played", side=side, move=position.move_text(_played(judged))),
        "better": t("review.better", line=" ".join(line_texts(position, judged.line))),
        "diagram": Markup(diagram(reviewed.record.setup, position, shown)),
    }


def _before(judged: Judged) -> Position:
    parent = judged.node.parent
    assert parent is not None
    return parent.position


def _played(judged: Judged) -> int:
    move = judged.node.move
    assert move is not None
    return move


def _ghosts(position: Position, line: tuple[int, ...]) -> list[tuple[int, int]]:
    found = []
    for move in line:
        found.append((move, position.turn))
        position = position.play(move)
    return found


def graph(reviewed: Reviewed) -> str:
    """The first side's win probability from move to move, with a dot for each mistake, as SVG."""
    wins, count = reviewed.wins, max(1, len(reviewed.wins) - 1)
    points = [(_WIDTH * number / count, _HEIGHT * (1 - win)) for number, win in enumerate(wins) if win is not None]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = (
        f'<circle class="{judged.kind}" cx="{_WIDTH * (judged.number + 1) / count:.1f}"'
        f' cy="{_HEIGHT * (1 - win):.1f}" r="6"/>'
        for judged in reviewed.moves
        if judged.kind in MISTAKES and (win := wins[judged.number + 1]) is not None
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {_WIDTH + 16} {_HEIGHT + 16}" width="{_WIDTH}">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff" stroke="#ddd5c6"/>'
        f'<polygon points="0,{_HEIGHT} {line} {_WIDTH},{_HEIGHT}" fill="#e4ded2"/>'
        f'<path d="M0 {_HEIGHT / 2}H{_WIDTH}" stroke="#98a1b0" stroke-dasharray="4 4"/>'
        f'<polyline points="{line}" fill="none" stroke="#24262b" stroke-width="2"/>{"".join(dots)}</svg>'
    )
