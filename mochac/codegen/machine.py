"""Machine: what a core can do in a cycle, and how much each level of its memory holds; of a GPU, a multiprocessor.

Schedules take their tiles and blocks from it, predictions their times. The numbers are constants, so a CPU of a kind
gets the same schedules, and the same bits, everywhere. If mochac generates code for the machine it runs on, the sizes
of caches come from the system; rates measured there are for predictions only (runtime/cpu/rates.py).

Not every number has been checked. Sizes, ways and TLB entries of Zen 5, Sapphire Rapids and Neoverse V2 have; costs of
divisions, restarts and shuffles, latencies of L3, and sustained rates are estimates.

Sources: Intel, "64 and IA-32 Architectures Optimization Reference Manual" (2024), chapters 2 and E; AMD, "Software
Optimization Guide" for Zen 3 (56665), Zen 4 (57647) and Zen 5 (58455); Arm, "Neoverse V2 Core Software Optimization
Guide" (2022), and the technical reference manuals of the Cortex cores; A. Fog, "Instruction tables" (2024). On
Cortex-M cores without vectors, four registers stand for a vector, at the rates of one register: predicted times are too
short. Cortex-M4 and -M33 have the model of a Cortex-M7, whose schedules suit them. The models of WebAssembly and RISC-V
are guesses, since the core that runs the code is not known. Of GPUs: CUDA C++ Programming Guide, technical
specifications and throughput of arithmetic instructions; L2 of 5.5 to 7 TB/s over 132 multiprocessors at 1.7 GHz: Chips
and Cheese, H100 (2023); latency of L2, about 260 cycles: Luo et al. (2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.tile_nests import COLUMNS, ROWS, TERMS

LINE, PAGE = 64, 4096
"""Bytes of a cache line and of an ordinary page; of all CPUs in MACHINES."""


@record(slots=True)
class CacheLevel:
    """A level of cache.

    Attributes:
        n_bytes: what one core has of it: its own cache, or its part of a shared one.
        ways: lines of a set.
        bytes_per_cycle: sustained rate from this level to the next nearer one, or to registers.
        latency: cycles of a load that finds its line here.
        shared: among cores; its size is not read from the host then, since a machine may have it to itself or not.
    """

    n_bytes: int
    ways: int
    bytes_per_cycle: float
    latency: int
    shared: bool = False

    @property
    def sets(self) -> int:
        """Number of sets."""
        return self.n_bytes // (LINE * self.ways)


@record(slots=True)
class Machine:
    """A core of a CPU.

    Rates are for vectors of `vector_bytes`.

    Attributes:
        name: LLVM's name of the CPU, or "generic".
        vector_bytes, registers: size and number of vector registers.
        multiply_adds: vector multiply-adds per cycle, or multiplications.
        latency: cycles from one multiply-add to the next that needs its result.
        loads, stores: per cycle, from and to L1.
        shuffles: permutations of a vector's elements per cycle.
        divide: cycles from one division, or square root, to the next.
        arithmetic: vector instructions per cycle that compute, multiply-adds included; shuffles count, too.
        width: instructions per cycle of any kind.
        restart: cycles lost after a mispredicted branch, as at the end of a loop. None on Zen 3 and Zen 4, which
            resolve branches while multiply-adds wait: in code for AVX2 on Zen 4, the end of a loop of 12 of them costs
            nothing. With 13 cycles, kernels of multiply-adds in AVX-512 are predicted to take 1.00 to 1.07 of what is
            measured on Zen 4, without any 0.97 to 0.99 (benchmarks/model.py, 2026-11-26).
        caches: nearest first.
        memory_bytes_per_cycle: sustained rate from memory to one core.
        pages: entries of the first-level TLB for data; of PAGE bytes each.
        pairs: whether neighbours are loaded in pairs, the second of which takes a register until it is used.
        from_memory: a multiply-add takes an operand from memory, as on x86.
        waits: how much of the time of far lines and TLB misses a core waits for, relative to Sapphire Rapids. Zen 3 has
            0, by measurements on Zen 4, which has the same L1, rates and ports for AVX2: predictions of 19 contractions
            in code for AVX2 are off by 7 %; with restarts by 21 %, with restarts and waits by 38 %.
        byte_products: instructions for products of bytes; see codegen/cpu/instructions.py.
        pair_products: vector multiply-adds of pairs of bfloat16 per cycle; 0 without an instruction for them. Measured
            on Zen 4 (2026-11-29, loops of vdpbf16ps beside loops of vfmadd231ps, 512 bits): 1.00 cycles each, with the
            operand in a register, in memory and broadcast from memory, alone and in turns with multiply-adds. Assumed
            of all others: Zen 5 as many as multiply-adds, Sapphire Rapids half as many, Cooper Lake a quarter.
        pair_latency: cycles from one of these to the next that needs its result. Measured on Zen 4: 6, beside 4 of
            vfmadd231ps. Assumed of all others.
        tile_cycles: cycles from one product of whole tiles of pairs (tdpbf16ps) to the next; 0 without an instruction
            for them. Of Sapphire Rapids: 16, by its manual; smaller tiles are assumed to take as long.
        tile_latency: cycles to the next product that adds to the same tile: 52, by the manual.
        hz: cycles per second; 0 if not known.
    """

    name: str
    vector_bytes: int
    registers: int
    multiply_adds: float
    latency: int
    loads: float
    stores: float
    shuffles: float
    divide: float
    arithmetic: float
    width: int
    restart: int
    caches: tuple[CacheLevel, ...]
    memory_bytes_per_cycle: float
    pages: int
    pairs: bool = False
    from_memory: bool = True
    waits: float = 1.0
    byte_products: str = ""
    pair_products: float = 0.0
    pair_latency: int = 6
    tile_cycles: int = 0
    tile_latency: int = 52
    hz: float = 0.0

    @property
    def l1(self) -> CacheLevel:
        return self.caches[0]

    @property
    def l2(self) -> CacheLevel:
        return self.caches[1]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Bytes of each cache, nearest first."""
        return tuple(level.n_bytes for level in self.caches)

    @property
    def accumulators(self) -> int:
        """Independent multiply-adds that keep the units busy.

        >>> machine("cascadelake", 64).accumulators, machine("haswell", 32).accumulators
        (8, 10)
        """
        return round(self.multiply_adds * self.latency)

    @property
    def tile_speed(self) -> float:
        """How many times as many products tiles compute in a cycle as vectors of float32; 0 without tiles.

        >>> machine("sapphirerapids", 64).tile_speed, machine("znver4", 64).tile_speed
        (16.0, 0.0)
        """
        products = 2 * ROWS * COLUMNS * TERMS
        return products / self.tile_cycles / (self.multiply_adds * self.vector_bytes / 4) if self.tile_cycles else 0.0

    def beyond_l2(self, n_bytes: float) -> bool:
        """Whether so much data comes from beyond L2 whenever it is read again: half of L2 is for what is accessed in
        between."""
        return n_bytes > self.l2.n_bytes / 2

    def with_caches(self, sizes: tuple[int, ...], ways: tuple[int, ...] = ()) -> Machine:
        """With caches of other sizes, nearest first, and other numbers of ways.

        >>> machine("cascadelake", 64).with_caches((48 << 10, 2 << 20), (12,)).l1
        CacheLevel(n_bytes=49152, ways=12, bytes_per_cycle=128, latency=5, shared=False)
        """
        levels = [replace(level, n_bytes=n) for level, n in zip(self.caches, sizes, strict=False)]
        levels += self.caches[len(levels) :]
        levels = [replace(level, ways=n) for level, n in zip(levels, ways, strict=False)] + levels[len(ways) :]
        return replace(self, caches=tuple(levels))

    def with_rates(self, hz: float, bytes_per_cycle: Sequence[float]) -> Machine:
        """With a clock rate, and the rates measured of the caches, nearest first, and of memory."""
        *near, memory = bytes_per_cycle
        levels = [replace(level, bytes_per_cycle=rate) for level, rate in zip(self.caches, near, strict=False)]
        caches = (*levels, *self.caches[len(levels) :])
        return replace(self, caches=caches, memory_bytes_per_cycle=memory, hz=hz)


