"""Load the native library of the kernels, and call it with ctypes: no numba, no LLVM, no compilation.

`ai.system.compiler.linking` makes the library, with a manifest beside it: what it was made for and of, and the kernels
with their symbols and parameters. A library of other sources, of another system or for another processor is never
loaded. A call checks its arguments, raises for wrong ones, and releases the GIL.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import index
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from games.fields import DecodeError, entries, parsed
from games.storage import read_regular, write_atomic

FOLDER = Path(__file__).parents[2] / "native"
"""The folder of the library in packages and wheels; a checkout may have one, too. A source install keeps its own among
the caches (`cache.library_folder`)."""

MANIFEST = "kernels.json"
FILE = "kernels" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
PREFIX = "tengen_"
"""Of the symbols of kernels."""

FITS = f"{PREFIX}fits"
"""The symbol of a function without parameters: for how many of `processors`, from the first on, this one has what they
need. It can run anywhere."""

SOURCES = ("system/compiler/jit.py", "system/compiler/native.py", "gomoku/kernels/*.py", "solvers/*_kernels.py")
"""All modules that define kernels or constants that kernels use, below ai/; a test checks it."""

_PROCESSORS = {"x86_64": ("x86-64-v2", "x86-64-v3"), "arm64": ("generic",)}
_AI = Path(__file__).parents[2]
_MOST_BYTES = 1 << 26  # of a library
_LEAST, _GREATEST = -(1 << 63), (1 << 63) - 1
_INT64 = np.dtype(np.int64)


class Unfit(Exception):
    """A folder has no library for this program on this machine; `str(error)` is one sentence."""


def sources() -> list[Path]:
    """Return the files of `SOURCES`, in the same order on every system."""
    return [file for pattern in SOURCES for file in sorted(_AI.glob(pattern))]


def sources_hash() -> str:
    """Return the hash of what a library depends on: the kernels, and how they are called. Raise `OSError`."""
    stamp = hashlib.sha256()
    for file in sources():
        stamp.update(hashlib.sha256(file.read_bytes()).digest())
    return stamp.hexdigest()


def system() -> str:
    """Return the operating system and the instruction set, such as "linux-x86_64"."""
    machine = platform.machine().lower()
    return f"{sys.platform}-{ {'amd64': 'x86_64', 'aarch64': 'arm64'}.get(machine, machine) }"


def processors() -> tuple[str, ...]:
    """Return the kinds of processors that libraries for this machine are made for, as LLVM calls them, each with all
    that those before it have; nothing for other machines."""
    return _PROCESSORS.get(system().partition("-")[2], ())


def symbol(processor: str, kernel: str) -> str:
    """Return the symbol of a kernel, by name, made for a processor."""
    return f"{PREFIX}{processor.replace('-', '_')}_{kernel}"


# Parameters of kernels.


@dataclass(frozen=True, slots=True, eq=False)
class RecordParameter:
    """A record of `dtype`, made by `new_record`."""

    dtype: np.dtype[Any]

    def __str__(self) -> str:
        """Return the record as the manifest states it: by its size."""
        return f"record of {self.dtype.itemsize} bytes"


@dataclass(frozen=True, slots=True, eq=False)
class ArrayParameter:
    """A writable array of int64 of at least `length` elements; a function is given what reads an integer field of the
    record before it, and is not asked where there is none."""

    length: int | Callable[[Callable[[str], int]], int] = 0

    def __str__(self) -> str:
        """Return the array as the manifest states it."""
        return "array of int64"


Parameter = RecordParameter | ArrayParameter | type[int]


class Kernel(NamedTuple):
    """What is called, and the parameters."""

    call: Callable[..., Any]
    parameters: tuple[Parameter, ...]


def described(parameters: Sequence[Parameter]) -> list[str]:
    """Return the parameters of a kernel as the manifest states them."""
    return ["int64" if each is int else str(each) for each in parameters]


class _Place(NamedTuple):
    dtype: np.dtype[Any]
    address: int


@cache
def _as_record(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of records whose fields can be read as attributes, made once for each `dtype`."""
    return np.dtype((np.record, dtype))


def new_record(dtype: np.dtype[Any]) -> Any:
    """Return a record of zeros that kernels accept. A copy of it is not accepted."""
    array = np.zeros(1, _as_record(dtype))
    record = array[0]  # keeps the array alive
    # Beside the fields; numpy needs 100 µs and more to tell the address of a record.
    object.__setattr__(record, "_place", _Place(dtype, array.ctypes.data))
    return record


def _address(record: Any, parameter: RecordParameter) -> int:
    """Return the address of a `record`. Raise `TypeError` unless `new_record` has made it of the dtype of `parameter`.
    """
    place = getattr(record, "__dict__", {}).get("_place")
    if place is None or place.dtype is not parameter.dtype:
        raise TypeError(f"a {parameter} is needed, not {type(record).__name__}")
    return place.address  # type: ignore[no-any-return]


def _array_words(array: Any, least: int) -> tuple[int, ...]:
    """Return the words that numba passes for an array: meminfo and parent, which are null, number of items, bytes of an
    item, address, shape, stride. Raise `TypeError` unless it is a writable one-dimensional array of int64,
    `ValueError` if it has fewer than `least` items."""
    if not isinstance(array, np.ndarray) or array.dtype != _INT64 or array.ndim != 1 or not array.flags.carray:
        raise TypeError("a writable one-dimensional array of int64 is needed")
    items = len(array)
    if items < least:
        raise ValueError(f"the array has {items} elements, and {least} are needed")
    return 0, 0, items, 8, array.ctypes.data, items, 8


