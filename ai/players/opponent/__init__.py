"""A model of a player who errs, its fit to games, and the search that counts on it."""
