"""All formats alike, the files on the disk, the clipboard, and the targets of the command line."""

from __future__ import annotations

import contextlib
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import formats
from games.formats import (
    FORMATS,
    MOST_PASTED,
    Format,
    FormatError,
    copied,
    file_title,
    load,
    load_all,
    pasted,
    read_each,
    read_target,
    save,
    tengen,
    text,
    writable,
)
from games.formats.common import notice, notice_sentences, quoted, shortened, with_progress
from games.position import FIRST, SECOND, Stones
from games.record import GameRecord, moves_to
from games.registry import GAMES, setup
from tests.games.formats_samples import PSQ_EXAMPLE, SGF_COLLECTION, SGF_EXAMPLE
from tests.games.strategies import drawn_game, gomoku

OTHERS = "tictactoe", "connect4"
every_format = pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.extension)


@every_format
def test_every_format_keeps_the_moves(kind: Format, tmp_path: Path) -> None:
    if kind.dumps is None:
        pytest.skip("only read")
    record = gomoku("h8i9g7j10") if kind.games is None else GameRecord(setup(kind.games[0]))
    if kind.extension not in writable(record):
        record = GameRecord(setup(record.setup.game, 20))
    for _ in range(4 - record.position.ply):
        record.play(record.position.candidates()[0])
    file = tmp_path / f"game{kind.extension.upper()}"
    save(record, file)
    again = load(file, record.setup)
    assert again.setup == record.setup
    assert [node.move for node in again.line()] == [node.move for node in record.line()]


@pytest.mark.parametrize(("name", "size"), [("a.psq", 20), ("a.rec", 20), ("a.sav", 20), ("a.pos", 15)])
def test_a_game_that_fills_the_board_is_kept_and_a_move_more_is_said(name: str, size: int, tmp_path: Path) -> None:
    record = GameRecord(setup("gomoku", size))
    for move in drawn_game(size):
        record.play(move)
    save(record, tmp_path / name)
    whole = load(tmp_path / name)
    assert ([node.move for node in whole.line()], whole.notices) == ([node.move for node in record.line()], [])
    data = (tmp_path / name).read_bytes()
    more = {
        "a.psq": data.replace(b"\r\nhomo-1", b"\r\n1,1,0\r\nhomo-1"), "a.pos": b"\xe2" + data[1:] + b"\0",
        "a.rec": data.replace(b"\r\n-1", b"\r\n0,0,0\r\n-1"), "a.sav": data.replace(b"400", b"401", 1) + b"0 0\n",
    }  # fmt: skip
    (tmp_path / name).write_bytes(more[name])
    if name == "a.pos":
        with pytest.raises(FormatError, match="does not begin"):
            load(tmp_path / name)
        return
    found = load(tmp_path / name)
    said = "broken_off" if name == "a.sav" else "cut"
    assert (found.position.ply, [each.kind for each in found.notices]) == (size**2, [said])


@every_format
def test_bug_moves_taken_back_before_a_resignation_were_written_without_a_result(kind: Format, tmp_path: Path) -> None:
    """SGF has the result of the main line, so it leaves out what was taken back; RenLib opens where the game ended."""
    record = GameRecord(setup("gomoku", 20 if kind.extension == ".rec" else 15))
    for move in ("h8", "a1", "h9", "a2"):
        record.play(record.position.parse_move(move))
    record.undo()
    record.undo()
    record.resign(FIRST)
    if kind.dumps is None:
        pytest.skip("only read")
    save(record, tmp_path / f"game{kind.extension}")
    again = load(tmp_path / f"game{kind.extension}", record.setup)
    assert moves_to(again.cursor) == moves_to(record.cursor)
    if kind.extension in (".tengen.json", ".sgf", ".psq"):
        assert again.outcome is not None
        assert again.outcome.winner == SECOND


def test_an_unknown_extension_is_refused(tmp_path: Path) -> None:
    for name in ("game.json", "game", "game.tengen", "game.txt.bak"):
        (tmp_path / name).write_bytes(b"h8i9")
        with pytest.raises(FormatError, match=f"“{name}” is not a kind of file .* knows .tengen.json"):
            load(tmp_path / name)
        with pytest.raises(FormatError, match="not a kind of file"):
            save(gomoku(), tmp_path / name)
        assert (tmp_path / name).read_bytes() == b"h8i9"


def test_what_a_file_contains_tells_its_format_before_its_extension(tmp_path: Path) -> None:
    for name in ("game.txt", "game.sgf", "game.dat"):
        (tmp_path / name).write_text(SGF_EXAMPLE, encoding="utf-8")
        assert load(tmp_path / name).position.ply == 4
        (tmp_path / name).write_text(PSQ_EXAMPLE, encoding="utf-8")
        assert load(tmp_path / name).position.ply == 3


def test_a_file_that_cannot_be_opened_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"“none.txt” cannot be read: No such file or directory\."):
        load(tmp_path / "none.txt")
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(FormatError, match=r"“folder.txt” cannot be read: "):
        load(tmp_path / "folder.txt")


