"""A real scheduler with workers; it needs the extra `cluster`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ai.arena import cluster
from ai.arena.arena import Options, run
from ai.arena.cluster import LOCAL, NoExecutor, open_cluster
from ai.arena.executors import run_all
from ai.arena.match import Match
from games.registry import setup

pytestmark = pytest.mark.slow
distributed = pytest.importorskip("distributed")

TIMES = {"date", "seconds", "slowest"}
PERFECT = Match(("alphabeta", "random"), setup("tictactoe"), 60.0, 1, grace=60.0)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with distributed.LocalCluster(2, 1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as started:
        yield started.scheduler_address


def timeless(data: Any) -> Any:
    """JSON data without times and dates."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key not in TIMES}
    return [timeless(each) for each in data] if isinstance(data, list) else data


def played(folder: Path, where: str | None) -> dict[str, Any]:
    """The files of a match, without times."""
    folder.mkdir()
    match = folder / "match.jsonl"
    run(PERFECT, Options(8, resume=match, cluster=where, workers=2), lambda _standing, _games: None)
    files = {each.name: json.loads(each.read_bytes()) for each in folder.glob("match-games/*.json")}
    lines = [json.loads(line) for line in sorted(match.read_text(encoding="utf-8").splitlines())]
    return timeless({"match": lines, "games": files})


def test_a_match_on_a_cluster_is_the_match_on_this_machine(tmp_path: Path, scheduler: str) -> None:
    here = played(tmp_path / "here", None)
    assert len(here["games"]) == 8
    assert played(tmp_path / "local", LOCAL) == here
    assert played(tmp_path / "cluster", scheduler) == here


def die_once(mark: Path, number: int) -> int:
    if number == 3 and not mark.exists():
        mark.touch()
        os._exit(1)
    return number


def test_the_task_of_a_worker_that_dies_is_done_again(tmp_path: Path, scheduler: str) -> None:
    mark = tmp_path / "died"
    found = run_all(die_once, [(mark, number) for number in range(8)], 2, scheduler)
    assert sorted(found) == list(range(8))
    assert mark.exists()


def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch, scheduler: str) -> None:
    monkeypatch.setattr(cluster, "VERSION", "0.0.1")
    with pytest.raises(NoExecutor, match=r"0\.0\.1"), open_cluster(scheduler, 1):
        pass


def test_a_failing_task_raises_and_the_cluster_ends(scheduler: str) -> None:
    for where in (LOCAL, scheduler):
        with pytest.raises(ZeroDivisionError):
            list(run_all(divmod, [(7, 0), (7, 2)], 2, where))
