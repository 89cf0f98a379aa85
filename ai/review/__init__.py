"""What a finished game was worth, move by move: mistakes, better lines, accuracy, and the reasons of a move."""
