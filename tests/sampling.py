"""Cases of which the normal run takes a few, evenly chosen, and `.ci/run` all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def sampled(cases: Sequence[Any], count: int) -> list[Any]:
    """The `cases` for `parametrize`, all but `count` of them marked ``slow``."""
    quick = {len(cases) * (2 * number + 1) // (2 * count) for number in range(count)}
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=() if number in quick else pytest.mark.slow)
        for number, case in enumerate(cases)
    ]
