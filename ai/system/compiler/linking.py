"""Link the kernels that numba has compiled into one native library (`ai.system.compiler.native`).

Needed to build packages and wheels only. numba gives the code of each kernel for LLVM; merged, with all but the kernels
hidden, it becomes an object file of this system, which the linker of a C compiler turns into a shared library. What
remains of numba in it are a few functions of its runtime that take care of an array's owner, and find none.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ai.system.compiler import native
from ai.system.compiler.jit import Kernel

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

# Bits of ECX of the function 1 of CPUID: SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT.
_X86_64_V2 = 1 << 0 | 1 << 9 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 23
_CPUID = "{ i32, i32, i32, i32 }"
_FITS = {
    "x86-64-v2": f"""
define i64 @{native.FITS}() {{
  %cpuid = call {_CPUID} asm sideeffect "cpuid", "={{ax}},={{bx}},={{cx}},={{dx}},{{ax}},{{cx}}"(i32 1, i32 0)
  %ecx = extractvalue {_CPUID} %cpuid, 2
  %has = and i32 %ecx, {_X86_64_V2}
  %all = icmp eq i32 %has, {_X86_64_V2}
  %fits = zext i1 %all to i64
  ret i64 %fits
}}
""",
    "generic": f"define i64 @{native.FITS}() {{\n  ret i64 1\n}}\n",
}


class NoLinker(RuntimeError):
    """The library cannot be linked; `str(error)` is one sentence."""


def link(kernels: Mapping[str, Kernel], folder: Path) -> Path:
    """Link `kernels`, which numba has compiled, into a library in `folder`, with its manifest and licences.

    Return its file. Raise `NoLinker` or `OSError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / native.FILE
    with tempfile.TemporaryDirectory() as place:
        objects = Path(place, "kernels.obj" if sys.platform == "win32" else "kernels.o")
        objects.write_bytes(_object({name: each.call for name, each in kernels.items()}))
        linker = _link(objects, file)
    import llvmlite
    import llvmlite.binding as llvm
    import numba

    llvm_version = ".".join(map(str, llvm.llvm_version_info))
    text = _LICENCES.format(numba=numba.__version__, llvmlite=llvmlite.__version__, llvm=llvm_version, licence=_BSD)
    (folder / LICENCES).write_text(text, encoding="utf-8")
    made = {"numba": numba.__version__, "llvmlite": llvmlite.__version__, "llvm": llvm_version, "linker": linker}
    signatures = {name: native.described(each.parameters) for name, each in kernels.items()}
    facts = {"processor": native.processor(), "made with": made, "licences": LICENCES, "kernels": signatures}
    native.write_manifest(folder, facts)
    return file


def _object(kernels: Mapping[str, Any]) -> bytes:
    """Return the object file of numba's dispatchers, by name."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    triple = llvm.get_process_triple()
    whole = llvm.parse_assembly(f'target triple = "{triple}"\n{_RUNTIME}{_FITS[native.processor()]}')
    symbols: dict[str, str] = {}
    for name, dispatcher in kernels.items():
        (signature,) = dispatcher.signatures
        compiled = dispatcher.overloads[signature]
        symbol = compiled.fndesc.mangled_name
        # `inspect_llvm` has nothing of a kernel that was loaded from a cache.
        module = llvm.parse_bitcode(compiled.library._get_module_for_linking().as_bitcode())
        module.get_function(symbol).linkage = llvm.Linkage.external  # other modules have copies of it
        symbols[symbol] = native.PREFIX + name
        whole.link_in(module)
    _hide(whole, symbols, llvm)
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=native.processor(), features="", opt=3, reloc="pic", codemodel="small"
    )
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(whole, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0)))
    return bytes(machine.emit_object(whole))


def _hide(whole: Any, symbols: Mapping[str, str], llvm: Any) -> None:
    """Export the kernels, as `symbols` names them, and hide all other functions and variables of a module, such as
    numba's wrappers for Python."""
    for function in whole.functions:
        if function.is_declaration:
            continue
        if function.name == native.FITS or function.name in symbols:
            function.name = symbols.get(function.name, function.name)
            function.linkage = llvm.Linkage.external
            if sys.platform == "win32":
                function.storage_class = llvm.StorageClass.dllexport
        else:
            function.linkage = llvm.Linkage.internal
    for variable in whole.global_variables:
        if not variable.is_declaration:
            variable.linkage = llvm.Linkage.internal


def _link(objects: Path, file: Path) -> str:
    """Link `objects` to the library `file`. Return the compiler that did so."""
    compiler = _compiler()
    system = sys.platform
    command = [compiler, *_LINK[system], "-o", str(file), str(objects), *_LIBRARIES.get(system, ())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoLinker(f"The kernels cannot be linked by {compiler}: {done.stderr.strip()}")
    return f"{Path(compiler).name} on {platform.platform()}"


def _compiler() -> str:
    """Return the path of the C compiler: that of the environment variable `CHOSEN` alone if it is set, else the first
    of `COMPILERS` on the path. Raise `NoLinker` if there is none."""
    chosen = os.environ.get(CHOSEN)
    for name in (chosen,) if chosen else COMPILERS:
        if (found := shutil.which(name)) is not None:
            return found
    raise NoLinker(f"To link the kernels takes a C compiler: {chosen or ', '.join(COMPILERS)}.")
