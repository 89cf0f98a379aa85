"""Kernels in a native library: made by linking, loaded only where it fits, and called with checked arguments."""

from __future__ import annotations

import copy
import json
import mmap
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock, call

import numpy as np
import pytest

from ai.gomoku.compile_kernels import import_kernels
from ai.system.compiler import backend as choice
from ai.system.compiler import cache, jit, linking, native
from ai.system.compiler.backend import VARIABLE, Backend, Unavailable, precompiled
from ai.system.compiler.native import ArrayParameter, Library, Parameter, RecordParameter, new_record
from tests.waiting import PATIENCE, wait

STATE = np.dtype([("mask", np.int64), ("bytes", np.uint8, (3,)), ("total", np.int64)], align=True)
OTHER = np.dtype([("total", np.int64, (3,))], align=True)
RECORD = RecordParameter(STATE)
TABLE = ArrayParameter(lambda field: field("mask") + 1)


def add_up(st: Any, table: Any, factor: int) -> int:
    """Add `factor` times the first elements of the table to the total."""
    for place in range(st.mask + 1):
        st.total += factor * table[place]
    st.bytes[2] = 7
    return int(st.total)


def double(number: int) -> int:
    return 2 * number


def wait_for(flags: Any, ready: int) -> int:
    """Raise the flag `ready` until the first one is set, but not for ever."""
    for turn in range(1 << 33):
        flags[ready] = turn + 1
        if flags[0] != 0:
            return 1
    return 0


