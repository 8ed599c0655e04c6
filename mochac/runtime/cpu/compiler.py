"""Compiles LLVM IR text to object code for a CPU.

No optimization passes run: the printers write finished IR. Each module has an LLVM context of its own and each thread
its own target machine, and neither Python's lock nor llvmlite's is held while LLVM compiles, so that threads compile at
the same time.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import field
from functools import lru_cache
from typing import Any

from mochac.base.files.cache import Cache, digest
from mochac.base.records import record
from mochac.base.support.interrupts import ctrl_c_later
from mochac.base.threads import fork_lock, free_after_fork

OBJECT_FORMAT = 1
"""Increase this if the driver or the argument layout changes meaning, so that cached objects of old versions miss."""


ARCHITECTURES = ("x86_64", "aarch64")
"""LLVM's names of the architectures that code can be generated for, on any machine."""


@lru_cache(maxsize=1)
@ctrl_c_later()
def llvm() -> Any:
    """llvmlite.binding with the native target initialized; imported on first use, because that takes about 50 ms."""
    import llvmlite.binding as binding

    lock = getattr(getattr(binding.ffi.lib, "_lock", None), "_lock", None)  # llvmlite holds it in all its calls
    if lock is not None:
        free_after_fork(lock, inner=True)
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.initialize_native_asmparser()  # for inline assembly in kernels
    return binding


def llvm_version() -> str:
    """Versions of LLVM and of llvmlite, which drives it; part of every cache key."""
    import llvmlite

    return ".".join(map(str, llvm().llvm_version_info)) + f" llvmlite {llvmlite.__version__}"


@lru_cache(maxsize=1)
@ctrl_c_later()
def triple() -> str:
    """Target triple of this process."""
    return llvm().get_process_triple()


def arch() -> str:
    """First word of the triple, such as x86_64."""
    return triple().partition("-")[0].replace("arm64", "aarch64")


def triple_of(name: str) -> str:
    """Target triple of an architecture: this process's, or that of Linux on another one."""
    return triple() if name == arch() else f"{name}-unknown-linux-gnu"


@lru_cache(maxsize=1)
@ctrl_c_later()
def host_target() -> tuple[str, str]:
    """(CPU name, feature string) of this machine, as LLVM calls them."""
    binding = llvm()
    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


@record(slots=True)
class CpuInfo:
    """A code generation target.

    Args:
        name, features: LLVM's name of the CPU and its list of features.
        vector_bytes: width of its vector registers.
        arch: LLVM's name of the architecture.
        own_triple: the target triple of a CPU in cpuinfo.py; "": the architecture's.
        llvm_name: LLVM's name of the CPU, if it is another.
        abi: calling convention, if it is not LLVM's default.
        registers: number of vector registers; 0: as many as the architecture has.
        integer_registers: number of registers for integers, if they are separate.
        lacks: intrinsics for which it has no instruction, each with a dtype.
        doubles: whether it has instructions for 64-bit floats.

    >>> CpuInfo("haswell", "", 32).key
    'haswell::32'
    """

    name: str
    features: str
    vector_bytes: int
    arch: str = field(default_factory=arch)
    own_triple: str = ""
    llvm_name: str = ""
    abi: str = ""
    registers: int = 0
    integer_registers: int = 0
    lacks: frozenset[tuple[str, str]] = frozenset()
    doubles: bool = True

    @property
    def key(self) -> str:
        """Text that identifies the target in cache keys and dumps."""
        return f"{self.name}:{self.features}:{self.vector_bytes}"

    @property
    def address_bytes(self) -> int:
        """Size of an address."""
        return 8 if self.arch in (*ARCHITECTURES, "riscv64") else 4

    @property
    def vector_registers(self) -> int:
        """Number of vector registers for register tiles."""
        if self.registers:
            return self.registers
        return 32 if self.vector_bytes == 64 or self.arch == "aarch64" else 16

    @property
    def fma(self) -> bool:
        """Whether it has a fused multiply-add; otherwise a multiplication and an addition replace it."""
        if self.own_triple:
            return ("fma", "f32") not in self.lacks
        return self.vector_bytes > 16 or self.arch == "aarch64"

    @property
    def triple(self) -> str:
        return self.own_triple or triple_of(self.arch)

    @property
    def hosted(self) -> bool:
        """Whether there is an operating system, with threads."""
        return not self.own_triple or "-linux-" in self.own_triple


