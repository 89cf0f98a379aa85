"""The search of one position by many workers: who searches which moves, and what becomes of it."""
