"""The profile as a screen shows it, without pixels: one game at a time."""

from __future__ import annotations

from ai.profile import Removed, Result, load_profile
from games.registry import GAMES
from ui.game.rated_result import remove, restore
from ui.host import Host


class ProfileState:
    """Of `game`, or of the one played last."""

    def __init__(self, host: Host, game: str) -> None:
        self._host = host
        self._removed: list[Removed] = []
        self.read()
        played = [result.game for result in self.profile.results]
        self.game = game or (played[-1] if played else next(iter(GAMES)))

    def read(self) -> None:
        """Read the profile again; `damaged` tells whether its file was."""
        self._host.files.settle()
        self.profile, self.damaged = load_profile()

    @property
    def rated(self) -> list[Result]:
        return self.profile.rated(self.game)

    @property
    def tally(self) -> dict[str, tuple[int, int, int]]:
        """Wins, draws and losses against each level."""
        return self.profile.tally(self.game)

    @property
    def played(self) -> list[Result]:
        """The last one first."""
        return self.profile.played(self.game)[::-1]

    def step(self, step: int) -> None:
        """Show another game."""
        games = list(GAMES)
        self.game = games[(games.index(self.game) + step) % len(games)]

    @property
    def can_undo(self) -> bool:
        return bool(self._removed)

    def remove(self, file: str) -> None:
        removed = remove(self._host, file)
        if removed is not None:
            self._removed.append(removed)
        self.read()

    def undo(self) -> None:
        """Bring back what was removed last."""
        if self._removed:
            restore(self._host, self._removed.pop())
            self.read()
