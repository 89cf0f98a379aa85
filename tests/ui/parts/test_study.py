"""A game under study and the screens on its searches, without a screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from games.formats.text import parse
from games.registry import setup
from ui import screens
from ui.app import App
from ui.parts.show_search import ShowSearch
from ui.parts.study import Study


def test_a_study_counts_its_changes_and_says_why_a_move_is_forbidden(app: App) -> None:
    record = parse("e5a1e4a3f6a5g6a7", setup("gomoku", 9, "renju"))
    state = Study(app, record, None, autosave=False)
    about, here, revisions = replace(record.about, event="Cup"), record.cursor, []
    for action in (
        lambda: state.describe(about, record.names, record.date),
        lambda: state.describe(about, record.names, record.date),
        state.reread, lambda: state.choose(31), lambda: state.choose(80), lambda: state.choose(9), state.learned,
        state.undo, state.undo, state.undo,
    ):  # fmt: skip
        action()
        revisions.append(state.revision)
    assert revisions == [1, 1, 2, 2, 3, 4, 5, 6, 7, 8]
    assert (record.cursor, record.about.event, state.file.unsaved) == (here, "", False)
    state.choose(31)
    assert app.message[0] == "Forbidden for Black: this would make two open threes at once."
    app.say("Before.")
    state.choose(36)  # where a stone is
    assert (app.message[0], record.cursor) == ("Before.", here)


@pytest.mark.parametrize(("moves", "seen"), [
    ("b2a1", ["search", screens.learn, "search", screens.compare]), ("b2a1c1c2a3", ["The game is over."] * 2),
])  # fmt: skip
def test_a_search_is_shown_where_the_game_goes_on_and_counts_as_help(moves: str, seen: list[Any]) -> None:
    record, done, owner = parse(moves, setup("tictactoe")), list[Any](), cast(Any, None)
    host: Any = SimpleNamespace(say=done.append, open=lambda screen, *_, **__: done.append(screen))
    for entry in ShowSearch(host, record, lambda: record.cursor, done.append, owner).entries():
        entry.run()
    assert done == seen


def test_the_encoding_of_a_file_can_be_chosen_unless_it_is_ours_and_not_every_file_holds_a_game(app: App) -> None:
    record, own = parse("h8i9"), Path("game.tengen.json")
    files = (None, None), (Path("game.sgf"), None), (own, None), (own, Path("game.unknown")), (None, own)
    states = [Study(app, record, file, False, original) for file, original in files]
    assert [state.encoding.possible for state in states] == [False, True, False, True, False]
    state = Study(app, parse("3", setup("bones")), None, autosave=False)
    state.file.save_to(Path("game.sgf"))
    assert (state.file.path, "game.sgf" in app.message[0]) == (None, True)
