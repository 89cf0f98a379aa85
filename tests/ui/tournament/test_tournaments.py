"""Tournaments in the window: set up, played, followed, stopped, resumed, joined by a person, exported and deleted."""

from __future__ import annotations

import csv
import errno
import io
from dataclasses import replace
from itertools import count
from pathlib import Path
from shutil import rmtree
from types import SimpleNamespace

import pygame
import pytest

from ai.arena import tournament_run
from ai.arena.arena import openings
from ai.arena.tournament import (
    GAUNTLET,
    JOURNAL,
    MOST_ENTRANTS,
    MOST_ROUNDS,
    Entrant,
    Ranking,
    Tournament,
    game_file,
    open_journal,
    read_played,
    read_tournament,
)
from ai.system.threads import processors
from games.formats import load, sgf, tengen
from games.formats.text import parse
from games.library.file_actions import Removal, trash_home
from games.record import PERSON
from games.registry import GAMES, setup
from games.storage import write_atomic
from tests.ai.arena.test_tournament import Inline, played
from tests.ui.profiles import results
from tests.ui.scenes import tournaments_of
from tests.ui.stage import Make, act, choose_file, click, frame, part, press, push, show, until
from ui.app import App
from ui.home.screen import Home
from ui.parts.ratings import unrated_help
from ui.play.screen import Play
from ui.profile.screen import ProfileScreen
from ui.replay.screen import Replay
from ui.toolkit.i18n import t
from ui.tournament.new import EntrantLists, NewTournamentScreen
from ui.tournament.screen import TournamentScreen
from ui.tournament.standings import GamesExport, TournamentTable, facts, points_text, result_text, table_file
from ui.tournament.state import NewTournament, folder_name, kept_names, tournaments_home

NEWS = 4
"""Pieces of news that a frame takes."""

