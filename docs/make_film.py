"""Make the film of the README: `python docs/make_film.py [OUT.webp]`, by default assets/pictures/play.webp.

Two players of the program play a game of gomoku in its window, and the film shows what the stronger one thinks.
"""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from pathlib import Path

from make_pictures import ROOT, app_in, home

OUT = ROOT / "assets" / "pictures" / "play.webp"

_LONGEST, _MOST_BYTES = 32, 2_500_000  # plies; bytes
_STEP, _DELAY = 0.3, 400  # seconds of the game between two frames; milliseconds that each is shown


def make_film(out: Path) -> None:
    """Write the film. Games longer than `_LONGEST` plies are thrown away."""
    from ui.board.pictures import Film, film_bytes
    from ui.start import prepare

    prepare()
    with home(), app_in("ink", "en") as app:
        app.settings.thinking = True
        frames: list[bytes] = []
        while not frames:
            frames = _game(app)
        film = Film(app.size, len(frames), [frames[0], frames[len(frames) // 2], frames[-1]], iter(frames))
        data = film_bytes("webp", film, _DELAY)
    if len(data) > _MOST_BYTES:
        raise SystemExit(f"The film has {len(data)} bytes, too many.")
    out.write_bytes(data)
    print(f"{out}: {len(frames)} frames, {len(data)} bytes")


def _game(app) -> list[bytes]:  # type: ignore[no-untyped-def]
    """The frames of a game; none if it is long."""
    import pygame

    from games.record import GameRecord, Seat
    from games.registry import setup
    from ui import screens

    record = GameRecord(setup("gomoku"), (Seat("level:6"), Seat("engine", seconds=1.2)))
    app.show(screens.play(app, record, autosave=False))
    frames: list[bytes] = []
    due, ends = time.monotonic(), 0
    while ends < 2:
        app.frame(now := time.monotonic())
        time.sleep(0.01)
        if now >= due:
            due = now + _STEP
            frames.append(pygame.image.tobytes(app.surface, "RGB"))
            ends += record.outcome is not None
        if record.position.ply > _LONGEST:
            return []
    return frames[:1] + [after for before, after in pairwise(frames) if before != after]


if __name__ == "__main__":
    make_film(Path(sys.argv[1]) if len(sys.argv) > 1 else OUT)
