"""Renders a screen to a picture without a display: for the README, and to look at what was built."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ai.gomoku.handle import wait_on_terminal
from ai.players.table import needs_engine, strongest
from games.record import PERSON, GameRecord
from ui.board.pictures import ANIMATED, Film, film_bytes
from ui.commands.console import write_output
from ui.start import prepare

if TYPE_CHECKING:
    from ui.app import App
    from ui.commands.screen_pictures import ScreenPicture
    from ui.window.screen import Screen

LARGEST = 8000
"""Pixels of a side of a picture."""

_THINKING = 1.5  # seconds an engine may think before the picture is taken

_PATIENCE = 120.0  # seconds an analysis or a review may take, or the library until it is complete

_LOOK = 0.02  # seconds

_SOON = 0.05  # seconds: a screen that wakes before has work on the way

_DELAY = 500  # milliseconds that a film shows a step

FILMED = ("learn", "lesson")
"""What there are films of, besides pictures: the steps of the search."""

SAMPLE = "h8i9g7i7i8g8j8h6k8l8f6e5f8i6e8"
"""The game that is shown where no file is given."""


def scenes() -> list[str]:
    """Return what there is to draw."""
    prepare()
    from ui.commands.screen_pictures import PICTURES

    return list(PICTURES)


def screenshot(
    scene: str,
    out: Path,
    size: tuple[int, int],
    scale: int,
    theme: str,
    language: str,
    file: Path | None = None,
    at: int | None = None,
) -> None:
    """Write `scene` as a picture of `size` pixels to `out`, atomically.

    Raise `FormatError` for a file that cannot be read, `Failure` if `out` cannot be written, and `ValueError` for any
    other impossible request, each with a sentence.
    """
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    _check(scene, scenes(), out, size, scale)
    import pygame

    from ui.app import App
    from ui.commands.screen_pictures import PICTURES
    from ui.system.settings import Settings

    picture = PICTURES[scene]
    record = _record(file, None if picture.numbered else at)
    app = App(Settings(theme=theme, language=language, scale=scale, motion="off"), size)
    try:
        if picture.numbered is not None and at is not None:
            screen = picture.numbered(app, at)
        else:
            screen = picture.make(app, record, file)
        _show(app, screen, picture, record)
        data = io.BytesIO()
        if out.suffix.lower() in ANIMATED:
            data.write(_film(app, screen, out.suffix[1:].lower()))
        else:
            pygame.image.save(app.surface, data, out.name)
    finally:
        app.scene.close()
        app.close()
    write_output(out, data.getvalue())


def _check(scene: str, scenes: Sequence[str], out: Path, size: tuple[int, int], scale: int) -> None:
    """Raise `ValueError` for what no picture can be made of."""
    from ui.system.window import SMALLEST

    if scene not in scenes:
        raise ValueError(f"There is no scene “{scene}”; there is {', '.join(scenes)}.")
    endings = (".png", *ANIMATED) if scene in FILMED else (".png",)
    if out.suffix.lower() not in endings:
        raise ValueError(f"The picture must be a {' or '.join(endings)} file, not “{out.name}”.")
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1] or max(size) > LARGEST:
        least, most = "x".join(map(str, SMALLEST)), f"{LARGEST}x{LARGEST}"
        raise ValueError(f"A picture has {least} to {most} pixels, not {size[0]}x{size[1]}.")
    if not 80 <= scale <= 200:
        raise ValueError(f"The scale is 80 to 200 per cent, not {scale}.")


def _film(app: App, screen: Screen, kind: str) -> bytes:
    """The steps of the search that `screen` shows, as an animation of the whole window."""
    import pygame

    from ui.learn.search_export import film_steps

    explorer = screen.explorer  # type: ignore[attr-defined]  # `_check` has looked for it
    steps = film_steps(explorer)

    def frame(step: int) -> bytes:
        explorer.go(step)
        until = time.monotonic() + _PATIENCE
        app.frame(time.monotonic())
        while _awaits(screen) and time.monotonic() < until:
            app.frame(time.monotonic())
        return pygame.image.tobytes(app.surface, "RGB")

    samples = [frame(steps[number]) for number in (0, len(steps) // 2, -1)]
    return film_bytes(kind, Film(app.size, len(steps), samples, map(frame, steps)), _DELAY)


def _show(app: App, screen: Screen, picture: ScreenPicture, record: GameRecord) -> None:
    """Show the screen, wait for engines that it needs, and run it until the picture is complete."""
    game, seat = record.setup.game, record.seats[record.position.turn].player
    thinker = strongest(game) if picture.engine else seat
    if thinker != PERSON and needs_engine(thinker, game):
        wait_on_terminal(app.engine)  # or what stands in for it would be shown
    app.show(screen)
    for _ in range(2):  # the first shows the screen, the second lets it ask
        app.frame(time.monotonic())
    state = getattr(screen, "state", None)
    live = getattr(state, "live", None)
    if live and live.paused:  # as a game with clocks is when it is opened
        live.resume()
    until = time.monotonic() + (_THINKING if live else _PATIENCE)
    reviewer = getattr(state, "reviewer", None)

    def busy() -> bool:
        at_work = app.searches.busy or app.imports.mirroring or (reviewer and reviewer.busy)
        return bool(at_work or getattr(state, "busy", False))

    while (busy() or _awaits(screen)) and time.monotonic() < until:
        app.frame(time.monotonic())
        time.sleep(_LOOK)
    if picture.press:
        screen.widgets.press(picture.press)
    for _ in range(3):
        app.frame(time.monotonic())


def _awaits(screen: Screen) -> bool:
    """Whether the picture would change at once: something moves, or is computed on a thread."""
    wake = screen.wake(0.0)
    return wake is not None and wake < _SOON


def _record(file: Path | None, at: int | None) -> GameRecord:
    """The game of `file`, or a sample, with the cursor at ply `at`, or where the file has it.

    Raise `FormatError` or `ValueError`.
    """
    from games.formats import load, read_target

    record = load(file) if file is not None else read_target(SAMPLE)
    if at is not None:
        line = record.line()
        if not 0 <= at < len(line):
            raise ValueError(f"The game has {len(line) - 1} moves; there is no move {at}.")
        record.go_to(line[at])
    return record
