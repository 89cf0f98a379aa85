"""A person's own puzzles: found in games on a thread and kept in a file; and the buttons for that."""

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
    """Return the person's own puzzles, once they are written; none if their file cannot be read."""
    host.files.settle()
    return puzzles_of(own_path())


PuzzleLines = tuple[dict[int, Puzzle], dict[int, str]]
"""What `ai.puzzles.puzzle.read` returns."""


class PuzzlesJob(Job[PuzzleLines]):
    """A job that reads a file of puzzles and calls `then` with what `ai.puzzles.puzzle.read` returns. If the file
    cannot be read, it says why."""

    at_once = True

    def __init__(self, host: Host, file: Path, then: Callable[[PuzzleLines], object]) -> None:
        work = partial(self._read, file)
        super().__init__(host, t("opening.title"), file.name, t("opening.stopped", name=file.name), work, then)

    @staticmethod
    def _read(file: Path, _on_progress: OnProgress) -> PuzzleLines:
        """Read the file. The progress is not used: it is done at once."""
        return read(file)

    def fail(self, error: BaseException) -> None:
        """Say why the file cannot be read."""
        known = error if isinstance(error, FormatError) else FormatError(str(error))
        self._host.say(file_sentence(known, self.name), "bad")


class MiningJob(Job[int]):
    """A job that finds puzzles in the games of a folder or a file, both wins that were missed and wins that were
    played, and adds them to the person's own. It calls `then` with the number of new ones. What was found is kept, too,
    when the job is cancelled; files that cannot be read are skipped."""

    def __init__(self, host: Host, source: Path, then: Callable[[int], object]) -> None:
        title = t("puzzle.mining")
        super().__init__(host, title, source.name, t("puzzle.mining_stopped"), self._mine, then)
        host.files.settle()
        self._source = source
        self._known = dict[Hashable, Puzzle]()
        self._before = 0

    def _mine(self, on_progress: OnProgress) -> int:
        """Find puzzles in all games of the source, and add them, not yet written, to those that are kept. Return how
        many are new."""
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
        """Write the puzzles that were found, before `then` is called with their number."""
        self._keep()

    def stop(self) -> None:
        """Cancel the job, and write what was found until now."""
        if not self.future.done():
            self._keep()
        super().stop()

    def _keep(self) -> None:
        """Write the person's own puzzles, if new ones were found."""
        if len(self._known) > self._before:
            self._host.files.write(own_path(), dumps(self._known.values()), self._written)

    def _written(self, error: OSError | None) -> None:
        """Say so if the puzzles could not be written."""
        if error is not None:
            self._host.say(t("error.profile", reason=refusal(error)), "bad")


# On the screen.


class OwnPuzzles(Form):
    """Buttons that find puzzles in games, read a file of puzzles, and open the person's own. `solve` is called with a
    mode and the puzzles to open."""

    def __init__(self, host: Host, widgets: Widgets, solve: Callable[[Mode, Sequence[Puzzle]], object]) -> None:
        super().__init__(host, widgets)
        self._solve = solve
        self.read()
        self.bindings = (Binding(("ctrl+o",), self._choose_file, "puzzle.from_file"),)

    def read(self) -> None:
        """Read the person's own puzzles again."""
        self._kept = _kept_puzzles(self.host)

    def shape(self) -> object:
        """What the layout depends on: how many puzzles the person has, which a button says."""
        return len(self._kept)

    def build(self, space: Space) -> None:
        """Build a heading, a row of three buttons (find in a folder, find in the library, read a file), and the button
        that opens the person's own puzzles, disabled if there are none."""
        px, button = self.host.theme.px, self.widgets.button
        self.heading(space, t("puzzle.own"))
        mine: Callable[[], object] = partial(self._start_mining, saves_home())
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
        """Ask for a file of puzzles, and read it."""
        self.host.choose_file(data_home(), self._open_file, kinds=(".jsonl",), title=t("puzzle.from_file"))

    def _open_file(self, file: Path) -> None:
        """Open the puzzles of a file, or say why not."""
        self.host.start_job(PuzzlesJob(self.host, file, self._open_found))

    def _open_found(self, read: PuzzleLines) -> None:
        """Open the puzzles that were read, and say how many lines of the file were left out."""
        found, failed = read
        if failed:
            self.host.say(t("puzzle.left_out", count=len(failed)), "bad", lasting=True)
        if found:
            self._solve("own", list(found.values()))

    def _choose_folder(self) -> None:
        """Ask for a folder of games, and find puzzles in it."""
        self.host.choose_file(saves_home(), self._start_mining, folder=True, title=t("puzzle.from_folder"))

    def _start_mining(self, folder: Path) -> None:
        """Start to look for puzzles in the games of `folder`."""
        self.host.start_job(MiningJob(self.host, folder, self._report_mined))

    def _report_mined(self, count: int) -> None:
        """Say how many new puzzles were found."""
        self.read()
        self.host.say(t("puzzle.mined", count=count), "good" if count else "info")
