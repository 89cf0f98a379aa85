"""The views beside a game that is played: what they write, and where."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.play.test_considered import Weighing
from tests.ui.scenes import SCENES
from tests.ui.stage import Stage, act, part, thinks
from ui.parts.win_bar import bar_colours
from ui.play.screen import Play
from ui.play.side_views import Considered, PlayedBefore, SideViews, ViewPanel
from ui.play.state import PlayState
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.typesetting import width_of
from ui.words.views import Depths


def written(view: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Each text that `view` writes, the rectangle for it, its size if that is not 16, and “bold”."""
    texts: list[tuple[Any, ...]] = []

    def note(_surface: object, _theme: object, text: str, rect: pygame.Rect, size: Any = 16, _colour: object = None,
             bold: bool = False, **_: object) -> None:  # fmt: skip
        weight = [size] * (isinstance(size, int) and size != 16) + ["bold"] * bold
        texts.append((text, tuple(rect), *weight))

    for name in ("write", "write_paragraph"):
        monkeypatch.setattr(f"ui.play.side_views.{name}", note)
    view.draw(pygame.Surface((400, 500)), 0.0)
    return texts


def built(view: Any, high: int) -> int:
    """Lay out `view` in so much room, and return how much it takes."""
    space = Space(pygame.Rect(20, 30, 288, high), 8)
    view.build(space)
    return high - space.rest.height


def test_each_of_two_computers_has_its_figures_and_what_fits_of_its_line(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = part(made.show(SCENES["play watched"](made)), SideViews)
    assert [built(view, high) for high in (205, 206, 400)] == [0, 124, 124]
    line = "b20 c20 d20 e20 f20 g20 h20 j20"
    assert written(view, monkeypatch) == [
        ("Depth 20 · −123.5 · Nodes 123M", (64, 320, 232, 22), 14, "bold"), (line, (64, 342, 232, 22), 14),
        ("Depth 20 · −123.5 · Nodes 123M", (64, 380, 232, 22), 14, "bold"), (line, (64, 402, 232, 22), 14),
    ]  # fmt: skip
    wide = width_of(made.app.theme, line, 14) + 56  # with padding and badge
    for room, shown in ((wide, line), (wide - 1, line.removesuffix(" j20"))):
        view.build(Space(pygame.Rect(0, 0, room, 400), 8))
        assert view.texts(0)[1] == shown
    thoughts: Any = made.app.scene.state.thoughts  # type: ignore[attr-defined]
    search = thoughts[0]
    for changes, nodes, searched, told in (
        ({}, 200_000_000, True, "Depth 20 · −123.5 · Nodes 200M"), ({"depth": 0}, 0, True, "−123.5 · Nodes 123M"),
        ({"nodes": 0}, 0, True, "Depth 20 · −123.5"), ({}, 0, False, "Depth 20 · Nodes 123M"),
    ):  # fmt: skip
        thoughts[0] = SimpleNamespace(
            info=replace(search.info, **changes), nodes=nodes, searched=searched, opinion=search.opinion,
            position=search.position, player=search.player,
        )  # fmt: skip
        assert view.texts(0)[0] == told
    built(view, 205)
    assert view.texts(0)[1] == "b20", "of a line without room"
    del thoughts[0]
    built(view, 400)
    assert written(view, monkeypatch)[:2] == [("–", (64, 320, 232, 22), 14), ("", (64, 342, 232, 22), 14)]


def test_an_expert_sees_figures_and_candidates(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = made.show(SCENES["play depths"](made))
    made.until(lambda: scene.state.live.search is not None and not made.app.searches.busy)
    view, considered = part(scene, ViewPanel), part(scene, Considered)
    assert built(view, 400) == 192
    assert written(view, monkeypatch) == [
        ("Black wins in 12 moves", (32, 254, 264, 22), "bold"),
        ("Black's win probability: 100 %", (32, 276, 264, 22), 14),
        ("Depth", (32, 322, 48, 23), 14), ("21", (32, 345, 48, 23), "bold"), ("Nodes", (80, 322, 58, 23), 14),
        ("123M", (80, 345, 58, 23), "bold"), ("Speed", (138, 322, 71, 23), 14), ("4.1M/s", (138, 345, 71, 23), "bold"),
        ("Score", (209, 322, 87, 23), 14), ("–", (209, 345, 87, 23), "bold"),
        ("n16 j15 p15 f14 l14 h13 n12 j11 p11", (32, 374, 264, 48)),
    ]  # fmt: skip
    assert [built(considered, high) for high in (215, 216, 400)] == [0, 104, 104]
    assert written(considered, monkeypatch) == [
        ("Full strength considers", (20, 334, 288, 24), 14), ("n16", (20, 358, 48, 24), "bold"),
        ("wins in 12", (216, 358, 92, 24), 14),
    ]  # fmt: skip
    search, settings = scene.state.live.search, made.app.settings
    assert scene.state.depths() == Depths(search.position, search.info.depths, scored=True)
    for name in ("expert", "thinking"):
        setattr(settings, name, False)
        assert scene.state.depths() is None
        setattr(settings, name, True)
    told = ("known", "info", "nodes", "player", "position", "opinion", "by_strongest")
    stand_in = SimpleNamespace(stand_in=True, **{name: getattr(search, name) for name in told})
    for instead in (None, stand_in):
        monkeypatch.setattr(PlayState, "search", instead)
        assert scene.state.depths() == Depths(scene.state.record.position)
    stands_in = [rest for text, *rest in written(view, monkeypatch) if text == t("thinking.stand_in")]
    assert stands_in == [[(32, 276, 264, 22), 14], [(32, 374, 264, 22), 14]]


@pytest.mark.parametrize(("room", "high"), [(203, 203), (204, 118), (364, 278), (400, 278)])
def test_games_that_were_played_before_leave_room_to_the_list_of_moves(made: Stage, room: int, high: int) -> None:
    scene = made.show(Play(made.app, GameRecord(setup("gomoku")), autosave=False))
    act(scene, "g")
    assert built(part(scene, PlayedBefore), room) == high, "or take all of it"


def test_the_bar_of_a_move_is_as_long_as_its_side_wins(made: Stage) -> None:
    thinks(made.app, lambda _: Weighing())
    scene = made.show(Play(made.app, GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:3"))), autosave=False))
    scene.state.live.pace = 0.0
    scene.state.choose(112)
    made.until(lambda: scene.state.live.person_to_move)
    considered, surface = part(scene, Considered), pygame.Surface((400, 500))
    built(considered, 400)
    considered.draw(surface, 0.0)
    white = bar_colours(made.app.theme, "gomoku")[1]
    for number, row in enumerate(considered.rows):
        middle = 334 + 24 * (number + 1) + 12
        filled = [x for x in range(400) if surface.get_at((x, middle))[:3] == white]
        assert filled == list(range(77, 76 + round(132 * row.wins))), "from the left, inside of an edge"
        column = [y for y in range(middle - 12, middle + 12) if surface.get_at((80, y))[:3] == white]
        assert column == list(range(middle - 4, middle + 4))
