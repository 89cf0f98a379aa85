"""The log of an external engine: what room it takes, what it shows, and how it scrolls."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from ai.core.player import Transcript
from ui.app import App
from ui.parts.engine_log import EngineLog
from ui.toolkit.space import Space
from ui.toolkit.typesetting import width_of

Written = list[tuple[str, pygame.Rect, Any, bool]]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Written:
    """What the log writes, in letters of 14: text, place, colour, and whether it is bold."""
    found: Written = []

    def write(_surface: Any, _theme: Any, text: str, rect: pygame.Rect, size: int, colour: Any, **look: Any) -> None:
        assert size == 14
        found.append((text, rect.copy(), colour, look.get("bold", False)))

    monkeypatch.setattr("ui.parts.engine_log.write", write)
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: (150, 390))
    return found


def said(count: int) -> Transcript:
    transcript = Transcript()
    for number in range(count):
        transcript.add(("sent", "heard", "note")[number % 3], f"line {number}")
    return transcript


def room(high: int, gap: int = 0) -> Space:
    return Space(pygame.Rect(100, 400 - high, 300, high), gap)


@pytest.mark.parametrize(
    ("high", "most", "spared", "also", "rows"),
    [
        (400, None, 0, 0, 19), (400, 5, 0, 0, 5), (400, None, 100, 40, 12), (75, None, 0, 0, 0), (76, None, 0, 0, 3),
        (176, None, 40, 60, 3), (175, None, 40, 60, 0), (96, 3, 0, 0, 3),
    ],
)  # fmt: skip
def test_the_log_takes_whole_rows_and_at_least_three(
    app: App, high: int, most: int | None, spared: int, also: int, rows: int
) -> None:
    transcript = said(1)
    log, space = EngineLog(app, lambda: transcript, most, spared), room(high)
    log.build(space, also)
    assert log.rect == (pygame.Rect(100, 400 - 20 * rows - 16, 300, 20 * rows + 16) if rows else None)
    assert space.rest.height == high - (20 * rows + 16 if rows else 0)
    assert bool(log.rows()) is bool(rows)


def test_without_a_transcript_there_is_no_log(app: App) -> None:
    log = EngineLog(app, lambda: None)
    log.build(room(400))
    assert (log.rect, log.rows(), log.shape(), log.hint()) == (None, [], False, "")
    assert not log.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1))
    assert EngineLog(app, lambda: said(0)).shape()


def test_the_newest_lines_are_shown_and_the_wheel_scrolls_back(app: App, written: Written) -> None:
    transcript, palette = said(6), app.theme.palette
    log = EngineLog(app, lambda: transcript, 4)
    log.build(room(400))

    def drawn() -> list[str]:
        written.clear()
        log.draw(app.surface, 0.0)
        return [text for text, *_ in written if len(text) > 1]

    def wheel(notches: int) -> bool:
        return log.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=notches))

    assert drawn() == ["line 2", "line 3", "line 4", "line 5"]
    assert written[:4] == [
        ("·", pygame.Rect(108, 312, 16, 20), palette.accent, True),
        ("line 2", pygame.Rect(124, 312, 268, 20), palette.accent, False),
        (">", pygame.Rect(108, 332, 16, 20), palette.info, True),
        ("line 3", pygame.Rect(124, 332, 268, 20), palette.info, False),
    ]
    assert written[4][::2] == ("<", palette.text)
    for notches, first in ((1, 1), (1, 0), (9, 0), (-1, 1), (-9, 2)):
        assert wheel(notches)
        assert drawn()[0] == f"line {first}"
    transcript.add("sent", "one more")
    assert drawn()[-1] == "one more"
    assert log.hint()
    assert not log.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(150, 390), rel=(0, 0), buttons=(0, 0, 0)))


def test_a_long_line_goes_on_in_the_next_row_without_a_sign(app: App, written: Written) -> None:
    transcript = Transcript()
    transcript.add("heard", "word " * 40)
    transcript.add("sent", "")
    log = EngineLog(app, lambda: transcript)
    log.build(room(400))
    rows = log.rows()
    assert [begins for _, _, begins in rows] == [True, *[False] * (len(rows) - 2), True]
    assert " ".join(text for _, text, _ in rows).split() == ["word"] * 40
    assert max(width_of(app.theme, text, 14) for _, text, _ in rows) <= 268
    log.draw(app.surface, 0.0)
    assert [text for text, *_ in written if text in "<>"] == ["<", ">", ""]
    for _ in range(300):
        transcript.add("note", "x")
    assert len(log.rows()) == 200


def test_an_empty_log_says_so(app: App, written: Written) -> None:
    transcript = said(0)
    log = EngineLog(app, lambda: transcript, 4)
    log.build(room(400))
    log.draw(app.surface, 0.0)
    assert [(rect, colour) for _, rect, colour, _ in written] == [
        (pygame.Rect(108, 312, 284, 80), app.theme.palette.quiet)
    ]
