"""Two settings of the engine at labelled positions, and at known wins and errors."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from ai.core.player import Info, Limit, Player, answer
from ai.core.score import Score
from ai.lab import proofs
from ai.lab.regret import Judge, gains, labelled
from games.formats.text import parse
from games.line import LinePosition
from games.position import Position
from games.registry import setup

WON = "h8a1i8a2j8a3k8a4"  # black makes a five, or else white does


def test_labelled_positions_are_those_of_the_labels_each_with_a_legal_move() -> None:
    for position, move in islice(labelled("renju", 1), 20):
        assert 3 <= position.ply <= 18
        assert move in position.legal_moves()


def test_a_player_gains_nothing_on_its_like() -> None:
    same = ["engine:memory_mb=1"] * 2
    for agreed, gain in islice(gains(same, (200, 200), "freestyle", 200, 1), 5):
        assert agreed[0] == agreed[1]
        assert gain == 0


def test_a_winning_move_gains_all_on_one_that_loses() -> None:
    position = parse(WON, setup("gomoku")).position
    assert isinstance(position, LinePosition)
    moves = {position.move_text(move): move for move in position.legal_moves()}
    assert Judge("freestyle", 500).gain(position, moves["l8"], moves["o15"]) == 1


def test_wins_and_errors_are_counted(tmp_path: Path) -> None:
    wins, errors = tmp_path / "wins.jsonl", tmp_path / "errors.jsonl"
    wins.write_text(json.dumps({"moves": WON}) + "\n" + json.dumps({"moves": "h8"}) + "\n")
    errors.write_text(json.dumps({"moves": WON, "bad": "l8"}) + "\n" + json.dumps({"moves": WON, "bad": "a15"}) + "\n")
    assert proofs.proven("engine:memory_mb=1", wins, 1000) == [True, False]
    assert not proofs.repeated("engine:memory_mb=1", errors, 1000)[1]


def test_a_proven_win_is_played_against_every_reply_to_the_five(monkeypatch: pytest.MonkeyPatch) -> None:
    won = parse("h8a1i8a2j8o15", setup("gomoku")).position  # an open three
    assert isinstance(won, LinePosition)
    assert proofs.unproven_reply("engine:memory_mb=1", won, 2_000, 2_000) is None

    def hasty(player: Player, position: Position, limit: Limit) -> Info:
        found = answer(player, position, limit)
        return found if position.ply == won.ply else replace(found, score=0)

    monkeypatch.setattr(proofs, "answer", hasty)
    moves = proofs.unproven_reply("engine:memory_mb=1", won, 2_000, 2_000)
    assert moves is not None
    assert len(moves) == 2  # the first reply after which it proves nothing


def test_a_claim_that_a_reply_refutes_does_not_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    open_four = parse("h8a1i8a3j8a5k8", setup("gomoku")).position  # white to move, and lost
    assert isinstance(open_four, LinePosition)

    def bold(player: Player, position: Position, limit: Limit) -> Info:
        return replace(answer(player, position, limit), score=Score.win_in(3))

    monkeypatch.setattr(proofs, "answer", bold)
    moves = proofs.unproven_reply("engine:memory_mb=1", open_four, 500, 500)
    assert moves is not None
    assert moves[-1] in ("g8", "l8")  # black's five
