"""Exercises: the checker agrees with textbook searches that share no code with it, on every field and every cut."""

from __future__ import annotations

import random
from fractions import Fraction
from math import inf

import pytest

from ai.core.player import Limit, answer
from ai.drills.drill import (
    MARK,
    BackUp,
    Choose,
    Drill,
    Field,
    MarkCuts,
    Order,
    ProofNumbers,
    Spec,
    Values,
    Windows,
    draw_exercise,
    drills_of,
    number_text,
    read_number,
)
from ai.drills.tree import (
    BestOrder,
    TooLarge,
    Tree,
    Visits,
    alphabeta,
    grow_tree,
    random_numbers,
    random_visits,
    tree_of_subject,
    values,
)
from ai.explain.subject import Subject
from ai.players.table import Context, make
from ai.search.comparison import variant
from ai.search.mcts_tree import MctsNode, uct
from ai.search.number_tree import NumberTree, parse
from ai.search.trace import Trace
from games.formats.text import parse as parse_moves
from games.record import GameRecord
from games.registry import GAMES, setup
from tests.ai.drills import textbook

MANY = 1000


def named(tree: Tree) -> dict[str, int]:
    """The nodes by the letters that lead to them."""
    return {tree.title(node).replace(" ", ""): node for node in range(len(tree))}


def check_values(plain: textbook.Tree, tree: Tree) -> None:
    drill = Values(tree)
    for name, below in textbook.nodes(plain):
        if isinstance(below, tuple):
            right = textbook.minimax(below, len(name) % 2 == 0)
            field = Field(named(tree)[name], "value")
            assert right_and_wrong(drill, field, right)
    assert len(drill.solution()) == sum(isinstance(below, tuple) for _, below in textbook.nodes(plain))


def right_and_wrong(drill: Drill, field: Field, right: float) -> bool:
    """Whether `right` is right in `field` and other numbers, or nothing, are wrong."""
    given, other = dict(drill.solution()), number_text(right + 1) if abs(right) < inf else "0"
    verdicts = [field in drill.wrong(given | {field: text}) for text in (number_text(right), other, "", "?")]
    return verdicts == [False, True, True, True]


def check_windows(plain: textbook.Tree, tree: Tree) -> None:
    hard: textbook.Entered = {}
    soft: textbook.Entered = {}
    textbook.fail_hard(plain, hard)
    textbook.fail_soft(plain, soft)
    assert hard == soft, "fail-hard and fail-soft enter the same nodes with the same windows"
    drill, numbers = Windows(tree), named(tree)
    for name, below in textbook.nodes(plain):
        for slot, bound in zip(("alpha", "beta"), hard.get(name, (None, None)), strict=True):
            field = Field(numbers[name], slot)
            if not isinstance(below, tuple):
                assert field not in drill.solution()
            elif bound is None:
                given = dict(drill.solution())
                assert field not in drill.wrong(given)
                assert field in drill.wrong(given | {field: "?"})
            else:
                assert right_and_wrong(drill, field, bound)


def check_cuts(plain: textbook.Tree, tree: Tree) -> None:
    entered: textbook.Entered = {}
    textbook.fail_hard(plain, entered)
    cut, drill, numbers = textbook.cuts(plain, entered), MarkCuts(tree), named(tree)
    right = {Field(numbers[name], "mark"): MARK for name in cut}
    assert drill.wrong(right) == {}
    for name in numbers.keys() - {""}:
        field = Field(numbers[name], "mark")
        if name in entered:
            assert field in drill.wrong(right | {field: MARK}), "what is searched is not cut"
        elif name in cut:
            assert field in drill.wrong(right | {field: ""}), "what is cut is missing"
        else:
            assert drill.wrong(right | {field: MARK}) == {}, "below a branch that is cut nothing matters"


def check_order(plain: textbook.Tree, tree: Tree) -> None:
    best = BestOrder(tree)
    ordered = Order(tree).arranged_tree(Order(tree).solution())
    assert len(alphabeta(ordered).windows) == best.fewest
    assert values(ordered)[0] == values(tree)[0]
    assert Order(ordered).wrong({}) == {}
    assert (Order(tree).wrong({}) == {}) == (textbook.visited(plain) == best.fewest)
    if textbook.count_of_orders(plain) <= 300:
        assert best.fewest == min(map(textbook.visited, textbook.orders(plain)))


