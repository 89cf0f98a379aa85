"""Searches for any game: minimax, alpha-beta and random moves."""
