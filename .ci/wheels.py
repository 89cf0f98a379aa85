"""Build the wheels in a folder: `python .ci/wheels.py FOLDER`, with the extra `dev` and a C compiler.

One wheel is for this system, carries the native library of the kernels (docs/PACKAGE.md) and needs no numba. The other
is for any system, as `pip install .` makes it: the kernels are compiled once on each machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ai.system.compiler import native  # noqa: E402

OLDEST_MACOS = "11.0"

TAGS = {
    "darwin-arm64": f"macosx_{OLDEST_MACOS.replace('.', '_')}_arm64",
    "linux-arm64": "manylinux_2_17_aarch64",
    "linux-x86_64": "manylinux_2_17_x86_64",
    "win32-x86_64": "win_amd64",
}
"""What wheels call the systems for which there are native libraries: the oldest that numpy or pygame supports."""


class NativeWheel(WheelBuilder):
    """Build a wheel with the native library in the folder `library`, made for this system, and without numba."""

    def __init__(self, library: Path) -> None:
        config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        project = config["project"]
        project["dependencies"] = [each for each in project["dependencies"] if not each.startswith("numba")]
        super().__init__(str(ROOT), config=config)
        self._library = library

    def get_default_build_data(self) -> dict[str, Any]:
        """Called by hatchling: say what the wheel is, and what goes in besides what `pyproject.toml` names."""
        tag = f"py3-none-{TAGS[native.system()]}"
        more = {"tag": tag, "pure_python": False, "force_include": {str(self._library): "ai/native"}}
        return super().get_default_build_data() | more


def build(folder: Path, library: Path) -> list[Path]:
    """Build both wheels in `folder`, with the native library in the folder `library`. Return their paths."""
    builders = WheelBuilder(str(ROOT)), NativeWheel(library)
    return [Path(made) for builder in builders for made in builder.build(directory=str(folder))]


def main(folder: Path) -> None:
    """Make the library, then the wheels in `folder`, and print their paths."""
    with tempfile.TemporaryDirectory() as library:
        command = [sys.executable, "-m", "ai.gomoku.compile_kernels", library]
        subprocess.run(command, cwd=ROOT, env=os.environ | {"MACOSX_DEPLOYMENT_TARGET": OLDEST_MACOS}, check=True)
        print(*build(folder.absolute(), Path(library)), sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
