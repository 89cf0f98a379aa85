"""Speed figures of the searches. `ai.lab.engine_speed` measures the gomoku engine and `ui.lab.measure` the window."""

from __future__ import annotations

import os
import platform
import time
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ai.core.player import Limit, answer
from ai.search.alphabeta import AlphaBeta
from ai.search.minimax import minimax
from games.formats import read_target
from games.position import Position
from games.registry import setup

POSITIONS = ("h8i9g7", "h8i9g7i7i8", "h8g9i9i7g7h7", "h8i8h9h7i9g7j10k11", "h8i9g7i7i8g8j8h6k8l8f6e5")
"""Freestyle gomoku, opening to middle game, for the generic search."""


def bench(seconds: float) -> dict[str, Any]:
    """Return figures by name, each measured for about `seconds`. None means not available on this machine.

    “generic” figures are of alpha-beta for any game.
    """
    packages = ("numpy", "numba", "llvmlite", "pygame-ce")
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, {platform.system()}",
        "versions": {"python": platform.python_version()} | {name: _version(name) for name in packages},
        **_engine(seconds),
        "generic_nodes_per_second": round(_nodes_per_second(seconds)),
        "generic_moves_per_second": round(_moves_per_second(seconds)),
        **_teaching(),
    }


def _engine(seconds: float) -> dict[str, Any]:
    """Measure the gomoku engine, which is compiled first if necessary."""
    from ai.lab import engine_speed as speed
    from ai.system.compiler.backend import Backend, backend

    cold, warm = speed.compile_seconds()
    return {
        "kernels": backend().value,
        "compiled": backend() is not Backend.INTERPRETED,
        "nodes_per_second": speed.nodes_per_second(1, seconds),
        "nodes_per_second_2": speed.nodes_per_second(2, seconds),
        "time_to_depth_ratio_2": speed.time_to_depth_ratio(2, seconds),
        "depth_1s": speed.depth_in_one_second(),
        "make_undo_per_second": speed.make_undo_per_second(seconds),
        "signature": speed.signature(),
        "compile_cold_s": cold,
        "compile_warm_s": warm,
        "vcf_median_ms": speed.vcf_median_ms(),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _positions() -> list[Position]:
    return [read_target(moves).position for moves in POSITIONS]


def _nodes_per_second(seconds: float) -> float:
    positions = _positions()
    found = [answer(AlphaBeta(), position, Limit(seconds=seconds / len(positions))) for position in positions]
    return sum(info.nodes for info in found) / sum(info.seconds for info in found)


def _moves_per_second(seconds: float) -> float:
    """Measure how many moves per second can be played on immutable positions."""
    position = _positions()[-1]
    moves = list(position.candidates())
    played, began = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds:
        for move in moves:
            position.play(move)
        played += len(moves)
    return played / elapsed


def _teaching() -> dict[str, Any]:
    """Count the positions that minimax and alpha-beta visit for the same answer."""
    figures = {}
    for name, position in (("tictactoe", setup("tictactoe").start()), ("bones_20", setup("bones", 20).start())):
        figures[f"minimax_nodes_{name}"] = minimax(position).count()
        figures[f"alphabeta_nodes_{name}"] = answer(AlphaBeta(), position, Limit()).nodes
    return figures