def check_hints(tree: Tree) -> None:
    """Whoever puts the right move first where the exercise says so comes to the best order."""
    for _ in tree.inner:
        drill = Order(tree)
        for field in drill.wrong({}):
            first = drill.solution()[field].split()[0]
            row = sorted(tree.children[field.node], key=lambda child: tree.names[child] != first)
            assert row != list(tree.children[field.node])
            tree = tree.with_order(field.node, row)
    assert Order(tree).wrong({}) == {}


def check_visits(dice: random.Random, tree: Tree) -> None:
    if all(len(tree.children[node]) > 1 for node in tree.inner) and len(tree.children[0]) > 1:
        found = random_visits(dice, tree, Fraction(7, 5))
        plain = stat_of(found, 0)
        here, way = plain, []
        while here.children:
            way.append(here.select(1.4))
            here = here.children[way[-1]]
        drill, node, right = Choose(found), 0, {}
        for number in way:
            node = tree.children[node][number]
            right[Field(node, "mark")] = MARK
        assert drill.wrong(right) == {}
        for other in range(1, len(tree)):
            if Field(other, "mark") not in right:
                siblings = {Field(each, "mark"): "" for each in tree.children[tree.parents[other]]}
                assert drill.wrong(right | siblings | {Field(other, "mark"): MARK})
        result = dice.choice((Fraction(0), Fraction(1, 2), Fraction(1)))
        plain.visit(1.4, float(result))
        counted = BackUp(found, result)
        for node, (games, points) in flat(plain, tree).items():
            before = found.visits[node]
            texts = (str(games), number_text(Fraction(points))) if games > before else ("", "")
            for slot, text in zip(("visits", "points"), texts, strict=True):
                given, field = dict(counted.solution()), Field(node, slot)
                assert field not in counted.wrong(given | {field: text})
                assert field in counted.wrong(given | {field: "0" if games == before else "999"})


def stat_of(found: Visits, node: int) -> textbook.Stat:
    below = [stat_of(found, child) for child in found.tree.children[node]]
    return textbook.Stat(found.visits[node], float(found.points[node]), found.tree.roles[node] == "max", below)


def flat(plain: textbook.Stat, tree: Tree, node: int = 0) -> dict[int, tuple[int, float]]:
    found = {node: (plain.games, plain.points)}
    for child, below in zip(tree.children[node], plain.children, strict=True):
        found |= flat(below, tree, child)
    return found


def check(seed: int) -> None:
    dice = random.Random(seed)
    plain = textbook.random_tree(dice)
    assert isinstance(plain, tuple)
    tree = tree_of_subject(Subject(NumberTree(plain)))
    assert values(tree)[0] == textbook.minimax(plain)
    check_values(plain, tree)
    check_windows(plain, tree)
    check_cuts(plain, tree)
    check_order(plain, tree)
    check_hints(tree)
    check_visits(dice, tree)


@pytest.mark.parametrize("part", range(4))
def test_the_checker_agrees_with_a_plain_search_on_every_field_and_every_cut(part: int) -> None:
    for seed in range(part, 40, 4):
        check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_the_checker_agrees_with_a_plain_search_on_a_thousand_trees(part: int) -> None:
    for seed in range(part, MANY, 8):
        check(seed)


def test_the_windows_are_those_of_the_search_of_the_program() -> None:
    """Its own alpha-beta, without ordering and tables, visits the same nodes with the same windows."""
    for seed in range(30):
        drill = draw_exercise(Spec("windows", (3, 2, 2)), seed).drill
        tree = drill.tree
        position = nested(tree)
        player = make(variant("alphabeta", False), Context(position.game))
        player.trace = trace = Trace()
        answer(player, position, Limit(depth=3))
        windows = alphabeta(tree).windows
        assert len(trace) == len(windows)
        for node in range(len(trace)):
            low, high = trace.alpha[node], trace.beta[node]
            if trace.turn[node]:
                low, high = -high, -low
            mine = windows[named(tree)["".join("abcd"[move] for move in trace.moves_to(node))]]
            assert [-inf if bound < -999 else inf if bound > 999 else bound for bound in (low, high)] == list(mine)


def nested(tree: Tree) -> NumberTree:
    def branches(node: int) -> int | tuple[object, ...]:
        leaf = tree.leaves[node]
        return tuple(branches(child) for child in tree.children[node]) if leaf is None else leaf

    return NumberTree(branches(0))  # type: ignore[arg-type]  # of branches only


