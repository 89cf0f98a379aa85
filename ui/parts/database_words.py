"""What a person reads of databases and of imports into them."""

from __future__ import annotations

from games.database.importer import UnreadGame
from games.database.reader import Continuation, Explored, FoundGame, Results
from games.database.schema import DRAWN, DatabaseError
from games.formats.common import shortened
from games.position import Position
from games.record import Seat
from games.registry import Setup
from ui.toolkit.i18n import joined, t
from ui.window.imports import Imports
from ui.words.file_words import file_sentence
from ui.words.games import player_name, side_name
from ui.words.numbers import percent_text
from ui.words.views import move_outlook

_LONGEST = 24  # characters of the name of a file in a sentence


def error_sentence(error: DatabaseError) -> str:
    """Why a database cannot be used."""
    return t(f"database.error.{error.kind}", name=shortened(error.name, _LONGEST))


def failure_sentence(failure: UnreadGame) -> str:
    """Why a game could not be imported."""
    name = failure.file.replace("\\", "/").rpartition("/")[2]
    return file_sentence(failure.error, f"{name} ({failure.number})" if failure.number > 1 else name)


def import_sentence(imports: Imports) -> str:
    """What an import has done, or is doing."""
    done = imports.progress
    said = [t("database.imported", count=done.games)]
    said += [t("database.duplicates", count=done.duplicates)] if done.duplicates else []
    said += [t("database.not_read", count=imports.failed)] if imports.failed else []
    return joined([t("database.broken"), *said] if imports.broken else said)


def results_text(game: str, results: Results) -> str:
    """``Black wins 45 % · Draw 10 % · White wins 45 %``, of the games with a result; empty without one."""
    decided = results.first + results.draws + results.second
    if not decided:
        return ""
    parts = [(t("result.side", side=side_name(game, 0)), results.first)]
    parts += [(t("library.result.draw"), results.draws)] if results.draws else []
    parts += [(t("result.side", side=side_name(game, 1)), results.second)]
    return " · ".join(f"{text} {percent_text(100 * count / decided)}" for text, count in parts)


def outlook_text(of: Setup, position: Position, each: Continuation) -> str:
    """What an engine thinks of a move, from the side that makes it; empty where nothing is known."""
    if each.evaluation is None:
        return ""
    return move_outlook(of, position.play(each.move), each.evaluation, position.turn, short=True)


def continuation_text(of: Setup, position: Position, each: Continuation) -> str:
    """All that is known of a move that was played, and for whom the engine's view is."""
    last = t("database.last", day=each.last) if each.last else ""
    outlook, side = outlook_text(of, position, each), side_name(of.game, position.turn)
    count = t("database.games", count=each.results.games)
    view = t("database.engine", side=side, outlook=outlook) if outlook else ""
    said = (count, results_text(of.game, each.results), last, view)
    return " · ".join(filter(None, said))


def total_text(explored: Explored) -> str:
    """How many games there are in a position."""
    return t("database.games", count=explored.results.games)


def players_text(found: FoundGame) -> str:
    """Both players of a game."""
    if found.seats == (Seat(), Seat()):
        return t("seat.two_people")
    game = found.setup.game
    names = [player_name(game, found.seats, side) if found.seats[side] != Seat() else "?" for side in (0, 1)]
    return " – ".join(names)


def result_mark(found: FoundGame) -> str:
    """``1–0``, ``½–½``, ``0–1``, as people note results; ``*`` where there is none."""
    if found.winner is None:
        return "*"
    return "½–½" if found.winner == DRAWN else ("1–0", "0–1")[found.winner]
