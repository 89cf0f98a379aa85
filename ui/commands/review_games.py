"""The command `review`: the mistakes of one game, or of every game in a folder, as JSON, text and a page."""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pygame
from markupsafe import Markup

from ai.arena.journal import Meter
from ai.players.table import Context
from ai.players.table import make as make_player
from ai.review.judgement import FAULTLESS, MISTAKES, Judged
from ai.review.report import Reviewed, Skipped, line_text, review_folder, review_on_cluster, run_review
from ai.review.review import ReviewShare
from ai.service.analyse import public
from ai.service.profile import resolve_level
from games.formats.svg import Shown, diagram, has_pictures
from games.position import FIRST, SECOND
from games.record import GameRecord
from games.registry import Setup
from ui.board.pictures import Painter, png
from ui.board.view import Marks
from ui.commands.console import Failure, write_output
from ui.replay.review_course import draw_course
from ui.toolkit.canvas import SvgCanvas, page_theme
from ui.toolkit.i18n import language, t
from ui.toolkit.resources import render_template
from ui.toolkit.theme import PALETTES
from ui.words import verdicts as words
from ui.words.games import outcome_sentence, player_name, side_name
from ui.words.move_words import line_names, move_name
from ui.words.opening_words import game_title

# A reviewed game as one HTML page that needs nothing else: graph, mistakes with diagrams, all moves.
#
# The page's words are in the language of `ui.toolkit.i18n`; names and comments are escaped by Jinja2.


TEMPLATE = "review.html"

_WORDS = (
    "accuracy", "comment", "date", "kind", "loss", "mistakes", "move", "moves", "no_mistakes", "result", "title",
)  # fmt: skip
_SHOWN_POSITIONS = 7  # moves of the better line that a diagram shows, unless it wins
_SIDE = 320  # of a painted diagram, which has twice as many pixels
_WIDTH, _HEIGHT, _AROUND, _LINE = 900, 220, 8, 24  # pixels of the graph, around it, and of a line


def page(reviewed: Reviewed) -> str:
    """Return a review as one HTML page."""
    return render_template(TEMPLATE, _context(reviewed))


def _context(reviewed: Reviewed) -> dict[str, Any]:
    """Return the values for the template of the page."""
    record = reviewed.record
    game, last = record.setup.game, record.line()[-1]
    return {
        "lang": language(),
        "words": {key: t(f"review.{key}") for key in _WORDS}
        | {"graph": words.graph_title(game), "win": words.win_title(game)},
        "colours": words.page_colours(),
        "players": [player_name(game, record.seats, side) for side in (0, 1)],
        "setup": game_title(record),
        "result": t("review.unfinished") if last.outcome is None else outcome_sentence(record, last.outcome),
        "date": record.date.replace("T", " "),
        "accuracy": [
            t("review.accuracy_of", side=side_name(game, side), accuracy=words.accuracy_text(share))
            for side, share in enumerate(reviewed.accuracy)
            if share is not None
        ],
        "accuracy_about": words.accuracy_about(),
        "counts": [_count_of_kind(reviewed, kind) for kind in words.GRAVEST_FIRST],
        "graph": Markup(graph(reviewed)),
        "moves": [_move_values(game, judged) for judged in reviewed.moves],
        "mistakes": [_mistake_values(reviewed, judged) for judged in reviewed.moves if judged.kind in MISTAKES],
    }


def _count_of_kind(reviewed: Reviewed, kind: str) -> dict[str, str]:
    """Return how many moves of a kind each side made, as values for the template."""
    game = reviewed.record.setup.game
    numbers = (f"{side_name(game, side)} {words.counts(reviewed, side)[kind]}" for side in (0, 1))
    return {"kind": kind, "name": words.signed_name(kind), "numbers": " · ".join(numbers)}


def _move_values(game: str, judged: Judged) -> dict[str, Any]:
    """Return a judged move as values for the template."""
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


def _mistake_values(reviewed: Reviewed, judged: Judged) -> dict[str, Any]:
    """Return a mistake as values for the template: also with the better line, the refutation and a diagram."""
    game, refuted = reviewed.record.setup.game, words.refutation(judged)
    return _move_values(game, judged) | {
        "played": words.played_text(judged, game),
        "why": words.why_text(judged),
        "better": t("review.better", line=" ".join(line_names(judged.before.position, judged.line))),
        "refuted": t("review.refuted", line=" ".join(line_names(judged.node.position, refuted))) if refuted else "",
        "diagram": Markup(_diagram(reviewed.record.setup, judged)),
    }


def _diagram(setup: Setup, judged: Judged) -> str:
    """Return HTML with a picture of the mistake and the better line: in SVG, or painted for games without SVG
    pictures."""
    before, line, sign = judged.before, words.better_line(judged, _SHOWN_POSITIONS), words.SIGNS[judged.kind]
    if has_pictures(before.position):
        return diagram(setup, before.position, Shown(wrong=judged.move, sign=sign, line=line))
    painter = Painter(setup.game, 2 * _SIDE, PALETTES[words.PAGE], numbers=False, coordinates=True)
    picture = png(painter.size, painter.paint_with(before, Marks(wrong=judged.move, sign=sign, line=line)))
    data = b64encode(picture).decode("ascii")
    return f'<img alt="" width="{_SIDE}" height="{_SIDE}" src="data:image/png;base64,{data}">'


