"""The rules of the games and the game record. Imports no other package of ours."""
