"""Compare all that a screen says of a game: its list and tree, its view and bar, analysis, review and teacher.

`tests.monkey` asks after each of its steps, so that contradictions are found that nobody thought of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ai.review.judgement import proves, win_for
from ai.review.report import proof
from games.evaluation import ScoredLine
from games.position import FIRST
from games.record import Node, path
from games.registry import Setup
from ui.app import App
from ui.commands.review_games import page
from ui.parts.study import Study
from ui.play.state import PlayState
from ui.toolkit.i18n import t
from ui.words.verdicts import kind_name, percent
from ui.words.views import line_outlook, move_wins, node_outlook

_ROUNDING = 0.006


def contradictions(app: App) -> Iterator[str]:
    """Yield a sentence for each contradiction on the screen of `app`."""
    state = getattr(app.scene, "state", None)
    if isinstance(state, PlayState | Study):
        yield from _of_position(state)
        yield from _of_tree(state.record.setup, path(state.record.cursor)[0])
        yield from whose_value(state)
        yield from _of_analysis(state)
    if isinstance(state, PlayState):
        yield from _of_teacher(state)
    if isinstance(state, Study):
        yield from _of_review(state)


def _of_position(state: PlayState | Study) -> Iterator[str]:
    """The view in words and the bar, against the list of moves."""
    setup, node, seen = state.record.setup, state.knowledge.node, state.knowledge.view
    listed = node_outlook(setup, node)
    if node.outcome is not None or seen is None or seen.kind == "double_threat":
        return
    if "%" in listed:
        yield f"the view of {_name(node)} is {state.knowledge.sentence!r}, the list says {listed}"
    known = proof(node.position, node.evaluation)
    if known is not None and seen.kind in ("wins", "draw") and (known.kind, known.side) != (seen.kind, seen.side):
        yield f"the view of {_name(node)} is {state.knowledge.sentence!r}, the list says {listed}"


def whose_value(state: PlayState | Study) -> Iterator[str]:
    """Whose value: no move of the side that wins is said to lose, and the list has the number of the bar."""
    setup, analyst = state.record.setup, state.analyst
    for node in path(state.record.cursor)[1:]:
        if node.evaluation is not None and node.parent is not None:
            yield from _of_mover(_name(node), node.evaluation, node.parent.position.turn, node_outlook(setup, node))
    node = state.record.cursor
    for line in analyst.lines() if node.evaluation is not None else ():
        known = next((each for each in node.evaluation.lines if each.line[0] == line.moves[0]), None)
        if known is not None and line.text:
            yield from _of_mover(f"the analysis of {_name(node)}", known, node.position.turn, line.text)
    shown, wins = state.knowledge.node, state.knowledge.wins
    if shown.parent is not None and shown.evaluation is not None and shown.outcome is None and wins is not None:
        mover = shown.parent.position.turn
        listed = move_wins(setup, shown.position, shown.evaluation, mover)
        if listed is not None and abs((wins if mover == FIRST else 1 - wins) - listed) > _ROUNDING:
            yield f"the bar of {_name(shown)} is at {wins:.3f} for the first side, the list says {listed:.3f}"


def _of_mover(name: str, known: ScoredLine, mover: int, text: str) -> Iterator[str]:
    if known.mate is not None:
        key = "wins" if (known.mate > 0) == (mover == FIRST) else "loses"
        if re.fullmatch(re.escape(t(f"outlook.{key}", count="#")).replace(re.escape("#"), "[0-9]+"), text) is None:
            yield f"{name} is {text!r}, and its side {key}"


def _of_tree(setup: Setup, root: Node) -> Iterator[str]:
    """Proofs, against those of the positions before and after."""
    nodes = [root]
    for node in nodes:
        nodes += node.children
        known, mover = node.evaluation, node.position.turn
        for child in node.children:
            after = child.evaluation
            if known is None or after is None or child.outcome is not None:
                continue
            told = f"{_name(node)}: {node_outlook(setup, node)}, {_name(child)}: {node_outlook(setup, child)}"
            if proves(after, mover) and not proves(known, mover):
                yield f"a move wins in a position that is not won: {told}"
            if proves(known, mover) and known.line[:1] == (child.move,) and not proves(after, mover):
                yield f"a win is lost by its own first move: {told}"
            if proves(known, 1 - mover) and not proves(after, 1 - mover):
                yield f"a move saves a lost position: {told}"


def _of_analysis(state: PlayState | Study) -> Iterator[str]:
    """The lines of the analysis, against the list of moves."""
    analyst, node = state.analyst, state.record.cursor if isinstance(state, Study) else state.moment
    lines = analyst.lines()
    if not lines or node.evaluation is None:
        return
    setup = state.record.setup
    if lines[0].text and lines[0].text != line_outlook(setup, node.position, node.evaluation):
        yield f"the analysis of {_name(node)} is {lines[0].text!r}, the list says {node_outlook(setup, node)}"
    children = {child.move: child for child in node.children}
    for line in lines:
        child = children.get(line.moves[0])
        known = None if child is None or child.outcome is not None else child.evaluation
        if line.text and child is not None and known is not None and known.proven and "%" in line.text:
            yield f"the analysis of {_name(node)} gives {line.text!r}, {_name(child)}: {node_outlook(setup, child)}"


def _of_teacher(state: PlayState) -> Iterator[str]:
    """A warning, against the view of the position that it leads to."""
    warning = state.warning
    if warning is None or state.shown is not warning.node or state.over:
        return
    wins, side = state.knowledge.wins, 1 - warning.node.position.turn
    if wins is not None and (wins if side == FIRST else 1 - wins) > 0.56:
        yield f"{_name(warning.node)} is a {warning.kind}, the view says {state.knowledge.sentence!r}"


def _of_review(state: Study) -> Iterator[str]:
    """The judgements, against the evaluations, the graph, the page and the JSON."""
    reviewer, setup = state.reviewer, state.record.setup
    found = reviewer.found
    removed = any(path(node)[0] is not state.record.root for node in reviewer.judged)
    if reviewer.state != "over" or found is None or removed:
        return
    html = page(found)
    facts = {each["ply"]: each for each in found.facts()["moves"]}
    for node, judged in reviewer.judged.items():
        win = win_for(setup, node.position, node.evaluation, judged.side)
        if node.outcome is None and (win is None or abs(win - judged.win) > _ROUNDING):
            yield f"{_name(node)} is judged at {judged.win:.3f} and known to be {win}"
        graph = found.wins[judged.number + 1]
        if graph is None or abs((graph if judged.side == FIRST else 1 - graph) - judged.win) > _ROUNDING:
            yield f"{_name(node)} is judged at {judged.win:.3f}, the graph is at {graph}"
        fact = facts[node.position.ply]
        if (fact["kind"], percent(fact["win"])) != (judged.kind, percent(judged.win)):
            yield f"{_name(node)} is judged {judged}, the JSON says {fact}"
        if kind_name(judged.kind) not in html:
            yield f"the page does not say that {_name(node)} is a {judged.kind}"


def _name(node: Node) -> str:
    if node.parent is None or node.move is None:
        return "the start"
    return f"{node.position.ply}. {node.parent.position.move_text(node.move)}"
