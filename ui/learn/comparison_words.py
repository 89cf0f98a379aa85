"""What is said of searches that are compared."""

from __future__ import annotations

from collections.abc import Sequence

from ai.core.score import Score
from ai.explain.subject import WHOLE, Shared, SideBySide
from ai.gomoku.horizon import HorizonResult
from ai.search.comparison import Bounds, SearchRow, effective_branching, fewest_nodes, prunes
from games.position import FIRST, Position
from ui.toolkit.i18n import first_text, joined, t
from ui.words.games import side_name
from ui.words.move_words import move_name
from ui.words.numbers import count_text, percent_text, whole_text
from ui.words.views import lead_text


def search_name(key: str) -> str:
    """``Alpha-beta``, ``+ ordering``, and for a curve of theory ``all nodes``."""
    return t(f"compare.{key}")


def curve_name(key: str) -> str:
    """The name of a curve in the legend; iterative deepening has two, for the nodes of all depths and of the last."""
    return first_text(f"compare.curve.{key}", f"compare.{key}")


def full_name(key: str) -> str:
    """The name of a search in a sentence: ``Alpha-beta + ordering``."""
    name = search_name(key)
    return f"{search_name('alphabeta')} {name}" if name.startswith("+") else name


def seconds_text(seconds: float) -> str:
    """Without the unit: ``0.04``, ``1.2``, ``12``."""
    return f"{seconds:.2f}" if seconds < 0.995 else f"{seconds:.1f}" if seconds < 9.95 else f"{seconds:.0f}"


def value_text(position: Position, score: int) -> str:
    """A score of the side to move at `position`: ``X +1.2``, ``0``, or who wins and when."""
    seen = Score(score).seen_from(FIRST, position.turn)
    if seen.mate is None:
        return lead_text(position.game, int(seen)) if score else "0"
    side = side_name(position.game, FIRST if seen.mate > 0 else 1 - FIRST)
    return t("compare.wins", side=side, count=abs(seen.mate))


def cell_texts(row: SearchRow) -> tuple[str, str]:
    """Nodes and seconds, as the table has them."""
    nodes = count_text(row.nodes)
    return nodes if row.finished else f">{nodes}", t("compare.seconds", seconds=seconds_text(row.seconds))


def row_sentence(position: Position, row: SearchRow) -> str:
    """All that is known of a row."""
    facts = {
        "search": full_name(row.search), "depth": row.depth, "nodes": whole_text(row.nodes),
        "seconds": seconds_text(row.seconds),
    }  # fmt: skip
    if not row.finished:
        return t("compare.stopped_row", **facts)
    value, move = value_text(position, row.score), move_name(position, row.move)
    sentence = t("compare.row", value=value, move=move, **facts)
    return joined((sentence, t("compare.row.last", number=whole_text(row.last)))) if row.before else sentence


def row_tip(row: SearchRow) -> str:
    """The tooltip of a point of the chart: search, depth and nodes."""
    return t("compare.tip", search=full_name(row.search), depth=row.depth, nodes=whole_text(row.nodes))


def times_text(times: float) -> str:
    """How many times as many: ``18``, ``2.4``."""
    return f"{times:.0f}" if times >= 10 else f"{times:.1f}"


def findings(position: Position, rows: Sequence[SearchRow]) -> list[str]:
    """What the rows tell: what is saved, that the values agree, and what b is."""
    said = []
    found = fewest_nodes(rows)
    if found is not None:
        best, depth, times = found
        nodes = {(row.search, row.depth): row.nodes for row in rows}
        plain = next(key for key, at in nodes if at == depth and not prunes(key))
        said.append(t(
            "compare.saved", search=full_name(best), few=whole_text(nodes[best, depth]), depth=depth,
            many=whole_text(nodes[plain, depth]), times=times_text(times),
        ))  # fmt: skip
    if values := _values(rows):
        depth = max(values)
        said.append(t("compare.value", depth=depth, value=value_text(position, values[depth])))
    return [*said, b_sentence(rows, len(position.legal_moves()))]


def _values(rows: Sequence[SearchRow]) -> dict[int, int]:
    """The values by the depths at which several searches found one, and the same."""
    found: dict[int, list[int]] = {}
    for row in rows:
        if row.finished:
            found.setdefault(row.depth, []).append(row.score)
    return {depth: values[0] for depth, values in found.items() if len(values) > 1 and len(set(values)) == 1}


