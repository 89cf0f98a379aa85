"""What a computer does in the opening: which stones it places, which colour it takes, what it offers and chooses.

`decide` is a generator: it yields the searches (`Ask`) that it needs, is sent their answers, and returns the decision.
The player whose decision it is makes the searches, with its own limits. The decision also says why, for a sentence.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

from ai.core.player import Info, Line
from ai.core.score import Score, curve_of
from ai.gomoku.openings import openings
from games.coords import images_of
from games.formats.text import parse
from games.opening_rules import (
    CHOOSE,
    DECLARE,
    MORE,
    OFFER,
    OPENING_RULES,
    PLACE,
    RENJU_OPENINGS,
    STAY,
    SWAP,
    TEN,
    Demand,
    OpeningPhase,
    OpeningStep,
    opening_moves,
)
from games.position import FIRST, SECOND, IllegalMove, Position
from games.record import moves_to
from games.registry import Setup

EVEN = 0.06
"""How far from one half a win probability may be for a position that is balanced."""

_SAMPLED = 5  # points of an area, or openings, of which the most balanced is chosen
_COMPARED = 3  # openings of renju
_WHITES = 3  # fourth stones that are compared for a balanced fifth
_LINES = 8  # best moves among which a balanced or an allowed one is looked for


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to search the best `lines` at `position`, in a `share` of the time for the whole decision."""

    position: Position
    lines: int = 1
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class OpeningDecision:
    """The `steps` to take, one after the other, and why: `kind` names the sentence, `side` the side that it is about,
    `wins` that side's win probability, None where nothing was searched, and `number` how many fifth moves there are.

    Kinds: ``takes`` (the better colour), ``keeps`` (its colour, since both are equal), ``more`` (places more stones,
    for the same reason), ``ten`` (offers ten fifth moves), ``even`` (the stones that balance best), ``best`` (the best
    move), ``known`` (stones of a computed set), ``only`` (there is no choice), ``declares`` (how many fifth moves there
    are), ``offers`` (fifth moves), ``chooses`` (one of them).
    """

    steps: tuple[OpeningStep, ...]
    kind: str
    side: int = 0
    wins: float | None = None
    number: int = 0


Searching = Generator[Ask, Info, OpeningDecision]


def decide(setup: Setup, opening: OpeningPhase, position: Position, draw: random.Random) -> Searching:
    """Decide what `opening` demands at `position`, which is not over: yield searches, and be sent their answers. `draw`
    chooses among what is equally good. Raise `IllegalMove` where the searches have found no legal move."""
    demand = opening.demand
    assert demand is not None
    if SWAP in demand.kinds:
        return (yield from _decide_colours(opening, demand, position))
    if DECLARE in demand.kinds:
        return (yield from _decide_number(demand, position))
    if OFFER in demand.kinds:
        return (yield from _decide_offers(opening, demand, position))
    if CHOOSE in demand.kinds:
        return (yield from _decide_choice(opening, position))
    if demand.left > 1 and (known := _known_sets(setup, opening)):
        return (yield from _decide_first_three(opening, position, known, draw))
    if demand.count == 2 and demand.left == 2:
        return (yield from _decide_two_stones(position))
    return (yield from _decide_stone(opening, position, draw))


def _place_steps(moves: Iterable[int]) -> tuple[OpeningStep, ...]:
    """Return the steps that place stones at `moves`."""
    return tuple(OpeningStep(PLACE, move) for move in moves)


def wins_of(position: Position, score: int) -> float:
    """Return the win probability of the side to move, 0 to 1, for the `score` of a search from its view."""
    mate = Score(score).mate
    return curve_of(position).probability(score, position.ply) if mate is None else float(mate > 0)


def _lines(info: Info) -> Sequence[Line]:
    """Return the lines of an answer that have a move; at least one."""
    return [line for line in info.lines if line.moves] or [Line(info.score, (info.move,))]


