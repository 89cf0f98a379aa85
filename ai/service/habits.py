"""How the person errs: learned from the games of the profile that were played without help."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import datetime

from ai.players.opponent import model as store
from ai.players.opponent.model import Fitted, Tally, fit, tally_of
from ai.service.profile import Profile, Result
from games.formats import FormatError, load
from games.position import Position
from games.record import GameRecord, path
from games.storage import saves_home, write_atomic

_log = logging.getLogger(__name__)

MOST_GAMES = 60
"""The latest games at each game, since people learn."""

_ALONE = ("", "opponent", "board", "position", "clock")
"""Why a game may be unrated that was yet played without help."""


def games_of(profile: Profile, game: str) -> list[Result]:
    """Return the games to learn from, the latest first, at most `MOST_GAMES`, since the habits were last forgotten."""
    since = profile.forgotten.get(game, "")
    played = [each for each in profile.played(game) if each.unrated in _ALONE and each.date > since]
    return played[::-1][:MOST_GAMES]


def learn(profile: Profile, game: str, on_progress: Callable[[float], object]) -> tuple[Fitted, int]:
    """Tally the moves of games that are new. Return a model fitted to all games to learn from, and how many these are.

    `on_progress` is called with the share that is done, and may raise to stop; the tallies made so far are kept, and
    those known before of games that it has not reached.
    """
    before, files = store.read_games(), dict[str, Result]()
    for each in games_of(profile, game):
        files.setdefault(each.file, each)  # a file that was deleted may have had the name before
    known = {file: each for file, each in before.items() if each.game != game or file in files}
    try:
        for number, each in enumerate(files.values()):
            on_progress(number / len(files))
            if (looked := _tally_file(each, before.get(each.file))) is not None:
                known[each.file] = looked
            else:
                known.pop(each.file, None)
    finally:
        _save_tallies(known, before)
    found = [known[file] for file in files if file in known]
    return fit(game, sum((each.tally for each in found), Tally())), len(found)


def _tally_file(result: Result, known: store.StudiedGame | None) -> store.StudiedGame | None:
    """Return the tally of a game: `known` if its file has not changed since, otherwise a new one.

    Return None if the file cannot be read.
    """
    file = saves_home() / result.file
    try:
        facts = file.stat()
        stamp = [facts.st_mtime_ns, facts.st_size]
        if known is not None and known.stamp == stamp:
            return known
        return store.StudiedGame(game=result.game, stamp=stamp, tally=tally_of(moves_of(load(file), result.side)))
    except (OSError, FormatError):
        return None


def moves_of(record: GameRecord, side: int) -> Iterator[tuple[Position, int]]:
    """Yield the moves of `side`, each with the position before it, from the start to the cursor.

    The game ended at the cursor; variations studied later, which may have become the main line, do not count.
    """
    for node in path(record.cursor):
        if node.parent is not None and node.move is not None and node.parent.position.turn == side:
            yield node.parent.position, node.move


def _save_tallies(known: dict[str, store.StudiedGame], before: dict[str, store.StudiedGame]) -> None:
    """Write the tallies of games to their file if they differ from `before`; an error is only logged."""
    if known != before:
        try:
            write_atomic(store.path(), store.encoded(known))
        except OSError as error:
            _log.warning("What was learned of the person cannot be kept: %s", error)


def forget(profile: Profile, game: str) -> None:
    """Forget what was learned of `game`; learn only from games that begin later. The caller saves the profile."""
    profile.forgotten[game] = datetime.now().isoformat(timespec="seconds")
