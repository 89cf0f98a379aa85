"""Set up who plays on from a position of an opened game: the same players, or others."""

from __future__ import annotations

from dataclasses import replace

from ai.levels.levels import EVEN
from ai.players import kind_of, strongest
from games.position import Position
from games.record import GameRecord, Node, Seat, moves_to, path
from ui.game.live_game import DEFAULT_SECONDS
from ui.game.new_game import seats_of
from ui.host import Host
from ui.scene import Scene
from ui.screens.play import Play
from ui.screens.setup import SetupScene
from ui.system.settings import NewGame
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space


class PlayOn(SetupScene):
    """Begins a new game with the moves up to the cursor of `record`. `back` is the scene to return to."""

    name, title, start = "play_on", "replay.play_on", "play_on.start"
    bindings = (
        Binding(("return",), "do_start", "keys.start"),
        Binding(("x",), "do_swap", "keys.swap"),
        Binding(("escape",), "do_back", "keys.back"),
    )

    def __init__(self, host: Host, record: GameRecord, back: Scene) -> None:
        self.record = record
        super().__init__(host, record.setup.game)
        self.back = back

    def _choose(self, game: str) -> None:
        super()._choose(game)
        before, known = self.record.setup, [_offered(game, seat) for seat in self.record.seats]
        first, second = (DEFAULT_SECONDS if seat.seconds is None else seat.seconds for seat in self.record.seats)
        self.chosen = NewGame(before.size, before.rule, (known[0], known[1]), (first, second))
        self._names = {side: (known[side], self.record.seats[side].name) for side in (0, 1)}

    def build_head(self, space: Space) -> None:
        """Nothing: the game has been decided."""

    def build_foot(self, space: Space) -> None:
        """Nothing, for the same reason."""

    def position(self) -> tuple[Position, tuple[int, ...]]:
        return self.record.position, moves_to(self.record.cursor)

    def about(self) -> str:
        return super().about() if self.menu is not None else t("play_on.about")

    def remember(self) -> None:
        """Nothing: the choices for a new game stay as they are."""

    def do_swap(self) -> None:
        self._names = {0: self._names[1], 1: self._names[0]}
        super().do_swap()

    def do_start(self) -> None:
        self.host.show(Play(self.host, continued(self.record, self.seats()), teaching=self.teaching))

    def _seat(self, side: int) -> Seat:
        """Keep the name of a player who stays."""
        seat, (player, name) = super()._seat(side), self._names[side]
        return replace(seat, name=name) if name and player == self.chosen.players[side] else seat


def _offered(game: str, seat: Seat) -> str:
    """Return the player of `seat`, or the one to choose in its place."""
    if kind_of(seat.player) not in seats_of(game):
        return strongest(game)
    return EVEN if seat.player.startswith(EVEN) else seat.player


def continued(record: GameRecord, seats: tuple[Seat, Seat], end: Node | None = None) -> GameRecord:
    """Return a new game between `seats` that begins with the moves up to `end`, or else the cursor of `record`, and
    their evaluations."""
    copy = GameRecord(record.setup, seats, stones=record.stones)
    copy.cursor.evaluation = record.root.evaluation
    for node in path(end or record.cursor)[1:]:
        if node.move is not None:
            copy.play(node.move, node.seconds).evaluation = node.evaluation
    return copy
