"""The home screen: the attacks that play on its cards, the unfinished game and the recent ones."""

from __future__ import annotations

import errno
import itertools
import os
import time
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest

from games.formats import save
from games.position import Position
from games.record import PERSON, GameRecord, Seat
from games.registry import GAMES, setup
from games.storage import saves_home
from tests.ai.gomoku.plain_vcf import fives
from tests.ui.stage import Make, Stage, part
from ui import screens
from ui.board.demos import Demo, attacks
from ui.board.view import Frame
from ui.guide.screen import GuideScreen
from ui.home.links import LINKS, Link
from ui.home.screen import Home, RecentList
from ui.play.screen import Play
from ui.profile.screen import ProfileScreen
from ui.replay.screen import Replay
from ui.toolkit.file_dialog import FileDialog
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.window.screen import Screen
from ui.words.file_words import entry_opponent
from ui.words.games import game_about, level_label

GAMES_OF_FOUR = ("gomoku", "tictactoe", "bones", "connect4")


def home(made: Stage) -> Home:
    """The home screen after all games of the library have been read."""
    scene = made.show(Home(made.app))
    made.until(lambda: scene.wake(time.monotonic()) is None)
    return scene


def test_a_demo_begins_each_six_tenths_of_a_second(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = time.monotonic() + 1000.0  # later than any frame of this test
    monkeypatch.setattr("ui.home.screen.time", SimpleNamespace(monotonic=lambda: opened))
    made.app.settings.motion = "on"
    scene = made.show(Home(made.app))
    first, moved = [demo.ply for demo in scene.demos.demos], []
    for after in (1.69, 1.71, 2.29, 2.31, 2.89, 2.91):  # a move takes 1.1 seconds
        scene.update(opened + after)
        moved.append(sum(demo.ply > begin for demo, begin in zip(scene.demos.demos, first, strict=True)))
        assert scene.wake(opened + after) is not None
    assert moved == [0, 1, 1, 2, 2, 3]


def test_the_icons_below_change_the_theme_and_the_language(made: Stage) -> None:
    home(made)
    for theme in ("paper", "ink"):
        made.push("theme")
        assert (made.app.settings.theme, made.app.theme.palette.key) == (theme, theme)
        assert made.app.scene.widgets.buttons["theme"].icon == ("sun" if theme == "ink" else "moon")
    made.choose("language", "ru")
    assert (made.app.settings.language, made.app.theme.language) == ("ru", "ru")


@pytest.mark.parametrize("before", [1, 2])
def test_a_link_to_another_screen_is_one_entry(made: Stage, before: int, monkeypatch: pytest.MonkeyPatch) -> None:
    more = Link("more", screens.guide, "y", "about", "guide.title", "guide.title")
    monkeypatch.setattr("ui.home.links.LINKS", (*LINKS[:before], more))
    buttons = home(made).widgets.buttons
    assert (buttons["more"].rect.top > buttons[LINKS[0].name].rect.top) == (before == 2), "two stand in a row"
    made.press(pygame.K_y)
    assert isinstance(made.app.scene, GuideScreen)


def test_without_motion_no_demo_plays(made: Stage) -> None:
    scene = home(made)
    before = [demo.ply for demo in scene.demos.demos]
    scene.update(time.monotonic() + 9.0)
    assert [demo.ply for demo in scene.demos.demos] == before
    assert scene.wake(time.monotonic()) is None


Rect = tuple[int, int, int, int]


@pytest.mark.parametrize(("size", "first", "last", "board", "told"), [
    ((608, 580), (18, 142, 288, 178), (322, 336, 288, 178), (338, 359, 132, 132), True),
    ((916, 740), (18, 102, 442, 318), (476, 436, 442, 318), (492, 452, 286, 286), True),
    ((608, 330), (18, 100, 288, 117), (322, 233, 288, 117), (338, 249, 85, 85), False),
    ((500, 700), (18, 100, 484, 143), (18, 577, 484, 143), (34, 593, 111, 111), True),
    ((1400, 300), (18, 103, 334, 210), (1068, 103, 334, 210), (1084, 119, 178, 178), True),
])  # fmt: skip
def test_the_cards_have_the_largest_boards_there_is_room_for(
    made: Stage, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], first: Rect, last: Rect, board: Rect,
    told: bool,
) -> None:  # fmt: skip
    """And what a game is about, where that fits."""
    placed: list[pygame.Rect] = []
    monkeypatch.setattr(Demo, "place", lambda _demo, frame, _now: placed.append(frame.rect))
    monkeypatch.setattr("ui.home.screen.GAMES", GAMES_OF_FOUR)
    scene = made.show(Home(made.app))
    scene.widgets.clear()
    scene.demos.build(Space(pygame.Rect((10, 20), size)))
    cards = [scene.widgets.buttons[f"card.{game}"].rect for game in GAMES_OF_FOUR]
    assert (cards[0], cards[-1], placed[-1]) == (first, last, board)
    assert [game_about(game) in scene.widgets.texts for game in GAMES_OF_FOUR] == [told] * 4


