"""Matches: statistics against known values, games, and resuming after a kill."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import main
from ai.arena import arena as arena_module
from ai.arena import executors
from ai.arena import match as match_module
from ai.arena.arena import ArenaError, Options, Standing, fixtures, openings, run
from ai.arena.match import Fixture, Match, Played, play, play_live, played_of
from ai.core.elo import elo_of, estimate, expected, sprt
from ai.core.player import Info, Limit, Player, PlayerFailure, Stop
from ai.gomoku.openings import OPENINGS, BadOpenings, read_openings
from ai.players.table import KINDS, PlayerKind
from games.fields import DecodeError
from games.formats import load, tengen
from games.formats.text import parse
from games.position import Position
from games.registry import GAMES, Setup, setup
from tests.games.strategies import Time

TICTACTOE = setup("tictactoe")
SMALL = setup("gomoku", 9)


# Statistics.


@pytest.mark.parametrize(("score", "elo"), [(0.5, 0), (0.75, 190.85), (0.64, 99.95), (0.25, -190.85), (10 / 11, 400)])
def test_elo_of_a_score(score: float, elo: float) -> None:
    assert elo_of(score) == pytest.approx(elo, abs=0.01)
    assert expected(elo) == pytest.approx(score, abs=1e-4)


def test_the_error_of_independent_games() -> None:
    """400 games, 220 won and 180 lost: 55 %, standard error sqrt(0.55 * 0.45 / 400), so 35 ± 34 Elo."""
    found = estimate([1.0] * 220 + [0.0] * 180)
    assert found.elo == pytest.approx(34.86, abs=0.01)
    assert found.error == pytest.approx(34.3, abs=0.3)


def test_pairs_that_split_every_opening_say_more_than_single_games() -> None:
    assert estimate([0.5] * 200).error < estimate([1.0, 0.0] * 200).error / 3


def test_sprt_bounds_and_decisions() -> None:
    test = sprt([], 0, 10)
    assert (test.llr, test.status) == (0, "open")
    assert test.upper == pytest.approx(math.log(19))
    assert test.lower == -test.upper
    assert sprt([1.0] * 600 + [0.0] * 400, 0, 10).status == "elo1"
    assert sprt([1.0] * 400 + [0.0] * 600, 0, 10).status == "elo0"
    assert sprt([1.0, 0.0] * 10, 0, 10).status == "open"


def test_sprt_llr_by_hand() -> None:
    """n (s1 - s0)(2 mean - s0 - s1) / (2 variance) for 110 wins and 90 losses, elo0 = 0 and elo1 = 10."""
    s1 = 1 / (1 + 10 ** (-10 / 400))
    by_hand = 200 * (s1 - 0.5) * (2 * 0.55 - 0.5 - s1) / (2 * 0.55 * 0.45)
    assert sprt([1.0] * 110 + [0.0] * 90, 0, 10).llr == pytest.approx(by_hand)


# Fixtures and openings.


def test_each_opening_is_played_twice_with_colours_reversed() -> None:
    planned = list(fixtures(["a", "b", "c"], 7))
    assert [game.number for game in planned] == list(range(8))
    assert [game.opening for game in planned] == ["a", "a", "b", "b", "c", "c", "a", "a"]
    assert [game.first for game in planned] == [0, 1] * 4


@pytest.mark.parametrize("rule", GAMES["gomoku"].rules)
def test_our_openings_are_many_different_and_can_be_played(rule: str) -> None:
    found = read_openings(OPENINGS, rule)
    assert len(found) >= 40
    positions = [parse(text, setup("gomoku", 15, rule)).position for text in found]
    assert len({position.key for position in positions}) == len(found)
    assert all(3 <= position.ply <= 6 and position.outcome is None for position in positions)


def test_openings_lie_around_the_centre_of_every_board() -> None:
    """The first move of an even board is on `size // 2` too, counted from the top left."""
    for size in (15, 19, 20):
        chosen = setup("gomoku", size)
        centre = chosen.start().candidates()[0]
        middle = [parse(text, chosen).position for text in openings(chosen, None, None)]
        rows, columns = [], []
        for position in middle:
            stones = [cell for cell, content in enumerate(getattr(position, "cells", b"")) if content]
            rows += [cell // size - centre // size for cell in stones]
            columns += [cell % size - centre % size for cell in stones]
        assert max(map(abs, rows + columns)) <= 3


@pytest.mark.parametrize("chosen", [*map(setup, GAMES), *(setup("gomoku", size) for size in (5, 6, 9, 14, 19, 20))])
def test_every_game_and_board_has_openings(chosen: Setup) -> None:
    found = openings(chosen, None, 3)
    assert found == openings(chosen, None, 3)
    assert len(found) >= (20 if chosen.game == "gomoku" else 4)
    for text in found:
        assert parse(text, chosen).outcome is None


@pytest.mark.parametrize(
    ("text", "says"),
    [("# nothing\n", "no opening"), ("h8h8\n", "cannot be played"), ("hello\n", "cannot be played"),
     ("[renju]\nh8i9\n", "no opening"), ("h8a1h9a2h10a3h11a4h12\n", "over")],
)  # fmt: skip
def test_bad_openings_are_told(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "o.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadOpenings, match=says):
        openings(setup("gomoku"), file, None)


def test_a_file_of_openings(tmp_path: Path) -> None:
    file = tmp_path / "o.txt"
    file.write_text("h8i9 # first\n\n[renju]\nh8h9i10\n[freestyle]\ng7g8\n", encoding="utf-8")
    assert sorted(openings(setup("gomoku"), file, 1)) == ["g7g8", "h8i9"]
    with pytest.raises(BadOpenings, match="cannot be read"):
        openings(setup("gomoku"), tmp_path / "none.txt", 1)


# Games.


class Odd(Player):
    """A player that does what its name says."""

    nodes = 0

    def __init__(self, name: str, clock: Time) -> None:
        self.name, self._clock = name, clock

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        if limit.depth is None:  # not while it warms up
            if self.name == "cheat":
                yield Info(10_000)
                return
            if self.name == "slow":
                self._clock.passes((limit.seconds or 0) + 0.25)
            if self.name == "wordy":
                raise PlayerFailure("x" * 600, "ended", "y" * 300)
            if self.name == "broken" or (self.name == "fragile" and position.turn == 0):
                raise RuntimeError("a bug")
        yield Info(position.legal_moves()[0], -(10**9), 3)


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players that do what their name says, in a time that passes for them alone."""
    clock = Time()
    monkeypatch.setattr(match_module, "time", SimpleNamespace(perf_counter=clock))

    for name in ("cheat", "slow", "broken", "fragile", "wordy", "first"):
        odd = PlayerKind(make=lambda _options, _context, name=name: Odd(name, clock), seeded=True)
        monkeypatch.setitem(KINDS, name, odd)


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize(("name", "ending"), [("cheat", "illegal"), ("slow", "time"), ("broken", "crash")])
@pytest.mark.parametrize("first", [0, 1])
def test_who_breaks_the_rules_loses(name: str, ending: str, first: int) -> None:
    found = play(Match((name, "random"), SMALL, 0.1, 1), Fixture(0, "e5", first))
    assert (found.score, found.ending) == (0.0, ending)
    assert found.note.startswith(f"{name}: ")
    record = tengen.loads(found.data())
    assert record.outcome.reason == ending
    assert record.seats[first].name == name


