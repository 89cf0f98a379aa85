"""The commands `find` and `import`: the games with a position, and a database of them."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from games.database.importer import Progress, UnreadGame, import_games, library_database, mirror_library
from games.database.reader import Continuation, Explored, FoundGame, GameQuery, Reader
from games.database.schema import DatabaseError
from games.evaluation import Evaluation
from games.position import FIRST, Position
from games.record import GameRecord
from games.registry import GAMES
from ui.commands.console import Failure, failing, require_source

_SHOWN = 20  # games that are listed for a person
_PERIOD = 2.0  # seconds between two lines of progress


def import_into(sources: Sequence[Path], database: Path, as_json: bool) -> None:
    """Import the games of the files and folders `sources` into `database`. Print how many, and a sentence for each that
    could not be read. Raise `Failure`; what was imported before stays. A new database without a game is deleted."""
    for source in sources:
        require_source(source)
    began, new = time.monotonic(), not os.path.lexists(database)
    with failing(DatabaseError):
        done, failures = _follow_import(import_games(database, sources))
    seconds = round(time.monotonic() - began, 1)
    if as_json:
        failed = [{"file": each.file, "why": str(each)} for each in failures]
        print(json.dumps(
            {"games": done.games, "duplicates": done.duplicates, "failed": failed, "seconds": seconds}
        ))  # fmt: skip
    else:
        for failure in failures:
            print(f"{failure.file}: {failure}", file=sys.stderr)
        print(f"Games imported: {done.games:,}; duplicates: {done.duplicates:,}; not read: {len(failures):,}; "
              f"{seconds:.1f} s.")  # fmt: skip
    if new and not done.games:
        database.unlink(missing_ok=True)
        raise Failure("No game was found, so there is no new database.")


def _follow_import(progress: Iterable[Progress]) -> tuple[Progress, list[UnreadGame]]:
    """Run an import to its end, with its progress on a terminal. Return the last report, and all failures."""
    done, failures, due = Progress(), list[UnreadGame](), time.monotonic() + _PERIOD
    for done in progress:
        failures += done.failures
        if sys.stderr.isatty() and time.monotonic() >= due:
            due += _PERIOD
            print(f"{done.share:4.0%}  {done.games:,} games", file=sys.stderr)
    return done, failures


def find(record: GameRecord, place: Path | None, rule: str | None, as_json: bool) -> None:
    """Print the games in which the position at the cursor of `record` occurs, and what was played there. `place` is a
    folder or a database, by default the saved games. Only games by `rule` count, unless it is None. Raise `Failure`."""
    of, position = record.setup, record.position
    search = GameQuery(position=position, setup=of, rule=rule or "")
    with failing(DatabaseError), _open_place(place) as reader:
        explored, games = reader.explore(of, position, rule or ""), reader.search(search)
    if as_json:
        found = [{"file": game.file, "number": game.number, "ply": game.ply} for game in games]
        following = [_continuation_json(position, each) for each in explored.continuations]
        print(json.dumps({"games": found, "next": following}))
        return
    print(*_text_lines(position, explored, games), sep="\n")


@contextmanager
def _open_place(place: Path | None) -> Iterator[Reader]:
    """Open what `find` searches, as a database; a folder is first imported into a temporary one. None is the
    library's own, which is updated first. Raise `DatabaseError`."""
    with TemporaryDirectory() as temporary:
        database = place or library_database()
        if place is None:
            _follow_import(mirror_library())
        elif os.path.isdir(place):  # noqa: PTH112  (`Path.is_dir` raises for a very long name)
            database = Path(temporary, "folder")
            _, failures = _follow_import(import_games(database, [place], mirror=True))
            for failure in failures:
                print(f"{failure.file}: {failure}", file=sys.stderr)
        with closing(Reader(database)) as reader:
            yield reader


def _continuation_json(position: Position, each: Continuation) -> dict[str, Any]:
    """Return a continuation as JSON; its score is from the side to move, as in `analyse`."""
    known = each.evaluation
    score = None if known is None else known.score if position.turn == FIRST else -known.score
    results = each.results
    return {
        "move": position.move_text(each.move), "games": results.games, "first": results.first,
        "draws": results.draws, "second": results.second, "last": each.last or None, "score": score,
    }  # fmt: skip


def _value_text(position: Position, sides: Sequence[str], known: Evaluation) -> str:
    """Return an evaluation as text, from the side to move in `position`. `sides` are the names of the sides."""
    from ai.service.analyse import value_text  # late: it takes longer than most searches

    sign = 1 if position.turn == FIRST else -1
    mate = None if known.mate is None else sign * known.mate
    return f"{sides[position.turn]} {value_text({'score': sign * known.score, 'mate': mate})}"


def _text_lines(position: Position, explored: Explored, games: Sequence[FoundGame]) -> Iterator[str]:
    """Yield the lines of text that `find` prints; scores are from the side to move, as in `analyse`."""
    yield f"Games: {explored.results.games:,}"
    first, second = sides = GAMES[position.game].sides
    for each in explored.continuations:
        won, known = each.results, each.evaluation
        yield (
            f"{position.move_text(each.move):>5} {won.games:>8,}  {first} won {won.first:,}  drawn {won.draws:,}"
            f"  {second} won {won.second:,}  {each.last:10}"
            f"  {'' if known is None else _value_text(position, sides, known.backed_up(each.move))}"
        ).rstrip()
    for game in games[:_SHOWN]:
        names = " – ".join(seat.known_as or "?" for seat in game.seats)
        number = f" #{game.number}" if game.number > 1 else ""
        yield f"{game.file}{number}, move {game.ply}: {names} {game.day}".rstrip()
    if len(games) > _SHOWN:
        yield f"… and {len(games) - _SHOWN:,} more."
