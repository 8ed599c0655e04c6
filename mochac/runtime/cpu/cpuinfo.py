"""CPUs: this machine's features and caches, and those of microcontrollers, small boards and WebAssembly by name.

LLVM knows most small CPUs under other names, or by lists of features alone; C libraries (formats/clib/) have code for
them. The 32 single registers of a Cortex-M4, -M7 or -M33 count as 8 vectors of 4, whose lanes LLVM computes one after
the other: schedules then share loads and addresses among them (benchmarks/small_machines.py). Their 13 other registers,
which hold integers, count as 3.

Tile registers of AMX are 8 KB per thread that the system saves when it switches threads, so Linux (5.16 and later)
grants them to processes that ask, for good and to all threads. It saves them for threads that have used them; kernels
release them when they end.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from mochac.base.errors import BackendError
from mochac.base.records import record
from mochac.base.registry import misspelt
from mochac.base.support.times import default_threads
from mochac.codegen.cpu.instructions import ROUNDINGS
from mochac.codegen.machine import machine
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.compiler import CpuInfo

_NO_DOUBLES = [("fma", "f64"), *((name, "f64") for name in ROUNDINGS)]
_NO_ROUNDINGS = [(name, dtype) for name in ROUNDINGS for dtype in ("f32", "f64")]
_NO_FMA = [("fma", "f32"), ("fma", "f64")]
_SIMD = "+bulk-memory,+simd128"
Lacks = Sequence[tuple[str, str]]


def _cpu(name: str, triple: str, vector_bytes: int, registers: int, lacks: Lacks = (), **more: Any) -> CpuInfo:
    arch = triple.partition("-")[0]
    return CpuInfo(
        name, more.pop("features", ""), vector_bytes, arch,
        own_triple=triple, registers=registers, lacks=frozenset(lacks), doubles=_NO_DOUBLES[0] not in lacks, **more,
    )  # fmt: skip


_CPUS = (
    _cpu("cortex-m4", "thumbv7em-unknown-none-eabihf", 16, 8, _NO_ROUNDINGS + _NO_DOUBLES, integer_registers=3),
    _cpu("cortex-m7", "thumbv7em-unknown-none-eabihf", 16, 8, integer_registers=3),
    _cpu("cortex-m33", "thumbv8m.main-unknown-none-eabihf", 16, 8, _NO_DOUBLES, integer_registers=3),
    _cpu("cortex-m55", "thumbv8.1m.main-unknown-none-eabihf", 16, 8),
    _cpu("cortex-a7", "armv7a-unknown-linux-gnueabihf", 16, 16, _NO_ROUNDINGS),
    _cpu(
        "rv64gc", "riscv64-unknown-linux-gnu", 4, 32,
        llvm_name="generic-rv64", features="+m,+a,+f,+d,+c", abi="lp64d",
    ),
    _cpu(
        "rv32imfc", "riscv32-unknown-none-elf", 4, 32, _NO_DOUBLES,
        llvm_name="generic-rv32", features="+m,+f,+c", abi="ilp32f",
    ),
    _cpu("wasm32", "wasm32-unknown-unknown", 4, 16, _NO_FMA, llvm_name="generic", features="+bulk-memory"),
    _cpu("wasm32-simd", "wasm32-unknown-unknown", 16, 16, _NO_FMA, llvm_name="generic", features=_SIMD),
)  # fmt: skip
SMALL_CPUS = {cpu.name: cpu for cpu in _CPUS}
"""By the names of targets."""


_WIDTHS = ((64, "zmm"), (32, "ymm"))


BYTE_PRODUCTS = {
    "vnni": "cascadelake cooperlake icelake-server icelake-client rocketlake tigerlake sapphirerapids emeraldrapids "
    "graniterapids znver4 znver5",
    "sdot": "cortex-a76 cortex-a77 cortex-a78 cortex-a710 cortex-x1 cortex-x2 neoverse-n1 neoverse-n2 neoverse-n3 "
    "neoverse-v1 neoverse-v2 neoverse-v3 apple-m1 apple-m2 apple-m3 apple-m4 ampere1",
    "smlad": "cortex-m4 cortex-m7 cortex-m33",
}
"""CPUs with instructions for products of bytes (codegen/cpu/instructions.py) that others of their architecture lack."""
FEATURES = {"vnni": ("+avx512vnni", "+avx512vl"), "sdot": ("+dotprod",), "smlad": ("+dsp",)}
"""LLVM's names of these instructions among the features of a CPU."""


