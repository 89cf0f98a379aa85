"""Tournaments: who meets whom, the table, what is kept, and games behind a window."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable
from itertools import combinations, count, starmap
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import psutil
import pytest

import main
from ai.arena import tournament as tournament_module
from ai.arena import tournament_run
from ai.arena.arena import ArenaError, Options, Standing
from ai.arena.journal import BadJournal
from ai.arena.match import Played, begin, play_live
from ai.arena.tournament import (
    GAUNTLET,
    JOURNAL,
    Entrant,
    Ranking,
    Tournament,
    collect,
    game_file,
    open_journal,
    play_and_print,
    read_played,
    read_tournament,
    run,
    tournament_lock,
)
from ai.arena.tournament_run import TournamentRun
from ai.core.elo import elo_of, estimate, expected
from games.formats import load, save
from games.record import PERSON
from games.registry import setup
from tests.waiting import wait

THREE = Tournament((Entrant("random"), Entrant("level:1"), Entrant("level:2")), setup("tictactoe"), rounds=2,
                   openings=("a1", "b2"), seed=5)  # fmt: skip


def played(number: int, score: float, ending: str = "line", note: str = "") -> Played:
    return Played(number, "", number % 2, score, ending, 9, (0.1, 0.1), note)


def test_in_each_round_any_two_play_an_opening_with_both_colours() -> None:
    planned = THREE.pairings()
    assert [each.number for each in planned] == list(range(12))
    assert [each.sides for each in planned[:6]] == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert [each.fixture.opening for each in planned] == ["a1"] * 6 + ["b2"] * 6
    record = begin(planned[3].match, planned[3].fixture)
    assert [seat.player for seat in record.seats] == ["level:2", "random"]


def test_in_a_gauntlet_the_first_meets_each_other_one() -> None:
    gauntlet = Tournament(THREE.entrants, THREE.setup, GAUNTLET)
    assert [each.sides for each in gauntlet.pairings()] == [(0, 1), (1, 0), (0, 2), (2, 0)]


def test_each_has_its_own_time() -> None:
    two = Tournament((Entrant("engine", 1.0, "slow"), Entrant("engine", 0.1)), setup("gomoku"))
    seats = [begin(each.match, each.fixture).seats for each in two.pairings()]
    assert [(seat.name, seat.seconds) for seat in seats[1]] == [("", 0.1), ("slow", 1.0)]


def test_the_table_by_hand() -> None:
    """Entrant 1 beats 0 twice, 2 loses to 0 by failing and draws, and 1 has not met 2."""
    table = Ranking(THREE, [played(0, 0), played(1, 0), played(2, 1, "crash", "bad"), played(3, 0.5)])
    assert [row.entrant for row in table.rows] == [1, 0, 2]
    assert [row.tally for row in table.rows] == [(2, 0, 0), (1, 1, 2), (0, 1, 1)]
    assert [row.points for row in table.rows] == [2, 1.5, 0.5]
    assert table.cross[0][1] == (0, 0, 2)
    assert table.cross[1][2] == (0, 0, 0)
    assert [(who, game.note) for who, game in table.failures] == [(2, "bad")]
    assert [row.failed for row in table.rows] == [0, 0, 1]
    elos = [row.elo.elo for row in table.rows if row.elo is not None]
    assert sum(elos) == pytest.approx(0)
    assert elos == sorted(elos, reverse=True)


MIXED = [
    played(0, 1.0), played(1, 0.5), played(2, 0.0, "time", "late"), played(3, 1.0, "illegal", "bad"),
    played(4, 0.5, "crash", "both"), played(12, 1.0), played(-1, 1.0),
]  # fmt: skip
"""The games with the numbers 12 and -1 are of another tournament."""


def test_the_table_as_data() -> None:
    table = Ranking(THREE, MIXED)
    first, second, third = table.document(THREE)
    assert (table.games, [(who, game.note) for who, game in table.failures]) == (5, [(0, "late"), (2, "bad")])
    assert [each.pop("elo") for each in (first, second, third)] == [row.elo and row.elo.elo for row in table.rows]
    error = first.pop("elo_error"), second.pop("elo_error"), third.pop("elo_error")
    assert error == tuple(estimate(scores).error for scores in ([0.75, 0.5], [0.5], [0.25]))
    assert [first, second, third] == [
        {"player": "random", "games": 4, "points": 2.5, "wins": 2, "draws": 1, "losses": 1, "failures": 1,
         "against": [[0, 0, 0], [1, 1, 0], [1, 0, 1]]},
        {"player": "level:2", "games": 3, "points": 1.5, "wins": 1, "draws": 1, "losses": 1, "failures": 1,
         "against": [[1, 0, 1], [0, 1, 0], [0, 0, 0]]},
        {"player": "level:1", "games": 3, "points": 1.0, "wins": 0, "draws": 2, "losses": 1, "failures": 0,
         "against": [[0, 1, 1], [0, 0, 0], [0, 1, 0]]},
    ]  # fmt: skip


def test_of_equal_points_fewer_games_come_first_and_then_the_order_of_the_players() -> None:
    table = Ranking(THREE, [played(0, 1.0), played(4, 0.5), played(5, 0.5)])
    assert [(row.entrant, row.points, row.games) for row in table.rows] == [(0, 1.0, 1), (2, 1.0, 2), (1, 1.0, 3)]
    table = Ranking(THREE, [played(0, 0.0), played(1, 1.0)])
    assert [row.entrant for row in table.rows] == [0, 1, 2]


def test_the_table_in_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ranking = Ranking(THREE, MIXED[:4])
    monkeypatch.setattr(tournament_module, "run", lambda _what, _how, told: told(ranking, 12) or ranking)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    play_and_print(THREE, Options(), False)
    elos = [f"Elo {round(row.elo.elo):+d} ± {row.elo.error:.0f}" for row in ranking.rows if row.elo is not None]
    said = capsys.readouterr()
    assert said.err == "\r4 of 12  random 2.5\n"
    assert said.out.splitlines() == [
        f" 1. random                          2.5  +2 =1 -1       {elos[0]}",
        f" 2. level:2                         1.0  +1 =0 -1       {elos[1]}",
        f" 3. level:1                         0.5  +0 =1 -1       {elos[2]}",
        "game 3: late", "game 4: bad",
    ]  # fmt: skip
    monkeypatch.setattr(tournament_module, "run", lambda *_: Ranking(THREE, []))
    play_and_print(THREE, Options(), False)
    assert capsys.readouterr().out.splitlines()[0] == " 1. random                          0.0  +0 =0 -0"


def test_the_elo_of_two_is_that_of_a_match_of_many_games() -> None:
    two = Tournament(THREE.entrants[:2], THREE.setup, rounds=100)
    scores = [1.0, 1.0, 0.0, 0.5, 1.0] * 40
    games = [played(number, score) for number, score in enumerate(scores)]
    standing = Standing()
    for game in games:
        standing.add(game)
    by_number = {row.entrant: row.elo for row in Ranking(two, games).rows}
    first, second = by_number[0], by_number[1]
    assert first is not None
    assert second is not None
    assert first.elo - second.elo == pytest.approx(standing.elo.elo, abs=3)
    assert first.elo == pytest.approx(elo_of((140 + 0.5) / 201) / 2, abs=0.1), "with a draw more"
    assert first.error == pytest.approx(standing.elo.error)


def test_elo_explains_the_points_of_everybody() -> None:
    """At the maximum of the likelihood each has the points that the Elo differences let expect, where any two who have
    met have one drawn game more."""
    scores = [1.0, 1.0, 0.5, 1.0, 0.0, 1.0, 1.0, 0.5, 0.0, 1.0, 0.5]
    table = Ranking(THREE, [played(number, score) for number, score in enumerate(scores)])
    elos = {row.entrant: row.elo.elo for row in table.rows if row.elo is not None}
    for row in table.rows:
        met = [(other, sum(tally) + 1) for other, tally in enumerate(table.cross[row.entrant]) if any(tally)]
        found = sum(games * expected(elos[row.entrant] - elos[other]) for other, games in met)
        assert found == pytest.approx(row.points + len(met) / 2, abs=0.01)
    table.add(played(11, 1.0))
    assert sum(row.games for row in table.rows) == 24, "also after the table has been looked at"


def meeting(elos: list[float], games: int, pairs: Callable[[int, int], bool] = lambda _one, _two: True) -> Ranking:
    """The table in which the pairs of entrants have played `games` games, and got the points that `elos` let expect."""
    table = Ranking(Tournament(tuple(Entrant("random") for _ in elos), THREE.setup), [])
    for one, two in combinations(range(len(elos)), 2):
        if pairs(one, two):
            won = round(games * expected(elos[one] - elos[two]))
            table.cross[one][two], table.cross[two][one] = (won, 0, games - won), (games - won, 0, won)
    return table


@pytest.mark.parametrize(
    "table",
    [
        meeting([300.0 * number for number in range(10)], 100),
        meeting([200.0 * number for number in range(16)], 1000),
        meeting([400.0 * number for number in range(16)], 1000, lambda one, two: two == one + 1),
        meeting([1_000.0 * number for number in range(16)], 1000, lambda one, two: two == one + 1),
        meeting([1_000.0 * number for number in range(16)], 1000),
        meeting([0, 300, 500, 0, 800, 2000], 100, lambda one, two: one // 3 == two // 3),
        meeting([0, 300, 500, 0, 800, 2000], 100, lambda one, two: two == 5 and one > 2),
    ],
    ids=["levels", "many", "chain", "undefeated-chain", "undefeated", "two-groups", "some"],
)
def test_the_fit_of_elo_stopped_before_its_end(table: Ranking) -> None:
    """It was wrong by up to 259 Elo. At the maximum each has the points that the differences let expect."""
    elos = {row.entrant: row.elo.elo for row in table.rows if row.elo is not None}
    for row in table.rows:
        met = [(other, sum(tally) + 1) for other, tally in enumerate(table.cross[row.entrant]) if any(tally)]
        found = sum(games * expected(elos[row.entrant] - elos[other]) for other, games in met)
        assert found == pytest.approx(row.points + len(met) / 2, abs=1e-6)
    assert sum(elos.values()) == pytest.approx(0, abs=1e-6)


def test_nobody_has_an_elo_before_a_game() -> None:
    assert [row.elo for row in Ranking(THREE, []).rows] == [None, None, None]


def test_elo_does_not_depend_on_whom_a_gauntlet_lets_one_meet() -> None:
    """Two who score alike against the first are equal, though they have not met."""
    gauntlet = Tournament(THREE.entrants, THREE.setup, GAUNTLET, rounds=2)
    table = Ranking(gauntlet, [played(number, score) for number, score in enumerate([1, 0, 1, 0, 1, 1, 1, 1])])
    found = {row.entrant: row.elo.elo for row in table.rows if row.elo is not None}
    assert found[1] == pytest.approx(found[2], abs=1)
    assert found[0] > found[1]


# What is kept.


def test_a_tournament_is_read_as_it_was_begun(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / JOURNAL, THREE)
    journal.add(played(3, 0.5).document())
    assert read_tournament(tmp_path / JOURNAL) == THREE
    assert [game.number for game in read_played(tmp_path / JOURNAL)] == [3]


@pytest.mark.parametrize("line", ["", "{}", "[1]", "x", json.dumps({**THREE.document(), "openings": ["zz9"]}),
                                  json.dumps({**THREE.document(), "entrants": []}),
                                  json.dumps({**THREE.document(), "entrants": THREE.document()["entrants"][:1]}),
                                  json.dumps({**THREE.document(), "entrants": THREE.document()["entrants"][:1] * 17}),
                                  json.dumps({**THREE.document(), "rounds": 501}),
                                  json.dumps({**THREE.document(), "seed": (1 << 40) + 1}),
                                  json.dumps({**THREE.document(), "openings": ["a1"] * 501}),
                                  json.dumps({**THREE.document(), "openings": ["a1" + " " * 999]}),
                                  json.dumps({**THREE.document(), "game": "chess"})])  # fmt: skip
def test_what_is_no_tournament_is_refused_in_a_sentence(line: str, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text(f"{line}\n")
    with pytest.raises(BadJournal, match=r"is not the file of a tournament: .*\."):
        read_tournament(tmp_path / JOURNAL)


def test_a_tournament_that_cannot_be_saved_was_called_a_match(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ArenaError, match=r"^The tournament cannot be saved: .*\.$"):
        tournament_module.run(THREE, Options(resume=tmp_path / "file"), lambda _ranking, _games: None)


def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play games in this process."""
    monkeypatch.setattr(tournament_module, "run_all", lambda task, calls, _workers, _cluster: starmap(task, calls))


