"""The examples of the documentation run, and print what its page promises."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
PROMISED = {
    "rules_and_record": ["7 moves; after j10 there are 2 variations", "occupied – ", "(;B[if])(;B[fh]))"],
    "analyse_a_position": [" d\n", "12 nodes; the root is worth 19999999"],
    "write_a_player": [" moves: "],
}


@pytest.mark.parametrize("name", sorted(file.stem for file in EXAMPLES.glob("*.py")))
def test_an_example_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / f"{name}.py"))
    printed = capsys.readouterr().out
    assert [part for part in PROMISED[name] if part not in printed] == []
