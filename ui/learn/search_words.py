"""The texts on a search and its nodes: values, windows, and why the search of a node has ended."""

from __future__ import annotations

from ai.core.player import Info
from ai.core.score import PROVEN, Score, win_probability
from ai.explain.explorer import AGAIN, Explorer
from ai.explain.kinds import ROUNDS, SECONDS, VISITS, ProofTracing, SampleTracing, TableTracing, VisitTracing
from ai.explain.subject import Choice
from ai.review.report import own_moves
from ai.search.comparison import EXPECTING, PROOF, SAMPLED, TIMED, prunes
from ai.search.mcts_tree import SampleTree
from ai.search.proof_number import INFINITE, ProofTree
from ai.search.shared_tree import EXTRA, TWICE, SharedTree, Stretch
from ai.search.trace import FINE, INFINITY, NO_STAND, UNKNOWN, End, Snapshot, TableTree
from ui.toolkit.i18n import first_text, joined, t
from ui.words.games import game_name, short_side
from ui.words.move_words import move_name
from ui.words.numbers import count_text, percent_text, score_text, signed_text, whole_text

_LONG = 7  # moves of a title
_EXACT = 1000  # hundredths up to which an estimate shows all of them
_USUAL, _LARGE = 10, 100
"""What a win is worth: it counts plies down from this where distance matters."""


def value_text(explorer: Explorer, value: int | None) -> str:
    """Return a value for MAX as text: ``+10`` for a win, ``0``, ``+1.23`` for an estimate, ``∞`` for a bound that is
    infinite, ``?`` for None."""
    if value is None:
        return "?"
    if value >= INFINITY:
        return "∞"
    if value <= -INFINITY:
        return "−∞"
    if explorer.choice.key in EXPECTING:
        return mean_text(value / (100 * FINE), signed=explorer.subject.setup is not None)
    if abs(value) >= PROVEN:
        plies = abs(Score(value).mate or 0)
        points = full_win(explorer) - plies if explorer.choice.distance else _USUAL
        return signed_text(points if value > 0 else -points)
    if explorer.subject.setup is None:
        return str(value).replace("-", "−")
    if not value:
        return "0"
    # All digits where the scale is that of an estimate: values that differ must not look equal.
    return signed_text(value / 100, 2) if abs(value) < _EXACT else score_text(value)


def mean_text(value: float, signed: bool) -> str:
    """Return a mean with two decimals at most, ``7.33``; if `signed`, with a plus sign: ``+10``."""
    text = f"{abs(value):.2f}".rstrip("0").rstrip(".")
    return text if text == "0" else f"{'−' if value < 0 else '+' if signed else ''}{text}"


def full_win(explorer: Explorer) -> int:
    """Return the value of a win at once, where distance matters and each ply to the win subtracts 1. It exceeds the
    number of plies."""
    return _LARGE if explorer.deepest >= _USUAL else _USUAL


def wins_texts(explorer: Explorer) -> tuple[str, str]:
    """Return the names of the two ways to value wins: all the same, or less for each ply."""
    return t("search.wins_equal", most=_USUAL), t("search.wins_distance", most=full_win(explorer))


def bound_text(explorer: Explorer, node: int) -> str:
    """Return the value of a node as text, from MAX's view; empty while it is unknown.

    ``+10`` is exact. ``≥0`` and ``≤0`` are bounds, also where the search of the node has not finished. In a tree of
    `Snapshot`, without steps, a proven win or loss is its distance: ``in 4``. In a Monte Carlo tree all else is the
    win probability, ``63 %``, or a proven draw. Of a proof-number search both numbers are told: ``1:3``.
    """
    if isinstance(explorer.trace, ProofTree):
        return numbers_text(explorer.trace, node)
    value = explorer.value(node)
    if value is None:
        return ""
    if isinstance(explorer.trace, Snapshot) and abs(value) >= PROVEN:
        return _distance_text(explorer, node, value)
    if isinstance(explorer.trace, SampleTree):
        return t("outlook.draw") if explorer.trace.proven[node] else _mean_text(explorer, node)
    text, bound = value_text(explorer, value), explorer.trace.bound(node)
    if not explorer.left(node) or explorer.end(node) is End.STOPPED:
        return f"≥{text}" if explorer.is_max(node) else f"≤{text}"
    if bound == "exact":
        return text
    return f"≥{text}" if (bound == "lower") == explorer.is_max(node) else f"≤{text}"


