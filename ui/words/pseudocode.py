"""What is written beside a line of pseudocode: the variables with their values."""

from __future__ import annotations

from ai.explorer import Explorer
from ai.search.pseudocode import Moment
from ai.search.sample_tree import SampleTree
from ai.win_probability import win_probability
from ui.toolkit.i18n import t
from ui.words.moves import move_name
from ui.words.numbers import percent_text
from ui.words.search import node_title, side_text, value_text

_FAR = 300
"""Plies to the horizon from which on a search goes to the end."""


def variables(explorer: Explorer, moment: Moment) -> list[str]:
    """``node = b a``, ``depth = 1``, ``α = 3``, ``child = c``, …: values as the code has them."""
    found = [f"node = {node_title(explorer, moment.node)}"]
    if moment.child is not None:
        found.append(f"child = {move_name(explorer.subject.position, explorer.trace.move[moment.child])}")
    return [*found, *(f"{name} = {_text(explorer, moment, name, value)}" for name, value in moment.values.items())]


def view(explorer: Explorer, moment: Moment, for_max: bool) -> str:
    """Whose values the code has, where they are not those of the tree; else nothing."""
    if for_max or explorer.is_max(moment.node) or isinstance(explorer.trace, SampleTree):
        return ""
    return t("code.view", side=side_text(explorer, moment.node))


def _text(explorer: Explorer, moment: Moment, name: str, value: int) -> str:
    if name == "N":
        return f"{value:,}"
    if name == "depth":
        return "∞" if value > _FAR else str(value)
    if isinstance(explorer.trace, SampleTree):
        return _mean(explorer, explorer.trace, moment, value)
    return value_text(explorer, value)


def _mean(explorer: Explorer, tree: SampleTree, moment: Moment, value: int) -> str:
    """A value of Monte Carlo tree search as the win probability of the side to move at the root, MAX."""
    setup = explorer.subject.setup
    assert setup is not None
    of = moment.node if moment.child is None else moment.child
    wins = win_probability(setup, value, None, explorer.subject.position.ply + tree.ply[of])
    return percent_text(100 * (wins if explorer.is_max(of) else 1 - wins))
