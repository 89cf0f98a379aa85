"""The settings, and what the program is."""