def test_ucb_is_that_of_the_search_of_the_program() -> None:
    """`uct` with values from −1 to 1, so that its c is twice as large, chooses the same child."""
    for seed in range(30):
        drill = draw_exercise(Spec("ucb", (4,)), seed).drill
        found = drill.visits
        assert found is not None
        children = [MctsNode(parse("1 2"), -1, value=2 * float(found.points[child] / found.visits[child]) - 1)
                    for child in drill.tree.children[0]]  # fmt: skip
        tried = [found.visits[child] for child in drill.tree.children[0]]
        root = MctsNode(parse("1 2"), 1, visits=found.visits[0], moves=tuple(range(4)), children=children, tried=tried)
        assert drill.tree.children[0][uct(root, 2 * 1.4)] == found.best(0)


KINDS = ("values", "leaves", "windows", "cuts", "order", "ucb", "backup", "visit", "expected", "proof")


@pytest.mark.parametrize("kind", KINDS)
def test_another_seed_is_another_exercise_and_the_same_seed_the_same(kind: str) -> None:
    spec = Spec(kind, (3, 3))
    first, second = ([draw_exercise(spec, seed).drill for seed in range(8)] for _ in range(2))
    solutions = [(drill.tree.leaves, drill.solution()) for drill in first]
    assert solutions == [(drill.tree.leaves, drill.solution()) for drill in second]
    assert len({repr(each) for each in solutions}) > 6
    for seed in range(8):
        drill = draw_exercise(spec, seed).drill
        assert drill.kind == kind
        assert drill.wrong(drill.solution()) == {}
        assert drill.wrong({}), "something is asked"


def test_an_exercise_that_no_tree_allows_went_on_for_ever() -> None:
    with pytest.raises(ValueError, match="No tree"):
        draw_exercise(Spec("cuts", (2,), cuts=1), 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_tree_of_any_game_is_worth_what_minimax_says(game: str) -> None:
    record, dice = GameRecord(setup(game)), random.Random(1)
    for _ in range(6):
        if record.outcome is None:
            record.play(dice.choice(list(record.position.legal_moves())))
    if record.outcome is None:
        tree = tree_of_subject(Subject.of(record, record.cursor))
        assert 2 <= tree.count <= 16
        assert len(drills_of(tree)) >= 3
        assert all(tree.roles[node] in ("max", "min") for node in range(len(tree)))


def test_a_finished_game_is_worth_ten_points_for_the_winner() -> None:
    record = GameRecord(setup("tictactoe"))
    for move in ["a3", "b3", "c3", "a2", "b2", "c1"]:
        record.play(record.position.parse_move(move))
    tree = grow_tree(record.position)
    assert [number_text(leaf, tree.unit) for leaf in tree.leaves if leaf is not None] == ["0", "+10", "+10", "+10", "0"]
    assert number_text(values(tree)[0], tree.unit) == "+10"
    assert Values(tree, leaves=True).wrong({Field(3, "value"): "0"}).keys() >= {Field(6, "value")}


def test_a_tree_of_numbers_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooLarge):
        tree_of_subject(Subject(parse(" ".join(17 * "1"))))
    assert tree_of_subject(Subject(parse(" ".join(16 * "1")))).count == 16


@pytest.mark.parametrize(
    ("text", "number"),
    [("3", 3), ("-3", -3), ("−3", -3), ("+10", 10), ("0,25", Fraction(1, 4)), (".5", Fraction(1, 2)), ("7½", 7.5),
     ("½", 0.5), ("∞", inf), ("-∞", -inf), ("−i", -inf), ("inf", inf), ("", None), ("x", None), ("1.", None),
     ("--1", None), ("1e9", None)],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(text: str, number: float | None) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [(3, 1, "3"), (-3, 1, "−3"), (inf, 1, "∞"), (-inf, 100, "−∞"), (Fraction(15, 2), 1, "7½"), (Fraction(1, 2), 1, "½"),
     (21, 100, "+0.21"), (-50, 100, "−0.50"), (1000, 100, "+10"), (0, 100, "0")],
)  # fmt: skip
def test_numbers_are_written_so_that_they_can_be_read(number: float, unit: int, text: str) -> None:
    assert number_text(number, unit) == text
    read = read_number(text)
    assert read is not None
    assert read * unit == number