@pytest.mark.usefixtures("odd")
def test_a_long_complaint_is_cut() -> None:
    found = play(Match(("wordy", "random"), TICTACTOE, 0.1, 1), Fixture(0, "", 0))
    assert (len(found.note), found.problem, found.detail) == (500, "ended", "y" * 200)


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize("first", [0, 1])
def test_a_player_may_be_late_by_as_much_as_is_allowed(first: int) -> None:
    for names, slowest in ((("slow", "first"), (0.75, 0.0)), (("first", "slow"), (0.0, 0.75))):
        allowed = play(Match(names, TICTACTOE, 0.50003, 1, 0.2501), Fixture(0, "", first))
        assert (allowed.ending, allowed.slowest) == ("line", slowest), "to a tenth of a millisecond"
    assert play(Match(("slow", "first"), TICTACTOE, 0.5, 1, 0.25), Fixture(0, "", first)).ending == "line"
    late = play(Match(("slow", "first"), TICTACTOE, 0.5, 1, 0.125), Fixture(0, "", first))
    assert (late.ending, late.slowest, late.note) == ("time", (0.75, 0.0), "slow: It took 0.750 s.")
    assert tengen.loads(late.data()).cursor.comment == late.note


def test_a_match_is_told_apart_by_its_players_game_times_and_seed() -> None:
    about = {"format": "tengen-arena", "players": ["a", "b"], "game": "gomoku", "size": 9, "rule": "freestyle"}
    assert Match(("a", "b"), SMALL, 2.0, 3, 9.0).document() == {**about, "seconds": 2.0, "seed": 3}
    own = Match(("a", "b"), SMALL, 2.0, own=(1.0, 2.0), names=("A" * 201, "B"))
    assert own.document() == {**about, "seconds": 2.0, "seed": None, "own": [1.0, 2.0]}
    assert [(seat.player, seat.name, seat.seconds) for seat in map(own.seat, (0, 1))] == [
        ("a", "A" * 200, 1.0), ("b", "B", 2.0),
    ]  # fmt: skip


