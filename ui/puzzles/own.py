"""A person's own puzzles: found in games on a thread, and kept in a file."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path

from ai.puzzles.puzzle import Puzzle, dumps, image, mine, missed, prover, read
from ai.search.proving import Prover
from games.formats import FormatError, load_all
from games.formats.common import OnProgress
from games.library.file_actions import game_files
from ui.puzzles.state import own_path, playable, puzzles_of
from ui.toolkit.i18n import t
from ui.window.host import Host, Job
from ui.words.file_words import file_sentence, refusal


def kept_puzzles(host: Host) -> Sequence[Puzzle]:
    """Return a person's own puzzles."""
    host.files.settle()
    return puzzles_of(own_path())


PuzzleLines = tuple[dict[int, Puzzle], dict[int, str]]
"""What `ai.puzzles.puzzle.read` returns."""


class PuzzlesJob(Job[PuzzleLines]):
    """Read a file of puzzles; say why if it cannot be read."""

    at_once = True

    def __init__(self, host: Host, file: Path, then: Callable[[PuzzleLines], object]) -> None:
        work = partial(self._read, file)
        super().__init__(host, t("opening.title"), file.name, t("opening.stopped", name=file.name), work, then)

    @staticmethod
    def _read(file: Path, _on_progress: OnProgress) -> PuzzleLines:
        return read(file)

    def fail(self, error: BaseException) -> None:
        known = error if isinstance(error, FormatError) else FormatError(str(error))
        self._host.say(file_sentence(known, self.name), "bad")


class MiningJob(Job[int]):
    """Find puzzles in the games in a folder or a file: wins that were missed, and those that were played. Call `then`
    with the number of those that are new. What was found is kept when the job is cancelled."""

    def __init__(self, host: Host, source: Path, then: Callable[[int], object]) -> None:
        title = t("puzzle.mining")
        super().__init__(host, title, source.name, t("puzzle.mining_stopped"), self._mine, then)
        host.files.settle()
        self._source = source
        self._known = dict[Hashable, Puzzle]()
        self._before = 0

    def _mine(self, on_progress: OnProgress) -> int:
        kept = {image(puzzle): puzzle for puzzle in puzzles_of(own_path()) if playable(puzzle)}
        self._known, self._before = kept, len(kept)
        files, provers = game_files(self._source), dict[str, Prover]()
        for number, file in enumerate(files):
            try:
                records = load_all(file)
            except (FormatError, OSError):
                continue
            for place, record in enumerate(records):
                on_progress((number + place / len(records)) / len(files))
                game = record.setup.game
                by = provers.get(game) or provers.setdefault(game, prover(game))
                for find in (missed, mine):
                    for puzzle in find(record, by):
                        self._known = {image(puzzle): puzzle} | self._known
                        on_progress((number + place / len(records)) / len(files))
        return len(self._known) - self._before

    def succeeded(self, result: int) -> None:
        self._keep()

    def stop(self) -> None:
        if not self.future.done():
            self._keep()
        super().stop()

    def _keep(self) -> None:
        """Write what was found."""
        if len(self._known) > self._before:
            self._host.files.write(own_path(), dumps(self._known.values()), self._written)

    def _written(self, error: OSError | None) -> None:
        if error is not None:
            self._host.say(t("error.profile", reason=refusal(error)), "bad")
