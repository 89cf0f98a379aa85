"""Settings, files, sound, faults, screen readers and the window. Knows no game."""
