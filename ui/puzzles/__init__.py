"""Puzzles: positions with one right move, by theme, in a row, against the clock, of the day, or a person's own."""