LEVELS = Tournament((Entrant("level:2"), Entrant("level:1"), Entrant("random")), setup("tictactoe"), seed=3)


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play games in this process, and let each frame take a few pieces of news."""
    ticks = count()
    monkeypatch.setattr(tournament_run, "GameProcess", Inline)
    monkeypatch.setattr(tournament_run, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    monkeypatch.setattr(tournament_run, "BUDGET", NEWS + 0.5)


def kept(name: str, tournament: Tournament = LEVELS) -> Path:
    """A tournament that is kept; return its folder."""
    open_journal(tournaments_home() / name / JOURNAL, tournament)
    return tournaments_home() / name


def end(app: App) -> None:
    until(app, lambda: app.tournaments.run is None)


def test_a_tournament_is_set_up_played_and_kept(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    show(app, Home(app))
    act(app.scene, "t")
    frame(app)
    push(app, "new")
    frame(app)
    screen = app.scene
    assert isinstance(screen, NewTournamentScreen)
    screen.state.choose_game("tictactoe")
    frame(app)
    assert not screen.widgets.elements["begin"].enabled
    for player in ("level:1", "level:2", "level:1"):
        screen.state.add(player)
        frame(app)
    assert "already" in app.message[0]
    screen.state.name = "My: tournament?"
    monkeypatch.setattr("ui.tournament.state.random", SimpleNamespace(randrange=lambda count: count - 1))
    push(app, "begin")
    frame(app)
    assert isinstance(app.scene, TournamentScreen)
    end(app)
    assert kept_names() == ["My tournament"]
    assert "is over" in app.message[0]
    state = app.scene.state
    assert (len(state.played), state.over, state.can_run) == (2, True, False)
    made = read_tournament(state.folder / JOURNAL)
    assert made.seed == 2**31 - 1
    assert made.openings == tuple(openings(made.setup, None, made.seed)[:1])
    assert (state.ranking.games, app.scene.status()) == (2, "")
    state.start()
    assert app.tournaments.run is None, "nothing is left to play"


def test_it_goes_on_behind_another_screen_and_is_resumed_after_a_kill(app: App) -> None:
    folder = kept("a")
    show(app, TournamentScreen(app, "a", begin=True))
    show(app, Home(app))
    until(app, lambda: app.tournaments.run is None or len(app.tournaments.run.played) >= 2)
    assert app.tournaments.run is not None
    app.tournaments.run.stop()  # as at a kill: the journal has what was played
    app.tournaments.run = None
    before = len(read_played(folder / JOURNAL))
    assert 2 <= before < 6
    screen = show(app, TournamentScreen(app, "a"))
    act(screen, "space")
    end(app)
    assert sorted(game.number for game in read_played(folder / JOURNAL)) == list(range(6))


def test_closing_the_window_ends_all_processes(app: App) -> None:
    kept("a")
    show(app, TournamentScreen(app, "a", begin=True))
    app.tournaments.at_once = 1
    made = Inline.made[-1]
    assert not made.closed
    app.close()
    assert made.closed


def test_a_game_under_way_is_followed_and_a_finished_one_replayed(app: App) -> None:
    folder = kept("a")
    screen = show(app, TournamentScreen(app, "a", begin=True))
    push(app, "board.0")
    number = screen.state.followed
    assert screen.state.tab == "board"
    assert number is not None
    until(app, lambda: number in screen.state.played)
    assert screen.state.last is not None
    assert screen.state.last.position.ply == screen.state.played[number].plies, "its end stays on the board"
    end(app)
    act(screen, "ctrl+tab")
    act(screen, "ctrl+tab")
    act(screen, "ctrl+tab")
    assert screen.state.tab == "games"
    act(screen, "ctrl+shift+tab")
    assert screen.state.tab == "cross"
    act(screen, "ctrl+tab")
    frame(app)
    screen.widgets.focus = "games"
    press(app, pygame.K_DOWN, pygame.K_RETURN)
    until(app, lambda: isinstance(app.scene, Replay))
    assert app.scene.state.file.path == game_file(folder, screen.state.finished[0].number)
    app.scene.go_back()
    frame(app)
    assert app.scene is screen


def test_a_person_plays_while_the_others_go_on(app: App) -> None:
    folder = kept("a", Tournament((Entrant(PERSON, name="Ada"), *LEVELS.entrants[:2]), LEVELS.setup, openings=("b2",)))
    screen = show(app, TournamentScreen(app, "a", begin=True))
    assert (len(screen.state.waiting), screen.status()) == (4, t("tournament.running"))
    push(app, "play")
    frame(app)
    game = app.scene
    assert isinstance(game, Play)
    assert not game.state.saver.counts, "an opening was given"
    assert game.state.record.seats[0].name == "Ada"
    end(app)
    assert "waits" in app.message[0]
    game.state.live.resign()
    game.go_back()
    frame(app, 2)
    assert app.scene is screen
    assert {each.number: each.score for each in read_played(folder / JOURNAL)}[0] == 0
    assert (len(screen.state.waiting), screen.status()) == (3, t("tournament.waits", name="a"))
    assert load(game_file(folder, 0)).outcome is not None


def test_a_persons_game_is_counted_while_the_tournament_runs(app: App) -> None:
    kept("a", Tournament((Entrant(PERSON), *LEVELS.entrants[:2]), LEVELS.setup, rounds=9))
    screen = show(app, TournamentScreen(app, "a", begin=True))
    push(app, "play")
    frame(app)
    assert app.scene.state.saver.counts, "no opening was given"
    app.scene.state.live.resign()
    app.scene.go_back()
    frame(app)
    assert app.tournaments.run is not None
    assert 0 in app.tournaments.run.played
    assert 0 in screen.state.played


OWN = Tournament((Entrant(PERSON), LEVELS.entrants[0]), LEVELS.setup, rounds=2)


def begin_own(app: App, name: str) -> Play:
    """Open the next game of the person in a tournament, and play two moves."""
    show(app, TournamentScreen(app, name))
    push(app, "play")
    state = app.scene.state
    state.live.pace = 0.0
    until(app, lambda: state.live.person_to_move)
    state.choose(state.record.position.legal_moves()[0])
    until(app, lambda: state.live.person_to_move)
    return app.scene  # type: ignore[return-value]


def leave(app: App) -> None:
    app.scene.go_back()
    frame(app, 2)


def test_a_game_under_way_follows_a_renamed_tournament(app: App) -> None:
    """It could not be continued from home any more, and its help was forgotten."""
    kept("a", OWN)
    game = begin_own(app, "a")
    game.state.helped("hint")
    leave(app)
    app.scene.state.rename("a", "b")
    file = tournaments_home() / "b" / "games" / "a 0001.tengen.json"
    assert file.is_file()
    assert (app.settings.unfinished, app.settings.recent[0]) == (str(file), str(file))
    assert unrated_help(app, file) == "hint"


def test_a_typed_name_is_taken_before_a_game_begins(app: App) -> None:
    """The game was saved in a folder of the old name."""
    kept("a", OWN)
    screen = show(app, TournamentScreen(app, "a"))
    screen.widgets.focus = "name"
    screen.widgets.elements["name"].type_text("2")
    push(app, "play")
    assert app.scene.state.saver.file.parent.parent == tournaments_home() / "a2"
    leave(app)
    assert kept_names() == ["a2"]


def test_a_game_of_a_tournament_counts_although_another_had_its_name(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its result was dropped in silence; and help in a deleted game made the new one unrated."""
    dates = []
    for _ in range(2):
        kept("a", OWN)
        for again in (False, True):
            game = begin_own(app, "a")
            assert game.state.saver.counts
            game.state.record.date = f"2026-05-0{len(dates) + 1}T12:00:00"
            if again:
                game.state.helped("hint")
            else:
                game.state.live.resign()
                dates.append(game.state.record.date)
            leave(app)
        app.scene.state.delete()
    assert [each.date for each in results(app)] == dates


