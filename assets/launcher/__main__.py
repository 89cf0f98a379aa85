"""The launcher of an installed Tengen, in the package `tengen`: the command `tengen`, and `python -m tengen`.

In a wheel `main.py` and our packages lie beside this file, where their short names collide with nobody's. An editable
install has this file alone; our packages are in the checkout, which it puts on `sys.path`.
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
    """Make `_OURS` mean our modules, in this process and in those it spawns, which inherit `sys.path`.

    Modules of these names that something else has already imported, such as a .pth file, are dropped.
    """
    root = str(_root())
    sys.path[:] = [root, *(entry for entry in sys.path if entry != root)]
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _OURS and not str(getattr(module, "__file__", None)).startswith(root):
            del sys.modules[name]


def _root() -> Path:
    """The folder that holds our modules: this file's own, or a checkout on `sys.path`."""
    here = Path(__file__).resolve().parent
    if (here / "main.py").is_file():
        return here
    return next(Path(entry) for entry in sys.path if Path(entry, "tengen.spec").is_file())


_claim_names()

if __name__ == "__main__":
    # A spawned process runs the main module again, unless its spec says that it is the __main__ of a package.
    __spec__ = None
    raise SystemExit(main())
