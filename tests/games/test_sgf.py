"""SGF: what other programs write is read, and what we write is read again as it was."""

from __future__ import annotations

import gc
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.formats import FormatError, sgf, sgf_writer, tengen
from games.formats.sgf_text import Item
from games.formats.text import moves_text
from games.position import FIRST, SECOND, Outcome, Stones
from games.record import MARKS, About, GameRecord, Mark, Seat, path
from games.registry import setup
from tests.games.formats_samples import (
    SAMPLES,
    SGF_BLANKS,
    SGF_COLLECTION,
    SGF_EXAMPLE,
    SGF_OLD,
    SGF_SET_UP,
    SGF_TEXT,
    SGF_TREE,
    SGF_WITHOUT_RULE,
)
from tests.games.strategies import EXAMPLES, SETUPS, a_legal_move, a_node, stones

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40).map(str.strip)


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


NAMES = st.sampled_from(["KM", "TE", "XYZ"])
ABOUT = st.builds(About, TEXT, TEXT, ranks=st.tuples(TEXT, TEXT), teams=st.tuples(TEXT, TEXT), source=TEXT, note=TEXT)


def moves_of(record: GameRecord) -> str:
    return moves_text(path(record.cursor))


@pytest.mark.parametrize(
    ("text", "size", "rule", "names", "turn", "moves"),
    [
        (SGF_OLD, 15, "freestyle", ["", ""], FIRST, "h8i7"),
        ("(;GM[4]PB[Ada\nLovelace];B[hh])", 15, "freestyle", ["Ada Lovelace", ""], FIRST, "h8"),
        ("(;GM[4]SZ[9]RU[Renju]PW[x];W[ee];B[ff])", 9, "renju", ["", "x"], SECOND, "e5f4"),
        (SGF_WITHOUT_RULE, 15, "standard", ["", ""], FIRST, "h15a15h14b15h13c15h11e15h10f15h12g15"),
    ],
)
def test_what_a_file_says_and_leaves_out(
    text: str, size: int, rule: str, names: list[str], turn: int, moves: str
) -> None:
    """The rule of another game was taken for that of gomoku."""
    record = sgf.loads(text.encode(), setup("connect4"))
    assert (record.setup, record.notices) == (setup("gomoku", size, rule), [])
    assert ([seat.name for seat in record.seats], record.root.position.turn) == (names, turn)
    assert moves_of(record) == moves


def test_an_example_is_read() -> None:
    record = sgf.loads(SGF_EXAMPLE.encode())
    assert record.setup == setup("gomoku", 15, "renju")
    assert [seat.name for seat in record.seats] == ["Ada", "Alan"]
    assert (record.date, moves_of(record)) == ("2026-11-21", "h8i7g9j6")
    assert (record.outcome.winner, record.outcome.reason) == (FIRST, "resigned")
    first = record.root.children[0]
    assert first.comment == "The centre ] and onfrom there"
    assert [len(node.children) for node in record.nodes()].count(2) == 1
    marks = first.children[0].marks
    assert [mark.kind for mark in marks] == ["triangle"] * 4 + ["label"] * 2
    assert [mark.text for mark in marks][-2:] == ["1", "A:b"]
    assert (record.root.extra, record.about) == ({}, About(event="Club final"))
    assert first.children[0].children[1].extra == {"XY": ("kept", "twice")}


def test_stones_that_are_set_up_and_whose_turn_it_is() -> None:
    record = sgf.loads(SGF_SET_UP.encode("gb18030"))
    assert [len(cells) for cells in record.stones.of] == [2, 1]
    assert (record.stones.turn, record.root.position.turn, record.root.comment) == (SECOND, SECOND, "五子棋")
    assert moves_of(record) == "j6f10"


def test_points_may_be_written_as_people_write_them() -> None:
    record = sgf.loads(b"(;GM[4]SZ[15]AB[a15:b14][o1];W[h8];B[I10];W[gg]TR[h8][aa])")
    assert moves_of(record) == "h8i10g9"
    board = record.root.position
    stones = {board.move_text(cell) for cell, stone in enumerate(board.cells) if stone}
    assert stones == {"a15", "b15", "a14", "b14", "o1"}
    assert [board.move_text(mark.move) for mark in record.cursor.marks] == ["h8", "a15"]


