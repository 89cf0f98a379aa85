"""Words, numbers, signs and colours for the judgements of a review, the same in the window and on pages."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from ai.players.opponents import opponents
from ai.review.insights import why_mistake
from ai.review.judgement import KINDS, MISTAKES, Judged, playable, points_given, proves
from ai.review.report import Reviewed
from ai.review.why import Why
from games.record import Node
from ui.toolkit.i18n import first_text, joined, t
from ui.toolkit.theme import Colour, colour_of
from ui.words.games import side_name
from ui.words.move_words import move_name, move_reason
from ui.words.numbers import percent_text

PAGE = "paper"
"""The palette of pages."""

_COLOURS = {  # on ink, on paper
    **dict.fromkeys(("best", "only_move"), ("#63b97b", "#27784a")),
    "good": ("#96b26c", "#4d6b2f"),
    "inaccuracy": ("#e0be58", "#8a6100"),
    "mistake": ("#ec9654", "#aa4e18"),
    "blunder": ("#e98377", "#b0362b"),
    "missed_win": ("#c88cde", "#8a3a8f"),
    "forced": ("#aaaaa5", "#62625e"),
}

SIGNS = {
    "best": "", "good": "", "only_move": "!", "inaccuracy": "?!", "mistake": "?", "blunder": "??", "missed_win": "×",
    "forced": "",
}  # fmt: skip
"""What is written beside a move of each kind, as chess players do."""

GRAVEST_FIRST = ("blunder", "missed_win", "mistake", "inaccuracy", "good", "best", "only_move")
"""The kinds of moves that are counted."""


def kind_colour(kind: str, palette: str) -> Colour:
    """The colour of a kind of moves, readable as text, on the palette with the key `palette`."""
    return colour_of(_COLOURS[kind][palette == PAGE])


def page_colours() -> dict[str, str]:
    """The colour of each kind of moves on a page, in CSS."""
    return {kind: _COLOURS[kind][True] for kind in KINDS}


def kind_name(kind: str) -> str:
    """The name of a kind of moves, such as “Blunder”."""
    return t(f"review.kind.{kind}")


def signed_name(kind: str) -> str:
    """The sign and the name of a kind of moves: ``?? Blunder``."""
    return f"{SIGNS[kind]} {kind_name(kind)}".strip()


def legend() -> str:
    """The signs and names of all kinds that have a sign: ``?? Blunder · × Missed win …``."""
    return " · ".join(signed_name(kind) for kind in GRAVEST_FIRST if SIGNS[kind])


def percent(share: float) -> str:
    """A share from 0 to 1 as a percentage."""
    return percent_text(100 * share)


def accuracy_text(share: float | None) -> str:
    """An accuracy from 0 to 100 as a percentage with one decimal; a dash for None."""
    return "–" if share is None else percent_text(share, 1)


def better_line(judged: Judged, most: int) -> tuple[int, ...]:
    """The line that was better, cut before the move that was played (its cell has a sign on the board). At most `most`
    moves, unless it is a proven win."""
    known = judged.before.evaluation
    shown = judged.line if known is not None and proves(known, judged.side) else judged.line[:most]
    return tuple(takewhile(lambda move: move != judged.move, shown))


def accuracy_about() -> str:
    """The sentence that explains how accuracy is computed."""
    return t("review.accuracy_about")


def figures(judged: Judged) -> str:
    """The figures of a judged move: ``Lost 43 % · Win probability 20 %``; in a solved game ``With best play won before,
    a draw after``."""
    game = judged.before.position.game
    if opponents(game).solvable:
        before, after = (win_text(game, win) for win in (judged.win + judged.loss, judged.win))
        return t("review.results", before=before, after=after)
    given = points_given(judged.node, judged.before.evaluation, judged.node.evaluation)
    points = f"{t('review.given', count=given)} · " if given else ""
    return f"{points}{t('review.loss')} {percent(judged.loss)} · {t('review.win')} {percent(judged.win)}"


def loss_text(game: str, loss: float) -> str:
    """The win probability that a move lost, from 0 to 1: ``43 %``; in a solved game as points, ``½`` or ``1``."""
    if opponents(game).solvable:
        return {0.0: "0", 0.5: "½", 1.0: "1"}[round(2 * loss) / 2]
    return percent(loss)


def graph_title(game: str) -> str:
    """The title of the graph of win probability; in a solved game, of results."""
    return t("review.graph_results" if opponents(game).solvable else "review.graph", side=side_name(game, 0))


def win_title(game: str) -> str:
    """The label of what `win_text` returns: best play in a game that is solved, else the chance of winning."""
    return t("review.best_play" if opponents(game).solvable else "review.win")


def win_text(game: str, win: float) -> str:
    """``20 %``; in a game that is solved, the result with best play: ``won``, ``draw``, ``lost``."""
    if opponents(game).solvable:
        return t(f"review.result.{('lost', 'draw', 'won')[round(2 * win)]}")
    return percent(win)


def numbered_move(judged: Judged) -> str:
    """The number and the name of a move: ``12. h8``."""
    return f"{judged.node.position.ply}. {move_name(judged.before.position, judged.move)}"


def judgement(judged: Judged) -> str:
    """All of a judgement in a line: ``12. h8 · ?? Blunder · Lost 43 % · Win probability 20 %``."""
    return f"{numbered_move(judged)} · {signed_name(judged.kind)} · {figures(judged)}"


def played_text(judged: Judged, game: str) -> str:
    """The side and its move: ``Black played h8``."""
    return t("review.played", side=side_name(game, judged.side), move=move_name(judged.before.position, judged.move))


def why_text(judged: Judged, quiet: bool = False) -> str:
    """What the move overlooked: ``Ignores White's four: f11 was needed.`` Empty if there is no simple reason. If
    `quiet`, without the better move: ``Ignores White's open three.``"""
    return why_sentence(judged.node, why_mistake(judged), quiet)


