"""The comparison of the speed of players."""

from __future__ import annotations

import re

import pytest

from ai.lab.engine_speed import main


def test_the_speed_of_each_player_is_told_and_that_relative_to_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["alphabeta", "engine:memory_mb=1"]
    main([*names, "--seconds", "0.02"])
    found = re.findall(
        r"(\S+): ([\d,]+) nodes per second of processor time, ([\d.]+) of the first", capsys.readouterr().out
    )
    speeds = [int(speed.replace(",", "")) for _, speed, _ in found]
    assert [name for name, _, _ in found] == names
    assert min(speeds) > 0
    assert [float(share) for _, _, share in found] == pytest.approx([1.0, speeds[1] / speeds[0]], rel=0.01)
