"""The two models that are fitted to positions of self-play, by gradient descent (Adam).

The value of a set of four patterns is the sum of its patterns' values and a term of its own, regularised towards zero:

- the evaluation, which includes a small network, minimises the log loss of `sigmoid(evaluation / SCALE)` against
  a mixture of score and result;
- the order of moves, which is linear, maximises the likelihood of the best move in a softmax over all moves.

In renju each colour has its own weights; under the other rules both share them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.layout import CLIPPED, HIDDEN, KINDS, UNIT_BITS, VECTOR, VECTOR_BITS
from ai.gomoku.tables import FAR, Weights, distances, weights_of
from ai.lab.selfplay import NO_BEST, together

# Positions of self-play as arrays, in batches for gradient descent.


_BATCH = 1024

Floats = npt.NDArray[np.float64]
Data = dict[str, npt.NDArray[Any]]
SETS = p.combinations()


@dataclass
class Counted:
    """Sets of patterns in the positions of a batch: `counts` times `sets` in `rows`, which begin at `starts`."""

    rows: npt.NDArray[np.int64]
    sets: npt.NDArray[np.int64]
    counts: Floats
    starts: npt.NDArray[np.int64]

    def sums(self, by_set: Floats) -> Floats:
        """Sum the rows of `by_set` for each position."""
        sums: Floats = np.add.reduceat(by_set[self.sets] * self.counts[:, None], self.starts, axis=0)
        return sums

    def by_set(self, by_row: Floats, count: int) -> Floats:
        """Transpose: sum, for each of `count` sets, the rows of `by_row` that contain it."""
        width = by_row.shape[1]
        places = self.sets[:, None] * width + np.arange(width)
        values = by_row[self.rows] * self.counts[:, None]
        return summed(places.ravel(), values.ravel(), count * width).reshape(-1, width)


@dataclass
class Batch:
    """A batch of consecutive positions; `starts` index their first cells in the flat columns of `flat`."""

    rows: slice
    flat: slice
    starts: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    cache: dict[str, Counted] = field(default_factory=dict)

    def sums(self, by_cell: Floats) -> Floats:
        sums: Floats = np.add.reduceat(by_cell, self.starts)
        return sums

    def spread(self, by_row: Floats) -> Floats:
        rows: Floats = np.repeat(by_row, self.lengths)
        return rows

    def counted(self, name: str, sets: npt.NDArray[np.int64], number: int) -> Counted:
        """Count each of the `sets` of the cells in each position, once; there are `number` of them. Keep it by name."""
        if name not in self.cache:
            rows = np.repeat(np.arange(len(self.lengths)), self.lengths)
            keys, counts = np.unique(rows * number + sets, return_counts=True)
            rows, found = np.divmod(keys, number)
            starts = np.searchsorted(rows, np.arange(len(self.lengths)))
            self.cache[name] = Counted(rows, found, counts.astype(np.float64), starts)
        return self.cache[name]


def batches(data: Data) -> list[Batch]:
    """Yield all positions in batches of a few thousand."""
    lengths = data["lengths"].astype(np.int64)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    batches = []
    for first in range(0, len(lengths), _BATCH):
        last = min(first + _BATCH, len(lengths))
        starts = ends[first:last] - ends[first]
        batches.append(Batch(slice(first, last), slice(ends[first], ends[last]), starts, lengths[first:last]))
    return batches


def load(files: Sequence[Path], weights: Sequence[float] = ()) -> Data:
    """Load the positions of all files, shuffled to mix games in a batch; `source` is the number of the file, and
    `weight` that of its positions in the loss (1 unless given)."""
    parts = [dict(np.load(file)) for file in files]
    for number, part in enumerate(parts):
        count = len(part["lengths"])
        part["source"] = np.full(count, number)
        part["weight"] = np.full(count, weights[number] if weights else 1.0)
    data = together(parts)
    order = np.random.default_rng(2).permutation(np.flatnonzero(data["lengths"]))
    return chosen(data, order)


def held_out(data: Data) -> npt.NDArray[np.bool_]:
    """Return which positions are kept out of a fit: those of every `_HELD_OUT`th game."""
    held: npt.NDArray[np.bool_] = data["game"] % _HELD_OUT == 0
    return held


def chosen(data: Data, rows: npt.NDArray[np.int64]) -> Data:
    """Select the positions `rows`, in that order."""
    lengths = data["lengths"].astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    taken = lengths[rows]
    shift = np.repeat(starts[rows] - (np.cumsum(taken) - taken), taken)
    cells = shift + np.arange(taken.sum())
    flat = ("cells", "tried", "moving", "waiting")
    return {name: column[cells if name in flat else rows] for name, column in data.items()}


def summed(places: npt.NDArray[Any], values: Floats, length: int) -> Floats:
    """Sum the `values` at each place."""
    return np.bincount(places, values, length).astype(np.float64)


SCALE = 200.0
"""Evaluation at which a side wins 73 % of its games."""

RANK_SCALE = 100.0
"""Rank of a move that is e times as likely to be the best one as a move of rank 0."""

_HELD_OUT = 10

Parts = dict[str, Floats]
COUNTS = np.array([[patterns.count(pattern) for pattern in range(p.PATTERNS)] for patterns in SETS], np.float64)
THREAT_BITS = 11
CLIP = CLIPPED >> VECTOR_BITS
_SIDES = ("moving", "waiting")
_VECTORS = tuple(f"{name} vectors" for name in _SIDES)
_BOTH = ("both", "both vectors")
_LAYER = ("hidden weights", "hidden bias")


def threats(counts: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Encode the threats as `kernels.evaluate` does: five bits for the side to move, five for the other, and its open
    fours."""
    code = np.zeros(len(counts), np.int64)
    for side in (0, 1):
        of = counts[:, 16 * side : 16 * side + 16].astype(np.int64)
        bits = (of[:, p.FOUR], of[:, p.FOUR_PLUS], of[:, p.FOUR_THREE], of[:, p.THREE] + of[:, p.THREE_PLUS])
        for bit, count in enumerate((*bits, of[:, p.THREE_THREE])):
            code |= (count > 0).astype(np.int64) << (5 * side + bit)
    return code | ((counts[:, 16 + p.OPEN_FOUR] > 0).astype(np.int64) << 10)


