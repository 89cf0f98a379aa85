"""A person's own puzzles: found in games on a thread, kept in a file, and the buttons for that."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path

from ai.puzzles.puzzle import Puzzle, dumps, image, mine, missed, prover, read
from ai.search.proving import Prover
from games.formats import FormatError, load_all
from games.formats.common import OnProgress
from games.library.file_actions import game_files
from games.storage import data_home, saves_home
from ui.parts.form import Form
from ui.puzzles.state import Mode, own_path, playable, puzzles_of
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns
from ui.toolkit.widgets import Widgets
from ui.window.host import Host, Job
from ui.words.file_words import file_sentence, refusal


def _kept_puzzles(host: Host) -> Sequence[Puzzle]:
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
        """Find puzzles in all games of the source, beside those that are kept. Return how many are new."""
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


# On the screen.


class OwnPuzzles(Form):
    """Puzzles in a person's games and files. `solve` opens those of a list."""

    def __init__(self, host: Host, widgets: Widgets, solve: Callable[[Mode, Sequence[Puzzle]], object]) -> None:
        super().__init__(host, widgets)
        self._solve = solve
        self.read()
        self.bindings = (Binding(("ctrl+o",), self._choose_file, "puzzle.from_file"),)

    def read(self) -> None:
        """Read again which there are."""
        self._kept = _kept_puzzles(self.host)

    def shape(self) -> object:
        return len(self._kept)

    def build(self, space: Space) -> None:
        px, button = self.host.theme.px, self.widgets.button
        self.heading(space, t("puzzle.own"))
        mine: Callable[[], object] = partial(self._mine, saves_home())
        actions: Sequence[tuple[str, Callable[[], object] | Binding, str]] = (
            ("folder", self._choose_folder, "folder"),
            ("library", mine, "library"),
            ("file", self.bindings[0], "save"),
        )
        for (name, run, icon), place in zip(actions, columns(space.top(px(BUTTON)), 3, px(8)), strict=True):
            button(name, place, t(f"puzzle.from_{name}"), run, icon=icon, tip=t(f"puzzle.from_{name}_tip"))
        text = f"{t('puzzle.mode.own')} · {len(self._kept)}"
        button("own", space.top(px(BUTTON)), text, lambda: self._solve("own", self._kept))
        self.widgets.enable("own", bool(self._kept))

    def _choose_file(self) -> None:
        self.host.choose_file(data_home(), self._read, kinds=(".jsonl",), title=t("puzzle.from_file"))

    def _read(self, file: Path) -> None:
        """Open the puzzles of a file, or say why not."""
        self.host.start_job(PuzzlesJob(self.host, file, self._take))

    def _take(self, read: PuzzleLines) -> None:
        found, failed = read
        if failed:
            self.host.say(t("puzzle.left_out", count=len(failed)), "bad", lasting=True)
        if found:
            self._solve("own", list(found.values()))

    def _choose_folder(self) -> None:
        self.host.choose_file(saves_home(), self._mine, folder=True, title=t("puzzle.from_folder"))

    def _mine(self, folder: Path) -> None:
        self.host.start_job(MiningJob(self.host, folder, self._mined))

    def _mined(self, count: int) -> None:
        """Say how many puzzles were found."""
        self.read()
        self.host.say(t("puzzle.mined", count=count), "good" if count else "info")