@pytest.mark.parametrize("names", [("twin", "twin"), ("one", "other")])
def test_the_sides_of_a_game_share_no_player_and_games_do(
    names: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Odd] = []
    for name in names:
        kind = PlayerKind(make=lambda _options, _context: made.append(Odd("first", Time())) or made[-1])
        monkeypatch.setitem(KINDS, name, kind)
    for first in (0, 1):
        play(Match(names, TICTACTOE, 1.0), Fixture(first, "", first))
    assert len(made) == 2


@pytest.mark.usefixtures("odd")
def test_a_game_is_recorded_whole() -> None:
    """With the evaluations of the strongest player only."""
    *moves, found = play_live(Match(("alphabeta", "random"), TICTACTOE, 0.5, 1), Fixture(3, "b2", 1))
    assert isinstance(found, Played)
    record = tengen.loads(found.data())
    assert moves == [node.move for node in record.line()[2:]]
    assert record.position.ply == found.plies
    assert [seat.name for seat in record.seats] == ["random", "alphabeta"]
    assert record.line()[2].seconds is not None
    known = [node.evaluation for node in record.line()]
    assert known[3] is None
    assert known[2].by == "alphabeta"
    assert "record" not in found.document()


def test_each_game_has_a_seed_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int | None] = []
    kind = PlayerKind(make=lambda _, context: found.append(context.seed) or Odd("first", Time()), seeded=True)
    monkeypatch.setitem(KINDS, "seeded", kind)
    for seed in (5, None):
        play(Match(("seeded", "seeded"), TICTACTOE, 1.0, seed), Fixture(7, "", 0))
    assert found == [5007, 5007, None, None]


GAME = json.loads(json.dumps(Played(0, "", 1, 0.5, "line", 0, (0.0, 0.0), "").document()))


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("number", (0, 10**9), (-1, 10**9 + 1)), ("first", (0, 1), (-1, 2)), ("score", (1, 0.5, 0), (0.75,)),
        ("plies", (0, 10**6), (-1, 10**6 + 1)), ("slowest", (), ([-1, 0], [0, -1], [0])),
        ("note", ("",), ("x" * ((1 << 24) + 1),)),
    ],
)  # fmt: skip
def test_a_game_of_a_journal_has_bounds(name: str, good: tuple[Any, ...], bad: tuple[Any, ...]) -> None:
    for value in good:
        assert getattr(played_of({**GAME, name: value}), name) == value
    for value in bad:
        with pytest.raises(DecodeError):
            played_of({**GAME, name: value})


