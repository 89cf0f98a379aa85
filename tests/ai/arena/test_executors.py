"""Process pools, which leave nothing behind, and clusters."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock, call

import pytest

from ai.arena import executors
from ai.arena.executors import ClusterTasks, NoExecutor, open_executor, run_all, signals_queued
from ai.lab import win_probability
from ai.system import version

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import os, time
from ai.arena.executors import open_executor
with open_executor(1) as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    pool.submit(time.sleep, 600).result()
"""


def test_workers_end_with_a_program_that_is_killed() -> None:
    """They have its standard output: that ends when they have ended."""
    with subprocess.Popen([sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert int(child.stdout.readline()) != child.pid
        child.kill()
        assert child.communicate(timeout=60)[0] == ""


@pytest.mark.parametrize("installed", [True, False])
def test_a_cluster_finds_the_modules_of_an_installed_program(monkeypatch: pytest.MonkeyPatch, installed: bool) -> None:
    """They are in the package `tengen`, and tasks name them without it: the launcher makes them found."""
    distributed = MagicMock()
    client = distributed.Client.return_value
    monkeypatch.setitem(sys.modules, "distributed", distributed)
    monkeypatch.delitem(sys.modules, "tengen", raising=False)
    if installed:
        monkeypatch.setitem(sys.modules, "tengen", ModuleType("tengen"))
    with open_executor(1, "tcp://nowhere:1"):
        pass
    client.close.assert_called()
    made = distributed.LocalCluster
    made.assert_not_called()
    with open_executor(3, executors.LOCAL):
        pass
    (asked,) = (call.kwargs for call in made.call_args_list)
    assert (asked["n_workers"], asked["threads_per_worker"], asked["memory_limit"]) == (3, 1, 0)
    assert asked["scheduler_kwargs"] == {"dashboard": False}
    for place in (client.run_on_scheduler, client.register_worker_callbacks):
        assert [call.args[0].args for call in place.call_args_list] == [("tengen.__main__",)] * 2 * installed


def test_a_worker_with_another_program_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = MagicMock()
    monkeypatch.setitem(sys.modules, "distributed", distributed)
    client = distributed.Client.return_value
    client.run.return_value = {"tcp://a:1": version.about(), "tcp://b:2": ImportError("None.")}
    told = f"The worker at tcp://b:2 has to have {version.about()}, as here; found there: None.."
    with pytest.raises(NoExecutor, match=f"^{re.escape(told)}$"), open_executor(1, "tcp://nowhere:1"):
        pass
    client.close.assert_called_once()


def test_a_call_that_a_worker_refuses_is_sent_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls run here; a worker has another version."""
    here = SimpleNamespace(KilledWorker=MemoryError, get_worker=lambda: SimpleNamespace(address="b"))
    monkeypatch.setitem(sys.modules, "distributed", here)
    monkeypatch.setitem(sys.modules, "cloudpickle", pickle)

    def submit(run: Callable[[bytes], object], call: bytes, key: str) -> Future[object]:
        done: Future[object] = Future()
        with monkeypatch.context() as another:
            if "workers" not in client.get_executor.call_args.kwargs:
                another.setattr(version, "about", lambda: "0.0.1")
            done.set_result(run(call))
        return done

    client = MagicMock(**{"nthreads.return_value": {"a": 1, "b": 1}, "get_executor.return_value.submit": submit})
    with ClusterTasks(client) as tasks:
        assert [tasks.submit(divmod, 7, 3).result(60) for _ in range(2)] == [(2, 1)] * 2
    asked = [each.kwargs for each in client.get_executor.call_args_list]
    assert asked == [{"pure": False}, *[{"pure": False, "workers": ["a"]}] * 2]


@pytest.mark.parametrize(("error", "told"), [(OSError("Timed out"), NoExecutor), (ValueError("a bug"), ValueError)])
def test_a_refused_call_hung_when_the_scheduler_was_lost(
    error: Exception, told: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a call that could not be sent at all raised what Dask raises."""
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(KilledWorker=MemoryError))
    monkeypatch.setitem(sys.modules, "cloudpickle", pickle)
    refused: Future[object] = Future()
    client = MagicMock(**{"nthreads.side_effect": error, "get_executor.return_value.submit.return_value": refused})
    with ClusterTasks(client) as tasks:
        asked = tasks.submit(divmod, 7, 3)
        refused.set_result((False, ("a", "0.0.1")))
        for future in (lambda: asked, lambda: tasks.submit(divmod, 7, 3)):
            with pytest.raises(told, match="scheduler of the cluster was lost" if told is NoExecutor else "a bug"):
                future().result(5)


def test_calls_under_way_are_known_and_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(KilledWorker=MemoryError))
    monkeypatch.setitem(sys.modules, "cloudpickle", pickle)
    sent: dict[str, Future[object]] = {}
    client = MagicMock()
    client.get_executor.return_value.submit = lambda _run, _call, key: sent.setdefault(key, Future())
    client.processing.side_effect = lambda: {"a": ["of another", *sent], "b": ()}
    with ClusterTasks(client) as tasks:
        first, second = (tasks.submit(divmod, 7, 3) for _ in range(2))
        assert tasks.at_work() == {"a": [first, second], "b": []}
        here, there = sent.values()
        here.set_result((True, 5))
        assert (first.result(60), here.cancelled(), tasks.at_work()["a"]) == (5, False, [second])
        second.cancel()
        assert there.cancelled()
        client.processing.side_effect = OSError
        with pytest.raises(NoExecutor, match=r"^The scheduler of the cluster was lost\.$"):
            tasks.at_work()