def _new_machine(cpu: CpuInfo) -> Any:
    """Position-independent code of the small code model: one library is one allocation, calls out of it use stubs."""
    binding = llvm()
    if cpu.arch != arch():
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
    return binding.Target.from_triple(cpu.triple).create_target_machine(
        cpu=cpu.llvm_name or cpu.name, features=cpu.features, opt=3, abiname=cpu.abi,
        reloc="pic" if cpu.hosted else "static", codemodel="small", jit=True,
    )  # fmt: skip


class _Machines(threading.local):
    """The target machines of a thread: one must not compile two modules at the same time.

    Attributes:
        busy: held while LLVM compiles, so that no fork copies it in the middle.
    """

    def __init__(self) -> None:
        self.get = lru_cache(maxsize=8)(_new_machine)
        self.busy = fork_lock(inner=True)


_machines = _Machines()


@ctrl_c_later()
def parsed(text: str, cpu: CpuInfo) -> Any:
    """A module of LLVM IR text, for a CPU.

    Raises:
        RuntimeError: LLVM rejects the text; its message gives line and column.
    """
    module = llvm().parse_assembly(text, llvm().create_context())
    module.triple = cpu.triple
    module.data_layout = str(_machines.get(cpu).target_data)
    return module


@ctrl_c_later()
def emitted(module: Any, cpu: CpuInfo) -> Any:
    """A parsed module's object code, in LLVM's memory: a single call, without Python's lock and llvmlite's. If
    llvmlite's library has another interface, the code is bytes, compiled under the lock.

    Raises:
        RuntimeError: LLVM cannot compile it.
    """
    emit, machine = _emit(), _machines.get(cpu)
    if emit is None:
        return bytes(machine.emit_object(module))
    with llvm().ffi.OutputString() as error:
        with _machines.busy:
            buffer = emit(machine, module, 1, error)
        if not buffer:
            raise RuntimeError(str(error))
    return buffer


@ctrl_c_later()
def taken(buffer: Any) -> bytes:
    """The object code that `emitted` returned; frees LLVM's copy."""
    if isinstance(buffer, bytes):
        return buffer
    lib = llvm().ffi.lib
    try:
        return ctypes.string_at(lib.LLVMPY_GetBufferStart(buffer), lib.LLVMPY_GetBufferSize(buffer))
    finally:
        lib.LLVMPY_DisposeMemoryBuffer(buffer)


def compile_ir(text: str, cpu: CpuInfo) -> bytes:
    """Object code of a module of LLVM IR text for a CPU; raises like `parsed`."""
    return taken(emitted(parsed(text, cpu), cpu))


EMIT = "LLVMPY_TargetMachineEmitToMemory"
"""The function behind TargetMachine.emit_object, which is no public part of llvmlite."""
TAKE = ("LLVMPY_GetBufferStart", "LLVMPY_GetBufferSize", "LLVMPY_DisposeMemoryBuffer")


@lru_cache(maxsize=1)
def _emit() -> Any:
    """That function without the lock that llvmlite holds during all of its calls; None if this llvmlite lacks it."""
    lib = llvm().ffi.lib
    if not all(hasattr(lib, name) for name in (EMIT, *TAKE)):
        return None
    locked, function = getattr(lib, EMIT), getattr(ctypes.CDLL(lib._name), EMIT)
    function.argtypes, function.restype = locked.argtypes, locked.restype
    return function


def compile_cached(text: str, cpu: CpuInfo, cache: Cache | None) -> bytes:
    """`compile_ir` with a cache of earlier results; None always compiles."""
    return cached_object(text, lambda: text, cpu, cache)


def cached_object(source: str, text: Callable[[], str], cpu: CpuInfo, cache: Cache | None) -> bytes:
    """The object code of the text that is made from a source, or an earlier result for that source; None always
    compiles."""
    if cache is None:
        return compile_ir(text(), cpu)
    key = object_key(source, cpu)
    found = cache.get(key)
    if found is None:
        found = compile_ir(text(), cpu)
        cache.put(key, found)
    return found


def object_key(text: str, cpu: CpuInfo) -> str:
    """Cache key of an object: everything that its bytes depend on."""
    return digest("object", text, cpu.name, cpu.features, cpu.triple, llvm_version(), str(OBJECT_FORMAT))


@ctrl_c_later()
def assembly(text: str, cpu: CpuInfo) -> str:
    """Assembly text of a module, spill remarks included, for dumps and instruction counts."""
    machine = _new_machine(cpu)  # a machine of its own, since it stays verbose
    machine.set_asm_verbosity(True)
    return machine.emit_assembly(parsed(text, cpu))
