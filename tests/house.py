"""Measure the house: modules, their length, names with two meanings, functions without a docstring.

    python -m tests.house [CHECKOUT]
"""

from __future__ import annotations

import ast
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOMS = ("games", "ai", "ui")


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions and methods of a module, but not those inside of others."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from (each for each in node.body if isinstance(each, ast.FunctionDef))


def documented(function: ast.FunctionDef) -> bool:
    dunder = function.name.startswith("__") and function.name.endswith("__")
    return dunder or ast.get_docstring(function) is not None


def main(root: Path) -> None:
    """Print what there is in the checkout `root`."""
    files = [file for room in ROOMS for file in sorted((root / room).rglob("*.py"))]
    modules = [file for file in files if file.name != "__init__.py"]
    product = [file for file in modules if "lab" not in file.parts]
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    tests = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in (root / "tests").rglob("*.py"))
    classes, stems, all_functions = defaultdict(set), defaultdict(set), []
    for file in product:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        stems[file.stem].add(file)
        all_functions += list(functions(tree))
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].add(file)
    bare = [each for each in all_functions if not documented(each)]
    public = [each for each in bare if not each.name.startswith("_")]
    for name, value in {
        "modules": len(modules),
        "modules without labs": len(product),
        "median lines of these": statistics.median(lines[file] for file in product),
        "of fewer than 60 lines": sum(lines[file] < 60 for file in product),
        "lines": sum(lines.values()),
        "lines without labs": sum(lines[file] for file in product),
        "lines of tests": tests,
        "names of public classes with two meanings": sum(len(where) > 1 for where in classes.values()),
        "names of modules with two meanings": sum(len(where) > 1 for where in stems.values()),
        "functions": len(all_functions),
        "without a docstring": len(bare),
        "public ones without": len(public),
    }.items():
        print(f"{name:42} {value:>7,}")
    print("classes:", ", ".join(sorted(name for name, where in classes.items() if len(where) > 1)))
    print("modules:", ", ".join(sorted(name for name, where in stems.items() if len(where) > 1)))


if __name__ == "__main__":
    main(Path(*sys.argv[1:]))
