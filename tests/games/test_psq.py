"""PSQ: what Piskvork writes is read, and what we write is read again as it was."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.formats import FormatError, psq, sgf_writer, text
from games.position import Outcome, Stones
from games.record import GameRecord, Seat
from games.registry import setup
from tests.games.formats_samples import PSQ_EXAMPLE, PSQ_GOMOCUP, PSQ_TOURNAMENT, REC_EXAMPLE
from tests.games.strategies import EXAMPLES, a_legal_move
from tests.games.test_sgf import moves_of


def test_an_example_is_read() -> None:
    record = psq.loads(PSQ_EXAMPLE.encode())
    assert (record.setup.size, moves_of(record)) == (15, "h8i9j6")
    assert [node.seconds for node in record.line()[1:]] == [1.2, 0.431, 0.012]


def test_a_file_of_a_tournament_names_the_first_player_first_whoever_begins() -> None:
    record = psq.loads(PSQ_TOURNAMENT.encode())
    assert [seat.name for seat in record.seats] == ["two", "one"]
    assert (record.setup.size, record.position.ply, record.cursor.seconds) == (20, 3, None)


def test_the_line_that_names_the_rule_was_taken_for_a_player() -> None:
    record = psq.loads(PSQ_GOMOCUP.encode())
    assert record.setup.rule == "renju"
    assert [seat.name for seat in record.seats] == ["Yixin2018", "Wine"]
    assert (record.position.ply, record.cursor.seconds) == (5, 1.52)
    assert record.notices == []
    alone = psq.loads(b"Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n2,Freestyle\n")
    assert [seat.name for seat in alone.seats] == ["", ""]
    other = psq.loads(b"Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n2,Caro\n")
    assert (other.setup.rule, [each.kind for each in other.notices]) == ("freestyle", ["rule"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("8,8,1200", "does not begin"),
        ("", "does not begin"),
        ("Piskvorky 15x20, 0:0, 0\n", "The board is 15×20; only square"),
        ("Piskvorky 25x25, 0:0, 0\n", "5 to 20"),
    ],
)
def test_what_is_no_file_of_piskvork_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(FormatError, match=sentence):
        psq.loads(text.encode())


def test_moves_that_cannot_be_played_are_left_out_and_named() -> None:
    record = psq.loads(b"Piskvorky 15x15\n8,8\n8,8\n9,9\n", setup("connect4"))
    assert (record.position.ply, [found.kind for found in record.notices]) == (1, ["cut"])
    assert record.setup.rule == "freestyle", "the rule of another game was taken for that of gomoku"


@pytest.mark.parametrize(
    "moves",
    [
        "8,8,0 9,7,431 10,10,12",
        " 8, 8, 0\n\t9 ,7 , 431 \n\n10,10,12",
        "8,8\n9,7,\n10,10",
        "8,8,-1\r+9,+7,+5\r10,10,999999999999999999",
    ],
)
def test_moves_that_piskvork_can_read_were_lost(moves: str) -> None:
    record = psq.loads(f"Piskvorky 15x15, 0:0, 0\n{moves}\n-1\n".encode())
    assert (moves_of(record), record.notices, record.seats) == ("h8i9j6", [], (Seat(), Seat()))


def test_times_are_kept_within_bounds() -> None:
    record = psq.loads(b"Piskvorky 15x15\n8,8,-1\r+9,+7,+5\r10,10,999999999999999999\r1,1,+\r2,2\n")
    assert [node.seconds for node in record.line()[1:]] == [0.0, 0.005, 1e9, None, None]
    for blanks in (86, 87):
        assert psq.recognises(b" " * blanks + b"Piskvorky 15x15") == (blanks == 86)


def test_moves_after_something_else_are_left_out_and_said() -> None:
    record = psq.loads(b"Piskvorky 15x15, 0:0, 0\n8,8,0\nfoo\n9,9,0\n-1\n")
    (found,) = record.notices
    assert (record.position.ply, found.kind, dict(found.facts)["ply"]) == (1, "cut", 2)
    assert "foo" in found.sentence


def test_the_name_of_a_division_was_taken_for_a_player() -> None:
    for line, rule in (("1,Standard2", "standard"), ("0,Freestyle15_1", "freestyle"), ("2,Renju_1", "renju")):
        record = psq.loads(f"Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n{line}\n".encode())
        assert (record.setup.rule, record.seats) == (rule, (Seat(), Seat()))


@pytest.mark.parametrize("names", [("", ""), ("Ada", ""), ("", "Bob"), ("7", "8"), ("-1", "x"), ("1 Renju", "五子")])
def test_names_are_read_as_they_were_written(names: tuple[str, str]) -> None:
    """People without a name were written as “person”, and a number was no name."""
    record = GameRecord(setup("gomoku"), (Seat(name=names[0]), Seat(name=names[1])))
    record.play(112)
    assert tuple(seat.name for seat in psq.loads(psq.dumps(record)).seats) == names


@st.composite
def psq_records(draw: st.DrawFn) -> GameRecord:
    names = st.text("abc 79-漢;(", max_size=12)
    seats = [Seat(name=" ".join(draw(names).split())) for _ in range(2)]
    record = GameRecord(setup("gomoku", draw(st.sampled_from([5, 15, 20])), "freestyle"), (seats[0], seats[1]))
    record.date = ""
    for choice in draw(st.lists(st.integers(0, 300), max_size=30)):
        if (move := a_legal_move(record, choice)) is not None:
            record.play(move, draw(st.integers(0, 10**6)) / 1000)
    return record


@EXAMPLES
@given(psq_records())
def test_what_is_written_is_read_as_it_was(record: GameRecord) -> None:
    assert psq.loads(psq.dumps(record)) == record


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize("outcome", [Outcome(0, "time"), Outcome(1, "other"), Outcome(None, "agreed")])
def test_who_has_won_and_by_which_rule_is_written(rule: str, outcome: Outcome) -> None:
    record = GameRecord(setup("gomoku", 15, rule), date="")
    record.date = ""
    record.play(112, 0.5)
    record.end(outcome)
    assert psq.loads(psq.dumps(record)) == record


def test_who_is_a_program_how_long_moves_took_and_what_names_may_not_have() -> None:
    record = GameRecord(setup("gomoku", 15, "renju"), (Seat("engine", "a, \\b"), Seat()))
    record.play(112, 0.5)
    record.play(96)
    record.end(Outcome(1, "time"))
    rows = "Piskvorky 15x15, 1:0, 0", "8,8,500", "7,7,0", "a /b", "homo-2", "15", "2,Renju", ""
    assert psq.dumps(record) == "\r\n".join(rows).encode()
    assert psq.dumps(GameRecord(setup("gomoku"))) == b"Piskvorky 15x15, 0:0, 0\r\nhomo-1\r\nhomo-2\r\n-1\r\n"


@pytest.mark.parametrize("move", ["16,8", "8,16", "0,8", "8,0", "-1,8"])
def test_a_move_beside_the_board_is_not_one_on_it(move: str) -> None:
    record = psq.loads(f"Piskvorky 15x15\n8,8\n{move}\n15,1\n1,15\n".encode())
    assert (moves_of(record), [dict(found.facts)["why"] for found in record.notices]) == ("h8", ["outside"])


def test_what_it_cannot_hold_is_refused() -> None:
    with pytest.raises(FormatError, match="no SGF files of bones"):
        sgf_writer.dumps(GameRecord(setup("bones")))
    for dumps in (psq.dumps, text.dumps):
        with pytest.raises(FormatError, match="set up"):
            dumps(GameRecord(setup("gomoku"), stones=Stones(((3,), ()), 1)))


def test_moves_with_more_numbers_were_left_out() -> None:
    record = psq.loads(b"Piskvorky 15x15, 0:5, 0\n8,8,1200,5\n9,7,431, 6, -7\n-1\n")
    assert (record.position.ply, [node.seconds for node in record.line()[1:]]) == (2, [1.2, 0.431])
    assert record.notices == []


# REC, the positions of the older manager, which Piskvork reads and writes, too.


def test_a_game_of_gomotur_is_counted_from_0_on_20_points() -> None:
    record = psq.load_rec(REC_EXAMPLE.encode())
    assert (record.setup.size, moves_of(record)) == (20, "j11k10l9")
    assert ([seat.name for seat in record.seats], record.cursor.seconds) == (["Alfa", ""], 1.2)


@pytest.mark.parametrize("data", [b"", b"a\nb\n", b"a\nb\nc\n1,1,0\n", b"\x00"])
def test_what_is_no_game_of_gomotur_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="does not begin"):
        psq.load_rec(data)


@settings(deadline=None, max_examples=15)
@given(st.lists(st.integers(0, 400), min_size=1, max_size=9), st.tuples(st.text(max_size=9), st.text(max_size=9)))
def test_a_rec_that_is_written_is_read_again(choices: list[int], names: tuple[str, str]) -> None:
    record = GameRecord(setup("gomoku", 20), (Seat(name=names[0]), Seat(name=names[1])))
    for choice in choices:
        if (move := a_legal_move(record, choice)) is not None:
            record.play(move)
    assert moves_of(psq.load_rec(psq.dump_rec(record), record.setup)) == moves_of(record)
    with pytest.raises(FormatError, match="20 × 20"):
        psq.dump_rec(GameRecord(setup("gomoku")))


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_a_game_that_is_not_over_lost_its_rule(rule: str) -> None:
    record = GameRecord(setup("gomoku", 15, rule))
    record.date = ""
    record.play(112, 0.5)
    assert psq.loads(psq.dumps(record)) == record


def test_a_game_of_gomotur_without_moves_could_not_be_read_again() -> None:
    record = GameRecord(setup("gomoku", 20), (Seat(name="Ada"), Seat(name="7")))
    record.date = ""
    assert psq.load_rec(psq.dump_rec(record)) == record
    with pytest.raises(FormatError, match="Gomotur"):
        psq.load_rec(b"Ada\r\nBob\r\n")
