"""What the page for teachers says: the lessons are as long as that, and the example reads a trace."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path

import pytest

import main
from ai.search.trace import Trace, document
from games.registry import setup
from ui.learn.lesson_state import lessons
from ui.toolkit.resources import resource

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {"en": DOCS / "TEACHERS.md", "zh": DOCS / "TEACHERS.zh.md"}


def blocks(code: str) -> list[str]:
    """The commands, the program and what it prints."""
    return re.findall(r"```\w*\n(.*?)```", PAGES[code].read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("code", PAGES)
def test_lessons_are_as_long_as_the_page_says(code: str) -> None:
    text = PAGES[code].read_text(encoding="utf-8")
    told = re.findall(r"^\| (\d+) (.*?) \| (\d+) \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    assert [(int(number), title, int(pages), int(asked)) for number, title, pages, asked, _ in told] == [
        (number, each.title, len(each.steps), len(each.questions))
        for number, each in enumerate(lessons(code), 1) if resource("lessons", code, f"{each.key}.toml").is_file()
    ]  # fmt: skip
    for _, _, pages, asked, minutes in told:
        assert int(minutes) == math.floor(1.5 * int(pages) + int(asked) + 0.5)


def test_both_languages_have_the_same_commands_and_program() -> None:
    assert blocks("en") == blocks("zh")


def test_each_key_of_a_trace_is_explained() -> None:
    keys = document(Trace(), "minimax", setup("tictactoe").start(), ())
    for page in PAGES.values():
        explained = set(re.findall(r"`(\w+)`", page.read_text(encoding="utf-8")))
        assert keys.keys() | {"visits", "prior", "mean", "bonus", "again", "stands", "probability"} <= explained


def test_the_example_reads_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands, program, printed = blocks("en")
    monkeypatch.chdir(tmp_path)
    words = commands.replace("\\\n", "").splitlines()[0].split()
    assert main.main(words[2:]) == 0
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["count.py", "tree.json"])
    exec(compile(program, "count.py", "exec"), {"__name__": "__main__"})  # the program of the page
    assert capsys.readouterr().out == printed
    assert len([line for line in program.splitlines() if line]) <= 10
