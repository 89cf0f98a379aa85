"""The bar of win probability beside the board."""

from __future__ import annotations

import pytest

from games.record import Evaluation, GameRecord
from games.registry import setup
from tests.ui.stage import Stage, part
from ui.parts.win_bar import WinBar
from ui.screens.replay import Replay


@pytest.mark.parametrize("motion", [True, False])
def test_the_bar_moves_to_a_new_value_and_stops_there_or_jumps(made: Stage, motion: bool) -> None:
    made.app.settings.motion = motion
    scene = made.show(Replay(made.app, GameRecord(setup("gomoku"))))
    bar, node = part(scene, WinBar), scene.state.record.cursor
    node.evaluation = Evaluation(0, None, 5)
    bar.update(1000.0)
    node.evaluation = Evaluation(900, None, 6)
    bar.update(1000.1)
    assert (bar.wake(1000.1) == 0.0) is motion
    shown = [bar.shown]
    for frame in range(1, 120):
        bar.update(1000.1 + frame / 60)
        shown.append(bar.shown)
    assert shown == sorted(shown)
    assert (shown[0] < shown[-1]) is motion
    assert shown[-1] == bar.wins
    assert bar.wake(1002.1) is None