def test_a_game_of_a_tournament_is_opened_from_the_profile(app: App) -> None:
    """Its file was looked for beside the folder of the tournaments."""
    kept("a", OWN)
    begin_own(app, "a").state.live.resign()
    leave(app)
    app.scene.state.rename("a", "b")
    show(app, ProfileScreen(app, "tictactoe"))
    push(app, "recent.0")
    until(app, lambda: isinstance(app.scene, Replay))
    assert app.scene.state.file.path == game_file(tournaments_home() / "b", 0)


def test_a_tournament_that_another_program_plays_is_not_begun(app: App) -> None:
    from ai.arena.tournament import tournament_lock

    with tournament_lock(kept("a")):
        screen = show(app, TournamentScreen(app, "a"))
        push(app, "start")
        assert app.tournaments.run is None
        assert "another program" in app.message[0]
    assert screen.state.can_run


def test_a_damaged_tournament_is_a_sentence_and_can_be_deleted(app: App) -> None:
    (kept("a") / JOURNAL).write_text("{")
    screen = show(app, TournamentScreen(app, "a"))
    assert screen.state.tournament is None
    assert "cannot be read" in app.message[0]
    act(screen, "ctrl+s")
    assert app.overlay is None


def test_it_is_renamed_with_its_games_and_deleted_after_a_question(app: App) -> None:
    kept("a")
    kept("b")
    screen = show(app, TournamentScreen(app, "a", begin=True))
    screen.state.rename("a", "c")
    assert "Stop" in app.message[0]
    end(app)
    screen.state.rename("a", "b")
    assert "already" in app.message[0]
    screen.widgets.focus = "name"
    line = screen.widgets.elements["name"]
    line.type_text("/2")
    frame(app)
    assert screen.state.name == "a", "more may be typed"
    screen.widgets.leave_focus()
    frame(app, 2)
    assert screen.state.name == "a2"
    assert sorted(kept_names()) == ["a2", "b"]
    assert game_file(screen.state.folder, 0).name == "a 0001.tengen.json", "it keeps its name"
    assert game_file(screen.state.folder, 0).exists()
    app.say("before")
    for name in ("", "a2"):
        screen.state.rename("a2", name)
    assert app.message[0] == "before", "no name, and the same"
    push(app, "delete")
    assert app.overlay.danger
    app.overlay.widgets.press("accept")
    frame(app)
    assert kept_names() == ["b"]
    assert [each.name for each in trash_home().glob("*/*")] == ["a2"]