def numbers_text(tree: ProofTree, node: int) -> str:
    """Return the proof and the disproof number of a node: ``1:3``, ``0:∞``."""
    return ":".join(map(proof_number_text, (tree.proof[node], tree.disproof[node])))


def proof_number_text(number: int) -> str:
    """Return a proof or disproof number as text."""
    return "∞" if number == INFINITE else whole_text(number)


def _mean_text(explorer: Explorer, node: int) -> str:
    """Return the win probability of MAX at a node: ``63 %``."""
    return percent_text(_percent(explorer, node))


def _percent(explorer: Explorer, node: int) -> float:
    """Return the win probability of MAX at a node, 0 to 100."""
    setup, trace = explorer.subject.setup, explorer.trace
    assert setup is not None
    ply = explorer.subject.position.ply + trace.ply[node]
    wins = win_probability(setup, trace.value[node], None, ply)
    return 100 * (wins if explorer.is_max(node) else 1 - wins)


def lead(explorer: Explorer, node: int) -> int:
    """Return which side the value shown by `bound_text` favours: 1 for MAX, -1 for MIN, 0 for neither."""
    value = explorer.value(node) or 0
    if isinstance(explorer.trace, SampleTree) and not explorer.trace.proven[node]:
        value = round(_percent(explorer, node)) - 50
    return (value > 0) - (value < 0)


def move_texts(explorer: Explorer, node: int) -> tuple[str, ...]:
    """Return texts for the move to a node, the longest first: with its visits in a Monte Carlo tree, ``b2 1.2k``, or
    its probability, ``b2 0.1``; then, for a narrow place, the move alone. A move that is searched again has a star."""
    name = move_name(explorer.subject.position, explorer.trace.move[node])
    if explorer.trace.is_re_search(node):
        return (f"{name}{AGAIN}",)
    chance = explorer.trace.probability(node) if explorer.left(explorer.trace.parent[node]) else None
    if chance is not None:
        return f"{name} {chance_text(chance)}", name
    if not isinstance(explorer.trace, SampleTree):
        return (name,)
    return f"{name} {count_text(explorer.trace.visits[node])}", name


def chance_text(chance: float) -> str:
    """Return a probability as text: ``0.85``."""
    return f"{chance:.2f}".rstrip("0").rstrip(".")


def _distance_text(explorer: Explorer, node: int, value: int) -> str:
    """Return how far a node is from the proven win, or loss, that `value` states, in moves of the winner: ``in 4``;
    ``in ≤4`` or ``in ≥4`` where the value is a bound, ``in ≤4`` also where a faster win may exist."""
    bound, count = explorer.trace.bound(node), _moves_left(explorer, node, value)
    sooner = ((bound == "lower") == explorer.is_max(node)) == (value > 0)
    sign = "" if bound == "exact" else "≤" if sooner else "≥"
    if _may_be_sooner(explorer, count):
        sign = "≤"
    return t("outlook.in", count=f"{sign}{count}")


def _may_be_sooner(explorer: Explorer, count: int) -> bool:
    """Return whether a faster win than that in `count` moves may exist: Monte Carlo tree search proves wins in any
    order."""
    return isinstance(explorer.trace, SampleTree) and count > 1


def _moves_left(explorer: Explorer, node: int, value: int) -> int:
    """Return how many moves the winner makes from a node to the win that `value` proves."""
    first = explorer.subject.position.turn
    line = tuple(explorer.trace.move[after] for after in explorer.line(node)[1:])
    plies = abs(Score(value).mate or 0) - explorer.trace.ply[node]
    return own_moves(explorer.position(node), line, first if value > 0 else 1 - first, plies)


def window_text(explorer: Explorer, node: int) -> str:
    """Return alpha and beta of a node as text: ``α −∞  β +10``."""
    low, high = explorer.window(node)
    return f"α {value_text(explorer, low)}  β {value_text(explorer, high)}"


def level_name(explorer: Explorer, node: int) -> str:
    """Return who chooses at a node: ``MAX`` or ``MIN``; ``Mean`` for a chance node, whose value is the mean of its
    children."""
    if explorer.trace.is_chance(node):
        return t("search.chance_level")
    return "MAX" if explorer.is_max(node) else "MIN"