def graph(reviewed: Reviewed) -> str:
    """Return the graph of the first side's win probability from move to move as SVG, with a dot for each mistake and
    the names of the sides at the ends of the scale."""
    theme, plot = page_theme(), pygame.Rect(_AROUND, _AROUND, _WIDTH, _HEIGHT)
    whole, game = plot.inflate(2 * _AROUND, 2 * _AROUND), reviewed.record.setup.game
    canvas = SvgCanvas(whole.size, theme)
    canvas.box(plot, theme.palette.raised, border=theme.palette.line)
    draw_course(canvas, plot, whole, reviewed.wins, words.mistake_points(reviewed))
    for side, top in ((FIRST, plot.top), (SECOND, plot.bottom - _LINE)):
        canvas.text(side_name(game, side), pygame.Rect(plot.left + 6, top, _WIDTH, _LINE), 14, theme.palette.quiet)
    return canvas.svg()


_SHOWN = 8  # moves of a better line


def review_game(
    record: GameRecord, seconds: float, threads: int, *,
    html: Path | None, language: str | None, cluster: str | None, as_json: bool, player: str | None = None,
) -> None:  # fmt: skip
    """Print the review of `record`, and write it as an HTML page to `html`, if given. `seconds` are those of a search
    for a position. With a `cluster` its workers review, and there is no page. A `player` reviews instead of the
    strongest one; evaluations in the file are then ignored. Raise `Failure`, `NoExecutor`, and what a player raises."""
    if cluster:
        found, facts = None, review_on_cluster(record, english_why, seconds, threads, cluster)
    else:
        make = None
        if player:
            make = partial(make_player, resolve_level(player, record.setup.game), Context(record.setup.game))
            for node in record.nodes():
                node.evaluation = None
        found = run_review(record, seconds, threads, _print_progress, make)
        facts = found.facts(english_why)
    try:
        if found is not None and html is not None:
            _write_page(found, html, language)
    finally:  # the review may have taken hours
        print(json.dumps(_public_facts(facts)) if as_json else "\n".join(review_lines(facts)), flush=True)


def review_games(
    folder: Path, seconds: float, threads: int, setup: Setup | None, *,
    cluster: str | None, kept: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Print the reviews of all games in `folder`, each when it is finished, with `as_json` all at the end. `setup`
    tells what a file does not say; `kept` is a file in which reviews are kept for the next run. Raise `Failure`, also
    if files could not be read, `NoExecutor` and `BadJournal`."""
    games, failed, meter = [], 0, Meter()
    try:
        for found in review_folder(folder, english_why, seconds, threads, setup, cluster, kept, meter.count):
            meter.clear()
            if isinstance(found, Skipped):
                print(f"{found.file}: {found.reason}", file=sys.stderr)
                failed += not found.part
                continue
            games.append(found)
            if not as_json:
                print(found["file"], *review_lines(found), sep="\n", flush=True)
    except OSError as error:
        raise Failure(f"“{error.filename or folder}” cannot be read: {error.strerror or error}.") from error
    finally:
        meter.clear()
    if as_json:
        print(json.dumps({"games": [_public_facts(facts) for facts in games]}))
    if failed:
        raise Failure(f"{failed} of the files could not be read.")
    if not as_json and not games:
        raise Failure(f"There is no game in “{folder}”.")


def english_why(judged: Judged) -> str:
    """Return a sentence on what a move overlooked, empty for none; in English unless the command has set another
    language."""
    from ui.start import prepare

    prepare()  # pygame prints a banner otherwise
    from ui.words.verdicts import why_text

    return why_text(judged)


def _public_facts(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a review with only the public fields of each move."""
    return facts | {"moves": [public(move) for move in facts["moves"]]}


def _print_progress(progress: ReviewShare) -> None:
    """Show on a terminal how far a review is."""
    if sys.stderr.isatty():
        text = f"\r{progress.share:4.0%}" if progress.share < 1 else "\r    \r"
        print(text, end="", file=sys.stderr, flush=True)


def review_lines(facts: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a review in the terminal, from its facts (`Reviewed.facts`)."""
    for move in facts["moves"]:
        worse = move["kind"] not in ("good", *FAULTLESS)
        better = f"  better {line_text(move['line'][:_SHOWN], move['line_sides'][:_SHOWN])}" if worse else ""
        kind = move["kind"].replace("_", " ")
        yield (f"{move['ply']:>3} {move['move']:>4}  {kind:<10}  win {move['win']:>4.0%}  "
               f"loss {move['loss']:>4.0%}{better}")
        if move["why"]:
            yield f"          {move['why']}"
    shares = ["–" if each is None else f"{each:.1f} %" for each in facts["accuracy"]]
    yield f"accuracy: first {shares[0]}, second {shares[1]}"


def _write_page(found: Reviewed, out: Path, language: str | None) -> None:
    """Write the HTML page of a review to `out`, in `language` or that of the settings."""
    from games.formats import FormatError
    from ui.start import prepare

    prepare()  # pygame prints a banner otherwise
    from ui.system.settings import load_settings
    from ui.toolkit.i18n import set_language, system_language

    set_language(language or load_settings().language or system_language())
    try:
        data = page(found).encode()
    except FormatError as error:
        raise Failure(error) from error
    write_output(out, data)
