"""Tournaments in the window: set up, played in the background, shown with their table, and kept."""
