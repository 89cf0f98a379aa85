"""Link the kernels that numba has compiled into one native library (`ai.system.compiler.native`).

Done for packages and wheels, and by a source install once on each machine. numba gives the code of each kernel for
LLVM. Merged and optimised as a whole, it becomes an object file for each kind of processor, and the linker of a C
compiler makes a shared library of them. What remains of numba in it are a few functions of its runtime that take care
of an array's owner, and find none.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ai.system.compiler import native
from ai.system.compiler.native import Kernel
from games.storage import read_regular, write_atomic

CHOSEN = "CC"
"""The environment variable that names a C compiler; else the first of `COMPILERS` is used."""

LICENCES = "LICENSE.md"

COMPILERS = ("clang", "gcc") if sys.platform == "win32" else ("cc", "gcc", "clang")
_LINK = {
    "win32": ("-shared",),
    "darwin": ("-dynamiclib", "-Wl,-x"),
    "linux": ("-shared", "-s", "-nostdlib", "-Wl,-z,defs", "-Wl,-z,noexecstack", "-Wl,--build-id=none"),
}
_LIBRARIES = {"linux": ("-lc",)}
_MOST_NOTED = 1_000  # characters of why a library could not be made
_INSTALLED = ("xcode-select", "-p")
"""The command that fails on macOS where there is no C compiler."""

_LICENCES = """\
# Licences of the native library of the kernels

It is made of Tengen's kernels, below `ai/gomoku/kernels` and `ai/solvers`: MIT licence, as the rest of Tengen.

numba {numba} compiled them, with llvmlite {llvmlite} and LLVM {llvm}, and added a few functions of its runtime.
numba and llvmlite: © Anaconda, Inc. and others, BSD 2-Clause licence:

{licence}
LLVM: Apache License 2.0 with LLVM Exceptions. By the exception, what the compiler puts into the code that it makes may
be given on without its licence.
"""

_BSD = """\
> Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
> following conditions are met: Redistributions of source code must retain the above copyright notice, this list of
> conditions and the following disclaimer. Redistributions in binary form must reproduce the above copyright notice,
> this list of conditions and the following disclaimer in the documentation and/or other materials provided with the
> distribution.
>
> THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
> INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
> DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
> SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
> SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
> WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
> OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
"""

# numba's runtime would free an array's owner; kernels get arrays without one.
_RUNTIME = "define void @NRT_MemInfo_call_dtor(ptr %owner) {\n  ret void\n}\n"

# Bits of CPUID: of ECX of function 1 (SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; FMA, MOVBE, OSXSAVE, AVX, F16C),
# EBX of function 7 (BMI1, AVX2, BMI2), ECX of function 0x80000001 (LZCNT). Bits of the register XCR0, for SSE and AVX:
# whether the system keeps the registers of AVX.
_V2 = 1 << 0 | 1 << 9 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 23
_V3, _V3_EXTENDED, _V3_MORE = 1 << 12 | 1 << 22 | 1 << 27 | 1 << 28 | 1 << 29, 1 << 3 | 1 << 5 | 1 << 8, 1 << 5
_XCR0 = 1 << 1 | 1 << 2
_CPUID = "{ i32, i32, i32, i32 }"
_ASM = 'asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"'
_FITS = {
    "x86_64": f"""
