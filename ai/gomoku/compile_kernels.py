"""Compiles the kernels for the packaged program: `python -m ai.gomoku.compile_kernels FOLDER`, which tengen.spec does.

Leaves the folder empty where there is no numba; the packaged program then runs them interpreted too.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from ai.gomoku import cache
from ai.gomoku.compilation import compile_kernels


def fill(folder: Path) -> None:
    """Fills `folder`, whatever was in it before."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    cache.portable = True
    cache.place = folder
    if cache.load_numba() is not None:
        compile_kernels(lambda _name: None)
        cache.finish(folder)


if __name__ == "__main__":
    fill(Path(sys.argv[1]).absolute())
