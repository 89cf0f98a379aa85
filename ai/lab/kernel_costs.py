"""Measure `COSTS` of ai/gomoku/compile_kernels.py on this machine: `python -m ai.lab.kernel_costs`."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from ai.gomoku import cache
from ai.gomoku.compile_kernels import import_kernels


def main() -> None:
    times: list[tuple[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        cache.place = Path(folder)
        import_kernels(lambda name: times.append((name, time.process_time())))
    ends = [at for _, at in times[1:]] + [time.process_time()]
    for (name, began), end in zip(times, ends, strict=True):
        print(f'    "{name}": {end - began:.2f},')


if __name__ == "__main__":
    main()