@pytest.mark.parametrize("corners", ["a1:c2", "a2:c1", "c1:a2", "c2:a1", "an:co", "ao:cn", "co:an", "a1:cn"])
def test_a_rectangle_whose_first_corner_is_not_the_upper_left_one_was_lost(corners: str) -> None:
    board = sgf.loads(f"(;GM[4]SZ[15]AB[{corners}];W[hh])".encode()).root.position
    assert {board.move_text(cell) for cell, stone in enumerate(board.cells) if stone} == {
        "a1", "b1", "c1", "a2", "b2", "c2",
    }  # fmt: skip


@pytest.mark.parametrize("point", ["h16", "p1", "h0", "hh8", "8h"])
def test_a_point_that_is_not_on_the_board_ends_the_game(point: str) -> None:
    record = sgf.loads(f"(;GM[4]SZ[15];B[hh];W[{point}])".encode())
    assert len(record.line()) == 2
    assert len(record.notices) == 1


@pytest.mark.parametrize(
    ("name", "encoding", "text"),
    [
        ("GB2312", "gbk", "镕喆"),
        ("Shift_JIS", "cp932", "①髙"),
        ("EUC-KR", "cp949", "똠방"),
        ("Big5", "big5", "功許蓋"),
        ("windows-1251", "cp1251", "Рэндзю"),
        ("UTF-16", "utf-16", "五子棋"),
        ("GB2312", "utf-8-sig", "五子棋"),
    ],
)
def test_a_charset_is_also_the_wider_one_that_files_are_really_in(name: str, encoding: str, text: str) -> None:
    """In Shift_JIS, a character that it does not know swallowed the bracket after it, and so all moves."""
    record = sgf.loads(f"(;GM[4]SZ[15]CA[{name}]PB[{text}]C[{text}];B[hh])".encode(encoding))
    assert (record.seats[0].name, record.root.comment, moves_of(record)) == (text, text, "h8")


def test_a_comment_about_a_charset_was_taken_for_it() -> None:
    for before in ("C[五子棋: CA[GB2312\\]]", "C[五子棋 \\] CA[GB2312\\]]CA[UTF-8]"):
        record = sgf.loads(f"(;GM[4]SZ[15]{before};B[hh])".encode())
        assert record.root.comment.startswith("五子棋")
        assert sgf.loads(sgf_writer.dumps(record)).root.comment == record.root.comment
    hidden = "(;GM[4]SZ[15]PB[林 表]CA[Shift_JIS];B[hh])".encode("shift_jis")
    assert (sgf.loads(hidden).seats[0].name, sgf.loads(hidden).notices) == ("林 表", [])


@pytest.mark.parametrize("name", ["idna", "undefined", "punycode", "unicode_escape", "utf-7", "zlib", "cp037", "no"])
def test_a_charset_that_no_file_can_be_in_raised_or_took_minutes(name: str) -> None:
    text = "abc+-" + r"\u0041" * 20_000
    record = sgf.loads(f"(;GM[4]SZ[15]CA[{name}]C[{text}];B[hh])".encode())
    assert record.root.comment == text.replace("\\", "")[:100_000]


def test_a_collection_says_what_was_left_out_and_can_be_read_whole() -> None:
    record = sgf.loads(SGF_COLLECTION.encode())
    assert [found.kind for found in record.notices] == ["more_games"]
    records = sgf.loads_all(SGF_COLLECTION.encode())
    assert [each.setup.size for each in records] == [15, 19]
    assert [(found.kind, dict(found.facts)) for found in records[0].notices] == [("other_games", {"count": 1})]


def test_as_many_games_are_read_and_counted_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgf, "MOST_GAMES", 2)
    for count in (2, 3, 4):
        data = b"before" + b"(;GM[4]SZ[15];B[hh])" * count
        every, first = sgf.loads_all(data), sgf.loads(data)
        assert [dict(found.facts) for found in every[0].notices] == [{"count": each} for each in [count - 2] if each]
        assert (len(every), [dict(found.facts) for found in first.notices]) == (2, [{"count": min(2, count - 1)}])


