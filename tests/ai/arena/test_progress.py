"""The line that shows how far many tasks are."""

from __future__ import annotations

import io

import pytest

from ai.arena.arena import MatchProgress, Standing
from ai.arena.journal import Meter, Rate, with_meter
from ai.arena.match import Played
from tests.games.strategies import Time


class Terminal(io.TextIOWrapper):
    """A terminal; it has the value that was flushed."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), "utf-8", newline="")

    def isatty(self) -> bool:
        return True

    def getvalue(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


@pytest.mark.parametrize(
    ("seconds", "rate", "left"),
    [
        (0.5, "2.0 a second", "45 s left"),
        (0.9375, "1.1 a second", "84 s left"),
        (1.0, "1.0 a second", "2 min left"),
        (4.0, "15.0 a minute", "6 min left"),
        (59.0, "1.0 a minute", "88 min left"),
        (60.0, "1.0 a minute", "1 h 30 min left"),
        (120.0, "30.0 an hour", "3 h 0 min left"),
    ],
)  # fmt: skip
def test_the_rate_is_that_since_the_first_result(seconds: float, rate: str, left: str) -> None:
    clock = Time()
    found = Rate(102, 10, clock)
    assert found.text(10) == "10 of 102"
    clock.passes(1000.0)  # while workers compile the kernels
    assert found.text(11) == found.text(11) == "11 of 102"
    assert found.text(12) == "12 of 102", "in no time"
    clock.passes(seconds)
    assert found.text(11) == "11 of 102"
    assert found.text(12) == f"12 of 102 · {rate} · {left}"
    clock.passes(90 * seconds)
    assert found.text(102) == f"102 of 102 · {rate}"


def test_a_line_is_not_longer_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "5")
    out = Terminal()
    Meter(out).show("12345")
    assert out.getvalue() == "\r1234"


def test_a_shorter_line_replaces_a_longer_one() -> None:
    out = Terminal()
    meter = Meter(out)
    meter.show("12345")
    meter.show("1")
    meter.clear()
    meter.clear()
    meter.show("2")
    meter.end()
    meter.end()
    assert out.getvalue() == "\r12345\r1    \r \r\r2\n"


@pytest.mark.parametrize("kind", [Terminal, io.StringIO])
def test_results_pass_through_and_only_a_terminal_has_the_line(kind: type[Terminal | io.StringIO]) -> None:
    out = kind()
    assert list(with_meter("abc", 3, stream=out)) == ["a", "b", "c"]
    assert bool(out.getvalue()) == out.isatty()
    out = kind()
    assert list(with_meter("a", 4, 3, out)) == ["a"]
    shown = "\r3 of 4", "\r      \r", "\r4 of 4", "\r      \r"
    assert out.getvalue() == ("".join(shown) if out.isatty() else "")


def test_a_note_follows_and_no_tasks_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = Terminal()
    meter = Meter(out)
    meter.count(0, 2, "even")
    meter.count(1, 2, "better")
    assert out.getvalue() == "\r0 of 2  even\r1 of 2  better"
    Meter(empty := Terminal()).count(0, 0, "even")
    assert empty.getvalue() == "\r"


def test_elsewhere_a_match_writes_a_line_for_each_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    standing, progress = Standing(), MatchProgress()
    progress(standing, 25)
    for number in range(25):
        standing.add(Played(number, "h8", 0, 1.0, "five", 9, (0.1, 0.1), ""))
        progress(standing, 25)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in lines] == [f"{done}/25" for done in (3, 5, 8, 10, 13, 15, 18, 20, 23, 25)]
    MatchProgress(tenths=False)(standing, 25)
    assert capsys.readouterr().err == ""
