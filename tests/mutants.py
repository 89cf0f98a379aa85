"""Measure how sharp the tests are: change one thing in the product, and see whether a test that runs it fails.

    python -m pytest --cov --cov-context=test     # which test runs which line
    python -m tests.mutants --count 60 --seed 1

A mutant is drawn at random among all places of the product, labs and kernels apart, where an operator, a comparison, a
constant, a condition or the order of two arguments can be changed. It is tried in a copy of the checkout by the tests
that run its line: by a few of them, those of its own folder first, and if it lives by up to `--tests`. A line that an
import runs, such as that of a constant, is tried by the tests that run its module. One that no test catches is
printed. It may also be equivalent, that is, change nothing that can be observed: a person decides.
"""

from __future__ import annotations

import argparse
import ast
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coverage import CoverageData

ROOT = Path(__file__).parents[1]
_COPIED = ("games", "ai", "ui", "assets", "tests", "main.py", "pyproject.toml", "README.md", "CONTRIBUTING.md", "docs")
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
    ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_CALCULATED: dict[type[ast.operator], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*", ast.Div: "*",
}  # fmt: skip
_SECONDS = 300  # a mutant whose tests take longer runs for ever, and is caught
_FEW = 40


@dataclass(frozen=True)
class Mutant:
    """One change: in `file`, from `start` to `end` (offsets in its bytes), `old` becomes `new`. `imported` if it is
    outside functions, where the import of the module runs it."""

    file: str
    line: int
    imported: bool
    start: int
    end: int
    old: str
    new: str

    def apply(self, source: bytes) -> bytes:
        """Return the source with the change."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def mutants(file: str, source: str) -> Iterator[Mutant]:
    """Yield all changes of a module that leave it a program; no annotation, docstring or text is changed."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    tree = ast.parse(source)
    bodies = [range(each.body[0].lineno, (each.end_lineno or 0) + 1) for each in ast.walk(tree)
              if isinstance(each, ast.FunctionDef)]  # fmt: skip

    def change(node: ast.expr, new: str) -> Mutant:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        imported = not any(node.lineno in body for body in bodies)
        return Mutant(file, node.lineno, imported, start, end, source.encode()[start:end].decode(), new)

    for node in _executed(tree):
        match node:
            case ast.Compare(ops=[op], left=left, comparators=[right]):
                yield change(node, f"(({ast.unparse(left)}) {_COMPARED[type(op)]} ({ast.unparse(right)}))")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _CALCULATED and not _is_text(node):
                yield change(node, f"(({ast.unparse(left)}) {_CALCULATED[type(op)]} ({ast.unparse(right)}))")
            case ast.BoolOp(op=op, values=[first, *rest]):
                word = " or " if isinstance(op, ast.And) else " and "
                yield change(node, f"({word.join(f'({ast.unparse(value)})' for value in (first, *rest))})")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield change(node, f"({ast.unparse(operand)})")
            case ast.Constant(value=bool(value)):
                yield change(node, str(not value))
            case ast.Constant(value=int(value)):
                yield change(node, str(value + 1 + value // 4))
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if not isinstance(test, ast.Constant):
                yield change(test, f"(not ({ast.unparse(test)}))")
            case ast.Call(args=[ast.Name() as first, ast.Name() as second], keywords=[]):
                yield change(node, f"{ast.unparse(node.func)}({second.id}, {first.id})")


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below that a run of the program can show: without annotations, what only mypy reads, decorators,
    such as that of a frozen class, and ``strict=True``, which asserts what must hold anyway."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_params", "decorator_list") or isinstance(node, ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue
            if isinstance(child, ast.AST):
                yield child
                yield from _executed(child)


def _is_text(node: ast.BinOp) -> bool:
    """Return whether it joins texts or sequences."""
    return any(
        isinstance(each, ast.JoinedStr | ast.List | ast.Tuple) or isinstance(getattr(each, "value", None), str)
        for each in (node.left, node.right)
    )


def covering(data: CoverageData) -> dict[str, dict[int, list[str]]]:
    """Return for each file, relative to the checkout, and line the tests that run it."""
    tests: dict[str, dict[int, list[str]]] = {}
    for file in data.measured_files():
        lines = data.contexts_by_lineno(file)
        named = {line: {each.rpartition("|")[0] for each in found if each} for line, found in lines.items()}
        tests[file] = {line: sorted(each) for line, each in named.items()}
    return tests


def _chosen(tests: list[str], file: str, count: int, dice: random.Random) -> list[str]:
    """Return up to `count` of the tests in the order to try them: those of the module, of its folder, then others."""
    path = Path(file)
    folder, module = f"tests/{path.parent.as_posix()}/", f"test_{path.stem}.py"
    shuffled = dice.sample(tests, len(tests))
    near = sorted(shuffled, key=lambda test: (module not in test, not test.startswith(folder)))
    return near[:count]


def _sample(count: int, seed: int) -> list[Mutant]:
    files = [path for top in ("games", "ai", "ui") for path in sorted((ROOT / top).rglob("*.py"))
             if "lab" not in path.parts and "kernels" not in str(path)]  # fmt: skip
    every = [mutant for path in files for mutant in mutants(str(path.relative_to(ROOT)), path.read_text("utf-8"))]
    return random.Random(seed).sample(every, count)


class Trial:
    """Tries mutants in a copy of the checkout. Tests that fail there without any are not counted."""

    def __init__(self, copy: Path) -> None:
        self._copy = copy
        self._broken: set[str] = set()

    def is_caught(self, mutant: Mutant, tests: list[str]) -> bool:
        """Whether one of the tests fails with the mutant, or never ends: the first few decide for most of them."""
        file = self._copy / mutant.file
        source = file.read_bytes()
        for part in (tests[:_FEW], tests[_FEW:]):
            while able := [test for test in part if test not in self._broken]:
                file.write_bytes(mutant.apply(source))
                try:
                    failed = self._failed(able)
                finally:
                    file.write_bytes(source)
                if failed is None:
                    break
                again = [failed] if failed else able
                if self._failed(again) is None:
                    return True
                self._broken.update(again)
        return False

    def _failed(self, tests: list[str]) -> str | None:
        """Return the first test that fails; empty if it cannot be named, as where a module cannot be imported or the
        tests take too long; None if all pass."""
        processes = "0" if len(tests) <= _FEW else "2"
        options = ["-n", processes, "-x", "-q", "-p", "no:cacheprovider", "-m", ""]
        command = [sys.executable, "-m", "pytest", *options, *tests]
        try:
            run = subprocess.run(command, cwd=self._copy, capture_output=True, text=True, timeout=_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return ""
        named = (test for test in tests if f"FAILED {test}" in run.stdout)
        return None if run.returncode == 0 else next(named, "")


def main() -> None:
    """Parse the command line, try the mutants, and print those that live."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", type=int, default=600, help="at most, for each mutant")
    parser.add_argument("--coverage", default=str(ROOT / ".coverage"), help="data with contexts")
    given = parser.parse_args()
    data = CoverageData(given.coverage)
    data.read()
    tests, dice, caught = covering(data), random.Random(given.seed), 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        trial = Trial(copy)
        for name in _COPIED:
            from_ = ROOT / name
            (shutil.copytree if from_.is_dir() else shutil.copy)(from_, copy / name)
        for number, mutant in enumerate(_sample(given.count, given.seed), 1):
            by_line = tests.get(mutant.file, {})
            able = [] if mutant.imported else by_line.get(mutant.line, [])
            able = able or sorted({test for found in by_line.values() for test in found})
            chosen = _chosen(able, mutant.file, given.tests, dice)
            if trial.is_caught(mutant, chosen):
                caught += 1
            else:
                print(f"{mutant.file}:{mutant.line}: {mutant.old!r} -> {mutant.new!r} lives, with {len(chosen)} tests")
            print(f"{caught} of {number} caught", flush=True)


if __name__ == "__main__":
    main()