_BITS = (np.arange(1 << THREAT_BITS)[:, None] >> np.arange(THREAT_BITS) & 1).astype(np.float64)


_SHARED = ("bits", *(f"{name} patterns" for name in (*_SIDES, *_VECTORS)))
"""Parts that the weights have no field of: they are added to others."""

_IN_UNITS_OF_SCORE = ("moving", "waiting", "both", "threat", "tempo", "output_weights")

_UNITS = dict.fromkeys((*_VECTORS, "both vectors", "input bias"), 1 << VECTOR_BITS)
_UNITS |= dict.fromkeys(_LAYER, 1 << UNIT_BITS)
"""By part, a logit in the units of the weights, where it is not `SCALE`."""


def sigmoid(value: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.clip(value, -30, 30)))
    return result


def log_loss(target: Floats, chance: Floats) -> Floats:
    """Return the loss of each position; where `chance` is `target`, the entropy of it."""
    chance = np.clip(chance, 1e-6, 1 - 1e-6)
    losses: Floats = -(target * np.log(chance) + (1 - target) * np.log(1 - chance))
    return losses


def table(parts: Parts, name: str) -> Floats:
    """Return the value, or the vector, of each set of patterns."""
    values: Floats = COUNTS @ parts[f"{name} patterns"] + parts[name]
    values[0] = 0.0
    return values


def of_classes(parts: Parts, name: str) -> Floats:
    """Return the value, or the vector, of each pair of classes: that of the first, which a stone has too, is 0."""
    values = parts[name].copy()
    values[0] = 0.0
    return values


def table_gradient(name: str, by_set: Floats) -> Parts:
    by_set = by_set.copy()
    by_set[0] = 0.0
    return {f"{name} patterns": COUNTS.T @ by_set, name: by_set}


def table_parts(*names: str) -> Parts:
    plain = {name: np.zeros(len(SETS)) for name in names}
    return plain | {f"{name} patterns": np.zeros(p.PATTERNS) for name in names}


@dataclass
class Seen:
    """Activations of the evaluation, one row for each position of a batch."""

    counted: dict[str, Counted]
    threat: npt.NDArray[np.int64]
    inner: Floats
    clipped: Floats
    mixed: Floats
    value: Floats


