"""Exports a game as a picture or an animation, while the window goes on.

The boards draw on the window's thread, a few milliseconds in each frame; a thread encodes what they have drawn.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from games.formats import FormatError
from games.record import GameRecord, Node
from ui.game.words import file_sentence
from ui.host import Host
from ui.pictures import KINDS, Picture, drawing, samples
from ui.system.animation import Film, animated, png
from ui.toolkit.i18n import t

_log = logging.getLogger(__name__)

_BUDGET = 0.004  # seconds of a frame
_AHEAD = 8  # pictures drawn that are not encoded yet


def export_picture(host: Host, record: GameRecord, node: Node, proposal: Path) -> None:
    """Ask for a file, with `proposal` in mind, and write the position of `node` there as a picture, or the line of play
    of `record` as an animation, as its ending says."""

    def write(file: Path) -> None:
        settings = host.settings
        picture = Picture(file.suffix.lower(), settings.numbers, coordinates=settings.coordinates,
                          palette=host.theme.palette)  # fmt: skip
        if picture.kind == ".svg":
            _write_drawing(host, record, node, picture, file)
        else:
            host.start_job(Export(host, record, record.line() if picture.animated else [node], picture, file))

    host.choose_file(proposal, write, saving=True, kinds=KINDS, title=t("export.choose"))


def _write_drawing(host: Host, record: GameRecord, node: Node, picture: Picture, file: Path) -> None:
    try:
        _write(host, file, drawing(record, node, picture))
    except FormatError as error:
        host.say(file_sentence(error, file.name), "bad")


def _write(host: Host, file: Path, data: bytes) -> None:
    host.files.write(file, data, partial(_written, host, file))


def _written(host: Host, file: Path, error: OSError | None) -> None:
    if error is not None:
        host.say(file_sentence(error, file.name), "bad")
    else:
        host.say(t("export.written", name=file.name), "good")


class _Stopped(Exception):
    """Nobody waits for the picture any more."""


class Export:
    """A job that writes the positions of `nodes` to `file`: as an animation, or the only one as PNG."""

    def __init__(self, host: Host, record: GameRecord, nodes: Sequence[Node], picture: Picture, file: Path) -> None:
        self.title, self.name, self.stopped = t("export.title"), file.name, t("export.stopped", name=file.name)
        self._host, self._picture, self._file = host, picture, file
        self._painter = picture.painter(record)
        self._samples = samples(self._painter, nodes) if picture.animated else []
        self._count, self._encoded = len(nodes), 0
        self._waiting = deque(nodes)
        self._drawn: queue.Queue[bytes | None] = queue.Queue()
        self._result: bytes | None = None
        self._thread = threading.Thread(target=self._run, name="export", daemon=True)
        self._thread.start()

    @property
    def pause(self) -> float:
        return 0.0 if self._waiting and self._drawn.qsize() < _AHEAD else 0.05

    @property
    def share(self) -> float:
        return self._encoded / self._count

    def step(self) -> bool:
        until = time.perf_counter() + _BUDGET
        while self._waiting and self._drawn.qsize() < _AHEAD and time.perf_counter() < until:
            self._drawn.put(self._painter.paint(self._waiting.popleft()))
        return not self._thread.is_alive()

    def stop(self) -> None:
        self._drawn.put(None)

    def finish(self) -> None:
        if isinstance(self._result, bytes):
            _write(self._host, self._file, self._result)
        else:
            self._host.say(t("export.failed", name=self._file.name), "bad")

    # The thread.

    def _run(self) -> None:
        try:
            self._result = self._encode()
        except _Stopped:
            pass
        except Exception:  # a thread that ends without a word would leave the window waiting
            _log.exception("%s cannot be drawn", self._file)
        finally:
            self._host.wake()

    def _encode(self) -> bytes:
        if not self._picture.animated:
            return png(self._painter.size, next(self._frames()))
        film = Film(self._painter.size, self._count, self._samples, self._frames())
        return animated(self._picture.kind[1:], film, self._picture.milliseconds)

    def _frames(self) -> Iterator[bytes]:
        for _ in range(self._count):
            pixels = self._drawn.get()
            if pixels is None:
                raise _Stopped
            yield pixels
            self._encoded += 1
            self._host.rest()
