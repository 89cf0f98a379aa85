"""A person's own puzzles: found in games on a thread, and kept in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ai.puzzles.answers import prover
from ai.puzzles.mining import image, mine, missed
from ai.puzzles.puzzle import Puzzle, dumps
from ai.search.proving import Prover
from games.formats import FormatError, load_all
from games.formats.common import OnProgress
from games.library.importing import game_files
from ui.puzzles.state import own_path, puzzles_of
from ui.toolkit.i18n import t
from ui.window.host import Host, Job
from ui.words.file_words import refusal


def kept_puzzles(host: Host) -> Sequence[Puzzle]:
    """Return a person's own puzzles."""
    host.files.settle()
    return puzzles_of(own_path())


class MiningJob(Job[int]):
    """Find puzzles in the games in a folder or a file: wins that were missed, and those that were played. Call `then`
    with the number of those that are new. What was found is kept when the job is cancelled."""

    def __init__(self, host: Host, source: Path, then: Callable[[int], object]) -> None:
        title = t("puzzle.mining")
        super().__init__(host, title, source.name, t("puzzle.mining_stopped"), self._mine, then)
        self._source = source
        self._known = {image(puzzle): puzzle for puzzle in kept_puzzles(host)}
        self._before = len(self._known)

    def _mine(self, on_progress: OnProgress) -> int:
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
