"""The comparison of kernels: the same searches in processes of their own, and what happens where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.lab.kernel_speed import Differs, main, measure

CHECKOUT = Path(__file__).parents[3]
PLAYER = "engine:memory_mb=1"


def test_the_same_kernels_search_as_fast_in_two_checkouts() -> None:
    names = ["interpreted", f"{CHECKOUT}=interpreted"]
    first, second = measure(names, PLAYER, 40, ["h8i9g7", "h8i9"], 1)
    assert (first.name, second.name) == tuple(names)
    assert (first.ratio, first.error) == (1, 0)
    assert first.nodes_per_second > 0
    assert 0.1 < second.ratio < 10


def test_kernels_that_cannot_run_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "ai").mkdir()
    (tmp_path / "ai" / "__init__.py").write_text("raise SystemExit(3)")
    with pytest.raises(Differs, match="does not answer"):
        measure([f"{tmp_path}=interpreted"], PLAYER, 40, ["h8"], 1)
    with pytest.raises(SystemExit, match="no-such does not answer"):
        main([str(tmp_path / "no-such"), "--positions", "1", "--times", "1"])
