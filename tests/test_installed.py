"""`pip install .` installs one package, `tengen`, which works beside others called `ui` and `ai`."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import main

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "assets"
PROGRAMS = {
    "tengen": ("tengen",),
    "python -m tengen": ("python", "-m", "tengen"),
    "python -P -m tengen": ("python", "-P", "-m", "tengen"),
    "python -I -m tengen": ("python", "-I", "-m", "tengen"),
}

pytestmark = pytest.mark.slow


class Environment:
    """A virtual environment in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.run(sys.executable, "-m", "venv", str(folder), cwd=folder.parent)
        self._programs = folder / ("Scripts" if os.name == "nt" else "bin")
        printed = self.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
        self.packages = Path(printed.strip())

    def run(self, program: str, *arguments: str, cwd: Path) -> str:
        """Run `program`, one of this environment unless it is a path. Return what it prints on stdout."""
        path = program if Path(program).is_absolute() else str(self._programs / program)
        environment = os.environ | {"TENGEN_HOME": str(cwd / "home"), "SDL_VIDEODRIVER": "dummy"}
        done = subprocess.run(
            [path, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=600
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("environment") / "fresh")


@pytest.fixture(scope="module")
def wheel(fresh: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    fresh.run("python", "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT), cwd=folder)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(fresh: Environment, wheel: Path) -> Environment:
    """The wheel, beside packages called `ui` and `ai` that Python imports as it starts."""
    fresh.run("python", "-m", "pip", "install", str(wheel), cwd=wheel.parent)
    for name in ("ui", "ai"):
        (fresh.packages / name).mkdir()
        (fresh.packages / name / "__init__.py").write_text("SOMEBODY_ELSE = True\n")
    (fresh.packages / "somebody_else.pth").write_text("import ui, ai\n")
    return fresh


@pytest.fixture
def somewhere(tmp_path: Path) -> Path:
    """A folder with a module `ui`, which `python -m` looks at first."""
    (tmp_path / "ui.py").write_text("raise RuntimeError('not the ui of Tengen')\n")
    return tmp_path


def test_everything_in_the_wheel_is_in_one_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"tengen", f"tengen-{main.VERSION}.dist-info"}
    assert {"tengen/__main__.py", "tengen/main.py", "tengen/ui/app.py", "tengen/assets/locales/en.json"} <= set(names)
    ours = {"tests", "pictures", "launcher", "desktop", "__pycache__"}
    unwanted = ours | {script.name for script in ASSETS.glob("make_*.py")}
    assert {f"tengen/assets/boards/{picture.name}" for picture in (ASSETS / "boards").iterdir()} <= set(names)
    assert [name for name in names if set(name.split("/")) & unwanted] == []


def labs_imported_by(source: str) -> set[str]:
    """Modules of a lab that `source` imports anywhere, and those that they import, as paths."""
    names = {node.module or "" for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
    names |= {
        f"{node.module}.{alias.name}"
        for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom) for alias in node.names
    }  # fmt: skip
    paths = {f"{name.replace('.', '/')}.py" for name in names if name.startswith(("ai.lab.", "ui.lab."))}
    paths = {path for path in paths if (ROOT / path).is_file()}
    return paths.union(*(labs_imported_by((ROOT / path).read_text(encoding="utf-8")) for path in paths))


def test_the_wheel_has_of_the_labs_what_a_subcommand_uses(wheel: Path) -> None:
    labs = {name.removeprefix("tengen/") for name in zipfile.ZipFile(wheel).namelist() if "/lab/" in name}
    used = labs_imported_by((ROOT / "main.py").read_text(encoding="utf-8"))
    assert {"ai/lab/bench.py", "ui/lab/measure.py"} <= used
    assert labs == used | {"ai/lab/__init__.py", "ui/lab/__init__.py", "ai/lab/vcf.txt"}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_installed_program_starts(installed: Environment, somewhere: Path, program: tuple[str, ...]) -> None:
    assert installed.run(*program, "--version", cwd=somewhere) == f"tengen {main.VERSION}\n"


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_workers_of_the_installed_program_find_it(
    installed: Environment, somewhere: Path, program: tuple[str, ...]
) -> None:
    match = ["arena", "random", "random", "--game", "tictactoe", "--games", "2", "--workers", "2"]
    assert "2 games" in installed.run(*program, *match, cwd=somewhere)


def test_the_installed_program_converts(installed: Environment, somewhere: Path) -> None:
    installed.run("tengen", "convert", "h8i9", "out.txt", cwd=somewhere)
    assert "h8i9" in (somewhere / "out.txt").read_text()


def test_the_installed_program_finds_fonts_and_words(installed: Environment, somewhere: Path) -> None:
    installed.run("tengen", "screenshot", "home", "out.png", cwd=somewhere)
    assert (somewhere / "out.png").read_bytes().startswith(b"\x89PNG")
