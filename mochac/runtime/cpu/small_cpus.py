"""CPUs of microcontrollers and small boards, and WebAssembly, by the names that they have among targets.

LLVM knows most of them under other names, or by lists of features alone. Code for them is for C libraries
(formats/clib/).

The 32 single registers of a Cortex-M4, -M7 or -M33 are 8 vectors of 4, whose lanes LLVM computes one after the other:
schedules then share loads and addresses among them (benchmarks/small_machines.py). Their 13 other registers, which hold
integers, are 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mochac.codegen.cpu.replacements import ROUNDINGS
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
