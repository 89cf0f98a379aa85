"""Analyse a position: the best moves with scores, and the tree of a search."""

from contextlib import closing

from ai.core.player import Limit, answer
from ai.core.score import Score
from ai.players.table import Context, make
from ai.service.analyse import enable_tracing
from games.formats.text import parse
from games.registry import setup

position = parse("d c d c", setup("connect4")).position
with closing(make("alphabeta", Context("connect4"))) as player:
    info = answer(player, position, Limit(depth=4, lines=2))
for line in info.lines:
    mate = Score(line.score).mate
    worth = f"{line.score / 100:+.2f}" if mate is None else f"wins in {mate} plies"
    print(worth, *(position.move_text(move) for move in line.moves[:1]))

# A player that is `traced` writes down its search, node by node.
board = parse("a3 b3 c3 a2 b2 c1", setup("tictactoe")).position
minimax = enable_tracing(make("minimax", Context("tictactoe")), "minimax")
answer(minimax, board, Limit())
tree = minimax.trace
print(len(tree), "nodes; the root is worth", tree.value[0])
