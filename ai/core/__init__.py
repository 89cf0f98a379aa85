"""What every player needs: the contract of players, scores and win probabilities, ratings."""
