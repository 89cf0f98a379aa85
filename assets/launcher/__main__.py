"""The launcher of an installed Tengen: the command `tengen`, and `python -m tengen`.

In a wheel, `main.py` and our packages are beside this file, inside the package `tengen`, where their short names
cannot collide. An editable install has this file alone, and finds our packages in the checkout on `sys.path`.

A wheel has everything below `tengen`, since others use the names `ui`, `ai` and `games` too. Of the labs, wheel and
executable have what a subcommand uses.
"""

from __future__ import annotations

import sys
from pathlib import Path

_OURS = ("main", "ui", "ai", "games")


def main() -> int:
    """Run one command of `main.py`. Return the exit status."""
    from main import main as run

    return run()


def _claim_names() -> None:
    """Make `_OURS` refer to our modules, in this process and in those it spawns, which inherit `sys.path`.

    Drop modules of these names that something else, such as a .pth file, has already imported.
    """
    root = str(_root())
    sys.path[:] = [root, *(entry for entry in sys.path if entry != root)]
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _OURS and not str(getattr(module, "__file__", None)).startswith(root):
            del sys.modules[name]


def _root() -> Path:
    """Return the folder of our modules: this file's, or a checkout on `sys.path`."""
    here = Path(__file__).resolve().parent
    if (here / "main.py").is_file():
        return here
    return next(Path(entry) for entry in sys.path if Path(entry, "tengen.spec").is_file())


_claim_names()

if __name__ == "__main__":
    # A spawned process runs the main module again unless its spec names the __main__ of a package.
    __spec__ = None
    raise SystemExit(main())