def test_a_tournament_goes_on_where_it_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _here(monkeypatch)
    seen: list[int] = []

    def die(ranking: Ranking, _games: int) -> None:
        seen.append(ranking.games)
        if ranking.games == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(THREE, Options(resume=tmp_path), die)
    whole = (tmp_path / JOURNAL).read_bytes()
    (tmp_path / JOURNAL).write_bytes(whole[:-20])  # killed while it was writing
    seen.clear()
    table = run(THREE, Options(resume=tmp_path), lambda ranking, _games: seen.append(ranking.games))
    assert seen == list(range(4, 13))
    assert table.games == 12
    assert sorted(file.name for file in (tmp_path / "games").iterdir()) == [
        f"{tmp_path.name} {number:04}.tengen.json" for number in range(1, 13)
    ]


def test_a_tournament_is_played_by_one_process_or_kept_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _here(monkeypatch)
    two = Tournament(THREE.entrants[:2], THREE.setup)
    with tournament_lock(tmp_path), pytest.raises(ArenaError, match="another process"):
        run(two, Options(resume=tmp_path), lambda _ranking, _games: None)
    monkeypatch.chdir(tmp_path)
    told: list[tuple[int, int]] = []
    assert run(two, Options(), lambda ranking, games: told.append((ranking.games, games))).games == 2
    assert (told, list(tmp_path.glob("**/*.json*"))) == ([(0, 2), (1, 2), (2, 2)], [])


