"""Prove this: a proof is found on a thread, goes into the tree as one change, and is kept; it can be stopped."""

from __future__ import annotations

from typing import Any

import pytest

from ai.core.player import Stop
from ai.gomoku.threat_solver import Proof, ThreatSolver
from ai.players.opponents import opponents
from games.formats import load, save
from games.formats.text import parse
from games.record import GameRecord
from games.registry import setup
from tests.ui.stage import Stage, part
from tests.waiting import wait
from ui.replay.analysis import ProveThis, branch
from ui.replay.screen import Replay
from ui.toolkit.i18n import t

CROSSED_TWOS = "e5e6f5a3g4a5g3a9"
"""On a small board: black's twos cross at g5, where one stone makes two open threes."""


def replayed(made: Stage, record: GameRecord, file: Any = None) -> tuple[Any, ProveThis]:
    screen = made.show(Replay(made.app, record, file, at_cursor=True))
    return screen, part(screen, ProveThis)


def entry(proofs: ProveThis, name: str) -> Any:
    return next(each for each in proofs.entries() if each.name == name)


def test_a_win_by_threats_becomes_a_tree_that_is_kept(made: Stage) -> None:
    file = made.home / "twos.tengen.json"
    save(parse("e5a1f5a3g4a5g3a9", setup("gomoku", 9, "freestyle")), file)  # white can make fours in between
    screen, proofs = replayed(made, load(file), file)
    screen.state.record.go_to(screen.state.record.line()[-1])
    here = screen.state.record.cursor
    entry(proofs, "prove_threats").run()
    made.until(lambda: not proofs.busy)
    (first,) = here.children
    assert here.position.move_text(first.move) == "g5"
    assert first.comment == t("prove.won.threats", side=t("side.gomoku.0"), count=5)
    assert len(first.children) > 1
    assert screen.state.record.cursor is here
    made.app.files.settle()
    assert load(file) == screen.state.record
    screen.state.undo()
    assert here.children == []


def test_what_has_no_win_by_fours_is_said_to_have_none(made: Stage) -> None:
    screen, proofs = replayed(made, parse(CROSSED_TWOS, setup("gomoku", 9, "freestyle")))
    entry(proofs, "prove_fours").run()
    made.until(lambda: not proofs.busy)
    assert made.app.message[0] == t("prove.none.fours")
    assert screen.state.record.cursor.children == []


def test_a_proof_may_have_to_begin_with_the_next_move(made: Stage) -> None:
    record = parse(CROSSED_TWOS + "a1", setup("gomoku", 9, "freestyle"))
    record.undo()
    screen, proofs = replayed(made, record)
    assert "a1" in entry(proofs, "prove_move").text
    entry(proofs, "prove_move").run()
    made.until(lambda: not proofs.busy)
    assert [node.move for node in screen.state.record.cursor.children] == [72]


class Endless(ThreatSolver):
    def prove(self, *arguments: Any, **_: Any) -> Proof | None:
        stop = next(each for each in arguments if isinstance(each, Stop))
        wait(stop.is_set)
        return None


@pytest.mark.parametrize("leave", [True, False])
def test_a_proof_is_stopped_from_the_menu_and_by_leaving(
    made: Stage, monkeypatch: pytest.MonkeyPatch, leave: bool
) -> None:
    monkeypatch.setattr("ai.gomoku.threat_solver.ThreatSolver", Endless)
    screen, proofs = replayed(made, parse(CROSSED_TWOS, setup("gomoku", 9, "freestyle")))
    entry(proofs, "prove_threats").run()
    made.frame()
    assert screen.status()
    assert [each.name for each in proofs.entries()] == ["prove_stop"]
    if leave:
        screen.close()
    else:
        entry(proofs, "prove_stop").run()
        assert made.app.message[0] == t("prove.stopped")
    assert not proofs.busy


def test_other_games_and_finished_ones_have_no_proofs(made: Stage) -> None:
    assert opponents("tictactoe").threat_solver is None
    _, proofs = replayed(made, parse("a1", setup("tictactoe")))
    assert proofs.entries() == ()
    _, proofs = replayed(made, parse("e5a1f5a2g5a3h5a4i5", setup("gomoku", 9, "freestyle")))
    assert proofs.entries() == ()


def test_the_longest_defence_comes_first() -> None:
    proof = Proof(1, 7, ((2, Proof(3, 1)), (4, Proof(5, 5, ((6, Proof(7, 3)),)))))
    assert [reply.move for reply in branch(proof).replies] == [4, 2]
