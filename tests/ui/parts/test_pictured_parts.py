"""Parts that several screens share look as they did, as in `tests.ui.learn.test_golden_parts`. `python -m
tests.ui.parts.test_pictured_parts` makes the pictures anew: look at them before you commit them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pygame
import pytest

from games.clock import TimeControl
from games.database.reader import Continuation, Explored, Results
from games.evaluation import Evaluation
from games.formats.common import FormatError
from games.library.index import Entry, ReviewSummary
from games.record import PERSON, About, GameRecord, Seat
from games.registry import setup
from tests.ui.learn.test_golden_parts import SMALL, kept, record_all, shown, whole
from tests.ui.stage import Make, Stage
from tests.ui.test_golden import expect_alike
from ui.board.looks import look
from ui.parts.about_game import AboutGameForm
from ui.parts.cards import Cards
from ui.parts.games_explorer import ContinuationList
from ui.parts.header import Header, Page, StatusLink
from ui.parts.move_line import MoveLine, build_task, build_verdict
from ui.parts.players import Players
from ui.parts.reading import Reading, ReadingEntry
from ui.parts.win_bar import WinBar
from ui.toolkit.space import Space
from ui.toolkit.text_line import Selection
from ui.toolkit.widgets import Widgets

GOMOKU = setup("gomoku")
WORDS = "A name that goes on and on, and then a little further. "


def surface_of(stage: Stage, size: tuple[int, int]) -> pygame.Surface:
    surface = pygame.Surface(size)
    surface.fill(stage.app.theme.palette.background)
    return surface


def cards(stage: Stage) -> Iterator[pygame.Surface]:
    """Of a person's games: reviewed, with long names, damaged, under review; several are chosen, one is pointed at."""
    person, review = (Seat(name="Ada"), Seat("random")), ReviewSummary(accuracy=(91.0, 40.0), mistakes=(3, 12))
    known: list[dict[str, Any]] = [
        {"result": "won", "review": review, "plies": 31}, {"result": "lost", "plies": 9}, {"result": "unfinished"},
        {"problem": FormatError(""), "setup": None}, {"problem": FormatError(WORDS, "damaged"), "path": Path(WORDS)},
        {"result": "first", "path": Path(WORDS * 2), "seats": (Seat(name=WORDS), Seat(name=WORDS))},
        {"result": "draw", "review": review}, *[{"result": "second", "plies": n} for n in range(9)],
    ]  # fmt: skip
    entries = {
        n: Entry(**{"path": Path(f"{n}"), "mtime": 0, "bytes": 0, "setup": GOMOKU, "seats": person, "at": 1e9, "id": n}
                 | each)
        for n, each in enumerate(known)
    }  # fmt: skip
    selection = Selection()
    selection.ids = range(len(known))
    picture = pygame.Surface((92, 92))
    picture.fill((90, 60, 30))
    thumbnails: Any = SimpleNamespace(picture=lambda entry, _side: None if entry.id % 3 else picture)
    for size, top, chosen in (((860, 620), 0, {0, 1, 7}), ((330, 330), 700, {4}), ((900, 160), 9999, set[int]())):
        made, surface = Cards(stage.app, selection, entries, thumbnails), surface_of(stage, size)
        selection.chosen, selection.at = chosen, min(chosen, default=0)
        made.place(surface.get_rect().inflate(-8, -8))
        made.progress = {entries[2].path: 0.4, entries[6].path: 0.9}
        made.scroll(top, motion=False)
        if top == 700:
            assert made.press((size[0] - 8, 100))
        made.waiting = True
        while made.waiting:
            surface.fill(stage.app.theme.palette.background)
            made.draw(surface, (600, 200))
        yield surface


def lists(stage: Stage) -> Iterator[pygame.Surface]:
    """Moves of a database with and without evaluations; more than there is room for, and one pointed at."""
    results = (Results(1234, 1, 2, 1), Results(45, 40, 0, 5), Results(6, 0, 0, 6), Results(2), Results(3, 3, 0, 0))
    for count, evaluated, size in ((5, True, (560, 135)), (3, False, (340, 90))):
        rows = tuple(
            Continuation(
                40 + n, (40 + n,), results[n], "2026-01-31", Evaluation(90 * n, n or None, 9) if evaluated else None
            )
            for n in range(count)
        )
        found, surface = Explored(Results(count), Results(), rows), surface_of(stage, size)
        made = ContinuationList(stage.app.theme, surface.get_rect(), GOMOKU, GOMOKU.start(), found, print)
        made.pointer = (40, 50)
        made.wheel(-1)
        made.draw(surface)
        yield surface


def moves(stage: Stage) -> Iterator[pygame.Surface]:
    """Lines with a label or an indent; a task with its verdict."""
    theme, start, line = stage.app.theme, GOMOKU.start(), tuple(range(100, 112))
    for label, indent, high, pointer in (
        ("", 0, 90, (150, 40)),
        ("Better", 0, 30, (90, 15)),
        ("Better", 200, 60, None),
    ):
        surface = surface_of(stage, (300, high))
        made = MoveLine(theme, surface.get_rect(), start, line, print, label, theme.palette.good, indent)
        made.pointer = pointer
        made.draw(surface)
        yield surface
    for told, played, rows in (
        (["Right."], line, 2),
        ([WORDS * 2, WORDS * 2], line[:3], 3),
        (["No."], (), 1),
        ([], line, 2),
    ):
        widgets, surface = Widgets(stage.app), surface_of(stage, (400, 290))
        space = Space(surface.get_rect(), 6)
        build_task(stage.app, widgets, space, GOMOKU, len(played) % 2, WORDS * 2)
        build_verdict(stage.app, widgets, space, told, theme.palette.good, "Line", start, played, print, rows)
        widgets.draw(surface)
        yield surface


