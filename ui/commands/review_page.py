"""A reviewed game as one HTML page that needs nothing else: graph, mistakes with diagrams, all moves.

The page's words are in the language of `ui.toolkit.i18n`; names and comments are escaped by Jinja2.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from markupsafe import Markup, escape

from ai.review.judgement import Judged
from ai.review.kinds import MISTAKES
from ai.review.report import Reviewed
from games.formats.svg import Shown, diagram, has_pictures
from games.position import FIRST, SECOND
from games.registry import Setup
from ui.board.painter import Painter
from ui.board.pictures import png
from ui.board.view import Marks
from ui.toolkit.i18n import language, t
from ui.toolkit.palette import PALETTES
from ui.toolkit.templates import filled
from ui.words import review as words
from ui.words.games import outcome_sentence, player_name, setup_name, side_name
from ui.words.moves import line_names, move_name

TEMPLATE = "review.html"

_WORDS = (
    "accuracy", "comment", "date", "kind", "loss", "mistakes", "move", "moves", "no_mistakes", "result", "title",
)  # fmt: skip
_SHOWN = 7  # moves of the better line that a diagram shows, unless it wins
_SIDE = 320  # of a painted diagram, which has twice as many pixels
_WIDTH, _HEIGHT = 900, 220  # of the graph


def page(reviewed: Reviewed) -> str:
    """The whole page."""
    return filled(TEMPLATE, _context(reviewed))


def _context(reviewed: Reviewed) -> dict[str, Any]:
    record = reviewed.record
    game, last = record.setup.game, record.line()[-1]
    return {
        "lang": language(),
        "words": {key: t(f"review.{key}") for key in _WORDS}
        | {"graph": words.graph_title(game), "win": words.win_title(game)},
        "colours": words.page_colours(),
        "players": [player_name(game, record.seats, side) for side in (0, 1)],
        "setup": setup_name(record.setup),
        "result": t("review.unfinished") if last.outcome is None else outcome_sentence(record, last.outcome),
        "date": record.date.replace("T", " "),
        "accuracy": [
            t("review.accuracy_of", side=side_name(game, side), accuracy=words.accuracy_text(share))
            for side, share in enumerate(reviewed.accuracy)
            if share is not None
        ],
        "accuracy_about": words.accuracy_about(),
        "counts": [_count(reviewed, kind) for kind in words.GRAVEST_FIRST],
        "graph": Markup(graph(reviewed)),
        "moves": [_move(game, judged) for judged in reviewed.moves],
        "mistakes": [_mistake(reviewed, judged) for judged in reviewed.moves if judged.kind in MISTAKES],
    }


def _count(reviewed: Reviewed, kind: str) -> dict[str, str]:
    game = reviewed.record.setup.game
    numbers = (f"{side_name(game, side)} {words.counts(reviewed, side)[kind]}" for side in (0, 1))
    return {"kind": kind, "name": words.signed_name(kind), "numbers": " · ".join(numbers)}


def _move(game: str, judged: Judged) -> dict[str, Any]:
    return {
        "ply": judged.node.position.ply,
        "side": side_name(game, judged.side),
        "text": move_name(judged.before.position, judged.move),
        "kind": judged.kind,
        "kind_name": words.kind_name(judged.kind),
        "loss": words.loss_text(game, judged.loss),
        "win": words.win_text(game, judged.win),
        "comment": judged.node.comment,
    }


def _mistake(reviewed: Reviewed, judged: Judged) -> dict[str, Any]:
    game, refuted = reviewed.record.setup.game, words.refutation(judged)
    return _move(game, judged) | {
        "played": words.played_text(judged, game),
        "why": words.why_text(judged),
        "better": t("review.better", line=" ".join(line_names(judged.before.position, judged.line))),
        "refuted": t("review.refuted", line=" ".join(line_names(judged.node.position, refuted))) if refuted else "",
        "diagram": Markup(_diagram(reviewed.record.setup, judged)),
    }


def _diagram(setup: Setup, judged: Judged) -> str:
    """The mistake and the better line: drawn in SVG, or else painted as the window does."""
    before, line, sign = judged.before, words.better_line(judged, _SHOWN), words.SIGNS[judged.kind]
    if has_pictures(before.position):
        return diagram(setup, before.position, Shown(wrong=judged.move, sign=sign, line=line))
    painter = Painter(setup.game, 2 * _SIDE, PALETTES[words.PAGE], numbers=False, coordinates=True)
    picture = png(painter.size, painter.paint_with(before, Marks(wrong=judged.move, sign=sign, line=line)))
    data = b64encode(picture).decode("ascii")
    return f'<img alt="" width="{_SIDE}" height="{_SIDE}" src="data:image/png;base64,{data}">'


def graph(reviewed: Reviewed) -> str:
    """The first side's win probability from move to move, with a dot for each mistake and the sides at the ends, as
    SVG."""
    wins, count = reviewed.wins, max(1, len(reviewed.wins) - 1)
    points = [(_WIDTH * number / count, _HEIGHT * (1 - win)) for number, win in enumerate(wins) if win is not None]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    colours = words.page_colours()
    dots = (
        f'<circle class="{kind}" fill="{colours[kind]}" r="6"'
        f' cx="{_WIDTH * number / count:.1f}" cy="{_HEIGHT * (1 - win):.1f}"/>'
        for number, win, kind in words.dots(reviewed)
    )
    game = reviewed.record.setup.game
    ends = (
        f'<text x="6" y="{y}" font-size="14" fill="#6d6a63">{escape(side_name(game, side))}</text>'
        for side, y in ((FIRST, 18), (SECOND, _HEIGHT - 7))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {_WIDTH + 16} {_HEIGHT + 16}" width="{_WIDTH}">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff" stroke="#ddd5c6"/>'
        f'<polygon points="0,{_HEIGHT} {line} {_WIDTH},{_HEIGHT}" fill="#e4ded2"/>'
        f'<path d="M0 {_HEIGHT / 2}H{_WIDTH}" stroke="#98a1b0" stroke-dasharray="4 4"/>'
        f'<polyline points="{line}" fill="none" stroke="#24262b" stroke-width="2"/>{"".join(dots)}'
        f'{"".join(ends)}</svg>'
    )
