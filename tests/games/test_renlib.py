"""RenLib's libraries: what RenLib writes is read, and what we write is read again as it was."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.formats import FormatError, renlib
from games.formats.tengen import LONGEST_COMMENT, LONGEST_NAME
from games.formats.text import moves_text
from games.line import RULES
from games.position import Stones, cells_of
from games.record import GameRecord, Mark, path
from games.registry import setup
from tests.games.formats_samples import LIB_EXAMPLE, LIB_OLD, LIB_ROOT, lib
from tests.games.strategies import a_legal_move

CHINESE = "作者 更新日期 有错误可向作者反馈 可以传阅 禁止商用!"
H8, LEAF, MORE = b"\x78", b"\x40", b"\x80"


def lines(record: GameRecord) -> list[str]:
    return [moves_text(path(node)) for node in record.nodes() if not node.children]


def test_a_library_is_read_with_its_tree_comments_labels_marks_and_start() -> None:
    record = renlib.loads(LIB_EXAMPLE)
    assert lines(record) == ["h8h9i9", "h8i9g10"]
    assert (record.setup, record.date, record.notices) == (setup("gomoku", 15, "renju"), "", [])
    first = record.root.children[0]
    assert [record.root.comment, first.children[0].comment] == ["root", "up\none\ntwo"]
    assert first.marks == (Mark("label", 6 * 15 + 8, "B"), Mark("label", 1 * 15 + 0, "no"))
    assert first.children[0].children[0].marks == (Mark("circle", 6 * 15 + 8),)
    assert moves_text(path(record.cursor)) == "h8i9"
    assert [node.preferred for node in record.nodes()] == [0, 1, 0, 0, 0, 0]


def test_a_library_without_header_and_with_old_comments_is_read() -> None:
    record = renlib.loads(LIB_OLD)
    assert lines(record) == ["h8h9", "h8i9"]
    assert (record.root.children[0].children[0].comment, record.notices) == ("båts", [])
    for end, comment in ((b"\xf3", "s"), (b"u\xf3", "us"), (b"u\xf3\0", "us")):
        (line,) = renlib.read_each(b"\x78\x00\x68\x60" + end + b"\0" * (len(end) == 1))
        assert line[1].cursor.comment == comment
    cut = renlib.loads(b"\x78\x00\x68\x60us")
    assert (cut.cursor.comment, [found.kind for found in cut.notices]) == ("us", ["broken_off"])


def test_an_old_version_has_no_root_and_a_new_one_may_have_comments_there() -> None:
    old = renlib.loads(lib(H8 + b"\x08" + b"first\x00", b"\x68" + LEAF, minor=0))
    assert (lines(old), old.root.comment, old.root.children[0].comment) == (["h8h9"], "", "first")
    new = renlib.loads(lib(b"\x00\x08\x08first\x00\x00", H8 + LEAF))
    assert (lines(new), new.root.comment) == (["h8"], "first")


def test_the_comment_of_a_first_move_is_read_and_bytes_may_say_nothing_more() -> None:
    data = lib(LIB_ROOT, H8 + b"\x49\x00\x00" + b"why\0")
    (found,) = renlib.read_each(data)
    for record in (renlib.loads(data), found[1]):
        assert [(node.comment, node.marks) for node in record.line()] == [("", ()), ("why", ())]
        assert record.notices == []


def test_an_empty_library_is_a_game_without_moves() -> None:
    assert lines(renlib.loads(lib(b"\x00\x40"))) == [""]
    assert lines(renlib.loads(lib())) == [""]


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"", "foreign"), (b"!<arch>\n", "foreign"), (b"\xffRenLib\xff\x04" + b"\xff" * 11, "newer"),
     (b"\xffRenLib\xff", "damaged")],
)  # fmt: skip
def test_what_is_no_library_is_refused(data: bytes, kind: str) -> None:
    with pytest.raises(FormatError) as caught:
        renlib.loads(data)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("node", "why"), [(b"\x78", "occupied"), (b"\x00", "pass"), (b"\x10", "outside"), (b"\xf1", "outside")]
)
def test_what_cannot_be_played_is_left_out_with_what_follows_and_said(node: bytes, why: str) -> None:
    data = lib(LIB_ROOT, H8 + b"\x00", node + MORE, b"\x11\x00", b"\x22" + LEAF, b"\x68" + LEAF)
    record = renlib.loads(data)
    assert lines(record) == ["h8h9"]
    (found,) = record.notices
    assert (found.kind, dict(found.facts)["why"], dict(found.facts)["ply"]) == ("cut", why, 2)
    assert [moves_text(path(game.cursor)) for _, game in renlib.read_each(data)] == ["h8h9"]


def test_a_move_that_is_given_twice_is_one_variation() -> None:
    record = renlib.loads(lib(LIB_ROOT, H8 + b"\x00", b"\x68" + MORE, b"\x11\x40", b"\x68\x00", b"\x22\x40"))
    assert lines(record) == ["h8h9a14", "h8h9b13"]


def test_a_rule_is_chosen_that_loses_the_fewest_moves() -> None:
    """A library of gomoku without forbidden points has moves that renju forbids."""
    threes = b"\x77\x00\x01\x00\x79\x00\x0f\x00\x68\x00\xe1\x00\x88\x00\xef\x00"  # g8 a15 i8 o15 h9 a1 h7 o1
    forbidden = lib(LIB_ROOT, threes, H8 + LEAF)
    assert renlib.loads(forbidden).setup.rule == "freestyle"
    assert next(renlib.read_each(forbidden))[1].setup.rule == "freestyle"
    longer = lib(LIB_ROOT, threes, H8 + b"\x00\x22\x00", H8 + LEAF)
    assert renlib.loads(longer).setup.rule == "freestyle", "it loses one move, and renju three"
    assert renlib.loads(forbidden, setup("gomoku", 15, "renju")).notices[0].kind == "cut"


def test_a_file_that_breaks_off_is_read_so_far() -> None:
    read, whole = dict[str, int](), list[int]()
    for length in range(20, len(LIB_EXAMPLE) + 1):
        record = renlib.loads(LIB_EXAMPLE[:length])
        read.setdefault(" ".join(lines(record)), length)
        whole += [] if [found.kind for found in record.notices] == ["broken_off"] else [length]
    assert read == {"": 20, "h8": 30, "h8h9": 32, "h8h9i9": 46, "h8h9i9 h8i9": 48, "h8h9i9 h8i9g10": 54}
    assert whole == [20, 28, len(LIB_EXAMPLE)], "no node, the root, and all: it was whole after any node"


def test_a_long_line_and_very_many_nodes_are_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = lib(LIB_ROOT, H8 + b"\x00", b"\x68\x00" * 20_000)
    assert lines(renlib.loads(deep)) == ["h8h9"]
    assert len(list(renlib.read_each(deep))) == 1
    monkeypatch.setattr(renlib, "MOST_NODES", 100)
    assert lines(renlib.loads(lib(LIB_ROOT, H8 + b"\x00", b"\x68\xc0" * 98))) == ["h8h9"]
    with pytest.raises(FormatError, match="more than 100 positions; it can be imported into a database"):
        renlib.loads(lib(LIB_ROOT, H8 + b"\x00", b"\x68\xc0" * 99))


def test_the_lines_of_a_library_are_games_and_reading_goes_on_after_any() -> None:
    found = list(renlib.read_each(LIB_EXAMPLE))
    assert [moves_text(game.line()) for _, game in found] == ["h8h9i9", "h8i9g10"]
    first, second = (game for _, game in found)
    assert [node.comment for node in first.line()] == ["root", "", "up\none\ntwo", ""]
    assert [node.comment for node in second.line()] == ["", "", "", ""], "comments were in each line again"
    assert second.line()[1].marks == (Mark("label", 6 * 15 + 8, "B"), Mark("label", 15, "no"))
    places = [number for number, _ in found]
    assert 20 < places[0] < places[1] == len(LIB_EXAMPLE), "an import shows them as its progress"
    assert list(renlib.read_each(LIB_EXAMPLE, begin=places[0])) == [(places[1], second)]
    with pytest.raises(FormatError, match="no moves"):
        next(renlib.read_each(lib(b"\x00\x40")))


def test_a_comment_of_a_node_without_a_move_is_one_of_its_parent() -> None:
    data = lib(LIB_ROOT, H8 + b"\x00", b"\x11\xca" + b"hey\0", b"\x68" + LEAF)
    (found,) = renlib.read_each(data)
    for record in (renlib.loads(data), found[1]):
        assert (lines(record), [node.comment for node in record.line()]) == (["h8h9"], ["", "hey", ""])


def padded(text: str) -> bytes:
    return text.encode() + b"\0" * (2 - len(text) % 2)


@pytest.mark.parametrize(("comment", "label", "kinds"), [(0, 0, []), (1, 0, ["shortened"]), (0, 1, ["shortened"])])
def test_texts_that_are_too_long_are_cut_and_said(comment: int, label: int, kinds: list[str]) -> None:
    said, named = padded("c" * (LONGEST_COMMENT + comment)), padded("n" * (LONGEST_NAME + label))
    record = renlib.loads(lib(b"\x00\x08" + said, H8 + b"\x41\x00\x01" + named))
    assert record.root.comment == "c" * LONGEST_COMMENT
    assert record.root.marks == (Mark("label", 112, "n" * LONGEST_NAME),)
    assert [found.kind for found in record.notices] == kinds


def test_marks_that_are_too_many_or_beside_the_board_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for point in (b"\x00", b"\xf1"):
        beside = renlib.loads(lib(LIB_ROOT, H8 + b"\x00", point + b"\x43\x00\x01" + padded("no")))
        assert (beside.root.children[0].marks, [found.kind for found in beside.notices]) == ((), ["marks"])
    for most, kinds in ((2, []), (1, ["marks"])):
        monkeypatch.setattr(renlib, "MOST_MARKS", most)
        record = renlib.loads(LIB_EXAMPLE)
        assert (len(record.root.children[0].marks), [found.kind for found in record.notices]) == (most, kinds)


def test_texts_are_read_in_the_encoding_that_is_guessed_or_chosen() -> None:
    """A text of many characters that EUC-JP does not have was read in it."""
    data = lib(b"\x00\x08" + CHINESE.encode("gb18030") + b"\0", H8 + LEAF)
    record = renlib.loads(data)
    assert record.root.comment == CHINESE
    assert [dict(found.facts) for found in record.notices] == [{"encoding": "gb18030"}]
    assert renlib.loads(data, encoding="cp1251").root.comment != CHINESE
    text = CHINESE.encode("gb18030")
    later = renlib.loads(lib(b"\x00\x08abc\0", H8 + b"\x48" + text + b"\0" * (2 - len(text) % 2)))
    assert [node.comment for node in later.line()] == ["abc", CHINESE]


def test_what_libraries_do_not_hold_is_refused() -> None:
    for record in (GameRecord(setup("gomoku", 19)), GameRecord(setup("gomoku"), stones=Stones(((0,), (1,))))):
        with pytest.raises(FormatError) as caught:
            renlib.dumps(record)
        assert caught.value.kind == "unwritable"


def test_a_library_of_h8_is_written_in_the_oldest_version_that_holds_it() -> None:
    record = GameRecord(setup("gomoku"))
    record.play(112)
    record.play(97)
    assert renlib.dumps(record) == lib(H8 + b"\x00", b"\x68" + LEAF, minor=0)
    record.root.comment = "x"
    assert renlib.dumps(record) == lib(b"\x00\x08x\x00", H8 + b"\x00", b"\x68" + LEAF)
    record.root.marks = (Mark("label", 112, "A"),)
    assert renlib.dumps(record) == lib(b"\x00\x08x\x00", H8 + b"\x01\x00\x01A\x00", b"\x68" + LEAF)


def test_texts_are_written_as_windows_has_them_if_that_is_read_again_else_in_utf_8() -> None:
    record = GameRecord(setup("gomoku"))
    for text, encoding in ((CHINESE, "gb18030"), ("Sure – see the other.", "cp1252"), ("直止 寒星 黑胜", "utf-8")):
        record.root.comment = text
        assert text.encode(encoding) in renlib.dumps(record)
    for text in (CHINESE, "直止 寒星 黑胜", "Ã©", "직", "あ 직 Ж"):
        record.root.comment = text
        assert renlib.loads(renlib.dumps(record)).root.comment == text


def test_what_no_text_of_a_library_can_have_is_left_out() -> None:
    record = GameRecord(setup("gomoku"))
    record.root.comment, record.root.marks = "\na\0b\bc\rd\n", (Mark("label", 0, "x"), Mark("label", 1, "\0"))
    again = renlib.loads(renlib.dumps(record)).root
    assert (again.comment, again.marks) == ("abcd", (Mark("label", 0, "x"),))


@pytest.mark.parametrize("comment", ["Title\n\nBody", "a\n\n\nb", "a\nb\n\nc", "a\nb"])
def test_bug_empty_lines_after_the_first_line_of_a_comment_were_lost(comment: str) -> None:
    record = GameRecord(setup("gomoku"))
    record.root.comment = comment
    assert renlib.loads(renlib.dumps(record)).root.comment == comment


@pytest.mark.parametrize("written", [b"up\bone\r\ntwo", b"up\b\r\none\r\ntwo", b"\bup\r\none\r\ntwo\r\n"])
def test_the_first_line_of_a_comment_may_have_a_line_end_or_not(written: bytes) -> None:
    data = lib(b"\x00\x08" + written + bytes(2 - len(written) % 2), H8 + LEAF)
    assert renlib.loads(data).root.comment == "up\none\ntwo"


texts = st.text(st.sampled_from("abc ]\\"), max_size=9)  # a guess of the encoding takes long


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**30), st.lists(texts, min_size=1, max_size=4), st.sampled_from(RULES))
def test_a_tree_comes_back_as_it_was(seed: int, words: list[str], rule: str) -> None:
    chance = random.Random(seed)
    record = GameRecord(setup("gomoku", 15, rule))
    record.date = ""
    nodes = [record.root]
    for _ in range(chance.randrange(25)):
        record.cursor = chance.choice(nodes[-6:])
        if (move := a_legal_move(record, chance.randrange(8))) is not None:
            node = record.play(move)
            nodes += [] if node in nodes else [node]
    for node in nodes:
        if chance.random() < 0.5:
            node.comment = "\n".join(filter(None, chance.choices(words, k=chance.randint(1, 3))))
        empty = [cell for cell, content in enumerate(cells_of(node.position)) if not content]
        order = [child.move for child in node.children if child.move is not None]
        for cell in [*order, *sorted(set(empty[:2]) - set(order))]:
            mark = Mark("label", cell, chance.choice(words))
            node.marks += (mark,) if mark.text and chance.random() < 0.5 else ()
        if node.move is not None and chance.random() < 0.3:
            node.marks = (Mark("circle", node.move), *node.marks)
        node.preferred = 0
    record.go_to(chance.choice(nodes))
    again = renlib.loads(renlib.dumps(record), record.setup)
    assert [kind for kind in again.notices if kind.kind != "encoding"] == []
    for one, other in zip(record.nodes(), again.nodes(), strict=True):
        assert (one.move, one.comment, len(one.children)) == (other.move, other.comment, len(other.children))
        assert set(one.marks) == set(other.marks)
    assert moves_text(path(again.cursor)) == moves_text(path(record.cursor))


def test_lines_share_their_positions_but_not_their_nodes() -> None:
    first, second = (game for _, game in islice(renlib.read_each(LIB_EXAMPLE), 2))
    assert first.line()[1].position is second.line()[1].position
    assert first.line()[1] is not second.line()[1]
