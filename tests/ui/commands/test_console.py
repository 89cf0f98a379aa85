"""The frame of every command."""

from __future__ import annotations

import io
import sys

import pytest

from ui.commands.console import Failure, Misuse, exit_status


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [(Failure("It fails."), 1, "It fails.\n"), (Misuse("It is wrong."), 2, "It is wrong.\n"),
     (BrokenPipeError(), 1, ""), (KeyboardInterrupt(), 130, "")],
)  # fmt: skip
def test_how_a_command_ends(error: BaseException, status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    def command() -> int:
        raise error

    assert exit_status(command) == status
    assert capsys.readouterr() == ("", said)
    assert exit_status(lambda: 7) == 7


def test_a_terminal_gets_no_control_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", Terminal(out, "ascii", newline=""))
    assert exit_status(lambda: print("a\n\r\t ~\0\x1b\x1f\x7f\x9f\xa0") or 0) == 0
    assert out.getvalue() == b"a\n\r\t ~\\x00\\x1b\\x1f\\x7f\\x9f\\xa0\n"