def test_players_of_one_game_are_closed_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    kind = PlayerKind(make=lambda _options, _context: Odd("first", Time()), seeded=True)
    monkeypatch.setitem(KINDS, "first", kind)
    monkeypatch.setattr(Odd, "close", lambda self: closed.append(self.name))
    play(Match(("first", "alphabeta"), TICTACTOE, 1.0), Fixture(0, "b2a1", 0))
    assert closed == ["first"], "while the other is used again"


def test_a_draw_is_half_a_point() -> None:
    assert play(Match(("minimax", "alphabeta"), TICTACTOE, 30.0), Fixture(0, "b2a1", 0)).score == 0.5


# Matches.


@contextmanager
def threads(workers: int, cluster: str | None = None) -> Iterator[ThreadPoolExecutor]:
    """Instead of processes, which take their time to start."""
    with ThreadPoolExecutor(1) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "open_executor", threads)


def silent(standing: Standing, games: int) -> None:
    pass


PERFECT = Match(("alphabeta", "random"), TICTACTOE, 0.5, 1, grace=5.0)


@pytest.mark.usefixtures("quick")
def test_a_match(tmp_path: Path) -> None:
    told: list[int] = []
    file = tmp_path / "m.jsonl"
    standing = run(PERFECT, Options(9, resume=file), lambda now, games: told.append(games))
    assert standing.games == 10
    assert told == [10] * 11
    assert standing.count(0) == 0
    assert standing.elo.elo > 100
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert rows[0]["players"] == ["alphabeta", "random"]
    assert sorted(row["number"] for row in rows[1:]) == list(range(10))
    saved = sorted((tmp_path / "m-games").glob("*.tengen.json"))
    assert [path.name for path in saved][:2] == ["00001.tengen.json", "00002.tengen.json"]
    assert load(saved[0]).seats[0].name == "alphabeta"
    assert load(saved[1]).seats[1].name == "alphabeta"


@pytest.mark.usefixtures("quick")
def test_a_match_goes_on_where_it_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "m.jsonl"
    run(PERFECT, Options(6, resume=file), silent)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:4]) + lines[4][:25], encoding="utf-8")  # killed while it wrote the fourth game

    played: list[int] = []

    def counted(match: Match, fixture: Fixture) -> Played:
        played.append(fixture.number)
        return play(match, fixture)

    monkeypatch.setattr(arena_module, "play", counted)
    standing = run(PERFECT, Options(6, resume=file), silent)
    assert standing.games == 6
    assert sorted(played) == [3, 4, 5]
    assert len(file.read_text(encoding="utf-8").splitlines()) == 7
    assert run(PERFECT, Options(6, resume=file), silent).games == 6
    assert len(played) == 3


def files_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.tengen.json"))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "names", [("v0.24.jsonl", "v0.25.jsonl"), ("m.jsonl", "m.json"), ("m.jsonl", "m"), ("m", "m.json"), ("a.b", "a.c")]
)
def test_two_matches_overwrote_the_games_of_each_other(names: tuple[str, str], tmp_path: Path) -> None:
    def other(now: Standing, _games: int) -> None:
        if now.games == 1:
            run(Match(("random", "random"), TICTACTOE, 0.5), Options(4, resume=tmp_path / names[1]), silent)

    run(PERFECT, Options(2, resume=tmp_path / names[0]), other)
    folders = [path for path in tmp_path.iterdir() if path.is_dir()]
    assert sorted(len(files_of(folder)) for folder in folders) == [2, 4]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["v0.24.jsonl", "m.json", "m"])
