"""The review of a finished game, move by move: mistakes, better lines, accuracy, and the reasons of a move."""
