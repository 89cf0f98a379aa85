"""Where the files under assets/ are. What is in them is for those who read them."""

from __future__ import annotations

import sys
from pathlib import Path


def resource(*parts: str) -> Path:
    """The path of a file under assets/, in a checkout, an installed wheel or a PyInstaller bundle.

    In all three, assets/ lies beside the package `ui`; a bundle names that place itself.
    """
    root = getattr(sys, "_MEIPASS", None) or Path(__file__).resolve().parents[2]
    return Path(root, "assets", *parts)