class Evaluation:
    """The model of the evaluation; `share` of its target is the search's score, the rest the result.

    PSQT plus network: each set of patterns has a value and a vector, for the side to move and for the opponent, and so
    has each pair of classes that a cell has for the two sides. The sum of the vectors is clipped and passed through a
    layer of `HIDDEN` rectified units; its output, a value by the existing threats and a tempo are added to the sum of
    the values. Inside, values are logits. `forbidding` tells whether the side to move has forbidden points, and whether
    the other side has.
    """

    def __init__(self, share: float, decay: float, forbidding: Sequence[bool] = (False, False)) -> None:
        self.share, self.decay = share, decay
        self.classes = [np.array([p.class_of(patterns, side) for patterns in SETS]) for side in forbidding]
        dice = np.random.default_rng(7)
        self.parts = table_parts(*_SIDES) | {
            "tempo": np.zeros(1),
            "bits": np.zeros(THREAT_BITS),
            "threat": np.zeros(1 << THREAT_BITS),
            "input bias": np.full(2 * VECTOR, 0.5),
            "hidden weights": dice.normal(0, 1 / np.sqrt(2 * VECTOR), (2 * VECTOR, HIDDEN)),
            "hidden bias": np.full(HIDDEN, 0.1),
            "output weights": np.zeros(HIDDEN),
            "both": np.zeros(KINDS),
            "both vectors": np.zeros((KINDS, 2 * VECTOR)),
        }
        # Lower learning rates, since these parameters affect all cells of the board at once.
        self.paces = {f"{name} patterns": 0.02 for name in (*_SIDES, *_VECTORS)}
        self.paces |= dict.fromkeys(_BOTH, 0.2)
        for name in _VECTORS:
            self.parts[f"{name} patterns"] = np.zeros((p.PATTERNS, VECTOR))
            self.parts[name] = dice.normal(0, 0.02, (len(SETS), VECTOR))
        self.drawn = {name: np.zeros(1) for name in (*_SIDES, *_VECTORS, *_BOTH, "threat")}

    def start_from(self, weights: Weights) -> None:
        """Begin with `weights`, towards which all parts are then drawn."""
        stored = {name: getattr(weights, name.replace(" ", "_")) for name in self.parts if name not in _SHARED}
        for name, values in stored.items():
            self.parts[name] = values / _UNITS.get(name, SCALE)
        for name in _SHARED:
            self.parts[name] = np.zeros_like(self.parts[name])
        self.drawn = {name: part.copy() for name, part in self.parts.items()}

    def rows(self, data: Data) -> npt.NDArray[np.bool_]:
        """Return which positions it can learn from."""
        return np.ones(len(data["score"]), np.bool_)

    def loss(self, data: Data, batch: Batch) -> tuple[float, Parts]:
        """Return the mean loss over the batch and its gradient."""
        rows, seen = batch.rows, self.look(data, batch)
        target, chance = self.target(data)[rows], sigmoid(seen.value)
        share = data["weight"][rows] / data["weight"][rows].sum()
        return float(share @ log_loss(target, chance)), self._gradient(seen, share * (chance - target))

    def target(self, data: Data) -> Floats:
        """Return what the evaluation should be, as a chance of winning; only the score tells it where there is no
        result."""
        chance = sigmoid(data["score"] / SCALE)
        result = np.where(np.isnan(data["result"]), chance, data["result"])
        target: Floats = self.share * chance + (1 - self.share) * result
        return target

    def look(self, data: Data, batch: Batch) -> Seen:
        """Forward pass."""
        parts, threat = self.parts, threats(data["counts"][batch.rows])
        sets = {name: data[name][batch.flat] for name in _SIDES}
        counted = {name: batch.counted(name, found, len(SETS)) for name, found in sets.items()}
        own, other = (of[sets[name]] for name, of in zip(_SIDES, self.classes, strict=True))
        counted["both"] = both = batch.counted("both", p.CLASSES * own + other, KINDS)
        psqt = [counted[name].sums(table(parts, name)[:, None])[:, 0] for name in _SIDES]
        sums = [counted[name].sums(table(parts, f"{name} vectors")) for name in _SIDES]
        inner = np.concatenate(sums, axis=1) + parts["input bias"] + both.sums(of_classes(parts, "both vectors"))
        clipped = np.clip(inner, 0, CLIP)
        mixed = clipped @ parts["hidden weights"] + parts["hidden bias"]
        value = psqt[0] - psqt[1] + both.sums(of_classes(parts, "both")[:, None])[:, 0]
        value += np.maximum(mixed, 0) @ parts["output weights"] + self.threat_value()[threat]
        return Seen(counted, threat, inner, clipped, mixed, value + parts["tempo"][0])

    def _gradient(self, seen: Seen, slope: Floats) -> Parts:
        """Backward pass from `slope`, the derivative of the loss by each position's value."""
        parts = self.parts
        by_threat = summed(seen.threat, slope, 1 << THREAT_BITS)
        gradient = {"tempo": slope.sum(keepdims=True), "bits": by_threat @ _BITS}
        gradient["threat"] = by_threat
        gradient["output weights"] = np.maximum(seen.mixed, 0).T @ slope
        by_mixed = slope[:, None] * parts["output weights"] * (seen.mixed > 0)
        gradient |= {"hidden weights": seen.clipped.T @ by_mixed, "hidden bias": by_mixed.sum(axis=0)}
        by_inner = (by_mixed @ parts["hidden weights"].T) * ((seen.inner > 0) & (seen.inner < CLIP))
        gradient["input bias"] = by_inner.sum(axis=0)
        for name, of, sign in zip(_SIDES, np.split(by_inner, 2, axis=1), (1, -1), strict=True):
            by_set = seen.counted[name].by_set(np.column_stack([sign * slope, of]), len(SETS))
            gradient |= table_gradient(name, by_set[:, 0]) | table_gradient(f"{name} vectors", by_set[:, 1:])
        by_classes = seen.counted["both"].by_set(np.column_stack([slope, by_inner]), KINDS)
        by_classes[0] = 0.0
        return gradient | {"both": by_classes[:, 0], "both vectors": by_classes[:, 1:]}

    def threat_value(self) -> Floats:
        values: Floats = _BITS @ self.parts["bits"] + self.parts["threat"]
        return values

    def weights(self) -> dict[str, Any]:
        """Return the fields of `Weights` for the evaluation."""
        parts = self.parts
        floats = {name: table(parts, name) for name in _SIDES}
        floats |= {"threat": self.threat_value(), "tempo": parts["tempo"], "output weights": parts["output weights"]}
        floats["both"] = of_classes(parts, "both")
        fields: dict[str, Any] = {name: np.round(SCALE * values, 2) for name, values in floats.items()}
        inputs = {name: table(parts, name) for name in _VECTORS}
        inputs |= {"both vectors": of_classes(parts, "both vectors"), "input bias": parts["input bias"]}
        hidden = {name: parts[name] for name in _LAYER}
        for layer, bits in ((inputs, VECTOR_BITS), (hidden, UNIT_BITS)):
            fields |= {name: np.rint((1 << bits) * values).astype(np.int64) for name, values in layer.items()}
        return {name.replace(" ", "_"): values for name, values in fields.items()}


