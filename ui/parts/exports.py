"""Exports a game as a picture or an animation, while the window goes on.

The boards draw on the window's thread, a few milliseconds in each frame; a thread encodes what they have drawn.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from games.formats import FormatError, load
from games.formats.common import OnProgress
from games.library.file_actions import Exported, export, final_node
from games.record import GameRecord, Node, path
from ui.board.pictures import Film, Picture, drawing, film_bytes, kinds, png, samples
from ui.toolkit.i18n import t
from ui.window.host import Host, Job, Stopped
from ui.words.file_words import file_sentence

_BUDGET = 0.004  # seconds of a frame
_AHEAD = 8  # pictures drawn that are not encoded yet

Result = TypeVar("Result")
Drawn = TypeVar("Drawn")


def export_picture(host: Host, record: GameRecord, node: Node, proposal: Path) -> None:
    """Ask for a file, with `proposal` in mind, and write the position of `node` there as a picture, or the main line
    of `record` as an animation, as its ending says."""

    def write(file: Path) -> None:
        settings = host.settings
        picture = Picture(file.suffix.lower(), settings.numbers, coordinates=settings.coordinates,
                          palette=host.theme.palette)  # fmt: skip
        if picture.kind == ".svg":
            try:
                write_file(host, file, drawing(record, node, picture))
            except FormatError as error:
                host.say(file_sentence(error, file.name), "bad")
        else:
            nodes = path(record.main_end()) if picture.animated else [node]
            host.start_job(Export(host, record, nodes, picture, file))

    host.choose_file(proposal, write, saving=True, kinds=kinds(record), title=t("export.choose"))


def write_file(host: Host, file: Path, data: bytes) -> None:
    """Write an export, and say whether it is there."""
    host.files.write(file, data, partial(_written, host, file))


def _written(host: Host, file: Path, error: OSError | None) -> None:
    if error is not None:
        host.say(file_sentence(error, file.name), "bad")
    else:
        host.say(t("export.written", name=file.name), "good")


class ExportJob(Job[Result]):
    """A job that makes an export. Its thread may ask for pictures, which the window's thread paints, a few milliseconds
    in each frame."""

    def __init__(
        self, host: Host, name: str, work: Callable[[OnProgress], Result], then: Callable[[Result], object]
    ) -> None:
        self._asked: queue.Queue[Callable[[], Any]] = queue.Queue()
        self._drawn: queue.Queue[Any] = queue.Queue()
        super().__init__(host, t("export.title"), name, t("export.stopped", name=name), work, then)

    @property
    def _may_draw(self) -> bool:
        """Whether a frame is asked for and few are drawn ahead."""
        return not self._asked.empty() and self._drawn.qsize() < _AHEAD

    @property
    def pause(self) -> float:
        return 0.0 if self._may_draw else super().pause

    def step(self) -> None:
        until = time.perf_counter() + _BUDGET
        while self._may_draw and time.perf_counter() < until:
            self._drawn.put(self._asked.get()())

    def stop(self) -> None:
        super().stop()
        self._drawn.put(None)

    # The thread.

    def ask(self, paint: Callable[[], Any]) -> None:
        """Have `paint` called by the window's thread."""
        self._asked.put(paint)

    def take(self) -> Any:
        """Return what the next function in `_asked` has painted."""
        drawn = self._drawn.get()
        if drawn is None:
            raise Stopped
        return drawn

    def drawn(self, paint: Callable[[], Drawn]) -> Drawn:
        """Have `paint` called by the window's thread, and return what it returns."""
        self.ask(paint)
        self._host.wake()
        return cast(Drawn, self.take())


class Export(ExportJob[bytes]):
    """A job that writes the positions of `nodes` to `file`: as an animation, or the only one as PNG."""

    def __init__(self, host: Host, record: GameRecord, nodes: Sequence[Node], picture: Picture, file: Path) -> None:
        self._picture, self._painter, self._nodes = picture, picture.painter(record), nodes
        self._samples = samples(self._painter, nodes) if picture.animated else []
        super().__init__(host, file.name, self._encode, partial(write_file, host, file))

    def _encode(self, on_progress: OnProgress) -> bytes:
        for node in self._nodes:
            self.ask(partial(self._painter.paint, node))
        frames = self._frames(on_progress)
        if not self._picture.animated:
            return png(self._painter.size, next(frames))
        film = Film(self._painter.size, len(self._nodes), self._samples, frames)
        return film_bytes(self._picture.kind[1:], film, self._picture.milliseconds)

    def _frames(self, on_progress: OnProgress) -> Iterator[bytes]:
        """Yield the frames as the window's thread paints them, and report progress."""
        for number in range(1, len(self._nodes) + 1):
            yield self.take()
            on_progress(number / len(self._nodes))


class PicturesExport(ExportJob[Exported]):
    """A job that writes the final positions of the games in `files` to `folder` as PNG; `then` is told what became of
    them."""

    def __init__(self, host: Host, files: Sequence[Path], folder: Path, then: Callable[[Exported], object]) -> None:
        self._looks = {"numbers": host.settings.numbers, "coordinates": host.settings.coordinates}
        super().__init__(host, folder.name, partial(self._export, files, folder), then)

    def _export(self, files: Sequence[Path], folder: Path, on_progress: OnProgress) -> Exported:
        return export(files, folder, ".png", self._picture, on_progress)

    def _picture(self, file: Path) -> bytes:
        """The picture of the game in `file`, as PNG."""
        return png(*self.drawn(partial(self._paint, load(file))))

    def _paint(self, record: GameRecord) -> tuple[tuple[int, int], bytes]:
        painter = Picture(".png", palette=self._host.theme.palette, **self._looks).painter(record)
        return painter.size, painter.paint(final_node(record))
