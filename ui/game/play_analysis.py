"""Analysis in a game between people: what the engine finds in the position that is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ui.board.view import Marks
from ui.game.analyst import Analyst
from ui.game.viewpoint import Viewpoint
from ui.host import Host


class PlayAnalysis:
    """Follows `viewpoint`. `save` is called when evaluations were found that are not in the file."""

    def __init__(self, host: Host, viewpoint: Viewpoint, save: Callable[[], object]) -> None:
        self.analyst = Analyst(host, viewpoint)
        self._save = save

    @property
    def on(self) -> bool:
        return self.analyst.on

    def toggle(self) -> None:
        self.analyst.toggle()

    def update(self) -> None:
        self.analyst.update()
        if self.analyst.learned and not self.analyst.busy:
            self.analyst.learned = False
            self._save()

    def marks(self, marks: Marks, hover: int | None) -> Marks:
        """Candidates with their evaluations, or the line of the one under the pointer."""
        lines = self.analyst.lines()
        followed = next((line.moves for line in lines if line.moves[0] == hover), ())
        if followed:
            return replace(marks, hover=None, line=followed)
        return replace(marks, candidates=self.analyst.candidates()) if lines else marks

    def close(self) -> None:
        if self.analyst.learned:
            self._save()
        self.analyst.close()
