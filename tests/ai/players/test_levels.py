"""The levels: their limits, their determinism, and their rising strength."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from ai.core.player import Limit, answer
from ai.core.score import Score
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
from ai.players.opponents import ANCHOR_ELO, Level, opponents
from ai.players.table import Context, elo, make, measured_elo, offered_players
from ai.service.profile import resolve_level
from games.formats import read_target
from games.line import LinePosition
from games.position import Position, own_plans
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


def test_a_shallow_search_of_one_ply_compares_the_first_candidates_by_their_evaluation() -> None:
    position = after(OPENING)
    player = ShallowSearch(Level(depth=1, breadth=5), 1)
    assert LevelPlayer(1).nodes == player.nodes == 0
    info = answer(player, position, Limit(lines=4))
    values = sorted((-position.play(move).evaluate() for move in position.candidates()[:5]), reverse=True)
    assert [line.score for line in info.lines] == values[:4]
    assert (info.depth, info.nodes, player.nodes) == (1, 5, 5)
    assert (info.move, info.score) == (info.lines[0].moves[0], values[0])
    assert len(answer(ShallowSearch(Level(depth=1), 1), position, Limit(lines=300)).lines) == len(position.candidates())
    assert len(answer(player, position, Limit(nodes=2, lines=9)).lines) == 2


def test_a_move_that_keeps_the_turn_is_worth_what_the_position_after_it_is() -> None:
    position = SOWING.start(0, "")
    info = answer(ShallowSearch(Level(depth=1), 1), position, Limit(lines=9))
    assert [(line.moves, line.score) for line in info.lines] == [((2,), 100), ((3,), 100), ((1,), 0)]


def test_noise_changes_what_is_estimated_and_not_what_is_proven() -> None:
    position, won = after(OPENING), after("h8h7h9a15h10o1h11a1")
    for seed in range(4):
        noisy = {line.moves: line.score for line in answer(ShallowSearch(Level(depth=1, breadth=9, noise=50), seed),
                                                           position, Limit(lines=9)).lines}  # fmt: skip
        errors = [score + position.play(moves[0]).evaluate() for moves, score in noisy.items()]
        assert min(errors) < 0 < max(errors)
        assert 25 < max(map(abs, errors)) <= 50
        best = answer(ShallowSearch(Level(depth=1, noise=300), seed), won, Limit())
        assert (best.score, best.move) == (Score.win_in(1), won.parse_move("h12"))


def test_a_deeper_shallow_search_tells_its_line_and_the_plies_to_a_win() -> None:
    won = after("h8a1h9a15h10o1")
    info = answer(ShallowSearch(Level(depth=3, nodes=90_000, breadth=9), 1), won, Limit())
    assert (info.mate, len(info.pv)) == (3, 3)


@pytest.mark.parametrize("game", ["gomoku", "connect4"])
def test_who_does_not_care_follows_its_own_plan_or_plays_any_legal_move(game: str) -> None:
    position = after(OPENING) if game == "gomoku" else setup(game).start()
    moves = set()
    for seed in range(60):
        player = ShallowSearch(Level(depth=1, error_rate=1.0), seed)
        moves.add(answer(player, position, Limit()).move)
        assert player.nodes == 1
    assert moves == set(own_plans(position)[:1] or position.legal_moves())


def test_a_level_between_two_plays_as_either_and_one_that_lapses_as_the_one_two_below() -> None:
    """Level 4 lapses in 8 % of its moves."""
    levels, position = opponents("gomoku").levels, after(OPENING)
    drawn = Counter(levels.index(LevelPlayer(3.4, seed).level(position)) for seed in range(2000))
    assert drawn.keys() == {1, 2, 3}
    assert [drawn[each] / 2000 for each in (1, 2, 3)] == pytest.approx([0.032, 0.6, 0.368], abs=0.03)
    whole = {levels.index(LevelPlayer(number, seed).level(position)) for number in (3, 5, 10) for seed in range(50)}
    assert whole == {2, 4, 9}
    assert LevelPlayer(9, 1).level(setup("bones").start()) == opponents("bones").levels[-1]


LIMITS = {"gomoku": "8bde6a70a0c5", "tictactoe": "124828ada74f", "bones": "924c1ed14e0d", "connect4": "2315f47e70f7"}
"""Digests of the limits with which the ladder was measured."""


@pytest.mark.parametrize("game", LADDERS)
def test_a_level_that_is_changed_is_measured_anew(game: str) -> None:
    """`python -m ai.lab.ladder` writes the Elo of other limits; then write their digest here."""
    entry = opponents(game)
    assert sha256(repr((entry.levels, entry.stand_in)).encode()).hexdigest()[:12] == LIMITS[game]


PLAYED = {
    "gomoku": [(154, 277, 1, 12), (154, 76, 1, 20), (83, 35, 2, 220), (113, 89, 2, 61), (113, 247, 3, 154),
               (142, 175, 4, 419), (143, 166, 5, 865), (142, 200, 5, 935), (142, 200, 5, 1195), (142, 200, 5, 1195)],
    "connect4": [(3, -26, 1, 1), (5, 45, 1, 7), (5, 70, 3, 242), (5, 18, 4, 793), (1, 17, 5, 1603), (2, 42, 5, 2136)],
}  # fmt: skip


@pytest.mark.parametrize("game", PLAYED)
def test_levels_search_and_err_as_they_did_when_they_were_measured(game: str) -> None:
    """The move, its score, the depth and the nodes; within the limits of a search, too."""
    position = after(OPENING) if game == "gomoku" else setup(game).start()
    players = [LevelPlayer(number, 3) for number in range(1, len(PLAYED[game]) + 1)]
    infos = [answer(player, position, Limit(nodes=2000, depth=5, lines=2)) for player in players]
    assert [(info.move, info.score, info.depth, info.nodes) for info in infos] == PLAYED[game]
    assert [len(info.lines) for info in infos[1:]] == [2] * (len(infos) - 1)


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
    assert data["anchor"] == {"level": opponents(game).anchor, "elo": ANCHOR_ELO}
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
    elos = level_elos(game)
    assert level_elo(game, 1.5).error == max(elos[0].error, elos[1].error)
    assert (level_elo(game, 0), level_elo(game, 99)) == (elos[0], elos[-1])
    assert level_for(game, elos[0].elo + 0.34 * (elos[1].elo - elos[0].elo)) == 1.3
    nearly = level_elo(game, len(elos) - 0.9).elo
    assert nearly == pytest.approx(elos[-2].elo + 0.1 * (elos[-1].elo - elos[-2].elo))


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
    assert elo(EVEN, game) is elo("level:1", "another game") is None


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


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Take what was measured of gomoku, in JSON, in place of ladder.json."""
    file = tmp_path / "ladder.json"

    def write(gomoku: str) -> None:
        file.write_text(f'{{"games": {{"gomoku": {gomoku}}}}}')
        monkeypatch.setattr("ai.players.levels.LADDER", file)
        read_ladder.cache_clear()

    yield write
    read_ladder.cache_clear()


