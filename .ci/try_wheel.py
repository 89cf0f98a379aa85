"""Try a wheel in a fresh environment: `python .ci/try_wheel.py WHEEL`. Fail unless the engine runs as it should.

A wheel with the native library brings no numba, and finds the library that it carries.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ai.system.compiler.cache import kernels_home  # noqa: E402
from ai.system.compiler.linking import can_link  # noqa: E402

SIGNATURE = "58937"
"""Of `tengen bench`: the nodes that the engine visits, however its kernels run."""

_PRINT_SIGNATURE = "import tengen.__main__; from ai.lab.engine_speed import signature; print(signature())"


def try_wheel(wheel: Path, place: Path) -> None:
    """Install `wheel` in `place` and use the program. Raise `RuntimeError` or `CalledProcessError`."""
    venv.create(place / "venv", with_pip=True)
    programs = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
    # What is compiled is kept for the next time.
    surroundings = {"NUMBA_CACHE_DIR": str(kernels_home()), "TENGEN_HOME": str(place / "home"), "PYTHONUTF8": "1"}
    inherited = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "TENGEN_KERNELS")}

    def run(program: str, *arguments: str) -> str:
        command = [str(programs / program), *arguments]
        done = subprocess.run(
            command, cwd=place, env=inherited | surroundings, stdout=subprocess.PIPE, encoding="utf-8", check=True
        )
        return done.stdout

    run("python", "-m", "pip", "install", "-q", "--no-compile", str(wheel.absolute()))
    said = run("tengen", "--diagnose")
    facts = dict(line.split(maxsplit=1) for line in said.splitlines() if " " in line)
    alone = not wheel.name.endswith("-none-any.whl")
    require(facts["engine"].startswith("native library") == (alone or can_link()), said)
    require((str(Path("ai", "native")) in facts["engine"]) == alone, said)
    require((facts["numba"] == "not installed") or not alone, said)
    (found,) = json.loads(run("tengen", "analyse", "h8i9g7", "--last", "--depth", "8", "--json"))["positions"]
    require(found["depth"] == 8, str(found))
    run("tengen", "screenshot", "play", "play.png")
    require((place / "play.png").read_bytes().startswith(b"\x89PNG"), "a picture")
    signature = run("python", "-c", _PRINT_SIGNATURE).strip()
    require(signature == SIGNATURE, f"signature {signature}")
    print(f"{wheel.name}: {facts['engine']}")


def require(true: bool, said: str) -> None:
    """Raise `RuntimeError` with what the program `said` unless something is `true`."""
    if not true:
        raise RuntimeError(said)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try_wheel(Path(sys.argv[1]), Path(folder))
