"""Position strings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

from games.formats import FormatError, load, load_all, pasted, read_target, text
from games.formats.tengen import MOST_NODES
from games.position import FIRST, SECOND
from games.record import GameRecord, path
from games.registry import Setup, setup
from tests.games.strategies import EXAMPLES, records


@EXAMPLES
@given(records(arranged=False))
def test_position_strings_keep_the_line_of_play(record: GameRecord) -> None:
    moves = [node.move for node in record.line()]
    again = text.loads(text.dumps(record), record.setup)
    assert [node.move for node in again.line()] == moves
    assert again.cursor is again.line()[-1]
    here = text.parse(text.moves_text(path(record.cursor)), record.setup)
    assert here.position == record.position


@pytest.mark.parametrize(
    "moves",
    [
        "h8i9g7j10", " H8 I9\r\n g7\tj10\n", "h8\u3000i9g7j10", "\ufeffh8i9g7j10",
        "1. h8 i9 2. g7 j10", "1.h8 i9 2.g7 j10", "1.h8 2.i9 3.g7 4.j10", "1) h8 2) i9 3) g7 4) j10",
        "1. h8\n1... i9\n2. g7 j10",
        "h8, i9, g7, j10", "h8;i9;g7;j10", "h8-i9-g7-j10", "h8 – i9 – g7 – j10", "1. H8, I9; 2. G7, J10;",
        "h8|i9|g7|j10",
        "(1) h8 (2) i9 (3) g7 (4) j10", "1、h8 2、i9 3、g7 4、j10", "１．ｈ８　ｉ９　２．ｇ７，ｊ１０",
        "1: h8 i9\n2: g7 j10\n3:",
        "1. h8 2. i9 3. g7 4. j10 5.", "1.\nh8\n2.\ni9\n3.\ng7\n4.\nj10", "01. h8 i9 02. g7 j10", "1…h8 i9 g7 j10",
        "h8\ni9\ng7\nj10", "h8 i9 g7\nj10", "h8i9\ng7j10\n",
    ],
)  # fmt: skip
def test_a_position_string(moves: str) -> None:
    record = text.loads(moves.encode())
    assert (record.setup, record.notices) == (setup("gomoku"), [])
    assert text.dumps(record) == text.dumps(text.parse(moves)) == b"h8i9g7j10\n"


@pytest.mark.parametrize(
    ("moves", "game", "sentence"),
    [
        ("h8h8", "gomoku", "Move 2, “h8”, cannot be played: There is already a stone on h8."),
        ("h8 9", "gomoku", "Move 2, “9”, cannot be played"),
        ("h8?i9", "gomoku", "“?i9” cannot be read"),
        ("1. h8 i9 3. g7", "gomoku", "not numbered one after the other: 3 follows 1."),
        ("1. h8 i9 1. g7", "gomoku", "numbered from 1 again"),
        ("5. h8", "gomoku", "5 follows 0."),
        ("1. 2.", "gomoku", "no moves"),
        ("8", "connect4", "Move 1, “8”, cannot be played"),
        ("h8p1", "gomoku", "“p1” is not on a board of 15×15 points."),
        ("h", "gomoku", "“h” cannot be read"),
        ("a3", "bones", "Move 1, “a3”, cannot be played"),
        ("321", "bones", "You can take 1 to 3 bones here, not 321."),
        ("a1b1a2b2a3c3", "tictactoe", "Move 6, “c3”, cannot be played: The game is over."),
        ("h" + "9" * 100_000, "gomoku", "Move 1, “h9999999999999999999…”, cannot be played"),
        ("x" * 100_000, "gomoku", "“xxxxxxxxxxxxxxxxxxxx…” cannot be read"),
    ],
)
def test_a_bad_position_string_is_refused_with_a_sentence(moves: str, game: str, sentence: str) -> None:
    with pytest.raises(FormatError) as caught:
        text.parse(moves, setup(game))
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 200


def moves_in(data: str, of: Setup | None = None) -> list[str]:
    return [text.dumps(record).decode().strip() for record in text.loads_all(data.encode(), of)]


TEN = "h8i9g7j10h7i7h6h9g8f9"


@pytest.mark.parametrize(
    ("data", "games"),
    [
        ("d3e5f6d7\nk10j10i9j9\n", ["d3e5f6d7", "k10j10i9j9"]),
        ("h8i9g7\n\nh8h9h10\r\nh8i9i10j10", ["h8i9g7", "h8h9h10", "h8i9i10j10"]),
        ("h8 i9 g7\nh8 h9 h10", ["h8i9g7", "h8h9h10"]),
        ("1. h8 i9 2. g7 1. d4 e5 2. f6", ["h8i9g7", "d4e5f6"]),
        ("1. h8 i9\n2. g7\n\n1. h8 h9\n2. h10", ["h8i9g7", "h8h9h10"]),
        ("1. h8i9g7\n2. d3e5f6\n3. h8h9h10", ["h8i9g7", "d3e5f6", "h8h9h10"]),
        ("1. h8i9g7\n2. d3e5f6", ["h8i9g7", "d3e5f6"]),
        ("a1a2b1b2c1c2d1d2e1\nh8i9g7", ["a1a2b1b2c1c2d1d2e1", "h8i9g7"]),
        (f"{TEN}\nk10k9k8", [f"{TEN}k10k9k8"]),
        ("h8 i9 g7 j10 h7 i7\nh6 h9 g8", ["h8i9g7j10h7i7h6h9g8"]),
        ("1. h8 i9 g7 j10\nh7 i7\n", ["h8i9g7j10h7i7"]),
        ("a1\nb2\nc3\nd4", ["a1b2c3d4"]),
        ("", [""]),
    ],
)  # fmt: skip
def test_a_list_of_openings_was_one_game(data: str, games: list[str]) -> None:
    assert moves_in(data) == games
    first = text.loads(data.encode())
    assert text.dumps(first).decode().strip() == games[0]
    kinds = [(found.kind, dict(found.facts)) for found in first.notices]
    assert kinds == ([("more_games", {"count": len(games) - 1})] if len(games) > 1 else [])


def test_a_file_with_an_opening_a_line_is_a_collection(tmp_path: Path) -> None:
    file = Path(__file__).parents[1] / "data" / "files" / "09_openings_one_a_line.txt"
    assert [record.position.ply for record in load_all(file)] == [4, 4]
    assert (load(file).position.ply, [found.kind for found in load(file).notices]) == (4, ["more_games"])
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("h8i9g7\nh8h8h8\nh8h9h10\n")
    records = load_all(wrong)
    assert len(records) == 2
    assert [(found.kind, dict(found.facts)) for found in records[0].notices] == [("other_games", {"count": 1})]
    with pytest.raises(FormatError, match="Move 2, “h8”"):
        text.loads_all(b"h8h8h8\nh8h8h8")


def test_games_that_cannot_be_read_are_numbered_like_the_others() -> None:
    data = b"# A\nh8h8h8\n# B\nh8i9g7\n# C\nh8h8h8\n# D\nj8j9j10"
    for begin in range(5):
        found = [(number, isinstance(game, FormatError)) for number, game in text.read_each(data, begin=begin)]
        assert found == [(1, True), (2, False), (3, True), (4, False)][begin:]


@pytest.mark.parametrize("data", ["h8\ni9\nh8", "h8 i9\nh8 h9", "h8i9g7\nj10j10k8"])
def test_a_point_twice_in_one_game_is_still_named(data: str) -> None:
    with pytest.raises(FormatError, match="There is already a stone"):
        text.loads(data.encode())


def test_connect_four_in_digits_is_read_where_the_game_is_known() -> None:
    of = setup("connect4")
    for digits in ("44553", "4 4 5 5 3", "1. 4 4 2. 5 5 3. 3", "4,4,5,5,3"):
        assert moves_in(digits, of) == ["ddeec"]
        assert text.dumps(read_target(digits, of)) == b"ddeec\n"
    assert moves_in("44553\n435261\n", of) == ["ddeec", "dcebfa"]
    for other in (setup("gomoku"), setup("bones")):
        with pytest.raises(FormatError):
            text.loads(b"44553", other)


@pytest.mark.parametrize(
    ("data", "game", "moves"),
    [
        ("44553", "connect4", ["ddeec"]), ("4 4 5 5 3", "connect4", ["ddeec"]), ("44553\n435261\n", "connect4",
         ["ddeec", "dcebfa"]), ("ababab", "connect4", ["ababab"]), ("3 2 1", "bones", ["3 2 1"]),
        ("b2a1c3", "gomoku", ["b2a1c3"]), ("h8i9", "gomoku", ["h8i9"]),
    ],
)  # fmt: skip
def test_a_file_of_moves_was_always_read_as_gomoku(data: str, game: str, moves: list[str]) -> None:
    records = text.loads_all(data.encode())
    assert [text.moves_text(record.line()) for record in records] == moves
    assert {record.setup.game for record in records} == {text.loads(data.encode()).setup.game} == {game}
    assert pasted(data.splitlines()[0]).setup.game == game


def test_a_file_that_no_game_fits_is_refused_as_one_of_gomoku() -> None:
    for data in ("45678", "h8h8", "hello", "9 9"):
        with pytest.raises(FormatError) as refused:
            text.loads(data.encode())
        with pytest.raises(FormatError, match=re.escape(str(refused.value))):
            text.loads_all(data.encode())
        with pytest.raises(FormatError, match=re.escape(str(refused.value))):
            text.loads(data.encode(), setup("gomoku"))


@pytest.mark.parametrize(
    ("data", "moves", "winner"),
    [
        ("h8 i9 g7 h7 1-0", "h8i9g7h7", FIRST), ("1. h8 i9 2. g7 0-1\n", "h8i9g7", SECOND), ("h8i9 1-0", "h8i9", FIRST),
        ("h8 i9 1/2-1/2", "h8i9", None), ("h8 i9 ½-½", "h8i9", None), ("h8\ni9\n0.5-0.5", "h8i9", None),
    ],
)  # fmt: skip
def test_the_result_after_the_moves_refused_them(data: str, moves: str, winner: int | None) -> None:
    record = text.loads(data.encode())
    assert (text.moves_text(record.line()), record.outcome.winner) == (moves, winner)
    assert text.loads(b"44553 0-1").outcome.winner == SECOND
    unfinished = text.loads(b"h8 i9 *")
    assert (unfinished.position.ply, unfinished.outcome) == (2, None)
    games = text.loads_all(b"h8i9g7 1-0\nj8j9 0-1\nk8k9k10")
    assert [record.outcome and record.outcome.winner for record in games] == [FIRST, SECOND, None]
    with pytest.raises(FormatError, match="Move 3"):
        text.loads(b"h8 i9 1-0 g7")


@pytest.mark.parametrize(
    "data",
    ["B h8 W i9 B g7", "b h8\nw i9\nb g7", "B: h8 W: i9 B: g7", "h 8 i 9 g 7", "h 8, i 9, g 7", "(h,8) (i,9) (g,7)",
     "# heading\nh8 i9 g7", "// heading\n\nh8i9g7", "-- heading\nh8\ni9\n# why?\ng7", "h8 i9 g7 ...", "h8 i9\n\ng7"],
)  # fmt: skip
def test_moves_as_people_write_them(data: str) -> None:
    assert moves_in(data) == ["h8i9g7"]


@pytest.mark.parametrize(
    "data",
    ["h8 i9 g7\n\nj8 j9 j10\n", "# A\nh8 i9 g7\n# B\nj8 j9 j10", "# A\n\nh8i9g7\n\n# B\n\nj8\nj9\nj10\n\n"],
)
def test_empty_lines_and_headings_between_openings_were_ignored(data: str) -> None:
    assert moves_in(data) == ["h8i9g7", "j8j9j10"]


def test_an_empty_line_in_a_long_game_does_not_end_it_but_a_heading_does() -> None:
    first, second = ("".join(f"{column}{row} " for column in "abcdefgh") for row in (1, 5))
    assert len(moves_in(f"{first}\n\n{second}")) == 2
    longer = " ".join(f"{column}{row}" for row in (1, 3) for column in "abcdefgh")
    assert [len(moves_in(f"{head}{longer}\n{head}\n{second}")) for head in ("", "# A\n")] == [1, 2]


def test_moves_without_a_rule_are_read_by_the_first_that_they_fit() -> None:
    row_of_six = "h15a15h14b15h13c15h11e15h10f15h12g15"
    assert text.loads(row_of_six.encode()).setup.rule == "standard"
    assert read_target(row_of_six).position.ply == 12
    with pytest.raises(FormatError, match="The game is over"):
        text.loads(row_of_six.encode(), setup("gomoku"))


def test_numbered_moves_on_the_command_line_were_taken_for_a_file() -> None:
    assert read_target("1. h8 i9 2.g7").position.ply == 3
    for missing in ("game.sgf", "1.sgf", "games/h8", "h8.txt", "192.168.0.1", "..", "C:\\h8"):
        with pytest.raises(FormatError, match="There is no file"):
            read_target(missing)
    with pytest.raises(FormatError, match="Move 2, “h8”"):
        read_target("1. h8 h8")
    with pytest.raises(FormatError, match="3 follows 1"):
        read_target("1. h8 i9 3. g7")


def test_more_moves_than_any_game_has_are_refused() -> None:
    with pytest.raises(FormatError, match="200,000 positions"):
        text.loads(b"h8 " * (MOST_NODES + 1))


def test_as_many_games_and_moves_are_read_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, said in ((2, [{"count": 1}]), (3, [])):
        monkeypatch.setattr(text, "MOST_GAMES", most)
        records = text.loads_all(b"h8i9g7\nj8j9j10\nk8k9k10")
        assert (len(records), [dict(found.facts) for found in records[0].notices]) == (most, said)
    monkeypatch.setattr(text, "MOST_NODES", 3)
    assert text.loads(b"h8i9\ng7").position.ply == 3
    for data in (b"h8i9\ng7h7", b"h8i9g7h7"):
        with pytest.raises(FormatError, match="more than 3 positions"):
            text.loads(data)


@pytest.mark.parametrize(
    "data",
    ["h8->i9->g7->j10", "h8 → i9 → g7 → j10", "(h8) (i9) (g7) (j10)", "[h8, i9, g7, j10]", "h8/i9/g7/j10",
     "①h8 ②i9 ③g7 ④j10", "#1 h8 #2 i9 #3 g7 #4 j10", "1 h8 2 i9 3 g7 4 j10", "1 h8 i9\n2 g7 j10",
     "black: h8, white: i9, black: g7, white: j10", "Black h8 White i9\nBlack g7 White j10"],
)  # fmt: skip
def test_signs_numbers_and_colours_between_moves_were_refused(data: str) -> None:
    assert moves_in(data) == ["h8i9g7j10"]


def test_moves_beyond_the_default_board_were_refused() -> None:
    assert text.loads(b"q16 p15 o14 r17").setup == setup("gomoku", 18)
    assert [each.setup for each in text.loads_all(b"h8i9g7\nt20s19r18\n")] == [setup("gomoku"), setup("gomoku", 20)]
    with pytest.raises(FormatError, match="not on a board of 15"):
        text.loads(b"h8 z26")


def test_the_column_b_of_connect_four_was_taken_for_black() -> None:
    assert text.parse("c e c b e c", setup("connect4")).position.ply == 6