TEXTBOOK = "3 12 8 | 2 4 6 | 14 5 2"
"""Three children, and three leaves of each: nodes 1, 5 and 9, and those after each."""


def drawn(text: str) -> Tree:
    return tree_of_subject(Subject(parse(text)))


def reasons(drill: Drill, answer: str) -> dict[tuple[int, str], tuple[str, ...]]:
    """The key and the values of what is said of each field, were it wrong with this answer."""
    found = {field: drill.why(field, {field: answer}) for field in drill.solution()}
    return {(field.node, field.slot): (why.key, *list(why.values.values())[1:]) for field, why in found.items()}


@pytest.mark.parametrize("seed", range(20))
def test_proof_numbers_are_the_least_of_open_leaves(seed: int) -> None:
    drill = draw_exercise(Spec("proof", (2, 3, 2)), seed).drill
    tree = drill.tree

    def least(node: int, proven: bool) -> float:
        leaf = tree.leaves[node]
        if leaf is not None:
            return 1 if leaf == 0 else 0 if (leaf > 0) == proven else inf
        below = [least(child, proven) for child in tree.children[node]]
        return min(below) if (tree.roles[node] == "max") == proven else sum(below)

    found = {(field.node, field.slot): read_number(text) for field, text in drill.solution().items()}
    for slot in ("proof", "disproof"):
        assert all(found[node, slot] == least(node, slot == "proof") for node in tree.inner)
    assert 0 not in (found[0, "proof"], found[0, "disproof"])


def test_what_is_wrong_with_a_proof_number_is_whose_choice_it_is() -> None:
    drill = ProofNumbers(drawn("1 0 | -1 0"))
    assert {(field.node, field.slot): text for field, text in drill.solution().items()} == {
        (0, "proof"): "1", (0, "disproof"): "1", (1, "proof"): "1", (1, "disproof"): "1", (4, "proof"): "∞",
        (4, "disproof"): "0",
    }  # fmt: skip
    assert [drill.given(node) for node in range(7)] == ["", "", "0:∞", "1:1", "", "∞:0", "1:1"]
    assert {field: why[0] for field, why in reasons(drill, "7").items() if field[0] in (0, 4)} == {
        (0, "proof"): "proof.max", (0, "disproof"): "disproof.max", (4, "proof"): "proof.min",
        (4, "disproof"): "disproof.min",
    }  # fmt: skip


def test_what_is_wrong_with_a_value_is_whose_choice_it_is() -> None:
    assert reasons(Values(drawn(TEXTBOOK)), "7") == {
        (0, "value"): ("value.max",), (1, "value"): ("value.min",), (5, "value"): ("value.min",),
        (9, "value"): ("value.min",),
    }  # fmt: skip
    assert list(reasons(Values(drawn("1 0 -8"), leaves=True), "").values()) == [
        ("leaf.won",), ("leaf.draw",), ("leaf.lost",),
    ]  # fmt: skip
    tree = drawn(TEXTBOOK)
    assert [Values(tree).why(Field(node, "value"), {}).values["node"] for node in (0, 5, 8)] == ["", "b", "b c"]


def test_what_is_wrong_with_a_window_is_that_it_is_empty_or_which_bound() -> None:
    drill = Windows(tree_of_subject(Subject(NumberTree(((3, 12), (2, (4, 5)))))))
    assert reasons(drill, "7") == {
        (0, "alpha"): ("window.root",), (0, "beta"): ("window.root",), (1, "alpha"): ("window.alpha",),
        (1, "beta"): ("window.beta",), (4, "alpha"): ("window.alpha",), (4, "beta"): ("window.beta",),
        (6, "alpha"): ("window.unseen",), (6, "beta"): ("window.unseen",),
    }  # fmt: skip
    empty = reasons(drill, " ")
    assert [empty[node, "alpha"] for node in (0, 1, 6)] == [("window.root",), ("window.seen",), ("window.unseen",)]


def test_what_is_wrong_with_a_mark_is_told_with_the_window_there() -> None:
    found = reasons(MarkCuts(drawn(TEXTBOOK)), MARK)
    assert {node: why for (node, _), why in found.items() if node in (1, 3, 6, 7, 8, 12)} == {
        1: ("cut.needed", "", "−∞", "∞"), 3: ("cut.needed", "a", "−∞", "3"), 6: ("cut.needed", "b", "3", "∞"),
        7: ("cut.left", "b", "3", "2"), 8: ("cut.left", "b", "3", "2"), 12: ("cut.needed", "c", "3", "5"),
    }  # fmt: skip