def side_text(explorer: Explorer, node: int, other: bool = False) -> str:
    """Return the side to move at a node, or with `other` its opponent: ``X``; in a tree of numbers ``MAX`` or ``MIN``.
    """
    turn = explorer.trace.turn[node]
    if explorer.subject.setup is None:
        return "MAX" if explorer.is_max(node) != other else "MIN"
    return short_side(explorer.subject.setup.game, 1 - turn if other else turn)


def node_title(explorer: Explorer, node: int) -> str:
    """Return the moves from the root to a node: ``b2 a1``. Of a path longer than `_LONG`, only the last moves, after
    ``…``; for the root, its name."""
    position = explorer.subject.position
    names = [move_name(position, move) for move in explorer.trace.moves_to(node)]
    if not names:
        return t("search.root")
    return " ".join(names) if len(names) <= _LONG else f"… {' '.join(names[-_LONG:])}"


def node_sentences(explorer: Explorer, node: int) -> list[str]:
    """Return sentences on a node: who moves, its window, and its value with the reason."""
    who = side_text(explorer, node)
    end = explorer.end(node)
    if isinstance(explorer.trace, ProofTree):
        return _proof_sentences(explorer, explorer.trace, node)
    if end is End.OUTCOME:
        return [_outcome_sentence(explorer, node), *_sharing_of_node(explorer, node)]
    name = level_name(explorer, node)
    first = t("search.moves", side=who, level=name) if who != name else t("search.level", level=name)
    if not explorer.entered(node):
        return [first, t("search.not_yet")]
    sentences = [] if _is_number(explorer, node) else [first]
    if isinstance(explorer.trace, TableTree):
        return [*sentences, *_entry_sentences(explorer, explorer.trace, node)]
    if isinstance(explorer.trace, SampleTree):
        return [*sentences, *_sample_sentences(explorer, explorer.trace, node)]
    if prunes(explorer.choice.key):
        sentences.append(t("search.window", window=window_text(explorer, node)))
    sentences += _search_notes(explorer, node)
    return [*sentences, _reason_sentence(explorer, node, end), *_sharing_of_node(explorer, node)]


def _is_number(explorer: Explorer, node: int) -> bool:
    """Return whether the node is a leaf of a tree of numbers, where nobody chooses."""
    return explorer.subject.setup is None and not explorer.position(node).legal_moves()


def _search_notes(explorer: Explorer, node: int) -> list[str]:
    """Return sentences on a move that is searched twice, which of the two searches it is, and on the stand-pat value
    beyond the horizon; often none."""
    trace = explorer.trace
    superseded = trace.re_search(node)
    sentences = [t("search.again")] if trace.is_re_search(node) else []
    if superseded is not None and explorer.entered(superseded):
        sentences.append(t("search.superseded"))
    if trace.stands[node] != NO_STAND:
        stand = trace.stands[node] if explorer.is_max(node) else -trace.stands[node]
        sentences.append(t("search.stand", value=value_text(explorer, stand)))
    return sentences


def _sharing_of_node(explorer: Explorer, node: int) -> list[str]:
    """Return `sharing_sentences` in the tree of several workers; none in other trees."""
    return sharing_sentences(explorer.trace, node) if isinstance(explorer.trace, SharedTree) else []


def _sample_sentences(explorer: Explorer, tree: SampleTree, node: int) -> list[str]:
    """Return sentences on a node of a Monte Carlo tree: its visits, their reason, and its mean or proven result."""
    value = explorer.value(node)
    if value is None:
        return [t("search.engine_waits" if explorer.tracing.waiting else "search.busy")]
    sentences = [t("search.visits", count=tree.visits[node], number=count_text(tree.visits[node]))]
    if tree.parent[node] >= 0 and tree.by_prior:
        sentences.append(t("search.prior", value=percent_text(100 * tree.prior[node])))
    if tree.proven[node]:
        key = "sooner" if value and _may_be_sooner(explorer, _moves_left(explorer, node, value)) else "win"
        text = _win_text(explorer, node, value, key) if value else t("outlook.draw")
        return [*sentences, t("search.proven", value=text)]
    sentences.append(t("search.mean", side=side_text(explorer, 0), value=_mean_text(explorer, node)))
    if sums := sum_text(explorer, node):
        chooser = side_text(explorer, tree.parent[node])
        sentences.append(t("search.sum", side=chooser, sum=sums, c=f"{explorer.choice.c:g}"))
    if isinstance(explorer.tracing, VisitTracing) and tree.following[node] != UNKNOWN:
        name = move_name(explorer.subject.position, tree.following[node])
        tried = tree.child(node, tree.following[node]) is not None
        sentences.append(t("search.following" if tried else "search.following.new", move=name))
    return sentences