def _machine(
    vector: int,
    units: tuple[float, int, float],
    ports: tuple[float, float, float],
    front: tuple[int, int],
    l1: tuple[int, int],
    l2: tuple[int, int, int],
    l3: tuple[int, int, int],
    rates: tuple[float, float, float],
    pages: int = 64,
    waits: float = 1.0,
    beside: float = 0,
    pairs: bool = False,
    pair_products: float = 0.0,
) -> Machine:
    """A model from short rows of numbers.

    Args:
        units: multiply-adds, latency, loads.
        ports: stores, shuffles, divide.
        front: width, restart.
        l1: KiB, ways.
        l2: KiB, ways, latency.
        l3: KiB for each core, ways, latency.
        rates: bytes per cycle from L2, L3, memory.
        beside: vector instructions per cycle that compute beside the multiply-adds.
    """
    multiply_adds, latency, loads = units
    levels = (
        CacheLevel(l1[0] << 10, l1[1], loads * vector, 5),
        CacheLevel(l2[0] << 10, l2[1], rates[0], l2[2]),
        CacheLevel(l3[0] << 10, l3[1], rates[1], l3[2], shared=True),
    )
    registers = 16 if vector == 32 else 32
    arithmetic = multiply_adds + beside
    return Machine(
        "generic", vector, registers, multiply_adds, latency, loads, *ports, arithmetic, *front, levels, rates[2],
        pages, pairs, waits=waits, pair_products=pair_products,
    )  # fmt: skip


