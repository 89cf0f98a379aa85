"""Settings, files, sound, the window and diagnosis. Knows no game."""
