"""The players that think. Imports games/ only."""