# fmt: off
_HASWELL = _machine(
    32, (2, 5, 2), (1, 1, 14), (4, 16), (32, 8), (256, 8, 12), (2560, 20, 50), (32, 12, 4))
_SKYLAKE = _machine(
    32, (2, 4, 2), (1, 1, 5), (4, 16), (32, 8), (256, 4, 12), (2048, 16, 44), (32, 12, 4))
_CASCADE_LAKE = _machine(
    64, (2, 4, 2), (1, 1, 10), (4, 16), (32, 8), (1024, 16, 14), (1408, 11, 70), (40, 8, 4))
_ICE_LAKE = _machine(
    64, (2, 4, 2), (1, 1, 10), (5, 17), (48, 12), (1280, 20, 14), (1536, 12, 70), (44, 8, 4))
_SAPPHIRE_RAPIDS = replace(
    _machine(
        64, (2, 4, 2), (1, 1, 10), (6, 17), (48, 12), (2048, 16, 15), (1920, 15, 120), (44, 8, 4), 96, pair_products=1),
    tile_cycles=16)
_COOPER_LAKE = replace(_CASCADE_LAKE, pair_products=0.5, pair_latency=10)
_ZEN_1 = _machine(
    32, (1, 5, 1), (0.5, 1, 6), (5, 16), (32, 8), (512, 8, 12), (2048, 16, 40), (32, 16, 5), beside=1)
_ZEN_2 = _machine(
    32, (2, 5, 2), (1, 2, 6), (5, 16), (32, 8), (512, 8, 12), (4096, 16, 39), (32, 24, 6), beside=2)
_ZEN_3 = _machine(
    32, (2, 4, 2), (1, 2, 6), (6, 0), (32, 8), (512, 8, 12), (4096, 16, 46), (32, 24, 6), 64, 0.0, beside=2)
_ZEN_4 = _machine(
    64, (1, 4, 1), (0.5, 1, 10), (6, 0), (32, 8), (1024, 8, 14), (4096, 16, 50), (32, 24, 6), 72, 0.0, beside=1,
    pair_products=1)