SOURCES: dict[Callable[..., Any], tuple[Parameter, ...]] = {
    add_up: (RECORD, TABLE, int),
    double: (int,),
    wait_for: (ArrayParameter(2), int),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of the kernels above."""
    numba = pytest.importorskip("numba")
    if not any(map(shutil.which, linking.COMPILERS)):
        pytest.skip("there is no linker")

    def compiled(source: Callable[..., Any], parameters: tuple[Parameter, ...]) -> native.Kernel:
        signature = numba.int64(*(jit.numba_type(numba, each) for each in parameters))
        return native.Kernel(numba.njit(signature, error_model="numpy")(source), parameters)

    made = tmp_path_factory.mktemp("内核")
    linking.link({source.__name__: compiled(source, parameters) for source, parameters in SOURCES.items()}, made)
    return made


@pytest.fixture
def library(folder: Path) -> Library:
    return native.load(folder)


Call = Callable[..., int]


@pytest.fixture
def kernels(library: Library) -> dict[str, Call]:
    return {source.__name__: library.bind(source, parameters) for source, parameters in SOURCES.items()}


def state(mask: int = 3) -> Any:
    made = new_record(STATE)
    made.mask = mask
    return made


# Calls.


def test_a_kernel_computes_what_its_source_does(kernels: dict[str, Call]) -> None:
    here, there = state(), state()
    table = np.arange(5, dtype=np.int64) - 2
    assert kernels["add_up"](here, table, -3) == add_up(there, table, -3) == 6
    assert here.tobytes() == there.tobytes()
    assert kernels["double"](np.int64(-4)) == -8
    assert kernels["double"](-(1 << 62)) == -(1 << 63)
    assert kernels["add_up"].py_func is add_up  # type: ignore[attr-defined]


def read_only() -> Any:
    table = np.zeros(8, np.int64)
    table.flags.writeable = False
    return table


FINE = np.zeros(4, np.int64)
WRONG: list[tuple[type[Exception], Callable[[], tuple[Any, ...]]]] = [
    (TypeError, lambda: (state(), FINE)),
    (TypeError, lambda: (state(), FINE, 1, 1)),
    (TypeError, lambda: (state(), FINE, 1.0)),
    (TypeError, lambda: (state(), FINE, "1")),
    (OverflowError, lambda: (state(), FINE, 1 << 63)),
    (OverflowError, lambda: (state(), FINE, -(1 << 63) - 1)),
    (TypeError, lambda: (None, FINE, 1)),
    (TypeError, lambda: (new_record(OTHER), FINE, 1)),
    (TypeError, lambda: (copy.copy(state()), FINE, 1)),
    (TypeError, lambda: (copy.deepcopy(state()), FINE, 1)),
    (TypeError, lambda: (np.zeros(1, STATE)[0], FINE, 1)),
    (TypeError, lambda: (state(), [0, 0, 0, 0], 1)),
    (TypeError, lambda: (state(), FINE.astype(np.int32), 1)),
    (TypeError, lambda: (state(), FINE.astype(np.uint64), 1)),
    (TypeError, lambda: (state(), FINE.astype(">i8"), 1)),
    (TypeError, lambda: (state(), FINE.reshape(2, 2), 1)),
    (TypeError, lambda: (state(), np.zeros(8, np.int64)[::2], 1)),
    (TypeError, lambda: (state(), np.zeros(33, np.uint8)[1:].view(np.int64), 1)),
    (TypeError, lambda: (state(), read_only(), 1)),
    (ValueError, lambda: (state(), FINE[:3], 1)),
    (ValueError, lambda: (state(1 << 40), FINE, 1)),
]


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_a_wrong_call_raises_and_changes_nothing(case: int, kernels: dict[str, Call]) -> None:
    error, arguments = WRONG[case]
    given = arguments()
    before = getattr(given[0], "tobytes", bytes)()
    with pytest.raises(error):
        kernels["add_up"](*given)
    assert getattr(given[0], "tobytes", bytes)() == before


def test_a_kernel_with_other_parameters_is_not_called(library: Library) -> None:
    with pytest.raises(LookupError):
        library.bind(double, (int, int))
    with pytest.raises(LookupError):
        library.bind(state, (int,))
    assert library.manifest["kernels"]["add_up"] == ["record of 24 bytes", "array of int64", "int64"]


def test_a_call_releases_the_gil(kernels: dict[str, Call]) -> None:
    flags, found = np.zeros(2, np.int64), list[int]()
    thread = threading.Thread(target=lambda: found.append(kernels["wait_for"](flags, 1)))
    thread.start()
    wait(lambda: flags[1] > 0, seconds=PATIENCE)
    assert not found, "this thread runs beside the kernel"
    flags[0] = 1
    thread.join(PATIENCE)
    assert found == [1]


def test_a_record_lives_as_long_as_it_is_used(kernels: dict[str, Call]) -> None:
    records = [state(0) for _ in range(50)]
    table = np.ones(1, np.int64)
    for number, record in enumerate(records):
        kernels["add_up"](record, table, number)
    assert [int(record.total) for record in records] == list(range(50))


# How kernels are written.


def test_a_kernel_runs_natively_or_by_numba_or_as_it_is_written(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, numba = list[str](), MagicMock()
    for name, value in (("KERNELS", {}), ("LIBRARY", None), ("NUMBA", None), ("CACHED", "kept"), ("listener", None)):
        monkeypatch.setattr(jit, name, value)
    assert jit.kernel(int)(double) is double
    assert jit.KERNELS.pop("double") == (double, (int,))
    monkeypatch.setattr(jit, "NUMBA", numba)
    jit.kernel(int)(double)
    monkeypatch.setattr(jit, "listener", told.append)
    for _ in range(2):
        assert jit.kernel(RECORD, TABLE, int)(add_up) is numba.njit.return_value.return_value
    assert told == ["add_up"] * 2
    assert numba.int64.call_args == call(numba.from_dtype.return_value, numba.types.Array.return_value, numba.int64)
    assert numba.from_dtype.mock_calls == [call(STATE)], "a type is made once"
    assert numba.types.Array.call_args == call(numba.int64, 1, "C")
    assert numba.njit.call_args == call(numba.int64(), cache="kept", nogil=True, error_model="numpy")
    monkeypatch.setattr(jit, "LIBRARY", library)
    made = jit.kernel(int)(double)
    assert (made(4), made is double, jit.KERNELS["double"]) == (8, False, (made, (int,)))


@pytest.mark.parametrize("compiled", [True, False])
def test_records_and_tables_are_zeros(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "COMPILED", compiled)
    record, array, tables = jit.new_record(STATE), jit.new_array(3), [jit.new_table(3)]
    jit.fill(record.bytes, np.array([1, 2], np.int16))
    assert (record.mask, record.total, list(record.bytes)) == (0, 0, [1, 2, 0])
    assert (type(record.bytes), type(array)) == ((np.ndarray, np.ndarray) if compiled else (list, list))
    assert compiled or type(record.bytes[0]) is int
    monkeypatch.delattr(mmap, "MAP_ANONYMOUS")
    tables.append(jit.new_table(3))
    for table in (array, *tables):
        table[2] = 1 << 62
        assert list(table) == [0, 0, 1 << 62]


# Which library is loaded.


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "native"))


def change(folder: Path, **facts: object) -> None:
    file = folder / native.MANIFEST
    file.write_text(json.dumps(json.loads(file.read_text()) | facts))


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"sources": "0" * 64}, "other sources"),
        ({"system": "linux-s390x"}, "another system: linux-s390x"),
        ({"kernels": None}, "damaged"),
    ],
)
def test_a_library_of_something_else_is_not_loaded(copied: Path, facts: dict[str, object], reason: str) -> None:
    change(copied, **facts)
    with pytest.raises(native.Unfit, match=reason):
        native.load(copied)


def test_a_library_is_not_loaded_after_a_change_of_the_kernels(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = tmp_path / "board.py"
    files = native.sources()
    shutil.copy(files[-1], changed)
    changed.write_text(changed.read_text() + "\n")
    native.load(copied)
    monkeypatch.setattr(native, "sources", lambda: [*files[:-1], changed])
    with pytest.raises(native.Unfit, match="other sources"):
        native.load(copied)


@pytest.mark.skipif(native.FILE.endswith(".dylib"), reason="macOS checks the pages itself")
@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: bytes(len(data)), lambda _data: b""])
def test_a_damaged_library_is_not_loaded(copied: Path, damage: Callable[[bytes], bytes]) -> None:
    file = copied / native.FILE
    data = file.read_bytes()
    file.unlink()  # it is open: a write would change the code that runs
    file.write_bytes(damage(data))
    with pytest.raises(native.Unfit, match="damaged"):
        native.load(copied)


def test_a_damaged_library_that_a_mac_has_made_is_not_loaded(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only that of a signed app is left to the system."""
    change(copied, sha256="0" * 64)
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr(native, "system", lambda: json.loads((copied / native.MANIFEST).read_text())["system"])
    with pytest.raises(native.Unfit, match="damaged"):
        native.load(copied)
    monkeypatch.setattr(native, "FOLDER", copied)
    native.load(copied)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"kernels": []}'])