def test_a_file_that_is_too_large_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.txt"
    with path.open("wb") as file:
        file.truncate(formats.MOST_BYTES + 1)
    with pytest.raises(FormatError, match=r"“game.txt” is larger than 16 MB"):
        load(path)
    monkeypatch.setattr(formats, "MOST_BYTES", 5)
    save(gomoku("h8i9"), path)
    assert load(path).position.ply == 2
    with pytest.raises(FormatError, match="more than"):
        save(gomoku("h8i9g7"), path)
    assert load(path).position.ply == 2


def test_a_format_that_is_only_read_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "FORMATS", (Format(".lib", text.loads, None),))
    with pytest.raises(FormatError, match=r"kind \.lib but does not write"):
        save(gomoku(), tmp_path / "game.lib")


def test_formats_are_writable_that_can_hold_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """“Save as” offered SGF and PSQ for games of tic-tac-toe."""
    one = Format(".one", text.loads, FORMATS[-1].dumps, games=("connect4",))
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, one))
    held = [set(writable(record)) for record in (gomoku("h8i9"), *(GameRecord(setup(game)) for game in OTHERS))]
    assert all({".tengen.json", ".txt"} <= each for each in held)
    assert [each & {".sgf", ".psq", ".one"} for each in held] == [{".sgf", ".psq"}, set(), {".one"}]


def test_a_game_that_a_format_does_not_hold_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"kind \.psq hold games of gomoku only"):
        save(GameRecord(setup("tictactoe")), tmp_path / "game.psq")


def test_a_game_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "game.tengen.json"
    save(gomoku(), path)
    before = path.read_bytes()
    record = gomoku("a1")
    record.cursor.seconds = float("nan")
    with pytest.raises(FormatError):
        save(record, path)
    assert path.read_bytes() == before


def test_the_origin_of_a_game_is_the_file_that_holds_only_it(tmp_path: Path) -> None:
    for name, games, kept in (("a.tengen.json", 1, False), ("a.sgf", 1, True), ("b.sgf", 2, False), ("a.psq", 1, True)):
        file = tmp_path / name
        save(gomoku("h8i9"), file)
        file.write_bytes(file.read_bytes() * games)
        origin = formats.digest(file.read_bytes())
        assert [each.origin for each in load_all(file)] == [origin if kept else ""] * games
        assert load(file).origin == ("" if name == "a.tengen.json" else origin)


@pytest.mark.parametrize("name", ["a.psq", "a.tengen.json"])
def test_the_game_of_a_file_that_holds_one_has_the_number_1(name: str, tmp_path: Path) -> None:
    save(gomoku("h8i9"), tmp_path / name)
    ((number, game),) = read_each(tmp_path / name)
    assert isinstance(game, GameRecord)
    assert (number, game.position.ply) == (1, 2)
    assert list(read_each(tmp_path / name, begin=1)) == []


@pytest.mark.parametrize(
    ("name", "title"),
    [("a.tengen.json", "a"), ("A.b.SGF", "A.b"), ("a.json", "a"), ("a", "a"), ("a.sgf.bak", "a.sgf")],
)
def test_the_title_of_a_file_lacks_its_kind(name: str, title: str) -> None:
    assert file_title(Path("folder") / name) == title


def test_texts_are_shortened_that_are_longer_than_allowed() -> None:
    assert [shortened("x" * count, 3) for count in (0, 3, 4)] == ["", "xxx", "xxx…"]
    assert shortened("x" * 21) == "x" * 20 + "…"
    assert [len(quoted("x" * count)) for count in (100, 101)] == [102, 103]


def test_the_first_notices_are_told_and_the_others_counted() -> None:
    found = [notice("marks")] * 5
    assert notice_sentences(found) == [found[0].sentence] * 5
    assert notice_sentences([*found, notice("shortened")]) == [found[0].sentence] * 5 + ["Left out as well: 1 more."]
    assert notice_sentences([]) == []


def test_progress_goes_from_the_beginning_to_the_end_of_its_part() -> None:
    told: list[float] = []
    items = with_progress(range(512), told.append, 0.25, 0.75)
    assert [next(items) for _ in range(255)] == list(range(255))
    assert told == []
    assert list(items) == list(range(255, 512))
    assert told == [0.5, 0.75]


# Targets of the command line


def test_a_target_is_a_file_or_a_position_string(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(text.parse("2 1", setup("bones")), tmp_path / "heap.tengen.json")
    (tmp_path / "moves.txt").write_text("3 3")
    assert read_target(str(tmp_path / "heap.tengen.json")).setup.game == "bones"
    assert read_target(str(tmp_path / "moves.txt"), setup("bones", 9)).position.key == (3, 0)
    assert read_target("h8i9").position.ply == 2
    assert read_target("b2", setup("tictactoe")).setup.game == "tictactoe"
    monkeypatch.chdir(tmp_path)
    assert read_target("moves.txt", setup("bones", 9)).position.ply == 2


@pytest.mark.parametrize("target", ["none.sgf", "../h8", "C:\\game", "/", "game\0.txt"])
def test_a_target_that_looks_like_a_file_is_not_taken_for_moves(target: str) -> None:
    with pytest.raises(FormatError, match="There is no file"):
        read_target(target)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="The system has no pipes with names.")
