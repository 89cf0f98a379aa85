"""Measures the frames of the window while it reviews a game: `python -m ui.lab.measure_review [TARGET]`.

A frame is due a sixtieth of a second after the one before began, and the pointer moves before each. The searches of the
review use both processors meanwhile. Prints the length of the review, how late frames began, and how long after they
were due they were done. A frame that takes too long makes the next one late.
"""

from __future__ import annotations

import argparse
import json
import os
import time

from ai.system.compiler.cache import kernels_home
from ui.lab.punctuality import FRAME, frames, point, prepare_hidden

SAMPLE = (
    "i6f10h8f9h10g11h9h7e9f11f8g8e10g7i7g9g10e11h11h12i8i9d12i11f12j10g13k11i13k12k8k6l12h5l8j8j9i10g6i5j5k13k10l11"
    "m10j11m11j13j14j4l9j7h6j6m8l13m14d11c11m9"
)
"""A game of 60 moves between levels."""


def main() -> None:
    """Measure the review of the game that the command line names, and print the figures as JSON."""
    parser = argparse.ArgumentParser(description="Measures the frames of the window during a review.")
    parser.add_argument("target", nargs="?", default=SAMPLE, metavar="TARGET")
    options = parser.parse_args()
    os.environ["NUMBA_CACHE_DIR"] = str(kernels_home())  # numba reads it as it is imported
    prepare_hidden()
    print(json.dumps(measure_review(options.target), indent=1))


def measure_review(target: str) -> dict[str, float]:
    """Figures by name: seconds of the review, and percentiles of frames in milliseconds."""
    from games.formats import read_target
    from ui.app import App
    from ui.replay.screen import Replay
    from ui.system.settings import Settings

    app = App(Settings(), (1280, 800))
    scene = Replay(app, read_target(target), tab="review")
    app.show(scene)
    app.begin()
    while not app.engine.ready:
        app.frame(time.monotonic())
        time.sleep(FRAME)
    found = frames(app, lambda: scene.state.reviewer.busy, lambda number: point(app, 200 + number % 400, 300))
    scene.close()
    return {"review_s": round(time.monotonic() - found.began, 2)} | found.figures


if __name__ == "__main__":
    main()
