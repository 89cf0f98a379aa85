"""Exports a game as a picture or an animation, while the window goes on.

The boards draw on the window's thread, a few milliseconds in each frame; a thread encodes what they have drawn.
"""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from games.formats import FormatError, load
from games.formats.common import Tell
from games.library.file_actions import Exported, export
from games.library.importing import final_node
from games.record import GameRecord, Node
from ui.board.pictures import Picture, drawing, kinds, samples
from ui.game.jobs import Stopped, ThreadJob
from ui.host import Host
from ui.system.animation import Film, animated, png
from ui.toolkit.i18n import t
from ui.words.files import file_sentence

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

    host.choose_file(proposal, write, saving=True, kinds=kinds(record), title=t("export.choose"))


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


class Export(ThreadJob[bytes]):
    """A job that writes the positions of `nodes` to `file`: as an animation, or the only one as PNG."""

    def __init__(self, host: Host, record: GameRecord, nodes: Sequence[Node], picture: Picture, file: Path) -> None:
        self._picture, self._painter = picture, picture.painter(record)
        self._samples = samples(self._painter, nodes) if picture.animated else []
        self._count = len(nodes)
        self._waiting = deque(nodes)
        self._drawn: queue.Queue[bytes | None] = queue.Queue()
        stopped = t("export.stopped", name=file.name)
        super().__init__(host, t("export.title"), file.name, stopped, self._encode, partial(_write, host, file))

    @property
    def pause(self) -> float:
        return 0.0 if self._waiting and self._drawn.qsize() < _AHEAD else 0.05

    def step(self) -> bool:
        until = time.perf_counter() + _BUDGET
        while self._waiting and self._drawn.qsize() < _AHEAD and time.perf_counter() < until:
            self._drawn.put(self._painter.paint(self._waiting.popleft()))
        return super().step()

    def stop(self) -> None:
        super().stop()
        self._drawn.put(None)

    # The thread.

    def _encode(self, tell: Tell) -> bytes:
        frames = self._frames(tell)
        if not self._picture.animated:
            return png(self._painter.size, next(frames))
        film = Film(self._painter.size, self._count, self._samples, frames)
        return animated(self._picture.kind[1:], film, self._picture.milliseconds)

    def _frames(self, tell: Tell) -> Iterator[bytes]:
        for number in range(1, self._count + 1):
            pixels = self._drawn.get()
            if pixels is None:
                raise Stopped
            yield pixels
            tell(number / self._count)


class PicturesExport(ThreadJob[Exported]):
    """A job that writes the final positions of the games in `files` to `folder` as PNG; `then` is told what became of
    them. The thread reads and writes, the window's thread draws."""

    def __init__(self, host: Host, files: Sequence[Path], folder: Path, then: Callable[[Exported], object]) -> None:
        self._read: queue.Queue[GameRecord] = queue.Queue()
        self._drawn: queue.Queue[tuple[tuple[int, int], bytes] | None] = queue.Queue()
        self._looks = {"numbers": host.settings.numbers, "coordinates": host.settings.coordinates}
        title, stopped = t("export.title"), t("export.stopped", name=folder.name)
        super().__init__(host, title, folder.name, stopped, partial(self._export, files, folder), then)

    @property
    def pause(self) -> float:
        return 0.005

    def step(self) -> bool:
        if not self._read.empty():
            record = self._read.get()
            painter = Picture(".png", palette=self._host.theme.palette, **self._looks).painter(record)
            self._drawn.put((painter.size, painter.paint(final_node(record))))
        return super().step()

    def stop(self) -> None:
        super().stop()
        self._drawn.put(None)

    # The thread.

    def _export(self, files: Sequence[Path], folder: Path, tell: Tell) -> Exported:
        return export(files, folder, ".png", self._picture, tell)

    def _picture(self, file: Path) -> bytes:
        self._read.put(load(file))
        drawn = self._drawn.get()
        if drawn is None:
            raise Stopped
        return png(*drawn)