def test_a_pipe_was_said_not_to_exist(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.sgf"
    os.mkfifo(pipe)
    with pytest.raises(FormatError, match=r"“pipe\.sgf” cannot be read"):
        read_target(str(pipe))


def test_a_position_string_may_be_longer_than_a_file_name() -> None:
    start = setup("gomoku", 20).start()
    moves = "".join(start.move_text(move) for move in drawn_game(20))
    assert len(moves) > 1000
    assert read_target(moves, setup("gomoku", 20)).position.ply == 400


@settings(deadline=None)
@given(st.text(max_size=20))
def test_no_target_does_harm(target: str) -> None:
    with contextlib.suppress(FormatError):
        assert read_target(target).setup == setup("gomoku")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_what_is_copied_is_pasted_as_the_same_position(game: str, seed: int) -> None:
    chance = random.Random(seed)
    record = GameRecord(setup(game))
    while record.outcome is None and record.position.ply < 30:
        record.play(chance.choice(list(record.position.legal_moves())))
        assert pasted(copied(record, record.cursor), record.setup).position == record.position


def test_a_position_that_was_set_up_is_copied_whole() -> None:
    record = GameRecord(setup("gomoku"), stones=Stones(((112, 113), (97,)), turn=1))
    record.play(98)
    assert pasted(copied(record, record.cursor)) == record


def test_bug_of_a_position_that_was_set_up_the_cursor_was_copied_and_not_what_was_shown() -> None:
    record = GameRecord(setup("gomoku"), stones=Stones(((112, 113), (97,)), turn=1))
    shown = record.play(98)
    last = record.play(99)
    assert moves_to(pasted(copied(record, shown)).cursor) == (98,)
    assert record.cursor is last


def test_bug_a_game_that_was_copied_was_too_long_to_be_pasted() -> None:
    record = GameRecord(setup("gomoku"), stones=Stones(((112, 113), (97,)), turn=1))
    for move in (98, 99, 100):
        record.play(move).comment = "x" * 70_000
    assert len(copied(record, record.cursor)) > MOST_PASTED
    assert pasted(copied(record, record.cursor)) == record


@pytest.mark.parametrize(
    ("text", "game", "size"),
    [("h8i9", "gomoku", 15), ("s19a1", "gomoku", 19), (" H8 i9 ", "gomoku", 15), ("abab", "connect4", 7),
     ("3 2 1", "bones", 21)],
)  # fmt: skip
def test_moves_tell_their_game(text: str, game: str, size: int) -> None:
    found = pasted(text).setup
    assert (found.game, found.size) == (game, size)


def test_the_game_that_is_shown_comes_first() -> None:
    assert pasted("a1b2", setup("tictactoe")).setup.game == "tictactoe"
    assert pasted("a1b2", setup("gomoku", 9)).setup.size == 9
    assert pasted("d4", setup("tictactoe")).setup.game == "gomoku"


def test_texts_of_files_are_recognised() -> None:
    assert pasted(SGF_EXAMPLE).position.ply == 4
    assert pasted(SGF_COLLECTION).notices
    assert pasted(PSQ_EXAMPLE).position.ply > 0
    record = GameRecord(setup("bones"))
    record.play(2)
    assert pasted(tengen.dumps(record).decode()) == record


def test_a_format_of_one_game_that_begins_like_sgf_reads_its_files_wherever_it_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had to stand before SGF, and came before it in file dialogs."""
    own = Format(
        ".own", lambda *_: gomoku("a1"), None, lambda data: b"GM[Own]" in data, games=("gomoku",)
    )
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, own))
    (tmp_path / "game.own").write_text("(;GM[Own];B[aa];W[bb])")
    assert load(tmp_path / "game.own") == gomoku("a1")
    assert pasted("(;GM[Own];B[aa];W[bb])") == gomoku("a1")


def test_a_text_may_be_as_long_as_is_allowed() -> None:
    assert pasted("h8".ljust(MOST_PASTED)).position.ply == 1
    with pytest.raises(FormatError, match="longer than 200,000"):
        pasted("h8".ljust(MOST_PASTED + 1))


def test_text_is_not_in_the_encoding_that_it_names() -> None:
    """A text is copied from an editor that has decoded it."""
    record = pasted("(;GM[4]SZ[15]CA[GB18030]PB[张三];B[hh]C[好棋])")
    assert (record.seats[0].name, record.cursor.comment) == ("张三", "好棋")


@pytest.mark.parametrize(
    "text", ["", "  \n", "hello", "h8h8", "h8" * MOST_PASTED, "https://example.org/", "(;GM[1]SZ[19])", "\0", "\ud800"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        pasted(text)


def test_the_refusal_is_that_of_the_game_shown() -> None:
    with pytest.raises(FormatError) as refused:
        pasted("h8h8", setup("gomoku"))
    assert refused.value.kind == "illegal"
    assert refused.value.facts == {"ply": 2, "move": "h8"}