def test_a_match_goes_on_in_the_games_folder_of_an_older_version(name: str, tmp_path: Path) -> None:
    """But not if another match may have used it, too."""
    file = tmp_path / name
    run(PERFECT, Options(2, resume=file), silent)
    (own,) = (path for path in tmp_path.iterdir() if path.is_dir())
    older = own.rename(tmp_path / f"{name.partition('.')[0]}-games")
    run(PERFECT, Options(4, resume=file), silent)
    assert (own.exists(), len(files_of(older))) == (False, 4)
    other = file.with_name(f"{name.partition('.')[0]}.25.jsonl")
    other.write_bytes(file.read_bytes())
    for each, games in ((file, 6), (other, 8)):
        run(PERFECT, Options(games, resume=each), silent)
    assert len(files_of(older)) == 4
    assert files_of(own) == ["00005.tengen.json", "00006.tengen.json"]


@pytest.mark.usefixtures("quick")
def test_a_file_of_another_match_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    run(PERFECT, Options(2, resume=file), silent)
    with pytest.raises(ArenaError, match="another match"):
        run(Match(("random", "random"), TICTACTOE, 0.5, 1), Options(2, resume=file), silent)
    file.write_text("no JSON\n", encoding="utf-8")
    with pytest.raises(ArenaError, match="not the file of a match"):
        run(PERFECT, Options(2, resume=file), silent)
    assert file.read_text(encoding="utf-8") == "no JSON\n"


RANDOM = Match(("random", "random"), SMALL, 1.0)


class Killed(BaseException):
    """Ends a match after a game."""


def kill(standing: Standing, games: int) -> None:
    if standing.games == 1:
        raise Killed


def kept_openings(file: Path) -> list[tuple[int, str]]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    return sorted((row["number"], row["opening"]) for row in rows)


@pytest.mark.usefixtures("quick")
def test_a_resumed_match_without_a_seed_played_a_pair_from_two_openings(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    with pytest.raises(Killed):
        run(RANDOM, Options(4, resume=file), kill)
    run(RANDOM, Options(4, resume=file), silent)
    first, second, *_ = openings(SMALL, None, None)
    assert kept_openings(file) == [(0, first), (1, first), (2, second), (3, second)]


@pytest.mark.usefixtures("quick")
def test_a_match_went_on_with_another_file_of_openings(tmp_path: Path) -> None:
    file, one, other = tmp_path / "m.jsonl", tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text("a1\n")
    other.write_text("e5e6\n")
    with pytest.raises(Killed):
        run(RANDOM, Options(2, resume=file, openings=one), kill)
    kept = file.read_bytes()
    with pytest.raises(ArenaError, match="belongs to another match"):
        run(RANDOM, Options(2, resume=file, openings=other), silent)
    assert file.read_bytes() == kept
    assert run(RANDOM, Options(2, resume=file, openings=one), silent).games == 2


@pytest.mark.usefixtures("quick")
def test_a_journal_whose_openings_were_in_any_order_goes_on(tmp_path: Path) -> None:
    """Older versions shuffled them anew at each start: game 0 waits for its twin, and 2 and 3 are no pair."""
    file = tmp_path / "m.jsonl"
    run(RANDOM, Options(2, resume=file), silent)
    head, row, _ = file.read_text(encoding="utf-8").splitlines()
    *_, third, second, first = openings(SMALL, None, None)
    rows = [json.dumps(json.loads(row) | {"number": number, "first": number % 2, "opening": opening})
            for number, opening in ((0, first), (3, second), (2, third))]  # fmt: skip
    file.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    assert run(RANDOM, Options(4, resume=file), silent).games == 4
    assert kept_openings(file) == sorted([(0, first), (1, first), (2, third), (2, second), (3, second)])
    kept = file.read_bytes()
    assert run(RANDOM, Options(4, resume=file), silent).games == 4
    assert file.read_bytes() == kept


@pytest.mark.usefixtures("quick")
def test_a_match_may_end_when_the_test_decides() -> None:
    standing = run(PERFECT, Options(400, elo1=200.0, early=True), silent)
    assert standing.games < 400
    assert standing.sprt.status == "elo1"


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Fixture]:
    """Return the list of the games that are played from now on."""
    begun: list[Fixture] = []
    monkeypatch.setattr(arena_module, "play", lambda match, fixture: begun.append(fixture) or play(match, fixture))
    return begun


