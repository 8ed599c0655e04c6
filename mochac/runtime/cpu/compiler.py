"""LLVM IR text to object code for a CPU.

Nothing is optimised on the way: the printers write finished IR, so no middle-end pass runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mochac.runtime.files.cache import Cache

OBJECT_FORMAT = 1
"""Raised when the driver or the argument layout changes meaning, so that cached objects of old versions miss."""


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


@dataclass(frozen=True, slots=True)
class CpuInfo:
    """A code generation target: LLVM CPU name, LLVM feature string and width of its vector registers in bytes.

    >>> CpuInfo("haswell", "", 32).key
    'haswell::32'
    """

    name: str
    features: str
    vector_bytes: int

    @property
    def key(self) -> str:
        """Text that tells targets apart in cache keys and dumps."""
        return f"{self.name}:{self.features}:{self.vector_bytes}"

    @property
    def vector_registers(self) -> int:
        """Vector registers a register tile may count on."""
        return 32 if self.vector_bytes == 64 or arch() in ("aarch64", "arm64") else 16


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


def compile_cached(text: str, cpu: CpuInfo, cache: Cache | None) -> bytes:
    """`compile_ir` through a cache of earlier results; None compiles always."""
    if cache is None:
        return compile_ir(text, cpu)
    key = object_key(text, cpu)
    found = cache.get(key)
    if found is None:
        found = compile_ir(text, cpu)
        cache.put(key, found)
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
