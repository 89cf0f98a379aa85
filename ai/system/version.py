"""The version of Tengen, as pyproject.toml has it; a test holds them together."""

import sys

VERSION = "0.15.0"


def about() -> str:
    """Return what a process has that sends tasks to another one, as code of its Python."""
    return f"Tengen {VERSION} and Python {sys.version_info.major}.{sys.version_info.minor}"