@pytest.mark.usefixtures("quick")
def test_a_match_that_the_test_had_decided_went_on_when_it_was_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.jsonl"
    decided = run(PERFECT, Options(400, resume=file, elo1=200.0, early=True), silent)
    begun, told = counted(monkeypatch), list[int]()
    again = run(PERFECT, Options(400, resume=file, elo1=200.0, early=True), lambda now, _games: told.append(now.games))
    assert (again.document(), begun, told) == (decided.document(), [], [decided.games])
    assert run(PERFECT, Options(decided.games + 2, resume=file), silent).games > decided.games, "without --sprt"


@pytest.mark.usefixtures("quick")
def test_kept_games_beyond_those_planned_were_counted(tmp_path: Path) -> None:
    """The progress was 8 of 4."""
    file = tmp_path / "m.jsonl"
    run(PERFECT, Options(8, resume=file), silent)
    kept, told = file.read_bytes(), list[tuple[int, int]]()
    standing = run(PERFECT, Options(4, resume=file), lambda now, games: told.append((now.games, games)))
    assert (standing.games, sum(standing.endings.values()), told) == (4, 4, [(4, 4)])
    assert file.read_bytes() == kept


def test_pairs_are_counted_when_both_halves_are_over() -> None:
    standing = Standing()
    for number, score in ((0, 1.0), (1, 0.5), (2, 1.0), (5, 0.0)):
        standing.add(Played(number, "", number % 2, score, "line", 9, (0.0, 0.0), ""))
    assert standing.independent_scores() == [0.75]
    elo, test = estimate([0.75]), sprt([0.75], 0, 10)
    assert standing.document() == {
        "games": 4, "wins": 2, "draws": 1, "losses": 1, "elo": elo.elo, "elo_error": elo.error, "sprt": asdict(test),
    }  # fmt: skip
    assert str(standing) == f"+2 =1 -1  Elo {elo.elo:+.0f} ± {elo.error:.0f}  LLR {test.llr:+.2f} (open)"
    assert standing.endings == {"line": 4}


def test_the_engine_is_waited_for_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = SimpleNamespace(name="failed", reason="It fails.")
    monkeypatch.setattr(arena_module, "wait_on_terminal", lambda _handle: state)
    arena_module.check_players(("random", "level:1"), TICTACTOE, here=False)
    with pytest.raises(ArenaError, match="It fails"):
        arena_module.check_players(("random", "engine"), SMALL, here=False)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_a_match_that_is_terminated_says_where_its_games_are(capsys: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(SystemExit) as ending,
        arena_module.interruptible(arena_module.MatchProgress().meter, "match", Options().saved),
    ):
        signal.raise_signal(signal.SIGTERM)
    assert ending.value.code == 128 + signal.SIGTERM
    assert capsys.readouterr().err == "The match was interrupted; no game is saved without --resume.\n"
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


@pytest.mark.parametrize(("there", "threads", "games"), [(1, 1, 1), (1, 4, 1), (8, 1, 8), (8, 3, 2), (3, 4, 1)])
def test_games_at_once_share_no_processor(
    there: int, threads: int, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena_module, "processors", lambda: there)
    monkeypatch.setattr(arena_module, "threads", lambda name, _game: threads if name == "a" else 1)
    assert arena_module.games_at_once(("b", "a"), "gomoku") == games