def test_a_tournament_that_cannot_be_deleted_is_told(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    state = show(app, TournamentScreen(app, kept("a").name)).state
    removal = Removal(failed=[(state.folder, OSError(errno.ENOSPC, "full"))])
    monkeypatch.setattr("ui.tournament.state.discard", lambda _files: removal)
    state.delete()
    assert "the disk is full" in app.message[0]
    assert (state.name, kept_names()) == ("a", ["a"])


def test_what_can_be_done_depends_on_the_games_that_are_left(app: App) -> None:
    """The game with the number 6 is of another tournament."""
    folder, screen = kept("a"), show(app, TournamentScreen(app, "a"))
    journal = open_journal(folder / JOURNAL, LEVELS)
    for numbers, text, running in (((), "start", 0), ((), "stop", 1), ((0, 1, 2, 6), "resume", 0), ((3, 4, 5), "", 0)):
        if running or app.tournaments.run is not None:
            act(screen, "space")
        for number in numbers:
            journal.add(played(number, 1.0).document())
        screen.state.refresh()
        frame(app)
        made = screen.widgets.buttons
        assert ("start" in made and made["start"].text) == (bool(text) and t(f"tournament.{text}"))
        assert ("once.less" in made) == (bool(text) and not running)
        assert screen.widgets.elements["name"].enabled is not bool(running)
        primary = [name for name in ("new", "start") if name in made and made[name].style == "@primary"]
        assert primary == ([] if running else ["start"] if text else ["new"])
    assert list(screen.state.played) == list(range(6))


@pytest.mark.parametrize(
    ("across", "live", "boards", "wide"), [(960, 1, 1, 340), (960, 4, 4, 146), (964, 12, 5, 116), (968, 12, 6, 96)]
)
def test_as_many_games_under_way_are_shown_as_have_room(
    stage: Make, across: int, live: int, boards: int, wide: int
) -> None:
    made = stage((across, 640))
    screen = made.show(tournaments_of(live=live)(made))
    cards = [button.rect for name, button in screen.widgets.buttons.items() if name.startswith("board.")]
    assert (len(cards), {card.width for card in cards}) == (boards, {wide})


def test_boards_of_another_game_follow_those_of_the_last_tournament(app: App) -> None:
    """The window crashed: a board of tic-tac-toe was to show Connect Four."""
    kept("a")
    kept("b", replace(LEVELS, setup=setup("connect4")))
    screen = show(app, TournamentScreen(app, "a", begin=True))
    for name in ("a", "b", "a"):
        screen.state.show(name)
        screen.state.start()
        until(app, lambda: screen.state.live)
        assert "board.0" in screen.widgets.buttons
        frame(app, 2)
        screen.state.stop()


def test_the_list_of_many_tournaments_leaves_room(stage: Make) -> None:
    made = stage((960, 640))
    for number in range(20):
        kept(f"{number}")
    screen = made.show(TournamentScreen(made.app))
    assert screen.widgets.elements["tournaments"].rect.height == 136, "four rows"


def test_a_failure_is_a_sentence_in_the_table(app: App) -> None:
    folder = kept("a")
    journal = open_journal(folder / JOURNAL, LEVELS)
    journal.add(replace(played(0, 0.0, "crash", "x"), problem="ended", detail="SIGSEGV").document())
    journal.add(played(1, 0.0, "time", "It took 9 s.").document())
    screen = show(app, TournamentScreen(app, "a"))
    found = table_file(".txt", "a", LEVELS, screen.state.ranking).decode()
    assert "Game 1: “Player (2)” has ended without an answer (SIGSEGV)." in found
    assert "Game 2: “Player (2)” took too long and lost." in found


def test_table_and_games_are_exported(app: App, tmp_path: Path) -> None:
    kept("a", Tournament((Entrant("random"), Entrant("random", 2.0)), setup("gomoku", 5), rounds=2, openings=("c3",)))
    screen = show(app, TournamentScreen(app, "a"))
    assert not screen.widgets.buttons["export"].enabled
    act(screen, "ctrl+s")
    assert app.overlay is None, "nothing was played yet"
    act(screen, "space")
    end(app)
    assert screen.widgets.buttons["export"].enabled
    for kind in ("csv", "html", "txt", "sgf"):
        push(app, "export")
        click(app, app.overlay.places()[kind])
        file = tmp_path / f"out.{kind}"
        choose_file(app, file)
        until(app, lambda file=file: file.exists())
    rows = list(csv.reader(io.StringIO((tmp_path / "out.csv").read_text(encoding="utf-8-sig"))))
    assert {row[1] for row in rows[1:]} == {"Random · 1 s", "Random · 2 s"}
    assert [row[3] for row in rows[1:]] == ["4", "4"]
    assert "<td>" in (tmp_path / "out.html").read_text(encoding="utf-8")
    games = sgf.loads_all((tmp_path / "out.sgf").read_bytes())
    assert len(games) == 4
    assert {seat.name for game in games for seat in game.seats} == {"Random"}
    assert [len(game.line()) - 1 for game in games] == [screen.state.played[number].plies for number in range(4)]


def test_an_export_of_games_tells_how_far_it_is(app: App, tmp_path: Path) -> None:
    files, shares = [tmp_path / f"{number}.txt" for number in range(4)], list[float]()
    for file in files:
        file.write_text("h8i9")
    GamesExport(app, files, tmp_path / "out.sgf").work(shares.append)
    assert shares == [0.0, 0.25, 0.5, 0.75]


def test_the_game_of_a_person_is_a_new_one_unless_its_file_can_be_read(app: App) -> None:
    folder = kept("a", Tournament((Entrant(PERSON), LEVELS.entrants[0]), LEVELS.setup, openings=("b2",)))
    state = show(app, TournamentScreen(app, "a")).state
    file, begun = game_file(folder, 0), tengen.dumps(parse("a1b1", LEVELS.setup))
    for data, new, plies, told in ((b"", True, 1, ""), (begun, False, 2, ""), (b"?", True, 1, file.name)):
        app.say("")
        if data:
            write_atomic(file, data)
        record, place, is_new = state.own_game()
        assert (record.position.ply, place, is_new) == (plies, file, new)
        assert app.message[0] == (t("tournament.unreadable", name=told) if told else "")


def test_a_tournament_begins_without_openings_or_says_why_it_cannot(app: App) -> None:
    state = NewTournament(app)
    state.choose_game("tictactoe")
    for player in ("level:1", "level:2"):
        state.add(player)
    state.with_openings = False
    assert read_tournament(tournaments_home() / state.begin() / JOURNAL).openings == ("",)
    for folder in [tournaments_home() / name for name in kept_names()]:
        rmtree(folder)
    tournaments_home().rmdir()
    tournaments_home().touch()
    assert (state.begin(), kept_names()) == ("", [])
    assert t("tournament.proposed") in app.message[0]


# The set-up without a window.


def test_the_same_engine_takes_part_with_two_times_a_level_once(app: App) -> None:
    state = NewTournament(app)
    state.choose_game("gomoku")
    for player in ("engine", "engine", "level:3", "level:3", PERSON, PERSON):
        state.add(player)
    assert [each.player for each in state.entrants] == ["engine", "engine", "level:3", PERSON]
    assert state.entrants[0].seconds != state.entrants[1].seconds
    state.chosen = 1
    state.step_seconds(1)
    assert state.entrants[1].seconds == 0.2
    state.lead()
    assert (state.chosen, state.entrants[0].seconds) == (0, 0.2)
    state.entrants[0] = state.entrants[1]
    assert state.problem


def test_a_rule_leaves_out_whom_it_does_not_suit(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    state = NewTournament(app)
    state.choose_game("gomoku")
    for player in ("mcts", PERSON, "level:1"):
        state.add(player)
    no = {("mcts", "renju"): "no"}
    monkeypatch.setattr("ui.tournament.state.unable", lambda name, rule: no.get((name, rule), ""))
    state.set_rule("renju")
    assert [each.player for each in state.entrants] == [PERSON, "level:1"]
    assert state.chosen is None
    assert "mcts" not in state.offered


def test_names_of_folders(app: App) -> None:
    assert folder_name("  a/b\\c:*? \n") == "abc"
    assert folder_name("...") == ""
    assert folder_name("x" * 300) == "x" * 60


def test_the_facts_of_a_gauntlet_name_its_first_player() -> None:
    gauntlet = Tournament((Entrant("random"), Entrant("level:1")), LEVELS.setup, GAUNTLET, openings=("a1",), rounds=3)
    assert facts(gauntlet) == " · ".join((
        t("tournament.gauntlet"), "Random", t("tournament.rounds_count", count=3), t("tournament.with_openings"),
    ))  # fmt: skip


def test_points_and_results() -> None:
    assert [points_text(points) for points in (0, 0.5, 1, 7.5)] == ["0", "½", "1", "7½"]
    assert [result_text(played(number, 1)) for number in (0, 1)] == ["1–0", "0–1"]
    assert result_text(played(0, 0.5)) == "½–½"


def test_many_moves_at_once_do_not_hold_up_a_frame(app: App) -> None:
    """News waits for the next frame when the budget of this one is spent."""
    kept("a", Tournament((Entrant("random"), Entrant("random", 2.0)), setup("gomoku", 9)))
    show(app, TournamentScreen(app, "a", begin=True))
    assert app.tournaments.run is not None
    before = len(Inline.made[-1].received)
    frame(app)
    assert before - len(Inline.made[-1].received) == NEWS
    assert app.tournaments.wake() == 0.0


def test_who_takes_part_is_chosen_removed_and_limited(app: App) -> None:
    state = NewTournament(app)
    state.choose_game("gomoku")
    assert state.offered[:3] == [PERSON, "level:1", "level:2"]
    assert [name for name in state.offered if name.startswith("level:")] == [f"level:{n}" for n in range(1, 11)]
    for player in ("level:1", "level:2", "level:3"):
        state.add(player)
    assert (state.chosen, state.timed(2)) == (2, False)
    state.remove()
    assert ([each.player for each in state.entrants], state.chosen) == (["level:1", "level:2"], 1)
    state.chosen = 0
    state.lead()
    state.remove()
    assert ([each.player for each in state.entrants], state.chosen) == (["level:2"], 0)
    state.remove()
    assert (state.entrants, state.chosen) == ([], None)
    state.remove()
    state.entrants = [Entrant("engine", 100.0 + number) for number in range(MOST_ENTRANTS - 1)]
    for player in ("level:1", "level:2"):
        state.add(player)
    assert [each.player for each in state.entrants[-2:]] == ["engine", "level:1"]
    assert len(state.entrants) == MOST_ENTRANTS
    assert app.message[0] == t("tournament.most", count=MOST_ENTRANTS)


def test_a_tournament_has_two_games_of_a_pair_in_a_round_and_a_limit(app: App) -> None:
    state = NewTournament(app)
    state.choose_game("gomoku")
    assert (state.rounds, state.with_openings, state.seconds, state.problem) == (1, True, 1.0, t("tournament.too_few"))
    state.step_seconds(1)
    assert state.seconds == 2.0, "of those to be added"
    state.add("engine")
    assert state.problem == t("tournament.too_few")
    state.add("level:1")
    state.step_seconds(-1)
    assert ([each.seconds for each in state.entrants], state.seconds) == ([2.0, 2.0], 1.0), "a level has no time"
    assert (state.games, state.problem) == (2, "")
    state.add("level:2")
    assert state.games == 6
    state.system = "gauntlet"
    assert state.games == 4
    rounds = [(state.rounds, state.step_rounds(1))[0] for _ in range(16)]
    assert rounds == [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 200, MOST_ROUNDS, MOST_ROUNDS]
    assert state.problem == ""
    state.system, state.rounds = "robin", 833
    assert (state.games, state.problem) == (4998, "")
    state.rounds = 834
    assert state.problem == t("tournament.too_many", count=5000)
    state.step_rounds(-1)
    assert state.rounds == 200
    state.system, state.rounds = "gauntlet", 1250
    assert (state.games, state.problem) == (5000, "")
    state.rounds = 1
    state.step_rounds(-1)
    assert state.rounds == 1
    for step, size in ((1, 16), (100, GAMES["gomoku"].sizes[-1]), (-100, GAMES["gomoku"].sizes[0])):
        state.step_size(step)
        assert state.size == size
    state.rounds = 500
    state.system = "gauntlet"
    for number in range(4):
        state.add(f"level:{number + 3}")
    assert state.games == 6000
    assert state.begin() == ""
    assert app.message[0] == state.problem
    assert kept_names() == []


def test_buttons_of_the_set_up_act_on_the_chosen_rows(app: App) -> None:
    screen = show(app, NewTournamentScreen(app))
    state, lists = screen.state, part(screen, EntrantLists)
    state.choose_game("bones")
    others = len(state.offered)
    state.choose_game("gomoku")
    frame(app)
    push(app, "add")
    assert state.entrants == [], "nobody is chosen yet"
    click(app, lists.places()[f"offered.{state.offered[others]}"])
    state.choose_game("bones")
    push(app, "add")
    assert state.entrants == [], "the list is shorter now"
    state.choose_game("gomoku")
    frame(app)
    assert not screen.widgets.elements["remove"].enabled
    for name in (PERSON, "level:2", "engine"):
        click(app, lists.places()[f"offered.{name}"])
        push(app, "add")
    assert [each.player for each in state.entrants] == [PERSON, "level:2", "engine"]
    assert screen.widgets.elements["remove"].enabled
    push(app, "seconds.more", "lead")
    assert (state.entrants[0].player, state.entrants[0].seconds) == ("engine", 2.0)
    rows = [(row.text, row.note) for row in screen.widgets.elements["entrants"].rows]
    assert rows == [("Full strength", "2 s"), ("You", ""), ("Novice (2)", "")]
    assert not screen.widgets.elements["lead"].enabled
    push(app, "openings.off")
    assert not state.with_openings
    before = app.tournaments.at_once
    for button in ("once.less",) * 3:
        push(app, button)
    assert app.tournaments.at_once == max(1, before - 3) == 1
    for _ in range(processors() + 1):
        push(app, "once.more")
    assert app.tournaments.at_once == processors()
    assert t("tournament.robin_games", count=6) in " ".join(screen.widgets.texts)
    push(app, "system.gauntlet")
    assert t("tournament.gauntlet_games", name="Full strength", count=4) in " ".join(screen.widgets.texts)


def test_a_running_tournament_is_stopped_and_its_board_left(app: App) -> None:
    kept("a")
    kept("b")
    screen = show(app, TournamentScreen(app, "a", begin=True))
    push(app, "board.0")
    screen.state.follow(999)
    assert screen.state.followed != 999
    screen.state.start_or_stop()
    assert (app.tournaments.run, screen.state.followed, screen.state.tab) == (None, None, "table")
    assert app.message[0] == t("tournament.stopped")
    screen.state.tab = "cross"
    screen.state.rename("b", "d")
    screen.state.rename("a", "")
    assert (screen.state.name, sorted(screen.state.names), screen.state.tab) == ("a", ["a", "d"], "cross")
    screen.state.show("d")
    assert (screen.state.tab, screen.state.played, screen.state.can_run) == ("table", {}, True)
    screen.state.start_or_stop()
    assert app.tournaments.run is not None
    screen.state.show("a")
    screen.state.stop()
    assert app.tournaments.run is not None, "another one is played"


def test_of_a_chosen_game_number_and_opening_or_its_failure_are_told(app: App) -> None:
    folder = kept("a")
    journal = open_journal(folder / JOURNAL, LEVELS)
    journal.add(replace(played(0, 0.0, "crash", "x"), problem="ended", detail="SIGSEGV").document())
    journal.add(played(1, 1.0).document())
    screen = show(app, TournamentScreen(app, "a"))
    assert part(screen, TournamentTable).hint() == ""
    screen.state.tab = "games"
    frame(app, 2)
    table, listed = part(screen, TournamentTable), screen.widgets.elements["games"]
    assert [(row.note.partition(" · ")[0], row.icon) for row in listed.rows] == [("0–1", ""), ("0–1", "flag")]
    assert table.hint() == ""
    listed.step_to(0)
    assert table.hint() == t("tournament.game", number=2, opening=played(1, 1.0).opening or "–")
    listed.step_to(1)
    assert table.hint() == "Game 1: “Player (2)” has ended without an answer (SIGSEGV)."
    screen.state.played[2] = played(2, 0.5)
    frame(app)
    assert ([row.note.partition(" · ")[0] for row in listed.rows], listed.at) == (["½–½", "0–1", "0–1"], 2)
    shown = listed.rows
    frame(app)
    assert listed.rows is shown, "without news nothing changes"
    games = [*screen.state.played.values(), played(4, 0.0), played(3, 1.0)]
    rows = table_file(".txt", "a", LEVELS, Ranking(LEVELS, games)).decode().splitlines()
    assert rows[:3] == ["a", "Tic-tac-toe · Round robin · 1 round · no openings", ""]
    assert rows[3:] == [
        "#  Player        Points  Games  +  =  −        Elo       1       2      3",
        "1  Player (2)        2½      4  2  1  1  +39 ± 136          1½ : ½  1 : 1",
        "2  Random            1½      3  1  1  1   +6 ± 338  ½ : 1½          1 : 0",
        "3  Beginner (1)       1      3  1  0  2  −45 ± 338   1 : 1   0 : 1",
        "",
        "Game 1: “Player (2)” has ended without an answer (SIGSEGV).",
    ]