def test_players_are_warmed_up_where_they_play(monkeypatch: pytest.MonkeyPatch) -> None:
    _here(monkeypatch)
    asked: list[tuple[list[str], bool]] = []
    monkeypatch.setattr(tournament_module, "check_players", lambda names, _setup, here: asked.append((names, here)))
    for cluster in (None, "tcp://nowhere:1"):
        run(Tournament(THREE.entrants[:2], THREE.setup), Options(cluster=cluster), lambda _ranking, _games: None)
    assert asked == [(["random", "level:1"], True), (["random", "level:1"], False)]


def test_the_command_line_plays_a_tournament(monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path) -> None:
    _here(monkeypatch)
    call = ["arena", "level:2", "random", "level:1", "--game", "tictactoe", "--gauntlet", "--rounds", "2"]
    assert main.main([*call, "--resume", str(tmp_path / "t"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 8
    assert found["table"][0]["player"] == "level:2"
    assert main.main([*call, "--resume", str(tmp_path / "t")]) == 0
    assert capsys.readouterr().out.startswith(" 1. level:2 ")


# Behind a window.


class Inline:
    """Plays in this process, one piece of news at a time, in place of a process."""

    made: ClassVar[list[Inline]] = []

    def __init__(self, wake: Callable[[], object]) -> None:
        self.made.append(self)
        self.pairing: Any = None
        self.child = self
        self.received: deque[object] = deque()
        self.closed = False

    def begin(self, file: Path) -> None:
        for news in play_live(self.pairing.match, self.pairing.fixture):
            self.received.append(tournament_run.save_record(news, file))

    def restart(self) -> None:
        self.received.clear()
        self.pairing = None

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play in this process, and let each update take one piece of news."""
    ticks = count()
    monkeypatch.setattr(tournament_run, "GameProcess", Inline)
    monkeypatch.setattr(tournament_run, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    monkeypatch.setattr(tournament_run, "BUDGET", 1.5)


def begun(folder: Path, tournament: Tournament = THREE) -> TournamentRun:
    open_journal(folder / JOURNAL, tournament)
    return TournamentRun(folder, lambda: None)


@pytest.mark.usefixtures("inline")
def test_a_run_plays_all_shows_each_move_and_lets_go(tmp_path: Path) -> None:
    playing, seen = begun(tmp_path), set[int]()
    while not playing.over:
        assert playing.update()
        seen |= set(playing.live)
    assert not playing.update(), "nothing is new"
    assert len(playing.played) == 12
    assert seen == set(range(12))
    assert not playing.live
    with tournament_lock(tmp_path):
        assert len(read_played(tmp_path / JOURNAL)) == 12
    assert load(game_file(tmp_path, 7)).outcome is not None


@pytest.mark.usefixtures("inline")
def test_a_stopped_run_goes_on_with_what_is_left(tmp_path: Path) -> None:
    playing = begun(tmp_path)
    playing.update()
    with pytest.raises(BadJournal, match="another process"):
        TournamentRun(tmp_path, lambda: None)
    while len(playing.played) < 3:
        playing.update()
    playing.stop()
    again = TournamentRun(tmp_path, lambda: None)
    assert set(again.played) == {0, 1, 2}
    while not again.over:
        again.update()
    assert len(again.played) == 12


@pytest.mark.usefixtures("inline")
def test_an_update_takes_no_longer_than_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    playing = begun(tmp_path)
    monkeypatch.setattr(tournament_run, "BUDGET", 0.0)
    assert [playing.update() for _ in range(3)] == [True, False, False], "a game is begun"
    monkeypatch.setattr(tournament_run, "BUDGET", 2.5)
    assert (playing.update(), playing.live[0].position.ply) == (True, 3), "the opening and two moves"
    playing.add(played(3, 0.5))
    playing.add(played(3, 1.0))
    assert [(game.number, game.score) for game in read_played(tmp_path / JOURNAL)] == [(3, 0.5)], "once"
    playing.stop()


@pytest.mark.usefixtures("inline")
def test_a_game_whose_process_dies_is_played_again_but_not_for_ever(tmp_path: Path) -> None:
    playing = begun(tmp_path)
    playing.update()
    for deaths in range(1, 4):
        Inline.made[-1].received = deque([None])
        playing.update()
        assert playing.over == (deaths == 3)
    assert isinstance(playing.error, BadJournal)
    assert not playing.played


@pytest.mark.usefixtures("inline")
def test_a_disk_that_is_full_ends_a_run_and_a_move_that_cannot_be_followed_does_not(tmp_path: Path) -> None:
    playing = begun(tmp_path)
    playing.update()
    assert playing.busy
    Inline.made[-1].received.appendleft(10_000)
    playing.update()
    assert not playing.over
    full = OSError("full")
    Inline.made[-1].received = deque([full])
    playing.update()
    assert (playing.over, playing.busy, playing.live, playing.error) == (True, False, {}, full)
    with tournament_lock(tmp_path):
        pass


@pytest.mark.usefixtures("inline")
def test_a_journal_that_cannot_be_written_ends_a_run(tmp_path: Path) -> None:
    playing = begun(tmp_path)
    (tmp_path / JOURNAL).unlink()
    (tmp_path / JOURNAL).mkdir()
    while not playing.over:
        playing.update()
    assert (isinstance(playing.error, OSError), playing.played) == (True, {})


@pytest.mark.usefixtures("inline")
@pytest.mark.parametrize(("rounds", "at_once"), [(2, 1), (2, 3), (1, 2)])
def test_a_run_that_was_given_up_began_another_game(
    rounds: int, at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It showed a dead live game, or removed the process twice where no game was left."""
    monkeypatch.setattr(tournament_run, "BUDGET", 1000.0)  # the first process ends its game before the others begin
    two = Tournament(THREE.entrants[:2], THREE.setup, rounds=rounds)
    open_journal(tmp_path / JOURNAL, two)
    playing = TournamentRun(tmp_path, lambda: None, at_once)
    (tmp_path / JOURNAL).unlink()
    (tmp_path / JOURNAL).mkdir()
    while not playing.over:
        playing.update()
    assert (isinstance(playing.error, OSError), playing.live, playing.busy) == (True, {}, False)
    assert not playing.update()


@pytest.mark.usefixtures("inline")
def test_no_more_processes_are_started_than_there_are_games(tmp_path: Path) -> None:
    open_journal(tmp_path / JOURNAL, THREE)
    for at_once, processes in ((13, 12), (3, 3)):
        Inline.made.clear()
        playing = TournamentRun(tmp_path, lambda: None, at_once)
        playing.update()
        assert (len(Inline.made), len(playing.live)) == (processes, processes)
        playing.stop()
        assert (all(each.closed for each in Inline.made), playing.live) == (True, {})


PERSONAL = Tournament((Entrant(PERSON, name="Ada"), Entrant("level:1"), Entrant("random")), setup("tictactoe"))


@pytest.mark.usefixtures("inline")
def test_games_of_a_person_are_waited_for_and_hold_up_no_other(tmp_path: Path) -> None:
    playing = begun(tmp_path, PERSONAL)
    while not playing.over:
        playing.update()
    assert set(playing.played) == {4, 5}
    record = begin(playing.planned[1].match, playing.planned[1].fixture)
    save(record, game_file(tmp_path, 1))
    collect(tmp_path)
    assert len(read_played(tmp_path / JOURNAL)) == 2  # it is not over
    assert record.seats[1].name == "Ada"
    record.resign(1)
    save(record, game_file(tmp_path, 1))
    again = TournamentRun(tmp_path, lambda: None)
    assert (again.over, again.collect(), again.collect(), set(again.played)) == (True, True, False, {1, 4, 5})
    again.stop()
    collect(tmp_path)
    found = [(game.number, game.score) for game in read_played(tmp_path / JOURNAL)]
    assert (found[2:], [number for number, _ in found[:2]]) == ([(1, 0)], [4, 5])


def test_another_game_in_the_place_of_a_persons_is_not_counted(tmp_path: Path) -> None:
    open_journal(tmp_path / JOURNAL, Tournament(PERSONAL.entrants, PERSONAL.setup, openings=("b2",)))
    other = begin(PERSONAL.pairings()[1].match, PERSONAL.pairings()[1].fixture)
    other.play(0)
    other.resign(1)
    save(other, game_file(tmp_path, 1))
    collect(tmp_path)
    assert not read_played(tmp_path / JOURNAL)


def children() -> set[psutil.Process]:
    """The processes below this one, without the one in which Python counts what processes share."""
    return {each for each in psutil.Process().children(recursive=True) if "resource_tracker" not in str(each.cmdline())}


@pytest.mark.slow
def test_games_run_in_processes_which_end_with_the_run(tmp_path: Path) -> None:
    before = children()
    playing = begun(tmp_path)
    wait(lambda: len(playing.played) >= 3, playing.update)
    playing.stop()
    wait(lambda: not children() - before)
    again = TournamentRun(tmp_path, lambda: None, at_once=2)
    assert len(children() - before) == 2
    wait(lambda: again.over, again.update)
    assert len(again.played) == 12
    wait(lambda: not children() - before)


@pytest.mark.slow
def test_external_engines_play_and_one_that_misbehaves_loses_with_a_sentence(tmp_path: Path) -> None:
    """One engine that plays well, and one for each way of failing, in one tournament: none is left behind."""
    brain = f'"{sys.executable}" "{Path(__file__).parents[1] / "pbrain" / "misbehaving.py"}"'
    before, names = children(), [f"cmd:{brain} {way} mark" for way in ("well", "crash", "thinking", "illegal")]
    entrants = tuple(Entrant(name, 0.2) for name in names)
    playing = begun(tmp_path, Tournament(entrants, setup("gomoku", 15), GAUNTLET, openings=("h8i9g7",)))
    wait(lambda: playing.over, playing.update)
    wait(lambda: not children() - before)
    assert playing.error is None
    table = Ranking(playing.tournament, playing.played.values(), playing.planned)
    assert table.rows[0].entrant == 0
    assert [row.failed for row in table.rows] == [0, 2, 2, 2]
    assert {(who, game.ending, game.problem) for who, game in table.failures} == {
        (1, "crash", "ended"), (2, "time", "slow"), (3, "illegal", "illegal"),
    }  # fmt: skip
    assert all(game.note for _, game in table.failures)