_ZEN_5 = _machine(
    64, (2, 4, 2), (1, 2, 8), (8, 5), (48, 12), (1024, 16, 14), (4096, 16, 50), (48, 24, 8), 96, 0.15, beside=2,
    pair_products=2)
_NEOVERSE_V2 = _machine(
    16, (4, 4, 3), (2, 4, 5), (8, 11), (64, 4), (1024, 8, 10), (2048, 16, 68), (32, 16, 6), 48, pairs=True)
_GENERIC = _machine(
    16, (1, 4, 1), (1, 1, 10), (4, 15), (32, 8), (256, 8, 12), (1024, 16, 60), (16, 8, 3))
_CORTEX_A7 = _machine(
    16, (0.25, 8, 0.5), (0.5, 0.5, 60), (2, 8), (32, 4), (256, 8, 15), (512, 8, 80), (8, 4, 2), 10)
_CORTEX_A53 = _machine(
    16, (0.5, 8, 0.5), (0.5, 0.5, 30), (2, 8), (32, 4), (512, 16, 15), (512, 16, 80), (8, 4, 2), 10, pairs=True)
_CORTEX_A72 = _machine(
    16, (1, 7, 1), (1, 1, 20), (3, 15), (32, 2), (1024, 16, 20), (1024, 16, 80), (16, 8, 3), 32, pairs=True)
_CORTEX_M7 = _machine(
    16, (0.5, 5, 1), (1, 1, 14), (2, 6), (16, 4), (256, 1, 8), (1024, 1, 20), (8, 4, 4))
_CORTEX_M55 = _machine(
    16, (0.5, 4, 0.5), (0.5, 0.5, 60), (1, 3), (16, 4), (256, 1, 8), (1024, 1, 20), (8, 4, 4))
_RISCV = _machine(
    4, (1, 5, 1), (1, 1, 20), (2, 5), (32, 8), (512, 8, 15), (1024, 16, 60), (8, 8, 3), 32)
_WASM = _machine(
    4, (0.5, 8, 1), (1, 1, 5), (4, 16), (32, 8), (256, 8, 12), (1024, 16, 50), (16, 8, 4))
_WASM_SIMD = _machine(
    16, (0.5, 8, 1), (1, 1, 5), (4, 16), (32, 8), (256, 8, 12), (1024, 16, 50), (16, 8, 4))
# fmt: on

MACHINES: dict[str, Machine] = {
    "haswell": _HASWELL,
    "broadwell": _HASWELL,
    "skylake": _SKYLAKE,
    "skylake-avx512": _CASCADE_LAKE,
    "cascadelake": _CASCADE_LAKE,
    "cooperlake": _COOPER_LAKE,
    "icelake-server": _ICE_LAKE,
    "sapphirerapids": _SAPPHIRE_RAPIDS,
    "emeraldrapids": _SAPPHIRE_RAPIDS,
    "graniterapids": _SAPPHIRE_RAPIDS,
    "znver1": _ZEN_1,
    "znver2": _ZEN_2,
    "znver3": _ZEN_3,
    "znver4": _ZEN_4,
    "znver5": _ZEN_5,
    "neoverse-v2": _NEOVERSE_V2,
    "cortex-a7": _CORTEX_A7,
    "cortex-a53": _CORTEX_A53,
    "cortex-a72": _CORTEX_A72,
    "cortex-m4": _CORTEX_M7,
    "cortex-m7": _CORTEX_M7,
    "cortex-m33": _CORTEX_M7,
    "cortex-m55": _CORTEX_M55,
    "rv64gc": _RISCV,
    "rv32imfc": _RISCV,
    "wasm32": _WASM,
    "wasm32-simd": _WASM_SIMD,
}
"""By LLVM's name of the CPU."""
BY_WIDTH = {64: _CASCADE_LAKE, 32: _HASWELL}
"""For CPUs that MACHINES lacks: the one with the smallest caches of those with vectors as wide."""