@pytest.mark.parametrize(("error", "says"), [(OSError("why"), "why"), (OSError(), "it does not answer")])
def test_a_scheduler_that_is_not_there_is_told(error: OSError, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", MagicMock(**{"Client.side_effect": error}))
    with pytest.raises(NoExecutor, match=f"cannot be reached: {says}[.]$"), open_executor(1, "tcp://nowhere:1"):
        pass


def test_tasks_that_have_not_started_are_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes hear of an exception by the end of a pipe, which nobody else holds."""
    made = MagicMock()
    monkeypatch.setattr(executors, "ProcessPoolExecutor", made)
    with open_executor(3) as pool:
        (leash,) = made.call_args.kwargs["initargs"]
        assert (made.call_args.args, leash.readable, leash.writable) == ((3,), True, False)
    assert pool.shutdown.mock_calls == [call(cancel_futures=True)] * 2
    pool.shutdown.reset_mock()
    pool.shutdown.side_effect = lambda **_: made.call_args.kwargs["initargs"][0].recv()
    with pytest.raises(EOFError), open_executor(3):
        raise KeyboardInterrupt
    pool.shutdown.assert_called_once_with(cancel_futures=True)


def test_without_dask_a_lab_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SystemExit, match=r'python -m pip install "\.\[cluster\]"\.$'):
        win_probability.main(["play", "--rule", "freestyle", "--out", str(tmp_path / "out.npz"), "--cluster", "local"])


@pytest.mark.skipif(os.name == "nt", reason="signals as they are on POSIX")
def test_ctrl_c_waits_until_no_future_is_locked() -> None:
    """It was raised anywhere, also while the main thread held the lock of a future: the match hung."""
    told: list[int] = []
    with signals_queued(told.append) as interrupt:
        signal.raise_signal(signal.SIGINT)
        assert told == [signal.SIGINT]
        with pytest.raises(KeyboardInterrupt):
            interrupt(told[0])
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.skipif(os.name == "nt", reason="signals as they are on POSIX")
def test_other_threads_and_ignored_signals_are_left_alone() -> None:
    def handlers() -> list[object]:
        with signals_queued(print):
            return [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(handlers).result() == [signal.default_int_handler, signal.SIG_IGN]
        assert handlers()[1] == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("module", [ModuleType("distributed"), None])
def test_whether_dask_is_there(module: ModuleType | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if module is not None:
        module.__spec__ = ModuleSpec("distributed", None)
    monkeypatch.setitem(sys.modules, "distributed", module)
    assert executors.installed() is (module is not None)


@contextmanager
def one_thread(_workers: int, _cluster: str | None) -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def test_results_come_as_they_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "open_executor", one_thread)
    assert sorted(run_all(divmod, [(7, 3), (9, 5)], 2)) == [(1, 4), (2, 1)]
    assert list(run_all(divmod, [], 2)) == []
    with pytest.raises(ZeroDivisionError):
        list(run_all(divmod, [(7, 0)], 2))


def test_calls_wait_until_results_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """All were submitted at once: memory grew with their number. Ctrl+C waits until they are."""
    submitted: list[int] = []

    def note(number: int) -> int:
        assert os.name == "nt" or signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
        submitted.append(number)
        return number

    @contextmanager
    def counting(_workers: int, _cluster: str | None) -> Iterator[ThreadPoolExecutor]:
        with ThreadPoolExecutor(1) as pool:
            submit = pool.submit
            monkeypatch.setattr(pool, "submit", lambda task, number: submit(task, note(number)))
            yield pool

    monkeypatch.setattr(executors, "open_executor", counting)
    results = run_all(int, [(number,) for number in range(2_500)], 2)
    next(results)
    assert len(submitted) == 2_001
    assert len(list(results)) == 2_499
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    monkeypatch.setattr(executors, "open_executor", one_thread)
    assert list(run_all(int, [(3,)], 2)) == [3], "as on Windows"


@pytest.mark.skipif(os.name == "nt", reason="signals as they are on POSIX")
def test_ctrl_c_is_not_lost_after_the_last_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "open_executor", one_thread)
    with pytest.raises(KeyboardInterrupt):
        list(run_all(os.kill, [(os.getpid(), signal.SIGINT)], 1))
