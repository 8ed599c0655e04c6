"""CpuTarget: the properties of a CPU that the printer and the schedules need.

It is made for the host, from what runtime/cpu detects, or for a named CPU, to dump code for other machines.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from mochac.base.records import record
from mochac.codegen.machine import Machine, machine
from mochac.ir.kernel import Kernel
from mochac.ir.types import DTYPES

LEAST_TEAM = 4
"""Schedules for this many threads also suit fewer threads."""
MOST_TEAM = 64
"""Schedules for more threads would cut kernels into items that are too small."""


def team_of(threads: int) -> int:
    """The `team` of a target for a number of threads: the next power of two, within bounds.

    >>> [team_of(n) for n in (1, 4, 6, 16, 96)]
    [4, 4, 8, 16, 64]
    """
    return min(MOST_TEAM, max(LEAST_TEAM, 1 << (threads - 1).bit_length()))


@record(slots=True)
class CpuTarget:
    """Properties of a CPU for code generation.

    Args:
        name: LLVM's name of the CPU.
        vector_bytes: width of one vector register: 64 (AVX-512), 32 (AVX2) or 16.
        registers: number of vector registers; register tiles obey accumulators + vectors + 1 <= registers.
        fma: whether the CPU has fused multiply-add instructions.
        cache_bytes, cache_ways: sizes of its data caches and their lines per set, nearest first; what is not given is
            taken from the model.
        arch: LLVM's name of its architecture.
        team: the most threads that should share the items of a kernel evenly: 4 or a larger power of two. Results do
            not depend on it.
        address_bits: 64, or 32 where loops count in 32 bits, too.
        lacks: intrinsics for which it has no instruction, each with a dtype.
        byte_products: its instructions for products of bytes: "vnni" or "sdot"; "": those that all CPUs of its
            architecture have (instructions.py).
        integer_registers: number of vectors that fit into its registers for integers; 0: those of floats hold them.
        bfloat16: whether it has the instructions of AVX512_BF16, which round to bfloat16 and multiply pairs.
        tiles: whether it has those of AMX, which multiply tiles of pairs, and the system grants their registers.
    """

    name: str = "generic"
    vector_bytes: int = 64
    registers: int = 32
    fma: bool = True
    cache_bytes: tuple[int, ...] = ()
    cache_ways: tuple[int, ...] = ()
    arch: str = "x86_64"
    team: int = LEAST_TEAM
    address_bits: int = 64
    lacks: frozenset[tuple[str, str]] = frozenset()
    byte_products: str = ""
    bfloat16: bool = False
    integer_registers: int = 0
    tiles: bool = False

    @staticmethod
    def of(name: str, vector_bytes: int, fma: bool = True) -> CpuTarget:
        """The target with the number of registers that its vector width implies on x86-64."""
        return CpuTarget(name, vector_bytes, 32 if vector_bytes == 64 else 16, fma)

    @property
    def machine(self) -> Machine:
        """The model of a core, with this CPU's caches."""
        return _machine_of(self)

    @property
    def dots(self) -> tuple[str, int]:
        """Its instructions for products of bytes, and the bytes of their vectors."""
        return self.byte_products or ("madd" if self.arch == "x86_64" else ""), self.vector_bytes

    @property
    def masks(self) -> bool:
        """Whether vectors may have masks. Lanes that are computed one after the other would branch."""
        return not self.integer_registers

    def holding(self, kernel: Kernel) -> CpuTarget:
        """The CPU with the registers that hold a kernel's sums."""
        sums = [DTYPES[b.type.dtype].kind for b in kernel.locals]
        own = bool(sums) and "f" not in sums and self.integer_registers
        return replace(self, registers=self.integer_registers) if own else self

    @property
    def word(self) -> str:
        """The type of what is added to addresses."""
        return f"i{self.address_bits}"

    def lanes(self, dtype: str) -> int:
        """Elements of `dtype` in one vector.

        >>> CpuTarget().lanes("f32"), CpuTarget.of("haswell", 32).lanes("f64")
        (16, 4)
        """
        return max(1, self.vector_bytes // DTYPES[dtype].itemsize)


@lru_cache(maxsize=16)
def _machine_of(target: CpuTarget) -> Machine:
    """Made once: the choice of a schedule asks for it hundreds of times, which took a fourteenth of a compilation."""
    core = machine(target.name, target.vector_bytes, target.cache_bytes)
    core = core.with_caches(target.cache_bytes, target.cache_ways)
    pairs, (dots, _) = core.pair_products if target.bfloat16 else 0, target.dots
    own = {"byte_products": dots, "pair_products": pairs, "tile_cycles": core.tile_cycles * target.tiles}
    return replace(core, registers=target.registers, from_memory=target.arch == "x86_64", **own)
