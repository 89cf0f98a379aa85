"""Imports: games ← ai ← ui ← main, no circle, and what each folder must not import."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from games.registry import GAMES
from ui.window.part import Part
from ui.window.screen import Screen

ROOT = Path(__file__).parents[1]
MUST_DO_WITHOUT = {
    "games": {"main", "tests", "assets", "pygame", "numpy", "numba"},
    "ai": {"main", "tests", "assets", "pygame"},
    "ui": {"main", "tests"},
}
MODULES = sorted(path for layer in MUST_DO_WITHOUT for path in (ROOT / layer).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path): path for path in MODULES}


@cache
def tree_of(source: str) -> ast.Module:
    """The syntax tree of `source`, which several tests walk."""
    return ast.parse(source)


def imported(source: str) -> Iterator[str]:
    """What `source` imports anywhere: at the top, in a function, or for type checking only."""
    for node in ast.walk(tree_of(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module, "imports are absolute"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in NAMES else node.module


@cache
def all_imports() -> dict[str, set[str]]:
    """What each module imports."""
    return {name: set(imported(path.read_text(encoding="utf-8"))) for name, path in NAMES.items()}


@cache
def own_imports() -> dict[str, set[str]]:
    """What each module imports of ours."""
    return {name: modules & NAMES.keys() for name, modules in all_imports().items()}


def imports(wrong: Callable[[str, str], bool], graph: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Each module of `graph` with one that it imports, where that is `wrong`."""
    return [(name, module) for name, modules in graph.items() for module in modules if wrong(name, module)]


def test_each_folder_does_without_what_it_must() -> None:
    assert {"games.record", "ai.core.player", "ui.app"} <= NAMES.keys()
    wrong = imports(lambda name, module: module.split(".")[0] in MUST_DO_WITHOUT[name.split(".")[0]], all_imports())
    assert wrong == []


def test_the_contracts_of_imports_are_kept() -> None:
    """They are in pyproject.toml: which room may import which, and no circle of modules or folders."""
    lint = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", lint, "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_load_without_numpy_or_pygame() -> None:
    """Nothing that games/ imports brings them in by another way."""
    names = ", ".join(name for name in NAMES if name.startswith("games"))
    code = f"import sys, {names}; print({{'numpy', 'pygame', 'ai', 'ui'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_window_opens_without_what_it_does_not_show() -> None:
    """The time to the first frame had grown by a third: it waited for all screens and all players."""
    code = "import sys, ui.app, ui.home.screen; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    features = ("exercises", "home", "library", "play", "profile", "replay", "settings", "setup")
    late = (
        *(f"ui.{feature}.screen" for feature in features), "ui.learn.", "ai.players.opponent.", "ai.distributed.",
        "ai.search.mcts", "ai.pbrain.", "ai.explain.explorer", "jinja2",
    )  # fmt: skip
    assert [name for name in loaded.split() if name.startswith(late)] == ["ui.home.screen"]


def loaded_with(name: str) -> set[str]:
    """The modules of ours that are loaded with a module, that is without what functions import."""
    found, unseen = set[str](), [name]
    while unseen:
        body = tree_of(NAMES[unseen.pop()].read_text(encoding="utf-8")).body
        at_once = "\n".join(ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom))
        new = set(imported(at_once)) & NAMES.keys() - found
        found |= new
        unseen += new
    return found


def test_the_start_of_the_engine_waits_for_no_formats_of_files() -> None:
    """The opening book had brought them in after all: a fifth of the time until a manager's START was answered."""
    loaded = loaded_with("ai.pbrain.server") | loaded_with("ai.gomoku.engine")
    assert {"ai.gomoku.book", "games.line"} <= loaded
    assert sorted(name for name in loaded if name.startswith(("games.formats", "games.record", "ai.players"))) == []


# The folders.

GAME_FREE = {"ai.system.programs", "games.storage", "games.fields", "games.drawing"}
"""Modules of games/ that know no game, only files and JSON."""

KNOWING = {"ui.system.settings"}
"""It must know: what was set up last for each game is a setting."""


def test_toolkit_and_system_know_no_game() -> None:
    def knows(name: str, module: str) -> bool:
        low = name.startswith(("ui.toolkit", "ui.system")) and name not in KNOWING
        return low and module.startswith(("games", "ai")) and module not in GAME_FREE

    assert imports(knows, own_imports()) == []


def test_only_the_start_the_labs_and_the_app_itself_know_the_app() -> None:
    knowing = {name for name, modules in own_imports().items() if "ui.app" in modules}
    assert {name for name in knowing if not name.startswith("ui.lab.")} == {"ui.commands.screenshot", "ui.start"}


def test_nothing_outside_a_lab_imports_a_lab() -> None:
    labs = ("ai.lab", "ui.lab")
    assert imports(lambda name, module: module.startswith(labs) and not name.startswith(labs), own_imports()) == []


# Which game it is, only the entries and a game's own modules may ask.

KEYS = set(GAMES)
OWN = (
    *(f"{folder}/{key}*.py" for folder in ("games", "ai/review", "ui/board") for key in KEYS),
    "ai/solvers/*", "games/line.py", "games/renju.py", "ui/board/grid*.py",
    "games/registry.py", "ai/players/opponents.py", "ai/players/opponent/chances.py", "ai/review/insights.py",
    "ui/board/looks.py", "ai/gomoku/*", "ai/pbrain/*", "*/lab/*",
)  # fmt: skip
GENERAL = {"Position", "LineBoard", "TreePosition", "NodePosition"}
"""Types by which one position is not told from another game's."""


