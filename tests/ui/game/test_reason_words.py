"""Why a move, in the words of both languages."""

from __future__ import annotations

import pytest

from games.formats.text import parse
from games.registry import setup
from ui.toolkit.i18n import speaking
from ui.words.reasons import move_reason, node_reason


@pytest.mark.parametrize(
    ("moves", "move", "english", "chinese"),
    [
        ("h8a1i8a2", "j8", "j8 makes an open three", "j8 形成活三"),
        ("h8a1i8a2j8", "k8", "k8 blocks an open three", "k8 挡住活三"),
        ("h8g8i8a2j8a4", "k8", "k8 makes a four", "k8 形成冲四"),
        ("h8g8i8a2j8a4k8", "l8", "l8 blocks a four", "l8 挡住冲四"),
        ("h8g8i8a2j8a4k8a6", "l8", "l8 makes five in a row", "l8 形成五连"),
        ("h8a1i8a2k9a4k10a6", "k8", "k8 makes 2 open threes", "k8 形成2个活三"),
        (
            "h8g7i8g6j8",
            "g8",
            "g8 makes an open three and blocks an open three",
            "g8 形成活三，挡住活三",
        ),
        ("", "h8", "", ""),
    ],
)
def test_a_reason_is_a_sentence(moves: str, move: str, english: str, chinese: str) -> None:
    position = parse(moves, setup("gomoku")).position
    for language, sentence in (("en", english), ("zh", chinese)):
        with speaking(language):
            assert move_reason(position, position.parse_move(move)) == sentence


def test_a_game_without_reasons_has_none() -> None:
    for game, moves in (("connect4", "ddd"), ("tictactoe", "b2a1"), ("bones", "1 2")):
        record = parse(moves, setup(game))
        assert node_reason(record.cursor) == ""
    assert node_reason(record.root) == ""
