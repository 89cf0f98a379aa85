"""SGF as it is in the world: with flaws, and of other games. What can be read is read, and what is left out is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.formats import FormatError, load, native, sgf, sgf_writer
from games.position import SECOND
from games.record import GameRecord
from games.registry import setup
from tests.games.formats_samples import SGF_GO
from tests.games.test_sgf import moves_of

FILES = Path(__file__).parents[1] / "data" / "files"


def kinds(record: GameRecord) -> list[str]:
    return [found.kind for found in record.notices]


def test_one_flaw_refused_the_game_of_orc_game_center() -> None:
    record = load(FILES / "02_orc_game_center.sgf")
    assert (record.setup, record.position.ply) == (setup("gomoku", 15, "renju"), 10)
    assert (record.outcome.winner, record.outcome.reason) == (SECOND, "resigned")
    assert [seat.name for seat in record.seats] == ["B", "A"]
    assert record.line()[4].comment == "\n A started observation.\n"
    assert record.root.extra["5A"] == ("gg", "hh")
    assert [dict(found.facts) for found in record.notices] == [{"text": "---"}]
    assert native.loads(native.dumps(record)) == record


@pytest.mark.parametrize(
    ("name", "moves", "said"),
    [
        ("02_lower_case", "h8i7", []),
        ("02_no_closing_paren", "h8i7", ["broken_off"]),
        ("02_unescaped_bracket", "h8i7", []),
        ("01_latin1_move_eaten", "h8i7h9h7", ["encoding"]),
        ("01_cp1251_move_eaten", "h8i7h9h7", ["encoding"]),
        ("01_gbk_as_hangul", "h8i7h9h7", ["encoding"]),
    ],
)
def test_the_files_that_0_8_refused_or_misread(name: str, moves: str, said: list[str]) -> None:
    record = load(FILES / f"{name}.sgf")
    assert (moves_of(record), kinds(record)) == (moves, said)


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("see [1] here", "see [1] here"),
        ("[1]", "[1]"),
        ("a [b]", "a [b]"),
        ("[1] and B[hh] (or so) is good", "[1] and B[hh] (or so) is good"),
        ("smile :] then", "smile :] then"),
        ("sad :[", "sad :["),
        ("escaped \\] and [2] not", "escaped ] and [2] not"),
    ],
)
def test_brackets_in_a_comment_ended_it(text: str, comment: str) -> None:
    record = sgf.loads(f"(;GM[4]SZ[15];B[hh]C[{text}];W[ii])".encode())
    assert (record.line()[1].comment, moves_of(record), kinds(record)) == (comment, "h8i7", [])
    again = sgf.loads(sgf_writer.dumps(record))
    assert again.line()[1].comment == comment


@pytest.mark.parametrize(
    ("text", "moves", "said"),
    [
        ("(GM[4]SZ[15];B[hh];W[ii])", "h8i7", []),
        ("(;GM[4]SZ[15];B[hh];W[ii]", "h8i7", ["broken_off"]),
        ("(;GM[4]SZ[15];B[hh](;W[ii](;B[jj]", "h8i7j6", ["broken_off"]),
        ("(;GM[4]SZ[15];B[hh];W[ii]C[no end", "h8i7", ["broken_off"]),
        ("(;GM[4]SZ[15];B[hh] what ;W[ii])", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];B[hh]];W[ii])", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];B[hh]W;W[ii])", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];[aa]B[hh];W[ii])", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15](;B[hh];W[ii])C[late])", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];B[hh];W[ii])\n---\n", "h8i7", ["stray"]),
        ("---\n(;GM[4]SZ[15];B[hh];W[ii])\n", "h8i7", []),
        ("(;GaMe[4]SiZe[15];BLack[hh];White[ii])", "h8i7", ["cut"]),
        ("(;GAme[4]5A[aa][bb]sz[15];b[hh];w[ii])", "h8i7", []),
        ("\ufeff(;GM[4]SZ[15];B[hh];W[ii])", "h8i7", []),
        ("((;GM[4]SZ[15];B[hh];W[ii]))", "h8i7", ["stray"]),
    ],
)
def test_a_flaw_loses_no_more_than_itself(text: str, moves: str, said: list[str]) -> None:
    record = sgf.loads(text.encode())
    if said != ["cut"]:
        assert (moves_of(record), kinds(record)) == (moves, said)
    sgf.loads(sgf_writer.dumps(record))


def test_a_line_between_games_is_left_out_and_said() -> None:
    data = b"(;GM[4]SZ[15];B[hh])\n---\n(;GM[4]SZ[15];B[ii])\n---\n"
    records = sgf.loads_all(data)
    assert [moves_of(record) for record in records] == ["h8", "i7"]
    assert [kinds(record) for record in records] == [["stray"], []]
    assert kinds(sgf.loads(data)) == ["more_games", "stray"]


# Other games.


@pytest.mark.parametrize(
    ("text", "game"),
    [
        (SGF_GO, "Go"),
        ("(;FF[4]GM[1]KM[6.5];B[pd];W[dp])", "Go"),
        ("(;FF[4]KM[6.5];B[pd];W[dp])", "Go"),
        ("(;GM[1]SZ[7]KM[9]HA[2]AB[cc][ee];W[ec])", "Go"),
        ("(;SZ[7]KM[9.0];B[dd])", "Go"),
        ("(;GM[1]SZ[15]RU[Japanese];B[dd])", "Go"),
        ("(;GM[1]SZ[11]RE[B+12.5];B[dd])", "Go"),
        ("(;GM[1]SZ[11];B[dd](;W[ee]TB[aa][bb]))", None),
        ("(;GM[1]SZ[9];B[dd])", "Go"),
        ("(;GM[3])", "chess"),
        ("(;GM[11]SZ[11];B[a1])", "Hex"),
        ("(;GM[21]SZ[24])", "TwixT"),
        ("(;GM[2]SZ[8])", "Othello"),
        ("(;GM[5]AP[mills])", "Nine Men's Morris"),
        ("(;GM[Hex]SZ[11])", "Hex"),
    ],
)
def test_another_game_is_named_and_nothing_of_it_is_opened(text: str, game: str | None) -> None:
    if game is None:  # nothing in the first node tells
        assert sgf.loads(text.encode()).setup.size == 11
        return
    with pytest.raises(FormatError, match=f"This is a game of {game}, which") as caught:
        sgf.loads(text.encode())
    assert (caught.value.kind, caught.value.facts) == ("other_game", {"game": game})


def test_go_without_a_size_is_named() -> None:
    with pytest.raises(FormatError, match="a game of Go"):
        load(FILES / "07_go_without_size.sgf")


@pytest.mark.parametrize(("size", "board"), [("9:9:9", "9×9×9"), ("15:13", "15×13"), ("x", "x"), ("1:", "1×")])
def test_a_board_that_is_not_square_is_named(size: str, board: str) -> None:
    with pytest.raises(FormatError, match="only square") as caught:
        sgf.loads(f"(;GM[4]SZ[{size}];B[aa])".encode())
    assert (caught.value.kind, caught.value.facts) == ("board", {"board": board})


FIVE = ";B[hh];W[ii];B[hg];W[hi];B[hf];W[aa];B[he];W[bb];B[hd]"


@pytest.mark.parametrize(
    ("text", "plies"),
    [
        (f"(;GM[1]SZ[15]{FIVE})", 9),
        (f"(;GM[1]SZ[19]KM[6.5]{FIVE})", 9),
        ("(;GM[1]SZ[19]RU[Gomoku];B[hh])", 1),
        ("(;SZ[15];B[hh])", 1),
        ("(;GM[1]SZ[15]KM[0]HA[0];B[hh])", 1),
        ("(;GM[5]SZ[15];B[hh])", 1),
        ("(;GM[4];B[hh])", 1),
    ],
)
def test_gomoku_from_programs_that_know_go_only_is_still_read(text: str, plies: int) -> None:
    assert sgf.loads(text.encode()).position.ply == plies


@pytest.mark.parametrize("start", ["", ";", "\ufeff;", "\r\n ;", "\ufeff"])
@pytest.mark.parametrize("end", ["", ")", ")\n---\n"])
def test_a_game_without_its_first_parenthesis_was_refused(start: str, end: str) -> None:
    record = sgf.loads(f"{start}GM[4]FF[4]SZ[15]PB[A]PW[B];B[hh](;W[ii])(;W[aa]){end}".encode())
    assert sgf.recognises(f"{start}GM[4]FF[4]SZ[15]".encode())
    assert (moves_of(record), len(list(record.nodes()))) == ("h8i7", 4)
    assert kinds(record) == ([] if end else ["broken_off"]) + (["stray"] if "-" in end else [])


def test_words_with_a_bracket_are_no_game() -> None:
    with pytest.raises(FormatError):
        sgf.loads(b"See [1] and FAQ [2]")
    assert not sgf.recognises(b"See [1] and GM[4]")


@pytest.mark.parametrize(
    ("head", "read"),
    [("GN[A-B(B) : RIF rule]", True), ("RU[Renju]", True), ("SZ[15]", True), ("GN[A-B]", False), ("RU[NMM]", False)],
)
def test_the_number_of_orc_game_center_needs_a_board_or_a_rule(head: str, read: bool) -> None:
    data = f"(;GM[5]{head};B[hh];W[hg])".encode()
    if read:
        assert moves_of(sgf.loads(data)) == "h8h9"
    else:
        with pytest.raises(FormatError, match="Nine Men"):
            sgf.loads(data)


def test_many_marks_of_one_point_are_one() -> None:
    record = sgf.loads(b"(;GM[4]SZ[15]" + b"LB" + b"[aa:1]" * 50_000 + b";B[hh])")
    assert (len(record.root.marks), kinds(record)) == (1, [])


def test_points_in_capitals_were_left_out() -> None:
    record = sgf.loads(b"(;GM[4]SZ[15];B[HH];W[Ii];B[HG]CR[AA])")
    assert (moves_of(record), len(record.cursor.marks), kinds(record)) == ("h8i7h9", 1, [])