def test_the_texts_of_the_description_are_read_as_it_says() -> None:
    record = sgf.loads(SGF_TEXT.encode())
    lines = record.cursor.comment.splitlines()
    assert lines[:2] == ["Meijin NR: yeah, k4 is wonderful", "sweat NR: thank you! :)"]
    assert lines[3] == "jansteen 4d: Can anyone explain [me] k4?"
    assert sgf.loads(sgf_writer.dumps(record)).cursor.comment == record.cursor.comment


def test_comments_of_nodes_without_moves_are_kept_at_the_position() -> None:
    record = sgf.loads(SGF_TREE.encode())
    assert sorted(record.root.comment.splitlines()) == sorted(["root", *"abcdefghij"])


def test_white_space_text_before_the_game_and_rectangles() -> None:
    record = sgf.loads(SGF_BLANKS.encode())
    assert len(record.stones.of[0]) == 10
    assert [mark.kind for mark in record.root.children[0].marks] == ["circle"] * 4
    assert len(record.root.children[0].children) == 2
    assert record.root.children[0].children[0].extra == {"N": ("main",)}
    assert [found.kind for found in record.notices] == ["cut"], "there is no pass in gomoku"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(;GM[4]SZ[15:13])", "only square"),
        ("(;GM[4]SZ[99])", "size of gomoku is 5 to 20"),
        ("(;B[pd];W[hh])", "does not say how large"),
        ("(;B[hh])", "does not say how large"),
        ("(;B[hh];W[ii];B[pp])", "does not say how large"),
        ("no game at all", "not SGF"),
        ("(;GM[What]SZ[15];B[hh])", "a kind that Tengen does not know"),
        ("(;GM[4]SZ[15]AB[hh]AW[hh])", "Two stones"),
        ("(;GM[4]SZ[15]AB[aa:ea])", "already won"),
        ("(;GM[4]SZ[15]AB[zz])", "not on the board"),
    ],
)
def test_what_is_no_game_of_ours_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(FormatError, match=sentence):
        sgf.loads(text.encode())


def test_moves_that_cannot_be_played_are_left_out_and_named() -> None:
    record = sgf.loads(b"(;GM[4]RU[freestyle]SZ[15];B[hh];W[hh];B[ii])")
    assert (record.position.ply, [found.kind for found in record.notices]) == (1, ["cut"])
    assert "Move 2" in record.notices[0].sentence


def test_a_pass_is_named() -> None:
    for point in ("", "tt", " "):
        (found,) = sgf.loads(f"(;GM[4]SZ[15];B[hh];W[{point}];B[ii])".encode()).notices
        assert dict(found.facts)["why"] == "pass"
    assert moves_of(sgf.loads(b"(;GM[4]SZ[20];B[tt])")) == "t1"


def test_several_moves_in_one_node_lost_all_but_the_first() -> None:
    record = sgf.loads(b"(;GM[4]SZ[15]RE[0]C[a]CR[aa]KM[0]B[hh]W[ig]B[gj])")
    assert (moves_of(record), [node.comment for node in record.line()]) == ("h8i9g6", ["a", "", "", ""])
    assert (record.root.marks, record.root.extra) == ((Mark("circle", 0),), {"KM": ("0",)})
    assert moves_of(sgf.loads(b"(;GM[4]SZ[15];B[hh];W[ig]B[gj];W[aa])")) == "h8i9g6a15"


def test_stones_may_be_set_up_in_a_node_before_the_first_move() -> None:
    record = sgf.loads(b"(;GM[4]SZ[15]C[a];AB[hh][ii][aa]AW[gg]N[b];AE[aa]PL[B]C[c]N[d];B[bb])")
    assert [len(cells) for cells in record.stones.of] == [2, 1]
    assert (record.root.comment, record.root.extra, moves_of(record)) == ("a\nc", {"N": ("b", "d")}, "b14")