class Order:
    """The model of move ordering."""

    def __init__(self, decay: float) -> None:
        self.decay = decay
        near = {name: np.zeros(FAR + 1) for name in ("near_last", "near_own")}
        self.parts = table_parts("making", "preventing") | near
        self.paces: dict[str, float] = {}
        self.drawn = {name: np.zeros(1) for name in ("making", "preventing")}

    def start_from(self, weights: Weights) -> None:
        """Begin with `weights`, towards which all parts are then drawn."""
        self.parts = {
            name: np.zeros(p.PATTERNS) if name.endswith(" patterns") else getattr(weights, name) / RANK_SCALE
            for name in self.parts
        }
        self.drawn = {name: part.copy() for name, part in self.parts.items()}

    def rows(self, data: Data) -> npt.NDArray[np.bool_]:
        """Return which positions it can learn from."""
        learnable: npt.NDArray[np.bool_] = data["best"] != NO_BEST
        return learnable

    def loss(self, data: Data, batch: Batch) -> tuple[float, Parts]:
        """Return the mean loss over the batch and its gradient, in hundredths of the final ranks."""
        flat, near, rank = batch.flat, self._near(data, batch), self.ranks(data, batch)
        weight = np.exp(rank - batch.spread(np.maximum.reduceat(rank, batch.starts))) * data["tried"][flat]
        slope = weight / batch.spread(batch.sums(weight))
        best = batch.starts + data["best"][batch.rows]
        share = data["weight"][batch.rows] / data["weight"][batch.rows].sum()
        loss = -share @ np.log(np.maximum(slope[best], 1e-9))
        slope[best] -= 1
        slope *= batch.spread(share)
        gradient = table_gradient("making", summed(data["moving"][flat], slope, len(SETS)))
        gradient |= table_gradient("preventing", summed(data["waiting"][flat], slope, len(SETS)))
        return float(loss), gradient | {name: summed(near[name], slope, FAR + 1) for name in near}

    def places(self, data: Data, batch: Batch) -> Floats:
        """Return the loss of each position, and the rank of its best move, 1 for the first."""
        rank = self.ranks(data, batch)
        greatest = np.maximum.reduceat(rank, batch.starts)
        best = rank[batch.starts + np.minimum(data["best"][batch.rows], batch.lengths - 1)]
        loss = greatest - best + np.log(batch.sums(np.exp(rank - batch.spread(greatest))))
        places: Floats = np.stack([loss, 1 + batch.sums((rank > batch.spread(best)).astype(np.float64))])
        return places

    def ranks(self, data: Data, batch: Batch) -> Floats:
        """Return the rank of each cell, far below all others of those that are not tried."""
        parts, flat, near = self.parts, batch.flat, self._near(data, batch)
        rank = table(parts, "making")[data["moving"][flat]] + table(parts, "preventing")[data["waiting"][flat]]
        rank += parts["near_last"][near["near_last"]] + parts["near_own"][near["near_own"]]
        ranks: Floats = rank - 100.0 * ~data["tried"][flat]
        return ranks

    @staticmethod
    def _near(data: Data, batch: Batch) -> dict[str, npt.NDArray[np.int64]]:
        """Return the distance class of each cell from the last move, and from the mover's own."""
        cells, half = data["cells"][batch.flat].astype(np.int64), len(distances()) // 2
        return {
            name: distances()[half + cells - np.repeat(data[last][batch.rows].astype(np.int64), batch.lengths)]
            for name, last in (("near_last", "last"), ("near_own", "before"))
        }

    def weights(self) -> dict[str, Any]:
        """Return the fields of `Weights` for move ordering."""
        fields = {name: table(self.parts, name) for name in ("making", "preventing")}
        fields |= {name: self.parts[name] for name in ("near_last", "near_own")}
        return {name: np.rint(RANK_SCALE * values).astype(np.int64) for name, values in fields.items()}


