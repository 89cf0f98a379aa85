"""What the lessons on null windows, quiescence, expectimax and proof numbers say besides numbers, by plain searches."""

from fractions import Fraction

from ai.search.trace import INFINITY, End
from tests.ai.search.test_minimax import plain as expected
from tests.ai.search.test_minimax import worth
from tests.ai.search.test_quiescence import plain as quiesced
from tests.ui.learn.search_lessons import BAD_ORDER, FORCED, GOOD_ORDER, HORIZON, TRAP
from tests.ui.learn.test_lesson_facts import explored, plain_value, searched, step_of
from ui.learn.lesson_state import subject
from ui.learn.search_words import bound_text, move_texts, window_text
from ui.toolkit.i18n import LANGUAGES


def test_a_null_window_is_answered_as_the_lesson_says() -> None:
    explorer = explored(step_of("en", "11-null-window", 3))
    node = explorer.find("b")
    assert node is not None
    assert window_text(explorer, node) == "α 11  β 12"
    last = step_of("en", "11-null-window", 4)
    explorer = explored(last)
    found = {name: explorer.find(name) for name in ("c", "c a")}
    assert {name: bound_text(explorer, node or 0) for name, node in found.items()} == {"c": "4", "c a": "≥13"}
    seen = explorer.trace.children(found["c a"] or 0)
    assert len(seen) == 1, "15 is not looked at"


def test_a_better_move_is_searched_again_as_the_lesson_says() -> None:
    explorer = explored(step_of("en", "11-null-window", 6))
    nodes = [explorer.find(name) for name in ("c", "c*")]
    assert [bound_text(explorer, node or 0) for node in nodes] == ["≥9", "11"]
    trace = explorer.trace
    assert [(-trace.beta[node or 0], -trace.alpha[node or 0]) for node in nodes] == [(5, 6), (5, INFINITY)]
    assert move_texts(explorer, nodes[1] or 0) == ("c*",)
    assert explorer.line()[1] == nodes[1], "the line goes through the second search"
    for order in (GOOD_ORDER, BAD_ORDER):
        assert {searched(order, key, 3).info.score for key in ("pvs", "minimax")} == {11}


def test_the_loss_beyond_the_horizon_is_one() -> None:
    position = subject(HORIZON).position
    after = position.play(position.parse_move("e")).play(position.parse_move("c"))
    assert plain_value(after, 2) == -1, "Yellow wins after every answer of Red"
    wins = {after.move_text(move) for move in after.legal_moves()
            if (won := after.play(after.legal_moves()[0]).play(move).outcome) and won.winner == 1}  # fmt: skip
    assert wins == {"b", "f"}
    assert plain_value(position.play(position.parse_move("e")), 3) == 1
    assert plain_value(position.play(position.parse_move("c")), 3) == 0


def test_quiescence_finds_what_the_lesson_says() -> None:
    position = subject(HORIZON).position
    for move, value in (("c", 37), ("f", 12)):
        assert -quiesced(position.play(position.parse_move(move)), 0, 1) <= value
    assert -quiesced(position.play(position.parse_move("c")), 0, 1) == 37
    explorer = explored(step_of("en", "12-quiescence", 5))
    node = explorer.find("f")
    assert node is not None
    assert (explorer.end(node), bound_text(explorer, node)) == (End.QUIET, "≤+0.12")
    assert not explorer.has_children(node)
    assert position.play(position.parse_move("f")).evaluate() == -12
    assert searched("bones:8", "quiescence", 1).info.score < 0 == searched("bones:8", "minimax", 3).info.score


def test_the_trap_is_worth_what_the_lesson_says() -> None:
    position = subject(TRAP).position
    found = {}
    for move in position.legal_moves():
        after = position.play(move)
        mean = expected(after, position.turn, None, Fraction(1, 5), worth(position.turn))
        found[position.move_text(move)] = plain_value(after, 9), round(float(mean) / 100, 2)
    assert {move: value for move, (exact, value) in found.items() if exact == 0} == {"a1": 2.72, "b2": 0.56, "a2": 0.05}
    assert all(exact == 1 for move, (exact, _) in found.items() if move not in ("a1", "a2", "b2")), "X wins"
    threat = position.play(position.parse_move("a1"))
    assert threat.play(threat.parse_move("a2")).play(threat.parse_move("b1")).outcome is not None


def test_errors_of_a_third_make_both_branches_equal() -> None:
    error = Fraction(1, 3)
    values = {(1 - error) * min(leaves) + error * Fraction(sum(leaves), 3) for leaves in ((4, 5, 6), (2, 9, 16))}
    assert len(values) == 1
    for code in LANGUAGES:
        assert "1/3" in step_of(code, "13-expectimax", 3).text


def numbers_on_page(page: int, *nodes: str) -> list[str]:
    explorer = explored(step_of("en", "14-proof-numbers", page))
    return [bound_text(explorer, explorer.find(node) or 0) for node in nodes]


def test_proof_numbers_are_as_the_lesson_says() -> None:
    assert numbers_on_page(2, "") == ["1:1"]
    assert numbers_on_page(3, "", "a", "b", "c") == ["1:3", "1:1", "1:1", "1:1"]
    assert numbers_on_page(4, "", "a") == ["1:3", "3:1"]
    assert numbers_on_page(5, "", "a", "b", "c") == ["2:3", "3:1", "2:1", "4:1"]
    assert numbers_on_page(6, "b", "b a", "b a a", "b a b") == ["1:1", "0:∞", "∞:0", "0:∞"]
    assert numbers_on_page(7, "", "b", "b a", "b b") == ["0:∞", "0:∞", "0:∞", "0:∞"]
    last = explored(step_of("en", "14-proof-numbers", 7))
    below = [last.find(f"{first} {reply}") for first, replies in (("a", "abc"), ("c", "abcd")) for reply in replies]
    assert [last.has_children(node or 0) for node in below] == [False] * 7


def test_the_forced_win_is_as_the_lesson_says() -> None:
    position = subject(FORCED).position
    assert numbers_on_page(8, "a3", *(f"a3 {move}" for move in ("b3", "c3", "a2", "c2", "a1", "c1"))) == [
        "1:1", "0:∞", "0:∞", "0:∞", "0:∞", "0:∞", "1:1",
    ]  # fmt: skip
    others = [position.move_text(move) for move in position.legal_moves()][1:]
    assert numbers_on_page(9, "", *others) == ["0:∞", *["6:1"] * 6]
    for move in ("a3", "c1", "a1"):
        position = position.play(position.parse_move(move))
    wins = {
        reply: {after.move_text(move) for move in after.legal_moves() if after.play(move).outcome}
        for reply in position.legal_moves() if (after := position.play(reply))
    }  # fmt: skip
    assert all(wins.values()), "no reply stops both threats"
    assert set.union(*wins.values()) == {"a2", "c3"}
