"""The measurement of a session runs the screens it says, and tells the latest frame and what was before it."""

from __future__ import annotations

from ui.lab.measure_session import summary
from ui.lab.scripted_session import Timed


def test_the_latest_frame_is_told_with_what_was_done() -> None:
    early, late = Timed("home", "", 0.001, 0.002, 0.0), Timed("play", "h", 0.05, 0.034, 0.005, 0.01)
    waited, stolen = Timed("play", "", 0.04, 0.01, 0.03), Timed("play", "", 0.036, 0.01, 0.01, 0.02)
    frames = [early] * 96 + [late, Timed("play", "", 0.02, 0.01, 0.0), waited, stolen]
    told = summary(frames)
    assert (told["session_frames"], told["session_latest_ms"], told["session_over_33_ms"]) == (100, 50.0, 3)
    assert told["session_over_33_ms_alone"] == 1
    assert told["session_stolen_s"] == 0.03
    assert told["session_late_ms_p99"] == 40.0
    assert told["session_home_cpu_ms"] == 2.0
    assert told["session_cpu_over_33_ms"] == 1
    assert told["session_worst"][0] == "50.0 ms late, 34.0 of processor, 5.0 waiting for one, 10.0 stolen: play h"