def test_a_match_is_told_with_how_its_games_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    standing = Standing()
    for number, ending in enumerate(("time", "line", "line")):
        standing.add(Played(number, "", 0, 1.0, ending, 9, (0.0, 0.0), ""))
    monkeypatch.setattr(arena_module, "run", lambda *_: standing)
    arena_module.arena(PERFECT, Options(), False)
    told = f"alphabeta against random: 3 games, {standing}\nendings: 2 by line, 1 by time\n"
    assert capsys.readouterr() == (told, "")


@pytest.mark.parametrize(
    ("game", "player", "status", "says"),
    [("gomoku", "nobody", 2, "There is no player “nobody”"), ("gomoku", "cmd:/no/such/binary", 1, "cannot be started"),
     ("gomoku", f'cmd:"{sys.executable}" -c ""', 1, "has ended"), ("bones", "cmd:x", 2, "play gomoku only"),
     ("gomoku", "engine:threads=abc", 2, "threads is a whole number from 1"),
     ("tictactoe", "engine:threads=0", 2, "threads"), ("gomoku", "engine:colour=2", 2, "has no option colour"),
     ("gomoku", "engine:RFP=much", 2, "RFP is"), ("gomoku", "level:11", 2, "levels are level:1 to level:10"),
     ("bones", "level:4", 2, "level:1 to level:3")],
)  # fmt: skip
def test_arena_with_a_player_that_cannot_start_exited_0_with_an_elo(
    game: str, player: str, status: int, says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "m.jsonl"
    assert main.main(["arena", "random", player, "--game", game, "--games", "2", "--resume", str(file)]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert says in err
    assert err.endswith(".\n")
    assert not file.exists()


@pytest.mark.usefixtures("quick", "odd")
def test_a_player_that_crashes_in_every_game_had_an_elo() -> None:
    with pytest.raises(ArenaError, match=r"Every game ended with a crash.*broken: .*a bug"):
        run(Match(("random", "broken"), SMALL, 0.1, 1), Options(4), silent)


@pytest.mark.usefixtures("quick", "odd")
def test_a_crash_in_some_games_loses_them() -> None:
    standing = run(Match(("random", "fragile"), SMALL, 0.1, 1), Options(2), silent)
    assert standing.endings["crash"] == 1
    assert standing.games == 2


def test_a_cluster_needs_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ArenaError, match=r'python -m pip install "\.\[cluster\]"\.$'):
        run(PERFECT, Options(2, cluster="tcp://localhost:1"), silent)


# The command.


def test_the_command_plays_in_processes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ["arena", "alphabeta", "random", "--game", "tictactoe", "--games", "4", "--seed", "1"]
    assert main.main([*arguments, "--resume", str(tmp_path / "m.jsonl"), "--json"]) == 0
    out, err = capsys.readouterr()
    found: dict[str, Any] = json.loads(out)
    assert (found["games"], found["losses"]) == (4, 0)
    assert set(found["sprt"]) == {"llr", "lower", "upper", "elo0", "elo1", "status"}
    assert err.splitlines()[-1].startswith("4/4")
    assert main.main([*arguments, "--resume", str(tmp_path / "m.jsonl")]) == 0
    assert "4 games" in capsys.readouterr().out


@pytest.mark.usefixtures("quick")
def test_two_processes_do_not_play_one_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each overwrote the games of the other."""
    file = tmp_path / "m.jsonl"
    arguments = ["arena", "random", "random", "--game", "tictactoe", "--games", "2", "--resume", str(file)]
    code = "import sys; from pathlib import Path; from games.storage import lock; held = lock(Path(sys.argv[1]));"
    code += "print(held is not None, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "m-games" / ".lock")], cwd=Path(main.__file__).parent,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as other:  # fmt: skip
        assert other.stdout.readline() == "True\n"
        assert main.main(arguments) == 1
        assert capsys.readouterr().err == "The match in “m.jsonl” is being played by another process.\n"
        assert not file.exists()
        other.kill()
    assert main.main(arguments) == 0, "a lock of a killed process holds nobody up"
