"""A game that is played."""