def test_stones_that_are_set_up_later_end_the_game_there() -> None:
    for node in (";AB[bb]", ";W[ii]AB[bb]"):
        record = sgf.loads(f"(;GM[4]SZ[15];B[hh]{node};B[cc])".encode())
        assert (moves_of(record), [dict(found.facts)["why"] for found in record.notices]) == ("h8", ["set_up"])


def test_what_was_too_long_or_not_on_the_board_is_said() -> None:
    def kinds(properties: str) -> list[str]:
        return [found.kind for found in sgf.loads(f"(;GM[4]SZ[15]{properties};B[hh])".encode()).notices]

    long = "x" * 100_001
    assert kinds(f"C[{long}]") == kinds(f"XY[{long}]") == kinds(f"PB[{long}]") == ["shortened"]
    assert kinds("XY" + "[a]" * 1001) == ["shortened"]
    assert kinds("TR[zz]") == kinds("LB[zz:1]") == kinds("".join(f"LB[aa:{each}]" for each in range(1001))) == ["marks"]
    assert kinds("TR[aa:cc]LB[aa:1]") == []
    assert kinds(f"PB[{long[:201]}]") == ["shortened"]
    for fits in (f"C[{long[:-1]}]", f"XY[{long[:-1]}]", f"PB[{long[:200]}]", "XY" + "[a]" * 1000):
        assert kinds(fits) == []
    assert kinds("".join(f"LB[aa:{each}]" for each in range(1000))) == []


@pytest.mark.parametrize(("stones", "turn"), [("AB[hh]", 1), ("AB[hh]AW[ii]", 0), ("AB[hh][gg]AW[ii]", 1), ("", 0)])
def test_without_moves_the_number_of_stones_tells_whose_turn_it_is(stones: str, turn: int) -> None:
    record = sgf.loads(f"(;GM[4]SZ[15]RE[?][x]{stones})".encode())
    assert (record.position.turn, record.root.extra) == (turn, {"RE": ("?",)})


def test_a_file_without_games_is_refused_unless_all_were_read_before() -> None:
    data = b"(;GM[4]SZ[15];B[hh])"
    ((end, _),) = sgf.read_each(data)
    assert list(sgf.read_each(data, begin=end)) == []
    with pytest.raises(FormatError, match="not SGF"):
        next(sgf.read_each(b"no game"))


@pytest.mark.parametrize("properties", ["RE[Void]", "DT[1996-05-06,07,08]", r"XY[a\:b:c\]]", "N[a]", "DD[]"])
def test_what_a_property_said_is_written_again_as_it_was(properties: str) -> None:
    assert properties.encode() in sgf_writer.dumps(sgf.loads(f"(;GM[4]SZ[15]{properties};B[hh])".encode()))


@pytest.mark.parametrize(
    ("result", "reason"), [("b+r", "resigned"), ("B+Time", "time"), (" B+ ", "other"), ("B+5", "other")]
)
def test_a_result_in_other_words(result: str, reason: str) -> None:
    outcome = sgf.loads(f"(;GM[4]SZ[15]RE[{result}];B[hh])".encode()).outcome
    assert (outcome.winner, outcome.reason) == (FIRST, reason)


def test_properties_in_a_damaged_file_of_ours_do_not_damage_the_sgf() -> None:
    record = sgf.loads(b"(;GM[4]SZ[15];B[hh])")
    record.root.extra = {"é": ("1",), "X]": ("1",), "XY": (), "XZ": ("a]b\\",), "SZ": ("19",)}
    again = sgf.loads(sgf_writer.dumps(record))
    assert (again.root.extra, again.setup.size) == ({"XZ": ("a\\]b\\\\",)}, 15)