def bars(stage: Stage) -> Iterator[pygame.Surface]:
    """With a scale where chances are estimated, without one where they are known; and the signs of the sides."""
    for number, game in enumerate(("gomoku", "connect4", "tictactoe", "bones")):
        surface = surface_of(stage, (120, 260))
        known: Any = SimpleNamespace(wins=(0.12, 0.5, 0.81, 1.0)[number])
        board: Any = SimpleNamespace(area=pygame.Rect(44, 6, 70, 248))
        made = WinBar(stage.app, game, board, known)
        made.update(0.0)
        made.draw(surface, 0.0)
        for row, side in enumerate((0, 1, 0, 1)):
            high = 12 if row < 2 else 40
            look(game).badge(surface, stage.app.theme, pygame.Rect(60, 10 + 45 * row, 44, high), side)
        yield surface


def players(stage: Stage) -> Iterator[pygame.Surface]:
    """With clocks that have a note or little time, with times and none; with points of several games; long names."""
    for control, names, running, score, wide in (
        ("5:00+10", ("Ada", "Bob"), 3.0, (1.5, 2.0), 284), ("1min,2x30s", ("Ada", WORDS), 275.0, None, 300),
        ("", ("Ada", "Bob"), None, None, 240), ("1+0", (WORDS, WORDS), 58.0, (10.0, 0.5), 260),
    ):  # fmt: skip
        seats = tuple(Seat(PERSON if n else "alphabeta", name) for n, name in enumerate(names))
        record = GameRecord(GOMOKU, seats, control=TimeControl.parse(control) if control else None)
        for move in (112, 113):
            record.play(move, 12.0 if control else None)
        on_move = None if score is None else record.position.turn
        timed: Any = None if running is None else lambda seconds=running: seconds
        made = Players(stage.app, record, lambda side=on_move: side, timed, lambda points=score: points)
        yield shown(made, (wide, 130))
    record = GameRecord(GOMOKU, control=TimeControl.parse("1000:00+0"))
    with patch("ui.parts.players.score_of", lambda _: (7, 345)):  # as in a game that counts
        yield shown(Players(stage.app, record, lambda: 0, lambda: 0.0), (300, 130))


def texts(stage: Stage) -> Iterator[pygame.Surface]:
    entries = [
        ReadingEntry("A head", WORDS * 2),
        ReadingEntry("", WORDS, "•"),
        ReadingEntry("Another", WORDS * 3, "1."),
    ]
    for size, widest, letters in (((560, 260), 10_000, 14), ((700, 200), 150, 16)):
        widgets = Widgets(stage.app)
        made = Reading(stage.app, widgets, lambda: "", lambda: entries, 140, widest, letters)
        space, surface = Space(pygame.Rect(0, 0, *size), 6), surface_of(stage, size)
        row = Space(space.bottom(36), 0)
        made.build(space)
        made.build_turning(row)
        made.draw(surface, 0.0)
        widgets.draw(surface)
        yield surface


def heads(stage: Stage) -> Iterator[pygame.Surface]:
    """With one of the ways back, in one or two lines; a page; the link in a status line."""
    owner: Any = stage.app.scene
    for title, back, above, high, home in (
        ("A title", owner, None, 36, False), ("A title · and below", None, owner, 44, False),
        ("A title", owner, owner, 30, False), ("A title · and below", None, None, 36, True),
    ):  # fmt: skip
        widgets = Widgets(stage.app)
        made = Header(stage.app, widgets, lambda text=title: text, print, back, above, high, home)
        yield shown(made, (420, 70), widgets)
    for size in ((420, 150), (240, 90)):
        widgets = Widgets(stage.app)
        yield shown(Page(stage.app, widgets, "about_game.heading", 300, lambda: 90, 8, print), size, widgets)
    for text, wide in (("A link", 300), (WORDS, 200), ("", 200)):
        surface = surface_of(stage, (300, 40))
        free = pygame.Rect(300 - wide, 4, wide, 30)
        StatusLink(stage.app, "link", lambda said=text: said, print, lambda place=free: place).draw(surface, 0.0)
        yield surface


def forms(stage: Stage) -> Iterator[pygame.Surface]:
    """What is said of a game: with names that can be changed or not, and with and without a choice of encodings."""
    about = About(event="Cup", place=WORDS, ranks=("3d", ""), teams=("", "Eesti"), copyright="Ada", note=WORDS * 3)
    for renames, encoding, size in (
        (True, SimpleNamespace(name="cp1251", possible=True), (700, 420)),
        (False, SimpleNamespace(name="", possible=True), (420, 400)),
        (True, None, (560, 360)),
    ):
        record = GameRecord(GOMOKU, (Seat(PERSON, "Ada"), Seat("alphabeta")), "2026-11-27T10:00:00")
        record.about = about
        state: Any = SimpleNamespace(record=record, renames=renames, encoding=encoding)
        widgets = Widgets(stage.app)
        yield shown(AboutGameForm(stage.app, widgets, state), size, widgets)


PICTURES = {made.__name__: made for made in (cards, lists, moves, bars, players, texts, heads, forms)}


@pytest.mark.parametrize("name", PICTURES)
def test_a_part_looks_as_it_did(stage: Make, name: str, tmp_path: Path) -> None:
    picture = whole(PICTURES[name](stage(SMALL)))
    expect_alike(picture, kept(name, "shared_parts"), tmp_path, "tests.ui.parts.test_pictured_parts")


if __name__ == "__main__":
    record_all(PICTURES, "shared_parts")
