"""Searches for any game: minimax, expectimax, alpha-beta, also in parallel, Monte Carlo tree search, proof-number
search, random moves."""
