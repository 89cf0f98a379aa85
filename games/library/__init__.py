"""The library of saved games: its index, its search and what can be done to its files."""
