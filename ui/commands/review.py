"""The command `review`: the mistakes of one game, or of every game in a folder, as JSON, text and a page."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ai.analyse import public
from ai.arena.progress import Meter
from ai.review.judgement import Judged
from ai.review.report import Reviewed, Skipped, review_elsewhere, review_folder, reviewed
from ai.review.review import Progress
from ai.review.view import line_text
from games.record import GameRecord
from games.registry import Setup
from ui.commands.console import Failure, write_output

_SHOWN = 8  # moves of a better line


def review_game(
    record: GameRecord, seconds: float, threads: int, *,
    html: Path | None, language: str | None, cluster: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Print the review of `record` and write the page `html` if there shall be one. Raise `Failure`, `NoExecutor`."""
    if cluster:
        found, facts = None, review_elsewhere(record, english_why, seconds, threads, cluster)
    else:
        found = reviewed(record, seconds, threads, _tell)
        facts = found.facts(english_why)
    try:
        if found is not None and html is not None:
            _write_page(found, html, language)
    finally:  # the review may have taken hours
        print(json.dumps(_public(facts)) if as_json else "\n".join(review_lines(facts)), flush=True)


def review_games(
    folder: Path, seconds: float, threads: int, setup: Setup | None, *,
    cluster: str | None, kept: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Print the reviews of the games in `folder`, as they are found unless `as_json`; `setup` tells what a file does
    not say, and `kept` keeps reviews. Raise `Failure`, `NoExecutor`, `BadJournal`."""
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
        print(json.dumps({"games": [_public(facts) for facts in games]}))
    if failed:
        raise Failure(f"{failed} of the files could not be read.")
    if not as_json and not games:
        raise Failure(f"There is no game in “{folder}”.")


def english_why(judged: Judged) -> str:
    """What a move overlooked, as the command says it whatever the language of the window."""
    from ui.start import prepare

    prepare()  # pygame prints a banner otherwise
    from ui.words.review import why_text

    return why_text(judged)


def _public(facts: dict[str, Any]) -> dict[str, Any]:
    return facts | {"moves": [public(move) for move in facts["moves"]]}


def _tell(progress: Progress) -> None:
    """Show on a terminal how far a review is."""
    if sys.stderr.isatty():
        text = f"\r{progress.share:4.0%}" if progress.share < 1 else "\r    \r"
        print(text, end="", file=sys.stderr, flush=True)


def review_lines(facts: dict[str, Any]) -> Iterator[str]:
    for move in facts["moves"]:
        worse = move["kind"] not in ("best", "good", "only_move")
        better = f"  better {line_text(move['line'][:_SHOWN], move['line_sides'][:_SHOWN])}" if worse else ""
        kind = move["kind"].replace("_", " ")
        yield (f"{move['ply']:>3} {move['move']:>4}  {kind:<10}  win {move['win']:>4.0%}  "
               f"loss {move['loss']:>4.0%}{better}")
        if move["why"]:
            yield f"          {move['why']}"
    shares = ["–" if each is None else f"{each:.1f} %" for each in facts["accuracy"]]
    yield f"accuracy: first {shares[0]}, second {shares[1]}"


def _write_page(found: Reviewed, out: Path, language: str | None) -> None:
    from games.formats import FormatError
    from ui.start import prepare

    prepare()  # pygame prints a banner otherwise
    from ui.commands.review_page import page
    from ui.system.settings import load_settings
    from ui.toolkit.i18n import set_language, system_language

    set_language(language or load_settings().language or system_language())
    try:
        data = page(found).encode()
    except FormatError as error:
        raise Failure(error) from error
    write_output(out, data)
