"""Names that are proposed for the files of games."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from games.record import GameRecord
from games.storage import saves_home, unused
from ui.words.games import game_name

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def proposed_file(record: GameRecord, last: Path | None, ending: str = ".tengen.json") -> Path:
    """A name with that `ending` that no file has yet, of the game and its day, beside `last`, the file saved or opened
    last."""
    day = record.date[:10]
    if not _DAY.fullmatch(day):  # a file may say anything
        day = date.today().isoformat()
    folder = last.parent if last is not None else saves_home()
    return unused(folder, f"{game_name(record.setup.game)} {day}", ending)
