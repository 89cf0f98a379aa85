"""Names of files, and sentences about them: why one cannot be read or written, and what was left out."""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from games.damage import Damage
from games.formats import FormatError, encoded, format_of
from games.record import GameRecord, Notice
from games.storage import saves_home, unused
from ui.toolkit.i18n import first_text, joined, t
from ui.words.games import game_name, with_names
from ui.words.moves import illegal_sentence

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def proposed_file(record: GameRecord, last: Path | None, ending: str = ".tengen.json") -> Path:
    """A name with that `ending` that no file has yet, of the game and its day, beside `last`, the file saved or opened
    last."""
    day = record.date[:10]
    if not _DAY.fullmatch(day):  # a file may say anything
        day = date.today().isoformat()
    folder = last.parent if last is not None else saves_home()
    return unused(folder, f"{game_name(record.setup.game)} {day}", ending)


def study_title(record: GameRecord) -> str:
    """What a study is called that was pasted or set up, as the library lists it: ``Gomoku position 2026-11-25``."""
    key = "replay.title_game" if record.stones is None else "replay.title_position"
    return t(key, game=game_name(record.setup.game), day=date.today().isoformat())


def encoded_for(record: GameRecord, file: Path) -> bytes:
    """Encode `record` for `file`, with names that a person can read where nothing else of the players is kept. Raise
    `FormatError`."""
    return encoded(record if format_of(file).whole else with_names(record), file)


def file_sentence(error: FormatError | OSError, name: str) -> str:
    """Why the file `name` cannot be read or written. What exactly is wrong inside of it is for the log."""
    if isinstance(error, OSError):
        return t("error.save", name=name, reason=refusal(error))
    facts = dict(error.facts)
    if error.kind == "unreadable":
        facts["reason"] = refusal(OSError(facts.get("number"), facts["reason"]))
    if "game" in facts:
        facts["game"] = _other_game(facts["game"])
    return t(f"format.{error.kind}", name=name, **facts)


def pasted_sentence(error: FormatError) -> str:
    """Why what is on the clipboard is not a game."""
    if error.kind == "other_game":
        return t("paste.other_game", game=_other_game(error.facts["game"]))
    return t("paste.illegal" if error.kind == "illegal" else "paste.foreign", **error.facts)


def _other_game(name: object) -> str:
    """The name of a game that Tengen does not play; in most languages only some have one of their own."""
    return first_text(f"other_game.{name}", default=str(name))


def encoding_name(encoding: str) -> str:
    """Return ``Western (cp1252)``, or else its name."""
    return first_text(f"encoding.{encoding}", default=encoding)


def notices_sentence(notices: Sequence[Notice]) -> str:
    """What the reader of a file has left out: the first of the `notices`, and how many more there are."""
    first, facts = notices[0], dict(notices[0].facts)
    if "why" in facts:
        facts["reason"] = illegal_sentence(str(facts["why"]))
    if "encoding" in facts:
        facts["encoding"] = encoding_name(str(facts["encoding"]))
    said = t(f"notice.{first.kind}", **facts)
    return said if len(notices) == 1 else joined((said, t("notice.more", count=len(notices) - 1)))


def damage_sentence(found: Sequence[Damage]) -> str:
    """What is damaged: the first of `found`, and how many more there are."""
    first = found[0]
    fact = refusal(first.fact) if isinstance(first.fact, OSError) else first.fact
    said = t(f"damage.{first.kind}", name=first.file.name, fact=fact)
    return said if len(found) == 1 else joined((said, t("damage.more", count=len(found) - 1)))


_REFUSALS = {
    "EACCES": "denied", "EPERM": "denied", "EROFS": "denied", "ENOENT": "missing", "ENOTDIR": "missing",
    "ENOSPC": "full", "EDQUOT": "full", "ENAMETOOLONG": "name",
    "EILSEQ": "characters", "EISDIR": "folder", "EIO": "disk",
    "ENODEV": "special", "ENXIO": "special",
}  # fmt: skip


def refusal(error: OSError) -> str:
    """Why the system did not do it; in its own words, which may be English, where there are none of ours."""
    known = _REFUSALS.get(errno.errorcode.get(error.errno or 0, ""))
    return t(f"refusal.{known}") if known else error.strerror or str(error)
