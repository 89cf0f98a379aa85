"""The library's scene, without a window: what is found, the cards, and what is done to games."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pygame
import pytest

from games.formats import load, save
from games.library.index import Entry
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home
from tests.ui.stage import Disk, frame, full, part, press, until
from ui.app import App
from ui.library.screen import CardGrid, LibraryScreen, UndoLink
from ui.play.screen import Play
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import speaking, t
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import width_of
from ui.words.file_words import entry_title


def write_games(count: int) -> None:
    for number in range(count):
        record = GameRecord(setup("tictactoe"), date=f"2026-01-01T00:00:{59 - number % 60:02d}")
        record.play(number % 9)
        save(record, saves_home() / f"game {number:03d}.txt")


def shown(app: App, games: int = 0) -> LibraryScreen:
    """The library, with so many games written before."""
    write_games(games)
    scene = LibraryScreen(app)
    app.show(scene)
    settle(app, scene)
    return scene


def settle(app: App, scene: LibraryScreen) -> None:
    """Draws frames until nothing changes by itself any more."""
    frame(app)
    until(app, lambda: scene.wake(0.0) is None)


def undo(app: App, scene: LibraryScreen) -> None:
    press(app, pygame.K_z, mod=pygame.KMOD_LCTRL)
    settle(app, scene)


def name_line(app: App) -> TextLine:
    """Begin to rename the game at the cursor."""
    press(app, pygame.K_F2)
    line = app.scene.widgets.elements["name"]
    assert isinstance(line, TextLine)
    return line


def rename(app: App, title: str) -> None:
    name_line(app)
    press(app, pygame.K_a, mod=pygame.KMOD_LCTRL)
    app.dispatch(pygame.event.Event(pygame.TEXTINPUT, text=title))
    press(app, pygame.K_RETURN)


def test_a_library_that_is_left_is_closed_and_opens_again(app: App) -> None:
    games = shown(app, 1).state.games
    before = games.library
    games.close()
    assert not games.busy
    assert games.library is not before
    assert games.changed


def test_the_keyboard_walks_through_many_games_of_which_few_are_drawn(app: App) -> None:
    scene = shown(app, 200)
    assert len(scene.state.games.selection.ids) == 200
    assert len(scene.widgets.elements) < 30
    assert len(scene.state.games.entries) < 30
    press(app, pygame.K_END)
    assert scene.state.games.selection.at == 199
    assert 199 in scene.cards.visible()
    press(app, pygame.K_PAGEUP)
    assert scene.state.games.selection.at == 199 - scene.cards.page
    press(app, pygame.K_HOME)
    press(app, pygame.K_DOWN, mod=pygame.KMOD_LSHIFT)
    assert scene.state.games.selection.in_order() == list(scene.state.games.selection.ids[: scene.cards.columns + 1])
    press(app, pygame.K_a, mod=pygame.KMOD_LCTRL)
    assert len(scene.state.games.selected()) == 200
    assert 0 in scene.cards.visible()


def test_the_cards_glide_to_the_cursor(app: App) -> None:
    scene = shown(app, 100)
    app.settings.motion = "on"
    press(app, pygame.K_END)
    assert 99 not in scene.cards.visible()
    now = time.monotonic()
    for second in range(1, 60):
        app.frame(now + second)
    assert 99 in scene.cards.visible()


def test_ctrl_counts_as_it_was_when_the_card_was_clicked(app: App) -> None:
    """The keyboard was asked when the click was handled, when the key may have been let go."""
    scene = shown(app, 5)
    for key, held in ((pygame.K_LCTRL, pygame.KMOD_LCTRL), (pygame.K_LSHIFT, pygame.KMOD_LSHIFT)):
        scene.state.games.selection.move(0)
        app.dispatch(pygame.event.Event(pygame.KEYDOWN, key=key, mod=held, unicode="", scancode=0))
        app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=scene.cards.card(2).center, button=1))
        app.dispatch(pygame.event.Event(pygame.KEYUP, key=key, mod=0, unicode="", scancode=0))
        assert len(scene.state.games.selected()) == (2 if key == pygame.K_LCTRL else 3)
    app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=scene.cards.card(1).center, button=1))
    assert len(scene.state.games.selected()) == 1


def test_a_click_with_shift_after_one_with_ctrl_is_no_double_click(app: App) -> None:
    """The two clicks opened the game."""
    scene = shown(app, 5)
    for held in (pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT):
        app.modifiers = held
        app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=scene.cards.card(2).center, button=1))
    until(app, lambda: app.overlay is None)
    assert app.scene is scene


def test_a_frame_has_little_time_for_new_cards_and_the_next_goes_on(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = shown(app, 30)
    drawn: list[str] = []
    monkeypatch.setattr("ui.parts.cards.BUDGET", 0.0)
    monkeypatch.setattr("ui.parts.cards.entry_title", lambda entry: drawn.append(entry.name) or entry.name)
    app.rebuild()
    frame(app)
    assert (len(drawn), scene.cards.waiting) == (1, True)
    assert scene.wake(time.monotonic()) == 0.0
    settle(app, scene)
    ids, entries = scene.state.games.selection.ids, scene.state.games.entries
    assert sorted(drawn) == sorted({entries[ids[index]].name for index in scene.cards.visible()})


def test_the_wheel_and_the_scroll_bar_scroll(app: App) -> None:
    scene = shown(app, 100)
    app.dispatch(pygame.event.Event(pygame.MOUSEWHEEL, y=-3, x=0))
    assert scene.cards.top > 0
    right, bottom = scene.cards.rect.right - 3, scene.cards.rect.bottom - 2
    assert part(scene, CardGrid).handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(right, bottom)))
    assert 99 in scene.cards.visible()
    app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=(right, bottom)))
    end = scene.cards.top
    app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(right, bottom)))
    assert scene.cards.top == end, "the handle is held where it was taken"
    app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=(right, bottom - 40), rel=(0, 0), buttons=(1, 0, 0)))
    assert 0 < scene.cards.top < end
    app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=(right, 0), rel=(0, 0), buttons=(1, 0, 0)))
    assert scene.cards.top == 0
    app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=(right, 0)))
    app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=(right, bottom), rel=(0, 0), buttons=(0, 0, 0)))
    assert scene.cards.top == 0


@pytest.mark.parametrize("said", ["", "Compiling the gomoku engine, once on this computer: 50 %", "A sentence. " * 30])
def test_the_link_that_undoes_covers_no_sentence_that_has_room(app: App, said: str) -> None:
    """It covered the progress of the engine's compilation."""
    scene = shown(app, 2)
    press(app, pygame.K_DELETE)
    settle(app, scene)
    app.say(said)
    frame(app)
    end = app.theme.px(16) + width_of(app.theme, said or "1 game", 14)
    half = width_of(app.theme, t("library.undo_link"), 14, bold=True) / 2
    middle, _ = scene.places()["undo"]
    assert middle - half >= min(end, app.size[0] * 0.6)
    assert middle + half < app.size[0] - width_of(app.theme, t("status.keys"), 14) - app.theme.px(16)
    place = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=scene.places()["undo"], button=1)
    assert part(scene, UndoLink).handle(place), "a click that is used goes no further"
    settle(app, scene)
    assert len(scene.state.games.selection.ids) == 2
    assert "undo" not in scene.places()