def _proof_sentences(explorer: Explorer, tree: ProofTree, node: int) -> list[str]:
    """Return sentences on a node of a proof-number search: who moves, or how the game has ended, and its numbers with
    what they mean."""
    who, name = side_text(explorer, node), level_name(explorer, node)
    if _is_number(explorer, node):
        number = explorer.position(node).evaluate()
        sentences = [t("search.leaf", value=value_text(explorer, number if explorer.is_max(node) else -number))]
    elif tree.end[node] == End.OUTCOME:
        sentences = [_ending_sentence(explorer, node)]
    else:
        sentences = [t("search.moves", side=who, level=name) if who != name else t("search.level", level=name)]
    attacker = side_text(explorer, 0)
    if not tree.proof[node] or not tree.disproof[node]:
        return [*sentences, t("search.proof.not_won" if tree.proof[node] else "search.proof.won", side=attacker)]
    proof, disproof = proof_number_text(tree.proof[node]), proof_number_text(tree.disproof[node])
    sentences.append(t("search.proof.numbers", side=attacker, proof=proof, disproof=disproof))
    if not explorer.has_children(node):
        return [*sentences, t("search.proof.leaf")]
    best = move_name(explorer.subject.position, tree.best[node])
    key = "search.proof.least" if explorer.is_max(node) else "search.proof.least_dis"
    return [*sentences, t(key, move=best)]


def _ending_sentence(explorer: Explorer, node: int) -> str:
    """Say who has won at a node where the game is over, or that it is a draw."""
    outcome, setup = explorer.position(node).outcome, explorer.subject.setup
    assert outcome is not None
    assert setup is not None
    if outcome.winner is None:
        return t("search.over.draw")
    return t("search.over.won", side=short_side(setup.game, outcome.winner))


def sum_text(explorer: Explorer, node: int) -> str:
    """Return mean + exploration of a node, by which the next visit chooses among it and its siblings, as ``0.56 + 0.12
    = 0.68``. Empty at the root, where a result is proven, and in searches that do not choose so."""
    tree = explorer.trace
    if not isinstance(tree, SampleTree) or not isinstance(explorer.tracing, VisitTracing):
        return ""
    parent = tree.parent[node]
    if parent < 0 or tree.proven[node] or tree.proven[parent]:
        return ""
    mean, bonus = (round(term[node], 2) for term in (tree.mean, tree.bonus))
    return f"{mean:.2f} + {bonus:.2f} = {mean + bonus:.2f}"


def _win_text(explorer: Explorer, node: int, value: int, key: str = "win") -> str:
    """Return ``Black wins in 4`` for the win that `value` proves. With the `key` ``sooner``, it says that so many moves
    suffice; with ``not_sooner``, that fewer do not."""
    winner = side_text(explorer, 0, other=value < 0)
    return t(f"search.bound.{key}", side=winner, count=_moves_left(explorer, node, value))


def _entry_sentences(explorer: Explorer, tree: TableTree, node: int) -> list[str]:
    """Return sentences on the entry that the transposition table holds of a node, or on the result at the root."""
    value = explorer.value(node)
    if value is None:
        return [t("search.engine_waits" if explorer.tracing.waiting else "search.busy")]
    best, text = tree.best[node], _entry_text(explorer, tree, node, value)
    key = "entry" if tree.parent[node] >= 0 else "entry.root"
    name = "" if best == UNKNOWN else move_name(explorer.subject.position, best)
    sentence = t(f"search.{key}" if name else "search.entry.bare", value=text, depth=tree.depth[node], best=name)
    return [sentence] if tree.bound(node) == "exact" else [sentence, t("search.entry.bound")]