def byte_products(cpu: CpuInfo) -> str:
    """The instructions for products of bytes of a CPU; "": those that all of its architecture have.

    Of this machine's CPU by its features, which a hypervisor may have hidden; of one known by name only, by its model.
    """
    own = set(cpu.features.split(","))
    for how, names in BYTE_PRODUCTS.items():
        if set(FEATURES[how]) <= own if cpu.features else cpu.name in names.split():
            return how
    return ""


@lru_cache(maxsize=8)
def host_cpu(override: str | None = None) -> CpuInfo:
    """The CPU of this machine ("" or "native"), or the named LLVM CPU instead ("haswell", "x86-64", ...).

    AVX-512F gives 64-byte vectors, AVX2 with FMA 32, anything else 16.

    Raises:
        BackendError: LLVM knows no such CPU, or it has wider vectors than this machine, so its code could not run here.
    """
    if not override or override == "native":
        name, features = compiler.host_target()
        return CpuInfo(name, features, _feature_width(features))
    info = named_cpu(override)
    if info.arch != compiler.arch():
        raise BackendError(
            f"code for CPU {override!r} cannot run here", expected=f"a CPU of {compiler.arch()}", got=info.arch
        )
    widest = host_cpu().vector_bytes
    if info.vector_bytes > widest:
        raise BackendError(
            f"code for CPU {override!r} cannot run here",
            expected=f"vectors of at most {widest} bytes",
            got=str(info.vector_bytes),
            hint="unset MOCHAC_CPU, or name an older CPU",
        )
    return info


@lru_cache(maxsize=8)
def named_cpu(name: str) -> CpuInfo:
    """An LLVM CPU by name, of this machine's architecture or else of another one; code for it need not run here.

    Raises:
        BackendError: LLVM knows no such CPU, or cannot generate 64-bit code for it, and it is none of SMALL_CPUS.
    """
    if name in SMALL_CPUS:
        return SMALL_CPUS[name]
    here, known = compiler.arch(), set(SMALL_CPUS)
    for arch in (here, *(other for other in compiler.ARCHITECTURES if other != here)):
        listed = _known_cpus(name, compiler.triple_of(arch))
        if name in listed:
            return CpuInfo(name, "", _probed_width(name, arch), arch)
        known |= listed
    hint = misspelt(name, known)
    if name.startswith("sm_"):
        hint = f"{name} is a GPU; with backend='cpu' a target is a CPU such as 'haswell'"
    if name in ("cuda", "gpu"):
        hint = "the name of a GPU is that of its architecture, such as sm_90"
    rule = f"LLVM has no CPU {name!r} with code for {' or '.join(compiler.ARCHITECTURES)}"
    raise BackendError(rule, expected=f"such a CPU, or {', '.join(SMALL_CPUS)}", got=name, hint=hint)


def _known_cpus(name: str, triple: str) -> set[str]:
    """Names of the CPUs that LLVM lists for a triple, without `name` if LLVM generates no code for it.

    This runs in a child process: LLVM prints the list to standard error, and ends the process for an unknown or 32-bit
    CPU.
    """
    child = subprocess.run([sys.executable, "-c", _ASK, name, triple], capture_output=True, text=True, check=False)
    known = {line.split()[0] for line in child.stderr.splitlines() if " - Select the " in line}
    return known if child.returncode == 0 else known - {name}


_ASK = """
import sys
import llvmlite.binding as llvm
cpu, triple = sys.argv[1:]
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
target = llvm.Target.from_triple(triple)
target.create_target_machine(cpu="help")
module = llvm.parse_assembly("define i64 @f(i64 %a) { ret i64 %a }")
module.triple = triple
target.create_target_machine(cpu=cpu).emit_object(module)
"""


