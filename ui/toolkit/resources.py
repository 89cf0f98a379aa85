"""Locate the files under assets/."""

from __future__ import annotations

import sys
from pathlib import Path


def resource(*parts: str) -> Path:
    """Return the path of a file under assets/, in a checkout, an installed wheel or a PyInstaller bundle.

    In all three, assets/ lies beside the package `ui`; a bundle names that place itself.
    """
    root = getattr(sys, "_MEIPASS", None) or Path(__file__).resolve().parents[2]
    return Path(root, "assets", *parts)
