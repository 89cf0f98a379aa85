"""The levels: their limits, their determinism, and their rising strength."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from ai.core.player import Limit, answer
from ai.gomoku.handle import EngineHandle
from ai.lab.ladder import PAGE, chain, ladder, measure, page, place
from ai.lab.node_match import NodeMatch
from ai.players.levels import (
    EVEN,
    LevelPlayer,
    ProgramMatch,
    ShallowSearch,
    chance,
    elo_by_matches,
    is_level,
    level_elo,
    level_elos,
    level_for,
    match_with_program,
    number_of,
    read_ladder,
)
from ai.players.opponents import Level, opponents
from ai.players.table import Context, elo, make, measured_elo, offered_players
from ai.service.profile import resolve_level
from games.formats import read_target
from games.line import LinePosition
from games.position import Position
from games.registry import GAMES, setup
from tests.games.sowing import SOWING
from tests.sampling import sampled

LADDERS = list(ladder()["games"])
NUMBERS = range(1, len(opponents("gomoku").levels) + 1)
FOUR = "h8a1h9a15h10o1h11"  # black has four in a row, one end open on each side: h12 and h7
BLOCKED_FOUR = "h8h7h9a15h10o1h11"
OPENING = "h8i9g7i7"


def after(moves: str) -> Position:
    return read_target(moves, setup("gomoku")).position


def move_of(number: float, position: Position, seed: int = 1) -> int:
    return answer(LevelPlayer(number, seed), position, Limit()).move


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_every_level_blocks_a_four_on_its_better_days(number: int) -> None:
    position = after(BLOCKED_FOUR)
    block = position.parse_move("h12")
    blocked = sum(move_of(number, position, seed) == block for seed in range(20))
    assert blocked >= (10 if number == 1 else 17)
    assert number < 5 or blocked == 20, "from there on, always"


@pytest.mark.parametrize("number", NUMBERS)
def test_every_level_completes_five(number: int) -> None:
    position = after("h8h7h9a15h10o1h11a1")
    five = position.parse_move("h12")
    assert all(move_of(number, position, seed) == five for seed in range(5))


@pytest.mark.parametrize("number", sampled(NUMBERS, 3))
@pytest.mark.parametrize("moves", ["h8", OPENING, FOUR])
def test_no_level_plays_far_from_all_stones(number: int, moves: str) -> None:
    position = after(moves)
    assert isinstance(position, LinePosition)
    for seed in range(4):
        move = move_of(number, position, seed)
        stones = (cell for cell, content in enumerate(position.cells) if content)
        assert min(distance(move, stone) for stone in stones) <= 2, position.move_text(move)


def distance(one: int, other: int, width: int = 15) -> int:
    return max(abs(one // width - other // width), abs(one % width - other % width))


@pytest.mark.slow
@pytest.mark.parametrize("number", [*NUMBERS, 3.5])
def test_a_level_repeats_itself_for_a_seed(number: float) -> None:
    """Whatever it was asked before, and whichever of two players it is."""
    position = after(OPENING)
    player = LevelPlayer(number, 7)
    first = answer(player, position, Limit())
    answer(player, position.play(first.move), Limit())
    again, other = answer(player, position, Limit()), answer(LevelPlayer(number, 7), position, Limit())
    assert (first.move, first.score) == (again.move, again.score) == (other.move, other.score)


@pytest.mark.parametrize("number", [1, 2, 4])
def test_another_seed_is_another_game(number: int) -> None:
    position = after(OPENING)
    assert len({move_of(number, position, seed) for seed in range(12)}) > 1


def test_the_higher_levels_see_more_wins_by_fours() -> None:
    from ai.lab.engine_speed import problems

    wins = [problem.position for problem in problems() if problem.rule == "freestyle" and 11 <= problem.plies <= 25]

    def solved(number: int) -> int:
        return sum(answer(LevelPlayer(number, 1), position, Limit()).mate is not None for position in wins)

    assert solved(5) < len(wins) == solved(10)


@pytest.mark.slow
@pytest.mark.parametrize("game", [*GAMES, SOWING.key])
@pytest.mark.parametrize("name", sampled(["level:1", "level:10", "level:2.5", EVEN, "level:even=3.4"], 2))
def test_levels_play_every_game(game: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one without levels."""
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    monkeypatch.setitem(GAMES, SOWING.key, SOWING)
    position = setup(game).start()
    player = make(resolve_level(name, game), Context(game, seed=1))
    for _ in range(3):
        move = answer(player, position, Limit()).move
        assert move in position.legal_moves()
        position = position.play(move)


