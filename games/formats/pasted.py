"""Parse and write games on the clipboard: a position string, or the contents of a file of any format."""

from __future__ import annotations

from collections.abc import Iterator

from games.formats import FORMATS
from games.formats.common import FormatError, Tell, silent
from games.formats.native import dumps as whole
from games.formats.text import first_of, games_in, moves_text
from games.record import GameRecord, Node, path
from games.registry import GAMES, Setup, setup

MOST = 200_000
"""Maximum number of characters."""


def pasted(text: str, around: Setup | None = None, tell: Tell = silent) -> GameRecord:
    """Read the game in `text`. Moves alone are played in the game `around`, or else in the first game, size and rule of
    the registry in which they are legal. Raise `FormatError`, and what `tell` raises."""
    if len(text) > MOST:
        raise FormatError(f"The text is longer than {MOST:,} characters.", "foreign")
    data = text.encode("utf-8-sig", "replace")  # whatever encoding the text says it has been in
    for each in FORMATS:
        if each.recognises(data):
            return each.loads(data, around, tell)
    if not text.strip():
        raise FormatError("There is no text.", "foreign")
    return _of_moves(text, around, tell)


def _of_moves(text: str, around: Setup | None, tell: Tell) -> GameRecord:
    refusal: FormatError | None = None
    for setups in _setups(around):
        tell(0.0)
        try:
            games = games_in(text, setups[-1], digits=setups[0] is around)
        except FormatError as error:
            refusal = refusal or error
            continue
        for chosen in setups:
            try:
                return first_of(games, chosen)
            except FormatError as error:
                refusal = refusal or error
    assert refusal is not None
    raise refusal


def _setups(around: Setup | None) -> Iterator[list[Setup]]:
    """Yield what to try, together what has the same game, the largest board last."""
    if around is not None:
        yield [around]
    for game in GAMES.values():
        sizes = [size for size in game.sizes if size >= game.size]
        yield [setup(game.key, size, rule) for size in sizes for rule in game.rules]


def copied(record: GameRecord, node: Node) -> str:
    """Return a text from which `pasted` restores the position of `node`: its moves, or the whole `record` if it begins
    with a position that was set up."""
    return moves_text(path(node)) if record.stones is None else whole(record).decode()
