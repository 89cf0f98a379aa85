"""The opening book: its moves are legal, and found in all symmetries."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.core.player import Limit, answer
from ai.gomoku import book
from ai.gomoku.engine import GomokuEngine
from games.formats.text import parse
from games.line import LinePosition
from games.record import moves_to
from games.registry import GAMES, setup
from games.storage import new_damage

RULES = GAMES["gomoku"].rules


def at(cells: list[int], rule: str) -> LinePosition:
    position = setup("gomoku", book.SIZE, rule).start()
    for cell in cells:
        position = position.play(cell)
    assert isinstance(position, LinePosition)
    return position


@pytest.mark.parametrize("how", book.SYMMETRIES)
def test_what_is_turned_is_turned_back(how: book.Symmetry) -> None:
    for cell in range(book.SIZE**2):
        assert book.transform_back(book.transform(cell, how), how) == cell


@pytest.mark.parametrize("rule", RULES)
def test_the_reply_turns_with_the_board(rule: str) -> None:
    stone = 5 * book.SIZE + 6
    known = book.reply(at([stone], rule))
    assert known is not None
    for how in book.SYMMETRIES:
        found = book.reply(at([book.transform(stone, how)], rule))
        assert found is not None
        stones = {book.transform(stone, how): 1, found: 2}
        assert book.canonical(bytes(stones.get(cell, 0) for cell in range(225)))[0] == book.canonical(
            bytes({stone: 1, known: 2}.get(cell, 0) for cell in range(225))
        )[0]


def test_a_symmetry_transposes_then_flips_rows_then_columns() -> None:
    cell = 2 * book.SIZE + 5
    images = [divmod(book.transform(cell, how), book.SIZE) for how in book.SYMMETRIES]
    assert images == [(2, 5), (2, 9), (12, 5), (12, 9), (5, 2), (5, 12), (9, 2), (9, 12)]
    assert book.canonical(bytes(cell) + b"\1" + bytes(224 - cell)) == (((cell, 1),), (False, False, False))


@pytest.mark.parametrize("rule", RULES)
def test_the_replies_are_those_of_the_file(rule: str) -> None:
    for line in book.FILE.read_text().splitlines():
        of, *moves = line.split()
        if of == rule:
            *stones, wanted = moves_to(parse("".join(moves), setup("gomoku", book.SIZE, rule)).cursor)
            found = book.reply(at(list(stones), rule))
            assert found is not None
            ends = [book.canonical(at([*stones, move], rule).cells)[0] for move in (found, wanted)]
            assert ends[0] == ends[1]


def test_only_the_beginnings_of_games_on_the_usual_board_are_known() -> None:
    assert book.MAX_PLIES == 2
    centre = setup("gomoku", 13).start().play(6 * 13 + 6)
    assert isinstance(centre, LinePosition)
    assert book.reply(centre) is None
    assert book.reply(at([112, 110, 111], "freestyle")) is None


def test_damaged_lines_are_left_out_and_reported(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text("freestyle h8 i9  # good\n\n# none\nrenju h8 h8\nfreestyle h8 h8\nfreestyle\nfreestyle z9 h8\n")
    assert book.replies("freestyle", file) == {((112, 1),): 98}
    (damage,) = new_damage()
    assert str(damage).endswith("3 of its lines are damaged.")
    assert book.replies("freestyle", tmp_path) == {}
    assert [each.file for each in new_damage()] == [tmp_path], "a folder cannot be read"


@pytest.mark.parametrize("rule", RULES)
def test_all_replies_are_legal(rule: str) -> None:
    lines = [line.split() for line in book.FILE.read_text().splitlines() if line.startswith(rule)]
    assert len(lines) == len(book.replies(rule)) > 10
    for _, *moves in lines:
        assert parse("".join(moves), setup("gomoku", book.SIZE, rule)).outcome is None


def test_the_engine_plays_by_the_book_only_when_told() -> None:
    position = at([112], "freestyle")
    by_book = answer(GomokuEngine(memory_mb=1, book=True), position, Limit(depth=2))
    searched = answer(GomokuEngine(memory_mb=1), position, Limit(depth=2))
    assert by_book.move == book.reply(position)
    assert (by_book.nodes, by_book.depth) == (0, 0)
    assert searched.nodes > 0


def test_without_the_file_nothing_is_known(tmp_path: Path) -> None:
    assert book.replies("freestyle", tmp_path / "book.txt") == {}
    assert new_damage() == []
    assert book.reply(at([0], "freestyle")) is None