def test_a_level_stands_in_for_itself_while_the_engine_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ai.players.levels.EngineLevel", None)
    position = after(OPENING)
    info = answer(LevelPlayer(9, 1, engine=EngineHandle(at_once=False)), position, Limit(seconds=5.0))
    assert info.move in position.legal_moves()
    assert info.stand_in


def test_limits_hold() -> None:
    position = after(OPENING)
    info = answer(LevelPlayer(10, 1), position, Limit(depth=3, nodes=500))
    assert info.depth <= 3
    assert info.nodes <= 2_000
    assert len(answer(LevelPlayer(2, 1), position, Limit(lines=3)).lines) == 3


def test_a_shallow_search_is_no_deeper_than_it_is_told() -> None:
    player = ShallowSearch(Level(depth=3, nodes=100), 1)
    answer(player, after(OPENING), Limit())
    assert player.nodes < 400
    assert answer(player, after(OPENING), Limit(depth=1)).depth == 1


def test_chance_is_even_and_repeats_itself() -> None:
    position = after(OPENING)
    drawn = [chance(seed, "test", position) for seed in range(2000)]
    assert drawn[:9] == [chance(seed, "test", position) for seed in range(9)]
    assert sum(drawn) / len(drawn) == pytest.approx(0.5, abs=0.03)


# Names.


def test_names_of_levels() -> None:
    assert number_of("level:3") == 3
    assert number_of("level:even=3.4") == 3.4
    assert is_level("level:10")
    assert is_level(EVEN)
    assert not any(map(is_level, ("level:0", "level:11", "level:", "level:x", "level:nan", "level:1e1", "level:even=")))


def test_an_even_level_is_fixed_when_a_game_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    for game in LADDERS:
        name = resolve_level(EVEN, game)
        assert number_of(name) == opponents(game).friendly, "a newcomer is taken to be as strong as the friendly level"
        assert resolve_level(name, game) == name, "and again in the next game"
        assert resolve_level("level:3", game) == "level:3"


# The ladder.


@pytest.mark.parametrize("game", LADDERS)
def test_the_ladder_has_every_level_and_rises(game: str) -> None:
    data = ladder()["games"][game]
    assert len(level_elos(game)) == len(opponents(game).levels)
    assert level_elos(game)[data["anchor"]["level"] - 1].elo == data["anchor"]["elo"]
    assert all(lower.elo < upper.elo for lower, upper in pairwise(level_elos(game)))
    for step in data["steps"]:
        assert step["wins"] + step["draws"] + step["losses"] == step["games"]


def test_each_level_beats_the_one_below() -> None:
    for step in ladder()["games"]["gomoku"]["steps"]:
        score = (step["wins"] + step["draws"] / 2) / step["games"]
        assert 0.6 <= score <= 0.95, step


@pytest.mark.parametrize("game", LADDERS)
def test_a_rating_and_its_level_agree(game: str) -> None:
    for number in range(1, len(opponents(game).levels) + 1):
        assert level_for(game, level_elo(game, number).elo) == number
    assert level_for(game, -1000) == 1
    assert level_for(game, 9000) == len(opponents(game).levels)
    between = (level_elo(game, 1).elo + level_elo(game, 2).elo) / 2
    assert level_for(game, between) == pytest.approx(1.5, abs=0.06)
    assert level_elo(game, 1.5).elo == pytest.approx(between)