@st.composite
def sgf_records(draw: st.DrawFn) -> GameRecord:
    """A tree with comments, marks and properties of others; some begin with what was set up."""
    chosen = draw(st.sampled_from([each for each in SETUPS if each.game == "gomoku"]))
    begin = draw(st.none() | stones(chosen).filter(lambda found: any((*found.of, found.turn))))
    record = GameRecord(chosen, (Seat(name=draw(TEXT)), Seat(name=draw(TEXT))), "2026-11-22", stones=begin)
    record.about = draw(ABOUT)
    for jump, choice in draw(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=25)):
        if jump:
            record.go_to(a_node(record, choice))
        elif (move := a_legal_move(record, choice)) is not None:
            record.play(move)
    points = st.integers(0, record.setup.size**2 - 1)
    for node in record.nodes():
        node.preferred = 0
        node.comment = draw(TEXT)
        shapes = draw(st.dictionaries(points, st.sampled_from(MARKS), max_size=4))
        marks = [Mark(kind, point, "A\\]:b" if kind == "label" else "") for point, kind in sorted(shapes.items())]
        node.marks = tuple(sorted(marks, key=lambda mark: MARKS.index(mark.kind)))
        node.extra = draw(st.dictionaries(NAMES, st.tuples(TEXT.map(escaped)), max_size=2))
    record.cursor = record.main_end()
    return record


def test_a_game_is_written_with_all_that_is_known_of_it() -> None:
    seats = Seat(name="Ada"), Seat("engine")
    record = GameRecord(setup("gomoku", 9, "renju"), seats, "2026-11-22T10:20", stones=Stones(((3,), (5, 13)), 1))
    record.play(12)
    record.cursor.comment, record.cursor.marks = "a]", (Mark("circle", 0), Mark("label", 80, "x:y"))
    record.play(1)
    record.undo()
    record.play(0)
    record.go_to(record.line()[1].children[0])
    record.end(Outcome(1, "time"))
    record.root.preferred = 0
    record.line()[1].preferred = 0
    assert b"".join(sgf_writer.dumps(record).splitlines()) == (
        b"(;FF[4]AB[da]AP[Tengen]AW[fa][eb]CA[UTF-8]DT[2026-11-22]GM[4]PB[Ada]PL[W]PW[engine]RE[W+T]RU[renju]SZ[9]"
        b";C[a\\]]CR[aa]LB[ii:x\\:y]W[db](;B[ba])(;B[aa]))"
    )
    black = GameRecord(setup("gomoku"), seats, stones=Stones(((3,), (5,)), 0))
    assert b"PL[B]" in sgf_writer.dumps(black)


@EXAMPLES
@given(sgf_records())
def test_what_is_written_is_read_as_it_was(record: GameRecord) -> None:
    assert sgf.loads(sgf_writer.dumps(record)) == record
    assert tengen.loads(tengen.dumps(record)) == record


# Files that were made to harm.


class Enough(Exception):
    pass