@pytest.mark.parametrize("game", [game for game in GAMES if len(attacks(game)) > 1])
def test_a_demo_ends_in_a_win_and_another_follows(stage: Make, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    demo = Demo(game)
    theme = stage().app.theme
    demo.place(Frame(pygame.Rect(0, 0, 200, 200), theme.scale, theme.palette, theme.font, True), 0.0)
    demo.begin(0.0)
    shown: list[Position] = []
    monkeypatch.setattr(demo.board, "show", lambda position, _moves, _now: shown.append(position))
    now, ends = 0.0, list[Position]()
    while len(ends) < 3:
        now += demo.wake(now) or 0.01
        demo.update(now)
        ends = [before for before, after in itertools.pairwise(shown) if after.ply < before.ply]
    assert all(end.outcome is not None for end in ends)
    assert len({id(end) for end in ends}) == 3


def test_every_attack_of_gomoku_is_a_victory_by_fours(stage: Make) -> None:
    """After each move of the attacker but the last, he threatens to make a five."""
    for attack in attacks("gomoku"):
        for (position, _), _answer in itertools.pairwise(attack):
            if (attack[-1][0].ply - position.ply) % 2 == 1:
                continue  # the attacker is to move
            waiting = 1 - position.turn
            assert fives(position, waiting), position  # type: ignore[arg-type]


def games_on_disk(made: Stage) -> list[Path]:
    """An unfinished game against a level, a won one and one of two persons; the newest first."""
    files = []
    for number, (seats, winner) in enumerate((
        ((Seat(PERSON), Seat("level:5")), None),
        ((Seat("level:2"), Seat(PERSON)), 1),
        ((Seat(PERSON, "Zoë"), Seat(PERSON, "Ann")), 0),
    )):  # fmt: skip
        when = datetime.now() - timedelta(days=number)
        record = GameRecord(setup("tictactoe"), seats, when.isoformat(timespec="seconds"))
        record.play(4)
        if winner is not None:
            record.resign(1 - winner)
        files.append(saves_home() / f"2026-11-2{number} tictactoe.tengen.json")
        save(record, files[-1])
    made.app.settings.recent = [str(file) for file in files]
    made.app.settings.unfinished = str(files[0])
    return files


def test_recent_games_are_named_by_opponent_result_and_day(made: Stage) -> None:
    """They were called by the names of their files."""
    files = games_on_disk(made)
    widgets = home(made).widgets
    written, tips = widgets.texts, [widgets.buttons[f"recent.{number}"].tip for number in range(2)]
    assert [(t("library.moves", count=1) in tip, t("home.continue") in tip) for tip in tips] == [(True, False)] * 2
    assert {"You won", "X wins", "Zoë – Ann", t("day.yesterday"), level_label("tictactoe", "level:2")} <= set(written)
    assert not any(file.name in text or file.stem in text for text in written for file in files)
    made.push("recent.0")
    assert isinstance(made.app.scene, Replay)
    assert made.app.scene.state.file.path == files[1]


def test_as_many_recent_games_are_listed_as_fit(made: Stage) -> None:
    games_on_disk(made)
    scene = home(made)
    for high, count in ((83, 0), (84, 1), (143, 1), (144, 2), (999, 2)):
        scene.widgets.clear()
        part(scene, RecentList).build(Space(pygame.Rect(0, 0, 300, high)))
        assert len(scene.widgets.buttons) == count


def test_a_game_of_two_people_without_names_is_called_so(made: Stage) -> None:
    """It was “Person – Person”."""
    file = games_on_disk(made)[2]
    record = GameRecord(setup("tictactoe"), (Seat(PERSON), Seat(PERSON)))
    record.play(4)
    save(record, file)
    entry = next(entry for entry in home(made).games.entries if entry.path == file)
    assert entry_opponent(entry) == "Two people"


def test_the_unfinished_game_stands_first_and_is_continued(made: Stage) -> None:
    files = games_on_disk(made)
    scene = home(made)
    assert scene.games.unfinished.path == files[0]
    assert [entry.path for entry in scene.games.entries] == files[1:]
    made.press(pygame.K_RETURN)
    assert isinstance(made.app.scene, Play)
    assert made.app.scene.state.saver.file == files[0]


def test_no_button_moves_when_the_unfinished_game_is_found(made: Stage) -> None:
    """A click right after a game was left went to another button: the card of the game pushed the others down."""
    games_on_disk(made)
    scene = made.show(Home(made.app))
    first = tops(scene)
    made.until(lambda: scene.games.unfinished)
    assert tops(scene) == first
    made.app.settings.unfinished = str(saves_home() / "gone.tengen.json")
    assert all(top < first[name] for name, top in tops(home(made)).items()), "no card, and no room for one"


def tops(scene: Screen) -> dict[str, int]:
    """Where the buttons beside the cards of games are."""
    return {name: scene.widgets.buttons[name].rect.top for name in ("new", "library", "lessons")}


@pytest.mark.parametrize(("seats", "scene"), [(("person", "level:5"), Play), (("person", "person"), Replay)])
def test_an_older_game_against_the_computer_goes_on(made: Stage, seats: tuple[str, str], scene: type[Screen]) -> None:
    """It opened in a replay, as a study without a result still does."""
    file = games_on_disk(made)[1]
    record = GameRecord(setup("tictactoe"), (Seat(seats[0]), Seat(seats[1])))
    record.play(4)
    save(record, file)
    tip = home(made).widgets.buttons["recent.0"].tip
    assert tip.startswith(t("home.continue")) == (scene is Play)
    made.push("recent.0")
    assert isinstance(made.app.scene, scene)


def test_without_recent_files_home_shows_the_newest_games_of_the_library(made: Stage) -> None:
    files = games_on_disk(made)
    made.app.settings.recent, made.app.settings.unfinished = [], ""
    assert [entry.path for entry in home(made).games.entries] == files


def test_a_deleted_game_is_not_a_recent_game(made: Stage) -> None:
    files = games_on_disk(made)
    home(made)
    files[1].unlink()
    assert [entry.path for entry in home(made).games.entries] == files[2:]


def test_a_folder_that_cannot_be_looked_at_ends_no_screen(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recent game on a network drive that was gone kept the program from starting."""
    look = os.stat

    def gone(path: object, *arguments: object, **options: object) -> object:
        if str(path).startswith(str(saves_home()) + os.sep):
            raise OSError(errno.ENOTCONN, "Transport endpoint is not connected", str(path))
        return look(path, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "stat", gone)
    made.app.settings.recent = [str(saves_home() / "game.tengen.json")]
    assert home(made).games.entries == []
    made.show(ProfileScreen(made.app))
    made.show(Play(made.app, GameRecord(setup("tictactoe"))))
    made.press(pygame.K_s, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    assert isinstance(made.app.overlay, FileDialog)
    assert made.app.overlay.here == Path.home()
