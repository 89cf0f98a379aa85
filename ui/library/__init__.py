"""The library of saved games."""
