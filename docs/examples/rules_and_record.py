"""Play a game by the rules, add a variation, and write both as SGF."""

from games.formats import sgf_writer
from games.position import IllegalMove
from games.record import GameRecord
from games.registry import setup

record = GameRecord(setup("gomoku", rule="renju"), date="2026-01-31")
for text in ("h8", "i9", "h10", "i7", "g9", "j10", "i10"):
    record.play(record.position.parse_move(text))

record.undo()  # take back i10 …
record.play(record.position.parse_move("f8"))  # … and play another move
variations = len(record.cursor.parent.children)
print(len(record.line()) - 1, "moves; after j10 there are", variations, "variations")

try:
    record.play(record.position.parse_move("h8"))
except IllegalMove as error:
    print(error.reason, "–", error)

print(sgf_writer.dumps(record).decode())
