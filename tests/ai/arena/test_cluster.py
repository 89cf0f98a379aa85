"""A real scheduler with workers; it needs the extra `cluster`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ai.arena.executors import LOCAL, NoExecutor, open_cluster, run_all
from ai.arena.match import Match
from ai.system import version
from games.registry import setup

pytestmark = pytest.mark.slow
distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
cluster_check = pytest.importorskip("ai.lab.cluster_check")

PERFECT = Match(("alphabeta", "random"), setup("tictactoe"), 60.0, 1, grace=60.0)


@contextmanager
def started(workers: int, **options: Any) -> Iterator[str]:
    """The address of a scheduler with so many workers of one thread each."""
    options |= {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(host="127.0.0.1", **options) as found:
        yield found.scheduler_address


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with started(2) as address:
        yield address


def test_a_match_on_a_cluster_is_the_match_on_this_machine(tmp_path: Path) -> None:
    *places, compared = cluster_check.matches(tmp_path, PERFECT, 8)
    assert len(places) == 3, "one of them loses a worker"
    assert compared.startswith("the same: ")


def test_reviews_on_a_cluster_are_those_on_this_machine(tmp_path: Path) -> None:
    *places, compared = cluster_check.reviews(tmp_path / "games", 6)
    assert len(places) == 3
    assert compared.startswith("the same: ")


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
    monkeypatch.setattr(version, "VERSION", "0.0.1")
    with pytest.raises(NoExecutor, match=r"0\.0\.1"), open_cluster(scheduler, 1):
        pass


def test_a_cancelled_call_does_not_run(tmp_path: Path, scheduler: str) -> None:
    with open_cluster(scheduler, 2) as executor:
        running = [executor.submit(time.sleep, 1.0) for _ in range(2)]
        last = executor.submit((tmp_path / "ran").touch)
        assert last.cancel()
        for each in running:
            each.result(60)
        executor.submit(int, 1).result(60)
    assert not (tmp_path / "ran").exists()


@contextmanager
def joining(scheduler: str, folder: Path, others: int) -> Iterator[int]:
    """A worker of a program that is in `folder`, beside so many others; yield its process."""
    command = [sys.executable, "-m", "distributed.cli.dask_worker", scheduler, "--no-nanny", "--nthreads=1"]
    with distributed.Client(scheduler) as client:
        if others:
            client.wait_for_workers(others, timeout=60)  # one may have been lost
        with subprocess.Popen([*command, "--no-dashboard"], cwd=folder, stderr=subprocess.DEVNULL) as process:
            try:
                client.wait_for_workers(others + 1, timeout=60)
                yield process.pid
            finally:
                process.terminate()


def process_of_task(_number: int) -> int:
    time.sleep(0.1)
    return os.getpid()


OTHERS = {"older": "def about():\n    return 'Tengen 0.0.1'\n", "none": "raise ImportError('no Tengen')\n"}


@pytest.mark.parametrize("kind", OTHERS)
def test_a_worker_of_another_version_that_joins_later_ran_tasks(
    tmp_path: Path, scheduler: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    module = tmp_path / "ai" / "version.py"
    module.parent.mkdir()
    module.with_name("__init__.py").touch()  # otherwise an installed package comes before it
    module.write_text(OTHERS[kind], encoding="utf-8")
    with open_cluster(scheduler, 2) as executor, joining(scheduler, tmp_path, 2) as other:
        found = [future.result() for future in [executor.submit(process_of_task, number) for number in range(16)]]
    assert other not in found
    assert len([record for record in caplog.records if "The worker at" in record.message]) == 1


def test_without_a_worker_of_this_version_a_task_raises(tmp_path: Path) -> None:
    (tmp_path / "ai.py").touch()
    with started(0) as address, open_cluster(address, 1) as executor, joining(address, tmp_path, 0):
        assert isinstance(executor.submit(process_of_task, 1).exception(60), NoExecutor)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_tls_is_that_of_the_configuration_of_dask(tmp_path: Path) -> None:
    """Without a certificate, `TypeError` and `RuntimeError` came through."""
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=tengen"]
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
    tls: dict[str, Any] = {"ca-file": certificate}
    for role in ("client", "scheduler", "worker"):
        tls |= {f"{role}.cert": certificate, f"{role}.key": key}
    settings = {"require-encryption": True} | {f"tls.{name}": value for name, value in tls.items()}
    secret = dask.config.set({f"distributed.comm.{name}": value for name, value in settings.items()})
    with secret, started(1, protocol="tls") as address:
        assert address.startswith("tls://")
        with open_cluster(address, 1) as executor:
            assert executor.submit(divmod, 7, 3).result(60) == (2, 1)
        with pytest.raises(NoExecutor, match="refusing"), open_cluster(address.replace("tls", "tcp"), 1):
            pass
        with (
            dask.config.set({"distributed.comm.tls.client.cert": None, "distributed.comm.tls.client.key": None}),
            pytest.raises(NoExecutor, match="TLS"), open_cluster(address, 1),
        ):  # fmt: skip
            pass


def test_a_scheduler_that_is_killed_was_waited_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host=127.0.0.1", "--port=0"]
    file = tmp_path / "scheduler.json"
    with subprocess.Popen([*command, "--scheduler-file", file, "--no-dashboard"], stderr=subprocess.DEVNULL) as process:
        while not file.is_file():
            time.sleep(0.05)
        with open_cluster(json.loads(file.read_bytes())["address"], 1) as executor:
            future = executor.submit(process_of_task, 1)
            process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
            with pytest.raises(NoExecutor, match="scheduler"):
                future.result(60)


def test_a_failing_task_raises_and_the_cluster_ends(scheduler: str) -> None:
    for where in (LOCAL, scheduler):
        with pytest.raises(ZeroDivisionError):
            list(run_all(divmod, [(7, 0), (7, 2)], 2, where))
