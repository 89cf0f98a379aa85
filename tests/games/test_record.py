from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.clock import TimeControl
from games.evaluation import Evaluation, ScoredLine
from games.formats import tengen
from games.formats.text import parse
from games.position import FIRST, SECOND, IllegalMove, Outcome
from games.record import GameRecord, Mark, Node, Seat, path
from games.registry import setup
from tests.games.strategies import SETUPS, a_legal_move, a_node, drawn_game, gomoku

choices = st.integers(0, 30)


def moves_of(nodes: list[Node]) -> list[int | None]:
    return [node.move for node in nodes[1:]]


@pytest.mark.parametrize("move", [112, -1, 225])
def test_an_illegal_move_changes_nothing(move: int) -> None:
    record = gomoku("h8")
    before = tengen.dumps(record)
    with pytest.raises(IllegalMove):
        record.play(move)
    assert tengen.dumps(record) == before


def test_resigning_ends_the_game_until_it_is_taken_back() -> None:
    record = gomoku("h8h9")
    record.resign(FIRST)
    assert record.outcome == Outcome(SECOND, "resigned")
    with pytest.raises(IllegalMove, match="over"):
        record.play(0)
    record.end(Outcome(FIRST, "time"))
    assert record.outcome == Outcome(SECOND, "resigned"), "a game that is over cannot end again"
    assert record.undo()
    assert record.outcome is None
    assert record.cursor.move == 97
    record.play(0)


def test_line_goes_through_the_cursor_and_on_as_redo_does() -> None:
    record = gomoku("h8h9i9")
    record.undo()
    record.undo()
    record.play(99)
    record.undo()
    assert moves_of(record.line()) == [112, 99]
    record.go_to(record.cursor.children[0])
    assert moves_of(record.line()) == [112, 97, 98]


def test_bug_moves_taken_back_before_a_resignation_belonged_to_the_game() -> None:
    """Exports wrote them, and no result."""
    record = gomoku("h8a1h9a2")
    last = record.cursor
    record.undo()
    record.undo()
    record.resign(FIRST)
    assert moves_of(record.line()) == [112, 210]
    assert record.main_end() is record.cursor
    record.go_to(record.root)
    assert moves_of(record.line()) == [112, 210]
    record.go_to(last)
    assert record.line()[-1] is last


def test_what_was_removed_comes_back_among_what_was_played_since() -> None:
    """Removed twice, and one of the moves played again, with another answer."""
    record = gomoku("h8h9i9j9")
    record.cursor.comment = "the end"
    line = record.line()
    removed = [record.remove(line[3]), record.remove(line[1])]
    for way in ((112, 97, 98, 0), (112, 97, 1)):
        record.go_to(record.root)
        for move in way:
            record.play(move)
    for each in reversed(removed):
        record.restore(each)
    assert record.cursor.move == 97
    assert moves_of(record.line()) == [112, 97, 98, 99]
    assert record.line()[-1].comment == "the end"
    ends = [moves_of(path(node)) for node in record.nodes() if not node.children]
    assert ends == [[112, 97, 98, 99], [112, 97, 98, 0], [112, 97, 1]]


def test_the_beginning_is_not_removed_and_a_node_of_another_record_not_gone_to() -> None:
    record = gomoku("h8")
    with pytest.raises(ValueError, match="beginning"):
        record.remove(record.root)
    with pytest.raises(ValueError, match="another record"):
        record.go_to(gomoku("h8").cursor)
    assert record.cursor.move == 112


def test_bug_going_to_a_removed_node_turned_redo_aside() -> None:
    """`go_to` failed half-way, with "… is not in list", after it had changed where redo leads."""
    record = gomoku("h8h9i9")
    removed = record.cursor
    record.remove(removed)
    record.go_to(record.root)
    record.play(0)
    record.undo()
    with pytest.raises(ValueError, match="another record"):
        record.go_to(removed)
    assert record.root.next.move == 0


def test_bug_the_repr_of_a_node_was_the_whole_tree() -> None:
    record = GameRecord(setup("gomoku", 20))
    for move in drawn_game(20):
        record.play(move)
    assert len(repr(record.cursor)) < 5_000
    assert len(repr(record.root)) < 5_000


def test_records_are_equal_when_all_they_hold_is() -> None:
    first, second = gomoku("h8h9"), gomoku("h8h9")
    second.date = first.date
    assert first == second
    first.cursor.evaluation = Evaluation(10, None, 4)
    assert first != second
    second.cursor.evaluation = Evaluation(10, None, 4)
    assert first == second
    second.undo()
    assert first != second
    second.redo()
    second.seats = (Seat("engine"), Seat())
    assert first != second
    assert first != "a record"


