"""Programs for the tests with real windows: started with a home of their own, always ended, pictured when a
test fails. Without a display or the tools the tests are skipped, unless TENGEN_REQUIRE_GUI says that there
has to be one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from driver import Driver

from ui.system.settings import Settings

TOOLS = ("xdotool", "wmctrl")
Start = Callable[..., Driver]

_failed = pytest.StashKey[bool]()


def missing() -> str:
    """What the tests need and this machine does not have."""
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if not os.environ.get("DISPLAY"):
        lacking.append("a DISPLAY")
    if "PYTEST_XDIST_WORKER" in os.environ:
        lacking.append("display to itself: -n 0 runs all tests in one process")
    return ", ".join(lacking)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.gui)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_failed] = report.failed
    return report


@pytest.fixture(scope="session")
def window_manager() -> Iterator[None]:
    """A display and a window manager: the one that runs, or else our own openbox."""
    if lacking := missing():
        (pytest.fail if os.environ.get("TENGEN_REQUIRE_GUI") == "1" else pytest.skip)(f"no {lacking}")
    own: subprocess.Popen[bytes] | None = None
    if not _managed():
        if shutil.which("openbox") is None:
            (pytest.fail if os.environ.get("TENGEN_REQUIRE_GUI") == "1" else pytest.skip)("no window manager")
        own = subprocess.Popen(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while not _managed() and time.monotonic() < end:
            time.sleep(0.05)
    yield
    if own is not None:
        own.terminate()
        own.wait()


def _managed() -> bool:
    return subprocess.run(["wmctrl", "-m"], capture_output=True, check=False).returncode == 0


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of the program's settings and saved games: the defaults, but without the book of openings, which
    answers before a test can look at the engine thinking."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps(asdict(Settings(book=False))), encoding="utf-8")
    return folder


@pytest.fixture
def start(
    window_manager: None, home: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Start]:
    """Starts the program; called again, starts it anew with the same home."""
    started: list[Driver] = []

    def begin(*arguments: str | Path, before: str = "") -> Driver:
        made = Driver(home, *map(str, arguments), before=before)
        started.append(made)
        return made

    yield begin
    if request.node.stash.get(_failed, True) and started:
        started[-1].picture(tmp_path / "failed.png")
    for driver in started:
        driver.kill()
