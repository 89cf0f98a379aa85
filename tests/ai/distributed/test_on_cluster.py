"""The search of one position on a real scheduler with workers; it needs the extra `cluster`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import main
from ai.core.player import Info, Limit, Stop, answer
from ai.distributed.cluster_player import Distributed, on_cluster, open_crew
from ai.players.table import make
from ai.search.splitting import PrincipalVariation
from games.position import Position
from games.registry import setup
from tests.ai.distributed.positions import CASES, context, positions

pytestmark = pytest.mark.slow
distributed = pytest.importorskip("distributed")

ROOT = Path(__file__).parents[3]
FINE = partial(PrincipalVariation, first=1, least=2, work=0.0, seconds=0.0)


@pytest.fixture
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as started:
        yield started


def alone(game: str, position: Position, limit: Limit) -> Info:
    return answer(make(CASES[game].alone, context(game)), position, limit)


@pytest.mark.parametrize("game", CASES)
def test_a_cluster_finds_the_value_of_a_single_search(game: str, cluster: Any) -> None:
    player = on_cluster(CASES[game].shared, context(game), cluster.scheduler_address, pytest.fail)
    limit = Limit(depth=CASES[game].depth)
    for position, _ in zip(positions(game), range(5), strict=False):
        assert answer(player, position, limit).score == alone(game, position, limit).score
    player.close()


def test_analyse_on_a_cluster_prints_what_it_prints_here(cluster: Any, capsys: pytest.CaptureFixture[str]) -> None:
    game = ["analyse", "dd", "--game", "connect4", "--player", "alphabeta:extension=0", "--depth", "5", "--json"]
    documents = []
    for where in ([], ["--cluster", cluster.scheduler_address]):
        assert main.main([*game, *where]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    here, there = documents
    assert here.keys() == there.keys()
    for one, other in zip(here["positions"], there["positions"], strict=True):
        assert one.keys() == other.keys()
        assert (one["score"], one["depth"], one["ply"]) == (other["score"], other["depth"], other["ply"])


def test_a_worker_killed_half_way_changes_no_value(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    position: Position = setup("gomoku").start()
    for text in ("h8", "i8", "h9", "g9"):
        position = position.play(position.parse_move(text))
    address = cluster.scheduler_address
    player = Distributed(CASES["gomoku"].shared, context("gomoku"), lambda: open_crew(address), pytest.fail, FINE)
    player.warm_up(position)
    crew, sent, killed = player.connect(), list[int](), list[int]()
    assert len(crew.members()) == 2
    send = type(crew).send

    def kill_later(self: Any, worker: str, number: int, *what: Any) -> None:
        send(self, worker, number, *what)
        sent.append(number)
        if len(sent) == 5:
            killed.append(cluster.workers[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(type(crew), "send", kill_later)
    limit = Limit(depth=4)
    assert answer(player, position, limit).score == alone("gomoku", position, limit).score
    assert killed
    player.close()


def test_an_analysis_goes_on_when_the_scheduler_is_killed(tmp_path: Path) -> None:
    file, said = tmp_path / "scheduler.json", []
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    scheduler = subprocess.Popen([*command, "--no-dashboard", "--scheduler-file", str(file)])
    worker = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file), "--no-dashboard"], cwd=ROOT
    )
    try:
        with distributed.Client(scheduler_file=str(file), timeout="60s") as client:
            client.wait_for_workers(1, timeout="60s")
            address = client.scheduler.address
        player = Distributed("alphabeta", context("connect4"), lambda: open_crew(address), said.append, FINE)
        for info in player.think(next(positions("connect4")), Limit(depth=6), Stop()):
            if info.depth == 3:
                scheduler.kill()
        assert info.depth == 6
        assert player.lost
        assert len(said) == 1
        player.close()
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
