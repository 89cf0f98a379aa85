"""How gomoku and renju begin: by opening rules, with handicap stones, or from one of the 26 openings of renju.

An opening rule is how two players agree on a fair start, by swapping colours and by choosing among fifth moves. The
rules are those of the Renju International Federation (renju.net/rules) and of Gomocup.

A rule is a script that yields what it demands of a player and is sent the step that the player takes. It knows people,
not colours: player 0 begins with the black stones, player 1 with the white ones, and a swap exchanges them. Steps are
values, `OpeningPhase` replays them, and `GameRecord.take` plays the stones.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import NamedTuple

from games.coords import images_of
from games.position import FIRST, SECOND, IllegalMove, Position, Stones, cells_of
from games.registry import GAMES, Setup

PLACE, OFFER, CHOOSE = "place", "offer", "choose"
"""Steps with a point: a stone, a fifth move that is offered, and the one that is chosen."""

STAY, SWAP, MORE, TEN, DECLARE = "stay", "swap", "more", "ten", "declare"
"""Steps without one: keep the colours, exchange them, place two stones more and let the other player choose, offer ten
fifth moves, and declare how many are offered."""

POINTS = (PLACE, OFFER, CHOOSE)
KINDS = (*POINTS, STAY, SWAP, MORE, TEN, DECLARE)

MOST_STEPS = 100
"""More than any opening has."""


@dataclass(frozen=True, slots=True)
class OpeningStep:
    """What a player did in the opening. `value` is a move of the game, or the number that was declared. `seconds` is
    how long it took, which comparisons ignore."""

    kind: str
    value: int = 0
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Demand:
    """What `player`, 0 or 1, has to do next: a step of one of `kinds`.

    A stone must be at most `within` and more than `beyond` points from the centre, in rows and in columns; None is no
    limit. `count` is how many stones or offers the player makes in a row, of which `left` are still to come, this one
    included. `most` is the highest number that may be declared.
    """

    player: int
    kinds: tuple[str, ...]
    within: int | None = None
    beyond: int | None = None
    left: int = 1
    count: int = 1
    most: int = 0

    @property
    def point(self) -> str:
        """That one of `kinds` which needs a point of the board (see `POINTS`); empty if there is none."""
        return next((kind for kind in self.kinds if kind in POINTS), "")


Script = Generator[Demand, OpeningStep, None]
Answer = Generator[Demand, OpeningStep, str]


class _Colours:
    """Which player, 0 or 1, has `black` while a script runs."""

    black = 0

    def player(self, side: int) -> int:
        """The player who has the stones of `side` now."""
        return self.black if side == FIRST else 1 - self.black

    def may_swap(self, player: int, *others: str) -> Answer:
        """Demand that `player` keeps the colours, exchanges them, or takes a step of one of the kinds `others`.
        Exchange them if so chosen. Return the kind of the step."""
        step = yield Demand(player, (STAY, SWAP, *others))
        if step.kind == SWAP:
            self.black = 1 - self.black
        return step.kind


def _place_stones(player: int, *within: int | None) -> Script:
    """Demand that `player` places a stone for each entry of `within`, its greatest distance from the centre or None.
    Colours alternate, as in any game."""
    for number, distance in enumerate(within):
        yield Demand(player, (PLACE,), distance, left=len(within) - number, count=len(within))


def _offer_fifth_moves(colours: _Colours, count: int) -> Script:
    """Demand that black offers `count` fifth moves, and that white chooses the one to be played. With a `count` of 1
    black plays it."""
    if count == 1:
        yield Demand(colours.player(FIRST), (PLACE,))
        return
    for left in range(count, 0, -1):
        yield Demand(colours.player(FIRST), (OFFER,), left=left, count=count)
    yield Demand(colours.player(SECOND), (CHOOSE,), count=count)


def _swap(colours: _Colours) -> Script:
    """The first player places three stones, the second one chooses a colour."""
    yield from _place_stones(0, None, None, None)
    yield from colours.may_swap(1)


def _swap2(colours: _Colours) -> Script:
    """The first player places three stones. The second one chooses a colour, or places two more and lets the first
    choose."""
    yield from _place_stones(0, None, None, None)
    if (yield from colours.may_swap(1, MORE)) == MORE:
        yield from _place_stones(1, None, None)
        yield from colours.may_swap(0)


def _pro(colours: _Colours) -> Script:
    """The third move is at least three points from the centre."""
    yield from _first_moves(colours, 2)


def _long_pro(colours: _Colours) -> Script:
    """The third move is at least four points from the centre."""
    yield from _first_moves(colours, 3)


def _first_moves(colours: _Colours, beyond: int) -> Script:
    """Demand the first three moves: the centre, any point, and one more than `beyond` points from the centre."""
    yield Demand(colours.player(FIRST), (PLACE,), 0)
    yield Demand(colours.player(SECOND), (PLACE,))
    yield Demand(colours.player(FIRST), (PLACE,), beyond=beyond)


def _rif(colours: _Colours) -> Script:
    """One player places three stones, the other one may swap. White plays the fourth move, black offers fifth moves."""
    yield from _place_stones(0, 0, 1, 2)
    yield from colours.may_swap(1)
    yield Demand(colours.player(SECOND), (PLACE,))
    yield from _offer_fifth_moves(colours, OPENING_RULES["rif"].fifths)


def _soosyrv(colours: _Colours) -> Script:
    """As `_rif`, but white also declares how many fifth moves black must offer, and the other player may swap after
    that."""
    yield from _place_stones(0, 0, 1, 2)
    yield from colours.may_swap(1)
    white = colours.player(SECOND)
    yield Demand(white, (PLACE,))
    declared = yield Demand(white, (DECLARE,), most=8)
    yield from colours.may_swap(1 - white)
    yield from _offer_fifth_moves(colours, declared.value)


def _taraguchi(colours: _Colours) -> Script:
    """A swap after each of the first five moves, each in a larger area than the one before. After the fourth, ten fifth
    moves may be offered instead."""
    kind = ""
    for number in range(4):
        player = colours.player(number & 1)
        yield Demand(player, (PLACE,), number)
        kind = yield from colours.may_swap(1 - player, *((TEN,) if number == 3 else ()))
    if kind == TEN:
        yield from _offer_fifth_moves(colours, 10)
    else:
        yield Demand(colours.player(FIRST), (PLACE,), 4)
        yield from colours.may_swap(colours.player(SECOND))


@dataclass(frozen=True, slots=True)
class OpeningRule:
    """An opening rule. `central` rules need a board with a central point and room around it. `fifths` is how many fifth
    moves are offered by the rule; 0 if players decide that, or if there are none."""

    script: Callable[[_Colours], Script]
    central: bool = True
    fifths: int = 0


OPENING_RULES: Mapping[str, OpeningRule] = {
    "swap": OpeningRule(_swap, central=False),
    "swap2": OpeningRule(_swap2, central=False),
    "pro": OpeningRule(_pro),
    "long_pro": OpeningRule(_long_pro),
    "rif": OpeningRule(_rif, fifths=2),
    "soosyrv8": OpeningRule(_soosyrv),
    "taraguchi10": OpeningRule(_taraguchi),
}

_LEAST = 11  # points a side of a board on which nine around the centre are an area


def opening_rules(setup: Setup) -> list[str]:
    """Return the keys of the opening rules with which a game of `setup` can begin."""
    central = setup.size % 2 == 1 and setup.size >= _LEAST
    keys = GAMES[setup.game].openings.get(setup.rule, ())
    return [key for key in keys if central or not OPENING_RULES[key].central]


@dataclass(frozen=True)
class OpeningPhase:
    """The opening of a game on a board of `size` × `size` points by `rule`, a key of `OPENING_RULES`, after `steps`."""

    rule: str
    size: int
    steps: tuple[OpeningStep, ...] = ()

    @cached_property
    def _replayed(self) -> tuple[Demand | None, int, tuple[int, ...]]:
        """What is demanded next (None at the end), which player has black, and which player took each step. Each of
        `steps` must have been demanded."""
        colours, players = _Colours(), []
        script = OPENING_RULES[self.rule].script(colours)
        demand: Demand | None = next(script)
        for step in self.steps:
            assert demand is not None
            players.append(demand.player)
            try:
                demand = script.send(step)
            except StopIteration:
                demand = None
        return demand, colours.black, tuple(players)

    @property
    def demand(self) -> Demand | None:
        """What is to be done next; None when the opening is over."""
        return self._replayed[0]

    @property
    def players(self) -> tuple[int, ...]:
        """Which player, 0 or 1, took each step."""
        return self._replayed[2]

    def side_of(self, player: int) -> int:
        """The side that `player` has now."""
        return FIRST if player == self._replayed[1] else SECOND

    @cached_property
    def stones(self) -> tuple[int, ...]:
        """The moves that are on the board: placed stones and the chosen fifth move, in the order in which they were
        played."""
        return tuple(step.value for step in self.steps if step.kind in (PLACE, CHOOSE))

    @cached_property
    def offers(self) -> tuple[int, ...]:
        """The fifth moves that have been offered so far; empty again when one was chosen."""
        offered = () if any(step.kind == CHOOSE for step in self.steps) else self.steps
        return tuple(step.value for step in offered if step.kind == OFFER)

    def points(self, position: Position) -> frozenset[int]:
        """Return the points that the next step may have at `position`, the present one: where to place or offer a
        stone, or which offers can be chosen. Empty if the next step needs no point."""
        demand = self.demand
        if demand is None or not demand.point:
            return frozenset()
        if demand.point == CHOOSE:
            return frozenset(self.offers)
        free = {move for move in position.legal_moves() if self._in_area(demand, move)}
        for offer in self.offers:
            free -= self._equivalent_moves(position, offer)
        return frozenset(free)

    def _in_area(self, demand: Demand, move: int) -> bool:
        """Return whether the point is at a distance from the centre that `demand` allows."""
        distance = max(abs(at - self.size // 2) for at in divmod(move, self.size))
        return (demand.within is None or distance <= demand.within) and (
            demand.beyond is None or distance > demand.beyond
        )

    def _equivalent_moves(self, position: Position, move: int) -> set[int]:
        """Return the moves that lead to the position after `move`, or to one that can be turned or mirrored into it;
        `move` is among them."""
        before, after = cells_of(position), cells_of(position.play(move))
        found = set()
        for image in images_of(self.size, self.size, 8):
            turned = bytearray(len(after))
            for cell, content in enumerate(after):
                turned[image[cell]] = content
            different = [cell for cell, content in enumerate(turned) if content != before[cell]]
            if len(different) == 1:
                found.add(different[0])
        return found

    def after(self, step: OpeningStep, position: Position) -> OpeningPhase:
        """Return the opening after `step` at `position`. Raise `IllegalMove` (``opening``, ``opening_area``,
        ``opening_choice``, ``symmetric``, and those of the game) for a step that is not demanded."""
        demand = self.demand
        if demand is None or step.kind not in demand.kinds:
            raise IllegalMove("opening", "The opening rule asks for something else now.")
        if step.kind == DECLARE and not 1 <= step.value <= demand.most:
            raise IllegalMove("opening", f"From 1 to {demand.most} fifth moves can be offered.")
        if step.kind in POINTS and step.value not in self.points(position):
            self._refuse(demand, step.value, position)
        return replace(self, steps=(*self.steps, step))

    def _refuse(self, demand: Demand, move: int, position: Position) -> None:
        """Raise the `IllegalMove` that says why `demand` does not allow `move`."""
        if demand.point == CHOOSE:
            raise IllegalMove("opening_choice", "One of the offered fifth moves is to be chosen.")
        position.play(move)
        if not self._in_area(demand, move):
            raise IllegalMove("opening_area", "The opening rule does not allow that point.")
        raise IllegalMove("symmetric", "That fifth move is the same as one that is offered, turned or mirrored.")

    def without_last_step(self) -> OpeningPhase:
        """Return the opening without its last step. There must be one."""
        return replace(self, steps=self.steps[:-1])


MOST_STONES = 3
"""The most stones that black may have besides the usual one."""

_PLACES = ((0, 0), (2, 1), (-1, 2), (-2, -1))
"""Steps to the right and up from the centre: a knight's move from it each, so that no two lie in a line of five."""


