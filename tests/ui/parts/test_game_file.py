"""Saving a game without a window: to which file, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games.formats import writable
from games.formats.text import parse
from games.registry import setup
from ui.parts.game_file import EditedFile, GameFile
from ui.words.file_words import proposed_file


@pytest.fixture
def host() -> Any:
    """A host that keeps what is `written`, `said` and `asked`, and which files are `remembered` and `forgotten`."""
    written, said, asked, remembered, forgotten = (list[Any]() for _ in range(5))

    def write(file: Path, _data: bytes, done: Any, keep: bool = False) -> None:
        written.append((file, done, keep))

    return SimpleNamespace(
        files=SimpleNamespace(write=write, settle=lambda: None, waiting=lambda _: None),
        settings=SimpleNamespace(remember_file=remembered.append, forget_file=forgotten.append),
        save_settings=lambda: None, say=lambda *what: said.append(what),
        choose_file=lambda *what, **how: asked.append((what, how)),
        written=written, said=said, asked=asked, remembered=remembered, forgotten=forgotten,
    )  # fmt: skip


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
    host.written[0][1](OSError(28, "No space left on device") if failed else None)
    assert made.path == (other if again else before if failed else file)
    assert (host.said[0][1], host.remembered) == (("bad", []) if failed else ("good", [file]))


def test_a_format_that_cannot_hold_the_game_is_told_and_nothing_is_written(host: Any, tmp_path: Path) -> None:
    made = GameFile(host, parse("3", setup("bones")), None, lambda: None)
    made.save_to(tmp_path / "game.sgf")
    assert (made.path, host.written, host.said[0][1]) == (None, [], "bad")


def test_evaluations_alone_begin_no_copy_and_edits_do(host: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    record, file = parse("h8i9"), tmp_path / "game.txt"
    made = EditedFile(host, record, file)
    made.save_evaluations()
    assert (host.written, made.unsaved, made.own) == ([], False, None)
    record.play(0)
    made.save_edits()
    made.save_edits()
    copy = made.own
    assert copy is not None
    assert [(path, keep) for path, _, keep in host.written] == [(copy, True)] * 2
    assert (host.forgotten, host.remembered, made.unsaved, len(host.said)) == ([file], [copy], True, 1)
    host.written[0][1](None)
    assert not made.unsaved
    made.save_to(file.with_name("mine.tengen.json"))
    host.written[-1][1](None)
    assert (made.own, host.forgotten[1:]) == (file.with_name("mine.tengen.json"), [copy])
    made.save_to(file.with_name("mine.txt"))
    host.written[-1][1](None)
    assert made.own == file.with_name("mine.tengen.json"), "which holds all"
    assert host.forgotten[2:] == []
