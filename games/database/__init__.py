"""Databases of games: files of SQLite, filled by imports, searched by position, players and results."""