def test_a_damaged_manifest_is_not_read(copied: Path, text: str) -> None:
    (copied / native.MANIFEST).write_text(text)
    with pytest.raises(native.Unfit, match="damaged"):
        native.load(copied)


def test_what_is_missing_is_not_loaded(copied: Path) -> None:
    (copied / native.FILE).unlink()
    with pytest.raises(native.Unfit, match="cannot be loaded"):
        native.load(copied)
    (copied / native.MANIFEST).unlink()
    with pytest.raises(native.Unfit, match="no library"):
        native.load(copied)


def test_a_library_for_a_better_processor_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "fits", lambda _self: 0)
    with pytest.raises(native.Unfit, match=f"another processor: {native.processors()[0]}"):
        native.load(folder)


def test_each_processor_has_kernels_and_the_best_that_fits_are_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = native.load(folder).processor
    assert best in native.processors()
    for number, processor in enumerate(native.processors()[: native.processors().index(best) + 1], 1):
        monkeypatch.setattr(Library, "fits", lambda _self, number=number: number)
        library = native.load(folder)
        assert library.processor == processor
        assert library.bind(double, (int,))(21) == 42


ASKING = f"""
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **arguments) {{
    long (*fits)(void) = (long (*)(void))dlsym(dlopen(arguments[1], RTLD_NOW), "{native.FITS}");
    printf("%ld", fits());
    return 0;
}}
"""


@pytest.mark.slow
@pytest.mark.skipif(native.system() != "linux-x86_64", reason="the processors are emulated for Linux on x86-64")
@pytest.mark.skipif(not shutil.which("qemu-x86_64"), reason="qemu-user emulates the processors")
def test_a_library_knows_what_a_processor_can_run(folder: Path, tmp_path: Path) -> None:
    source, program = tmp_path / "ask.c", tmp_path / "ask"
    source.write_text(ASKING)
    subprocess.run(["cc", "-o", program, source, "-ldl"], check=True)
    for processor, kinds in {
        "core2duo": 0, "Nehalem": 1, "SandyBridge": 1, "IvyBridge": 1, "Haswell": 2, "EPYC": 2,
    }.items():  # fmt: skip
        command = ["qemu-x86_64", "-cpu", processor, program, folder / native.FILE]
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
        assert (processor, answer.stdout) == (processor, str(kinds))


