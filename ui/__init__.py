"""The window: screens, their parts, and boards. Imports games/ and ai/."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would stand in the output of commands that draw
