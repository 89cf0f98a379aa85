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


def fake(folder: Path, nodes: int) -> str:
    """A checkout whose player visits so many nodes."""
    for name, text in {
        "ai/core/player.py": f"from types import SimpleNamespace as Limit\nanswer = lambda *_: Limit(nodes={nodes})",
        "ai/players/table.py": "from types import SimpleNamespace\nContext = str\n"
                               "make = lambda *_: SimpleNamespace(forget=list)",
        "games/formats/text.py": "from types import SimpleNamespace\n"
                                 "parse = lambda *_: SimpleNamespace(position=None)",
        "games/registry.py": "setup = lambda *_: None",
    }.items():  # fmt: skip
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        for package in (file.parent, folder / file.relative_to(folder).parts[0]):
            (package / "__init__.py").touch()
    return f"{folder}=interpreted"


def test_different_searches_are_not_compared(tmp_path: Path) -> None:
    names = [fake(tmp_path / str(nodes), nodes) for nodes in (5, 6)]
    assert len(measure(names[:1] * 2, PLAYER, 9, ["h8", "h9"], 2)) == 2
    with pytest.raises(Differs, match=r"of h8 visit different numbers of nodes: \[5, 6\]"):
        measure(names, PLAYER, 9, ["h8"], 1)