def fit(model: Evaluation | Order, data: Data, how: Fit, rate: float, report: Callable[[str], None]) -> list[float]:
    """Fit `model` with Adam; keep the parts of the epoch with the least loss on held-out games. Return that loss, for
    each source of `data`."""
    data = chosen(data, np.flatnonzero(model.rows(data)))
    held = held_out(data)
    used = chosen(data, np.flatnonzero(~held & (data["game"] // _HELD_OUT % 100 < 100 * how.part)))
    kept_out = [
        chosen(data, np.flatnonzero(held & (data["source"] == source))) for source in np.unique(data["source"][held])
    ]
    shares = np.array([part["weight"].sum() for part in kept_out]) / data["weight"][held].sum()
    parts, tests = batches(used), [(part, batches(part)) for part in kept_out]
    moments = {name: np.stack([np.zeros_like(part), np.zeros_like(part)]) for name, part in model.parts.items()}
    dice, step = np.random.default_rng(1), 0
    best, losses = dict[str, Floats](), np.full(len(tests), np.inf)
    for epoch in range(how.epochs + 1):
        found = np.array([mean_loss(model, part, of) for part, of in tests])
        told = " ".join(f"{loss:.5f}" for loss in found)
        report(f"{type(model).__name__.lower()}, epoch {epoch} of {how.epochs}: {told}")
        if shares @ found < shares @ losses:
            best, losses = {name: part.copy() for name, part in model.parts.items()}, found
        if epoch == how.epochs:
            break
        pace = rate * how.pace * 0.5 * (1 + np.cos(np.pi * epoch / how.epochs))
        for number in dice.permutation(len(parts)):
            step += 1
            gradient = model.loss(used, parts[number])[1]
            for name, drawn in model.drawn.items():
                gradient[name] = gradient[name] + model.decay * (model.parts[name] - drawn)
            for name, moment in moments.items():  # running means of the gradient and of its square
                moment[0] += 0.1 * (gradient[name] - moment[0])
                moment[1] += 0.001 * (gradient[name] ** 2 - moment[1])
                mean, square = moment[0] / (1 - 0.9**step), moment[1] / (1 - 0.999**step)
                model.parts[name] -= pace * model.paces.get(name, 1.0) * mean / (np.sqrt(square) + 1e-12)
    model.parts = best
    return [float(loss) for loss in losses]


def mean_loss(model: Evaluation | Order, data: Data, parts: Sequence[Batch]) -> float:
    """Return the mean loss over all batches."""
    return float(np.average([model.loss(data, batch)[0] for batch in parts], weights=[len(b.lengths) for b in parts]))


@dataclass(frozen=True, slots=True)
class Fit:
    """How to fit: the `share` of the search's score in the target, epochs, the regularisation, and the `pace` of the
    steps; `start` is a file of weights to begin with and to stay near to, `part` that of the games to learn from.
    In the end the evaluation is multiplied by `scale`, so that the search's margins suit it."""

    share: float = 0.6
    epochs: int = 25
    decay: float = 3e-5
    pace: float = 1.0
    start: str | None = None
    part: float = 1.0
    scale: float = 1.0


def fit_rule(data: Data, rule: int, how: Fit, report: Callable[[str], None]) -> tuple[str, list[Weights]]:
    """Return a note on the quality, and the weights of a rule: for each colour if they differ, else for both."""
    colours, losses = [], list[float]()
    for side, part in by_colour(data, rule):
        evaluation, order = Evaluation(how.share, how.decay, forbidden(rule, side)), Order(2 * how.decay)
        if how.start is not None:
            for model in (evaluation, order):
                model.start_from(weights_of(rule, how.start)[side])
        losses += fit(evaluation, part, how, 0.001, report) + fit(order, part, how, 0.02, report)
        fields = evaluation.weights() | order.weights()
        fields |= {name: how.scale * fields[name] for name in _IN_UNITS_OF_SCORE}
        colours.append(Weights(**fields))
    summary = " and ".join(f"{loss:.4f}" for loss in losses)
    return f"{len(data['score'])} positions, held-out losses {summary}", colours


def forbidden(rule: int, side: int) -> tuple[bool, bool]:
    """Return whether there are forbidden points for `side`, which is to move, and for the other side."""
    return rule == p.RENJU and side == 0, rule == p.RENJU and side == 1


def by_colour(data: Data, rule: int) -> list[tuple[int, Data]]:
    """Return the positions with each colour to move that has weights of its own."""
    if rule != p.RENJU:
        return [(0, data)]
    return [(side, chosen(data, np.flatnonzero(data["side"] == side))) for side in (0, 1)]


# How good weights are.


_BINS = (0, 3, 6, 9, 12, 15, 19, 30, 1000)  # stones


def measured(data: Data, rule: int, file: str, share: float = 0.6) -> Iterator[str]:
    """Yield the rows of a table: how well the weights in `file` agree with the held-out games of `data`."""
    yield "| stones | positions | loss | entropy | order: loss | rank of the best move | first |"
    yield "|---|---|---|---|---|---|---|"
    columns = [
        _agreement(part, weights_of(rule, file)[side], Evaluation(share, 0.0, forbidden(rule, side)))
        for side, part in by_colour(data, rule)
    ]
    stones, *values = np.concatenate(columns, axis=1)
    for low, high in (*pairwise(_BINS), (_BINS[0], _BINS[-1])):
        chosen_ones = (stones >= low) & (stones < high)
        if chosen_ones.any():
            loss, entropy, order, rank, first = (np.nanmean(column[chosen_ones]) for column in values)
            span = "all" if high - low == _BINS[-1] else f"{low}–{high - 1}"
            told = f"{loss:.4f} | {entropy:.4f} | {order:.4f} | {rank:.2f} | {first:.1%}"
            yield f"| {span} | {chosen_ones.sum()} | {told} |"


def _agreement(data: Data, weights: Weights, evaluation: Evaluation) -> Floats:
    """Return, for each held-out position: its stones, loss and entropy of the `evaluation` with these weights, and the
    loss of the order, the rank of the best move and whether it is the first; these are NaN where the order has nothing
    to learn."""
    data = chosen(data, np.flatnonzero(held_out(data)))
    order = Order(0.0)
    evaluation.start_from(weights)
    order.start_from(weights)
    parts, target = batches(data), evaluation.target(data)
    chance = sigmoid(np.concatenate([evaluation.look(data, batch).value for batch in parts]))
    places = [order.places(data, batch) for batch in parts]
    loss, rank = np.concatenate(places, axis=1)
    loss[~order.rows(data)] = rank[~order.rows(data)] = np.nan
    first = np.where(np.isnan(rank), np.nan, rank == 1)
    found: Floats = np.stack([data["stones"], log_loss(target, chance), log_loss(target, target), loss, rank, first])
    return found