def b_sentence(rows: Sequence[SearchRow], moves: int) -> str:
    """The effective branching factor, and how it was measured."""
    b = effective_branching(rows, moves)
    measured = [row for row in rows if row.finished and not prunes(row.search)]
    if not measured:
        return t("compare.b.moves", b=f"{b:.0f}")
    deepest = max(measured, key=lambda row: row.depth)
    return t("compare.b", b=f"{b:.1f}", depth=deepest.depth, nodes=whole_text(deepest.nodes))


def bounds_sentence() -> str:
    """When a search is stopped."""
    return t("compare.bounds", nodes=whole_text(Bounds().nodes), seconds=f"{Bounds().seconds:.0f}")


# Whole trees.


def trees_titles(trees: SideBySide) -> list[tuple[str, str]]:
    """The title of each of the three pictures, and a note on it."""
    whole, pruned = trees.traces
    few, many = whole_text(len(pruned)), whole_text(len(whole))
    return [
        (t("compare.trees.nodes", search=search_name(WHOLE), nodes=many), ""),
        (t("compare.trees.nodes", search=full_name(trees.pruning), nodes=few), t("search.saved")),
        (t("compare.trees.alone"), percent_text(100 * len(pruned) / max(1, len(whole)), 1)),
    ]


def trees_sentences(trees: SideBySide) -> list[str]:
    """What the two trees tell."""
    position = trees.subject.position
    said = [t("compare.trees.about", side=side_name(position.game, position.turn))]
    if trees.finished and trees.whole is not None and trees.pruned is not None and trees.pruned.info is not None:
        whole, pruned = len(trees.whole.trace), len(trees.pruned.trace)
        few, many, times = whole_text(pruned), whole_text(whole), times_text(whole / pruned)
        said.append(t("compare.trees.saved", search=full_name(trees.pruning), few=few, many=many, times=times))
        value = value_text(position, trees.pruned.info.score)
        said.append(t("compare.trees.value", value=value))
    elif trees.whole is not None and trees.whole.info is not None:
        said.append(t("compare.trees.too_large", nodes=whole_text(len(trees.whole.trace))))
    return said


def below_sentence(trees: SideBySide) -> str:
    """The moves to the node under the pointer, and how many nodes each search has there."""
    below, position = trees.nodes_below(), trees.subject.position
    if below is None or trees.pointed is None:
        return ""
    moves = " ".join(move_name(position, move) for move in trees.pointed) or t("search.root")
    whole, pruned = (whole_text(count) for count in below)
    key = "compare.trees.below" if below[1] else "compare.trees.gone"
    return t(key, moves=moves, whole=whole, pruned=pruned, search=full_name(trees.pruning))


# The horizon effect.


def horizon_sentences(position: Position, seen: Sequence[HorizonResult]) -> list[str]:
    """What each depth plays, and the refutation."""
    said = [t("compare.horizon.about")]
    for each in seen:
        move, value = move_name(position, each.line[0]), value_text(position, each.score)
        key = "shallow" if each.refutation else "deep"
        facts = {"depth": each.depth, "move": move, "value": value, "nodes": whole_text(each.nodes)}
        said.append(t(f"compare.horizon.{key}", **facts))
        if each.refutation:
            line = " ".join(move_name(position, reply) for reply in each.refutation)
            winner = side_name(position.game, 1 - position.turn)
            said.append(t("compare.horizon.refuted", side=winner, line=line, count=len(each.refutation)))
    return said


# The threads.


def share_text(part: int, whole: int) -> str:
    """``46 %``."""
    return percent_text(100 * part / max(1, whole))


def thread_sentences(shared: Sequence[Shared]) -> list[str]:
    """How two threads have divided their work, and what that cost."""
    said = [t("compare.threads.about")]
    if shared:
        last = shared[-1]
        done = last.division
        said.append(t(
            "compare.threads.twice", depth=last.depth, both=whole_text(done.shared), all=whole_text(done.positions),
            share=share_text(done.shared, done.positions),
        ))  # fmt: skip
        said.append(t(
            "compare.threads.cost", nodes=whole_text(sum(done.nodes)), span=whole_text(last.span),
            alone=whole_text(last.alone),
        ))  # fmt: skip
    return [*said, t("compare.threads.gil")]
