"""Machine: what a core can do in a cycle, and how much each level of its memory holds.

Schedules take their tiles and blocks from it, predictions their times. Numbers are those of the manuals, so that a CPU
of a kind gets the same schedules, and the same bits, everywhere; sizes of caches come from the system where mochac runs
on the machine it generates code for. Bandwidths measured on it are for predictions only (runtime/support/rates.py).

Sources: Intel, "64 and IA-32 Architectures Optimization Reference Manual" (2024), chapters 2 and E; AMD, "Software
Optimization Guide" for Zen 3 (56665), Zen 4 (57647) and Zen 5 (58455); Arm, "Neoverse V2 Core Software Optimization
Guide" (2022); A. Fog, "Instruction tables" (2024).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

LINE = 64
"""Bytes of a cache line; of all CPUs in MACHINES."""


@dataclass(frozen=True, slots=True)
class CacheLevel:
    """A level of cache.

    Attributes:
        n_bytes: what one core has of it: its own cache, or its part of a shared one.
        ways: lines of a set.
        bytes_per_cycle: sustained rate from this level to the next nearer one, or to registers.
        latency: cycles of a load that finds its line here.
    """

    n_bytes: int
    ways: int
    bytes_per_cycle: float
    latency: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A core of a CPU.

    Attributes:
        name: LLVM's name of the CPU, or "generic".
        vector_bytes, registers: size and number of vector registers.
        multiply_adds: vector multiply-adds per cycle.
        latency: cycles from one multiply-add to the next that needs its result.
        loads: vector loads per cycle from L1.
        caches: nearest first.
        memory_bytes_per_cycle: sustained rate from memory to one core.
        pages: entries of the first-level TLB for data.
    """

    name: str
    vector_bytes: int
    registers: int
    multiply_adds: float
    latency: int
    loads: float
    caches: tuple[CacheLevel, ...]
    memory_bytes_per_cycle: float
    pages: int

    @property
    def l1(self) -> CacheLevel:
        return self.caches[0]

    @property
    def l2(self) -> CacheLevel:
        return self.caches[1]

    @property
    def accumulators(self) -> int:
        """Independent multiply-adds that keep the units busy.

        >>> machine("cascadelake", 64).accumulators, machine("haswell", 32).accumulators
        (8, 10)
        """
        return round(self.multiply_adds * self.latency)

    def with_caches(self, sizes: tuple[int, ...]) -> Machine:
        """With caches of other sizes, nearest first.

        >>> machine("cascadelake", 64).with_caches((48 << 10, 2 << 20)).l2.n_bytes >> 10
        2048
        """
        sized = [replace(level, n_bytes=n) for level, n in zip(self.caches, sizes, strict=False)]
        return replace(self, caches=(*sized, *self.caches[len(sized) :]))


def _machine(
    vector: int,
    units: tuple[float, int, float],
    l1: tuple[int, int],
    l2: tuple[int, int, int],
    l3: int,
    rates: tuple[float, float, float],
    pages: int = 64,
) -> Machine:
    """units: multiply-adds, latency, loads; l1: KiB, ways; l2: KiB, ways, latency; l3: KiB of a core; rates: bytes per
    cycle from L2, L3, memory."""
    multiply_adds, latency, loads = units
    levels = (
        CacheLevel(l1[0] << 10, l1[1], loads * vector, 5),
        CacheLevel(l2[0] << 10, l2[1], rates[0], l2[2]),
        CacheLevel(l3 << 10, 16, rates[1], 60),
    )
    registers = 16 if vector == 32 else 32
    return Machine("generic", vector, registers, multiply_adds, latency, loads, levels, rates[2], pages)


_HASWELL = _machine(32, (2, 5, 2), (32, 8), (256, 8, 12), 2048, (32, 12, 4))
_SKYLAKE = _machine(32, (2, 4, 2), (32, 8), (256, 4, 12), 2048, (32, 12, 4))
_CASCADE_LAKE = _machine(64, (2, 4, 2), (32, 8), (1024, 16, 14), 1408, (40, 8, 4))
_ICE_LAKE = _machine(64, (2, 4, 2), (48, 12), (1280, 20, 14), 1536, (44, 8, 4), 96)
_SAPPHIRE_RAPIDS = _machine(64, (2, 4, 2), (48, 12), (2048, 16, 15), 1920, (44, 6, 4), 96)
_ZEN_3 = _machine(32, (2, 4, 2), (32, 8), (512, 8, 12), 4096, (32, 24, 6))
_ZEN_4 = _machine(64, (1, 4, 1), (32, 8), (1024, 8, 14), 4096, (32, 24, 6), 72)
_ZEN_5 = _machine(64, (2, 4, 2), (48, 12), (1024, 16, 14), 4096, (64, 24, 8), 96)
_NEOVERSE_V2 = _machine(16, (4, 4, 3), (64, 4), (1024, 8, 10), 2048, (32, 16, 6), 48)
_GENERIC = _machine(16, (1, 4, 1), (32, 8), (256, 8, 12), 1024, (16, 8, 3))

MACHINES: dict[str, Machine] = {
    "haswell": _HASWELL,
    "broadwell": _HASWELL,
    "skylake": _SKYLAKE,
    "skylake-avx512": _CASCADE_LAKE,
    "cascadelake": _CASCADE_LAKE,
    "cooperlake": _CASCADE_LAKE,
    "icelake-server": _ICE_LAKE,
    "sapphirerapids": _SAPPHIRE_RAPIDS,
    "emeraldrapids": _SAPPHIRE_RAPIDS,
    "graniterapids": _SAPPHIRE_RAPIDS,
    "znver1": _ZEN_3,
    "znver2": _ZEN_3,
    "znver3": _ZEN_3,
    "znver4": _ZEN_4,
    "znver5": _ZEN_5,
    "neoverse-v2": _NEOVERSE_V2,
}
"""By LLVM's name of the CPU."""
BY_WIDTH = {64: _CASCADE_LAKE, 32: _HASWELL}
"""For CPUs that MACHINES lacks: the one with the smallest caches of those with vectors as wide."""


def machine(name: str, vector_bytes: int) -> Machine:
    """The model of a CPU; of another CPU with vectors as wide if it is not known.

    >>> machine("znver5", 64).l1.n_bytes, machine("somelake", 32).l1.n_bytes, machine("x86-64", 16).registers
    (49152, 32768, 16)
    """
    known = MACHINES.get(name)
    if known is None or known.vector_bytes != vector_bytes:
        known = BY_WIDTH.get(vector_bytes, _GENERIC)
    registers = 16 if vector_bytes == 16 and known is _GENERIC else known.registers
    return replace(known, name=name, registers=registers)
