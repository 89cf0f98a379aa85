"""Export a game as a picture or an animation without blocking the window.

The window's thread paints the boards, a few milliseconds in each frame; another thread encodes them.
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
_AHEAD = 8  # pictures painted that are not encoded yet

Result = TypeVar("Result")
Drawn = TypeVar("Drawn")


def export_picture(host: Host, record: GameRecord, node: Node, proposal: Path) -> None:
    """Ask for a file, proposing `proposal`, and write a picture there: its ending decides between a picture of the
    position at `node` and an animation of the main line of `record`."""

    def write(file: Path) -> None:
        """Write the picture to `file`, or show a message if the game cannot be drawn in its format."""
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
    """Write an export in the background, and show a message with its success or error."""
    host.files.write(file, data, partial(_report_written, host, file))


def _report_written(host: Host, file: Path, error: OSError | None) -> None:
    """Show a message that `file` was written, or with the `error`."""
    if error is not None:
        host.say(file_sentence(error, file.name), "bad")
    else:
        host.say(t("export.written", name=file.name), "good")


class ExportJob(Job[Result]):
    """A job that makes an export. Its thread asks for pictures, which the window's thread paints, a few milliseconds in
    each frame."""

    def __init__(
        self, host: Host, name: str, work: Callable[[OnProgress], Result], then: Callable[[Result], object]
    ) -> None:
        self._asked: queue.Queue[Callable[[], Any]] = queue.Queue()
        self._drawn: queue.Queue[Any] = queue.Queue()
        super().__init__(host, t("export.title"), name, t("export.stopped", name=name), work, then)

    @property
    def _can_paint(self) -> bool:
        """Whether a picture is asked for, and fewer than `_AHEAD` painted ones wait to be encoded."""
        return not self._asked.empty() and self._drawn.qsize() < _AHEAD

    @property
    def pause(self) -> float:
        """Seconds between two calls of `step`: none while there is a picture to paint."""
        return 0.0 if self._can_paint else super().pause

    def step(self) -> None:
        """Paint pictures that the thread has asked for, for `_BUDGET` seconds at most."""
        until = time.perf_counter() + _BUDGET
        while self._can_paint and time.perf_counter() < until:
            self._drawn.put(self._asked.get()())

    def stop(self) -> None:
        """Cancel the job, and wake its thread if it waits for a picture."""
        super().stop()
        self._drawn.put(None)

    # The thread.

    def ask_to_paint(self, paint: Callable[[], Any]) -> None:
        """Queue `paint`, which the window's thread calls later. Return at once."""
        self._asked.put(paint)

    def take_painted(self) -> Any:
        """Wait for the result of the oldest function queued by `ask_to_paint`, and return it. Raise `Stopped` if the
        job is cancelled."""
        drawn = self._drawn.get()
        if drawn is None:
            raise Stopped
        return drawn

    def paint_and_wait(self, paint: Callable[[], Drawn]) -> Drawn:
        """Have the window's thread call `paint`, wait, and return its result. Raise `Stopped` if the job is cancelled.
        """
        self.ask_to_paint(paint)
        self._host.wake()
        return cast(Drawn, self.take_painted())


class Export(ExportJob[bytes]):
    """A job that writes the positions of `nodes` to `file`: as an animation, or the single one as PNG."""

    def __init__(self, host: Host, record: GameRecord, nodes: Sequence[Node], picture: Picture, file: Path) -> None:
        self._picture, self._painter, self._nodes = picture, picture.painter(record), nodes
        self._samples = samples(self._painter, nodes) if picture.animated else []
        super().__init__(host, file.name, self._encode, partial(write_file, host, file))

    def _encode(self, on_progress: OnProgress) -> bytes:
        """Return the contents of the file, on the job's thread."""
        for node in self._nodes:
            self.ask_to_paint(partial(self._painter.paint, node))
        frames = self._frames(on_progress)
        if not self._picture.animated:
            return png(self._painter.size, next(frames))
        film = Film(self._painter.size, len(self._nodes), self._samples, frames)
        return film_bytes(self._picture.kind[1:], film, self._picture.milliseconds)

    def _frames(self, on_progress: OnProgress) -> Iterator[bytes]:
        """Yield the pixels of each position as they are painted, and report progress."""
        for number in range(1, len(self._nodes) + 1):
            yield self.take_painted()
            on_progress(number / len(self._nodes))


class PicturesExport(ExportJob[Exported]):
    """A job that writes the final position of each game in `files` to `folder` as PNG; `then` gets what succeeded and
    what failed."""

    def __init__(self, host: Host, files: Sequence[Path], folder: Path, then: Callable[[Exported], object]) -> None:
        self._looks = {"numbers": host.settings.numbers, "coordinates": host.settings.coordinates}
        super().__init__(host, folder.name, partial(self._export, files, folder), then)

    def _export(self, files: Sequence[Path], folder: Path, on_progress: OnProgress) -> Exported:
        """Write the pictures, on the job's thread."""
        return export(files, folder, ".png", self._picture, on_progress)

    def _picture(self, file: Path) -> bytes:
        """The final position of the game in `file`, as PNG."""
        return png(*self.paint_and_wait(partial(self._paint, load(file))))

    def _paint(self, record: GameRecord) -> tuple[tuple[int, int], bytes]:
        """Paint the final position of `record`. Return the size and the pixels."""
        painter = Picture(".png", palette=self._host.theme.palette, **self._looks).painter(record)
        return painter.size, painter.paint(final_node(record))