def test_a_damaged_ladder_without_levels_ended_the_program(measured: Callable[[str], None]) -> None:
    measured('{"levels": null, "players": null}')
    assert (level_elos("gomoku"), elo_by_matches("gomoku", "mcts")) == ([], None)


def test_a_level_that_is_no_stronger_than_the_one_below_is_passed_over(measured: Callable[[str], None]) -> None:
    elos = ", ".join(f'{{"elo": {elo}, "error": 9}}' for elo in (1000, 1000, 900, 1200))
    measured(f'{{"levels": [{elos}]}}')
    assert [level_for("gomoku", rating) for rating in (900, 999, 1000, 1100, 1200)] == [1, 1, 3, 3.5, 4]


def test_the_score_against_a_program_counts_draws_as_half() -> None:
    assert ProgramMatch("Some", 0.2, wins=3, draws=2, losses=5).score == 0.4
    assert ProgramMatch("One", 0.2, wins=1, draws=0, losses=0).score == 1
    assert ProgramMatch("None", 0.2, wins=0, draws=0, losses=0).score == 0


def test_matches_with_programs_are_read_of_each_game_and_player(measured: Callable[[str], None]) -> None:
    met = '{"program": "Other", "seconds": 0.5, "wins": 1, "draws": 1, "losses": 0, "date": "2026-11-27"}'
    measured(f'{{"programs": {{"level:10": {met}}}}}')
    assert match_with_program("gomoku", "level:10") == ProgramMatch("Other", 0.5, 1, 1, 0)
    for seconds, read in ((3600, True), (3601, False)):
        measured(f'{{"programs": {{"level:10": {met.replace("0.5", str(seconds))}}}}}')
        assert (match_with_program("gomoku", "level:10") is not None) == read
    assert match_with_program("gomoku", "engine") is None
    assert match_with_program("bones", "level:10") is None