def _entry_text(explorer: Explorer, tree: TableTree, node: int, value: int) -> str:
    """Return a value for MAX in words: ``+1.2``, ``at least +1.2``, ``Black wins in 4``, ``Black wins in 4 or sooner``.
    """
    exact, least = tree.bound(node) == "exact", (tree.bound(node) == "lower") == explorer.is_max(node)
    setup = explorer.subject.setup
    if abs(value) < PROVEN or setup is None:
        text = value_text(explorer, value)
        return text if exact else t("search.bound.least" if least else "search.bound.most", value=text)
    key = "win" if exact else "sooner" if least == (value > 0) else "not_sooner"
    return _win_text(explorer, node, value, key)


def _outcome_sentence(explorer: Explorer, node: int) -> str:
    """Say who has won at a node where the game is over, or that it is a draw, with the value."""
    value = explorer.value(node)
    text = value_text(explorer, value)
    if not value:
        return t("search.draw", value=text)
    turn = explorer.trace.turn[0]
    winner = turn if value > 0 else 1 - turn
    setup = explorer.subject.setup
    return t("search.won", side=short_side(setup.game, winner) if setup else "", value=text)


def _reason_sentence(explorer: Explorer, node: int, end: End | None) -> str:
    """Say why a node has its value, by the way in which its search ended; `end` is None while it is under way."""
    text = value_text(explorer, explorer.value(node))
    if end is None:
        return t("search.busy" if explorer.value(node) is None else "search.so_far", value=text)
    if end is End.CUT:
        return cut_sentence(explorer, node)
    if end is End.HORIZON and _is_number(explorer, node):
        return t("search.leaf", value=text)
    if end is End.QUIET:
        return t("search.quiet", value=bound_text(explorer, node))
    if explorer.trace.is_chance(node):
        return _chance_sentence(explorer, node)
    if end is not End.ALL:
        return t("search.known" if end is End.TABLE else f"search.{end.name.lower()}", value=text)
    best = explorer.steps.best(node, explorer.shown)
    if best is None:
        return t("search.known", value=text)
    moves = len(explorer.trace.distinct_children(node))
    name = move_name(explorer.subject.position, explorer.trace.move[best])
    return t("search.all", count=moves, best=name, value=bound_text(explorer, node), side=side_text(explorer, node))


def _chance_sentence(explorer: Explorer, node: int) -> str:
    """Say with which probabilities the moves of a chance node are played, and what the mean is."""
    trace = explorer.trace
    row = trace.children(node)
    chances = {child: trace.probability(child) or 0.0 for child in row}
    best = max(row, key=lambda child: chances[child])
    return t(
        "search.chance" if len(set(chances.values())) > 1 else "search.chance.equal", side=side_text(explorer, node),
        best=move_name(explorer.subject.position, trace.move[best]), chance=chance_text(chances[best]),
        other=chance_text(min(chances.values())), value=value_text(explorer, explorer.value(node)),
    )  # fmt: skip


def cut_sentence(explorer: Explorer, node: int) -> str:
    """Say why the search of a node was cut, and how many moves were not tried."""
    high, untried = explorer.trace.beta[node], explorer.trace.untried[node]
    have = high if explorer.is_max(node) else -high
    return t(
        "search.cut" if untried else "search.cut.none", side=side_text(explorer, node), count=untried,
        other=side_text(explorer, node, other=True), have=value_text(explorer, have),
        value=value_text(explorer, explorer.value(node)),
    )  # fmt: skip


def result_text(explorer: Explorer) -> str:
    """Return nodes, time and value of the search: ``549,946 nodes in 6.51 s. Value 0.``; only the nodes so far if it is
    shown up to a step. Empty before it has ended, but for those of the engine, which tell their progress."""
    info, tracing = explorer.info, explorer.tracing
    if isinstance(tracing, TableTracing):
        return _engine_text(tracing, info)
    if isinstance(tracing, SampleTracing):
        return _sample_text(tracing)
    if info is None:
        return ""
    if isinstance(tracing, ProofTracing):
        count, numbers = len(tracing.trace), numbers_text(tracing.trace, 0)
        return t("search.proof.shown", count=count, number=whole_text(count), numbers=numbers)
    if isinstance(tracing, VisitTracing):
        trace = tracing.trace
        return t("search.sample.shown", number=count_text(trace.visits[0]), shown=whole_text(len(trace)))
    if explorer.asks and explorer.shown < explorer.steps.last:  # the value would be told before it is found
        count = explorer.steps.visited(explorer.shown)
        return t("search.nodes_so_far", count=count, number=whole_text(count))
    score = info.score * (FINE if explorer.choice.key in EXPECTING else 1)
    nodes, value = whole_text(len(explorer.trace)), value_text(explorer, score)
    return t("search.result", number=nodes, seconds=f"{info.seconds:.2f}", value=value)


