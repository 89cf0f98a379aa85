"""Games on the clipboard: position strings, SGF, PSQ and our own text."""

from __future__ import annotations

import random

import pytest

from games.formats import MOST_PASTED, FormatError, copied, pasted, tengen
from games.position import Stones
from games.record import GameRecord
from games.registry import GAMES, setup
from tests.games.formats_samples import PSQ_EXAMPLE, SGF_COLLECTION, SGF_EXAMPLE


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
