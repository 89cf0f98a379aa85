"""The line that shows how far many tasks are."""

from __future__ import annotations

import io

import pytest

from ai.arena.arena import MatchProgress, Standing
from ai.arena.journal import Meter, Rate, with_meter
from ai.arena.match import Played
from tests.games.strategies import Time


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("seconds", "rate", "left"),
    [
        (0.5, "2.0 a second", "49 s left"),
        (4.0, "15.0 a minute", "7 min left"),
        (120.0, "30.0 an hour", "3 h 16 min left"),
    ],
)  # fmt: skip
def test_the_rate_is_that_since_the_first_result(seconds: float, rate: str, left: str) -> None:
    clock = Time()
    found = Rate(110, 10, clock)
    assert found.text(10) == "10 of 110"
    clock.passes(1000.0)  # while workers compile the kernels
    assert found.text(11) == "11 of 110"
    clock.passes(seconds)
    assert found.text(12) == f"12 of 110 · {rate} · {left}"
    clock.passes(98 * seconds)
    assert found.text(110) == f"110 of 110 · {rate}"


def test_a_shorter_line_replaces_a_longer_one() -> None:
    out = Terminal()
    meter = Meter(out)
    meter.show("12345")
    meter.show("1")
    meter.clear()
    meter.show("2")
    meter.end()
    assert out.getvalue() == "\r12345\r1    \r \r\r2\n"


@pytest.mark.parametrize("kind", [Terminal, io.StringIO])
def test_results_pass_through_and_only_a_terminal_has_the_line(kind: type[io.StringIO]) -> None:
    out = kind()
    assert list(with_meter("abc", 3, stream=out)) == ["a", "b", "c"]
    assert bool(out.getvalue()) == out.isatty()


def test_elsewhere_a_match_writes_a_line_for_each_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    standing, progress = Standing(), MatchProgress()
    progress(standing, 25)
    for number in range(25):
        standing.add(Played(number, "h8", 0, 1.0, "five", 9, (0.1, 0.1), ""))
        progress(standing, 25)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in lines] == [f"{done}/25" for done in (3, 5, 8, 10, 13, 15, 18, 20, 23, 25)]
