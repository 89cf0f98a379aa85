"""Position strings."""

from __future__ import annotations

import pytest
from hypothesis import given

from games.formats import FormatError, text
from games.record import GameRecord, path
from games.registry import setup
from tests.games.strategies import EXAMPLES, records


@EXAMPLES
@given(records(arranged=False))
def test_position_strings_keep_the_line_of_play(record: GameRecord) -> None:
    moves = [node.move for node in record.line()]
    for node in record.nodes():
        node.ending = None
    again = text.loads(text.dumps(record), record.setup)
    assert [node.move for node in again.line()] == moves
    assert again.cursor is again.line()[-1]
    here = text.parse(text.moves_text(path(record.cursor)), record.setup)
    assert here.position == record.position


@pytest.mark.parametrize("moves", ["h8i9g7j10", " H8 I9\r\n g7\tj10\n", "h8\u3000i9g7j10", "\ufeffh8i9g7j10"])
def test_a_position_string(moves: str) -> None:
    record = text.loads(moves.encode())
    assert record.setup == setup("gomoku")
    assert text.dumps(record) == b"h8i9g7j10\n"


@pytest.mark.parametrize(
    ("moves", "game", "sentence"),
    [
        ("h8h8", "gomoku", "Move 2, “h8”, cannot be played: There is already a stone on h8."),
        ("h8 9", "gomoku", "Move 2, “9”, cannot be played"),
        ("h8,i9", "gomoku", "“,i9” cannot be read"),
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
