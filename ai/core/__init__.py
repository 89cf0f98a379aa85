"""What every player needs: the contract of players, workers, scores and win probabilities, Elo, openings."""
