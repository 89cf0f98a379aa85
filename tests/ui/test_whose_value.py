"""Whose value: on every screen, in both languages, a move is judged from the side that makes it, and a position names
the side. `tests.contradictions` compares all that is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from ai.core.player import Limit
from ai.search.alphabeta import AlphaBeta
from ai.service.analyse import analyse, text_lines
from games.evaluation import Evaluation, ScoredLine
from games.formats.text import parse
from games.position import FIRST
from games.record import GameRecord
from games.registry import setup
from tests.contradictions import contradictions, whose_value
from tests.sampling import sampled
from tests.ui.scenes import SCENES, Idle
from tests.ui.stage import SPOKEN, Make, Stage, thinks
from ui.parts.study import Study
from ui.play.state import PlayState
from ui.replay.screen import Replay
from ui.toolkit.i18n import t

GAMES_WON = [
    ("gomoku", "freestyle", "h8a1h9a2h10a3h11a15h12"),
    ("gomoku", "renju", "a1h8a3h9a5h10a7h11a9h12"),
    ("connect4", None, "abababa"),
    ("connect4", None, "cabababa"),
]


def won(game: str, rule: str | None, moves: str) -> GameRecord:
    """A game in which it is proven from the start that its winner wins, and nothing else is as good."""
    record = parse(moves, setup(game, rule=rule))
    assert record.outcome is not None
    line = record.line()
    for number, node in enumerate(line[:-1]):
        left = len(line) - 1 - number
        mate = left if record.outcome.winner == FIRST else -left
        pv = tuple(each.move for each in line[number + 1 :] if each.move is not None)
        others = tuple(ScoredLine(0, -mate, 9, (move,)) for move in node.position.legal_moves() if move != pv[0])[:2]
        if node.position.turn == record.outcome.winner:
            others = tuple(ScoredLine(0, None, 9, each.line) for each in others)
        else:
            others = tuple(ScoredLine(0, mate, 9, each.line) for each in others)
        node.evaluation = Evaluation(0, mate, 9, pv, 60.0, others=others, wanted=9)
    return record


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize(("game", "rule", "moves"), sampled(GAMES_WON, 1))
@pytest.mark.parametrize("tab", ["moves", "analysis"])
def test_no_move_of_the_side_that_wins_is_said_to_lose(
    stage: Make, language: str, game: str, rule: str | None, moves: str, tab: str
) -> None:
    made = stage(language=language)
    record = won(game, rule, moves)
    assert record.outcome is not None
    winner = record.outcome.winner
    scene: Any = made.show(Replay(made.app, record, tab=tab))
    for node in record.line()[:-1]:
        scene.state.go(node)
        made.frame(2)
        assert list(contradictions(made.app)) == []
        if scene.state.analyst.on:
            mover_wins = node.position.turn == winner
            best = scene.state.analyst.lines()[0].text
            assert best == t("outlook.wins" if mover_wins else "outlook.loses", count=re.sub(r"\D", "", best))


def said_in_all_scenes(made: Stage) -> Iterator[str]:
    for name, make in SCENES.items():
        if name.startswith(("play", "replay", "review")):
            thinks(made.app, lambda _: Idle())  # the player of the scene before claims to win whatever it sees
            made.show(make(made))
            made.frame(3)
            state = getattr(made.app.scene, "state", None)
            if isinstance(state, PlayState | Study):
                yield from (f"{name}: {fault}" for fault in whose_value(state))


@pytest.mark.slow
@pytest.mark.parametrize("language", SPOKEN)
def test_all_that_a_screen_says_of_a_game_agrees(stage: Make, language: str) -> None:
    assert list(said_in_all_scenes(stage(language=language))) == []


@pytest.mark.parametrize(("moves", "said"), [("a1b1", " x wins in 5 plies "), ("a1", " o score 0 ")])
def test_the_terminal_names_the_side(moves: str, said: str) -> None:
    record = parse(moves, setup("tictactoe"))
    (facts,) = analyse(record, AlphaBeta(), Limit(lines=3), last=True)
    first, *others = text_lines(facts)
    assert said in first
    assert len(others) == len(facts["lines"]) > 1
    for line, text in zip(facts["lines"], others, strict=True):
        word = "score" if line["mate"] is None else "wins in" if line["mate"] > 0 else "loses in"
        assert f"{line['move']}  {word}" in text
