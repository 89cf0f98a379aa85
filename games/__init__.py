"""The rules of the games and the record of what was played. Imports nothing else of ours."""
