"""What cannot be a picture is refused before a window is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from ai.puzzles.collection import Wish
from ai.review.report import run_review
from games.formats import save
from games.formats.text import parse
from games.registry import setup
from games.storage import saves_home
from tests.ui.stage import Stage
from ui.commands.screenshot import LARGEST, PICTURES, screenshot
from ui.puzzles.state import PuzzleRun, shipped_puzzles
from ui.system.window import SMALLEST

WIDE, HIGH = SMALLEST


@pytest.mark.parametrize(
    ("size", "scale", "says"),
    [
        ((WIDE, HIGH), 80, "has no pages"), ((WIDE, HIGH), 200, "has no pages"),
        ((LARGEST, LARGEST), 100, "has no pages"), ((WIDE - 1, HIGH), 100, "A picture has"),
        ((WIDE, HIGH - 1), 100, "A picture has"), ((LARGEST + 1, HIGH), 100, "A picture has .* to 8000x8000 pixels"),
        ((WIDE, LARGEST + 1), 100, "A picture has"), ((WIDE, HIGH), 79, "scale"), ((WIDE, HIGH), 201, "scale"),
    ],
)  # fmt: skip
def test_sizes_at_and_beyond_the_limits(size: tuple[int, int], scale: int, says: str, tmp_path: Path) -> None:
    """The scene has no pages, which is found out next."""
    with pytest.raises(ValueError, match=says):
        screenshot("home", tmp_path / "a.png", size, scale, "ink", "en", page=1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("scene", "name", "says"),
    [("home", "a.gif", r"must be a \.png file"), ("home", "a.txt", r"must be a \.png file"),
     ("none", "a.png", "no scene"), ("lesson", "a.txt", r"must be a \.png or \.gif or \.webp file"),
     ("home", "a.PNG", "has no pages")],
)  # fmt: skip
def test_kinds_of_pictures(scene: str, name: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=says):
        screenshot(scene, tmp_path / name, SMALLEST, 100, "ink", "en", page=1)


@pytest.mark.parametrize(
    ("at", "says"),
    [(5, "The game is over there"), (None, "The game is over there"), (6, "has 5 moves; there is no move 6"),
     (-1, "has 5 moves; there is no move -1")],
)  # fmt: skip
def test_the_move_must_be_one_of_the_game(at: int | None, says: str, tmp_path: Path) -> None:
    save(parse("a1b1a2b2a3", setup("tictactoe")), tmp_path / "game.tengen.json")
    with pytest.raises(ValueError, match=says):
        screenshot("learn", tmp_path / "a.png", SMALLEST, 100, "ink", "en", tmp_path / "game.tengen.json", at)
    assert {name for name, picture in PICTURES.items() if picture.searched} == {"learn", "compare", "trees", "threads"}
    assert {name for name, picture in PICTURES.items() if picture.engine} == {"analysis", "review"}


def test_a_film_of_a_search_shows_its_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path / "home"))
    save(parse("3 3 1", setup("bones", 9)), tmp_path / "game.tengen.json")
    screenshot("learn", tmp_path / "a.gif", SMALLEST, 100, "ink", "en", tmp_path / "game.tengen.json")
    with Image.open(tmp_path / "a.gif") as film:
        assert (film.size, film.n_frames, film.info["duration"]) == (SMALLEST, 8, 500)


def test_scenes_of_a_game_show_it_at_its_cursor_and_write_nothing(made: Stage) -> None:
    record = parse("a1b1b2a2c3", setup("tictactoe"))
    record.go_to(here := record.line()[2])
    for name in ("play", "analysis", "review", "explorer"):
        scene: Any = PICTURES[name].make(made.app, record, None)
        assert record.cursor is here
        assert scene.state.still if name == "play" else scene.state.tab == name
        scene.state.choose(8)
        record.go_to(here)
    made.app.files.settle()
    assert not saves_home().exists()
    puzzle: Any = PICTURES["puzzle"].make(made.app, record, None)
    alike = PuzzleRun(made.app, shipped_puzzles(), wish=Wish("tictactoe"), seed=1)
    assert (puzzle.run.wish, puzzle.run.current) == (alike.wish, alike.current)
    for reviewed in (False, True):
        mistakes: Any = PICTURES["mistakes"].make(made.app, record, None)
        assert (mistakes.practice.of_game, len(mistakes.practice.exercises)) == (reviewed, 2 * reviewed)
        run_review(record, 0.2, 1)
