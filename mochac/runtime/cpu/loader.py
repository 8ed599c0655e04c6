"""LLVM text to machine code, and machine code to addresses in this process.

driver.py compiles kernels with it, runtime/cpu/executor.py and the worker team load objects with it. Nothing is
optimised on the way: the printers write finished IR, so no middle-end pass runs. It knows neither plans nor kernels.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mochac.runtime.cpu import perf_map

if TYPE_CHECKING:
    from mochac.runtime.cpu.cpuinfo import CpuInfo
    from mochac.runtime.files.cache import Store

OBJECT_FORMAT = 1
"""Raised when the driver or the argument layout changes meaning, so that cached objects of old versions miss."""

_link_lock = threading.Lock()
_library_names = itertools.count()


@lru_cache(maxsize=1)
def llvm() -> Any:
    """llvmlite.binding with the native target ready; the import takes about 50 ms, so it happens on first use."""
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.initialize_native_asmparser()  # for inline assembly in kernels
    return binding


def llvm_version() -> str:
    """Versions of LLVM and of llvmlite, which drives it; part of every cache key."""
    import llvmlite

    return ".".join(map(str, llvm().llvm_version_info)) + f" llvmlite {llvmlite.__version__}"


@lru_cache(maxsize=1)
def triple() -> str:
    """Target triple of this process."""
    return llvm().get_process_triple()


def arch() -> str:
    """First word of the triple, such as x86_64."""
    return triple().partition("-")[0]


@lru_cache(maxsize=1)
def host_target() -> tuple[str, str]:
    """(CPU name, feature string) of this machine, as LLVM calls them."""
    binding = llvm()
    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


def _new_machine(cpu: CpuInfo) -> Any:
    """Position-independent small code: one library is one allocation, and calls out of it go through stubs."""
    return (
        llvm()
        .Target.from_triple(triple())
        .create_target_machine(cpu=cpu.name, features=cpu.features, opt=3, reloc="pic", codemodel="small", jit=True)
    )


_target_machine = lru_cache(maxsize=8)(_new_machine)


def _parsed(text: str, machine: Any) -> Any:
    module = llvm().parse_assembly(text)
    module.triple = triple()
    module.data_layout = str(machine.target_data)
    return module


def compile_ir(text: str, cpu: CpuInfo) -> bytes:
    """Object code of one module of LLVM IR text for a CPU.

    Raises:
        RuntimeError: LLVM refuses the text; its message names line and column.
    """
    machine = _target_machine(cpu)
    return machine.emit_object(_parsed(text, machine))


def compile_cached(text: str, cpu: CpuInfo, store: Store | None) -> bytes:
    """`compile_ir` through a store of earlier results; None compiles always."""
    if store is None:
        return compile_ir(text, cpu)
    key = object_key(text, cpu)
    found = store.get(key)
    if found is None:
        found = compile_ir(text, cpu)
        store.put(key, found)
    return found


def object_key(text: str, cpu: CpuInfo) -> str:
    """Cache key of an object: everything its bytes depend on."""
    from mochac.runtime.files.cache import digest

    return digest("object", text, cpu.name, cpu.features, triple(), llvm_version(), str(OBJECT_FORMAT))


def assembly(text: str, cpu: CpuInfo) -> str:
    """Assembly text of a module, spill remarks included, for dumps and instruction counts."""
    machine = _new_machine(cpu)  # verbosity stays with it
    machine.set_asm_verbosity(True)
    return machine.emit_assembly(_parsed(text, machine))


@lru_cache(maxsize=1)
def _lljit() -> Any:
    # JITLink puts the sections of an object side by side. RuntimeDyld maps each wherever there is room; in a process
    # with gigabytes mapped, constants then lie out of the reach of a 32-bit offset, and LLVM aborts.
    jit = llvm().create_lljit_compiler(None, use_jit_link=True)
    immortal(jit)
    return jit


def immortal(obj: object) -> None:
    """Keep an object until the process is gone, past the interpreter's shutdown: parked workers still stand in it."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(obj))


class Library:
    """Loaded objects and the addresses of their exported functions; unloaded when closed or collected.

    Args:
        objects: object code; symbols may refer across them and to this process (libm, libc).
        symbols: functions to export; a missing one is a RuntimeError.
        names: what profilers shall call functions, by symbol.
    """

    def __init__(
        self, objects: Sequence[bytes], symbols: Iterable[str], names: Mapping[str, str] | None = None
    ) -> None:
        wanted = sorted(set(symbols))
        builder = llvm().JITLibraryBuilder()
        for image in objects:
            builder.add_object_img(image)
        builder.add_current_process()
        for symbol in wanted:
            builder.export_symbol(symbol)
        with _link_lock:
            self._tracker = builder.link(_lljit(), f"mochac{next(_library_names)}")
        self.addresses: dict[str, int] = {symbol: self._tracker[symbol] for symbol in wanted}
        perf_map.add(objects, self.addresses, names or {})

    def __getitem__(self, symbol: str) -> int:
        return self.addresses[symbol]

    def keep_forever(self) -> Library:
        """Never unload: for code that threads of the process stand in."""
        immortal(self._tracker)
        return self

    def close(self) -> None:
        """Unload now; no thread may be inside, nor enter later."""
        self.addresses = {}
        self._tracker.close()
