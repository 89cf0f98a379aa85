"""The window: scenes, boards and panels. Imports games/ and ai/."""
