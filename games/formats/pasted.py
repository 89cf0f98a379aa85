"""Parse and write games on the clipboard: a position string, or the contents of a file of any format."""

from __future__ import annotations

from games.formats import FORMATS
from games.formats.common import FormatError, OnProgress, silent
from games.formats.tengen import dumps as whole
from games.formats.text import moves_text, read
from games.record import GameRecord, Node, path
from games.registry import Setup

MOST = 200_000
"""Maximum number of characters."""


def pasted(text: str, around: Setup | None = None, on_progress: OnProgress = silent) -> GameRecord:
    """Read the game in `text`. Moves alone are played in the game `around`, or else in the first game, size and rule of
    the registry in which they are legal. Raise `FormatError`, and what `on_progress` raises."""
    if len(text) > MOST:
        raise FormatError(f"The text is longer than {MOST:,} characters.", "foreign")
    data = text.encode("utf-8-sig", "replace")  # whatever encoding the text says it has been in
    for each in FORMATS:
        if each.recognises(data):
            return each.loads(data, around, on_progress)
    if not text.strip():
        raise FormatError("There is no text.", "foreign")
    return read(text, around=around, on_progress=on_progress)


def copied(record: GameRecord, node: Node) -> str:
    """Return a text from which `pasted` restores the position of `node`: its moves, or the whole `record` if it begins
    with a position that was set up."""
    return moves_text(path(node)) if record.stones is None else whole(record).decode()
