"""The frame of every command."""

from __future__ import annotations

import errno
import io
import sys
from pathlib import Path

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


@pytest.mark.parametrize(
    ("error", "said"),
    [(OSError(errno.ENOSPC, "No room"), "The output cannot be written: No room.\n"), (BrokenPipeError(), "")],
)
def test_an_output_that_cannot_be_written_is_a_sentence_unless_its_reader_has_gone(
    error: OSError, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise error

        def fileno(self) -> int:
            return file.fileno()

    with (tmp_path / "out").open("wb") as file:
        monkeypatch.setattr(sys, "stdout", Full())
        assert exit_status(lambda: 0) == 1
    assert capsys.readouterr().err == said