def handicap_stones(size: int, more: int) -> Stones:
    """Return the starting position on a board of `size` × `size` points with `more` black stones besides the first one,
    1 to `MOST_STONES`, and white to move."""
    centre = size // 2
    cells = ((centre - up) * size + centre + right for right, up in _PLACES[: more + 1])
    return Stones((tuple(cells), ()), SECOND)


_DIRECT, _INDIRECT = (0, 1), (1, 1)


class RenjuOpening(NamedTuple):
    """One of the 26 named openings of renju: black in the centre, white next to it, and black within two points of the
    centre. `second` and `third` are these two stones, as steps to the right and up from the centre.

    Thirteen openings are direct (`number` D1 to D13): white is above the centre. Thirteen are indirect (I1 to I13):
    white is diagonally above it on the right. Numbers of direct openings run from the top of the board to the bottom,
    those of indirect ones along the columns from the right.
    """

    number: str
    second: tuple[int, int]
    third: tuple[int, int]

    @property
    def direct(self) -> bool:
        """Whether the white stone is in a row or column with the central one, rather than on a diagonal."""
        return self.second == _DIRECT


def _numbered(letter: str, second: tuple[int, int], thirds: Mapping[str, tuple[int, int]]) -> dict[str, RenjuOpening]:
    """Return the openings by their keys, numbered from 1 with `letter` before, in the order of `thirds`: the third
    stone by key."""
    keyed = enumerate(thirds.items(), 1)
    return {key: RenjuOpening(f"{letter}{index}", second, third) for index, (key, third) in keyed}


