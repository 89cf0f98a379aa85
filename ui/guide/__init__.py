"""The guide: how to use the program."""