def _engine_text(tracing: TableTracing, info: Info | None) -> str:
    """Return the progress of the engine's search, or its result; or that it waits for the engine or has failed."""
    if tracing.failed or tracing.waiting:
        return t("search.engine_failed" if tracing.failed else "search.engine_waits")
    shown = whole_text(len(tracing.trace))
    if info is None:
        return t("search.engine_searching", number=count_text(tracing.search.nodes), shown=shown)
    return t("search.engine_result", number=count_text(info.nodes), seconds=f"{info.seconds:.1f}", shown=shown)


def _sample_text(tracing: SampleTracing) -> str:
    """Return the progress of a Monte Carlo tree search of the engine, or its result; empty if it has failed or just
    begun."""
    if tracing.waiting:
        return t("search.engine_waits")
    info = tracing.progress
    if tracing.failed or info is None:
        return ""
    key = "search.sample.searching" if tracing.busy else "search.sample.result"
    number, shown = count_text(info.nodes), whole_text(len(tracing.trace))
    return t(key, number=number, seconds=f"{info.seconds:.1f}", shown=shown)


def choice_name(choice: Choice) -> str:
    """Return the name of a search: ``Alpha-beta with a table``."""
    return first_text(f"search.{choice.key}.name", f"search.{choice.key}")


def choice_entry(choice: Choice) -> str:
    """Return the name of a search in the list, where each has one part more than the one above: ``… and a table``."""
    return t(f"search.{choice.key}")


def depth_text(choice: Choice) -> str:
    """Return the limit of a search in words: visits, seconds, plies, or to the end of the game."""
    if choice.key in SAMPLED:
        return t("search.visits_at_most", number=whole_text(VISITS))
    if choice.key == PROOF:
        return t("search.rounds_at_most", number=whole_text(ROUNDS))
    if choice.key in TIMED and choice.depth is None:
        return t("search.seconds", count=round(SECONDS))
    return t("search.to_the_end") if choice.depth is None else t("search.depth", count=choice.depth)


def c_text(c: float) -> str:
    """Return the weight of exploration in Monte Carlo tree search as text."""
    return t("search.c", c=f"{c:g}")


def subject_name(explorer: Explorer) -> str:
    """Return the name of the game, or that of trees of numbers."""
    setup = explorer.subject.setup
    return t("search.numbers") if setup is None else game_name(setup.game)


# What is said of a search by several workers: who has searched what, how long it took, and what was in vain.


def sharing_sentences(tree: SharedTree, node: int) -> list[str]:
    """Say which worker searched a node, and whether that was needed; nothing of the root."""
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
    """Return summaries of a search by several workers, the longest first: nodes, time and, if one worker has searched
    the same, the comparison.

    The search overhead is what is searched more than by one worker; needless are the nodes that one would not search.
    """
    nodes, span = whole_text(len(tree)), whole_text(tree.span)
    short = t("sharing.nodes", nodes=nodes, span=span)
    if tree.alone is None:
        return (short,)
    faster = f"{tree.alone / max(1, tree.span):.1f}"
    overhead = whole_text(len(tree) - tree.alone).replace("-", "−")
    extra = whole_text(tree.count_marked(EXTRA))
    facts = {"alone": whole_text(tree.alone), "over": overhead, "times": faster, "extra": extra}
    needless, alone = t("sharing.extra_nodes", **facts), t("sharing.alone", **facts)
    return joined((short, needless, alone)), joined((short, alone)), short


def worker_text(tree: SharedTree, worker: int) -> str:
    """Return the name of a worker and the share of the time that it has searched: ``Worker 2 · 71 %``."""
    return t("sharing.worker", number=worker, busy=percent_text(100 * tree.busy(worker) / max(1, tree.span)))


def stretch_sentence(stretch: Stretch, title: str) -> str:
    """Say what a worker did, and when; `title` names the node."""
    key = "sharing.stretch.dropped" if stretch.dropped else "sharing.stretch"
    return t(key, number=stretch.worker, moves=title, began=whole_text(stretch.began), ended=whole_text(stretch.ended))
