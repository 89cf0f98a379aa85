"""What the person's games tell of how it errs: learned from the games of the profile that were played without help."""

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
    """Return the games that are learned from, the latest first: those since the person's habits were forgotten."""
    since = profile.forgotten.get(game, "")
    played = [each for each in profile.played(game) if each.unrated in _ALONE and each.date > since]
    return played[::-1][:MOST_GAMES]


def learn(profile: Profile, game: str, on_progress: Callable[[float], object]) -> tuple[Fitted, int]:
    """Tally the games that are new; return the fit of all games and their number. `on_progress` is called with the
    share done, and may raise to stop."""
    before, results = store.read_games(), games_of(profile, game)
    others = {file: each for file, each in before.items() if each.game != game}
    found: dict[str, store.StudiedGame] = {}
    try:
        for number, each in enumerate(results):
            on_progress(number / len(results))
            if (looked := _looked_at(each, before.get(each.file))) is not None:
                found[each.file] = looked
    finally:
        _keep(others | found, before)
    return fit(game, sum((each.tally for each in found.values()), Tally())), len(found)


def _looked_at(result: Result, known: store.StudiedGame | None) -> store.StudiedGame | None:
    """Return what a game tells, as `known` if its file has not changed since; None if it cannot be read."""
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
    """Yield the moves of `side` up to the cursor, where the game ended, with the positions before them. What was
    studied since may have become the main line."""
    for node in path(record.cursor):
        if node.parent is not None and node.move is not None and node.parent.position.turn == side:
            yield node.parent.position, node.move


def _keep(known: dict[str, store.StudiedGame], before: dict[str, store.StudiedGame]) -> None:
    """Write the tallies of games, unless nothing has changed since `before`; an error is logged."""
    if known != before:
        try:
            write_atomic(store.path(), store.encoded(known))
        except OSError as error:
            _log.warning("What was learned of the person cannot be kept: %s", error)


def forget(profile: Profile, game: str) -> None:
    """Forget what was learned at `game`, for good: only games that begin from now on are learned from."""
    profile.forgotten[game] = datetime.now().isoformat(timespec="seconds")