def _decide_colours(opening: OpeningPhase, demand: Demand, position: Position) -> Searching:
    """Take the colour that stands better. Where both are equal, take what other choice there is, or keep the colour."""
    own = opening.side_of(demand.player)
    if fifths := OPENING_RULES[opening.rule].fifths:
        black = yield from _black_wins(position, fifths, 0.5)
        better, wins = (FIRST, black) if black >= 0.5 else (SECOND, 1 - black)
        return _take_colour(better, wins, own, STAY)
    fifths = 10 if TEN in demand.kinds else next(
        (step.value for step in reversed(opening.steps) if step.kind == DECLARE), 1
    )  # fmt: skip
    info = yield Ask(position, fifths)
    lines = _lines(info)
    mover = wins_of(position, lines[-1].score)  # white chooses the worst of the fifth moves for black
    side = position.turn
    if TEN in demand.kinds and len(lines) == fifths and mover >= 0.5:
        return OpeningDecision((OpeningStep(TEN),), "ten", side, mover, fifths)
    if TEN in demand.kinds:
        mover = wins_of(position, lines[0].score)
    better, wins = (side, mover) if mover >= 0.5 else (1 - side, 1 - mover)
    return _take_colour(better, wins, own, MORE if MORE in demand.kinds else STAY)


def _take_colour(better: int, wins: float, own: int, otherwise: str) -> OpeningDecision:
    """Take the side `better`, which wins with probability `wins`, by swapping if it is not `own`. Where that is nearly
    even, take the step `otherwise`."""
    if wins < 0.5 + EVEN:
        return OpeningDecision((OpeningStep(otherwise),), "more" if otherwise == MORE else "keeps", better, wins)
    return OpeningDecision((OpeningStep(STAY if better == own else SWAP),), "takes", better, wins)


def _black_wins(position: Position, fifths: int, share: float) -> Generator[Ask, Info, float]:
    """Return black's win probability after three stones, where white plays the best fourth and then leaves black the
    worst of the best `fifths` fifth moves. Each of the two searches has a `share` of the time."""
    fourth = position.play((yield Ask(position, share=share)).move)
    found = yield Ask(fourth, fifths, share)
    return wins_of(fourth, _lines(found)[-1].score)


def _decide_number(demand: Demand, position: Position) -> Searching:
    """Declare as many fifth moves as balance the game best: white then leaves black the worst of them."""
    info = yield Ask(position, demand.most)
    chances = [wins_of(position, line.score) for line in _lines(info)]
    number, wins = min(enumerate(chances, 1), key=lambda each: abs(each[1] - 0.5))
    return OpeningDecision((OpeningStep(DECLARE, number),), "declares", position.turn, wins, number)


def _decide_offers(opening: OpeningPhase, demand: Demand, position: Position) -> Searching:
    """Offer the best fifth moves, no two of which are the same turned or mirrored."""
    info = yield Ask(position, min(2 * demand.left + 2, len(opening.points(position))))
    found = [line.moves[0] for line in _lines(info)]
    steps: list[OpeningStep] = []
    for move in (*found, *position.candidates(), *position.legal_moves()):
        if len(steps) == demand.left:
            break
        try:
            opening = opening.after(step := OpeningStep(OFFER, move), position)
        except IllegalMove:
            continue
        steps.append(step)
    return OpeningDecision(tuple(steps), "offers", position.turn, number=demand.count)


def _decide_choice(opening: OpeningPhase, position: Position) -> Searching:
    """Choose the offered fifth move after which white stands best."""
    share, chances = 1 / len(opening.offers), []
    for move in opening.offers:
        after = position.play(move)
        info = yield Ask(after, share=share)
        chances.append((wins_of(after, info.score), move))
    wins, move = max(chances)
    return OpeningDecision((OpeningStep(CHOOSE, move),), "chooses", 1 - position.turn, wins, len(chances))