def _feature_width(features: str) -> int:
    has = set(features.split(","))
    if "+avx512f" in has:
        return 64
    return 32 if {"+avx2", "+fma"} <= has else 16


def _probed_width(cpu: str, arch: str) -> int:
    """Widest registers that LLVM uses for a fused multiply-add of 16 floats on a CPU it knows by name; 16 bytes on all
    but x86 (the registers of SVE may be wider, but have no width that code could count on)."""
    v = "<16 x float>"
    probe = (
        f"declare {v} @llvm.fma.v16f32({v}, {v}, {v})\n"
        f"define {v} @probe({v} %a, {v} %b, {v} %c) {{\n  %r = call {v} @llvm.fma.v16f32({v} %a, {v} %b, {v} %c)\n"
        f"  ret {v} %r\n}}\n"
    )
    text = compiler.assembly(probe, CpuInfo(cpu, "", 16, arch))
    lines = [line for line in text.splitlines() if "vfmadd" in line]
    return next((width for width, register in _WIDTHS if any(register in line for line in lines)), 16)


def cpu_model(listed: Path = Path("/proc/cpuinfo")) -> str:
    """The vendor's name of this machine's CPU; "" if the system does not report it."""
    try:
        lines = listed.read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


_SYS = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@record(slots=True)
class DataCache:
    """A level of cache.

    Attributes:
        n_bytes: size of one cache.
        cpus: number of CPUs that share one.
        ways: lines of a set; 0 if not known.
    """

    level: int
    n_bytes: int
    cpus: int
    ways: int = 0

    def available_to(self, threads: int) -> int:
        """Bytes available to this many threads, each on its own core.

        >>> DataCache(level=2, n_bytes=1 << 20, cpus=1).available_to(1)
        1048576
        """
        caches = max(1, default_threads() // self.cpus)
        return self.n_bytes * min(threads, caches)


GUESS = (DataCache(1, 32 << 10, 1), DataCache(2, 512 << 10, 1), DataCache(3, 16 << 20, 8))
"""Sizes for systems that do not report them."""


@lru_cache(maxsize=4)
def caches(folder: Path = _SYS) -> tuple[DataCache, ...]:
    """Data and unified caches, nearest first, as Linux lists them for its first CPU; on other systems, a guess."""
    found: dict[int, DataCache] = {}
    for index in sorted(folder.glob("index*")):
        try:
            fields = [(index / name).read_text().strip() for name in ("type", "level", "size", "shared_cpu_list")]
            kind, level, size, shared = fields
            if kind != "Instruction":
                found[int(level)] = DataCache(int(level), _bytes(size), _count(shared), _ways(index))
        except (OSError, ValueError):
            continue
    return tuple(found[level] for level in sorted(found)) or GUESS


def _bytes(text: str) -> int:
    """Bytes of a size such as 48K."""
    unit = _UNITS.get(text[-1:], 1)
    return int(text.rstrip("KMG")) * unit


def _ways(index: Path) -> int:
    try:
        return int((index / "ways_of_associativity").read_text())
    except (OSError, ValueError):
        return 0


def _count(cpus: str) -> int:
    """Number of CPUs in a list such as 0-3,8."""
    n = 0
    for part in cpus.split(","):
        first, _, last = part.partition("-")
        n += int(last or first) - int(first) + 1
    return n


FEATURE = "+amx-bf16"
ARCH_PRCTL, ASK, TILE_DATA = 158, 0x1023, 18
"""arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA), by its number on x86-64."""


def has_tiles(cpu: CpuInfo) -> bool:
    """Whether code for a CPU may use tile registers: for this machine's, if it has them and the system grants them; for
    one that is known by name only, by its model."""
    known = machine(cpu.name, cpu.vector_bytes).tile_cycles > 0
    return known and (not cpu.features or (FEATURE in cpu.features.split(",") and granted()))


@lru_cache(maxsize=1)
def granted() -> bool:
    """Ask the system for tile registers, once in a process."""
    if sys.platform != "linux":
        return False
    return ctypes.CDLL(None).syscall(ARCH_PRCTL, ASK, TILE_DATA) == 0
