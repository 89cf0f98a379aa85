"""Writes the emblem of Tengen as the icon files that installers and desktops want. Needs Pillow.

Run once by hand (`python assets/make_icons.py`); the outputs are committed. The drawing is in `ui/emblem.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pygame
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "assets" / "icons"
PNG_SIZES = {"tengen.png": 512, "tengen-256.png": 256}
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)


def image(size: int) -> Image.Image:
    from ui.emblem import app_icon

    return Image.frombytes("RGBA", (size, size), pygame.image.tobytes(app_icon(size), "RGBA"))


def main() -> None:
    sys.path.insert(0, str(ROOT))
    TARGET.mkdir(exist_ok=True)
    for name, size in PNG_SIZES.items():
        image(size).save(TARGET / name, optimize=True)
    largest, *others = (image(size) for size in reversed(ICO_SIZES))
    largest.save(TARGET / "tengen.ico", sizes=[(size, size) for size in ICO_SIZES], append_images=others)


if __name__ == "__main__":
    main()
