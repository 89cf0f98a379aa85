"""What a computer decides in an opening, with searches whose answers are given, and with the engine."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from zlib import crc32

import pytest

from ai.core.player import Info, Limit, Line, Player, answer
from ai.core.score import Score, curve_of
from ai.gomoku.opening_decisions import Ask, OpeningDecision, decide
from ai.players.levels import LevelPlayer
from ai.search.minimax import RandomPlayer
from games.opening_rules import DECLARE, POINTS, OpeningPhase, renju_opening
from games.position import FIRST, SECOND, Position, cells_of
from games.record import GameRecord
from games.registry import setup
from tests.games.test_opening_rules import WAYS, game_with, take

Finds = Callable[[Ask], Info]


def decided(record: GameRecord, finds: Finds, seed: int = 1) -> OpeningDecision:
    assert record.opening is not None
    deciding = decide(record.setup, record.opening, record.position, random.Random(seed))
    found: Info | None = None
    while True:
        try:
            asked = next(deciding) if found is None else deciding.send(found)
        except StopIteration as end:
            result: OpeningDecision = end.value
            return result
        found = finds(asked)


def worth(position: Position, chances: Iterable[float]) -> Info:
    """What a search finds whose best moves have these win probabilities, the best first."""
    curve, moves = curve_of(position), position.legal_moves()
    lines = [Line(curve.score(wins, position.ply), (moves[7 * index],)) for index, wins in enumerate(chances)]
    return Info(lines[0].moves[0], lines[0].score, 10, 100, 0.1, tuple(lines))


def always(*chances: float) -> Finds:
    return lambda asked: worth(asked.position, chances[: max(1, asked.lines)])


def by_chance(asked: Ask) -> Info:
    """What a search might find: win probabilities that seem random, now and then a proven win or loss, or one move."""
    position, moves = asked.position, asked.position.legal_moves()
    luck = {move: crc32(b"%s %d" % (cells_of(position), move)) % 1000 / 1000 for move in moves}
    best = sorted(moves, key=luck.__getitem__)[-asked.lines :][::-1]
    curve, dice = curve_of(position), crc32(cells_of(position))
    scale = (0.6, 0.1, -0.1)[dice % 3]
    chances = [0.5 + scale * (luck[move] - 0.5 - 0.1 * index) for index, move in enumerate(best)]
    lines = [Line(curve.score(wins, position.ply), (move,)) for wins, move in zip(chances, best, strict=True)]
    if dice % 13 == 0:
        lines[0] = Line(Score.win_in(7), lines[0].moves)
        lines[-1] = Line(Score.loss_in(4), lines[-1].moves)
    return Info(lines[0].moves[0], lines[0].score, 10, 100, 0.1, tuple(lines) if dice % 7 else ())


def told(record: GameRecord, seed: int) -> list[str]:
    """What is asked, and what is decided, from here to the end of the opening; with the moves in words."""
    found, text = list[str](), record.position.move_text

    def finds(asked: Ask) -> Info:
        found.append(f"{asked.position.ply}.{crc32(cells_of(asked.position)) % 1000} {asked.lines} {asked.share:.3f}")
        return by_chance(asked)

    while record.demand is not None:
        decision = decided(record, finds, seed)
        wins = "" if decision.wins is None else f"{decision.wins:.2f}"
        steps = [text(step.value) if step.kind in POINTS else f"{step.kind} {step.value}" for step in decision.steps]
        found.append(f"{', '.join(steps)}: {decision.kind} {decision.side} {wins} {decision.number}")
        for step in decision.steps:
            record.take(step)
    return found


CHOSEN = [way for way in WAYS if way[1] != "standard"]  # which has the rules of freestyle
COURSES = Path(__file__).parents[2] / "data" / "courses" / "openings.json"


@pytest.mark.parametrize(("rule", "by"), CHOSEN)
def test_an_opening_takes_its_course(rule: str, by: str) -> None:
    """As it is written down: `python -m tests.ai.gomoku.test_opening_decisions` does so after a change."""
    recorded = json.loads(COURSES.read_text(encoding="utf-8"))[f"{rule} {by}"]
    assert [told(game_with(rule, by), seed) for seed in range(6)] == recorded


@pytest.mark.parametrize(("rule", "by"), CHOSEN)
def test_the_third_stone_of_pro_took_one_and_a_half_times_the_time(rule: str, by: str) -> None:
    """Where none of the best moves was allowed, the points compared instead had the whole time once more."""
    shares: list[float] = []

    def finds(asked: Ask) -> Info:
        shares.append(asked.share)
        moves = asked.position.candidates()[: asked.lines]
        return Info(moves[0], 0, 9, 1, 0.1, tuple(Line(-index, (move,)) for index, move in enumerate(moves)))

    record = game_with(rule, by)
    while record.demand is not None:
        shares.clear()
        for step in decided(record, finds).steps:
            record.take(step)
        assert round(sum(shares), 6) <= 1


def kinds(decision: OpeningDecision) -> list[str]:
    return [step.kind for step in decision.steps]


@pytest.mark.parametrize(
    ("white", "step", "why", "side"),
    [(0.8, "stay", "takes", SECOND), (0.2, "swap", "takes", FIRST), (0.52, "more", "more", SECOND)],
)
def test_swap2_takes_the_better_colour_or_places_two_more(white: float, step: str, why: str, side: int) -> None:
    record = game_with("swap2")
    take(record, "h8", "i9", "g7")
    decision = decided(record, always(white))
    assert (kinds(decision), decision.kind, decision.side) == ([step], why, side)
    assert decision.wins == pytest.approx(max(white, 1 - white), abs=0.01)


def test_with_swap_a_computer_keeps_its_colour_where_both_are_equal() -> None:
    record = game_with("swap")
    take(record, "h8", "i9", "g7")
    assert (kinds(decided(record, always(0.47))), decided(record, always(0.47)).kind) == (["stay"], "keeps")
    assert decided(record, always(0.5)).side == SECOND


def test_two_more_stones_are_the_most_balanced_pair() -> None:
    record = game_with("swap2")
    take(record, "h8", "i9", "g7", "more")

    def finds(asked: Ask) -> Info:
        return worth(asked.position, (0.9, 0.51, 0.2) if asked.position.ply == 4 else (0.6, 0.5, 0.4))

    decision = decided(record, finds)
    assert kinds(decision) == ["place", "place"]
    assert (decision.kind, decision.side) == ("even", SECOND)
    assert decision.wins == pytest.approx(0.49, abs=0.01)


def test_three_stones_differ_from_game_to_game() -> None:
    record = game_with("swap2")
    stones = {tuple(step.value for step in decided(record, always(0.5), seed).steps) for seed in range(20)}
    assert len(stones) > 10
    assert all(len(each) == 3 for each in stones)


def test_stones_go_on_from_those_that_lie_there() -> None:
    """The plan is lost when the program is closed between two stones."""
    record = game_with("swap2")
    planned = decided(record, always(0.5)).steps
    record.take(planned[0])
    assert len(decided(record, always(0.5)).steps) == 2


def test_with_rif_the_opening_is_one_of_the_26_and_two_fifth_moves_are_weighed() -> None:
    record = game_with("rif")
    decision = decided(record, always(0.9, 0.55))
    assert renju_opening([step.value for step in decision.steps], 15)
    assert (decision.kind, decision.side) == ("even", FIRST)
    assert decision.wins == pytest.approx(0.55, abs=0.01), "white chooses the worse one"
    for step in decision.steps:
        record.take(step)
    assert kinds(decided(record, always(0.9, 0.2))) == ["stay"], "white is better: keep it"
    assert kinds(decided(record, always(0.9, 0.8))) == ["swap"]
    assert decided(record, always(0.9, 0.5)).side == FIRST


def test_as_many_fifth_moves_are_declared_as_balance_the_game() -> None:
    record = game_with("soosyrv8")
    take(record, "h8", "i9", "g7", "stay", "h10")
    decision = decided(record, always(0.95, 0.8, 0.7, 0.52, 0.3, 0.2, 0.1, 0.1))
    assert (decision.steps[0].value, decision.number) == (4, 4)
    record.take(decision.steps[0])
    takes = decided(record, always(0.9, 0.8, 0.7, 0.6))
    assert (kinds(takes), takes.side) == (["stay"], FIRST), "black decides by the fourth best move"
    assert kinds(decided(record, always(0.9, 0.8, 0.7, 0.2))) == ["swap"]


def test_ten_fifth_moves_are_offered_where_the_tenth_is_good_enough() -> None:
    record = game_with("taraguchi10")
    take(record, "h8", "stay", "i9", "stay", "g7", "stay", "h10")
    assert kinds(decided(record, always(*[0.9] * 9, 0.55))) == ["ten"]
    assert kinds(decided(record, always(*[0.9] * 9, 0.5))) == ["ten"]
    assert kinds(decided(record, always(*[0.9] * 9, 0.45))) == ["stay"]
    assert kinds(decided(record, always(*[0.2] * 10))) == ["swap"]


def test_offers_are_the_best_moves_and_no_two_of_them_are_the_same_mirrored() -> None:
    record = game_with("rif")
    take(record, "h8", "h9", "h10", "stay", "h11")
    text = record.position.parse_move

    def finds(asked: Ask) -> Info:
        moves = [text(name) for name in ("g8", "i8", "g9", "i9", "f8")][: asked.lines]
        return Info(moves[0], 0, 9, 1, 0.1, tuple(Line(50 - index, (move,)) for index, move in enumerate(moves)))

    decision = decided(record, finds)
    assert [step.value for step in decision.steps] == [text("g8"), text("g9")]
    for step in decision.steps:
        record.take(step)
    chosen = decided(record, lambda asked: worth(asked.position, (0.7 if asked.position.cells[text("g9")] else 0.4,)))  # type: ignore[attr-defined]
    assert (chosen.kind, chosen.side, chosen.steps[0].value) == ("chooses", SECOND, text("g9"))


def test_a_stone_after_which_the_other_may_swap_is_balanced() -> None:
    record = game_with("taraguchi10")
    assert decided(record, always(0.5)).kind == "only", "the centre"
    take(record, "h8", "stay")
    good = record.position.parse_move("i9")
    decision = decided(record, lambda asked: worth(asked.position, (0.5 if asked.position.last == good else 0.9,)))  # type: ignore[attr-defined]
    assert decision.kind == "even"
    assert abs((decision.wins or 0) - 0.5) in (pytest.approx(0.0, abs=0.01), pytest.approx(0.4, abs=0.01))


def test_the_third_move_of_pro_is_the_best_that_is_allowed() -> None:
    record = game_with("pro")
    take(record, "h8", "h9")
    far = record.position.parse_move("l8")
    moves = [record.position.parse_move("i9"), far]
    info = Info(moves[0], 60, 9, 1, 0.1, tuple(Line(60 - index, (move,)) for index, move in enumerate(moves)))
    decision = decided(record, lambda _asked: info)
    assert ([step.value for step in decision.steps], decision.kind) == ([far], "best")


def _played(record: GameRecord, player: Player, seed: int) -> None:
    """Let `player` decide for both sides until the opening is over."""

    def finds(asked: Ask) -> Info:
        return answer(player, asked.position, Limit(nodes=200, lines=asked.lines))

    while record.demand is not None:
        for step in decided(record, finds, seed).steps:
            record.take(step)


@pytest.mark.parametrize(("rule", "by"), WAYS)
def test_a_player_that_tells_nothing_gets_through_every_opening(rule: str, by: str) -> None:
    record = game_with(rule, by)
    _played(record, RandomPlayer(1), 1)
    assert record.opening is not None
    assert record.opening.demand is None


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "by"), WAYS)
@pytest.mark.parametrize("level", [1, 5, 8])
def test_levels_get_through_every_opening(rule: str, by: str, level: int) -> None:
    for size in (11, 15):
        record = GameRecord(setup("gomoku", size, by))
        record.opening = OpeningPhase(rule, size)
        _played(record, LevelPlayer(level, seed=3), size)
        assert record.opening.demand is None
        assert all(step.kind in (*POINTS, DECLARE) or not step.value for step in record.opening.steps)


if __name__ == "__main__":
    ways = {f"{rule} {by}": [told(game_with(rule, by), seed) for seed in range(6)] for rule, by in CHOSEN}
    COURSES.write_text(json.dumps(ways).replace("[[", "[\n[").replace("], [", "],\n[") + "\n", encoding="utf-8")