RENJU_OPENINGS: Mapping[str, RenjuOpening] = {
    **_numbered("D", _DIRECT, {
        "kansei": (0, 2), "keigetsu": (1, 2), "sosei": (2, 2), "kagetsu": (1, 1), "zangetsu": (2, 1), "ugetsu": (1, 0),
        "kinsei": (2, 0), "shogetsu": (0, -1), "kyugetsu": (1, -1), "shingetsu": (2, -1), "zuisei": (0, -2),
        "sangetsu": (1, -2), "yusei": (2, -2),
    }),
    **_numbered("I", _INDIRECT, {
        "chosei": (2, 2), "kyogetsu": (2, 1), "kosei": (2, 0), "suigetsu": (2, -1), "ryusei": (2, -2),
        "ungetsu": (1, 0), "hogetsu": (1, -1), "rangetsu": (1, -2), "gingetsu": (0, -1), "myojo": (0, -2),
        "shagetsu": (-1, -1), "meigetsu": (-1, -2), "suisei": (-2, -2),
    }),
}  # fmt: skip
"""The openings by key, direct ones first."""


def opening_moves(key: str, size: int, image: int = 0) -> tuple[int, ...]:
    """Return the three moves of an opening on a board of odd `size`, turned or mirrored by the symmetry `image`, 0 to 7
    (see `games.coords.images_of`)."""
    centre, turned = size // 2, images_of(size, size, 8)[image]
    steps = ((0, 0), RENJU_OPENINGS[key].second, RENJU_OPENINGS[key].third)
    return tuple(turned[(centre - up) * size + centre + right] for right, up in steps)


@cache
def _openings_by_moves(size: int) -> dict[tuple[int, ...], str]:
    """Return the key of each opening by its three first moves on a board of `size`, in all eight symmetries."""
    return {opening_moves(key, size, image): key for image in range(8) for key in RENJU_OPENINGS}


def renju_opening(moves: Sequence[int], size: int) -> str:
    """Return the key of the opening that the first three of `moves` make on a board of `size`, also turned or mirrored
    and with the black stones in the other order. Empty for none, for fewer moves, and for an even `size`."""
    if size % 2 == 0:
        return ""
    first = tuple(moves[:3])
    known = _openings_by_moves(size)
    return known.get(first) or known.get(first[::-1], "")
