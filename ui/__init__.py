"""The window: screens, their parts, and boards. Imports games/ and ai/."""