def test_reading_tells_its_progress_and_can_be_stopped() -> None:
    data = b"(;GM[4]SZ[15]" + b"".join(b"(;B[%c%c];W[oo])" % (97 + i % 14, 97 + i // 14) for i in range(190)) * 5 + b")"
    shares: list[float] = []
    sgf.loads(data, on_progress=shares.append)
    parsed = [place / len(data) for place in (1, 3582, 7166, 10750)]
    played = [number / 1901 for number in range(256, 1901, 256)]
    assert shares == pytest.approx([0.3 * share for share in parsed] + [0.3 + 0.7 * share for share in played])

    def stop(share: float) -> None:
        if share > shares[1]:
            raise Enough

    with pytest.raises(Enough):
        sgf.loads(data, on_progress=stop)


@pytest.mark.slow
def test_brackets_without_end_took_a_gigabyte() -> None:
    with pytest.raises(FormatError, match="200,000 positions"):
        sgf.loads(b"(;GM[4]SZ[15]" + b"(;" * 300_000)


def test_the_trees_of_a_collection_are_not_in_memory_together() -> None:
    trees: list[int] = []

    def count(_share: float) -> None:
        if len(trees) < 4:
            trees.append(sum(type(each) is Item for each in gc.get_objects()))

    data = b"junk (;GM[4]SZ[15];B[hh]C[(;]) ] junk" + b"(;GM[4]SZ[15];B[ii])" * 1000
    record = sgf.loads(data, on_progress=count)
    assert max(trees) - min(trees) < 10
    assert [(found.kind, dict(found.facts)) for found in record.notices] == [
        ("more_games", {"count": 1000}), ("stray", {"text": "] junk"}),
    ]  # fmt: skip


def test_rectangles_by_the_thousand_took_minutes() -> None:
    places = [f"{a}{b}" for a in "abcdefghijklmno" for b in "abcdefghijklmno"]
    rectangles = "".join(f"[{start}:{end}]" for start in places[::2] for end in places)
    record = sgf.loads(f"(;GM[4]SZ[15];B[hh]CR{rectangles}SQ[aa:bb][bb:cc][dd])".encode())
    marks = record.line()[1].marks
    assert sum(mark.kind == "circle" for mark in marks) == 225
    assert sorted(mark.move for mark in marks if mark.kind == "square") == [0, 1, 15, 16, 17, 31, 32, 48]
    assert len(sgf.loads(f"(;GM[4]SZ[15]TR{'[aa:oo]' * 200_000};B[hh])".encode()).root.marks) == 225


def test_a_node_with_many_properties_keeps_its_comment_and_can_be_saved() -> None:
    names = [f"X{a}{b}{c}" for a in "ABCDEF" for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for c in "ABCDEFGHIJ"]
    text = "".join(f"{name}[1]" for name in names)
    record = sgf.loads(f"(;GM[4]SZ[15];B[hh]{text}C[hello])".encode())
    assert [each.kind for each in record.notices] == ["shortened"]
    again = tengen.loads(tengen.dumps(record))
    assert again.line()[1].comment == "hello"
    assert len(again.line()[1].extra) == 1000


@pytest.mark.parametrize("text", [each.decode() for each in SAMPLES[".sgf"] if b"C[" not in each])
def test_a_node_that_is_read_at_once_is_what_its_parts_are(text: str) -> None:
    """With a blank before each value no node is read as one token."""
    apart = re.sub(r"([BW])\[", r"\1 [", text)
    results: list[object] = []
    for each in (text, apart):
        try:
            games = sgf.loads_all(each.encode())
            results.append([([node.facts() for node in game.nodes()], game.notices) for game in games])
        except FormatError as error:
            results.append(str(error))
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("rule", "result", "again"),
    [
        ("Soosyrv-8", "B+R (time left)", "RE[B+R]RU[Soosyrv-8]"),
        ("Caro", "Black wins by far", "RE[Black wins by far]RU[Caro]"),
        ("Renju", "B+", "RE[B+]RU[renju]"),
        ("RIF", "White wins", "RE[White wins]RU[RIF]"),
    ],
)
def test_a_rule_and_a_result_were_written_as_less_than_the_file_had_said(rule: str, result: str, again: str) -> None:
    record = sgf.loads(f"(;GM[4]SZ[15]RU[{rule}]RE[{result}];B[hh];W[ii])".encode())
    assert again in sgf_writer.dumps(record).decode()
    assert again in sgf_writer.dumps(tengen.loads(tengen.dumps(record))).decode()


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("Caro", "Tengen does not know the rule “Caro”; the game was read as freestyle."),
        ("x" * 50, f"Tengen does not know the rule “{'x' * 20}…”; the game was read as freestyle."),
        ("RIF", None), ("", None), ("Japanese", None),
    ],
)  # fmt: skip
def test_an_unknown_rule_was_taken_for_freestyle_without_a_word(rule: str, said: str | None) -> None:
    for tag in ("GM[4]", "GM[4]GN[A-B(B) : RIF rule]"):
        record = sgf.loads(f"(;{tag}SZ[15]RU[{rule}];B[hh];W[ii])".encode())
        assert [each.sentence for each in record.notices] == ([said] if said and "GN" not in tag else [])


def test_a_result_that_was_read_is_not_written_for_another_one() -> None:
    record = sgf.loads(b"(;GM[4]SZ[15]RE[White wins];B[hh];W[ii])")
    record.go_to(record.main_end())
    for outcome, written in ((Outcome(0, "resigned"), b"RE[B+R]"), (Outcome(1, "time"), b"RE[W+T]")):
        record.undo()
        record.end(outcome)
        assert written in sgf_writer.dumps(record)
