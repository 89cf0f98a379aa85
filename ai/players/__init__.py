"""The table of players, what each game offers, and levels with their Elo."""