@pytest.mark.parametrize(("marked", "wrong"), [((), [6]), ((7,), [6]), ((4, 5), [4]), ((6, 7), []), ((3, 6), [3])])
def test_below_a_cut_and_below_a_mark_nothing_is_wrong(marked: tuple[int, ...], wrong: list[int]) -> None:
    drill = MarkCuts(tree_of_subject(Subject(NumberTree(((3, 12), (2, (4, 5)))))))
    assert [field.node for field in drill.wrong({Field(node, "mark"): MARK for node in marked})] == wrong


def test_what_is_wrong_with_an_order_is_how_many_nodes_it_costs() -> None:
    drill, field = Order(drawn(TEXTBOOK)), Field(9, "order")
    assert (drill.number, drill.facts) == (1, {"visited": "11", "fewest": "9"})
    assert drill.wrong({}) == {field: ("order", {"node": "c", "visited": "11", "fewest": "9"})}
    assert drill.why(field, {field: "b a c"}).values["visited"] == "11"
    assert drill.why(field, {field: "c b a"}).values["visited"] == "9"
    assert drill.wrong({field: "c a b"}) == {}
    assert drill.arranged_tree({field: "c c b"}) == drill.tree, "no answer"
    assert [each.node for each in Order(drawn("1 | 2 3")).solution()] == [0, 3], "one move has no order"
    assert list(Order(drawn("4 4 1 | 2 4 3")).wrong({})) == [Field(0, "order")], "only together both nodes save any"
    assert list(Order(drawn("((2 5) (4 5)) ((2 1) (3 0))")).wrong({})) == [Field(5, "order")], "which saves some alone"
    assert drill.solution() == {
        Field(0, "order"): "a b c", Field(1, "order"): "a b c", Field(5, "order"): "a b c", field: "c a b",
    }  # fmt: skip


def test_an_order_is_asked_for_where_all_moves_must_be_refuted_and_not_where_nothing_is_visited() -> None:
    tree = tree_of_subject(Subject(NumberTree((5, (((9, 1), (9, 1)),), (3, ((1, 2), (9, 1)))))))
    drill = Order(tree)
    assert (drill.number, drill.facts) == (2, {"visited": "12", "fewest": "10"})
    assert [*drill.solution().values()] == ["a b c", "a b", "b a", "b a", "a b", "a b", "a b", "a b"]


VISITED = Visits(
    drawn("1 2 | 3 4"), (70, 13, 8, 4, 56, 37, 18), tuple(Fraction(n, 2) for n in (73, 11, 3, 6, 62, 50, 10)),
    Fraction(7, 5),
)  # fmt: skip


def test_upper_confidence_bounds_by_hand() -> None:
    """Of the root's children: 11/26 + 1.4 √(ln 70 / 13) and 31/56 + 1.4 √(ln 70 / 56)."""
    assert [VISITED.bound(node) for node in (1, 4)] == pytest.approx([1.2235, 0.9392], abs=1e-3)
    assert [VISITED.mean(node) for node in (1, 2, 3)] == pytest.approx([11 / 26, 1 - 3 / 16, 1 / 4])
    assert VISITED.way() == [1, 2]


def test_what_is_wrong_with_a_path_is_the_mark_nearest_to_the_root() -> None:
    drill = Choose(VISITED)
    marked = reasons(drill, MARK)
    assert marked[4, "mark"] == ("ucb.other", "0.55", "1.4", "70", "56", "0.94")
    assert marked[3, "mark"] == ("ucb.other", "0.25", "1.4", "13", "4", "1.37")
    assert marked[6, "mark"] == ("ucb.off", "0.72", "1.4", "56", "18", "1.38")
    assert drill.why(Field(2, "mark"), {}) == ("ucb.missing", {"node": "a"})
    one, two, three, four = (Field(node, "mark") for node in (1, 2, 3, 4))
    for given, wrong in (({}, one), ({one: MARK}, two), ({three: MARK}, three), ({four: MARK, three: MARK}, four)):
        assert list(drill.wrong(given)) == [wrong]