def machine(name: str, vector_bytes: int, sizes: tuple[int, ...] = ()) -> Machine:
    """The model of a CPU. For an unknown one: the model of a CPU with vectors as wide and caches of these sizes, or
    else of the smallest with such vectors.

    >>> machine("znver5", 64).l1.n_bytes, machine("somelake", 32).l1.n_bytes, machine("x86-64", 16).registers
    (49152, 32768, 16)
    >>> machine("somelake", 64, (48 << 10, 2 << 20)).pages
    96
    """
    known = MACHINES.get(name)
    if known is None or known.vector_bytes != vector_bytes:
        similar = (m for m in MACHINES.values() if m.vector_bytes == vector_bytes and m.sizes[:2] == sizes[:2])
        known = next(similar, BY_WIDTH.get(vector_bytes, _GENERIC))
    registers = 16 if vector_bytes == 16 and known is _GENERIC else known.registers
    return replace(known, name=name, registers=registers)


def with_rates_of(core: Machine, vector_bytes: int) -> Machine:
    """A core's model with the rates of its narrower vectors, where they are higher: Zen 4 divides vectors of 64 bytes.

    >>> zen, lake = machine("znver4", 64), machine("cascadelake", 64)
    >>> with_rates_of(zen, 32).multiply_adds / zen.multiply_adds, with_rates_of(lake, 32) == lake
    (2.0, True)
    """
    narrow = BY_WIDTH.get(vector_bytes, core)
    rates = {name: max(getattr(core, name), getattr(narrow, name)) for name in ("multiply_adds", "loads", "stores")}
    return replace(core, **rates)


@record(slots=True)
class Multiprocessor:
    """A multiprocessor of a CUDA device: what a core is on a CPU.

    Attributes:
        threads, shared_bytes, registers: what its resident blocks have together.
        multiply_adds, wide: of elements of 4 bytes, and of 8, per cycle.
        warp: threads that run in step.
        schedulers: instructions of warps that are issued per cycle.
        banks: 4-byte words per cycle that shared memory delivers.
        l2_bytes_per_cycle: from L2.
        l2_latency, shared_latency, barrier: cycles of a load from L2 or shared memory, and of a barrier of a block.
    """

    threads: int
    shared_bytes: int
    multiply_adds: int
    wide: int
    registers: int = 65536
    warp: int = 32
    schedulers: int = 4
    banks: int = 32
    l2_bytes_per_cycle: int = 64
    l2_latency: int = 300
    shared_latency: int = 30
    barrier: int = 30

    @property
    def block_bytes(self) -> int:
        """Shared memory that one block may have: all but 1 KB, which newer devices keep for themselves."""
        return self.shared_bytes - (1 << 10 if self.shared_bytes > 64 << 10 else 0)

    def products(self, size: int) -> int:
        """Fused multiply-adds per cycle of elements of `size` bytes.

        >>> multiprocessor(90).products(4), multiprocessor(80).products(4), multiprocessor(86).products(8)
        (128, 64, 2)
        """
        return self.multiply_adds if size == 4 else self.wide


_KIB = 1 << 10
_MULTIPROCESSORS = {
    75: Multiprocessor(1024, 64 * _KIB, 64, 2),
    80: Multiprocessor(2048, 164 * _KIB, 64, 32),
    86: Multiprocessor(1536, 100 * _KIB, 128, 2),
    87: Multiprocessor(1536, 164 * _KIB, 128, 2),
    89: Multiprocessor(1536, 100 * _KIB, 128, 2),
    90: Multiprocessor(2048, 228 * _KIB, 128, 64),
    100: Multiprocessor(2048, 228 * _KIB, 128, 64),
    120: Multiprocessor(1536, 100 * _KIB, 128, 2),
}
_NEWEST = Multiprocessor(2048, 228 * _KIB, 128, 2)


def multiprocessor(sm: int) -> Multiprocessor:
    """The model of a multiprocessor by compute capability, 90 for 9.0."""
    return _MULTIPROCESSORS.get(sm, _NEWEST)