def test_the_better_evaluation_is_kept() -> None:
    """A deeper search, before it a proof, and of two proofs the shorter mate."""
    node = gomoku("").root
    for better in (Evaluation(5, None, 1), Evaluation(40, None, 15), Evaluation(30, None, 15)):
        assert node.learn(better)
        assert not node.learn(Evaluation(99, None, 0))
        assert node.evaluation == better
    lost = -19_990_000  # without the distance, as `Score.bounded` is
    for proof in (Evaluation(lost, -9, 3), Evaluation(lost, -7, 2)):
        assert node.learn(proof)
        assert not node.learn(proof)
        assert not node.learn(Evaluation(40, None, 30))
        assert not node.learn(Evaluation(lost, -15, 30))
        assert node.evaluation == proof


def line(move: int, score: int, depth: int, mate: int | None = None) -> ScoredLine:
    return ScoredLine(score, mate, depth, (move, depth, move))


WON, LOST = line(3, 99, 5, 5), line(2, -99, 5, -4)


def of(*lines: ScoredLine, seconds: float = 0.0, wanted: int = 1) -> Evaluation:
    best, *others = lines
    known = best.score, best.mate, best.depth, best.line
    return Evaluation(*known, seconds=seconds, others=tuple(others), wanted=wanted)


@pytest.mark.parametrize(
    ("known", "found", "kept"),
    [
        # A search for more moves that is as deep replaces all.
        (of(line(1, 9, 7)), of(line(2, 8, 7), line(1, 7, 7)), of(line(2, 8, 7), line(1, 7, 7))),
        # One for more moves that is shallower adds those that were not known.
        (of(line(1, 9, 9)), of(line(1, 8, 5), line(2, 7, 5)), of(line(1, 9, 9), line(2, 7, 5))),
        (of(line(1, 9, 9), line(2, 7, 5)), of(line(3, 8, 6), line(2, 7, 6)), of(line(1, 9, 9), line(3, 8, 6))),
        # A deeper one for fewer moves leaves the others.
        (of(line(1, 9, 7), line(2, 8, 7)), of(line(2, 5, 9)), of(line(2, 5, 9), line(1, 9, 7))),
        (of(line(1, 9, 7), line(2, 8, 7)), of(line(3, 5, 9)), of(line(3, 5, 9), line(1, 9, 7))),
        (
            of(line(1, 9, 7), line(2, 8, 7), line(3, 7, 7)),
            of(line(2, 5, 9), line(3, 5, 9)),
            of(line(2, 5, 9), line(3, 5, 9), line(1, 9, 7)),
        ),
        # A move that the deeper search has in place of another pushes that one out.
        (of(line(1, 9, 7), line(2, 8, 7)), of(line(1, 9, 8), line(3, 8, 8)), of(line(1, 9, 8), line(3, 8, 8))),
        # A proof is the best there is, and stays.
        (of(line(1, 9, 20), line(2, 8, 20)), of(WON), of(WON, line(1, 9, 20))),
        (of(WON, line(1, 9, 20)), of(line(1, 8, 22), line(2, 7, 22)), of(WON, line(1, 8, 22))),
        (of(line(1, 9, 7), LOST), of(line(1, 9, 8), line(2, 8, 8)), of(line(1, 9, 8), LOST)),
        # A best move of which nothing is known is not that of a shallower search.
        (Evaluation(9, None, 9), of(line(1, 8, 5)), Evaluation(9, None, 9, others=(line(1, 8, 5),))),
        (Evaluation(9, None, 9, others=(line(1, 8, 5),)), of(line(1, 9, 10)), of(line(1, 9, 10))),
    ],
)  # fmt: skip
def test_moves_that_were_found_are_lost_to_better_ones_only(
    known: Evaluation, found: Evaluation, kept: Evaluation
) -> None:
    node = gomoku("").root
    node.evaluation = known
    assert node.learn(found)
    assert node.evaluation == kept
    assert not node.learn(found), "it is no news any more"


def test_a_shallower_search_for_the_same_moves_is_no_news() -> None:
    node = gomoku("").root
    assert node.learn(of(line(1, 9, 7), line(2, 8, 7), line(3, 7, 7)))
    assert not node.learn(of(line(1, 5, 6), line(3, 5, 6), line(2, 5, 6)))


def test_what_searches_had_is_kept_whichever_is_deeper() -> None:
    """A position that had been searched for long was searched again after a quick look that happened to see deeper."""
    node = gomoku("").root
    long = replace(of(line(1, 9, 7), seconds=20.0, wanted=3), sound=(1, 2), only=True)
    assert node.learn(long)
    assert node.learn(of(line(1, 5, 8), seconds=0.5))
    assert node.evaluation == replace(long, score=5, depth=8, line=line(1, 5, 8).line)


