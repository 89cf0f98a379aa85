"""The same kernels in the native library, compiled by numba, and interpreted: the same games at equal nodes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ai.system.compiler import linking

ROOT = Path(__file__).resolve().parents[3]
GAMES = 40
PATIENCE = 1800.0

PLAY = """
import json, sys
from pathlib import Path
from ai.gomoku.openings import read_openings
from ai.core.player import Limit, answer
from ai.gomoku.engine import RULES, GomokuEngine
from ai.system.compiler.backend import backend
from games.formats.text import parse
from games.registry import setup

games, nodes = map(int, sys.argv[1:])
played = []
for number in range(games):
    rule = list(RULES)[number % len(RULES)]
    kind = setup("gomoku", 15, rule)
    opening = read_openings(Path("ai/gomoku/openings.txt"), rule)[number // len(RULES)]
    position = parse(opening, kind).position
    engine = GomokuEngine(memory_mb=4)
    moves = []
    while position.outcome is None and position.ply < 60:
        engine.forget()  # after a proof a thread goes on until it is stopped
        info = answer(engine, position, Limit(nodes=nodes))
        moves.append([info.move, info.score, info.depth, info.nodes, list(info.pv)])
        position = position.play(info.move)
    played.append([rule, opening, moves])
print(json.dumps([backend().value, played]))
"""
"""Plays games of the engine against itself, and prints all that it says of each move."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The native library, made as for a package."""
    pytest.importorskip("numba")
    if not any(map(shutil.which, linking.COMPILERS)):
        pytest.skip("there is no linker")
    folder = tmp_path_factory.mktemp("native")
    make = [sys.executable, "-m", "ai.gomoku.compile_kernels", str(folder)]
    subprocess.run(make, cwd=ROOT, check=True, timeout=PATIENCE)
    return folder


def played(kernels: str | Path, games: int, nodes: int) -> tuple[str, list[Any]]:
    """How the kernels ran that `kernels` names, and the games."""
    environment = os.environ | {"TENGEN_KERNELS": str(kernels)}
    command = [sys.executable, "-c", PLAY, str(games), str(nodes)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, timeout=PATIENCE, check=True
    )
    backend, found = json.loads(done.stdout)
    return backend, found


@pytest.mark.slow
def test_forty_games_are_the_same_in_the_native_library_and_with_numba(library: Path) -> None:
    native, numba = played(library, GAMES, 5000), played("numba", GAMES, 5000)
    assert (native[0], numba[0]) == ("native", "numba")
    assert len(native[1]) == GAMES
    assert sum(len(moves) for _, _, moves in native[1]) > 20 * GAMES
    assert native[1] == numba[1]


@pytest.mark.slow
def test_games_are_the_same_in_the_native_library_and_interpreted(library: Path) -> None:
    native, interpreted = played(library, 3, 100), played("interpreted", 3, 100)
    assert (native[0], interpreted[0]) == ("native", "interpreted")
    assert native[1] == interpreted[1]


@pytest.mark.slow
def test_the_bench_signature_is_that_of_numba_in_the_native_library(library: Path) -> None:
    code = "from ai.lab.engine_speed import signature; print(signature())"
    environment = os.environ | {"TENGEN_KERNELS": str(library)}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert int(done.stdout) == 58_937
