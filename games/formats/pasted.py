"""Parse and write games on the clipboard: a position string, or the contents of a file of any format."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from games.formats import FORMATS
from games.formats.common import FormatError, Tell, silent
from games.formats.native import dumps as whole
from games.formats.text import first_game, lines_of, moves_text
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
    for game, setups in groupby(_setups(around), lambda chosen: (chosen.game, chosen is around)):
        try:
            lines = lines_of(text, game[0], digits=game[1])
        except FormatError as error:
            refusal = refusal or error
            continue
        for chosen in setups:
            tell(0.0)
            try:
                return first_game(lines, chosen)
            except FormatError as error:
                refusal = refusal or error
    assert refusal is not None
    raise refusal


def _setups(around: Setup | None) -> Iterator[Setup]:
    if around is not None:
        yield around
    for game in GAMES.values():
        for size in game.sizes:
            if size >= game.size:
                yield from (setup(game.key, size, rule) for rule in game.rules)


def copied(record: GameRecord, node: Node) -> str:
    """Return a text from which `pasted` restores the position of `node`: its moves, or the whole `record` if it begins
    with a position that was set up."""
    return moves_text(path(node)) if record.stones is None else whole(record).decode()
