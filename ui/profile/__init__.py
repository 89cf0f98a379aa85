"""The profile of the person: ratings, games and habits."""
