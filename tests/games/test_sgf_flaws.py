"""SGF as it is in the world: with flaws, and of other games. What can be read is read, and what is left out is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.formats import FormatError, load, sgf, sgf_text, sgf_writer, tengen
from games.position import FIRST, SECOND
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
    assert tengen.loads(tengen.dumps(record)) == record


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
        ("(;GM[4]SZ[15];B[hh] what ever W[ii])", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];B[hh]];W[ii])", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];B[hh]C[a [b];W[ii])x]", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];B[hh]W;W[ii])", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];[aa]B[hh];W[ii])", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15](;B[hh];W[ii])C[late])", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];B[hh];W[ii])\n---\n", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];B[hh] what ;W[ii])\n---\n", "h8i7", ["stray"]),
        ("(;GM[4]SZ[15];B[hh] what ;W[ii]", "h8i7", ["broken_off", "stray"]),
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


def test_what_is_around_games_is_looked_through_so_far_and_quoted_so_far() -> None:
    assert [sgf.recognises(b"x" * before + b"(;G") for before in (997, 998)] == [True, False]
    texts = [dict(sgf.loads(b"(;GM[4]SZ[15])" + b"x" * after).notices[0].facts)["text"] for after in (40, 41)]
    assert texts == ["x" * 40, "x" * 40 + "…"]


def test_a_line_between_games_is_left_out_and_said() -> None:
    data = b"(;GM[4]SZ[15];B[hh])\n---\n(;GM[4]SZ[15];B[ii])\n---\n"
    records = sgf.loads_all(data)
    assert [moves_of(record) for record in records] == ["h8", "i7"]
    assert [kinds(record) for record in records] == [["stray"], []]
    assert kinds(sgf.loads(data)) == ["more_games", "stray"]


@pytest.mark.parametrize(
    ("text", "texts", "flaws"),
    [
        ("(;C[é]", ["é"], 0), ("x(;PB[ab]C[é [b] c])", ["é [b\\] c"], 2), ("]é", [], 1), ("x", [], 1),
        ("(;C[é", ["é"], 1), ("(;PB[a[b]PW[è])", ["è"], 1), ("(;C[é [1]) b])", ["é [1"], 2),
    ],
)  # fmt: skip
def test_flaws_are_stray_texts_values_without_end_and_with_brackets(text: str, texts: list[str], flaws: int) -> None:
    found = sgf_text.judge(text)
    assert (list(found.texts), found.flaws) == (texts, flaws)


def test_a_text_has_at_most_so_many_brackets_of_its_own() -> None:
    for count, said in ((10_000, []), (10_001, ["stray"])):
        record = sgf.loads(b"(;GM[4]SZ[15]C[" + b"x]" * count + b"y];B[hh])")
        assert (len(record.root.comment), kinds(record)) == (20_001, said)


def test_a_game_that_is_too_large_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    for tokens, nodes, text, too_large in (
        (99, 3, "(;A[];B[hh];W[ii])", False), (99, 2, "(;A[];B[hh];W[ii])", True), (99, 6, "(;A[](((((", False),
        (99, 5, "(;A[](((((", True), (4, 9, "(;A[]B[hh])", False), (3, 9, "(;A[]B[hh])", True),
    ):  # fmt: skip
        monkeypatch.setattr(sgf_text, "MOST_TOKENS", tokens)
        monkeypatch.setattr(sgf_text, "MOST_NODES", nodes)
        assert [tree.too_large for tree in sgf_text.trees(text)] == [too_large]


def test_an_encoding_is_named_in_the_first_node_and_near_the_beginning() -> None:
    for text, encoding in (
        ("(;GM[4]XX[a]CA[ Shift_JIS ];B[hh])", "cp932"), ("(;GM[4];CA[Shift_JIS]B[hh])", "utf-8"),
        ("(;GM[4])CA[Shift_JIS]", "utf-8"), ("(;GM[4]XX[a][Shift_JIS];B[hh])", "utf-8"),
        (f"(;GM[4]C[{'x' * 65_513}]CA[Shift_JIS])", "cp932"), (f"(;GM[4]C[{'x' * 65_514}]CA[Shift_JIS])", "utf-8"),
    ):  # fmt: skip
        assert sgf_text.decoded_sgf(text.encode()).encoding == encoding


@pytest.mark.parametrize(("right", "down"), [(1, 0), (0, 1), (1, 1), (1, -1)])
@pytest.mark.parametrize("last", range(5))
def test_a_row_of_five_at_the_end_of_a_file_for_go_is_gomoku(right: int, down: int, last: int) -> None:
    row = [f"{chr(104 + step * right)}{chr(104 + step * down)}" for step in range(5)]
    black = [*row[:last], *row[last + 1 :], row[last]]
    moves = [move for point, other in zip(black, "acegb", strict=True) for move in (f";B[{point}]", f";W[{other}a]")]
    for count in (7, 9, 10):
        (tree,) = sgf_text.trees(f"(;GM[1]SZ[19]{''.join(moves[:count])})")
        assert sgf_text.game_number(tree.top.children[0]) == (sgf_text.GOMOKU if count == 9 else sgf_text.GO)


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
        ("(;GM[1]SZ[15]HA[2];B[dd])", "Go"),
        ("(;GM[1]SZ[11]TB[aa];B[dd])", "Go"),
        ("(;GM[1]SZ[11]TW[aa];B[dd])", "Go"),
        ("(;SZ[19];B[dd])", "Go"),
        ("(;GM[Go]SZ[19];B[pd])", "Go"),
        ("(;GM[11]SZ[11];B[a1])", "Hex"),
        ("(;GM[21]SZ[24])", "TwixT"),
        ("(;GM[9]SZ[8])", "Lines of Action"),
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
        (f"(;GM[Gomoku]SZ[15]{FIVE})", 9),
        (f"(;GM[1]SZ[19]KM[6.5]{FIVE})", 9),
        ("(;GM[1]SZ[19]RU[Gomoku];B[hh])", 1),
        ("(;SZ[15];B[hh])", 1),
        ("(;GM[1]SZ[15]KM[0]HA[0];B[hh])", 1),
        ("(;GM[5]SZ[15];B[hh])", 1),
        ("(;GM[4];B[hh])", 1),
        ("(;GM[4]SZ[15:15];B[hh])", 1),
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


@pytest.mark.parametrize("point", ["", "tt", " "])
def test_a_pass_cut_the_rest_of_a_game(point: str) -> None:
    data = f"(;GM[4]SZ[15]PB[A]RE[W+];B[hh];W[ig];B[ij]C[lost];W[{point}]C[kept];B[gi];W[kk];B[gg];W[ff];B[aa];W[bb])"
    record = sgf.loads(data.encode())
    assert [(found.kind, dict(found.facts).get("ply")) for found in record.notices] == [("begun_later", 3)]
    assert "no passes" in record.notices[0].sentence
    assert record.stones.of == ((112, 143), (98,))
    assert record.stones.turn == FIRST
    assert moves_of(record) == "g7k5g9f10a15b14"
    assert (record.seats[0].name, record.root.comment, record.outcome.winner) == ("A", "kept", SECOND)
    assert sgf.loads(sgf_writer.dumps(record)).position == record.position


def test_the_longer_part_of_a_game_with_a_pass_is_kept() -> None:
    shorter = sgf.loads(b"(;GM[4]SZ[15];B[hh];W[ii];B[hi];W[tt];B[hj];W[])")
    assert (moves_of(shorter), shorter.stones) == ("h8i7h7", None)
    assert [dict(found.facts)["why"] for found in shorter.notices] == ["pass"]
    at_the_end = sgf.loads(b"(;GM[4]SZ[15];B[hh];W[ii];B[tt];W[tt])")
    assert (moves_of(at_the_end), [found.kind for found in at_the_end.notices]) == ("h8i7", ["cut"])
    first = sgf.loads(b"(;GM[4]SZ[15];B[];W[hh];B[ii])")
    assert (moves_of(first), first.stones.turn, first.notices) == ("h8i7", SECOND, [])


def test_a_colour_out_of_turn_or_stones_set_up_in_a_game_cut_the_rest() -> None:
    out_of_turn = sgf.loads(b"(;GM[4]SZ[15];B[hh];B[ii];W[hi];B[hj])")
    assert (moves_of(out_of_turn), out_of_turn.stones.of) == ("i7h7h6", ((112,), ()))
    assert dict(out_of_turn.notices[0].facts)["why"] == "turn"
    set_up = sgf.loads(b"(;GM[4]SZ[15];B[hh];AW[ii][aa]AE[hh];B[hi];W[hj])")
    assert (moves_of(set_up), set_up.stones.of) == ("h7h6", ((), (0, 128)))
    assert dict(set_up.notices[0].facts)["why"] == "set_up"


def test_a_won_game_that_goes_on_after_a_pass_does_not_begin_there() -> None:
    five = ";".join(f"B[{column}h];W[{column}a]" for column in "abcd")
    rest = ";".join(f"B[{column}c];W[{column}e]" for column in "acegikmo")
    record = sgf.loads(f"(;GM[4]SZ[15];{five};B[eh];W[tt];{rest})".encode())
    assert (record.outcome.reason, record.stones) == ("line", None)


@pytest.mark.parametrize(
    "data",
    [
        b"(;GM\0[4]SZ\0[15]PB\0[A];B\0[hh];W\0[ii])", b"\0\0(;GM[4]SZ[15]PB[A];B[hh]\0;W[ii]\0)\0\0\0",
        "(;GM[4]SZ[15]PB[A];B[hh];W[ii])".encode("utf-16-le"), "(;GM[4]SZ[15]PB[A];B[hh];W[ii])".encode("utf-16"),
    ],
)  # fmt: skip
def test_zeros_between_a_name_and_its_bracket_hid_it(data: bytes) -> None:
    assert sgf.recognises(data) or data.startswith(b"\xff\xfe")
    record = sgf.loads(data)
    assert (moves_of(record), record.seats[0].name, record.notices) == ("h8i7", "A", [])


@pytest.mark.parametrize(
    "text",
    ["(;B[aa])", "see (;B[aa]) there", "(;B[aa];W[bb])", "(;GM[4]SZ[15];B[aa]C[x])", "(;AB[aa][bb];B[cc])"],
)
def test_a_game_quoted_in_a_comment_ended_the_game(text: str) -> None:
    record = sgf.loads(f"(;GM[4]SZ[15]C[{text}];B[hh];W[ii]C[{text}](;B[gg])(;B[ff]C[{text}]))".encode())
    assert (moves_of(record), kinds(record)) == ("h8i7g9", [])
    assert [node.comment for node in record.nodes()] == [text, "", text, "", text]
    assert len(record.line()[2].children) == 2


def test_a_bracket_that_is_open_does_not_quote_a_game() -> None:
    record = sgf.loads(b"(;GM[4]SZ[15]C[(;B[aa];B[hh](;W[ii]C[a [b])(;W[gg]))")
    assert (moves_of(record), record.root.comment) == ("h8i7", "(;B[aa")


@pytest.mark.parametrize(
    "data",
    ["(;FF[4]PB[A];B[hh];W[ig];B[gi])", "(;B[hg];W[hh])", "(;RU[renju];B[aa];W[oo])",
     "(;B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd];B[ae])", "(;B[hh];W[ii];B[aa])"],
)  # fmt: skip
def test_a_game_without_its_number_and_its_size_was_refused(data: str) -> None:
    record = sgf.loads(data.encode())
    assert (record.setup.size, record.notices, record.position.ply > 1) == (15, [], True)


def test_the_opening_of_gomoku_quest_was_left_out() -> None:
    """Files of that site have the first four moves in properties of their own."""
    record = sgf.loads(b"(;GM[4]FF[4]SZ[15]GN[gomokuquest]PB[a (1800)]\n;QPR[hh,hg,jf];QSLW[ig];B[gg];W[ii]C[x])")
    assert (moves_of(record), record.stones, record.notices) == ("h8h9j10i9g9i7", None, [])
    assert record.line()[-1].comment == "x"
    assert moves_of(sgf.loads(b"(;GM[4]SZ[15];QPR[hh,hg,jf];W[ig];B[gg])")) == "h8h9j10i9g9"
    assert moves_of(sgf.loads(b"(;GM[4]SZ[15];QPR[hh,hg,jf][aa];QSLW[ig][bb];B[gg])")) == "h8h9j10i9g9"
    for text, points in (("QPR[hh];B[ig]", "hh"), ("QPR[hh,hg,jf]B[ig]", "hh,hg,jf")):
        other = sgf.loads(f"(;GM[4]SZ[15]{text})".encode())
        assert (moves_of(other), other.root.extra) == ("i9", {"QPR": (points,)})


def test_the_number_of_othello_is_gomoku_on_a_large_board() -> None:
    assert moves_of(sgf.loads(b"(;GM[2]FF[4]SZ[15];B[hh];W[ii])")) == "h8i7"
    small = next(sgf_text.trees("(;GM[2]FF[4]SZ[8];B[hh])")).top.children[0]
    assert sgf_text.NAMES[sgf_text.game_number(small)] == "Othello"


@pytest.mark.parametrize("rule", ["Connect6", "QLizzie-Connect6", "connect 6"])
def test_connect6_was_read_as_gomoku(rule: str) -> None:
    with pytest.raises(FormatError, match="Connect6"):
        sgf.loads(f"(;FF[4]GM[4]RU[{rule}]SZ[19];B[jj];W[ii];W[kk])".encode())


def test_empty_nodes_after_the_first_are_left_out() -> None:
    def counted(text: str) -> int:
        return next(sgf_text.trees(text)).nodes

    for text in ("(;;B[hh])", "(;GM[4];B[hh])", "(;GM[4];;;B[hh])", "(;;;;B[hh])"):
        assert counted(text) == 2, text
