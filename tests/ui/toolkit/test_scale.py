"""The scale of an axis has round steps and holds all values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.toolkit.space import Scale


@settings(deadline=None, max_examples=60)
@given(st.floats(-1e6, 1e6), st.floats(0.01, 1e6), st.integers(2, 9))
def test_a_scale_holds_its_values_with_round_steps(low: float, span: float, most: int) -> None:
    high = low + span
    scale = Scale.over(low, high, most)
    assert scale.low - 1e-6 * scale.step <= low
    assert high <= scale.high + 1e-6 * scale.step
    assert len(scale.marks) <= most + 2
    digit = scale.step / 10 ** math.floor(math.log10(scale.step) + 1e-9)
    assert min(abs(digit - each) for each in (1, 2, 5)) < 1e-6
    finer = {1: 2.0, 2: 2.0, 5: 2.5}[round(digit)]
    assert (high - low) / (scale.step / finer) > most * (1 - 1e-6), "no finer step would do"


@pytest.mark.parametrize(("low", "high", "least", "marks"), [
    (0, 17_077, 0, [0, 5000, 10_000, 15_000, 20_000]), (0, 1, 0, [0, 0.2, 0.4, 0.6, 0.8, 1]),
    (990, 1010, 20, [980, 1000, 1020]),
])  # fmt: skip
def test_marks(low: float, high: float, least: float, marks: list[float]) -> None:
    scale = Scale.over(low, high, 5, least)
    assert scale.marks == pytest.approx(marks)
    assert [scale.share(mark) for mark in (marks[0], marks[-1])] == [0, 1]
    assert scale.share(marks[-1] + scale.step) == pytest.approx(len(marks) / (len(marks) - 1))
    assert Scale(5, 5, 1).share(7) == 2, "a scale of one value"
