"""Matches between two players: games, and where they run."""
