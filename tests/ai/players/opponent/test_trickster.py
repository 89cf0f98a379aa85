"""The player who counts on errors: sound where it can be proven, tempting where that costs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from ai.core.player import Budget, Info, Limit, Line, Player, Stop, answer
from ai.core.score import Score
from ai.players.levels import level_elos
from ai.players.opponent import model as store
from ai.players.opponent.chances import chances, tactics
from ai.players.opponent.model import LevelModel, OpponentModel
from ai.players.opponent.trickster import COST, Trickster, cheap
from ai.players.opponents import OPPONENTS
from ai.players.table import Context, check, make
from ai.search.alphabeta import AlphaBeta
from ai.search.minimax import RandomPlayer
from games.bones import BonesPosition
from games.position import Position
from games.registry import GAMES, setup
from tests.ai.players.opponent.positions import at
from tests.sampling import sampled


def trickster(misses: dict[str, float] | None = None, temperature: float = 0.01) -> Trickster:
    model = OpponentModel(temperature=temperature, misses=misses or {})
    return Trickster(AlphaBeta(), lambda: model, deepening=True)


def blind_to(game: str, *kinds: str) -> dict[str, float]:
    return {kind: 0.9 if kind in kinds else 0.0 for kind in tactics(game).kinds}


def test_it_sets_the_trap_that_the_opponent_does_not_see() -> None:
    """X in a corner, O in the centre: some moves of X leave O moves that lose to a fork, others do not."""
    position = at("tictactoe", "a1b2")
    traps = {move: [each.kind for each in chances(position.play(move))] for move in position.legal_moves()}
    assert ["block"] in traps.values()
    assert traps[answer(AlphaBeta(), position, Limit()).move] != ["fork_block"]
    assert traps[answer(trickster(blind_to("tictactoe", "fork_block")), position, Limit()).move] == ["fork_block"]


def test_it_takes_a_proven_win_at_once() -> None:
    info = answer(trickster(blind_to("connect4", "block_row")), at("connect4", "aabbcc"), Limit(depth=4))
    assert at("connect4", "").move_text(info.move) == "d"
    assert info.mate == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_it_never_loses_a_game_that_is_a_draw(seed: int) -> None:
    position, side = setup("tictactoe").start(), seed % 2
    own, other = trickster(blind_to("tictactoe", "fork", "block")), RandomPlayer(seed)
    while position.outcome is None:
        position = position.play(answer(own if position.turn == side else other, position, Limit()).move)
    assert position.outcome.winner in (None, side)


class Scores(Player):
    """Gives each move of a position the score that was said of it, and all other positions none."""

    nodes = 1

    def __init__(self, *lines: Line) -> None:
        self.lines = lines
        self.limits: list[Limit] = []

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        best = self.lines[0]
        self.limits.append(limit)
        yield Info(best.moves[0], best.score, 1, 1, 0.0, self.lines)


def info_of(*lines: Line) -> Info:
    return Info(lines[0].moves[0], lines[0].score, lines=lines)


def test_only_moves_that_cost_little_are_compared() -> None:
    start = setup("connect4").start()
    lines = [Line(0, (3,)), Line(-40, (2,)), Line(-80, (1,)), Line(Score.loss_in(4), (0,))]
    assert [line.moves[0] for line in cheap(start, info_of(*lines))] == [3, 2], f"{COST} of win probability"
    proven = [Line(0, (3,), True), Line(0, (2,), True), Line(0, (1,)), Line(Score.loss_in(8), (0,), True)]
    assert [line.moves[0] for line in cheap(start, info_of(*proven))] == [3, 2], "a draw is kept"
    lost = [Line(Score.loss_in(8), (3,), True), Line(Score.loss_in(2), (0,), True)]
    assert len(cheap(start, info_of(*lost))) == 2, "nothing is left to lose"
    won = [Line(Score.win_in(1), (3,), True), Line(Score.win_in(5), (0,), True)]
    assert [line.moves[0] for line in cheap(start, info_of(*won))] == [3]


def test_a_move_that_was_not_found_to_cost_little_is_not_played() -> None:
    scores = Scores(Line(0, (3,)), Line(-500, (0,)))
    assert answer(Trickster(scores, OpponentModel), setup("connect4").start(), Limit(depth=2)).move == 3
    assert len(scores.limits) == 1, "to the same depth it would find the same"


def test_a_move_without_an_alternative_is_searched_for_the_rest_of_the_limit() -> None:
    scores = Scores(Line(0, (3,)), Line(-500, (0,)))
    player = Trickster(scores, OpponentModel)
    assert player.nodes == 1, "those of the base player"
    visited = [(info.nodes, player.nodes) for info in player.think(setup("connect4").start(), Limit(nodes=101), Stop())]
    assert [limit.nodes for limit in scores.limits] == [30, 100]
    assert visited == [(1, 1), (2, 2)]
    proven = Scores(Line(Score.win_in(3), (3,)))
    answer(Trickster(proven, OpponentModel), setup("connect4").start(), Limit(nodes=101))
    assert len(proven.limits) == 1


@pytest.mark.parametrize(
    ("limit", "first"),
    [(Limit(), Limit(seconds=0.3, lines=8)), (Limit(depth=3), Limit(depth=3, lines=8)),
     (Limit(nodes=2, lines=9), Limit(nodes=1, lines=9)), (Limit(seconds=2.0), Limit(seconds=0.6, lines=8))],
)  # fmt: skip
def test_a_part_of_the_limit_is_for_the_moves_that_cost_little_and_without_one_a_second(
    limit: Limit, first: Limit
) -> None:
    scores = Scores(Line(Score.win_in(3), (3,)))
    answer(Trickster(scores, OpponentModel), setup("connect4").start(), limit)
    assert scores.limits == [first]


@pytest.mark.parametrize(
    ("game", "moves", "limit", "course"),
    [
        ("tictactoe", "a1b2", Limit(nodes=90_000), [(0, 0, 1), (0, 35, 1), (3, 118, 1), (3, 313, 1), (3, 470, 1),
         (3, 558, 1), (2, 1063, 1), (2, 2156, 1), (2, 3427, 1), (2, 4698, 1)]),
        ("tictactoe", "a1", Limit(nodes=90_000, lines=3), [(4, 0, 1), (4, 44, 3), (4, 155, 3), (4, 527, 3),
         (4, 1135, 3), (4, 1659, 3), (4, 1930, 3), (4, 2009, 3)]),
        ("connect4", "ddcc", Limit(nodes=900), [(3, 0, 1), (4, 35, 1), (5, 131, 1), (5, 270, 1), (4, 900, 1)]),
        ("connect4", "ddccda", Limit(depth=3), [(3, 0, 1), (4, 35, 1), (5, 134, 1), (4, 392, 1)]),
    ],
)  # fmt: skip
def test_its_searches_take_the_course_that_is_written_down(
    game: str, moves: str, limit: Limit, course: list[tuple[int, int, int]]
) -> None:
    """The move, the nodes and the lines of each answer."""
    infos = trickster().think(at(game, moves), limit, Stop())
    assert [(info.move, info.nodes, len(info.lines)) for info in infos] == course


def test_without_a_model_it_plays_against_the_best_reply() -> None:
    position = at("tictactoe", "a1b2")
    infos = Trickster(AlphaBeta(), lambda: None, deepening=True).think(position, Limit(nodes=9000), Stop())
    assert [info.nodes for info in infos] == [0, 35, 118, 313, 470, 558, 1169, 2731, 4482, 6211]
    scores = Scores(Line(0, (3,)), Line(0, (2,)))
    answer(Trickster(scores, lambda: None), setup("connect4").start(), Limit(depth=2, nodes=1000))
    assert scores.limits[1] == Limit(None, 1, 999 // 14), "an equal share for each of seven replies to two moves"


@pytest.mark.parametrize(
    ("chances", "looked_at"), [([0.5, 0.48, 0.02], 2), ([0.5, 0.46, 0.03, 0.01], 3), ([0.05] * 20, 10), ([1.0], 1)]
)
def test_rare_replies_are_not_looked_at_nor_more_than_ten(chances: list[float], looked_at: int) -> None:
    class Replies:
        def replies(self, _position: Position, _budget: Budget | None = None) -> dict[int, float]:
            return dict(enumerate(chances))

    scores = Scores(Line(0, (112,)), Line(0, (113,)))
    assert len(answer(Trickster(scores, Replies), setup("gomoku").start(), Limit(depth=5)).lines) == 1
    assert [(limit.depth, limit.lines) for limit in scores.limits] == [(5, 8)] + [(3, 1)] * 2 * looked_at
    scores.limits.clear()
    answer(Trickster(scores, Replies), setup("gomoku").start(), Limit(depth=2, nodes=1000))
    assert scores.limits[1] == Limit(None, 1, int(999 / 2 / looked_at)), "an equal share for each move"


class Lost(Player):
    """All is lost at a heap: soon with 25 or 27 bones left at its own turn, late with 26; with 28 it has won."""

    nodes = 1
    scores: Mapping[int, int] = {28: Score.win_in(5), 26: Score.loss_in(20), 30: Score.loss_in(20)}

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        assert isinstance(position, BonesPosition)
        score = self.scores.get(position.left, Score.loss_in(2))
        yield info_of(*(Line(score, (move,), True) for move in position.legal_moves()))


@dataclass
class Taker:
    """Takes two bones, but one of 29 in the share `errs`."""

    errs: float

    def replies(self, position: Position, budget: Budget | None = None) -> dict[int, float]:
        assert isinstance(position, BonesPosition)
        return {1: self.errs, 2: 1 - self.errs} if position.left == 29 else {2: 1.0}


@pytest.mark.parametrize(("errs", "taken"), [(0.9, 1), (0.02, 2)])
def test_where_all_is_lost_it_sets_a_problem_or_resists_for_long(errs: float, taken: int) -> None:
    """A small chance of an error at once is worth less than many chances later."""
    assert answer(Trickster(Lost(), lambda: Taker(errs)), at("bones", "", 30), Limit()).move == taken


@pytest.mark.parametrize("game", GAMES)
def test_a_stopped_search_has_an_answer_and_searches_no_more(game: str) -> None:
    stop = Stop()
    stop.set()
    position = setup(game).start()
    infos = list(trickster().think(position, Limit(seconds=60.0), stop))
    assert infos[-1].move in position.legal_moves()
    assert infos[-1].nodes < 100


def test_it_stops_between_two_searches() -> None:
    stop, infos = Stop(), []
    for info in trickster().think(at("tictactoe", "a1"), Limit(seconds=60.0), stop):
        infos.append(info)
        if len(infos) == 1:
            stop.set()
    assert len(infos) <= 2


# The entry in the table of players.


GRADED = [game for game in GAMES if level_elos(game)]
"""The games with levels."""


@pytest.mark.parametrize("game", GRADED)
@pytest.mark.parametrize("name", sampled(["trickster", "trickster:2"], 1))
def test_it_answers_every_game_with_a_legal_move(name: str, game: str) -> None:
    check(name, game)
    position = setup(game).start()
    position = position.play(position.candidates()[0])
    info = answer(make(name, Context(game)), position, Limit(seconds=0.3, lines=2))
    assert info.move in position.legal_moves()
    assert info.move == info.lines[0].moves[0]
    assert len(info.lines) <= 2


@pytest.mark.parametrize("name", ["trickster:0", "trickster:even", "trickster:2.5", "trickster:4"])
def test_there_is_one_for_each_level_only(name: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        check(name, "tictactoe")


def test_every_level_has_a_model_of_its_own() -> None:
    for game, entry in OPPONENTS.items():
        unknown = store.fit(game, store.Tally())
        assert store.of_level(game, len(entry.levels) + 1) == unknown.model, "nothing is known of it"
        for number, level in enumerate(entry.levels, 1):
            model = store.of_level(game, number)
            if level.engine:
                assert isinstance(model, OpponentModel)
                assert set(model.misses) == set(tactics(game).kinds)
                assert model == store.fitted_levels()[game][number] != unknown.model
            else:
                assert isinstance(model, LevelModel)
                assert model.level == level
