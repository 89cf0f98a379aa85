"""Read files of NumPy arrays, which may be damaged."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from games.storage import read_regular

_MOST_BYTES = 1 << 30


def read_arrays(file: Path) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a .npz file by name. Raise `OSError` if it cannot be read, and `ValueError` if it is
    damaged."""
    data = read_regular(file, _MOST_BYTES)
    try:
        with np.load(io.BytesIO(data)) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except Exception as error:  # NumPy and zipfile raise almost anything
        raise ValueError("it is damaged") from error