def test_an_evaluation_follows_the_moves_of_its_line() -> None:
    for mate, longer, shorter in ((None, None, None), (3, 4, 2), (-3, -4, -2), (1, 2, 0), (-1, -2, 0)):
        known = replace(of(ScoredLine(5, mate, 4, (7, 8)), line(1, 4, 4), seconds=2.0, wanted=3), by="engine")
        before = Evaluation(5, longer, 5, (6, 7, 8), 2.0, by="engine")
        assert [known.backed_up(6), known.backed_up(6, 3), known.backed_up(6, 9)] == [
            before, before, replace(before, depth=9),
        ]  # fmt: skip
        assert known.carried_over(7) == Evaluation(5, shorter, 3, (8,), by="engine")
        assert replace(known, depth=0).carried_over(7).depth == 0
        assert known.carried_over(8) is None
        assert replace(known, line=(7,)).carried_over(7) is None
        assert known.winner == (None if mate is None else int(mate < 0))
        assert known.lines == (ScoredLine(5, mate, 4, (7, 8)), line(1, 4, 4))
        assert replace(known, line=()).lines == (line(1, 4, 4),)


def test_a_proven_draw_is_a_proof() -> None:
    draw = ScoredLine(0, None, 3, exact=True)
    for other in (None, ScoredLine(900, None, 30), draw):
        assert draw.improves(other)
    assert not ScoredLine(900, None, 30).improves(draw)
    assert not replace(draw, depth=2).improves(draw)
    assert not ScoredLine(99, 9, 9).improves(replace(draw, depth=10)), "neither is a shorter win"
    assert ScoredLine(99, 9, 9).improves(ScoredLine(98, 7, 9)), "with another margin the deeper search counts"
    assert ScoredLine(99, 9, 3).improves(ScoredLine(-99, -9, 9)), "and of two as long the new one"


def test_clocks_show_what_was_thought_at_the_cursor_or_is_being_thought() -> None:
    record = GameRecord(setup("gomoku"), (Seat(), Seat(divisor=2)), control=TimeControl(60, 5))
    record.play(0, 10)
    record.play(1)
    record.cursor.spent = 4.0
    for spent, left in ((None, 51.0), (7.5, 47.5)):
        faces = record.clocks(spent)
        assert faces is not None
        assert [face.seconds for face in faces] == [left, 33.0]
    record.undo()
    faces = record.clocks()
    assert faces is not None
    assert [face.seconds for face in faces] == [55.0, 30.0]
    assert gomoku("").clocks() is None
    record = GameRecord(setup("gomoku"), (Seat(), Seat(divisor=2)), control=TimeControl(4, periods=2, period=30))
    for move, left in ((0, (30.0, 2.0)), (1, (30.0, 15.0)), (2, (30.0, 15.0))):
        record.play(move, 10)
        faces = record.clocks(0.0)
        assert faces is not None
        assert tuple(face.seconds for face in faces) == left, "each has the periods of its own clock"


def test_a_record_has_a_date_of_its_own() -> None:
    assert len(gomoku("").date) == len("2026-11-21T09:14:38")
    assert GameRecord(setup("bones"), date="1998").date == "1998"