def test_a_renamed_unfinished_game_is_still_the_one_to_continue(app: App) -> None:
    write_games(1)
    (file,) = saves_home().iterdir()
    app.settings.unfinished = str(file)
    app.settings.recent = [str(file)]
    scene = shown(app)
    rename(app, "Another")
    (new,) = saves_home().iterdir()
    assert new.name == "Another.txt"
    assert app.settings.unfinished == str(new)
    assert app.settings.recent == [str(new)]
    undo(app, scene)
    assert [path.name for path in saves_home().iterdir()] == [file.name]
    assert app.settings.unfinished == str(file)


def test_a_game_without_a_name_gets_one_from_an_empty_line(app: App) -> None:
    """The line began with the name of the file, its date."""
    write_games(1)
    (file,) = saves_home().iterdir()
    for stem, begins in (("2026-11-21 10.05.00 tictactoe", ""), ("The final", "The final")):
        file = file.rename(file.with_name(f"{stem}.txt"))
        shown(app)
        assert name_line(app).text == begins


def test_an_empty_library_offers_to_begin_or_to_import(app: App) -> None:
    """It had six filters of nothing."""
    scene = shown(app)
    assert {"new", "import"} <= set(scene.widgets.elements)
    assert not {"search", "sort", "game", "clear"} & set(scene.widgets.elements)
    press(app, pygame.K_f, mod=pygame.KMOD_LCTRL)
    assert not scene.widgets.typing


@pytest.mark.parametrize(("name", "said"), [("漢" * 120, "too long"), ("half \ud800", "not allowed in file names")])
def test_a_name_that_no_file_can_have_is_one_sentence(app: App, name: str, said: str) -> None:
    write_games(1)
    before = list(saves_home().iterdir())
    scene = shown(app)
    rename(app, name)
    assert said in app.message[0]
    assert scene.state.renaming is not None, "for another try"
    assert list(saves_home().iterdir()) == before


