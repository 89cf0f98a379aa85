"""Compiles the kernels for the packaged program: `python -m ai.gomoku.pack FOLDER`, which tengen.spec does.

Leaves the folder empty where there is no numba; the packaged program then runs them interpreted too.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from ai.gomoku import bundle


def pack(place: Path) -> None:
    """Fills `place`, whatever was in it before."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    bundle.filling = place
    from ai.gomoku import kernels  # noqa: F401  (late: they are compiled when they are imported)

    bundle.finish()


if __name__ == "__main__":
    pack(Path(sys.argv[1]).absolute())
