"""The installed Tengen; `python -m tengen` starts it."""