def called(node: ast.AST) -> str:
    """The last name of the function that `node` calls; empty if it is no call of a name."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def asks(source: str) -> Iterator[str]:
    """Where `source` names a game, or tells positions apart by their type."""
    for node in ast.walk(tree_of(source)):
        if isinstance(node, ast.Constant) and node.value in KEYS:
            yield f"{node.lineno}: “{node.value}”"
        elif isinstance(node, ast.Name | ast.alias):
            name = node.id if isinstance(node, ast.Name) else node.name
            if name.endswith("Position") and name not in GENERAL:
                yield f"{node.lineno}: {name}"
        elif called(node) == "isinstance" and re.match(r"isinstance\(\w*\.?position\b", text := ast.unparse(node)):
            yield f"{node.lineno}: {text}"


GENERAL_MODULES = [
    path for path in (*MODULES, ROOT / "main.py") if not any(path.relative_to(ROOT).match(own) for own in OWN)
]


def test_nobody_asks_which_game_it_is() -> None:
    allowed = {
        "main.py": 1,  # that of --game
        "games/formats/renjunet.py": 1,  # a category of rules in its files
        "games/formats/text.py": 1,  # moves alone do not tell their game
        "ui/board/animated_view.py": 1,  # a renderer's refusal of a position that it cannot show
        "ui/system/sound.py": 1,  # the name of a sound
    }
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in GENERAL_MODULES}
    found = {path: list(asks(text)) for path, text in texts.items()}
    assert {path: asked for path, asked in found.items() if len(asked) != allowed.get(path, 0)} == {}


# Which player it is, only the table of players and those beside it may ask.

TABLES = (
    "ai/players/table.py", "ai/players/opponents.py", "ai/players/levels.py", "ai/core/elo.py", "ai/search/*",
    "ai/pbrain/*",
)  # fmt: skip
TOLD_APART = re.compile(r"isinstance\(.*(Player|Engine|Level|AlphaBeta|Minimax|Search)\b")
PLAYERS = {"engine", "alphabeta", "minimax", "random", "cmd"}


def asks_who(source: str) -> Iterator[str]:
    """Where `source` compares something with the name of a player, or tells players or levels apart by their type."""
    for node in ast.walk(tree_of(source)):
        if isinstance(node, ast.Compare):
            constants = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
            if constants & PLAYERS:
                yield f"{node.lineno}: {ast.unparse(node)}"
        elif called(node) == "isinstance" and TOLD_APART.match(text := ast.unparse(node)):
            yield f"{node.lineno}: {text}"


def test_nobody_asks_which_player_it_is() -> None:
    paths = [path.relative_to(ROOT) for path in (*MODULES, ROOT / "main.py")]
    others = [path for path in paths if not any(path.match(table) for table in TABLES)]
    found = {path.as_posix(): list(asks_who((ROOT / path).read_text(encoding="utf-8"))) for path in others}
    assert {path: asked for path, asked in found.items() if asked} == {}


@pytest.mark.parametrize(
    ("look", "source"),
    [
        (asks, 'if setup.game == "gomoku": pass'),
        (asks, "from games.line import LinePosition"),
        (asks, "isinstance(record.position, Heap)"),
        (asks_who, 'if seat.player == "engine": pass'),
        (asks_who, 'name in ("engine", "alphabeta")'),
        (asks_who, "isinstance(x, levels.LevelPlayer | Level)"),
    ],
)
def test_asking_is_noticed(look: Callable[[str], Iterator[str]], source: str) -> None:
    assert list(look(source))


# The window.

MOST_METHODS = 31
"""Of a screen or a part, its own and inherited."""


def _kinds(folder: str, base: type) -> list[type]:
    modules = [importlib.import_module(name) for name in NAMES if name.startswith(folder)]
    found = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    return sorted((kind for kind in found if issubclass(kind, base) and kind.__module__.startswith(folder)), key=repr)


def methods(kind: type) -> set[str]:
    ours = [base for base in kind.__mro__ if base.__module__.startswith("ui.")]
    return {name for base in ours for name, value in vars(base).items() if isinstance(value, FunctionType | property)}


@pytest.mark.parametrize("kind", _kinds("ui.", Part), ids=lambda kind: kind.__name__)
def test_no_screen_or_part_does_too_much(kind: type) -> None:
    assert len(methods(kind)) <= MOST_METHODS, sorted(methods(kind))


SCREENS = [each for each in _kinds("ui.", Screen) if each is not Screen]


@pytest.mark.parametrize("kind", SCREENS, ids=lambda kind: kind.__name__)
def test_no_screen_inherits_from_another(kind: type) -> None:
    assert kind.__bases__ == (Screen,)


# The tests.

ITSELF = {"self", "cls", "super()", "os", "sys"}
"""Whose private names a test may use: those of its own classes, and of the standard library."""


def reaches(source: str) -> Iterator[str]:
    """Yield the private names of the product that a test uses."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            names = [node.attr] if node.attr.startswith("_") and ast.unparse(node.value) not in ITSELF else []
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and called(node).endswith(("setattr", "getattr")):
            if ast.unparse(node.args[0]) in ITSELF:
                continue
            texts = (each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str))
            names = [text.rpartition(".")[2] for text in texts]
        else:
            continue
        yield from (name for name in names if re.match(r"_[a-z]", name, re.IGNORECASE))


@pytest.mark.parametrize(
    "source",
    ["screen._found", "from ui.app import _PROGRESS", 'patch.setattr("ui.app._TIDY", 1)', 'getattr(app, "_wanted")'],
)
def test_a_reach_into_private_state_is_noticed(source: str) -> None:
    assert list(reaches(source))


def test_no_test_reaches_into_private_state() -> None:
    files = (ROOT / "tests").rglob("*.py")
    found = {path.relative_to(ROOT): list(reaches(path.read_text(encoding="utf-8"))) for path in files}
    assert {name: names for name, names in found.items() if names} == {}
