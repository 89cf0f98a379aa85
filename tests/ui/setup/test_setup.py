"""The screen of a new game: whom to play, on which side; nothing moves under the pointer; names of clocks."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from ai.players.handicaps import forbidden_elo, stones_elo
from ai.players.levels import EVEN, match_with_program
from ai.players.table import KINDS, measured_elo
from ai.service.profile import Profile
from games.clock import TimeControl
from games.evaluation import Evaluation
from games.opening_rules import RENJU_OPENINGS
from games.record import PERSON, GameRecord, Seat
from games.registry import GAMES, setup
from tests.ui.stage import Make, Stage, act, part
from ui.play.screen import Play
from ui.settings.screen import SettingsScreen
from ui.setup.menus import (
    INCREMENTS,
    MAINS,
    PERIODS,
    SPANS,
    SetupBoard,
    clock_kind,
    next_value,
    start_about,
    time_handicap_sentence,
)
from ui.setup.screen import GameForm, SetupScreen
from ui.setup.state import (
    FORBIDDEN,
    HANDICAPS,
    LOT,
    WATCH,
    button_kind,
    continued_game,
    first_moves,
    is_offered,
    menu_kind,
    players_by_kind,
    starts,
    unusual_players,
    usual_seats,
)
from ui.system.settings import LONGEST_NAME, load_settings
from ui.toolkit.i18n import joined, t
from ui.toolkit.space import Space
from ui.tournament.new import NewTournamentScreen
from ui.words.games import game_about, rule_name, seat_about, seat_label
from ui.words.numbers import percent_text, span_name

Places = dict[str, tuple[int, int]]


def places(made: Stage) -> Places:
    made.frame()
    return {name: element.rect.topleft for name, element in made.app.scene.widgets.elements.items()}


def assert_nothing_moved(before: Places, after: Places) -> None:
    moved = {name: (before[name], after[name]) for name in before.keys() & after.keys() if before[name] != after[name]}
    assert not moved


@pytest.mark.parametrize("clock", [None, TimeControl(60)])
@pytest.mark.parametrize("game", GAMES)
def test_choosing_a_player_moves_no_button(stage: Make, game: str, clock: TimeControl | None) -> None:
    made = stage((960, 640))
    scene = made.show(SetupScreen(made.app, game))
    scene.state.set_clock(clock)
    before = places(made)
    for seat in players_by_kind(game):
        for side in ("0", WATCH, "0"):
            scene.state.set_opponent(seat)
            scene.state.set_side(side)
            assert_nothing_moved(before, places(made))


def test_the_menu_of_levels_lists_the_network_beside_the_search_without_it(stage: Make) -> None:
    made = stage((960, 640))
    made.show(SetupScreen(made.app, "connect4"))
    for name in ("mcts:network", "mcts"):
        made.push("level1", f"level1.{name}")
        assert SetupScreen(made.app, "connect4").state.chosen.players[1] == name, "it is kept for the next time"
    assert seat_label("connect4", "mcts") != seat_label("connect4", "mcts:network")


def test_the_menu_of_levels_lists_other_players(made: Stage) -> None:
    scene = made.show(SetupScreen(made.app, "gomoku"))
    made.push("level1")
    known = measured_elo("mcts", "gomoku")
    assert known is not None
    assert f"Elo {known.elo:.0f} ± {known.error:.0f}" in scene.widgets.elements["level1.mcts"].tip
    match = match_with_program("gomoku", "engine")
    assert match is not None
    assert scene.widgets.elements["level1.engine"].tip.endswith(
        f"Scored {percent_text(100 * match.score)} against {match.program} at {match.seconds:g} s a move"
    )
    assert chosen(made, "level1.mcts") == (PERSON, "mcts")
    assert scene.widgets.buttons["against.level"].chosen
    assert chosen(made, "against.level")[1].startswith("level:")


@pytest.mark.parametrize("game", GAMES)
def test_each_player_of_the_menu_is_described(made: Stage, game: str) -> None:
    """The parallel search was said to be the engine."""
    assert all(seat_about(name) for name in unusual_players(game))


def test_choosing_a_game_moves_no_button(stage: Make) -> None:
    made = stage((960, 640))
    made.show(SetupScreen(made.app, "gomoku"))
    before = places(made)
    for game in GAMES:
        made.app.scene.widgets.press(f"game.{game}")
        assert_nothing_moved(before, places(made))


def test_the_usual_clocks_are_one_click_and_the_menu_has_the_others(stage: Make) -> None:
    made = stage((960, 640))
    scene = made.show(SetupScreen(made.app, "bones"))
    before = places(made)
    for clock, name in (("5+3", "quick.5+3"), ("30 s", "quick.30 s"), ("", "quick."), ("10 min, 3×30 s", "clock")):
        if name == "clock":
            scene.state.set_clock(TimeControl.parse(clock))
        else:
            scene.widgets.press(name)
        assert_nothing_moved(before, places(made))
        assert scene.state.chosen.clock == clock
        clocks = [key for key in scene.widgets.buttons if key.startswith(("quick", "clock"))]
        assert [key for key in clocks if scene.widgets.buttons[key].chosen] == [name]
    assert "Clock: 10 min + 3×30 s" in scene.widgets.texts


def test_less_time_for_a_side_is_chosen_by_keys_alone(made: Stage) -> None:
    scene = made.show(SetupScreen(made.app, "gomoku"))
    scene.state.set_clock(TimeControl(300, 3))
    made.press(pygame.K_t)
    for name in ("part0.8", "part0.2"):
        for _ in scene.widgets.elements:
            if scene.widgets.focus != name:
                made.press(pygame.K_TAB, pygame.KMOD_SHIFT if name == "part0.2" else 0)
        made.press(pygame.K_SPACE)
    assert scene.state.chosen.divisors == (2, 1)
    made.press(pygame.K_ESCAPE)
    made.press(pygame.K_ESCAPE)
    assert (made.app.scene, scene.state.menu) == (scene, "")


def test_a_scene_that_opens_while_the_theme_changes_shows_its_widgets(made: Stage) -> None:
    made.frame()
    made.app.settings.theme = "paper"
    made.app.restyle()
    scene = made.show(SetupScreen(made.app, "gomoku"))
    start = scene.widgets.buttons["start"]
    assert start.theme is made.app.theme
    assert start.picture is not None


def chosen(made: Stage, *names: str) -> tuple[str, str]:
    """The players after clicks on these buttons, the first side first."""
    scene: Any = made.app.scene
    made.push(*names)
    return scene.state.chosen.players  # type: ignore[no-any-return]


def test_whom_to_play_and_on_which_side(stage: Make) -> None:
    made = stage((960, 640))
    made.show(SetupScreen(made.app, "gomoku"))
    assert chosen(made) == (PERSON, "level:2"), "a newcomer begins, against a friendly level"
    assert chosen(made, "side.1") == ("level:2", PERSON)
    assert chosen(made, "against.engine") == ("engine", PERSON)
    assert chosen(made, "against.person") == (PERSON, PERSON)
    assert "side.0" not in made.app.scene.widgets.buttons, "of two people, each has a side"
    assert chosen(made, "against.level") == (PERSON, "level:2")


def named(made: Stage, first: str, second: str) -> SetupScreen:
    """The set-up of a game of two people with these names, typed with the keyboard alone."""
    scene = made.show(SetupScreen(made.app, "tictactoe"))
    made.push("against.person")
    for field, name in (("name0", first), ("name1", second)):
        made.press(pygame.K_TAB)
        while scene.widgets.focus.startswith(("home", "start", "game", "against")):
            made.press(pygame.K_TAB)
        assert scene.widgets.focus == field
        made.write(name)
    made.press(pygame.K_RETURN)
    return scene


def test_two_people_have_names_that_are_kept_for_all_games(made: Stage) -> None:
    named(made, "Ada", "Zoë x")
    made.press(pygame.K_RETURN)
    assert isinstance(made.app.scene, Play)
    assert made.app.scene.state.record.seats == (Seat(PERSON, "Ada"), Seat(PERSON, "Zoë x"))
    made.app.files.settle()
    assert load_settings().board_names == ("Ada", "Zoë x")
    assert SetupScreen(made.app, "gomoku").state.names == ("Ada", "Zoë x")


def test_names_of_two_people_change_sides_with_them(made: Stage) -> None:
    scene = named(made, "Ada", "Bob")
    made.press(pygame.K_x)
    fields = [scene.widgets.elements[name] for name in ("name0", "name1")]
    assert [field.accessible("").value for field in fields] == ["Bob", "Ada"]
    made.push("swap", "swap", "swap")
    assert [seat.name for seat in scene.state.seats()] == ["Ada", "Bob"]


def test_names_of_two_people_stay_while_one_plays_the_computer(made: Stage) -> None:
    scene = named(made, "Ada", "Bob")
    made.app.settings.player_name = "Cleo"
    made.push("against.level", "side.1")
    assert [seat.name for seat in scene.state.seats()] == ["", "Cleo"]
    made.push("against.person")
    assert [seat.name for seat in scene.state.seats()] == ["Ada", "Bob"]


def test_people_without_names_are_called_by_their_sides(made: Stage) -> None:
    scene = named(made, "", "")
    assert scene.state.seats() == (Seat(PERSON), Seat(PERSON))
    assert [scene.widgets.elements[name].accessible("").about for name in ("name0", "name1")] != ["", ""]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("x" * 200, "x" * LONGEST_NAME), ("  a\tb\n", "a b"), ("\u202eעברית 😀", "עברית 😀"), ("{0}", "{0}")],
)
def test_names_of_two_people_are_as_short_and_plain_as_any(made: Stage, typed: str, kept: str) -> None:
    assert named(made, typed, "Bob").state.seats()[0].name == kept


def test_defaults_have_no_names(made: Stage) -> None:
    named(made, "Ada", "Bob")
    made.show(SettingsScreen(made.app))
    made.push("new_game")
    assert SetupScreen(made.app, "tictactoe").state.names == ("", "")


def test_a_long_name_of_a_record_that_is_continued_stays(made: Stage) -> None:
    record = GameRecord(setup("tictactoe"), (Seat(PERSON, "x" * 200), Seat(PERSON, "Bob")))
    made.app.settings.board_names = "Ada", "Cleo"
    scene = made.show(SetupScreen(made.app, record=record))
    assert [seat.name for seat in scene.state.seats()] == ["x" * 200, "Bob"]
    scene.state.set_name(1, "Bo")
    assert [seat.name for seat in scene.state.seats()] == ["x" * 200, "Bo"]
    assert made.app.settings.board_names == ("Ada", "Cleo"), "a new game is set up as before"


def test_two_computers_are_watched_and_chosen_one_by_one(stage: Make) -> None:
    made = stage((960, 640))
    made.show(SetupScreen(made.app, "gomoku"))
    assert chosen(made, "side.watch") == ("level:2", "level:2")
    assert chosen(made, "level0", "level0.7") == ("level:7", "level:2")
    assert chosen(made, "level1", "level1.engine") == ("level:7", "engine")
    assert "time1.more" in made.app.scene.widgets.buttons
    assert chosen(made, "side.0") == (PERSON, "engine")


def test_a_click_beside_a_menu_closes_it_and_a_click_on_it_does_not(made: Stage) -> None:
    scene = made.show(SetupScreen(made.app, "gomoku"))
    for press in ("clock", "level1"):
        made.push(press)
        menu = part(scene, SetupBoard).menu
        card = menu.card
        for point, stays in (((card.left + 5, card.top + 5), True), ((card.left - 5, card.top), False)):
            made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=point, button=1))
            assert bool(scene.state.menu) is stays
        made.frame()
    board, beside = part(scene, SetupBoard), pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(1, 1), button=1)
    wheel = pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False)
    assert [board.handle(event) for event in (beside, wheel)] == [False, False]
    made.push("clock")
    moved = pygame.event.Event(pygame.MOUSEMOTION, pos=(1, 1), rel=(0, 0), buttons=(0, 0, 0))
    assert [board.handle(event) for event in (moved, wheel, beside)] == [False, True, True], "it takes all clicks"


@pytest.mark.parametrize(("way", "before"), [("home", "home"), ("back", "settings")])
def test_the_button_that_leads_back_closes_a_menu_first_as_esc_does(made: Stage, way: str, before: str) -> None:
    """It left the screen while a menu was open."""
    record = GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:2")))
    on = SetupScreen(made.app, record=record, back=SettingsScreen(made.app))
    made.show(SetupScreen(made.app, "gomoku") if way == "home" else on)
    for press, shown in (("level1", "setup"), (way, "setup"), (way, before)):
        made.push(press)
        assert made.app.scene.name == shown
        assert ("level1.even" in made.app.scene.widgets.elements) is (press == "level1")


@pytest.mark.parametrize(
    ("size", "scale", "limited"),
    [((1280, 720), 200, "112"), ((1280, 720), 125, "112"), ((1920, 1280), 200, ""), ((1280, 720), 100, "")],
)
def test_the_settings_say_what_limits_the_size(stage: Make, size: tuple[int, int], scale: int, limited: str) -> None:
    made = stage(size, scale)
    scene = made.show(SettingsScreen(made.app))
    assert scene.status() == (t("settings.limited", percent=limited) if limited else t("settings.kept"))


def test_the_menu_of_levels_chooses_one(made: Stage) -> None:
    app = made.app
    scene = made.show(SetupScreen(app, "gomoku"))
    for press, player in (("level1.7", "level:7"), ("level1.even", EVEN)):
        assert chosen(made, "level1", press) == (PERSON, player)
        assert not scene.state.menu
    made.push("level1")
    made.app.dispatch(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1, flipped=False))
    made.frame()
    assert "level1.even" in scene.widgets.buttons, "all are shown, and nothing is scrolled"
    act(scene, "escape")
    assert (app.scene, scene.state.menu) == (scene, ""), "Esc closes the menu first"
    act(scene, "return")
    assert isinstance(app.scene, Play)
    assert app.scene.state.record.seats[1].player == f"{EVEN}=2", "as strong as a newcomer is taken to be"


def test_what_can_be_chosen_of_a_clock() -> None:
    shown = {part: " ".join(map(span_name, values)) for part, values in (("main", MAINS), ("period", SPANS))}
    assert shown == {
        "main": "30 s 60 s 90 s 2 min 3 min 5 min 7 min 10 min 15 min 20 min 30 min 45 min 60 min 90 min 120 min",
        "period": "1 s 2 s 3 s 5 s 8 s 10 s 15 s 20 s 30 s 45 s 60 s 90 s 2 min 3 min 5 min 10 min",
    }
    assert (INCREMENTS, PERIODS) == ((0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 60), (1, 2, 3, 4, 5, 6, 8, 10))
    around = [next_value(value, step, (2, 4, 9)) for value in (1, 2, 3, 4, 9, 10) for step in (-1, 1)]
    assert around == [1, 2, 2, 4, 2, 4, 2, 9, 4, 9, 9, 10]


@pytest.mark.parametrize(
    ("clock", "kind", "buttons", "after"),
    [
        ("", "none", (), ""), ("30 s", "move", ("period.more",), "45 s"),
        ("5+3", "increment", ("main.less", "increment.more"), "3+5"), ("5+0", "increment", (), "5+0"),
        ("10 min, 3×30 s", "byoyomi", ("periods.less", "period.less", "main.more"), "15 min, 2×20 s"),
        ("3×30 s", "byoyomi", ("preset.10 s",), "10 s"), ("5+3", "increment", ("preset.none",), ""),
    ],
)
def test_a_clock_is_changed_part_by_part(
    made: Stage, clock: str, kind: str, buttons: tuple[str, ...], after: str
) -> None:
    scene = made.show(SetupScreen(made.app, "bones"))
    scene.state.set_clock(TimeControl.parse(clock) if clock else None)
    assert clock_kind(scene.state.chosen.control) == kind
    made.push("clock")
    assert {key.partition(".")[0] for key in scene.widgets.buttons} >= {each.partition(".")[0] for each in buttons}
    shares = [key for key in scene.widgets.buttons if key.startswith("part")]
    assert shares == ([f"part{side}.{part}" for side in (0, 1) for part in (1, 2, 4, 8)] if clock else [])
    scene.state.set_divisors((1, 4))
    made.frame()
    assert [key for key in shares if scene.widgets.buttons[key].chosen] == (["part0.1", "part1.4"] if clock else [])
    made.push(*buttons)
    assert str(scene.state.chosen.control or "") == after
    assert scene.widgets.buttons["preset.none"].chosen is (not after)


def test_the_clock_above_its_buttons_tells_which_side_has_less_time(made: Stage) -> None:
    scene = made.show(SetupScreen(made.app, "gomoku"))
    scene.state.set_clock(TimeControl.parse("5+3"))
    for divisors, told in (((1, 1), ""), ((1, 2), "White"), ((4, 1), "Black")):
        scene.state.set_divisors(divisors)
        made.frame()
        text = next(text for text in scene.widgets.texts if text.startswith(t("setup.clock")))
        assert [side for side in ("Black", "White") if side in text] == ([told] if told else [])
        sentence = time_handicap_sentence(scene.state.setup, TimeControl(300, 3), divisors)
        assert (bool(sentence), "Elo" in sentence) == (bool(told), bool(told))
    assert "Elo" not in time_handicap_sentence(setup("bones"), TimeControl(300, 3), (1, 2)), "nobody has measured it"
    assert time_handicap_sentence(scene.state.setup, None, (1, 2)) == ""
    scene.state.set_clock(None)
    made.frame()
    assert t("setup.clock") in scene.widgets.texts, "without a clock nobody has less time"


def test_the_thinking_time_is_chosen_within_bounds(made: Stage) -> None:
    scene = made.show(SetupScreen(made.app, "gomoku"))
    made.push("side.watch", "level0", "level0.engine", "level1", "level1.engine")
    made.push("time1.more", "time0.less")
    assert scene.state.chosen.seconds == (1.0, 3.0)
    for side, step, steps, seconds in ((1, 1, 9, (1.0, 30.0)), (0, -1, 9, (0.2, 30.0))):
        for _ in range(steps):
            scene.state.step_time(side, step)
        assert scene.state.chosen.seconds == seconds
    scene.state.change(replace(scene.state.chosen, seconds=(4.4, 0.3)))
    for side in (0, 1):
        scene.state.step_time(side, 1)
    assert scene.state.chosen.seconds == (10.0, 0.5), "from the nearest of them"


def test_the_size_stays_within_those_of_the_game(made: Stage) -> None:
    state = made.show(SetupScreen(made.app, "gomoku")).state
    sizes = GAMES["gomoku"].sizes
    for step, size in ((1, 16), (-1, 15), (-100, sizes[0]), (-1, sizes[0]), (100, sizes[-1]), (1, sizes[-1])):
        state.step_size(step)
        assert state.chosen.size == size


def test_sides_are_swapped_with_all_that_belongs_to_them(made: Stage) -> None:
    state = made.show(SetupScreen(made.app, "gomoku")).state
    state.change(replace(state.chosen, seconds=(1.0, 5.0), divisors=(1, 4), clock="5+3"))
    state.set_side("1")
    assert (state.chosen.players, state.chosen.seconds) == (("level:2", PERSON), (5.0, 1.0))
    assert (state.chosen.divisors, state.own_side) == ((4, 1), 1)
    before = state.chosen
    state.set_side("1")
    assert state.chosen == before
    state.set_player(0, "engine")
    assert state.seats() == (Seat("engine", divisor=4), Seat(PERSON))
    state.set_clock(None)
    assert state.seats() == (Seat("engine", seconds=5.0), Seat(PERSON))
    state.set_side(WATCH)
    assert state.chosen.players == ("engine", "engine")


def test_a_menu_of_levels_that_is_too_high_is_scrolled(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    more = {f"more{number}": replace(KINDS["mcts"], offer=lambda _, n=number: (f"more{n}",)) for number in range(9)}
    for name, kind in more.items():
        monkeypatch.setitem(KINDS, name, kind)
    made = stage((960, 640))
    scene = made.show(SetupScreen(made.app, "gomoku"))
    made.push("level1")

    def shown() -> list[str]:
        made.frame()
        return [key.removeprefix("level1.") for key in scene.widgets.elements if key.startswith("level1.")]

    def bar() -> tuple[int, int]:
        """Where the scroll bar is, and how high."""
        line, left = made.app.theme.palette.line, menu.card.right - 10
        inside = range(menu.card.top + 20, menu.card.bottom - 20)
        found = [y for y in inside if tuple(made.app.surface.get_at((left, y)))[:3] == line]
        return found[0], len(found)

    menu = part(scene, SetupBoard).menu
    names = [name.removeprefix("level:") for name in menu.names]
    fits = len(shown())
    assert (fits, {scene.widgets.buttons[f"level1.{key}"].rect.height for key in shown()}) == (15, {30})
    assert (shown(), bar()) == (names[:fits], (76, 307))
    for rows, first, top in ((-1, 1, 97), (-1, 2, 117), (1, 1, 97), (-100, len(names) - fits, 262), (100, 0, 76)):
        made.app.dispatch(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=rows, flipped=False))
        assert (shown(), bar()) == (names[first : first + fits], (top, 307))
    made.push("level1")
    last = names[-1]
    scene.state.set_player(1, menu.names[-1])
    scene.state.toggle_menu("level1")
    assert shown() == names[-fits:]
    assert [key for key in shown() if scene.widgets.buttons[f"level1.{key}"].chosen] == [last]


@pytest.mark.parametrize(("high", "lines"), [(221, 2), (220, 1), (204, 1), (203, 0)])
def test_a_rule_is_explained_where_there_is_room(made: Stage, high: int, lines: int) -> None:
    scene = made.show(SetupScreen(made.app, "gomoku"))
    scene.state.change(replace(scene.state.chosen, rule="renju"))
    made.frame()
    scene.widgets.clear()
    part(scene, GameForm).build(Space(pygame.Rect(0, 0, 288, high), 6))
    told = [text for text in scene.widgets.texts if text.startswith(("Black", "four"))]
    assert (len(told), scene.state.untold) == (lines, "" if lines == 2 else t("rule.renju.about"))
    assert part(scene, SetupBoard).status() == (scene.state.untold or game_about("gomoku"))
    assert lines != 1 or told[0].endswith("…")


def test_a_teaching_game_is_one_with_a_person(made: Stage) -> None:
    scene = made.show(SetupScreen(made.app, "tictactoe"))
    for button, teaching, told in (("on", True, t("setup.teaching_about")), ("off", False, "before")):
        made.app.say("before")
        made.push(f"teaching.{button}")
        assert (scene.state.teaching, made.app.message[0]) == (teaching, told)
        status = t("setup.teaching_about") if teaching else game_about("tictactoe")
        assert part(scene, SetupBoard).status() == status
    scene.state.change(replace(scene.state.chosen, teaching=True))
    made.push("side.watch")
    assert not scene.state.teaching


def test_a_player_that_cannot_play_by_the_rule_is_told_until_that_changes(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.setup.state.unable", lambda name, rule: "no" if (name, rule) == ("mcts", "renju") else "")
    scene = made.show(SetupScreen(made.app, "gomoku"))
    scene.state.change(replace(scene.state.chosen, rule="renju", players=(PERSON, "mcts")))
    made.push("start", "level1")
    assert made.app.message[0] == t("setup.unable", player=seat_label("gomoku", "mcts"), rule=rule_name("renju"))
    scene.state.step_size(-1)
    made.frame()
    assert (made.app.scene, made.app.message[0]) == (scene, "")


def test_which_starts_a_game_has() -> None:
    assert starts(setup("bones")) == [""]
    odd, even = starts(setup("gomoku", 15, "renju")), starts(setup("gomoku", 16, "freestyle"))
    assert (odd[0], odd[-3:], even[0]) == ("", list(HANDICAPS)[-3:], "")
    assert len(set(odd) & set(RENJU_OPENINGS)) == 26
    assert not set(even) & set(RENJU_OPENINGS)
    assert list(HANDICAPS.values()) == list(range(1, len(HANDICAPS) + 1))


def test_what_a_start_is_and_is_worth() -> None:
    of = setup("gomoku", rule="freestyle")
    for start, key, worth in (
        ("", "none", stones_elo("freestyle", 0)), ("stones2", "stones", stones_elo("freestyle", 2)),
        (FORBIDDEN, "forbidden", forbidden_elo("freestyle")),
    ):  # fmt: skip
        assert worth is not None
        elo, error = f"{worth.elo:.0f}".replace("-", "−"), f"{worth.error:.0f}"
        told = joined([t(f"begin.{key}.about", count=2), t(f"begin.{key}.worth", elo=elo, error=error)])
        assert start_about(start, of) == told
    for start, key in (("kagetsu", "named"), ("swap2", "swap2"), (LOT, LOT)):
        assert start_about(start, of) == t(f"begin.{key}.about")
    assert start_about("stones2", setup("gomoku", rule="standard")) == t("begin.stones.about", count=2), "not measured"


def test_a_game_begins_with_the_chosen_start(made: Stage) -> None:
    state = made.show(SetupScreen(made.app, "gomoku")).state
    for start, stones, moves in (("", None, 0), ("stones2", 3, 0), ("kagetsu", None, 3), (LOT, None, 0)):
        state.set_opening(start)
        assert (state.opening, len(state.position()[1])) == (start, moves)
        about = start_about(start, state.setup) if start else game_about("gomoku")
        assert part(made.app.scene, SetupBoard).status() == about
        assert (state.stones and len(state.stones.of[0])) == stones
    state.set_opening(FORBIDDEN)
    assert (state.opening, state.chosen.rule) == ("", "renju")
    assert first_moves(state.setup, LOT)


def test_a_start_that_does_not_suit_is_none(made: Stage) -> None:
    state = made.show(SetupScreen(made.app, "gomoku")).state
    state.set_opening("kagetsu")
    assert state.opening == "kagetsu"
    state.step_size(1)
    assert (state.opening, state.chosen.opening) == ("", "kagetsu"), "it comes back with the size"
    state.step_size(-1)
    assert state.opening == "kagetsu"
    on = SetupScreen(made.app, record=GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:2")))).state
    on.change(replace(on.chosen, opening="kagetsu"))
    assert on.opening == ""


@pytest.mark.parametrize(
    ("game", "player", "button"),
    [
        ("gomoku", PERSON, PERSON), ("gomoku", "level:3", "level"), ("gomoku", "engine", "engine"),
        ("gomoku", "mcts", "level"), ("connect4", "solver", "solver"),
    ],
)  # fmt: skip
def test_each_player_has_a_button_or_that_of_the_menu(game: str, player: str, button: str) -> None:
    assert button_kind(game, player) == button
    assert is_offered(game, player)
    assert not is_offered(game, "nobody")
    assert not is_offered(game, "external:Gone")
    assert is_offered(game, "level:99")
    assert menu_kind(game) == "level"
    assert next(iter(players_by_kind(game))) == PERSON
    assert set(usual_seats(game)).isdisjoint(unusual_players(game))


def test_a_game_goes_on_with_moves_evaluations_and_available_players(made: Stage) -> None:
    record = GameRecord(setup("gomoku"), (Seat("of another time", seconds=7.0), Seat("level:even=3.4", "Bob")))
    for move in (112, 113):
        record.play(move, 1.5).evaluation = Evaluation(move, None, 3)
    record.root.evaluation = Evaluation(7, None, 3)
    state = made.show(SetupScreen(made.app, record=record)).state
    assert state.chosen.players == ("engine", EVEN)
    assert state.chosen.seconds == (7.0, 2.0)
    seats = state.seats()
    assert [seat.name for seat in seats] == ["", "Bob"]
    assert state.position() == (record.position, (112, 113))
    copy = continued_game(record, seats)
    assert [(node.move, node.seconds, node.evaluation) for node in copy.line()] == [
        (node.move, node.seconds, node.evaluation) for node in record.line()
    ]
    assert made.app.settings.new_game == {}, "nothing is kept of it"
    assert part(made.app.scene, SetupBoard).status() == t("play_on.about")


def test_of_a_game_that_goes_on_only_people_have_names(made: Stage) -> None:
    made.app.settings.player_name = "Cleo"
    record = GameRecord(setup("tictactoe"), (Seat("level:1", "Deep"), Seat(PERSON)))
    state = SetupScreen(made.app, record=record).state
    assert [seat.name for seat in state.seats()] == ["Deep", "Cleo"]
    state.set_player(0, "level:2")
    assert [seat.name for seat in state.seats()] == ["", "Cleo"], "it was the name of another one"
    record.names = "Deep", "Ada"
    state = SetupScreen(made.app, record=record).state
    state.set_opponent(PERSON)
    assert [seat.name for seat in state.seats()] == ["", "Ada"]


def test_of_choices_with_a_player_that_is_gone_the_others_stay(made: Stage) -> None:
    usual = SetupScreen(made.app, "gomoku").state.chosen
    for players in ((PERSON, "external:Gone"), ("external:Gone", "level:3")):
        made.app.settings.new_game["gomoku"] = replace(usual, size=19, players=players)
        assert SetupScreen(made.app, "gomoku").state.chosen == replace(usual, size=19)


def test_who_learns_from_a_persons_games_learns_before_the_game(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    learnt: list[str] = []
    learner = SimpleNamespace(learn=lambda game, profile: learnt.append(game * isinstance(profile, Profile)))
    monkeypatch.setattr("ui.setup.state.Habits", lambda _host: learner)
    state = SetupScreen(made.app, "gomoku").state
    for player in (PERSON, "level:1", "trickster"):
        assert learnt == []
        state.set_player(1, player)
        state.start()
    assert learnt == ["gomoku"]


def test_where_there_are_two_sizes_and_two_rules_both_are_offered(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    more = replace(GAMES["tictactoe"], sizes=(3, 4), rules=("freestyle", "standard"))
    monkeypatch.setitem(GAMES, "tictactoe", more)
    made.app.settings.new_game = {}
    for screen in (SetupScreen(made.app, "tictactoe"), NewTournamentScreen(made.app)):
        made.show(screen)
        screen.state.choose_game("tictactoe")
        made.frame()
        assert {"size.more", "rule.standard"} <= screen.widgets.elements.keys()