def refutation(judged: Judged) -> tuple[int, ...]:
    """Return the line that refutes a mistake, from the position after it (`Why.line`). Empty if its reason has none, or
    only says what was better."""
    found = why_mistake(judged)
    return playable(judged.node.position, found.line) if found is not None and found.refutes else ()


def refuting_cell(judged: Judged) -> int | None:
    """Return the cell at which the opponent makes the shape that refutes a mistake (`Why.where`); None if its reason
    has none."""
    found = why_mistake(judged)
    return found.where if found is not None and found.refutes else None


def why_sentence(node: Node, found: Why | None, quiet: bool) -> str:
    """Why the move that led to `node` is a mistake, by the reason `found`; empty for None. If `quiet`, without the
    better move."""
    if found is None or node.parent is None:
        return ""
    before = node.parent.position
    game, side = before.game, before.turn
    start = node.position if found.refutes else before
    end = ".quiet" if quiet and not found.refutes else ""
    kind = f"why.{found.kind}{'_by_fours' * found.fours}{'.seems' * found.seems}"
    shape = "" if found.where is not None and found.kind not in _AT else found.shape
    keys = (f"why.{found.kind}.{shape or game}{end}", kind + end, f"why.{found.kind}{'_by_fours' * found.fours}{end}",
            f"why.{found.kind}{end}")  # fmt: skip
    values: dict[str, Any] = {
        "count": found.count, "side": side_name(game, 1 - side), "unit": found.move, "since": found.since,
        "move": move_name(start, found.move), "reason": move_reason(start, found.move),
        "where": "" if found.where is None else move_name(start, found.where),
        "stopped": "" if found.stopped is None else move_name(before, found.stopped),
        "holds": "" if found.holds is None else move_name(before, found.holds),
    }  # fmt: skip
    sentences = [first_text(*keys, **values)]
    if found.kind in ("lost", "hastens"):
        since = t("why.lost" if found.since else "why.lost.start", since=found.since)
        sentences = [since, *sentences] if found.kind == "hastens" else [since]
    if not end and found.where is not None and found.kind not in _AT:
        sentences.append(t(f"why.decided.{found.shape}", **values))
    if not quiet and found.stopped is not None:
        how = found.kind if found.holds is None else "holds"
        sentences.append(first_text(f"why.stopped.{how}", "why.stopped", **values))
    elif not quiet and found.holds is not None:
        sentences.append(t("why.holds", **values))
    if found.seems and found.kind in ("loses", "ignores"):
        sentences.append(t("why.lost_before"))
    return joined(sentences)


_AT = ("ignores", "threatens", "leads", "attacks")
"""The kinds of reasons whose first sentence says where a shape is."""


def counts(reviewed: Reviewed, side: int) -> dict[str, int]:
    """The number of moves of `side` of each kind in `GRAVEST_FIRST`."""
    kinds = [move.kind for move in reviewed.moves if move.side == side]
    return {kind: kinds.count(kind) for kind in GRAVEST_FIRST}


def mistake_points(reviewed: Reviewed) -> list[tuple[int, float, str]]:
    """The mistakes in a graph of win probability: the number of the position after each, the first side's win
    probability there, and the kind."""
    places = ((move.number + 1, reviewed.wins[move.number + 1], move.kind) for move in reviewed.moves)
    return [(number, win, kind) for number, win, kind in places if kind in MISTAKES and win is not None]