@pytest.mark.parametrize("act", ["open", "rename", "delete"])
def test_a_game_that_was_removed_outside_leaves_the_library_when_it_is_used(app: App, act: str) -> None:
    scene = shown(app, 2)
    entry = scene.state.games.current()
    entry.path.unlink()
    if act == "open":
        press(app, pygame.K_RETURN)
    elif act == "rename":
        rename(app, "Another")
    else:
        press(app, pygame.K_DELETE)
    assert t("refusal.missing") in app.message[0]
    settle(app, scene)
    assert app.scene is scene
    assert scene.state.renaming is None
    assert len(scene.state.games.selection.ids) == 1


def test_a_right_click_on_a_card_has_a_menu_of_what_can_be_done(app: App) -> None:
    scene = shown(app, 3)

    def menu(index: int) -> list[str]:
        place = scene.cards.card(index).center
        app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=3, pos=place))
        assert isinstance(app.overlay, Menu)
        return [value for value, _ in app.overlay.options]

    assert menu(2) == ["open", "continue", "review", "rename", "export", "about_game", "delete"]
    assert scene.state.games.selection.at == 2
    app.overlay = None
    press(app, pygame.K_a, mod=pygame.KMOD_LCTRL)
    assert menu(1) == ["open", "review", "export", "delete"], "of all that are selected"
    press(app, pygame.K_UP)
    press(app, pygame.K_END)
    press(app, pygame.K_RETURN)
    settle(app, scene)
    assert not list(saves_home().iterdir())


def menu_of(app: App, options: int, chosen: list[str], at: str = "") -> Menu:
    """A menu with options that have numbers, which adds to `chosen`."""
    values = [(str(number), "") for number in range(options)]
    return Menu(app, pygame.Rect(100, 100, 150, 36), values, at, chosen.append)


def test_a_menu_is_used_by_the_keyboard_alone(app: App) -> None:
    chosen: list[str] = []
    menu = menu_of(app, 40, chosen, "3")
    assert pygame.Rect((0, 0), app.size).contains(menu.rect)

    def press_in(key: int) -> bool:
        return menu.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=""))

    assert press_in(pygame.K_DOWN)
    assert press_in(pygame.K_END)
    assert press_in(pygame.K_UP)
    assert not press_in(pygame.K_RETURN)
    assert chosen == ["38"]
    assert not press_in(pygame.K_ESCAPE)


def test_a_menu_shows_the_row_that_the_keyboard_is_at(app: App) -> None:
    menu = menu_of(app, 5, [])
    menu.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_DOWN, mod=0, unicode=""))
    menu.draw(app.surface)
    grounds = {value: app.surface.get_at(place)[:3] for value, place in menu.places().items()}
    assert [value for value, ground in grounds.items() if ground != app.theme.palette.raised] == ["1"]


def test_a_menu_is_used_by_the_mouse_alone(app: App) -> None:
    chosen: list[str] = []
    menu = menu_of(app, 40, chosen, "0")

    def mouse(kind: int, **more: object) -> bool:
        return menu.handle(pygame.event.Event(kind, button=1, **more))

    first = menu.places()["0"]
    assert mouse(pygame.MOUSEMOTION, pos=menu.places()["2"])
    assert menu.at == 2
    assert mouse(pygame.MOUSEWHEEL, y=-5)
    assert menu.places()["5"] == first
    assert mouse(pygame.MOUSEBUTTONDOWN, pos=menu.rect.midtop), "the edge is no option"
    assert not mouse(pygame.MOUSEBUTTONDOWN, pos=(menu.rect.left - 5, first[1])), "beside it, it is closed"
    assert chosen == []
    assert not mouse(pygame.MOUSEBUTTONDOWN, pos=first)
    assert chosen == ["5"]


@pytest.mark.parametrize("act", ["delete", "rename"])
def test_what_is_still_being_written_does_not_come_back(app: App, disk: Disk, act: str) -> None:
    scene = shown(app, 1)
    (file,) = saves_home().iterdir()
    app.files.write(file, b"b2", lambda _error: None)
    threading.Timer(0.1, disk.goes.set).start()
    if act == "delete":
        press(app, pygame.K_DELETE)
    else:
        rename(app, "another")
    app.files.settle()
    assert not file.exists()
    undo(app, scene)
    assert file.read_bytes() == b"b2", "the newest of it"


