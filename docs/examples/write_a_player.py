"""Write a player: it looks one move ahead, and plays a game against alpha-beta."""

from collections.abc import Iterator

from ai.core.player import Info, Limit, Player, Stop, answer
from ai.core.score import Score
from ai.players.table import Context, make
from games.position import Position
from games.record import GameRecord
from games.registry import setup


class OneMoveAhead(Player):
    """Chooses the move after which its own evaluation is best."""

    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.nodes = 0
        best = None
        for move in position.candidates():
            self.nodes += 1
            score = self._value(position.play(move), position.turn)
            if best is None or score > best.score:
                best = Info(move, score, depth=1, nodes=self.nodes)
                yield best
            if stop.is_set():
                return

    def _value(self, after: Position, side: int) -> int:
        """Of the position for `side`, whoever is to move."""
        if after.outcome is not None:
            return Score.of_outcome(after.outcome, side, plies=1)
        return after.evaluate() if after.turn == side else -after.evaluate()


record = GameRecord(setup("connect4"))
players = OneMoveAhead(), make("alphabeta", Context("connect4"))
while record.outcome is None:
    player = players[record.position.turn]
    record.play(answer(player, record.position, Limit(depth=2)).move)
winner = record.outcome.winner
result = "a draw" if winner is None else f"player {winner + 1} wins"
print(len(record.line()) - 1, "moves:", result)
