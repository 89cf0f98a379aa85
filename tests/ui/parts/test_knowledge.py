"""What is known of the position that is shown, without pixels."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import pytest

from ai.review.report import View
from games.evaluation import Evaluation
from games.formats.text import parse
from games.position import Position
from games.record import Node
from games.registry import setup
from tests.waiting import wait
from ui.parts import knowledge
from ui.parts.knowledge import Knowledge


@dataclass
class Known:
    """`Knowledge` of a `node`, as a window has it."""

    game: str
    moves: str
    allowed: bool = True
    hinted: bool = False
    woken: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.node = Node(parse(self.moves, setup(self.game)).position)
        host: Any = self  # for its `wake`
        self.told = Knowledge(
            host, setup(self.game), lambda: self.node, lambda: self.allowed, lambda: self.hinted
        )  # fmt: skip

    def wake(self) -> None:
        self.woken.append(1)

    def until(self, view: View | None) -> None:
        """Update as each frame does."""
        wait(lambda: self.told.view == view, lambda: self.told.update(0.0))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The threads that are asked for views."""
    real, names = knowledge.view, list[str]()

    def view(position: Position, evaluation: Evaluation | None) -> View | None:
        names.append(threading.current_thread().name)
        return real(position, evaluation)

    monkeypatch.setattr(knowledge, "view", view)
    return names


def test_views_are_found_on_a_thread_once_for_each_position(asked: list[str]) -> None:
    known = Known("tictactoe", "b2")
    assert known.told.view is None
    assert asked == [], "nothing is begun before the first update"
    known.until(View("draw"))
    for _ in range(3):
        known.told.update(0.0)
    assert asked == ["tengen-view_0"]
    assert known.woken == [1]
    assert (known.told.sentence, known.told.wins) == ("A draw with best play", 0.5)
    known.node = Node(parse("b2a1", setup("tictactoe")).position)
    known.told.update(0.0)
    wait(lambda: len(asked) == 2)
    known.told.close()


def test_a_draw_that_is_proven_meanwhile_is_a_view() -> None:
    """Of a position that had been evaluated before."""
    known = Known("connect4", "d")
    known.node.evaluation = Evaluation(0, None, 7)
    known.told.update(0.0)
    wait(lambda: known.woken)
    known.told.update(0.0)
    assert known.told.view is None
    known.node.evaluation = Evaluation(0, None, 42, exact=True)
    known.until(View("draw"))
    assert known.told.sentence == "A draw with best play"
    known.told.close()


def test_what_is_not_allowed_is_said_in_a_hint_only(asked: list[str]) -> None:
    known = Known("tictactoe", "b2", allowed=False)
    known.told.update(0.0)
    assert asked == [], "nobody needs it"
    known.hinted = True
    wait(lambda: known.told.advice, lambda: known.told.update(0.0))
    assert known.told.advice == "A draw with best play"
    assert (known.told.view, known.told.sentence, known.told.wins) == (None, "", None)
    known.hinted = False
    known.told.update(0.0)
    assert known.told.advice == ""
    known.told.close()


def test_a_fault_in_a_view_is_logged_and_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> View:
        raise ZeroDivisionError

    monkeypatch.setattr(knowledge, "view", fail)
    known = Known("tictactoe", "b2")
    known.told.update(0.0)
    wait(lambda: known.woken)
    for _ in range(3):
        known.told.update(0.0)
    assert (known.told.view, known.told.sentence) == (None, "")
    assert len(caplog.records) == 1
    known.told.close()
