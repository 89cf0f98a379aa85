"""What the keys, the clicks and the buttons of the library do, and what it says."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from games.formats import FormatError, load, save
from games.library.index import Entry
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home
from tests.ui.library.test_library import name_line, settle, shown, write_games
from tests.ui.stage import frame, part, press, push, until
from ui.app import App
from ui.library.screen import CardGrid, FoundGames, SearchBar
from ui.library.state import FILTERS
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.toolkit.space import BUTTON, Space
from ui.toolkit.typesetting import LINE, width_of
from ui.words.file_words import day_text, file_sentence
from ui.words.games import player_name, setup_name, side_name


def test_keys_move_the_cursor_by_a_card_a_row_or_a_page(app: App) -> None:
    scene = shown(app, 16)
    selection, across, page = scene.state.games.selection, scene.cards.columns, scene.cards.page
    assert (across, page) == (2, 6)
    steps = {"left": -1, "right": 1, "up": -across, "down": across, "pageup": -page, "pagedown": page, "home": -16,
             "end": 16}  # fmt: skip
    for key, step in steps.items():
        for at in (0, 1, 2, 7, 15):
            selection.move(at)
            press(app, pygame.key.key_code(key))
            stays = key == "up" and at < across
            assert (selection.at, len(selection.in_order())) == (at if stays else max(0, min(15, at + step)), 1)
            assert stays or selection.at in scene.cards.visible()


def test_the_cards_stay_where_they_are_until_the_cursor_is_wanted(app: App) -> None:
    scene = shown(app, 30)
    app.dispatch(pygame.event.Event(pygame.MOUSEWHEEL, y=-3, x=0))
    assert scene.cards.top == 3 * 96
    (saves_home() / "game 020.txt").unlink()
    part(scene, FoundGames).handle(pygame.event.Event(pygame.WINDOWFOCUSGAINED))
    settle(app, scene)
    assert (scene.state.games.total, scene.cards.top) == (29, 3 * 96)
    scene.state.follow_changes(saves_home() / "game 000.txt")
    settle(app, scene)
    assert (scene.state.games.selection.at, 28 in scene.cards.visible()) == (28, True)
    press(app, pygame.K_UP)
    scene.state.search("game")
    settle(app, scene)
    assert scene.cards.top == 0


def test_a_double_click_opens_a_game(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = shown(app, 3)
    assert sorted(name for name in scene.places() if "game" in name) == [f"game.game 00{number}" for number in range(3)]
    opened: list[Any] = []
    monkeypatch.setattr(app, "open_file", lambda file, *_: opened.append(file.stem))
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("ui.library.screen.time", clock)
    for now, index, count in (
        (0.0, 1, 0), (0.4, 1, 0), (10.0, 1, 0), (10.5, 1, 0), (10.8, 1, 1), (10.9, 1, 1), (20.0, 0, 1),
        (20.1, 2, 1), (20.2, 2, 2),
    ):  # fmt: skip
        app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=scene.cards.card(index).center, button=1))
        assert len(opened) == count, now
    assert opened == ["game 001", "game 000"]


SEVERAL = {
    "sgf": b"(;GM[4]FF[4]SZ[15];B[hh](;W[ii])(;W[gg]))\n(;GM[4]FF[4]SZ[15];B[hh];W[hi];B[gi])\n",
    "txt": b"h8 i9 g8\n\nh8 h9 j10\n",
    "psq": b"Piskvorky 15x15, 11:11, 0\r\n8,8,1200\r\n9,7,431\r\n-1\r\n",
}


@pytest.mark.parametrize("ending", SEVERAL)
def test_a_file_that_cannot_hold_all_is_not_overwritten_when_its_game_goes_on(
    app: App, tmp_path: Path, ending: str
) -> None:
    """After one move the other games of a collection were lost: the game was saved over them."""
    file = tmp_path / f"several.{ending}"
    file.write_bytes(SEVERAL[ending])
    app.settings.recent = [str(file)]
    scene = shown(app)
    press(app, pygame.K_RETURN, mod=pygame.KMOD_LCTRL)
    until(app, lambda: app.scene is not scene)
    state = app.scene.state
    assert not list(saves_home().glob("*.tengen.json")), "nothing was played yet"
    state.choose(state.record.position.legal_moves()[0])
    app.files.settle()
    assert file.read_bytes() == SEVERAL[ending]
    (copy,) = saves_home().glob("*.tengen.json")
    assert [node.move for node in load(copy).line()] == [node.move for node in state.record.line()]
    assert app.settings.unfinished == str(copy)


def played(name: str, *moves: int, seats: tuple[Seat, Seat] = (Seat(), Seat("level:3")), day: str = "") -> None:
    record = GameRecord(setup("tictactoe"), seats, day or "2026-05-01")
    for move in moves:
        record.play(move)
    save(record, saves_home() / f"{name}.tengen.json")


def test_what_can_be_done_depends_on_the_games(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    played("finished", 0, 3, 1, 4, 2)
    (saves_home() / "damaged.txt").write_text("no game", encoding="utf-8")
    scene = shown(app)
    games, possible = scene.state.games, {}
    for at in range(2):
        games.selection.move(at)
        frame(app)
        name = games.selected()[0].name
        possible[name] = [each.name for each in scene.entries() if each.name in COMMANDS]
        assert [key for key in COMMANDS[:-1] if scene.widgets.buttons[key].enabled] == [
            key for key in possible[name] if key != "about_game"
        ]
        assert scene.widgets.buttons["export"].enabled == ("export" in possible[name])
        press(app, pygame.K_RETURN, mod=pygame.KMOD_LCTRL)
        if name == "damaged":
            press(app, pygame.K_d, mod=pygame.KMOD_LCTRL)
        assert (app.scene, app.jobs.busy) == (scene, False), "nothing to continue, nothing to tell of"
    able = ["open", "review", "rename", "export", "about_game", "delete"]
    assert possible == {"finished": able, "damaged": ["rename", "delete"]}
    press(app, pygame.K_a, mod=pygame.KMOD_LCTRL)
    frame(app)
    able = [each.name for each in scene.entries() if each.name in COMMANDS]
    assert able == ["open", "review", "export", "delete"], "of two games"
    games.selection.move([entry.name for entry in games.selected()].index("finished"))
    press(app, pygame.K_d, mod=pygame.KMOD_LCTRL)
    until(app, lambda: app.scene is not scene)
    assert app.scene.name == "about_game"


COMMANDS = ("open", "continue", "review", "rename", "export", "delete", "about_game")
"""All but the last have a button."""


def details(app: App, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The lines beside the picture of the game at the cursor, each with how far it is below the first."""
    lines: list[tuple[str, int]] = []

    def write(_surface: object, _theme: object, text: str, rect: pygame.Rect, *_: object, **__: object) -> None:
        lines.append((text, rect.top))

    monkeypatch.setattr("ui.library.details.write", write)
    app.rebuild()
    frame(app)
    return [(text, top - lines[0][1]) for text, top in lines]


