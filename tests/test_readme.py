"""Check the commands, keys, links and figures of README.md."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

import main
from games.registry import GAMES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
INSTALL = "python3 -m venv .venv && .venv/bin/python -m pip install . && .venv/bin/tengen"
TEST = 'python3 -m venv .venv && .venv/bin/python -m pip install -e ".[dev]" && .venv/bin/python -m pytest'
MOST_BYTES_OF_PICTURE = 320_000


def on_windows(command: str) -> str:
    """A command of README for Windows: in one line that its old and its new shell understand."""
    there = command.replace("python3 ", "py ").replace(".venv/bin/", ".venv\\Scripts\\").replace('"', "")
    return f'cmd /c "{there}"'


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def table(text: str) -> Iterator[list[str]]:
    """The cells of each row, without the head."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for row in rows[2:]:
        yield [cell.strip() for cell in row.strip("|").split("|")]


# Commands.


def test_the_two_commands_are_on_the_first_screen() -> None:
    first = README.split("\n## ")[0]
    assert f"```sh\n{INSTALL}\n```" in first
    assert f"```sh\n{TEST}\n```" in first
    assert first.index(INSTALL) < first.index(TEST) < 1000
    assert first.count("```sh") == 2, "each is complete by itself"
    assert f"```bat\n{on_windows(INSTALL)}\n{on_windows(TEST)}\n```" in first


def test_the_program_that_readme_starts_is_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"]["tengen"] == "tengen.__main__:main"


@pytest.mark.parametrize("file", [".ci/run", ".github/workflows/ci.yml", "CONTRIBUTING.md"])
def test_what_is_checked_is_what_readme_says(file: str) -> None:
    assert TEST in (ROOT / file).read_text(encoding="utf-8")


def test_what_is_checked_on_windows_is_what_readme_says() -> None:
    assert on_windows(TEST) in (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")


def shown_commands() -> list[list[str]]:
    lines = section("Command line").split("```")[1].splitlines()[1:]
    return [shlex.split(line, comments=True) for line in lines]


@pytest.mark.parametrize("command", shown_commands(), ids=" ".join)
def test_every_command_shown_is_one_that_is_understood(command: list[str]) -> None:
    program, *arguments = command
    assert program == "tengen"
    if arguments[0] in main.COMMANDS:
        main.command_parser(arguments[0]).parse_args(arguments[1:])
    else:
        assert arguments[0].endswith(".tengen.json") or arguments[0].startswith("--")
        main.window_parser().parse_args(arguments)


def test_every_command_is_shown() -> None:
    assert set(main.COMMANDS) <= {command[1] for command in shown_commands()}


# The rest.


def test_links_and_pictures_are_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if not link.startswith("https://")]
    assert {"assets/pictures/play.webp", "assets/pictures/play.png"} <= set(links)
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_the_film_of_a_game_moves_and_is_light() -> None:
    film = ROOT / "assets" / "pictures" / "play.webp"
    assert film.stat().st_size <= 2_500_000
    with Image.open(film) as opened:
        assert opened.n_frames > 20  # type: ignore[attr-defined]


def test_every_page_of_the_guide_is_linked() -> None:
    guide = [file.relative_to(ROOT).as_posix() for file in (ROOT / "assets" / "guide").rglob("*.md")]
    assert [page for page in guide if f"({page})" not in README] == []


@pytest.mark.parametrize("picture", sorted(path.name for path in (ROOT / "assets" / "pictures").glob("*.png")))
def test_a_picture_is_shown_is_light_and_can_be_made_anew(picture: str) -> None:
    assert f"(assets/pictures/{picture})" in README
    assert (ROOT / "assets" / "pictures" / picture).stat().st_size < MOST_BYTES_OF_PICTURE
    made_by = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    commands = re.findall(rf"`[^`]*main\.py (screenshot \w+ assets/pictures/{re.escape(picture)}[^`]*)`", made_by)
    assert len(commands) == 1
    options = main.command_parser("screenshot").parse_args(shlex.split(commands[0])[1:])
    assert options.file is None or (ROOT / options.file).is_file()


def test_the_sizes_of_the_games_are_as_told() -> None:
    told = section("Games and players")
    gomoku, bones = GAMES["gomoku"], GAMES["bones"]
    assert f"{gomoku.sizes[0]}×{gomoku.sizes[0]} to {gomoku.sizes[-1]}×{gomoku.sizes[-1]}" in told
    assert f"{gomoku.size}×{gomoku.size} unless" in told
    assert f"{bones.sizes[0]} to {bones.sizes[-1]} bones" in told
    words = json.loads((ROOT / "assets" / "locales" / "en.json").read_text(encoding="utf-8"))
    assert {name for name, _ in table(told)} == {words[f"game.{game}"] for game in GAMES}


def test_the_changes_begin_with_this_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\S+)", changes, re.MULTILINE)
    assert next(each for each in versions if each != "Unreleased") == main.VERSION
