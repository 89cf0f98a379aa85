"""Tengen as it is installed; `python -m tengen` starts it."""
