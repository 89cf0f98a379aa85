"""`.ci/wheels.py` builds a wheel with the native library and without numba, and one for any system."""

from __future__ import annotations

import hashlib
import importlib.util
import zipfile
from email import message_from_bytes
from pathlib import Path
from types import ModuleType

import pytest

import main
from ai.system.compiler import linking, native

ROOT = Path(__file__).parents[1]
LIBRARY = {native.FILE: b"library", native.MANIFEST: b"{}", linking.LICENCES: b"licences"}

pytestmark = pytest.mark.slow


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The wheel for any system, and the one for this system."""
    library, folder = tmp_path_factory.mktemp("library"), tmp_path_factory.mktemp("wheels")
    for name, data in LIBRARY.items():
        (library / name).write_bytes(data)
    module = script("wheels")
    if native.system() not in module.TAGS:
        pytest.skip("there is no native library for this system")
    built: list[Path] = module.build(folder, library)
    return built


def files(wheel: Path) -> dict[str, bytes]:
    """What a wheel installs in our package."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.startswith("tengen/")}


def test_one_wheel_has_the_library_besides(wheels: list[Path]) -> None:
    anywhere, here = map(files, wheels)
    assert {f"tengen/ai/native/{name}": data for name, data in LIBRARY.items()} == {
        name: data for name, data in here.items() if name not in anywhere
    }
    assert anywhere.items() <= here.items()


def test_the_names_of_wheels_tell_where_they_can_be_installed(wheels: list[Path]) -> None:
    anywhere, here = (wheel.name for wheel in wheels)
    assert anywhere == f"tengen-{main.VERSION}-py3-none-any.whl"
    assert here == f"tengen-{main.VERSION}-py3-none-{script('wheels').TAGS[native.system()]}.whl"


def test_a_wheel_with_the_library_needs_no_numba(wheels: list[Path]) -> None:
    def needed(wheel: Path) -> set[str]:
        with zipfile.ZipFile(wheel) as archive:
            told = message_from_bytes(archive.read(f"tengen-{main.VERSION}.dist-info/METADATA"))
        return set(told.get_all("Requires-Dist", []))

    anywhere, here = map(needed, wheels)
    (more,) = anywhere - here
    assert more.startswith("numba")
    assert here < anywhere


def test_a_wheel_has_the_sources_of_which_the_library_is_made(wheels: list[Path], tmp_path: Path) -> None:
    """Of other sources the installed program would not load it."""
    with zipfile.ZipFile(wheels[1]) as archive:
        archive.extractall(tmp_path)
    found = [file for pattern in native.SOURCES for file in sorted((tmp_path / "tengen" / "ai").glob(pattern))]
    digests = [hashlib.sha256(file.read_bytes()).digest() for file in found]
    assert hashlib.sha256(b"".join(digests)).hexdigest() == native.sources_hash()