def _known_sets(setup: Setup, opening: OpeningPhase) -> list[tuple[int, ...]]:
    """Return the sets of three stones that begin with the stones on the board, in all symmetries: the openings of renju
    where the rule demands one of them, else balanced ones from the file of openings. Empty after any step but placing
    stones."""
    if any(step.kind != PLACE for step in opening.steps):
        return []
    size = setup.size
    if OPENING_RULES[opening.rule].central:
        chosen = [opening_moves(key, size, image) for key in RENJU_OPENINGS for image in range(8)]
    else:
        texts = (moves_to(parse(text, setup).cursor) for text in openings(setup))
        short = [moves for moves in texts if len(moves) == 3]
        chosen = [tuple(image[move] for move in moves) for moves in short for image in images_of(size, size, 8)]
    lying = opening.stones
    return [moves for moves in chosen if moves[: len(lying)] == lying]


def _decide_first_three(
    opening: OpeningPhase, position: Position, known: Sequence[tuple[int, ...]], draw: random.Random
) -> Searching:
    """Place the rest of one of the `known` sets of three stones: any one, or the most balanced of some where the rule
    fixes the number of fifth moves."""
    lying, fifths = len(opening.stones), OPENING_RULES[opening.rule].fifths
    if not fifths:
        return OpeningDecision(_place_steps(draw.choice(known)[lying:]), "known")
    chances = []
    for moves in draw.sample(known, min(_COMPARED, len(known))):
        after = position
        for move in moves[lying:]:
            after = after.play(move)
        black = yield from _black_wins(after, fifths, 0.5 / _COMPARED)
        chances.append((abs(black - 0.5), black, moves))
    _, black, moves = min(chances)
    return OpeningDecision(_place_steps(moves[lying:]), "even", FIRST, black)


def _decide_two_stones(position: Position) -> Searching:
    """Place the two stones after which the sides stand most nearly equal."""
    info = yield Ask(position, _WHITES, 0.4)
    pairs = []
    for line in _lines(info)[:_WHITES]:
        after = position.play(line.moves[0])
        if after.outcome is not None:
            continue
        found = yield Ask(after, _LINES, 0.2)
        pairs += [
            (abs(wins_of(after, reply.score) - 0.5), line.moves[0], reply.moves[0], wins_of(after, reply.score))
            for reply in _lines(found)
        ]
    _, first, second, wins = min(pairs)
    return OpeningDecision(_place_steps((first, second)), "even", position.turn, 1 - wins)


def _decide_stone(opening: OpeningPhase, position: Position, draw: random.Random) -> Searching:
    """Place a stone: a balanced one where the other player may swap after it, else the best."""
    points = sorted(opening.points(position))
    if len(points) == 1:
        return OpeningDecision(_place_steps(points), "only")
    following = opening.after(OpeningStep(PLACE, points[0]), position).demand
    contested = following is not None and SWAP in following.kinds
    if contested:
        return (yield from _decide_balanced_stone(position, points, draw))
    info = yield Ask(position, 1 if len(points) == len(position.legal_moves()) else _LINES, 0.5)
    best = next((line for line in _lines(info) if line.moves[0] in points), None)
    if best is not None:
        wins = wins_of(position, best.score)
        return OpeningDecision(_place_steps(best.moves[:1]), "best", position.turn, wins)
    return (yield from _decide_balanced_stone(position, points, draw, aim=1.0, share=0.5))


def _decide_balanced_stone(
    position: Position, points: Sequence[int], draw: random.Random, aim: float = 0.5, share: float = 1.0
) -> Searching:
    """Place a stone on one of `points` such that the win probability of the side to move, after it, is nearest to
    `aim`. Some points are tried, those near other stones first, in a `share` of the time for the decision."""
    near = [move for move in position.candidates() if move in points]
    others = [move for move in points if move not in near]
    sampled = draw.sample(near, min(_SAMPLED, len(near)))
    sampled += draw.sample(others, min(_SAMPLED - len(sampled), len(others)))
    chances = []
    for move in sampled:
        after = position.play(move)
        info = yield Ask(after, share=share / len(sampled))
        wins = 1 - wins_of(after, info.score)
        chances.append((abs(wins - aim), wins, move))
    _, wins, move = min(chances)
    return OpeningDecision(_place_steps((move,)), "best" if aim > 0.5 else "even", position.turn, wins)
