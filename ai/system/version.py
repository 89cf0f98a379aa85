"""The version of Tengen, as pyproject.toml has it; a test holds them together."""

import sys

VERSION = "0.30.0"


def about() -> str:
    """Return the versions of Tengen and Python. Processes that exchange tasks must have the same, since tasks are sent
    as Python code."""
    return f"Tengen {VERSION} and Python {sys.version_info.major}.{sys.version_info.minor}"
