"""Measure how long each kernel takes to compile: `python -m ai.lab.kernel_costs` writes ai/gomoku/kernel_costs.json."""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path

from ai.gomoku.compile_kernels import FILE, import_kernels
from ai.system.compiler import cache
from ai.system.compiler.backend import VARIABLE, Backend


def main() -> None:
    times: list[tuple[str, float]] = []
    os.environ[VARIABLE] = Backend.NUMBA.value  # also where there is a library
    with tempfile.TemporaryDirectory() as folder:
        cache.place = Path(folder)
        import_kernels(lambda name: times.append((name, time.process_time())))
    ends = [at for _, at in times[1:]] + [time.process_time()]
    costs = {name: round(end - began, 2) for (name, began), end in zip(times, ends, strict=True)}
    FILE.write_text(json.dumps(costs, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