def test_the_facts_of_a_game_stand_below_its_name(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    played("The final", 0, 3, 1, 4, 2, seats=(Seat(PERSON, "Ada"), Seat("level:3")))
    scene = shown(app)
    (entry,) = scene.state.games.selected()
    sides = [t("library.player", side=side_name("tictactoe", side), name=player_name("tictactoe", entry.seats, side))
             for side in (0, 1)]  # fmt: skip
    at, path = datetime(2026, 5, 1, 14, 7).timestamp(), Path("2026-11-21 10.05.00 tictactoe.txt")
    known = replace(entry, at=at, path=path, occasion="Cup")
    for each, head, time, occasion in ((entry, ["The final"], "", []), (known, [], " 14:07", ["Cup"])):
        monkeypatch.setattr(scene.state.games, "current", lambda each=each: each)
        *before, ending, said = found = details(app, monkeypatch)
        assert [text for text, _ in before] == [*head, setup_name(entry.setup), *sides]
        assert ending[0].startswith(t("library.result.won"))
        assert said[0] == " · ".join((day_text(entry.at) + time, t("library.moves", count=5), *occasion))
        assert [top for _, top in found] == [0, *(LINE + 4 + LINE * number for number in range(len(found) - 1))]
    problem, told = FormatError("It is none.", "foreign"), list[tuple[Any, ...]]()
    monkeypatch.setattr(scene.state.games, "current", lambda: Entry(Path("damaged.txt"), 1, 1, problem=problem))
    monkeypatch.setattr("ui.library.details.write_paragraph", lambda *given: told.append(given))
    assert details(app, monkeypatch) == [("damaged", 0)]
    ((_, _, text, rect, colour),) = told
    assert (text, rect.height, colour) == (file_sentence(problem, "damaged.txt"), 4 * LINE, app.theme.palette.bad)


def test_the_name_is_typed_in_its_place(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    played("The final", 0)
    played("Another", 1)
    scene = shown(app)
    press(app, pygame.K_a, mod=pygame.KMOD_LCTRL)
    assert details(app, monkeypatch)[0][0] == t("library.selected", count=2)
    line = name_line(app)
    assert len(scene.state.games.selection.in_order()) == 1
    assert tuple(line.rect) == (656, 352, 288, 32)
    app.dispatch(pygame.event.Event(pygame.TEXTINPUT, text="x"))
    assert line.text == "x", "in place of the old one"
    app.dispatch(pygame.event.Event(pygame.TEXTINPUT, text="y" * 300))
    assert len(line.text) == 200
    press(app, pygame.K_ESCAPE)
    assert (scene.state.renaming, "name" in scene.widgets.elements, app.scene) == (None, False, scene)


def test_a_filter_with_a_long_value_is_filled_with_it(app: App) -> None:
    played("game", 0, seats=(Seat(), Seat(PERSON, "i" * 200)))
    scene = shown(app)
    scene.state.filter.set("opponent", "i" * 200)
    frame(app)
    button = scene.widgets.buttons["opponent"]
    assert button.text.endswith("…")
    assert button.rect.width - 52 - width_of(app.theme, button.text, 16) in range(width_of(app.theme, "i", 16))


def test_the_status_line_counts(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = shown(app, 3)
    assert scene.status() == t("library.count", count=3)
    scene.state.search("001")
    assert scene.status() == t("library.found", found="1", total="3")
    games, found = scene.state.games, part(scene, FoundGames)
    assert found.wake(0.0) is None
    monkeypatch.setattr(type(games), "busy", property(lambda _games: True))
    games.library.progress = 1, 9
    for now, slow in ((50.0, False), (50.5, False), (50.6, True)):
        found.update(now)
        assert (found.status() == t("library.reading", done="1", total="9")) == slow
    assert found.wake(0.0) == 0.2


def test_a_filter_is_chosen_shown_and_cleared(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    write_games(3)
    played("finished", 0, 3, 1, 4, 2)
    scene = shown(app)
    assert not scene.widgets.buttons["clear"].enabled
    push(app, "result")
    assert isinstance(app.overlay, Menu)
    assert app.overlay.rect.top >= scene.widgets.buttons["result"].rect.bottom
    app.overlay.then("won")
    app.overlay = None
    settle(app, scene)
    assert len(scene.state.games.selection.ids) == 1
    chosen = [name for name, button in scene.widgets.buttons.items() if button.chosen]
    assert (chosen, scene.widgets.buttons["clear"].enabled) == (["result"], True)
    scene.widgets.focus = "search"
    app.dispatch(pygame.event.Event(pygame.TEXTINPUT, text="nothing"))
    settle(app, scene)
    texts: list[str] = []
    monkeypatch.setattr("ui.library.screen.write", lambda _surface, _theme, text, *_, **__: texts.append(text))
    frame(app)
    assert texts[0] == t("library.none_found")
    push(app, "clear")
    settle(app, scene)
    line: Any = scene.widgets.elements["search"]
    assert (len(scene.state.games.selection.ids), line.text) == (4, "")
    scene.widgets.focus = "search"
    app.dispatch(pygame.event.Event(pygame.TEXTINPUT, text="i" * 300))
    assert line.text == "i" * 200
    frame(app)
    push(app, "clear")
    assert line.text == "", "also where no filter changes"
    push(app, "sort")
    app.overlay.then("name")
    settle(app, scene)
    scene.state.games.selection.all()
    assert [entry.name for entry in scene.state.games.selected()] == ["finished", "game 000", "game 001", "game 002"]


def test_the_filters_stand_in_two_rows_where_they_would_be_too_narrow(app: App) -> None:
    scene = shown(app, 1)
    for wide, rows, text in ((5 * 150 + BUTTON + 8, 1, ""), (5 * 150 + BUTTON + 7, 2, t("library.clear"))):
        scene.widgets.clear()
        part(scene, SearchBar).build(Space(pygame.Rect(0, 0, wide, 300), 12))
        buttons = scene.widgets.buttons
        assert (len({buttons[name].rect.top for name in FILTERS}), buttons["clear"].text) == (rows, text)


def test_while_something_is_still_to_come_the_next_frame_does(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = shown(app, 1)
    grid, cards = part(scene, CardGrid), scene.cards
    assert grid.wake(0.0) is None
    for owner, name in ((type(cards), "moving"), (cards, "waiting"), (type(cards.thumbnails), "busy")):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, True)
            assert grid.wake(0.0) == 0.0