def test_the_page_of_the_ladder_is_of_the_data() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(ladder())


@pytest.mark.parametrize("game", LADDERS)
def test_a_placed_player_has_the_elo_of_its_match(game: str) -> None:
    players = ladder()["games"][game].get("players", {})
    assert players.keys() <= set(offered_players(game)), "set-up shows it"
    for name, match in players.items():
        assert match["wins"] + match["draws"] + match["losses"] == match["games"]
        known, level = measured_elo(name, game), level_elo(game, match["level"])
        assert known is not None
        assert known.elo == level.elo + match["elo"]
        assert known.error >= max(level.error, match["error"])
        assert elo(name, game) is None, "games against it are not rated"
    assert measured_elo("random", game) is None
    assert measured_elo("level:2", game) == level_elo(game, 2)


def test_a_player_is_placed_by_a_match_that_depends_on_nodes_only(tmp_path: Path) -> None:
    match = NodeMatch("bones", ("alphabeta", "level:1"), (5000, 5000), plies=1)
    found = place(match, 4, workers=None)
    assert (found["level"], found["nodes"], found["games"]) == (1, 5000, 4)
    assert found["wins"] > found["losses"]
    assert found == place(match, 4, workers=None, folder=tmp_path) == place(match, 4, workers=None, folder=tmp_path)
    assert [path.suffix for path in tmp_path.iterdir() if path.suffix == ".jsonl"] == [".jsonl"]


@pytest.mark.slow
def test_the_ladder_program_measures_what_it_writes() -> None:
    found = measure("bones", games=2, seed=1, workers=1)
    assert [step["games"] for step in found["steps"]] == [2, 2]
    assert found["levels"] == list(chain(found["steps"], 2, 1500.0))
    assert found == measure("bones", games=2, seed=1, workers=2), "levels depend on no time and no order"


def test_errors_add_up_away_from_the_anchor() -> None:
    steps = [{"elo": 100.0, "error": 30.0}, {"elo": 200.0, "error": 40.0}]
    assert list(chain(steps, 1, 1500.0)) == [
        {"elo": 1500, "error": 0},
        {"elo": 1600, "error": 30},
        {"elo": 1800, "error": 50},
    ]
    assert [level["elo"] for level in chain(steps, 3, 1500.0)] == [1200, 1300, 1500]


def test_a_damaged_ladder_without_levels_ended_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ladder.json"
    file.write_text('{"games": {"gomoku": {"levels": null, "players": null}}}')
    monkeypatch.setattr("ai.players.levels.LADDER", file)
    read_ladder.cache_clear()
    assert (level_elos("gomoku"), elo_by_matches("gomoku", "mcts")) == ([], None)
    read_ladder.cache_clear()


def test_the_score_against_a_program_counts_draws_as_half() -> None:
    assert ProgramMatch("Some", 0.2, wins=3, draws=2, losses=5).score == 0.4
    assert ProgramMatch("None", 0.2, wins=0, draws=0, losses=0).score == 0


def test_matches_with_programs_are_read_of_each_game_and_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = '{"program": "Other", "seconds": 0.5, "wins": 1, "draws": 1, "losses": 0, "date": "2026-11-27"}'
    file = tmp_path / "ladder.json"
    file.write_text(f'{{"games": {{"gomoku": {{"programs": {{"level:10": {met}}}}}}}}}')
    monkeypatch.setattr("ai.players.levels.LADDER", file)
    read_ladder.cache_clear()
    assert match_with_program("gomoku", "level:10") == ProgramMatch("Other", 0.5, 1, 1, 0)
    assert match_with_program("gomoku", "engine") is None
    assert match_with_program("bones", "level:10") is None
    read_ladder.cache_clear()