define internal i1 @has(i32 %word, i32 %bits) {{
  %found = and i32 %word, %bits
  %all = icmp eq i32 %found, %bits
  ret i1 %all
}}
define EXPORT i64 @{native.FITS}() {{
  %one = call {_CPUID} {_ASM}(i32 1, i32 0)
  %features = extractvalue {_CPUID} %one, 2
  %v2 = call i1 @has(i32 %features, i32 {_V2})
  %least = zext i1 %v2 to i64
  %avx = call i1 @has(i32 %features, i32 {_V2 | _V3})
  %zero = call {_CPUID} {_ASM}(i32 0, i32 0)
  %functions = extractvalue {_CPUID} %zero, 0
  %enough = icmp uge i32 %functions, 7
  %possible = and i1 %avx, %enough
  br i1 %possible, label %better, label %end
better:
  %seven = call {_CPUID} {_ASM}(i32 7, i32 0)
  %extended = extractvalue {_CPUID} %seven, 1
  %avx2 = call i1 @has(i32 %extended, i32 {_V3_EXTENDED})
  %last = call {_CPUID} {_ASM}(i32 {0x80000001 - (1 << 32)}, i32 0)
  %more = extractvalue {_CPUID} %last, 2
  %lzcnt = call i1 @has(i32 %more, i32 {_V3_MORE})
  %kept = call i32 asm sideeffect "xgetbv", "={{ax}},{{cx}},~{{dx}}"(i32 0)
  %system = call i1 @has(i32 %kept, i32 {_XCR0})
  %both = and i1 %avx2, %lzcnt
  %v3 = and i1 %both, %system
  %most = select i1 %v3, i64 2, i64 %least
  br label %end
end:
  %fits = phi i64 [ %least, %0 ], [ %most, %better ]
  ret i64 %fits
}}
""",
    "arm64": f"define EXPORT i64 @{native.FITS}() {{\n  ret i64 1\n}}\n",
}
_ANY = {"x86_64": "x86-64", "arm64": "generic"}
"""The processor for which the function above is made: all have what it needs."""

_POINTER = re.compile(r"\bptr (?!noalias\b)")


class NoLinker(RuntimeError):
    """The library cannot be linked; `str(error)` is one sentence."""


def link(kernels: Mapping[str, Kernel], folder: Path) -> Path:
    """Link `kernels`, which numba has compiled, into a library in `folder`, with its manifest and licences.

    Return its file. Raise `NoLinker` or `OSError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / native.FILE
    with tempfile.TemporaryDirectory() as place:
        objects = []
        for number, data in enumerate(_objects({name: each.call for name, each in kernels.items()})):
            objects.append(Path(place, f"kernels{number}.{'obj' if sys.platform == 'win32' else 'o'}"))
            objects[-1].write_bytes(data)
        linker = _link(objects, file)
    import llvmlite
    import llvmlite.binding as llvm
    import numba

    llvm_version = ".".join(map(str, llvm.llvm_version_info))
    text = _LICENCES.format(numba=numba.__version__, llvmlite=llvmlite.__version__, llvm=llvm_version, licence=_BSD)
    (folder / LICENCES).write_text(text, encoding="utf-8")
    made = {"numba": numba.__version__, "llvmlite": llvmlite.__version__, "llvm": llvm_version, "linker": linker}
    signatures = {name: native.described(each.parameters) for name, each in kernels.items()}
    facts = {"processors": native.processors(), "made with": made, "licences": LICENCES, "kernels": signatures}
    native.write_manifest(folder, facts)
    return file


def _objects(kernels: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the object files of numba's dispatchers, by name: one for each of the processors, and the function `FITS`.

    All kernels are optimised as one module.
    """
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    head = f'target triple = "{llvm.get_process_triple()}"\n'
    export = "dllexport" if sys.platform == "win32" else ""
    instructions = native.system().partition("-")[2]
    whole = llvm.parse_assembly(head + _RUNTIME)
    symbols: dict[str, str] = {}
    for name, dispatcher in kernels.items():
        (signature,) = dispatcher.signatures
        compiled = dispatcher.overloads[signature]
        symbols[name] = compiled.fndesc.mangled_name
        # `inspect_llvm` has nothing of a kernel that was loaded from a cache.
        module = llvm.parse_bitcode(compiled.library._get_module_for_linking().as_bitcode())
        module.get_function(symbols[name]).linkage = llvm.Linkage.external  # other modules have copies of it
        whole.link_in(module)
    for each in (*whole.functions, *whole.global_variables):
        if not each.is_declaration:
            each.linkage = llvm.Linkage.internal
    text = with_distinct_pointers(str(whole))
    for processor in native.processors():
        calls = [_exported(whole.get_function(symbol), native.symbol(processor, name), export)
                 for name, symbol in symbols.items()]  # fmt: skip
        yield _compiled(llvm.parse_assembly("\n".join((text, *calls))), processor)
    yield _compiled(llvm.parse_assembly(head + _FITS[instructions].replace("EXPORT", export)), _ANY[instructions])


def with_distinct_pointers(text: str) -> str:
    """Return a module of kernels with the promise that each pointer a kernel gets is to memory of its own: a kernel has
    no two records of the same kind, and the table is no part of one. Else what is read from one would be read again
    after each write to another."""
    lines = []
    for line in text.splitlines():
        head, bracket, parameters = line.partition("(")
        defined = head.startswith("define ")
        lines.append(head + bracket + _POINTER.sub("ptr noalias ", parameters) if defined else line)
    return "\n".join(lines)


def _exported(kernel: Any, name: str, export: str) -> str:
    """Return a function of this name that calls `kernel`, which itself is internal, so that its convention of calls can
    be changed."""
    types = [str(each.type) for each in kernel.arguments]
    arguments = ", ".join(f"{kind} %a{number}" for number, kind in enumerate(types))
    call = f'call i32 @"{kernel.name}"({arguments})'
    return f"define {export} i32 @{name}({arguments}) {{\n  %status = {call}\n  ret i32 %status\n}}\n"


def _compiled(module: Any, processor: str) -> bytes:
    """Optimise a module for a processor; return its object file."""
    import llvmlite.binding as llvm

    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=processor, features="", opt=3, reloc="pic", codemodel="small"
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.slp_vectorization = True  # for kernels.evaluate.update_accumulator
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def _link(objects: Sequence[Path], file: Path) -> str:
    """Link `objects` to the library `file`. Return the compiler that did so."""
    compiler = c_compiler()
    system = sys.platform
    command = [compiler, *_LINK[system], "-o", str(file), *map(str, objects), *_LIBRARIES.get(system, ())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoLinker(f"The kernels cannot be linked by {compiler}: {done.stderr.strip()}")
    return f"{Path(compiler).name} on {platform.platform()}"


def can_link() -> bool:
    """Return whether this machine has a C compiler, and is of a kind that libraries are made for."""
    if sys.platform not in _LINK or not native.processors():
        return False
    try:
        c_compiler()
        # macOS has a `cc` that, where there is no compiler, opens a window to offer one.
        return sys.platform != "darwin" or subprocess.run(_INSTALLED, capture_output=True, check=False).returncode == 0
    except (NoLinker, OSError):
        return False


def note_failure(folder: Path, error: Exception) -> None:
    """Note beside the `folder` for a library that the present C compiler cannot make it, and why. Raise `OSError`."""
    why = " ".join(str(error).split())[:_MOST_NOTED] or type(error).__name__
    write_atomic(_failure(folder), f"{c_compiler()}\n{why}".encode(errors="replace"))


def noted_failure(folder: Path) -> str:
    """Return why the present C compiler could not make the library of `folder`; empty if it has not tried."""
    try:
        compiler, _, why = read_regular(_failure(folder)).decode(errors="replace").partition("\n")
        return why if compiler == c_compiler() else ""
    except (OSError, NoLinker):
        return ""


def _failure(folder: Path) -> Path:
    """Return the file of the note."""
    return folder.with_name(f"{folder.name}.failed")


def c_compiler() -> str:
    """Return the path of the C compiler: that of the environment variable `CHOSEN` alone if it is set, else the first
    of `COMPILERS` on the path. Raise `NoLinker` if there is none."""
    chosen = os.environ.get(CHOSEN)
    for name in (chosen,) if chosen else COMPILERS:
        if (found := shutil.which(name)) is not None:
            return found
    raise NoLinker(f"To link the kernels takes a C compiler: {chosen or ', '.join(COMPILERS)}.")
