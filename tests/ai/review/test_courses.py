"""Reviews take the course that is written down: what is searched, how moves are judged, and what is said of them.

The searches answer by chance. `python -m tests.ai.review.test_courses` records it anew after a change that is meant.
"""

from __future__ import annotations

import json
import random
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from ai.core.player import Info, Line
from ai.core.score import Score
from ai.review.assessment import Aim, Assessment, ReviewTask, Verdict
from ai.review.insights import why_mistake
from games.line import LinePosition
from games.position import Position, own_plans
from games.record import GameRecord
from games.registry import setup

FILE = Path(__file__).parents[2] / "data" / "courses" / "review.json"
GAMES = [*(("gomoku", 9, seed) for seed in range(12)), *(("connect4", None, seed) for seed in range(4)),
         ("tictactoe", None, 1), ("bones", 13, 1)]  # fmt: skip


SPANS = ((0, 0), (-20, 20), (-45, 45), (-45, 45), (-90, 90), (-250, 250))
"""Of scores, most often such as those of a quiet game."""


def move_by_chance(position: Position, dice: random.Random) -> int:
    """A good move, most often of those near the others."""
    plans = list(own_plans(position)[:2]) if isinstance(position, LinePosition) and dice.random() < 0.6 else []
    return dice.choice(plans or list(position.candidates()[:6]))


def found(task: ReviewTask, dice: random.Random) -> Verdict:
    """What a search might find: nothing much, a mistake, a forced win or loss, or a draw."""
    position, line = task.position, list[int]()
    if position.ply and dice.random() < 0.3 and task.move in position.legal_moves():
        line, position = [task.move], position.play(task.move)
    while position.outcome is None and len(line) < dice.choice((1, 3, 5)):
        line.append(move_by_chance(position, dice))
        position = position.play(line[-1])
    score, plies = dice.randint(*dice.choice(SPANS)), dice.choice((3, 5, 9, 11, 13, 21))
    if dice.random() < 0.15:
        score = dice.choice((Score.win_in(plies), Score.loss_in(plies + 1)))
    second = dice.choice((score - 20, score - 60, score - 200, Score.loss_in(4)))
    scores = (score, second) if task.aim is Aim.COMPARE or dice.random() < 0.25 else ()
    lines = (Line(score, tuple(line), exact=score == 0 and dice.random() < 0.2),)
    return Verdict(task, Info(line[0], score, dice.randint(8, 24), 9, 0.1, lines), scores)


def course(game: str, size: int | None, seed: int) -> list[Any]:
    """What is asked and judged after each answer, and what is known in the end."""
    dice, record = random.Random(f"{game} {seed}"), GameRecord(setup(game, size))
    while record.outcome is None and record.position.ply < 9:
        record.play(move_by_chance(record.position, dice))
    state, told = Assessment(record.setup, record.line(), 0.5, recalls=seed == 3), list[Any]()
    state.begin()
    while state.tasks or state.backlog:
        told += [f"{each.number} {each.aim.name} {each.move} {each.seconds:g} {each.exact:d} {sorted(each.without)}"
                 for each in state.tasks]  # fmt: skip
        waiting, state.tasks[:] = list(state.tasks), []
        dice.shuffle(waiting)
        for task in waiting:
            state.take(found(task, dice))
            told.append([state.missing, state.open, state.searching, state.advance(2)])
            for each in state.news:
                why = why_mistake(each)
                told.append([each.number, each.side, each.kind, round(each.loss, 3), round(each.win, 3), *each.line])
                told += [] if why is None else [astuple(why)]
            state.news.clear()
        state.advance(99)
    known = [node.evaluation and astuple(node.evaluation) for node in record.line()]
    return [*told, known, *(each and round(each, 6) for each in (*state.wins, *state.accuracy()))]


@pytest.mark.parametrize(("game", "size", "seed"), GAMES)
def test_a_review_takes_its_course(game: str, size: int | None, seed: int) -> None:
    recorded = json.loads(FILE.read_text(encoding="utf-8"))[f"{game} {seed}"]
    assert json.loads(json.dumps(course(game, size, seed))) == recorded


if __name__ == "__main__":
    rows = [f'"{game} {seed}": {json.dumps(course(game, size, seed))}' for game, size, seed in GAMES]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