@pytest.mark.parametrize(("way", "kind", "path"), [(None, "visit", ()), ([1, 2], "backup", (0, 1, 2))])
def test_what_is_wrong_with_a_visit_is_where_it_goes_or_what_it_adds(
    way: list[int] | None, kind: str, path: tuple[int, ...]
) -> None:
    drill = BackUp(VISITED, Fraction(1, 2), way)
    assert (drill.kind, drill.path, drill.facts) == (kind, path, {"result": "½", "c": "1.4"})
    assert [drill.solution()[Field(node, slot)] for node in (0, 1, 2, 4) for slot in ("visits", "points")] == [
        "71", "37", "14", "6", "9", "2", "", "",
    ]  # fmt: skip
    nine, empty = reasons(drill, "9"), reasons(drill, "")
    assert [nine[node, "visits"][0] for node in (0, 1, 3)] == ["backup.visits", "backup.visits", "backup.off"]
    assert [nine[node, "points"] for node in (0, 3)] == [("backup.points", "½"), ("backup.off", "½")]
    assert [empty[node, "visits"][0] for node in (0, 2, 4)] == ["backup.on", "backup.on", "backup.off"]


DRAWN = [
    (Spec("values", (3, 2)), (14, 0, 13, 18, 17, 6), {(0, "value"): "13", (1, "value"): "0", (4, "value"): "13",
                                                      (7, "value"): "6"}),
    (Spec("ucb", (2, 2)), (16, 17, 12, 4), {(4, "mark"): "x", (6, "mark"): "x"}),
    (Spec("backup", (2, 2)), (17, 5, 4, 18), {(0, "visits"): "102", (0, "points"): "58½", (1, "visits"): "39",
                                              (1, "points"): "24", (2, "visits"): "29", (2, "points"): "18"}),
    (Spec("visit", (2, 2)), (20, 20, 14, 20), {(0, "visits"): "86", (0, "points"): "48", (4, "visits"): "21",
                                               (4, "points"): "8½", (5, "visits"): "9", (5, "points"): "1½"}),
    (Spec("order", (2, 2)), (15, 0, 2, 15), {(0, "order"): "b a", (1, "order"): "b a", (4, "order"): "a b"}),
    (Spec("order", (2, 2, 2)), (6, 9, 7, 14, 12, 4, 15, 1),
     {(node, "order"): "a b" if node else "b a" for node in (0, 1, 2, 5, 8, 9, 12)}),
    (Spec("expected", (2, 2)), (16, 8, 2, 9), {(0, "value"): "12", (1, "value"): "12", (4, "value"): "5½"}),
    (Spec("proof", (2, 2)), (-1, 0, 1, 0), {(0, "proof"): "1", (0, "disproof"): "1", (1, "proof"): "∞",
                                            (1, "disproof"): "0", (4, "proof"): "1", (4, "disproof"): "1"}),
    (Spec("leaves", game="tictactoe", plies=6, leaves=3), (0, 0, -1000, 0, -1000, 0),
     {(node, "value"): "−10" if node in (7, 11) else "0" for node in (3, 5, 7, 9, 11, 13)}),
    (Spec("values", game="tictactoe", plies=5, depth=2, breadth=3), (4, -55, -1000, -1000, -54, -26), None),
]  # fmt: skip
PLAYED = {6: (1, 2, 6, 4, 0, 3), 5: (2, 7, 4, 6, 8)}
"""The moves before the position, by their number."""


@pytest.mark.parametrize(("spec", "leaves", "solution"), DRAWN)
def test_an_exercise_with_a_number_is_the_same_in_every_version(
    spec: Spec, leaves: tuple[int, ...], solution: dict[tuple[int, str], str] | None
) -> None:
    """A reader tells another one the number of an exercise."""
    found = draw_exercise(spec, 1)
    assert tuple(leaf for leaf in found.drill.tree.leaves if leaf is not None) == leaves
    if solution is not None:
        assert {tuple(field): text for field, text in found.drill.solution().items() if text} == solution
    assert (found.subject.moves if found.subject else None) == PLAYED.get(spec.plies)


@pytest.mark.parametrize("seed", range(6))
def test_an_exercise_has_as_many_leaves_cuts_and_answers_as_wanted(seed: int) -> None:
    assert draw_exercise(Spec("values", (3, 3), leaves=9), seed).drill.tree.count == 9
    assert len(alphabeta(draw_exercise(Spec("values", (2, 2), cuts=1), seed).drill.tree).cut) == 1
    assert draw_exercise(Spec("order", (3, 3), answers=3), seed).drill.number >= 3


