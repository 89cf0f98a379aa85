"""Measure the house: modules, their length, names with two meanings, functions without a docstring.

    python -m tests.house [CHECKOUT]
    python -m tests.house CHECKOUT FOLDER ...      list the functions that lack a docstring in these folders
"""

from __future__ import annotations

import ast
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from games.registry import GAMES

ROOMS = ("games", "ai", "ui")
CONVENTIONS = {"screen", "state", *GAMES}
"""Names of modules that recur on purpose: the first screen of a feature, its state without pixels, and what belongs to
one game. They name no second idea."""
LONG = 8
"""Lines of a private function that are understood without a docstring."""


@dataclass
class ClassFacts:
    """What the measure needs of a class: its bases, its members, and the signatures of methods with a docstring."""

    name: str
    bases: list[str]
    members: set[str] = field(default_factory=set)
    documented: dict[str, str] = field(default_factory=dict)


def facts(node: ast.ClassDef) -> ClassFacts:
    """The facts of one class statement."""
    bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    found = ClassFacts(node.name, [ast.unparse(base).rpartition(".")[2] for base in bases])
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and not is_dunder(each.name):
            found.members.add(each.name)
            if ast.get_docstring(each):
                found.documented[each.name] = signature(each)
        elif isinstance(each, (ast.AnnAssign, ast.Assign)):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            found.members.update(target.id for target in targets if isinstance(target, ast.Name))
        elif isinstance(each, ast.FunctionDef) and each.name == "__init__":
            found.members.update(attributes(each))
    return found


def attributes(constructor: ast.FunctionDef) -> Iterator[str]:
    """The names that a constructor assigns on `self`."""
    for each in ast.walk(constructor):
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and ast.unparse(each.value) == "self":
            yield each.attr


def signature(function: ast.FunctionDef) -> str:
    """The names of the arguments and what is returned, by which an implementation is told from a namesake."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return ", ".join([*names[1:], ast.unparse(function.returns) if function.returns else ""])


def is_dunder(name: str) -> bool:
    """Whether Python itself says what a function of this name does."""
    return name.startswith("__") and name.endswith("__")


class Contracts:
    """Which methods have their contract in the docstring of a base class, or of a protocol that the class fulfils."""

    def __init__(self, classes: Iterable[ClassFacts]) -> None:
        self._classes: dict[str, list[ClassFacts]] = defaultdict(list)
        for each in classes:
            self._classes[each.name].append(each)
        self._protocols = [each for named in self._classes.values() for each in named if "Protocol" in each.bases]

    def inherited(self, of: ClassFacts, method: ast.FunctionDef) -> bool:
        """Whether a base class documents the method, or a fulfilled protocol one with the same signature."""
        bases = [each for each in self._lineage(of) if each is not of]
        members = of.members.union(*(each.members for each in bases))
        fulfilled = (each for each in self._protocols if each.members <= members and each.name != of.name)
        return any(method.name in each.documented for each in bases) or any(
            method.name in each.documented
            and (len(each.members) > 1 or each.documented[method.name] == signature(method))
            for each in fulfilled
        )

    def _lineage(self, of: ClassFacts, seen: tuple[str, ...] = ()) -> Iterator[ClassFacts]:
        """The class, its bases, and theirs, as far as they are of this house."""
        yield of
        for base in of.bases:
            if base not in (*seen, of.name):
                for each in self._classes.get(base, ()):
                    yield from self._lineage(each, (*seen, of.name))


@dataclass(frozen=True)
class Function:
    """A function or method of the product, with the class that it belongs to."""

    file: Path
    node: ast.FunctionDef
    owner: ClassFacts | None

    @property
    def name(self) -> str:
        """Its name, with that of the class before it."""
        return f"{self.owner.name}.{self.node.name}" if self.owner else self.node.name

    @property
    def public(self) -> bool:
        """Whether its name has no leading underscore."""
        return not self.node.name.startswith("_")

    @property
    def lines(self) -> int:
        """Lines of the source, with the signature."""
        return (self.node.end_lineno or self.node.lineno) - self.node.lineno + 1


def functions(file: Path, tree: ast.Module) -> Iterator[Function]:
    """The functions and methods of a module, but not those inside of others."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield Function(file, node, None)
        elif isinstance(node, ast.ClassDef):
            owner = facts(node)
            yield from (Function(file, each, owner) for each in node.body if isinstance(each, ast.FunctionDef))


def missing(found: Iterable[Function], contracts: Contracts) -> Iterator[Function]:
    """The functions that neither have a docstring nor inherit one; dunders, setters and short private ones need
    none."""
    for each in found:
        setter = any(ast.unparse(decorator).endswith(".setter") for decorator in each.node.decorator_list)
        needed = not (is_dunder(each.node.name) or setter) and (each.public or each.lines > LONG)
        told = ast.get_docstring(each.node) or (each.owner and contracts.inherited(each.owner, each.node))
        if needed and not told:
            yield each


def main(root: Path, *folders: str) -> None:
    """Print what there is in the checkout `root`, or what lacks a docstring in `folders`."""
    files = [file for room in ROOMS for file in sorted((root / room).rglob("*.py"))]
    modules = [file for file in files if file.name != "__init__.py"]
    product = [file for file in files if "lab" not in file.relative_to(root).parts]
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in product}
    statements = {file: [each for each in tree.body if isinstance(each, ast.ClassDef)] for file, tree in trees.items()}
    contracts = Contracts(facts(each) for found in statements.values() for each in found)
    all_functions = [each for file, tree in trees.items() for each in functions(file, tree)]
    bare = list(missing(all_functions, contracts))
    if folders:
        for each in bare:
            where = each.file.relative_to(root).as_posix()
            if where.startswith(folders):
                print(f"{where}:{each.node.lineno} {each.name} ({each.lines} lines)")
        return
    classes, stems = defaultdict(set), defaultdict(set)
    for file in product:
        if file in modules and file.stem not in CONVENTIONS:
            stems[file.stem].add(file)
        for each in statements[file]:
            if not each.name.startswith("_"):
                classes[each.name].add(file)
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    tests = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in (root / "tests").rglob("*.py"))
    product_modules = [file for file in product if file in modules]
    for name, value in {
        "modules": len(modules),
        "modules without labs": len(product_modules),
        "median lines of these": statistics.median(lines[file] for file in product_modules),
        "of fewer than 60 lines": sum(lines[file] < 60 for file in product_modules),
        "lines": sum(lines.values()),
        "lines without labs": sum(lines[file] for file in product_modules),
        "lines of tests": tests,
        "names of public classes with two meanings": sum(len(where) > 1 for where in classes.values()),
        "names of modules with two meanings": sum(len(where) > 1 for where in stems.values()),
        "functions without labs": len(all_functions),
        "public without a docstring": sum(each.public for each in bare),
        f"private of more than {LONG} lines without": sum(not each.public for each in bare),
        "private without, of any length": sum(
            not (each.public or is_dunder(each.node.name) or ast.get_docstring(each.node)) for each in all_functions
        ),
    }.items():
        print(f"{name:42} {value:>7,}")
    print("classes:", ", ".join(sorted(name for name, where in classes.items() if len(where) > 1)))
    print("modules:", ", ".join(sorted(name for name, where in stems.items() if len(where) > 1)))


if __name__ == "__main__":
    main(Path(*sys.argv[1:2]), *sys.argv[2:])
