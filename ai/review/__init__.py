"""The review of a finished game, move by move: mistakes, better lines, accuracy, and the reasons of a move.

`judgement` judges a move by what is known before and after it, for the teaching game, too; `assessment` has the stage
of each move and asks for searches; `review` runs them; `exercises` makes exercises of mistakes and keeps them in a
deck. All that a review finds out is in the nodes' evaluations, so that a reviewed game is judged again in milliseconds:
whatever a verdict rests on must be stored there. Test it with `tests.by_nodes.reviewed_by_nodes`, since a test must not
depend on the speed of the machine.
"""