def test_drawn_visits_are_those_that_a_search_can_leave() -> None:
    tree, leaves, least, lost = drawn("1 2 | 3 4"), [], Fraction(9), Fraction(9)
    for seed in range(60):
        found = random_visits(random.Random(seed), tree, Fraction(7, 5))
        for node in range(len(tree)):
            below = tree.children[node]
            more = found.points[node] - sum(found.points[child] for child in below)
            if below:
                assert found.visits[node] == 1 + sum(found.visits[child] for child in below)
                assert more in (0, Fraction(1, 2), 1)
                first, second = sorted((found.bound(child) for child in below), reverse=True)
                assert first - second >= 0.03
            else:
                leaves.append(found.visits[node])
                least, lost = min(least, more), min(lost, found.visits[node] - more)
        assert found.best(0) != max(tree.children[0], key=found.mean)
    assert (min(leaves), max(leaves), least, lost) == (4, 40, 0.5, 0.5), "nobody has won all games of a leaf"


def test_the_tree_of_a_game_with_many_moves_has_the_best_three_of_two_plies() -> None:
    record = GameRecord(setup("gomoku"))
    record.play(112)
    tree = tree_of_subject(Subject.of(record, record.cursor))
    assert [len(below) for below in tree.children if below] == [3, 3, 3, 3]
    assert tree.moves[:2] == (-2, record.position.candidates()[0])
    assert tree.unit == 100


@pytest.mark.parametrize(("game", "size", "moves", "leaves", "depth"), [
    ("bones", 5, "", 13, 4), ("connect4", None, "fdacgaabggbcgggaeccafebedeebafebcbf", 12, 3),
    ("tictactoe", None, "a3b3c3a2b2", 12, 2),
])  # fmt: skip
def test_the_tree_of_a_game_has_two_to_four_plies(
    game: str, size: int | None, moves: str, leaves: int, depth: int
) -> None:
    record = parse_moves(moves, setup(game, size))
    tree = tree_of_subject(Subject.of(record, record.cursor))
    assert (tree.count, max(len(tree.path(node)) for node in range(len(tree)))) == (leaves, depth + 1)


def test_the_root_has_no_parent() -> None:
    assert drawn("1 2 | 3 4").parents == (-1, 0, 1, 1, 0, 4, 4)


@pytest.mark.parametrize("seed", range(12))
def test_trees_of_four_plies_have_a_best_order(seed: int) -> None:
    """Where a bound is proven three plies below the root, the order of moves matters, too."""
    tree = random_numbers(random.Random(seed), (2, 2, 2, 2))
    ordered = BestOrder(tree).ordered()
    assert len(alphabeta(ordered).windows) == BestOrder(tree).fewest
    assert values(ordered)[0] == values(tree)[0]
    check_hints(tree)


def test_what_is_below_a_branch_that_is_cut_or_marked_does_not_count() -> None:
    drill = MarkCuts(tree_of_subject(Subject(NumberTree((((3, 5), (6, 9)), ((1, 2), (0, -1)))))))
    fields = {drill.tree.title(field.node): field for field in drill.solution()}
    for marked, wrong in (
        ("", ["a b b", "b b"]), ("b b", ["a b b"]), ("a b b,b b", []), ("a b b,b b a", ["b b"]),
        ("a a,a b b,b b", ["a a"]), ("a a,a a a,a b b,b b", ["a a"]), ("a a a,a b b,b b", ["a a a"]),
    ):
        given = {fields[name]: MARK for name in marked.split(",") if name}
        assert [drill.tree.title(field.node) for field in drill.wrong(given)] == wrong, marked


def test_an_estimate_stays_below_a_win() -> None:
    assert grow_tree(NumberTree((5000, -5000, 7))).leaves == (None, 999, -999, 7)
    assert grow_tree(NumberTree((5000, -5000, 7)), unit=1).leaves == (None, 5000, -5000, 7)


def test_exercises_on_a_tree_are_four_unless_its_order_is_the_best() -> None:
    assert [drill.kind for drill in drills_of(drawn(TEXTBOOK))] == ["values", "windows", "cuts", "order"]
    assert [drill.kind for drill in drills_of(drawn("2 3 | 1 4"))] == ["values", "windows", "cuts"]
