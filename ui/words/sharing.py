"""What is said of a search by several workers: who has searched what, how long it took, and what was in vain."""

from __future__ import annotations

from ai.search.shared_tree import EXTRA, TWICE, SharedTree, Stretch
from ai.search.trace import End
from ui.toolkit.i18n import joined, t
from ui.words.numbers import percent_text


def sharing_sentences(tree: SharedTree, node: int) -> list[str]:
    """Who has searched a node, and whether that was needed."""
    if tree.parent[node] < 0:
        return []
    worker, marks = tree.worker[node], tree.marks[node]
    said = [t("sharing.by", number=worker)]
    if tree.end[node] == End.STOPPED:
        said.append(t("sharing.dropped", number=worker))
    if marks & EXTRA:
        said.append(t("sharing.extra"))
    if marks & TWICE:
        said.append(t("sharing.twice"))
    return said


def sharing_summary(tree: SharedTree) -> tuple[str, ...]:
    """How many nodes in which time, and compared with one worker: complete, and for a narrow place.

    The search overhead is what is searched more than by one worker; needless are the nodes that one would not search.
    """
    nodes, span = f"{len(tree):,}", f"{tree.span:,}"
    short = t("sharing.nodes", nodes=nodes, span=span)
    if tree.alone is None:
        return (short,)
    faster = f"{tree.alone / max(1, tree.span):.1f}"
    overhead = f"{len(tree) - tree.alone:,}".replace("-", "−")
    facts = {"alone": f"{tree.alone:,}", "over": overhead, "times": faster, "extra": f"{tree.marked(EXTRA):,}"}
    extra, alone = t("sharing.extra_nodes", **facts), t("sharing.alone", **facts)
    return joined((short, extra, alone)), joined((short, alone)), short


def worker_text(tree: SharedTree, worker: int) -> str:
    """``Worker 2 · 71 %``: the share of the time that it has searched."""
    return t("sharing.worker", number=worker, busy=percent_text(100 * tree.busy(worker) / max(1, tree.span)))


def stretch_sentence(stretch: Stretch, title: str) -> str:
    """What a worker did, and when."""
    key = "sharing.stretch.dropped" if stretch.dropped else "sharing.stretch"
    return t(key, number=stretch.worker, moves=title, began=f"{stretch.began:,}", ended=f"{stretch.ended:,}")
