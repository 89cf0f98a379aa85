"""The saved games: searched, opened, renamed, imported, exported."""