def test_two_deletions_are_undone_also_after_an_undo_that_failed(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = shown(app, 3)
    games = sorted(saves_home().iterdir())
    deleted = []
    for left in (2, 1):
        deleted.append(scene.state.games.selected()[0].path)
        press(app, pygame.K_DELETE)
        settle(app, scene)
        assert len(list(saves_home().iterdir())) == len(scene.state.games.selection.ids) == left
    with monkeypatch.context() as context:
        context.setattr("games.library.file_actions.move_unused", full)
        context.setattr("games.library.file_actions.move_new", full)
        undo(app, scene)
    assert "the disk is full" in app.message[0]
    undo(app, scene)
    assert [file.exists() for file in deleted] == [True, False], "the other one first"
    undo(app, scene)
    assert sorted(saves_home().iterdir()) == games
    assert len(scene.state.games.selection.ids) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name of a file is text")
def test_a_game_whose_name_is_no_text_is_used_like_any_other(app: App, tmp_path: Path) -> None:
    write_games(1)
    (file,) = saves_home().iterdir()
    odd = file.with_name(os.fsdecode(b"caf\xe9.tengen.json"))
    save(load(file), odd)
    file.unlink()
    app.settings.recent = [str(odd)]
    scene = shown(app)
    press(app, pygame.K_DELETE)
    settle(app, scene)
    undo(app, scene)
    assert list(saves_home().iterdir()) == [odd]
    scene.state.files.export_files(scene.state.games.selected(), ".txt", tmp_path / "out")
    until(app, lambda: not app.jobs.busy)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [os.fsdecode(b"caf\xe9.txt")]
    rename(app, "café")
    settle(app, scene)
    assert [entry.name for entry in scene.state.games.entries.values()] == ["café"]
    undo(app, scene)
    assert list(saves_home().iterdir()) == [odd]
    press(app, pygame.K_RETURN, mod=pygame.KMOD_LCTRL)
    assert isinstance(app.scene, Play)
    app.scene.state.choose(1)
    press(app, pygame.K_h)
    app.scene.state.live.resign()
    app.files.settle()
    assert len(load(odd).line()) == 3


def found(app: App, scene: LibraryScreen, text: str) -> list[str]:
    scene.state.search(text)
    entries = scene.state.games.library.entries(scene.state.games.selection.ids)
    return sorted(entry.name for entry in entries.values())


def write_named_games() -> None:
    master = GameRecord(setup("gomoku", rule="renju"), (Seat(PERSON), Seat("level:10")), "2026-05-01T12:00:00")
    master.play(112)
    master.resign(1)
    draw = GameRecord(setup("tictactoe"), (Seat(PERSON, "Zoë"), Seat(PERSON)), "2025-02-03T12:00:00")
    for move in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        draw.play(move)
    for name, record in (("master", master), ("draw", draw)):
        save(record, saves_home() / f"{name}.tengen.json")


def test_a_game_is_found_by_everything_that_is_shown_of_it(app: App) -> None:
    """“Grandmaster” and “You” found nothing."""
    write_named_games()
    scene = shown(app)
    for text in ("Grandmaster", "you", "You won", "renju", "White", "resigned", "15×15", "2026-05-01"):
        assert found(app, scene, text) == ["master"], text
    for text in ("Zoë", "Draw", "9 moves", "Tic-tac-toe"):
        assert found(app, scene, text) == ["draw"], text


def test_a_game_is_found_in_another_language_without_reading_again(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    write_named_games()
    scene = shown(app)
    read: list[object] = []
    monkeypatch.setattr("games.library.library.read_entry", lambda *what: read.append(what))
    app.settings.language = "zh"
    app.restyle()
    scene = shown(app)
    for text in (t("level.10"), t("seat.you"), t("library.result.won"), t("rule.renju")):
        assert found(app, scene, text) == ["master"], text
    assert found(app, scene, t("library.result.draw")) == ["draw"]
    assert not read


def test_an_index_with_other_words_is_made_anew(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    write_named_games()
    with monkeypatch.context() as before:
        before.setattr("ui.parts.recent.search_words", lambda _entry: "")
        before.setattr("ui.parts.recent.words_edition", lambda: "before")
        assert found(app, shown(app), "Grandmaster") == []
    assert found(app, shown(app), "Grandmaster") == ["master"]


def test_another_language_is_spoken_on_one_thread_only() -> None:
    heard: list[str] = []
    with speaking("zh"):
        thread = threading.Thread(target=lambda: heard.append(t("seat.you")))
        thread.start()
        thread.join()
        assert t("seat.you") != heard[0]
    assert t("seat.you") == heard[0]


def test_what_a_file_of_the_library_leaves_out_is_said_when_it_is_opened(app: App) -> None:
    """It was said of files that were opened in any other way."""
    saves_home().mkdir()
    (saves_home() / "two.sgf").write_text("(;GM[4]SZ[15];B[hh];W[ii])(;GM[4]SZ[15];B[aa])", encoding="utf-8")
    scene = shown(app)
    press(app, pygame.K_RETURN)
    until(app, lambda: app.scene is not scene)
    assert app.scene.name == "replay"
    assert "one more game" in app.message[0]


def test_a_file_whose_name_cannot_be_shown_had_no_title() -> None:
    """Its name turned the direction of the text, and was nothing else."""
    assert entry_title(Entry(Path("\u202e.tengen.json"), 0, 0)) == "…"