def _integer(value: Any) -> int:
    """Return `value` as an integer. Raise `TypeError` for no integer, `OverflowError` for more than 64 bits."""
    number = index(value)
    if not _LEAST <= number <= _GREATEST:
        raise OverflowError(f"{number} does not fit into 64 bits")
    return number


class Library:
    """An open library with its `manifest`, and the `processor` whose kernels are used here: the best of those that the
    library is made for, None if this machine can run none of them."""

    def __init__(self, file: Path, manifest: dict[str, Any]) -> None:
        self.file, self.manifest = file, manifest
        self._library = ctypes.CDLL(str(file))
        fitting = processors()[: self.fits()]
        self.processor = fitting[-1] if fitting else None

    def fits(self) -> int:
        """Return for how many of `processors`, from the first on, this machine has what they need."""
        function = self._library[FITS]
        function.argtypes, function.restype = [], ctypes.c_int64
        return int(function())

    def bind(self, source: Callable[..., Any], parameters: Sequence[Parameter]) -> Callable[..., int]:
        """Return the kernel of the name of `source`, which becomes its `py_func`. Raise `LookupError` if the library
        has none with these parameters.

        A call of it raises `TypeError`, `ValueError` or `OverflowError` for arguments that are wrong.
        """
        name = source.__name__
        if self.manifest["kernels"].get(name) != described(parameters):
            raise LookupError(f"{self.file} has no kernel {name} with these parameters.")
        assert self.processor is not None
        function = self._library[symbol(self.processor, name)]
        function.restype = ctypes.c_int32
        function.argtypes = _types(parameters)
        count, pairs = len(parameters), tuple(parameters)
        new, refer = ctypes.c_int64, ctypes.byref

        def call(*arguments: Any) -> int:
            """Check the arguments, call the kernel and return its result. Raise `TypeError`, `ValueError` or
            `OverflowError` for wrong ones, `RuntimeError` if the kernel has failed."""
            if len(arguments) != count:
                raise TypeError(f"{name} takes {count} arguments, not {len(arguments)}")
            words: list[int] = []
            for argument, parameter in zip(arguments, pairs, strict=True):
                if parameter is int:
                    words.append(_integer(argument))
                elif isinstance(parameter, RecordParameter):
                    words.append(_address(argument, parameter))
                else:
                    words += _array_words(argument, _least(parameter, pairs[0], words[:1]))
            result, error = new(), ctypes.c_void_p()
            if function(refer(result), refer(error), *words) != 0:
                raise RuntimeError(f"{name} has failed")
            return result.value

        call.__name__, call.__doc__ = name, source.__doc__
        call.py_func = source  # type: ignore[attr-defined]
        return call


def _least(parameter: Any, first: Parameter, address: list[int]) -> int:
    """Return how many elements an array must have beside the `first` argument of a kernel."""
    if isinstance(parameter.length, int):
        return parameter.length
    if not isinstance(first, RecordParameter):
        return 0
    fields: Any = first.dtype.fields
    return int(parameter.length(lambda name: ctypes.c_int64.from_address(address[0] + fields[name][1]).value))


def _types(parameters: Sequence[Parameter]) -> list[Any]:
    """Return the ctypes of a kernel's arguments by numba's convention: two pointers, then seven values an array."""
    types: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]
    for parameter in parameters:
        if isinstance(parameter, ArrayParameter):
            types += [ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
            types += [ctypes.c_int64, ctypes.c_int64]
        else:
            types.append(ctypes.c_int64 if parameter is int else ctypes.c_void_p)
    return types


# Find the library.


def load(folder: Path) -> Library:
    """Return the library in `folder`. Raise `Unfit` unless it was made of these sources, for this system and
    processor, and is whole."""
    manifest = _manifest(folder)
    file = folder / FILE
    try:
        if manifest.get("sources") != sources_hash():
            raise Unfit(f"The library in {folder} was made of other sources.")
        if manifest.get("system") != system():
            raise Unfit(f"The library in {folder} is for another system: {manifest.get('system')}.")
        # Signing an app for macOS changes the file; then the system checks each page itself.
        if (sys.platform != "darwin" or folder != FOLDER) and manifest.get("sha256") != checksum(file):
            raise Unfit(f"The library in {folder} is damaged.")
        library = Library(file, manifest)
    except OSError as error:
        raise Unfit(f"The library in {folder} cannot be loaded: {error}.") from error
    if library.processor is None:
        raise Unfit(f"The library in {folder} is for another processor: {processors()[0]}.")
    return library


def _manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of the library in `folder`. Raise `Unfit` if there is none or it is damaged."""
    try:
        manifest = dict(entries(parsed(read_regular(folder / MANIFEST, _MOST_BYTES))))
    except OSError as error:
        raise Unfit(f"There is no library in {folder}.") from error
    except DecodeError as error:
        raise Unfit(f"The library in {folder} is damaged.") from error
    if not isinstance(manifest.get("kernels"), dict):
        raise Unfit(f"The library in {folder} is damaged.")
    return manifest


def checksum(file: Path) -> str:
    """Return the SHA-256 of a library. Raise `OSError`."""
    return hashlib.sha256(read_regular(file, _MOST_BYTES)).hexdigest()


def write_manifest(folder: Path, facts: dict[str, Any]) -> None:
    """Write the manifest of the library in `folder`: `facts`, and what `load` checks. Raise `OSError`."""
    facts = {"sources": sources_hash(), "system": system(), "sha256": checksum(folder / FILE)} | facts
    write_atomic(folder / MANIFEST, (json.dumps(facts, indent=1) + "\n").encode())