class RecordMachine(RuleBasedStateMachine):
    """Any sequence of acts leaves a consistent tree with a cursor in it."""

    record: GameRecord

    @initialize(of=st.sampled_from(SETUPS))
    def begin(self, of) -> None:  # type: ignore[no-untyped-def]
        self.record = GameRecord(of)

    @rule(choice=choices)
    def play(self, choice: int) -> None:
        here, move = self.record.cursor, a_legal_move(self.record, choice)
        known = {child.move: child.seconds for child in here.children}
        if move is not None:
            child = self.record.play(move, seconds=choice)
            assert self.record.cursor is child is here.next
            assert len(here.children) == len(known | {move: choice})
            assert child.seconds == known.get(move, choice)

    @rule()
    def undo_and_redo(self) -> None:
        here, ended = self.record.cursor, self.record.cursor.ending
        if self.record.undo() and ended is None:
            assert self.record.cursor is here.parent
            assert self.record.redo() == (self.record.cursor is here)

    @rule()
    def undo(self) -> None:
        here, ended = self.record.cursor, self.record.cursor.ending
        assert self.record.undo() == (here.parent is not None or ended is not None)
        assert self.record.cursor is (here if ended is not None else here.parent or here)

    @rule()
    def redo(self) -> None:
        following = self.record.cursor.next
        assert self.record.redo() == (following is not None)
        assert following is None or self.record.cursor is following

    @rule(choice=choices)
    def go_to(self, choice: int) -> None:
        node = a_node(self.record, choice)
        self.record.go_to(node)
        assert self.record.cursor is node
        assert all(before.next is after for before, after in zip(path(node), path(node)[1:], strict=False))

    @rule(choice=choices)
    def promote(self, choice: int) -> None:
        node = a_node(self.record, choice)
        siblings, redo = (node.parent.children[:], node.parent.next) if node.parent else ([], None)
        self.record.promote(node)
        if node.parent is not None:
            assert node.parent.children == [node, *(other for other in siblings if other is not node)]
            assert node.parent.next is redo

    @precondition(lambda self: self.record.root.children)
    @rule(choice=choices)
    def remove(self, choice: int) -> None:
        node, here = a_node(self.record, choice), self.record.cursor
        if (parent := node.parent) is not None:
            left = [other for other in self.record.nodes() if node not in path(other)]
            redo = parent.next
            self.record.remove(node)
            assert list(self.record.nodes()) == left
            assert self.record.cursor is (here if here in left else parent)
            assert parent.next is (redo if redo is not node else parent.children[0] if parent.children else None)

    @rule(choice=choices)
    def remove_and_restore(self, choice: int) -> None:
        node, before = a_node(self.record, choice), list(self.record.nodes())
        if node.parent is not None:
            self.record.restore(self.record.remove(node))
            assert list(self.record.nodes()) == before
            assert self.record.cursor is node.parent
            assert self.record.cursor.next is node

    @rule(side=st.sampled_from([FIRST, SECOND]))
    def resign(self, side: int) -> None:
        before = self.record.outcome
        self.record.resign(side)
        assert self.record.outcome == (before or Outcome(1 - side, "resigned"))

    @invariant()
    def consistent(self) -> None:
        nodes = list(self.record.nodes())
        assert any(node is self.record.cursor for node in nodes)
        assert self.record.root.parent is None
        for node in nodes:
            assert all(child.parent is node for child in node.children)
            assert 0 <= node.preferred < max(1, len(node.children))
            assert len({child.move for child in node.children}) == len(node.children)
            assert node.ending is None or node.position.outcome is None
            if node.parent is not None and node.move is not None:
                assert node.position == node.parent.position.play(node.move)
        assert self.record.root.position == self.record.setup.start()
        assert self.record.cursor in self.record.line()


TestRecordMachine = RecordMachine.TestCase
TestRecordMachine.settings = settings(deadline=None, max_examples=60, stateful_step_count=30)


# Proofs.


def proven(mate: int, *line: int) -> Evaluation:
    return Evaluation(20_000_000 if mate > 0 else -20_000_000, mate, 3, line, by="engine")


def test_a_proof_spreads_to_the_position_before_a_move_that_wins() -> None:
    record = parse("b2a1c3", setup("tictactoe"))
    start, after_first, _, last = record.line()
    last.learn(proven(3, 1, 5, 3))
    before = last.parent.evaluation
    assert (before.mate, before.line, before.by) == (4, (last.move, 1, 5, 3), "engine")
    assert after_first.evaluation is None, "another move of the second side may be better"
    assert start.evaluation is None


def test_a_proof_spreads_to_the_position_after_the_first_move_of_its_line() -> None:
    record = parse("b2a1c3", setup("tictactoe"))
    start, first, second, third = record.line()
    start.learn(proven(-4, *(node.move or 0 for node in (first, second, third)), 3))
    known = [node.evaluation for node in (first, second, third)]
    assert [each and (each.mate, len(each.line)) for each in known] == [(-3, 3), (-2, 2), (-1, 1)]
    given_up = parse("b2a1", setup("tictactoe"))
    given_up.resign(0)
    given_up.root.learn(proven(-4, *(node.move or 0 for node in given_up.line()[1:]), 3, 5))
    assert [node.evaluation is None for node in given_up.line()] == [False, False, True], "nothing follows an end"


def test_a_shorter_proof_stays() -> None:
    record = parse("b2a1c3", setup("tictactoe"))
    *_, before, last = record.line()
    before.learn(proven(2, 3, 4))
    last.learn(proven(3, 1, 5, 3))
    assert before.evaluation.mate == 2


NAMES = [
    ("Anna\nBauer", "Anna Bauer"),
    ("Anna\r\n\t Bauer\x0b\u2028", "Anna Bauer"),
    ("山田\u3000太郎", "山田 太郎"),
    ("\u202egnilreB\u202c", "gnilreB"),
    ("A\u200bn\u2060n\ufeffa\x1b[2J\x00", "Anna[2J"),
    ("Z" + "\u0335" * 500 + "oe", "Z" + "\u0335" * 4 + "oe"),
    ("José Müller", "José Müller"),
    ("Nguye\u0302\u0303n", "Nguye\u0302\u0303n"),
    ("\n\t\u200b", ""),
    ("\u0335" * 5, "\u0335" * 4),
]


@pytest.mark.parametrize(("given", "kept"), NAMES)
def test_a_name_of_several_lines_was_drawn_over_other_text(given: str, kept: str) -> None:
    assert Seat(name=given).name == kept
    assert Mark("label", 3, given).text == kept
