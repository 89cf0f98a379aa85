"""Matches between two players: games, openings, Elo and where they run."""
