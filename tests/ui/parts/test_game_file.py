"""Saving a game without a window: to which file, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games.formats import writable
from games.formats.text import parse
from games.registry import setup
from ui.parts.game_file import GameFile
from ui.words.file_words import proposed_file


@pytest.fixture
def host() -> Any:
    """A host that keeps what is `written`, `said` and `asked`, and which files are `remembered`."""
    made: Any = SimpleNamespace(written=[], said=[], asked=[], remembered=[], save_settings=lambda: None)
    made.files = SimpleNamespace(write=lambda *what: made.written.append(what), settle=lambda: None)
    made.settings = SimpleNamespace(remember_file=made.remembered.append)
    made.say = lambda *what: made.said.append(what)
    made.choose_file = lambda *what, **how: made.asked.append((what, how))
    return made


def test_a_game_goes_to_its_usual_file_or_a_person_is_asked_for_one(host: Any, tmp_path: Path) -> None:
    record, usual = parse("h8i9"), tmp_path / "usual.tengen.json"
    GameFile(host, record, None, lambda: usual).save()
    assert ([file for file, *_ in host.written], host.asked) == ([usual], [])
    made = GameFile(host, record, None, lambda: None)
    made.save()
    wanted = (proposed_file(record, None), made.save_to), {"saving": True, "kinds": writable(record)}
    assert (len(host.written), host.asked) == (1, [wanted])


@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize("again", [False, True])
def test_a_file_that_was_not_written_is_not_that_of_the_game(
    host: Any, tmp_path: Path, failed: bool, again: bool
) -> None:
    before, file, other = (tmp_path / f"{name}.txt" for name in ("before", "file", "other"))
    made = GameFile(host, parse("h8i9"), before, lambda: None)
    made.save_to(file)
    assert made.path == file
    if again:
        made.save_to(other)
    host.written[0][2](OSError(28, "No space left on device") if failed else None)
    assert made.path == (other if again else before if failed else file)
    assert (host.said[0][1], host.remembered) == (("bad", []) if failed else ("good", [file]))


def test_a_format_that_cannot_hold_the_game_is_told_and_nothing_is_written(host: Any, tmp_path: Path) -> None:
    made = GameFile(host, parse("3", setup("bones")), None, lambda: None)
    made.save_to(tmp_path / "game.sgf")
    assert (made.path, host.written, host.said[0][1]) == (None, [], "bad")