@pytest.mark.parametrize(("compiler", "says"), [("false", "cannot be linked by .*false: $"), ("no-such", "no-such")])
def test_who_cannot_link_is_told(
    compiler: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setenv(linking.CHOSEN, compiler)
    monkeypatch.setattr(linking, "COMPILERS", ("true",))
    pytest.importorskip("numba")
    with pytest.raises(linking.NoLinker, match=says):
        linking.link({}, tmp_path)


def test_no_kernel_gets_the_same_memory_twice() -> None:
    """Else a library would be wrong: it promises that there is no such kernel."""
    import_kernels(lambda _name: None)
    for name, kernel in jit.KERNELS.items():
        memory = [each for each in kernel.parameters if each is not int]
        assert (name, len(set(memory))) == (name, len(memory))


def test_the_pointers_of_kernels_are_distinct_and_others_stay_as_they_are() -> None:
    call = "  %x = call ptr @g(ptr %b)"
    before = ["define i32 @f(ptr noalias %a, ptr readonly %b, i64 %c) #1 {", call, "}", "declare ptr @g(ptr)"]
    after = ["define i32 @f(ptr noalias %a, ptr noalias readonly %b, i64 %c) #1 {", call, "}", "declare ptr @g(ptr)"]
    assert linking.with_distinct_pointers("\n".join(before)).splitlines() == after


def test_a_library_has_its_licences(folder: Path) -> None:
    text = (folder / json.loads((folder / native.MANIFEST).read_text())["licences"]).read_text()
    assert all(name in text for name in ("MIT", "numba", "BSD 2-Clause", "LLVM", "Apache"))


# The choice.


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str | None], Backend]]:
    """Chooses as at the start of a program with this value of the variable, and without a library beside it."""

    def choose(value: str | None) -> Backend:
        if value is None:
            monkeypatch.delenv(VARIABLE, raising=False)
        else:
            monkeypatch.setenv(VARIABLE, value)
        return choice.choose_again()

    monkeypatch.setattr(native, "FOLDER", Path("nowhere"))
    monkeypatch.setattr(cache, "library_folder", lambda: Path("neither"))
    yield choose
    monkeypatch.undo()
    choice.choose_again()


def test_the_variable_chooses(
    chosen: Callable[[str | None], Backend], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    assert chosen("numba") is Backend.NUMBA
    assert choice.compiled_here()
    assert not precompiled()
    for place, writable, told in ((Path("here"), True, "compiled, kept in here"), (None, True, "not compiled yet"),
                                  (None, False, "compiled anew at each start")):  # fmt: skip
        monkeypatch.setattr(cache, "complete_folder", lambda place=place: place)
        monkeypatch.setattr(cache, "writable", lambda _folder, writable=writable: writable)
        assert choice.describe() == f"numba, {told}"
    assert chosen("interpreted") is Backend.INTERPRETED
    assert not choice.compiled_here()
    assert choice.describe() == "interpreted"
    assert chosen(str(folder)) is Backend.NATIVE
    assert precompiled()
    assert choice.describe() == f"native library {folder / native.FILE}, for {native.load(folder).processor}"


def test_a_library_beside_the_program_comes_before_numba(
    chosen: Callable[[str | None], Backend], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    assert chosen(None) is Backend.NUMBA
    monkeypatch.setattr(native, "FOLDER", folder)
    assert chosen(None) is Backend.NATIVE
    assert chosen("native") is Backend.NATIVE


def test_the_library_that_this_machine_has_made_is_used_where_none_is_beside_the_program(
    chosen: Callable[[str | None], Backend], folder: Path, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "library_folder", lambda: copied)
    assert (chosen(None), chosen("native"), chosen("numba")) == (Backend.NATIVE, Backend.NATIVE, Backend.NUMBA)
    chosen("")
    assert choice.describe().startswith(f"native library {copied / native.FILE}")
    monkeypatch.setattr(native, "FOLDER", folder)
    chosen("")
    assert choice.describe().startswith(f"native library {folder / native.FILE}")
    assert not choice.compiled_here()

    def unreadable() -> Path:
        raise PermissionError("sources")

    monkeypatch.setattr(cache, "library_folder", unreadable)
    monkeypatch.setattr(native, "FOLDER", Path("nowhere"))
    assert chosen(None) is Backend.NUMBA


def test_a_library_that_does_not_fit_is_replaced_by_numba_and_diagnosed(
    chosen: Callable[[str | None], Backend], copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(copied, sources="")
    monkeypatch.setattr(native, "FOLDER", copied)
    assert chosen(None) is Backend.NUMBA
    assert choice.describe().endswith(f"The library in {copied} was made of other sources.")


def test_without_library_and_numba_the_kernels_are_interpreted(
    chosen: Callable[[str | None], Backend], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ai.system.compiler.cache.load_numba", lambda: None)
    assert chosen(None) is Backend.INTERPRETED
    with pytest.raises(Unavailable, match="numba is not installed"):
        chosen("numba")


def test_a_library_that_was_asked_for_and_is_not_there_is_one_sentence(
    chosen: Callable[[str | None], Backend]
) -> None:  # fmt: skip
    with pytest.raises(Unavailable, match=f"{VARIABLE}=native: There is no library in neither"):
        chosen("native")
    assert choice.describe() == f"{VARIABLE}=native: There is no library in neither."
    assert not precompiled()
