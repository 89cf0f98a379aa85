"""The boards: one renderer for each kind, and the registry of how each game looks."""
